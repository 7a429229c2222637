//! The sessions of one panel: a new one replaces the one on screen as soon as it is accepted.

use js_sys::JsString;
use leptos::prelude::*;
use runstate::viewer::{Link, LogQuery, Place, Screen, TreeQuery, Update, ViewCommand};

use super::announcements::Announcements;
use super::current_session::{Candidate, CurrentSession, Role, Workers};
use super::data::SessionData;
use super::exports::Exports;
use super::host_page::HostEvent;
use super::log_query::LogQueryState;
use super::opened::Opened;
use super::panel::Panel;
use super::run_list::RunListState;
use super::screen_state::ScreenState;
use super::traffic_log::TrafficLog;
use super::tree_query::TreeQueryState;
use crate::browser::page;
use crate::problem::Problem;
use crate::session::Session;
use crate::session::protocol::{Command, Event, InputFile, RunKey, Source};

/// Maximum restarts of the traffic session after a worker failure. The cause may break the next worker too.
const MAX_TRAFFIC_RESTARTS: u32 = 2;

/// Opens sources, and changes the other contexts with the session.
#[derive(Clone, Copy)]
pub(crate) struct Sessions {
    /// The address and the run of the last connection, or of a Gateway in the page's traffic, for the form. It never
    /// contains the token.
    pub(crate) last_gateway: ReadSignal<Option<(String, String)>>,
    set_last_gateway: WriteSignal<Option<(String, String)>>,
    /// The number and the source of the session on screen; `None` without one.
    pub(crate) opened: ReadSignal<Option<(u32, Opened)>>,
    set_opened: WriteSignal<Option<(u32, Opened)>>,
    /// The place that was requested of the session, until it is on screen or the person chooses another one.
    pub(super) requested_place: RwSignal<Option<Place>>,
    /// Restarts of the traffic session since a person opened it.
    traffic_restarts: StoredValue<u32>,
    pub(crate) panel: Panel,
    pub(crate) data: SessionData,
    pub(crate) state: ScreenState,
    pub(super) run_list: RunListState,
    pub(super) tree_query: TreeQueryState,
    pub(super) log_query: LogQueryState,
    pub(super) announcements: Announcements,
    pub(crate) session: CurrentSession,
    pub(crate) exports: Exports,
    pub(super) traffic: TrafficLog,
}

impl Sessions {
    pub(super) fn new(panel: Panel, announcements: Announcements, session: CurrentSession) -> Self {
        let (last_gateway, set_last_gateway) = signal(None);
        let (opened, set_opened) = signal(None);
        let data = SessionData::new();
        let state = ScreenState::new(data.status);
        Self {
            last_gateway,
            set_last_gateway,
            opened,
            set_opened,
            requested_place: RwSignal::new(None),
            traffic_restarts: StoredValue::new(0),
            panel,
            data,
            state,
            run_list: RunListState::new(),
            tree_query: TreeQueryState::new(),
            log_query: LogQueryState::new(session),
            announcements,
            session,
            exports: Exports::new(panel, session, announcements, data, state),
            traffic: TrafficLog::new(session),
        }
    }

    /// Connects to a Gateway. The caller has checked the address.
    pub(crate) fn connect(&self, address: String, token: Option<String>, place: Place) {
        let run_id = place.run.clone();
        self.fill_in_gateway(address.clone(), run_id.clone().unwrap_or_default());
        self.start(None, &Source::Gateway { address, token, run_id }, place);
    }

    /// Fills in the form that connects to a Gateway; an empty address leaves the form unchanged.
    pub(crate) fn fill_in_gateway(&self, address: String, run_id: String) {
        if !address.is_empty() {
            self.set_last_gateway.set(Some((address, run_id)));
        }
    }

    /// Opens files, which together are one document called `name`.
    pub(crate) fn open(&self, files: Vec<InputFile>, name: String, place: Place) {
        self.start(Some(name.clone()), &Source::Files { files, name }, place);
    }

    /// Opens the built-in recording.
    pub(crate) fn open_recording(&self, place: Place) {
        self.start(Some("the recording".to_owned()), &Source::Recording, place);
    }

    /// Opens the document inside an exported page.
    pub(crate) fn open_exported_page(&self, page: JsString) {
        let page = InputFile { name: None, content: page.into() };
        self.start(Some("this file".to_owned()), &Source::ExportedPage(page), Place::default());
    }

