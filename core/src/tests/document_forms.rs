//! The same content in different forms: envelopes, lists, exchanges, broken snapshots and states of other runs.

use runstate::ingest::inspect;
use runstate::run::DocumentKind;
use runstate::time::Millis;
use serde_json::Value;

const NOW: Millis = Millis(1_795_296_600_000.0);

const VIEW: &str = r#"{"runId":"r","computedAt":"2026-01-01T00:00:00.000Z","state":"running"}"#;
const ROOT: &str = r#"{"id":1,"type":"workflow","name":"w","props":{},"children":[],"depth":0}"#;

#[test]
fn the_same_content_reads_in_every_wrapping() {
    let row = r#"{"runId":"r","workflowName":"w","status":"waiting-timer","heartbeatAtMs":null}"#;
    let snake =
        r#"{"run_id":"r","workflow_name":"w","status":"finished","error_json":null,"created_at_ms":5}"#;
    let snapshot =
        format!(r#"{{"version":1,"runId":"r","frameNo":1,"seq":1,"root":{ROOT},"runState":{VIEW}}}"#);
    let said = format!(r#"{{"runId":"r","status":"running","runState":{VIEW}}}"#);
    let event = format!(
        r#"{{"type":"event","event":"devtools.event","payload":{{"streamId":"s","runId":"r","event":{{"version":1,"kind":"snapshot","snapshot":{snapshot}}}}},"seq":1}}"#
    );
    let bare = format!(r#"{{"version":1,"runId":"r","frameNo":1,"seq":1,"root":{ROOT}}}"#);
    let pretty = serde_json::to_string_pretty(&serde_json::from_str::<Value>(&snapshot).unwrap()).unwrap();
    let cases: Vec<(String, DocumentKind, Option<&str>)> = vec![
        (VIEW.to_owned(), DocumentKind::RunState, Some("running")),
        (format!("\u{feff} \r\n\t{VIEW}\n\n"), DocumentKind::RunState, Some("running")),
        (
            format!(r#"{{"type":"res","id":"1","ok":true,"payload":{said}}}"#),
            DocumentKind::Run,
            Some("running"),
        ),
        (format!(r#"{{"ok":true,"data":{said}}}"#), DocumentKind::Run, Some("running")),
        (row.to_owned(), DocumentKind::Run, Some("waiting-timer")),
        (snake.to_owned(), DocumentKind::Run, Some("succeeded")),
        (r#"{"runId":"r","status":null}"#.to_owned(), DocumentKind::Run, Some("unknown")),
        (r#"{"runId":"r","status":"RUNNING"}"#.to_owned(), DocumentKind::Run, Some("unknown")),
        (snapshot.clone(), DocumentKind::Snapshot, Some("running")),
        (pretty, DocumentKind::Snapshot, Some("running")),
        (event, DocumentKind::Snapshot, Some("running")),
        (bare.clone(), DocumentKind::Snapshot, None),
        (VIEW.replace("running", "hibernating"), DocumentKind::RunState, Some("hibernating")),
    ];
    for (text, kind, state) in cases {
        let found = inspect(text.as_bytes(), None, NOW).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(found.kind, kind, "{text}");
        let run = found.run.unwrap();
        assert_eq!(run.run_id.as_deref(), Some("r"), "{text}");
        assert_eq!(run.view().map(|view| view.state.to_string()).as_deref(), state, "{text}");
    }
    let snake = snake.replace(r#""r""#, r#""r2""#);
    let list =
        inspect(format!("[{row},{snake},{{\"runId\":7,\"status\":\"x\"}}]").as_bytes(), None, NOW).unwrap();
    assert_eq!((list.kind, list.runs.len(), list.problems.texts().len()), (DocumentKind::RunList, 2, 1));
    assert!(list.problems.texts()[0].starts_with("Line 1, column "), "{:?}", list.problems.texts());
    let empty = br#"{"request":{"body":{"method":"listRuns"}},"response":{"body":{"type":"res","ok":true,"payload":[]}}}"#;
    assert!(inspect(empty, None, NOW).unwrap().runs.is_empty());
    for refusal in [
        r#"{"ok":false,"error":{"code":"C","message":"m"}}"#,
        r#"{"error":{"code":"C","message":"m"}}"#,
        r#"{"code":"C","message":"m"}"#,
        r#"{"type":"res","id":"1","ok":false,"error":{"version":"v1","code":"C","message":"m","extra":1}}"#,
    ] {
        let found = inspect(refusal.as_bytes(), None, NOW).unwrap().refusal.unwrap();
        assert_eq!((found.code.as_str(), found.message.as_str()), ("C", "m"), "{refusal}");
    }
}

#[test]
fn the_evidence_names_its_source() {
    let source = |text: &str, name| {
        let run = inspect(text.as_bytes(), name, NOW).unwrap().run.unwrap();
        run.evidence().unwrap().read_from.clone()
    };
    assert_eq!(source(VIEW, None), "run state");
    assert_eq!(source(VIEW, Some("run.json")), "run state in run.json");
    let asked = format!(
        r#"{{"request":{{"method":"POST","path":"/rpc","body":{{"method":"runs.get"}}}},"response":{{"body":{VIEW}}}}}"#
    );
    assert_eq!(source(&asked, Some("run.json")), "runs.get");
}

#[test]
fn halves_of_surrogate_pairs_do_not_stop_a_snapshot() {
    let root = ROOT.replace(
        r#""children":[]"#,
        r#""children":[],"task":{"nodeId":"a\ud83d","label":"\ude80","prompt":"x\ud83d"}"#,
    );
    let text = format!(r#"{{"version":1,"runId":"r","frameNo":1,"seq":1,"root":{root}}}"#);
    let run = inspect(text.as_bytes(), None, NOW).unwrap().run.unwrap();
    let tree = run.tree.unwrap();
    assert_eq!(tree.node(tree.root()).node_id(), Some("a\u{fffd}"));
}

#[test]
fn the_state_of_another_run_is_left_out_and_named() {
    let state = |id: &str| {
        format!(r#"{{"runId":"{id}","computedAt":"2023-11-14T22:13:20.000Z","state":"succeeded"}}"#)
    };
    let root = r#"{"id":1,"type":"workflow","name":"w","props":{},"children":[],"depth":0}"#;
    let row = |id: &str| format!(r#"{{"runId":"r","status":"paused","runState":{}}}"#, state(id));
    let documents = |id: &str| {
        [
            (row(id), Some("paused")),
            (format!(r#"{{"type":"res","id":"1","ok":true,"payload":{}}}"#, row(id)), Some("paused")),
            (format!("[{}]", row(id)), Some("paused")),
            (
                format!(
                    r#"{{"version":1,"runId":"r","frameNo":1,"seq":1,"root":{root},"runState":{}}}"#,
                    state(id)
                ),
                None,
            ),
            (
                format!(r#"{{"run":{{"id":"r","status":"paused"}},"runState":{},"steps":[]}}"#, state(id)),
                None,
            ),
        ]
    };
    for (document, without) in documents("another") {
        let found = inspect(document.as_bytes(), None, NOW).unwrap();
        let run = found.run.as_ref().or(found.runs.first()).unwrap();
        assert_eq!(run.run_id.as_deref(), Some("r"), "{document}");
        assert_eq!(run.view().map(|view| view.state.as_str()), without, "{document}");
        let problems = found.problems.texts();
        let [problem] = &problems[..] else { panic!("{document}: {:?}", found.problems.texts()) };
        let column = document.find(r#"{"runId":"another""#).unwrap() + 1;
        let place = format!("Line 1, column {column}: ");
        assert_eq!(
            problem,
            &format!(r#"{place}This is the state of the run "another", not of "r". Omitted."#)
        );
    }
    for (document, _) in documents("r") {
        let found = inspect(document.as_bytes(), None, NOW).unwrap();
        let run = found.run.as_ref().or(found.runs.first()).unwrap();
        assert_eq!(run.view().map(|view| view.state.as_str()), Some("succeeded"), "{document}");
        assert!(found.problems.is_empty(), "{document}: {:?}", found.problems.texts());
    }
}

#[test]
fn a_broken_snapshot_has_no_state_of_another_run() {
    let broken = |id: &str| {
        format!(
            r#"{{"version":1,"runId":"r","frameNo":1,"seq":1,"root":7,
                "runState":{{"runId":"{id}","computedAt":"2023-11-14T22:13:20.000Z","state":"succeeded"}}}}"#
        )
    };
    assert!(inspect(broken("another").as_bytes(), None, NOW).is_err());
    let run = inspect(broken("r").as_bytes(), None, NOW).unwrap().run.unwrap();
    assert_eq!(run.view().map(|view| view.state.as_str()), Some("succeeded"));
}
