//! Fields of runs whose names have a mistake: each is a problem that names the field which it was probably meant to be. Nothing is
//! refused for it, and no state changes.

use std::fs;
use std::path::Path;

use super::vectors;
use crate::file::File;
use crate::ingest::{Document, open};
use crate::time::Millis;

const NOW: Millis = Millis(1_795_296_600_000.0);

fn document(text: &str) -> Document {
    open(&[File { name: None, bytes: text.as_bytes() }], NOW)
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// What a document says of each of its runs.
fn shown(document: &Document) -> Vec<String> {
    let rows = (0..document.rows().len()).map(Some).chain([None]);
    rows.map(|row| format!("{:?}", document.header(row, NOW))).collect()
}

#[test]
fn a_misspelt_field_is_a_problem_and_changes_nothing() {
    const RUN: &str = "a run";
    for (record, row, field, meant) in [
        (RUN, r#"{"runId":"r1","status":"finished"}"#, "finishedAtMS", "finishedAtMs"),
        (RUN, r#"{"run_id":"r1","status":"finished"}"#, "finished_at_m", "finished_at_ms"),
        (RUN, r#"{"runId":"r1","status":"running"}"#, "heartbeatAtMS", "heartbeatAtMs"),
        (RUN, r#"{"runId":"r1","status":"running"}"#, "heartbeat-at-ms", "heartbeatAtMs"),
        (RUN, r#"{"runId":"r1","workflowName":"w"}"#, "stauts", "status"),
        (RUN, r#"{"runId":"r1","status":"failed"}"#, "error_jsn", "error_json"),
        (RUN, r#"{"runId":"r1","status":"running"}"#, "runtimeOwnerID", "runtimeOwnerId"),
        (
            "a session",
            r#"{"session_id":"s1","status":"completed","invocation_kind":"agent"}"#,
            "endedAt",
            "ended_at",
        ),
    ] {
        let sentence = format!("`{field}` is not a field of {record}; did you mean `{meant}`?");
        let misspelt = row.replacen('}', &format!(r#","{field}":1795296590000}}"#), 1);
        let known = misspelt.replacen('}', &format!(r#","{meant}":null}}"#), 1);
        for (around, path) in [
            ("ROW", ""),
            (r#"[{"runId":"r0","status":"failed"},ROW]"#, "[1]."),
            (r#"{"type":"res","id":"1","ok":true,"payload":ROW}"#, "payload."),
        ] {
            if record != RUN && !path.is_empty() {
                continue;
            }
            let [plain, found, known] =
                [row, &misspelt, &known].map(|row| document(&around.replace("ROW", row)));
            let path = if path.is_empty() { String::new() } else { format!("`{path}{field}`: ") };
            let problems = found.problems().texts();
            assert_eq!(problems.len(), 1, "{around} {misspelt}: {problems:?}");
            assert!(problems[0].ends_with(&format!(": {path}{sentence}")), "{problems:?}");
            assert_eq!(shown(&found), shown(&plain), "{misspelt}");
            assert!(known.problems().is_empty(), "{around} {misspelt}: {:?}", known.problems().texts());
        }
    }
}

#[test]
fn a_misspelt_id_is_named_where_the_run_is_refused() {
    for text in [r#"{"runid":"r1","status":"failed"}"#, r#"[{"run-id":"r1","status":"failed"}]"#] {
        let error = open(&[File { name: None, bytes: text.as_bytes() }], NOW).unwrap_err();
        let hint = error.hint.unwrap_or_default();
        assert!(
            hint.contains("is not a field of a run; did you mean `runId`? Open a response"),
            "{text}: {hint}"
        );
    }
    let list = document(r#"[{"runId":"r0","status":"failed"},{"runid":"r1","status":"failed"}]"#);
    let problems = list.problems().texts().join("\n");
    assert!(
        problems.contains("`[1].runid`: `runid` is not a field of a run; did you mean `runId`?"),
        "{problems}"
    );
    assert_eq!(list.rows().len(), 1);
}

fn each_file(folder: &Path, look: &mut dyn FnMut(&str, &[u8])) {
    for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            each_file(&path, look);
        } else {
            look(path.to_str().unwrap(), &fs::read(&path).unwrap());
        }
    }
}

#[test]
fn no_captured_document_has_a_misspelt_field() {
    let mut opened = 0;
    each_file(&vectors::path(".."), &mut |name, bytes| {
        let asks = |text: &str| assert!(!text.contains("did you mean"), "{name}: {text}");
        match open(&[File { name: Some(name), bytes }], NOW) {
            Ok(document) => {
                opened += 1;
                document.problems().texts().iter().for_each(|problem| asks(problem));
            }
            Err(error) => asks(&error.hint.unwrap_or_default()),
        }
    });
    assert!(opened > 800, "{opened}");
}
