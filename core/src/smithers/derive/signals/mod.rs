//! Reads many run rows in one text, for the derivation only.
//!
//! Rows as the Gateway and the database write them are read in one pass without copies (`scanner`). Any other row is read
//! as a [`RunRow`]. If that fails, the whole text is read again as rows, so that only one place produces errors.

mod scanner;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use super::RunSignals;
use crate::json::{ReadError, Slice, lines};
use crate::smithers::wire::{RunRow, RunStatus, read_run, read_runs};
use crate::text;
use crate::word::Word;
use scanner::RowScanner;

/// The part of a run row that the derivation reads.
#[derive(Clone, Debug, PartialEq)]
pub struct RowSignals<'a> {
    run_id: Cow<'a, str>,
    status: Option<Word<RunStatus>>,
    started_at_ms: Option<f64>,
    heartbeat_at_ms: Option<f64>,
    runtime_owner_id: Option<Cow<'a, str>>,
    /// Present only for a status that needs it.
    error_json: Option<Cow<'a, str>>,
}

impl<'a> From<&'a RowSignals<'_>> for RunSignals<'a> {
    fn from(row: &'a RowSignals) -> Self {
        Self {
            run_id: &row.run_id,
            status: row.status.as_ref(),
            started_at_ms: row.started_at_ms,
            heartbeat_at_ms: row.heartbeat_at_ms,
            runtime_owner_id: row.runtime_owner_id.as_deref(),
            error_json: row.error_json.as_deref(),
        }
    }
}

impl From<RunRow> for RowSignals<'_> {
    fn from(row: RunRow) -> Self {
        let needs_error = needs_error(row.status.as_ref());
        Self {
            run_id: row.run_id.into(),
            status: row.status,
            started_at_ms: row.started_at_ms,
            heartbeat_at_ms: row.heartbeat_at_ms,
            runtime_owner_id: row.runtime_owner_id.map(Cow::Owned),
            error_json: row.error_json.filter(|_| needs_error).map(Cow::Owned),
        }
    }
}

fn needs_error(status: Option<&Word<RunStatus>>) -> bool {
    status.and_then(Word::known) == Some(RunStatus::WaitingQuota)
}

/// Reads run rows: a JSON list, or lines with one row each. Empty lines are ignored. The errors are those of [`read_run`].
///
/// # Errors
/// [`ReadError`] for broken JSON, a row without `runId`, a field of another type and a duplicate field; its offset
/// counts from the start of the text.
///
/// ```
/// use runstate::smithers::derive::{DeriveRunStateInput, derive_run_state_view, read_row_signals};
/// use runstate::time::Millis;
///
/// let lines = "{\"runId\":\"a\",\"status\":\"finished\"}\n{\"run_id\":\"b\",\"status\":\"paused\"}";
/// let mut states = Vec::new();
/// for row in &read_row_signals(lines)? {
///     states.push(derive_run_state_view(&DeriveRunStateInput::new(row, Millis(0.0))).unwrap().state.to_string());
/// }
/// assert_eq!(states, ["succeeded", "paused"]);
/// # Ok::<(), runstate::json::ReadError>(())
/// ```
pub fn read_row_signals(text: &str) -> Result<Vec<RowSignals<'_>>, ReadError> {
    let mut rows = RowScanner::default();
    let list = text.trim_ascii_start().starts_with('[');
    let read = if list { rows.list(text) } else { text.split('\n').try_for_each(|line| rows.line(line)) };
    match read {
        Some(()) => Ok(rows.found),
        None if list => read_list(text),
        None => read_lines(text),
    }
}

fn read_list(text: &str) -> Result<Vec<RowSignals<'_>>, ReadError> {
    let rows = read_runs(text)?;
    // The list was read up to its end and no further.
    Slice::from_text(text)?;
    Ok(rows.into_iter().map(RowSignals::from).collect())
}

fn read_lines(text: &str) -> Result<Vec<RowSignals<'_>>, ReadError> {
    let mut rows = Vec::new();
    for line in lines(text.as_bytes()).filter(|line| !line.bytes.trim_ascii().is_empty()) {
        let at_line = |error: ReadError| ReadError { offset: line.offset + error.offset, ..error };
        let row = text::slice(text, line.offset..line.offset + line.bytes.len());
        let row = row.strip_suffix('\n').unwrap_or(row);
        rows.push(read_run(row).map_err(at_line)?.into());
    }
    Ok(rows)
}
