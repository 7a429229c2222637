//! Documents that are read: every recorded answer of a real Gateway, compared with its own content.

use super::vectors;

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use runstate::error_code::ErrorCode;
use runstate::frame::{DevToolsEvent, DevToolsMessage, Frame};
use runstate::ingest::inspect;
use runstate::run::{DocumentKind, Inspection, RunInspection, Witness, WitnessSource};
use runstate::smithers::wire::read_node_states;
use runstate::time::Millis;
use runstate::tree::Snapshot;
use serde_json::Value;

const NOW: Millis = Millis(1_795_296_600_000.0);

fn captures() -> PathBuf {
    vectors::path("captures")
}

fn files(folder: &Path, out: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() { files(&path, out) } else { out.push(path) }
    }
}

/// Every recorded document: a complete `.json` file, or a line of `derived/*.ndjson`.
fn documents() -> Vec<(String, String)> {
    let mut paths = Vec::new();
    files(&captures(), &mut paths);
    let mut documents = Vec::new();
    for path in paths {
        let name = path.strip_prefix(captures()).unwrap().to_str().unwrap().to_owned();
        let text = fs::read_to_string(&path).unwrap();
        if path.extension().is_some_and(|extension| extension == "json") {
            documents.push((name, text));
        } else if !name.contains("ws-") {
            documents
                .extend(text.lines().enumerate().map(|(at, line)| (format!("{name}:{at}"), line.to_owned())));
        }
    }
    documents
}

/// The payload inside the recorded exchange and the envelope.
fn unwrapped(document: &Value) -> &Value {
    let body = document.pointer("/response/body").unwrap_or(document);
    body.get("payload").or_else(|| body.get("data")).unwrap_or(body)
}

fn same_view(name: &str, run: &RunInspection, said: &Value) {
    match &run.verdict {
        Some(Witness { source: WitnessSource::Server | WitnessSource::Snapshot, view, evidence, .. }) => {
            assert_eq!(&serde_json::to_value(view).unwrap(), said, "{name}");
            assert!(!evidence.inputs.is_empty(), "{name}");
            assert_eq!(evidence.inputs.iter().filter(|input| input.decisive).count().min(1), 1, "{name}");
        }
        None => assert!(said.is_null(), "{name}"),
        Some(_) => panic!("{name}: the server's answer was passed over"),
    }
}

