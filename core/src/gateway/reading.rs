//! Schedules and sends the client's requests.

use super::Client;
use super::connection::{Connection, Opening};
use super::event_witness::{EventWitness, ServerState};
use super::io::{ClientEffect, Transport};
use super::model::ProblemArea;
use super::reason_age::ReasonAge;
use super::requests::{Method, PendingRequest};
use super::schedule::{SNAPSHOT_PERIOD_MS, Schedule, Stream};
use crate::time::Millis;

impl Client {
    /// Schedules the first requests of a connection. The stream waits for `getRun`: the Gateway refuses it for a run
    /// that is not written yet, and a run that has ended needs no stream.
    pub(super) fn begin_reading(&mut self, now: Millis) {
        if self.run_id.is_some() {
            self.schedule[Method::GetRun].restart(now);
            self.schedule[Method::ListNodeStates].restart(now);
        }
        self.schedule[Method::ListRuns].restart(now);
    }

    /// Schedules everything again and drops the requests in flight.
    pub(super) fn restart_reading(&mut self, now: Millis) {
        self.begin_reading(now);
        if self.schedule[Method::GetSnapshot].in_flight().is_some() {
            self.schedule[Method::GetSnapshot].restart(now);
        }
    }

    /// Watches another run; `None` lists the runs.
    pub(super) fn watch(&mut self, run_id: Option<&str>, now: Millis) {
        if self.run_id.as_deref() != run_id {
            self.run_id = run_id.map(Into::into);
            self.model.forget_run(self.run_read_at, self.list_read_at);
            (self.event_witness, self.server) = (EventWitness::default(), ServerState::default());
            self.reason_age = ReasonAge::default();
            (self.run_read_at, self.nodes_read_at, self.tree_read_at) = (None, None, None);
            self.run_is_refused = false;
            self.waiting_deltas.clear();
        } else if !matches!(self.connection, Connection::Waiting(_) | Connection::Stopped) {
            return;
        }
        match self.connection {
            // The Gateway has no unsubscribe: a stream ends only when its socket closes.
            Connection::Ready { .. } if self.schedule.stream != Stream::Idle => {
                self.replace_socket(Opening::ForAnotherRun, now);
            }
            Connection::Ready { .. } => {
                self.requests.clear();
                self.schedule = Schedule::default();
                self.begin_reading(now);
            }
            Connection::Waiting(_) | Connection::Stopped => self.reconnect(now),
            Connection::Opening { .. } | Connection::Handshaking { .. } => self.opening.show(),
        }
    }

    /// Returns the method that reads the header.
    pub(super) fn header_method(&self) -> Method {
        if self.run_id.is_some() { Method::GetRun } else { Method::ListRuns }
    }

    /// Marks the run and its nodes as outdated.
    pub(super) fn invalidate_run(&mut self, now: Millis) {
        self.invalidate(Method::GetRun, now);
        self.invalidate(Method::ListNodeStates, now);
        if self.schedule.ended_at.is_some() {
            self.schedule.ended_at = Some(now);
        }
    }

    /// Sends the due requests.
    pub(super) fn send_due(&mut self, now: Millis) {
        if !matches!(self.connection, Connection::Ready { .. }) {
            return;
        }
        if self.requests_resume_at.is_some_and(|at| now < at) {
            return;
        }
        self.requests_resume_at = None;
        if let Some(run_id) = self.run_id.clone() {
            for method in [Method::GetRun, Method::ListNodeStates, Method::ListAttempts, Method::GetSnapshot]
            {
                self.send_if_due(method, &run_id, now);
            }
            self.start_due_stream(&run_id, now);
        }
        self.send_if_due(Method::ListRuns, "", now);
        self.send_if_due(Method::ListApprovals, "", now);
        self.send_if_due(Method::GetListedRun, "", now);
        self.send_if_due(Method::ListRowNodes, "", now);
    }

