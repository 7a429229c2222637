//! Computes the freshness of the watched run and of the list of runs.

use super::Client;
use super::connection::{Connection, Opening};
use super::requests::Method;
use super::schedule::{SNAPSHOT_PERIOD_MS, Stream};
use super::watchdog::{Silence, just_after};
use crate::clock::Reading;
use crate::freshness::Freshness;
use crate::time::Millis;

/// How long an answer may take, beyond the period of its request and what answers take at least, until what was read counts as
/// late, milliseconds; a Gateway answers within 3 to 25 ms (protocol section 6).
const LATE_MS: f64 = 400.0;

impl Client {
    /// Returns the freshness of the watched run, or of the list if no run is watched, at `now` of the local clock.
    pub(crate) fn freshness(&self, now: Millis) -> Freshness {
        if self.run_id.is_none() {
            return self.list_freshness(now);
        }
        let Some(read_at) = self.run_read_at else { return Freshness::Connecting };
        match self.freshness_of(read_at, self.run_limit(), now) {
            Freshness::Live { .. } | Freshness::Resyncing { .. } if self.refusal().is_some() => {
                Freshness::Refused { as_of: self.clock.now(read_at) }
            }
            Freshness::Late { read_at } if self.run_is_refused => Freshness::Refused { as_of: read_at },
            freshness => freshness,
        }
    }

    /// Returns the freshness of the list of runs at `now` of the local clock.
    pub(crate) fn list_freshness(&self, now: Millis) -> Freshness {
        match self.list_read_at {
            Some(read_at) => self.freshness_of(read_at, self.limit(Method::ListRuns), now),
            None => Freshness::Connecting,
        }
    }

    /// Returns the freshness of the states of the watched run's nodes; `None` before they were read.
    pub(crate) fn nodes_freshness(&self, now: Millis) -> Option<Freshness> {
        Some(self.freshness_of(self.nodes_read_at?, self.limit(Method::ListNodeStates), now))
    }

    /// Returns the freshness of the structure of the watched run's tree; `None` before it was read. A stream sends only
    /// changes, so that a structure has no age while it is delivered.
    pub(crate) fn tree_freshness(&self, now: Millis) -> Option<Freshness> {
        Some(self.freshness_of(self.tree_read_at?, self.tree_limit(), now))
    }

    /// Returns the next time after `now` at which an answer on screen becomes late.
    pub(super) fn late_at(&self, now: Millis) -> Option<Millis> {
        let answers = [
            (self.run_read_at, self.run_limit()),
            (self.list_read_at, self.limit(Method::ListRuns)),
            (self.nodes_read_at, self.limit(Method::ListNodeStates)),
            (self.tree_read_at, self.tree_limit()),
        ];
        let late_at =
            |(read_at, limit): (Option<Millis>, Option<f64>)| Some(just_after(Millis(read_at?.0 + limit?)));
        Millis::earliest(answers.into_iter().filter_map(late_at).filter(|at| *at > now))
    }

    /// Whether the client has read a run or a list.
    pub(super) fn has_read(&self) -> bool {
        self.run_read_at.is_some() || self.list_read_at.is_some()
    }

    /// Returns the freshness of what was read at `read_at`, which is late after `limit` milliseconds; other frames do not refresh
    /// it. Without a limit it is read again only after an event.
    fn freshness_of(&self, read_at: Millis, limit: Option<f64>, now: Millis) -> Freshness {
        let as_of = self.clock.now(read_at);
        let lost = |retry_at, silence_limit_ms| Freshness::Lost {
            as_of,
            attempt: self.backoff.attempt().max(1),
            retry_at,
            silence_limit_ms,
        };
        match self.connection {
            Connection::Waiting(retry) => lost(Some(self.clock.now(retry.at)), self.exceeded_limit_ms),
            Connection::Stopped => lost(None, None),
            Connection::Opening { .. } | Connection::Handshaking { .. } if self.opening == Opening::New => {
                lost(None, self.exceeded_limit_ms)
            }
            Connection::Opening { .. } | Connection::Handshaking { .. } | Connection::Ready { .. }
                if self.gap_ended_at.is_some_and(|end| read_at < end) =>
            {
                Freshness::Resyncing { as_of }
            }
            Connection::Opening { .. } | Connection::Handshaking { .. } | Connection::Ready { .. } => {
                match self.watchdog.silence(now) {
                    Silence::Lost => lost(None, Some(self.watchdog.lost_after_ms())),
                    Silence::Late => Freshness::Late { read_at: as_of },
                    Silence::Fine if limit.is_some_and(|limit| now.since(read_at) > limit) => {
                        Freshness::Late { read_at: as_of }
                    }
                    Silence::Fine => Freshness::Live { read_at: as_of },
                }
            }
        }
    }

    /// Returns the age from which the answer to a repeated request is late, milliseconds.
    fn limit(&self, method: Method) -> Option<f64> {
        let answer_ms = self.schedule[method].answer_ms();
        self.interval(method).period.map(|period| period + answer_ms + LATE_MS)
    }

    /// Returns the age from which the answer about the watched run is late, milliseconds. An ended run is read rarely: what says
    /// that nobody has reopened it is its row in the list.
    fn run_limit(&self) -> Option<f64> {
        let limit = self.limit(Method::GetRun);
        let (Some(read_at), Some(listed_at), Some(run_id)) =
            (self.run_read_at, self.list_read_at, self.run_id.as_deref())
        else {
            return limit;
        };
        let is_listed = self.model.lists(run_id) && !self.schedule[Method::ListRuns].is_forbidden();
        if !self.model.ended() || !is_listed {
            return limit;
        }
        let confirmed_for =
            if self.model.list_reopens(run_id) { 0.0 } else { listed_at.since(read_at).max(0.0) };
        self.limit(Method::ListRuns).map(|limit| limit + confirmed_for)
    }

    /// Returns the age from which the structure of the tree is late, milliseconds.
    fn tree_limit(&self) -> Option<f64> {
        match self.schedule.stream {
            // A run that has ended needs no stream.
            Stream::Running { .. } | Stream::Idle => None,
            Stream::Due { .. } => {
                Some(SNAPSHOT_PERIOD_MS + self.schedule[Method::GetSnapshot].answer_ms() + LATE_MS)
            }
            Stream::Refused => Some(LATE_MS),
        }
    }

    /// Returns the server's time once its clock has been observed.
    pub(super) fn server_now(&self, now: Millis) -> Option<Reading> {
        self.clock.read(now)
    }
}
