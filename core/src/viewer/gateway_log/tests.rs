//! Event logs that are added to the events of a live run.

use std::borrow::Cow;

use super::EventDraft;
use crate::file::File;
use crate::gateway::{ClientInput, ClientOptions, Token};
use crate::ingest::{Document, DocumentError, open};
use crate::time::Millis;
use crate::viewer::{
    DocumentSource, GatewaySource, LogAction, LogQuery, LogWindow, PaneAction, Update, ViewCommand, Viewer,
};

const NOW: Millis = Millis(1_700_000_100_000.0);

fn document(text: &str) -> Document {
    open(&[File { name: Some("stream.ndjson"), bytes: text.as_bytes() }], NOW).unwrap()
}

/// An event at this second after the start of the log.
fn event(run: &str, kind: &str, second: u32, node: &str) -> String {
    format!(
        r#"{{"type":"{kind}","runId":"{run}","nodeId":"{node}","iteration":0,"attempt":1,"timestampMs":17000000{second:02}000}}"#
    ) + "\n"
}

/// A viewer of the run `r`, connected a minute after the start of the log.
fn viewer() -> Viewer {
    let options = ClientOptions { run_id: Some("r".into()), ..ClientOptions::new("ws://127.0.0.1:1", 1) };
    let mut viewer = Viewer::new(GatewaySource::connect(options, NOW));
    viewer.gateway().unwrap().handle(Some(ClientInput::Opened), NOW);
    viewer
}

fn push(viewer: &mut Viewer, name: &str, node: &str) {
    let frame = format!(
        r#"{{"type":"event","event":"run.event","payload":{{"runId":"r","event":"{name}","payload":{{"nodeId":"{node}"}}}}}}"#
    );
    viewer.gateway().unwrap().handle(Some(ClientInput::Text(&frame)), NOW);
}

fn window(viewer: &mut Viewer) -> LogWindow {
    let all = ViewCommand::Act(PaneAction::Log(LogAction::Show { first: 0, count: 100 }));
    viewer.handle(all, NOW);
    let log = viewer.updates(NOW).into_iter().find_map(|update| match update {
        Update::Log(window) => window,
        _ => None,
    });
    *log.expect("a log")
}

fn names(log: &LogWindow) -> Vec<&str> {
    log.rows.iter().map(|row| &*row.name).collect()
}

#[test]
fn an_added_log_has_what_was_not_pushed_and_goes_on_with_what_is() {
    let mut viewer = viewer();
    push(&mut viewer, "node.finished", "build");
    assert_eq!(names(&window(&mut viewer)), ["node.finished"]);
    let log = event("r", "NodeStarted", 1, "build") + &event("r", "NodeOutput", 99, "build");
    assert_eq!(viewer.add_events(document(&log), "stream.ndjson").unwrap(), 2);
    let found = window(&mut viewer);
    assert_eq!(names(&found), ["NodeStarted", "NodeOutput", "NodeFinished"]);
    assert!(found.is_live);
    let note = "Events until 2023-11-14 22:14:59Z are those of stream.ndjson. Later ones have the time of their arrival in place \
                of their own.";
    assert_eq!(found.note.as_deref(), Some(note));
    push(&mut viewer, "node.dreamed", "build");
    assert_eq!(names(&window(&mut viewer))[3..], ["node.dreamed"]);
    let again = log + &event("r", "NodeFinished", 99, "build") + &event("r", "NodeStarted", 99, "ship");
    assert_eq!(viewer.add_events(document(&again), "stream.ndjson").unwrap(), 4);
    let found = window(&mut viewer);
    assert_eq!(
        names(&found),
        ["NodeStarted", "NodeOutput", "NodeFinished", "NodeStarted", "node.dreamed"],
        "the end of the node is stored now"
    );
}

#[test]
fn what_is_left_out_as_a_repeat_is_said() {
    let mut viewer = viewer();
    push(&mut viewer, "node.started", "ship");
    push(&mut viewer, "node.started", "ship");
    let end = r#"{"type":"RunFailed","runId":"r","timestampMs":1700000097000}"#;
    let log = event("r", "NodeStarted", 1, "ship") + end;
    viewer.add_events(document(&log), "stream.ndjson").unwrap();
    let found = window(&mut viewer);
    assert_eq!(names(&found), ["NodeStarted", "RunFailed", "NodeStarted"]);
    let note = found.note.unwrap();
    let repeats = "Pushed after the end of the run and left out as repeats, by type and node: 1, until 2023-11-14 22:15:00Z.";
    assert!(note.ends_with(repeats), "{note}");
}

