mod days;
mod order;
mod runs;
mod unread;

use std::collections::BTreeMap;
use std::path::Path;

use super::{
    EntryNode, EventChoice, Family, FamilyCount, LogAction, LogEntry, LogEntryKind, LogQuery, LogWindow,
};
use crate::file::File;
use crate::gateway::{ClientInput, ClientOptions};
use crate::ingest::open;
use crate::ingest::traffic::Entry;
use crate::smithers::wire::EventSeverity;
use crate::time::Millis;
use crate::viewer::{DocumentSource, GatewaySource, PaneAction, TrafficSource, Update, ViewCommand, Viewer};

const NOW: Millis = Millis(1_795_300_000_000.0);

/// The bytes of a file of `tests/vectors/`.
fn vector(name: &str) -> Vec<u8> {
    std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/vectors").join(name)).unwrap()
}

/// A viewer of files, each with its name.
fn of_files(files: &[(String, Vec<u8>)]) -> Viewer {
    let files: Vec<File<'_>> = files.iter().map(|(name, bytes)| File { name: Some(name), bytes }).collect();
    Viewer::new(DocumentSource::new(open(&files, NOW).unwrap(), "document"))
}

/// A viewer of a file of `tests/vectors/`.
fn opened(name: &str) -> Viewer {
    of_files(&[(name.to_owned(), vector(name))])
}

fn of_text(text: &str) -> Viewer {
    of_files(&[("text".to_owned(), text.as_bytes().to_vec())])
}

/// The files of a run of tnh-conductor after all its recorded writes.
fn written(name: &str) -> Vec<(String, Vec<u8>)> {
    let mut files: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    let writes = String::from_utf8(vector(name)).unwrap();
    for write in writes.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()) {
        let file = files.entry(write["file"].as_str().unwrap().to_owned()).or_default();
        if write["op"] == "replace" {
            file.clear();
        }
        file.extend(write["content"].as_str().unwrap().bytes());
    }
    files.into_iter().collect()
}

/// Carries out an action and returns the window after it.
fn after(viewer: &mut Viewer, action: LogAction) -> LogWindow {
    viewer.handle(ViewCommand::Act(PaneAction::Log(action)), NOW);
    window(viewer).expect("an action changes the window")
}

fn window(viewer: &mut Viewer) -> Option<LogWindow> {
    viewer.updates(NOW).into_iter().find_map(|update| match update {
        Update::Log(window) => window.map(|window| *window),
        _ => None,
    })
}

fn search(text: &str) -> LogAction {
    LogAction::Query(LogQuery { search: text.to_owned(), ..LogQuery::default() })
}

fn families(families: Vec<Family>) -> LogAction {
    LogAction::Query(LogQuery { families, ..LogQuery::default() })
}

fn everything() -> LogAction {
    LogAction::Show { first: 0, count: 1_000 }
}

fn names(window: &LogWindow) -> Vec<&str> {
    window.rows.iter().map(|row| &*row.name).collect()
}

fn sum(window: &LogWindow) -> u64 {
    window.families.iter().map(|family| family.count).sum()
}

fn node(row: &LogEntry) -> Option<(&str, u32)> {
    row.node.as_ref().map(|node| (&*node.node_id, node.iteration.unwrap_or(99)))
}

const LOG: &str = "documents/valid/killed-a.log.ndjson";

#[test]
fn a_document_lists_its_events_oldest_first_with_their_counts() {
    let mut viewer = opened(LOG);
    let all = after(&mut viewer, everything());
    assert_eq!(all.events, String::from_utf8(vector(LOG)).unwrap().lines().count() as u64);
    assert_eq!((sum(&all), all.rows.len()), (all.events, all.total), "{:?}", all.families);
    assert!(all.rows.windows(2).all(|pair| pair[0].moment <= pair[1].moment));
    assert_eq!((all.is_live, all.empty, all.note), (false, None, None));
    let page = after(&mut viewer, LogAction::Show { first: 3, count: 4 });
    assert_eq!((page.first, &page.rows[..]), (3, &all.rows[3..7]));
}

