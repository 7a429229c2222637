//! lionagi's rules: health, delivery, severity, transitions, exit codes.

pub mod board;
pub mod calls;
mod disagreement;
mod display;
mod effective;
mod elapsed;
mod exit_code;
mod health;
mod health_0_26;
mod legacy;
pub(crate) mod normal;
pub mod outcome;
pub mod policy;
pub(crate) mod reaped;
mod reason_code;
mod severity;
mod signals;
mod threshold;
mod transition;
mod verdict;

pub(crate) use disagreement::{NOT_COUNTED, is_running, within};
pub(crate) use normal::status_input;

pub use disagreement::{Disagreement, Witness};
pub use display::{DisplayStatus, DisplayTone, Displayed, display_map, display_status};
pub use effective::{EffectiveState, effective_state};
pub use elapsed::{ElapsedOptions, elapsed};
pub use exit_code::{agent_status_exit_code, exit_code, released_exit_code};
pub use health::{
    HealthVerdict, Probe, classify_session_health, is_past_threshold, last_activity, worst_health,
};
pub use health_0_26::classify_session_health_0_26;
pub use legacy::{LEGACY_TOOLTIP, legacy_chip, looks_legacy};
pub use normal::{NormalizedState, POLICY_VERSION, Reason, SOURCE, normalize_state};
pub use reaped::{Reaped, reaped};
pub use reason_code::{REASON_CODES, default_reason, is_registered_reason};
pub use severity::{Axes, Axis, SeverityVerdict, derive_severity};
pub use signals::{Health, Signals, health_of};
pub use threshold::{
    DEFAULT_STALE_THRESHOLD, IDLE_THRESHOLD, LONG_STALE_THRESHOLD, SLOW_RUN, STUCK_RUN, threshold_for_kind,
};
pub use transition::{ADMIN_TRANSITION_TARGETS, can_transition, is_admin_target};
pub use verdict::review_verdict;
