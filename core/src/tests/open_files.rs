//! Opening files: recorded lives frame by frame, files in any order, and inputs that must not cause a panic or a hang.

use super::damage;
use super::growth::grows_linearly;

use std::fs;
use std::path::PathBuf;

use damage::{Random, damage};
use proptest::prelude::*;
use runstate::error_code::ErrorCode;
use runstate::file::File;
use runstate::ingest::{Document, DocumentError, System, open};
use runstate::time::Millis;
use runstate::tree::Tree;
use serde_json::{Value, json};

const NOW: Millis = Millis(1_795_296_600_000.0);

fn vectors(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/vectors").join(name)
}

fn text(name: &str) -> String {
    fs::read_to_string(vectors(name)).unwrap_or_else(|_| panic!("no file {name}"))
}

fn opened(files: &[(&str, &[u8])]) -> Result<Document, DocumentError> {
    let files: Vec<File<'_>> = files.iter().map(|(name, bytes)| File { name: Some(name), bytes }).collect();
    open(&files, NOW)
}

fn state(document: &Document) -> Option<String> {
    document.header(None, NOW)?.state
}

/// The states after each frame time, without repetitions.
fn states(life: &str) -> Vec<String> {
    let mut states: Vec<String> = Vec::new();
    let mut so_far = String::new();
    let moment = |line: &str| line.split(',').next().map(str::to_owned);
    let mut lines = life.lines().peekable();
    while let Some(line) = lines.next() {
        so_far.push_str(line);
        so_far.push('\n');
        if lines.peek().is_some_and(|next| moment(next) == moment(line)) {
            continue;
        }
        if let Some(state) = opened(&[("life.ndjson", so_far.as_bytes())]).ok().as_ref().and_then(state)
            && states.last() != Some(&state)
        {
            states.push(state);
        }
    }
    states
}

#[test]
fn a_life_is_told_frame_by_frame_and_ends_as_the_gateway_said() {
    for (life, run, expected) in [
        ("approval-a", "approval-a.runs.get", &["running", "waiting-approval", "running", "succeeded"][..]),
        ("cancel-a", "cancel-a.runs.get", &["running", "cancelled"]),
        ("fail-a", "fail-a.runs.get", &["running", "failed"]),
        ("timer-a", "timer-a.runs.get", &["running", "waiting-timer", "running", "succeeded"]),
        ("steps-a", "steps-a.runs.get", &["running", "succeeded"]),
        // A rewind reopens an ended run; then it ends again.
        ("rewind-a", "runs.get-rewind-a", &["succeeded", "running", "succeeded"]),
    ] {
        let found = states(&text(&format!("smithers/ws/{life}.ndjson")));
        assert_eq!(found, expected, "{life}");
        let said: Value = serde_json::from_str(&text(&format!("smithers/rpc/{run}.json"))).unwrap();
        let said = said.pointer("/response/body/payload").or(said.get("payload")).unwrap_or(&said);
        assert_eq!(said["runState"]["state"].as_str(), found.last().map(String::as_str), "{life}");
    }
}

#[test]
fn the_tree_of_a_whole_life_is_that_of_the_last_snapshot() {
    let ids =
        |tree: &Tree| -> Vec<i64> { tree.preorder(tree.root()).map(|index| tree.node(index).id.0).collect() };
    for run in ["approval-a", "timer-a", "fail-a", "cancel-a", "steps-a"] {
        let life = text(&format!("smithers/ws/{run}.ndjson"));
        let document = opened(&[("life.ndjson", life.as_bytes())]).unwrap();
        let last = text(&format!("smithers/captures/runs/{run}/rpc-getDevToolsSnapshot.json"));
        let last = opened(&[("last.json", last.as_bytes())]).unwrap();
        assert_eq!(ids(document.tree(None).unwrap()), ids(last.tree(None).unwrap()), "{run}");
        assert_eq!(document.problems().texts(), Vec::<String>::new(), "{run}");
    }
}

