//! The attempts at tasks: the requests to the Gateway, and their use in a live run.

use super::test_gateway;

use runstate::actions::{Action, actions};
use runstate::export::{ExportOptions, draft, export};
use runstate::file::File;
use runstate::header::smithers_header;
use runstate::ingest::open;
use runstate::run::Blocker;
use runstate::run::RunInspection;
use runstate::smithers::wire::{read_node_states, read_run};
use runstate::summary::text;
use runstate::time::Millis;
use serde_json::{Value, json};
use test_gateway::{Answers, Gateway, Reply, rpc, watching};

/// The server's time at which `cancel-a` was running; its `grind` began 1.9 s before.
const SEEN: f64 = 1_795_295_482_000.0 + 1900.0;

/// An attempt at `grind` that began with the capture, as the Gateway answers it.
fn attempt(number: u32, state: &str, heartbeat_at: Option<f64>, limit: Option<f64>) -> Value {
    let meta = json!({"kind": "compute", "prompt": null, "retries": 2, "timeoutMs": null, "heartbeatTimeoutMs": limit});
    json!({"runId": "cancel-a", "nodeId": "grind", "iteration": 0, "attempt": number, "state": state,
        "startedAtMs": SEEN - 1900.0, "finishedAtMs": null, "heartbeatAtMs": heartbeat_at, "heartbeatDataJson": null,
        "errorJson": null, "jjPointer": null, "responseText": null, "jjCwd": "/project", "cached": false,
        "metaJson": meta.to_string()})
}

/// The row of a run with a working engine, at a time of the server.
fn row(now: f64) -> Value {
    let mut run = rpc("cancel-a.runs.get-running");
    run["runState"]["computedAt"] = json!(Millis(now).to_iso().unwrap());
    run["heartbeatAtMs"] = json!(now);
    run
}

/// `cancel-a` while running, with a Gateway that answers `attempts.list` with `attempts` at a time of the server.
fn at_work(mut attempts: impl FnMut(&Value, f64) -> Reply + 'static) -> Gateway {
    let answers: Answers = Box::new(move |method, params, now| match method {
        "getRun" => Reply::Ok(row(SEEN + now)),
        "listNodeStates" => Reply::Ok(rpc("cancel-a.listNodeStates-running")),
        "listRuns" => Reply::Ok(json!([])),
        "attempts.list" => attempts(params, SEEN + now),
        _ => Reply::Ok(json!({})),
    });
    let ticks = Gateway::ticks(1e6).into_iter().map(|(at, mut frame)| {
        frame["payload"]["ts"] = json!(SEEN + at);
        (at, frame)
    });
    Gateway::new(Some("cancel-a"), ticks.collect(), answers)
}

fn run(gateway: &Gateway) -> &RunInspection {
    gateway.feed.inspection().run.as_ref().unwrap()
}

fn found(gateway: &Gateway) -> Vec<Action> {
    actions(run(gateway), gateway.feed.clock().now(Millis(gateway.now)))
}

/// The export of a run that a feed knows.
fn export_draft(run: &RunInspection, now: Millis) -> Vec<u8> {
    let draft = draft(run, now).unwrap();
    export(&[File { name: None, bytes: draft.as_bytes() }], &ExportOptions::new(now)).unwrap().bytes
}

fn sentences(gateway: &Gateway) -> Vec<String> {
    found(gateway).iter().map(|action| text(&action.sentence)).collect()
}

