//! Event logs as rows: windows, filters, gaps, broken lines, and the memory of an event.

use std::fs;

use super::support::{NOW, event, filter_with, folder, lines, log, node, read, row, state, stream};
use runstate::error_code::ErrorCode;
use runstate::log::{Caveat, EventLog, Filter, LogRow, Ordering, is_event_log};
use runstate::smithers::wire::{Category, EventSeverity};
use runstate::time::Millis;
use serde_json::{Value, json};

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
    assert!(log.rows(0, 10, &filter_with(|filter| filter.gaps = false)).total == 5);
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
    // A rewind goes back, which is not a gap.
    assert!(stream("rewind-a").gaps().is_empty());
    assert!(stream("wide-a").gaps().is_empty());
}

#[test]
fn an_event_without_the_word_of_the_state_is_kept_out_and_named() {
    let start = event("RunStarted", 1, &json!({}));
    let escaped = |event: &Value| json!({ "runId": "r", "seq": 1, "payload_json": event.to_string() });
    let changed = |more: &Value| event("RunStateChanged", 2, more);
    for (line, message) in [
        (event("RunStatusChanged", 2, &json!({})), "The field `status` is missing."),
        (event("RunStatusChanged", 2, &json!({ "status": 5 })), "Expected text, found the number 5."),
        (event("RunStatusChanged", 2, &json!({ "status": null })), "Expected text, found null."),
        (event("RunStatusChanged", 2, &json!({ "status": "" })), "Expected a word, found text \"\"."),
        (changed(&json!({ "before": "running" })), "The field `after` is missing."),
        (changed(&json!({ "after": "running" })), "The field `before` is missing."),
        (changed(&json!({ "before": "running", "after": {} })), "The field `state` is missing."),
        (changed(&json!({ "before": {}, "after": "stale" })), "The field `state` is missing."),
        (
            changed(&json!({ "before": "running", "after": { "state": 5 } })),
            "Expected text, found the number 5.",
        ),
        (changed(&json!({ "before": ["running"], "after": "stale" })), "Expected text, found a list."),
        (row(1, &event("RunStatusChanged", 2, &json!({}))), "The field `status` is missing."),
        (escaped(&event("RunStatusChanged", 2, &json!({}))), "The field `status` is missing."),
    ] {
        let mut log = log(&lines(&[start.clone(), line.clone()]));
        let view = log.view(NOW);
        assert_eq!((state(&view), view.across_gap), ("running", true), "{line}");
        let problem = &log.problems()[0];
        assert_eq!(
            (problem.code, problem.line, &*problem.message),
            (ErrorCode::NotAnEvent, 2, message),
            "{line}"
        );
    }
    // An unknown word is kept as a word.
    let mut log = log(&lines(&[start, event("RunStatusChanged", 2, &json!({ "status": "dreaming" }))]));
    assert_eq!((state(&log.view(NOW)), log.problems().len()), ("dreaming", 0));
}

#[test]
fn heartbeats_collapse_for_each_task_while_nothing_else_happens() {
    let beat = |at: u32, name: &str| node("TaskHeartbeat", at, name, 1);
    let mut events = vec![event("RunStarted", 1, &json!({}))];
    events.extend((0..2000).map(|at| beat(10 + at, ["a", "b"][at as usize % 2])));
    events.push(node("NodeFinished", 3000, "a", 1));
    events.extend((0..600).map(|at| beat(4000 + at, &format!("n{}", at % 300))));
    events.extend((0..3).map(|at| beat(5000 + at, "b")));
    let mut log = log(&lines(&events));
    let page = log.rows(0, 1000, &Filter::default());
    // The start, a and b, the end of a, 300 tasks and b again.
    assert_eq!((page.total, page.rows.len()), (305, 305));
    let count = |row: &LogRow| match row {
        LogRow::Heartbeats(beats) => (beats.first.node_id.clone().unwrap(), beats.count, beats.last_at.0),
        LogRow::Event(_) | LogRow::Gap(_) => (String::new(), 0, 0.0),
    };
    assert_eq!(count(&page.rows[1]), ("a".into(), 1000, 2008.0));
    assert_eq!(count(&page.rows[2]), ("b".into(), 1000, 2009.0));
    assert_eq!(count(&page.rows[4]), ("n0".into(), 2, 4300.0));
    assert_eq!(count(&page.rows[304]), ("b".into(), 3, 5002.0));
    // Any window shows the same rows.
    for start in [0, 1, 2, 3, 4, 5, 150, 255, 256, 257, 258, 300, 303, 304] {
        for length in [1, 2, 40] {
            let end = (start + length).min(305);
            let window = log.rows(start, start + length, &Filter::default());
            assert_eq!(window.rows, page.rows[start as usize..end as usize], "{start} and {length}");
        }
    }
}

