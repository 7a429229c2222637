//! A document that is truncated or damaged in one place: its complete parts load, no statement contradicts the whole
//! document, and the missing part has a position.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use runstate::file::File;
use runstate::ingest::{Document, DocumentError, open};
use runstate::summary::text as text_of;
use runstate::time::Millis;
use runstate::word::Vocabulary;
use serde_json::{Value, json};

/// Real answers, rows and files of all three systems, one document each, whose statements do not depend on their length, as
/// those of a log do.
const DOCUMENTS: [&str; 23] = [
    "timer-a.getRun.json",
    "rows.json",
    "db-rows.json",
    "inspect.json",
    "ps.json",
    "status-fail-a.json",
    "status-ed-no-owner.json",
    "status-quota-orphaned.json",
    "cut-brace.json",
    "snapshot-node-id.json",
    "lionagi-session.json",
    "lionagi-runs.json",
    "lionagi-legacy.json",
    "lionagi-failed.json",
    "lionagi-agent-status.json",
    "lionagi-show.json",
    "lionagi-gated-plays.json",
    "conductor-cut-ended/metadata.json",
    "gate-approved/artifacts/final_review/manifest.json",
    "killed-a.runstate.json",
    "whole/doctor.json",
    "whole/lifecycle.json",
    "whole/why.json",
];

/// The maximum number of positions tried per document, so that all of them take seconds.
const PLACES: usize = 100;

fn now() -> Millis {
    Millis::parse_iso("2026-11-21T21:30:00.000Z").unwrap()
}

