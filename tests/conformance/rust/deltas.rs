//! Every recorded vector of `applyDelta` and `diffSnapshots` agrees, or stands in the divergences list.

use std::collections::BTreeMap;
use std::fs;

use runstate::smithers::{Delta, Snapshot, diff_snapshots};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

/// A row of `delta-vectors.ndjson`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Pair {
    i: u64,
    a: Box<RawValue>,
    b: Box<RawValue>,
    delta: Box<RawValue>,
    root_reproduced: bool,
    applied_header: Value,
}

/// A row of `delta-malformed-vectors.ndjson`.
#[derive(Deserialize)]
struct Malformed {
    i: u64,
    #[serde(default)]
    a: Value,
    #[serde(default)]
    b: Value,
    snapshot: Option<Value>,
    #[serde(default)]
    delta: Value,
    applied: Option<Value>,
    error: Option<Refusal>,
}

#[derive(Deserialize)]
struct Refusal {
    name: String,
    code: Option<String>,
    message: Option<String>,
}

/// `tests/vectors/smithers/delta-divergences.json`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Divergences {
    /// How many rows each file has.
    counts: BTreeMap<String, usize>,
    classes: Vec<Class>,
}

/// Rows where upstream goes on, or stops with a `TypeError`, and we refuse with `InvalidDelta`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Class {
    id: String,
    reason: String,
    /// The message that we refuse with.
    ours: String,
    rows: Vec<u64>,
}

/// What happened: the snapshot afterwards, or code and message.
#[derive(Debug, PartialEq)]
enum Outcome {
    Applied(Value),
    Refused(Option<String>, String),
    /// The engine's own error, whose words differ between engines.
    TypeError,
}

fn read(file: &str) -> String {
    let path = format!("{}/../tests/vectors/smithers/{file}", env!("CARGO_MANIFEST_DIR"));
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn rows<T: for<'a> Deserialize<'a>>(file: &str) -> Vec<T> {
    read(file).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn divergences() -> Divergences {
    serde_json::from_str(&read("delta-divergences.json")).unwrap()
}

fn snapshot(json: &Value) -> Snapshot {
    Snapshot::from_json(&json.to_string()).unwrap()
}

fn value(snapshot: &Snapshot) -> Value {
    serde_json::from_str(&snapshot.to_json()).unwrap()
}

impl Malformed {
    fn expected(&self) -> Outcome {
        match (&self.applied, &self.error) {
            (Some(applied), None) => Outcome::Applied(applied.clone()),
            (None, Some(error)) if error.name == "TypeError" => Outcome::TypeError,
            (None, Some(error)) => Outcome::Refused(error.code.clone(), error.message.clone().unwrap()),
            other => panic!("row {} has no outcome: {:?}", self.i, other.0),
        }
    }

    /// Our outcome. A refused delta must have changed nothing.
    fn ours(&self) -> Outcome {
        let Some(before) = &self.snapshot else {
            let error = diff_snapshots(&snapshot(&self.a), &snapshot(&self.b)).unwrap_err();
            return Outcome::Refused(None, error.to_string());
        };
        let mut snapshot = snapshot(before);
        match snapshot.apply_json(&self.delta.to_string()) {
            Ok(()) => Outcome::Applied(value(&snapshot)),
            Err(error) => {
                assert_eq!(&value(&snapshot), before, "row {} was refused and changed something", self.i);
                Outcome::Refused(Some(error.code.to_owned()), error.message)
            }
        }
    }
}

#[test]
fn every_pair_has_upstream_s_delta_step_for_step() {
    for row in rows::<Pair>("delta-vectors.ndjson") {
        let (a, b) = (Snapshot::from_json(row.a.get()).unwrap(), Snapshot::from_json(row.b.get()).unwrap());
        let delta = diff_snapshots(&a, &b).unwrap();
        let values = |json: &str| serde_json::from_str::<Value>(json).unwrap();
        assert_eq!(values(&delta.to_json()), values(row.delta.get()), "row {}", row.i);
        let read = Delta::from_json(row.delta.get()).unwrap();
        assert_eq!(read.to_json(), delta.to_json(), "row {}", row.i);
    }
}

#[test]
fn every_delta_applies_as_upstream_applies_it() {
    for row in rows::<Pair>("delta-vectors.ndjson") {
        assert!(row.root_reproduced);
        let (mut streamed, mut read) =
            (Snapshot::from_json(row.a.get()).unwrap(), Snapshot::from_json(row.a.get()).unwrap());
        streamed.apply_json(row.delta.get()).unwrap();
        read.apply(&Delta::from_json(row.delta.get()).unwrap()).unwrap();
        assert_eq!(streamed.to_json(), read.to_json(), "row {}", row.i);
        let mut after = value(&streamed);
        let root = after.as_object_mut().unwrap().remove("root").unwrap();
        let b: Value = serde_json::from_str(row.b.get()).unwrap();
        assert_eq!(root, b["root"], "row {}", row.i);
        assert_eq!(after, row.applied_header, "row {}", row.i);
    }
}

#[test]
fn every_malformed_delta_ends_as_upstream_ends_or_is_listed() {
    let list = divergences();
    let mut problems = Vec::new();
    for row in rows::<Malformed>("delta-malformed-vectors.ndjson") {
        let class = list.classes.iter().find(|class| class.rows.contains(&row.i));
        let (expected, ours) = (row.expected(), row.ours());
        let explained = class.is_some_and(|class| {
            ours == Outcome::Refused(Some("InvalidDelta".to_owned()), class.ours.clone())
        });
        match class {
            None if ours == expected => {}
            Some(_) if ours != expected && explained => {}
            None => problems.push(format!("{}: expected {expected:?}, found {ours:?}", row.i)),
            Some(class) => problems.push(format!("{}: is listed as {}, found {ours:?}", row.i, class.id)),
        }
    }
    assert!(problems.is_empty(), "{} rows:\n{}", problems.len(), problems.join("\n"));
}

#[test]
fn the_list_counts_the_rows_and_gives_every_reason() {
    let list = divergences();
    let malformed: Vec<u64> =
        rows::<Malformed>("delta-malformed-vectors.ndjson").iter().map(|row| row.i).collect();
    assert_eq!(list.counts["delta"], rows::<Pair>("delta-vectors.ndjson").len());
    assert_eq!(list.counts["delta-malformed"], malformed.len());
    let mut listed: Vec<u64> = Vec::new();
    for class in &list.classes {
        assert!(class.reason.len() > 40, "{} has no reason", class.id);
        assert!(class.rows.is_sorted(), "{} is not sorted", class.id);
        assert!(
            class.rows.iter().all(|row| malformed.contains(row)),
            "{} names a row that is not there",
            class.id
        );
        listed.extend(&class.rows);
    }
    let before = listed.len();
    listed.sort_unstable();
    listed.dedup();
    assert_eq!(before, listed.len(), "a row stands in two classes");
}
