//! The payloads of `listNodeStates`, `getRun` and `listRuns` (protocol section 3.3).

use serde::Deserialize;

use super::{NodeState, RunRow};
use crate::inspection::NodeStatus;
use crate::json::{ReadError, Slice, items, typed};
use crate::time::Millis;
use crate::word::Word;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct StatusRow {
    node_id: String,
    #[serde(default)]
    iteration: u32,
    state: Word<NodeState>,
    last_attempt: Option<u32>,
    label: Option<String>,
    updated_at_ms: Option<f64>,
    started_at_ms: Option<f64>,
    finished_at_ms: Option<f64>,
}

impl From<StatusRow> for NodeStatus {
    fn from(row: StatusRow) -> Self {
        Self {
            node_id: row.node_id,
            iteration: row.iteration,
            state: row.state,
            last_attempt: row.last_attempt,
            label: row.label,
            updated_at: row.updated_at_ms.map(Millis),
            started_at: row.started_at_ms.map(Millis),
            finished_at: row.finished_at_ms.map(Millis),
        }
    }
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
    items(Slice::new(payload))?.map(|row| typed::<StatusRow>(row?).map(Into::into)).collect()
}

/// Reads the payload of `getRun`.
///
/// # Errors
/// [`ReadError`] for broken JSON and for a row without `runId`.
pub fn read_run(payload: &str) -> Result<RunRow, ReadError> {
    typed(Slice::new(payload))
}

/// Reads the payload of `listRuns`.
///
/// # Errors
/// [`ReadError`] for broken JSON and for rows without `runId`.
pub fn read_runs(payload: &str) -> Result<Vec<RunRow>, ReadError> {
    items(Slice::new(payload))?.map(|row| typed(row?)).collect()
}