#[test]
fn filters_by_family_and_node_keep_the_counts_of_the_other_filter() {
    let mut viewer = opened(LOG);
    let all = after(&mut viewer, everything());
    let nodes = after(&mut viewer, families(vec![Family::Node]));
    let count =
        |window: &LogWindow| window.families.iter().find(|count| count.family == Family::Node).copied();
    assert_eq!(nodes.total as u64, count(&nodes).unwrap().count);
    assert_eq!(count(&nodes).unwrap(), FamilyCount { is_on: true, ..count(&all).unwrap() });
    assert!(nodes.rows.iter().all(|row| row.family == Family::Node));
    assert_eq!((nodes.events, sum(&nodes)), (all.events, all.events));
    let grind = after(
        &mut viewer,
        LogAction::Query(LogQuery {
            families: vec![Family::Node],
            node: Some("grind".into()),
            ..LogQuery::default()
        }),
    );
    assert!(grind.rows.iter().all(|row| node(row) == Some(("grind", 0))), "{:?}", names(&grind));
    assert_eq!((grind.events, grind.query.node.as_deref()), (all.events, Some("grind")));
    assert!(sum(&grind) < all.events);
    let none = after(&mut viewer, families(vec![Family::Timer]));
    assert_eq!((none.total, none.empty), (0, None), "the log has events, the filters have none");
    assert!(none.families.contains(&FamilyCount { family: Family::Timer, count: 0, is_on: true }));
}

#[test]
fn a_selected_row_selects_its_node_and_stays_until_the_rows_move() {
    let mut viewer = opened(LOG);
    let all = after(&mut viewer, everything());
    let row = all.rows.iter().position(|row| row.node.is_some()).unwrap();
    viewer.handle(ViewCommand::Act(PaneAction::Log(LogAction::Select { row })), NOW);
    let updates = viewer.updates(NOW);
    let focus = updates.iter().find_map(|update| match update {
        Update::Focus(focus) => focus.selected_key().cloned(),
        _ => None,
    });
    let EntryNode { node_id, iteration, .. } = all.rows[row].node.clone().unwrap();
    assert_eq!(focus.map(|key| (key.node_id, Some(key.iteration))), Some((node_id, iteration)));
    assert_eq!(after(&mut viewer, LogAction::Last).selected, Some(all.total - 1));
    assert_eq!(after(&mut viewer, LogAction::Move { by: -3 }).selected, Some(all.total - 4));
    assert_eq!(after(&mut viewer, LogAction::First).selected, Some(0));
    viewer.handle(ViewCommand::Act(PaneAction::Log(LogAction::Move { by: -1 })), NOW);
    assert_eq!(window(&mut viewer), None, "there is no row before the first one");
    let run = after(&mut viewer, families(vec![Family::Run]));
    assert_eq!((run.selected, run.is_selected_hidden), (Some(0), false), "RunStarted is of the family");
    let nodes = after(&mut viewer, families(vec![Family::Node]));
    assert_eq!((nodes.selected, nodes.is_selected_hidden), (None, true), "the selection stays, unseen");
    let again = after(&mut viewer, families(Vec::new()));
    assert_eq!((again.selected, again.is_selected_hidden), (Some(0), false));
    after(&mut viewer, LogAction::Last);
    let again = after(&mut viewer, families(vec![again.rows.last().unwrap().family]));
    assert!(again.selected.is_some() && again.selected < Some(all.total), "{:?}", again.selected);
}