fn check_snapshot(name: &str, found: &Inspection, payload: &Value) {
    let run = found.run.as_ref().unwrap();
    let tree = run.tree.as_ref().unwrap();
    same_view(name, run, &payload["runState"]);
    assert_eq!(run.run_id.as_deref(), payload["runId"].as_str(), "{name}");
    assert_eq!((run.frame_no, run.seq), (payload["frameNo"].as_f64(), payload["seq"].as_f64()), "{name}");
    assert_eq!(run.workflow.as_deref(), payload["root"]["name"].as_str(), "{name}");
    assert_eq!(tree.len(), payload.to_string().matches(r#""children""#).count(), "{name}");
}

fn check_row(name: &str, run: &RunInspection, row: &Value) {
    assert_eq!(run.run_id.as_deref(), row["runId"].as_str(), "{name}");
    assert_eq!(run.workflow.as_deref(), row["workflowName"].as_str(), "{name}");
    for (time, key) in
        [(run.created_at, "createdAtMs"), (run.started_at, "startedAtMs"), (run.finished_at, "finishedAtMs")]
    {
        assert_eq!(time.map(|time| time.0), row[key].as_f64(), "{name} {key}");
    }
    assert_eq!(run.continued, row["status"] == "continued", "{name}");
    assert_eq!(run.error.is_some(), row["status"] == "failed" && !row["errorJson"].is_null(), "{name}");
    let summary: HashMap<String, u64> = run.summary.iter().map(|(word, n)| (word.to_string(), *n)).collect();
    assert_eq!(
        serde_json::to_value(summary).unwrap(),
        row.get("summary").cloned().unwrap_or_else(|| serde_json::json!({})),
        "{name}"
    );
    let keys = row.get("failedChildKeys").cloned().unwrap_or_else(|| serde_json::json!([]));
    assert_eq!(serde_json::json!(run.failed_children), keys, "{name}");
}

#[test]
fn every_recorded_answer_reads_as_what_it_says() {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for (name, text) in documents() {
        let document: Value = serde_json::from_str(&text).unwrap();
        let payload = unwrapped(&document);
        let found = inspect(text.as_bytes(), None, NOW);
        let file = name.rsplit('/').next().unwrap();
        // These are facts about a run without its state.
        if file.starts_with("rpc-listNodeStates") || file == "error-node-output-none.json" {
            let found = found.unwrap();
            assert_eq!(found.kind, DocumentKind::Answers, "{name}");
            assert_eq!(found.run.unwrap().view().unwrap().state.as_str(), "unknown", "{name}");
            continue;
        }
        if ["api-workflows.json", "error-id-number.json", "error-resume-finished.json"].contains(&file) {
            assert_eq!(found.unwrap_err().code, ErrorCode::NotRecognised, "{name}");
            continue;
        }
        let found = found.unwrap_or_else(|error| panic!("{name}: {error}"));
        *counts.entry(kind_word(found.kind)).or_default() += 1;
        assert!(found.problems.is_empty(), "{name}: {:?}", found.problems.texts());
        match found.kind {
            DocumentKind::Snapshot => check_snapshot(&name, &found, payload),
            DocumentKind::Run => {
                let run = found.run.as_ref().unwrap();
                match payload.get("runState") {
                    Some(said) => same_view(&name, run, said),
                    None => assert!(run.verdict.as_ref().unwrap().is_derived(), "{name}"),
                }
                check_row(&name, run, payload);
            }
            DocumentKind::RunList => {
                assert_eq!(found.runs.len(), payload.as_array().unwrap().len(), "{name}");
                for (run, row) in found.runs.iter().zip(payload.as_array().unwrap()) {
                    assert!(run.verdict.as_ref().unwrap().is_derived(), "{name}");
                    check_row(&name, run, row);
                }
            }
            DocumentKind::InspectOutput => {
                check_inspect_output(&name, found.run.as_ref().unwrap(), &document);
            }
            DocumentKind::ErrorResponse => check_refusal(&name, &found, &document),
            DocumentKind::RunState
            | DocumentKind::WhyOutput
            | DocumentKind::StatusOutput
            | DocumentKind::Gateway
            | DocumentKind::Answers
            | DocumentKind::Traffic
            | DocumentKind::Capture
            | DocumentKind::EventLog => panic!("{name}: {:?}", found.kind),
        }
    }
    let count = |word| counts.get(word).copied().unwrap_or_default();
    assert_eq!(
        [
            count("snapshot"),
            count("run"),
            count("run-list"),
            count("inspect-output"),
            count("error-response")
        ],
        [75, 67, 9, 14, 46]
    );
}

/// The word for the kind of a recognised document.
fn kind_word(kind: DocumentKind) -> &'static str {
    runstate::word::Vocabulary::as_str(kind)
}

fn check_inspect_output(name: &str, run: &RunInspection, document: &Value) {
    same_view(name, run, &document["runState"]);
    assert_eq!(run.run_id.as_deref(), document["run"]["id"].as_str(), "{name}");
    assert_eq!(run.workflow.as_deref(), document["run"]["workflow"].as_str(), "{name}");
    let iso = |time: Option<Millis>| time.map(|time| time.to_iso().unwrap());
    // The command prints a dash for a missing time.
    let started = document["run"]["started"].as_str().filter(|text| *text != "—");
    assert_eq!(iso(run.started_at).as_deref(), started, "{name}");
    assert_eq!(iso(run.finished_at).as_deref(), document["run"]["finished"].as_str(), "{name}");
    assert_eq!(run.nodes.len(), document["nodes"].as_array().unwrap().len(), "{name}");
    for (node, said) in run.nodes.iter().zip(document["nodes"].as_array().unwrap()) {
        assert_eq!(Some(node.node_id.as_str()), said["nodeId"].as_str(), "{name}");
        assert_eq!(Some(node.state.as_str()), said["state"].as_str(), "{name}");
    }
    assert_eq!(run.error.is_some(), document["run"].get("error").is_some(), "{name}");
    assert_eq!(run.continued, document["run"]["status"] == "continued", "{name}");
}

fn check_refusal(name: &str, found: &Inspection, document: &Value) {
    let refusal = found.refusal.as_ref().unwrap();
    let body = document.pointer("/response/body").unwrap_or(document);
    let error = body.get("error").unwrap_or(body);
    assert_eq!(Some(refusal.code.as_str()), error["code"].as_str(), "{name}");
    assert_eq!(Some(refusal.message.as_str()), error["message"].as_str(), "{name}");
    if let Some(method) = document.pointer("/request/body/method").and_then(Value::as_str) {
        assert_eq!(refusal.method.as_deref(), Some(method), "{name}");
    }
    assert!(found.run.is_none() && found.runs.is_empty(), "{name}");
}

/// Compares the server's answers with states derived from rows of the same time. They must agree, except for the probe of
/// the owner's process, which a viewer cannot make, and for a sign of life from the future, which a viewer does not accept.
#[test]
fn rows_derive_to_what_the_server_said_of_them() {
    let text = fs::read_to_string(captures().join("derived/runs.get-edited-rows.ndjson")).unwrap();
    let mut compared = 0;
    for line in text.lines() {
        let mut document: Value = serde_json::from_str(line).unwrap();
        let payload = document["payload"].as_object_mut().unwrap();
        let Some(said) = payload.remove("runState") else { continue };
        let now = Millis::parse_iso(said["computedAt"].as_str().unwrap()).unwrap();
        let found = inspect(document.to_string().as_bytes(), None, now).unwrap().run.unwrap();
        let state = found.view().unwrap().state.to_string();
        let probed = said["state"] == "orphaned"
            && document["payload"]["runtimeOwnerId"].as_str().is_some_and(|owner| !owner.is_empty());
        let ahead = ["heartbeatAtMs", "startedAtMs"]
            .iter()
            .any(|sign| document["payload"][sign].as_f64().is_some_and(|at| at > now.0 + 5_000.0));
        let expected = match said["state"].as_str().unwrap() {
            "running" if ahead => "unknown",
            _ if probed => "stale",
            said => said,
        };
        assert_eq!(state, expected, "{line}");
        assert!(found.verdict.as_ref().unwrap().is_derived());
        compared += 1;
    }
    assert!(compared >= 10, "{compared}");
}

#[test]
fn the_server_s_node_states_find_their_nodes() {
    let mut joined = 0;
    for run in fs::read_dir(captures().join("runs")).unwrap() {
        let folder = run.unwrap().path();
        let read = |file: &str| -> Value {
            let text = fs::read_to_string(folder.join(file)).unwrap();
            unwrapped(&serde_json::from_str(&text).unwrap()).clone()
        };
        let mut snapshot = Snapshot::from_json(&read("rpc-getDevToolsSnapshot.json").to_string()).unwrap();
        let rows = read_node_states(&read("rpc-listNodeStates.json").to_string()).unwrap();
        let lost = snapshot.tree.join(&rows);
        // An id beyond 2^53 is changed on its way into the tree; an untaken branch is not in the tree.
        let name = folder.file_name().unwrap().to_str().unwrap();
        let expected = usize::from(["oddids-a", "quick-a"].contains(&name));
        assert_eq!(lost, expected, "{name}");
        joined += rows.len() - lost;
    }
    assert!(joined > 300, "{joined}");
}

/// One complete life on the WebSocket: every frame is read, and the deltas lead from snapshot to snapshot.
#[test]
fn a_recorded_stream_plays_from_its_first_frame_to_its_last() {
    let text = fs::read_to_string(captures().join("runs/timer-a/ws-life.ndjson")).unwrap();
    let (mut snapshot, mut deltas): (Option<Snapshot>, usize) = (None, 0);
    for line in text.lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        if line["dir"] != "in" {
            continue;
        }
        let frame = Frame::parse(&line["data"].to_string()).unwrap();
        let Frame::Event { event, payload, seq, .. } = frame else { continue };
        assert!(seq.is_some_and(|seq| seq >= 1.0));
        if event != "devtools.event" {
            continue;
        }
        let message = DevToolsMessage::parse(&payload).unwrap();
        assert_eq!(message.run_id, "timer-a");
        match (message.event, &mut snapshot) {
            (DevToolsEvent::Snapshot(new), _) => snapshot = Some(*new),
            (DevToolsEvent::Delta(delta), Some(snapshot)) => {
                snapshot.apply(&delta).unwrap();
                deltas += 1;
            }
            (DevToolsEvent::Delta(_), None) => panic!("a delta before any snapshot"),
        }
    }
    assert!(deltas > 3);
    let last = fs::read_to_string(captures().join("runs/timer-a/rpc-getDevToolsSnapshot.json")).unwrap();
    let last = Snapshot::from_json(&unwrapped(&serde_json::from_str(&last).unwrap()).to_string()).unwrap();
    let snapshot = snapshot.unwrap();
    assert_eq!((snapshot.seq, snapshot.tree.len()), (last.seq, last.tree.len()));
}

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
