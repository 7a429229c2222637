//! Several files of one system, opened together: one document, whatever their order.
#![allow(missing_docs)]

use runstate::document::{Document, File, open};
use runstate::header::Header;
use runstate::time::Millis;

const NOW: Millis = Millis(1_795_350_000_000.0);

fn capture(path: &str) -> (String, Vec<u8>) {
    let file = format!("{}/../tests/vectors/lionagi/captures/{path}", env!("CARGO_MANIFEST_DIR"));
    let bytes = std::fs::read(&file).unwrap_or_else(|error| panic!("{file}: {error}"));
    (path.rsplit('/').next().unwrap().to_owned(), bytes)
}

fn of(name: &str, json: &str) -> (String, Vec<u8>) {
    (name.to_owned(), json.as_bytes().to_vec())
}

fn opened(files: &[(String, Vec<u8>)]) -> Document {
    let files: Vec<File<'_>> = files.iter().map(|(name, bytes)| File { name: Some(name), bytes }).collect();
    open(&files, NOW).unwrap()
}

/// The files as they are, and the other way round.
fn both_ways(mut files: Vec<(String, Vec<u8>)>) -> [Document; 2] {
    let first = opened(&files);
    files.reverse();
    [first, opened(&files)]
}

fn header_of(document: &Document, id: &str) -> Header {
    let rows = document.rows();
    let row = rows.iter().position(|row| row.id.starts_with(id));
    document.header(row, NOW).unwrap()
}

#[test]
fn a_session_is_shown_as_it_was_written_last() {
    let files =
        ["run-after-transition-dead-stale-fresh", "run-dead-stale-fresh", "runs-list-p1", "admin-health"];
    for document in both_ways(files.map(|name| capture(&format!("studio/{name}.json"))).to_vec()) {
        let header = header_of(&document, "e6e6ea15");
        assert_eq!((header.state.as_deref(), header.unhealthy), (Some("failed"), None));
        assert!(header.answer.notes.is_empty(), "{:?}", header.answer.notes);
    }
}

#[test]
fn an_answer_that_says_no_is_one_of_the_problems_of_what_else_there_is() {
    let files = ["run-completed-ok", "run-not-found", "run-alive-healthy"];
    for document in both_ways(files.map(|name| capture(&format!("studio/{name}.json"))).to_vec()) {
        assert_eq!((document.refusal(), document.rows().len()), (None, 2));
        assert_eq!(
            document.problems(),
            ["run-not-found.json: The server answered no, with NOT_FOUND: Run 'nope' not found."]
        );
    }
    let run = of("run.json", r#"{"runId":"r1","status":"finished"}"#);
    let no = of("no.json", r#"{"code":"RUN_NOT_FOUND","message":"Run not found: r9 See the manual."}"#);
    for document in both_ways(vec![run, no.clone()]) {
        assert!(document.has_run() && document.refusal().is_none());
        assert_eq!(
            document.problems(),
            ["no.json: The server answered no, with RUN_NOT_FOUND: Run not found: r9 See the manual."]
        );
    }
    let other = of("other.json", r#"{"code":"FORBIDDEN","message":"Not yours"}"#);
    for document in both_ways(vec![no, other]) {
        assert!(document.refusal().is_some(), "nothing but refusals");
        assert_eq!(document.problems().len(), 1, "{:?}", document.problems());
    }
}

#[test]
fn what_a_daemon_says_of_its_pairing_is_not_about_a_token_that_was_sent() {
    let document = opened(&[capture("studio/cors-null-origin.json")]);
    assert_eq!(document.refusal().unwrap().code, "REFUSED");
    assert_eq!(opened(&[capture("partial/token-missing.json")]).refusal().unwrap().code, "UNAUTHORIZED");
}
