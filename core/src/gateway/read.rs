//! Reads small payloads, and run rows as inspections.

use crate::clock::Reading;
use crate::frame::read_refusal;
use crate::ingest::rows::{RowNames, RowResult, read_rows};
use crate::json::{ReadError, Slice, TypeMismatches, fields, locate};
use crate::problem::Problems;
use crate::refusal::Refusal;
use crate::run::RunInspection;
use crate::smithers::wire::{RunRow, RunStateView};
use crate::time::Millis;

/// Reads the heartbeat interval in the answer to `connect`, milliseconds.
pub(super) fn heartbeat_ms(payload: &str) -> Option<f64> {
    let [policy] = fields(Slice::new(payload), ["policy"]).ok()?;
    let [interval] = fields(policy?, ["heartbeatMs"]).ok()?;
    interval?.number()
}

/// Reads the run and the refusal in a `devtools.error`.
pub(super) fn stream_error(payload: &str) -> Option<(String, Refusal)> {
    let [run_id, error] = fields(Slice::new(payload), ["runId", "error"]).ok()?;
    Some((run_id?.text()?, read_refusal(error?, Some("streamDevTools"))))
}

/// Reads a `getRun` answer and its timestamp. `clock` is the server's; without it no state is derived.
pub(super) fn run(
    answer: Slice<'_>,
    clock: Option<Reading>,
) -> Result<(RunInspection, Option<Millis>), ReadError> {
    let row = RunRow::read(answer)?;
    let stamp = row.run_state.as_ref().and_then(RunStateView::computed_time);
    let run = inspection_from_row(&row, "getRun", clock);
    Ok((RunInspection { workflow_path: workflow_path(answer.json()), ..run }, stamp))
}

/// Reads the path of the workflow's file, which is absolute. A path of another computer on the network is left out: a copied
/// command would run what is there.
fn workflow_path(payload: &str) -> Option<String> {
    let [path] = fields(Slice::new(payload), ["workflowPath"]).ok()?;
    let path = path?.text()?;
    let is_absolute = match path.as_bytes() {
        [b'/', rest @ ..] => rest.first() != Some(&b'/'),
        [drive, b':', b'/' | b'\\', ..] => drive.is_ascii_alphabetic(),
        _ => false,
    };
    is_absolute.then_some(path)
}

/// Reads a row of a `listRuns` answer.
pub(super) fn listed_run(row: Slice<'_>, clock: Option<Reading>) -> Result<RunInspection, ReadError> {
    RunRow::read(row).map(|row| inspection_from_row(&row, "listRuns", clock))
}

/// The names of the rows of an answer. A frame bounds their number.
const ENTRIES: RowNames = RowNames { one: "Entry", many: "entries", limit: usize::MAX };

/// The rows of a list that could be read, and what is wrong with the others.
#[derive(Debug)]
pub(crate) struct Rows<T> {
    pub(crate) found: Vec<T>,
    pub(crate) problem: Option<String>,
}

/// Reads the rows of a list; one that cannot be read is left out.
///
/// # Errors
/// [`ReadError`] if the answer is no list, or if none of its rows can be read.
pub(super) fn rows<'a, T>(
    answer: Slice<'a>,
    read: impl Fn(Slice<'a>) -> Result<T, ReadError>,
) -> Result<Rows<T>, ReadError> {
    let mut found = Vec::new();
    let RowResult { read_count, error_count, first_error } =
        read_rows(answer, ENTRIES, &mut Problems::default(), |row, _| {
            found.push(read(row)?);
            Ok(())
        })?;
    let Some(first) = first_error else { return Ok(Rows { found, problem: None }) };
    if found.is_empty() {
        return Err(first);
    }
    let total = read_count + error_count;
    let problem = format!("{error_count} of {total} entries could not be read: {}", first.message);
    Ok(Rows { found, problem: Some(problem) })
}

