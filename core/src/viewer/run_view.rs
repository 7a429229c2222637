//! What panes read of the source, and the focus that they share.

use super::focus::{Cursor, Focus};
use super::run_data::RunData;
use super::run_facts::RunFacts;
use super::run_log::RunLog;
use super::source::Source;
use crate::gateway::DetailQuestion;
use crate::header::Header;
use crate::time::Millis;

/// The source with the run on screen, the focus, and the time.
pub(super) struct RunView<'a> {
    pub(super) source: &'a Source,
    /// Changes whenever the data of the source may have changed.
    pub(super) source_version: u64,
    pub(super) focus: &'a mut Focus,
    /// The viewer's own clock.
    pub(super) now: Millis,
    /// What the panes ask the source; it is passed on when they have finished.
    pub(super) requests: &'a mut Vec<DetailRequest>,
}

/// What a pane asks the source.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum DetailRequest {
    /// A question about a node.
    Ask {
        question: DetailQuestion,
        /// What is known of the node: the question is asked again when it changes.
        state: String,
    },
    /// What has failed, again.
    AskAgain,
    /// The events of the run, which are on screen.
    Events,
}

impl<'a> RunView<'a> {
    /// The version of everything that the source says at this time: of its data, and of ages and countdowns, which
    /// change each second.
    pub(super) fn version(&self) -> (u64, f64) {
        (self.source_version, second(self.now))
    }

    /// The data of the run on screen at the cursor.
    pub(super) fn run(&self) -> RunData<'a> {
        match self.focus.cursor {
            Cursor::Live => self.source.get().run(self.now),
        }
    }

    /// The events of the run on screen at the cursor; `None` if no run is on screen.
    pub(super) fn log(&self) -> Option<RunLog<'a>> {
        match self.focus.cursor {
            Cursor::Live => self.source.get().log(),
        }
    }

    /// All facts about the run on screen at the cursor; `None` if no run is on screen.
    pub(super) fn facts(&self) -> Option<RunFacts<'a>> {
        match self.focus.cursor {
            Cursor::Live => self.source.get().facts(),
        }
    }

    /// The time by the clock of the run.
    pub(super) fn run_now(&self) -> Millis {
        self.source.get().list_now(self.now)
    }

    /// The header of the run on screen at the cursor.
    pub(super) fn header(&self) -> Option<Header> {
        match self.focus.cursor {
            Cursor::Live => self.source.header(self.now),
        }
    }
}

/// The whole second of a time.
pub(super) fn second(at: Millis) -> f64 {
    (at.0 / 1000.0).floor()
}
