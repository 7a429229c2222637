//! What is asked, and when.

use super::Client;
use super::connection::Connection;
use super::event_witness::{Answered, EventWitness};
use super::io::{Effect, Transport};
use super::model::ProblemArea;
use super::poller::{Interval, Poller};
use super::requests::{Method, Pending};
use super::schedule::{SNAPSHOT_BEAT_MS, Schedule, Stream};
use crate::time::Millis;

impl Client {
    /// The first questions on a connection. The stream waits for `getRun`: it would be refused for a run that is not
    /// written yet, and a run that has ended needs none.
    pub(super) fn begin_reading(&mut self, now: Millis) {
        if self.run_id.is_some() {
            self.schedule.run.restart(now);
            self.schedule.nodes.restart(now);
        }
        self.schedule.list.restart(now);
    }

    /// Asks everything again; what is under way is from before.
    pub(super) fn restart_reading(&mut self, now: Millis) {
        self.begin_reading(now);
        if self.schedule.snapshot.in_flight().is_some() {
            self.schedule.snapshot.restart(now);
        }
    }

    /// Watches another run, or none.
    pub(super) fn watch(&mut self, run_id: Option<&str>, now: Millis) {
        if self.run_id.as_deref() != run_id {
            self.run_id = run_id.map(Into::into);
            self.model.forget_run();
            (self.event_witness, self.server) = (EventWitness::default(), Answered::default());
            self.header_read_at = None;
            self.resyncing = false;
            self.waiting_deltas.clear();
        } else if !matches!(self.connection, Connection::Waiting(_) | Connection::Stopped) {
            return;
        }
        match self.connection {
            // There is no unsubscribe: the stream of the run before ends only with its socket.
            Connection::Ready { .. } if self.schedule.stream != Stream::Idle => self.exchange(now, false),
            Connection::Ready { .. } => {
                self.requests.clear();
                self.schedule = Schedule::default();
                self.begin_reading(now);
            }
            Connection::Waiting(_) | Connection::Stopped => self.reconnect(now),
            Connection::Opening { .. } | Connection::Handshaking { .. } => self.exchanging = false,
        }
    }

    /// Whether this question is the one that the header rests on.
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

    /// Something happened to the watched run.
    pub(super) fn stir(&mut self, now: Millis) {
        let (run, nodes) = (self.run_interval(), self.nodes_interval());
        self.schedule.run.nudge(run, now);
        self.schedule.nodes.nudge(nodes, now);
        if self.schedule.ended_at.is_some() {
            self.schedule.ended_at = Some(now);
        }
    }

    /// Sends what is due.
    pub(super) fn send_due(&mut self, now: Millis) {
        if !matches!(self.connection, Connection::Ready { .. }) {
            return;
        }
        if let Some(run_id) = self.run_id.clone() {
            if self.schedule.run.is_due(now) {
                let id = self.ask(Method::GetRun, &run_id, now);
                self.schedule.run.asked(id, now);
            }
            if self.schedule.nodes.is_due(now) {
                let id = self.ask(Method::ListNodeStates, &run_id, now);
                self.schedule.nodes.asked(id, now);
                self.asked_with = self.model.summary().to_vec();
            }
            if self.schedule.attempts.is_due(now)
                && let Some(at) = self.schedule.untold.pop()
            {
                let (id, frame) = self.requests.attempts(&run_id, &at, now);
                self.effects.push_back(Effect::Send(frame));
                self.schedule.attempts.asked(id, now);
            }
            if self.schedule.snapshot.is_due(now) {
                let id = self.ask(Method::GetSnapshot, &run_id, now);
                self.schedule.snapshot.asked(id, now);
            }
            if let Stream::Due { at, tries } = self.schedule.stream
                && at <= now
            {
                match self.transport {
                    Transport::WebSocket => {
                        self.ask(Method::StreamDevTools, &run_id, now);
                        self.schedule.stream = Stream::Running { tries };
                    }
                    Transport::Http => {
                        self.schedule.snapshot.nudge(Schedule::snapshot_interval(), now);
                        self.schedule.stream = Stream::Due { at: Millis(now.0 + SNAPSHOT_BEAT_MS), tries };
                    }
                }
            }
        }
        if self.schedule.list.is_due(now) {
            let (id, frame) = self.requests.list(now);
            self.effects.push_back(Effect::Send(frame));
            self.schedule.list.asked(id, now);
        }
    }

    fn ask(&mut self, method: Method, run_id: &str, now: Millis) -> u64 {
        let (id, frame) = self.requests.of_run(method, run_id, now);
        self.effects.push_back(Effect::Send(frame));
        id
    }

    /// A question that is not the header's got no answer: ask again at its own interval.
    pub(super) fn unanswered(&mut self, pending: Pending, now: Millis) {
        let part = match pending.method {
            Method::ListNodeStates => ProblemArea::Nodes,
            Method::StreamDevTools | Method::GetSnapshot => ProblemArea::Tree,
            Method::ListRuns => ProblemArea::List,
            Method::GetRun | Method::Connect => ProblemArea::Run,
            Method::ListAttempts => return self.settle(pending, now),
        };
        self.settle(pending, now);
        if pending.method == Method::StreamDevTools {
            self.schedule.retry_stream(now);
        }
        if pending.method == Method::GetSnapshot {
            self.schedule.snapshot.nudge(Schedule::snapshot_interval(), now);
        }
        self.model.note(part, Some(format!("{}: no answer in 5 s", pending.method.name())));
    }

    /// Clears a question's slot and sets when it is asked next.
    pub(super) fn settle(&mut self, pending: Pending, now: Millis) {
        match pending.method {
            Method::GetRun => {
                let interval = self.run_interval();
                self.schedule.run.settled(pending.id, interval, now);
            }
            Method::ListNodeStates => {
                let interval = self.nodes_interval();
                self.schedule.nodes.settled(pending.id, interval, now);
            }
            Method::ListRuns => {
                let interval = self.list_interval();
                self.schedule.list.settled(pending.id, interval, now);
            }
            Method::GetSnapshot => {
                self.schedule.snapshot.settled(pending.id, Schedule::snapshot_interval(), now);
            }
            Method::ListAttempts => {
                let interval = self.schedule.attempts_interval();
                self.schedule.attempts.settled(pending.id, interval, now);
                self.ask_for_untold(now);
            }
            Method::Connect | Method::StreamDevTools => {}
        }
    }

    pub(super) fn ask_for_untold(&mut self, now: Millis) {
        if !self.schedule.untold.is_empty() {
            let interval = self.schedule.attempts_interval();
            self.schedule.attempts.nudge(interval, now);
        }
    }

    /// When the next question is due, or an answer overdue.
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
        let plan = &self.schedule;
        [&plan.run, &plan.nodes, &plan.list, &plan.snapshot, &plan.attempts]
            .map(Poller::wake_at)
            .into_iter()
            .chain([self.requests.wake_at(), stream])
            .flatten()
            .reduce(|a, b| if b < a { b } else { a })
    }
}
