//! Where a run stands, and why something waits.

use super::{Invocation, Reason, Rules, Run};
use crate::lionagi::derive::{DisplayStatus, Displayed, display_status};
use crate::lionagi::wire::{Seconds, SessionHealth, SessionStatus};
use crate::word::{Vocabulary, Word};

/// A failure of longer ago waits for nobody any more.
const FAILED_WITHIN: f64 = 86_400.0;

/// Where a run stands on the board.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// Not started: in no list.
    Queued,
    /// At work.
    Active,
    /// Over.
    Ended,
    /// Nobody knows: its status is no word that is known.
    Unrecognised,
}

impl Place {
    pub(super) fn of_run(run: &Run, rules: Rules) -> Self {
        // NULL is older than the vocabulary; the server serves it as `completed`.
        let Some(displayed) = displayed(run) else { return Self::Ended };
        let ended =
            run.status.as_deref().and_then(SessionStatus::from_word).is_some_and(SessionStatus::is_terminal);
        match displayed.status {
            DisplayStatus::Queued => Self::Queued,
            DisplayStatus::Completed
            | DisplayStatus::Failed
            | DisplayStatus::Cancelled
            | DisplayStatus::Orphaned => Self::Ended,
            DisplayStatus::Running if displayed.recognised || rules == Rules::Studio => Self::Active,
            DisplayStatus::Running if ended => Self::Ended,
            DisplayStatus::Running => Self::Unrecognised,
        }
    }
}

fn displayed(run: &Run) -> Option<Displayed> {
    let status = run.status.as_deref()?;
    let health = run.effective_health.as_ref().map(Word::as_str);
    Some(display_status(
        status,
        health,
        run.status_reason_code.as_deref(),
        run.status_reason_summary.as_deref(),
    ))
}

/// Why a run waits for a person; `None` where it does not.
pub(super) fn reason_of_run(run: &Run, now: Seconds, rules: Rules) -> Option<Reason> {
    let displayed = displayed(run)?;
    if displayed.status == DisplayStatus::Orphaned {
        return None;
    }
    if run.status.as_deref() == Some("gated") {
        return Some(Reason::Gated);
    }
    if displayed.status == DisplayStatus::Failed {
        return lately(run.ended_at.or(run.since()), now).then_some(Reason::Failed);
    }
    let ended = Place::of_run(run, rules) == Place::Ended;
    match run.effective_health.as_ref().and_then(Word::known)? {
        SessionHealth::Unresponsive => {
            (displayed.status == DisplayStatus::Running && !ended).then_some(Reason::Stuck)
        }
        SessionHealth::Zombie => Some(Reason::Stale),
        SessionHealth::Stale | SessionHealth::Orphaned => {
            (rules == Rules::Studio || !ended).then_some(Reason::Stale)
        }
        SessionHealth::Healthy | SessionHealth::Idle => None,
    }
}

/// Why an invocation waits for a person; `None` where it does not.
pub(super) fn reason_of_invocation(invocation: &Invocation, now: Seconds) -> Option<Reason> {
    let status = invocation.status.as_deref()?;
    if status == "gated" {
        return Some(Reason::Gated);
    }
    let failed = display_status(status, None, None, None).status == DisplayStatus::Failed;
    (failed && lately(invocation.ended_at.or(invocation.since()), now)).then_some(Reason::Failed)
}

/// Whether an invocation is at work. Studio does not count a word that it does not know here.
pub(super) fn works(invocation: &Invocation) -> bool {
    let displayed = invocation.status.as_deref().map(|status| display_status(status, None, None, None));
    displayed.is_some_and(|displayed| displayed.recognised && displayed.status == DisplayStatus::Running)
}

/// Whether something ended within a day, or started within one where its end is not told.
fn lately(at: Option<Seconds>, now: Seconds) -> bool {
    at.is_some_and(|at| now.0 - at.0 <= FAILED_WITHIN)
}
