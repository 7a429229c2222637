//! Reads the output of `smithers inspect RUN --json`.

use std::collections::BTreeMap;

use crate::json::{ReadError, Slice, decisive, fields, optional, optionals, row_fields};
use crate::run::RunInspection;
use crate::run::{error_text, server_verdict};
use crate::smithers::wire::NodeStatus;
use crate::smithers::wire::{RunStateView, RunStatus};
use crate::time::Millis;
use crate::word::Word;

/// Reads the command's output.
pub(crate) fn read_inspect_output(slice: Slice<'_>, read_from: &str) -> Result<RunInspection, ReadError> {
    let [run, run_state, steps, nodes, failed, failed_count] =
        fields(slice, ["run", "runState", "steps", "nodes", "failedChildKeys", "failedChildren"])?;
    let run = run.ok_or_else(|| slice.refuse("The output has no \"run\"."))?;
    let [id, workflow, status, parent, started, finished, error] =
        fields(run, ["id", "workflow", "status", "parentRunId", "started", "finished", "error"])?;
    let [workflow, parent_run_id, started, finished] =
        optionals([workflow, parent, started, finished], Slice::read_text)?;
    let moment = |text: Option<String>| text.as_deref().and_then(Millis::parse_iso);
    let status: Option<Word<RunStatus>> = decisive(status, Slice::read)?;
    let run_id = run.need("id", id)?.read_text()?;
    Ok(RunInspection {
        // The output has neither owner nor heartbeat, so no state can be derived without the server's state.
        verdict: server_verdict(&run_id, optional(run_state, RunStateView::read)?, None, read_from),
        run_id: Some(run_id),
        workflow,
        parent_run_id,
        started_at: moment(started),
        finished_at: moment(finished),
        nodes: optional(nodes.or(steps), read_nodes)?.unwrap_or_default().into(),
        error: error.and_then(|error| error_text(error.json())),
        failed_children: optional(failed, Slice::read)?.unwrap_or_default(),
        failed_child_count: optional(failed_count, Slice::read_count)?.unwrap_or(0),
        continued: status.as_ref().and_then(Word::known) == Some(RunStatus::Continued),
        status,
        ..RunInspection::default()
    })
}

/// Reads the nodes. The command lists the iterations of a loop in order, under one id and without a number, so they are
/// counted.
fn read_nodes(slice: Slice<'_>) -> Result<Vec<NodeStatus>, ReadError> {
    let mut rounds: BTreeMap<String, u64> = BTreeMap::new();
    let read = |item: Slice<'_>| {
        let [node_id, iteration, state, attempt, label] =
            row_fields(item, ["nodeId", "iteration", "state", "attempt", "label"], ["id", "", "", "", ""])?;
        let node_id = item.need("nodeId", node_id)?.read_text()?;
        let round = rounds.get(&node_id).map_or(0, |round| round + 1);
        rounds.insert(node_id.clone(), round);
        Ok(NodeStatus {
            iteration: optional(iteration, Slice::read_small)?.unwrap_or(round as u32),
            node_id,
            state: item.need("state", state)?.read()?,
            last_attempt: optional(attempt, Slice::read_small)?.filter(|attempt| *attempt > 0),
            label: optional(label, Slice::read_text)?,
            updated_at: None,
            started_at: None,
            finished_at: None,
        })
    };
    slice.read_items(read)
}
