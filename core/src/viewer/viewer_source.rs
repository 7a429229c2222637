//! What a viewer needs to know from its source.

use super::row_detail::RowDetail;
use super::runs::{Runs, ServerRows};
use super::{NoTree, Status};
use crate::header::{Field, Header};
use crate::ingest::ListRow;
use crate::pill::Taxonomy;
use crate::time::Millis;
use crate::tree::Tree;

/// A source of runs. `now` is the viewer's own clock.
pub(super) trait ViewerSource {
    /// The name of the source, which replaces that of the file or answer in the header.
    fn name(&self) -> &str;

    fn status(&self, now: Millis) -> Status;

    /// Why the run on screen has no tree.
    fn no_tree(&self, now: Millis) -> NoTree;

    fn rows(&self) -> Vec<ListRow>;

    /// Numbers of which one changes when the rows change.
    fn runs_version(&self) -> [u64; 2];

    /// The label of the chip for legacy sessions, if there are any.
    fn legacy_label(&self) -> Option<String> {
        None
    }

    /// The present details of a row in the list.
    fn row_detail(&self, row: usize, now: Millis) -> RowDetail;

    /// The row of the run on screen.
    fn row_on_screen(&self, runs: &Runs) -> Option<usize>;

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

    fn header(&self, now: Millis) -> Option<Header>;

    fn tree(&self) -> Option<&Tree>;

    /// The time up to which the nodes of the tree are known, by the server's clock; `None` if a document does not contain
    /// it.
    fn known_until(&self, now: Millis) -> Option<Millis>;

    /// The clock of the times in the list: the server's for a Gateway, else the viewer's.
    fn list_now(&self, now: Millis) -> Millis {
        now
    }

    fn announcement(&mut self, now: Millis) -> Option<String>;
}

/// Adds the server's clock to the header of a Smithers run.
pub(super) fn add_clock(header: &mut Header, clock: Option<String>) {
    if header.taxonomy == Taxonomy::Run {
        header.fields.extend(Field::text("clock", "Server clock", clock));
    }
}
