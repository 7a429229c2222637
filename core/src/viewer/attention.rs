//! Whether a run needs a person, is active, or has ended.

use crate::lionagi::derive::Qualifier;
use crate::lionagi::wire::{PlayStatus, SessionHealth, SessionStatus, ShowStatus};
use crate::pill::{BlockedKind, ShownRun, Taxonomy};
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

/// The group of a run by the word of its state; for Smithers also by the kind of its blocker, for a session by the
/// addition to its status.
pub(crate) fn attention(
    taxonomy: Taxonomy,
    word: Option<&str>,
    blocked: Option<BlockedKind>,
    qualifier: Option<&Qualifier>,
) -> Attention {
    let Some(word) = word else { return Attention::Unknown };
    let found = match taxonomy {
        Taxonomy::Run => RunState::from_word(word).map(|state| run_attention(state, blocked)),
        Taxonomy::Session => SessionStatus::from_word(word).map(session_attention),
        Taxonomy::Effective => qualifier.and_then(qualifier_attention),
        Taxonomy::Play => PlayStatus::from_word(word).map(play_attention),
        Taxonomy::Show => ShowStatus::from_word(word).map(show_attention),
        Taxonomy::Conductor => ShownRun::from_word(word).map(conductor_attention),
        // These taxonomies contain no run states.
        Taxonomy::Blocked
        | Taxonomy::Unhealthy
        | Taxonomy::Node
        | Taxonomy::Lane
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

fn run_attention(state: RunState, blocked: Option<BlockedKind>) -> Attention {
    match state {
        RunState::WaitingApproval | RunState::Paused | RunState::Stale | RunState::Orphaned => {
            Attention::NeedsYou
        }
        // A failing provider or tool does not recover by itself, and a run with a decided approval must be resumed.
        RunState::WaitingEvent => match blocked {
            Some(BlockedKind::Provider | BlockedKind::Tool | BlockedKind::ApprovalDecidedResumeRequired) => {
                Attention::NeedsYou
            }
            Some(
                BlockedKind::Approval
                | BlockedKind::Event
                | BlockedKind::ExternalTrigger
                | BlockedKind::Timer
                | BlockedKind::Quota,
            )
            | None => Attention::Active,
        },
        RunState::Running | RunState::Recovering | RunState::WaitingTimer | RunState::WaitingQuota => {
            Attention::Active
        }
        RunState::Failed | RunState::Cancelled | RunState::Succeeded => Attention::Ended,
        RunState::Unknown => Attention::Unknown,
    }
}

fn session_attention(status: SessionStatus) -> Attention {
    if status.is_terminal() { Attention::Ended } else { Attention::Active }
}

/// `None` for a health that is not known.
fn qualifier_attention(qualifier: &Qualifier) -> Option<Attention> {
    Some(match qualifier {
        Qualifier::Reaped | Qualifier::Zombie => Attention::Ended,
        Qualifier::Health(health) => match health.known()? {
            SessionHealth::Healthy | SessionHealth::Idle => Attention::Active,
            SessionHealth::Unresponsive
            | SessionHealth::Stale
            | SessionHealth::Orphaned
            | SessionHealth::Zombie => Attention::NeedsYou,
        },
    })
}

fn play_attention(status: PlayStatus) -> Attention {
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

fn show_attention(status: ShowStatus) -> Attention {
    if status.is_terminal() { Attention::Ended } else { Attention::Active }
}

fn conductor_attention(state: ShownRun) -> Attention {
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
    use crate::lionagi::derive::{Reaper, effective_state};
    use crate::lionagi::wire::StoredStatus;
    use crate::word::Word;

    #[test]
    fn every_word_of_a_system_has_its_group() {
        let cases = [
            (Taxonomy::Run, "orphaned", NeedsYou),
            (Taxonomy::Run, "paused", NeedsYou),
            (Taxonomy::Run, "waiting-quota", Active),
            (Taxonomy::Run, "cancelled", Ended),
            (Taxonomy::Session, "running", Active),
            (Taxonomy::Session, "timed_out", Ended),
            (Taxonomy::Play, "gated", NeedsYou),
            (Taxonomy::Play, "prepared", Active),
            (Taxonomy::Play, "merged", Ended),
            (Taxonomy::Show, "completed", Ended),
            (Taxonomy::Conductor, "waiting", NeedsYou),
            (Taxonomy::Conductor, "between-steps", Active),
            (Taxonomy::Conductor, "completed-unclean", Ended),
        ];
        for (taxonomy, word, expected) in cases {
            assert_eq!(attention(taxonomy, Some(word), None, None), expected, "{} {word}", taxonomy.as_str());
        }
    }

    #[test]
    fn unknown_states_form_a_group_of_their_own() {
        let cases = [
            (Taxonomy::Run, Some("unknown")),
            (Taxonomy::Run, Some("hibernating")),
            (Taxonomy::Run, Some("Running")),
            (Taxonomy::Run, Some("")),
            (Taxonomy::Run, Some("timed_out")), // a word of lionagi
            (Taxonomy::Run, None),
            (Taxonomy::Session, Some("legacy")),
            (Taxonomy::Play, Some("active")),
            (Taxonomy::Show, None),
            (Taxonomy::Conductor, Some("succeeded")),
            (Taxonomy::Health, Some("healthy")),
        ];
        for (taxonomy, word) in cases {
            assert_eq!(attention(taxonomy, word, None, None), Unknown, "{} {word:?}", taxonomy.as_str());
        }
    }

    #[test]
    fn a_run_needs_a_person_for_an_event_that_only_a_person_can_cause() {
        let blocked_by = |kind| attention(Taxonomy::Run, Some("waiting-event"), kind, None);
        for kind in [BlockedKind::Provider, BlockedKind::Tool, BlockedKind::ApprovalDecidedResumeRequired] {
            assert_eq!(blocked_by(Some(kind)), NeedsYou, "{kind:?}");
        }
        for kind in [BlockedKind::Event, BlockedKind::ExternalTrigger] {
            assert_eq!(blocked_by(Some(kind)), Active, "{kind:?}");
        }
        assert_eq!(blocked_by(None), Active);
        let ended = attention(Taxonomy::Run, Some("failed"), Some(BlockedKind::Provider), None);
        assert_eq!(ended, Ended);
    }

    #[test]
    fn a_session_is_grouped_by_its_status_and_health() {
        let group = |status: &str, health: &str, reaper| {
            let (status, health) = (StoredStatus::new(Some(status)), Word::new(health));
            let state = effective_state(&status, Some(&health), reaper).unwrap();
            attention(state.taxonomy(), Some(&*state.word), None, state.qualifier.as_ref())
        };
        assert_eq!(group("running", "healthy", None), Active);
        assert_eq!(group("running", "idle", None), Active);
        assert_eq!(group("running", "stale", None), NeedsYou);
        assert_eq!(group("running", "drowsy", None), Unknown);
        assert_eq!(group("failed", "zombie", None), Ended);
        assert_eq!(group("completed", "healthy", Some(Reaper::MirrorIdle)), Ended);
        assert_eq!(group("hibernating", "stale", None), Unknown);
    }

    #[test]
    fn groups_of_states() {
        use crate::pill::Taxonomy;
        use crate::viewer::{Attention, attention};
        assert_eq!(attention(Taxonomy::Run, Some("waiting-approval"), None, None), Attention::NeedsYou);
        assert_eq!(attention(Taxonomy::Run, Some("waiting-timer"), None, None), Attention::Active);
        // An unknown word implies neither an active nor an ended run.
        assert_eq!(attention(Taxonomy::Run, Some("hibernating"), None, None), Attention::Unknown);
    }
}
