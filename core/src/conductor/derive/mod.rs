//! What a tnh-conductor run is doing, from its directory.

mod ended;
mod exit;
mod liveness;
mod notes;
mod phase;
mod rule;
mod steps;
mod view;
mod write;

pub use liveness::Limits;
pub use phase::phase;
pub(crate) use rule::derive;
pub use steps::Visit;
pub use view::{ConductorRun, Exit, Gate, Note, PlannerDecision, RunSource, Silence, Terminal};
pub use write::Keys;
