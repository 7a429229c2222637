mod agree;
mod panes;
mod seen_runs;

use super::*;
use crate::error_code::ErrorCode;
use crate::export::{ExportOptions, export};
use crate::file::File;
use crate::gateway::{ClientEffect, ClientInput, ClientOptions, Transport};
use crate::header::{Field, FieldValue, Header};
use crate::ingest::{Document, open};

const NOW: Millis = Millis(1_700_000_000_000.0);

fn document(text: &str) -> Document {
    open(&[File { name: None, bytes: text.as_bytes() }], NOW).unwrap()
}

const SNAPSHOT: &str = r#"{"version":1,"runId":"r","frameNo":1,"seq":1,"runState":{"runId":"r","computedAt":"2023-11-14T22:13:20.000Z","state":"running"},
    "root":{"id":1,"type":"workflow","name":"w","props":{},"depth":0,"children":[]}}"#;

fn opened(text: &str, name: &str) -> Viewer {
    Viewer::new(DocumentSource::new(document(text), name))
}

fn status(updates: &[Update]) -> Status {
    let status = updates.iter().find_map(|update| match update {
        Update::Status(status) => Some(status.clone()),
        _ => None,
    });
    status.unwrap()
}

/// The update of the list of runs, if there is one.
fn runs(updates: &[Update]) -> Option<&Update> {
    updates.iter().find(|update| matches!(update, Update::Runs(_)))
}

fn list(updates: &[Update]) -> RunList {
    match runs(updates) {
        Some(Update::Runs(Some(list))) => RunList::clone(list),
        other => panic!("no list: {other:?}"),
    }
}

fn ids(updates: &[Update]) -> Vec<String> {
    list(updates).groups.into_iter().flat_map(|group| group.runs.rows).map(|row| row.id).collect()
}

/// The runs of the list that are marked as being on screen.
fn current(updates: &[Update]) -> Vec<String> {
    let rows = list(updates).groups.into_iter().flat_map(|group| group.runs.rows);
    rows.filter(|row| row.is_current).map(|row| row.id).collect()
}

fn header(updates: &[Update]) -> Option<Header> {
    updates.iter().find_map(|update| match update {
        Update::Header(header) => header.as_deref().cloned(),
        _ => None,
    })
}

fn gateway(run_id: Option<&str>) -> Viewer {
    let options = ClientOptions {
        url: "ws://127.0.0.1:1".into(),
        token: None,
        run_id: run_id.map(str::to_owned),
        seed: 1,
        transport: Transport::WebSocket,
    };
    Viewer::new(GatewaySource::connect(options, NOW))
}

#[test]
fn a_note_of_the_run_is_no_problem_beside_it() {
    let line = |run: &str, seq: u32| {
        format!(
            "{{\"runId\":\"{run}\",\"seq\":{seq},\"payload\":{{\"type\":\"NodeStarted\",\"runId\":\"{run}\",\"nodeId\":\"n\",\"iteration\":0,\"attempt\":1,\"timestampMs\":{seq}}}}}\n"
        )
    };
    let sentence = "Events are missing: 6, in one place. The state may be different by now.";
    let mut viewer = opened(&[line("a", 0), line("a", 7)].concat(), "log");
    let updates = viewer.updates(NOW);
    let notes = header(&updates).unwrap().answer.notes;
    assert!(notes.iter().any(|note| crate::summary::text(note) == sentence), "{notes:?}");
    let problems = status(&updates).problems;
    assert!(problems.iter().all(|problem| !problem.ends_with(sentence)), "{problems:?}");
    let mut viewer = opened(&[line("a", 0), line("a", 7), line("b", 0)].concat(), "log");
    let problems = status(&viewer.updates(NOW)).problems;
    assert!(problems.contains(&format!("a: {sentence}")), "the list has no notes: {problems:?}");
}

