//! States of event logs: real logs compared with the server's answers, and synthetic ones for cases that no real log
//! shows.

use std::fs;

use super::support::{NOW, event, folded, folder, lines, listed, log, node, read, rest, state, stream};
use runstate::ingest::inspect;
use runstate::log::{Caveat, EventLog, Filter, LogRow, Ordering};
use runstate::smithers::wire::{NodeState, ReasonBlocked, RunState};
use serde_json::{Value, json};

#[test]
fn the_persisted_events_lead_to_the_states_that_the_server_lists() {
    for entry in fs::read_dir(folder("logs/rest")).unwrap() {
        let run = entry.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned();
        let mut log = log(&lines(&rest(&run)));
        let view = log.view(NOW);
        assert!(log.problems().is_empty() && log.gaps().is_empty(), "{run}");
        assert_eq!((log.ordering(), view.across_gap), (Ordering::Sequence, false), "{run}");
        let listed = listed(&format!("captures/runs/{run}/rpc-listNodeStates.json"));
        // No event names the node that waits for an event (protocol section 5, quirk 13), nor a person's task that asks
        // again.
        let silent =
            |node: &str| (run == "event-a" && node == "wait-deploy") || (run == "human-a" && node == "ask");
        let named: Vec<_> = listed.into_iter().filter(|(node, ..)| !silent(node)).collect();
        let found: Vec<_> = folded(&mut log, &run).into_iter().filter(|(node, ..)| !silent(node)).collect();
        assert_eq!(found, named, "{run}");
        let answer: Value =
            serde_json::from_str(&read(&format!("captures/runs/{run}/rpc-runs.get.json"))).unwrap();
        let said = &answer["response"]["body"]["payload"]["runState"]["state"];
        assert_eq!(state(&view), said.as_str().unwrap(), "{run}");
    }
}

#[test]
fn the_row_and_the_log_of_one_run_give_the_same_error() {
    let row_error = |row: &Value| inspect(row.to_string().as_bytes(), None, NOW).unwrap().run.unwrap().error;
    let mut compared = 0;
    for entry in fs::read_dir(folder("logs/rest")).unwrap() {
        let run = entry.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned();
        let answer: Value =
            serde_json::from_str(&read(&format!("captures/runs/{run}/rpc-runs.get.json"))).unwrap();
        let in_row = row_error(&answer["response"]["body"]["payload"]);
        if in_row.is_some() {
            assert_eq!(log(&lines(&rest(&run))).view(NOW).error, in_row, "{run}");
            compared += 1;
        }
    }
    assert!(compared > 0, "no captured run has an error");
    let cause = json!({"message": "disk is full See https://smithers.sh/reference/errors"});
    for error in [
        json!({"name": "E", "message": "Task failed: boom See https://smithers.sh/x", "cause": cause}),
        json!({"name": "E", "message": "m", "summary": "s", "cause": {"message": "m of s"}}),
        json!({"name": "E"}),
        json!({"message": "a \"quoted\" text\nand a line"}),
        json!("only a text"),
    ] {
        let row = json!({"runId": "r", "status": "failed", "errorJson": error.to_string()});
        let event = json!({"type": "RunFailed", "runId": "r", "timestampMs": 5, "error": error});
        assert_eq!(log(&format!("{event}\n")).view(NOW).error, row_error(&row), "{error}");
        assert!(row_error(&row).is_some_and(|text| !text.contains("smithers.sh")), "{error}");
    }
}

#[test]
fn a_file_without_the_last_events_says_less_and_never_something_else() {
    // Cancelling and continuing are not written to the file, nor are decisions (protocol section 5, quirk 13).
    for (run, in_file, by_server) in [
        ("cancel-a", "running", "cancelled"),
        ("can-a", "running", "succeeded"),
        ("approval-a", "succeeded", "succeeded"),
        ("approval-denied-a", "failed", "failed"),
        ("degraded-a", "succeeded", "succeeded"),
        ("retrytask-a", "failed", "failed"),
        ("rewind-a", "succeeded", "succeeded"),
        ("human-a", "waiting-approval", "waiting-approval"),
        ("killed-a", "running", "orphaned"),
    ] {
        let view = stream(run).view(NOW);
        assert_eq!(state(&view), in_file, "{run}");
        let may_differ = view.caveats.contains(&Caveat::EndMayBeMissing);
        assert!(in_file == by_server || may_differ, "{run}");
    }
}

