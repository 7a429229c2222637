//! The detail of nodes in captured runs of both systems that have nodes.

mod approvals;
mod calls;
mod events;
mod lionagi;
mod live;
mod logs;
mod odd;
mod steps;

use std::fs;
use std::path::Path;

use super::*;
use crate::file::File;
use crate::header::FieldValue;
use crate::ingest::open;
use crate::summary::AnswerPill;
use crate::tree::NodeId;
use crate::viewer::{
    DocumentSource, NodeKey, PaneAction, TreeAction, TreeWindow, Update, ViewCommand, Viewer,
};

const NOW: Millis = Millis(1_795_700_000_000.0);

/// A viewer of these files below `tests/vectors`.
fn viewer(names: &[&str]) -> Viewer {
    let read = |name: &&str| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/vectors").join(name);
        fs::read(&path).unwrap_or_else(|error| panic!("{name}: {error}"))
    };
    let texts: Vec<Vec<u8>> = names.iter().map(read).collect();
    let files: Vec<File<'_>> = texts.iter().map(|bytes| File { name: None, bytes }).collect();
    Viewer::new(DocumentSource::new(open(&files, NOW).unwrap(), "files"))
}

fn smithers(run: &str, names: &[&str]) -> Viewer {
    let names: Vec<String> =
        names.iter().map(|name| format!("smithers/captures/runs/{run}/rpc-{name}.json")).collect();
    viewer(&names.iter().map(String::as_str).collect::<Vec<_>>())
}

fn opened(texts: &[&str]) -> Viewer {
    let files: Vec<File<'_>> = texts.iter().map(|text| File { name: None, bytes: text.as_bytes() }).collect();
    Viewer::new(DocumentSource::new(open(&files, NOW).unwrap(), "files"))
}

fn select(viewer: &mut Viewer, node_id: &str, iteration: u32) -> NodeWindow {
    let key = NodeKey { node_id: node_id.to_owned(), iteration };
    viewer.handle(ViewCommand::Select(Some(key)), NOW);
    shown(&viewer.updates(NOW)).expect("a detail")
}

fn shown(updates: &[Update]) -> Option<NodeWindow> {
    updates.iter().find_map(|update| match update {
        Update::Node(window) => window.as_deref().cloned(),
        _ => None,
    })
}

fn tree(updates: &[Update]) -> Option<TreeWindow> {
    updates.iter().find_map(|update| match update {
        Update::Tree(window) => window.as_deref().cloned(),
        _ => None,
    })
}

fn state(window: &NodeWindow) -> Option<&str> {
    window.state.as_ref().and_then(AnswerPill::value)
}

/// The text of a field.
fn field<'a>(window: &'a NodeWindow, name: &str) -> Option<&'a str> {
    window.fields.iter().find(|field| field.field == name).map(|field| match &field.value {
        FieldValue::Id(text)
        | FieldValue::Text(text)
        | FieldValue::Code(text)
        | FieldValue::Time { text, .. } => text.as_str(),
    })
}

#[test]
fn every_row_of_the_captured_trees_has_a_detail_with_its_state() {
    let mut seen = 0;
    for run in
        fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/vectors/smithers/captures/runs")).unwrap()
    {
        let run = run.unwrap().file_name().into_string().unwrap();
        let mut viewer = smithers(&run, &["runs.get", "getDevToolsSnapshot", "listNodeStates"]);
        let all = TreeAction::Show { first: 0, count: 400 };
        viewer.handle(ViewCommand::Act(PaneAction::Tree(all)), NOW);
        let mut before = None;
        for row in tree(&viewer.updates(NOW)).unwrap().rows {
            viewer.handle(ViewCommand::Act(PaneAction::Tree(TreeAction::Select { id: row.id })), NOW);
            // Nodes without an id may be alike.
            let window = shown(&viewer.updates(NOW)).or(before).unwrap();
            before = Some(window.clone());
            assert_eq!((&window.title, state(&window)), (&row.title, row.state.as_deref()), "{run}");
            assert_eq!(window.kind, row.kind, "{run} {}", row.title);
            let took = field(&window, "duration").unwrap_or_default();
            assert_eq!(took, row.duration, "{run} {}", row.title);
            assert!(!window.is_gone, "{run} {}", row.title);
            assert_eq!(window.path.len().min(4), (row.depth as usize).min(4), "{run} {}", row.title);
            seen += 1;
        }
    }
    assert!(seen > 100, "{seen}");
}