#[test]
fn a_document_is_sent_once_and_then_its_ages() {
    let mut viewer = opened(SNAPSHOT, "a.json");
    let updates = viewer.updates(NOW);
    let status = status(&updates);
    assert_eq!((status.screen, status.link, status.source.as_str()), (Screen::Run, Link::Document, "a.json"));
    let header = header(&updates).unwrap();
    assert_eq!(header.state.as_deref(), Some("running"));
    assert!(
        matches!(header.fields.last(), Some(Field { value: FieldValue::Code(name), .. }) if name == "a.json")
    );
    let rows = |update: &Update| matches!(update, Update::Tree(Some(window)) if window.rows.len() == 1);
    assert!(updates.iter().any(rows), "{updates:?}");
    assert_eq!(viewer.updates(NOW), []);
    let later = viewer.updates(Millis(NOW.0 + 5_000.0));
    assert!(matches!(later.as_slice(), [Update::Header(Some(_))]), "its age went on: {later:?}");
}

#[test]
fn a_run_of_a_list_is_chosen_and_left_again() {
    let mut viewer = opened(
        r#"[{"runId":"a","workflowName":"w","status":"finished"},{"runId":"b","workflowName":"w","status":"failed"}]"#,
        "list.json",
    );
    let updates = viewer.updates(NOW);
    assert_eq!((status(&updates).screen, status(&updates).has_list), (Screen::Runs, false));
    assert_eq!(ids(&updates), ["a", "b"]);
    viewer.choose(Some(1));
    let updates = viewer.updates(NOW);
    assert_eq!((status(&updates).screen, status(&updates).has_list), (Screen::Run, true));
    assert_eq!(header(&updates).unwrap().state.as_deref(), Some("failed"));
    assert_eq!(
        (ids(&updates), current(&updates)),
        (vec!["a".to_owned(), "b".to_owned()], vec!["b".to_owned()])
    );
    viewer.choose(None);
    let updates = viewer.updates(NOW);
    assert!(updates.contains(&Update::Header(None)));
    assert_eq!((ids(&updates), current(&updates)), (vec!["a".to_owned(), "b".to_owned()], Vec::new()));
}

#[test]
fn a_run_that_a_document_does_not_have_is_refused_until_another_one_is_chosen() {
    let rows = r#"[{"runId":"a","status":"finished"},{"runId":"b","status":"failed"},{"runId":"b","status":"finished"}]"#;
    let mut viewer = opened(rows, "list.json");
    let mut shown = |id: &str| {
        viewer.document().unwrap().choose_run(id);
        let updates = viewer.updates(NOW);
        let Status { screen, run, refusal, has_list, .. } = status(&updates);
        let (header, code) =
            (header(&updates).and_then(|header| header.state), refusal.map(|refusal| refusal.code));
        (screen, run.unwrap_or_default(), header.unwrap_or_default(), code.unwrap_or_default(), has_list)
    };
    let refused =
        |id: &str| (Screen::Refusal, id.to_owned(), String::new(), "RUN_NOT_FOUND".to_owned(), true);
    assert_eq!(shown("c"), refused("c"));
    assert_eq!(shown("b"), (Screen::Run, "b".into(), "failed".into(), String::new(), true), "the first one");
    assert_eq!(shown(""), refused(""));
    assert_eq!(shown("A"), refused("A"));
    viewer.choose(None);
    assert_eq!(status(&viewer.updates(NOW)).screen, Screen::Runs);

    // The only run of a document needs no choice, and another id is refused there too.
    let mut viewer = opened(SNAPSHOT, "a.json");
    viewer.document().unwrap().choose_run("r");
    let only = status(&viewer.updates(NOW));
    assert_eq!((only.screen, only.run, only.has_list), (Screen::Run, Some("r".into()), false));
    viewer.document().unwrap().choose_run("q");
    let updates = viewer.updates(NOW);
    assert_eq!(status(&updates).screen, Screen::Refusal);
    assert!(updates.contains(&Update::Header(None)) && updates.contains(&Update::Tree(None)), "{updates:?}");
}