fn text(name: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/vectors/documents/valid");
    fs::read_to_string(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The last folder and the base name do not affect files that are recognised by content.
fn opened(text: &str) -> Result<Document, DocumentError> {
    open(&[File { name: Some("x.json"), bytes: text.as_bytes() }], now())
}

/// The state of the run in view and of each row, by id, if there is one.
fn said(document: &Document) -> BTreeMap<String, String> {
    let mut said = BTreeMap::new();
    let mut take = |id: &str, row| {
        let header = document.header(row, now());
        let state = header.and_then(|header| header.state).filter(|state| state != "unknown");
        said.extend(state.map(|state| (id.to_owned(), state)));
    };
    take("in view", None);
    for (place, row) in document.rows().into_iter().enumerate() {
        take(&row.id, Some(place));
    }
    said
}

/// A sentence of a header that calls something complete.
fn claims_to_be_complete(document: &Document) -> Option<String> {
    let rows = (0..document.rows().len()).map(Some).chain([None]);
    let headers = rows.filter_map(|row| document.header(row, now()));
    let sentences = headers.flat_map(|header| {
        let answer = header.answer;
        [answer.sentence, answer.meta, answer.because].into_iter().chain(answer.notes)
    });
    let is_complete = |word: &str| word.trim_matches(['.', ',', ';']).eq_ignore_ascii_case("complete");
    sentences.map(|parts| text_of(&parts)).find(|sentence| sentence.split_whitespace().any(is_complete))
}

/// Whether something is to be seen of it.
fn shows(document: &Document) -> bool {
    document.has_run() || !document.rows().is_empty()
}

fn has_a_place(problem: &str) -> bool {
    problem.contains("ine ") && problem.contains("column ")
}

#[test]
fn whatever_the_cut_the_whole_is_not_contradicted_and_the_cut_is_named() {
    for name in DOCUMENTS {
        let text = text(name);
        let whole = said(&opened(&text).unwrap_or_else(|error| panic!("{name}: {error}")));
        let step = text.len() / PLACES + 1;
        let mut opens = None;
        for cut in (0..text.trim_end().len()).step_by(step).filter(|cut| text.is_char_boundary(*cut)) {
            let place = format!("{name} cut at {cut}");
            match opened(&text[..cut]) {
                Ok(document) => {
                    for (id, state) in said(&document) {
                        assert_eq!(
                            whole.get(&id),
                            Some(&state),
                            "{place}: {id}: {:?}",
                            document.problems().texts()
                        );
                    }
                    let problems = document.problems().texts();
                    assert!(problems.iter().any(|problem| has_a_place(problem)), "{place}: {problems:?}");
                    assert_eq!(claims_to_be_complete(&document), None, "{place}");
                    opens = opens.or(shows(&document).then_some(cut));
                }
                Err(error) => {
                    assert!(
                        error.position.is_some() || error.code.as_str() == "EMPTY_INPUT",
                        "{place}: {error}"
                    );
                    // Complete parts stay complete.
                    assert_eq!(opens, None, "{place}, although it opens before: {error}");
                }
            }
        }
        // A document of one row is readable once that row is complete, a list once its first row is.
        assert!(opens.is_some_and(|at| at < text.len() * 19 / 20), "{name} opens at {opens:?}");
    }
}

/// A list of rows, its path, and the key of a row's id.
const LISTS: [(&str, &str, &str); 6] = [
    ("rows.json", "", "runId"),
    ("db-rows.json", "", "run_id"),
    ("ps.json", "/runs", "id"),
    ("lionagi-runs.json", "/runs", "session_id"),
    ("lionagi-gated-plays.json", "", "id"),
    ("lionagi-show.json", "/plays", "name"),
];

#[test]
fn one_damaged_row_takes_nothing_from_the_others() {
    for (name, way, key) in LISTS {
        let document: Value = serde_json::from_str(&text(name)).unwrap();
        let whole = opened(&text(name)).unwrap();
        let (all, states) = (whole.rows().len(), said(&whole));
        let rows = document.pointer(way).and_then(Value::as_array).unwrap_or_else(|| panic!("{name}: {way}"));
        for (place, row) in rows.iter().enumerate().take(2) {
            let keys: Vec<String> = row.as_object().unwrap().keys().cloned().collect();
            for field in keys.iter().map(Some).chain([None]) {
                for wrong in [json!(null), json!(7), json!({})] {
                    let mut damaged = document.clone();
                    let row = &mut damaged.pointer_mut(way).unwrap()[place];
                    match field {
                        Some(field) => row[field] = wrong.clone(),
                        None => *row = wrong.clone(),
                    }
                    let what = format!("{name}, row {place}, {field:?} is {wrong}");
                    let text = serde_json::to_string_pretty(&damaged).unwrap();
                    let found = opened(&text).unwrap_or_else(|error| panic!("{what}: {error}"));
                    let (rows, problems) = (found.rows().len(), found.problems().texts());
                    assert!(rows + 1 >= all, "{what}: {rows} of {all}");
                    assert!(
                        rows == all || problems.iter().any(|problem| has_a_place(problem)),
                        "{what}: {problems:?}"
                    );
                    let own = document.pointer(way).unwrap()[place][key].as_str().unwrap();
                    for (id, state) in said(&found).iter().filter(|(id, _)| states.contains_key(*id)) {
                        assert!(id.ends_with(own) || states.get(id) == Some(state), "{what}: {id}: {state}");
                    }
                }
            }
        }
    }
}

/// The paths of all nodes of a tree.
fn nodes(way: &str, node: &Value, out: &mut Vec<String>) {
    for (place, child) in node["children"].as_array().into_iter().flatten().enumerate() {
        let way = format!("{way}/children/{place}");
        nodes(&way, child, out);
        out.push(way);
    }
}

#[test]
fn one_damaged_node_takes_nothing_from_the_rest_of_the_tree() {
    let text = text("snapshot-node-id.json").replacen("\"x\"", "77", 1);
    let document: Value = serde_json::from_str(&text).unwrap();
    let whole = opened(&text).unwrap();
    assert!(whole.problems().is_empty());
    let all = whole.tree(None).unwrap().len();
    let mut ways = Vec::new();
    nodes("/root", &document["root"], &mut ways);
    assert_eq!(ways.len(), all - 1);
    for way in ways {
        let mut under = Vec::new();
        nodes(&way, document.pointer(&way).unwrap(), &mut under);
        for field in ["id", "type", "name", "props", "children", "task", "depth"] {
            for wrong in [json!(null), json!("x"), json!(7), json!([7]), json!({"a": 1})] {
                let mut damaged = document.clone();
                damaged.pointer_mut(&way).unwrap()[field] = wrong.clone();
                let what = format!("{way}: {field} is {wrong}");
                let found = opened(&serde_json::to_string_pretty(&damaged).unwrap())
                    .unwrap_or_else(|error| panic!("{what}: {error}"));
                assert_eq!(said(&found), said(&whole), "{what}");
                let (len, problems) = (found.tree(None).unwrap().len(), found.problems().texts());
                // A node is removed with its subtree, or only loses its broken children; or the text was valid.
                assert!(len + under.len() + 1 >= all, "{what}: {len} of {all}");
                let named = |problem: &String| has_a_place(problem) && problem.contains("`root.children[");
                assert!(
                    len == all && problems.is_empty() || problems.iter().any(named),
                    "{what}: {problems:?}"
                );
            }
        }
    }
}
