//! The pills of lionagi (seeds 001 and 002).

use super::{Icon, Style, Table, Taxonomy, Tone, style};
use crate::lionagi::derive::EffectiveState;
use crate::lionagi::wire::{Delivery, LaneState, NormalizedHealth, SessionHealth, SessionStatus, ShowStatus};

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
pub(super) const LEGACY: (&str, Style) =
    ("legacy", style(Tone::Neutral, Icon::Minus, "legacy").spoken("legacy, unclassified"));

/// No health is known.
pub(super) const UNKNOWN_HEALTH: (&str, Style) =
    ("unknown", style(Tone::Neutral, Icon::CircleQuestionMark, "Unknown"));

impl SessionStatus {
    pub(super) fn style(self) -> Style {
        match self {
            Self::Running => style(Tone::Running, Icon::Activity, "Running"),
            Self::Completed => style(Tone::Success, Icon::Check, "Completed"),
            Self::CompletedEmpty => style(Tone::Warning, Icon::SquareDashed, "Completed, empty"),
            Self::Failed => style(Tone::Error, Icon::CircleX, "Failed"),
            Self::TimedOut => style(Tone::Warning, Icon::Hourglass, "Timed out"),
            Self::Aborted => style(Tone::Neutral, Icon::Square, "Aborted"),
            Self::Cancelled => style(Tone::Neutral, Icon::Slash, "Cancelled"),
        }
    }
}

impl ShowStatus {
    pub(super) fn style(self) -> Style {
        match self {
            Self::Active => style(Tone::Running, Icon::Activity, "Active"),
            Self::Completed => style(Tone::Success, Icon::Check, "Completed"),
            Self::Aborted => style(Tone::Neutral, Icon::Square, "Aborted"),
            Self::Imported => style(Tone::Neutral, Icon::Archive, "Imported"),
        }
    }
}

impl LaneState {
    pub(super) fn style(self) -> Style {
        match self {
            Self::Queued => style(Tone::Neutral, Icon::CircleDashed, "Queued"),
            Self::Running => style(Tone::Running, Icon::Activity, "Running"),
            Self::AwaitingApproval => style(Tone::Review, Icon::Hand, "Awaiting approval"),
            Self::Paused => style(Tone::Neutral, Icon::Pause, "Paused"),
            Self::Succeeded => style(Tone::Success, Icon::Check, "Succeeded"),
            Self::Failed => style(Tone::Error, Icon::CircleX, "Failed"),
            Self::Skipped => style(Tone::Neutral, Icon::Redo2, "Skipped"),
            Self::Cancelled => style(Tone::Neutral, Icon::Slash, "Cancelled"),
            Self::Escalated => style(Tone::Warning, Icon::ArrowUpRight, "Escalated"),
        }
    }
}

impl SessionHealth {
    pub(super) fn style(self) -> Style {
        match self {
            Self::Healthy => style(Tone::Success, Icon::HeartPulse, "Healthy"),
            Self::Idle => style(Tone::Neutral, Icon::Moon, "Idle"),
            Self::Unresponsive => style(Tone::Warning, Icon::ClockAlert, "Unresponsive"),
            Self::Stale => style(Tone::Stale, Icon::HeartOff, "Stale"),
            Self::Orphaned => style(Tone::Review, Icon::Unlink, "Orphaned"),
            Self::Zombie => style(Tone::Error, Icon::Skull, "Zombie"),
        }
    }
}

impl Delivery {
    pub(super) fn style(self) -> Style {
        match self {
            Self::Passed => style(Tone::Success, Icon::Check, "Passed"),
            Self::Partial => style(Tone::Warning, Icon::Contrast, "Partial"),
            Self::Invalid => style(Tone::Warning, Icon::TriangleAlert, "Invalid"),
            Self::Missing => style(Tone::Error, Icon::FileX, "Missing"),
            Self::NotExpected => style(Tone::Neutral, Icon::Minus, "Not expected"),
            Self::Unknown => style(Tone::Neutral, Icon::CircleQuestionMark, "Unknown"),
        }
    }
}

