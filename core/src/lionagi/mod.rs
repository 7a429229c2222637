//! lionagi: sessions of agents, their status, their health, and whether they delivered.
//!
//! A session's *status* is what was last written: one of six words (ADR-0025), `completed_empty`, NULL, or any other text.
//! Its *health* is what a classifier makes of its process and its silence (ADR-0024). *Delivery* is whether the promised
//! artifacts are there. The three are told apart and shown together: [`effective_state`] puts status and health in one
//! word, [`normalize_state`] puts all three on the axes of ADR-0033, which lionagi itself never did.
//!
//! The server disagrees with itself in places. Both answers are kept then, see [`Disagreement`] and [`join`].
//! lionagi counts seconds ([`Seconds`]); the rest of this crate counts milliseconds. A NULL status is no word: it is
//! [`StoredStatus::Legacy`], and a field that is not there is neither.
//!
//! ```
//! use runstate::lionagi::{Severity, read};
//! use runstate::time::Millis;
//!
//! let answer = r#"{"session_id":"s1","status":"running","invocation_kind":"agent","effective_health":"zombie"}"#;
//! let session = read(answer, "/api/sessions/s1", Millis(1_716_300_000_000.0))?.session.unwrap();
//! assert_eq!(session.effective.unwrap().word, "zombie running");
//! assert_eq!(session.row.status.shown(), Some("running")); // what is stored stays what it is
//! assert_ne!(session.normalized.verdict.severity, Severity::Neutral);
//! # Ok::<(), runstate::document::DocumentError>(())
//! ```

mod beside;
pub mod board;
pub mod calls;
pub mod outcome;
pub mod policy;

mod contract;
mod counts;
mod disagreement;
mod display;
mod document;
mod effective;
mod elapsed;
mod exit_code;
mod header;
mod health;
mod health_0_26;
mod inspection;
mod join;
mod lane;
mod legacy;
mod list;
mod normal;
mod play;
mod reaped;
mod reason_code;
mod recognise;
mod recognised;
mod row;
mod rows;
mod seconds;
mod severity;
mod signals;
mod stored;
mod stream;
mod threshold;
mod timeout;
mod transition;
mod verdict;
mod words;
mod write;

pub use contract::{Contract, delivery};
pub use disagreement::{Disagreement, Witness};
pub use display::{DisplayStatus, DisplayTone, Displayed, display_map, display_status};
pub use document::read;
pub use effective::{EffectiveState, effective_state};
pub use elapsed::{ElapsedOptions, elapsed};
pub use exit_code::{agent_status_exit_code, exit_code, released_exit_code};
pub use header::answer;
pub use health::{
    HealthVerdict, Probe, classify_session_health, is_past_threshold, last_activity, worst_health,
};
pub use health_0_26::classify_session_health_0_26;
pub use inspection::{Inspection, SessionInspection};
pub use join::join;
pub use lane::{LaneSignal, LaneState, Stream, StreamNode};
pub use legacy::{LEGACY_TOOLTIP, legacy_chip, looks_legacy};
pub use normal::{NormalizedState, POLICY_VERSION, Reason, SOURCE, normalize_state};
pub use play::{Play, PlayStatus, Show, ShowStatus};
pub use reaped::{Reaped, reaped};
pub use reason_code::{REASON_CODES, default_reason, is_registered_reason};
pub use recognised::Recognised;
pub use row::{End, SessionRow, read_session};
pub use seconds::Seconds;
pub use severity::{Axes, Axis, SeverityVerdict, derive_severity};
pub use signals::{Health, Signals, health_of};
pub use stored::StoredStatus;
pub use stream::read_stream_text;
pub use threshold::{
    DEFAULT_STALE_THRESHOLD, IDLE_THRESHOLD, LONG_STALE_THRESHOLD, SLOW_RUN, STUCK_RUN, threshold_for_kind,
};
pub use timeout::{Timeout, timeout_text};
pub use transition::{ADMIN_TRANSITION_TARGETS, can_transition, is_admin_target};
pub use verdict::review_verdict;
pub use words::{
    ClaimStatus, Delivery, InvocationKind, NormalizedHealth, Outcome, ReviewVerdict, SessionHealth,
    SessionStatus, Severity, SeverityTone, Verification,
};

// What the reader of documents takes from here.
pub(crate) use document::read_document;
pub(crate) use recognise::kind;
pub(crate) use stream::{is_stream, read_stream};