#[test]
fn file_rest_answer_and_command_line_agree() {
    for run in ["quick-a", "retry-a", "timer-a", "degraded-a", "backoff-a", "mixed-a", "fail-a"] {
        let (mut file, mut rest) = (stream(run), log(&lines(&rest(run))));
        assert_eq!(folded(&mut file, run), folded(&mut rest, run), "{run}");
        assert_eq!(file.view(NOW).state, rest.view(NOW).state, "{run}");
    }
    let mut raw = log(&read("logs/cli/events-raw-quick-b.ndjson"));
    let mut thinned = log(&read("logs/cli/events-quick-b.ndjson"));
    assert_eq!(folded(&mut raw, "quick-b"), folded(&mut thinned, "quick-b"));
    assert!(raw.gaps().is_empty());
    // Without `--raw` the command omits frames: only their numbers are missing.
    assert_eq!((thinned.gaps().len(), thinned.counts().lost), (0, 0));
    assert!(thinned.view(NOW).caveats.contains(&Caveat::LeftOut { events: 24, gaps: 11 }));
}

#[test]
fn both_witnesses_of_one_run_in_one_file_are_one_run() {
    let both =
        format!("{}{}", read("logs/stream/approval-a.ndjson"), read("logs/cli/events-approval-a.ndjson"));
    let mut log = log(&both);
    let counts = log.counts();
    assert_eq!((counts.events, counts.repeated, counts.gaps), (29, 14, 0));
    // Frames are only in the file, which has no numbers.
    assert_eq!(log.ordering(), Ordering::File);
    assert_eq!(log.view(NOW).open_approvals, 0);
}

#[test]
fn what_a_log_names_is_what_a_header_needs() {
    let view = stream("timer-a").view(NOW);
    assert_eq!((view.run_id.as_deref(), view.workflow.as_deref()), (Some("timer-a"), Some("timer")));
    assert_eq!((view.starts, state(&view)), (2, "succeeded"));
    assert!(view.started_at < view.ended_at && view.ended_at == view.as_of && view.age_ms > Some(0.0));
    assert_eq!(view.evidence.inputs[0].value, runstate::evidence::Value::Word("RunFinished".to_owned()));
    assert_eq!(view.open_timers, 0);
    let view = stream("degraded-a").view(NOW);
    assert_eq!(view.failed_children, ["bad-1::0", "bad-2::0"]);
    let view = stream("fail-a").view(NOW);
    assert_eq!(
        view.error.as_deref(),
        Some("Task failed: boom: disk is full: cannot write /var/data/out.bin")
    );
    let view = log_of_rest("can-a").view(NOW);
    assert_eq!(view.continued_as.as_deref(), Some("06c979c1-4351-49be-8ef4-59c6639d66e9"));
}

fn log_of_rest(run: &str) -> EventLog {
    log(&lines(&rest(run)))
}

#[test]
fn a_run_that_waits_names_what_for() {
    let parked = |run: &str, events: usize| log(&lines(&rest(run)[..events])).view(NOW);
    let view = parked("approval-a", 12);
    assert_eq!(state(&view), "waiting-approval");
    assert!(matches!(&view.blocked, Some(ReasonBlocked::Approval { node_id, requested_at })
        if node_id == "ship-gate" && requested_at == "2026-11-21T21:10:39.520Z"));
    assert_eq!((view.open_approvals, view.nodes.len()), (1, 3));
    // Decided, but not yet resumed: it no longer waits for a person.
    let view = parked("approval-a", 13);
    assert_eq!((state(&view), &view.blocked, view.open_approvals), ("waiting-approval", &None, 0));
    let events = rest("timer-a");
    let waits = events.iter().position(|event| event["event"] == "RunStatusChanged").unwrap();
    let view = parked("timer-a", waits + 1);
    assert!(matches!(&view.blocked, Some(ReasonBlocked::Timer { node_id, .. }) if node_id == "nap"));
    assert_eq!(parked("event-a", 10).blocked, None);
}