#[test]
fn a_node_that_waits_for_a_decision_has_the_question() {
    let names = ["runs.get-waiting", "getDevToolsSnapshot-waiting", "listNodeStates-waiting"];
    let window = select(&mut smithers("approval-a", &names), "ship-gate", 0);
    assert_eq!(state(&window), Some("waiting-approval"));
    assert!(field(&window, "requestedAt").is_some(), "{window:?}");
    assert_eq!(
        (window.request, &*window.missing),
        (None, &["The question: not in this document. Open the output of smithers events RUN_ID --json with it.".to_owned()][..])
    );

    let read = |name: &str| crate::tests::vectors::text(&format!("captures/runs/approval-a/rpc-{name}.json"));
    let mut texts: Vec<String> = names.iter().map(|name| read(name)).collect();
    let run_id =
        crate::tests::vectors::payload("captures/runs/approval-a/rpc-runs.get-waiting.json").unwrap();
    texts.push(format!(
        r#"{{"type":"res","id":"1","ok":true,"payload":[{{"runId":{},"nodeId":"ship-gate","iteration":0,
            "requestTitle":"Ship release 1.2.3?","requestSummary":"12 files changed; tests green.","requestedAtMs":1795622668452}}]}}"#,
        run_id["runId"]
    ));
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let window = select(&mut opened(&texts), "ship-gate", 0);
    let request = window.request.unwrap();
    assert_eq!(request.title, "Ship release 1.2.3?");
    assert_eq!(request.summary.as_deref(), Some("12 files changed; tests green."));
    assert_eq!(window.missing, [""; 0]);
}

#[test]
fn a_failed_node_has_its_error_and_its_attempts() {
    let names = ["runs.get", "getDevToolsSnapshot", "listNodeStates"];
    let mut viewer = smithers("fail-a", &names);
    let failed = crate::tests::vectors::payload("captures/runs/fail-a/rpc-listNodeStates.json").unwrap();
    let failed = failed.as_array().unwrap().iter().find(|row| row["state"] == "failed").unwrap();
    let window = select(&mut viewer, failed["nodeId"].as_str().unwrap(), 0);
    assert_eq!(state(&window), Some("failed"));
    let error = window.error.as_deref().unwrap_or_default();
    assert!(!error.is_empty() && !error.starts_with("Task failed"), "{error:?}");
    assert!(field(&window, "startedAt").is_some() && field(&window, "finishedAt").is_some());
    // Without the run's row, the error is not known.
    let window = select(&mut smithers("fail-a", &names[1..]), failed["nodeId"].as_str().unwrap(), 0);
    assert_eq!(
        (window.error, &*window.missing),
        (
            None,
            &["The error: not in this document. Open the output of smithers events RUN_ID --json with it."
                .to_owned()][..]
        )
    );
}