    /// Shows the inspected page's traffic.
    pub(crate) fn open_traffic(&self) {
        self.traffic_restarts.set_value(0);
        self.start_traffic();
    }

    fn start_traffic(&self) {
        self.start(None, &Source::Traffic, Place::default());
        let candidate = |workers: &Workers| workers.candidate.as_ref().map(|candidate| candidate.id);
        if let Some(id) = self.session.workers.with_value(candidate) {
            self.traffic.subscribe(id);
        }
    }

    /// Ends the session and clears its data.
    pub(crate) fn close(&self) {
        self.session.workers.update_value(|workers| (workers.current, workers.candidate) = (None, None));
        self.set_opened.set(None);
        self.state.end_opening();
        self.state.show_session();
        self.clear();
        self.leave_run();
    }

    /// Closes the connect screen.
    pub(crate) fn back_to_session(&self) {
        self.session.problem.set(None);
        self.state.show_session();
        self.state.request_heading_focus();
    }

    /// Shows why nothing was opened.
    pub(crate) fn report(&self, problem: Problem) {
        self.session.problem.report(problem);
    }

    /// Shows a run of the list. A list beside a run stays and keeps the focus.
    pub(crate) fn choose(&self, run: RunKey) {
        let replaces_list = self.data.status.with_untracked(|status| status.screen == Screen::Runs);
        let run_id = run.run_id.clone();
        if self.session.request(&Command::Choose(run)) {
            self.panel.report(HostEvent::Run(Some(run_id)));
            self.state.set_heading_focus(replaces_list);
            self.requested_place.set(None);
            self.leave_run();
        }
    }

    /// Returns to the list of runs.
    pub(crate) fn list(&self) {
        if self.session.request(&Command::List) {
            self.panel.report(HostEvent::Run(None));
            self.state.request_heading_focus();
            self.requested_place.set(None);
            self.leave_run();
        }
    }

    /// Starts a session that replaces the current one once it is accepted. Of several that start, only the last is kept.
    fn start(&self, name: Option<String>, source: &Source, place: Place) {
        self.state.begin_opening(name);
        let workers = self.session.workers;
        let Some(id) = workers.try_update_value(Workers::next_id) else { return };
        self.panel.report(HostEvent::Opening);
        let sessions = *self;
        match Session::start(self.panel.start_worker(), source, move |event| sessions.on_event(id, event)) {
            Ok(session) => {
                session.send(&Command::Visible(page::is_visible()));
                let (view, shows_events) =
                    (self.panel.view.get_untracked(), self.state.shows_events.get_untracked());
                session.send(&Command::View(ViewCommand::Panes(view.panes(Screen::Nothing, shows_events))));
                let candidate = Candidate { id, session, opened: source.into(), place };
                workers.update_value(|workers| workers.candidate = Some(candidate));
            }
            Err(problem) => self.refuse(problem),
        }
    }

    /// Handles an event of a session's worker, or its failure.
    fn on_event(&self, id: u32, event: Result<Event, Problem>) {
        let Some(role) = self.session.workers.with_value(|workers| workers.role(id)) else { return };
        match role {
            Role::Candidate => self.on_candidate_event(event),
            Role::Current => self.on_current_event(event),
        }
    }

    fn on_candidate_event(&self, event: Result<Event, Problem>) {
        match event {
            Ok(Event::Accepted) => self.accept(),
            Ok(Event::Refused(problem)) | Err(problem) => self.refuse(problem),
            // Everything else follows `Accepted`, which makes the candidate the current session.
            Ok(Event::Ready | Event::Updates(_) | Event::Reply { .. } | Event::ExportInfo(_)) => {}
        }
    }

    fn on_current_event(&self, event: Result<Event, Problem>) {
        match event {
            Ok(Event::Updates(updates)) => updates.into_iter().for_each(|update| self.apply(update)),
            Ok(Event::ExportInfo(info)) => {
                if info.shows_node {
                    self.state.open_node(false);
                }
                if info.shows_events.is_some() {
                    self.state.chosen_events.set(info.shows_events);
                }
                self.data.set_export_info.set(Some(info));
            }
            Err(problem) => self.on_worker_error(problem),
            // A worker sends the first three only once, before its session becomes the current one; the session itself
            // takes replies.
            Ok(Event::Ready | Event::Accepted | Event::Refused(_) | Event::Reply { .. }) => {}
        }
    }

