//! Documents with many rows are read in linear time.

use super::growth::grows_linearly;

use runstate::file::File;
use runstate::ingest::{Document, open};
use runstate::time::Millis;

const NOW: Millis = Millis(1_795_350_000_000.0);
const MANY: usize = 1_500;

fn opened(texts: &[String]) -> Document {
    let files: Vec<File<'_>> = texts.iter().map(|text| File { name: None, bytes: text.as_bytes() }).collect();
    open(&files, NOW).unwrap()
}

/// A list of runs, each started by the one before it.
fn continued_runs(count: usize) -> String {
    let row = |number: usize| match number.checked_sub(1) {
        None => r#"{"runId":"r0","status":"continued"}"#.to_owned(),
        Some(parent) => format!(r#"{{"runId":"r{number}","status":"continued","parentRunId":"r{parent}"}}"#),
    };
    format!("[{}]", (0..count).map(row).collect::<Vec<_>>().join(","))
}

/// A line for each attempt.
fn attempts(run_id: &str, count: usize) -> String {
    let row = |number: usize| {
        format!(r#"{{{run_id}"nodeId":"n{number}","iteration":0,"attempt":1,"state":"finished"}}"#)
    };
    (0..count).map(row).collect::<Vec<_>>().join("\n")
}

#[test]
fn each_of_many_continued_runs_names_the_next_one() {
    grows_linearly(MANY, |many| {
        let document = opened(&[continued_runs(many), r#"{"runId":"x","status":"failed"}"#.to_owned()]);
        let runs = &document.smithers().unwrap().runs;
        assert_eq!(runs.len(), many);
        for (number, run) in runs.iter().enumerate().take(many - 1) {
            assert_eq!(run.continued_as, Some(format!("r{}", number + 1)), "{:?}", run.run_id);
        }
        assert_eq!(runs.last().unwrap().continued_as, None);
    });
}

#[test]
fn many_attempts_that_name_no_run_are_counted_beside_many_runs() {
    grows_linearly(MANY, |many| {
        let document = opened(&[continued_runs(many), attempts("", many)]);
        assert_eq!(document.smithers().unwrap().runs.len(), many);
        assert_eq!(document.problems().texts().last().unwrap(), &format!("{} more problems.", many - 20));
    });
}

#[test]
fn many_attempts_on_lines_of_their_own_join_their_run() {
    for run_id in [r#""runId":"r","#, ""] {
        grows_linearly(MANY, |many| {
            let document =
                opened(&[r#"{"runId":"r","status":"running"}"#.to_owned(), attempts(run_id, many)]);
            let run = document.smithers().unwrap().run.as_ref().unwrap();
            assert_eq!(run.attempts.len(), many, "{run_id}");
            assert!(document.problems().is_empty(), "{run_id}: {:?}", document.problems().texts());
        });
    }
}

#[test]
fn of_a_log_with_very_many_runs_the_first_are_shown() {
    let line = |run: usize| format!("{{\"type\":\"RunStarted\",\"runId\":\"r{run}\",\"timestampMs\":1}}\n");
    let log: String = (0..100_002).map(line).collect();
    let document = open(&[File { name: Some("log.ndjson"), bytes: log.as_bytes() }], Millis(9.0)).unwrap();
    assert_eq!(document.rows().len(), 100_000);
    let problems = document.problems().texts();
    let said =
        problems.iter().any(|text| text == "log.ndjson: Only the first 100000 runs of the log are shown.");
    assert!(said, "{problems:?}");
}
