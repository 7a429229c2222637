//! `inspect`: anything pasted or dropped as one plain object.

use js_sys::{Array, Date, Reflect};
use runstate::conductor::{ConductorRun, Keys};
use runstate::document::{Content, Document, File, open};
use runstate::inspection::{Inspection, NodeStatus, Refusal, RunInspection, Verdict};
use runstate::lionagi;
use runstate::time::Millis;
use runstate::tree::{NodeIndex, Tree};
use runstate::word::{Vocabulary, Word};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::argument::bytes;
use crate::error::document_error;
use crate::evidence::evidence_to_js;
use crate::source::Js;
use crate::view::view_to_js;
use crate::write::{Writer, kept_json, list, map_of_numbers, value_of};

/// Reads a document, or several files that are one: what it is, and what it says of which runs.
///
/// # Errors
/// `INVALID_INPUT` where an argument is not what its type says, else the code, hint and position of what is wrong with
/// the document.
#[wasm_bindgen(skip_typescript)]
pub fn inspect(document: &JsValue, options: &JsValue) -> Result<JsValue, JsValue> {
    let options = Js::new(options);
    let (name, now) = options.read(|options| {
        if options.is_undefined() {
            return Ok((None, None));
        }
        Ok((options.option_text("name", "options.name")?, options.option_number("now", "options.now")?))
    })?;
    let several = Array::is_array(document) && Array::from(document).length() > 0;
    let files = if several { files(document)? } else { vec![(name, bytes(document, "document")?)] };
    let files: Vec<File<'_>> =
        files.iter().map(|(name, bytes)| File { name: name.as_deref(), bytes }).collect();
    let now = Millis(now.unwrap_or_else(Date::now));
    let opened = open(&files, now).map_err(|error| document_error(&error))?;
    Ok(match opened.content() {
        Content::Smithers(inspection) => smithers(&opened, inspection),
        Content::Lionagi(inspection) => of_lionagi(&opened, inspection),
        Content::Conductor(run) => conductor(&opened, run),
    })
}

/// The files of a list, each `{ name?, bytes }`.
fn files(document: &JsValue) -> Result<Vec<(Option<String>, Vec<u8>)>, JsValue> {
    let files = Array::from(document).into_iter().enumerate().map(|(place, file)| {
        let path = ["document[", &place.to_string(), "]"].concat();
        let part = |name: &str| Reflect::get(&file, &name.into()).unwrap_or(JsValue::UNDEFINED);
        let name = Js::new(&file).read(|file| file.option_text("name", &[&path, ".name"].concat()))?;
        Ok((name, bytes(&part("bytes"), &[&path, ".bytes"].concat())?))
    });
    files.collect()
}

/// What every inspection says.
fn begin(opened: &Document) -> Writer {
    let mut object = Writer::new();
    object.word("system", opened.system().as_str());
    object.word("recognised", opened.recognised());
    object
}

fn end(opened: &Document, mut object: Writer) -> JsValue {
    object.optional("refusal", opened.refusal().map(refusal_to_js));
    object.texts("problems", opened.problems());
    object.finish()
}

fn smithers(opened: &Document, inspection: &Inspection) -> JsValue {
    let mut object = begin(opened);
    object.optional("run", inspection.run.as_ref().map(run_to_js));
    object.value("runs", &list(inspection.runs.iter().map(run_to_js)));
    end(opened, object)
}

fn of_lionagi(opened: &Document, inspection: &lionagi::Inspection) -> JsValue {
    let mut object = begin(opened);
    object.optional("session", inspection.session.as_ref().map(|session| value_of(&session.to_json())));
    object.value("sessions", &list(inspection.sessions.iter().map(|session| value_of(&session.to_json()))));
    let counts = inspection.status_counts.iter().map(|(status, count)| (&**status, *count as f64));
    object.value("statusCounts", &map_of_numbers(counts));
    end(opened, object)
}

fn conductor(opened: &Document, run: &ConductorRun) -> JsValue {
    let mut object = begin(opened);
    object.value("run", &value_of(&run.to_json(Keys::Camel)));
    end(opened, object)
}

fn refusal_to_js(refusal: &Refusal) -> JsValue {
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
    let mut object = Writer::new();
    object.number("id", node.id.0 as f64);
    object.text("type", node.node_type.as_str());
    object.text("name", &node.name);
    object.text("title", node.title());
    object.optional_text("nodeId", node.node_id());
    object.optional_text("label", node.label());
    object.optional_text("state", node.state().map(Word::as_str));
    object.optional("iteration", node.iteration().map(JsValue::from));
    object.optional("attempt", node.attempt().map(JsValue::from));
    object.optional("maxAttempts", node.max_attempts().map(JsValue::from));
    object.number("depth", f64::from(node.depth));
    object.value("props", &kept_json(node.props()));
    object.value("children", &list(node.children.iter().map(|child| subtree_to_js(tree, *child))));
    object.finish()
}
