//! What a viewer needs to know from its source.

use super::list_origin::ListOrigin;
use super::no_tree::NoTree;
use super::row_detail::RowDetail;
use super::run_data::RunData;
use super::run_facts::RunFacts;
use super::run_log::RunLog;
use super::status::{Screen, Status};
use crate::gateway::{DetailAnswer, DetailQuestion};
use crate::header::{Field, Header};
use crate::ingest::{ListRow, RunEvent};
use crate::pill::Taxonomy;
use crate::time::Millis;

/// A server and its rows, which are consecutive in the source's list.
#[derive(Debug)]
pub(super) struct ServerRows {
    pub(super) number: usize,
    pub(super) address: String,
    pub(super) len: usize,
}

/// A source of runs. `now` is the viewer's own clock.
pub(super) trait ViewerSource {
    /// The name of the source, which replaces that of the file or answer in the header.
    fn name(&self) -> &str;

    fn screen(&self) -> Screen;

    fn status(&self, now: Millis) -> Status;

    /// Why the run on screen has no tree.
    fn no_tree(&self, now: Millis) -> NoTree;

    fn rows(&self) -> Vec<ListRow>;

    /// The row with this number, from 0.
    fn row(&self, row: usize) -> Option<ListRow> {
        self.rows().into_iter().nth(row)
    }

    /// The version of the list: a larger number for each change, except those of the rows of the run on screen, which
    /// [`version_on_screen`](Self::version_on_screen) counts.
    fn list_version(&self) -> u64;

    /// The rows that changed after a version of the list; `None` if rows were added, removed or moved, or if the source
    /// does not know which rows changed.
    fn rows_changed_after(&self, version: u64) -> Option<Vec<usize>> {
        (version == self.list_version()).then(Vec::new)
    }

    /// The version of the run on screen, if its rows change between two versions of the list.
    fn version_on_screen(&self) -> u64 {
        0
    }

    /// The label of the chip for legacy sessions, if there are any.
    fn legacy_label(&self) -> Option<String> {
        None
    }

    /// The present details of a row in the list.
    fn row_detail(&self, row: usize, now: Millis) -> RowDetail;

    /// The rows of the run on screen. A list may name a run twice.
    fn rows_on_screen(&self) -> Vec<usize>;

    /// The identity of the run on screen: it changes when another run is shown.
    fn shown_run(&self) -> Option<String>;

    /// The servers of the rows, in the order of the rows; empty unless the source is a page's traffic.
    fn servers(&self) -> Vec<ServerRows> {
        Vec::new()
    }

    /// How the page communicates with the server that has this number, and when that was last observed.
    fn server_line(&self, _number: usize, _now: Millis) -> String {
        String::new()
    }

    /// The server of the list and the freshness of all rows, if the source is one live server.
    fn list_origin(&self, _now: Millis) -> Option<ListOrigin> {
        None
    }

    fn header(&self, now: Millis) -> Option<Header>;

    /// The data of the run on screen that panes share.
    fn run(&self, now: Millis) -> RunData<'_>;

    /// The events of the run on screen; `None` if no run is on screen.
    fn log(&self) -> Option<RunLog<'_>>;
    /// All facts about the run on screen; `None` if no run is on screen.
    fn facts(&self) -> Option<RunFacts<'_>>;

    /// What is known about a question; `None` while it has neither an answer nor failed, and for sources that are not asked.
    fn detail(&self, _question: &DetailQuestion) -> Option<&DetailAnswer> {
        None
    }

    /// The clock of the times in the list: the server's for a Gateway, else the viewer's.
    fn list_now(&self, now: Millis) -> Millis {
        now
    }

    /// The last events of the run on screen, the newest first; empty if the source keeps none.
    fn last_events(&mut self) -> Vec<RunEvent> {
        Vec::new()
    }

    fn announcement(&mut self, now: Millis) -> Option<String>;
}

/// Adds the server's clock to the header of a Smithers run.
pub(super) fn add_clock(header: &mut Header, clock: Option<String>) {
    if header.taxonomy == Taxonomy::Run {
        header.fields.extend(Field::text("clock", "Server clock", clock));
    }
}
