//! Event logs: real ones against what the server said, and made ones for what the real ones do not show.

use std::fs;
use std::path::PathBuf;

use runstate::log::{Caveat, Decision, EventLog, Filter, LogRow, LogView, Ordering, TimerStatus, recognises};
use runstate::smithers::{Category, NodeState, ReasonBlocked, RunState, Severity};
use runstate::time::Millis;
use runstate::word::Word;
use serde_json::{Value, json};

const NOW: Millis = Millis(1_795_300_000_000.0);

fn folder(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/vectors/smithers").join(name)
}

fn read(name: &str) -> String {
    fs::read_to_string(folder(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn log(text: &str) -> EventLog {
    let mut log = EventLog::new();
    log.push(text.as_bytes());
    log.finish();
    log
}

fn stream(run: &str) -> EventLog {
    log(&read(&format!("logs/stream/{run}.ndjson")))
}

/// The persisted events of a run, as the REST interface answers them.
fn rest(run: &str) -> Vec<Value> {
    let answer: Value = serde_json::from_str(&read(&format!("logs/rest/{run}.json"))).unwrap();
    answer["response"]["body"]["data"].as_array().unwrap().clone()
}

fn lines(events: &[Value]) -> String {
    let lines: Vec<String> = events.iter().map(Value::to_string).collect();
    lines.join("\n") + "\n"
}

fn event(event_type: &str, at: u32, more: &Value) -> Value {
    let mut event = json!({ "type": event_type, "runId": "r", "timestampMs": at });
    event.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    event
}

fn node(event_type: &str, at: u32, node: &str, attempt: u32) -> Value {
    event(event_type, at, &json!({ "nodeId": node, "iteration": 0, "attempt": attempt }))
}

fn row(seq: u32, event: &Value) -> Value {
    json!({ "runId": "r", "seq": seq, "event": event["type"], "payload": event, "timestampMs": event["timestampMs"] })
}

fn state(view: &LogView) -> &str {
    view.state.as_str()
}

/// What the server's list of nodes says: node, round, state.
fn listed(name: &str) -> Vec<(String, u64, String)> {
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

fn folded(log: &mut EventLog, run: &str) -> Vec<(String, u64, String)> {
    let nodes = log.nodes(run).into_iter();
    let text = |state| Word::Known(state).as_str().to_owned();
    let mut nodes: Vec<_> =
        nodes.map(|node| (node.node_id, u64::from(node.iteration), text(node.state))).collect();
    nodes.sort();
    nodes
}

#[test]
fn the_persisted_events_lead_to_the_states_that_the_server_lists() {
    for entry in fs::read_dir(folder("logs/rest")).unwrap() {
        let run = entry.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned();
        let mut log = log(&lines(&rest(&run)));
        let view = log.view(NOW);
        assert!(log.problems().is_empty() && log.gaps().is_empty(), "{run}");
        assert_eq!((log.ordering(), view.across_gap), (Ordering::Sequence, false), "{run}");
        let listed = listed(&format!("captures/runs/{run}/rpc-listNodeStates.json"));
        // No event names the node that waits for an event (protocol section 5, quirk 13), nor a person's task that asks again.
        let silent =
            |node: &str| (run == "event-a" && node == "wait-deploy") || (run == "human-a" && node == "ask");
        let named: Vec<_> = listed.into_iter().filter(|(node, ..)| !silent(node)).collect();
        let told: Vec<_> = folded(&mut log, &run).into_iter().filter(|(node, ..)| !silent(node)).collect();
        assert_eq!(told, named, "{run}");
        let answer: Value =
            serde_json::from_str(&read(&format!("captures/runs/{run}/rpc-runs.get.json"))).unwrap();
        let said = &answer["response"]["body"]["payload"]["runState"]["state"];
        assert_eq!(state(&view), said.as_str().unwrap(), "{run}");
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
    let mut log = stream("approval-a");
    assert_eq!(log.approvals("approval-a")[0].decided.unwrap().0, Decision::NotInTheLog);
    assert_eq!(log.approvals("approval-a")[0].title.as_deref(), Some("Ship release 1.2.3?"));
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
    // Without `--raw` the command leaves frames out, and their numbers are missing.
    assert_eq!((thinned.gaps().len(), thinned.counts().lost), (11, 24));
}

#[test]
fn both_witnesses_of_one_run_in_one_file_are_one_run() {
    let both =
        format!("{}{}", read("logs/stream/approval-a.ndjson"), read("logs/cli/events-approval-a.ndjson"));
    let mut log = log(&both);
    let counts = log.counts();
    assert_eq!((counts.events, counts.repeated, counts.gaps), (29, 14, 0));
    // Frames are in the file alone, which has no numbers.
    assert_eq!(log.ordering(), Ordering::Time);
    assert_eq!(log.approvals("approval-a")[0].decided.unwrap().0, Decision::Granted);
}

#[test]
fn what_a_log_names_is_what_a_header_needs() {
    let view = stream("timer-a").view(NOW);
    assert_eq!((view.run_id.as_deref(), view.workflow.as_deref()), (Some("timer-a"), Some("timer")));
    assert_eq!((view.starts, state(&view)), (2, "succeeded"));
    assert!(view.started_at < view.ended_at && view.ended_at == view.as_of && view.age_ms > Some(0.0));
    assert_eq!(view.evidence.inputs[0].value, runstate::evidence::Value::Word("RunFinished".to_owned()));
    let mut log = stream("timer-a");
    let timer = &log.timers("timer-a")[0];
    assert_eq!((timer.timer_id.as_str(), timer.status), ("nap", TimerStatus::Fired));
    let view = stream("degraded-a").view(NOW);
    assert_eq!(view.failed_children, ["bad-1::0", "bad-2::0"]);
    let view = stream("fail-a").view(NOW);
    assert_eq!(view.error.as_deref(), Some("Task failed: boom See https://smithers.sh/reference/errors"));
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
    // Decided, and not yet started again: it waits for nobody any more.
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
    // A re-broadcast comes under new numbers (protocol section 5, quirk 6); what follows is no gap.
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
fn lost_numbers_are_gaps_and_states_before_them_say_so() {
    let events = [
        row(0, &event("RunStarted", 1, &json!({}))),
        row(1, &node("NodeStarted", 2, "early", 1)),
        row(2, &node("NodeFinished", 3, "early", 1)),
        row(7, &node("NodeStarted", 8, "late", 1)),
        row(8, &node("NodeFinished", 9, "late", 1)),
    ];
    let mut log = log(&lines(&events));
    let view = log.view(Millis(10.0));
    assert!(view.across_gap && view.caveats.contains(&Caveat::Lost { events: 4, gaps: 1 }), "{view:?}");
    let nodes = log.nodes("r");
    assert_eq!(nodes.iter().map(|node| node.across_gap).collect::<Vec<_>>(), [true, false]);
    let page = log.rows(0, 10, &Filter::default());
    assert_eq!(page.total, 6);
    assert!(matches!(&page.rows[3], LogRow::Gap(gap) if (gap.from, gap.to, gap.frames) == (3, 6, false)));
    assert!(log.rows(0, 10, &Filter { gaps: false, ..Filter::default() }).total == 5);
    // The end of the run after the gap makes its state sure again.
    log.push(format!("{}\n", row(9, &event("RunFinished", 10, &json!({})))).as_bytes());
    let view = log.view(Millis(10.0));
    assert_eq!((state(&view), view.across_gap), ("succeeded", false));
    // The missing numbers arrive late.
    for seq in 3..7 {
        log.push(format!("{}\n", row(seq, &node("TaskHeartbeat", seq + 1, "early", 1))).as_bytes());
    }
    assert!(log.gaps().is_empty() && !log.nodes("r")[0].across_gap);
}

#[test]
fn a_log_without_numbers_misses_frames() {
    let text = read("logs/stream/quick-a.ndjson");
    let kept: Vec<&str> = text
        .lines()
        .filter(|line| !(line.contains("\"frameNo\":5") || line.contains("\"frameNo\":6")))
        .collect();
    let mut log = log(&kept.join("\n"));
    let gaps = log.gaps();
    assert_eq!((gaps.len(), gaps[0].frames, gaps[0].from, gaps[0].to), (1, true, 5, 6));
    // A rewind goes back and is no gap.
    assert!(stream("rewind-a").gaps().is_empty());
    assert!(stream("wide-a").gaps().is_empty());
}

#[test]
fn broken_lines_are_named_and_the_rest_loads() {
    let good = lines(&[event("RunStarted", 1, &json!({}))]);
    let text = format!(
        "\u{feff}{good}\n{{\"type\":\"NodeStarted\",\"runId\":\"r\",\"nodeId\":\"ü\",}}\n[1]\n{{\"runId\":\"r\"}}\n\
         {{\"type\":\"NodeStarted\",\"runId\":\"r\",\"nodeId\":\"a\",\"timestampMs\":2}}\n  \r\n{}{{\"type\":\"Run",
        lines(&[event("RunFinished", 9, &json!({}))]),
    );
    let mut log = log(&text);
    let found: Vec<_> =
        log.problems().iter().map(|problem| (problem.code, problem.line, problem.column)).collect();
    assert_eq!(
        found,
        [
            ("NOT_JSON", 3, 48),
            ("NOT_AN_EVENT", 4, 1),
            ("NOT_AN_EVENT", 5, 1),
            ("NOT_AN_EVENT", 6, 1),
            ("TRUNCATED", 9, 13),
        ]
    );
    assert_eq!(log.problems()[3].message, "The field `iteration` is missing.");
    let (view, counts) = (log.view(NOW), log.counts());
    assert_eq!((state(&view), counts.events, counts.unread, counts.lines), ("succeeded", 2, 5, 9));
    // What the cut line said may have changed the state.
    assert!(view.across_gap && view.caveats.contains(&Caveat::Unread { lines: 5 }));
    let mut bytes = good.into_bytes();
    bytes.extend(b"{\"type\":\"Run\xff\"}\n");
    let mut log = EventLog::new();
    log.push(&bytes);
    assert_eq!(
        (log.problems()[0].code, log.problems()[0].line, log.problems()[0].column),
        ("INVALID_UTF8", 2, 13)
    );
}

#[test]
fn types_that_are_not_known_are_kept_and_counted() {
    let dream = event("NodeDreamed", 5, &json!({ "nodeId": "a", "of": ["sheep", {"n": 1e3}] }));
    let mut log = log(&lines(&[event("RunStarted", 1, &json!({})), dream.clone()]));
    let types = log.types();
    assert_eq!((types[1].0.as_str(), types[1].0.known(), types[1].1), ("NodeDreamed", None, 1));
    let page = log.rows(0, 9, &Filter { categories: vec![Category::Foreign], ..Filter::default() });
    let LogRow::Event(row) = &page.rows[0] else { panic!("{page:?}") };
    assert_eq!(serde_json::from_str::<Value>(&log.json(row.row).unwrap()).unwrap(), dream);
    assert!(log.nodes("r").is_empty(), "an unknown event invents no state");
}

#[test]
fn consecutive_heartbeats_are_one_row() {
    let beat = |at, name, attempt| {
        let mut beat = node("TaskHeartbeat", at, name, attempt);
        beat["hasData"] = json!(false);
        beat["dataSizeBytes"] = json!(0);
        beat
    };
    let mut events = vec![node("NodeStarted", 1, "a", 1)];
    events.extend((2..502).map(|at| beat(at, "a", 1)));
    events.push(node("NodeStarted", 600, "b", 1));
    events.extend([beat(601, "a", 1), beat(602, "b", 1), beat(603, "b", 1), beat(604, "b", 2)]);
    let mut log = log(&lines(&events));
    let page = log.rows(0, 100, &Filter::default());
    let counts: Vec<u32> = page.rows.iter().map(beats).collect();
    assert_eq!((page.total, counts), (6, vec![0, 500, 0, 1, 2, 1]));
    let nodes = log.nodes("r");
    assert_eq!((nodes[0].heartbeats, nodes[0].heartbeat_at), (501, Some(Millis(601.0))));
    let page = log.rows(0, 100, &Filter { node_id: Some("a".to_owned()), ..Filter::default() });
    assert_eq!(page.rows.iter().map(beats).collect::<Vec<_>>(), [0, 501]);
    // A window that begins in the middle shows the same rows.
    for start in 0..6 {
        let window = log.rows(start, start + 2, &Filter::default());
        let all = log.rows(0, 100, &Filter::default());
        assert_eq!(window.rows, all.rows[start as usize..(start as usize + 2).min(6)]);
    }
}

fn beats(row: &LogRow) -> u32 {
    match row {
        LogRow::Event(event) => u32::from(event.category == Category::Heartbeat),
        LogRow::Heartbeats(beats) => beats.count,
        LogRow::Gap(_) => 0,
    }
}

#[test]
fn filters_hold_together() {
    let mut log = stream("degraded-a");
    let mut total = |filter: Filter| log.rows(0, 0, &filter).total;
    let all = Filter::default();
    assert_eq!(total(all.clone()), 21);
    assert_eq!(
        total(Filter { types: vec!["NodeFailed".to_owned(), "RunFinished".to_owned()], ..all.clone() }),
        3
    );
    assert_eq!(total(Filter { categories: vec![Category::Frame], ..all.clone() }), 10);
    assert_eq!(total(Filter { severity: Some(Severity::Error), ..all.clone() }), 2);
    assert_eq!(total(Filter { severity: Some(Severity::Info), ..all.clone() }), 11);
    assert_eq!(total(Filter { node_id: Some("bad-1".to_owned()), ..all.clone() }), 3);
    assert_eq!(total(Filter { text: Some("TYPEERROR".to_owned()), ..all.clone() }), 1);
    assert_eq!(total(Filter { text: Some("nothing of that".to_owned()), ..all.clone() }), 0);
    assert_eq!(total(Filter { run_id: Some("another".to_owned()), ..all.clone() }), 0);
    let both = Filter { severity: Some(Severity::Error), node_id: Some("bad-2".to_owned()), ..all };
    assert_eq!(total(both), 1);
}

#[test]
fn windows_of_a_long_log_are_parts_of_the_whole() {
    let mut log = stream("wide-a");
    for filter in [Filter::default(), Filter { categories: vec![Category::Node], ..Filter::default() }] {
        let all = log.rows(0, u32::MAX, &filter);
        assert_eq!(all.total as usize, all.rows.len());
        for start in (0..all.total).step_by(97) {
            let page = log.rows(start, start + 10, &filter);
            assert_eq!(page.rows, all.rows[start as usize..(start as usize + 10).min(all.rows.len())]);
        }
        assert!(log.rows(all.total, all.total + 5, &filter).rows.is_empty());
    }
}

#[test]
fn status_and_state_events_are_honoured() {
    let told = |event_type: &str, fields: Value| {
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
        assert_eq!(state(&told("RunStatusChanged", json!({ "status": status }))), expected);
    }
    for word in ["stale", "orphaned", "recovering", "succeeded", "dreaming"] {
        let view = told("RunStateChanged", json!({ "before": "running", "after": word }));
        assert_eq!(state(&view), word);
        assert_eq!(view.state.known().is_none(), word == "dreaming");
    }
    assert_eq!(
        state(&told("RunAutoResumed", json!({ "lastHeartbeatAtMs": 1, "staleDurationMs": 1 }))),
        "recovering"
    );
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
        assert_eq!(log.nodes("r")[0].state, node, "{more}");
    }
}

#[test]
fn tools_and_tokens_are_counted() {
    let call = |event_type: &str, at: u32, seq: u32, status: Option<&str>| {
        let mut call = node(event_type, at, "agent", 1);
        call["toolName"] = json!("bash");
        call["seq"] = json!(seq);
        if let Some(status) = status {
            call["status"] = json!(status);
        }
        call
    };
    let usage = event(
        "TokenUsageReported",
        9,
        &json!({ "nodeId": "agent", "iteration": 0, "attempt": 1, "model": "m", "agent": "a", "inputTokens": 100,
                 "outputTokens": 20, "cacheReadTokens": 7 }),
    );
    let events = [
        node("NodeStarted", 1, "agent", 1),
        call("ToolCallStarted", 2, 1, None),
        call("ToolCallFinished", 3, 1, Some("success")),
        call("ToolCallStarted", 4, 2, None),
        call("ToolCallFinished", 5, 2, Some("error")),
        call("ToolCallStarted", 6, 3, None),
        usage.clone(),
        event("TokenUsageReported", 10, &{
            let mut second = usage.clone();
            second["timestampMs"] = json!(10);
            second
        }),
    ];
    let mut log = log(&lines(&events));
    let view = log.view(NOW);
    assert_eq!((view.calls.started, view.calls.answered, view.calls.failed), (3, 2, 1));
    assert_eq!((view.tokens.reports, view.tokens.input, view.tokens.cache_read), (2, 200.0, 14.0));
    assert_eq!((state(&view), log.open_calls("r").len()), ("running", 1));
    assert_eq!((log.open_calls("r")[0].tool_name.as_str(), log.open_calls("r")[0].seq), ("bash", 3));
    assert_eq!(log.nodes("r")[0].tokens.output, 40.0);
    assert_eq!(log.rows(0, 0, &Filter { severity: Some(Severity::Error), ..Filter::default() }).total, 1);
    log.push(format!("{}\n", node("NodeFailed", 11, "agent", 1)).as_bytes());
    assert!(log.open_calls("r").is_empty());
}

#[test]
fn runs_in_one_file_stay_apart() {
    let mut other = event("RunFailed", 3, &json!({ "error": "x" }));
    other["runId"] = json!("child");
    let mut log = log(&lines(&[event("RunStarted", 1, &json!({})), node("NodeStarted", 2, "a", 1), other]));
    let view = log.view(NOW);
    assert_eq!((view.run_id.as_deref(), state(&view)), (Some("r"), "running"));
    assert_eq!((view.other_runs[0].run_id.as_str(), view.other_runs[0].state.as_str()), ("child", "failed"));
    let child = log.view_of("child", NOW).unwrap();
    assert_eq!((state(&child), child.error.as_deref(), child.nodes.len()), ("failed", Some("x"), 0));
    assert!(log.view_of("nobody", NOW).is_none() && log.nodes("child").is_empty());
}

#[test]
fn rows_of_the_database_are_read() {
    let started = node("NodeStarted", 2, "ünlü \"a\"", 1);
    let row = |seq: u32, event: &Value| {
        json!({ "run_id": "r", "seq": seq, "timestamp_ms": event["timestampMs"], "type": event["type"],
                "payload_json": event.to_string() })
    };
    let mut log = log(&lines(&[row(0, &event("RunStarted", 1, &json!({}))), row(1, &started)]));
    assert!(log.problems().is_empty() && log.ordering() == Ordering::Sequence);
    assert_eq!(log.nodes("r")[0].node_id, "ünlü \"a\"");
    assert_eq!(serde_json::from_str::<Value>(&log.json(1).unwrap()).unwrap(), started);
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
fn logs_are_recognised_by_their_lines() {
    for entry in fs::read_dir(folder("logs/stream")).unwrap() {
        let text = fs::read_to_string(entry.unwrap().path()).unwrap();
        assert!(recognises(&text) && recognises(&text[..text.len() / 2]));
    }
    assert!(recognises(&read("logs/cli/events-quick-b.ndjson")));
    for other in [
        "captures/runs/timer-a/ws-life.ndjson",
        "captures/runs/timer-a/rpc-runs.get.json",
        "divergences.json",
    ] {
        assert!(!recognises(&read(other)), "{other}");
    }
    assert!(!recognises("") && !recognises("{}\n{}\n") && !recognises("{\"type\":\"RunStarted\"}"));
}

#[test]
fn an_event_costs_less_than_48_bytes_beside_its_text() {
    for run in ["wide-a", "steps-a"] {
        // Long enough that what a log costs at all does not weigh.
        let text = read(&format!("logs/stream/{run}.ndjson"));
        let mut log = EventLog::new();
        for round in 0..40_u64 {
            for line in text.lines() {
                let mut event: Value = serde_json::from_str(line).unwrap();
                event["timestampMs"] = json!(event["timestampMs"].as_u64().unwrap() + round * 100_000);
                if event.get("iteration").is_some() {
                    event["iteration"] = json!(round);
                }
                log.push(format!("{event}\n").as_bytes());
            }
        }
        log.view(NOW);
        log.rows(0, 50, &Filter::default());
        let events = log.counts().events;
        let each = log.memory() as f64 / events as f64;
        assert!(each <= 48.0, "{run}: {each} bytes for each of {events}");
    }
}