/// Reads the rows of an answer of the second connection, tolerantly like those of the first.
///
/// # Errors
/// [`ReadError`] if the answer is no list, or if none of its rows can be read.
pub(crate) fn detail_rows<T>(
    answer: &str,
    read: impl Fn(Slice<'_>) -> Result<T, ReadError>,
) -> Result<Rows<T>, ReadError> {
    let lost = TypeMismatches::default();
    let Rows { found, problem } = rows(Slice::new(answer).tolerant(&lost), read)?;
    Ok(Rows { found, problem: problem.or_else(|| first_mismatch(lost, answer)) })
}

/// Describes the first field of another type in an answer, which counts as absent.
pub(super) fn first_mismatch(lost: TypeMismatches, answer: &str) -> Option<String> {
    let (offset, message) = lost.into_messages().into_iter().find(|(_, message)| !message.is_empty())?;
    Some(match locate(answer, offset).path {
        Some(path) => format!("`{path}`: {message}"),
        None => message,
    })
}

/// Makes an inspection from a row. Without the server's clock the time is NaN, so that no state is derived.
fn inspection_from_row(row: &RunRow, read_from: &str, clock: Option<Reading>) -> RunInspection {
    let clock = clock.unwrap_or(Reading::exact(Millis(f64::NAN)));
    RunInspection::from_row(row, read_from, clock)
}

#[cfg(test)]
mod tests {
    use super::{heartbeat_ms, run, stream_error};
    use crate::clock::Reading;
    use crate::frame::stamp;
    use crate::json::Slice;
    use crate::time::Millis;

    #[test]
    fn small_payloads_are_read_or_left() {
        assert_eq!(heartbeat_ms(r#"{"policy":{"heartbeatMs":2000}}"#), Some(2000.0));
        assert_eq!(stamp(Slice::new(r#"{"ts":5}"#)), Some(Millis(5.0)));
        for nonsense in
            ["null", "{}", r#"{"policy":{}}"#, r#"{"policy":5}"#, r#"{"policy":{"heartbeatMs":"2"}}"#]
        {
            assert_eq!(heartbeat_ms(nonsense), None, "{nonsense}");
            assert_eq!(stamp(Slice::new(nonsense)), None, "{nonsense}");
            assert_eq!(stream_error(nonsense), None, "{nonsense}");
        }
    }

    #[test]
    fn a_run_names_its_workflow_by_an_absolute_path_of_its_machine() {
        let path = |value: &str| {
            let row = format!(r#"{{"runId":"a","status":"running","workflowPath":{value}}}"#);
            run(Slice::new(&row), None).unwrap().0.workflow_path
        };
        for value in ["/srv/w.tsx", "C:/w.tsx", "c:\\\\w.tsx"] {
            let json = format!("\"{value}\"");
            assert_eq!(path(&json).as_deref(), Some(value.replace("\\\\", "\\").as_str()), "{value}");
        }
        for value in [
            r#""w.tsx""#,
            r#""//host/w.tsx""#,
            r#""\\\\host\\w.tsx""#,
            r#""[redacted]""#,
            r#""""#,
            "null",
            "7",
        ] {
            assert_eq!(path(value), None, "{value}");
        }
    }

    #[test]
    fn nothing_is_derived_without_the_servers_clock() {
        let row =
            r#"{"runId":"a","status":"running","heartbeatAtMs":1700000000000,"runtimeOwnerId":"pid:1"}"#;
        assert_eq!(run(Slice::new(row), None).unwrap().0.verdict, None);
        let derived = run(Slice::new(row), Some(Reading::exact(Millis(1_700_000_001_000.0))))
            .unwrap()
            .0
            .verdict
            .unwrap();
        assert!(derived.is_derived() && derived.view.state.as_str() == "running", "{derived:?}");
        for nonsense in ["null", "[]", "{}", r#"{"status":"running"}"#] {
            assert!(run(Slice::new(nonsense), None).is_err(), "{nonsense}");
        }
    }
}
