//! The pills of lionagi (seeds 001 and 002).

use super::{Icon, Look, Table, Taxonomy, Tone, look};
use crate::lionagi::derive::EffectiveState;
use crate::lionagi::wire::{Delivery, NormalizedHealth, SessionHealth, SessionStatus, ShowStatus};

impl EffectiveState {
    /// The vocabulary of the word.
    pub(crate) fn taxonomy(&self) -> Taxonomy {
        if self.is_compound() { Taxonomy::Effective } else { Taxonomy::Session }
    }

    /// The label above the pill.
    pub(crate) fn label(&self) -> &'static str {
        if self.is_compound() { "State" } else { "Status" }
    }
}

/// Rows from before the vocabulary.
pub(super) const LEGACY: (&str, Look) =
    ("legacy", look(Tone::Neutral, Icon::Minus, "legacy").spoken("legacy, unclassified"));

/// No health is known.
pub(super) const UNKNOWN_HEALTH: (&str, Look) =
    ("unknown", look(Tone::Neutral, Icon::CircleQuestionMark, "Unknown"));

impl SessionStatus {
    pub(super) fn look(self) -> Look {
        match self {
            Self::Running => look(Tone::Running, Icon::Activity, "Running"),
            Self::Completed => look(Tone::Success, Icon::Check, "Completed"),
            Self::CompletedEmpty => look(Tone::Warning, Icon::SquareDashed, "Completed, empty"),
            Self::Failed => look(Tone::Error, Icon::CircleX, "Failed"),
            Self::TimedOut => look(Tone::Warning, Icon::Hourglass, "Timed out"),
            Self::Aborted => look(Tone::Neutral, Icon::Square, "Aborted"),
            Self::Cancelled => look(Tone::Neutral, Icon::Slash, "Cancelled"),
        }
    }
}

impl ShowStatus {
    pub(super) fn look(self) -> Look {
        match self {
            Self::Active => look(Tone::Running, Icon::Activity, "Active"),
            Self::Completed => look(Tone::Success, Icon::Check, "Completed"),
            Self::Aborted => look(Tone::Neutral, Icon::Square, "Aborted"),
            Self::Imported => look(Tone::Neutral, Icon::Archive, "Imported"),
        }
    }
}

impl SessionHealth {
    pub(super) fn look(self) -> Look {
        match self {
            Self::Healthy => look(Tone::Success, Icon::HeartPulse, "Healthy"),
            Self::Idle => look(Tone::Neutral, Icon::Moon, "Idle"),
            Self::Unresponsive => look(Tone::Warning, Icon::ClockAlert, "Unresponsive"),
            Self::Stale => look(Tone::Stale, Icon::HeartOff, "Stale"),
            Self::Orphaned => look(Tone::Review, Icon::Unlink, "Orphaned"),
            Self::Zombie => look(Tone::Error, Icon::Skull, "Zombie"),
        }
    }
}

impl Delivery {
    pub(super) fn look(self) -> Look {
        match self {
            Self::Passed => look(Tone::Success, Icon::Check, "Passed"),
            Self::Partial => look(Tone::Warning, Icon::Contrast, "Partial"),
            Self::Invalid => look(Tone::Warning, Icon::TriangleAlert, "Invalid"),
            Self::Missing => look(Tone::Error, Icon::FileX, "Missing"),
            Self::NotExpected => look(Tone::Neutral, Icon::Minus, "Not expected"),
            Self::Unknown => look(Tone::Neutral, Icon::CircleQuestionMark, "Unknown"),
        }
    }
}

