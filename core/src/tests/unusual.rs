//! Unusual documents: whatever people attach to a report leads to no false state.

use super::recordings::{NOW, notes, opened, state};

use runstate::ingest::Document;
use serde_json::{Value, json};

const BEGIN: f64 = 1_795_296_000_000.0;

fn run_event(kind: &str, second: f64) -> Value {
    json!({"type": kind, "runId": "r", "timestampMs": BEGIN + second * 1000.0})
}

fn node_event(kind: &str, node: &str, second: f64) -> Value {
    json!({"type": kind, "runId": "r", "nodeId": node, "iteration": 0, "attempt": 1, "timestampMs": BEGIN + second * 1000.0})
}

fn text(events: &[Value]) -> String {
    events.iter().map(|event| event.to_string() + "\n").collect()
}

fn log(events: &[Value]) -> Document {
    opened(&[("log.ndjson", text(events))])
}

/// A note that begins so.
fn has_note(document: &Document, begin: &str) -> bool {
    notes(document).iter().any(|note| note.starts_with(begin))
}

/// A run from its start on, whose last event comes at this second.
fn ended(kind: &str, last: f64) -> Vec<Value> {
    vec![
        run_event("RunStarted", 0.0),
        node_event("NodeStarted", "a", 1.0),
        node_event("NodeFinished", "a", 50.0),
        run_event(kind, last),
    ]
}

#[test]
fn a_clock_that_steps_back_moves_no_event() {
    for (last, kind, expected) in [
        (49.3, "RunFinished", "succeeded"),
        (0.5, "RunFailed", "failed"),
        (-3600.0, "RunCancelled", "cancelled"),
        (50.0, "RunFinished", "succeeded"),
        (-0.001, "RunFailed", "failed"),
    ] {
        let document = log(&ended(kind, last));
        assert_eq!(state(&document).as_deref(), Some(expected), "{last}");
        assert_eq!(
            has_note(&document, "Times go back by"),
            50.0 - last >= 1.0,
            "{last}: {:?}",
            notes(&document)
        );
    }
    // A wait that ended, a start after a jump, and two events.
    let jump = [
        run_event("RunStarted", 3600.0),
        node_event("NodeStarted", "a", 3601.0),
        run_event("RunFinished", 2.0),
    ];
    assert_eq!(state(&log(&jump)).as_deref(), Some("succeeded"));
    let again = [&ended("RunFailed", 60.0)[..], &[run_event("RunStarted", 30.0)]].concat();
    assert_eq!(state(&log(&again)).as_deref(), Some("running"));
    let two = [run_event("RunStarted", 9.0), run_event("RunFinished", 8.0)];
    assert_eq!(state(&log(&two)).as_deref(), Some("succeeded"));
}

#[test]
fn a_file_that_is_newest_first_throughout_is_turned() {
    for kind in ["RunFinished", "RunFailed", "RunCancelled"] {
        let mut events = ended(kind, 60.0);
        let expected = state(&log(&events));
        events.reverse();
        let document = log(&events);
        assert_eq!(state(&document), expected, "{kind}");
        assert!(has_note(&document, "The log is newest first"), "{:?}", notes(&document));
    }
    // Without its start, and with equal times.
    let mut tail = vec![
        run_event("RunFinished", 60.0),
        node_event("NodeFinished", "a", 60.0),
        node_event("NodeFinished", "b", 40.0),
        node_event("NodeStarted", "b", 30.0),
        node_event("NodeStarted", "a", 20.0),
    ];
    assert_eq!(state(&log(&tail)).as_deref(), Some("succeeded"));
    // One event out of order: not throughout.
    tail.swap(1, 3);
    assert_ne!(log(&tail).problems().texts(), ["nothing"]);
    assert!(!has_note(&log(&tail), "The log is newest first"));
}

#[test]
fn files_are_merged_by_their_times_and_keep_their_order() {
    let first = text(&ended("RunFailed", 10.0));
    let second = text(&[run_event("RunStarted", 100.0), run_event("RunFinished", 90.0)]);
    for files in [
        [("a.ndjson", first.clone()), ("b.ndjson", second.clone())],
        [("b.ndjson", first.clone()), ("a.ndjson", second.clone())],
    ] {
        let document = opened(&files);
        assert_eq!(state(&document).as_deref(), Some("succeeded"));
        assert!(has_note(&document, "Times go back by"), "{:?}", notes(&document));
    }
    let backwards: String = first.lines().rev().map(|line| line.to_owned() + "\n").collect();
    assert_eq!(
        state(&opened(&[("a.ndjson", second), ("b.ndjson", backwards)])).as_deref(),
        Some("succeeded")
    );
}