#[test]
fn every_file_of_a_moment_may_come_in_any_order() {
    let names = ["runs.get", "getDevToolsSnapshot", "listNodeStates"]
        .map(|method| format!("smithers/captures/crash/rpc-{method}-killed-a-3-orphaned.json"));
    // The log continues with the resume, which is later than this time.
    let log = text("documents/valid/killed-a.log.ndjson").split_inclusive('\n').take(11).collect::<String>();
    let log = ("killed-a.log.ndjson".to_owned(), log);
    let mut files: Vec<(String, String)> = names.map(|name| (name.clone(), text(&name))).to_vec();
    files.push(log);
    let said = |order: &[usize]| {
        let files: Vec<(&str, &[u8])> =
            order.iter().map(|at| (files[*at].0.as_str(), files[*at].1.as_bytes())).collect();
        let document = opened(&files).unwrap();
        let header = document.header(None, NOW).unwrap();
        let tree = document.tree(None).unwrap();
        let nodes: Vec<_> = tree.preorder(tree.root()).map(|at| tree.node(at).state().cloned()).collect();
        (format!("{header:?}"), format!("{nodes:?}"), document.problems().texts())
    };
    let first = said(&[0, 1, 2, 3]);
    assert!(first.0.contains("orphaned"));
    for order in [[0, 2, 1, 3], [1, 0, 2, 3], [1, 3, 0, 2], [2, 0, 3, 1], [2, 3, 1, 0], [3, 2, 1, 0]] {
        assert_eq!(said(&order), first, "{order:?}");
    }
}

#[test]
fn a_log_is_there_for_those_who_show_it() {
    let log = text("documents/valid/log-quick-a.ndjson");
    let mut document = opened(&[("log.ndjson", log.as_bytes())]).unwrap();
    assert_eq!(document.system(), System::Smithers);
    assert_eq!(document.logs().len(), 1);
    assert_eq!(document.logs()[0].counts().events, log.lines().count() as u64);
}

#[test]
fn directories_of_two_runs_are_a_list_of_both() {
    let status = text("documents/valid/gate-approved/status.json");
    let other = status.replace("20261121T204121Z", "20261121T204122Z");
    let document =
        opened(&[("a/status.json", status.as_bytes()), ("b/status.json", other.as_bytes())]).unwrap();
    assert_eq!(document.system(), System::Conductor);
    assert!(document.problems().is_empty(), "{:?}", document.problems().texts());
    let ids: Vec<String> = document.rows().into_iter().map(|row| row.id).collect();
    assert_eq!(ids, ["20261121T204121Z", "20261121T204122Z"]);
}

/// Every file of every valid case.
fn all_files() -> Vec<(String, Vec<u8>)> {
    let index: Vec<Value> = serde_json::from_str(&text("documents/valid/index.json")).unwrap();
    let mut names: Vec<String> = index
        .iter()
        .flat_map(|case| case["files"].as_array().unwrap())
        .map(|name| name.as_str().unwrap().to_owned())
        .collect();
    names.sort();
    names.dedup();
    let read = |name: &String| fs::read(vectors("documents/valid").join(name)).unwrap();
    names.iter().map(|name| (name.clone(), read(name))).collect()
}

#[test]
fn mutated_files_open_or_are_refused_and_never_panic() {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let files: Vec<_> = all_files().into_iter().filter(|(_, bytes)| bytes.len() > 20).collect();
    let (mut read, mut refused) = (0, 0);
    for round in 0..900 {
        let mut chosen: Vec<(String, Vec<u8>)> = Vec::new();
        for _ in 0..=round % 3 {
            let (name, mut bytes) = files[random.below(files.len())].clone();
            bytes.truncate(30_000);
            damage(&mut bytes, &[b"\"dir\":\"in\"", b"\"log\":{"], &mut random);
            chosen.push((name, bytes));
        }
        let chosen: Vec<(&str, &[u8])> =
            chosen.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())).collect();
        match opened(&chosen) {
            Ok(document) => {
                let rows = document.rows().len();
                assert!((0..rows).all(|row| document.header(Some(row), NOW).is_some()));
                assert_eq!(document.header(None, NOW).is_some(), document.has_run());
                read += 1;
            }
            Err(error) => {
                assert!(!error.message.is_empty());
                refused += 1;
            }
        }
    }
    assert!(read > 200 && refused > 100, "{read} read, {refused} refused");
}