    fn send_if_due(&mut self, method: Method, run_id: &str, now: Millis) {
        if !self.schedule[method].is_due(now) {
            return;
        }
        let (id, frame) = match method {
            Method::ListRuns => self.requests.list(now),
            Method::ListApprovals => self.requests.approvals(now),
            Method::ListAttempts => {
                let Some(at) = self.schedule.pending_attempts.pop() else { return };
                self.requests.attempts(run_id, &at, now)
            }
            Method::GetListedRun | Method::ListRowNodes => {
                let is_nodes = method == Method::ListRowNodes;
                let request = if is_nodes { self.ask_row_nodes(now) } else { self.ask_row_reason(now) };
                let Some(request) = request else {
                    return self.schedule[method].unschedule();
                };
                request
            }
            Method::ListNodeStates => {
                self.requested_summary = self.model.summary().to_vec();
                self.requests.run(method, run_id, now)
            }
            Method::GetRun | Method::GetSnapshot | Method::StreamDevTools | Method::Connect => {
                self.requests.run(method, run_id, now)
            }
        };
        self.effects.push_back(ClientEffect::Send(frame));
        let interval = self.interval(method);
        self.schedule[method].sent(id, interval, now);
    }

    /// Starts the stream when it is due. HTTP has no push, so the client requests snapshots instead.
    fn start_due_stream(&mut self, run_id: &str, now: Millis) {
        let Stream::Due { at, tries } = self.schedule.stream else { return };
        if at > now {
            return;
        }
        match self.transport {
            Transport::WebSocket => {
                let (_, frame) = self.requests.run(Method::StreamDevTools, run_id, now);
                self.effects.push_back(ClientEffect::Send(frame));
                self.schedule.stream = Stream::Running { tries };
            }
            Transport::Http => {
                self.invalidate(Method::GetSnapshot, now);
                self.schedule.stream = Stream::Due { at: Millis(now.0 + SNAPSHOT_PERIOD_MS), tries };
            }
        }
    }

    /// Handles a timed-out request other than the header's: notes the timeout and schedules the next request.
    pub(super) fn on_timeout(&mut self, pending: PendingRequest, now: Millis) {
        self.finish_request(pending, now);
        if pending.method == Method::StreamDevTools {
            self.schedule.retry_stream(now);
        }
        if pending.method == Method::GetSnapshot {
            self.invalidate(Method::GetSnapshot, now);
        }
        let area = ProblemArea::from_method(pending.method);
        if !matches!(area, ProblemArea::Attempts | ProblemArea::Approvals | ProblemArea::RowReasons) {
            self.model.note(area, Some(format!("{}: no response in 5 s", pending.method.as_str())));
        }
    }

    /// Ends a request and schedules the next one of its kind.
    pub(super) fn finish_request(&mut self, pending: PendingRequest, now: Millis) {
        let interval = self.interval(pending.method);
        self.schedule[pending.method].finish(pending.id, interval, now);
        match pending.method {
            Method::ListAttempts => self.schedule_attempts(now),
            Method::ListNodeStates => self.reason_age.observe_nodes(pending.sent_at),
            Method::GetListedRun => self.plan_row_reasons(now),
            Method::ListRowNodes => self.plan_row_nodes(now),
            Method::Connect
            | Method::GetRun
            | Method::ListApprovals
            | Method::ListRuns
            | Method::StreamDevTools
            | Method::GetSnapshot => {}
        }
    }

    /// Schedules the next of the pending `attempts.list` requests.
    pub(super) fn schedule_attempts(&mut self, now: Millis) {
        if !self.schedule.pending_attempts.is_empty() {
            self.invalidate(Method::ListAttempts, now);
        }
    }

    /// Returns the time at which the next request is due or times out.
    pub(super) fn reading_wake_at(&self) -> Option<Millis> {
        if !matches!(self.connection, Connection::Ready { .. }) {
            return None;
        }
        let stream = match self.schedule.stream {
            Stream::Due { at, .. } => Some(at),
            Stream::Running { .. } => {
                self.schedule.ended_at.map(|at| Millis(at.0 + super::schedule::STREAM_GRACE_MS))
            }
            Stream::Idle | Stream::Refused => None,
        };
        let due = Millis::earliest([self.schedule.wake_at(), stream].into_iter().flatten());
        let due = due.map(|due| {
            Millis::latest([Some(due), self.requests_resume_at].into_iter().flatten()).unwrap_or(due)
        });
        Millis::earliest([due, self.requests.wake_at()].into_iter().flatten())
    }
}
