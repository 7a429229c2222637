//! Every file and set of files under `tests/vectors/documents` opens, or is refused, as listed in its index.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::PathBuf;

use runstate::error_code::ErrorCode;
use runstate::file::File;
use runstate::header::{FieldValue, Header};
use runstate::ingest::{Document, DocumentError, open};
use runstate::summary::text;
use runstate::time::Millis;
use runstate::tree::Tree;
use runstate::word::Vocabulary;
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Valid {
    id: String,
    reason: String,
    source: String,
    files: Vec<String>,
    now: String,
    recognised: String,
    run: Option<InView>,
    #[serde(default)]
    rows: usize,
    /// The state of each row, if they are compared.
    listed: Option<Vec<Option<String>>>,
    refusal: Option<String>,
    /// How each problem begins.
    problems: Vec<String>,
    /// How notes beside the state begin; others may be there, too.
    #[serde(default)]
    notes: Vec<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct InView {
    run_id: Option<String>,
    session_id: Option<String>,
    state: Option<String>,
    blocked: Option<String>,
    frame_no: Option<u32>,
    nodes: Option<usize>,
    #[serde(default)]
    node_states: BTreeMap<String, String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Invalid {
    id: String,
    reason: String,
    source: String,
    files: Vec<String>,
    now: String,
    error: Refused,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Refused {
    code: String,
    line: Option<usize>,
    column: Option<usize>,
}

fn folder(kind: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../vectors/documents").join(kind)
}

fn index<T: for<'de> Deserialize<'de>>(kind: &str) -> Vec<T> {
    serde_json::from_str(&fs::read_to_string(folder(kind).join("index.json")).unwrap()).unwrap()
}

fn opened(kind: &str, names: &[String], now: &str) -> Result<Document, DocumentError> {
    let bytes: Vec<Vec<u8>> = names
        .iter()
        .map(|name| fs::read(folder(kind).join(name)).unwrap_or_else(|_| panic!("no file {name}")))
        .collect();
    let files: Vec<File<'_>> =
        names.iter().zip(&bytes).map(|(name, bytes)| File { name: Some(name), bytes }).collect();
    open(&files, Millis::parse_iso(now).unwrap())
}

/// The differences from the index.
fn differences(case: &Valid, document: &Document) -> Vec<String> {
    let mut out = Vec::new();
    let mut check = |what: &str, found: String, expected: String| {
        if found != expected {
            out.push(format!("{}: {what}: expected {expected}, found {found}", case.id));
        }
    };
    check("recognised", document.kind().into(), case.recognised.clone());
    check("rows", document.rows().len().to_string(), case.rows.to_string());
    if let Some(listed) = &case.listed {
        let states: Vec<_> = document.rows().into_iter().map(|row| row.state).collect();
        check("the states of the rows", format!("{states:?}"), format!("{listed:?}"));
        let now = Millis::parse_iso(&case.now).unwrap();
        let headers = (0..states.len()).filter(|row| document.header(Some(*row), now).is_some()).count();
        check("rows with a header", headers.to_string(), states.len().to_string());
    }
    let refusal = document.refusal().map(|refusal| refusal.code.clone());
    check("refusal", format!("{refusal:?}"), format!("{:?}", case.refusal));
    let begins =
        document.problems().texts().iter().zip(&case.problems).all(|(is, begin)| is.starts_with(begin));
    if !begins || document.problems().texts().len() != case.problems.len() {
        check("problems", format!("{:#?}", document.problems().texts()), format!("{:#?}", case.problems));
    }
    let header = document.header(None, Millis::parse_iso(&case.now).unwrap());
    check("a run in view", header.is_some().to_string(), case.run.is_some().to_string());
    let notes: Vec<String> =
        header.iter().flat_map(|header| &header.answer.notes).map(|note| text(note)).collect();
    for begin in &case.notes {
        if !notes.iter().any(|note| note.starts_with(begin)) {
            check("notes", format!("{notes:#?}"), begin.clone());
        }
    }
    if let (Some(run), Some(header)) = (&case.run, header) {
        in_view(run, &header, document.tree(None), &mut check);
    }
    out
}

/// The state of the first task with this id.
fn task_state(tree: &Tree, node_id: &str) -> Option<String> {
    let rows = tree.outline(&HashSet::new()).rows(0..usize::MAX);
    let mut nodes = rows.into_iter().map(|row| tree.node(row.index));
    let node = nodes.find(|node| node.task.as_ref().is_some_and(|task| task.node_id == node_id))?;
    node.state().map(ToString::to_string)
}

/// Compares the header and the tree of the run in view.
fn in_view(run: &InView, header: &Header, tree: Option<&Tree>, check: &mut impl FnMut(&str, String, String)) {
    let field = |name: &str| {
        header.fields.iter().find(|field| field.field == name).map(|field| match &field.value {
            FieldValue::Id(text)
            | FieldValue::Text(text)
            | FieldValue::Code(text)
            | FieldValue::Time { text, .. } => text.clone(),
        })
    };
    for (name, id) in [("runId", &run.run_id), ("sessionId", &run.session_id)] {
        if id.is_some() {
            check(name, format!("{:?}", field(name)), format!("{id:?}"));
        }
    }
    if let Some(state) = &run.state {
        check("state", format!("{:?}", header.state), format!("{:?}", Some(state)));
    }
    if let Some(blocked) = &run.blocked {
        check("blocked", format!("{:?}", header.blocked), format!("{:?}", Some(blocked)));
    }
    if let Some(frame_no) = run.frame_no {
        check("frameNo", format!("{:?}", field("frameNo")), format!("{:?}", Some(frame_no.to_string())));
    }
    if let Some(nodes) = run.nodes {
        check("nodes", format!("{:?}", tree.map(Tree::len)), format!("{:?}", Some(nodes)));
    }
    for (node_id, state) in &run.node_states {
        let found = tree.and_then(|tree| task_state(tree, node_id));
        check(node_id, format!("{found:?}"), format!("{:?}", Some(state)));
    }
}

#[test]
fn every_valid_case_opens_as_its_index_says() {
    let mut wrong = Vec::new();
    for case in index::<Valid>("valid") {
        match opened("valid", &case.files, &case.now) {
            Ok(document) => wrong.extend(differences(&case, &document)),
            Err(error) => wrong.push(format!("{}: refused: {} {error}", case.id, error.code)),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_invalid_case_is_refused_with_its_code_and_place() {
    let mut wrong = Vec::new();
    for case in index::<Invalid>("invalid") {
        assert!(ErrorCode::from_word(&case.error.code).is_some(), "{}", case.id);
        match opened("invalid", &case.files, &case.now) {
            Ok(document) => wrong.push(format!("{}: opened as {}", case.id, document.kind())),
            Err(error) => {
                let place = error.position.as_ref();
                let found =
                    (error.code.as_str(), place.map(|place| place.line), place.map(|place| place.column));
                if found != (case.error.code.as_str(), case.error.line, case.error.column) {
                    wrong.push(format!("{}: found {found:?}: {error}", case.id));
                }
                assert!(error.message.ends_with('.'), "{}: {error}", case.id);
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A file of files, each case once, with its reason and source, and at least as many refused as accepted.
#[test]
fn the_indices_are_whole() {
    let (valid, invalid) = (index::<Valid>("valid"), index::<Invalid>("invalid"));
    let mut ids: Vec<&str> = Vec::new();
    for (kind, id, reason, source, files) in valid
        .iter()
        .map(|case| ("valid", &case.id, &case.reason, &case.source, &case.files))
        .chain(invalid.iter().map(|case| ("invalid", &case.id, &case.reason, &case.source, &case.files)))
    {
        assert!(reason.ends_with('.') && !source.is_empty() && !files.is_empty(), "{id}");
        assert!(files.iter().all(|file| folder(kind).join(file).is_file()), "{id}");
        ids.push(id);
    }
    assert!(invalid.len() >= valid.len(), "{} refused, {} accepted", invalid.len(), valid.len());
    // Codes of the panel are tested in `tests/browser/documents.test.mjs`; the codes of logs, trees,
    // histories and adapters in `core/tests` and `tests/conformance/node`.
    let of_no_document = [
        ErrorCode::Unreadable,
        ErrorCode::DocumentClosed,
        ErrorCode::NotAnEvent,
        ErrorCode::Truncated,
        ErrorCode::RunNotFound,
        ErrorCode::NoFrame,
        ErrorCode::DifferentRuns,
        ErrorCode::InvalidTime,
    ];
    for code in ErrorCode::ALL.iter().filter(|code| !of_no_document.contains(code)) {
        assert!(invalid.iter().any(|case| case.error.code == code.as_str()), "{code} occurs nowhere");
    }
    assert!(ids.len() > 90);
}
