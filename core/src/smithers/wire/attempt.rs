//! The attempts at tasks, as `attempts.list` answers them (protocol section 3.3).

use std::slice;

use super::attempt_texts::AttemptTexts;
use super::meta::js_trim;
use super::{NodeState, RunState, RunStateView, owner_pid};
use crate::json::{ReadError, Slice, Token, Writer, fields, items, optional, optionals, row_fields};
use crate::number;
use crate::time::Millis;
use crate::word::Word;

/// One attempt at a node.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Attempt {
    /// The node's id as the workflow author wrote it.
    pub node_id: String,
    /// The iteration of a loop; 0 outside loops.
    pub iteration: u32,
    /// The attempt's number, from 1; `None` if a log does not contain it.
    pub attempt: Option<u32>,
    /// Its state.
    pub state: Word<NodeState>,
    /// When it began.
    pub started_at: Option<Millis>,
    /// The task's last heartbeat.
    pub heartbeat_at: Option<Millis>,
    /// Maximum time between heartbeats, milliseconds; `None` if there is no limit.
    pub heartbeat_timeout_ms: Option<f64>,
    /// Maximum number of attempts after the first.
    pub retries: Option<u32>,
    /// The name of the signal that it waits for. Only documents contain it.
    pub signal: Option<String>,
    /// The correlation id that the signal must have.
    pub correlation_id: Option<String>,
    /// When this was read, by the server's clock; `None` if it was read with the run.
    pub read_at: Option<Millis>,
    /// Its end and its texts; `None` if it was not read from a row.
    pub(crate) texts: Option<Box<AttemptTexts>>,
}

impl Attempt {
    /// Whether it failed and was reset: a retry of the node turns its failed attempts into cancelled ones, and leaves their
    /// errors.
    pub(crate) fn is_reset(&self, has_later: bool) -> bool {
        let has_error = self.texts.as_ref().is_some_and(|texts| texts.error.is_some());
        self.state.known() == Some(NodeState::Cancelled) && has_error && has_later
    }
}

/// Reads one attempt.
pub(crate) fn read_attempt(slice: Slice<'_>) -> Result<Attempt, ReadError> {
    let [node_id, iteration, attempt, state, started, heartbeat, meta, finished, error, response] =
        row_fields(
            slice,
            [
                "nodeId",
                "iteration",
                "attempt",
                "state",
                "startedAtMs",
                "heartbeatAtMs",
                "metaJson",
                "finishedAtMs",
                "errorJson",
                "responseText",
            ],
            [
                "node_id",
                "",
                "",
                "",
                "started_at_ms",
                "heartbeat_at_ms",
                "meta_json",
                "finished_at_ms",
                "error_json",
                "response_text",
            ],
        )?;
    let [started, heartbeat] = optionals([started, heartbeat], Slice::read_time)?;
    let meta = optional(meta, Slice::read_text)?.unwrap_or_default();
    Ok(Attempt {
        node_id: slice.need("nodeId", node_id)?.read_text()?,
        iteration: optional(iteration, Slice::read_small)?.unwrap_or(0),
        attempt: Some(slice.need("attempt", attempt)?.read_small()?),
        state: slice.need("state", state)?.read()?,
        started_at: started.map(Millis),
        heartbeat_at: heartbeat.map(Millis),
        heartbeat_timeout_ms: read_heartbeat_timeout(&meta),
        retries: retries(&meta),
        signal: None,
        correlation_id: None,
        read_at: None,
        texts: Some(Box::new(AttemptTexts::read(finished, [error, response], &meta)?)),
    })
}