#[test]
fn a_second_copy_of_everything_changes_nothing() {
    for run in ["approval-a", "rewind-a", "wide-a", "mixed-a", "retry-a", "killed-a"] {
        let text = read(&format!("logs/stream/{run}.ndjson"));
        let (mut once, mut twice) = (log(&text), log(&format!("{text}{text}")));
        assert_eq!(once.nodes(run), twice.nodes(run), "{run}");
        assert_eq!(once.view(NOW).state, twice.view(NOW).state);
        assert_eq!(once.view(NOW).tokens, twice.view(NOW).tokens);
        assert_eq!(twice.counts().repeated, once.counts().events);
        assert_eq!(once.rows(0, 5000, &Filter::default()), twice.rows(0, 5000, &Filter::default()));
    }
    // A re-broadcast has new numbers (protocol section 5, quirk 6); the following ones are no gap.
    let first = rest("approval-a");
    let mut all = first.clone();
    for (place, row) in first.iter().enumerate() {
        let mut row = row.clone();
        row["seq"] = json!(first.len() + place);
        all.push(row);
    }
    let (mut once, mut twice) = (log(&lines(&first)), log(&lines(&all)));
    assert_eq!(once.nodes("approval-a"), twice.nodes("approval-a"));
    assert_eq!((twice.gaps().len(), state(&twice.view(NOW)).to_owned()), (0, "succeeded".to_owned()));
    assert!(twice.view(NOW).caveats.contains(&Caveat::Repeated { events: 29 }));
}

#[test]
fn a_repeat_under_another_number_moves_no_event() {
    let row = |seq: u32, event: &Value| json!({"runId": "r", "seq": seq, "payload": event, "timestampMs": 1});
    let timer = json!({"type": "TimerCreated", "runId": "r", "timestampMs": 29, "nodeId": "n", "iteration": 1, "timerId": "t"});
    let start =
        |attempt: u32| json!({"type": "RunStarted", "runId": "r", "timestampMs": 0, "attempt": attempt});
    let finish = json!({"type": "RunFinished", "runId": "r", "timestampMs": 0});
    for lines_once in [
        // Newest first, with a repeat of the newest event.
        vec![row(0, &timer), row(1, &timer), start(1), row(2, &start(1)), start(2)],
        // A repeat between numbered events that change places.
        vec![row(0, &timer), row(30, &finish), row(1, &timer), start(1)],
    ] {
        let twice = [lines_once.clone(), lines_once.clone()].concat();
        let (mut once, mut twice) = (log(&lines(&lines_once)), log(&lines(&twice)));
        assert_eq!(once.rows(0, 50, &Filter::default()), twice.rows(0, 50, &Filter::default()));
        assert_eq!(once.view(NOW).state, twice.view(NOW).state);
    }
}

#[test]
fn the_order_of_lines_does_not_matter_where_events_are_numbered() {
    for run in ["approval-a", "retry-a", "mixed-a", "quick-a", "cancel-a"] {
        let mut rows = rest(run);
        let mut ordered = log(&lines(&rows));
        rows.reverse();
        let mut reversed = log(&lines(&rows));
        rows.sort_by_key(|row| row["seq"].as_u64().unwrap() * 7919 % 31);
        let mut shuffled = log(&lines(&rows));
        for other in [&mut reversed, &mut shuffled] {
            assert_eq!(ordered.view(NOW), other.view(NOW), "{run}");
            assert_eq!(folded(&mut ordered, run), folded(other, run), "{run}");
            let (first, second) =
                (ordered.rows(0, 500, &Filter::default()), other.rows(0, 500, &Filter::default()));
            let seqs = |rows: &[LogRow]| -> Vec<Option<u32>> { rows.iter().map(seq).collect() };
            assert_eq!(seqs(&first.rows), seqs(&second.rows), "{run}");
        }
    }
}