#[test]
fn the_next_attempt_has_its_time_or_says_why_not() {
    let attempts = |viewer: &mut Viewer, node_id: &str| {
        viewer.handle(ViewCommand::Act(PaneAction::Node(NodeAction::Tab(NodeTab::Attempts))), NOW);
        select(viewer, node_id, 0).body
    };
    let names = ["runs.get-in-backoff", "getDevToolsSnapshot-in-backoff", "listNodeStates-in-backoff"];
    let body = attempts(&mut smithers("backoff-a", &names), "slow-retry");
    let unknown = "Start of the next attempt: not in this document. The retry policy of the task in the workflow says how long it waits.";
    assert_eq!((&*body.missing[1], body.next_attempt), (unknown, None), "{:?}", body.missing);
    let ended = ["runs.get", "getDevToolsSnapshot", "listNodeStates"];
    let body = attempts(&mut smithers("fail-a", &ended), "deploy");
    assert!(body.missing.iter().all(|sentence| !sentence.contains("next attempt")), "{:?}", body.missing);

    let run = |attempt: u32| {
        format!(
            r#"{{"version":1,"runId":"r","frameNo":7,"seq":7,"runState":{{"runId":"r","computedAt":"2023-11-14T22:13:20.000Z","state":"running"}},
            "root":{{"id":1,"type":"workflow","name":"w","props":{{}},"children":[{{"id":2,"type":"task","name":"task",
            "props":{{"id":"build","retryPolicy":{{"backoff":"exponential","initialDelayMs":500}}}},
            "task":{{"nodeId":"build","state":"failed","iteration":0,"attempt":{attempt},"maxAttempts":3}},"children":[]}}]}}}}"#
        )
    };
    let rows = r#"{"type":"res","id":"1","ok":true,"payload":[{"nodeId":"build","iteration":0,"state":"failed","lastAttempt":2,
        "startedAtMs":1700000000000,"finishedAtMs":1700000031000}]}"#;
    let body = attempts(&mut opened(&[&run(2), rows]), "build");
    let Some(FieldValue::Time { iso, .. }) = body.next_attempt else { panic!("{body:?}") };
    assert_eq!(iso.as_deref(), Some("2023-11-14T22:13:52.000Z"));
    let body =
        attempts(&mut opened(&[&run(3), &rows.replace("\"lastAttempt\":2", "\"lastAttempt\":3")]), "build");
    assert_eq!(body.next_attempt, None, "it was the last one");
}

/// A run whose `build` failed `before` times, was retried by hand, and has failed `since` times since; at most two attempts
/// follow each other.
fn retried(state: &str, before: u32, since: u32) -> Viewer {
    let last = before + since;
    let run = format!(
        r#"{{"version":1,"runId":"r","frameNo":7,"seq":7,"runState":{{"runId":"r","computedAt":"2023-11-14T22:13:20.000Z","state":"{state}"}},
        "root":{{"id":1,"type":"workflow","name":"w","props":{{}},"children":[{{"id":2,"type":"task","name":"task","props":{{"id":"build"}},
        "task":{{"nodeId":"build","state":"failed","iteration":0,"attempt":{last},"maxAttempts":2}},"children":[]}}]}}}}"#
    );
    let rows: Vec<String> = (1..=last)
        .map(|number| {
            let state = if number > before { "failed" } else { "cancelled" };
            format!(
                r#"{{"nodeId":"build","iteration":0,"attempt":{number},"state":"{state}","startedAtMs":1700000000000,
                "finishedAtMs":1700000001000,"errorJson":"{{\"message\":\"boom\"}}","metaJson":"{{\"retries\":1}}"}}"#
            )
        })
        .collect();
    opened(&[&run, &format!(r#"{{"type":"res","id":"1","ok":true,"payload":[{}]}}"#, rows.join(","))])
}

#[test]
fn a_limit_that_is_exceeded_is_not_shown_and_all_failures_count() {
    let shown = |viewer: &mut Viewer| {
        let window = select(viewer, "build", 0);
        ["attempt", "failedAttempts"].map(|name| field(&window, name).map(str::to_owned))
    };
    let some = |attempt: &str, failed: &str| [Some(attempt.to_owned()), Some(failed.to_owned())];
    assert_eq!(shown(&mut retried("failed", 2, 2)), some("4", "4"));
    assert_eq!(shown(&mut retried("running", 2, 1)), some("3", "3"));
    assert_eq!(shown(&mut retried("running", 0, 2)), some("2 of 2", "2"));
    assert_eq!(shown(&mut retried("running", 1, 1)), some("2 of 2", "2"));
}

#[test]
fn the_next_attempt_after_a_retry_by_hand_is_waited_for() {
    let waits = |before, since| {
        let mut viewer = retried("running", before, since);
        viewer.handle(ViewCommand::Act(PaneAction::Node(NodeAction::Tab(NodeTab::Attempts))), NOW);
        let missing = select(&mut viewer, "build", 0).body.missing;
        missing.iter().any(|sentence| sentence.starts_with("Start of the next attempt"))
    };
    assert!(waits(2, 1) && waits(1, 1) && waits(0, 1));
    assert!(!waits(2, 2) && !waits(0, 2));
}

const SNAPSHOT: &str = r#"{"version":1,"runId":"r","frameNo":7,"seq":7,"runState":{"runId":"r","computedAt":"2023-11-14T22:13:20.000Z","state":"running"},
    "root":{"id":1,"type":"workflow","name":"w","props":{},"children":[
        {"id":2,"type":"task","name":"task","props":{"id":"build","dependsOn":"prepare","prompt":"x","n":{"a":[1]}},
         "task":{"nodeId":"build","kind":"agent","agent":"tester","label":"Build it","state":"in-progress","iteration":3,"attempt":2,"maxAttempts":3},"children":[]},
        {"id":3,"type":"task","name":"task","props":{"id":"prepare"},"task":{"nodeId":"prepare","state":"finished"},"children":[]}]}}"#;

const STATES: &str = r#"{"type":"res","id":"1","ok":true,"payload":[{"nodeId":"build","iteration":2,"state":"failed","lastAttempt":3,"startedAtMs":1700000000000,"finishedAtMs":1700000031000},
    {"nodeId":"build","iteration":3,"state":"in-progress","lastAttempt":2,"startedAtMs":1700000040000}]}"#;