/// Writes a list with one attempt for [`read_attempt`]; `None` for an attempt without a number, which no server sends.
pub(crate) fn write_attempt(row: &Attempt) -> Option<String> {
    let number = row.attempt?;
    let mut meta = Writer::default();
    meta.object(|out| {
        numbers(
            out,
            [("retries", row.retries.map(f64::from)), ("heartbeatTimeoutMs", row.heartbeat_timeout_ms)],
        );
        if let Some(signal) = &row.signal {
            out.key("waitForEvent").object(|out| {
                out.key("signalName").text(signal);
                if let Some(id) = &row.correlation_id {
                    out.key("correlationId").text(id);
                }
            });
        }
    });
    let meta = meta.finish();
    let mut out = Writer::default();
    out.list(slice::from_ref(row), |out, row| {
        out.object(|out| {
            out.key("nodeId").text(&row.node_id);
            out.key("state").text(row.state.as_str());
            out.key("metaJson").text(&meta);
            let times = [row.started_at, row.heartbeat_at].map(|at| at.map(|at| at.0));
            let [started, heartbeat] = times;
            numbers(
                out,
                [("iteration", Some(f64::from(row.iteration))), ("attempt", Some(f64::from(number)))],
            );
            numbers(out, [("startedAtMs", started), ("heartbeatAtMs", heartbeat)]);
        });
    });
    Some(out.finish())
}

fn numbers(out: &mut Writer, known: [(&str, Option<f64>); 2]) {
    for (key, value) in known {
        if let Some(value) = value {
            out.key(key).number(value);
        }
    }
}

/// A summary of the attempts at one iteration of a node.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct AttemptSummary<'a> {
    /// The attempt in progress.
    pub(crate) running: Option<&'a Attempt>,
    /// The number of failed attempts, by which the engine decides whether another one follows.
    pub(crate) failed: u32,
    /// The number of attempts that have ended.
    pub(crate) ended: u32,
    /// Maximum number of attempts.
    pub(crate) max_attempts: Option<u32>,
}

impl AttemptSummary<'_> {
    /// The number of attempts that may follow the one with this number, which failed; `None` if unknown. A retry by hand starts
    /// to count again, thus the number alone says nothing if it exceeds the maximum `most`.
    pub(crate) fn left(&self, attempt: Option<u32>, most: Option<u32>) -> Option<u32> {
        let (attempt, most) = attempt.zip(most)?;
        if self.ended >= attempt { Some(most.saturating_sub(self.failed)) } else { most.checked_sub(attempt) }
    }
}

/// Summarizes the attempts at one iteration of a node.
pub(crate) fn summarize_attempts<'a>(
    attempts: impl Iterator<Item = &'a Attempt>,
    iteration: u32,
) -> AttemptSummary<'a> {
    let mut found = AttemptSummary::default();
    for attempt in attempts.filter(|attempt| attempt.iteration == iteration) {
        match attempt.state.known() {
            Some(NodeState::InProgress)
                if found.running.is_none_or(|running| running.attempt <= attempt.attempt) =>
            {
                found.running = Some(attempt);
            }
            Some(NodeState::Failed) => found.failed += 1,
            Some(_) | None => {}
        }
        found.ended += u32::from(attempt.state.known() != Some(NodeState::InProgress));
        found.max_attempts = attempt.retries.map(|retries| retries.saturating_add(1)).or(found.max_attempts);
    }
    found
}

/// Whether the server found the engine's process when it called the run `stale`. Without the process, Smithers 0.32 calls
/// the run
/// `orphaned` (protocol section 4).
pub(crate) fn engine_may_be_alive(view: &RunStateView, owner: Option<&str>) -> bool {
    view.state.known() == Some(RunState::Stale) && owner.and_then(owner_pid).is_some()
}

/// Maximum time between heartbeats of a task, from its properties or from an attempt's `metaJson`.
pub(crate) fn read_heartbeat_timeout(json: &str) -> Option<f64> {
    let [millis, other] =
        fields(Slice::from_text(json).ok()?, ["heartbeatTimeoutMs", "heartbeatTimeout"]).ok()?;
    let limit = as_number(millis).or_else(|| as_number(other))?;
    (limit > 0.0).then(|| limit.floor())
}