#[test]
fn a_task_that_is_silent_for_too_long_is_named_as_in_an_opened_document() {
    let silent = attempt(1, "in-progress", Some(SEEN), Some(5000.0));
    let rows = json!([silent]);
    let mut gateway = at_work(move |params, _| {
        assert_eq!(*params, json!({"runId": "cancel-a", "nodeId": "grind", "iteration": 0}));
        Reply::Ok(rows.clone())
    });
    gateway.run(4900.0);
    assert_eq!(sentences(&gateway), Vec::<String>::new(), "the limit has not passed");
    assert_eq!(gateway.asked("attempts.list"), 1, "nothing can have changed that matters");
    gateway.run(9000.0);
    let named = found(&gateway);
    assert_eq!(named.len(), 1, "{named:#?}");
    assert_eq!(named[0].blocker, Some(Blocker::StaleTaskHeartbeat));
    assert!(text(&named[0].sentence).starts_with("Try grind again: no heartbeat for "), "{named:#?}");

    // The same answers, opened as a document at the time of the last one.
    let read_at = run(&gateway).attempts[0].read_at.unwrap();
    let exchange = |method: &str, payload: Value| {
        json!({"request": {"body": {"method": method, "params": {"runId": "cancel-a"}}},
            "response": {"body": {"type": "res", "id": "1", "ok": true, "payload": payload}}})
        .to_string()
    };
    let files = [
        exchange("getRun", row(read_at.0)),
        exchange("listNodeStates", rpc("cancel-a.listNodeStates-running")),
        exchange("attempts.list", json!([attempt(1, "in-progress", Some(SEEN), Some(5000.0))])),
    ];
    let files = files.each_ref().map(|text| File { name: None, bytes: text.as_bytes() });
    let header = open(&files, read_at).unwrap().header(None, read_at).unwrap();
    let freshness = gateway.feed.freshness(Millis(gateway.now));
    assert_eq!(header.actions.len(), 1);
    let mut live = smithers_header(run(&gateway), &freshness, read_at);
    // Only a live Gateway names the file of the workflow.
    let action = &mut live.actions[0];
    for (command, file) in [
        (&mut action.command, "/project/workflows/slow.tsx"),
        (&mut action.power_shell, "'/project/workflows/slow.tsx'"),
    ] {
        *command = command.as_ref().map(|command| command.replacen(file, "WORKFLOW_FILE", 1));
    }
    assert_eq!(live.actions, header.actions);

    // So it is in an export, whenever that is opened.
    let (now, later) = (gateway.feed.clock().now(Millis(gateway.now)), Millis(read_at.0 + 60_000.0));
    let bytes = export_draft(run(&gateway), now);
    let document = open(&[File { name: None, bytes: &bytes }], later).unwrap();
    assert_eq!(document.problems().texts(), [""; 0]);
    assert_eq!(document.header(None, later).unwrap().actions, live.actions);
}

#[test]
fn an_export_does_not_make_a_task_silent_that_was_not_asked_about_since() {
    let mut gateway = at_work(|_, _| Reply::Ok(json!([attempt(1, "in-progress", Some(SEEN), Some(5000.0))])));
    gateway.run(1000.0);
    let read = row(SEEN + 9000.0).to_string();
    let asked = run(&gateway).attempts.clone();
    let mut late = RunInspection::from_row(&read_run(&read).unwrap(), "getRun", Millis(SEEN));
    late.attempts = asked;
    late.answer = Some(read.as_str().into());
    let nodes = rpc("cancel-a.listNodeStates-running").to_string();
    late.nodes = read_node_states(&nodes).unwrap().into();
    let now = Millis(SEEN + 9000.0);
    let bytes = export_draft(&late, now);
    assert!(String::from_utf8_lossy(&bytes).contains("heartbeatTimeoutMs"));
    let document = open(&[File { name: None, bytes: &bytes }], now).unwrap();
    assert_eq!(document.header(None, now).unwrap().actions, []);
}

#[test]
fn a_task_that_reports_is_never_called_silent() {
    let mut gateway = at_work(|_, now| {
        let beat = now - now % 1000.0;
        Reply::Ok(json!([attempt(1, "in-progress", Some(beat), Some(3000.0))]))
    });
    for step in 1..600 {
        gateway.run(f64::from(step) * 100.0);
        assert_eq!(sentences(&gateway), Vec::<String>::new(), "at {} ms", gateway.now);
    }
    let asked = gateway.asked("attempts.list");
    assert!((10..=30).contains(&asked), "once for each limit that may have passed: {asked}");
}

#[test]
fn a_task_that_reports_again_is_taken_back() {
    let mut gateway = at_work(|_, now| {
        let beat = if now < SEEN + 10_000.0 { SEEN } else { now };
        Reply::Ok(json!([attempt(1, "in-progress", Some(beat), Some(2000.0))]))
    });
    gateway.run(9000.0);
    assert_eq!(found(&gateway).len(), 1);
    gateway.run(12_500.0);
    assert_eq!(sentences(&gateway), Vec::<String>::new());
}

#[test]
fn a_task_without_a_limit_is_asked_for_once() {
    let mut gateway = at_work(|_, _| Reply::Ok(json!([attempt(1, "in-progress", None, None)])));
    gateway.run(60_000.0);
    assert_eq!(gateway.asked("attempts.list"), 1);
    assert_eq!(sentences(&gateway), Vec::<String>::new());
}

#[test]
fn a_task_that_failed_before_is_named_as_tried_again() {
    let rows = json!([attempt(1, "failed", None, None), attempt(2, "in-progress", None, None)]);
    let mut gateway = at_work(move |_, _| Reply::Ok(rows.clone()));
    gateway.run(3000.0);
    assert_eq!(sentences(&gateway), ["Wait: grind is tried again."]);
}

