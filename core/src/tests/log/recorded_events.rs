//! Recorded `run.event` frames as lines of a log.

use std::collections::BTreeMap;

use runstate::file::File;
use runstate::ingest::open;
use runstate::log::{EventLog, Filter, LogRow};
use runstate::smithers::wire::EventType;
use runstate::time::Millis;
use runstate::word::Vocabulary;
use serde_json::{Value, json};

use super::support::{NOW, read};

/// Recordings of complete lives with `run.event` frames.
const LIVES: [(&str, &str); 8] = [
    ("ws", "approval-a"),
    ("ws", "fail-a"),
    ("ws", "steps-a"),
    ("ws", "timer-a"),
    ("ws", "wide-a"),
    ("lives", "quick-a"),
    ("lives", "retry-a"),
    ("lives", "structure-a"),
];

fn frames(text: &str) -> Vec<Value> {
    let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    lines.filter(|line| line["dir"] == "in" && line["data"]["event"] == "run.event").collect()
}

#[test]
fn a_recording_s_frames_are_a_log_of_their_own() {
    for (folder, name) in LIVES {
        let text = read(&format!("{folder}/{name}.ndjson"));
        let mut document = open(&[File { name: None, bytes: text.as_bytes() }], NOW).unwrap();
        let [log] = document.logs() else { panic!("{name}: one log") };
        assert_eq!(log.counts().events, frames(&text).len() as u64, "{name}");
        let rows = read(&format!("captures/runs/{name}/rpc-listNodeStates.json"));
        let rows: Value = serde_json::from_str(&rows).unwrap();
        let rows = rows["response"]["body"]["payload"].as_array().unwrap();
        let key = |node: &Value, round: &Value| (node.as_str().unwrap().to_owned(), round.as_u64().unwrap());
        let states: BTreeMap<_, _> = log
            .nodes(name)
            .iter()
            .filter_map(|node| Some((node, node.state?)))
            .map(|(node, state)| {
                ((node.node_id.clone(), u64::from(node.iteration)), state.as_str().to_owned())
            })
            .collect();
        for row in rows {
            let state = states.get(&key(&row["nodeId"], &row["iteration"]));
            assert_eq!(state.map(String::as_str), row["state"].as_str(), "{name}: {row}");
        }
        let view = log.view(NOW);
        let ended = if name == "fail-a" { "failed" } else { "succeeded" };
        assert_eq!(view.state.as_str(), ended, "{name}");
    }
}

#[test]
fn the_rows_keep_their_times_and_their_text() {
    let text = read("ws/fail-a.ndjson");
    let mut document = open(&[File { name: None, bytes: text.as_bytes() }], NOW).unwrap();
    let log = &mut document.logs()[0];
    let rows = log.rows(0, 100, &Filter::default()).rows;
    assert!(rows.is_sorted_by_key(|row| match row {
        LogRow::Event(event) => event.at,
        LogRow::Gap(_) | LogRow::Heartbeats(_) => panic!("{row:?}"),
    }));
    let challenge = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let challenge = challenge.into_iter().find(|line| line["data"]["event"] == "connect.challenge").unwrap();
    let base = challenge["data"]["payload"]["ts"].as_f64().unwrap() - challenge["t"].as_f64().unwrap();
    for (row, frame) in rows.iter().zip(frames(&text)) {
        let LogRow::Event(event) = row else { panic!("{row:?}") };
        assert_eq!(event.at, Millis(base + frame["t"].as_f64().unwrap()));
        let json: Value = serde_json::from_str(&log.json(event.row).unwrap()).unwrap();
        assert_eq!(json, frame["data"]["payload"]["payload"]);
    }
}

fn frame(event: &str, payload: &Value) -> String {
    json!({"runId": "r", "streamId": "s", "seq": 1, "event": event, "payload": payload}).to_string()
}

