//! Real documents in which one value is replaced: a field that decides nothing refuses nothing, and no state changes without
//! a word about it.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use runstate::file::File;
use runstate::ingest::{Document, open};
use runstate::time::Millis;
use serde_json::{Value, json};

/// The maximum number of documents, the maximum size of each in bytes, and the maximum number of values that are replaced in
/// each.
const MAX_DOCUMENTS: usize = 60;
const MAX_SIZE: usize = 40_000;
const MAX_LEAVES: usize = 40;

/// The keys by which a document is recognised, a run or a node is identified, or a state is named, and the texts that are
/// all of a document's content. Another value there may refuse the record.
const DECISIVE: [&str; 50] = [
    // Identities.
    "id",
    "item_id",
    "key",
    "name",
    "node_id",
    "nodeId",
    "play_name",
    "run_id",
    "runId",
    "session_id",
    "target_id",
    "topic",
    // States.
    "action",
    "code",
    "dbStatus",
    "ok",
    "source_status",
    "state",
    "status",
    "termination",
    "verdict",
    // Kinds and versions.
    "entity_type",
    "event",
    "kind",
    "method",
    "resumable",
    "type",
    "url",
    "version",
    // Times, numbers and order of events, attempts and frames.
    "attempt",
    "frameNo",
    "seq",
    "timestampMs",
    // Content.
    "agent_family",
    "branch_name",
    "children",
    "detail",
    "details",
    "events",
    "message",
    "payload",
    "props",
    "summary",
    "tag",
    "taskIndexJson",
    "xmlJson",
    "new_state",
    "tasks",
    "violations",
    "xml",
];

struct Case {
    id: String,
    now: Millis,
    document: Value,
}

/// The documents of the vectors that are one JSON value in one file, and open without a problem.
fn cases() -> Vec<Case> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../vectors/documents/valid");
    let index: Vec<Value> =
        serde_json::from_str(&fs::read_to_string(folder.join("index.json")).unwrap()).unwrap();
    let read = |case: &Value| {
        let [file] = case["files"].as_array()?.as_slice() else { return None };
        let is_plain = case["problems"].as_array()?.is_empty();
        let text = fs::read_to_string(folder.join(file.as_str()?))
            .ok()
            .filter(|text| is_plain && text.len() < MAX_SIZE)?;
        let document: Value = serde_json::from_str(&text).ok()?;
        let is_container = document.is_object() || document.is_array();
        // A HAR file and an export are containers of texts.
        let is_record =
            is_container && !["runstateExport", "log"].iter().any(|key| document.get(key).is_some());
        is_record.then(|| Case {
            id: case["id"].as_str().unwrap_or_default().to_owned(),
            now: Millis::parse_iso(case["now"].as_str().unwrap_or_default()).unwrap_or(Millis(0.0)),
            document,
        })
    };
    let cases: Vec<Case> = index.iter().filter_map(read).collect();
    let cases_count = cases.len().max(MAX_DOCUMENTS);
    // Spread over all kinds, whose cases stand together.
    let share = |index: usize| index * MAX_DOCUMENTS / cases_count;
    cases
        .into_iter()
        .enumerate()
        .filter(|(index, _)| share(*index) != share(index + 1))
        .map(|(_, case)| case)
        .collect()
}

/// The JSON pointers of all values that contain no others.
fn leaves(value: &Value, pointer: &str, out: &mut Vec<String>) {
    match value {
        Value::Object(members) if !members.is_empty() => {
            for (key, value) in members {
                leaves(value, &format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1")), out);
            }
        }
        Value::Array(items) if !items.is_empty() => {
            for (index, value) in items.iter().enumerate() {
                leaves(value, &format!("{pointer}/{index}"), out);
            }
        }
        Value::Object(_)
        | Value::Array(_)
        | Value::Null
        | Value::Bool(_)
        | Value::Number(_)
        | Value::String(_) => {
            out.push(pointer.to_owned());
        }
    }
}

/// What a person sees of the states: those of the run in view and of all rows, and everything that is said beside them.
#[derive(PartialEq)]
struct Shown {
    states: Vec<Option<String>>,
    rows: usize,
    said: Vec<String>,
}

fn shown(document: &Document, now: Millis) -> Shown {
    let header = document.header(None, now);
    let rows = document.rows();
    let headers = header.into_iter().chain((0..rows.len()).filter_map(|row| document.header(Some(row), now)));
    let (mut states, mut said) = (Vec::new(), document.problems().texts());
    for header in headers {
        said.extend(header.answer.notes.iter().map(|note| runstate::summary::text(note)));
        states.push(header.state);
    }
    Shown { states, rows: rows.len(), said }
}

fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "bool",
        Value::Number(_) => "number",
        // Drivers of databases write large integers as text.
        Value::String(text) if text.parse::<u64>().is_ok() => "number",
        Value::String(_) => "text",
        Value::Array(_) => "list",
        Value::Object(_) => "object",
    }
}

/// What is wrong with a document in which the value at `pointer` was replaced by `other`; `None` if nothing is.
fn fault(case: &Case, before: &Shown, pointer: &str, other: &Value) -> Option<&'static str> {
    let key = pointer.rsplit('/').find(|part| part.parse::<usize>().is_err()).unwrap_or_default();
    if DECISIVE.contains(&key) {
        return None;
    }
    let mut changed = case.document.clone();
    let value = changed.pointer_mut(pointer)?;
    // Null is a statement, and another value of the same type is a document of its own.
    let is_other_type = ![type_of(value), "null"].contains(&type_of(other)) && !value.is_null();
    *value = other.clone();
    let Ok(document) = open(&[File { name: None, bytes: changed.to_string().as_bytes() }], case.now) else {
        return Some("refused");
    };
    let after = shown(&document, case.now);
    if after.rows != before.rows {
        return Some("a row is missing");
    }
    (is_other_type && after.states != before.states && after.said == before.said)
        .then_some("another state without a word")
}

#[test]
fn a_field_of_another_type_refuses_nothing_and_changes_no_state_in_silence() {
    let values = [
        json!(null),
        json!(true),
        json!(7),
        json!(-1.5),
        json!("soon"),
        json!(""),
        json!([]),
        json!({}),
        json!([{"a": 1}]),
    ];
    let cases = cases();
    assert!(cases.len() >= 50, "{} documents", cases.len());
    let (mut count, mut faults) = (0, BTreeMap::<String, usize>::new());
    for case in &cases {
        let bytes = case.document.to_string();
        let plain = open(&[File { name: None, bytes: bytes.as_bytes() }], case.now).unwrap();
        let before = shown(&plain, case.now);
        let mut pointers = Vec::new();
        leaves(&case.document, "", &mut pointers);
        for pointer in pointers.iter().step_by(pointers.len().div_ceil(MAX_LEAVES)) {
            for other in &values {
                count += 1;
                if let Some(fault) = fault(case, &before, pointer, other) {
                    *faults.entry(format!("{}: {pointer} = {other}: {fault}", case.id)).or_default() += 1;
                }
            }
        }
    }
    assert!(count > 8_000, "{count} mutations");
    let listed: Vec<&String> = faults.keys().collect();
    assert!(faults.is_empty(), "{} of {count}:\n{listed:#?}", faults.len());
}
