//! Many run rows in one text, read for the derivation alone.
//!
//! A row that the Gateway or the database writes is read in one pass (`quick`), nothing of it is copied. Any other row is
//! read as a [`RunRow`]; and where that fails, the text is read again as rows, so that it is refused in one place alone.

#[cfg(test)]
mod agreement;
mod quick;

use std::borrow::Cow;

use super::RunSignals;
use crate::json::{ReadError, Slice};
use crate::smithers::wire::{RunRow, RunStatus, read_run, read_runs};
use crate::word::Word;
use quick::Rows;

/// What the derivation reads of a run row.
#[derive(Clone, Debug, PartialEq)]
pub struct RowSignals<'a> {
    run_id: Cow<'a, str>,
    status: Option<Word<RunStatus>>,
    started_at_ms: Option<f64>,
    heartbeat_at_ms: Option<f64>,
    runtime_owner_id: Option<Cow<'a, str>>,
    /// Kept where the status asks for it.
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
        let asks = asks_for_error(row.status.as_ref());
        Self {
            run_id: row.run_id.into(),
            status: row.status,
            started_at_ms: row.started_at_ms,
            heartbeat_at_ms: row.heartbeat_at_ms,
            runtime_owner_id: row.runtime_owner_id.map(Cow::Owned),
            error_json: row.error_json.filter(|_| asks).map(Cow::Owned),
        }
    }
}

fn asks_for_error(status: Option<&Word<RunStatus>>) -> bool {
    status.and_then(Word::known) == Some(RunStatus::WaitingQuota)
}

/// Reads run rows: a JSON list of them, or lines with one each; empty lines count for nothing.
///
/// What is refused, and where, is what [`read_runs`] and [`read_run`] refuse.
///
/// # Errors
/// [`ReadError`] for broken JSON, a row without `runId`, a field of another type and a field that is there twice; its offset
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
    let mut rows = Rows::default();
    let list = text.trim_ascii_start().starts_with('[');
    let read = if list { rows.list(text) } else { text.split('\n').try_for_each(|line| rows.line(line)) };
    match read {
        Some(()) => Ok(rows.found),
        None if list => with_refusals_of_a_list(text),
        None => with_refusals_of_lines(text),
    }
}

fn with_refusals_of_a_list(text: &str) -> Result<Vec<RowSignals<'_>>, ReadError> {
    let rows = read_runs(text)?;
    // The list was read up to its end and no further.
    Slice::of_text(text)?;
    Ok(rows.into_iter().map(RowSignals::from).collect())
}

fn with_refusals_of_lines(text: &str) -> Result<Vec<RowSignals<'_>>, ReadError> {
    let mut begin = 0;
    let mut rows = Vec::new();
    for line in text.split('\n') {
        if !line.trim_ascii().is_empty() {
            let at_line = |error: ReadError| ReadError { offset: begin + error.offset, ..error };
            rows.push(read_run(line).map_err(at_line)?.into());
        }
        begin += line.len() + 1;
    }
    Ok(rows)
}
