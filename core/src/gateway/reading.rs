//! What is asked, and when.

use super::Feed;
use super::connection::Link;
use super::event_witness::{Answered, Told};
use super::io::{Effect, Transport};
use super::model::Part;
use super::poller::{Pace, Reread};
use super::requests::{Method, Pending};
use super::schedule::{Plan, SNAPSHOT_BEAT_MS, Stream};
use crate::time::Millis;

impl Feed {
    /// The first questions on a connection. The stream waits for `getRun`: it would be refused for a run that is not
    /// written yet, and a run that has ended needs none.
    pub(super) fn begin_reading(&mut self, now: Millis) {
        if self.run_id.is_some() {
            self.plan.run.restart(now);
            self.plan.nodes.restart(now);
        }
        self.plan.list.restart(now);
    }

    /// Asks everything again; what is under way is from before.
    pub(super) fn restart_reading(&mut self, now: Millis) {
        self.begin_reading(now);
        if self.plan.snapshot.in_flight().is_some() {
            self.plan.snapshot.restart(now);
        }
    }

    /// Watches another run, or none.
    pub(super) fn watch(&mut self, run_id: Option<&str>, now: Millis) {
        if self.run_id.as_deref() != run_id {
            self.run_id = run_id.map(Into::into);
            self.board.forget_run();
            (self.told, self.server) = (Told::default(), Answered::default());
            self.header_read_at = None;
            self.resyncing = false;
            self.waiting_deltas.clear();
        } else if !matches!(self.link, Link::Waiting(_) | Link::Stopped) {
            return;
        }
        match self.link {
            // There is no unsubscribe: the stream of the run before ends only with its socket.
            Link::Ready { .. } if self.plan.stream != Stream::Idle => self.exchange(now, false),
            Link::Ready { .. } => {
                self.requests.clear();
                self.plan = Plan::default();
                self.begin_reading(now);
            }
            Link::Waiting(_) | Link::Stopped => self.reconnect(now),
            Link::Opening { .. } | Link::Handshaking { .. } => self.exchanging = false,
        }
    }

    /// Whether this question is the one that the header rests on.
    pub(super) fn is_header(&self, method: Method) -> bool {
        method == if self.run_id.is_some() { Method::GetRun } else { Method::ListRuns }
    }

    pub(super) fn run_pace(&self) -> Pace {
        let known = self.board.inspection().run.is_some() && self.refusal().is_none();
        Plan::run_pace(self.board.ended(), known, self.page)
    }

    pub(super) fn nodes_pace(&self) -> Pace {
        self.plan.nodes_pace(self.board.ended(), self.page)
    }

    pub(super) fn list_pace(&self) -> Pace {
        Plan::list_pace(self.run_id.is_none())
    }

    /// Something happened to the watched run.
    pub(super) fn stir(&mut self, now: Millis) {
        let (run, nodes) = (self.run_pace(), self.nodes_pace());
        self.plan.run.nudge(run, now);
        self.plan.nodes.nudge(nodes, now);
        if self.plan.ended_at.is_some() {
            self.plan.ended_at = Some(now);
        }
    }

