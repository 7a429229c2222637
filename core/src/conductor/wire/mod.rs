//! What tnh-conductor writes: status, events, manifests, and the run directory that holds them.

mod auxiliary;
mod directory;
mod event;
mod event_list;
mod final_state;
mod manifest;
mod metadata;
mod object;
mod problem;
mod stamp;
mod status;
mod words;

pub(crate) use directory::{Directory, root_of};
pub(crate) mod kind;

pub(crate) use directory::{StatusFile, of_step};
pub(crate) use event::{Event, EventLog};
pub use kind::recognises;
pub(crate) use kind::{Line, is_companion, is_read, is_record, is_unfinished_status, line, of_item};
pub use manifest::GateRequest;
pub(crate) use metadata::Metadata;
pub use problem::Problem;
pub use stamp::Stamp;
pub use status::StatusDocument;
pub use words::{
    ArtifactRole, ConductorEventType, ConductorState, GateOutcome, Lifecycle, Liveness, Opcode, Phase,
    PlannerStatus, RunnerFamily, Termination, Why, is_clean_outcome,
};
