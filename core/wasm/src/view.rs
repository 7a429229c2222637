//! A `RunStateView` as a plain object, its keys in the wire's order.

use runstate::smithers::{ReasonBlocked, ReasonUnhealthy, RunStateView};
use runstate::word::Vocabulary;
use wasm_bindgen::JsValue;

use crate::write::{Writer, kept_json};

/// The view as upstream returns it.
pub(crate) fn view_to_js(view: &RunStateView) -> JsValue {
    let mut object = Writer::new();
    object.text("runId", &view.run_id);
    object.optional_text("computedAt", view.computed_at.as_deref());
    match view.state.known() {
        Some(state) => object.word("state", state.as_str()),
        None => object.text("state", view.state.as_str()),
    }
    if let Some(reason) = &view.blocked {
        object.value("blocked", &blocked_to_js(reason));
    }
    if let Some(reason) = &view.unhealthy {
        object.value("unhealthy", &unhealthy_to_js(reason));
    }
    object.finish()
}

pub(crate) fn blocked_to_js(reason: &ReasonBlocked) -> JsValue {
    let mut object = Writer::new();
    object.text("kind", reason.kind());
    match reason {
        ReasonBlocked::Approval { node_id, requested_at } => {
            object.text("nodeId", node_id);
            object.text("requestedAt", requested_at);
        }
        ReasonBlocked::Event { node_id, correlation_key } => {
            object.text("nodeId", node_id);
            object.text("correlationKey", correlation_key);
        }
        ReasonBlocked::Timer { node_id, wake_at } => {
            object.text("nodeId", node_id);
            object.text("wakeAt", wake_at);
        }
        ReasonBlocked::Provider { node_id, code } => {
            object.text("nodeId", node_id);
            object.text("code", code.as_str());
        }
        ReasonBlocked::Tool { node_id, tool_name, code } => {
            object.text("nodeId", node_id);
            object.text("toolName", tool_name);
            object.text("code", code);
        }
        ReasonBlocked::ApprovalDecidedResumeRequired { node_id } => object.text("nodeId", node_id),
        ReasonBlocked::ExternalTrigger => {}
        ReasonBlocked::Quota { quota_blocked_count, reset_at_ms } => {
            object.number("quotaBlockedCount", quota_blocked_count.0);
            if let Some(reset_at_ms) = reset_at_ms {
                object.number("resetAtMs", reset_at_ms.0);
            }
        }
        ReasonBlocked::Foreign(reason) => return kept_json(reason.json()),
    }
    object.finish()
}

fn unhealthy_to_js(reason: &ReasonUnhealthy) -> JsValue {
    let mut object = Writer::new();
    object.text("kind", reason.kind());
    match reason {
        ReasonUnhealthy::EngineHeartbeatStale { last_heartbeat_at } => {
            object.text("lastHeartbeatAt", last_heartbeat_at);
        }
        ReasonUnhealthy::TimerOverdue { wake_at, overdue_ms } => {
            object.text("wakeAt", wake_at);
            object.number("overdueMs", overdue_ms.0);
        }
        ReasonUnhealthy::UiHeartbeatStale { last_seen_at } => object.text("lastSeenAt", last_seen_at),
        ReasonUnhealthy::DbLock | ReasonUnhealthy::SandboxUnreachable => {}
        ReasonUnhealthy::SupervisorBackoff { attempt, next_at } => {
            object.number("attempt", attempt.0);
            object.text("nextAt", next_at);
        }
        ReasonUnhealthy::Foreign(reason) => return kept_json(reason.json()),
    }
    object.finish()
}