#[test]
fn what_was_not_read_behind_the_last_event_stands_beside_the_state() {
    let begin = text(&ended("NodeStarted", 60.0)[..3]);
    let one = "One line after the last event could not be read. The state may be different.";
    for tail in [
        "{\"type\":\"RunFai",
        "oops",
        "{'type': 'RunFailed', 'runId': 'r'}",
        "{\"type\":\"RunFailed\",\"runId\":\"r\",\"timestampMs\":\"soon\"}",
        "{type: RunFailed}",
        "RunFailed r",
    ] {
        let document = opened(&[("log.ndjson", format!("{begin}{tail}"))]);
        assert_eq!(state(&document).as_deref(), Some("running"), "{tail}");
        assert!(has_note(&document, one), "{tail}: {:?}", notes(&document));
        let evidence = document.header(None, NOW).unwrap().evidence;
        assert!(evidence.iter().any(|line| line.name == "unread lines after the last event"), "{tail}");
        // Followed by an event, it is behind no more.
        let document =
            opened(&[("log.ndjson", format!("{begin}{tail}\n{}", run_event("RunFinished", 70.0)))]);
        assert_eq!(state(&document).as_deref(), Some("succeeded"), "{tail}");
        assert!(!has_note(&document, "One line after"), "{tail}: {:?}", notes(&document));
    }
}

#[test]
fn an_unknown_last_event_of_a_run_is_named() {
    let begin = ended("RunFinished", 60.0)[..3].to_vec();
    let begins = "The last event is of a type that Runstate does not know: ";
    for kind in [
        "RunAbandoned",
        "RunSuspended",
        "RunLost",
        "run_finished",
        "run.failed",
        "RUN_CANCELLED",
        "WorkflowEnded",
        "Done",
    ] {
        let document = log(&[&begin[..], &[run_event(kind, 60.0)]].concat());
        assert!(has_note(&document, &format!("{begins}{kind}.")), "{:?}", notes(&document));
        // Work or another state after it.
        for after in [node_event("NodeStarted", "b", 61.0), run_event("RunFinished", 61.0)] {
            let document = log(&[&begin[..], &[run_event(kind, 60.0), after]].concat());
            assert!(!has_note(&document, begins), "{:?}", notes(&document));
        }
    }
    let node = log(&[&begin[..], &[node_event("NodeDreamed", "a", 60.0)]].concat());
    assert!(!has_note(&node, begins), "{:?}", notes(&node));
}

#[test]
fn an_end_that_another_end_follows_is_named() {
    for (first, second, expected) in [
        ("RunCancelled", "RunFinished", "succeeded"),
        ("RunFailed", "RunFinished", "succeeded"),
        ("RunFinished", "RunFailed", "failed"),
        ("RunFinished", "RunCancelled", "cancelled"),
        ("RunCancelled", "RunFailed", "failed"),
    ] {
        let document = log(&[&ended(first, 60.0)[..], &[run_event(second, 70.0)]].concat());
        assert_eq!(state(&document).as_deref(), Some(expected), "{first}, {second}");
        assert!(has_note(&document, "An event said "), "{first}, {second}: {:?}", notes(&document));
        // A new start explains it.
        let events = [run_event("RunStarted", 65.0), run_event(second, 70.0)];
        let document = log(&[&ended(first, 60.0)[..], &events].concat());
        assert!(!has_note(&document, "An event said "), "{first}, {second}: {:?}", notes(&document));
    }
}

/// The state of a row, and whether a forced resume is offered.
fn row(row: &Value) -> (String, bool) {
    let document = opened(&[("row.json", row.to_string())]);
    let header = document.header(None, NOW).unwrap();
    let is_forced = format!("{:?}", header.actions).contains("--force");
    (header.state.unwrap_or_default(), is_forced)
}

#[test]
fn a_column_that_is_absent_is_no_signal() {
    let old = NOW.0 - 3_600_000.0;
    for absent in [
        json!({"runId": "r", "status": "running"}),
        json!({"runId": "r", "status": "running", "startedAtMs": old}),
        json!({"runId": "r", "status": "running", "startedAtMs": old, "runtimeOwnerId": null}),
        json!({"runId": "r", "status": "running", "startedAtMs": old, "runtimeOwnerId": "pid:1"}),
        json!({"run_id": "r", "status": "running", "started_at_ms": old, "workflow_name": "w"}),
    ] {
        assert_eq!(row(&absent), ("unknown".to_owned(), false), "{absent}");
    }
    // The heartbeat is there, the owner is not.
    let silent = json!({"runId": "r", "status": "running", "heartbeatAtMs": old});
    assert_eq!(row(&silent), ("stale".to_owned(), false));
    // Null is a signal.
    let orphaned = json!({"runId": "r", "status": "running", "heartbeatAtMs": old, "runtimeOwnerId": null});
    assert_eq!(row(&orphaned), ("orphaned".to_owned(), true));
    let never = json!({"runId": "r", "status": "running", "heartbeatAtMs": null, "runtimeOwnerId": null});
    assert_eq!(row(&never), ("unknown".to_owned(), true));
    let fresh = json!({"runId": "r", "status": "running", "startedAtMs": NOW.0 - 5_000.0});
    assert_eq!(row(&fresh).0, "running");
}