#[test]
fn every_name_of_the_gateway_has_its_type() {
    let node = json!({"runId": "r", "nodeId": "a", "iteration": 2, "attempt": 1});
    let with = |name: &str, value: Value| {
        let mut payload = node.clone();
        payload[name] = value;
        payload
    };
    let cases = [
        ("node.pending", node.clone(), EventType::NodePending),
        ("node.started", json!({"runId": "r", "nodeId": "a"}), EventType::NodeStarted),
        ("node.finished", node.clone(), EventType::NodeFinished),
        ("node.failed", with("error", json!({"message": "x"})), EventType::NodeFailed),
        ("node.skipped", node.clone(), EventType::NodeSkipped),
        ("node.cancelled", node.clone(), EventType::NodeCancelled),
        ("node.retrying", node.clone(), EventType::NodeRetrying),
        ("node.waiting_approval", node.clone(), EventType::NodeWaitingApproval),
        ("node.waiting_timer", node.clone(), EventType::NodeWaitingTimer),
        ("task.output", with("output", json!("x")), EventType::NodeOutput),
        ("task.heartbeat", node.clone(), EventType::TaskHeartbeat),
        ("approval.requested", node.clone(), EventType::ApprovalRequested),
        ("approval.decided", with("approved", json!(true)), EventType::ApprovalGranted),
        ("approval.decided", with("approved", json!(false)), EventType::ApprovalDenied),
        ("approval.auto_approved", node.clone(), EventType::ApprovalAutoApproved),
        ("agent.event", node.clone(), EventType::AgentEvent),
        ("agent.session", node.clone(), EventType::AgentSessionEvent),
        ("agent.trace", node.clone(), EventType::AgentTraceEvent),
        ("agent.trace_summary", node.clone(), EventType::AgentTraceSummary),
        ("token.usage", with("inputTokens", json!(5)), EventType::TokenUsageReported),
        ("run.time_travel_jumped", json!({"runId": "r"}), EventType::TimeTravelJumped),
        (
            "run.side_effect_boundary_crossed",
            json!({"operation": "fork"}),
            EventType::SideEffectBoundaryCrossed,
        ),
        ("run.completed", json!({"status": "finished"}), EventType::RunFinished),
        ("run.completed", json!({"status": "failed"}), EventType::RunFailed),
        ("run.completed", json!({"status": "cancelled"}), EventType::RunCancelled),
    ];
    for (name, payload, event_type) in cases {
        let mut log = EventLog::new();
        assert!(log.push_frame(&frame(name, &payload), NOW), "{name}");
        assert!(!log.push_frame("oops", NOW));
        assert_eq!(log.types(), [(event_type.into(), 1)], "{name}");
        assert_eq!((log.counts().events, log.counts().unread), (1, 0), "{name}");
    }
}

#[test]
fn what_is_no_event_of_a_run_is_no_line() {
    let mut log = EventLog::new();
    for text in [
        "",
        "oops",
        "[]",
        "{}",
        "null",
        r#"{"runId":"r","event":"node.started"}"#,
        r#"{"runId":"r","event":"node.started","payload":5}"#,
        r#"{"event":"node.started","payload":{}}"#,
        r#"{"runId":5,"event":"node.started","payload":{}}"#,
        r#"{"runId":"r","event":7,"payload":{}}"#,
        &frame("cron.fired", &json!({})),
        &frame("NodeStarted", &json!({})),
        &frame("run.completed", &json!({"status": "melted"})),
        &frame("run.completed", &json!({})),
        &frame("approval.decided", &json!({"approved": "yes"})),
        &frame("node.started", &json!({"nodeId": 7})),
        &frame("node.started", &json!({"nodeId": "a", "iteration": "x"})),
        &frame("node.started", &json!({"nodeId": "a", "attempt": -1})),
    ] {
        assert!(!log.push_frame(text, NOW), "{text}");
    }
    assert!(!log.push_frame(&frame("node.started", &json!({"nodeId": "a"})), Millis(f64::NAN)));
    assert_eq!((log.counts().lines, log.counts().events), (0, 0));
}

#[test]
fn a_frame_that_comes_twice_is_one_event_and_the_same_again_is_another() {
    let mut log = EventLog::new();
    let started = frame("node.started", &json!({"nodeId": "a"}));
    assert!(log.push_frame(&started, NOW) && log.push_frame(&started, NOW));
    assert!(log.push_frame(&started.replace("\"seq\":1", "\"seq\":2"), NOW));
    assert_eq!((log.counts().events, log.counts().repeated), (2, 1));
    assert_eq!(log.nodes("r")[0].starts, 2);
}

#[test]
fn a_frame_that_names_no_round_speaks_of_the_last_one() {
    let mut log = EventLog::new();
    for (seq, (event, payload)) in [
        ("node.started", json!({"nodeId": "a"})),
        ("node.finished", json!({"nodeId": "a"})),
        ("node.pending", json!({"nodeId": "a", "iteration": 1})),
        ("node.started", json!({"nodeId": "a"})),
    ]
    .into_iter()
    .enumerate()
    {
        let frame = frame(event, &payload).replace("\"seq\":1", &format!("\"seq\":{seq}"));
        assert!(log.push_frame(&frame, NOW));
    }
    let nodes: Vec<(u32, String)> =
        log.nodes("r").iter().map(|node| (node.iteration, node.state.unwrap().as_str().to_owned())).collect();
    assert_eq!(nodes, [(0, "finished".to_owned()), (1, "in-progress".to_owned())]);
}

#[test]
fn frames_and_lines_may_be_in_one_log() {
    let mut log = EventLog::new();
    log.push(b"{\"type\":\"RunStarted\",\"runId\":\"r\",\"timestampMs\":1}");
    log.push_frame(&frame("node.started", &json!({"nodeId": "a"})), Millis(2.0));
    log.push(b"{\"type\":\"RunFinished\",\"runId\":\"r\",\"timestampMs\":3}\n");
    assert_eq!((log.counts().events, log.counts().unread), (3, 0));
    assert_eq!(log.view(NOW).state.as_str(), "succeeded");
}
