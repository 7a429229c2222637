//! Reads small payloads, and run rows as inspections.

use crate::clock::Reading;
use crate::json::{ReadError, Slice, fields};
use crate::refusal::Refusal;
use crate::run::RunInspection;
use crate::smithers::wire::{RunRow, RunStateView, read_run, read_runs};
use crate::time::Millis;

/// Reads the heartbeat interval in the answer to `connect`, milliseconds.
pub(super) fn heartbeat_ms(payload: &str) -> Option<f64> {
    let [policy] = fields(Slice::new(payload), ["policy"]).ok()?;
    let [interval] = fields(policy?, ["heartbeatMs"]).ok()?;
    interval?.number()
}

/// Reads the server's timestamp in a tick or a challenge.
pub(super) fn stamp(payload: &str) -> Option<Millis> {
    let [stamp] = fields(Slice::new(payload), ["ts"]).ok()?;
    stamp?.number().map(Millis)
}

/// Reads the run and the refusal in a `devtools.error`.
pub(super) fn stream_error(payload: &str) -> Option<(String, Refusal)> {
    let [run_id, error] = fields(Slice::new(payload), ["runId", "error"]).ok()?;
    let [code, message] = fields(error?, ["code", "message"]).ok()?;
    let text = |field: Option<Slice<'_>>| field.map_or(Some(String::new()), Slice::text);
    let (code, message) = (text(code)?, text(message)?);
    Some((run_id?.text()?, Refusal { code, message, method: Some("streamDevTools".into()) }))
}

/// Reads a `getRun` answer and its timestamp. `clock` is the server's; without it no state is derived.
pub(super) fn run(
    payload: &str,
    clock: Option<Reading>,
) -> Result<(RunInspection, Option<Millis>), ReadError> {
    let row = read_run(payload)?;
    let stamp = row.run_state.as_ref().and_then(RunStateView::computed_time);
    let run = inspection_from_row(&row, "getRun", clock);
    Ok((RunInspection { workflow_path: workflow_path(payload), ..run }, stamp))
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

/// Reads a `listRuns` answer.
pub(super) fn list(payload: &str, clock: Option<Reading>) -> Result<Vec<RunInspection>, ReadError> {
    Ok(read_runs(payload)?.iter().map(|row| inspection_from_row(row, "listRuns", clock)).collect())
}

/// Makes an inspection from a row. Without the server's clock the time is NaN, so that no state is derived.
fn inspection_from_row(row: &RunRow, read_from: &str, clock: Option<Reading>) -> RunInspection {
    let clock = clock.unwrap_or(Reading::exact(Millis(f64::NAN)));
    RunInspection::from_row(row, read_from, clock)
}

#[cfg(test)]
mod tests {
    use super::{heartbeat_ms, run, stamp, stream_error};
    use crate::clock::Reading;
    use crate::time::Millis;

    #[test]
    fn small_payloads_are_read_or_left() {
        assert_eq!(heartbeat_ms(r#"{"policy":{"heartbeatMs":2000}}"#), Some(2000.0));
        assert_eq!(stamp(r#"{"ts":5}"#), Some(Millis(5.0)));
        for nonsense in
            ["null", "{}", r#"{"policy":{}}"#, r#"{"policy":5}"#, r#"{"policy":{"heartbeatMs":"2"}}"#]
        {
            assert_eq!(heartbeat_ms(nonsense), None, "{nonsense}");
            assert_eq!(stamp(nonsense), None, "{nonsense}");
            assert_eq!(stream_error(nonsense), None, "{nonsense}");
        }
    }

    #[test]
    fn a_run_names_its_workflow_by_an_absolute_path_of_its_machine() {
        let path = |value: &str| {
            let row = format!(r#"{{"runId":"a","status":"running","workflowPath":{value}}}"#);
            run(&row, None).unwrap().0.workflow_path
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
        assert_eq!(run(row, None).unwrap().0.verdict, None);
        let derived = run(row, Some(Reading::exact(Millis(1_700_000_001_000.0)))).unwrap().0.verdict.unwrap();
        assert!(derived.is_derived() && derived.view.state.as_str() == "running", "{derived:?}");
        for nonsense in ["null", "[]", "{}", r#"{"status":"running"}"#] {
            assert!(run(nonsense, None).is_err(), "{nonsense}");
        }
    }
}
