//! Recordings: lives at the times of the Gateway's answers, and answers older than an end.

use super::captured;
use super::vectors;

use std::collections::BTreeSet;

use captured::{LAUNCHED, frames, offset, said};
use runstate::file::File;
use runstate::freshness::Freshness;
use runstate::ingest::{Document, open};
use runstate::summary::text;
use runstate::time::Millis;
use serde_json::{Value, json};
use vectors::text as read;

pub(super) const NOW: Millis = Millis(1_795_296_600_000.0);

pub(super) fn opened(files: &[(&str, String)]) -> Document {
    let files: Vec<File<'_>> =
        files.iter().map(|(name, text)| File { name: Some(name), bytes: text.as_bytes() }).collect();
    open(&files, NOW).unwrap()
}

pub(super) fn state(document: &Document) -> Option<String> {
    document.header(None, NOW)?.state
}

pub(super) fn notes(document: &Document) -> Vec<String> {
    document.header(None, NOW).unwrap().answer.notes.iter().map(|note| text(note)).collect()
}

/// The document that `open` makes of the frames before a time.
fn before(frames: &[Value], moment: f64) -> Option<Document> {
    let before = frames.iter().filter(|frame| frame["t"].as_f64().unwrap() < moment);
    let text = before.map(Value::to_string).collect::<Vec<_>>().join("\n");
    open(&[File { name: Some("life.ndjson"), bytes: text.as_bytes() }], NOW).ok()
}

fn shown_before(frames: &[Value], moment: f64) -> Option<String> {
    state(&before(frames, moment)?)
}

/// Cases in which the received frames do not contain the server's answer: the life, the answer, the shown state and the
/// reason. The state is shown as of a time before the answer.
const SILENT: [(&str, &str, &str, &str); 4] = [
    (
        "killed-a",
        "rpc-runs.get-killed-a-5-cancelled",
        "running",
        "both recordings end before it is cancelled",
    ),
    (
        "event-a",
        "rpc-runs.get-waiting",
        "running",
        "no event says that a run parks on an event (protocol section 3.5)",
    ),
    (
        "mixed-a",
        "rpc-runs.get-6500ms",
        "waiting-timer",
        "its timer ended 3 ms before the answer; frames report that 10 ms and of work 44 ms after it",
    ),
    ("killed-a", "rpc-runs.get-killed-a-3-orphaned", "running", "a killed process sends nothing"),
];

/// Asserts that the shown state is in the past tense, as of a time before the answer.
fn assert_older(frames: &[Value], moment: f64, server: f64) {
    let document = before(frames, moment).unwrap();
    let run = document.smithers().unwrap().run.as_ref().unwrap();
    let Freshness::Recorded { at: Some(at) } = Freshness::recorded(run) else { panic!("no moment is shown") };
    assert!(at.0 < server, "{at:?} is shown, {server} is the answer's");
    let header = document.header(None, NOW).unwrap();
    assert!(text(&header.answer.sentence).starts_with("Was "), "{:?}", header.answer.sentence);
}

/// The number of checked answers, their states, and those that the frames do not contain.
fn check(life: &str, folder: &str) -> (usize, BTreeSet<String>, BTreeSet<String>) {
    let frames = frames(life);
    let offset = offset(&frames);
    let run_id = if life == "orphaned-stream-then-resume" { "killed-a" } else { life };
    let first = frames[0]["t"].as_f64().unwrap();
    let (mut checked, mut seen, mut untold) = (0, BTreeSet::new(), BTreeSet::new());
    for answer in said(folder, run_id, offset) {
        let (name, moment, state) = (&answer.name, answer.at, answer.state());
        // Before the life began, there are no frames.
        let Some(shown) = shown_before(&frames, moment).filter(|_| moment > first) else { continue };
        let silent = SILENT.iter().find(|(life, file, ..)| *life == run_id && *file == name);
        let expected = silent.map_or(state, |(_, _, shown, _)| *shown);
        assert_eq!(shown, expected, "{life} at {moment} ({name}): {silent:?}");
        if silent.is_some() {
            assert_ne!(shown, state, "{life}: {name} is no exception");
            assert_older(&frames, moment, moment + offset);
            untold.insert(name.clone());
        }
        checked += 1;
        seen.insert(state.to_owned());
    }
    (checked, seen, untold)
}

