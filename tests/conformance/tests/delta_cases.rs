//! The cases of `tests/vectors/smithers/delta`: accepted and refused deltas, with reasons.

use std::collections::BTreeSet;
use std::fs;

use runstate::smithers::wire::{NodeState, NodeType, TaskKind};
use runstate::tree::{Delta, Snapshot, diff_snapshots};
use runstate::word::Vocabulary;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// The fields of every case besides its name.
#[derive(Deserialize)]
struct Why {
    /// The rule in words.
    reason: String,
    /// The origin of the rule.
    source: String,
}

impl Why {
    fn is_given(&self) -> bool {
        self.reason.len() > 15 && self.source.len() > 5
    }
}

/// A case of `valid/cases.ndjson` or `invalid/cases.ndjson`.
#[derive(Deserialize)]
struct Apply {
    #[serde(rename = "case")]
    name: String,
    #[serde(flatten)]
    why: Why,
    snapshot: Value,
    /// As text: some are no JSON.
    delta: String,
    after: Option<Value>,
    error: Option<Refusal>,
    upstream: Option<String>,
}

/// A case of `valid/diffs.ndjson`, `valid/pairs.ndjson` or `invalid/diffs.ndjson`.
#[derive(Deserialize)]
struct Diff {
    #[serde(rename = "case")]
    name: String,
    #[serde(flatten)]
    why: Why,
    a: Value,
    b: Value,
    delta: Option<Value>,
    /// The fields of the snapshot after the delta besides its root.
    header: Option<Value>,
    error: Option<Refusal>,
    upstream: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Refusal {
    code: Option<String>,
    message: String,
}

/// Deltas to apply, and snapshots to compare.
const APPLY: [&str; 2] = ["cases", "random"];
const DIFFS: [&str; 2] = ["diffs", "pairs"];

/// The cases of the existing files of a kind: no pair of snapshots is refused at random.
fn all<T: DeserializeOwned>(kind: &str, files: [&str; 2]) -> Vec<T> {
    let files = files.into_iter().filter(|file| (kind, *file) != ("invalid", "pairs"));
    files.flat_map(|file| cases(&format!("{kind}/{file}"))).collect()
}

fn cases<T: DeserializeOwned>(file: &str) -> Vec<T> {
    let path = format!("{}/../vectors/smithers/delta/{file}.ndjson", env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}")))
        .collect()
}

fn snapshot(json: &Value) -> Snapshot {
    Snapshot::from_json(&json.to_string()).unwrap()
}

fn json(snapshot: &Snapshot) -> Value {
    serde_json::from_str(&snapshot.to_json()).unwrap()
}

#[test]
fn every_valid_delta_is_applied() {
    for case in all::<Apply>("valid", APPLY) {
        let after = case.after.unwrap();
        let mut streamed = snapshot(&case.snapshot);
        assert_eq!(streamed.apply_json(&case.delta), Ok(()), "{}", case.name);
        assert_eq!(json(&streamed), after, "{}", case.name);
        let mut read = snapshot(&case.snapshot);
        read.apply(&Delta::from_json(&case.delta).unwrap()).unwrap();
        assert_eq!(json(&read), after, "{}", case.name);
        assert!(case.why.is_given() && case.error.is_none() && case.upstream.is_none());
    }
}

#[test]
fn every_invalid_delta_is_refused_and_changes_nothing() {
    for case in all::<Apply>("invalid", APPLY) {
        let expected = case.error.unwrap();
        let mut snapshot = snapshot(&case.snapshot);
        let error = snapshot.apply_json(&case.delta).expect_err(&case.name);
        assert_eq!(error.message, expected.message, "{}", case.name);
        // The code of upstream's class, which the npm package's errors also have.
        assert_eq!(expected.code.as_deref(), Some("InvalidDelta"), "{}", case.name);
        assert_eq!(json(&snapshot), case.snapshot, "{} changed something", case.name);
        assert!(case.why.is_given() && case.after.is_none() && case.upstream.is_some());
        // Read first and applied then, it is refused as well, perhaps for a later reason.
        let refused = Delta::from_json(&case.delta).and_then(|delta| snapshot.apply(&delta)).is_err();
        assert!(refused && json(&snapshot) == case.snapshot, "{}", case.name);
    }
}

#[test]
fn every_difference_is_found_and_leads_to_the_other_snapshot() {
    for case in all::<Diff>("valid", DIFFS) {
        let (mut a, b) = (snapshot(&case.a), snapshot(&case.b));
        let delta = diff_snapshots(&a, &b).unwrap();
        assert_eq!(
            Some(serde_json::from_str::<Value>(&delta.to_json()).unwrap()),
            case.delta,
            "{}",
            case.name
        );
        assert_eq!(Delta::from_json(&delta.to_json()).unwrap().to_json(), delta.to_json(), "{}", case.name);
        let mut streamed = snapshot(&case.a);
        streamed.apply_json(&delta.to_json()).unwrap();
        a.apply(&delta).unwrap();
        assert_eq!(streamed.to_json(), a.to_json(), "{}", case.name);
        if let Some(header) = case.header {
            let mut after = json(&a);
            after.as_object_mut().unwrap().remove("root");
            assert_eq!(after, header, "{}", case.name);
        }
        // With a duplicate id, upstream's steps produce another tree.
        assert_eq!(json(&a)["root"] == json(&b)["root"], case.name != "id-twice", "{}", case.name);
        assert!(case.why.is_given() && case.error.is_none() && case.upstream.is_none());
    }
}

#[test]
fn every_refused_difference_says_why() {
    for case in all::<Diff>("invalid", DIFFS) {
        let expected = case.error.unwrap();
        let message = match Snapshot::from_json(&case.b.to_string()) {
            Ok(b) => diff_snapshots(&snapshot(&case.a), &b).expect_err(&case.name).to_string(),
            Err(error) => error.message,
        };
        assert_eq!(message, expected.message, "{}", case.name);
        assert!(case.why.is_given() && expected.code.is_none());
        assert!(case.delta.is_none() && case.upstream.is_some());
    }
}

#[test]
fn every_case_has_a_name_of_its_own_a_reason_and_a_source() {
    let mut names = BTreeSet::new();
    for files in [APPLY, DIFFS] {
        let [valid, invalid] = ["valid", "invalid"].map(|kind| all::<Value>(kind, files));
        for case in valid.iter().chain(&invalid) {
            let name = case["case"].as_str().unwrap().to_owned();
            assert!(names.insert((files, case.get("error").is_some(), name)), "{}", case["case"]);
            assert!(Why::deserialize(case).unwrap().is_given(), "{}", case["case"]);
        }
    }
    let count = |kind| all::<Value>(kind, APPLY).len() + all::<Value>(kind, DIFFS).len();
    assert!(count("invalid") >= count("valid") && count("valid") > 400, "{}", count("valid"));
}

/// The words of a vocabulary, each under its key.
fn words<V: Vocabulary>(key: &str) -> Vec<String> {
    V::WORDS.iter().map(|word| format!("\"{key}\":\"{word}\"")).collect()
}

#[test]
fn every_step_refusal_and_word_is_in_a_case_of_both_kinds() {
    let steps = ["addNode", "removeNode", "updateProps", "updateTask", "replaceRoot"];
    let mut wanted: Vec<String> = steps.iter().map(|step| format!("\"op\":\"{step}\"")).collect();
    wanted.extend(words::<NodeType>("type"));
    wanted.extend(words::<TaskKind>("kind"));
    wanted.extend(words::<NodeState>("state"));
    for file in ["valid/cases", "invalid/cases"] {
        let deltas: Vec<String> = cases::<Apply>(file).into_iter().map(|case| case.delta).collect();
        for word in &wanted {
            assert!(deltas.iter().any(|delta| delta.contains(word)), "{file}: {word}");
        }
    }
    let messages: Vec<String> =
        cases::<Apply>("invalid/cases").into_iter().filter_map(|case| Some(case.error?.message)).collect();
    for begin in [
        "Unsupported delta version: ",
        "Delta base seq ",
        "Delta seq ",
        "Delta has no ops.",
        "Unknown op: ",
        "Unknown node id: ",
        "Unknown parent id: ",
        "Cannot remove the root node.",
        "addNode requires a node.",
        "addNode requires a numeric index.",
        "updateProps requires a props object.",
        "updateTask requires a task object or undefined.",
        "replaceRoot requires a node.",
        "The tree is deeper than ",
    ] {
        assert!(messages.iter().any(|message| message.starts_with(begin)), "{begin}");
    }
}
