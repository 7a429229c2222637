//! The row of a run, from the database or from the Gateway's `getRun` and `listRuns`.

use super::{RunStateView, RunStatus};
use crate::json::{ReadError, Slice, decisive, optional, optionals, read_with_serde, spelt_fields};
use crate::number::Number;
use crate::sorted_index::SortedIndex;
use crate::word::Word;

/// A run row (protocol section 4): camelCase as the Gateway sends it, or `snake_case` as the database has it.
///
/// Times are milliseconds since 1970. Fields that a viewer does not need are not read. `configJson` and `workflowPath`
/// are omitted on purpose: they contain scopes, token ids and absolute paths.
///
/// ```
/// use runstate::smithers::wire::RunRow;
///
/// let sent: RunRow = serde_json::from_str(r#"{"runId":"r1","status":"running","heartbeatAtMs":5}"#)?;
/// let stored: RunRow = serde_json::from_str(r#"{"run_id":"r1","status":"running","heartbeat_at_ms":5}"#)?;
/// assert_eq!(sent, stored);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct RunRow {
    /// The run's id.
    pub run_id: String,
    /// The status column; `None` if missing or null.
    pub status: Option<Word<RunStatus>>,
    /// The run that started this one, or that this one continues.
    pub parent_run_id: Option<String>,
    /// The workflow's name.
    pub workflow_name: Option<String>,
    /// The key under which the Gateway registered the workflow.
    pub workflow_key: Option<String>,
    /// When the row was written.
    pub created_at_ms: Option<f64>,
    /// When the engine started.
    pub started_at_ms: Option<f64>,
    /// When the run ended.
    pub finished_at_ms: Option<f64>,
    /// The engine's last report.
    pub heartbeat_at_ms: Option<f64>,
    /// The process that owns the run, `pid:N…`.
    pub runtime_owner_id: Option<String>,
    /// The run's error, or the quota's numbers, as JSON text.
    pub error_json: Option<String>,
    /// The time of a request to cancel.
    pub cancel_requested_at_ms: Option<f64>,
    /// The time of a request to pause.
    pub pause_requested_at_ms: Option<f64>,
    /// The number of nodes in each state; only in `getRun`.
    pub summary: Option<Vec<(String, u64)>>,
    /// The server's own answer; only in `getRun`.
    pub run_state: Option<RunStateView>,
    /// The number of tolerated failures of a succeeded run.
    pub failed_children: Option<Number>,
    /// The keys of the failed nodes.
    pub failed_child_keys: Option<Vec<String>>,
    /// Whether the document has no heartbeat column, which says nothing; null says that there was no heartbeat.
    pub lacks_heartbeat: bool,
    /// Whether the document has no owner column, which says nothing; null says that there is no owner.
    pub lacks_owner: bool,
}

/// The fields as the Gateway writes them: fields of different types, then texts, then numbers.
const NAMES: [&str; 17] = [
    "runId",
    "status",
    "summary",
    "runState",
    "failedChildKeys",
    "parentRunId",
    "workflowName",
    "workflowKey",
    "runtimeOwnerId",
    "errorJson",
    "createdAtMs",
    "startedAtMs",
    "finishedAtMs",
    "heartbeatAtMs",
    "cancelRequestedAtMs",
    "pauseRequestedAtMs",
    "failedChildren",
];

/// The database columns that have different names.
const COLUMNS: [&str; 17] = [
    "run_id",
    "",
    "",
    "",
    "",
    "parent_run_id",
    "workflow_name",
    "",
    "runtime_owner_id",
    "error_json",
    "created_at_ms",
    "started_at_ms",
    "finished_at_ms",
    "heartbeat_at_ms",
    "cancel_requested_at_ms",
    "pause_requested_at_ms",
    "",
];