#[test]
fn only_the_rows_on_screen_are_sent() {
    let rows: Vec<String> =
        (0..10_000).map(|id| format!(r#"{{"runId":"r{id}","status":"finished"}}"#)).collect();
    let mut viewer = opened(&format!("[{}]", rows.join(",")), "list.json");
    assert_eq!(ids(&viewer.updates(NOW)).len(), FIRST_ROWS);
    let groups = vec![(Attention::Ended.into(), 9_998..20_000)];
    let show = ViewCommand::Act(PaneAction::Runs(RunsAction::Show { groups, legacy: 0..0 }));
    viewer.handle(show.clone(), NOW);
    assert_eq!(ids(&viewer.updates(NOW)), ["r9998", "r9999"]);
    viewer.handle(show, NOW);
    assert_eq!(viewer.updates(NOW), []);
}

#[test]
fn a_gateway_that_cannot_be_reached_is_shown_as_connecting() {
    let mut viewer = gateway(None);
    let (effects, _) = viewer.gateway().unwrap().handle(None, NOW);
    assert_eq!(effects, [ClientEffect::Open { url: "ws://127.0.0.1:1".into() }]);
    let updates = viewer.updates(NOW);
    let shown = status(&updates);
    let link = Link::Connecting { has_answered: false, failure: None, retry_in: None };
    assert_eq!((shown.screen, shown.link), (Screen::Connecting, link));
    assert_eq!(runs(&updates), Some(&Update::Runs(None)));
    assert_eq!(viewer.updates(NOW), []);
    let closed = ClientInput::Closed { code: 1006, reason: "" };
    let (_, wake_at) = viewer.gateway().unwrap().handle(Some(closed), NOW);
    assert!(wake_at.is_some());
    let updates = viewer.updates(NOW);
    let link = status(&updates).link;
    assert!(
        matches!(link, Link::Connecting { has_answered: false, failure: None, retry_in: Some(_) }),
        "{link:?}"
    );
    assert_eq!(runs(&updates), None, "the list is what it was");
}

/// "No runs here yet" was shown for some milliseconds at each attempt over HTTP, of a Gateway that had not answered.
#[test]
fn an_empty_list_is_shown_only_after_the_gateways_answer() {
    let mut viewer = gateway(None);
    let asked = viewer.gateway().unwrap().handle(Some(ClientInput::Opened), NOW).0;
    let Some(ClientEffect::Send(connect)) = asked.last() else { panic!("it asks to be let in") };
    let connect: serde_json::Value = serde_json::from_str(connect).unwrap();
    let hello = format!(
        r#"{{"type":"res","id":{},"ok":true,"payload":{{"protocol":1,"policy":{{"heartbeatMs":1000}}}}}}"#,
        connect["id"]
    );
    let asked = viewer.gateway().unwrap().handle(Some(ClientInput::Text(&hello)), NOW).0;
    assert_eq!(status(&viewer.updates(NOW)).screen, Screen::Connecting, "nothing is known of runs");
    let list = asked.iter().find_map(|effect| match effect {
        ClientEffect::Send(frame) if frame.contains("listRuns") => Some(frame),
        ClientEffect::Send(_) | ClientEffect::Open { .. } | ClientEffect::Close => None,
    });
    let list: serde_json::Value = serde_json::from_str(list.unwrap()).unwrap();
    let none = format!(r#"{{"type":"res","id":{},"ok":true,"payload":[]}}"#, list["id"]);
    viewer.gateway().unwrap().handle(Some(ClientInput::Text(&none)), NOW);
    assert_eq!(status(&viewer.updates(NOW)).screen, Screen::Runs, "the Gateway said that there are none");
}

/// Answers all requests until there are none left: the list of runs and one of them with `runs`.
fn answer(viewer: &mut Viewer, input: ClientInput<'_>, runs: &str, now: Millis) {
    answer_differently(viewer, input, [runs, runs], now);
}

/// Answers all requests: the list of runs with `listed`, one of them with its row in `runs`.
fn answer_differently(viewer: &mut Viewer, input: ClientInput<'_>, [listed, runs]: [&str; 2], now: Millis) {
    let client = viewer.gateway().unwrap();
    client.handle(None, now);
    let mut effects = client.handle(Some(input), now).0;
    while let Some(effect) = effects.pop() {
        let frame = match effect {
            ClientEffect::Send(frame) => frame,
            ClientEffect::Open { .. } => {
                effects.extend(client.handle(Some(ClientInput::Opened), now).0);
                continue;
            }
            ClientEffect::Close => continue,
        };
        let frame: serde_json::Value = serde_json::from_str(&frame).unwrap();
        let challenge =
            format!(r#"{{"type":"event","event":"connect.challenge","payload":{{"ts":{}}}}}"#, now.0);
        if frame["method"] == "connect" {
            client.handle(Some(ClientInput::Text(&challenge)), now);
        }
        let rows: Vec<serde_json::Value> = serde_json::from_str(runs).unwrap();
        let row = rows.iter().find(|row| row["runId"] == frame["params"]["runId"]).map(ToString::to_string);
        let payload = match frame["method"].as_str().unwrap() {
            "getRun" => row.as_deref().unwrap_or_default(),
            "connect" => r#"{"protocol":1,"policy":{"heartbeatMs":1000},"snapshot":{"runs":[]}}"#,
            "listRuns" => listed,
            "listApprovals" => {
                r#"[{"runId":"c","nodeId":"ship-gate","requestedAtMs":1699999900000,"requestTitle":"Ship?","requestSummary":"12 files"}]"#
            }
            _ => "{}",
        };
        let result = match payload {
            "" => r#""ok":false,"error":{"code":"NOT_FOUND","message":"Run not found"}"#.to_owned(),
            payload => format!(r#""ok":true,"payload":{payload}"#),
        };
        let text = format!(r#"{{"type":"res","id":{},{result}}}"#, frame["id"]);
        effects.extend(client.handle(Some(ClientInput::Text(&text)), now).0);
    }
}

#[test]
fn the_runs_of_a_gateway_are_sent_when_they_change() {
    let one = r#"[{"runId":"a","workflowName":"w","status":"finished"}]"#;
    let two = r#"[{"runId":"b","workflowName":"w","status":"running"},{"runId":"a","workflowName":"w","status":"finished"}]"#;
    let mut viewer = gateway(None);
    answer(&mut viewer, ClientInput::Opened, one, NOW);
    let updates = viewer.updates(NOW);
    assert_eq!((status(&updates).screen, ids(&updates)), (Screen::Runs, vec!["a".to_owned()]));
    let mut now = NOW;
    let mut sent = Vec::new();
    for list in [one, two, two] {
        now = Millis(now.0 + 10_000.0);
        answer(&mut viewer, ClientInput::Visible(true), list, now);
        sent.push(runs(&viewer.updates(now)).is_some());
    }
    assert_eq!(sent, [false, true, false]);
}

#[test]
fn the_state_of_another_run_of_the_same_workflow_is_no_change() {
    let list = r#"[{"runId":"a","workflowName":"w","status":"running"},{"runId":"b","workflowName":"w","status":"failed"}]"#;
    let failed = list.replace("running", "failed");
    let (mut viewer, mut now, mut announced) = (gateway(None), NOW, Vec::new());
    answer(&mut viewer, ClientInput::Opened, list, now);
    for (run_id, runs) in [("a", list), ("b", list), ("a", list), ("a", &failed)] {
        answer(&mut viewer, ClientInput::Watch(run_id), runs, now);
        for _ in 0..20 {
            now = Millis(now.0 + 100.0);
            answer(&mut viewer, ClientInput::Timer, runs, now);
            announced.extend(viewer.updates(now).into_iter().filter_map(|update| match update {
                Update::Announce(text) => Some(text),
                _ => None,
            }));
        }
    }
    assert_eq!(announced, ["Run w: failed"]);
}

#[test]
fn the_runs_of_a_gateway_are_the_same_after_their_export() {
    let listed = r#"[{"runId":"b","workflowName":"w","status":"running","startedAtMs":1699999940000,"heartbeatAtMs":1699999950000,
            "runtimeOwnerId":"pid:7","configJson":"{\"token\":\"t-1\"}","workflowPath":"/srv/w.tsx"},
        {"runId":"a","workflowName":"w","status":"molten"},{"runId":"c","status":"waiting-approval"}]"#;
    let mut viewer = gateway(None);
    answer(&mut viewer, ClientInput::Opened, listed, NOW);
    let live = list(&viewer.updates(NOW));
    let later = Millis(NOW.0 + 90_000.0);
    let draft = viewer.gateway().unwrap().draft(later).unwrap();
    let options = ExportOptions { now: later, redact: &[] };
    let exported = export(&[File { name: None, bytes: draft.as_bytes() }], &options).unwrap();
    let text = String::from_utf8_lossy(&exported.bytes);
    assert!(!text.contains("t-1") && !text.contains("/srv"), "{text}");
    let opened = open(&[File { name: None, bytes: &exported.bytes }], later).unwrap();
    let mut viewer = Viewer::new(DocumentSource::new(opened, "list.json"));
    let recorded = list(&viewer.updates(NOW));
    let reason = |list: &RunList| {
        let mut rows = list.groups.iter().flat_map(|group| &group.runs.rows);
        rows.find(|row| row.id == "c").unwrap().reason.clone()
    };
    assert_eq!(reason(&live), "Waiting for a decision at ship-gate.");
    assert_eq!(reason(&recorded), "Was waiting for a decision at ship-gate.", "a document is about the past");
    assert_eq!(without_reasons(recorded), without_reasons(live));
}

#[test]
fn the_question_of_an_approval_is_the_same_after_an_export() {
    let listed = r#"[{"runId":"c","workflowName":"w","status":"waiting-approval","runState":{"runId":"c","state":"waiting-approval",
        "computedAt":"2023-11-14T22:13:20.000Z",
        "blocked":{"kind":"approval","nodeId":"ship-gate","requestedAt":"2023-11-14T22:11:40.000Z"}}}]"#;
    let mut viewer = gateway(Some("c"));
    answer(&mut viewer, ClientInput::Opened, listed, NOW);
    let later = Millis(NOW.0 + 2_000.0);
    answer(&mut viewer, ClientInput::Timer, listed, later);
    let meta = |header: Option<Header>| crate::summary::text(&header.unwrap().answer.meta);
    assert!(meta(header(&viewer.updates(later))).starts_with("“Ship?” 12 files. Asked "));
    let draft = viewer.gateway().unwrap().draft(later).unwrap();
    let options = ExportOptions { now: later, redact: &[] };
    let exported = export(&[File { name: None, bytes: draft.as_bytes() }], &options).unwrap();
    let opened = open(&[File { name: None, bytes: &exported.bytes }], later).unwrap();
    let recorded = meta(header(&Viewer::new(DocumentSource::new(opened, "run.json")).updates(NOW)));
    assert!(recorded.starts_with("“Ship?” 12 files. Asked "), "{recorded}");
}

fn without_reasons(mut list: RunList) -> RunList {
    let rows = list.groups.iter_mut().flat_map(|group| &mut group.runs.rows);
    rows.for_each(|row| row.reason.clear());
    // A document has no server.
    list.origin = None;
    list
}

#[test]
fn a_gateway_without_run_or_list_has_nothing_to_export() {
    let code = |viewer: &mut Viewer| viewer.gateway().unwrap().draft(NOW).unwrap_err().code;
    assert_eq!(code(&mut gateway(None)), ErrorCode::DocumentClosed);
    let mut viewer = gateway(None);
    answer(&mut viewer, ClientInput::Opened, "[]", NOW);
    assert_eq!(code(&mut viewer), ErrorCode::DocumentClosed, "a list of no runs is no document");
    let mut viewer = gateway(Some("r"));
    answer(&mut viewer, ClientInput::Opened, r#"[{"runId":"a","status":"finished"}]"#, NOW);
    assert_eq!(code(&mut viewer), ErrorCode::DocumentClosed, "the list beside a run is not on screen");
}

/// The data of a document is as old as the document: a task in progress has not continued since.
#[test]
fn a_task_in_a_document_lasted_until_the_recording() {
    let read = |name: &str| {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/vectors/smithers/captures/runs/cancel-a");
        std::fs::read(format!("{folder}/{name}-running.json")).unwrap()
    };
    let [snapshot, states] = ["rpc-getDevToolsSnapshot", "rpc-listNodeStates"].map(read);
    let files = [File { name: None, bytes: &snapshot }, File { name: None, bytes: &states }];
    let recorded_at = Millis(1_795_295_446_000.0);
    let document = open(&files, recorded_at).unwrap();
    let mut viewer = Viewer::new(DocumentSource::new(document, "cancel-a"));
    let later = Millis(recorded_at.0 + 86_400_000.0);
    let rows = viewer.updates(later).into_iter().find_map(|update| match update {
        Update::Tree(window) => window.map(|window| window.rows),
        _ => None,
    });
    let durations: Vec<(String, String)> = rows
        .unwrap()
        .into_iter()
        .filter(|row| row.state.as_deref() == Some("in-progress"))
        .map(|row| (row.title, row.duration))
        .collect();
    assert_eq!(durations, [("grind".to_owned(), "1.5 s".to_owned())]);
    let changes = viewer.updates(Millis(later.0 + 86_400_000.0));
    assert!(!changes.iter().any(|change| matches!(change, Update::Tree(_))), "no task has gone on");
}

/// Why the run on screen has no tree.
fn no_tree(updates: &[Update]) -> Option<NoTree> {
    status(updates).no_tree
}

#[test]
fn a_run_without_a_tree_has_a_reason() {
    for (text, reason, has_hint) in [
        (r#"[{"runId":"a","status":"failed"},{"runId":"b","status":"failed"}]"#, "A list of runs", true),
        (
            r#"{"runId":"a","state":"running","computedAt":"2023-11-14T22:13:20.000Z"}"#,
            "the state of the run",
            true,
        ),
        (r#"{"run_id":"20261121T204038Z","lifecycle_state":"running"}"#, "tnh-conductor", true),
        (r#"{"type":"RunStarted","runId":"a","timestampMs":1700000000000}"#, "An event log", true),
    ] {
        let mut viewer = opened(text, "a.json");
        viewer.choose(viewer.source.get().rows().first().map(|_| 0));
        let found = no_tree(&viewer.updates(NOW)).unwrap_or_else(|| panic!("{text}"));
        assert!(found.reason.contains(reason), "{text}: {}", found.reason);
        assert_eq!(found.hint.is_some(), has_hint, "{text}");
    }
    assert_eq!(no_tree(&opened(SNAPSHOT, "a.json").updates(NOW)), None);
}

#[test]
fn a_list_has_no_missing_tree() {
    let mut viewer = opened(r#"[{"runId":"a","status":"failed"},{"runId":"b","status":"failed"}]"#, "a.json");
    assert_eq!(no_tree(&viewer.updates(NOW)), None);
}

/// Each row of the list with its state: `a running`.
fn row_states(updates: &[Update]) -> Vec<String> {
    let rows = list(updates).groups.into_iter().flat_map(|group| group.runs.rows);
    let mut rows: Vec<_> =
        rows.map(|row| format!("{} {}", row.id, row.pill.value().unwrap_or_default())).collect();
    rows.sort();
    rows
}

#[test]
fn another_run_has_a_header_from_its_row_until_the_gateway_answers() {
    let listed = r#"[{"runId":"a","workflowName":"one","status":"failed"},{"runId":"c","workflowName":"two","status":"waiting-approval"}]"#;
    let mut viewer = gateway(None);
    answer(&mut viewer, ClientInput::Opened, listed, NOW);
    answer(&mut viewer, ClientInput::Watch("a"), listed, NOW);
    assert_eq!(header(&viewer.updates(NOW)).unwrap().name, "one");
    viewer.gateway().unwrap().handle(Some(ClientInput::Watch("c")), NOW);
    let updates = viewer.updates(NOW);
    let shown = header(&updates).unwrap();
    assert_eq!((status(&updates).screen, shown.name.as_str()), (Screen::Run, "two"));
    assert_eq!(shown.state.as_deref(), Some("waiting-approval"));
    assert!(shown.actions.is_empty(), "a row does not say enough to act on it: {:?}", shown.actions);
    viewer.gateway().unwrap().handle(Some(ClientInput::Watch("unknown")), NOW);
    assert_eq!(status(&viewer.updates(NOW)).screen, Screen::Connecting, "nothing is known of it");
}

#[test]
fn the_row_of_the_watched_run_matches_its_header_until_it_is_left() {
    let listed = r#"[{"runId":"a","status":"paused"},{"runId":"b","status":"paused"},{"runId":"c","status":"finished"}]"#;
    let failed = listed.replace("paused", "failed");
    let later = |seconds: f64| Millis(NOW.0 + 1_000.0 * seconds);
    let mut viewer = gateway(None);
    answer(&mut viewer, ClientInput::Opened, listed, NOW);
    assert_eq!(row_states(&viewer.updates(NOW)), ["a paused", "b paused", "c succeeded"]);
    answer_differently(&mut viewer, ClientInput::Watch("a"), [listed, &failed], later(1.0));
    let updates = viewer.updates(later(1.0));
    assert_eq!(header(&updates).unwrap().state.as_deref(), Some("failed"));
    assert_eq!(row_states(&updates), ["a failed", "b paused", "c succeeded"]);
    assert_eq!(current(&updates), ["a"]);
    let states = list(&updates).states.into_iter().map(|state| (state.label, state.count));
    let expected = [("Paused", "1"), ("Failed", "1"), ("Succeeded", "1")];
    assert!(states.eq(expected.map(|(label, count)| (label.to_owned(), count.to_owned()))));
    // Another run is watched: a later list knows more about the first than its last answer.
    answer_differently(&mut viewer, ClientInput::Watch("b"), [listed, &failed], later(2.0));
    assert_eq!(row_states(&viewer.updates(later(2.0))), ["a paused", "b failed", "c succeeded"]);
    answer_differently(&mut viewer, ClientInput::List, [&failed, listed], later(3.0));
    assert_eq!(row_states(&viewer.updates(later(3.0))), ["a failed", "b failed", "c succeeded"]);
    let changed = listed.replacen("paused", "waiting-timer", 1);
    answer_differently(&mut viewer, ClientInput::Visible(true), [&changed, listed], later(13.0));
    assert_eq!(row_states(&viewer.updates(later(13.0))), ["a waiting-timer", "b paused", "c succeeded"]);
}

#[test]
fn the_list_of_a_gateway_names_its_server_and_its_freshness() {
    let mut viewer = gateway(None);
    answer(&mut viewer, ClientInput::Opened, r#"[{"runId":"a","status":"paused"}]"#, NOW);
    let origin = list(&viewer.updates(NOW)).origin.unwrap();
    assert_eq!(origin.freshness.value(), Some("live"));
    assert!(!origin.address.contains("://"), "{}", origin.address);
    let mut document =
        opened(r#"[{"runId":"a","status":"failed"},{"runId":"b","status":"failed"}]"#, "a.json");
    assert_eq!(list(&document.updates(NOW)).origin, None);
}

#[test]
fn a_run_that_is_gone_is_a_refusal_with_its_last_state() {
    let listed = r#"[{"runId":"a","status":"paused"}]"#;
    let mut viewer = gateway(None);
    answer(&mut viewer, ClientInput::Opened, listed, NOW);
    answer(&mut viewer, ClientInput::Watch("a"), listed, NOW);
    let later = |seconds: f64| Millis(NOW.0 + 1_000.0 * seconds);
    // The actions wait until the nodes that the reason may name were read, for a second at most.
    answer(&mut viewer, ClientInput::Visible(true), listed, later(1.5));
    let updates = viewer.updates(later(1.5));
    assert_eq!((status(&updates).screen, header(&updates).unwrap().actions.len()), (Screen::Run, 1));
    // This Gateway no longer has the run.
    answer_differently(&mut viewer, ClientInput::Visible(true), [listed, "[]"], later(2.0));
    let updates = viewer.updates(later(5.0));
    let gone = status(&updates);
    assert_eq!((gone.screen, gone.refusal.unwrap().code.as_str()), (Screen::Refusal, "NOT_FOUND"));
    let last = header(&updates).unwrap();
    assert_eq!((last.state.as_deref(), last.freshness.value()), (Some("paused"), Some("refused")));
    assert_eq!(last.actions, []);
    answer(&mut viewer, ClientInput::Visible(true), listed, later(6.0));
    assert_eq!(status(&viewer.updates(later(6.0))).screen, Screen::Run, "it is back");
}

#[test]
fn a_row_of_an_ended_run_shows_its_age_once_the_list_is_lost() {
    let mut viewer = gateway(None);
    let listed = r#"[{"runId":"a","status":"cancelled"},{"runId":"b","status":"paused"}]"#;
    answer(&mut viewer, ClientInput::Opened, listed, NOW);
    let aged = |updates: &[Update]| {
        let rows = list(updates).groups.into_iter().flat_map(|group| group.runs.rows);
        rows.map(|row| serde_json::to_string(&row.pill).unwrap().contains("as of")).collect::<Vec<_>>()
    };
    assert_eq!(aged(&viewer.updates(NOW)), [false, false]);
    viewer.gateway().unwrap().handle(Some(ClientInput::Closed { code: 1006, reason: "" }), NOW);
    assert_eq!(aged(&viewer.updates(Millis(NOW.0 + 20_000.0))), [true, true], "another process can reopen a");
}

#[test]
fn rows_of_a_new_list_replace_the_old_ones() {
    let row = |id: &str, status: &str| format!(r#"{{"runId":"{id}","status":"{status}"}}"#);
    let runs = |rows: &[(&str, &str)]| {
        let rows: Vec<String> = rows.iter().map(|(id, status)| row(id, status)).collect();
        format!("[{}]", rows.join(","))
    };
    let mut viewer = gateway(None);
    let mut now = NOW;
    for (rows, expected) in [
        (&[("a", "paused"), ("b", "paused")][..], &["a paused", "b paused"][..]),
        (&[("a", "paused"), ("b", "failed")], &["a paused", "b failed"]),
        (&[("b", "failed"), ("a", "paused")], &["a paused", "b failed"]),
        (&[("b", "paused"), ("a", "failed")], &["a failed", "b paused"]),
        (&[("c", "paused"), ("b", "paused"), ("a", "failed")], &["a failed", "b paused", "c paused"]),
        (&[("c", "failed")], &["c failed"]),
    ] {
        now = Millis(now.0 + 10_000.0);
        let input = if now.0 == NOW.0 + 10_000.0 { ClientInput::Opened } else { ClientInput::Visible(true) };
        answer(&mut viewer, input, &runs(rows), now);
        assert_eq!(row_states(&viewer.updates(now)), expected, "{rows:?}");
    }
    answer(&mut viewer, ClientInput::Visible(true), "[]", Millis(now.0 + 10_000.0));
    assert_eq!(runs_of(&viewer.updates(Millis(now.0 + 10_000.0))), 0);
}

fn runs_of(updates: &[Update]) -> usize {
    list(updates).total
}