#[test]
fn a_life_shows_before_each_answer_what_the_answer_says() {
    let (mut checked, mut seen, mut untold) = (0, BTreeSet::new(), BTreeSet::new());
    let launched = LAUNCHED.iter().map(|life| (*life, format!("runs/{life}")));
    let others = [("killed-a", "crash"), ("orphaned-stream-then-resume", "crash"), ("rewind-a", "rewind")];
    for (life, folder) in launched.chain(others.map(|(life, folder)| (life, folder.to_owned()))) {
        let (count, states, silent) = check(life, &folder);
        untold.extend(silent);
        assert!(count > 0, "{life}");
        checked += count;
        seen.extend(states);
    }
    assert!(checked >= 28, "{checked}");
    assert_eq!(untold, SILENT.iter().map(|(_, file, ..)| (*file).to_owned()).collect());
    let all = [
        "cancelled",
        "failed",
        "orphaned",
        "running",
        "succeeded",
        "waiting-approval",
        "waiting-event",
        "waiting-timer",
    ];
    assert_eq!(seen.iter().map(String::as_str).collect::<Vec<_>>(), all);
}

/// The states shown during a life, without repetitions.
fn course(frames: &[Value]) -> Vec<String> {
    let mut states: Vec<String> = Vec::new();
    let mut moments: Vec<f64> = frames.iter().map(|frame| frame["t"].as_f64().unwrap()).collect();
    moments.dedup();
    for moment in moments {
        if let Some(state) = shown_before(frames, moment + 0.5)
            && states.last() != Some(&state)
        {
            states.push(state);
        }
    }
    states
}

#[test]
fn a_life_goes_its_course() {
    for (life, expected) in [
        ("approval-a", &["running", "waiting-approval", "running", "succeeded"][..]),
        ("approval-denied-a", &["running", "waiting-approval", "failed"]),
        ("timer-a", &["running", "waiting-timer", "running", "succeeded"]),
        ("event-a", &["running", "succeeded"]),
        ("backoff-a", &["running", "succeeded"]),
        ("cancel-a", &["running", "cancelled"]),
        ("degraded-a", &["running", "succeeded"]),
        ("retry-a", &["running", "succeeded"]),
        ("fail-a", &["running", "failed"]),
        ("rewind-a", &["succeeded", "running", "succeeded"]),
        ("orphaned-stream-then-resume", &["orphaned", "running"]),
    ] {
        assert_eq!(course(&frames(life)), expected, "{life}");
    }
    // A run that was launched anew at the same time makes a list.
    let retried = frames("retrytask-a").into_iter().filter(|frame| frame["t"].as_f64().unwrap() < 2000.0);
    assert_eq!(course(&retried.collect::<Vec<_>>()), ["failed", "running", "failed"]);
}

#[test]
fn frames_without_times_are_in_the_order_in_which_they_came() {
    let bare = |until: f64| -> String {
        let all = frames("approval-a").into_iter();
        let before = all.filter(|frame| frame["t"].as_f64().unwrap() < until && frame["dir"] == "in");
        before.map(|frame| frame["data"].to_string()).collect::<Vec<_>>().join("\n")
    };
    for (until, expected) in [(60.0, "running"), (2500.0, "waiting-approval"), (9000.0, "succeeded")] {
        assert_eq!(state(&opened(&[("frames.ndjson", bare(until))])).as_deref(), Some(expected), "{until}");
    }
}

/// A line with the log of `fail-a`, whose run failed at 1795295427141.
#[test]
fn an_unknown_status_of_the_end_is_shown_unchanged() {
    let frame = json!({"type": "event", "event": "run.completed", "seq": 1,
        "payload": {"runId": "r", "status": "melted"}});
    // The server sends it more than once.
    let document = opened(&[("life.ndjson", format!("{frame}\n{frame}"))]);
    assert_eq!(state(&document).as_deref(), Some("melted"));
}

