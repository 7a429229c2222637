//! What the events of a run say about it, as a plain object.

use runstate::log::{Caveat, LogCounts, LogNode, LogView, Tokens, ToolCalls};
use runstate::word::Vocabulary;
use wasm_bindgen::JsValue;

use crate::evidence::evidence_to_js;
use crate::text;
use crate::view::blocked_to_js;
use crate::write::{Writer, list, map_of_numbers};

pub(crate) fn view_to_js(view: &LogView) -> JsValue {
    let mut object = Writer::new();
    object.optional_text("runId", view.run_id.as_deref());
    object.optional_text("workflow", view.workflow.as_deref());
    object.text("state", view.state.as_str());
    object.optional("blocked", view.blocked.as_ref().map(blocked_to_js));
    object.value("evidence", &evidence_to_js(&view.evidence));
    object.flag("acrossGap", view.across_gap);
    object.value("caveats", &list(view.caveats.iter().map(caveat_to_js)));
    object.time("asOfMs", view.as_of);
    object.optional("ageMs", view.age_ms.map(JsValue::from_f64));
    object.time("startedAtMs", view.started_at);
    object.time("endedAtMs", view.ended_at);
    object.number("starts", f64::from(view.starts));
    object.optional_text("continuedAs", view.continued_as.as_deref());
    object.optional_text("error", view.error.as_deref());
    object.texts("failedChildren", &view.failed_children);
    object.number("failedChildCount", view.failed_child_count as f64);
    let nodes = view.nodes.iter().map(|(state, count)| (state.as_str(), *count as f64));
    object.value("nodes", &map_of_numbers(nodes));
    object.number("openApprovals", view.open_approvals as f64);
    object.number("openTimers", view.open_timers as f64);
    object.value("calls", &calls_to_js(view.calls));
    object.value("tokens", &tokens_to_js(&view.tokens));
    object.value("counts", &counts_to_js(&view.counts));
    let others = view.other_runs.iter().map(|run| {
        let mut object = Writer::new();
        object.text("runId", &run.run_id);
        object.text("state", run.state.as_str());
        object.finish()
    });
    object.value("otherRuns", &list(others));
    object.finish()
}

fn caveat_to_js(caveat: &Caveat) -> JsValue {
    let mut object = Writer::new();
    match caveat {
        Caveat::Lost { events, gaps } => {
            object.word("kind", "lost");
            object.number("events", *events as f64);
            object.number("gaps", *gaps as f64);
        }
        Caveat::LeftOut { events, gaps } => {
            object.word("kind", "left-out");
            object.number("events", *events as f64);
            object.number("gaps", *gaps as f64);
        }
        Caveat::Unread { lines } => {
            object.word("kind", "unread");
            object.number("lines", *lines as f64);
        }
        Caveat::Repeated { events } => {
            object.word("kind", "repeated");
            object.number("events", *events as f64);
        }
        Caveat::NoStart => object.word("kind", "no-start"),
        Caveat::FromNodes => object.word("kind", "from-nodes"),
        Caveat::AfterTheEnd { events } => {
            object.word("kind", "after-the-end");
            object.number("events", f64::from(*events));
        }
        Caveat::EndMayBeMissing => object.word("kind", "end-may-be-missing"),
    }
    object.finish()
}

pub(crate) fn node_to_js(node: &LogNode) -> JsValue {
    let mut object = Writer::new();
    object.text("nodeId", &node.node_id);
    object.number("iteration", f64::from(node.iteration));
    object.optional("state", node.state.map(|state| text::word(state.as_str())));
    object.flag("retrying", node.retrying);
    object.optional("attempt", node.attempt.map(JsValue::from));
    object.number("starts", f64::from(node.starts));
    object.time("changedAtMs", node.changed_at);
    object.time("startedAtMs", node.started_at);
    object.time("endedAtMs", node.ended_at);
    object.number("heartbeats", f64::from(node.heartbeats));
    object.time("heartbeatAtMs", node.heartbeat_at);
    object.flag("acrossGap", node.across_gap);
    object.optional("row", node.row.map(JsValue::from));
    object.value("calls", &calls_to_js(node.calls));
    object.value("tokens", &tokens_to_js(&node.tokens));
    object.finish()
}

fn calls_to_js(calls: ToolCalls) -> JsValue {
    let mut object = Writer::new();
    object.number("started", calls.started as f64);
    object.number("answered", calls.answered as f64);
    object.number("failed", calls.failed as f64);
    object.finish()
}

fn tokens_to_js(tokens: &Tokens) -> JsValue {
    let mut object = Writer::new();
    object.number("reports", tokens.reports as f64);
    object.number("input", tokens.input);
    object.number("output", tokens.output);
    object.number("cacheRead", tokens.cache_read);
    object.number("cacheWrite", tokens.cache_write);
    object.number("reasoning", tokens.reasoning);
    object.finish()
}

fn counts_to_js(counts: &LogCounts) -> JsValue {
    let mut object = Writer::new();
    object.number("lines", counts.lines as f64);
    object.number("events", counts.events as f64);
    object.number("unread", counts.unread as f64);
    object.number("repeated", counts.repeated as f64);
    object.number("gaps", counts.gaps as f64);
    object.number("lost", counts.lost as f64);
    object.finish()
}
