//! Derives the state of a tnh-conductor run from its directory.

mod end;
mod evidence;
mod liveness;
mod phase;
mod route;
mod rule;
mod run;
mod run_json;
mod steps;

pub(crate) use liveness::Limits;
pub(crate) use rule::derive;
pub use run::{ConductorRun, Exit, Gate, Note, PlannerDecision, Route, RunSource, StaleHeartbeat, Terminal};
pub use steps::Visit;
