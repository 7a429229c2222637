//! ADR-0033's `derive_severity`, which lionagi never released: the urgency of a session.

use serde::Serialize;

use crate::json::record;
use crate::lionagi::wire::{Delivery, NormalizedHealth, Outcome, Severity, SeverityTone};
use crate::word::Word;

record! {
    /// The three axes that severity is derived from. A missing axis has no effect.
    #[derive(Clone, Debug, Default, PartialEq, Serialize)]
    #[non_exhaustive]
    pub struct Axes {
        /// How it ended; missing while it runs.
        pub outcome: Option<Word<Outcome>>,
        /// The problem with its health.
        pub health: Option<Word<NormalizedHealth>>,
        /// Whether it delivered.
        pub delivery: Option<Word<Delivery>>,
    }
}

/// The severity of a session's state, and the tone in which it is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(tsify::Tsify))]
#[non_exhaustive]
pub struct SeverityVerdict {
    /// How urgently it needs attention.
    pub severity: Severity,
    /// The colour of its badge.
    pub tone: SeverityTone,
}

/// Derives severity and tone by the rules of ADR-0033: the most urgent axis decides. Unknown words have no effect.
pub(crate) fn derive_severity(axes: &Axes) -> SeverityVerdict {
    let outcome = axes.outcome.as_ref().and_then(Word::known).map(outcome_rank);
    let health = axes.health.as_ref().and_then(Word::known).map(health_rank);
    let delivery = axes.delivery.as_ref().and_then(Word::known).map(delivery_rank);
    [outcome, health, delivery].into_iter().flatten().min().unwrap_or(Rank::NoEffect).verdict()
}

/// The rules of ADR-0033 in order; rules with the same answer are combined.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Critical,
    Warning,
    Info,
    Skipped,
    Good,
    NoEffect,
}

impl Rank {
    fn verdict(self) -> SeverityVerdict {
        let (severity, tone) = match self {
            Self::Critical => (Severity::Critical, SeverityTone::Danger),
            Self::Warning => (Severity::Warning, SeverityTone::Warning),
            Self::Info => (Severity::Info, SeverityTone::Info),
            Self::Skipped => (Severity::Info, SeverityTone::Neutral),
            Self::Good => (Severity::Neutral, SeverityTone::Success),
            Self::NoEffect => (Severity::Neutral, SeverityTone::Neutral),
        };
        SeverityVerdict { severity, tone }
    }
}

fn outcome_rank(outcome: Outcome) -> Rank {
    match outcome {
        Outcome::Failed | Outcome::Aborted => Rank::Critical,
        Outcome::TimedOut => Rank::Warning,
        Outcome::Skipped => Rank::Skipped,
        Outcome::Succeeded | Outcome::Completed | Outcome::Merged => Rank::Good,
        Outcome::Cancelled | Outcome::Unknown => Rank::NoEffect,
    }
}

fn health_rank(health: NormalizedHealth) -> Rank {
    match health {
        NormalizedHealth::ProcessDead
        | NormalizedHealth::Orphaned
        | NormalizedHealth::Stalled
        | NormalizedHealth::Misfired => Rank::Critical,
        NormalizedHealth::Idle | NormalizedHealth::Degraded | NormalizedHealth::Disconnected => Rank::Warning,
        NormalizedHealth::Running | NormalizedHealth::Due => Rank::Info,
        NormalizedHealth::Ok | NormalizedHealth::Unknown | NormalizedHealth::Blocked => Rank::NoEffect,
    }
}

fn delivery_rank(delivery: Delivery) -> Rank {
    match delivery {
        Delivery::Missing => Rank::Critical,
        Delivery::Partial | Delivery::Invalid => Rank::Warning,
        Delivery::Passed | Delivery::NotExpected | Delivery::Unknown => Rank::NoEffect,
    }
}
