//! The recorded vectors of lionagi's functions: every row agrees. `lionagi_shown.rs` compares Studio's display.

use std::collections::BTreeSet;

use runstate::lionagi::derive::{ADMIN_TRANSITION_TARGETS, can_transition, json_api};
use runstate::lionagi::wire::{LaneState, PlayStatus, SessionStatus, ShowStatus};
use runstate::word::Vocabulary;
use serde_json::{Value, json};

fn folder() -> String {
    format!("{}/../vectors/lionagi", env!("CARGO_MANIFEST_DIR"))
}

fn rows(file: &str) -> Vec<Value> {
    let path = format!("{}/{file}.ndjson", folder());
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Compares each row's `out` with ours.
fn assert_agrees(file: &str, count: usize, answer: impl Fn(&Value) -> Value) {
    let rows = rows(file);
    assert_eq!(rows.len(), count, "{file}");
    let mut problems = Vec::new();
    for row in &rows {
        let ours = answer(row);
        if !same(&row["out"], &ours) {
            problems.push(format!("{file} {}: expected {}, found {ours}", row["id"], row["out"]));
        }
    }
    assert!(problems.is_empty(), "{} rows:\n{}", problems.len(), problems.join("\n"));
}

/// Equal values; 10500 and 10500.0 are the same number.
fn same(expected: &Value, found: &Value) -> bool {
    match (expected, found) {
        (Value::Number(one), Value::Number(other)) => one.as_f64() == other.as_f64(),
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one.iter().all(|(key, value)| other.get(key).is_some_and(|found| same(value, found)))
        }
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        (expected, found) => expected == found,
    }
}

#[test]
fn health_agrees() {
    assert_agrees("health", 1800, |row| {
        let input = &row["in"];
        let probe = json!({
            "now": input["now"],
            "processAlive": input["process_alive"],
            "hasArtifacts": input["has_artifacts"],
            "hasStaleLocks": input["has_stale_locks"],
        });
        let verdict = json_api::classify_health_json(&input["session"].to_string(), &probe.to_string());
        let mut verdict = json!(verdict.unwrap());
        let evidence = verdict.as_object_mut().unwrap().remove("evidence").unwrap();
        let inputs = evidence["inputs"].as_array().unwrap();
        let decisive = inputs.iter().filter(|input| input["decisive"] == true).count();
        assert!((1..=3).contains(&decisive), "{}: {evidence}", row["id"]);
        verdict
    });
}

#[test]
fn worst_health_agrees() {
    assert_agrees("worst-health", 96, |row| {
        json!(json_api::worst_health_json(&row["in"].to_string()).unwrap())
    });
}

#[test]
fn severity_agrees() {
    assert_agrees("adr0033-severity", 601, |row| {
        json!(json_api::derive_severity_json(&row["in"].to_string()).unwrap())
    });
}

#[test]
fn transitions_agree() {
    assert_agrees("transitions", 161, |row| {
        let (from, to) = (row["from"].as_str(), row["to"].as_str().unwrap());
        let entity = row["entity"].as_str().unwrap();
        if entity == "session" {
            let legal = from.is_some_and(|from| can_transition(from, to));
            return json!({
                "can_transition_0_26_2": legal,
                "can_transition_0_28_0": legal,
                "admin_target": ADMIN_TRANSITION_TARGETS.iter().any(|target| target.as_str() == to),
            });
        }
        let from = from.unwrap();
        let ended = match entity {
            "invocation" => SessionStatus::from_word(from).map(SessionStatus::is_terminal),
            "play" => PlayStatus::from_word(from).map(PlayStatus::is_terminal),
            "show" => ShowStatus::from_word(from).map(ShowStatus::is_terminal),
            other => panic!("no such entity: {other}"),
        };
        json!({"from_terminal": ended.unwrap()})
    });
}

#[test]
fn lanes_agree() {
    assert_agrees("lane", 240, |row| {
        let mut state = LaneState::Queued;
        for signal in row["in"].as_array().unwrap() {
            let name = signal.as_str().or_else(|| signal["kind"].as_str()).unwrap();
            state = state.after(name, signal["route"].as_str());
        }
        json!(state.as_str())
    });
}

fn divergences() -> Value {
    let path = format!("{}/divergences.json", folder());
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn every_file_of_vectors_is_run() {
    let counts = divergences()["counts"].take();
    let counts = counts.as_object().unwrap();
    let mut found = BTreeSet::new();
    for entry in std::fs::read_dir(folder()).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if let Some(file) = name.strip_suffix(".ndjson") {
            found.insert(file.to_owned());
            assert_eq!(counts[file], rows(file).len(), "{file}");
        }
    }
    let run =
        ["adr0033-severity", "health", "lane", "status-dot", "status-pill", "transitions", "worst-health"];
    assert_eq!(found, run.iter().map(|file| (*file).to_owned()).collect());
}
