//! Cases of `tests/vectors/smithers/witness`: facts that a state hides are reported.

use super::vectors;

use std::path::Path;

use runstate::evidence::Evidence;
use runstate::freshness::Freshness;
use runstate::header::smithers_header;
use runstate::ingest::inspect;
use runstate::log::EventLog;
use runstate::pill::Tone;
use runstate::run::{RunInspection, Witness, WitnessSource, compare_witnesses, hidden};
use runstate::smithers::wire::{RunStateView, read_node_states};
use runstate::summary::tense::Tense;
use runstate::summary::{AnswerPill, agreement, answer, disagreement, hidden_note, text};
use runstate::time::Millis;
use runstate::word::{Vocabulary, Word};
use serde_json::{Value, json};
use vectors::cases;

const NOW: Millis = Millis(1_795_269_970_000.0);

fn tone(tone: Tone) -> &'static str {
    match tone {
        Tone::Success => "success",
        Tone::Running => "running",
        Tone::Neutral => "neutral",
        Tone::Error => "error",
        Tone::Warning => "warning",
        Tone::Stale => "stale",
        Tone::Review => "review",
    }
}

#[test]
fn tolerated_failures_are_counted_and_never_plain_green() {
    let (mut told, mut refused) = (0, 0);
    for case in cases("witness/tolerated.ndjson") {
        let name = &case["name"];
        let read = inspect(case["document"].to_string().as_bytes(), None, NOW);
        if case["refused"].is_string() {
            refused += 1;
            assert_eq!(case["refused"], read.unwrap_err().message, "{name}");
            continue;
        }
        told += 1;
        let run = read.unwrap().run.unwrap();
        let shown = answer(&run, &Freshness::Live { read_at: NOW }, NOW);
        let AnswerPill::Pill { pill, .. } = &shown.pill else { panic!("{name}") };
        assert_eq!(case["expect"]["pill"], *pill.label, "{name}");
        assert_eq!((tone(pill.tone), tone(shown.tone)), (tone(shown.tone), tone(pill.tone)), "{name}");
        assert_eq!(case["expect"]["tone"], tone(shown.tone), "{name}");
        assert_eq!(case["expect"]["sentence"], text(&shown.sentence), "{name}");
    }
    assert_eq!((told, refused), (13, 4));
}

fn witness(case: &Value) -> Witness {
    let source = WitnessSource::from_word(case["source"].as_str().unwrap()).unwrap();
    let view = RunStateView::from_state(Word::new(case["state"].as_str().unwrap()));
    let mut witness = Witness::new(source, view, Evidence::default());
    witness.at = case["at"].as_f64().map(Millis);
    witness
}

#[test]
fn the_most_trusted_is_shown_and_contradictions_are_told() {
    let cases = cases("witness/comparison.ndjson");
    for case in &cases {
        let (name, expect) = (&case["name"], &case["expect"]);
        let witnesses: Vec<Witness> = case["witnesses"].as_array().unwrap().iter().map(witness).collect();
        let comparison = compare_witnesses(&witnesses);
        let source = |witness: &Witness| witness.source.as_str();
        assert_eq!(expect["shown"], json!(comparison.shown.map(source)), "{name}");
        let contradicting: Vec<&str> = comparison.contradicting().into_iter().map(source).collect();
        assert_eq!(expect["contradicting"], json!(contradicting), "{name}");
        assert_eq!(expect["note"], json!(disagreement(&comparison).map(|note| text(&note))), "{name}");
        assert_eq!(expect["agreement"], json!(agreement(&comparison)), "{name}");
    }
    let contradictions = cases.iter().filter(|case| !case["expect"]["note"].is_null()).count();
    assert_eq!((cases.len(), contradictions), (33, 13));
}

/// A payload: that of a case, or that in a captured exchange.
fn payload(part: &Value) -> Option<Value> {
    let Some(file) = part.as_str() else { return (!part.is_null()).then(|| part.clone()) };
    Some(vectors::payload(file).unwrap())
}

fn read_run(document: &Value) -> RunInspection {
    inspect(document.to_string().as_bytes(), None, NOW).unwrap().run.unwrap()
}

#[test]
fn what_a_state_hides_is_told() {
    let cases = cases("witness/hidden.ndjson");
    let (live, recorded) = (Freshness::Live { read_at: NOW }, Freshness::Recorded { at: Some(NOW) });
    let tense = |freshness| Tense::new(freshness, false, None, NOW);
    let (current, past) = (tense(&live), tense(&recorded));
    for case in &cases {
        let mut run = read_run(&payload(&case["run"]).unwrap());
        if let Some(nodes) = payload(&case["nodes"]) {
            run.nodes = read_node_states(&nodes.to_string()).unwrap().into();
        }
        run.tree = payload(&case["snapshot"]).and_then(|snapshot| read_run(&snapshot).tree);
        let told: Vec<String> = hidden(&run).iter().map(|fact| text(&hidden_note(fact, &current))).collect();
        assert_eq!(case["expect"], json!(told), "{}", case["name"]);
        for fact in hidden(&run) {
            let past = text(&hidden_note(&fact, &past));
            assert!(past.ends_with('.') && !past.contains(" waits ") && !past.contains("Also"), "{past}");
        }
    }
    let nothing = cases.iter().filter(|case| case["expect"] == json!([])).count();
    assert_eq!((cases.len(), nothing), (25, 11));
}

