//! The header pane: the run's state, reason, freshness, actions, evidence and fields.

use super::focus::Cursor;
use super::pane::{NoAction, Pane};
use super::run_view::RunView;
use crate::header::Header;

/// The header of the run on screen.
#[derive(Debug, Default)]
pub(super) struct HeaderPane;

impl Pane for HeaderPane {
    type Action = NoAction;
    type Window = Header;
    type Version = ((u64, f64), Cursor);

    fn act(&mut self, action: NoAction, _: &mut RunView<'_>) {
        match action {}
    }

    fn version(&self, view: &RunView<'_>) -> Self::Version {
        (view.version(), view.focus.cursor)
    }

    fn window(&mut self, view: &mut RunView<'_>) -> Option<Header> {
        view.header()
    }
}