#[test]
fn an_error_column_of_any_type_is_read() {
    for (error, said) in [
        (json!({"message": "plain object"}), "plain object"),
        (json!("{\"message\":\"in text\"}"), "in text"),
        (json!("only words"), "only words"),
        (json!({"name": "TypeError", "message": "x is not a function"}), "x is not a function"),
        (json!({"message": "a", "cause": {"message": "the disk is full"}}), "the disk is full"),
    ] {
        let document = opened(&[(
            "row.json",
            json!({"runId": "r", "status": "failed", "errorJson": error}).to_string(),
        )]);
        let answer = document.header(None, NOW).unwrap().answer;
        let sentence = runstate::summary::text(&answer.sentence) + &runstate::summary::text(&answer.meta);
        assert!(sentence.contains(said), "{error}: {sentence}");
    }
    // Other values are no error, and refuse nothing.
    for error in [json!(5), json!([1]), json!(true)] {
        let found = row(&json!({"runId": "r", "status": "failed", "errorJson": error}));
        assert_eq!(found.0, "failed", "{error}");
    }
}

#[test]
fn texts_of_digits_are_times() {
    for (key, value) in [
        ("startedAtMs", "1795296000000"),
        ("heartbeatAtMs", "1795296599000"),
        ("createdAtMs", "0"),
        ("finishedAtMs", "1795296001000"),
        ("cancelRequestedAtMs", "1795296001000"),
    ] {
        let mut digits = json!({"runId": "r", "status": "running", "runtimeOwnerId": "pid:1"});
        let mut number = digits.clone();
        digits[key] = json!(value);
        number[key] = json!(value.parse::<f64>().unwrap());
        assert_eq!(row(&digits), row(&number), "{key}");
    }
    for (text, at) in [
        ("2026-11-21T20:00:00.000Z", 1_795_291_200_000.0),
        ("2026-11-21T20:00:00Z", 1_795_291_200_000.0),
        ("2026-11-21T21:00:00+01:00", 1_795_291_200_000.0),
    ] {
        let with_time = |at: Value| json!({"runId": "r", "status": "running", "startedAtMs": at.clone(), "heartbeatAtMs": at});
        assert_eq!(row(&with_time(json!(text))), row(&with_time(json!(at))), "{text}");
    }
    for lost in
        ["2026-11-21", "2026-11-21T20:00:00", "", "soon", "1e3", "1.5", "0x10", " 1", "1n", "+1", "NaN"]
    {
        let text = json!({"runId": "r", "status": "failed", "startedAtMs": lost}).to_string();
        let document = opened(&[("row.json", text)]);
        let problems = document.problems().texts();
        assert!(problems[0].contains("`startedAtMs`: Expected a number, found text"), "{lost}: {problems:?}");
    }
}

#[test]
fn seconds_are_no_milliseconds() {
    for (seconds, found) in [
        (json!(1_795_296_599), "the number 1795296599"),
        (json!(1_795_296_599.25), "the number 1795296599.25"),
        (json!("1795296599"), "text \"1795296599\""),
        (json!(1_000_000_000), "the number 1000000000"),
    ] {
        let (state, problems) = problems_of("heartbeatAtMs", seconds);
        assert_eq!(state.as_deref(), Some("unknown"), "{found}");
        let expected =
            format!("`heartbeatAtMs`: Expected milliseconds since 1970, not seconds, found {found}.");
        assert!(problems[0].contains(&expected), "{problems:?}");
    }
    for other in [json!(1), json!(999_999_999), json!(5_000_000_000.0)] {
        assert_eq!(problems_of("heartbeatAtMs", other).1, [""; 0]);
    }
}