#[test]
fn missing_numbers_are_rows_and_repeated_heartbeats_one_row() {
    let row = |seq: u32, kind: &str| {
        format!(
            r#"{{"runId":"r","seq":{seq},"payload":{{"type":"{kind}","runId":"r","nodeId":"n","iteration":0,"attempt":1,"timestampMs":{seq}}}}}"#
        )
    };
    let kinds = [(0, "RunStarted"), (1, "TaskHeartbeat"), (2, "TaskHeartbeat"), (7, "RunDreamed")];
    let text: Vec<String> = kinds.iter().map(|(seq, kind)| row(*seq, kind)).collect();
    let log = after(&mut of_text(&text.join("\n")), everything());
    assert_eq!(names(&log), ["RunStarted", "TaskHeartbeat", "", "RunDreamed"]);
    assert_eq!((log.events, log.missing, log.total), (4, 4, 4));
    assert!(
        matches!(&log.rows[1].kind, LogEntryKind::Folded { count: 2, until, is_open: false } if until == "00:00:00.002")
    );
    assert_eq!(
        (&log.rows[2].kind, &*log.rows[2].detail),
        (&LogEntryKind::Gap, "Events 3 to 6 are missing in this log.")
    );
    assert_eq!((log.rows[3].is_known, &*log.rows[3].number), (false, "7"));
}

