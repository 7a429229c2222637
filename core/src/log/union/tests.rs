//! Captured logs with the events that were pushed meanwhile, and cases around the end of a log.

use super::{LogUnion, Repeats};
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
fn rows(union: &mut LogUnion) -> Vec<(String, f64)> {
    let page = union.log.rows(0, 1_000, &Filter::default());
    let row = |row: &LogRow| match row {
        LogRow::Event(event) => Some((event.event_type.to_string(), event.at.0)),
        LogRow::Heartbeats(_) | LogRow::Gap(_) => None,
    };
    page.rows.iter().filter_map(row).collect()
}

fn union(stored: &str, pushed: &[(&str, &str, u32)]) -> Vec<(String, f64)> {
    rows(&mut LogUnion::new(log(stored), "r", Some(&received(pushed))).unwrap())
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
    assert_eq!(union(&stored, &pushed), expected);
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
    assert_eq!(union(&stored, &pushed), expected);
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
    let added = &union(&stored, &pushed)[2..];
    assert_eq!(added, [row("NodeStarted", 60_200.0), row("NodeFinished", 60_900.0)]);
    let mut late = EventFeed::default();
    late.begin(Millis(62_000.0));
    late.push("r", "node.started", None, Slice::new(r#"{"nodeId":"a"}"#), Millis(62_500.0));
    let found = rows(&mut LogUnion::new(log(&stored), "r", Some(&late)).unwrap());
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
    let mut union = LogUnion::new(log(&stored), "r", Some(&received)).unwrap();
    assert_eq!(rows(&mut union).len(), 2);
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
    let found = rows(&mut LogUnion::new(log(&stored), "r", Some(&received)).unwrap());
    let expected = [
        row("NodeFinished", 70_000.0),
        row("RunFinished", 70_010.0),
        row("ApprovalGranted", 71_000.0),
        row("NodeStarted", 90_000.0),
    ];
    assert_eq!(found[1..], expected);
}

/// A log of two nodes, of which one failed and ended the run at the time 60 000.
fn failed_run() -> String {
    [
        event("NodeStarted", "build", 58_000),
        event("NodeFinished", "build", 58_500),
        event("NodeStarted", "ship", 59_000),
        event("NodeFailed", "ship", 59_900),
        r#"{"type":"RunFailed","runId":"r","timestampMs":60000}"#.to_owned(),
    ]
    .concat()
}

/// The pushes of that run that repeat it after its end.
const REPEATS: [(&str, &str, u32); 5] = [
    ("run.completed", "", 60_180),
    ("node.started", "build", 61_000),
    ("node.finished", "build", 61_000),
    ("node.started", "ship", 61_000),
    ("node.failed", "ship", 61_001),
];

fn push_end(received: &mut EventFeed, at: u32) {
    let failed = Slice::new(r#"{"status":"failed"}"#);
    received.push("r", "run.completed", None, failed, Millis(f64::from(at)));
}

/// Those of a run that has ended, received from this time on.
fn received_after_end(since: u32, events: &[(&str, &str, u32)]) -> EventFeed {
    let mut received = EventFeed::default();
    received.begin(Millis(f64::from(since)));
    for (name, node, at) in events {
        if *name == "run.completed" {
            push_end(&mut received, *at);
        } else {
            let payload = format!(r#"{{"nodeId":"{node}"}}"#);
            received.push("r", name, None, Slice::new(&payload), Millis(f64::from(*at)));
        }
    }
    received
}

/// The rows after those of the stored log, and what was taken for repeats.
fn added(stored: &str, received: &EventFeed) -> (Vec<(String, f64)>, Option<Repeats>) {
    let stored = log(stored);
    let before = stored.len();
    let mut union = LogUnion::new(stored, "r", Some(received)).unwrap();
    (rows(&mut union).split_off(before), union.repeats())
}

#[test]
fn a_retry_right_after_the_repeats_is_listed() {
    let mut pushed = REPEATS.to_vec();
    pushed.extend([
        ("run.completed", "", 61_002),
        ("node.started", "ship", 63_000),
        ("node.failed", "ship", 64_000),
    ]);
    let (rows, repeats) = added(&failed_run(), &received_after_end(60_100, &pushed));
    assert_eq!(rows, [row("NodeStarted", 63_000.0), row("NodeFailed", 64_000.0)]);
    assert_eq!(repeats, Some(Repeats { count: 6, until: Millis(61_002.0) }));
}

#[test]
fn a_retry_before_the_repeats_adds_as_many_rows_as_it_has_events() {
    let mut pushed = vec![("node.started", "ship", 60_500)];
    pushed.extend(REPEATS);
    pushed.sort_by_key(|(.., at)| *at);
    let (rows, repeats) = added(&failed_run(), &received_after_end(60_100, &pushed));
    assert_eq!(rows, [row("NodeStarted", 61_000.0)]);
    assert_eq!(repeats.map(|repeats| repeats.count), Some(5));
}

#[test]
fn the_end_of_a_retry_is_listed_and_repeats_the_whole_run() {
    let retry =
        [("node.started", "ship", 62_000), ("node.finished", "ship", 62_100), ("run.completed", "", 62_200)];
    let mut pushed = REPEATS.to_vec();
    pushed.push(("run.completed", "", 61_002));
    pushed.extend(retry);
    for (name, node, at) in REPEATS.iter().chain(&retry) {
        pushed.push((name, node, at.max(&63_000) + 200));
    }
    let (rows, repeats) = added(&failed_run(), &received_after_end(60_100, &pushed));
    assert_eq!(
        rows,
        [row("NodeStarted", 62_000.0), row("NodeFinished", 62_100.0), row("RunFailed", 62_200.0)]
    );
    assert_eq!(repeats.map(|repeats| repeats.count), Some(14));
}

#[test]
fn each_iteration_is_repeated_once() {
    let start = |at| event("NodeStarted", "a", at);
    let stored = start(57_000) + &start(58_000) + r#"{"type":"RunFailed","runId":"r","timestampMs":60000}"#;
    let pushed = [61_000, 61_000, 61_500].map(|at| ("node.started", "a", at));
    let (rows, repeats) = added(&stored, &received_after_end(60_100, &pushed));
    assert_eq!((rows.len(), repeats.map(|repeats| repeats.count)), (1, Some(2)));
}

#[test]
fn a_later_attempt_or_iteration_is_no_repeat() {
    let mut received = received_after_end(60_100, &[]);
    for payload in [r#"{"nodeId":"ship","attempt":2}"#, r#"{"nodeId":"ship","iteration":1}"#] {
        received.push("r", "node.started", None, Slice::new(payload), Millis(60_200.0));
    }
    let (rows, repeats) = added(&failed_run(), &received);
    assert_eq!((rows.len(), repeats), (2, None));
}

#[test]
fn what_may_be_the_retry_of_a_run_that_was_not_repeated_is_counted() {
    let pushed = [("node.started", "ship", 62_500), ("node.started", "ship", 65_500)];
    let (rows, repeats) = added(&failed_run(), &received_after_end(62_000, &pushed));
    assert_eq!(rows, [row("NodeStarted", 65_500.0)], "repeats come within five seconds");
    assert_eq!(repeats, Some(Repeats { count: 1, until: Millis(62_500.0) }));
}

#[test]
fn later_events_and_losses_are_taken_as_they_come() {
    let stored = event("NodeStarted", "a", 60_000);
    let mut received = received(&[]);
    received.lose(Some(3), Millis(50_000.0));
    let mut union = LogUnion::new(log(&stored), "r", Some(&received)).unwrap();
    assert!(!union.is_incomplete(), "the log has what was lost");
    received.push("r", "node.finished", None, Slice::new(r#"{"nodeId":"a"}"#), Millis(70_000.0));
    received.push("other", "node.finished", None, Slice::new(r#"{"nodeId":"a"}"#), Millis(70_000.0));
    union.take(&received);
    union.take(&received);
    assert_eq!(rows(&mut union).len(), 2);
    received.lose(None, Millis(80_000.0));
    union.take(&received);
    assert!(union.is_incomplete());
    assert!(LogUnion::new(log(&stored), "other", None).is_none(), "it has no event of that run");
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
        let mut union = LogUnion::new(stored, run, Some(&received)).unwrap();
        assert!(received.rows().len() > 5, "{run}");
        let mut added: Vec<String> = union
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
