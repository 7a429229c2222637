//! The header pane: the run's state, reason, freshness, actions, evidence and fields.

use super::pane::{NoAction, Pane};
use super::run_view::RunView;
use crate::header::Header;

/// The header of the run on screen.
#[derive(Debug, Default)]
pub(super) struct HeaderPane;

impl Pane for HeaderPane {
    type Action = NoAction;
    type Window = Box<Header>;
    type Version = (u64, f64);

    fn act(&mut self, action: NoAction, _: &mut RunView<'_>) {
        match action {}
    }

    fn version(&self, view: &RunView<'_>) -> Self::Version {
        view.version()
    }

    fn window(&mut self, view: &mut RunView<'_>) -> Option<Box<Header>> {
        view.source.header(view.now).map(Box::new)
    }
}
