//! Helpers of the tests of event logs.

use std::fs;
use std::path::PathBuf;

use runstate::log::{EventLog, Filter, LogView};
use runstate::time::Millis;
use runstate::word::Word;
use serde_json::{Value, json};

pub(super) const NOW: Millis = Millis(1_795_300_000_000.0);

pub(super) fn folder(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/vectors/smithers").join(name)
}

pub(super) fn read(name: &str) -> String {
    fs::read_to_string(folder(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

pub(super) fn log(text: &str) -> EventLog {
    let mut log = EventLog::new();
    log.push(text.as_bytes());
    log.finish();
    log
}

pub(super) fn stream(run: &str) -> EventLog {
    log(&read(&format!("logs/stream/{run}.ndjson")))
}

/// The persisted events of a run, as the REST interface answers them.
pub(super) fn rest(run: &str) -> Vec<Value> {
    let answer: Value = serde_json::from_str(&read(&format!("logs/rest/{run}.json"))).unwrap();
    answer["response"]["body"]["data"].as_array().unwrap().clone()
}

pub(super) fn lines(events: &[Value]) -> String {
    let lines: Vec<String> = events.iter().map(Value::to_string).collect();
    lines.join("\n") + "\n"
}

pub(super) fn event(event_type: &str, at: u32, more: &Value) -> Value {
    let mut event = json!({ "type": event_type, "runId": "r", "timestampMs": at });
    event.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    event
}

pub(super) fn node(event_type: &str, at: u32, node: &str, attempt: u32) -> Value {
    event(event_type, at, &json!({ "nodeId": node, "iteration": 0, "attempt": attempt }))
}

pub(super) fn row(seq: u32, event: &Value) -> Value {
    json!({ "runId": "r", "seq": seq, "event": event["type"], "payload": event, "timestampMs": event["timestampMs"] })
}

pub(super) fn state(view: &LogView) -> &str {
    view.state.as_str()
}

/// The server's list of nodes: node, iteration, state.
pub(super) fn listed(name: &str) -> Vec<(String, u64, String)> {
    let answer: Value = serde_json::from_str(&read(name)).unwrap();
    let rows = answer["response"]["body"]["payload"].as_array().unwrap();
    let mut nodes: Vec<_> = rows
        .iter()
        .map(|row| {
            let text = |name: &str| row[name].as_str().unwrap().to_owned();
            (text("nodeId"), row["iteration"].as_u64().unwrap(), text("state"))
        })
        .collect();
    nodes.sort();
    nodes
}

pub(super) fn folded(log: &mut EventLog, run: &str) -> Vec<(String, u64, String)> {
    let nodes = log.nodes(run).into_iter();
    let text = |state| Word::Known(state).as_str().to_owned();
    let mut nodes: Vec<_> =
        nodes.filter_map(|node| Some((node.node_id, u64::from(node.iteration), text(node.state?)))).collect();
    nodes.sort();
    nodes
}

/// The default filter with one change.
pub(super) fn filter_with(change: impl FnOnce(&mut Filter)) -> Filter {
    let mut filter = Filter::default();
    change(&mut filter);
    filter
}