fn captured_runs() -> Vec<(String, RunInspection)> {
    let mut found = Vec::new();
    for folder in ["captures/runs", "captures/crash", "captures/rewind"] {
        for entry in walk(&vectors::path(folder)) {
            if entry.contains("runs.get") || entry.contains("rpc-getRun") {
                let document = std::fs::read(&entry).unwrap();
                found.push((entry, inspect(&document, None, NOW).unwrap().run.unwrap()));
            }
        }
    }
    let edited = vectors::text("captures/derived/runs.get-edited-rows.ndjson");
    for line in edited.lines() {
        if let Some(run) = inspect(line.as_bytes(), None, NOW).unwrap().run {
            found.push((line.chars().take(80).collect(), run));
        }
    }
    found
}

fn walk(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let (folders, files): (Vec<_>, Vec<_>) = entries.partition(|path| path.is_dir());
    let below = folders.iter().flat_map(|folder| walk(folder));
    files.iter().map(|file| file.to_str().unwrap().to_owned()).chain(below).collect()
}

#[test]
fn the_rows_agree_with_every_captured_answer() {
    let runs = captured_runs();
    let mut both = 0;
    for (name, run) in runs {
        let comparison = compare_witnesses(run.all_witnesses());
        assert_eq!(disagreement(&comparison), None, "{name}");
        both += usize::from(comparison.witnesses.len() == 2);
        assert_eq!(comparison.shown, run.verdict.as_ref(), "{name}: the selected witness is shown");
        let answered = comparison.witnesses.iter().any(|witness| !witness.is_derived());
        assert_eq!(run.verdict.unwrap().is_derived(), !answered, "{name}: the server's answer stays");
    }
    assert!(both > 50, "{both} answers have a row");
}

fn answered(server: &str, heartbeat_before_ms: i64) -> RunInspection {
    let computed: f64 = 1_795_269_968_000.0;
    read_run(&json!({
        "runId": "r1", "status": "running", "heartbeatAtMs": computed - heartbeat_before_ms as f64,
        "runtimeOwnerId": "pid:41",
        "runState": { "runId": "r1", "computedAt": "2026-11-21T14:06:08.000Z", "state": server },
    }))
}

#[test]
fn an_expired_heartbeat_takes_the_place_of_running() {
    let run = answered("running", 41_000);
    let sources: Vec<_> =
        run.all_witnesses().map(|witness| (witness.source, witness.view.state.as_str())).collect();
    assert_eq!(sources, [(WitnessSource::Rows, "stale"), (WitnessSource::Server, "running")]);
    let shown = answer(&run, &Freshness::Live { read_at: NOW }, NOW);
    assert_eq!(text(&shown.sentence), "The engine has not reported for 43 s. It may still be working.");
    let note = disagreement(&compare_witnesses(run.all_witnesses())).unwrap();
    let expected = "Sources disagree. The rows say stale, the server says running. \
                    Shown: the rows, the only one with an age.";
    assert_eq!(text(&note), expected);
}

#[test]
fn nothing_else_takes_the_servers_place() {
    for (server, heartbeat) in
        [("running", 30_000), ("stale", 0), ("succeeded", 41_000), ("hibernating", 41_000), ("unknown", 0)]
    {
        let run = answered(server, heartbeat);
        let sources: Vec<_> = run.all_witnesses().map(|witness| witness.source).collect();
        assert_eq!(sources, [WitnessSource::Server, WitnessSource::Rows], "{server}");
        assert_eq!(run.view().unwrap().state.as_str(), server);
    }
    let empty = RunInspection::default();
    assert!(empty.compare_witnesses().shown.is_none() && empty.all_witnesses().count() == 0);
}

