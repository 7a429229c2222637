//! Writes views as JSON without serde. For the 10 000 rows of `cargo xtask bench rows`, which requires 2.7 times the speed of
//! the released JavaScript, the module reached 2.9 to 3.0 times this way, and 2.4 to 2.6 times with serde, in alternating rounds.

use super::derivation::{DeriveRunStateInput, Finding};
use super::inputs::NoRecorder;
use super::rule::{apply_rule, derive_run_state_view};
use crate::number::Number;
use crate::smithers::wire::{ReasonBlocked, ReasonUnhealthy, RunStateView};
use crate::text::push_json;
use crate::time::InvalidTime;
use crate::word::Vocabulary;

/// The views of many runs as a JSON list.
///
/// ```
/// use runstate::smithers::derive::{DeriveRunStateInput, RunStateViews, read_row_signals};
/// use runstate::time::Millis;
///
/// let rows = read_row_signals("{\"runId\":\"a\",\"status\":\"finished\"}\n{\"runId\":\"b\"}").unwrap();
/// let mut views = RunStateViews::default();
/// for row in &rows {
///     views.push(&DeriveRunStateInput::new(row, Millis(0.0)))?;
/// }
/// let at = r#""computedAt":"1970-01-01T00:00:00.000Z""#;
/// assert_eq!(
///     views.finish(),
///     format!(r#"[{{"runId":"a",{at},"state":"succeeded"}},{{"runId":"b",{at},"state":"unknown"}}]"#),
/// );
/// # Ok::<(), runstate::time::InvalidTime>(())
/// ```
#[derive(Debug, Default)]
pub struct RunStateViews {
    json: String,
    /// The time of the last view, usually that of the next one too: milliseconds and ISO-8601.
    computed_at: Option<(f64, String)>,
}

impl RunStateViews {
    /// Adds the answer of [`derive_run_state`](super::derive_run_state), without the evidence.
    ///
    /// # Errors
    /// [`InvalidTime`] in the cases of that function; nothing is added then.
    pub fn push(&mut self, input: &DeriveRunStateInput) -> Result<(), InvalidTime> {
        if input.clock_error_ms.is_some() {
            let view = derive_run_state_view(input)?;
            self.json.push(if self.json.is_empty() { '[' } else { ',' });
            view.write_json(&mut self.json);
            return Ok(());
        }
        let computed_at = match &mut self.computed_at {
            Some((now, text)) if *now == input.now.0 => text,
            other => &mut other.insert((input.now.0, input.now.to_iso()?)).1,
        };
        let Finding { state, blocked, unhealthy } = apply_rule(input, &mut NoRecorder)?;
        self.json.push(if self.json.is_empty() { '[' } else { ',' });
        write(
            &mut self.json,
            [Some(input.run.run_id), Some(computed_at), Some(state.as_str())],
            blocked.as_ref(),
            unhealthy.as_ref(),
        );
        Ok(())
    }

    /// The list.
    pub fn finish(mut self) -> String {
        self.json.push_str(if self.json.is_empty() { "[]" } else { "]" });
        self.json
    }
}

impl RunStateView {
    /// Adds the view to a text as `serde_json` writes it.
    pub(crate) fn write_json(&self, out: &mut String) {
        let texts = [Some(&*self.run_id), self.computed_at.as_deref(), Some(self.state.as_str())];
        write(out, texts, self.blocked.as_ref(), self.unhealthy.as_ref());
    }
}

/// Writes a view. `texts` are its run id, its time and its state.
fn write(
    out: &mut String,
    texts: [Option<&str>; 3],
    reason: Option<&ReasonBlocked>,
    health: Option<&ReasonUnhealthy>,
) {
    let names = ["{\"runId\":", ",\"computedAt\":", ",\"state\":"];
    for (name, text) in names.into_iter().zip(texts) {
        if let Some(text) = text {
            out.push_str(name);
            push_json(out, text);
        }
    }
    if let Some(reason) = reason {
        out.push_str(",\"blocked\":");
        write_blocked(out, reason);
    }
    if let Some(reason) = health {
        out.push_str(",\"unhealthy\":");
        write_unhealthy(out, reason);
    }
    out.push('}');
}

fn write_blocked(out: &mut String, reason: &ReasonBlocked) {
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
        ReasonBlocked::Foreign(reason) => return object.replace(reason.json()),
    }
    object.end();
}

fn write_unhealthy(out: &mut String, reason: &ReasonUnhealthy) {
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
        ReasonUnhealthy::Foreign(reason) => return object.replace(reason.json()),
    }
    object.end();
}

/// The object of a reason.
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

    /// Replaces the object by another text.
    fn replace(self, json: &str) {
        self.out.truncate(self.begin);
        self.out.push_str(json);
    }

    fn end(self) {
        self.out.push('}');
    }
}

#[cfg(test)]
mod tests {
    use crate::smithers::wire::RunStateView;
    use crate::smithers::wire::read_run;

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

    #[test]
    fn a_missing_time_is_omitted_and_refused_only_outside_rows() {
        let text = r#"{"runId":"r","state":"running"}"#;
        let read_row =
            |view: &str| read_run(&format!(r#"{{"runId":"r","status":"running","runState":{view}}}"#));
        let view = read_row(text).unwrap().run_state.unwrap();
        assert_eq!((&view.computed_at, view.computed_time()), (&None, None));
        let mut out = String::new();
        view.write_json(&mut out);
        assert_eq!((out.as_str(), serde_json::to_string(&view).unwrap().as_str()), (text, text));
        assert_eq!(RunStateView::from_json(text).unwrap_err().message, "The field `computedAt` is missing.");
        for refused in ["null", "7", "{}", r#""t","computedAt":"t""#] {
            let text = format!(r#"{{"runId":"r","computedAt":{refused},"state":"running"}}"#);
            assert!(RunStateView::from_json(&text).is_err() && read_row(&text).is_err(), "{text}");
        }
    }
}
