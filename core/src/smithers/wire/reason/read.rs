//! Reads reasons.

use super::{ForeignReason, ReasonBlocked, ReasonUnhealthy};
use crate::json::{ReadError, Slice, fields, optional, read_with_serde};
use crate::number::Number;
use crate::text::concat;

/// The kind of a reason and its fields.
struct ReasonFields<'a> {
    kind: String,
    slice: Slice<'a>,
}

impl<'a> ReasonFields<'a> {
    fn read(slice: Slice<'a>) -> Result<Self, ReadError> {
        let [kind] = fields(slice, ["kind"])?;
        Ok(Self { kind: slice.need("kind", kind)?.read_text()?, slice })
    }

    /// A field of a known kind. An invalid field is an error, not an unknown kind.
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
        let parts = ReasonFields::read(slice)?;
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
                let code = parts.field("code")?.read()?;
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
                reset_at_ms: optional(parts.optional("resetAtMs")?, Slice::read_time)?.map(Number),
            },
            _ => Self::Foreign(parts.foreign()),
        })
    }
}

read_with_serde!(ReasonBlocked);

impl ReasonUnhealthy {
    pub(crate) fn read(slice: Slice<'_>) -> Result<Self, ReadError> {
        let parts = ReasonFields::read(slice)?;
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
