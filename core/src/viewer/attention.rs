//! Whether a run needs a person, is active, or has ended.

use crate::lionagi::wire::{PlayStatus, SessionHealth, SessionStatus, ShowStatus};
use crate::pill::{ShownRun, Taxonomy};
use crate::smithers::wire::RunState;
use crate::word::Vocabulary;

crate::vocabulary! {
    /// The groups of the list of runs, in their order.
    #[derive(PartialOrd, Ord)]
    pub enum Attention ("attention") {
        /// A person must act, or no process works on it.
        NeedsYou = "needs-you",
        /// Working, waiting for an automatic event, or not started.
        Active = "active",
        /// Ended, well or not.
        Ended = "ended",
        /// The state is absent, `unknown`, or an unknown word.
        Unknown = "unknown",
    }
}

impl Attention {
    /// The heading of the group.
    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::NeedsYou => "Needs you",
            Self::Active => "Active",
            Self::Ended => "Ended",
            Self::Unknown => "State not known",
        }
    }
}

/// The group of a run by the word of its state; for Smithers also by the kind of its blocker.
pub(crate) fn attention(taxonomy: Taxonomy, word: Option<&str>, blocked: Option<&str>) -> Attention {
    let Some(word) = word else { return Attention::Unknown };
    let found = match taxonomy {
        Taxonomy::Run => RunState::from_word(word).map(|state| of_run(state, blocked)),
        Taxonomy::Session => SessionStatus::from_word(word).map(of_session),
        Taxonomy::Effective => of_effective(word),
        Taxonomy::Play => PlayStatus::from_word(word).map(of_play),
        Taxonomy::Show => ShowStatus::from_word(word).map(of_show),
        Taxonomy::Conductor => ShownRun::from_word(word).map(of_conductor),
        // These taxonomies contain no run states.
        Taxonomy::Blocked
        | Taxonomy::Unhealthy
        | Taxonomy::Node
        | Taxonomy::Freshness
        | Taxonomy::Health
        | Taxonomy::Delivery
        | Taxonomy::NormalizedHealth
        | Taxonomy::Verdict
        | Taxonomy::Termination
        | Taxonomy::Planner
        | Taxonomy::Gate => None,
    };
    found.unwrap_or(Attention::Unknown)
}

fn of_run(state: RunState, blocked: Option<&str>) -> Attention {
    match state {
        RunState::WaitingApproval | RunState::Paused | RunState::Stale | RunState::Orphaned => {
            Attention::NeedsYou
        }
        // A failing provider or tool does not recover by itself, and a run with a decided approval must be resumed.
        RunState::WaitingEvent => match blocked {
            Some("provider" | "tool" | "approval-decided-resume-required") => Attention::NeedsYou,
            Some(_) | None => Attention::Active,
        },
        RunState::Running | RunState::Recovering | RunState::WaitingTimer | RunState::WaitingQuota => {
            Attention::Active
        }
        RunState::Failed | RunState::Cancelled | RunState::Succeeded => Attention::Ended,
        RunState::Unknown => Attention::Unknown,
    }
}

fn of_session(status: SessionStatus) -> Attention {
    if status.is_terminal() { Attention::Ended } else { Attention::Active }
}

/// A status with a preceding health (`stale running`), or with a following outcome of an ended session (`failed
/// zombie`).
fn of_effective(word: &str) -> Option<Attention> {
    if word == "running" {
        return Some(Attention::Active);
    }
    if let Some(health) = word.strip_suffix(" running") {
        return Some(match SessionHealth::from_word(health)? {
            SessionHealth::Healthy | SessionHealth::Idle => Attention::Active,
            SessionHealth::Unresponsive
            | SessionHealth::Stale
            | SessionHealth::Orphaned
            | SessionHealth::Zombie => Attention::NeedsYou,
        });
    }
    let status = word.strip_suffix(" zombie").or_else(|| word.strip_suffix(" reaped"))?;
    SessionStatus::from_word(status).filter(|status| status.is_terminal()).map(of_session)
}

fn of_play(status: PlayStatus) -> Attention {
    match status {
        PlayStatus::Gated | PlayStatus::Escalated => Attention::NeedsYou,
        PlayStatus::Pending
        | PlayStatus::Prepared
        | PlayStatus::Running
        | PlayStatus::RunningComplete
        | PlayStatus::Redoing => Attention::Active,
        PlayStatus::GateFailed
        | PlayStatus::Merged
        | PlayStatus::Blocked
        | PlayStatus::AbortedAfterFinish => Attention::Ended,
    }
}

