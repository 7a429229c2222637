//! Exports: the same bytes for the same input, no secrets, and no other loss.

mod damaged;
mod ids;
mod properties;
mod secrets;
mod two_names;
use super::vectors;

use std::fs;
use std::path::PathBuf;

use runstate::export::{ExportOptions, draft, export};
use runstate::file::File;
use runstate::freshness::Freshness;
use runstate::header::smithers_header;
use runstate::ingest::{Document, DocumentError, open};
use runstate::run::Recording;
use runstate::run::RunInspection;
use runstate::smithers::wire::{NodeState, read_run};
use runstate::time::Millis;
use runstate::tree::Tree;
use runstate::word::Vocabulary;
use runstate::word::Word;
use serde_json::{Value, json};

const NOW: Millis = Millis(1_795_296_600_000.0);
const LATER: Millis = Millis(1_795_396_600_000.0);
const OPTIONS: ExportOptions<'_> = ExportOptions::new(NOW);

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/vectors/documents/valid")
}

/// The name and the content of some files.
type Files = Vec<(String, Vec<u8>)>;

/// The files of each case that opens.
fn cases() -> Vec<(String, Files)> {
    let index: Vec<Value> =
        serde_json::from_str(&fs::read_to_string(folder().join("index.json")).unwrap()).unwrap();
    let file = |name: &Value| {
        let name = name.as_str().unwrap();
        (name.to_owned(), fs::read(folder().join(name)).unwrap())
    };
    index
        .iter()
        .map(|case| {
            let files = case["files"].as_array().unwrap().iter().map(file).collect();
            (case["id"].as_str().unwrap().to_owned(), files)
        })
        .collect()
}

fn files(entries: &Files) -> Vec<File<'_>> {
    entries.iter().map(|(name, bytes)| File { name: Some(name), bytes }).collect()
}

