//! lionagi's rules: effective state, health, severity, transitions, exit codes.

mod disagreement;
mod effective_state;
mod health;
pub mod json_api;
mod normalized_state;
mod session_health;
mod severity;
mod status;

pub(crate) use disagreement::{UNCOUNTED_MESSAGES, is_running, row_disagreements};
pub(crate) use health::{last_activity, stale_threshold};
pub(crate) use normalized_state::{VIEWER_SOURCE, normalize, status_input};
pub(crate) use status::{default_reason_code, detect_reaper, legacy_chip};

pub use disagreement::{Disagreement, Question, ReportedValue};
pub use effective_state::EffectiveState;
pub(crate) use effective_state::Qualifier;
pub(crate) use effective_state::effective_state;
pub use health::HealthVerdict;
pub(crate) use health::{Probe, classify_session_health, worst_health};
pub use normalized_state::{NormalizedState, Reason};
pub use session_health::Health;
pub(crate) use session_health::Signals;
pub(crate) use session_health::session_health;
pub(crate) use severity::derive_severity;
pub use severity::{Axes, SeverityVerdict};
pub use status::{
    ADMIN_TRANSITION_TARGETS, DISPLAY_MAP, LEGACY_TOOLTIP, Reaper, SLOW_RUN_SECONDS, STUCK_RUN_SECONDS,
    can_transition, exit_code,
};
