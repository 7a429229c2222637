//! All that is known about the run on screen, in the terms of its system.

use crate::conductor::derive::ConductorRun;
use crate::ingest::{Document, System};
use crate::run::RunInspection;
use crate::run::lionagi::LionagiInspection;

/// The run on screen.
#[derive(Clone, Copy, Debug)]
pub(super) enum RunFacts<'a> {
    /// A run of Smithers.
    Smithers(&'a RunInspection),
    /// A run of tnh-conductor.
    Conductor(&'a ConductorRun),
    /// A document of lionagi, in which the run is.
    Lionagi(&'a LionagiInspection),
}

impl<'a> RunFacts<'a> {
    /// The only run of a document, or that in a row of its list.
    pub(super) fn of_document(document: &'a Document, row: Option<usize>) -> Option<Self> {
        let smithers = document.smithers_run(row).map(Self::Smithers);
        let conductor = || document.conductor_run(row).map(Self::Conductor);
        smithers.or_else(conductor).or_else(|| document.lionagi().map(Self::Lionagi))
    }

    /// The system of the run.
    pub(super) fn system(self) -> System {
        match self {
            Self::Smithers(_) => System::Smithers,
            Self::Conductor(_) => System::Conductor,
            Self::Lionagi(_) => System::Lionagi,
        }
    }
}
