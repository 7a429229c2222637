//! The pills of lionagi (seeds 001 and 002).

use super::{Icon, Table, Tone, look};

/// The status column of a session; `legacy` stands for rows older than the vocabulary.
pub(super) const SESSION: &Table = &[
    ("running", look(Tone::Running, Icon::Activity, "Running")),
    ("completed", look(Tone::Success, Icon::Check, "Completed")),
    ("completed_empty", look(Tone::Warning, Icon::SquareDashed, "Completed, empty")),
    ("failed", look(Tone::Error, Icon::CircleX, "Failed")),
    ("timed_out", look(Tone::Warning, Icon::Hourglass, "Timed out")),
    ("aborted", look(Tone::Neutral, Icon::Square, "Aborted")),
    ("cancelled", look(Tone::Neutral, Icon::Slash, "Cancelled")),
    ("legacy", look(Tone::Neutral, Icon::Minus, "legacy").said("legacy, unclassified")),
];

/// The health that the classifier gives a session.
pub(super) const HEALTH: &Table = &[
    ("healthy", look(Tone::Success, Icon::HeartPulse, "Healthy")),
    ("idle", look(Tone::Neutral, Icon::Moon, "Idle")),
    ("unresponsive", look(Tone::Warning, Icon::ClockAlert, "Unresponsive")),
    ("stale", look(Tone::Stale, Icon::HeartOff, "Stale")),
    ("orphaned", look(Tone::Review, Icon::Unlink, "Orphaned")),
    ("zombie", look(Tone::Error, Icon::Skull, "Zombie")),
    ("unknown", look(Tone::Neutral, Icon::CircleQuestionMark, "Unknown")),
];

/// Status and health in one word: never a plain "running" over a dead process.
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
    // The server's housekeeping wrote these; nobody knows how the run ended.
    ("failed reaped", look(Tone::Neutral, Icon::Archive, "Failed, by housekeeping")),
    ("completed reaped", look(Tone::Neutral, Icon::Archive, "Completed, by housekeeping")),
];

/// Whether what was promised arrived.
pub(super) const DELIVERY: &Table = &[
    ("passed", look(Tone::Success, Icon::Check, "Passed")),
    ("partial", look(Tone::Warning, Icon::Contrast, "Partial")),
    ("invalid", look(Tone::Warning, Icon::TriangleAlert, "Invalid")),
    ("missing", look(Tone::Error, Icon::FileX, "Missing")),
    ("not_expected", look(Tone::Neutral, Icon::Minus, "Not expected")),
    ("unknown", look(Tone::Neutral, Icon::CircleQuestionMark, "Unknown")),
];

/// Health across session kinds.
pub(super) const NORMALIZED_HEALTH: &Table = &[
    ("ok", look(Tone::Success, Icon::Heart, "OK")),
    ("running", look(Tone::Running, Icon::Activity, "Running")),
    ("idle", look(Tone::Neutral, Icon::Moon, "Idle")),
    ("degraded", look(Tone::Warning, Icon::TriangleAlert, "Degraded")),
    ("stalled", look(Tone::Stale, Icon::ClockAlert, "Stalled")),
    ("process_dead", look(Tone::Error, Icon::PowerOff, "Process dead")),
    ("orphaned", look(Tone::Review, Icon::Unlink, "Orphaned")),
    ("disconnected", look(Tone::Warning, Icon::WifiOff, "Disconnected")),
    ("unknown", look(Tone::Neutral, Icon::CircleQuestionMark, "Unknown")),
];

/// What a reviewer said.
pub(super) const VERDICT: &Table = &[
    ("approve", look(Tone::Success, Icon::ThumbsUp, "Approve")),
    ("approve-with-fixes", look(Tone::Warning, Icon::Wrench, "Approve with fixes")),
    ("request_changes", look(Tone::Review, Icon::Pencil, "Request changes")),
    ("reject", look(Tone::Error, Icon::ThumbsDown, "Reject")),
    ("none", look(Tone::Neutral, Icon::Minus, "No verdict")),
];

/// Where a play of a show stands.
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