#[test]
fn a_log_that_was_finished_too_soon_goes_on() {
    let text = lines(&[
        event("RunStarted", 1, &json!({})),
        node("NodeStarted", 2, "ü", 1),
        event("RunFinished", 3, &json!({})),
    ]) + "oops\n";
    let whole = log(&text);
    for cut in 1..text.len() {
        let mut log = EventLog::new();
        log.push(&text.as_bytes()[..cut]);
        log.finish();
        log.view(NOW);
        log.push(&text.as_bytes()[cut..]);
        log.finish();
        log.push(b"");
        log.finish();
        assert_eq!((log.counts(), log.problems()), (whole_counts(&text), whole.problems()), "{cut}");
        assert_eq!(state(&log.view(NOW)), "succeeded", "{cut}");
    }
    // A complete value does not continue with the next line.
    let mut log = EventLog::new();
    log.push(b"{\"type\":\"Run");
    log.finish();
    log.push_value(&event("RunFailed", 1, &json!({})).to_string());
    assert_eq!((log.counts().events, log.counts().unread), (1, 1));
}

fn whole_counts(text: &str) -> runstate::log::LogCounts {
    log(text).counts()
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
            (ErrorCode::NotJson, 3, 48),
            (ErrorCode::NotAnEvent, 4, 1),
            (ErrorCode::NotAnEvent, 5, 1),
            (ErrorCode::NotAnEvent, 6, 1),
            (ErrorCode::Truncated, 9, 13),
        ]
    );
    assert_eq!(log.problems()[3].message, "The field `iteration` is missing.");
    let (view, counts) = (log.view(NOW), log.counts());
    assert_eq!((state(&view), counts.events, counts.unread, counts.lines), ("succeeded", 2, 5, 9));
    // The lost part of the cut line may have changed the state.
    assert!(view.across_gap && view.caveats.contains(&Caveat::Unread { lines: 5 }));
    let mut bytes = good.into_bytes();
    bytes.extend(b"{\"type\":\"Run\xff\"}\n");
    let mut log = EventLog::new();
    log.push(&bytes);
    assert_eq!(
        (log.problems()[0].code, log.problems()[0].line, log.problems()[0].column),
        (ErrorCode::InvalidUtf8, 2, 13)
    );
}

#[test]
fn types_that_are_not_known_are_kept_and_counted() {
    let dream = event("NodeDreamed", 5, &json!({ "nodeId": "a", "of": ["sheep", {"n": 1e3}] }));
    let mut log = log(&lines(&[event("RunStarted", 1, &json!({})), dream.clone()]));
    let types = log.types();
    assert_eq!((types[1].0.as_str(), types[1].0.known(), types[1].1), ("NodeDreamed", None, 1));
    let page = log.rows(0, 9, &filter_with(|filter| filter.categories = vec![Category::Foreign]));
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
    let page = log.rows(0, 100, &filter_with(|filter| filter.node_id = Some("a".to_owned())));
    assert_eq!(page.rows.iter().map(beats).collect::<Vec<_>>(), [0, 501]);
    // A window from the middle shows the same rows.
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
        total(filter_with(|filter| filter.types = vec!["NodeFailed".to_owned(), "RunFinished".to_owned()])),
        3
    );
    assert_eq!(total(filter_with(|filter| filter.categories = vec![Category::Frame])), 10);
    assert_eq!(total(filter_with(|filter| filter.severity = Some(EventSeverity::Error))), 2);
    assert_eq!(total(filter_with(|filter| filter.severity = Some(EventSeverity::Info))), 11);
    assert_eq!(total(filter_with(|filter| filter.node_id = Some("bad-1".to_owned()))), 3);
    assert_eq!(total(filter_with(|filter| filter.text = Some("TYPEERROR".to_owned()))), 1);
    assert_eq!(total(filter_with(|filter| filter.text = Some("nothing of that".to_owned()))), 0);
    assert_eq!(total(filter_with(|filter| filter.run_id = Some("another".to_owned()))), 0);
    let mut both = all;
    both.severity = Some(EventSeverity::Error);
    both.node_id = Some("bad-2".to_owned());
    assert_eq!(total(both), 1);
}

