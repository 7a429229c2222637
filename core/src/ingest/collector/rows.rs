//! Reads rows that do not contain a run's state: attempts, nodes, approvals and frames.

use super::markup;
use crate::json::{ReadError, Slice, decisive, fields, optional, row_fields};
use crate::run::RunInspection;
use crate::run::error_text;
use crate::smithers::wire::NodeStatus;
use crate::smithers::wire::{
    Attempt, NodeState, ReasonBlocked, read_approval, read_awaited_signal, read_event, read_timer,
};
use crate::text::concat;
use crate::time::Millis;
use crate::word::Word;

pub(super) fn node_id(row: Slice<'_>) -> Result<String, ReadError> {
    let [node_id] = row_fields(row, ["nodeId"], ["node_id"])?;
    row.need("nodeId", node_id)?.read_text()
}

/// Describes an attempt with its error.
pub(super) fn attempt(row: Slice<'_>) -> Result<String, ReadError> {
    let [attempt, state, error] = row_fields(row, ["attempt", "state", "errorJson"], ["", "", "error_json"])?;
    let error = optional(error, Slice::read_text)?.and_then(|error| error_text(&error));
    let node = node_id(row)?;
    Ok(concat(&[
        &node,
        ", attempt ",
        &text_or_json(attempt),
        " ",
        &text_or_json(state),
        &error_suffix(error),
    ]))
}

/// Reads the reason of a waiting attempt in the same way as `computeRunState`.
pub(super) fn read_wait(row: Slice<'_>, attempt: &mut Attempt) -> Result<Option<ReasonBlocked>, ReadError> {
    let [meta] = row_fields(row, ["metaJson"], ["meta_json"])?;
    let Some(meta) = optional(meta, Slice::read_text)? else { return Ok(None) };
    [attempt.signal, attempt.correlation_id] = read_awaited_signal(&meta).unwrap_or_default();
    let node_id = attempt.node_id.clone();
    Ok(match attempt.state.known() {
        Some(NodeState::WaitingTimer) => read_timer(&meta)
            .and_then(|at| Millis(at).to_iso().ok())
            .map(|wake_at| ReasonBlocked::Timer { node_id, wake_at }),
        Some(NodeState::WaitingEvent) => {
            read_event(&meta).map(|correlation_key| ReasonBlocked::Event { node_id, correlation_key })
        }
        Some(_) | None => None,
    })
}

/// Returns a text, or another value as JSON.
fn text_or_json(field: Option<Slice<'_>>) -> String {
    field.map_or_else(String::new, |field| field.text().unwrap_or_else(|| field.json().to_owned()))
}

pub(super) fn error_suffix(error: Option<String>) -> String {
    error.map(|error| concat(&[": ", &error])).unwrap_or_default()
}

/// Reads an approval. An open approval blocks its node.
pub(super) fn approval(row: Slice<'_>, run: &mut RunInspection) -> Result<String, ReadError> {
    let [iteration, requested, status, title, workflow] = row_fields(
        row,
        ["iteration", "requestedAtMs", "status", "requestTitle", "workflowKey"],
        ["", "requested_at_ms", "", "", ""],
    )?;
    let status = decisive(status, Slice::read_text)?;
    let title = optional(title, Slice::read_text)?;
    let requested = optional(requested, Slice::read_time)?;
    let iteration = optional(iteration, Slice::read_small)?.unwrap_or(0);
    run.workflow = optional(workflow, Slice::read_text)?;
    let node = node_id(row)?;
    let words = status.as_deref().or(title.as_deref()).unwrap_or("requested");
    let words = concat(&[&node, ", ", words]);
    // The Gateway lists open approvals only; the rows of the database have a status.
    if status.is_none_or(|status| status == "requested") {
        let waits = NodeStatus::from_state(node, iteration, Word::Known(NodeState::WaitingApproval));
        run.nodes.push(NodeStatus { updated_at: requested.map(Millis), ..waits });
        run.approvals.push(read_approval(row)?);
    }
    Ok(words)
}

/// Reads a frame. The tree is that of the last frame that contains the whole tree rather than the changes.
pub(super) fn frame(row: Slice<'_>, run: &mut RunInspection) -> Result<String, ReadError> {
    let [frame_no, created, xml, index] = row_fields(
        row,
        ["frameNo", "createdAtMs", "xmlJson", "taskIndexJson"],
        ["frame_no", "created_at_ms", "xml_json", "task_index_json"],
    )?;
    let number = row.need("frameNo", frame_no)?.read_number()?;
    let at = optional(created, Slice::read_time)?.and_then(|at| Millis(at).to_iso().ok());
    let json = row.need("xmlJson", xml)?;
    let (xml, index) = (json.read_text()?, optional(index, Slice::read_text)?);
    let inner = |error: ReadError| json.refuse(error.message);
    let root = Slice::from_text(&xml).map_err(inner)?;
    let [kind] = fields(root, ["kind"]).map_err(inner)?;
    if kind.is_some() && run.frame_no.is_none_or(|known| known < number) {
        let index = index.as_deref().map(Slice::from_text).transpose().map_err(inner)?;
        run.tree = Some(markup::tree(root, index).map_err(inner)?);
        run.frame_no = Some(number);
    }
    let changes = if kind.is_some() { "" } else { ", kept as changes" };
    let at = at.map(|at| concat(&[" of ", &at])).unwrap_or_default();
    Ok(concat(&[frame_no.map_or("", Slice::json), &at, changes]))
}
