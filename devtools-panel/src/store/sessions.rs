//! The sessions of one panel: a new one replaces the one on screen as soon as it is accepted.

use std::collections::VecDeque;

use leptos::prelude::*;
use runstate::viewer::Link;
use wasm_bindgen::JsValue;
use web_sys::Worker;

use super::Store;
use super::exports::{Export, ExportRequester};
use super::host_page::HostEvent;
use super::opening::Opening;
use crate::browser::page;
use crate::problem::Problem;
use crate::session::protocol::{Command, Event, Source};
use crate::session::{self, Session};

/// Maximum restarts of the traffic session after a worker failure. The cause may break the next worker too.
const MAX_TRAFFIC_RESTARTS: u32 = 2;

/// The session on screen, and one that may replace it.
#[derive(Default)]
pub(super) struct Sessions {
    pub(super) current: Option<(u32, Session)>,
    pub(super) candidate: Option<(u32, Session)>,
    last_id: u32,
    /// Restarts of the traffic session since a person opened it.
    pub(super) traffic_restarts: u32,
    /// The requesters of the exports that the current session writes, in order.
    pub(super) exports: VecDeque<ExportRequester>,
}

/// The role of a session in the panel.
enum Role {
    Current,
    Candidate,
}

impl Sessions {
    /// The role of the session with this id; `None` for one that was dropped.
    fn role(&self, id: u32) -> Option<Role> {
        let is = |session: &Option<(u32, Session)>| session.as_ref().is_some_and(|(known, _)| *known == id);
        if is(&self.candidate) {
            return Some(Role::Candidate);
        }
        is(&self.current).then_some(Role::Current)
    }
}

impl Store {
    /// Starts a session that replaces the current one once it is accepted. Of several that start, only the last is kept.
    pub(super) fn start(self, name: Option<String>, source: &Source) {
        self.set_opening(name);
        let Some(id) = self.sessions.try_update_value(|sessions| {
            sessions.last_id += 1;
            sessions.last_id
        }) else {
            return;
        };
        self.report(HostEvent::Opening);
        match Session::start(self.start_worker(), source, move |event| self.on_event(id, event)) {
            Ok(session) => {
                session.send(&Command::Visible(page::is_visible()));
                self.sessions.update_value(|sessions| sessions.candidate = Some((id, session)));
            }
            Err(problem) => self.refuse(problem),
        }
    }

    fn start_worker(self) -> Result<Worker, JsValue> {
        match self.host_page {
            Some(page) => page.start_worker.run(()),
            None => session::start_worker(),
        }
    }

    /// Handles an event of a session's worker, or its failure.
    fn on_event(self, id: u32, event: Result<Event, Problem>) {
        let Some(role) = self.sessions.with_value(|sessions| sessions.role(id)) else { return };
        match role {
            Role::Candidate => self.on_candidate_event(event),
            Role::Current => self.on_current_event(event),
        }
    }

    fn on_candidate_event(self, event: Result<Event, Problem>) {
        match event {
            Ok(Event::Accepted) => self.accept(),
            Ok(Event::Refused(problem)) | Err(problem) => self.refuse(problem),
            // Everything else follows `Accepted`, which makes the candidate the current session.
            Ok(
                Event::Ready
                | Event::Updates(_)
                | Event::Export(_)
                | Event::ExportFailed(_)
                | Event::ExportInfo(_)
                | Event::Printout { .. },
            ) => {}
        }
    }

    fn on_current_event(self, event: Result<Event, Problem>) {
        match event {
            Ok(Event::Updates(updates)) => updates.into_iter().for_each(|update| self.apply(update)),
            Ok(Event::Export(file)) => self.deliver(Ok(file)),
            Ok(Event::ExportFailed(problem)) => self.deliver(Err(problem)),
            Ok(Event::ExportInfo(info)) => self.data.export_info.set(Some(info)),
            Ok(Event::Printout { rows, events }) => self.on_printout(rows, events),
            Err(problem) => self.on_worker_error(problem),
            // A worker sends these only once, before its session becomes the current one.
            Ok(Event::Ready | Event::Accepted | Event::Refused(_)) => {}
        }
    }

    /// Makes the candidate the current session and terminates the previous one.
    fn accept(self) {
        self.fail_exports();
        self.sessions.update_value(|sessions| sessions.current = sessions.candidate.take());
        // Content that is opened automatically does not move the focus.
        self.focus_heading.set(!untrack(|| self.is_blank()));
        self.opening.set(Opening::Accepted);
        self.choosing_source.set(false);
        self.clear();
        self.leave_run();
        self.report(HostEvent::Accepted);
    }

    /// Terminates the candidate; the screen stays unchanged.
    fn refuse(self, problem: Problem) {
        self.sessions.update_value(|sessions| sessions.candidate = None);
        self.opening.set(Opening::Nothing);
        self.report(HostEvent::Refused(problem.clone()));
        self.problem.set(Some(problem));
    }

    /// Handles a failure of the current session's worker: keeps a document on screen, because it remains valid, and
    /// clears a live run or the page's traffic.
    fn on_worker_error(self, problem: Problem) {
        self.fail_exports();
        self.sessions.update_value(|sessions| sessions.current = None);
        let (is_traffic, is_current) = untrack(|| {
            self.status(|status| match status.link {
                Link::Document => (false, false),
                Link::Traffic(_) => (true, true),
                Link::Connecting { .. } | Link::Connected | Link::Lost => (false, true),
            })
        });
        if is_current {
            self.clear();
        }
        self.export.set(Export::Closed);
        self.end_blank();
        self.report(HostEvent::Failed(problem.clone()));
        self.problem.set(Some(problem));
        if is_traffic {
            self.restart_traffic();
        }
    }

    /// Restarts the traffic session, up to the maximum, unless a person opens something else. The collector still has the
    /// traffic.
    fn restart_traffic(self) {
        let can_restart = self.sessions.with_value(|sessions| {
            sessions.candidate.is_none() && sessions.traffic_restarts < MAX_TRAFFIC_RESTARTS
        });
        if can_restart && !self.choosing_source.get_untracked() {
            self.sessions.update_value(|sessions| sessions.traffic_restarts += 1);
            self.start_blank();
            self.start_traffic();
        }
    }
}