    /// Stores an update of the session, or announces it.
    pub(super) fn apply(&self, update: Update) {
        let is_status = matches!(update, Update::Status(_));
        self.follow_queries(&update);
        if let Update::Announce(text) = update {
            self.announcements.announce(text);
        } else {
            self.data.apply(update);
        }
        if is_status {
            self.state.end_blank();
        }
        self.note_requested_place();
    }

    /// Ends a search and filters that the worker has ended, and those of a run that is left.
    fn follow_queries(&self, update: &Update) {
        let SessionData { status, tree, log, .. } = self.data;
        if let Update::Status(now) = update {
            let is_left = status.with_untracked(|before| before.run.is_some() && before.run != now.run);
            if is_left && self.requested_place.with_untracked(Option::is_none) {
                self.clear_queries();
            }
        }
        if let Update::Tree(Some(now)) = update {
            tree.with_untracked(|tree| {
                if let Some(before) = tree {
                    self.tree_query.follow(before, now);
                }
            });
        }
        if let Update::Log(Some(now)) = update {
            log.with_untracked(|log| {
                if let Some(before) = log {
                    self.log_query.follow(before, now);
                }
            });
        }
    }

    /// Makes the candidate the current session and terminates the previous one.
    fn accept(&self) {
        let workers = self.session.workers;
        let Some(candidate) = workers.try_update_value(|workers| workers.candidate.take()).flatten() else {
            return;
        };
        let Candidate { id, session, opened, place } = candidate;
        workers.update_value(|workers| workers.current = Some((id, session)));
        // Content that is opened automatically does not move the focus.
        self.state.set_heading_focus(!self.state.is_blank.get_untracked());
        self.state.accept();
        self.state.show_session();
        self.clear();
        self.leave_run();
        // Another source may have no tree.
        let chosen = self.state.chosen_events.get_untracked();
        self.state.chosen_events.set(chosen.filter(|is_events| *is_events));
        self.set_opened.set(Some((id, opened)));
        self.requested_place.set(None);
        if place != Place::default() {
            self.go(place);
        }
        self.panel.report(HostEvent::Accepted);
    }

    /// Terminates the candidate; the screen stays unchanged.
    pub(crate) fn refuse(&self, problem: Problem) {
        self.session.workers.update_value(|workers| workers.candidate = None);
        self.state.end_opening();
        self.panel.report(HostEvent::Refused(problem.clone()));
        self.session.problem.report(problem);
    }

    /// Handles a failure of the current session's worker: keeps a document on screen, because it remains valid, and
    /// clears a live run or the page's traffic.
    fn on_worker_error(&self, problem: Problem) {
        self.session.workers.update_value(|workers| workers.current = None);
        let (is_traffic, is_current) = self.data.status.with_untracked(|status| match status.link {
            Link::Document => (false, false),
            Link::Traffic(_) => (true, true),
            Link::Connecting { .. } | Link::Connected | Link::Lost => (false, true),
        });
        if is_current {
            self.clear();
        }
        self.exports.close();
        self.state.end_blank();
        self.panel.report(HostEvent::Failed(problem.clone()));
        self.session.problem.report(problem);
        if is_traffic {
            self.restart_traffic();
        }
    }

    /// Restarts the traffic session, up to the maximum, unless a person opens something else. The collector still has the
    /// traffic.
    fn restart_traffic(&self) {
        let is_opening = self.session.workers.with_value(|workers| workers.candidate.is_some());
        let restarts = self.traffic_restarts.get_value();
        if !is_opening && restarts < MAX_TRAFFIC_RESTARTS && !self.state.is_choosing_source() {
            self.traffic_restarts.set_value(restarts + 1);
            self.state.start_blank();
            self.start_traffic();
        }
    }

    /// Clears all data from the previous session.
    fn clear(&self) {
        self.data.clear();
        self.run_list.clear();
        self.clear_queries();
        self.announcements.announce("");
    }

    /// Clears what is searched and filtered in the run on screen.
    fn clear_queries(&self) {
        self.tree_query.show(&TreeQuery::default());
        self.log_query.show(LogQuery::default());
    }

    /// Clears the data of the run on screen.
    pub(super) fn leave_run(&self) {
        self.session.problem.set(None);
        self.data.clear_last_events();
        self.exports.close();
    }
}
