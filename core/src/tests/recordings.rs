//! Recordings: lives at the times of the Gateway's answers, logs in pieces, and answers older than an end.

use super::captured;
use super::vectors;

use std::collections::BTreeSet;

use captured::{LAUNCHED, frames, offset, said};
use runstate::file::File;
use runstate::freshness::Freshness;
use runstate::ingest::{Document, open};
use runstate::log::{Caveat, EventLog, Filter, LogRow};
use runstate::summary::text;
use runstate::time::Millis;
use serde_json::{Value, json};
use vectors::text as read;

const NOW: Millis = Millis(1_795_296_600_000.0);

fn opened(files: &[(&str, String)]) -> Document {
    let files: Vec<File<'_>> =
        files.iter().map(|(name, text)| File { name: Some(name), bytes: text.as_bytes() }).collect();
    open(&files, NOW).unwrap()
}

fn state(document: &Document) -> Option<String> {
    document.header(None, NOW)?.state
}

fn notes(document: &Document) -> Vec<String> {
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
    let row = |heartbeat: f64| json!({"runId": "fail-a", "status": "running", "heartbeatAtMs": heartbeat});
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
        assert!(notes(&document)[0].starts_with("Witnesses disagree."), "{other}");
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

/// The lines of a text in two parts.
fn halves(text: &str, at: usize) -> (String, String) {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let (first, second) = lines.split_at(at);
    (first.concat(), second.concat())
}

fn summary(document: &mut Document) -> String {
    let problems = document.problems().texts();
    let run = document.smithers().unwrap().run.as_ref().unwrap();
    let nodes: Vec<_> = run.nodes.iter().map(|node| (&node.node_id, node.state.to_string())).collect();
    let found = format!(
        "{:?} {:?} {:?} {nodes:?} {problems:?}",
        run.view(),
        run.started_at.map(|at| at.0),
        run.finished_at.map(|at| at.0)
    );
    let events = document.logs().iter_mut().map(|log| log.counts().events).collect::<Vec<_>>();
    format!("{found} {events:?}")
}

#[test]
fn a_log_in_pieces_is_one_log() {
    for run in ["fail-a", "approval-a", "timer-a", "quick-a", "steps-a"] {
        let text = read(&format!("logs/stream/{run}.ndjson"));
        let whole = summary(&mut opened(&[("log.ndjson", text.clone())]));
        for cut in [1, 5, text.lines().count() - 1] {
            let (first, second) = halves(&text, cut);
            for files in [
                [("a.ndjson", first.clone()), ("b.ndjson", second.clone())],
                [("b.ndjson", second.clone()), ("a.ndjson", first.clone())],
                [("a.ndjson", text.clone()), ("b.ndjson", second.clone())],
            ] {
                assert_eq!(summary(&mut opened(&files)), whole, "{run} cut at {cut}: {}", files[0].0);
            }
        }
    }
    // Without its beginning it is still a piece.
    let (_, second) = halves(&read("logs/stream/fail-a.ndjson"), 5);
    let alone = opened(&[("b.ndjson", second)]);
    assert!(
        alone
            .problems()
            .texts()
            .iter()
            .any(|problem| problem.ends_with("does not begin with the run's start."))
    );
}

/// An answer with some of the events, asked for with a limit.
fn page(run: &str, range: std::ops::Range<usize>, limit: Option<usize>) -> String {
    let mut capture: Value = serde_json::from_str(&read(&format!("logs/rest/{run}.json"))).unwrap();
    let events = capture["response"]["body"]["data"].as_array().unwrap()[range].to_vec();
    capture["response"]["body"]["data"] = json!(events);
    let query = limit.map(|limit| format!("?limit={limit}")).unwrap_or_default();
    capture["request"]["path"] = json!(format!("/v1/api/runs/{run}/events{query}"));
    capture.to_string()
}

#[test]
fn pages_of_events_are_one_log() {
    let whole = summary(&mut opened(&[("events.json", page("fail-a", 0..15, None))]));
    let pages = || {
        [(0..6, "1.json"), (5..11, "2.json"), (11..15, "3.json")]
            .map(|(range, name)| (name, page("fail-a", range, Some(6))))
    };
    for turn in 0..3 {
        let mut pages = pages();
        pages.rotate_left(turn);
        assert_eq!(summary(&mut opened(&pages)), whole, "{turn}");
    }
    // A page that is missing in the middle is missing.
    let document =
        opened(&[("1.json", page("fail-a", 0..5, None)), ("3.json", page("fail-a", 11..15, None))]);
    assert!(
        document.problems().texts()[0].contains("Events are missing: 6, in 1 places"),
        "{:?}",
        document.problems().texts()
    );
}

#[test]
fn a_page_that_is_full_may_not_be_the_last() {
    let found = |range, limit| opened(&[("1.json", page("fail-a", range, limit))]).problems().texts();
    let full = "1.json: fail-a: The number of events is the requested maximum: the next page may have more.";
    assert_eq!(found(0..6, Some(6)), [full]);
    assert!(found(0..6, Some(7)).is_empty() && found(0..6, None).is_empty());
    assert!(found(0..15, Some(15)).is_empty(), "the run's end is on it");
}

#[test]
fn what_the_command_prints_lacks_frames_and_nothing_else() {
    for run in ["fail-a", "quick-b", "approval-a"] {
        let text = read(&format!("logs/cli/events-{run}.ndjson"));
        let document = opened(&[("events.ndjson", text.clone())]);
        assert!(document.problems().is_empty(), "{run}: {:?}", document.problems().texts());
        assert!(notes(&document).is_empty(), "{run}: {:?}", notes(&document));
        let mut log = EventLog::new();
        log.push(text.as_bytes());
        let view = log.view(NOW);
        assert!(!view.across_gap && log.gaps().is_empty() && log.counts().lost == 0, "{run}");
        assert!(view.caveats.iter().any(|caveat| matches!(caveat, Caveat::LeftOut { .. })), "{run}");
        assert!(log.nodes(run).iter().all(|node| !node.across_gap), "{run}");
        let gaps = log.rows(0, 1000, &Filter::default());
        assert!(!gaps.rows.iter().any(|row| matches!(row, LogRow::Gap(_))), "{run}");
    }
    // Everything is printed on demand, and then a number that is missing is missing; so is the beginning.
    let (raw, printed) = (read("logs/cli/events-raw-quick-b.ndjson"), read("logs/cli/events-quick-b.ndjson"));
    let without = |text: &str, from: usize, to: usize| -> String {
        let kept = text.split_inclusive('\n').enumerate().filter(|(line, _)| !(from..to).contains(line));
        kept.map(|(_, line)| line).collect()
    };
    for text in [without(&raw, 20, 23), without(&printed, 0, 3)] {
        let document = opened(&[("events.ndjson", text)]);
        assert!(
            document.problems().texts()[0].contains("Events are missing: 3"),
            "{:?}",
            document.problems().texts()
        );
    }
}

#[test]
fn the_header_says_what_a_log_does_not() {
    for (run, expected) in [("cancel-a", "running"), ("can-a", "running"), ("fail-a", "failed")] {
        let document = opened(&[("log.ndjson", read(&format!("logs/stream/{run}.ndjson")))]);
        assert_eq!(state(&document).as_deref(), Some(expected), "{run}");
        let end =
            "The end may be missing: a log does not always record that a run was cancelled or continued.";
        let found = if expected == "running" { vec![end.to_owned()] } else { Vec::new() };
        assert_eq!(notes(&document), found, "{run}");
    }
    let text = read("logs/rest/cancel-a.json");
    assert!(notes(&opened(&[("events.json", text)])).is_empty(), "the end is in it");
    let (_, tail) = halves(&read("logs/stream/cancel-a.ndjson"), 3);
    let broken = format!("{tail}oops\n{{\"type\":\"Run");
    let found = notes(&opened(&[("log.ndjson", broken)]));
    let starts = |start: &str| found.iter().any(|note| note.starts_with(start));
    assert!(starts("The log does not begin"), "{found:?}");
    assert!(starts("The end may be missing") && starts("No event states the run's state"), "{found:?}");
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
