//! What `smithers inspect RUN --json` prints.

use std::collections::HashMap;

use serde::Deserialize;

use super::run_inspection::{error_text, said};
use super::{NodeState, RunStateView, RunStatus};
use crate::inspection::{NodeStatus, RunInspection, Verdict};
use crate::json::{ReadError, Slice, fields, items, typed};
use crate::time::Millis;
use crate::word::Word;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RunPart {
    id: String,
    workflow: Option<String>,
    status: Option<Word<RunStatus>>,
    parent_run_id: Option<String>,
    started: Option<String>,
    finished: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct NodePart {
    #[serde(alias = "id")]
    node_id: String,
    iteration: Option<u32>,
    state: Word<NodeState>,
    attempt: Option<u32>,
    label: Option<String>,
}

/// Reads the command's output.
pub(crate) fn read_inspect_output(slice: Slice<'_>, read_from: &str) -> Result<RunInspection, ReadError> {
    let [run, run_state, steps, nodes, failed] =
        fields(slice, ["run", "runState", "steps", "nodes", "failedChildKeys"])?;
    let run = run.ok_or_else(|| slice.refuse("The output has no \"run\"."))?;
    let [error] = fields(run, ["error"])?;
    let part: RunPart = typed(run)?;
    let view: Option<RunStateView> = run_state.filter(|view| view.json() != "null").map(typed).transpose()?;
    let moment = |text: Option<String>| text.as_deref().and_then(Millis::parse_iso);
    Ok(RunInspection {
        run_id: Some(part.id),
        workflow: part.workflow,
        parent_run_id: part.parent_run_id,
        started_at: moment(part.started),
        finished_at: moment(part.finished),
        // The output has neither owner nor heartbeat: without the server's answer there is nothing to derive one from.
        verdict: view.map_or(Verdict::Absent, |view| said(view, None, read_from)),
        nodes: nodes.or(steps).map(read_nodes).transpose()?.unwrap_or_default(),
        error: error.and_then(|error| error_text(error.json())),
        failed_children: failed.map(typed).transpose()?.unwrap_or_default(),
        continued: part.status.as_ref().and_then(Word::known) == Some(RunStatus::Continued),
        ..RunInspection::default()
    })
}

/// Reads the nodes. The command lists the rounds of a loop in order under one id and without a number: they are counted.
fn read_nodes(slice: Slice<'_>) -> Result<Vec<NodeStatus>, ReadError> {
    let mut rounds: HashMap<String, u32> = HashMap::new();
    let read = |item: Result<Slice<'_>, ReadError>| {
        let node: NodePart = typed(item?)?;
        let round = rounds.entry(node.node_id.clone()).and_modify(|round| *round += 1).or_insert(0);
        Ok(NodeStatus {
            iteration: node.iteration.unwrap_or(*round),
            node_id: node.node_id,
            state: node.state,
            last_attempt: node.attempt.filter(|attempt| *attempt > 0),
            label: node.label,
            updated_at: None,
            started_at: None,
            finished_at: None,
        })
    };
    items(slice)?.map(read).collect()
}
