//! Every damaged directory, and every case of our own, is read or refused as expected.

use std::collections::BTreeSet;

use runstate::conductor::derive::{ConductorRun, Note, Visit};
use runstate::conductor::read_run_directory;
use runstate::conductor::wire::ConductorEventType;
use runstate::file::File;
use runstate::time::Millis;
use runstate::word::Vocabulary;
use serde_json::{Value, json};

use super::{assert_none, camel, differences};
use runstate_conformance::conductor::{Vector, at, folder, read, rows, runs};
use runstate_conformance::files::files_under;

fn visits_of(run: &ConductorRun) -> Value {
    let visit = |visit: &Visit| {
        json!({"step_id": visit.step_id, "attempt": visit.attempt, "failed": visit.failed,
            "next_step_id": visit.next_step_id, "heartbeats": visit.heartbeats})
    };
    run.visits.iter().map(visit).collect()
}

fn check(case: &Vector, run: &ConductorRun) -> Vec<String> {
    let mut wrong = differences(run, &case.view);
    if run.run_id != case.run_id {
        wrong.push(format!("run id {:?}", run.run_id));
    }
    if let Some(liveness) = &case.liveness
        && liveness != Vocabulary::as_str(run.liveness)
    {
        wrong.push(format!("liveness {:?}", run.liveness));
    }
    let notes: Vec<&str> = run.notes.iter().map(Note::as_str).collect();
    if notes != case.notes {
        wrong.push(format!("notes {notes:?}"));
    }
    let problems: Vec<String> = run.problems.texts();
    let told = problems.iter().zip(&case.problems).all(|(found, start)| found.starts_with(start.as_str()));
    if problems.len() != case.problems.len() || !told {
        wrong.push(format!("problems {problems:#?}"));
    }
    if let Some(visits) = &case.visits
        && *visits != visits_of(run)
    {
        wrong.push(format!("visits {}", visits_of(run)));
    }
    let ours: Value = serde_json::from_str(&run.to_json()).unwrap();
    for (key, value) in case.source.iter().flat_map(|source| source.as_object().unwrap()) {
        let found = &ours["source"][camel(key)];
        if found != value {
            wrong.push(format!("source.{key}: {found}"));
        }
    }
    wrong.into_iter().map(|wrong| format!("{} at {}: {wrong}", case.case, case.now)).collect()
}

#[test]
fn every_damaged_directory_is_read_as_a_robust_reader_does() {
    let folder = folder().join("malformed");
    let index: Vec<Value> = rows(&folder.join("index.ndjson"));
    let mut missing: BTreeSet<&str> = index.iter().map(|row| row["case"].as_str().unwrap()).collect();
    assert_eq!(missing.len(), 30);
    let mut wrong = Vec::new();
    let cases: Vec<Vector> = rows(&folder.join("expected.ndjson"));
    for case in &cases {
        missing.remove(&*case.case);
        let run = read(&files_under(&folder.join(&case.case)), at(&case.now), case.directory.as_deref());
        wrong.extend(check(case, &run));
    }
    assert_none(&wrong);
    assert!(missing.is_empty(), "{missing:?}");
}

fn own_cases(kind: &str) -> Vec<Vector> {
    rows(&folder().join(kind).join("cases.ndjson"))
}

fn disagreements(case: &Vector) -> Vec<String> {
    let named = case.files.iter().map(|(name, text)| File { name: Some(name), bytes: text.as_bytes() });
    let pasted = case.pasted.iter().map(|text| File { name: None, bytes: text.as_bytes() });
    let files: Vec<File<'_>> = named.chain(pasted).collect();
    let now = if case.now == "NaN" { Millis(f64::NAN) } else { at(&case.now) };
    match (read_run_directory(&files, now, case.directory.as_deref()), &case.error) {
        (Ok(run), None) => check(case, &run),
        (Err(error), Some(code)) if error.code.as_str() == code => Vec::new(),
        (found, _) => vec![format!("{}: found {found:?}", case.case)],
    }
}

#[test]
fn our_own_cases_are_read_or_refused_as_they_say() {
    let (valid, invalid) = (own_cases("valid"), own_cases("invalid"));
    let cases = || valid.iter().chain(&invalid);
    assert_none(&cases().flat_map(disagreements).collect::<Vec<_>>());
    let names: BTreeSet<&str> = cases().map(|case| &*case.case).collect();
    assert_eq!(names.len(), valid.len() + invalid.len(), "a case is there twice");
    assert!(invalid.len() >= valid.len(), "{} refused, {} accepted", invalid.len(), valid.len());
    for case in cases() {
        assert!(case.reason.len() > 20 && case.origin.len() > 3, "{} has no reason", case.case);
    }
    for case in &invalid {
        assert!(case.error.is_some() || !case.problems.is_empty() || case.view["state"] == "unknown");
    }
}

#[test]
fn the_list_of_divergences_counts_what_is_here_and_is_empty() {
    let text = std::fs::read_to_string(folder().join("divergences.json")).unwrap();
    let list: Value = serde_json::from_str(&text).unwrap();
    let rows: usize = runs()
        .iter()
        .map(|name| rows::<Value>(&folder().join("runs").join(name).join("expected.ndjson")).len())
        .sum();
    let damaged = self::rows::<Value>(&folder().join("malformed/index.ndjson")).len();
    assert_eq!(
        list["counts"],
        serde_json::json!({ "runs": runs().len(), "rows": rows, "malformed": damaged })
    );
    assert_eq!(list["classes"], serde_json::json!([]));
}

/// Every type has a valid event and an event that is ignored because of a missing field, so that the two logs
/// differ or the line is reported.
#[test]
fn every_type_of_event_has_a_case_of_its_own_that_is_read_and_one_that_is_refused() {
    let (valid, invalid) = (own_cases("valid"), own_cases("invalid"));
    for word in ConductorEventType::WORDS {
        let name = format!("event-{}", word.replace('_', "-"));
        let line_of = |case: &Vector| {
            let typed = format!("\"event_type\":\"{word}\"");
            1 + case.files["events.ndjson"].lines().position(|line| line.contains(&typed)).unwrap()
        };
        let read = valid.iter().find(|case| case.case == name).unwrap_or_else(|| panic!("{name}"));
        assert!(read.problems.is_empty() && read.visits.is_some() && line_of(read) > 0, "{name}");
        let refused = invalid.iter().find(|case| case.case == format!("no-{name}")).unwrap();
        let told: Vec<&str> = refused.problems.iter().map(String::as_str).collect();
        assert_eq!(told.len(), 1, "{name}");
        let lines = refused.files["events.ndjson"].lines();
        let line = told[0].split(&[' ', ','][..]).nth(3).unwrap().parse::<usize>().unwrap();
        assert!(lines.clone().nth(line - 1).unwrap().contains(word), "{name}: {told:?}");
    }
}
