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
