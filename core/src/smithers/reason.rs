//! Why a run waits, and what is wrong with its liveness.

use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use super::ProviderCode;
use crate::json::{ReadError, Slice, fields, optional, read_with_serde};
use crate::number::Number;
use crate::text::concat;
use crate::word::Word;

/// Why a run waits: `blocked` of a [`RunStateView`](super::RunStateView).
///
/// The first five kinds are seed 000's, the next three Smithers 0.32's (protocol section 4).
///
/// ```
/// use runstate::smithers::ReasonBlocked;
///
/// let known: ReasonBlocked = serde_json::from_str(r#"{"kind":"event","nodeId":"ship","correlationKey":"order-7"}"#)?;
/// assert_eq!((known.kind(), known.node_id()), ("event", Some("ship")));
///
/// // A kind of tomorrow keeps all that it says.
/// let text = r#"{"kind":"budget","limitUsd":20}"#;
/// let foreign: ReasonBlocked = serde_json::from_str(text)?;
/// assert_eq!(foreign.kind(), "budget");
/// assert_eq!(serde_json::to_string(&foreign)?, text);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum ReasonBlocked {
    /// A person must decide.
    Approval {
        /// The node that asks.
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
    /// A time must come.
    Timer {
        /// The node that sleeps.
        node_id: String,
        /// Until when, ISO-8601.
        wake_at: String,
    },
    /// A model provider does not serve.
    Provider {
        /// The node that needs the provider.
        node_id: String,
        /// What the provider answered.
        code: Word<ProviderCode>,
    },
    /// A tool does not work.
    Tool {
        /// The node that needs the tool.
        node_id: String,
        /// The tool.
        tool_name: String,
        /// What the tool answered.
        code: String,
    },
    /// A person has decided; the run must be resumed to go on.
    ApprovalDecidedResumeRequired {
        /// The node that can go on.
        node_id: String,
    },
    /// Something outside must start the run again; nothing more is known.
    ExternalTrigger,
    /// A usage limit must lift.
    Quota {
        /// How many nodes are held back.
        quota_blocked_count: Number,
        /// When the limit lifts, milliseconds since 1970.
        reset_at_ms: Option<Number>,
    },
    /// A kind that Runstate does not know, kept whole.
    Foreign(ForeignReason),
}

/// What is wrong with a run's liveness: `unhealthy` of a [`RunStateView`](super::RunStateView).
///
/// All kinds are seed 000's but `TimerOverdue`, which is Smithers 0.32's (protocol section 4).
///
/// ```
/// use runstate::smithers::ReasonUnhealthy;
///
/// let text = r#"{"kind":"engine-heartbeat-stale","lastHeartbeatAt":"2026-11-21T14:05:21.000Z"}"#;
/// let reason: ReasonUnhealthy = serde_json::from_str(text)?;
/// assert_eq!(reason.kind(), "engine-heartbeat-stale");
/// assert_eq!(serde_json::to_string(&reason)?, text);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum ReasonUnhealthy {
    /// The engine has not reported for longer than the threshold.
    EngineHeartbeatStale {
        /// The last report, ISO-8601.
        last_heartbeat_at: String,
    },
    /// The wake-up time passed and nobody woke the run.
    TimerOverdue {
        /// When it should have woken, ISO-8601.
        wake_at: String,
        /// How long ago that was, milliseconds.
        overdue_ms: Number,
    },
    /// The viewer lost the feed; said by viewers, never by the server.
    UiHeartbeatStale {
        /// When the viewer last heard, ISO-8601.
        last_seen_at: String,
    },
    /// The database is locked.
    DbLock,
    /// A sandbox does not answer.
    SandboxUnreachable,
    /// The supervisor waits before its next try.
    SupervisorBackoff {
        /// Which try is next, from 1.
        attempt: Number,
        /// When, ISO-8601.
        next_at: String,
    },
    /// A kind that Runstate does not know, kept whole.
    Foreign(ForeignReason),
}

