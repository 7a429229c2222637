//! The payloads of `listNodeStates`, `getRun` and `listRuns` (protocol section 3.3).

use super::RunRow;
use crate::json::{ReadError, Slice, Writer, lenient, lines, record};
use crate::smithers::wire::NodeState;
use crate::text;
use crate::time::Millis;
use crate::word::Word;

/// Reads the payload of `listNodeStates`.
///
/// ```
/// use runstate::smithers::wire::read_node_states;
///
/// let rows = read_node_states(r#"[{"nodeId":"nap","iteration":0,"state":"waiting-timer","lastAttempt":1}]"#)?;
/// assert_eq!(rows[0].state.as_str(), "waiting-timer");
/// # Ok::<(), runstate::json::ReadError>(())
/// ```
///
/// # Errors
/// [`ReadError`] for broken JSON and for rows without `nodeId` or `state`.
pub fn read_node_states(payload: &str) -> Result<Vec<NodeStatus>, ReadError> {
    Slice::new(payload).read()
}

/// Writes rows as [`read_node_states`] reads them.
pub(crate) fn write_node_states(rows: &[NodeStatus]) -> String {
    let mut out = Writer::default();
    out.list(rows, write_status);
    out.finish()
}

fn write_status(out: &mut Writer, row: &NodeStatus) {
    out.object(|out| {
        out.key("nodeId").text(&row.node_id);
        out.key("iteration").number(f64::from(row.iteration));
        out.key("state").text(row.state.as_str());
        out.optional_text("label", row.label.as_deref());
        for (key, value) in [
            ("lastAttempt", row.last_attempt.map(f64::from)),
            ("updatedAtMs", row.updated_at.map(|at| at.0)),
            ("startedAtMs", row.started_at.map(|at| at.0)),
            ("finishedAtMs", row.finished_at.map(|at| at.0)),
        ] {
            if let Some(value) = value {
                out.key(key).number(value);
            }
        }
    });
}

/// Reads the payload of `getRun`.
///
/// ```
/// use runstate::smithers::wire::read_run;
///
/// let row = read_run(r#"{"runId":"r1","status":"running","startedAtMs":1700000000000,"configJson":"{\"token\":\"…\"}"}"#)?;
/// assert_eq!(row.started_at_ms, Some(1_700_000_000_000.0));
/// assert_eq!(row.run_state, None); // the server did not say; that is not `unknown`
/// assert!(read_run(r#"{"status":"running"}"#).is_err());
/// # Ok::<(), runstate::json::ReadError>(())
/// ```
///
/// # Errors
/// [`ReadError`] for broken JSON and for a row without `runId`.
pub fn read_run(payload: &str) -> Result<RunRow, ReadError> {
    RunRow::read(Slice::from_text(payload)?)
}

/// Reads the payload of `listRuns`.
///
/// # Errors
/// [`ReadError`] for broken JSON and for rows without `runId`.
fn read_runs(payload: &str) -> Result<Vec<RunRow>, ReadError> {
    Slice::new(payload).read_items(RunRow::read)
}

/// Reads run rows: a JSON list, or lines with one row each. Empty lines are ignored. The errors are those of [`read_run`].
///
/// # Errors
/// [`ReadError`] for broken JSON, a row without `runId`, a field of another type and a duplicate field; its offset
/// counts from the start of the text.
///
/// ```
/// use runstate::smithers::derive::{DeriveRunStateInput, derive_run_state_view};
/// use runstate::smithers::wire::read_rows;
/// use runstate::time::Millis;
///
/// let lines = "{\"runId\":\"a\",\"status\":\"finished\"}\n{\"run_id\":\"b\",\"status\":\"paused\"}";
/// let mut states = Vec::new();
/// for row in &read_rows(lines)? {
///     states.push(derive_run_state_view(&DeriveRunStateInput::new(row, Millis(0.0))).unwrap().state.to_string());
/// }
/// assert_eq!(states, ["succeeded", "paused"]);
/// # Ok::<(), runstate::json::ReadError>(())
/// ```
pub fn read_rows(text: &str) -> Result<Vec<RunRow>, ReadError> {
    if text.trim_ascii_start().starts_with('[') {
        let rows = read_runs(text)?;
        // The list was read up to its end and no further.
        return Slice::from_text(text).map(|_| rows);
    }
    let mut rows = Vec::new();
    for line in lines(text.as_bytes()).filter(|line| !line.bytes.trim_ascii().is_empty()) {
        let at_line = |error: ReadError| ReadError { offset: line.offset + error.offset, ..error };
        let row = text::slice(text, line.offset..line.offset + line.bytes.len());
        rows.push(read_run(row.strip_suffix('\n').unwrap_or(row)).map_err(at_line)?);
    }
    Ok(rows)
}