#[test]
fn other_documents_are_refused_by_name() {
    let mut viewer = viewer();
    let refused = |result: Result<u64, DocumentError>| result.unwrap_err().message;
    let other = document(&event("r2", "NodeStarted", 1, "build"));
    assert_eq!(
        refused(viewer.add_events(other, "stream.ndjson")),
        "Expected the events of run r, found run r2 in stream.ndjson."
    );
    let row = document(r#"{"runId":"r","status":"failed"}"#);
    assert_eq!(
        refused(viewer.add_events(row, "run.json")),
        "Expected the events of run r, found run r in run.json."
    );
    assert!(window(&mut viewer).note.unwrap().contains("Drop the run’s stream.ndjson"), "nothing was added");
}

/// The path of stored events that the viewer asks for while the events are on screen.
fn asked(viewer: &mut Viewer) -> Option<String> {
    let all = ViewCommand::Act(PaneAction::Log(LogAction::Show { first: 0, count: 100 }));
    viewer.handle(all, NOW);
    viewer.updates(NOW);
    viewer.gateway().unwrap().stored_events(NOW).0
}

#[test]
fn a_new_token_asks_for_the_stored_events_that_were_refused() {
    let mut viewer = viewer();
    viewer.gateway().unwrap().ask_for_stored_events();
    assert_eq!(viewer.gateway().unwrap().stored_events(NOW).0, None, "nobody looks");
    let path = asked(&mut viewer).expect("a question");
    let refusal = r#"{"ok":false,"error":{"code":"UNAUTHORIZED"}}"#;
    viewer.gateway().unwrap().take_stored_events(&path, Some(refusal), NOW);
    assert_eq!(asked(&mut viewer), None);
    let token = Some(Token::new("t-2".to_owned()));
    viewer.gateway().unwrap().handle(Some(ClientInput::Authorise(token)), NOW);
    assert_eq!(asked(&mut viewer), Some(path));
}

#[test]
fn an_export_asks_for_the_stored_events_although_nobody_looks() {
    let mut viewer = viewer();
    let source = viewer.gateway().unwrap();
    source.need_stored_events(NOW);
    assert!(!source.waits_for_events(NOW), "the page is of another origin");
    source.ask_for_stored_events();
    source.need_stored_events(NOW);
    let path = source.stored_events(NOW).0.expect("a question");
    assert!(source.waits_for_events(NOW));
    assert!(source.draft_events().missing().unwrap().contains("in time"));
    let answer = format!(
        r#"{{"ok":true,"data":[{{"seq":0,"payload":{}}}]}}"#,
        event("r", "RunStarted", 1, "a").trim()
    );
    source.take_stored_events(&path, Some(&answer), NOW);
    assert!(!source.waits_for_events(NOW));
    let events = source.draft_events();
    assert_eq!((events.text.lines().count(), events.missing()), (1, None));
    let mut exported = Viewer::new(DocumentSource::new(document(&events.text), "events.ndjson"));
    assert_eq!(window(&mut exported).rows[0].number, "0", "with its number");
    source.need_stored_events(NOW);
    source.handle(Some(ClientInput::Watch("r2")), NOW);
    assert_eq!((source.stored_events(NOW).0, source.waits_for_events(NOW)), (None, false), "of another run");
}

#[test]
fn the_events_of_an_export_end_at_the_first_one_that_does_not_fit() {
    let lines = [Some("12345"), None, Some("1234567"), Some("1")].map(|line| line.map(Cow::Borrowed));
    let draft = EventDraft::of_lines(lines.clone(), 12);
    assert_eq!((&*draft.text, draft.left_out), ("12345\n", 3), "a short one after it would leave a gap");
    let missing = "Events not exported, because they have no stored time or are after 50 MB: 3.";
    assert_eq!(draft.missing().as_deref(), Some(missing));
    let all = EventDraft::of_lines(lines, 100);
    assert_eq!((&*all.text, all.left_out), ("12345\n1234567\n1\n", 1));
    let refused = EventDraft { lack: Some("None came."), ..draft };
    assert_eq!(refused.missing(), Some(format!("{missing} None came.")));
    assert_eq!(EventDraft::default().missing(), None);
}

#[test]
fn an_export_and_a_printout_have_the_stored_events() {
    use crate::export::{ExportOptions, draft, export};
    use crate::run::Recording;
    let mut viewer = viewer();
    push(&mut viewer, "node.started", "build");
    let printed =
        |viewer: &mut Viewer| viewer.last_events().into_iter().map(|event| event.name).collect::<Vec<_>>();
    assert_eq!(printed(&mut viewer), ["node.started"]);
    let pushed = viewer.gateway().unwrap().draft_events();
    assert_eq!((&*pushed.text, pushed.left_out), ("", 1), "it has no time of its own");
    let secret =
        event("r", "NodeStarted", 2, "ship").replace(r#""attempt":1"#, r#""attempt":1,"password":"t-4711""#);
    let log = event("r", "NodeFinished", 1, "build") + &secret;
    viewer.add_events(document(&log), "stream.ndjson").unwrap();
    push(&mut viewer, "node.dreamed", "ship");
    assert_eq!(printed(&mut viewer), ["node.dreamed", "NodeStarted", "NodeStarted", "NodeFinished"]);
    let events = viewer.gateway().unwrap().draft_events();
    assert_eq!((events.text.lines().count(), events.left_out), (2, 2));

    let recording = Recording {
        run: r#"{"type":"res","id":"1","ok":true,"payload":{"runId":"r","status":"waiting-timer","configJson":"{}"}}"#,
        snapshot: r#"{"type":"res","id":"2","ok":true,"payload":{"version":1,"runId":"r","frameNo":3,"seq":3,
            "root":{"id":1,"type":"timer","name":"timer","props":{"id":"nap"}}}}"#,
        nodes: r#"{"type":"res","id":"3","ok":true,"payload":[{"nodeId":"nap","iteration":0,"state":"waiting-timer"}]}"#,
    };
    let draft = draft(&recording.read(NOW).unwrap(), NOW).unwrap();
    let draft = File { name: None, bytes: draft.as_bytes() };
    let log = File { name: Some("events.ndjson"), bytes: events.text.as_bytes() };
    let header = |files: &[File<'_>]| {
        let exported = export(files, &ExportOptions::new(NOW)).unwrap();
        assert!(!String::from_utf8_lossy(&exported.bytes).contains("t-4711"));
        let document = open(&[File { name: None, bytes: &exported.bytes }], NOW).unwrap();
        let header = document.header(None, NOW).unwrap();
        let events: u64 = document.event_logs().iter().map(|log| log.count_events(Some("r"))).sum();
        (events, header.state, header.label)
    };
    let alone = header(&[draft]);
    assert_eq!(header(&[draft, log]), (2, alone.1, alone.2));
}

