//! Several files of one system, opened together: one document, whatever their order.

use std::path::Path;

use runstate::file::File;
use runstate::header::Header;
use runstate::ingest::{Document, open};
use runstate::pill::Tone;
use runstate::summary::{AnswerPill, text};
use runstate::time::Millis;
use runstate::viewer::{
    Attention, DocumentSource, ListedRun, PaneAction, RunsAction, Screen, Update, ViewCommand, Viewer,
};
use runstate::word::Vocabulary;

const NOW: Millis = Millis(1_795_350_000_000.0);

fn capture(path: &str) -> (String, Vec<u8>) {
    let file = format!("{}/../tests/vectors/lionagi/captures/{path}", env!("CARGO_MANIFEST_DIR"));
    let bytes = std::fs::read(&file).unwrap_or_else(|error| panic!("{file}: {error}"));
    (path.rsplit('/').next().unwrap().to_owned(), bytes)
}

fn file(name: &str, json: &str) -> (String, Vec<u8>) {
    (name.to_owned(), json.as_bytes().to_vec())
}

fn opened(files: &[(String, Vec<u8>)]) -> Document {
    let files: Vec<File<'_>> = files.iter().map(|(name, bytes)| File { name: Some(name), bytes }).collect();
    open(&files, NOW).unwrap()
}

