//! The pills of tnh-conductor.

use super::{Icon, Table, Tone, look};

/// The life of a run, with the two things a plain "completed" would hide.
pub(super) const CONDUCTOR: &Table = &[
    ("running", look(Tone::Running, Icon::Activity, "Running")),
    ("between-steps", look(Tone::Running, Icon::ChevronsRight, "Running, between steps")),
    ("waiting", look(Tone::Review, Icon::Hand, "Waiting at gate")),
    ("blocked", look(Tone::Warning, Icon::OctagonAlert, "Blocked")),
    ("failed", look(Tone::Error, Icon::CircleX, "Failed")),
    ("completed", look(Tone::Success, Icon::Check, "Completed")),
    ("completed-unclean", look(Tone::Warning, Icon::TriangleAlert, "Completed, unclean exit")),
    ("completed-exit-unknown", look(Tone::Neutral, Icon::Flag, "Completed, exit not known")),
    ("stale", look(Tone::Stale, Icon::HeartOff, "Stale")),
    ("unknown", look(Tone::Neutral, Icon::CircleQuestionMark, "Unknown")),
];

/// How a step ended.
pub(super) const TERMINATION: &Table = &[
    ("completed", look(Tone::Success, Icon::Check, "Completed")),
    ("error", look(Tone::Error, Icon::CircleX, "Error")),
    ("killed_timeout", look(Tone::Warning, Icon::Hourglass, "Killed, timeout")),
    ("killed_idle", look(Tone::Warning, Icon::Moon, "Killed, idle")),
    ("killed_policy", look(Tone::Error, Icon::ShieldBan, "Killed, policy")),
];

/// What the planner decided.
pub(super) const PLANNER: &Table = &[
    ("success", look(Tone::Success, Icon::Check, "Success")),
    ("partial", look(Tone::Warning, Icon::Contrast, "Partial")),
    ("blocked", look(Tone::Warning, Icon::OctagonAlert, "Blocked")),
    ("unsafe", look(Tone::Error, Icon::TriangleAlert, "Unsafe")),
    ("needs_human", look(Tone::Review, Icon::Hand, "Needs a human")),
];

/// What came of a gate.
pub(super) const GATE: &Table = &[
    ("gate_approved", look(Tone::Success, Icon::ThumbsUp, "Gate approved")),
    ("gate_rejected", look(Tone::Error, Icon::ThumbsDown, "Gate rejected")),
    ("gate_timed_out", look(Tone::Warning, Icon::Hourglass, "Gate timed out")),
];