/// The signal that an attempt waits for and its correlation id, from `metaJson`.
pub(crate) fn read_awaited_signal(meta: &str) -> Option<[Option<String>; 2]> {
    let [wait] = fields(Slice::from_text(meta).ok()?, ["waitForEvent"]).ok()?;
    let found = fields(wait?, ["signalName", "correlationId"]).ok()?;
    Some(found.map(|text| text.and_then(Slice::text).filter(|text| !text.trim_ascii().is_empty())))
}

fn retries(json: &str) -> Option<u32> {
    let [retries] = fields(Slice::from_text(json).ok()?, ["retries"]).ok()?;
    as_number(retries).map(|retries| retries.max(0.0) as u32)
}

/// A number, or a number as text: the properties of a frame are texts until the server converts them.
fn as_number(value: Option<Slice<'_>>) -> Option<f64> {
    let value = value?;
    let number = value.number().or_else(|| number::read(js_trim(&value.text()?)));
    number.filter(|number| number.is_finite())
}

/// The dependencies of a task.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Dependencies {
    /// The nodes that it waits for.
    pub(crate) on: Vec<String>,
    /// Whether tasks that depend on it run even if it fails.
    pub(crate) continue_on_fail: bool,
}

/// The dependencies in a task's properties. A frame has a list as text with commas, or as JSON if the server converted it.
pub(crate) fn dependencies(props: &str) -> Dependencies {
    let Ok(slice) = Slice::from_text(props) else { return Dependencies::default() };
    let Ok([on, fails]) = fields(slice, ["dependsOn", "continueOnFail"]) else {
        return Dependencies::default();
    };
    let fails = fails.map(text_or_json);
    Dependencies {
        on: on.map(names).unwrap_or_default(),
        continue_on_fail: matches!(fails.as_deref(), Some("true" | "1")),
    }
}