#[test]
fn the_time_for_large_and_useless_files_grows_linearly() {
    grows_linearly(2_000, |lines| {
        let other = "{\"a\":1,\"b\":[1,2,3]}\n".repeat(lines);
        assert_eq!(opened(&[("a.ndjson", other.as_bytes())]).unwrap_err().code, ErrorCode::NotRecognised);
    });
    grows_linearly(2_000, |lines| {
        let broken = "{\"runId\":\"r\",\"status\":\"failed\"}\n".to_owned() + &"{\"a\":oops}\n".repeat(lines);
        let document = opened(&[("b.ndjson", broken.as_bytes())]).unwrap();
        assert_eq!((state(&document).as_deref(), document.problems().texts().len()), (Some("failed"), 21));
        assert_eq!(document.problems().texts()[20], format!("{} more problems.", lines - 20));
    });
    grows_linearly(2_000, |lines| {
        let frame = |at: usize| {
            json!({"t": lines - at, "dir": "in", "data": {"type": "event", "event": "node.started",
                "payload": {"runId": "r", "nodeId": format!("n{at}")}}})
            .to_string()
                + "\n"
        };
        let reversed: String = (0..lines).map(frame).collect();
        assert!(opened(&[("c.ndjson", reversed.as_bytes())]).unwrap().has_run());
    });
    grows_linearly(2_000, |lines| {
        let run = |at: usize| json!({"runId": format!("r{at}"), "status": "failed"}).to_string() + "\n";
        let runs: String = (0..lines).map(run).collect();
        assert_eq!(opened(&[("d.ndjson", runs.as_bytes())]).unwrap().rows().len(), lines);
    });
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn any_bytes_open_or_are_refused(
        files in prop::collection::vec((any::<Option<String>>(), prop::collection::vec(any::<u8>(), 0..200)), 0..4),
    ) {
        let files: Vec<File<'_>> =
            files.iter().map(|(name, bytes)| File { name: name.as_deref(), bytes }).collect();
        if let Err(error) = open(&files, NOW) {
            prop_assert!(!error.message.is_empty());
        }
    }

    /// Foreign words survive a recorded frame verbatim.
    #[test]
    fn unknown_words_come_through(word in "[a-z]{3,9}-[a-z]{3,9}") {
        let view = json!({"runId": "r", "computedAt": "2026-11-21T21:00:00.000Z", "state": word});
        let frames = [
            json!({"dir": "out", "data": {"type": "req", "id": "1", "method": "getRun", "params": {"runId": "r"}}}),
            json!({"dir": "in", "data": {"type": "res", "id": "1", "ok": true,
                "payload": {"runId": "r", "status": word, "runState": view}}}),
        ];
        let text: String = frames.iter().map(|frame| frame.to_string() + "\n").collect();
        let document = open(&[File { name: None, bytes: text.as_bytes() }], NOW).unwrap();
        prop_assert_eq!(state(&document), Some(word));
    }
}

#[test]
fn no_attempt_of_a_log_is_numbered_by_guess() {
    let started = |attempt: &str| {
        format!(
            r#"{{"type":"RunStarted","runId":"r","timestampMs":1}}
{{"type":"NodeStarted","runId":"r","nodeId":"a","iteration":0,{attempt}"timestampMs":2}}
"#
        )
    };
    for (attempt, numbers, problems) in [
        (r#""attempt":2,"#, vec![Some(2)], vec![]),
        ("", vec![], vec!["stream.ndjson, line 2, column 1: The field `attempt` is missing."]),
    ] {
        let document = opened(&[("stream.ndjson", started(attempt).as_bytes())]).unwrap();
        let run = document.smithers().unwrap().run.as_ref().unwrap();
        assert_eq!(run.attempts.iter().map(|attempt| attempt.attempt).collect::<Vec<_>>(), numbers);
        assert_eq!(document.problems().texts(), problems);
    }
}

#[test]
fn every_line_of_a_log_that_is_no_event_is_read_or_counted() {
    let event = "{\"type\":\"RunStarted\",\"runId\":\"r\",\"timestampMs\":1000}\n";
    let row = |number: usize| format!("{{\"runId\":\"r{number}\",\"status\":\"finished\"}}\n");
    let rows = (0..1500).map(row).collect::<Vec<_>>().concat();
    let document = opened(&[("events.ndjson", format!("{event}{rows}").as_bytes())]).unwrap();
    assert_eq!(document.rows().len(), 1501);
    assert!(document.problems().is_empty(), "{:?}", document.problems().texts());
    for (line, count) in [("{\"a\":1}\n", 3000), ("oops\n", 3000), ("[]\n", 1001)] {
        let text = [event, &line.repeat(count), &rows].concat();
        let document = opened(&[("events.ndjson", text.as_bytes())]).unwrap();
        assert_eq!(document.rows().len(), 1501, "{line}");
        assert_eq!(document.problems().texts().last().unwrap(), &format!("{} more problems.", count - 20));
    }
}