/// The log of every captured run compared with the Gateway's answer about it. Logs are incomplete (protocol section 5,
/// quirk 13), so some lack most ends; none contradicts.
#[test]
fn no_captured_log_contradicts_the_servers_answer() {
    let mut told = Vec::new();
    for entry in walk(&vectors::path("logs/stream")) {
        let name = entry.rsplit('/').next().unwrap().trim_end_matches(".ndjson");
        let answer = vectors::path(format!("captures/runs/{name}/rpc-runs.get.json"));
        let Ok(document) = std::fs::read(answer) else { continue };
        let mut run = inspect(&document, None, NOW).unwrap().run.unwrap();
        let mut log = EventLog::new();
        log.push(&std::fs::read(&entry).unwrap());
        log.finish();
        run.witnesses.extend(Witness::from_log(&log.view(NOW)));
        let comparison = compare_witnesses(run.all_witnesses());
        assert_eq!(comparison.witnesses.len(), 3, "{name}");
        assert_eq!(comparison.shown.unwrap().source, WitnessSource::Server, "{name}");
        assert_eq!(disagreement(&comparison), None, "{name}");
        let first = &comparison.witnesses[0].view.state;
        let same = comparison.witnesses.iter().all(|witness| witness.view.state == *first);
        let words = if same { "3 sources agree" } else { "3 sources, no contradiction" };
        assert_eq!(agreement(&comparison).as_deref(), Some(words), "{name}");
        told.push((name.to_owned(), comparison.witnesses[2].view.state.to_string()));
    }
    let states = |state: &str| told.iter().filter(|(_, said)| said == state).count();
    assert!(told.len() >= 15 && states("succeeded") >= 8 && states("failed") >= 1, "{told:?}");
    let cancelled = told.iter().find(|(name, _)| name == "cancel-a").map(|(_, said)| said.as_str());
    assert_eq!(cancelled, Some("running"), "its log ends with a start");
}

#[test]
fn a_log_that_goes_on_after_the_answer_is_told() {
    let mut run = answered("running", 0);
    let mut log = EventLog::new();
    let line = |kind: &str, at: f64| format!(r#"{{"type":"{kind}","runId":"r1","timestampMs":{at}}}"#) + "\n";
    log.push(line("RunStarted", 1_795_269_960_000.0).as_bytes());
    log.push(line("RunFinished", 1_795_269_969_000.0).as_bytes());
    log.finish();
    run.witnesses.extend(Witness::from_log(&log.view(NOW)));
    let comparison = compare_witnesses(run.all_witnesses());
    assert_eq!(comparison.shown.unwrap().source, WitnessSource::Events, "the end is later than the answer");
    assert_eq!((comparison.reason(), disagreement(&comparison)), ("the newest", None));
    // A live feed still shows the server's state, and adds a note.
    let note = disagreement(&run.compare_witnesses()).unwrap();
    let expected = "Sources disagree. The server says running at 14:06:08Z, the rows say running at 14:06:08Z, \
                    the events say succeeded at 14:06:09Z. Shown: the server, the Gateway's own response.";
    assert_eq!(text(&note), expected);
}

/// The state of a bug report: a row with these columns, and events beside it.
fn reported(columns: &Value, events: &[Value]) -> Option<String> {
    let mut report = json!({"runId": "run-7001", "workflowName": "census", "status": "running"});
    report.as_object_mut().unwrap().extend(columns.as_object().unwrap().clone());
    report["events"] = json!(events);
    let found = inspect(report.to_string().as_bytes(), None, NOW).unwrap();
    let mut runs = found.run.into_iter().chain(found.runs);
    let run = runs.find(|run| run.run_id.as_deref() == Some("run-7001")).unwrap();
    let header = smithers_header(&run, &Freshness::Recorded { at: None }, NOW);
    assert!(!serde_json::to_string(&header).unwrap().contains("--force"), "{report}");
    run.view().map(|view| view.state.as_str().to_owned())
}

/// An event of a run, as the REST interface has it.
fn event_of(run_id: &str, seq: u32, kind: &str, at: f64) -> Value {
    json!({"seq": seq, "timestampMs": at, "type": kind, "payload": {"type": kind, "runId": run_id, "nodeId": "scan",
        "iteration": 0, "attempt": 2, "timestampMs": at}})
}

#[test]
fn events_beside_a_row_say_what_its_columns_lack() {
    let at = NOW.0 - 400_000.0;
    let own = |seq, kind| event_of("run-7001", seq, kind, at + f64::from(seq));
    let beats = [own(54, "TaskHeartbeat"), own(55, "TaskHeartbeat"), own(56, "TaskHeartbeat")];
    let bare = json!({});
    assert_eq!(reported(&bare, &beats).as_deref(), Some("running"), "as of the last event");
    assert_eq!(reported(&bare, &[own(54, "NodeStarted")]).as_deref(), Some("running"));
    assert_eq!(reported(&bare, &[own(54, "RunFinished")]).as_deref(), Some("succeeded"));
    assert_eq!(reported(&bare, &[own(54, "NodeWaitingApproval")]).as_deref(), Some("waiting-approval"));
    assert_eq!(reported(&bare, &[]).as_deref(), Some("unknown"));
    let other = event_of("run-7002", 54, "TaskHeartbeat", at);
    assert_eq!(reported(&bare, &[other]).as_deref(), Some("unknown"), "events of another run");
    // A row that has the columns decides.
    let silent = json!({"heartbeatAtMs": at, "startedAtMs": at, "runtimeOwnerId": "pid:1"});
    assert_eq!(reported(&silent, &beats).as_deref(), Some("stale"));
    assert_eq!(reported(&json!({"status": "cancelled"}), &beats).as_deref(), Some("cancelled"));
}
