//! The host page of an embedded panel: what it shows of the panel, and what the panel reports to it.

use leptos::prelude::*;
use runstate::header::Header;
use runstate::refusal::Refusal;
use runstate::viewer::{PaneKind, Screen};
use serde::Serialize;
use wasm_bindgen::JsValue;
use web_sys::Worker;

use crate::problem::Problem;

/// The host page of an embedded panel.
#[derive(Clone, Copy)]
pub(crate) struct HostPage {
    /// Receives events. Returns whether the panel should perform an action; the host page may have done it.
    pub(crate) report: UnsyncCallback<HostEvent, bool>,
    /// Starts a worker of this module.
    pub(crate) start_worker: UnsyncCallback<(), Result<Worker, JsValue>>,
}

/// Which parts of the panel are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PanelView {
    /// Everything.
    #[default]
    Full,
    /// Only the header of the run.
    Header,
    /// Only the tree of the run.
    Tree,
    /// Only the detail of the selected node.
    Node,
    /// Only the events of the run.
    Log,
}

impl PanelView {
    /// Reads the attribute `view`; any other value means the whole panel.
    pub(crate) fn parse(word: Option<&str>) -> Self {
        match word {
            Some("header") => Self::Header,
            Some("tree") => Self::Tree,
            Some("node") => Self::Node,
            Some("log") => Self::Log,
            Some(_) | None => Self::Full,
        }
    }

    /// The panes on screen; the events are if a person chose them. The header is always needed, for the title of the page
    /// and for the host page, and the tree of the whole panel for links to its nodes and for a printout. In a part of the
    /// panel, the list of runs is shown only as a screen.
    pub(crate) fn panes(self, screen: Screen, shows_events: bool) -> Vec<PaneKind> {
        let list = (screen != Screen::Run).then_some(PaneKind::Runs);
        let is_shown = |kind: &PaneKind| *kind != PaneKind::Log || shows_events;
        match self {
            Self::Full => PaneKind::ALL.iter().copied().filter(is_shown).collect(),
            Self::Header => [PaneKind::Header].into_iter().chain(list).collect(),
            Self::Tree => [PaneKind::Header, PaneKind::Tree].into_iter().chain(list).collect(),
            Self::Node => [PaneKind::Header, PaneKind::Node].into_iter().chain(list).collect(),
            Self::Log => [PaneKind::Header, PaneKind::Log].into_iter().chain(list).collect(),
        }
    }

    /// The value of the panel's `data-panel-view`.
    pub(crate) fn as_str(self) -> Option<&'static str> {
        match self {
            Self::Full => None,
            Self::Header => Some("header"),
            Self::Tree => Some("tree"),
            Self::Node => Some("node"),
            Self::Log => Some("log"),
        }
    }
}

/// An event that the panel reports to the host page.
#[derive(Serialize)]
#[serde(tag = "kind", content = "value", rename_all = "kebab-case")]
pub(crate) enum HostEvent {
    /// Opening started and replaces any pending one.
    Opening,
    /// The opened source is on screen.
    Accepted,
    /// The source cannot be opened.
    Refused(Problem),
    /// The current session's worker stopped.
    Failed(Problem),
    /// The screen has changed.
    Shown(Box<ScreenContent>),
    /// A person requests an action. The host page may perform it itself.
    Action(ActionRequest),
    /// A person chose a run of the list, by its id; `None` for the list again.
    Run(Option<String>),
    /// The place on screen has changed: what `Place` writes.
    Place(String),
    /// An export that the host page requested.
    Export {
        /// The file name.
        name: String,
        /// The bytes.
        #[serde(with = "serde_wasm_bindgen::preserve")]
        bytes: js_sys::Uint8Array,
    },
    /// The export that the host page requested cannot be written.
    ExportFailed(Problem),
}

/// An action that a person requests.
#[derive(Serialize)]
pub(crate) struct ActionRequest {
    /// The kind of action, as a word.
    pub(crate) kind: String,
    /// The command that performs it.
    pub(crate) command: Option<String>,
    /// The Gateway call that performs it.
    pub(crate) call: Option<String>,
    /// The text that the panel copies: the command or the call.
    pub(crate) text: String,
}

/// The content of the screen.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ScreenContent {
    pub(crate) screen: Screen,
    /// Whether the source is a live Gateway.
    pub(crate) live: bool,
    /// The server's refusal.
    pub(crate) refusal: Option<Refusal>,
    /// Why the Gateway cannot be reached.
    pub(crate) open_failure: Option<Problem>,
    /// Whether the problem of a request is shown.
    pub(crate) problem: bool,
    pub(crate) header: Option<Header>,
    /// The author's id of the selected node, or the node's name if it has no id.
    pub(crate) selected: Option<String>,
}

#[cfg(test)]
mod tests {
    use wasm_bindgen_test::wasm_bindgen_test;

    use runstate::viewer::{PaneKind, Screen};

    use super::PanelView;

    #[wasm_bindgen_test]
    fn an_unknown_view_is_the_whole_panel() {
        for word in [None, Some(""), Some("full"), Some("HEADER"), Some("toolbar")] {
            assert_eq!(PanelView::parse(word), PanelView::Full, "{word:?}");
        }
        for view in [PanelView::Header, PanelView::Tree, PanelView::Node, PanelView::Log] {
            assert_eq!(PanelView::parse(view.as_str()), view);
        }
    }

    #[wasm_bindgen_test]
    fn a_part_of_the_panel_needs_no_other_pane() {
        assert_eq!(PanelView::Full.panes(Screen::Run, true), PaneKind::ALL);
        assert!(!PanelView::Full.panes(Screen::Run, false).contains(&PaneKind::Log));
        assert_eq!(PanelView::Header.panes(Screen::Run, true), [PaneKind::Header]);
        assert_eq!(PanelView::Tree.panes(Screen::Run, true), [PaneKind::Header, PaneKind::Tree]);
        assert_eq!(PanelView::Node.panes(Screen::Run, true), [PaneKind::Header, PaneKind::Node]);
        assert_eq!(PanelView::Log.panes(Screen::Run, false), [PaneKind::Header, PaneKind::Log]);
        assert_eq!(PanelView::Header.panes(Screen::Runs, false), [PaneKind::Header, PaneKind::Runs]);
    }
}