#[test]
fn a_time_of_lionagi_in_another_unit_is_named_and_an_iso_time_is_read() {
    let session = |at: Value| {
        let row =
            json!({"session_id": "s", "status": "running", "started_at": at, "invocation_kind": "flow"});
        let document = opened(&[("session.json", row.to_string())]);
        (document.header(None, NOW).unwrap().fields, document.problems().texts())
    };
    let (expected, _) = session(json!(1_795_291_200.0));
    for text in ["2026-11-21T20:00:00.000000+00:00", "2026-11-21T20:00:00Z", "2026-11-21T21:00:00+01:00"] {
        let (fields, problems) = session(json!(text));
        assert_eq!((fields, problems), (expected.clone(), Vec::new()), "{text}");
    }
    for lost in [json!(1_795_291_200_000.0), json!(1e15)] {
        let problems = session(lost.clone()).1;
        assert!(
            problems[0].contains("`started_at`: Expected seconds since 1970, not milliseconds"),
            "{problems:?}"
        );
    }
    for lost in ["2026-11-21T20:00:00", "2026-11-21", "soon"] {
        assert!(session(json!(lost)).1[0].contains("`started_at`: Expected a number"), "{lost}");
    }
}

/// The problems of a row with another value of a column.
fn problems_of(column: &str, value: Value) -> (Option<String>, Vec<String>) {
    let mut row = json!({"runId": "r", "status": "running", "startedAtMs": NOW.0 - 90_000.0,
        "heartbeatAtMs": NOW.0 - 5_000.0, "runtimeOwnerId": "pid:1"});
    row[column] = value;
    let document = opened(&[("row.json", row.to_string())]);
    (state(&document), document.problems().texts())
}

#[test]
fn a_column_of_another_type_is_absent_and_named() {
    for (column, value, expected) in [
        ("startedAtMs", json!([1]), "running"),
        ("workflowName", json!(7), "running"),
        ("summary", json!("soon"), "running"),
        ("failedChildKeys", json!([7]), "running"),
        ("runState", json!({"runId": "r", "state": 7}), "running"),
        ("runState", json!({"runId": 7, "state": "failed"}), "running"),
        // A heartbeat that cannot be read is no missing one.
        ("heartbeatAtMs", json!("soon"), "unknown"),
        ("heartbeatAtMs", json!({}), "unknown"),
        ("runtimeOwnerId", json!(7), "running"),
    ] {
        let (state, problems) = problems_of(column, value.clone());
        assert_eq!(state.as_deref(), Some(expected), "{column} = {value}");
        assert_eq!(problems.len(), 1, "{problems:?}");
        assert!(problems[0].contains(&format!("`{column}")), "{problems:?}");
    }
    for row in [
        json!({"runId": 7, "status": "failed"}),
        json!({"runId": "r", "status": 7}),
        json!({"runId": "r", "status": []}),
        json!({"runId": {}, "status": "failed"}),
        json!([{"runId": "r", "status": true}]),
    ] {
        let text = row.to_string();
        let file = runstate::file::File { name: None, bytes: text.as_bytes() };
        assert!(runstate::ingest::open(&[file], NOW).is_err(), "{text}");
    }
}

#[test]
fn lost_fields_of_many_rows_are_counted() {
    let row = |id: usize| json!({"runId": format!("r{id}"), "status": "failed", "startedAtMs": "soon"});
    let rows: Vec<Value> = (0..50).map(row).collect();
    let document = opened(&[("rows.json", json!(rows).to_string())]);
    let problems = document.problems().texts();
    assert_eq!((document.rows().len(), problems.len()), (50, 21));
    assert!(problems[1].contains("`[1].startedAtMs`: "), "{problems:?}");
    assert_eq!(problems[20], "30 more problems.");
}

#[test]
fn a_blocker_of_an_unknown_kind_is_no_running_run() {
    for kind in ["cancel-pending", "lease-lost", "budget", "maintenance", "worktree-locked"] {
        let why = json!({"runId": "r", "status": "running", "summary": "x", "generatedAtMs": NOW.0 - 1000.0,
            "blockers": [{"kind": kind, "nodeId": "(run-level)", "iteration": null, "reason": "Because.", "unblocker": "smithers x r"}]});
        let document = opened(&[("why.json", why.to_string())]);
        assert_eq!(state(&document).as_deref(), Some("unknown"), "{kind}");
        let note = format!(
            "Blocked by {kind}, a kind that Runstate does not know: Because. The command to unblock it: smithers x r."
        );
        assert!(notes(&document).contains(&note), "{:?}", notes(&document));
    }
    // The status decides an ended run.
    let why = json!({"runId": "r", "status": "failed", "summary": "x", "generatedAtMs": NOW.0,
        "blockers": [{"kind": "budget", "reason": "Because"}]});
    assert_eq!(state(&opened(&[("why.json", why.to_string())])).as_deref(), Some("failed"));
}