fn of_show(status: ShowStatus) -> Attention {
    if status.is_terminal() { Attention::Ended } else { Attention::Active }
}

fn of_conductor(state: ShownRun) -> Attention {
    match state {
        ShownRun::Waiting | ShownRun::Stale => Attention::NeedsYou,
        ShownRun::Running | ShownRun::BetweenSteps | ShownRun::Blocked => Attention::Active,
        ShownRun::Failed
        | ShownRun::Completed
        | ShownRun::CompletedUnclean
        | ShownRun::CompletedExitUnknown => Attention::Ended,
        ShownRun::Unknown => Attention::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::Attention::{Active, Ended, NeedsYou, Unknown};
    use super::*;

    #[test]
    fn every_word_of_a_system_has_its_group() {
        let cases = [
            (Taxonomy::Run, "orphaned", NeedsYou),
            (Taxonomy::Run, "paused", NeedsYou),
            (Taxonomy::Run, "waiting-quota", Active),
            (Taxonomy::Run, "cancelled", Ended),
            (Taxonomy::Session, "running", Active),
            (Taxonomy::Session, "timed_out", Ended),
            (Taxonomy::Effective, "idle running", Active),
            (Taxonomy::Effective, "stale running", NeedsYou),
            (Taxonomy::Effective, "failed zombie", Ended),
            (Taxonomy::Effective, "completed reaped", Ended),
            (Taxonomy::Play, "gated", NeedsYou),
            (Taxonomy::Play, "prepared", Active),
            (Taxonomy::Play, "merged", Ended),
            (Taxonomy::Show, "completed", Ended),
            (Taxonomy::Conductor, "waiting", NeedsYou),
            (Taxonomy::Conductor, "between-steps", Active),
            (Taxonomy::Conductor, "completed-unclean", Ended),
        ];
        for (taxonomy, word, expected) in cases {
            assert_eq!(attention(taxonomy, Some(word), None), expected, "{} {word}", taxonomy.as_str());
        }
    }

    #[test]
    fn what_is_not_known_is_in_no_other_group() {
        let cases = [
            (Taxonomy::Run, Some("unknown")),
            (Taxonomy::Run, Some("hibernating")),
            (Taxonomy::Run, Some("Running")),
            (Taxonomy::Run, Some("")),
            (Taxonomy::Run, Some("timed_out")), // a word of lionagi
            (Taxonomy::Run, None),
            (Taxonomy::Session, Some("legacy")),
            (Taxonomy::Effective, Some("drowsy running")),
            (Taxonomy::Effective, Some("running zombie")),
            (Taxonomy::Effective, Some(" running")),
            (Taxonomy::Play, Some("active")),
            (Taxonomy::Show, None),
            (Taxonomy::Conductor, Some("succeeded")),
            (Taxonomy::Health, Some("healthy")),
        ];
        for (taxonomy, word) in cases {
            assert_eq!(attention(taxonomy, word, None), Unknown, "{} {word:?}", taxonomy.as_str());
        }
    }

    #[test]
    fn an_event_that_a_person_must_bring_about_needs_one() {
        let of = |blocked| attention(Taxonomy::Run, Some("waiting-event"), blocked);
        for kind in ["provider", "tool", "approval-decided-resume-required"] {
            assert_eq!(of(Some(kind)), NeedsYou, "{kind}");
        }
        for kind in ["event", "external-trigger", "budget"] {
            assert_eq!(of(Some(kind)), Active, "{kind}");
        }
        assert_eq!(of(None), Active);
        assert_eq!(attention(Taxonomy::Run, Some("failed"), Some("provider")), Ended, "it has ended");
    }

    #[test]
    fn groups_of_states() {
        use crate::pill::Taxonomy;
        use crate::viewer::{Attention, attention};
        assert_eq!(attention(Taxonomy::Run, Some("waiting-approval"), None), Attention::NeedsYou);
        assert_eq!(attention(Taxonomy::Run, Some("waiting-timer"), None), Attention::Active);
        // An unknown word implies neither an active nor an ended run.
        assert_eq!(attention(Taxonomy::Run, Some("hibernating"), None), Attention::Unknown);
    }
}
