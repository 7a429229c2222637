//! The panel's state: the last values that the session sent, and the person's choices on this page.
//!
//! Data flows one way. Only the store writes its signals; components read them through methods, and call the methods that
//! send commands. All `self.x(read)` methods are reactive; wrap them in `untrack` in an event handler.

mod commands;
mod copying;
mod data;
mod exports;
mod host_page;
mod opening;
mod run_list;
mod sessions;
mod traffic;

use std::sync::atomic::{AtomicU32, Ordering};

use leptos::prelude::*;
use runstate::viewer::Screen;

use self::data::SessionData;
pub use self::exports::Export;
pub use self::host_page::PanelView;
pub(crate) use self::host_page::{ActionRequest, HostEvent, HostPage, ScreenContent};
use self::opening::Opening;
pub(crate) use self::run_list::ChosenRow;
use self::run_list::RunListState;
use self::sessions::Sessions;
use crate::browser::devtools::{self, TrafficSubscription};
use crate::problem::Problem;

/// The number of panels created on this page so far.
static PANELS: AtomicU32 = AtomicU32::new(0);

/// The state of one panel, provided as context. Cheap to copy.
#[derive(Clone, Copy)]
pub struct Store {
    /// The values that the session sent.
    data: SessionData,
    /// The person's choices in the run list.
    run_list: RunListState,
    /// The text of the live region.
    announcement: RwSignal<String>,
    /// The last copied text, while its button confirms it.
    copied: RwSignal<Option<String>>,
    /// Why the last request failed. It is shown on the current screen and never replaces it.
    problem: RwSignal<Option<Problem>>,
    /// The source being opened.
    opening: RwSignal<Opening>,
    /// The state of the export form.
    export: RwSignal<Export>,
    /// Whether the page is printed once all rows and the last events have arrived.
    prints_when_complete: StoredValue<bool>,
    /// Whether the connect screen is open in front of the session.
    choosing_source: RwSignal<bool>,
    /// Whether the heading of the next screen takes the focus.
    focus_heading: RwSignal<bool>,
    /// Distinguishes the element ids of several panels on one page.
    panel: u32,
    /// The address and the run of the last connection, or of a Gateway in the page's traffic, for the form. It never
    /// contains the token.
    last_gateway: RwSignal<Option<(String, String)>>,
    /// Which parts of the panel are shown.
    panel_view: RwSignal<PanelView>,
    /// The host page of an embedded panel.
    host_page: Option<HostPage>,
    /// Whether traffic is kept across navigations; in developer tools.
    preserves_log: RwSignal<bool>,
    /// The subscription to the inspected page's traffic.
    traffic_subscription: StoredValue<Option<TrafficSubscription>, LocalStorage>,
    sessions: StoredValue<Sessions, LocalStorage>,
}

impl Default for Store {
    fn default() -> Self {
        Self::new()
    }
}

impl Store {
    /// A panel without a session, on the connect screen.
    #[must_use]
    pub fn new() -> Self {
        Self::with_host_page(None)
    }

    /// The state of a panel embedded in a host page.
    pub(crate) fn embedded(host_page: HostPage) -> Self {
        Self::with_host_page(Some(host_page))
    }

    fn with_host_page(host_page: Option<HostPage>) -> Self {
        Self {
            data: SessionData::default(),
            run_list: RunListState::default(),
            announcement: RwSignal::default(),
            copied: RwSignal::default(),
            problem: RwSignal::default(),
            opening: RwSignal::default(),
            export: RwSignal::default(),
            prints_when_complete: StoredValue::new(false),
            choosing_source: RwSignal::new(false),
            focus_heading: RwSignal::new(false),
            panel: PANELS.fetch_add(1, Ordering::Relaxed),
            last_gateway: RwSignal::default(),
            panel_view: RwSignal::default(),
            host_page,
            preserves_log: RwSignal::new(devtools::preserves_log()),
            traffic_subscription: StoredValue::new_local(None),
            sessions: StoredValue::new_local(Sessions::default()),
        }
    }

    /// The screen to draw.
    pub(crate) fn screen(self) -> Screen {
        if self.choosing_source.get() { Screen::Nothing } else { self.status(|status| status.screen) }
    }

    /// Whether the connect screen can return to a session's screen, even if the worker has stopped.
    pub(crate) fn has_session(self) -> bool {
        self.status(|status| status.screen != Screen::Nothing)
    }

    /// An element id that no other panel on the page has.
    pub(crate) fn element_id(self, name: &str) -> String {
        if self.panel == 0 { name.to_owned() } else { format!("{name}-{}", self.panel) }
    }

    /// Whether the page is the panel's own, so that it can be printed and saved.
    pub(crate) fn owns_page(self) -> bool {
        self.host_page.is_none()
    }

    /// The ARIA role of a named section. In a host page it is not a landmark, because several panels would have the
    /// same ones.
    pub(crate) fn section_role(self) -> Option<&'static str> {
        self.host_page.map(|_| "group")
    }

    /// Which parts of the panel are shown.
    pub(crate) fn panel_view(self) -> PanelView {
        self.panel_view.get()
    }

    /// Shows these parts of the panel.
    pub(crate) fn set_panel_view(self, view: PanelView) {
        self.panel_view.set(view);
    }

    /// The text of the live region.
    pub(crate) fn announcement(self) -> String {
        self.announcement.get()
    }

    /// Announces a text to screen readers. It replaces the previous one.
    pub(crate) fn announce(self, text: impl Into<String>) {
        self.announcement.set(text.into());
    }

    /// Why the last request failed.
    pub(crate) fn problem(self) -> Option<Problem> {
        self.problem.get()
    }

    /// Shows why a request failed; `None` removes the last problem from the screen.
    pub(crate) fn set_problem(self, problem: Option<Problem>) {
        self.problem.set(problem);
    }

    /// The address and the run for the form that connects to a Gateway.
    pub(crate) fn last_gateway(self) -> Option<(String, String)> {
        self.last_gateway.get()
    }

    /// Fills in the form that connects to a Gateway; an empty address leaves the form unchanged.
    pub(crate) fn fill_in_gateway(self, address: String, run_id: String) {
        if !address.is_empty() {
            self.last_gateway.set(Some((address, run_id)));
        }
    }

    /// Opens the connect screen in front of the session.
    pub(crate) fn choose_source(self) {
        self.choosing_source.set(true);
        self.focus_heading.set(true);
    }

    /// Closes the connect screen.
    pub(crate) fn back_to_session(self) {
        self.problem.set(None);
        self.choosing_source.set(false);
        self.focus_heading.set(true);
    }

    /// Moves the focus to the heading of the next screen.
    pub(crate) fn request_heading_focus(self) {
        self.focus_heading.set(true);
    }

    /// Whether a heading that appears takes the focus; also resets the request, so that the next heading does not.
    pub(crate) fn take_heading_focus(self) -> bool {
        self.focus_heading.try_update(std::mem::take).unwrap_or_default()
    }

    /// Reports an event to the host page, if there is one. Returns whether the panel should perform an action; the host
    /// page may have done it.
    pub(crate) fn report(self, event: HostEvent) -> bool {
        self.host_page.is_none_or(|page| page.report.run(event))
    }

    /// Clears all data from the previous session.
    fn clear(self) {
        self.data.clear();
        self.run_list.clear();
        self.announce("");
        self.prints_when_complete.set_value(false);
    }

    /// Clears the data of the run on screen.
    fn leave_run(self) {
        self.problem.set(None);
        self.data.last_events.set(Vec::new());
        self.export.set(Export::Closed);
    }
}