impl NormalizedHealth {
    pub(super) fn look(self) -> Look {
        match self {
            Self::Ok => look(Tone::Success, Icon::Heart, "OK"),
            Self::Running => look(Tone::Running, Icon::Activity, "Running"),
            Self::Idle => look(Tone::Neutral, Icon::Moon, "Idle"),
            Self::Degraded => look(Tone::Warning, Icon::TriangleAlert, "Degraded"),
            Self::Stalled => look(Tone::Stale, Icon::ClockAlert, "Stalled"),
            Self::ProcessDead => look(Tone::Error, Icon::PowerOff, "Process dead"),
            Self::Orphaned => look(Tone::Review, Icon::Unlink, "Orphaned"),
            Self::Disconnected => look(Tone::Warning, Icon::WifiOff, "Disconnected"),
            Self::Unknown => look(Tone::Neutral, Icon::CircleQuestionMark, "Unknown"),
            Self::Misfired => look(Tone::Error, Icon::CircleX, "Misfired"),
            Self::Due => look(Tone::Neutral, Icon::Clock, "Due"),
            Self::Blocked => look(Tone::Warning, Icon::OctagonAlert, "Blocked"),
        }
    }
}

/// Status and health in one word, so that a dead process is not shown as `running`.
pub(super) const EFFECTIVE: &Table = &[
    ("running", look(Tone::Running, Icon::Activity, "Running")),
    ("idle running", look(Tone::Neutral, Icon::Moon, "Idle running")),
    ("unresponsive running", look(Tone::Warning, Icon::ClockAlert, "Unresponsive running")),
    ("stale running", look(Tone::Stale, Icon::HeartOff, "Stale running")),
    ("orphaned running", look(Tone::Review, Icon::Unlink, "Orphaned running")),
    ("zombie running", look(Tone::Error, Icon::Skull, "Zombie running")),
    ("completed zombie", look(Tone::Error, Icon::Skull, "Completed, zombie lock")),
    ("completed_empty zombie", look(Tone::Error, Icon::Skull, "Completed empty, zombie lock")),
    ("failed zombie", look(Tone::Error, Icon::Skull, "Failed, zombie lock")),
    ("timed_out zombie", look(Tone::Error, Icon::Skull, "Timed out, zombie lock")),
    ("aborted zombie", look(Tone::Error, Icon::Skull, "Aborted, zombie lock")),
    ("cancelled zombie", look(Tone::Error, Icon::Skull, "Cancelled, zombie lock")),
    // Written by the server's housekeeping; how the run ended is unknown.
    ("failed reaped", look(Tone::Neutral, Icon::Archive, "Failed, by housekeeping")),
    ("completed reaped", look(Tone::Neutral, Icon::Archive, "Completed, by housekeeping")),
];

/// The verdict of a reviewer.
pub(super) const VERDICT: &Table = &[
    ("approve", look(Tone::Success, Icon::ThumbsUp, "Approve")),
    ("approve-with-fixes", look(Tone::Warning, Icon::Wrench, "Approve with fixes")),
    ("request_changes", look(Tone::Review, Icon::Pencil, "Request changes")),
    ("request-changes", look(Tone::Review, Icon::Pencil, "Request changes")),
    ("reject", look(Tone::Error, Icon::ThumbsDown, "Reject")),
    ("none", look(Tone::Neutral, Icon::Minus, "No verdict")),
];

/// The status of a play.
pub(super) const PLAY: &Table = &[
    ("pending", look(Tone::Neutral, Icon::CircleDashed, "Pending")),
    ("prepared", look(Tone::Neutral, Icon::ClipboardCheck, "Prepared")),
    ("running", look(Tone::Running, Icon::Activity, "Running")),
    ("running_complete", look(Tone::Running, Icon::Flag, "Running complete")),
    ("gated", look(Tone::Review, Icon::Hand, "Gated")),
    ("gate_failed", look(Tone::Error, Icon::ShieldBan, "Gate failed")),
    ("redoing", look(Tone::Warning, Icon::RotateCw, "Redoing")),
    ("merged", look(Tone::Success, Icon::Merge, "Merged")),
    ("escalated", look(Tone::Warning, Icon::ArrowUpRight, "Escalated")),
    ("blocked", look(Tone::Warning, Icon::OctagonAlert, "Blocked")),
    ("aborted_after_finish", look(Tone::Neutral, Icon::Square, "Aborted after finish")),
];