/// The document of the files in order, and in reverse order.
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
            document.problems().texts(),
            ["run-not-found.json: The server refused the request with NOT_FOUND: Run 'nope' not found."]
        );
    }
    let run = file("run.json", r#"{"runId":"r1","status":"finished"}"#);
    let no = file("no.json", r#"{"code":"RUN_NOT_FOUND","message":"Run not found: r9 See the manual."}"#);
    for document in both_ways(vec![run, no.clone()]) {
        assert!(document.has_run() && document.refusal().is_none());
        assert_eq!(
            document.problems().texts(),
            ["no.json: The server refused the request with RUN_NOT_FOUND: Run not found: r9 See the manual."]
        );
    }
    let other = file("other.json", r#"{"code":"FORBIDDEN","message":"Not yours"}"#);
    for document in both_ways(vec![no, other]) {
        assert!(document.refusal().is_some(), "nothing but refusals");
        assert_eq!(document.problems().texts().len(), 1, "{:?}", document.problems().texts());
    }
}

#[test]
fn what_a_daemon_says_of_its_pairing_is_not_about_a_token_that_was_sent() {
    let document = opened(&[capture("studio/cors-null-origin.json")]);
    assert_eq!(document.refusal().unwrap().code, "REFUSED");
    assert_eq!(opened(&[capture("partial/token-missing.json")]).refusal().unwrap().code, "UNAUTHORIZED");
}

fn run_directory(name: &str) -> Vec<(String, Vec<u8>)> {
    let runs = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/vectors/conductor/runs");
    let directory = Path::new(runs).join(name).join("run");
    let mut files = files_below(&directory, &directory);
    files.sort();
    files
}

/// The files below `folder`, named relative to `root`.
fn files_below(folder: &Path, root: &Path) -> Vec<(String, Vec<u8>)> {
    let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files = paths.map(|path| {
        if path.is_dir() {
            return files_below(&path, root);
        }
        let name = path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
        vec![(name, std::fs::read(path).unwrap())]
    });
    files.flatten().collect()
}

#[test]
fn what_the_kernel_writes_beside_a_run_is_no_trouble_with_folders_or_without() {
    let whole = run_directory("custom-stop-id");
    let flat = whole.iter().map(|(name, bytes)| (name.rsplit('/').next().unwrap().to_owned(), bytes.clone()));
    for files in [whole.clone(), flat.collect()] {
        let document = opened(&files);
        assert_eq!(document.problems().texts(), [] as [String; 0]);
        assert_eq!(document.header(None, NOW).unwrap().state.as_deref(), Some("succeeded"));
    }
}

#[test]
fn a_status_that_is_just_being_written_is_unknown_and_no_refusal() {
    for text in ["", " \n", "{\n  \"run_id\": \"20261121T204038Z\",\n  \"workflow", "{\"workflow_id\":"] {
        let document = opened(&[file("status.json", text)]);
        let header = document.header(None, NOW).unwrap();
        assert_eq!(header.state.as_deref(), Some("unknown"), "{text:?}");
        assert_eq!(document.problems().texts().len(), 1, "{text:?}: it is said why");
    }
    for (name, text) in [
        ("other.json", ""),
        ("status.json", "{\"runId\": \"r1\", \"sta"),
        ("status.json", "{\"run_id\": oops}"),
        ("status.json", "run_id"),
    ] {
        let file = File { name: Some(name), bytes: text.as_bytes() };
        assert!(open(&[file], NOW).is_err(), "{name} {text:?}");
    }
}

/// All rows of a document's list, legacy sessions last.
fn listed(document: Document) -> Vec<ListedRun> {
    let mut viewer = Viewer::new(DocumentSource::new(document, "list"));
    let groups = Attention::ALL.iter().map(|attention| ((*attention).into(), 0..1_000)).collect();
    let show = RunsAction::Show { groups, legacy: 0..1_000 };
    viewer.handle(ViewCommand::Act(PaneAction::Runs(show)), NOW);
    let list = viewer.updates(NOW).into_iter().find_map(|update| match update {
        Update::Runs(list) => list,
        _ => None,
    });
    let list = list.unwrap();
    let legacy = list.legacy.into_iter().flat_map(|legacy| legacy.runs.rows);
    list.groups.into_iter().flat_map(|group| group.runs.rows).chain(legacy).collect()
}

#[test]
fn a_row_has_the_pill_of_its_header() {
    for name in
        ["studio/runs-list-p1.json", "studio/sessions-list.json", "bulk/runs-list-status-running.json"]
    {
        let document = opened(&[capture(name)]);
        let headers: Vec<_> = (0..document.rows().len())
            .map(|row| document.header(Some(row), NOW).unwrap().answer.pill)
            .collect();
        let rows = listed(document);
        assert_eq!(rows.len(), headers.len(), "{name}");
        for row in rows {
            let pill = &headers[row.index];
            assert_eq!(&row.pill, pill, "{name} {}", row.id);
            let AnswerPill::Pill { value, as_of, .. } = pill else { panic!("{name}: no pill") };
            assert!(!value.ends_with("running") || as_of.is_some(), "{name}: {value} is said of now");
        }
    }
}

#[test]
fn a_row_that_contradicts_itself_is_not_plainly_green() {
    let header = opened(&[capture("studio/run-legacy-null-old-0.json")]).header(None, NOW).unwrap();
    let AnswerPill::Pill { pill, .. } = &header.answer.pill else { panic!("no pill") };
    assert_eq!((&*pill.label, pill.tone), ("Completed, in doubt", Tone::Warning));
}

/// Answers of Studio, each with the requested path and the time of the answer.
fn recorded(answers: &[(&str, &str, &str)]) -> (String, Vec<u8>) {
    let entry = |(path, at, json): &(&str, &str, &str)| {
        serde_json::json!({
            "startedDateTime": at, "time": 0,
            "request": {"method": "GET", "url": format!("http://127.0.0.1:8765{path}"), "headers": []},
            "response": {"status": 200, "content": {"mimeType": "application/json", "text": json}},
        })
    };
    let entries: Vec<_> = answers.iter().map(entry).collect();
    let har = serde_json::json!({"log": {"version": "1.2", "entries": entries}});
    file("studio.har", &har.to_string())
}

#[test]
fn an_answer_that_came_after_an_event_is_shown_over_it_and_both_are_told() {
    let row = String::from_utf8(capture("studio/run-reopened-by-resume.json").1).unwrap();
    let event =
        concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/vectors/documents/valid/session/admin-event.json");
    let event = std::fs::read_to_string(event).unwrap();
    let path = "/api/runs/1d9e0e02-466b-50d9-a85a-ceb820f6a929";
    for (at, state, notes) in
        [("2026-11-21T20:45:16.740Z", "completed", 1), ("2026-11-21T20:40:00.000Z", "idle running", 0)]
    {
        let answers = [(path, at, &*row), ("/api/admin/events", "2026-11-21T20:45:17.000Z", &*event)];
        for answers in [answers, [answers[1], answers[0]]] {
            let header = opened(&[recorded(&answers)]).header(None, NOW).unwrap();
            assert_eq!((header.state.as_deref(), header.answer.notes.len()), (Some(state), notes), "{at}");
            assert!(state == "completed" || header.unhealthy.is_some(), "never plainly running");
        }
    }
}

#[test]
fn counts_of_sessions_are_shown_and_are_no_empty_list() {
    let document = opened(&[capture("studio/stats.json")]);
    assert!(!document.has_run() && document.header(None, NOW).is_some());
    let updates = Viewer::new(DocumentSource::new(document, "stats.json")).updates(NOW);
    assert!(matches!(&updates[0], Update::Status(status) if status.screen == Screen::Run));
    let fields =
        |update: &Update| matches!(update, Update::Header(Some(header)) if !header.fields.is_empty());
    assert!(updates.iter().any(fields));
}

#[test]
fn what_a_planner_or_a_gate_wrote_opens_alone_as_what_it_is() {
    for (name, json, note) in [
        (
            "planner_decision.json",
            r#"{"status":"partial","next_step":"fix","fix_instructions":null,"blockers":[],"risk_flags":[]}"#,
            "The planner decided partial.",
        ),
        (
            "gate_request.json",
            r#"{"gate":"requires_approval","timeout_seconds":null}"#,
            "A gate asked: requires_approval.",
        ),
        ("gate_outcome.json", r#"{"outcome":"gate_rejected"}"#, "The gate answered gate_rejected."),
    ] {
        let document = opened(&[file(name, json)]);
        let header = document.header(None, NOW).unwrap();
        assert_eq!(
            (header.state.as_deref(), document.problems().texts().len()),
            (Some("unknown"), 0),
            "{name}"
        );
        let notes: Vec<String> = header.answer.notes.iter().map(|note| text(note)).collect();
        assert_eq!(notes, [note]);
    }
    let stranger = File { name: Some("gate_outcome.json"), bytes: br#"{"outcome":"approved"}"# };
    assert!(open(&[stranger], NOW).is_err());
}