fn with_failed_log(name: &str, other: &Value) -> Document {
    opened(&[(name, other.to_string()), ("fail-a.ndjson", read("logs/stream/fail-a.ndjson"))])
}

#[test]
fn an_end_that_is_later_than_every_answer_is_shown() {
    let row = |heartbeat: f64| json!({"runId": "fail-a", "status": "running", "heartbeatAtMs": heartbeat, "runtimeOwnerId": null});
    let snapshot = |at: &str| {
        json!({"version": 1, "runId": "fail-a", "frameNo": 1, "seq": 1, "root": {"id": 1, "type": "workflow", "name": "fail"},
            "runState": {"runId": "fail-a", "computedAt": at, "state": "running"}})
    };
    let before = [row(1_795_295_427_000.0), snapshot("2026-11-21T21:10:27.100Z")];
    for other in before {
        let document = with_failed_log("other.json", &other);
        assert_eq!(state(&document).as_deref(), Some("failed"), "{other}");
        let run = document.smithers().unwrap().run.as_ref().unwrap();
        assert!(run.error.is_some() && run.finished_at.is_some(), "{other}");
        assert!(
            run.all_witnesses().count() >= 2 && notes(&document).is_empty(),
            "{other}: {:?}",
            notes(&document)
        );
    }
    // Statements after the end are newer than it: the run was reopened.
    let after = [(row(1_795_295_440_000.0), "orphaned"), (snapshot("2026-11-21T21:10:40.000Z"), "running")];
    for (other, expected) in after {
        let document = with_failed_log("other.json", &other);
        assert_eq!(state(&document).as_deref(), Some(expected), "{other}");
        assert!(notes(&document)[0].starts_with("Sources disagree."), "{other}");
    }
    // A row without any time cannot be dated.
    let document = with_failed_log("row.json", &json!({"runId": "fail-a", "status": "waiting-timer"}));
    assert_eq!(state(&document).as_deref(), Some("waiting-timer"));
    let document = with_failed_log("row.json", &json!({"runId": "fail-a", "status": "running"}));
    assert_eq!(state(&document).as_deref(), Some("failed"), "the row alone has no state");
}

#[test]
fn the_persisted_end_is_later_than_an_answer_from_the_run_s_life() {
    let files = |answer: &str| {
        opened(&[
            ("run.json", read(&format!("captures/runs/cancel-a/{answer}.json"))),
            ("events.json", read("logs/rest/cancel-a.json")),
        ])
    };
    let document = files("rpc-runs.get-running");
    assert_eq!(state(&document).as_deref(), Some("cancelled"));
    assert!(document.problems().is_empty(), "{:?}", document.problems().texts());
    assert_eq!(state(&files("rpc-runs.get")).as_deref(), Some("cancelled"));
}

/// A file of the document vectors.
fn vector(path: &str) -> (&str, String) {
    let file = format!("{}/../tests/vectors/documents/valid/{path}", env!("CARGO_MANIFEST_DIR"));
    (path, std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{file}: {error}")))
}

#[test]
fn what_is_asked_again_and_again_is_told_once_as_it_was_last() {
    let document = opened(&[vector("har-refused/polled.har")]);
    let last = ["Was also waiting for a decision at gate.", "Approvals: gate, requested."];
    assert_eq!(notes(&document), last);
    // The two files answer different requests: both are noted.
    let row = |node: &str| json!({"runId": "r1", "nodeId": node, "iteration": 0, "requestedAtMs": 1, "status": "approved"});
    let files = opened(&[("a.json", row("a").to_string()), ("b.json", row("b").to_string())]);
    assert_eq!(notes(&files), ["Approvals: a, approved.", "Approvals: b, approved."]);
}

#[test]
fn counts_that_are_whole_before_a_cut_are_read() {
    let (name, text) = vector("cut-more/stats.json");
    let document = opened(&[(name, text.clone())]);
    assert_eq!((document.kind(), document.problems().texts().len()), ("stats", 1));
    // Incomplete counts would look complete.
    let cut = text.find("\"running\"").unwrap();
    assert!(open(&[File { name: None, bytes: &text.as_bytes()[..cut] }], NOW).is_err());
}