fn seq(row: &LogRow) -> Option<u32> {
    match row {
        LogRow::Event(event) => event.seq,
        LogRow::Heartbeats(beats) => beats.first.seq,
        LogRow::Gap(_) => None,
    }
}

#[test]
fn status_and_state_events_are_honoured() {
    let view_after = |event_type: &str, fields: Value| {
        let events = [event("RunStarted", 1, &json!({})), event(event_type, 2, &fields)];
        log(&lines(&events)).view(NOW)
    };
    for (status, expected) in [
        ("running", "running"),
        ("waiting-quota", "waiting-quota"),
        ("paused", "paused"),
        ("finished", "succeeded"),
        ("continued", "succeeded"),
        ("failed", "failed"),
        ("cancelled", "cancelled"),
        ("hibernating", "hibernating"),
    ] {
        assert_eq!(state(&view_after("RunStatusChanged", json!({ "status": status }))), expected);
    }
    for word in ["stale", "orphaned", "recovering", "succeeded", "dreaming"] {
        let view = view_after("RunStateChanged", json!({ "before": "running", "after": word }));
        assert_eq!(state(&view), word);
        assert_eq!(view.state.known().is_none(), word == "dreaming");
        let objects = json!({ "before": { "state": "running" }, "after": { "runId": "r", "state": word } });
        assert_eq!(state(&view_after("RunStateChanged", objects)), word);
    }
    assert_eq!(
        state(&view_after("RunAutoResumed", json!({ "lastHeartbeatAtMs": 1, "staleDurationMs": 1 }))),
        "recovering"
    );
}

#[test]
fn an_event_that_repeats_the_end_takes_nothing_of_it_back() {
    let view_after = |end: &Value, after: Value| {
        let events = [event("RunStarted", 1, &json!({})), end.clone(), event("RunStatusChanged", 3, &after)];
        log(&lines(&events)).view(NOW)
    };
    let finished =
        event("RunFinished", 2, &json!({ "failedChildren": 3, "failedChildKeys": ["a::0", "b::0"] }));
    let view = view_after(&finished, json!({ "status": "finished" }));
    assert_eq!((view.failed_children.len(), view.failed_child_count), (2, 3));
    let failed = event("RunFailed", 2, &json!({ "error": { "message": "no disk" } }));
    assert_eq!(view_after(&failed, json!({ "status": "failed" })).error.as_deref(), Some("no disk"));
    let continued = event("RunContinuedAsNew", 2, &json!({ "newRunId": "r-2" }));
    let view = view_after(&continued, json!({ "status": "continued" }));
    assert_eq!((state(&view), view.continued_as.as_deref()), ("succeeded", Some("r-2")));
    // Another state is another end, or none.
    for status in ["running", "cancelled", "failed"] {
        let view = view_after(&finished, json!({ "status": status }));
        assert_eq!((state(&view), view.failed_child_count), (status, 0));
    }
    assert_eq!(view_after(&failed, json!({ "status": "finished" })).error, None);
    let named = view_after(
        &event("RunFinished", 2, &json!({ "failedChildren": 2 })),
        json!({ "status": "finished" }),
    );
    assert_eq!((named.failed_children.len(), named.failed_child_count), (0, 2));
}

#[test]
fn the_end_sticks_until_something_reopens_the_run() {
    let mut events = vec![
        event("RunStarted", 1, &json!({})),
        node("NodeStarted", 2, "a", 1),
        node("NodeFinished", 3, "a", 1),
        event("RunFinished", 4, &json!({})),
    ];
    events.push(node("NodeStarted", 5, "a", 1));
    let view = log(&lines(&events)).view(NOW);
    assert_eq!(state(&view), "succeeded");
    assert!(view.caveats.contains(&Caveat::AfterTheEnd { events: 1 }), "{:?}", view.caveats);
    for (more, expected) in [
        (event("RunStarted", 6, &json!({})), "running"),
        (event("TimeTravelJumped", 6, &json!({ "fromFrameNo": 9, "toFrameNo": 3 })), "unknown"),
        (
            event(
                "RetryTaskFinished",
                6,
                &json!({ "nodeId": "a", "iteration": 0, "resetNodes": ["a"], "success": true }),
            ),
            "unknown",
        ),
        (
            event(
                "RetryTaskFinished",
                6,
                &json!({ "nodeId": "a", "iteration": 0, "resetNodes": ["a"], "success": false, "error": "busy" }),
            ),
            "succeeded",
        ),
    ] {
        let mut log = log(&lines(&[events.clone(), vec![more.clone()]].concat()));
        assert_eq!(state(&log.view(NOW)), expected, "{more}");
        let reset = more["success"] == true;
        let node = if reset { NodeState::Pending } else { NodeState::InProgress };
        assert_eq!(log.nodes("r")[0].state, Some(node), "{more}");
    }
}