#[test]
fn rows_decide_whatever_the_key_around_them_is() {
    let rows = json!([{"runId": "a", "status": "failed"}, {"runId": "b", "status": "finished"}]);
    for key in ["runs", "rows", "results", "workflows", "history"] {
        let document = opened(&[("list.json", json!({key: rows, "total": 2, "db": "ops.db"}).to_string())]);
        let states: Vec<_> = document.rows().into_iter().map(|row| row.state).collect();
        assert_eq!(states, [Some("failed".to_owned()), Some("succeeded".to_owned())], "{key}");
    }
    let events = ended("RunFailed", 60.0);
    for key in ["events", "log", "lines", "entries", "stream"] {
        let document = opened(&[("list.json", json!({"total": 4, key: events}).to_string())]);
        assert_eq!(state(&document).as_deref(), Some("failed"), "{key}");
    }
}

/// The sentence of a row's header.
fn sentence(row: &Value) -> String {
    let document = opened(&[("row.json", row.to_string())]);
    runstate::summary::text(&document.header(None, NOW).unwrap().answer.sentence)
}

#[test]
fn escape_sequences_of_an_error_are_not_shown() {
    for (error, shown) in [
        ("\u{1b}[31mFAILED\u{1b}[0m tests/x.py", "Failed: FAILED tests/x.py."),
        ("\u{1b}[1;38;2;255;0;0mred\u{1b}[m", "Failed: red."),
        ("\u{1b}]0;title\u{7}disk full", "Failed: disk full."),
        ("\u{1b}[2K\u{1b}[1Gdisk full", "Failed: disk full."),
        ("disk\u{1b}[K full\u{1b}", "Failed: disk full."),
        ("no [31m sequence", "Failed: no [31m sequence."),
    ] {
        for error in
            [json!(error), json!({"message": error}), json!({"name": "E", "cause": {"message": error}})]
        {
            let row = json!({"runId": "r", "status": "failed", "errorJson": error.to_string()});
            let said = sentence(&row);
            assert!(said == shown || said.ends_with(&shown[8..]), "{error}: {said}");
        }
    }
}

#[test]
fn requests_and_ends_of_a_running_row_are_noted() {
    let live = json!({"runId": "r", "status": "running", "heartbeatAtMs": NOW.0 - 1000.0, "runtimeOwnerId": "pid:1",
        "startedAtMs": NOW.0 - 90_000.0});
    let at = NOW.0 - 60_000.0;
    let waiting = json!({"runId": "r", "status": "waiting-event", "startedAtMs": NOW.0 - 90_000.0});
    let cases = [
        (&live, "cancelRequestedAtMs", "A request to cancel it was recorded "),
        (&live, "pauseRequestedAtMs", "A request to pause it was recorded "),
        (&live, "finishedAtMs", "An end is recorded, "),
        (&waiting, "cancelRequestedAtMs", "A request to cancel it was recorded "),
        (&waiting, "pauseRequestedAtMs", "A request to pause it was recorded "),
        (&waiting, "finishedAtMs", "An end is recorded, "),
    ];
    for (row, column, note) in cases {
        let with = |value: Value| {
            let mut row = row.clone();
            row[column] = value;
            opened(&[("row.json", row.to_string())])
        };
        let document = with(json!(at));
        assert!(has_note(&document, note), "{column}: {:?}", notes(&document));
        assert_eq!(state(&document), state(&with(Value::Null)), "{column}");
        for absent in [Value::Null, json!(0)] {
            assert!(!has_note(&with(absent), note), "{column}");
        }
    }
    // An end of the time before a resume says nothing.
    let mut resumed = live.clone();
    resumed["finishedAtMs"] = json!(NOW.0 - 100_000.0);
    assert!(!has_note(&opened(&[("row.json", resumed.to_string())]), "An end is recorded"));
    // What was requested has happened.
    let mut paused = live;
    (paused["status"], paused["pauseRequestedAtMs"]) = (json!("paused"), json!(at));
    assert!(!has_note(&opened(&[("row.json", paused.to_string())]), "A request to pause"));
    for ended in ["finished", "failed", "cancelled", "continued"] {
        let row = json!({"runId": "r", "status": ended, "finishedAtMs": NOW.0 - 1.0, "cancelRequestedAtMs": at, "pauseRequestedAtMs": at});
        let document = opened(&[("row.json", row.to_string())]);
        assert!(!has_note(&document, "A request") && !has_note(&document, "The row has"), "{ended}");
    }
}