/// A reason whose `kind` is not known: its JSON, byte for byte.
#[derive(Clone, Debug)]
pub struct ForeignReason {
    kind: String,
    json: Box<str>,
}

impl ForeignReason {
    /// The word in the `kind` field.
    pub fn kind(&self) -> &str {
        &self.kind
    }

    /// The whole reason as it came.
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
    ///
    /// See [`ReasonBlocked`] for an example.
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
    ///
    /// See [`ReasonBlocked`] for an example.
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
    ///
    /// See [`ReasonUnhealthy`] for an example.
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

/// The known kinds of [`ReasonBlocked`] as serde writes them.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case", rename_all_fields = "camelCase")]
enum KnownBlocked {
    Approval {
        node_id: String,
        requested_at: String,
    },
    Event {
        node_id: String,
        correlation_key: String,
    },
    Timer {
        node_id: String,
        wake_at: String,
    },
    Provider {
        node_id: String,
        code: Word<ProviderCode>,
    },
    Tool {
        node_id: String,
        tool_name: String,
        code: String,
    },
    ApprovalDecidedResumeRequired {
        node_id: String,
    },
    ExternalTrigger,
    Quota {
        quota_blocked_count: Number,
        #[serde(skip_serializing_if = "Option::is_none")]
        reset_at_ms: Option<Number>,
    },
}

/// The known kinds of [`ReasonUnhealthy`] as serde writes them.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case", rename_all_fields = "camelCase")]
enum KnownUnhealthy {
    EngineHeartbeatStale { last_heartbeat_at: String },
    TimerOverdue { wake_at: String, overdue_ms: Number },
    UiHeartbeatStale { last_seen_at: String },
    DbLock,
    SandboxUnreachable,
    SupervisorBackoff { attempt: Number, next_at: String },
}

/// A reason as it came: its kind, which says which fields it has, and the fields.
struct Parts<'a> {
    kind: String,
    slice: Slice<'a>,
}

impl<'a> Parts<'a> {
    fn read(slice: Slice<'a>) -> Result<Self, ReadError> {
        let [kind] = fields(slice, ["kind"])?;
        Ok(Self { kind: slice.need("kind", kind)?.read_text()?, slice })
    }