fn names(value: Slice<'_>) -> Vec<String> {
    let text = text_or_json(value);
    let list = Slice::from_text(&text).ok().filter(|list| list.is_array());
    let all: Vec<String> = match list {
        Some(list) => items(list).into_iter().flatten().flatten().map(text_or_json).collect(),
        None => text.split(',').map(str::to_owned).collect(),
    };
    all.iter().map(|name| js_trim(name)).filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

/// Reads a value as text. The server converts ids that look like JSON.
fn text_or_json(value: Slice<'_>) -> String {
    match value.token() {
        Ok(Token::Null) => String::new(),
        Ok(_) | Err(_) => value.text().unwrap_or_else(|| value.json().to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::{dependencies, read_attempt, read_awaited_signal, read_heartbeat_timeout, write_attempt};
    use crate::json::Slice;

    #[test]
    fn dependencies_are_read_however_they_are_written() {
        for (props, on) in [
            (r#"{"dependsOn":"a"}"#, &["a"][..]),
            (r#"{"dependsOn":"a, b,"}"#, &["a", "b"]),
            (r#"{"dependsOn":["a","b c",7]}"#, &["a", "b c", "7"]),
            (r#"{"dependsOn":"[\"a\",\"b\"]"}"#, &["a", "b"]),
            (r#"{"dependsOn":42}"#, &["42"]),
        ] {
            assert_eq!(dependencies(props).on, on, "{props}");
        }
        for props in
            ["", "[]", "{}", r#"{"dependsOn":null}"#, r#"{"dependsOn":""}"#, r#"{"dependsOn":[]}"#, "{oops"]
        {
            assert!(dependencies(props).on.is_empty(), "{props}");
        }
        for (props, on) in
            [("true", true), ("\"true\"", true), ("1", true), ("false", false), ("\"yes\"", false)]
        {
            let props = format!(r#"{{"continueOnFail":{props}}}"#);
            assert_eq!(dependencies(&props).continue_on_fail, on, "{props}");
        }
    }

    #[test]
    fn a_limit_is_a_number_above_zero() {
        for (json, limit) in [
            (r#"{"heartbeatTimeoutMs":5000.7}"#, 5000.0),
            (r#"{"heartbeatTimeoutMs":"5000"}"#, 5000.0),
            (r#"{"heartbeatTimeoutMs":null,"heartbeatTimeout":9}"#, 9.0),
            (r#"{"heartbeatTimeoutMs":1,"heartbeatTimeout":9}"#, 1.0),
        ] {
            assert_eq!(read_heartbeat_timeout(json), Some(limit), "{json}");
        }
        for json in [
            "",
            "{}",
            "[]",
            r#"{"heartbeatTimeoutMs":0}"#,
            r#"{"heartbeatTimeoutMs":-1}"#,
            r#"{"heartbeatTimeout":"soon"}"#,
        ] {
            assert_eq!(read_heartbeat_timeout(json), None, "{json}");
        }
    }

    #[test]
    fn a_signal_has_a_name_and_may_have_an_id() {
        let found =
            |wait: &str| read_awaited_signal(&format!(r#"{{"waitForEvent":{wait}}}"#)).unwrap_or_default();
        let text = |text: &str| Some(text.to_owned());
        assert_eq!(found(r#"{"signalName":"s","correlationId":"c"}"#), [text("s"), text("c")]);
        assert_eq!(found(r#"{"signalName":"s","correlationId":" "}"#), [text("s"), None]);
        for wait in
            ["null", "7", "[]", "{}", r#"{"signalName":null}"#, r#"{"signalName":7}"#, r#"{"signalName":""}"#]
        {
            assert_eq!(found(wait), [None, None], "{wait}");
        }
        assert_eq!(read_awaited_signal("{oops"), None);
        let row = r#"[{"nodeId":"a","attempt":1,"state":"waiting-event"}]"#;
        let mut read = Slice::new(row).read_items(read_attempt).unwrap();
        (read[0].signal, read[0].correlation_id) = (text("s"), text("c"));
        assert!(
            write_attempt(&read[0]).unwrap().contains(r#"{\"signalName\":\"s\",\"correlationId\":\"c\"}"#)
        );
    }

    #[test]
    fn rows_without_node_number_or_state_are_refused() {
        assert!(Slice::new("[]").read_items(read_attempt).unwrap().is_empty());
        let row = r#"[{"node_id":"a","attempt":2,"state":"failed","meta_json":"{oops","started_at_ms":5}]"#;
        let read = Slice::new(row).read_items(read_attempt).unwrap();
        assert_eq!(
            (read[0].attempt, read[0].retries, read[0].started_at.map(|at| at.0)),
            (Some(2), None, Some(5.0))
        );
        for row in [
            "{}",
            "[1]",
            "[{}]",
            r#"[{"nodeId":"a","attempt":1}]"#,
            r#"[{"nodeId":"a","state":"failed"}]"#,
            r#"[{"attempt":1,"state":"failed"}]"#,
            r#"[{"nodeId":"a","attempt":-1,"state":"failed"}]"#,
            r#"[{"nodeId":"a","attempt":1,"state":"failed","metaJson":{}}]"#,
        ] {
            assert!(Slice::new(row).read_items(read_attempt).is_err(), "{row}");
        }
    }

    #[test]
    fn attempts_are_read_from_an_answer() -> Result<(), Box<dyn std::error::Error>> {
        use crate::smithers::wire::read_attempt;
        let rows = r#"[{"nodeId":"grind","attempt":1,"state":"in-progress","heartbeatAtMs":1000,
            "metaJson":"{\"retries\":2,\"heartbeatTimeoutMs\":5000}"}]"#;
        let attempts = Slice::new(rows).read_items(read_attempt)?;
        assert_eq!((attempts[0].retries, attempts[0].heartbeat_timeout_ms), (Some(2), Some(5000.0)));
        Ok(())
    }
}