record! {
    /// One row of `listNodeStates` (protocol section 3.3), of the database's table of nodes, or of the `nodes` in
    /// `smithers inspect`.
    #[derive(Clone, Debug, PartialEq)]
    #[serde(rename_all = "camelCase")]
    #[non_exhaustive]
    pub struct NodeStatus {
        /// The node's id as the workflow author wrote it.
        #[serde(alias = "node_id")]
        pub node_id: String,
        /// The iteration of a loop; 0 outside loops.
        #[serde(default, deserialize_with = "lenient")]
        pub iteration: u32,
        /// The state.
        pub state: Word<NodeState>,
        /// The last attempt's number, from 1.
        #[serde(alias = "last_attempt")]
        pub last_attempt: Option<u32>,
        /// The node's label.
        pub label: Option<String>,
        /// When the state was written.
        #[serde(rename = "updatedAtMs", alias = "updated_at_ms")]
        pub updated_at: Option<Millis>,
        /// When the node started.
        #[serde(rename = "startedAtMs")]
        pub started_at: Option<Millis>,
        /// When the node ended.
        #[serde(rename = "finishedAtMs")]
        pub finished_at: Option<Millis>,
    }
}

impl NodeStatus {
    /// A node with only its state.
    pub(crate) fn from_state(node_id: String, iteration: u32, state: Word<NodeState>) -> Self {
        Self {
            node_id,
            iteration,
            state,
            last_attempt: None,
            label: None,
            updated_at: None,
            started_at: None,
            finished_at: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{read_node_states, read_rows, read_run, read_runs};
    use crate::json::{ReadErrorKind, Slice};
    use crate::smithers::wire::read_attempt;

    #[test]
    fn text_after_a_payload_is_refused() {
        let run = r#"{"runId":"r","status":"running"}"#;
        for rest in ["]", "x", "[]", ",", "\n{}"] {
            let list = format!("[{run}]{rest}");
            let expected = read_run(&format!("{run}{rest}")).unwrap_err();
            let refused = [
                read_runs(&list).unwrap_err(),
                read_node_states(&format!("[]{rest}")).unwrap_err(),
                Slice::new(&format!("[]{rest}")).read_items(read_attempt).unwrap_err(),
            ];
            for error in refused {
                assert_eq!((error.kind, &error.message), (expected.kind, &expected.message), "{list}");
            }
        }
        assert_eq!(read_runs(&format!(" [{run}] \n")).unwrap().len(), 1);
    }

    #[test]
    fn rows_are_a_list_or_lines() {
        let row = r#"{"runId":"a"}"#;
        for text in [format!("[{row} , {row}]"), format!("{row}\n\r\n{row}\n"), format!("\n{row}\n{row}")] {
            assert_eq!(read_rows(&text).unwrap().len(), 2, "{text}");
        }
        for after in [" x", "]", " []", ",", "\n{}"] {
            let text = format!("[{row}]{after}");
            assert_eq!(read_rows(&text).unwrap_err().kind, ReadErrorKind::Syntax, "{text}");
        }
        for open in ["[", "[]", "[[]]", "[{}"] {
            assert_eq!(read_rows(open).is_ok(), open == "[]", "{open}");
        }
        // The offset of an error counts from the start of the text.
        let text = format!("{row}\n{{\"runId\":7}}");
        assert_eq!(read_rows(&text).unwrap_err().offset, row.len() + 1 + 9);
    }

    #[test]
    fn node_states_are_written_as_they_are_read() {
        use crate::smithers::wire::{read_node_states, write_node_states};

        let json = r#"[{"nodeId":"nap","iteration":0,"state":"waiting-timer","lastAttempt":1}]"#;
        assert_eq!(write_node_states(&read_node_states(json).unwrap()), json);
    }

    #[test]
    fn rows_are_read_from_a_list() -> Result<(), Box<dyn std::error::Error>> {
        let rows = read_runs(r#"[{"runId":"r2","status":"running"},{"runId":"r1","status":"hibernating"}]"#)?;
        let words: Vec<_> =
            rows.iter().filter_map(|row| row.status.as_ref()).map(crate::word::Word::as_str).collect();
        assert_eq!(words, ["running", "hibernating"]);
        Ok(())
    }
}
