//! The sessions of one panel: a new one replaces the one on screen as soon as it is accepted.

use std::collections::VecDeque;

use leptos::prelude::*;
use runstate::viewer::Update;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::Worker;

use super::Store;
use super::exports::{Export, ExportFor};
use crate::embed::Report;
use crate::host;
use crate::session::protocol::{Command, Event, Problem, Source};
use crate::session::{self, Session};

/// How often traffic whose worker stopped is opened again. What breaks a worker may break the next one too.
const MAX_TRAFFIC_RESTARTS: u32 = 2;

/// The session on screen, and one that may replace it.
#[derive(Default)]
pub(super) struct Sessions {
    pub(super) current: Option<(u32, Session)>,
    pub(super) candidate: Option<(u32, Session)>,
    last_id: u32,
    /// How often the traffic was opened again because its worker stopped, since a person opened it.
    pub(super) traffic_restarts: u32,
    /// Whose exports the current session writes, the first one first.
    pub(super) exports: VecDeque<ExportFor>,
}

impl Store {
    /// Starts a session that replaces the current one once it is accepted. The last of several wins.
    pub(super) fn start(self, name: Option<String>, source: &Source) {
        self.opening.set(name);
        let Some(id) = self.sessions.try_update_value(|sessions| {
            sessions.last_id += 1;
            sessions.last_id
        }) else {
            return;
        };
        self.report(&Report::Opening);
        match Session::start(self.start_worker(), source, move |event| self.on_event(id, event)) {
            Ok(session) => {
                session.send(&Command::Visible(host::is_visible()));
                self.sessions.update_value(|sessions| sessions.candidate = Some((id, session)));
            }
            Err(problem) => self.refuse(problem),
        }
    }

    fn start_worker(self) -> Result<Worker, JsValue> {
        let Some(page) = self.page else { return session::start_worker() };
        page.with_value(|page| page.start_worker().call0(&JsValue::NULL))?.dyn_into()
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
            Ok(Event::Export(file)) => self.hand_over(Ok(file)),
            Ok(Event::ExportFailed(problem)) => self.hand_over(Err(problem)),
            Ok(Event::Incident(incident)) => self.incident.set(Some(incident)),
            Ok(Event::Printout { rows, events }) => self.take_printout(rows, events),
            Err(problem) if is_candidate => self.refuse(problem),
            Err(problem) => self.lose_session(problem),
        }
    }

    /// The candidate becomes the current session; the one before is terminated.
    fn accept(self) {
        self.fail_exports();
        self.sessions.update_value(|sessions| sessions.current = sessions.candidate.take());
        self.opening.set(None);
        // Nobody asked for what a page opens by itself.
        self.focus_heading.set(!self.is_starting.get_untracked());
        // The updates of the new session follow.
        self.is_starting.set(true);
        self.choosing_source.set(false);
        self.clear();
        self.leave_run();
        self.report(&Report::Accepted);
    }

    /// The candidate is terminated and the screen stays as it is.
    fn refuse(self, problem: Problem) {
        self.sessions.update_value(|sessions| sessions.candidate = None);
        self.opening.set(None);
        self.is_starting.set(false);
        self.report(&Report::Refused(&problem));
        self.problem.set(Some(problem));
    }

    /// The worker of the session on screen stopped. A document on screen stays true; a live run and the page's traffic do not.
    fn lose_session(self, problem: Problem) {
        self.fail_exports();
        self.sessions.update_value(|sessions| sessions.current = None);
        let is_traffic = untrack(|| self.shows_traffic());
        if is_traffic || self.status.with_untracked(|status| status.live) {
            self.clear();
        }
        self.export.set(Export::Closed);
        self.is_starting.set(false);
        self.report(&Report::Failed(&problem));
        self.problem.set(Some(problem));
        if is_traffic {
            self.restart_traffic();
        }
    }

    /// Opens the traffic again, which the collector still has, unless that was done too often or a person opens something else.
    fn restart_traffic(self) {
        let can_restart = self.sessions.with_value(|sessions| {
            sessions.candidate.is_none() && sessions.traffic_restarts < MAX_TRAFFIC_RESTARTS
        });
        if can_restart && !self.choosing_source.get_untracked() {
            self.sessions.update_value(|sessions| sessions.traffic_restarts += 1);
            self.is_starting.set(true);
            self.start_traffic();
        }
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
}