#[test]
fn the_log_of_a_run_is_gone_while_another_one_is_shown() {
    let mut viewer = viewer();
    viewer.add_events(document(&event("r", "NodeStarted", 1, "build")), "stream.ndjson").unwrap();
    viewer.gateway().unwrap().handle(Some(ClientInput::Watch("r2")), NOW);
    assert_eq!(names(&window(&mut viewer)), [""; 0]);
    viewer.gateway().unwrap().handle(Some(ClientInput::Watch("r")), NOW);
    assert_eq!(names(&window(&mut viewer)), ["NodeStarted"]);
}

/// Pushes two events, selects the second one, and filters by node.
fn select_second(viewer: &mut Viewer) {
    push(viewer, "node.started", "build");
    push(viewer, "node.failed", "build");
    let query = LogQuery { node: Some("build".into()), ..LogQuery::default() };
    for action in [LogAction::Query(query), LogAction::Select { row: 1 }] {
        viewer.handle(ViewCommand::Act(PaneAction::Log(action)), NOW);
    }
    let found = window(viewer);
    assert_eq!((found.selected, found.selected_attempt.is_some(), found.total), (Some(1), false, 2));
}

#[test]
fn another_list_of_events_has_the_same_filters_and_selects_no_other_event() {
    let log = ["NodePending", "NodeStarted"].map(|kind| event("r", kind, 1, "build"));
    let mut added = viewer();
    select_second(&mut added);
    added.add_events(document(&log.concat()), "stream.ndjson").unwrap();
    let mut stored = viewer();
    stored.gateway().unwrap().ask_for_stored_events();
    assert_eq!(stored.gateway().unwrap().stored_events(NOW).0, None, "nobody looks");
    let path = asked(&mut stored).expect("a question");
    select_second(&mut stored);
    let rows = log.map(|event| format!(r#"{{"seq":0,"payload":{}}}"#, event.trim()));
    let answer = format!(r#"{{"ok":true,"data":[{}]}}"#, rows.join(","));
    stored.gateway().unwrap().take_stored_events(&path, Some(&answer), NOW);
    for mut viewer in [added, stored] {
        let found = window(&mut viewer);
        assert_eq!(names(&found)[..2], ["NodePending", "NodeStarted"]);
        assert_eq!((found.selected, found.is_selected_hidden), (None, false), "it has another number here");
        assert_eq!(found.query.node.as_deref(), Some("build"));
    }
}
