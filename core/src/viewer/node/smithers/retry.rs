//! The next attempt at a node that failed and is tried again.

use super::Found;
use crate::json::{Slice, fields};
use crate::run::{Blocker, Target};
use crate::smithers::wire::{Attempt, NodeState, RetryPolicy, RunState, summarize_attempts};
use crate::time::Millis;

/// A node that waits for its next attempt.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in super::super) struct NextAttempt {
    /// When it starts at the earliest; `None` if the source does not say how long the engine waits.
    pub(in super::super) at: Option<Millis>,
}

impl Found<'_> {
    /// The next attempt, if the node failed and the run goes on and may try it again. `known` is in order of time.
    pub(in super::super) fn next_attempt(&self, known: &[Attempt]) -> Option<NextAttempt> {
        if self.known_state() != Some(NodeState::Failed) || !self.goes_on() {
            return None;
        }
        let attempts = summarize_attempts(known.iter(), self.iteration());
        let left = attempts.left(self.last_attempt(), self.max_attempts(known.iter()))?;
        (left > 0).then(|| NextAttempt { at: self.reported().or_else(|| self.planned(known)) })
    }

    /// Whether the run has an engine that tries again.
    fn goes_on(&self) -> bool {
        let state = self.run.view().and_then(|view| view.state.known());
        state.is_some_and(|state| match state {
            RunState::Running
            | RunState::WaitingApproval
            | RunState::WaitingEvent
            | RunState::WaitingTimer
            | RunState::WaitingQuota
            | RunState::Recovering => true,
            RunState::Paused
            | RunState::Stale
            | RunState::Orphaned
            | RunState::Failed
            | RunState::Cancelled
            | RunState::Succeeded
            | RunState::Unknown => false,
        })
    }

    /// The time that `smithers why` reports.
    fn reported(&self) -> Option<Millis> {
        let key = self.key.as_ref()?;
        let is_this = |target: &Target| target.node_id == key.node_id && target.iteration == key.iteration;
        let mut blockers = self.run.reported_blockers.iter().filter(|blocker| {
            blocker.kind.known() == Some(Blocker::RetryBackoff) && blocker.node.as_ref().is_some_and(is_this)
        });
        blockers.find_map(|blocker| blocker.until)
    }

    /// The end of the last attempt with the wait of the node's retry policy.
    fn planned(&self, known: &[Attempt]) -> Option<Millis> {
        let [policy] = fields(Slice::new(self.node_here()?.props()), ["retryPolicy"]).ok()?;
        let policy: RetryPolicy = serde_json::from_str(policy?.json()).ok()?;
        let last = known.last();
        let of_attempt = last.and_then(|last| last.texts.as_ref()?.finished_at);
        let failed_at = of_attempt.or_else(|| self.status?.finished_at)?;
        policy.next_attempt_at(self.last_attempt()?, failed_at)
    }
}