#[test]
fn a_log_of_several_runs_lists_those_of_the_run_on_screen() {
    let event = |run: &str, at: u32| format!(r#"{{"type":"RunStarted","runId":"{run}","timestampMs":{at}}}"#);
    let mut viewer = of_text(&[event("a", 1), event("b", 2), event("b", 3)].join("\n"));
    assert!(window(&mut viewer).is_none_or(|window| window.events == 1), "the list, or its first run");
    for (row, run) in [(0, "a"), (1, "b")] {
        viewer.choose(Some(row));
        let log = window(&mut viewer).unwrap();
        assert_eq!(log.events, if run == "a" { 1 } else { 2 }, "{run}");
    }
}

#[test]
fn a_run_of_tnh_conductor_lists_all_events_with_the_visits_of_their_steps() {
    let mut viewer = of_files(&written("conductor/runs/validation-fail-fix-loop/writes.ndjson"));
    let log = after(&mut viewer, everything());
    assert_eq!((log.events, sum(&log), log.missing), (45, 45, 0));
    let events = log.rows.iter().map(|row| match &row.kind {
        LogEntryKind::Event => 1,
        LogEntryKind::Folded { count, .. } => *count,
        LogEntryKind::Gap => panic!("its events have no numbers"),
    });
    let in_rows: u32 = events.sum();
    assert_eq!(in_rows, 45);
    let visits: Vec<_> = log.rows.iter().filter(|row| row.name == "step_started").filter_map(node).collect();
    assert!(visits.contains(&("validate", 0)) && visits.contains(&("validate", 1)), "{visits:?}");
}

#[test]
fn writes_of_the_same_status_are_one_row() {
    let mut viewer = of_files(&written("conductor/runs/default-heartbeat-long-step/writes.ndjson"));
    let log = after(&mut viewer, everything());
    let folded = log.rows.iter().find_map(|row| match &row.kind {
        LogEntryKind::Folded { count, until, .. } => Some((&*row.name, *count, until > &row.at)),
        LogEntryKind::Event | LogEntryKind::Gap => None,
    });
    let Some(("status_updated", count @ 2.., true)) = folded else { panic!("{folded:?}") };
    let at = log.rows.iter().position(|row| row.kind != LogEntryKind::Event).unwrap();
    let part = after(&mut viewer, LogAction::Show { first: at, count: 1 });
    assert_eq!((part.rows.len(), &part.rows[0]), (1, &log.rows[at]), "the whole row, {count} events");
}

#[test]
fn a_session_of_lionagi_lists_its_signals() {
    let mut viewer = opened("documents/valid/sse-signals-failed.sse");
    let log = after(&mut viewer, everything());
    assert_eq!(log.rows.last().map(|row| (&*row.name, &*row.detail)), Some(("RunFailed", "disk is full")));
    assert_eq!(sum(&log), log.events);
}

#[test]
fn a_live_run_lists_what_was_pushed_since_the_connection() {
    let options = ClientOptions { run_id: Some("r1".into()), ..ClientOptions::new("ws://127.0.0.1:1", 1) };
    let mut viewer = Viewer::new(GatewaySource::connect(options, NOW));
    let say = |viewer: &mut Viewer, input: ClientInput<'_>| {
        viewer.gateway().unwrap().handle(Some(input), NOW);
    };
    let empty = window(&mut viewer).unwrap();
    assert!(empty.empty.unwrap().contains("No event"), "nothing has been received");
    say(&mut viewer, ClientInput::Opened);
    for (seq, run, event) in [(1, "r1", "node.started"), (2, "r2", "node.failed"), (5, "r1", "node.dreamed")]
    {
        let payload = r#"{"nodeId":"build","state":"x"}"#;
        let frame = format!(
            r#"{{"type":"event","event":"run.event","payload":{{"runId":"{run}","event":"{event}","payload":{payload},"seq":9}},"seq":{seq}}}"#
        );
        say(&mut viewer, ClientInput::Text(&frame));
    }
    let log = window(&mut viewer).unwrap();
    assert_eq!(names(&log), ["node.started", "", "node.dreamed"]);
    assert_eq!((log.events, log.is_live, &*log.rows[0].number), (2, true, "9"));
    assert!(log.rows[1].detail.contains("2 events"), "{}", log.rows[1].detail);
    assert!(log.note.unwrap().starts_with("Events are received since "));
    assert_eq!((log.rows[2].is_known, &*log.rows[2].detail), (false, r#"state: "x""#));
}

#[test]
fn a_run_of_a_page_lists_what_the_page_received() {
    let frame = |seq: u32, event: &str, payload: &str| Entry::Frame {
        at: NOW,
        socket: "s1".to_owned(),
        url: "ws://127.0.0.1:7331/".to_owned(),
        sent: false,
        text: format!(
            r#"{{"type":"event","apiVersion":"v1","event":"{event}","seq":{seq},"payload":{payload}}}"#
        ),
    };
    let answer = Entry::Answer {
        at: NOW,
        started: NOW,
        url: "http://127.0.0.1:7331/rpc".to_owned(),
        method: "POST".to_owned(),
        request: Some(r#"{"method":"getRun","params":{"runId":"r1"}}"#.to_owned()),
        status: Some(200),
        service_worker: false,
        body: r#"{"ok":true,"apiVersion":"v1","payload":{"runId":"r1","status":"running"}}"#.to_owned(),
    };
    let mut viewer = Viewer::new(TrafficSource::default());
    let traffic = viewer.traffic().unwrap();
    traffic.take(&[
        answer,
        frame(1, "connect.challenge", "{}"),
        frame(2, "node.started", r#"{"runId":"r1","nodeId":"build"}"#),
        frame(3, "run.heartbeat", r#"{"runId":"r1"}"#),
        frame(9, "node.failed", r#"{"runId":"r1","nodeId":"build","error":{"message":"disk is full"}}"#),
    ]);
    traffic.choose(0, "r1");
    let log = window(&mut viewer).unwrap();
    assert_eq!(names(&log), ["node.started", "", "node.failed"]);
    assert_eq!((&*log.rows[2].detail, log.events, log.is_live), ("disk is full", 2, true));
    assert!(log.rows[1].detail.contains("5 events"), "{}", log.rows[1].detail);
}

#[test]
fn a_document_without_events_says_why_and_what_to_do() {
    for name in [
        "documents/valid/getRun.gz",
        "documents/valid/lionagi-session.json",
        "conductor/runs/gate-orphaned/run/status.json",
    ] {
        let log = window(&mut opened(name)).unwrap();
        let why = log.empty.unwrap_or_else(|| panic!("{name} has events"));
        assert!(why.contains("contain no") || why.contains("contains no"), "{name}: {why}");
        assert!(why.contains("Open "), "{name}: {why}");
        assert_eq!((log.events, log.total, log.rows.len()), (0, 0, 0));
    }
}

/// A line of a log of the run `r` with a number, and more fields.
fn line(seq: u32, kind: &str, more: &str) -> String {
    format!(
        r#"{{"runId":"r","seq":{seq},"payload":{{"type":"{kind}","runId":"r","timestampMs":{seq}{more}}}}}"#
    )
}

fn of_attempt(node: &str, attempt: u32) -> String {
    format!(r#","nodeId":"{node}","iteration":0,"attempt":{attempt}"#)
}

#[test]
fn an_event_without_an_iteration_selects_that_of_the_tree() {
    let snapshot = r#"{"version":1,"runId":"r1","frameNo":1,"seq":1,"root":{"id":1,"type":"workflow","name":"w","children":[
        {"id":2,"type":"task","name":"task","task":{"nodeId":"build","iteration":3},"children":[]}]}}"#;
    let answer = |method: &str, payload: &str| Entry::Answer {
        at: NOW,
        started: NOW,
        url: "http://127.0.0.1:7331/rpc".to_owned(),
        method: "POST".to_owned(),
        request: Some(format!(r#"{{"method":"{method}","params":{{"runId":"r1"}}}}"#)),
        status: Some(200),
        service_worker: false,
        body: format!(r#"{{"ok":true,"apiVersion":"v1","payload":{payload}}}"#),
    };
    let frame = |seq: u32, event: &str, payload: &str| Entry::Frame {
        at: NOW,
        socket: "s1".to_owned(),
        url: "ws://127.0.0.1:7331/".to_owned(),
        sent: false,
        text: format!(
            r#"{{"type":"event","apiVersion":"v1","event":"{event}","seq":{seq},"payload":{payload}}}"#
        ),
    };
    let mut viewer = Viewer::new(TrafficSource::default());
    let traffic = viewer.traffic().unwrap();
    traffic.take(&[
        answer("getRun", r#"{"runId":"r1","status":"running"}"#),
        answer("getDevToolsSnapshot", snapshot),
        frame(1, "connect.challenge", "{}"),
        frame(2, "node.started", r#"{"runId":"r1","nodeId":"build"}"#),
        frame(3, "node.started", r#"{"runId":"r1","nodeId":"build","iteration":1}"#),
        frame(4, "node.started", r#"{"runId":"r1","nodeId":"elsewhere"}"#),
    ]);
    traffic.choose(0, "r1");
    let log = window(&mut viewer).unwrap();
    let iterations: Vec<_> = log.rows.iter().map(|row| row.node.as_ref().unwrap().iteration).collect();
    assert_eq!(iterations, [None, Some(1), None]);
    for (row, expected) in [(0, ("build", 3)), (1, ("build", 1)), (2, ("elsewhere", 0))] {
        viewer.handle(ViewCommand::Act(PaneAction::Log(LogAction::Select { row })), NOW);
        let focus = viewer.updates(NOW).into_iter().find_map(|update| match update {
            Update::Focus(focus) => focus.selected_key().cloned(),
            _ => None,
        });
        assert_eq!(focus.as_ref().map(|key| (&*key.node_id, key.iteration)), Some(expected), "row {row}");
    }
}

#[test]
fn recorded_events_without_an_iteration_select_that_of_the_tree_too() {
    let mut viewer = opened("smithers/lives/quick-a.ndjson");
    let all = after(&mut viewer, everything());
    let lack = |row: &LogEntry| row.node.as_ref().is_some_and(|node| node.iteration.is_none());
    let without: Vec<usize> = (0..all.rows.len()).filter(|row| lack(&all.rows[*row])).collect();
    assert!(!without.is_empty() && without.len() < all.rows.len());
    for row in without {
        viewer.handle(ViewCommand::Act(PaneAction::Log(LogAction::Select { row })), NOW);
        let updates = viewer.updates(NOW);
        let detail = updates.iter().find_map(|update| match update {
            Update::Node(window) => window.as_deref(),
            _ => None,
        });
        let Some(detail) = detail else { continue };
        let iteration = detail.fields.iter().find(|field| field.field == "iteration");
        let text = iteration.map(|field| format!("{:?}", field.value)).unwrap_or_default();
        assert!(!text.contains("the tree shows"), "{text}: {:?}", all.rows[row]);
    }
}

#[test]
fn a_search_finds_events_whose_json_has_all_words() {
    let error = r#","error":{"message":"Disk \"C\" is\nfull: Übung"}"#;
    let lines = [
        line(0, "RunStarted", ""),
        line(1, "NodeFailed", &(of_attempt("build", 1) + error)),
        line(2, "NodeStarted", &of_attempt("disk", 2)),
        line(3, "RunDreamed", r#","why":"full""#),
    ];
    let mut viewer = of_text(&lines.join("\n"));
    after(&mut viewer, everything());
    let mut found = |text: &str| {
        let log = after(&mut viewer, search(text));
        assert_eq!((log.searched, &*log.query.search, log.events), (None, text, 4));
        assert_eq!((sum(&log), log.matches as usize), (log.matches, log.total));
        names(&log).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(found("disk"), ["NodeFailed", "NodeStarted"]);
    assert_eq!(found(" FULL  disk "), ["NodeFailed"]);
    assert_eq!(found("disk nothing"), [""; 0]);
    assert_eq!(found(r#"\"c\""#), ["NodeFailed"], "the text as it is escaped in JSON");
    assert_eq!(found(r"is\nfull"), ["NodeFailed"]);
    assert_eq!(found("Übung"), ["NodeFailed"]);
    assert_eq!(found("übung"), [""; 0], "only the case of ASCII letters is ignored");
    assert_eq!(found("rundreamed"), ["RunDreamed"]);
    assert_eq!(found("").len(), 4);
}

#[test]
fn a_search_goes_on_with_each_update_and_a_new_one_replaces_it() {
    let event = |seq| {
        let kind = if seq % 1000 == 999 { "NodeDreamed" } else { "RunDreamed" };
        line(seq, kind, &format!(r#","text":"{}""#, "x".repeat(150)))
    };
    let text: Vec<String> = (0..60_000).map(event).collect();
    let mut viewer = of_text(&text.join("\n"));
    after(&mut viewer, everything());
    assert!(!viewer.is_searching());
    let first = after(&mut viewer, search("NODEDREAMED"));
    assert!(first.searched.is_some_and(|percent| percent > 0 && percent < 100), "{:?}", first.searched);
    assert!(first.total > 0 && first.total < 60 && first.rows.len() == first.total, "{}", first.total);
    let other = after(&mut viewer, search("nothing"));
    assert_eq!((other.total, other.rows.len()), (0, 0));
    let mut last = after(&mut viewer, search("nodedreamed"));
    let mut slices = 1;
    while viewer.is_searching() {
        last = window(&mut viewer).unwrap();
        slices += 1;
        assert!(slices < 20, "it ends");
    }
    assert_eq!((last.total, last.searched, sum(&last)), (60, None, 60));
    assert!(slices > 2, "{slices}");
    assert_eq!(window(&mut viewer), None, "nothing is left to do");
    let page = after(&mut viewer, LogAction::Show { first: 58, count: 9 });
    let numbers: Vec<_> = page.rows.iter().map(|row| row.number.replace('\u{202f}', "")).collect();
    assert_eq!(numbers, ["58999", "59999"]);
}

#[test]
fn heartbeats_of_two_attempts_are_two_rows_which_open_in_place() {
    let beat = |seq: u32, attempt| line(seq, "TaskHeartbeat", &of_attempt("build", attempt));
    let mut lines = vec![line(0, "RunStarted", "")];
    lines.extend((1..9).map(|seq| beat(seq, 1 + seq % 2)));
    lines.push(line(9, "RunFinished", ""));
    let mut viewer = of_text(&lines.join("\n"));
    let folded = after(&mut viewer, everything());
    assert_eq!(names(&folded), ["RunStarted", "TaskHeartbeat", "TaskHeartbeat", "RunFinished"]);
    let kind = |log: &LogWindow, row: usize| match &log.rows[row].kind {
        LogEntryKind::Folded { count, is_open, .. } => Some((*count, *is_open)),
        LogEntryKind::Event | LogEntryKind::Gap => None,
    };
    assert_eq!((kind(&folded, 1), kind(&folded, 2)), (Some((4, false)), Some((4, false))));
    assert_eq!(after(&mut viewer, LogAction::Select { row: 2 }).selected, Some(2));
    let open = after(&mut viewer, LogAction::Toggle { row: 1 });
    let numbers: Vec<&str> = open.rows.iter().map(|row| &*row.number).collect();
    assert_eq!(numbers, ["0", "1", "2", "3", "5", "7", "9"]);
    assert_eq!((kind(&open, 1), kind(&open, 2), open.selected), (Some((4, true)), Some((4, false)), Some(2)));
    let part = after(&mut viewer, LogAction::Show { first: 3, count: 2 });
    assert_eq!(part.rows, open.rows[3..5], "a window inside the open row");
    after(&mut viewer, everything());
    let both = after(&mut viewer, LogAction::Open);
    assert_eq!(both.total, 10);
    assert_eq!(after(&mut viewer, LogAction::Close).total, 7, "the selected row");
    assert_eq!(after(&mut viewer, LogAction::Toggle { row: 1 }).rows, folded.rows);
}

#[test]
fn filters_by_attempt_severity_and_run() {
    let child =
        r#"{"runId":"child","seq":0,"payload":{"type":"RunStarted","runId":"child","timestampMs":5}}"#;
    let lines = [
        line(0, "RunStarted", ""),
        line(1, "NodeStarted", &of_attempt("build", 1)),
        line(2, "NodeFailed", &of_attempt("build", 1)),
        line(3, "NodeRetrying", &of_attempt("build", 2)),
        line(4, "NodeStarted", &of_attempt("build", 2)),
        child.to_owned(),
    ];
    let mut viewer = of_text(&lines.join("\n"));
    viewer.choose(Some(0));
    let all = after(&mut viewer, everything());
    assert_eq!((all.runs, all.events, all.rows[0].run.as_deref()), (2, 5, None));
    let second = after(&mut viewer, LogAction::Query(LogQuery { attempt: Some(2), ..LogQuery::default() }));
    assert_eq!((names(&second), second.query.attempt), (vec!["NodeRetrying", "NodeStarted"], Some(2)));
    let severity = |severity| LogAction::Query(LogQuery { severity: Some(severity), ..LogQuery::default() });
    let failed = after(&mut viewer, severity(EventSeverity::Error));
    assert_eq!(names(&failed), ["NodeFailed"]);
    let problems = after(&mut viewer, severity(EventSeverity::Warning));
    assert_eq!(names(&problems), ["NodeFailed", "NodeRetrying"]);
    let runs = after(&mut viewer, LogAction::Query(LogQuery { all_runs: true, ..LogQuery::default() }));
    let mut of: Vec<_> = runs.rows.iter().filter_map(|row| row.run.as_deref()).collect();
    of.dedup();
    assert_eq!((runs.events, runs.total, of.len()), (6, 6, 2));
    let row = runs.rows.iter().position(|row| row.name == "NodeFailed").unwrap();
    assert_eq!(after(&mut viewer, LogAction::Select { row }).selected_attempt, Some(1));
}

#[test]
fn a_copy_has_the_shown_events_as_they_were_written_without_secrets() {
    let secret = r#","authorization":"Bearer 0123456789abcdef0123","cwd":"/home/ann/work""#;
    let lines = [
        line(0, "RunStarted", secret),
        line(1, "NodeStarted", &of_attempt("build", 1)),
        line(7, "NodeFailed", &(of_attempt("build", 1) + r#","n":1.50"#)),
    ];
    let mut viewer = of_text(&lines.join("\n"));
    let none = viewer.copy_events(EventChoice::Selected, NOW).unwrap();
    assert_eq!((none.lines, &*none.text), (0, ""));
    let all = viewer.copy_events(EventChoice::Shown, NOW).unwrap();
    assert_eq!((all.lines, all.is_cut, all.text.lines().count()), (4, false, 4));
    assert!(!all.text.contains("0123456789") && !all.text.contains("ann"), "{}", all.text);
    assert!(all.redacted >= 2, "{}", all.redacted);
    assert!(
        all.text.contains(r#""n":1.50}"#) && all.text.contains(r#"{"type":"runstate.gap","#),
        "{}",
        all.text
    );
    after(&mut viewer, LogAction::Select { row: 1 });
    let event = viewer.copy_events(EventChoice::Selected, NOW).unwrap();
    assert_eq!((event.lines, event.text.contains("NodeStarted")), (1, true));
    after(&mut viewer, search("nodefailed"));
    let found = viewer.copy_events(EventChoice::Shown, NOW).unwrap();
    assert_eq!((found.lines, found.text.contains("NodeStarted")), (2, false), "gaps are always shown");
}

#[test]
fn a_copied_event_continues_the_events_before_it() {
    let output = |at, node: &str, text: &str| {
        let more = format!(r#",{},"text":"{text}""#, of_attempt(node, 1).trim_start_matches(','));
        line(at, "NodeOutput", &more)
    };
    let lines = [
        line(0, "RunStarted", ""),
        output(1, "a", "Password:"),
        output(2, "b", "compiles"),
        output(3, "a", "hunter2"),
        output(4, "a", "hunter2"),
    ];
    let mut viewer = of_text(&lines.join("\n"));
    let hidden = (1, r#""text":"[redacted]""#);
    let found = |viewer: &mut Viewer, events| {
        let copy = viewer.copy_events(events, NOW).unwrap();
        assert_eq!(copy.redacted, copy.text.matches("[redacted]").count() as u64);
        copy.text
    };
    for (row, is_secret) in [(1, false), (2, false), (3, true), (4, false)] {
        after(&mut viewer, LogAction::Select { row });
        let text = found(&mut viewer, EventChoice::Selected);
        assert_eq!((text.lines().count(), text.contains(hidden.1)), (1, is_secret), "{text}");
    }
    for (word, expected) in [("hunter2", 1), ("compiles", 0), ("nodeoutput", 1), ("", 1)] {
        after(&mut viewer, search(word));
        let text = found(&mut viewer, EventChoice::Shown);
        assert_eq!(text.matches(hidden.1).count(), expected, "{text}");
    }
}

#[test]
fn events_without_a_text_of_their_own_are_copied_with_the_names_of_their_system() {
    let sse = ("a.sse".to_owned(), vector("documents/valid/sse-signals-failed.sse"));
    for files in [written("conductor/runs/validation-fail-fix-loop/writes.ndjson"), vec![sse]] {
        let mut viewer = of_files(&files);
        let log = after(&mut viewer, everything());
        let copy = viewer.copy_events(EventChoice::Shown, NOW).unwrap();
        let values: Vec<serde_json::Value> =
            copy.text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(values.iter().filter(|value| value["type"] != "runstate.gap").count() as u64, log.events);
        after(&mut viewer, LogAction::Last);
        assert_eq!(viewer.copy_events(EventChoice::Selected, NOW).unwrap().lines, 1);
    }
}

#[test]
fn a_search_in_the_events_of_a_node_goes_on_in_those_of_all() {
    let mut viewer = of_files(&written("conductor/runs/validation-fail-fix-loop/writes.ndjson"));
    after(&mut viewer, everything());
    let all = after(&mut viewer, search("STEP_started"));
    assert!(all.matches > 2 && all.rows.iter().all(|row| row.name == "step_started"), "{:?}", names(&all));
    after(&mut viewer, search(""));
    let query = LogQuery { node: Some("validate".into()), ..LogQuery::default() };
    after(&mut viewer, LogAction::Query(query.clone()));
    let query = LogQuery { search: "step_started".into(), ..query };
    let of_node = after(&mut viewer, LogAction::Query(query));
    assert_eq!(of_node.matches, 2);
    assert_eq!(after(&mut viewer, search("step_started")).rows, all.rows);
}