#[test]
fn without_a_tree_the_attempts_tell_whether_another_comes() {
    for (number, sentence) in [(2, "Wait: grind is tried again."), (3, "Try grind again.")] {
        let mut nodes = rpc("cancel-a.listNodeStates-running");
        nodes[1]["state"] = json!("failed");
        nodes[1]["lastAttempt"] = json!(number);
        let rows: Vec<Value> = (1..=number).map(|number| attempt(number, "failed", None, None)).collect();
        let answers: Answers = Box::new(move |method, _, _| match method {
            "getRun" => Reply::Ok(rpc("cancel-a.runs.get-running")),
            "listNodeStates" => Reply::Ok(nodes.clone()),
            "listRuns" => Reply::Ok(json!([])),
            "attempts.list" => Reply::Ok(json!(rows)),
            _ => Reply::No("FORBIDDEN", "Missing required scope observability:read"),
        });
        let mut gateway = watching(answers);
        gateway.run(10_000.0);
        assert_eq!(sentences(&gateway), [sentence], "{number}");
        assert_eq!(gateway.asked("attempts.list"), 1);
    }
}

#[test]
fn a_gateway_that_does_not_answer_loses_nothing_and_shows_nothing() {
    for (refusal, most, is_unreadable) in [
        (Reply::No("METHOD_NOT_FOUND", "Unknown method: attempts.list"), 1, false),
        (Reply::No("FORBIDDEN", "Missing required scope"), 1, false),
        (Reply::No("Internal", "database is locked"), 12, false),
        (Reply::No("RateLimited", "slow down"), 12, false),
        (Reply::Silence, 6, false),
        (Reply::Ok(json!({})), 12, true),
        (Reply::Ok(json!([])), 12, false),
        (Reply::Ok(json!([{"nodeId": "grind"}])), 12, true),
        (Reply::Ok(json!("grind")), 12, true),
        (
            Reply::Ok(json!([{"nodeId": "other", "iteration": 0, "attempt": 1, "state": "in-progress"}])),
            12,
            false,
        ),
    ] {
        let mut gateway = at_work(move |_, _| refusal.clone());
        gateway.run(20_000.0);
        let asked = gateway.asked("attempts.list");
        assert!((1..=most).contains(&asked), "{asked}, {most} at most");
        let problems = gateway.feed.inspection().problems.texts();
        assert_eq!(problems.len(), usize::from(is_unreadable), "{problems:?}");
        assert!(problems.iter().all(|problem| problem.starts_with("attempts.list: ")), "{problems:?}");
        assert_eq!((gateway.feed.refusal(), gateway.opens.len()), (None, 1));
        assert_eq!(gateway.states(), ["running"]);
        assert_eq!(gateway.freshness(), ["connecting", "live"]);
        assert_eq!(sentences(&gateway), Vec::<String>::new());
    }
}

#[test]
fn ten_thousand_tasks_at_work_are_no_flood() {
    let row = |number: u32| json!({"nodeId": format!("task-{number}"), "iteration": 0, "state": "in-progress", "lastAttempt": 1});
    let nodes = Value::Array((0..10_000).map(row).collect());
    let answers: Answers = Box::new(move |method, params, _| match method {
        "getRun" => Reply::Ok(rpc("cancel-a.runs.get-running")),
        "listNodeStates" => Reply::Ok(nodes.clone()),
        "listRuns" => Reply::Ok(json!([])),
        "attempts.list" => {
            let node = &params["nodeId"];
            Reply::Ok(
                json!([{"nodeId": node, "iteration": 0, "attempt": 1, "state": "in-progress", "startedAtMs": 1}]),
            )
        }
        _ => Reply::Ok(json!({})),
    });
    let mut gateway = watching(answers);
    gateway.run(6000.0);
    let asked = gateway.asked("attempts.list");
    assert!((20..=40).contains(&asked), "{asked} in 6 s");
    let of_first = gateway.asked.iter().filter(|(_, _, frame)| frame.contains("\"task-9999\"")).count();
    assert_eq!(of_first, 1);
}

#[test]
fn nothing_is_asked_of_a_run_that_has_ended_or_has_no_task_at_work() {
    for run in ["cancel-a", "approval-a", "steps-a", "fail-a"] {
        let answers: Answers = Box::new(move |method, _, _| match method {
            "getRun" => Reply::Ok(rpc(&format!("{run}.runs.get"))),
            "listNodeStates" => Reply::Ok(rpc(&format!("{run}.listNodeStates"))),
            "listRuns" => Reply::Ok(json!([])),
            _ => Reply::Ok(json!({})),
        });
        let mut gateway = Gateway::new(Some(run), Gateway::ticks(1e6), answers);
        gateway.run(10_000.0);
        assert_eq!(gateway.asked("attempts.list"), 0, "{run}");
    }
}
