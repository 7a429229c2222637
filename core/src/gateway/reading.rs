//! Schedules and sends the client's requests.

use super::Client;
use super::connection::Connection;
use super::event_witness::{EventWitness, ServerState};
use super::io::{ClientEffect, Transport};
use super::model::ProblemArea;
use super::poller::{Interval, Poller};
use super::requests::{Method, Pending};
use super::schedule::{SNAPSHOT_PERIOD_MS, Schedule, Stream};
use crate::time::Millis;

impl Client {
    /// Schedules the first requests of a connection. The stream waits for `getRun`: the Gateway refuses it for a run
    /// that is not written yet, and a run that has ended needs no stream.
    pub(super) fn begin_reading(&mut self, now: Millis) {
        if self.run_id.is_some() {
            self.schedule.run.restart(now);
            self.schedule.nodes.restart(now);
        }
        self.schedule.list.restart(now);
    }

    /// Schedules everything again and drops the requests in flight.
    pub(super) fn restart_reading(&mut self, now: Millis) {
        self.begin_reading(now);
        if self.schedule.snapshot.in_flight().is_some() {
            self.schedule.snapshot.restart(now);
        }
    }

    /// Watches another run; `None` lists the runs.
    pub(super) fn watch(&mut self, run_id: Option<&str>, now: Millis) {
        if self.run_id.as_deref() != run_id {
            self.run_id = run_id.map(Into::into);
            self.model.forget_run();
            (self.event_witness, self.server) = (EventWitness::default(), ServerState::default());
            self.header_read_at = None;
            self.resyncing = false;
            self.waiting_deltas.clear();
        } else if !matches!(self.connection, Connection::Waiting(_) | Connection::Stopped) {
            return;
        }
        match self.connection {
            // The Gateway has no unsubscribe: a stream ends only when its socket closes.
            Connection::Ready { .. } if self.schedule.stream != Stream::Idle => {
                self.replace_socket(now, false);
            }
            Connection::Ready { .. } => {
                self.requests.clear();
                self.schedule = Schedule::default();
                self.begin_reading(now);
            }
            Connection::Waiting(_) | Connection::Stopped => self.reconnect(now),
            Connection::Opening { .. } | Connection::Handshaking { .. } => self.replacing_socket = false,
        }
    }

    /// Whether this method reads the header.
    pub(super) fn is_header(&self, method: Method) -> bool {
        method == if self.run_id.is_some() { Method::GetRun } else { Method::ListRuns }
    }

    pub(super) fn run_interval(&self) -> Interval {
        let known = self.model.inspection().run.is_some() && self.refusal().is_none();
        Schedule::run_interval(self.model.ended(), known, self.page)
    }

    pub(super) fn nodes_interval(&self) -> Interval {
        self.schedule.nodes_interval(self.model.ended(), self.page)
    }

    pub(super) fn list_interval(&self) -> Interval {
        Schedule::list_interval(self.run_id.is_none())
    }

    /// Marks the run and its nodes as outdated.
    pub(super) fn invalidate_run(&mut self, now: Millis) {
        let (run, nodes) = (self.run_interval(), self.nodes_interval());
        self.schedule.run.invalidate(run, now);
        self.schedule.nodes.invalidate(nodes, now);
        if self.schedule.ended_at.is_some() {
            self.schedule.ended_at = Some(now);
        }
    }

    /// Sends the due requests.
    pub(super) fn send_due(&mut self, now: Millis) {
        if !matches!(self.connection, Connection::Ready { .. }) {
            return;
        }
        if let Some(run_id) = self.run_id.clone() {
            self.send_due_of_run(&run_id, now);
            self.start_due_stream(&run_id, now);
        }
        if self.schedule.list.is_due(now) {
            let (id, frame) = self.requests.list(now);
            self.effects.push_back(ClientEffect::Send(frame));
            self.schedule.list.sent(id, now);
        }
    }

