//! What is told of a run is the same whether it is told where the run was read or elsewhere, from its packed form.

use std::path::{Path, PathBuf};

use runstate::account::Account;
use runstate::answer::{AnswerPill, text};
use runstate::clock::Reading;
use runstate::document::{File, inspect_by_clock, open};
use runstate::freshness::Freshness;
use runstate::inspection::{Inspection, RunInspection};
use runstate::time::Millis;
use serde_json::Value;

const NOW: Millis = Millis(1_795_269_970_000.0);

fn smithers() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/vectors/smithers")
}

/// Every JSON file and log below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let (folders, mut found): (Vec<_>, Vec<_>) = entries.partition(|path| path.is_dir());
    found.extend(folders.iter().flat_map(|folder| files(folder)));
    found
}

/// A payload: what a case holds, or the one in a captured exchange.
fn payload(part: &Value) -> Option<String> {
    let Some(file) = part.as_str() else { return (!part.is_null()).then(|| part.to_string()) };
    let exchange: Value =
        serde_json::from_str(&std::fs::read_to_string(smithers().join(file)).unwrap()).unwrap();
    let answer = if exchange["response"].is_object() { &exchange["response"]["body"] } else { &exchange };
    Some(answer["payload"].to_string())
}

/// The parts of each case of a file that has them, as the texts that are opened together.
fn cases(file: &str) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(smithers().join(file)).unwrap();
    let cases = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    cases
        .map(|case| {
            let parts = ["run", "nodes", "snapshot", "attempts", "document"];
            let mut texts: Vec<String> = parts.iter().filter_map(|part| payload(&case[*part])).collect();
            let log = case["log"].as_array().into_iter().flatten().map(|event| format!("{event}\n"));
            texts.extend(Some(log.collect()).filter(|log: &String| !log.is_empty()));
            texts
        })
        .collect()
}

fn runs(inspection: &Inspection) -> impl Iterator<Item = &RunInspection> {
    inspection.run.iter().chain(&inspection.runs)
}

/// Compares the accounts of all runs that the texts tell of; how many there were.
fn compare(texts: &[String], name: &str) -> usize {
    let files: Vec<File<'_>> = texts.iter().map(|text| File { name: None, bytes: text.as_bytes() }).collect();
    let Ok(document) = open(&files, NOW) else { return 0 };
    let Some(inspection) = document.smithers() else { return 0 };
    for run in runs(inspection) {
        for (clock, live) in [
            (Reading::exact(NOW), true),
            (Reading { now: NOW, error_ms: 2_500.0 }, true),
            (Reading { now: NOW, error_ms: f64::INFINITY }, false),
        ] {
            let freshness = if live { Freshness::heard(run, clock) } else { Freshness::recorded(run) };
            let packed = Account::pack(run, clock, live);
            assert_eq!(Account::unpack(&packed).unwrap(), Account::of(run, &freshness, clock), "{name}");
        }
    }
    runs(inspection).count()
}

#[test]
fn a_packed_run_is_told_as_the_run_itself() {
    let mut compared = 0;
    for folder in ["captures", "logs", "why"] {
        for path in files(&smithers().join(folder)) {
            let Ok(text) = std::fs::read_to_string(&path) else { continue };
            compared += compare(&[text], &path.display().to_string());
        }
    }
    let documents = smithers().join("../documents/valid");
    for path in files(&documents) {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        compared += compare(&[text], &path.display().to_string());
    }
    assert!(compared > 300, "{compared}");
    let joined = ["why/actions.ndjson", "witness/hidden.ndjson", "witness/tolerated.ndjson"].map(|file| {
        cases(file).iter().enumerate().map(|(place, texts)| compare(texts, &format!("{file}, {place}"))).sum()
    });
    assert!(joined.iter().zip([111, 25, 13]).all(|(told, least): (&usize, _)| *told >= least), "{joined:?}");
}

#[test]
fn what_is_no_packed_run_is_refused() {
    let row = r#"{"runId":"r1","status":"running","heartbeatAtMs":1795269960000,"runtimeOwnerId":"pid:41"}"#;
    let document = open(&[File { name: None, bytes: row.as_bytes() }], NOW).unwrap();
    let run = document.smithers().unwrap().run.as_ref().unwrap();
    let packed = Account::pack(run, Reading::exact(NOW), true);
    assert!(Account::unpack(&packed).is_ok());
    for end in 0..packed.len() {
        assert!(Account::unpack(&packed[..end]).is_err(), "cut off at {end}");
    }
    for wrong in ["", "{}", "[]", "[1,2,3]", &packed.replace("true", "7"), &packed.replace(']', ",1]")] {
        assert!(Account::unpack(wrong).is_err(), "{wrong}");
    }
}

/// What is told of this document, said to be heard `age` later: the pill's words beside the state, and why.
fn heard(document: &str, age: f64, error_ms: f64) -> (String, Option<String>, String) {
    let at = Millis(1_700_000_000_000.0);
    let clock = Reading { now: Millis(at.0 + age), error_ms };
    let run = inspect_by_clock(document.as_bytes(), None, clock).unwrap().run.unwrap();
    let account = Account::unpack(&Account::pack(&run, clock, true)).unwrap();
    let AnswerPill::Pill { value, as_of, .. } = account.answer.pill else { unreachable!() };
    (value, as_of, text(&account.answer.because))
}

#[test]
fn an_old_answer_that_says_running_is_not_live() {
    const DAYS: f64 = 3.0 * 86_400_000.0;
    let said = r#"{"runId":"r","status":"running","heartbeatAtMs":1700000000000,
        "runState":{"runId":"r","computedAt":"2023-11-14T22:13:20.000Z","state":"running"}}"#;
    let (value, as_of, because) = heard(said, DAYS, 0.0);
    assert_eq!((&*value, as_of.as_deref()), ("running", Some("on 14 Nov")));
    assert!(because.starts_with("running as of ") && !because.contains(" ago"), "{because}");
    // What a clock that is off by as much cannot tell stays as it was said to be.
    for (age, error_ms) in [(2_000.0, 0.0), (30_000.0, 0.0), (31_000.0, 2_000.0), (DAYS, f64::INFINITY)] {
        let (value, as_of, because) = heard(said, age, error_ms);
        assert_eq!((&*value, as_of), ("running", None), "{age} {error_ms}");
        assert!(because.starts_with("running because "), "{because}");
    }
    // Without the server's answer the row itself is judged by the clock.
    let row = r#"{"runId":"r","status":"running","heartbeatAtMs":1700000000000}"#;
    assert_eq!((heard(row, DAYS, 0.0).0.as_str(), heard(row, DAYS, 0.0).1), ("orphaned", None));
    // A wait and an end hold until something happens.
    for (status, state) in [("waiting-approval", "waiting-approval"), ("finished", "succeeded")] {
        let held = said.replace("running", state).replacen(state, status, 1);
        assert_eq!((heard(&held, DAYS, 0.0).0.as_str(), heard(&held, DAYS, 0.0).1), (state, None));
    }
}
