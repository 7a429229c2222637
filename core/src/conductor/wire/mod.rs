//! tnh-conductor's files: status, events, manifests, and the run directory that contains them.

mod directory;
mod event;
mod event_list;
mod file_kind;
mod json_file;
mod metadata;
mod status;
mod step_files;
mod step_text;
mod timestamp;
mod words;

pub(crate) use directory::{Directory, StatusFile, find_step_file, named_step_file, root_of};
pub(crate) use event::{Event, EventLog, LastEvents};
pub(crate) use event_list::is_list;
pub(crate) use file_kind::{FileKind, FilePath, text};
pub(crate) use metadata::{Metadata, read_final_state};
pub(crate) use status::StatusDocument;
pub use step_files::GateRequest;
pub(crate) use step_files::read_auxiliary;
pub(crate) use step_text::StepText;
pub use timestamp::Timestamp;
pub(crate) use words::is_clean_outcome;
pub use words::{
    ArtifactRole, ConductorEventType, ConductorState, GateOutcome, Lifecycle, Liveness, Opcode, Phase,
    PlannerStatus, RunnerFamily, Termination, UnknownReason,
};
