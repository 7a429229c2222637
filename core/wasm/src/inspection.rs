//! A document of Smithers as one plain object.

use runstate::account::Account;
use runstate::inspection::{Inspection, NodeStatus, Refusal, RunInspection, Verdict};
use runstate::smithers::ToldBlocker;
use runstate::tree::{NodeIndex, Tree};
use runstate::word::Vocabulary;
use wasm_bindgen::JsValue;

use crate::evidence::evidence_to_js;
use crate::inspect::Options;
use crate::node::{facts, target_to_js};
use crate::text;
use crate::view::view_to_js;
use crate::write::{Writer, kept_json, list, map_of_numbers};

/// The object; the problems stand in `problems` where the reader took them out of the inspection. Beside it stands what the
/// account of each run is made of: that is written by a part of its own.
pub(crate) fn smithers_to_js(inspection: &Inspection, problems: &[String], options: &Options) -> JsValue {
    let mut object = Writer::new();
    object.word("system", "smithers");
    object.word("recognised", inspection.recognised.as_str());
    object.optional("run", inspection.run.as_ref().map(run_to_js));
    object.value("runs", &list(inspection.runs.iter().map(run_to_js)));
    object.optional("refusal", inspection.refusal.as_ref().map(refusal_to_js));
    object.texts("problems", problems);
    let runs = inspection.run.iter().chain(&inspection.runs);
    let packed = runs.map(|run| text::to_js(&Account::pack(run, options.clock, options.live)));
    let mut found = Writer::new();
    found.value("inspection", &object.finish());
    found.value("packed", &list(packed));
    found.finish()
}

pub(crate) fn refusal_to_js(refusal: &Refusal) -> JsValue {
    let mut object = Writer::new();
    object.text("code", &refusal.code);
    object.text("message", &refusal.message);
    object.optional_text("method", refusal.method.as_deref());
    object.finish()
}

fn run_to_js(run: &RunInspection) -> JsValue {
    let mut object = Writer::new();
    object.optional_text("runId", run.run_id.as_deref());
    object.optional_text("workflow", run.workflow.as_deref());
    object.optional("frameNo", run.frame_no.map(JsValue::from_f64));
    object.optional("seq", run.seq.map(JsValue::from_f64));
    object.time("createdAtMs", run.created_at);
    object.time("startedAtMs", run.started_at);
    object.time("finishedAtMs", run.finished_at);
    object.optional_text("parentRunId", run.parent_run_id.as_deref());
    object.value("verdict", &verdict_to_js(&run.verdict));
    let counts = run.summary.iter().map(|(state, count)| (state.as_str(), *count as f64));
    object.value("summary", &map_of_numbers(counts));
    object.value("nodes", &list(run.nodes.iter().map(node_to_js)));
    object.optional("tree", run.tree.as_ref().map(|tree| subtree_to_js(tree, tree.root())));
    object.optional_text("error", run.error.as_deref());
    object.texts("failedChildren", &run.failed_children);
    object.flag("continued", run.continued);
    object.value("told", &list(run.told.iter().map(told_to_js)));
    object.finish()
}

fn verdict_to_js(verdict: &Verdict) -> JsValue {
    let mut object = Writer::new();
    object.word(
        "source",
        match verdict {
            Verdict::Absent => "absent",
            Verdict::Said { .. } => "said",
            Verdict::Derived { .. } => "derived",
        },
    );
    object.optional("view", verdict.view().map(view_to_js));
    object.optional("evidence", verdict.evidence().map(evidence_to_js));
    object.finish()
}

fn node_to_js(node: &NodeStatus) -> JsValue {
    let mut object = Writer::new();
    object.text("nodeId", &node.node_id);
    object.number("iteration", f64::from(node.iteration));
    object.text("state", node.state.as_str());
    object.optional("lastAttempt", node.last_attempt.map(JsValue::from));
    object.optional_text("label", node.label.as_deref());
    object.time("updatedAtMs", node.updated_at);
    object.time("startedAtMs", node.started_at);
    object.time("finishedAtMs", node.finished_at);
    object.finish()
}

/// A node with all below it. The core bounds the depth, so this may call itself.
fn subtree_to_js(tree: &Tree, index: NodeIndex) -> JsValue {
    let node = tree.node(index);
    let mut object = facts(node);
    object.number("depth", f64::from(node.depth));
    object.value("props", &kept_json(node.props()));
    object.value("children", &list(node.children.iter().map(|child| subtree_to_js(tree, *child))));
    object.finish()
}

/// A blocker in the words of `smithers why`.
fn told_to_js(told: &ToldBlocker) -> JsValue {
    let mut object = Writer::new();
    object.text("kind", told.kind.as_str());
    object.optional("node", told.node.as_ref().map(target_to_js));
    object.text("reason", &told.reason);
    object.optional_text("command", told.command.as_deref());
    object.time("untilMs", told.until);
    object.finish()
}
