//! The pills of the viewer itself.

use super::{Icon, Table, Tone, look};

/// How fresh what is shown is; the label gets its age from whoever knows `now`.
pub(super) const FRESHNESS: &Table = &[
    ("live", look(Tone::Success, Icon::Radio, "live")),
    ("connecting", look(Tone::Running, Icon::Plug, "connecting")),
    ("resyncing", look(Tone::Running, Icon::RefreshCw, "resyncing")),
    ("late", look(Tone::Warning, Icon::ClockAlert, "quiet")),
    ("lost", look(Tone::Stale, Icon::WifiOff, "feed lost")),
    ("paused", look(Tone::Neutral, Icon::Pause, "paused")),
    ("recorded", look(Tone::Neutral, Icon::Archive, "recorded")),
];
