//! The values that the session sent, and their readers. Only events of the session change them.

use leptos::prelude::*;
use runstate::header::Header;
use runstate::ingest::RunEvent;
use runstate::viewer::{RunList, Status, TreeRow, TreeWindow, Update};

use super::Store;
use crate::session::protocol::ExportInfo;

/// The last value of each kind that the session sent.
#[derive(Clone, Copy, Default)]
pub(super) struct SessionData {
    /// The current screen, and its content other than the run.
    status: RwSignal<Status>,
    /// The rows of the run list that are on screen.
    runs: RwSignal<Option<RunList>>,
    /// The header of the run.
    header: RwSignal<Option<Header>>,
    /// The rows of the tree that are on screen.
    tree: RwSignal<Option<TreeWindow>>,
    /// Metadata of the document inside an exported page, while that document is on screen.
    pub(super) export_info: RwSignal<Option<ExportInfo>>,
    /// Every row of the tree, for a printout, as of the last request.
    pub(super) all_rows: RwSignal<Vec<TreeRow>>,
    /// The last events of the run, for a printout, the newest first.
    pub(super) last_events: RwSignal<Vec<RunEvent>>,
}

impl SessionData {
    pub(super) fn clear(self) {
        self.status.set(Status::default());
        self.runs.set(None);
        self.header.set(None);
        self.tree.set(None);
        self.export_info.set(None);
        self.all_rows.set(Vec::new());
        self.last_events.set(Vec::new());
    }
}

impl Store {
    /// Stores an update of the session.
    pub fn apply(self, update: Update) {
        match update {
            Update::Status(status) => {
                self.data.status.set(status);
                self.end_blank();
            }
            Update::Runs(runs) => self.data.runs.set(runs),
            Update::Header(header) => self.data.header.set(header.map(|header| *header)),
            Update::Tree(tree) => self.data.tree.set(tree),
            Update::Announce(text) => self.announce(text),
        }
    }

    /// Reads the status.
    pub(crate) fn status<T>(self, read: impl FnOnce(&Status) -> T) -> T {
        self.data.status.with(read)
    }

    /// Reads the run list; `None` if the session has none.
    pub(crate) fn runs<T>(self, read: impl FnOnce(Option<&RunList>) -> T) -> T {
        self.data.runs.with(|runs| read(runs.as_ref()))
    }

    /// Reads the header; `None` if no run is shown.
    pub(crate) fn header<T>(self, read: impl FnOnce(Option<&Header>) -> T) -> T {
        self.data.header.with(|header| read(header.as_ref()))
    }

    /// Reads the window of the tree; `None` if the run has no tree.
    pub(crate) fn tree<T>(self, read: impl FnOnce(Option<&TreeWindow>) -> T) -> T {
        self.data.tree.with(|tree| read(tree.as_ref()))
    }

    /// Metadata of the document inside an exported page, while that document is on screen.
    pub(crate) fn export_info(self) -> Option<ExportInfo> {
        self.data.export_info.get()
    }

    /// Every row of the tree, as of the last request.
    pub(crate) fn all_rows(self) -> Vec<TreeRow> {
        self.data.all_rows.get()
    }

    /// The last events of the run, the newest first.
    pub(crate) fn last_events(self) -> Vec<RunEvent> {
        self.data.last_events.get()
    }
}
