//! The panel's state: the last values that the session sent, and the person's choices on this page.
//!
//! Data flows one way. Only `Store::on_event` (`sessions.rs`) writes data from a worker; components read signals and call
//! the methods below, which send commands.

mod copying;
mod exports;
mod opening;
mod sessions;

use std::sync::atomic::{AtomicU32, Ordering};

use js_sys::JsString;
use leptos::prelude::*;
use runstate::header::Header;
use runstate::ingest::{DocumentError, RunEvent};
use runstate::viewer::{RunList, RunQuery, Screen, Status, TreeAction, TreeRow, TreeWindow};

pub use self::exports::Export;
use self::opening::Opening;
use self::sessions::Sessions;
use crate::devtools::TrafficSubscription;
use crate::embed::{self, Page, PanelView, Report};
use crate::session::protocol::{Command, Incident, InputFile, Problem, RunKey, Source};

/// The number of panels created on this page so far.
static PANELS: AtomicU32 = AtomicU32::new(0);

/// The scroll positions of the run list, CSS pixels. Beside a run, the rows of the list are higher.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RunScroll {
    /// As a screen.
    pub screen: i32,
    /// Beside a run.
    pub column: i32,
}

impl RunScroll {
    /// One of the two positions.
    pub(crate) fn position(&mut self, is_screen: bool) -> &mut i32 {
        if is_screen { &mut self.screen } else { &mut self.column }
    }
}

