//! The error of a run is one text, whether it is read from its row or from its log: the same sentence says why it failed.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use serde_json::{Value, json};

use super::vectors;
use crate::file::File;
use crate::ingest::open;
use crate::run::{DocumentKind, RunInspection};
use crate::smithers::wire::RunState;
use crate::summary::text;
use crate::time::Millis;
use crate::word::Vocabulary;

const NOW: Millis = Millis(1_795_296_600_000.0);

/// What a file says of a failed run: the error, and the sentence about it.
type Said = (String, String);

fn said(run: &RunInspection, sentence: String) -> Option<(String, Said)> {
    let is_failed = run.known_state() == Some(RunState::Failed);
    let error = run.error.clone().filter(|_| is_failed)?;
    Some((run.run_id.clone()?, (error, sentence)))
}

/// The failed runs of a file, and whether it is a log. `smithers why` has a sentence of its own.
fn failed_runs(name: &str, bytes: &[u8]) -> (bool, Vec<(String, Said)>) {
    let Ok(document) = open(&[File { name: Some(name), bytes }], NOW) else { return (false, Vec::new()) };
    if document.kind() == DocumentKind::WhyOutput.as_str() {
        return (false, Vec::new());
    }
    let is_log = !document.event_logs().is_empty();
    let rows = (0..document.rows().len()).map(Some).chain([None]);
    let runs = rows.filter_map(|row| {
        let sentence = text(&document.run(row)?.short_answer(NOW).sentence);
        said(document.smithers_run(row)?, sentence)
    });
    (is_log, runs.collect())
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files_below(&path) } else { vec![path] }).collect()
}

#[test]
fn the_log_and_the_row_of_a_captured_run_say_the_same_of_its_error() {
    let [mut by_row, mut by_log]: [BTreeMap<String, Vec<Said>>; 2] = Default::default();
    for path in files_below(&vectors::path("")) {
        let (is_log, runs) =
            failed_runs(path.file_name().unwrap().to_str().unwrap(), &fs::read(&path).unwrap());
        for (run_id, said) in runs {
            let by = if is_log { &mut by_log } else { &mut by_row };
            by.entry(run_id).or_default().push(said);
        }
    }
    let mut compared = 0;
    for (run_id, logs) in &by_log {
        for (log, row) in
            logs.iter().flat_map(|log| by_row.get(run_id).into_iter().flatten().map(move |row| (log, row)))
        {
            assert_eq!(log, row, "{run_id}");
            compared += 1;
        }
    }
    assert!(compared > 2, "{compared}");
}

/// The error of a run by its row, and by its log.
fn both(error: &Value) -> [Option<String>; 2] {
    let row = json!({"runId": "r1", "status": "failed", "errorJson": error.to_string()}).to_string();
    let start = json!({"type": "RunStarted", "runId": "r1", "timestampMs": 1000});
    let end = json!({"type": "RunFailed", "runId": "r1", "timestampMs": 2000, "error": error});
    let log = format!("{start}\n{end}\n");
    [row, log].map(|text| {
        let document = open(&[File { name: None, bytes: text.as_bytes() }], NOW).unwrap();
        document.smithers_run(None).unwrap().error.clone()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_log_and_the_row_of_any_run_say_the_same_of_its_error(
        [name, message, summary, cause] in prop::array::uniform4(prop::option::of("[a-zA-Z .:\\n\"\\\\/-]{0,30}( See https://smithers.sh/[a-z]{1,5})?")),
        is_text in any::<bool>(),
    ) {
        let object = json!({"name": name, "message": message, "summary": summary, "cause": {"message": cause}});
        let error = if is_text { json!(message) } else { object };
        let [row, log] = both(&error);
        prop_assert_eq!(row, log, "{}", error);
    }
}
