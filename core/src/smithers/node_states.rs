//! The payloads of `listNodeStates`, `getRun` and `listRuns` (protocol section 3.3).

use super::RunRow;
use crate::inspection::NodeStatus;
use crate::json::{ReadError, Slice, fields, optional, optionals};
use crate::time::Millis;

fn read_status(slice: Slice<'_>) -> Result<NodeStatus, ReadError> {
    let [node_id, iteration, state, attempt, label, updated, started, finished] = fields(
        slice,
        [
            "nodeId",
            "iteration",
            "state",
            "lastAttempt",
            "label",
            "updatedAtMs",
            "startedAtMs",
            "finishedAtMs",
        ],
    )?;
    let [updated, started, finished] = optionals([updated, started, finished], Slice::read_number)?;
    Ok(NodeStatus {
        node_id: slice.need("nodeId", node_id)?.read_text()?,
        iteration: iteration.map_or(Ok(0), Slice::read_small)?,
        state: slice.need("state", state)?.read_word()?,
        last_attempt: optional(attempt, Slice::read_small)?,
        label: optional(label, Slice::read_text)?,
        updated_at: updated.map(Millis),
        started_at: started.map(Millis),
        finished_at: finished.map(Millis),
    })
}

/// Reads the payload of `listNodeStates`.
///
/// ```
/// use runstate::smithers::read_node_states;
///
/// let rows = read_node_states(r#"[{"nodeId":"nap","iteration":0,"state":"waiting-timer","lastAttempt":1}]"#)?;
/// assert_eq!(rows[0].state.as_str(), "waiting-timer");
/// # Ok::<(), runstate::json::ReadError>(())
/// ```
///
/// # Errors
/// [`ReadError`] for broken JSON and for rows without `nodeId` or `state`.
pub fn read_node_states(payload: &str) -> Result<Vec<NodeStatus>, ReadError> {
    Slice::new(payload).read_items(read_status)
}

/// Reads the payload of `getRun`.
///
/// # Errors
/// [`ReadError`] for broken JSON and for a row without `runId`.
pub fn read_run(payload: &str) -> Result<RunRow, ReadError> {
    RunRow::read(Slice::of_text(payload)?)
}

/// Reads the payload of `listRuns`.
///
/// # Errors
/// [`ReadError`] for broken JSON and for rows without `runId`.
pub fn read_runs(payload: &str) -> Result<Vec<RunRow>, ReadError> {
    Slice::new(payload).read_items(RunRow::read)
}
