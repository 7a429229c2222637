//! `RunStateView`: the state of a run, with the fields of `@smithers-orchestrator/db` in the same order.

use runstate::smithers::wire;
use serde::Serialize;
use serde_with::skip_serializing_none;
use tsify::Tsify;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::output::Json;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = include_str!("view.d.ts");

/// The state of a run (seed 000). Times are ISO 8601. The keys are in this order, without those that do not apply.
// The core writes JSON, which lacks numbers that JavaScript has; here they stay numbers, and reasons of newer servers become
// objects.
#[skip_serializing_none]
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct RunStateView {
    run_id: String,
    #[tsify(type = "string")]
    computed_at: Option<String>,
    #[tsify(type = "RunState")]
    state: String,
    #[tsify(type = "ReasonBlocked")]
    blocked: Option<Open<ReasonBlocked>>,
    #[tsify(type = "ReasonUnhealthy")]
    unhealthy: Option<Open<ReasonUnhealthy>>,
}

/// A reason that Runstate knows, or one of a newer server, verbatim.
#[derive(Serialize)]
#[serde(untagged)]
pub enum Open<R> {
    /// A reason of the contract.
    Known(R),
    /// Any other.
    Foreign(Json),
}

/// What a run waits for. Times are ISO 8601, except `resetAtMs`: milliseconds since 1970.
#[skip_serializing_none]
#[derive(Serialize, Tsify)]
#[serde(tag = "kind", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum ReasonBlocked {
    Approval { node_id: String, requested_at: String },
    Event { node_id: String, correlation_key: String },
    Timer { node_id: String, wake_at: String },
    Provider { node_id: String, code: String },
    Tool { node_id: String, tool_name: String, code: String },
    ApprovalDecidedResumeRequired { node_id: String },
    ExternalTrigger,
    Quota { quota_blocked_count: f64, reset_at_ms: Option<f64> },
}

/// A problem with the liveness of a run. Times are ISO 8601; `overdueMs` is in milliseconds.
#[derive(Serialize, Tsify)]
#[serde(tag = "kind", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum ReasonUnhealthy {
    EngineHeartbeatStale { last_heartbeat_at: String },
    TimerOverdue { wake_at: String, overdue_ms: f64 },
    UiHeartbeatStale { last_seen_at: String },
    DbLock,
    SandboxUnreachable,
    SupervisorBackoff { attempt: f64, next_at: String },
}

impl From<wire::RunStateView> for RunStateView {
    fn from(view: wire::RunStateView) -> Self {
        Self {
            run_id: view.run_id,
            computed_at: view.computed_at,
            state: view.state.to_string(),
            blocked: view.blocked.map(Open::from),
            unhealthy: view.unhealthy.map(Open::from),
        }
    }
}

impl From<wire::ReasonBlocked> for Open<ReasonBlocked> {
    fn from(reason: wire::ReasonBlocked) -> Self {
        use runstate::smithers::wire::ReasonBlocked as Core;
        Self::Known(match reason {
            Core::Approval { node_id, requested_at } => ReasonBlocked::Approval { node_id, requested_at },
            Core::Event { node_id, correlation_key } => ReasonBlocked::Event { node_id, correlation_key },
            Core::Timer { node_id, wake_at } => ReasonBlocked::Timer { node_id, wake_at },
            Core::Provider { node_id, code } => ReasonBlocked::Provider { node_id, code: code.to_string() },
            Core::Tool { node_id, tool_name, code } => ReasonBlocked::Tool { node_id, tool_name, code },
            Core::ApprovalDecidedResumeRequired { node_id } => {
                ReasonBlocked::ApprovalDecidedResumeRequired { node_id }
            }
            Core::ExternalTrigger => ReasonBlocked::ExternalTrigger,
            Core::Quota { quota_blocked_count, reset_at_ms } => ReasonBlocked::Quota {
                quota_blocked_count: quota_blocked_count.0,
                reset_at_ms: reset_at_ms.map(|at| at.0),
            },
            Core::Foreign(reason) => return Self::Foreign(Json::parse(reason.json())),
        })
    }
}

impl From<wire::ReasonUnhealthy> for Open<ReasonUnhealthy> {
    fn from(reason: wire::ReasonUnhealthy) -> Self {
        use runstate::smithers::wire::ReasonUnhealthy as Core;
        Self::Known(match reason {
            Core::EngineHeartbeatStale { last_heartbeat_at } => {
                ReasonUnhealthy::EngineHeartbeatStale { last_heartbeat_at }
            }
            Core::TimerOverdue { wake_at, overdue_ms } => {
                ReasonUnhealthy::TimerOverdue { wake_at, overdue_ms: overdue_ms.0 }
            }
            Core::UiHeartbeatStale { last_seen_at } => ReasonUnhealthy::UiHeartbeatStale { last_seen_at },
            Core::DbLock => ReasonUnhealthy::DbLock,
            Core::SandboxUnreachable => ReasonUnhealthy::SandboxUnreachable,
            Core::SupervisorBackoff { attempt, next_at } => {
                ReasonUnhealthy::SupervisorBackoff { attempt: attempt.0, next_at }
            }
            Core::Foreign(reason) => return Self::Foreign(Json::parse(reason.json())),
        })
    }
}
