//! The panel's state: what the session sent last, and what the person chose on this page.
//!
//! Data flows one way. `Store::on_event` (`sessions.rs`) alone writes what comes from a worker; components read signals and
//! call the methods below, which send commands.

mod copying;
mod exports;
mod sessions;

use std::sync::atomic::{AtomicU32, Ordering};

use js_sys::JsString;
use leptos::prelude::*;
use runstate::header::Header;
use runstate::ingest::{DocumentError, RunEvent};
use runstate::viewer::{RunList, RunQuery, Screen, Status, TreeAction, TreeRow, TreeWindow};

pub use self::exports::Export;
use self::sessions::Sessions;
use crate::devtools::Feed;
use crate::embed::{self, Page, PanelView, Report};
use crate::session::protocol::{Command, Incident, InputFile, Problem, RunKey, Source};

/// How many panels this page has had.
static PANELS: AtomicU32 = AtomicU32::new(0);

/// The state of one panel, provided as context. Cheap to copy.
#[derive(Clone, Copy)]
pub struct Store {
    /// Which screen the session shows, and what stands on it besides the run.
    pub status: RwSignal<Status>,
    /// The rows of the run list that are on screen.
    pub runs: RwSignal<Option<RunList>>,
    /// What is searched for in the run list.
    pub run_query: RwSignal<RunQuery>,
    /// The row of the run list that the keyboard is on, counted from 0 over all groups.
    pub active_run: RwSignal<usize>,
    /// How far the run list is scrolled, CSS pixels: as a screen, and next to a run, where its rows are higher.
    pub run_scroll: StoredValue<[i32; 2]>,
    /// The header of the run.
    pub header: RwSignal<Option<Header>>,
    /// The rows of the tree that are on screen.
    pub tree: RwSignal<Option<TreeWindow>>,
    /// The last announcement of the live region.
    pub announcement: RwSignal<String>,
    /// The text that was copied a moment ago.
    pub(crate) copied: RwSignal<Option<String>>,
    /// Why the last request failed. It stands on the current screen and never replaces it.
    pub problem: RwSignal<Option<Problem>>,
    /// The name of what is being opened.
    pub opening: RwSignal<Option<String>>,
    /// The state of the export form.
    pub export: RwSignal<Export>,
    /// What a page from disk says of the document that it carries, while that is on screen.
    pub incident: RwSignal<Option<Incident>>,
    /// Every row of the tree, for a printout, as they were when they were last requested.
    pub all_rows: RwSignal<Vec<TreeRow>>,
    /// The last events of the run, for a printout, the newest first.
    pub last_events: RwSignal<Vec<RunEvent>>,
    /// The page is printed once all rows and the last events are there.
    prints_when_complete: StoredValue<bool>,
    /// The connect screen is open in front of the session.
    pub choosing_source: RwSignal<bool>,
    /// The heading of the next screen takes the focus.
    pub focus_heading: RwSignal<bool>,
    /// Nothing is on screen yet and something is on its way, so that nothing is drawn before it.
    pub is_starting: RwSignal<bool>,
    /// Distinguishes the element ids of several panels on one page.
    panel: u32,
    /// The address and the run of the last connection, or of a Gateway in the page's traffic, for the form. Never the token.
    pub last_gateway: RwSignal<Option<(String, String)>>,
    /// What of the panel is shown.
    pub panel_view: RwSignal<PanelView>,
    /// The page around an embedded panel.
    page: Option<Page>,
    /// What was observed before a reload or navigation is kept; in developer tools.
    pub preserves_log: RwSignal<bool>,
    /// What brings the traffic of the inspected page.
    feed: StoredValue<Option<Feed>, LocalStorage>,
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

    /// The state of a panel in somebody else's page.
    pub(crate) fn embedded(page: Page) -> Self {
        Self::with_page(Some(page))
    }

    fn with_page(page: Option<Page>) -> Self {
        Self {
            status: RwSignal::default(),
            runs: RwSignal::default(),
            run_query: RwSignal::default(),
            active_run: RwSignal::new(0),
            run_scroll: StoredValue::new([0; 2]),
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
            is_starting: RwSignal::new(false),
            panel: PANELS.fetch_add(1, Ordering::Relaxed),
            panel_view: RwSignal::default(),
            page,
            preserves_log: RwSignal::new(false),
            feed: StoredValue::new_local(None),
            sessions: StoredValue::new_local(Sessions::default()),
        }
    }

    /// The screen to draw; reactive.
    #[must_use]
    pub fn screen(self) -> Screen {
        if self.choosing_source.get() { Screen::Nothing } else { self.status.with(|status| status.screen) }
    }

