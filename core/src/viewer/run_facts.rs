//! All that is known about the run on screen, in the terms of its system.

use crate::conductor::derive::ConductorRun;
use crate::run::RunInspection;

/// The run on screen. lionagi records no nodes of a session, so there is nothing to say about one.
#[derive(Clone, Copy, Debug)]
pub(super) enum RunFacts<'a> {
    /// A run of Smithers.
    Smithers(&'a RunInspection),
    /// A run of tnh-conductor.
    Conductor(&'a ConductorRun),
}
