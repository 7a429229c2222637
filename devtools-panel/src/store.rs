//! The panel's state: what the session sent last, and what the person chose on this page.
//!
//! Data flows one way. `Store::on_event` alone writes what comes from a worker; components read signals and call the
//! methods below, which send commands.

use std::sync::atomic::{AtomicU32, Ordering};

use leptos::prelude::*;
use runstate::header::Header;
use runstate::ingest::DocumentError;
use runstate::viewer::{RunList, Screen, Status, TreeAction, TreeWindow, Update};

use crate::host;
use crate::session::Session;
use crate::session::protocol::{Command, Event, ExportedFile, InputFile, Problem};

/// How many panels this page has had.
static PANELS: AtomicU32 = AtomicU32::new(0);

/// The state of one panel, provided as context. Cheap to copy.
#[derive(Clone, Copy)]
pub struct Store {
    /// Which screen the session shows, and what stands on it besides the run.
    pub status: RwSignal<Status>,
    /// The rows of the run list that are on screen.
    pub runs: RwSignal<Option<RunList>>,
    /// The header of the run.
    pub header: RwSignal<Option<Header>>,
    /// The rows of the tree that are on screen.
    pub tree: RwSignal<Option<TreeWindow>>,
    /// The last announcement of the live region.
    pub announcement: RwSignal<String>,
    /// Why the last request failed. It stands on the current screen and never replaces it.
    pub problem: RwSignal<Option<Problem>>,
    /// The name of what is being opened.
    pub opening: RwSignal<Option<String>>,
    /// The state of the export form.
    pub export: RwSignal<Export>,
    /// The connect screen is open in front of the session.
    pub choosing_source: RwSignal<bool>,
    /// The heading of the next screen takes the focus.
    pub focus_heading: RwSignal<bool>,
    /// Nothing is on screen yet and something is on its way, so that nothing is drawn before it.
    pub is_starting: RwSignal<bool>,
    /// Distinguishes the element ids of several panels on one page.
    panel: u32,
    /// The address and the run of the last connection, for the form. Never the token.
    pub last_gateway: RwSignal<Option<(String, String)>>,
    sessions: StoredValue<Sessions, LocalStorage>,
}

/// The state of the export form.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Export {
    /// The form is closed.
    #[default]
    Closed,
    /// The form is open.
    Open,
    /// The worker writes the file.
    Writing,
    /// The file was saved; what was left out of it, in words.
    Saved(String),
}