#[test]
fn windows_of_a_long_log_are_parts_of_the_whole() {
    let mut log = stream("wide-a");
    for filter in [Filter::default(), filter_with(|filter| filter.categories = vec![Category::Node])] {
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
fn logs_are_recognised_by_their_lines() {
    for entry in fs::read_dir(folder("logs/stream")).unwrap() {
        let text = fs::read_to_string(entry.unwrap().path()).unwrap();
        assert!(is_event_log(&text) && is_event_log(&text[..text.len() / 2]));
    }
    assert!(is_event_log(&read("logs/cli/events-quick-b.ndjson")));
    for other in [
        "captures/runs/timer-a/ws-life.ndjson",
        "captures/runs/timer-a/rpc-runs.get.json",
        "derive/classes.json",
    ] {
        assert!(!is_event_log(&read(other)), "{other}");
    }
    assert!(!is_event_log("") && !is_event_log("{}\n{}\n") && !is_event_log("{\"type\":\"RunStarted\"}"));
}

/// A recorded log many times over, each time later and in other rounds.
fn long(run: &str) -> Vec<String> {
    let text = read(&format!("logs/stream/{run}.ndjson"));
    let again = |round: u64, line: &str| {
        let mut event: Value = serde_json::from_str(line).unwrap();
        event["timestampMs"] = json!(event["timestampMs"].as_u64().unwrap() + round * 100_000);
        if event.get("iteration").is_some() {
            event["iteration"] = json!(round);
        }
        format!("{event}\n")
    };
    // Long enough for the log's fixed costs to be negligible.
    (0..40).flat_map(|round| text.lines().map(move |line| again(round, line))).collect()
}

/// The memory of an event besides its text, in bytes, in a log that was queried while it was read.
fn cost(lines: &[String]) -> f64 {
    let mut log = EventLog::new();
    for (number, line) in lines.iter().enumerate() {
        log.push(line.as_bytes());
        if number % 15_000 == 0 {
            log.view(NOW);
        }
    }
    log.finish();
    log.view(NOW);
    log.rows(0, 50, &Filter::default());
    assert_eq!(log.counts().events, lines.len() as u64);
    log.memory() as f64 / lines.len() as f64
}

#[test]
fn an_event_costs_less_than_48_bytes_beside_its_text() {
    for run in ["wide-a", "steps-a"] {
        let lines = long(run);
        let each = cost(&lines);
        assert!(each <= 48.0, "{run}: {each} bytes for each of {}", lines.len());
    }
}

#[test]
fn so_does_an_event_of_a_log_whose_lines_are_not_in_order() {
    for run in ["wide-a", "steps-a"] {
        let lines = long(run);
        let pairs: Vec<String> = lines.chunks(2).flat_map(|pair| pair.iter().rev().cloned()).collect();
        let halves = [&lines[lines.len() / 2..], &lines[..lines.len() / 2]].concat();
        let mut any = lines.clone();
        // No line stays near its position: the steps go around a list of another length.
        let (mut at, step) = (0, 7_919);
        for line in &lines {
            at = (at + step) % lines.len();
            any[at].clone_from(line);
        }
        let backwards: Vec<String> = lines.iter().rev().cloned().collect();
        for (name, lines) in [("pairs", pairs), ("halves", halves), ("any", any), ("backwards", backwards)] {
            let each = cost(&lines);
            assert!(each <= 48.0, "{run}, {name}: {each} bytes for each of {}", lines.len());
        }
    }
}

#[test]
fn an_event_of_an_unknown_type_means_by_a_name_what_it_will() {
    let line = |kind: &str, field: &str| {
        format!(
            r#"{{"type":"{kind}","runId":"r","timestampMs":1,"nodeId":"a","iteration":0,"attempt":1,{field}}}"#
        )
    };
    let counts = |line: &str| {
        let mut log = EventLog::new();
        log.push(format!("{line}\n").as_bytes());
        log.finish();
        (log.rows(0, 9, &Filter::default()).total, log.problems().len())
    };
    for (name, value) in [("nodeId", "5"), ("iteration", "\"first\""), ("attempt", "-1"), ("nodeId", "[1]")] {
        let given = line("Zed", r#""x":0"#);
        let known = format!("\"{name}\":");
        let begin = given.find(&known).unwrap() + known.len();
        let end = begin + given[begin..].find([',', '}']).unwrap();
        let odd = format!("{}{value}{}", &given[..begin], &given[end..]);
        assert_eq!(counts(&odd), (1, 0), "{odd}");
        // A known type determines the meaning.
        assert_eq!(counts(&odd.replace("Zed", "NodeStarted")), (0, 1), "{odd}");
    }
}
