//! The reasons why a run waits or is unhealthy.

mod read;

use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use super::ProviderCode;
use crate::number::Number;
use crate::word::Word;

/// Why a run waits: `blocked` of a [`RunStateView`](super::RunStateView).
///
/// The first five kinds are seed 000's, the next three Smithers 0.32's (protocol section 4).
///
/// ```
/// use runstate::smithers::wire::ReasonBlocked;
///
/// let known: ReasonBlocked = serde_json::from_str(r#"{"kind":"event","nodeId":"ship","correlationKey":"order-7"}"#)?;
/// assert_eq!((known.kind(), known.node_id()), ("event", Some("ship")));
///
/// // An unknown kind is kept completely.
/// let text = r#"{"kind":"budget","limitUsd":20}"#;
/// let foreign: ReasonBlocked = serde_json::from_str(text)?;
/// assert_eq!(foreign.kind(), "budget");
/// assert_eq!(serde_json::to_string(&foreign)?, text);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum ReasonBlocked {
    /// A person must decide.
    Approval {
        /// The node that requests it.
        node_id: String,
        /// Since when, ISO-8601.
        requested_at: String,
    },
    /// A signal must arrive.
    Event {
        /// The node that waits.
        node_id: String,
        /// The correlation id, else the signal's name; empty when the server could not read it.
        correlation_key: String,
    },
    /// A timer must fire.
    Timer {
        /// The node that waits.
        node_id: String,
        /// Until when, ISO-8601.
        wake_at: String,
    },
    /// A model provider does not answer.
    Provider {
        /// The node that needs the provider.
        node_id: String,
        /// The code of the provider.
        code: Word<ProviderCode>,
    },
    /// A tool does not work.
    Tool {
        /// The node that needs the tool.
        node_id: String,
        /// The tool.
        tool_name: String,
        /// The code of the tool.
        code: String,
    },
    /// A person has decided, and the run must be resumed.
    ApprovalDecidedResumeRequired {
        /// The node that is ready.
        node_id: String,
    },
    /// An external trigger must resume the run; no details are known.
    ExternalTrigger,
    /// A usage limit must reset.
    Quota {
        /// The number of blocked nodes.
        quota_blocked_count: Number,
        /// When the limit resets, milliseconds since 1970.
        #[serde(skip_serializing_if = "Option::is_none")]
        reset_at_ms: Option<Number>,
    },
    /// An unknown kind, kept verbatim.
    #[serde(untagged)]
    Foreign(ForeignReason),
}

/// The problem with a run's liveness: `unhealthy` of a [`RunStateView`](super::RunStateView).
///
/// All kinds are from seed 000 except `TimerOverdue`, which is from Smithers 0.32 (protocol section 4).
///
/// ```
/// use runstate::smithers::wire::ReasonUnhealthy;
///
/// let text = r#"{"kind":"engine-heartbeat-stale","lastHeartbeatAt":"2026-11-21T14:05:21.000Z"}"#;
/// let reason: ReasonUnhealthy = serde_json::from_str(text)?;
/// assert_eq!(reason.kind(), "engine-heartbeat-stale");
/// assert_eq!(serde_json::to_string(&reason)?, text);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum ReasonUnhealthy {
    /// The engine has not reported for longer than the threshold.
    EngineHeartbeatStale {
        /// The last report, ISO-8601.
        last_heartbeat_at: String,
    },
    /// The wake-up time passed, but the run was not woken.
    TimerOverdue {
        /// When it should have woken, ISO-8601.
        wake_at: String,
        /// The time since then, milliseconds.
        overdue_ms: Number,
    },
    /// The viewer lost the feed. Only viewers write this, never the server.
    UiHeartbeatStale {
        /// When the viewer last received something, ISO-8601.
        last_seen_at: String,
    },
    /// The database is locked.
    DbLock,
    /// A sandbox does not answer.
    SandboxUnreachable,
    /// The supervisor waits before its next try.
    SupervisorBackoff {
        /// The number of the next try, from 1.
        attempt: Number,
        /// The time, ISO-8601.
        next_at: String,
    },
    /// An unknown kind, kept verbatim.
    #[serde(untagged)]
    Foreign(ForeignReason),
}

/// A reason of unknown kind, as JSON.
#[derive(Clone, Debug)]
pub struct ForeignReason {
    kind: String,
    json: Box<str>,
}

impl ForeignReason {
    /// The word in the `kind` field.
    pub(crate) fn kind(&self) -> &str {
        &self.kind
    }

    /// The whole reason as JSON, verbatim.
    pub fn json(&self) -> &str {
        &self.json
    }
}

impl Serialize for ForeignReason {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let json = RawValue::from_string(self.json.clone().into()).map_err(serde::ser::Error::custom)?;
        json.serialize(serializer)
    }
}

impl PartialEq for ForeignReason {
    fn eq(&self, other: &Self) -> bool {
        self.json() == other.json()
    }
}

impl ReasonBlocked {
    /// The word in the `kind` field.
    pub fn kind(&self) -> &str {
        match self {
            Self::Approval { .. } => "approval",
            Self::Event { .. } => "event",
            Self::Timer { .. } => "timer",
            Self::Provider { .. } => "provider",
            Self::Tool { .. } => "tool",
            Self::ApprovalDecidedResumeRequired { .. } => "approval-decided-resume-required",
            Self::ExternalTrigger => "external-trigger",
            Self::Quota { .. } => "quota",
            Self::Foreign(foreign) => foreign.kind(),
        }
    }

    /// The node that the reason names, if it names one.
    pub fn node_id(&self) -> Option<&str> {
        match self {
            Self::Approval { node_id, .. }
            | Self::Event { node_id, .. }
            | Self::Timer { node_id, .. }
            | Self::Provider { node_id, .. }
            | Self::Tool { node_id, .. }
            | Self::ApprovalDecidedResumeRequired { node_id } => Some(node_id),
            Self::ExternalTrigger | Self::Quota { .. } | Self::Foreign(_) => None,
        }
    }
}

impl ReasonUnhealthy {
    /// The word in the `kind` field.
    pub fn kind(&self) -> &str {
        match self {
            Self::EngineHeartbeatStale { .. } => "engine-heartbeat-stale",
            Self::TimerOverdue { .. } => "timer-overdue",
            Self::UiHeartbeatStale { .. } => "ui-heartbeat-stale",
            Self::DbLock => "db-lock",
            Self::SandboxUnreachable => "sandbox-unreachable",
            Self::SupervisorBackoff { .. } => "supervisor-backoff",
            Self::Foreign(foreign) => foreign.kind(),
        }
    }
}