    fn send_due_of_run(&mut self, run_id: &str, now: Millis) {
        if self.schedule.run.is_due(now) {
            let id = self.ask(Method::GetRun, run_id, now);
            self.schedule.run.sent(id, now);
        }
        if self.schedule.nodes.is_due(now) {
            let id = self.ask(Method::ListNodeStates, run_id, now);
            self.schedule.nodes.sent(id, now);
            self.requested_summary = self.model.summary().to_vec();
        }
        if self.schedule.attempts.is_due(now)
            && let Some(at) = self.schedule.pending_attempts.pop()
        {
            let (id, frame) = self.requests.attempts(run_id, &at, now);
            self.effects.push_back(ClientEffect::Send(frame));
            self.schedule.attempts.sent(id, now);
        }
        if self.schedule.snapshot.is_due(now) {
            let id = self.ask(Method::GetSnapshot, run_id, now);
            self.schedule.snapshot.sent(id, now);
        }
    }

    /// Starts the stream when it is due. HTTP has no push, so the client requests snapshots instead.
    fn start_due_stream(&mut self, run_id: &str, now: Millis) {
        let Stream::Due { at, tries } = self.schedule.stream else { return };
        if at > now {
            return;
        }
        match self.transport {
            Transport::WebSocket => {
                self.ask(Method::StreamDevTools, run_id, now);
                self.schedule.stream = Stream::Running { tries };
            }
            Transport::Http => {
                self.schedule.snapshot.invalidate(Schedule::snapshot_interval(), now);
                self.schedule.stream = Stream::Due { at: Millis(now.0 + SNAPSHOT_PERIOD_MS), tries };
            }
        }
    }

    fn ask(&mut self, method: Method, run_id: &str, now: Millis) -> u64 {
        let (id, frame) = self.requests.run(method, run_id, now);
        self.effects.push_back(ClientEffect::Send(frame));
        id
    }

    /// Handles a timed-out request other than the header's: notes the timeout and schedules the next request.
    pub(super) fn on_timeout(&mut self, pending: Pending, now: Millis) {
        let area = match pending.method {
            Method::ListNodeStates => ProblemArea::Nodes,
            Method::StreamDevTools | Method::GetSnapshot => ProblemArea::Tree,
            Method::ListRuns => ProblemArea::List,
            Method::GetRun | Method::Connect => ProblemArea::Run,
            Method::ListAttempts => return self.finish_request(pending, now),
        };
        self.finish_request(pending, now);
        if pending.method == Method::StreamDevTools {
            self.schedule.retry_stream(now);
        }
        if pending.method == Method::GetSnapshot {
            self.schedule.snapshot.invalidate(Schedule::snapshot_interval(), now);
        }
        self.model.note(area, Some(format!("{}: no response in 5 s", pending.method.name())));
    }

    /// Ends a request and schedules the next one of its kind.
    pub(super) fn finish_request(&mut self, pending: Pending, now: Millis) {
        match pending.method {
            Method::GetRun => {
                let interval = self.run_interval();
                self.schedule.run.finish(pending.id, interval, now);
            }
            Method::ListNodeStates => {
                let interval = self.nodes_interval();
                self.schedule.nodes.finish(pending.id, interval, now);
            }
            Method::ListRuns => {
                let interval = self.list_interval();
                self.schedule.list.finish(pending.id, interval, now);
            }
            Method::GetSnapshot => {
                self.schedule.snapshot.finish(pending.id, Schedule::snapshot_interval(), now);
            }
            Method::ListAttempts => {
                let interval = self.schedule.attempts_interval();
                self.schedule.attempts.finish(pending.id, interval, now);
                self.schedule_attempts(now);
            }
            Method::Connect | Method::StreamDevTools => {}
        }
    }

    /// Schedules the next of the pending `attempts.list` requests.
    pub(super) fn schedule_attempts(&mut self, now: Millis) {
        if !self.schedule.pending_attempts.is_empty() {
            let interval = self.schedule.attempts_interval();
            self.schedule.attempts.invalidate(interval, now);
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
        let schedule = &self.schedule;
        let pollers =
            [&schedule.run, &schedule.nodes, &schedule.list, &schedule.snapshot, &schedule.attempts];
        let times = pollers.map(Poller::wake_at).into_iter().chain([self.requests.wake_at(), stream]);
        Millis::earliest(times.flatten())
    }
}
