//! lionagi's rules: health, delivery, severity, transitions, exit codes.

pub mod calls;
mod disagreement;
mod effective;
mod exit_code;
mod health;
mod legacy;
pub(crate) mod normal;
pub(crate) mod reaped;
mod reason_code;
mod severity;
mod signals;
mod threshold;
mod transition;

pub(crate) use disagreement::{NOT_COUNTED, is_running, within};
pub(crate) use normal::status_input;

pub use disagreement::{Disagreement, ReportedStatus};
pub use effective::{EffectiveState, effective_state};
pub use exit_code::exit_code;
pub use health::{HealthVerdict, Probe, classify_session_health, last_activity, worst_health};
pub use legacy::{LEGACY_TOOLTIP, legacy_chip, looks_legacy};
pub use normal::{NormalizedState, POLICY_VERSION, Reason, SOURCE, normalize_state};
pub use reaped::{Reaped, reaped};
pub use reason_code::default_reason;
pub use severity::{Axes, SeverityVerdict, derive_severity};
pub use signals::{Health, Signals, health_of};
pub use threshold::{DEFAULT_STALE_THRESHOLD, IDLE_THRESHOLD, LONG_STALE_THRESHOLD, threshold_for_kind};
pub use transition::{ADMIN_TRANSITION_TARGETS, can_transition};