/// The state of one panel, provided as context. Cheap to copy.
#[derive(Clone, Copy)]
pub struct Store {
    /// The current screen, and its content other than the run.
    pub status: RwSignal<Status>,
    /// The rows of the run list that are on screen.
    pub runs: RwSignal<Option<RunList>>,
    /// The query of the run list.
    pub run_query: RwSignal<RunQuery>,
    /// The row of the run list in the tab order, counted from 0 over all groups.
    pub active_run: RwSignal<usize>,
    /// The scroll positions of the run list.
    pub run_scroll: StoredValue<RunScroll>,
    /// The header of the run.
    pub header: RwSignal<Option<Header>>,
    /// The rows of the tree that are on screen.
    pub tree: RwSignal<Option<TreeWindow>>,
    /// The text of the live region; only [`Store::announce`] writes it.
    announcement: RwSignal<String>,
    /// The last copied text, while its button confirms it.
    pub(crate) copied: RwSignal<Option<String>>,
    /// Why the last request failed. It is shown on the current screen and never replaces it.
    pub problem: RwSignal<Option<Problem>>,
    /// The source being opened.
    opening: RwSignal<Opening>,
    /// The state of the export form.
    pub export: RwSignal<Export>,
    /// Metadata of the document inside an exported page, while that document is on screen.
    pub incident: RwSignal<Option<Incident>>,
    /// Every row of the tree, for a printout, as of the last request.
    pub all_rows: RwSignal<Vec<TreeRow>>,
    /// The last events of the run, for a printout, the newest first.
    pub last_events: RwSignal<Vec<RunEvent>>,
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
    pub last_gateway: RwSignal<Option<(String, String)>>,
    /// Which parts of the panel are shown.
    pub panel_view: RwSignal<PanelView>,
    /// The host page of an embedded panel.
    page: Option<Page>,
    /// Whether traffic is kept across navigations; in developer tools.
    pub preserves_log: RwSignal<bool>,
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
        Self::with_page(None)
    }

    /// The state of a panel embedded in a host page.
    pub(crate) fn embedded(page: Page) -> Self {
        Self::with_page(Some(page))
    }

    fn with_page(page: Option<Page>) -> Self {
        Self {
            status: RwSignal::default(),
            runs: RwSignal::default(),
            run_query: RwSignal::default(),
            active_run: RwSignal::new(0),
            run_scroll: StoredValue::new(RunScroll::default()),
            header: RwSignal::default(),
            tree: RwSignal::default(),
            announcement: RwSignal::default(),
            copied: RwSignal::default(),
            problem: RwSignal::default(),
            opening: RwSignal::default(),
            export: RwSignal::default(),
            incident: RwSignal::default(),
            all_rows: RwSignal::default(),
            last_events: RwSignal::default(),
            prints_when_complete: StoredValue::new(false),
            choosing_source: RwSignal::new(false),
            focus_heading: RwSignal::new(false),
            last_gateway: RwSignal::default(),
            panel: PANELS.fetch_add(1, Ordering::Relaxed),
            panel_view: RwSignal::default(),
            page,
            preserves_log: RwSignal::new(false),
            traffic_subscription: StoredValue::new_local(None),
            sessions: StoredValue::new_local(Sessions::default()),
        }
    }

    /// The screen to draw; reactive.
    #[must_use]
    pub fn screen(self) -> Screen {
        if self.choosing_source.get() { Screen::Nothing } else { self.status.with(|status| status.screen) }
    }

    /// Whether the connect screen can return to a session's screen, even if the worker has stopped; reactive.
    #[must_use]
    pub fn has_session(self) -> bool {
        self.status.with(|status| status.screen != Screen::Nothing)
    }

    /// An element id that no other panel on the page has.
    #[must_use]
    pub fn element_id(self, name: &str) -> String {
        if self.panel == 0 { name.to_owned() } else { format!("{name}-{}", self.panel) }
    }

    /// Whether the page is the panel's own, so that it can be printed and saved.
    #[must_use]
    pub(crate) fn owns_page(self) -> bool {
        self.page.is_none()
    }

    /// The text of the live region; reactive.
    #[must_use]
    pub(crate) fn announcement(self) -> String {
        self.announcement.get()
    }

    /// Announces a text to screen readers. It replaces the previous one.
    pub(crate) fn announce(self, text: impl Into<String>) {
        self.announcement.set(text.into());
    }

    /// The ARIA role of a named section. In a host page it is not a landmark, because several panels would have the
    /// same ones.
    #[must_use]
    pub(crate) fn section_role(self) -> Option<&'static str> {
        self.page.map(|_| "group")
    }

    /// Connects to a Gateway. The caller has checked the address.
    pub fn connect(self, address: String, token: Option<String>, run_id: Option<String>) {
        self.last_gateway.set(Some((address.clone(), run_id.clone().unwrap_or_default())));
        self.start(None, &Source::Gateway { address, token, run_id });
    }

    /// Opens files, which together are one document called `name`.
    pub fn open(self, files: Vec<InputFile>, name: String) {
        self.start(Some(name.clone()), &Source::Files { files, name });
    }

    /// Opens the built-in recording.
    pub fn open_recording(self) {
        self.start(Some("the recording".to_owned()), &Source::Recording);
    }

    /// Opens the document inside an exported page.
    pub fn open_page(self, page: JsString) {
        let page = InputFile { name: None, content: page.into() };
        self.start(Some("this file".to_owned()), &Source::ExportedPage(page));
    }

    /// Shows the inspected page's traffic; only in developer tools.
    pub fn open_traffic(self) {
        self.sessions.update_value(|sessions| sessions.traffic_restarts = 0);
        self.start_traffic();
    }

    fn start_traffic(self) {
        self.start(None, &Source::Traffic);
        let Some(id) = self.sessions.with_value(|sessions| sessions.candidate.as_ref().map(|(id, _)| *id))
        else {
            return;
        };
        let subscription = TrafficSubscription::new(self.preserves_log.get_untracked(), move |entries| {
            self.sessions.with_value(|sessions| {
                let all = sessions.current.iter().chain(&sessions.candidate);
                let session = all.into_iter().find(|(known, _)| *known == id);
                session.inspect(|(_, session)| session.send(&Command::AddTraffic(entries))).is_some()
            })
        });
        self.traffic_subscription.set_value(Some(subscription));
    }

    /// Whether the session shows the traffic of the inspected page; reactive.
    #[must_use]
    pub fn shows_traffic(self) -> bool {
        self.status.with(|status| status.traffic.is_some())
    }

    /// Discards the collected traffic.
    pub fn clear_traffic(self) {
        crate::devtools::clear();
        self.send(&Command::ClearTraffic);
    }

    /// Toggles whether traffic is kept across navigations.
    pub fn toggle_preserve_log(self) {
        self.preserves_log.set(!self.preserves_log.get_untracked());
        crate::devtools::preserve(self.preserves_log.get_untracked());
    }

    /// Shows a run of the list. A list beside a run stays and keeps the focus.
    pub fn choose(self, run: RunKey) {
        let list_goes = self.status.with_untracked(|status| status.screen == Screen::Runs);
        if self.request(&Command::Choose(run)) {
            self.focus_heading.set(list_goes);
            self.leave_run();
        }
    }

    /// Returns to the list of runs.
    pub fn list(self) {
        if self.request(&Command::List) {
            self.focus_heading.set(true);
            self.leave_run();
        }
    }

    /// Connects again with another token.
    pub fn authorize(self, token: String) {
        self.request(&Command::Authorize { token });
    }

    /// Connects again at once.
    pub fn reconnect(self) {
        self.request(&Command::Reconnect);
    }

    /// Performs an action on the tree.
    pub fn act_on_tree(self, action: TreeAction) {
        self.send(&Command::Tree(action));
    }

    /// Ends the session and clears its data.
    pub(crate) fn close(self) {
        self.fail_exports();
        self.sessions.update_value(|sessions| (sessions.current, sessions.candidate) = (None, None));
        self.opening.set(Opening::Nothing);
        self.choosing_source.set(false);
        self.clear();
        self.leave_run();
    }

    /// Reports an event to the host page, if there is one. Returns whether the panel should perform an action; the host
    /// page may have done it.
    pub(crate) fn report(self, report: &Report<'_>) -> bool {
        self.page.is_none_or(|page| embed::report(page, report))
    }

    /// Fills in the form that connects to a Gateway; an empty address leaves the form unchanged.
    pub fn fill_in_gateway(self, address: String, run_id: String) {
        if !address.is_empty() {
            self.last_gateway.set(Some((address, run_id)));
        }
    }

    /// Opens the connect screen in front of the session.
    pub fn choose_source(self) {
        self.choosing_source.set(true);
        self.focus_heading.set(true);
    }

    /// Changes the query of the run list and scrolls it to the top.
    pub fn find_runs(self, change: impl FnOnce(&mut RunQuery)) {
        self.active_run.set(0);
        self.run_scroll.set_value(RunScroll::default());
        change(&mut self.run_query.write());
    }

    /// Moves the focus to the heading of the next screen.
    pub(crate) fn request_heading_focus(self) {
        self.focus_heading.set(true);
    }

    /// Whether a heading that appears takes the focus; also resets the request, so that the next heading does not.
    pub(crate) fn take_heading_focus(self) -> bool {
        self.focus_heading.try_update(std::mem::take).unwrap_or_default()
    }

    /// Closes the connect screen.
    pub fn back_to_session(self) {
        self.problem.set(None);
        self.choosing_source.set(false);
        self.focus_heading.set(true);
    }

    /// Sends a command to the session on screen. Returns whether there is one.
    pub fn send(self, command: &Command) -> bool {
        self.sessions.with_value(|sessions| {
            let session = sessions.current.as_ref();
            session.inspect(|(_, session)| session.send(command)).is_some()
        })
    }

    /// Sends a command that a person waits for; reports a problem if the session's worker has stopped.
    fn request(self, command: &Command) -> bool {
        let is_sent = self.send(command);
        if !is_sent {
            self.problem.set(Some(DocumentError::gone().into()));
        }
        is_sent
    }

    /// Clears all data from the previous session.
    fn clear(self) {
        self.status.set(Status::default());
        self.runs.set(None);
        self.run_query.set(RunQuery::default());
        self.active_run.set(0);
        self.run_scroll.set_value(RunScroll::default());
        self.header.set(None);
        self.tree.set(None);
        self.announce("");
        self.incident.set(None);
        self.all_rows.set(Vec::new());
        self.last_events.set(Vec::new());
        self.prints_when_complete.set_value(false);
    }

    /// Clears the data of the run on screen.
    fn leave_run(self) {
        self.problem.set(None);
        self.last_events.set(Vec::new());
        self.export.set(Export::Closed);
    }
}
