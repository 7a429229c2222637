//! Writes a run as the Gateway's answers.

use crate::text;
use std::borrow::Cow;

use crate::ingest::Piece;
use crate::json::Writer;
use crate::run::{RunInspection, Verdict};
use crate::smithers::wire::NodeStatus;
use crate::smithers::wire::write_attempt;
use crate::time::Millis;

/// The answers of `getRun`, `getDevToolsSnapshot`, `listNodeStates` and `attempts.list` that contain the run.
pub(super) fn pieces(run: &RunInspection, now: Millis) -> Vec<Piece<'static>> {
    let run_id = run.run_id.as_deref().unwrap_or_default();
    // What was derived is derived again, for the same moment.
    let derived_at = match &run.verdict {
        Verdict::Derived { view, .. } => view.said_at(),
        Verdict::Said { .. } | Verdict::Absent => None,
    };
    let piece = |method: &str, json: String| {
        let bytes = Cow::Owned(json.into_bytes());
        Piece::answer(bytes, method, run_id, derived_at.unwrap_or(now))
    };
    let mut pieces = vec![piece("getRun", row(run, run_id))];
    if let (Some(tree), Some(frame_no)) = (&run.tree, run.frame_no) {
        let mut out = Writer::default();
        out.object(|out| {
            out.key("version").number(1.0);
            out.key("runId").text(run_id);
            out.key("frameNo").number(frame_no);
            out.key("seq").number(run.seq.unwrap_or(frame_no));
            out.key("root").raw(&tree.to_json());
        });
        pieces.push(piece("getDevToolsSnapshot", out.finish()));
    }
    if !run.nodes.is_empty() {
        let mut out = Writer::default();
        out.list(&run.nodes, write_node);
        pieces.push(piece("listNodeStates", out.finish()));
    }
    for attempt in &run.attempts {
        let rows = write_attempt(attempt).map(|rows| piece("attempts.list", rows));
        pieces.extend(rows.map(|rows| Piece { at: attempt.read_at, ..rows }));
    }
    pieces
}

fn row(run: &RunInspection, run_id: &str) -> String {
    let mut out = Writer::default();
    out.object(|out| {
        out.key("runId").text(run_id);
        out.optional_text("workflowName", run.workflow.as_deref());
        match &run.status {
            Some(status) => out.key("status").text(status.as_str()),
            None => out.key("status").null(),
        }
        out.optional_text("parentRunId", run.parent_run_id.as_deref());
        let row = run.row.as_ref();
        time(out, "createdAtMs", run.created_at);
        time(out, "startedAtMs", run.started_at);
        time(out, "finishedAtMs", run.finished_at);
        time(out, "heartbeatAtMs", row.and_then(|row| row.heartbeat_at));
        out.optional_text("runtimeOwnerId", row.and_then(|row| row.owner.as_deref()));
        out.optional_text("errorJson", run.error.as_deref().map(text::json).as_deref());
        if !run.summary.is_empty() {
            out.key("summary").object(|out| {
                for (state, count) in &run.summary {
                    out.key(state.as_str()).number(*count as f64);
                }
            });
        }
        if run.failed_child_count > 0 {
            out.key("failedChildren").number(run.failed_child_count as f64);
        }
        if !run.failed_children.is_empty() {
            out.key("failedChildKeys").list(&run.failed_children, |out, key| out.text(key));
        }
        if let Verdict::Said { view, .. } = &run.verdict
            && let Ok(view) = serde_json::to_string(view)
        {
            out.key("runState").raw(&view);
        }
    });
    out.finish()
}

fn time(out: &mut Writer, key: &str, at: Option<Millis>) {
    if let Some(at) = at {
        out.key(key).number(at.0);
    }
}

fn write_node(out: &mut Writer, node: &NodeStatus) {
    out.object(|out| {
        out.key("nodeId").text(&node.node_id);
        out.key("iteration").number(f64::from(node.iteration));
        out.key("state").text(node.state.as_str());
        if let Some(attempt) = node.last_attempt {
            out.key("lastAttempt").number(f64::from(attempt));
        }
        out.optional_text("label", node.label.as_deref());
        time(out, "updatedAtMs", node.updated_at);
        time(out, "startedAtMs", node.started_at);
        time(out, "finishedAtMs", node.finished_at);
    });
}
