//! Captured logs with the events that were pushed meanwhile, and cases around the end of a log.

use super::JoinedLog;
use crate::frame::EventTarget;
use crate::json::Slice;
use crate::log::{EventFeed, EventLog, Filter, LogRow};
use crate::tests::vectors;
use crate::time::Millis;

fn log(text: &str) -> EventLog {
    let mut log = EventLog::new();
    log.push(text.as_bytes());
    log.finish();
    log
}

fn event(kind: &str, node: &str, at: u32) -> String {
    format!(
        r#"{{"type":"{kind}","runId":"r","nodeId":"{node}","iteration":0,"attempt":1,"timestampMs":{at}}}"#
    ) + "\n"
}

/// Events that were received since the time 0, each with its arrival.
fn received(events: &[(&str, &str, u32)]) -> EventFeed {
    let mut received = EventFeed::default();
    received.begin(Millis(0.0));
    for (name, node, at) in events {
        let payload = format!(r#"{{"nodeId":"{node}"}}"#);
        received.push("r", name, None, Slice::new(&payload), Millis(f64::from(*at)));
    }
    received
}

/// The types and times of all rows.
fn rows(joined: &mut JoinedLog) -> Vec<(String, f64)> {
    let page = joined.log.rows(0, 1_000, &Filter::default());
    let row = |row: &LogRow| match row {
        LogRow::Event(event) => Some((event.event_type.to_string(), event.at.0)),
        LogRow::Heartbeats(_) | LogRow::Gap(_) => None,
    };
    page.rows.iter().filter_map(row).collect()
}

fn joined(stored: &str, pushed: &[(&str, &str, u32)]) -> Vec<(String, f64)> {
    rows(&mut JoinedLog::new(log(stored), "r", Some(&received(pushed))).unwrap())
}

fn row(kind: &str, at: f64) -> (String, f64) {
    (kind.to_owned(), at)
}

#[test]
fn pushes_before_the_end_of_the_log_repeat_its_events() {
    let stored = [event("NodeStarted", "a", 20_000), event("NodeFinished", "a", 60_000)].concat();
    let pushed =
        [("node.started", "a", 20_040), ("node.finished", "a", 60_030), ("node.started", "b", 70_000)];
    let expected =
        [row("NodeStarted", 20_000.0), row("NodeFinished", 60_000.0), row("NodeStarted", 70_000.0)];
    assert_eq!(joined(&stored, &pushed), expected);
}

#[test]
fn what_a_log_never_has_stays_at_its_time() {
    let stored = [event("NodeWaitingApproval", "a", 20_000), event("NodeFinished", "a", 60_000)].concat();
    let pushed = [("node.cancelled", "a", 30_000), ("node.dreamed", "a", 40_000)];
    let expected = [
        row("NodeWaitingApproval", 20_000.0),
        row("NodeCancelled", 30_000.0),
        row("node.dreamed", 40_000.0),
        row("NodeFinished", 60_000.0),
    ];
    assert_eq!(joined(&stored, &pushed), expected);
}

#[test]
fn around_the_end_each_stored_event_is_repeated_once() {
    let stored = [event("NodeStarted", "a", 59_000), event("NodeFinished", "a", 60_000)].concat();
    let pushed = [
        ("node.started", "a", 59_100),
        ("node.finished", "a", 60_100),
        // The next iteration.
        ("node.started", "a", 60_200),
        ("node.finished", "a", 60_900),
    ];
    let added = &joined(&stored, &pushed)[2..];
    assert_eq!(added, [row("NodeStarted", 60_200.0), row("NodeFinished", 60_900.0)]);
    let mut late = EventFeed::default();
    late.begin(Millis(62_000.0));
    late.push("r", "node.started", None, Slice::new(r#"{"nodeId":"a"}"#), Millis(62_500.0));
    let found = rows(&mut JoinedLog::new(log(&stored), "r", Some(&late)).unwrap());
    assert_eq!(found[2..], [row("NodeStarted", 62_500.0)], "the stored ones were before the connection");
}

#[test]
fn a_run_that_has_ended_is_pushed_a_second_time() {
    let end = r#"{"type":"RunFinished","runId":"r","timestampMs":60000}"#;
    let stored = event("NodeStarted", "a", 59_000) + end;
    let finished = r#"{"status":"finished"}"#;
    let mut received = received(&[("node.started", "a", 59_010)]);
    for at in [60_010.0, 60_020.0] {
        received.push("r", "run.completed", None, Slice::new(finished), Millis(at));
    }
    received.push("r", "node.started", None, Slice::new(r#"{"nodeId":"a"}"#), Millis(61_000.0));
    let mut joined = JoinedLog::new(log(&stored), "r", Some(&received)).unwrap();
    assert_eq!(rows(&mut joined).len(), 2);
}

#[test]
fn a_run_that_ends_after_the_log_is_pushed_a_second_time() {
    let stored = event("NodeStarted", "a", 60_000);
    let mut received = received(&[("node.finished", "a", 70_000)]);
    let push = |received: &mut EventFeed, name, payload: &str, at| {
        received.push("r", name, None, Slice::new(payload), Millis(at));
    };
    push(&mut received, "run.completed", r#"{"status":"finished"}"#, 70_010.0);
    push(&mut received, "run.completed", r#"{"status":"finished"}"#, 70_020.0);
    push(&mut received, "approval.decided", r#"{"nodeId":"a","approved":true}"#, 71_000.0);
    push(&mut received, "node.started", r#"{"nodeId":"a"}"#, 71_010.0);
    push(&mut received, "node.started", r#"{"nodeId":"a"}"#, 90_000.0);
    let found = rows(&mut JoinedLog::new(log(&stored), "r", Some(&received)).unwrap());
    let expected = [
        row("NodeFinished", 70_000.0),
        row("RunFinished", 70_010.0),
        row("ApprovalGranted", 71_000.0),
        row("NodeStarted", 90_000.0),
    ];
    assert_eq!(found[1..], expected);
}

#[test]
fn later_events_and_losses_are_taken_as_they_come() {
    let stored = event("NodeStarted", "a", 60_000);
    let mut received = received(&[]);
    received.lose(Some(3), Millis(50_000.0));
    let mut joined = JoinedLog::new(log(&stored), "r", Some(&received)).unwrap();
    assert!(!joined.is_incomplete(), "the log has what was lost");
    received.push("r", "node.finished", None, Slice::new(r#"{"nodeId":"a"}"#), Millis(70_000.0));
    received.push("other", "node.finished", None, Slice::new(r#"{"nodeId":"a"}"#), Millis(70_000.0));
    joined.take(&received);
    joined.take(&received);
    assert_eq!(rows(&mut joined).len(), 2);
    received.lose(None, Millis(80_000.0));
    joined.take(&received);
    assert!(joined.is_incomplete());
    assert!(JoinedLog::new(log(&stored), "other", None).is_none(), "it has no event of that run");
}

#[test]
fn nothing_is_added_to_the_logs_of_captured_runs_but_what_no_log_has() {
    for (run, expected) in [
        ("approval-a", &["ApprovalGranted"][..]),
        ("cancel-a", &["RunCancelled"]),
        ("fail-a", &[]),
        ("steps-a", &[]),
        ("timer-a", &[]),
        ("wide-a", &[]),
    ] {
        let stored = log(&vectors::text(&format!("logs/stream/{run}.ndjson")));
        let mut received = EventFeed::default();
        let mut begin = None;
        for line in vectors::lines(&format!("ws/{run}.ndjson")) {
            let (at, frame) = (line["t"].as_f64().unwrap_or_default(), &line["data"]);
            let (Some(name), payload) = (frame["event"].as_str(), frame["payload"].to_string()) else {
                continue;
            };
            let challenge = || frame["payload"]["ts"].as_f64().map(|ts| ts - at);
            let start = *begin.get_or_insert_with(|| challenge().expect("the challenge comes first"));
            // This connection received some events twice: as they are, and in the stream of the run.
            let target = EventTarget::read(name, Slice::new(&payload)).filter(|_| name == "run.event");
            if let Some(EventTarget { run_id, event, seq, payload }) = target {
                received.push(&run_id, &event, seq, payload, Millis(start + at));
            }
        }
        let before = stored.len();
        let mut joined = JoinedLog::new(stored, run, Some(&received)).unwrap();
        assert!(received.rows().len() > 5, "{run}");
        let mut added: Vec<String> = joined
            .log
            .rows(0, 100_000, &Filter::default())
            .rows
            .iter()
            .filter_map(|row| match row {
                LogRow::Event(event) if event.row as usize >= before => Some(event.event_type.to_string()),
                LogRow::Event(_) | LogRow::Heartbeats(_) | LogRow::Gap(_) => None,
            })
            .collect();
        added.dedup();
        assert_eq!(added, expected, "{run}");
    }
}