    /// A field of a known kind. Broken, it is an error: the reason is not a foreign one.
    fn field(&self, name: &'static str) -> Result<Slice<'a>, ReadError> {
        self.optional(name)?
            .ok_or_else(|| self.slice.refuse(concat(&[&self.kind, ": missing field `", name, "`."])))
    }

    fn optional(&self, name: &'static str) -> Result<Option<Slice<'a>>, ReadError> {
        let [value] = fields(self.slice, [name])?;
        Ok(value)
    }

    fn texts(&self, first: &'static str, second: &'static str) -> Result<(String, String), ReadError> {
        Ok((self.text(first)?, self.text(second)?))
    }

    fn text(&self, name: &'static str) -> Result<String, ReadError> {
        self.field(name)?.read_text()
    }

    fn number(&self, name: &'static str) -> Result<Number, ReadError> {
        self.field(name)?.read_number().map(Number)
    }

    fn foreign(self) -> ForeignReason {
        ForeignReason { kind: self.kind, json: self.slice.json().into() }
    }
}

impl ReasonBlocked {
    pub(crate) fn read(slice: Slice<'_>) -> Result<Self, ReadError> {
        let parts = Parts::read(slice)?;
        Ok(match parts.kind.as_str() {
            "approval" => {
                let (node_id, requested_at) = parts.texts("nodeId", "requestedAt")?;
                Self::Approval { node_id, requested_at }
            }
            "event" => {
                let (node_id, correlation_key) = parts.texts("nodeId", "correlationKey")?;
                Self::Event { node_id, correlation_key }
            }
            "timer" => {
                let (node_id, wake_at) = parts.texts("nodeId", "wakeAt")?;
                Self::Timer { node_id, wake_at }
            }
            "provider" => {
                let code = parts.field("code")?.read_word()?;
                Self::Provider { node_id: parts.text("nodeId")?, code }
            }
            "tool" => {
                let (tool_name, code) = parts.texts("toolName", "code")?;
                Self::Tool { node_id: parts.text("nodeId")?, tool_name, code }
            }
            "approval-decided-resume-required" => {
                Self::ApprovalDecidedResumeRequired { node_id: parts.text("nodeId")? }
            }
            "external-trigger" => Self::ExternalTrigger,
            "quota" => Self::Quota {
                quota_blocked_count: parts.number("quotaBlockedCount")?,
                reset_at_ms: optional(parts.optional("resetAtMs")?, Slice::read_number)?.map(Number),
            },
            _ => Self::Foreign(parts.foreign()),
        })
    }
}

read_with_serde!(ReasonBlocked);

impl Serialize for ReasonBlocked {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let known = match self.clone() {
            Self::Approval { node_id, requested_at } => KnownBlocked::Approval { node_id, requested_at },
            Self::Event { node_id, correlation_key } => KnownBlocked::Event { node_id, correlation_key },
            Self::Timer { node_id, wake_at } => KnownBlocked::Timer { node_id, wake_at },
            Self::Provider { node_id, code } => KnownBlocked::Provider { node_id, code },
            Self::Tool { node_id, tool_name, code } => KnownBlocked::Tool { node_id, tool_name, code },
            Self::ApprovalDecidedResumeRequired { node_id } => {
                KnownBlocked::ApprovalDecidedResumeRequired { node_id }
            }
            Self::ExternalTrigger => KnownBlocked::ExternalTrigger,
            Self::Quota { quota_blocked_count, reset_at_ms } => {
                KnownBlocked::Quota { quota_blocked_count, reset_at_ms }
            }
            Self::Foreign(foreign) => return foreign.serialize(serializer),
        };
        known.serialize(serializer)
    }
}

impl ReasonUnhealthy {
    pub(crate) fn read(slice: Slice<'_>) -> Result<Self, ReadError> {
        let parts = Parts::read(slice)?;
        Ok(match parts.kind.as_str() {
            "engine-heartbeat-stale" => {
                Self::EngineHeartbeatStale { last_heartbeat_at: parts.text("lastHeartbeatAt")? }
            }
            "timer-overdue" => {
                let overdue_ms = parts.number("overdueMs")?;
                Self::TimerOverdue { wake_at: parts.text("wakeAt")?, overdue_ms }
            }
            "ui-heartbeat-stale" => Self::UiHeartbeatStale { last_seen_at: parts.text("lastSeenAt")? },
            "db-lock" => Self::DbLock,
            "sandbox-unreachable" => Self::SandboxUnreachable,
            "supervisor-backoff" => {
                Self::SupervisorBackoff { attempt: parts.number("attempt")?, next_at: parts.text("nextAt")? }
            }
            _ => Self::Foreign(parts.foreign()),
        })
    }
}

read_with_serde!(ReasonUnhealthy);

impl Serialize for ReasonUnhealthy {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let known = match self.clone() {
            Self::EngineHeartbeatStale { last_heartbeat_at } => {
                KnownUnhealthy::EngineHeartbeatStale { last_heartbeat_at }
            }
            Self::TimerOverdue { wake_at, overdue_ms } => {
                KnownUnhealthy::TimerOverdue { wake_at, overdue_ms }
            }
            Self::UiHeartbeatStale { last_seen_at } => KnownUnhealthy::UiHeartbeatStale { last_seen_at },
            Self::DbLock => KnownUnhealthy::DbLock,
            Self::SandboxUnreachable => KnownUnhealthy::SandboxUnreachable,
            Self::SupervisorBackoff { attempt, next_at } => {
                KnownUnhealthy::SupervisorBackoff { attempt, next_at }
            }
            Self::Foreign(foreign) => return foreign.serialize(serializer),
        };
        known.serialize(serializer)
    }
}