#[test]
fn failures_stand_beside_any_word() {
    let view = |word: &str| json!({"runId": "r", "computedAt": "2026-11-25T15:59:00.000Z", "state": word});
    for (word, status, is_contradiction) in [
        ("succeeded-with-failures", "finished", false),
        ("succeeded_with_warnings", "finished", false),
        ("failed-and-archived", "failed", false),
        ("hibernating", "finished", true),
        ("succeededish", "finished", true),
        ("succeeded-with-failures", "failed", true),
    ] {
        let row = json!({"runId": "r", "status": status, "failedChildren": 3, "runState": view(word)});
        let document = opened(&[("row.json", row.to_string())]);
        assert_eq!(state(&document).as_deref(), Some(word));
        assert!(has_note(&document, "3 failures were tolerated."), "{word}: {:?}", notes(&document));
        assert_eq!(has_note(&document, "Sources disagree"), is_contradiction, "{word}");
        let none = json!({"runId": "r", "status": status, "failedChildren": 0, "runState": view(word)});
        assert!(!has_note(&opened(&[("row.json", none.to_string())]), "0 failures"), "{word}");
    }
}

#[test]
fn a_run_that_ended_and_its_child_that_goes_on_are_joined() {
    let list = |parent: &str, child: &str, parent_id: Value| {
        let rows = json!([
            {"runId": "p", "status": parent, "finishedAtMs": NOW.0 - 1.0},
            {"runId": "c", "status": child, "parentRunId": parent_id, "heartbeatAtMs": NOW.0 - 1.0, "runtimeOwnerId": "pid:1"},
        ]);
        let document = opened(&[("rows.json", rows.to_string())]);
        let said = |row| -> Vec<String> {
            let header = document.header(Some(row), NOW).unwrap();
            header.answer.notes.iter().map(|note| runstate::summary::text(note)).collect()
        };
        (said(0), said(1))
    };
    for (parent, child, states) in [
        ("cancelled", "running", ("cancelled", "running")),
        ("failed", "running", ("failed", "running")),
        ("finished", "running", ("succeeded", "running")),
        ("cancelled", "waiting-approval", ("cancelled", "waiting-approval")),
        ("failed", "paused", ("failed", "paused")),
    ] {
        let (of_parent, of_child) = list(parent, child, json!("p"));
        assert!(
            of_parent.contains(&format!("Runs that it started have not ended: c ({}).", states.1)),
            "{parent}, {child}: {of_parent:?}"
        );
        assert!(of_child.contains(&format!("Its parent run, p, has ended: {}.", states.0)), "{of_child:?}");
    }
    for (parent, child, parent_id) in [
        ("running", "running", json!("p")),
        ("cancelled", "failed", json!("p")),
        ("continued", "running", json!("p")),
        ("cancelled", "running", json!("q")),
        ("cancelled", "running", Value::Null),
        ("cancelled", "hibernating", json!("p")),
    ] {
        let (of_parent, of_child) = list(parent, child, parent_id);
        let said = [of_parent, of_child].concat();
        assert!(!said.iter().any(|note| note.contains(" ended")), "{parent}, {child}: {said:?}");
    }
}

#[test]
fn nodes_in_progress_after_the_end_are_named() {
    for (status, nodes, said) in [
        ("cancelled", vec!["a"], Some("a was still in progress when the run ended.")),
        ("failed", vec!["a", "b"], Some("a, b were still in progress when the run ended.")),
        ("finished", vec!["a"], Some("a was still in progress when the run ended.")),
        ("cancelled", vec![], None),
        ("running", vec!["a"], None),
    ] {
        let row = json!({"runId": "r", "status": status, "finishedAtMs": NOW.0 - 9.0, "heartbeatAtMs": NOW.0 - 9.0});
        let rows: Vec<Value> = nodes
            .iter()
            .map(|node| json!({"nodeId": node, "state": "in-progress", "iteration": 0, "runId": "r"}))
            .collect();
        let done = json!({"nodeId": "z", "state": "finished", "iteration": 0, "runId": "r"});
        let rows = Value::from([rows, vec![done]].concat());
        let document = opened(&[("row.json", row.to_string()), ("nodes.json", rows.to_string())]);
        let found: Vec<String> =
            notes(&document).into_iter().filter(|note| note.contains("still in progress")).collect();
        assert_eq!(found, said.map(str::to_owned).into_iter().collect::<Vec<_>>(), "{status}");
    }
}

