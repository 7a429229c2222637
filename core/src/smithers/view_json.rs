//! A view as JSON text, without serde: a module that answers for thousands of runs is smaller and quicker so.

use super::{ReasonBlocked, ReasonUnhealthy, RunStateView};
use crate::number::Number;
use crate::text::push_json;

impl RunStateView {
    /// Adds the view to a text as `serde_json` writes it.
    ///
    /// ```
    /// use runstate::smithers::RunStateView;
    ///
    /// let text = r#"{"runId":"r1","computedAt":"2023-11-14T22:13:20.000Z","state":"stale","unhealthy":{"kind":"db-lock"}}"#;
    /// let view: RunStateView = serde_json::from_str(text)?;
    /// let mut out = String::new();
    /// view.write_json(&mut out);
    /// assert_eq!(out, text);
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub fn write_json(&self, out: &mut String) {
        out.push_str("{\"runId\":");
        push_json(out, &self.run_id);
        out.push_str(",\"computedAt\":");
        push_json(out, &self.computed_at);
        out.push_str(",\"state\":");
        push_json(out, self.state.as_str());
        if let Some(reason) = &self.blocked {
            out.push_str(",\"blocked\":");
            blocked(out, reason);
        }
        if let Some(reason) = &self.unhealthy {
            out.push_str(",\"unhealthy\":");
            unhealthy(out, reason);
        }
        out.push('}');
    }
}

fn blocked(out: &mut String, reason: &ReasonBlocked) {
    let mut object = Object::new(out, reason.kind());
    if let Some(node_id) = reason.node_id() {
        object.text("nodeId", node_id);
    }
    match reason {
        ReasonBlocked::Approval { requested_at, .. } => object.text("requestedAt", requested_at),
        ReasonBlocked::Event { correlation_key, .. } => object.text("correlationKey", correlation_key),
        ReasonBlocked::Timer { wake_at, .. } => object.text("wakeAt", wake_at),
        ReasonBlocked::Provider { code, .. } => object.text("code", code.as_str()),
        ReasonBlocked::Tool { tool_name, code, .. } => {
            object.text("toolName", tool_name);
            object.text("code", code);
        }
        ReasonBlocked::ApprovalDecidedResumeRequired { .. } | ReasonBlocked::ExternalTrigger => {}
        ReasonBlocked::Quota { quota_blocked_count, reset_at_ms } => {
            object.number("quotaBlockedCount", *quota_blocked_count);
            if let Some(reset_at_ms) = reset_at_ms {
                object.number("resetAtMs", *reset_at_ms);
            }
        }
        ReasonBlocked::Foreign(reason) => return object.instead(reason.json()),
    }
    object.end();
}

fn unhealthy(out: &mut String, reason: &ReasonUnhealthy) {
    let mut object = Object::new(out, reason.kind());
    match reason {
        ReasonUnhealthy::EngineHeartbeatStale { last_heartbeat_at } => {
            object.text("lastHeartbeatAt", last_heartbeat_at);
        }
        ReasonUnhealthy::TimerOverdue { wake_at, overdue_ms } => {
            object.text("wakeAt", wake_at);
            object.number("overdueMs", *overdue_ms);
        }
        ReasonUnhealthy::UiHeartbeatStale { last_seen_at } => object.text("lastSeenAt", last_seen_at),
        ReasonUnhealthy::DbLock | ReasonUnhealthy::SandboxUnreachable => {}
        ReasonUnhealthy::SupervisorBackoff { attempt, next_at } => {
            object.number("attempt", *attempt);
            object.text("nextAt", next_at);
        }
        ReasonUnhealthy::Foreign(reason) => return object.instead(reason.json()),
    }
    object.end();
}

/// A reason in the making.
struct Object<'a> {
    out: &'a mut String,
    begin: usize,
}

impl<'a> Object<'a> {
    fn new(out: &'a mut String, kind: &str) -> Self {
        let begin = out.len();
        out.push_str("{\"kind\":");
        push_json(out, kind);
        Self { out, begin }
    }

    fn key(&mut self, key: &str) {
        self.out.push_str(",\"");
        self.out.push_str(key);
        self.out.push_str("\":");
    }

    fn text(&mut self, key: &str, value: &str) {
        self.key(key);
        push_json(self.out, value);
    }

    fn number(&mut self, key: &str, value: Number) {
        self.key(key);
        let text = if value.0.is_finite() { value.to_text() } else { "null".to_owned() };
        self.out.push_str(&text);
    }

    /// Another text in its place.
    fn instead(self, json: &str) {
        self.out.truncate(self.begin);
        self.out.push_str(json);
    }

    fn end(self) {
        self.out.push('}');
    }
}

#[cfg(test)]
mod tests {
    use super::RunStateView;

    #[test]
    fn every_kind_is_written_as_serde_writes_it() {
        let fields = r#""nodeId":"n\"\n","requestedAt":"t","correlationKey":"ü","wakeAt":"t","code":"c","toolName":"t",
            "quotaBlockedCount":1.5,"resetAtMs":1e21,"lastHeartbeatAt":"t","overdueMs":-1,"lastSeenAt":"t","attempt":1,
            "nextAt":"t""#;
        for (blocked, unhealthy) in [
            ("approval", "engine-heartbeat-stale"),
            ("event", "timer-overdue"),
            ("timer", "ui-heartbeat-stale"),
            ("provider", "db-lock"),
            ("tool", "sandbox-unreachable"),
            ("approval-decided-resume-required", "supervisor-backoff"),
            ("external-trigger", "moon"),
            ("quota", "moon"),
            ("moon", "db-lock"),
        ] {
            let text = format!(
                r#"{{"runId":"r\u0001","computedAt":"t","state":"\\",
                    "blocked":{{"kind":"{blocked}",{fields}}},"unhealthy":{{"kind":"{unhealthy}",{fields}}}}}"#
            );
            let view: RunStateView = serde_json::from_str(&text).unwrap();
            let mut out = String::new();
            view.write_json(&mut out);
            assert_eq!(out, serde_json::to_string(&view).unwrap());
        }
    }
}