#[test]
fn a_key_with_an_escape_hides_no_other_field() {
    let line = r#"{"type":"RunFailed","runId":"r","timestampMs":1,"\u0061":1,"error":"no disk"}"#;
    assert_eq!(log(line).view(NOW).error.as_deref(), Some("no disk"));
}

#[test]
fn runs_in_one_file_stay_apart() {
    let mut other = event("RunFailed", 3, &json!({ "error": "x" }));
    other["runId"] = json!("child");
    let mut log = log(&lines(&[event("RunStarted", 1, &json!({})), node("NodeStarted", 2, "a", 1), other]));
    let view = log.view(NOW);
    assert_eq!((view.run_id.as_deref(), state(&view)), (Some("r"), "running"));
    assert_eq!((view.other_runs[0].run_id.as_str(), view.other_runs[0].state.as_str()), ("child", "failed"));
    let child = log.run_view("child", NOW).unwrap();
    assert_eq!((state(&child), child.error.as_deref(), child.nodes.len()), ("failed", Some("x"), 0));
    assert!(log.run_view("nobody", NOW).is_none() && log.nodes("child").is_empty());
}

#[test]
fn a_log_that_is_empty_or_all_broken_says_nothing() {
    for text in ["", "\n\n", "no\nnothing\n"] {
        let mut log = log(text);
        let view = log.view(NOW);
        assert_eq!((view.state.known(), view.run_id, view.as_of), (Some(RunState::Unknown), None, None));
        assert_eq!((log.rows(0, 9, &Filter::default()).total, log.json(0)), (0, None));
    }
}

#[test]
fn looking_while_lines_overtake_each_other_shows_what_the_whole_log_shows() {
    // Tasks side by side: each line is up to some places late; now and then one is very late.
    let mut events: Vec<(u32, Value)> = Vec::new();
    for step in 0..4000_u32 {
        let name = format!("n-{}", step % 37);
        let late = if step % 997 == 996 { 9000 } else { step * 7919 % 23 };
        for (place, event_type) in ["NodeStarted", "TaskHeartbeat", "NodeFinished"].into_iter().enumerate() {
            let at = step * 10 + place as u32;
            let mut event = node(event_type, at, &name, 1);
            event["iteration"] = json!(step / 37);
            events.push((at + late, event));
        }
    }
    events.sort_by_key(|(written, _)| *written);
    let lines: Vec<String> = events.iter().map(|(_, event)| format!("{event}\n")).collect();
    let text = lines.concat();
    let (mut looked, mut whole) = (EventLog::new(), log(&text));
    for chunk in text.as_bytes().chunks(10_000) {
        looked.push(chunk);
        looked.view(NOW);
    }
    looked.finish();
    assert_eq!(looked.view(NOW), whole.view(NOW));
    assert_eq!(looked.nodes("r"), whole.nodes("r"));
    let (first, second) =
        (looked.rows(0, 20_000, &Filter::default()), whole.rows(0, 20_000, &Filter::default()));
    assert_eq!(first, second);
    let times: Vec<f64> = first
        .rows
        .iter()
        .map(|row| match row {
            LogRow::Event(event) => event.at.0,
            LogRow::Heartbeats(beats) => beats.first.at.0,
            LogRow::Gap(gap) => gap.before.0,
        })
        .collect();
    // The order of the file: no clock decides.
    let written: Vec<f64> = events.iter().map(|(_, event)| event["timestampMs"].as_f64().unwrap()).collect();
    assert_eq!(times, written);
}
