//! Objects around documents: dashboards and bug reports put a run beside its events, under names of their own.

use super::recordings::{notes, opened, state};

use runstate::file::File;
use runstate::ingest::{Document, open};
use runstate::time::Millis;
use serde_json::{Value, json};

const BEGIN: f64 = 1_795_296_000_000.0;

fn at(second: f64) -> f64 {
    BEGIN + second * 1000.0
}

fn run(status: &str, ended: Option<f64>) -> Value {
    json!({"runId": "r", "status": status, "startedAtMs": at(0.0), "heartbeatAtMs": at(90.0), "finishedAtMs": ended.map(at)})
}

fn started() -> Value {
    json!({"type": "RunStarted", "runId": "r", "timestampMs": at(0.0)})
}

fn node_started(second: f64) -> Value {
    json!({"type": "NodeStarted", "runId": "r", "nodeId": "a", "iteration": 0, "attempt": 1, "timestampMs": at(second)})
}

fn document(value: &Value) -> Document {
    opened(&[("report.json", value.to_string())])
}

#[test]
fn a_run_beside_its_events_is_read_whatever_their_names_are() {
    let (ended, events) = (run("finished", Some(40.0)), json!([started(), node_started(10.0)]));
    let view = json!({"runId": "r", "state": "failed", "computedAt": "2026-11-21T22:00:00.000Z"});
    let nodes = json!([{"nodeId": "a", "iteration": 0, "state": "in-progress"}]);
    for (report, expected) in [
        (json!({"run": ended, "events": events}), "succeeded"),
        (json!({"events": events, "run": ended}), "succeeded"),
        (json!({"run": ended, "log": events, "version": 3}), "succeeded"),
        (json!({"workflow": {"row": ended}, "log": events}), "succeeded"),
        (json!({"run": ended, "nodes": nodes, "events": events}), "succeeded"),
        (json!({"run": ended, "steps": nodes, "events": []}), "succeeded"),
        (json!({"runs": [ended], "events": events}), "succeeded"),
        (json!({"runState": view, "events": events}), "failed"),
        (json!({"row": run("failed", Some(40.0)), "state": view, "events": events}), "failed"),
        (
            json!({"row": ended, "children": [{"runId": "c", "status": "failed"}], "events": events}),
            "succeeded",
        ),
        (json!({"run": run("running", None), "events": [started(), node_started(10.0)]}), "stale"),
        (json!({"data": ended}), "succeeded"),
        (json!({"data": {"run": run("failed", Some(40.0))}}), "failed"),
        (json!({"jsonrpc": "2.0", "id": 1, "result": run("cancelled", Some(40.0))}), "cancelled"),
        (json!({"jsonrpc": "2.0", "id": 1, "result": {"data": {"run": ended}}}), "succeeded"),
    ] {
        assert_eq!(state(&document(&report)).as_deref(), Some(expected), "{report}");
    }
}

#[test]
fn what_contradicts_a_run_beside_it_is_noted() {
    for (report, note) in [
        (
            json!({"run": run("finished", Some(40.0)), "events": [started(), node_started(95.0)]}),
            "Sources disagree. The rows say succeeded",
        ),
        (
            json!({"run": run("running", None), "events": [
                started(), {"type": "RunFailed", "runId": "r", "timestampMs": at(40.0), "error": "x"},
            ]}),
            "Sources disagree.",
        ),
    ] {
        let notes = notes(&document(&report));
        assert!(notes.iter().any(|found| found.starts_with(note)), "{report}: {notes:?}");
    }
}

#[test]
fn a_member_that_cannot_be_read_refuses_no_other() {
    let report = json!({"run": {"runId": "r", "status": 7}, "events": [started()]});
    let document = document(&report);
    assert_eq!(state(&document).as_deref(), Some("running"));
    assert!(document.problems().texts().iter().any(|text| text.contains("a run status")), "{report}");
}

#[test]
fn a_list_that_is_not_read_is_named() {
    let signals = json!([{"session_id": "s", "seq": 1, "kind": "RunFailed", "ts": 1, "payload": {}}]);
    let report = json!({"session": {"session_id": "s", "status": "running"}, "signals": signals, "tags": ["a"], "none": []});
    let document = document(&report);
    assert_eq!(state(&document).as_deref(), Some("running"));
    let problems = document.problems().texts();
    assert!(problems[0].contains("`signals` lists neither runs, events nor nodes"), "{problems:?}");
    assert_eq!(problems.len(), 1, "{problems:?}");
}

#[test]
fn objects_without_the_state_of_a_run_are_refused() {
    for text in [
        json!({"data": {"user": {"id": 7, "status": "active"}}}),
        json!({"level": "info", "correlation": {"runId": "r", "workflowName": "census"}, "msg": "started"}),
        json!({"run": {"id": 7, "status": "failed"}, "jobs": [{"id": 1}]}),
        json!({"a": {"b": {"c": {"d": run("failed", None)}}}}),
        json!({"data": {"run": null}}),
        json!({"before": run("failed", Some(40.0)), "after": run("running", None)}),
        json!({"old": [run("failed", Some(40.0))], "new": [run("running", None)]}),
        json!({"a": {"run": run("failed", Some(40.0))}, "b": {"run": run("running", None)}}),
        json!({"run": {}}),
        // An export hides these values.
        json!({"configJson": run("failed", Some(40.0))}),
        json!({"type": "a", "auth": {"run": run("failed", Some(40.0))}}),
        json!({"credentials": [run("failed", Some(40.0))]}),
    ] {
        let text = text.to_string();
        let file = File { name: None, bytes: text.as_bytes() };
        assert!(open(&[file], Millis(at(100.0))).is_err(), "{text}");
    }
}
