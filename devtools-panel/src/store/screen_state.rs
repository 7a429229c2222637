//! The screen, and the keyboard focus on its heading.

use leptos::prelude::*;
use runstate::viewer::{PlaceView, Screen, Status};

use super::opening::Opening;
use crate::browser::storage;

/// The screen, which is the session's or the connect screen in front of it.
#[derive(Clone, Copy)]
pub(crate) struct ScreenState {
    /// The screen to draw.
    pub(crate) screen: Memo<Screen>,
    /// Whether the screen stays blank until the content that is being opened arrives.
    pub(crate) is_blank: Signal<bool>,
    /// The name of the document that is being opened.
    pub(crate) opening_name: Signal<Option<String>>,
    /// Whether the header shows all fields of a run; kept for every run, and on the panel's own page for its next visit.
    pub(crate) shows_all_fields: RwSignal<bool>,
    /// Whether the events of the run are shown in place of its tree.
    pub(crate) shows_events: Memo<bool>,
    /// Which of both a person or the address chose; without a choice the tree is shown, or the events of an event log.
    pub(crate) chosen_events: RwSignal<Option<bool>>,
    /// What an address says of both; `None` where the tree is shown without a choice.
    pub(super) place_view: Memo<Option<PlaceView>>,
    /// Whether the detail of the selected node is open; kept for every run.
    pub(crate) shows_node: RwSignal<bool>,
    /// Whether the detail takes the focus when it is drawn.
    pub(crate) takes_node_focus: RwSignal<bool>,
    opening: RwSignal<Opening>,
    /// Whether the connect screen is open in front of the session.
    is_choosing_source: RwSignal<bool>,
    /// Whether the heading of the next screen takes the focus.
    takes_focus: RwSignal<bool>,
}

impl ScreenState {
    pub(super) fn new(status: ReadSignal<Status>) -> Self {
        let opening = RwSignal::new(Opening::default());
        let is_choosing_source = RwSignal::new(false);
        let screen = move |_: Option<&Screen>| {
            if is_choosing_source.get() { Screen::Nothing } else { status.with(|status| status.screen) }
        };
        let is_event_log =
            move || status.with(|status| status.no_tree.as_ref().is_some_and(|no_tree| no_tree.is_event_log));
        let chosen_events = RwSignal::new(None::<bool>);
        let shows_events = Memo::new(move |_| chosen_events.get().unwrap_or_else(is_event_log));
        Self {
            screen: Memo::new(screen),
            is_blank: Signal::derive(move || opening.with(Opening::is_blank)),
            opening_name: Signal::derive(move || opening.with(|opening| opening.name().cloned())),
            shows_all_fields: RwSignal::new(false),
            shows_events,
            chosen_events,
            place_view: Memo::new(move |_| match (shows_events.get(), is_event_log()) {
                (true, _) => Some(PlaceView::Events),
                (false, true) => Some(PlaceView::Tree),
                (false, false) => None,
            }),
            shows_node: RwSignal::new(false),
            takes_node_focus: RwSignal::new(false),
            opening,
            is_choosing_source,
            takes_focus: RwSignal::new(false),
        }
    }

    /// Keeps whether the header shows all fields, for the next visit of the page.
    pub(crate) fn remember_fields(self) {
        storage::remember(self.shows_all_fields, "runstate-details", ["open", "folded"]);
    }

    /// Opens the detail of the selected node, and moves the focus there if it `takes_focus`.
    pub(crate) fn open_node(self, takes_focus: bool) {
        self.takes_node_focus.set(takes_focus);
        self.shows_node.set(true);
    }

    /// Opens the connect screen in front of the session.
    pub(crate) fn choose_source(self) {
        self.is_choosing_source.set(true);
        self.takes_focus.set(true);
    }

    /// Whether the connect screen is open in front of the session.
    pub(super) fn is_choosing_source(self) -> bool {
        self.is_choosing_source.get_untracked()
    }

    /// Closes the connect screen.
    pub(super) fn show_session(self) {
        self.is_choosing_source.set(false);
    }

    /// Makes the heading of the next screen take the focus.
    pub(crate) fn request_heading_focus(self) {
        self.takes_focus.set(true);
    }

    /// Sets whether the heading of the next screen takes the focus.
    pub(super) fn set_heading_focus(self, takes_focus: bool) {
        self.takes_focus.set(takes_focus);
    }

    /// Whether a heading that appears takes the focus; also resets the request, so that the next heading does not.
    pub(crate) fn take_heading_focus(self) -> bool {
        self.takes_focus.try_update(std::mem::take).unwrap_or_default()
    }

    /// Keeps the screen blank while the next source is opened automatically.
    pub(crate) fn start_blank(self) {
        self.opening.set(Opening::Automatic { name: None });
    }

    /// Records that a source is being opened; `name` is the name of a document.
    pub(super) fn begin_opening(self, name: Option<String>) {
        self.opening.update(|opening| *opening = opening.next(name));
    }

    /// Keeps the screen blank until the first status of the accepted session.
    pub(super) fn accept(self) {
        self.opening.set(Opening::Accepted);
    }

    /// Records that no source is being opened any more.
    pub(super) fn end_opening(self) {
        self.opening.set(Opening::Nothing);
    }

    /// Shows the screen, because the content has arrived or will not arrive.
    pub(super) fn end_blank(self) {
        if self.is_blank.get_untracked() {
            self.end_opening();
        }
    }
}
