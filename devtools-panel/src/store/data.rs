//! What the session on screen sent: the last value of each kind. Only events of the session change it.

use leptos::prelude::*;
use runstate::header::Header;
use runstate::ingest::RunEvent;
use runstate::viewer::{RunList, Status, TrafficStatus, TreeRow, TreeWindow};

use crate::session::protocol::ExportInfo;

/// The last value of each kind that the session sent.
#[derive(Clone, Copy)]
pub(crate) struct SessionData {
    /// The current screen, and its content other than the run.
    pub(crate) status: ReadSignal<Status>,
    pub(super) set_status: WriteSignal<Status>,
    /// The state of the inspected page's traffic; `None` if the session shows something else.
    pub(crate) traffic: Memo<Option<TrafficStatus>>,
    /// The rows of the run list that are on screen; `None` if the session has no list.
    pub(crate) runs: ReadSignal<Option<RunList>>,
    pub(super) set_runs: WriteSignal<Option<RunList>>,
    /// The header of the run; `None` if no run is shown.
    pub(crate) header: ReadSignal<Option<Header>>,
    pub(super) set_header: WriteSignal<Option<Header>>,
    /// The rows of the tree that are on screen; `None` if the run has no tree.
    pub(crate) tree: ReadSignal<Option<TreeWindow>>,
    pub(super) set_tree: WriteSignal<Option<TreeWindow>>,
    /// Metadata of the document inside an exported page, while that document is on screen.
    pub(crate) export_info: ReadSignal<Option<ExportInfo>>,
    pub(super) set_export_info: WriteSignal<Option<ExportInfo>>,
    /// What only a printout shows, as of the last request.
    pub(crate) printout: ReadSignal<PrintoutData>,
    pub(super) set_printout: WriteSignal<PrintoutData>,
}

/// What only a printout shows.
#[derive(Clone, Default)]
pub(crate) struct PrintoutData {
    /// Every row of the tree.
    pub(crate) rows: Vec<TreeRow>,
    /// The last events of the run, the newest first.
    pub(crate) events: Vec<RunEvent>,
}

impl SessionData {
    pub(super) fn new() -> Self {
        let (status, set_status) = signal(Status::default());
        let (runs, set_runs) = signal(None);
        let (header, set_header) = signal(None);
        let (tree, set_tree) = signal(None);
        let (export_info, set_export_info) = signal(None);
        let (printout, set_printout) = signal(PrintoutData::default());
        let traffic = Memo::new(move |_| status.with(|status| status.link.traffic().cloned()));
        Self {
            status,
            set_status,
            traffic,
            runs,
            set_runs,
            header,
            set_header,
            tree,
            set_tree,
            export_info,
            set_export_info,
            printout,
            set_printout,
        }
    }

    pub(super) fn clear(self) {
        self.set_status.set(Status::default());
        self.set_runs.set(None);
        self.set_header.set(None);
        self.set_tree.set(None);
        self.set_export_info.set(None);
        self.set_printout.set(PrintoutData::default());
    }

    /// Clears the last events when another run is shown.
    pub(super) fn clear_last_events(self) {
        self.set_printout.update(|printout| printout.events.clear());
    }
}

/// A value that is read from a part of the session's data; it changes only when the value does. While the session has no
/// such part, it is the default.
///
/// The data has one signal for each part that the worker sends as a whole, and its types are the core's, which do not
/// know Leptos; so there is no signal for each field.
pub(crate) fn select<D, T>(
    part: impl With<Value = Option<D>> + Copy + Send + Sync + 'static,
    read: impl Fn(&D) -> T + Send + Sync + 'static,
) -> Memo<T>
where
    T: Default + PartialEq + Send + Sync + 'static,
{
    Memo::new(move |_| part.with(|part| part.as_ref().map(&read).unwrap_or_default()))
}