#[test]
fn a_node_whose_end_may_be_in_a_lost_line_is_not_called_unfinished() {
    let run = |kind: &str, at: u32| format!(r#"{{"type":"{kind}","runId":"r","timestampMs":{at}}}"#);
    let node = |kind: &str, id: &str, at: u32| {
        format!(
            r#"{{"type":"{kind}","runId":"r","nodeId":"{id}","iteration":0,"attempt":1,"timestampMs":{at}}}"#
        )
    };
    let [first, last] = [run("RunStarted", 1), run("RunFinished", 9)];
    let (start, failed) = (node("NodeStarted", "x", 2), node("NodeFailed", "x", 3));
    let torn = failed[..60].to_owned();
    let no_iteration = failed.replace(r#""iteration":0,"#, "");
    let numbered = |line: &str, seq: u32| format!(r#"{{"runId":"r","seq":{seq},"payload":{line}}}"#);
    let unread = "x was in progress by the last event that was read; some lines could not be read.";
    let still = "x was still in progress when the run ended.";
    for (lines, expected) in [
        (vec![&first, &start, &torn, &last], unread),
        (vec![&first, &start, &no_iteration, &last], unread),
        (vec![&first, &start, &last, &torn], unread),
        (vec![&first, &start, &torn, &torn, &last], unread),
        (
            vec![&numbered(&first, 0), &numbered(&start, 1), &numbered(&last, 3)],
            "x was in progress by the last event that was read; later events are missing.",
        ),
        (vec![&first, &start, &last], still),
        (vec![&first, &torn, &start, &last], still),
    ] {
        let text: String = lines.iter().flat_map(|line| [line, "\n"]).collect();
        let document = opened(&[("log.ndjson", text)]);
        let found = notes(&document);
        let found: Vec<&String> = found.iter().filter(|note| note.contains("in progress")).collect();
        assert_eq!(found, [expected], "{lines:?}");
    }
}

#[test]
fn times_ahead_of_the_clock_are_named() {
    let session = |at: f64| {
        json!({"session_id": "s", "status": "running", "invocation_kind": "agent",
        "started_at": at / 1000.0, "message_count": 3, "effective_health": "healthy"})
    };
    let row = |column: &str, at: f64| json!({"runId": "r", "status": "paused", column: at});
    let note = "The latest recorded time lies ";
    let (ahead, now) = (NOW.0 + 3_600_000.0, NOW.0);
    for (document, is_noted) in [
        (session(ahead), true),
        (session(now), false),
        (row("startedAtMs", ahead), true),
        (row("createdAtMs", ahead), true),
        (row("heartbeatAtMs", ahead), true),
        (row("pauseRequestedAtMs", ahead), true),
        (row("startedAtMs", now), false),
        (row("startedAtMs", now + 1000.0), false),
    ] {
        let opened = opened(&[("row.json", document.to_string())]);
        assert_eq!(has_note(&opened, note), is_noted, "{document}: {:?}", notes(&opened));
    }
}

#[test]
fn a_health_that_nobody_knows_is_not_healthy() {
    let health = |status: &str, last: f64, alive: Value| {
        let row = json!({"id": "s", "entity_type": "session", "exit_class": status, "status": status,
            "last_activity_at": NOW.0 / 1000.0 - last, "session_id": "s", "process_alive": alive});
        let document = opened(&[("status.json", row.to_string())]);
        assert_eq!(document.kind(), "agent-status");
        let header = document.header(None, NOW).unwrap();
        (header.state.unwrap(), header.axes.iter().any(|axis| axis.pill.value() == Some("healthy")))
    };
    for last in [0.0, 5.0, 60.0, 590.0] {
        assert_eq!(health("running", last, Value::Null), ("running".to_owned(), false), "{last}");
        assert_eq!(health("running", last, json!(true)), ("running".to_owned(), true), "{last}");
    }
    // Silence is a sign without a process.
    assert_eq!(health("running", 90_000.0, Value::Null).0, "stale running");
    assert_eq!(health("completed", 5.0, Value::Null), ("completed".to_owned(), false));
}

#[test]
fn counts_that_no_server_can_send_are_named() {
    for count in ["18446744073709551615", "9007199254740993", "-1", "1.5", "1e30"] {
        let row = format!(
            r#"{{"runId":"r","status":"finished","summary":{{"failed":{count},"pending":{count}}},"failedChildren":{count}}}"#
        );
        let document = opened(&[("row.json", row)]);
        assert_eq!(state(&document).as_deref(), Some("succeeded"), "{count}");
        let problems = document.problems().texts();
        assert!(problems.iter().any(|text| text.contains("`summary.failed`: ")), "{count}: {problems:?}");
        assert!(problems.iter().any(|text| text.contains("`failedChildren`: ")), "{count}: {problems:?}");
        let counts =
            format!(r#"{{"sessions":{{"unhealthy":[],"by_status":{{"running":{count},"failed":2}}}}}}"#);
        let file = runstate::file::File { name: None, bytes: counts.as_bytes() };
        assert!(runstate::ingest::open(&[file], NOW).is_err(), "{counts}");
    }
    // Sums of very many counts stop at the largest number.
    let states: Vec<String> = (0..4000).map(|state| format!("\"s{state}\":9007199254740992")).collect();
    let row = format!(r#"{{"runId":"r","status":"finished","summary":{{{}}}}}"#, states.join(","));
    assert_eq!(state(&opened(&[("row.json", row)])).as_deref(), Some("succeeded"));
}

#[test]
fn an_error_of_several_lines_can_be_read_whole() {
    let field = |error: &str| {
        let row =
            json!({"runId": "r", "status": "failed", "errorJson": json!({"message": error}).to_string()});
        let header = opened(&[("row.json", row.to_string())]).header(None, NOW).unwrap();
        header.fields.into_iter().find(|field| field.field == "error").map(|field| field.value)
    };
    let long = "x".repeat(400);
    for error in ["first\nsecond", "a\n\n  at b\n  at c", &*long, "first.\nsecond."] {
        let runstate::header::FieldValue::Text(text) = field(error).unwrap() else { panic!("{error}") };
        assert_eq!(text, error);
    }
    for error in ["", "one line", "one line.", "\none line\n", "\u{1b}[31mred\u{1b}[0m"] {
        assert_eq!(field(error), None, "{error}");
    }
}

#[test]
fn a_slow_session_is_noted_and_a_timeout_has_an_answer() {
    let header = |status: &str, age: f64| {
        let row = json!({"session_id": "s", "status": status, "invocation_kind": "flow",
            "started_at": (NOW.0 - age) / 1000.0, "last_message_at": NOW.0 / 1000.0 - 5.0, "message_count": 3,
            "effective_health": "healthy"});
        let document = opened(&[("row.json", row.to_string())]);
        let session = document.lionagi().unwrap().session.as_ref().unwrap();
        runstate::header::lionagi::session_header(
            session,
            &runstate::freshness::Freshness::Live { read_at: NOW },
            NOW,
        )
    };
    let is_slow = |status: &str, age: f64| {
        let notes = header(status, age).answer.notes;
        notes.iter().any(|note| runstate::summary::text(note).starts_with("It has been running for "))
    };
    for (status, hours, expected) in [
        ("running", 0.5, false),
        ("running", 0.99, false),
        ("running", 1.01, true),
        ("running", 26.0, true),
        ("completed", 26.0, false),
        ("timed_out", 26.0, false),
        ("hibernating", 26.0, false),
    ] {
        assert_eq!(is_slow(status, hours * 3_600_000.0), expected, "{status}, {hours} h");
        let actions: Vec<String> = header(status, hours * 3_600_000.0)
            .actions
            .iter()
            .map(|action| action.kind.to_string())
            .collect();
        assert_eq!(actions.contains(&"retry".to_owned()), status == "timed_out", "{status}");
    }
}

#[test]
fn of_a_tree_with_many_damaged_nodes_the_rest_is_read() {
    let node = |id: usize, damaged: bool| {
        let id = if damaged { json!("x") } else { json!(id) };
        json!({"id": id, "type": "task", "name": "t", "props": {}, "children": [], "depth": 1})
    };
    let children: Vec<Value> = (2..402).map(|id| node(id, id % 16 == 2)).collect();
    let damaged = json!({"version": 1, "runId": "r", "frameNo": 1, "seq": 1,
        "root": {"id": 1, "type": "workflow", "name": "w", "props": {}, "children": children, "depth": 0}});
    let nodes = |document: &Value| {
        let document = opened(&[("snapshot.json", document.to_string())]);
        let tree =
            document.smithers().unwrap().run.as_ref().unwrap().tree.as_ref().map(runstate::tree::Tree::len);
        (tree, document.problems().texts())
    };
    let (count, problems) = nodes(&damaged);
    assert_eq!((count, problems.len()), (Some(376), 21));
    assert!(problems[0].contains("`root.children[0].id`: Expected a node id"), "{problems:?}");
    assert_eq!(problems[20], "5 more problems.");
    // Whatever is damaged, and what is under it.
    for other in [
        json!(7),
        json!([[1], {}]),
        json!({}),
        json!({"id": 9}),
        json!({"id": 9, "type": 7, "name": "n",
        "children": [{"id": 10, "type": "task", "name": "t"}]}),
        json!({"id": 9, "type": "task", "children": [{"id": 10, "type": "task", "name": "t"}]}),
    ] {
        let children = json!([node(2, false), other, node(3, false)]);
        let mut document = damaged.clone();
        document["root"]["children"] = children;
        let (count, problems) = nodes(&document);
        assert_eq!((count, problems.len()), (Some(3), 1), "{other}: {problems:?}");
        assert!(problems[0].contains("root.children[1]"), "{problems:?}");
    }
    // The root is the tree.
    let mut document = damaged;
    document["root"]["id"] = json!("x");
    let text = document.to_string();
    assert!(
        runstate::ingest::open(&[runstate::file::File { name: None, bytes: text.as_bytes() }], NOW).is_err()
    );
}