#[test]
fn a_detail_has_what_the_tree_and_the_rows_say() {
    let window = select(&mut opened(&[SNAPSHOT, STATES]), "build", 3);
    assert_eq!(
        (&*window.title, window.kind.as_deref(), state(&window)),
        ("build", Some("Agent"), Some("in-progress"))
    );
    for (name, text) in [
        ("label", "Build it"),
        ("iteration", "3"),
        ("attempt", "2 of 3"),
        ("agent", "tester"),
        ("dependsOn", "prepare (finished)"),
    ] {
        assert_eq!(field(&window, name), Some(text));
    }
    assert_eq!(window.path, ["w"]);
    let iterations = window.iterations.unwrap();
    assert_eq!((iterations.previous, iterations.next, iterations.last), (Some(2), None, 3));
    let props: Vec<(&str, &str)> =
        window.props.iter().map(|prop| (prop.name.as_str(), prop.value.as_str())).collect();
    assert_eq!(props, [("id", "build"), ("dependsOn", "prepare"), ("prompt", "x"), ("n", r#"{"a":[1]}"#)]);
    assert_eq!(window.missing, [""; 0]);
}

#[test]
fn what_a_document_does_not_have_is_said() {
    let window = select(&mut opened(&[SNAPSHOT]), "build", 3);
    assert_eq!(
        (state(&window), &*window.missing),
        (
            Some("in-progress"),
            &["Start: not in this document. Open the output of smithers events RUN_ID --json with it."
                .to_owned()][..]
        )
    );
    let window = select(&mut opened(&[SNAPSHOT]), "prepare", 0);
    assert_eq!(
        window.missing,
        [
            "Start: not in this document. Open the output of smithers events RUN_ID --json with it.",
            "End: not in this document. Open the output of smithers events RUN_ID --json with it."
        ]
    );
    let unknown = SNAPSHOT.replace(r#""state":"finished""#, r#""label":"Prepare""#);
    let window = select(&mut opened(&[&unknown]), "prepare", 0);
    assert_eq!(
        (window.state, &*window.missing),
        (
            None,
            &["State: not in this document. Open the output of smithers inspect RUN_ID --json with it."
                .to_owned()][..]
        )
    );
    let mut viewer = opened(&[SNAPSHOT]);
    viewer.handle(ViewCommand::Act(PaneAction::Tree(TreeAction::First)), NOW);
    let window = shown(&viewer.updates(NOW)).unwrap();
    assert_eq!((window.state.as_ref(), window.missing.len()), (None, 0), "a group has no state of its own");
    assert_eq!(field(&window, "tasks"), Some("1 of 2 done"));
}

#[test]
fn another_iteration_than_that_of_the_tree_has_its_own_state() {
    let mut viewer = opened(&[SNAPSHOT, STATES]);
    let window = select(&mut viewer, "build", 2);
    assert_eq!((state(&window), field(&window, "attempt")), (Some("failed"), Some("3")));
    assert_eq!(field(&window, "iteration"), Some("2; the tree shows 3"));
    assert_eq!(field(&window, "duration"), Some("31 s"));
    let window = select(&mut viewer, "build", 9);
    assert_eq!((window.state.as_ref(), window.is_gone), (None, false));
    assert_eq!(window.missing, ["This iteration: not in this document. Choose another iteration."]);
    assert_eq!(window.iterations.unwrap().previous, Some(3));
}

#[test]
fn a_node_that_never_was_there_is_a_sentence() {
    let window = select(&mut opened(&[SNAPSHOT]), "nobody", 0);
    assert_eq!((&*window.title, window.is_gone), ("nobody", true));
    assert_eq!(window.missing, ["A node with this id: not in this document. Select another node."]);
    let mut viewer = opened(&[SNAPSHOT]);
    let gone = TreeAction::Select { id: NodeId(99) };
    viewer.handle(ViewCommand::Act(PaneAction::Tree(gone)), NOW);
    let window = shown(&viewer.updates(NOW)).unwrap();
    assert_eq!(window.missing, ["No longer in the tree. This is what was last known."]);
}

/// The page reads the tree twice; the second one lacks the node.
#[test]
fn a_node_that_leaves_the_tree_keeps_its_last_detail() {
    use crate::ingest::traffic::Entry;
    use crate::viewer::TrafficSource;
    let answer = |seconds: f64, snapshot: &str| {
        let at = Millis(NOW.0 + seconds * 1000.0);
        let body = format!(r#"{{"type":"res","id":"1","ok":true,"apiVersion":"v1","payload":{snapshot}}}"#);
        let request = Some(r#"{"method":"getDevToolsSnapshot","params":{"runId":"r"}}"#.to_owned());
        let (url, method) = ("http://127.0.0.1:7331/rpc".to_owned(), "POST".to_owned());
        Entry::Answer {
            at,
            started: at,
            url,
            method,
            request,
            status: Some(200),
            service_worker: false,
            body,
        }
    };
    let mut viewer = Viewer::new(TrafficSource::default());
    viewer.traffic().unwrap().take(&[answer(0.0, SNAPSHOT)]);
    viewer.traffic().unwrap().choose(0, "r");
    let before = select(&mut viewer, "build", 3);
    assert_eq!(
        before.missing,
        ["Start: not seen in this page’s traffic. It appears when the page requests listNodeStates."]
    );
    let later = SNAPSHOT
        .replace(r#""frameNo":7,"seq":7"#, r#""frameNo":41,"seq":41"#)
        .replace(r#""id":2,"#, r#""id":4,"#)
        .replace("build", "compile");
    viewer.traffic().unwrap().take(&[answer(1.0, &later)]);
    let after = shown(&viewer.updates(NOW)).unwrap();
    let missing = vec!["No longer in the tree since frame 41. This is what was last known.".to_owned()];
    assert_eq!(after, NodeWindow { missing, is_gone: true, ..before.clone() });
    let next = later.replace(r#""frameNo":41,"seq":41"#, r#""frameNo":42,"seq":42"#);
    viewer.traffic().unwrap().take(&[answer(2.0, &next)]);
    assert_eq!(shown(&viewer.updates(NOW)), None, "still the first frame without it");
    let back = SNAPSHOT.replace(r#""frameNo":7,"seq":7"#, r#""frameNo":43,"seq":43"#);
    viewer.traffic().unwrap().take(&[answer(3.0, &back)]);
    assert_eq!(shown(&viewer.updates(NOW)), Some(before), "it is back");
}

#[test]
fn a_detail_stays_small_whatever_the_node_is() {
    let long = "x".repeat(100_000);
    let props: Vec<String> = (0..100).map(|number| format!(r#""p{number}":"{long}""#)).collect();
    let snapshot = SNAPSHOT.replace(r#""prompt":"x""#, &props.join(","));
    let window = select(&mut opened(&[&snapshot]), "build", 3);
    assert_eq!(window.props.len(), 40);
    assert!(
        window.missing.contains(&"63 more properties are not listed. Raw JSON has them.".to_owned()),
        "{:?}",
        window.missing
    );
    let size = serde_json::to_string(&window).unwrap().len();
    assert!(size < 40_000, "{size}");
}