    /// Sends what is due.
    pub(super) fn send_due(&mut self, now: Millis) {
        if !matches!(self.link, Link::Ready { .. }) {
            return;
        }
        if let Some(run_id) = self.run_id.clone() {
            if self.plan.run.is_due(now) {
                let id = self.ask(Method::GetRun, &run_id, now);
                self.plan.run.asked(id, now);
            }
            if self.plan.nodes.is_due(now) {
                let id = self.ask(Method::ListNodeStates, &run_id, now);
                self.plan.nodes.asked(id, now);
                self.asked_with = self.board.summary().to_vec();
            }
            if self.plan.attempts.is_due(now)
                && let Some(at) = self.plan.untold.pop()
            {
                let (id, frame) = self.requests.attempts(&run_id, &at, now);
                self.effects.push_back(Effect::Send(frame));
                self.plan.attempts.asked(id, now);
            }
            if self.plan.snapshot.is_due(now) {
                let id = self.ask(Method::GetSnapshot, &run_id, now);
                self.plan.snapshot.asked(id, now);
            }
            if let Stream::Due { at, tries } = self.plan.stream
                && at <= now
            {
                match self.transport {
                    Transport::WebSocket => {
                        self.ask(Method::StreamDevTools, &run_id, now);
                        self.plan.stream = Stream::Running { tries };
                    }
                    Transport::Http => {
                        self.plan.snapshot.nudge(Plan::snapshot_pace(), now);
                        self.plan.stream = Stream::Due { at: Millis(now.0 + SNAPSHOT_BEAT_MS), tries };
                    }
                }
            }
        }
        if self.plan.list.is_due(now) {
            let (id, frame) = self.requests.list(now);
            self.effects.push_back(Effect::Send(frame));
            self.plan.list.asked(id, now);
        }
    }

    fn ask(&mut self, method: Method, run_id: &str, now: Millis) -> u64 {
        let (id, frame) = self.requests.of_run(method, run_id, now);
        self.effects.push_back(Effect::Send(frame));
        id
    }

    /// A question that is not the header's got no answer: ask again at its own pace.
    pub(super) fn unanswered(&mut self, pending: Pending, now: Millis) {
        let part = match pending.method {
            Method::ListNodeStates => Part::Nodes,
            Method::StreamDevTools | Method::GetSnapshot => Part::Tree,
            Method::ListRuns => Part::List,
            Method::GetRun | Method::Connect => Part::Run,
            Method::ListAttempts => return self.settle(pending, now),
        };
        self.settle(pending, now);
        if pending.method == Method::StreamDevTools {
            self.plan.retry_stream(now);
        }
        if pending.method == Method::GetSnapshot {
            self.plan.snapshot.nudge(Plan::snapshot_pace(), now);
        }
        self.board.note(part, Some(format!("{}: no answer in 5 s", pending.method.name())));
    }

    /// Clears a question's slot and sets when it is asked next.
    pub(super) fn settle(&mut self, pending: Pending, now: Millis) {
        match pending.method {
            Method::GetRun => {
                let pace = self.run_pace();
                self.plan.run.settled(pending.id, pace, now);
            }
            Method::ListNodeStates => {
                let pace = self.nodes_pace();
                self.plan.nodes.settled(pending.id, pace, now);
            }
            Method::ListRuns => {
                let pace = self.list_pace();
                self.plan.list.settled(pending.id, pace, now);
            }
            Method::GetSnapshot => {
                self.plan.snapshot.settled(pending.id, Plan::snapshot_pace(), now);
            }
            Method::ListAttempts => {
                let pace = self.plan.attempts_pace();
                self.plan.attempts.settled(pending.id, pace, now);
                self.ask_for_untold(now);
            }
            Method::Connect | Method::StreamDevTools => {}
        }
    }

    pub(super) fn ask_for_untold(&mut self, now: Millis) {
        if !self.plan.untold.is_empty() {
            let pace = self.plan.attempts_pace();
            self.plan.attempts.nudge(pace, now);
        }
    }

    /// When the next question is due, or an answer overdue.
    pub(super) fn reading_wake_at(&self) -> Option<Millis> {
        if !matches!(self.link, Link::Ready { .. }) {
            return None;
        }
        let stream = match self.plan.stream {
            Stream::Due { at, .. } => Some(at),
            Stream::Running { .. } => {
                self.plan.ended_at.map(|at| Millis(at.0 + super::schedule::STREAM_GRACE_MS))
            }
            Stream::Idle | Stream::Refused => None,
        };
        let plan = &self.plan;
        [&plan.run, &plan.nodes, &plan.list, &plan.snapshot, &plan.attempts]
            .map(Reread::wake_at)
            .into_iter()
            .chain([self.requests.wake_at(), stream])
            .flatten()
            .reduce(|a, b| if b < a { b } else { a })
    }
}
