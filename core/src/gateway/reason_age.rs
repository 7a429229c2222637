//! The age of the reason why the watched run waits. What the reason asks of a person is not shown before it can be true.

use super::schedule::RUN_PERIOD_MS;
use crate::smithers::wire::ReasonBlocked;
use crate::time::Millis;

/// How long the server must have given the same answer before a decided approval counts as waiting for a resume, and a run
/// without a reason as one without a request, milliseconds: right after a decision the engine goes on by itself. It is less
/// than the period of `getRun`, so that the next regular answer settles it.
const DECIDED_MS: f64 = 0.9 * RUN_PERIOD_MS;

/// The reason why the run waits, with its first and its last answer in a row. Times are of the local clock.
#[derive(Debug, Default)]
pub(super) struct ReasonAge {
    reason: Option<ReasonBlocked>,
    first_at: Option<Millis>,
    last_at: Option<Millis>,
    /// Whether the list of nodes was requested before the first answer.
    nodes_are_older: bool,
}

impl ReasonAge {
    /// Records the reason in an answer to `getRun`. Returns whether the reason has changed.
    pub(super) fn observe(&mut self, reason: Option<&ReasonBlocked>, now: Millis) -> bool {
        let is_new = self.first_at.is_none() || self.reason.as_ref() != reason;
        if is_new {
            *self =
                Self { reason: reason.cloned(), first_at: Some(now), last_at: None, nodes_are_older: true };
        }
        self.last_at = Some(now);
        is_new
    }

    /// Records the end of a request for the nodes that was sent at `sent_at`.
    pub(super) fn observe_nodes(&mut self, sent_at: Millis) {
        if self.first_at.is_none_or(|first| sent_at >= first) {
            self.nodes_are_older = false;
        }
    }

    /// Whether the server has given the reason for so long that the engine does not go on by itself.
    pub(super) fn is_settled(&self) -> bool {
        let age = self.first_at.zip(self.last_at).map(|(first, last)| last.since(first));
        age.is_some_and(|age| age >= DECIDED_MS)
    }

    /// Whether the reason is too new to act on it, given how long its actions wait for the nodes, milliseconds.
    pub(super) fn is_new(&self, nodes_limit_ms: f64, now: Millis) -> bool {
        let Some(first) = self.first_at else { return false };
        let is_decided = matches!(self.reason, Some(ReasonBlocked::ApprovalDecidedResumeRequired { .. }));
        let may_go_on = is_decided && !self.is_settled();
        may_go_on || (self.nodes_are_older && now.since(first) < nodes_limit_ms)
    }

    /// The time at which the reason is no longer new although nothing was read.
    pub(super) fn wake_at(&self, nodes_limit_ms: f64) -> Option<Millis> {
        self.first_at.filter(|_| self.nodes_are_older).map(|first| Millis(first.0 + nodes_limit_ms))
    }
}
