//! How reasons are read and written.

use serde::{Serialize, Serializer};

use super::{ForeignReason, ReasonBlocked, ReasonUnhealthy};
use crate::json::{ReadError, Slice, fields, optional, read_with_serde};
use crate::number::Number;
use crate::smithers::ProviderCode;
use crate::text::concat;
use crate::word::Word;

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