/// The session on screen, and one that may replace it.
#[derive(Default)]
struct Sessions {
    current: Option<(u32, Session)>,
    candidate: Option<(u32, Session)>,
    last_id: u32,
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
        Self {
            status: RwSignal::default(),
            runs: RwSignal::default(),
            header: RwSignal::default(),
            tree: RwSignal::default(),
            announcement: RwSignal::default(),
            problem: RwSignal::default(),
            opening: RwSignal::default(),
            export: RwSignal::default(),
            choosing_source: RwSignal::new(false),
            focus_heading: RwSignal::new(false),
            last_gateway: RwSignal::default(),
            is_starting: RwSignal::new(false),
            panel: PANELS.fetch_add(1, Ordering::Relaxed),
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

    /// Connects to a Gateway. The caller has checked the address.
    pub fn connect(self, address: String, token: Option<String>, run_id: Option<String>) {
        self.last_gateway.set(Some((address.clone(), run_id.clone().unwrap_or_default())));
        self.start(None, &Command::Connect { address, token, run_id });
    }

    /// Opens files, which together are one document called `name`.
    pub fn open(self, files: Vec<InputFile>, name: String) {
        self.start(Some(name.clone()), &Command::Open { files, name });
    }

    /// Opens the built-in recording.
    pub fn open_recording(self) {
        self.start(Some("the recording".to_owned()), &Command::OpenRecording);
    }

    /// Shows a run of the list.
    pub fn choose(self, index: usize, run_id: String) {
        if self.request(&Command::Choose { index, run_id }) {
            self.focus_heading.set(true);
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

    /// Writes what is on screen as one file, without secrets and the values of `redact`.
    pub fn write_export(self, redact: Vec<String>) {
        if self.request(&Command::Export { redact }) {
            self.problem.set(None);
            self.export.set(Export::Writing);
        }
    }

    /// Opens the connect screen in front of the session.
    pub fn choose_source(self) {
        self.choosing_source.set(true);
        self.focus_heading.set(true);
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

    /// Starts a session that replaces the current one once it is accepted. The last of several wins.
    fn start(self, name: Option<String>, command: &Command) {
        self.opening.set(name);
        let Some(id) = self.sessions.try_update_value(|sessions| {
            sessions.last_id += 1;
            sessions.last_id
        }) else {
            return;
        };
        match Session::start(move |event| self.on_event(id, event)) {
            Ok(session) => {
                session.send(command);
                session.send(&Command::Visible(host::is_visible()));
                self.sessions.update_value(|sessions| sessions.candidate = Some((id, session)));
            }
            Err(problem) => self.refuse(problem),
        }
    }

    /// Takes an event of a session's worker, or why the worker stopped.
    fn on_event(self, id: u32, event: Result<Event, Problem>) {
        let is = |session: &Option<(u32, Session)>| session.as_ref().is_some_and(|(known, _)| *known == id);
        let is_candidate = self.sessions.with_value(|sessions| is(&sessions.candidate));
        if !is_candidate && !self.sessions.with_value(|sessions| is(&sessions.current)) {
            return;
        }
        match event {
            Ok(Event::Ready) => {}
            Ok(Event::Accepted) => self.accept(),
            Ok(Event::Refused(problem)) => self.refuse(problem),
            Ok(Event::Updates(updates)) => updates.into_iter().for_each(|update| self.apply(update)),
            Ok(Event::Exported(file)) => self.save(&file),
            Ok(Event::ExportFailed(problem)) => {
                self.export.set(Export::Open);
                self.problem.set(Some(problem));
            }
            Err(problem) if is_candidate => self.refuse(problem),
            Err(problem) => self.lose_session(problem),
        }
    }

    /// The candidate becomes the current session; the one before is terminated.
    fn accept(self) {
        self.sessions.update_value(|sessions| sessions.current = sessions.candidate.take());
        self.opening.set(None);
        // Nobody asked for what a page opens by itself.
        self.focus_heading.set(!self.is_starting.get_untracked());
        // The updates of the new session follow.
        self.is_starting.set(true);
        self.choosing_source.set(false);
        self.clear();
        self.leave_run();
    }

    /// The candidate is terminated and the screen stays as it is.
    fn refuse(self, problem: Problem) {
        self.sessions.update_value(|sessions| sessions.candidate = None);
        self.opening.set(None);
        self.is_starting.set(false);
        self.problem.set(Some(problem));
    }

    /// The worker of the session on screen stopped. A document on screen stays true; a live run does not.
    fn lose_session(self, problem: Problem) {
        self.sessions.update_value(|sessions| sessions.current = None);
        if self.status.with_untracked(|status| status.live) {
            self.clear();
        }
        self.export.set(Export::Closed);
        self.is_starting.set(false);
        self.problem.set(Some(problem));
    }

    /// Forgets what the session before sent.
    fn clear(self) {
        self.status.set(Status::default());
        self.runs.set(None);
        self.header.set(None);
        self.tree.set(None);
        self.announcement.set(String::new());
    }

    /// Forgets what belongs to the run on screen.
    fn leave_run(self) {
        self.problem.set(None);
        self.export.set(Export::Closed);
    }

    fn apply(self, update: Update) {
        match update {
            Update::Status(status) => {
                self.status.set(status);
                self.is_starting.set(false);
            }
            Update::Runs(runs) => self.runs.set(runs),
            Update::Header(header) => self.header.set(header.map(|header| *header)),
            Update::Tree(tree) => self.tree.set(tree),
            Update::Announce(text) => self.announcement.set(text),
        }
    }

    fn save(self, ExportedFile { name, bytes, summary }: &ExportedFile) {
        match host::save_file(name, bytes) {
            Ok(()) => {
                let text = format!("Saved {name}. {summary}");
                self.announcement.set(text.clone());
                self.export.set(Export::Saved(text));
            }
            Err(problem) => {
                self.export.set(Export::Open);
                self.problem.set(Some(problem));
            }
        }
    }
}