impl RunRow {
    pub(crate) fn read(slice: Slice<'_>) -> Result<Self, ReadError> {
        let [run_id, status, summary, run_state, failed_child_keys, rest @ ..] =
            spelt_fields(slice, NAMES, COLUMNS, "a run")?;
        let [parent, name, key, owner, error, numbers @ ..] = rest;
        let [parent_run_id, workflow_name, workflow_key, runtime_owner_id] =
            optionals([parent, name, key, owner], Slice::read_text)?;
        let [created, started, finished, heartbeat, cancel, pause, failed_children] = numbers;
        let [
            created_at_ms,
            started_at_ms,
            finished_at_ms,
            heartbeat_at_ms,
            cancel_requested_at_ms,
            pause_requested_at_ms,
        ] = optionals([created, started, finished, heartbeat, cancel, pause], Slice::read_time)?;
        let failed_children = optional(failed_children, Slice::read_count)?;
        // A value that cannot be read says as little as none.
        let lacks_heartbeat = heartbeat_at_ms.is_none() && !is_null(heartbeat);
        let lacks_owner = runtime_owner_id.is_none() && !is_null(owner);
        Ok(Self {
            run_id: slice.need("runId", run_id)?.read_text()?,
            status: decisive(status, Slice::read)?,
            parent_run_id,
            workflow_name,
            workflow_key,
            created_at_ms,
            started_at_ms,
            finished_at_ms,
            heartbeat_at_ms,
            runtime_owner_id,
            error_json: error.filter(|error| error.json() != "null").map(json_text),
            cancel_requested_at_ms,
            pause_requested_at_ms,
            summary: optional(summary, read_summary)?,
            run_state: optional(run_state, RunStateView::read_in_row)?,
            failed_children: failed_children.map(|count| Number(count as f64)),
            failed_child_keys: optional(failed_child_keys, Slice::read)?,
            lacks_heartbeat,
            lacks_owner,
        })
    }
}

read_with_serde!(RunRow);

fn is_null(field: Option<Slice<'_>>) -> bool {
    field.is_some_and(|field| field.json() == "null")
}

/// JSON as text. A database driver may have parsed the column: then it is the value itself.
fn json_text(slice: Slice<'_>) -> String {
    slice.text().unwrap_or_else(|| slice.json().to_owned())
}

/// The number of nodes in each state.
fn read_summary(slice: Slice<'_>) -> Result<Vec<(String, u64)>, ReadError> {
    let entries = slice.read_counts("the number of nodes in each state")?;
    let mut counts: Vec<(String, u64)> = Vec::new();
    // Sorting keeps this fast for a text with very many states.
    let places = SortedIndex::new(entries.iter().zip(0..).map(|((state, _), place)| (&**state, place)));
    for (state, place) in places.sorted() {
        let count = entries.get(place as usize).map_or(0, |(_, count)| *count);
        match counts.last_mut() {
            // As in JavaScript, the last of equal keys counts.
            Some((counted, last)) if counted == state => *last = count,
            Some(_) | None => counts.push((state.to_owned(), count)),
        }
    }
    Ok(counts)
}

#[cfg(test)]
mod tests {
    use super::read_summary;
    use crate::json::Slice;

    fn read(text: &str) -> Vec<(String, u64)> {
        read_summary(Slice::from_text(text).unwrap()).unwrap()
    }

    #[test]
    fn states_are_in_order_and_the_last_duplicate_counts() {
        assert!(read("{}").is_empty());
        let counts = read(r#"{"pending":9,"failed":1,"pending":2,"cancelled":3,"failed":0,"pending":1}"#);
        let expected = [("cancelled", 3), ("failed", 0), ("pending", 1)];
        assert_eq!(counts, expected.map(|(state, count)| (state.to_owned(), count)));
        for text in [
            "[]",
            "5",
            "null",
            r#"{"a":-1}"#,
            r#"{"a":"1"}"#,
            r#"{"a":9007199254740993}"#,
            r#"{"a":18446744073709551615}"#,
            r#"{"a":1.5}"#,
        ] {
            assert!(read_summary(Slice::from_text(text).unwrap()).is_err(), "{text}");
        }
    }

    #[test]
    fn many_states_take_no_longer_than_their_text() {
        // Comparing each with each would be ten thousand million comparisons.
        let states: Vec<String> = (0..100_000).rev().map(|state| format!("\"{state:06}\":{state}")).collect();
        let counts = read(&format!("{{{}}}", states.join(",")));
        assert_eq!(counts.len(), 100_000);
        assert!(counts.is_sorted());
    }
}