impl NormalizedHealth {
    pub(super) fn style(self) -> Style {
        match self {
            Self::Ok => style(Tone::Success, Icon::Heart, "OK"),
            Self::Running => style(Tone::Running, Icon::Activity, "Running"),
            Self::Idle => style(Tone::Neutral, Icon::Moon, "Idle"),
            Self::Degraded => style(Tone::Warning, Icon::TriangleAlert, "Degraded"),
            Self::Stalled => style(Tone::Stale, Icon::ClockAlert, "Stalled"),
            Self::ProcessDead => style(Tone::Error, Icon::PowerOff, "Process dead"),
            Self::Orphaned => style(Tone::Review, Icon::Unlink, "Orphaned"),
            Self::Disconnected => style(Tone::Warning, Icon::WifiOff, "Disconnected"),
            Self::Unknown => style(Tone::Neutral, Icon::CircleQuestionMark, "Unknown"),
            Self::Misfired => style(Tone::Error, Icon::CircleX, "Misfired"),
            Self::Due => style(Tone::Neutral, Icon::Clock, "Due"),
            Self::Blocked => style(Tone::Warning, Icon::OctagonAlert, "Blocked"),
        }
    }
}

/// Status and health in one word, so that a dead process is not shown as `running`.
pub(super) const EFFECTIVE: &Table = &[
    ("running", style(Tone::Running, Icon::Activity, "Running")),
    ("idle running", style(Tone::Neutral, Icon::Moon, "Idle running")),
    ("unresponsive running", style(Tone::Warning, Icon::ClockAlert, "Unresponsive running")),
    ("stale running", style(Tone::Stale, Icon::HeartOff, "Stale running")),
    ("orphaned running", style(Tone::Review, Icon::Unlink, "Orphaned running")),
    ("zombie running", style(Tone::Error, Icon::Skull, "Zombie running")),
    ("completed zombie", style(Tone::Error, Icon::Skull, "Completed, zombie lock")),
    ("completed_empty zombie", style(Tone::Error, Icon::Skull, "Completed empty, zombie lock")),
    ("failed zombie", style(Tone::Error, Icon::Skull, "Failed, zombie lock")),
    ("timed_out zombie", style(Tone::Error, Icon::Skull, "Timed out, zombie lock")),
    ("aborted zombie", style(Tone::Error, Icon::Skull, "Aborted, zombie lock")),
    ("cancelled zombie", style(Tone::Error, Icon::Skull, "Cancelled, zombie lock")),
    // Written by the server's housekeeping; how the run ended is unknown.
    ("failed reaped", style(Tone::Neutral, Icon::Archive, "Failed, by housekeeping")),
    ("completed reaped", style(Tone::Neutral, Icon::Archive, "Completed, by housekeeping")),
];

/// The verdict of a reviewer.
pub(super) const VERDICT: &Table = &[
    ("approve", style(Tone::Success, Icon::ThumbsUp, "Approve")),
    ("approve-with-fixes", style(Tone::Warning, Icon::Wrench, "Approve with fixes")),
    ("request_changes", style(Tone::Review, Icon::Pencil, "Request changes")),
    ("request-changes", style(Tone::Review, Icon::Pencil, "Request changes")),
    ("reject", style(Tone::Error, Icon::ThumbsDown, "Reject")),
    ("none", style(Tone::Neutral, Icon::Minus, "No verdict")),
];

/// The status of a play.
pub(super) const PLAY: &Table = &[
    ("pending", style(Tone::Neutral, Icon::CircleDashed, "Pending")),
    ("prepared", style(Tone::Neutral, Icon::ClipboardCheck, "Prepared")),
    ("running", style(Tone::Running, Icon::Activity, "Running")),
    ("running_complete", style(Tone::Running, Icon::Flag, "Running complete")),
    ("gated", style(Tone::Review, Icon::Hand, "Gated")),
    ("gate_failed", style(Tone::Error, Icon::ShieldBan, "Gate failed")),
    ("redoing", style(Tone::Warning, Icon::RotateCw, "Redoing")),
    ("merged", style(Tone::Success, Icon::Merge, "Merged")),
    ("escalated", style(Tone::Warning, Icon::ArrowUpRight, "Escalated")),
    ("blocked", style(Tone::Warning, Icon::OctagonAlert, "Blocked")),
    ("aborted_after_finish", style(Tone::Neutral, Icon::Square, "Aborted after finish")),
];