    /// Whether there is a session's screen to go back to, even if its worker has stopped; reactive.
    #[must_use]
    pub fn has_session(self) -> bool {
        self.status.with(|status| status.screen != Screen::Nothing)
    }

    /// An element id that no other panel on the page has.
    #[must_use]
    pub fn element_id(self, name: &str) -> String {
        if self.panel == 0 { name.to_owned() } else { format!("{name}-{}", self.panel) }
    }

    /// Whether the panel has the page for itself, to print it and to save it.
    #[must_use]
    pub(crate) fn owns_page(self) -> bool {
        self.page.is_none()
    }

    /// The role of a section with a name. In somebody else's page it is no landmark: several panels would have the same ones.
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

    /// Opens the document that a page from disk carries.
    pub fn open_page(self, page: JsString) {
        let page = InputFile { name: None, content: page.into() };
        self.start(Some("this file".to_owned()), &Source::ExportedPage(page));
    }

    /// Shows what the inspected page and its servers say to each other. In developer tools alone.
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
        let feed = Feed::new(self.preserves_log.get_untracked(), move |entries| {
            self.sessions.with_value(|sessions| {
                let all = sessions.current.iter().chain(&sessions.candidate);
                let session = all.into_iter().find(|(known, _)| *known == id);
                session.inspect(|(_, session)| session.send(&Command::AddTraffic(entries))).is_some()
            })
        });
        self.feed.set_value(Some(feed));
    }

    /// Whether the session shows the traffic of the inspected page; reactive.
    #[must_use]
    pub fn shows_traffic(self) -> bool {
        self.status.with(|status| status.traffic.is_some())
    }

    /// Forgets what was observed of the inspected page's traffic.
    pub fn clear_traffic(self) {
        crate::devtools::clear();
        self.send(&Command::ClearTraffic);
    }

    /// Keeps what was observed before a reload or navigation from now on, or does not any more.
    pub fn toggle_preserve_log(self) {
        self.preserves_log.set(!self.preserves_log.get_untracked());
        crate::devtools::preserve(self.preserves_log.get_untracked());
    }

    /// Shows a run of the list. A list next to a run stays, and keeps the focus.
    pub fn choose(self, run: RunKey) {
        let list_goes = self.status.with_untracked(|status| status.screen == Screen::Runs);
        if self.request(&Command::Choose(run)) {
            self.focus_heading.set(list_goes);
            self.leave_run();
        }
    }

    /// Goes back to the list of runs.
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

    /// Carries out an action on the tree.
    pub fn act_on_tree(self, action: TreeAction) {
        self.send(&Command::Tree(action));
    }

    /// Ends the session and forgets what it showed.
    pub(crate) fn close(self) {
        self.fail_exports();
        self.sessions.update_value(|sessions| (sessions.current, sessions.candidate) = (None, None));
        self.opening.set(None);
        self.is_starting.set(false);
        self.choosing_source.set(false);
        self.clear();
        self.leave_run();
    }

    /// Reports to the page around the panel, where there is one. Returns whether the panel goes on with an action.
    pub(crate) fn report(self, report: &Report<'_>) -> bool {
        self.page.is_none_or(|page| embed::report(page, report))
    }

    /// Fills in the form that connects to a Gateway; an empty address leaves it as it is.
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

    /// Searches, filters or sorts the list of runs, which begins at its top again.
    pub fn find_runs(self, change: impl FnOnce(&mut RunQuery)) {
        self.active_run.set(0);
        self.run_scroll.set_value([0; 2]);
        change(&mut self.run_query.write());
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

    /// Sends a command that a person waits for; reports a problem where the session's worker has stopped.
    fn request(self, command: &Command) -> bool {
        let is_sent = self.send(command);
        if !is_sent {
            self.problem.set(Some(DocumentError::gone().into()));
        }
        is_sent
    }

    /// Forgets what the session before sent.
    fn clear(self) {
        self.status.set(Status::default());
        self.runs.set(None);
        self.run_query.set(RunQuery::default());
        self.active_run.set(0);
        self.run_scroll.set_value([0; 2]);
        self.header.set(None);
        self.tree.set(None);
        self.announcement.set(String::new());
        self.incident.set(None);
        self.all_rows.set(Vec::new());
        self.last_events.set(Vec::new());
        self.prints_when_complete.set_value(false);
    }

    /// Forgets what belongs to the run on screen.
    fn leave_run(self) {
        self.problem.set(None);
        self.last_events.set(Vec::new());
        self.export.set(Export::Closed);
    }
}