fn write(files: &[File<'_>], options: &ExportOptions<'_>) -> Result<Vec<u8>, DocumentError> {
    Ok(export(files, options)?.bytes)
}

/// The export of a run that a feed knows.
fn export_draft(run: &RunInspection) -> Vec<u8> {
    let draft = draft(run, NOW).unwrap();
    write(&[File { name: None, bytes: draft.as_bytes() }], &OPTIONS).unwrap()
}

fn exported(entries: &Files) -> Vec<u8> {
    write(&files(entries), &OPTIONS).unwrap()
}

fn again(bytes: &[u8], now: Millis) -> Vec<u8> {
    write(&[File { name: Some("again.json"), bytes }], &ExportOptions::new(now)).unwrap()
}

/// The text without the directories of the server's path in the error of one run, and without the path of a worktree.
fn without_paths(said: &str) -> String {
    let said =
        said.replace("/var/data/", "/var/[redacted]/").replace("/project/src/", "/project/[redacted]/");
    let mut parts = said.split("/project/.tnh-conductor/worktrees/");
    let first = parts.next().unwrap().to_owned();
    parts.fold(first, |text, part| text + "[redacted]" + &part["20261121T204121Z".len()..])
}

/// The content of a document, regardless of its kind.
fn said(document: &Document) -> Value {
    let header = |row| {
        document.header(row, LATER).map(|header| {
            json!({
                "name": header.name, "state": header.state, "blocked": header.blocked,
                "unhealthy": header.unhealthy, "fields": format!("{:?}", header.fields),
                "evidence": format!("{:?}", header.evidence), "answer": format!("{:?}", header.answer),
                "tree": document.tree(row).map(|tree| serde_json::from_str::<Value>(&tree.to_json()).unwrap()),
            })
        })
    };
    let rows: Vec<_> = (0..document.rows().len()).map(|row| header(Some(row))).collect();
    json!({"run": header(None), "rows": rows, "refusal": format!("{:?}", document.refusal())})
}

#[test]
fn every_document_that_opens_is_the_same_after_its_export() {
    for (id, entries) in cases() {
        let bytes = exported(&entries);
        let document = open(&files(&entries), NOW).unwrap();
        let opened = open(&[File { name: Some("x.json"), bytes: &bytes }], LATER)
            .unwrap_or_else(|error| panic!("{id}: {error}"));
        assert_eq!(said(&opened).to_string(), without_paths(&said(&document).to_string()), "{id}");
        assert!(opened.problems().texts().iter().all(|problem| !problem.contains("hash")), "{id}");
    }
}

#[test]
fn an_export_of_an_export_is_the_same_bytes() {
    for (id, entries) in cases() {
        let bytes = exported(&entries);
        assert_eq!(exported(&entries), bytes, "{id}: not the same twice");
        assert_eq!(String::from_utf8_lossy(&again(&bytes, LATER)), String::from_utf8_lossy(&bytes), "{id}");
    }
}

#[test]
fn the_order_of_the_files_does_not_matter() {
    for (id, entries) in cases() {
        let other: Files = entries.iter().rev().cloned().collect();
        assert_eq!(exported(&other), exported(&entries), "{id}");
        let (one, two) = (open(&files(&entries), NOW).unwrap(), open(&files(&other), NOW).unwrap());
        assert_eq!(said(&one), said(&two), "{id}");
        assert_eq!(one.problems().texts(), two.problems().texts(), "{id}");
    }
}

#[test]
fn no_secret_leaves() {
    for (id, entries) in cases() {
        let text = String::from_utf8(exported(&entries)).unwrap();
        for secret in [
            "operator-token",
            "Path\":\"/",
            "Root\":\"/",
            "Dir\":\"/",
            "scopes\":[",
            "operator\\\"",
            "s_path\":\"/",
            "_root\":\"/",
            "/var/data/",
        ] {
            assert!(!text.contains(secret), "{id} has {secret}");
        }
    }
    let row =
        br#"{"runId":"r","status":"failed","errorJson":"\"no route to Bearer abc.def\"","teamName":"blue"}"#;
    let mut options = OPTIONS;
    options.redact = &["team-name"];
    let bytes = write(&[File { name: None, bytes: row }], &options).unwrap();
    let text = String::from_utf8(bytes).unwrap();
    assert!(text.contains("Bearer [redacted]") && text.contains(r#""teamName":"[redacted]""#), "{text}");
    assert!(text.contains(r#""redacted":2"#), "{text}");
}

#[test]
fn what_was_asked_has_no_secret_either() {
    let entry = r#"{"readAt":1,"method":"getRun","runId":"a token=sesame","json":{"runId":"a token=sesame","status":"failed"}}"#;
    let text = format!(r#"{{"runstateExport":1,"hash":"","content":{{"entries":[{entry}]}}}}"#);
    let bytes = exported(&vec![("x.json".to_owned(), text.clone().into_bytes())]);
    let after = String::from_utf8(bytes.clone()).unwrap();
    assert!(after.contains(r#""redacted":2"#) && !after.contains("sesame"), "{after}");
    assert!(after.contains(r#""method":"getRun","runId":"a token=[redacted]","json""#), "{after}");
    assert_eq!(again(&bytes, LATER), bytes);
    let mut options = OPTIONS;
    options.redact = &["run_id"];
    let hidden = write(&[File { name: None, bytes: text.as_bytes() }], &options).unwrap();
    let after = String::from_utf8(hidden.clone()).unwrap();
    assert_eq!(after.matches(r#""runId":"[redacted]""#).count(), 2, "{after}");
    assert_eq!(again(&hidden, LATER), hidden);
    let plain = text.replace("a token=sesame", "a-token-b");
    let bytes = exported(&vec![("x.json".to_owned(), plain.into_bytes())]);
    let after = String::from_utf8(bytes).unwrap();
    assert!(after.contains(r#""redacted":0"#) && after.matches("a-token-b").count() == 2, "{after}");
}

#[test]
fn files_are_told_from_each_other_by_their_names() {
    let row = br#"{"runId":"r","status":"failed"}"#;
    for (name, expected) in [
        ("/srv/a/run.json", "/srv/a/run.json"),
        ("/tmp/run.json", "/tmp/run.json"),
        ("/home/mira/run.json", "/home/[redacted]/run.json"),
        ("run.json?token=a", "run.json?token=[redacted]"),
    ] {
        let bytes = exported(&vec![(name.to_owned(), row.to_vec())]);
        let text = String::from_utf8(bytes.clone()).unwrap();
        assert!(text.contains(&format!(r#""entries":[{{"name":"{expected}","readAt""#)), "{text}");
        assert_eq!(again(&bytes, LATER), bytes);
    }
}

#[test]
fn a_changed_export_opens_and_is_named() {
    let (_, entries) = cases().into_iter().find(|(id, _)| id == "three-answers").unwrap();
    let text = String::from_utf8(exported(&entries)).unwrap();
    for (from, to) in [
        (r#""state":"orphaned""#, r#""state":"succeeded""#),
        ("sha256:", "sha256:0"),
        (r#""hash":""#, r#""hash":7,"h":""#),
        (r#""redacted":"#, r#" "redacted":"#),
    ] {
        let changed = text.replacen(from, to, 1);
        assert_ne!(changed, text);
        let file = [File { name: Some("x.json"), bytes: changed.as_bytes() }];
        let document = open(&file, NOW).unwrap();
        assert_eq!(document.problems().texts().len(), 1, "{from}: {:?}", document.problems().texts());
        assert!(document.problems().texts()[0].starts_with("x.json: The hash does not match"), "{from}");
        assert!(document.header(None, NOW).is_some());
    }
}

#[test]
fn what_is_no_export_of_this_version_is_refused() {
    let (_, entries) = cases().into_iter().find(|(id, _)| id == "three-answers").unwrap();
    let text = String::from_utf8(exported(&entries)).unwrap();
    for (from, to, code, part) in [
        (r#"Export":1"#, r#"Export":2"#, "INVALID_INPUT", "version 1, found version 2"),
        (r#"Export":1"#, r#"Export":"1""#, "INVALID_INPUT", "found version \"1\""),
        (r#""content""#, r#""contents""#, "INVALID_INPUT", "content"),
        (r#""entries":["#, r#""entries":{"a":["#, "INVALID_INPUT", "Expected a list, found an object"),
        (r#""entries""#, r#""items""#, "INVALID_INPUT", "entries"),
        (r#""json":"#, r#""jason":"#, "INVALID_INPUT", "an entry with either json, lines or text"),
        (r#""readAt":"#, r#""text":"x","readAt":"#, "INVALID_INPUT", "an entry with either"),
        (r#""readAt":1795296600000"#, r#""readAt":"now""#, "INVALID_INPUT", "Expected a number"),
    ] {
        // In every entry: if one entry is readable, the others are omitted.
        let changed = text.replace(from, to);
        let file = [File { name: Some("x.json"), bytes: changed.as_bytes() }];
        let error = open(&file, NOW).unwrap_err();
        assert_eq!(error.code.as_str(), code, "{to}: {error}");
        assert!(error.message.contains(part), "{to}: {error}");
        assert!(write(&file, &OPTIONS).is_err(), "{to}");
    }
    assert!(write(&[File { name: None, bytes: b"hello" }], &OPTIONS).is_err());
    assert!(write(&[], &OPTIONS).is_err());
}

#[test]
fn an_export_that_breaks_off_opens_once_something_of_it_is_whole() {
    let (_, entries) = cases().into_iter().find(|(id, _)| id == "three-answers").unwrap();
    let text = String::from_utf8(exported(&entries)).unwrap();
    let mut opened = 0;
    for cut in (1..20).map(|part| text.len() * part / 20) {
        let file = [File { name: Some("x.json"), bytes: &text.as_bytes()[..cut] }];
        match open(&file, NOW) {
            Ok(document) => {
                opened += 1;
                let problems = document.problems().texts();
                assert!(
                    problems[0].starts_with("x.json, line 1, column ")
                        && problems[1].ends_with("cannot be checked."),
                    "{problems:?}"
                );
                let state = document.header(None, NOW).and_then(|header| header.state);
                assert!(state.is_none_or(|state| state == "orphaned" || state == "unknown"), "{cut}");
                assert!(write(&file, &OPTIONS).is_ok());
            }
            Err(error) => {
                assert_eq!(error.code.as_str(), "NOT_JSON", "{cut}: {error}");
                assert_eq!(opened, 0, "{cut}, although it opens before: {error}");
            }
        }
    }
    assert!((10..19).contains(&opened), "{opened}");
}

/// The answers to `getRun`, `getDevToolsSnapshot` and `listNodeStates` at each recorded time.
fn moments() -> Vec<(String, [String; 3])> {
    let captures = vectors::path("captures");
    let read = |name: String| vectors::answer(captures.join(name)).map(|answer| answer.to_string());
    let three = |path: &dyn Fn(&str) -> String| {
        let answers = ["runs.get", "getDevToolsSnapshot", "listNodeStates"].map(|method| read(path(method)));
        let [Some(run), Some(snapshot), Some(nodes)] = answers else { return None };
        Some([run, snapshot, nodes])
    };
    let mut found = Vec::new();
    for moment in ["1-before-kill", "3-orphaned", "5-cancelled"] {
        let path = |method: &str| format!("crash/rpc-{method}-killed-a-{moment}.json");
        found.push((moment.to_owned(), three(&path).unwrap()));
    }
    for run in fs::read_dir(captures.join("runs")).unwrap() {
        let run = run.unwrap().file_name().into_string().unwrap();
        for moment in ["", "-waiting"] {
            let path = |method: &str| format!("runs/{run}/rpc-{method}{moment}.json");
            found.extend(three(&path).map(|answers| (format!("{run}{moment}"), answers)));
        }
    }
    found
}

fn states(tree: &Tree) -> Vec<Option<Word<NodeState>>> {
    tree.preorder(tree.root()).map(|index| tree.node(index).state().cloned()).collect()
}

#[test]
fn a_live_run_is_the_same_after_its_export() {
    let moments = moments();
    assert!(moments.len() > 20, "{}", moments.len());
    for (moment, [run, snapshot, nodes]) in &moments {
        let recording = Recording { run, snapshot, nodes };
        let live = recording.read(NOW).unwrap();
        let bytes = export_draft(&live);
        assert!(!String::from_utf8_lossy(&bytes).contains("workflowPath\":\"/"), "{moment}");
        let at = live.view().unwrap().computed_time();
        let before = smithers_header(&live, &Freshness::Recorded { at }, LATER);
        let tree = live.tree.as_ref().unwrap();
        let document = open(&[File { name: None, bytes: &bytes }], LATER).unwrap();
        assert!(document.problems().is_empty(), "{moment}: {:?}", document.problems().texts());
        let after = format!("{:?}", document.header(None, LATER).unwrap());
        assert_eq!(after, without_paths(&format!("{before:?}")), "{moment}");
        assert_eq!(document.tree(None).unwrap().to_json(), without_paths(&tree.to_json()), "{moment}");
        assert_eq!(states(document.tree(None).unwrap()), states(tree), "{moment}");
        assert_eq!(again(&bytes, LATER), bytes, "{moment}");
    }
}

#[test]
fn what_was_derived_is_derived_for_the_same_moment() {
    let row = r#"{"runId":"r","status":"running","heartbeatAtMs":1795296590000,"runtimeOwnerId":"pid:7"}"#;
    let mut live = RunInspection::from_row(&read_run(row).unwrap(), "getRun", NOW);
    live.answer = Some(row.into());
    let verdict = live.verdict.as_ref().unwrap();
    assert!(verdict.is_derived() && verdict.view.state.as_str() == "running");
    for bytes in
        [export_draft(&live), write(&[File { name: None, bytes: row.as_bytes() }], &OPTIONS).unwrap()]
    {
        let document = open(&[File { name: None, bytes: &bytes }], LATER).unwrap();
        assert_eq!(document.header(None, LATER).unwrap().state.as_deref(), Some("running"));
        assert_eq!(again(&bytes, LATER), bytes);
    }
}

/// Heartbeats of an attempt, of which the first and last are kept.
fn log(beats: u32, numbered: bool) -> String {
    let mut lines = vec![
        json!({"type": "RunStarted", "runId": "r", "timestampMs": 1000}),
        json!({"type": "NodeStarted", "runId": "r", "nodeId": "n", "iteration": 0, "attempt": 1, "timestampMs": 1001}),
    ];
    for beat in 0..beats {
        for node in ["n", "m"] {
            let at = 2000 + beat;
            lines.push(
                json!({"type": "TaskHeartbeat", "runId": "r", "nodeId": node, "iteration": 0, "attempt": 1,
                "timestampMs": at}),
            );
        }
    }
    lines.push(json!({"type": "NodeFinished", "runId": "r", "nodeId": "n", "iteration": 0, "attempt": 1,
        "timestampMs": 9000}));
    let number = |(seq, event): (usize, Value)| {
        if numbered {
            json!({"runId": "r", "seq": seq, "type": event["type"], "timestampMs": event["timestampMs"],
                "payload": event})
        } else {
            event
        }
    };
    lines.into_iter().enumerate().map(number).map(|line| line.to_string() + "\n").collect()
}

#[test]
fn heartbeats_between_others_are_left_out_of_logs_without_numbers() {
    for (beats, numbered, thinned) in
        [(0, false, 0), (2, false, 0), (3, false, 2), (40, false, 76), (40, true, 0)]
    {
        let text = log(beats, numbered);
        let entries = vec![("log.ndjson".to_owned(), text.clone().into_bytes())];
        let bytes = exported(&entries);
        let count = format!("\"thinned\":{thinned},");
        assert!(String::from_utf8_lossy(&bytes).contains(&count), "{beats} {numbered}: no {count}");
        assert_eq!(again(&bytes, LATER), bytes, "the count stays");
        let mut before = open(&files(&entries), NOW).unwrap();
        let mut after = open(&[File { name: Some("x.json"), bytes: &bytes }], LATER).unwrap();
        assert_eq!(said(&after), said(&before));
        let [before, after] = [&mut before, &mut after].map(|document| &mut document.logs()[0]);
        assert_eq!(after.counts().events + thinned, before.counts().events);
        assert_eq!(after.counts().gaps, 0);
        let last = |log: &mut runstate::log::EventLog| -> Vec<_> {
            log.nodes("r").iter().map(|node| (node.node_id.clone(), node.state, node.heartbeat_at)).collect()
        };
        assert_eq!(last(after), last(before));
    }
}

#[test]
fn an_omitted_heartbeat_is_not_counted_as_redacted() {
    let beat = r#"{"type":"TaskHeartbeat","runId":"r1","nodeId":"a","iteration":0,"attempt":1,"timestampMs":9001,"note":"password=sesame7X"}"#;
    let start =
        r#"{"type":"NodeStarted","runId":"r1","nodeId":"a","iteration":0,"attempt":1,"timestampMs":9000}"#;
    let log = [start, beat, beat, beat, beat].join("\n");
    let bytes = exported(&vec![("log.ndjson".to_owned(), log.into_bytes())]);
    let text = String::from_utf8(bytes.clone()).unwrap();
    assert!(text.contains(r#""redacted":2,"thinned":2,"#), "{text}");
    assert_eq!(again(&bytes, LATER), bytes);
}

#[test]
fn a_state_without_a_moment_is_exported_without_one() {
    let ps = r#"{"runs":[{"id":"r1","workflow":"w","dbStatus":"running","state":"stale"}],"cta":{}}"#;
    let bytes = write(&[File { name: None, bytes: ps.as_bytes() }], &OPTIONS).unwrap();
    let text = String::from_utf8_lossy(&bytes).replace('\\', "");
    assert!(text.contains(r#""state":"stale""#) && !text.contains("computedAt"), "{text}");
    let again = open(&[File { name: None, bytes: &bytes }], LATER).unwrap();
    assert!(again.problems().is_empty(), "{:?}", again.problems().texts());
    let header = again.header(Some(0), LATER).unwrap();
    assert_eq!(header.state.as_deref(), Some("stale"));
    assert!(header.fields.iter().all(|field| field.field != "computedAt"), "{:?}", header.fields);
}
