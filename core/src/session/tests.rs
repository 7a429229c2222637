use super::*;
use crate::document::{Document, File, ListRow, open};
use crate::export::{Options, export};
use crate::feed::{Effect, FeedOptions, Input, Transport};
use crate::inspection::RunInspection;
use crate::smithers::read_run;

const NOW: Millis = Millis(1_700_000_000_000.0);

fn document(text: &str) -> Document {
    open(&[File { name: None, bytes: text.as_bytes() }], NOW).unwrap()
}

fn snapshot() -> Document {
    document(
        r#"{"version":1,"runId":"r","frameNo":1,"seq":1,"runState":{"runId":"r","computedAt":"2023-11-14T22:13:20.000Z","state":"running"},
            "root":{"id":1,"type":"workflow","name":"w","props":{},"depth":0,"children":[]}}"#,
    )
}

fn session<H: Held>(held: H) -> Session<H> {
    let mut session = Session::default();
    session.hold(held);
    session
}

fn status(updates: &[Update]) -> Status {
    let told = updates.iter().find_map(|update| match update {
        Update::Status(json) => Some(Status::from_json(json).unwrap()),
        _ => None,
    });
    told.unwrap()
}

fn rows(updates: &[Update]) -> Vec<Listed> {
    let told = updates.iter().find_map(|update| match update {
        Update::Rows(json) => Some(read_rows(json).unwrap()),
        _ => None,
    });
    told.unwrap()
}

fn header(updates: &[Update]) -> Header {
    let told = updates.iter().find_map(|update| match update {
        Update::Header(json) => json.clone(),
        _ => None,
    });
    Header::from_json(&told.unwrap()).unwrap()
}

fn gateway(run_id: Option<&str>) -> Live {
    let options = FeedOptions {
        url: "ws://127.0.0.1:1".into(),
        token: None,
        run_id: run_id.map(str::to_owned),
        seed: 1,
        transport: Transport::WebSocket,
    };
    Live::connect(options, NOW)
}

#[test]
fn who_holds_nothing_tells_nothing() {
    let mut session = session(Opened::new(snapshot(), "a.json"));
    assert!(!session.updates(NOW).is_empty());
    session.let_go();
    assert!(session.held().is_none());
    assert_eq!(session.updates(NOW), []);
    assert_eq!(Session::<Live>::default().updates(NOW), []);
}

#[test]
fn a_document_is_told_once() {
    let mut session = session(Opened::new(snapshot(), "a.json"));
    let updates = session.updates(NOW);
    let told = status(&updates);
    assert_eq!((told.showing, told.live, told.source.as_str()), (Showing::Run, false, "a.json"));
    let header = header(&updates);
    assert_eq!(header.state.as_deref(), Some("running"));
    assert!(
        matches!(header.fields.last(), Some(Field { value: FieldValue::Code(name), .. }) if name == "a.json")
    );
    assert!(updates.iter().any(|update| matches!(update, Update::Tree(texts) if texts.len() == 2)));
    assert_eq!(session.updates(NOW), []);
    let later = session.updates(Millis(NOW.0 + 5_000.0));
    assert!(matches!(later.as_slice(), [Update::Header(Some(_))]), "its age went on: {later:?}");
}

#[test]
fn another_document_is_told_whole() {
    let mut session = session(Opened::new(snapshot(), "a.json"));
    let first = session.updates(NOW);
    session.hold(Opened::new(snapshot(), "a.json"));
    assert_eq!(session.updates(NOW), first);
}

#[test]
fn a_row_of_a_list_is_chosen_and_left_again() {
    let list = document(
        r#"[{"runId":"a","workflowName":"w","status":"finished"},{"runId":"b","workflowName":"w","status":"failed"}]"#,
    );
    let mut session = session(Opened::new(list, "list.json"));
    let updates = session.updates(NOW);
    let told = status(&updates);
    assert_eq!((told.showing, rows(&updates).len(), told.listed), (Showing::Runs, 2, false));
    session.held().unwrap().choose(Some(1));
    let updates = session.updates(NOW);
    let told = status(&updates);
    assert_eq!((told.showing, rows(&updates).len(), told.listed), (Showing::Run, 0, true));
    assert!(updates.contains(&Update::Tree(Vec::new())));
    session.held().unwrap().choose(None);
    let updates = session.updates(NOW);
    assert!(updates.contains(&Update::Header(None)));
    assert_eq!(rows(&updates).len(), 2);
}

#[test]
fn a_gateway_that_cannot_be_reached_is_told_as_connecting() {
    let mut session = session(gateway(None));
    let (effects, _) = session.held().unwrap().handle(None, NOW);
    assert_eq!(effects, [Effect::Open { url: "ws://127.0.0.1:1".into() }]);
    let updates = session.updates(NOW);
    let told = status(&updates);
    assert_eq!((told.showing, told.live, told.retry_in), (Showing::Connecting, true, None));
    assert!(rows(&updates).is_empty());
    assert_eq!(session.updates(NOW), []);
    let closed = Input::Closed { code: 1006, reason: "" };
    let (_, wake_at) = session.held().unwrap().handle(Some(closed), NOW);
    assert!(wake_at.is_some());
    let updates = session.updates(NOW);
    assert!(status(&updates).retry_in.is_some());
    assert!(!updates.iter().any(|update| matches!(update, Update::Rows(_))), "the list is what it was");
}

/// Said for some milliseconds at each try over HTTP before: "No runs here yet", of a Gateway that had not answered.
#[test]
fn that_there_are_no_runs_is_said_by_the_gateway_alone() {
    let mut session = session(gateway(None));
    let live = session.held().unwrap();
    let asked = live.handle(Some(Input::Opened), NOW).0;
    let Some(Effect::Send(connect)) = asked.last() else { panic!("it asks to be let in") };
    let connect: serde_json::Value = serde_json::from_str(connect).unwrap();
    let hello = format!(
        r#"{{"type":"res","id":{},"ok":true,"payload":{{"protocol":1,"policy":{{"heartbeatMs":1000}}}}}}"#,
        connect["id"]
    );
    let asked = live.handle(Some(Input::Text(&hello)), NOW).0;
    assert_eq!(status(&session.updates(NOW)).showing, Showing::Connecting, "nothing is known of runs");
    let list = asked.iter().find_map(|effect| match effect {
        Effect::Send(frame) if frame.contains("listRuns") => Some(frame),
        Effect::Send(_) | Effect::Open { .. } | Effect::Close => None,
    });
    let list: serde_json::Value = serde_json::from_str(list.unwrap()).unwrap();
    let none = format!(r#"{{"type":"res","id":{},"ok":true,"payload":[]}}"#, list["id"]);
    session.held().unwrap().handle(Some(Input::Text(&none)), NOW);
    assert_eq!(status(&session.updates(NOW)).showing, Showing::Runs, "the Gateway said that there are none");
}

/// Answers everything that is asked until nothing is; the list of runs with `runs`.
fn answer(live: &mut Live, input: Input<'_>, runs: &str, now: Millis) {
    let mut effects = live.handle(Some(input), now).0;
    while let Some(effect) = effects.pop() {
        let Effect::Send(frame) = effect else { continue };
        let frame: serde_json::Value = serde_json::from_str(&frame).unwrap();
        let challenge = r#"{"type":"event","event":"connect.challenge","payload":{"ts":1700000000000}}"#;
        if frame["method"] == "connect" {
            live.handle(Some(Input::Text(challenge)), now);
        }
        let payload = match frame["method"].as_str().unwrap() {
            "connect" => r#"{"protocol":1,"policy":{"heartbeatMs":1000},"snapshot":{"runs":[]}}"#,
            "listRuns" => runs,
            _ => "{}",
        };
        let text = format!(r#"{{"type":"res","id":{},"ok":true,"payload":{payload}}}"#, frame["id"]);
        effects.extend(live.handle(Some(Input::Text(&text)), now).0);
    }
}

#[test]
fn the_runs_of_a_gateway_are_told_when_they_change() {
    let one = r#"[{"runId":"a","workflowName":"w","status":"finished"}]"#;
    let two = r#"[{"runId":"b","workflowName":"w","status":"running"},{"runId":"a","workflowName":"w","status":"finished"}]"#;
    let mut session = session(gateway(None));
    let live = session.held().unwrap();
    answer(live, Input::Opened, one, NOW);
    let updates = session.updates(NOW);
    assert_eq!((status(&updates).showing, rows(&updates).len()), (Showing::Runs, 1));
    let mut now = NOW;
    let mut told = Vec::new();
    for runs in [one, two, two] {
        now = Millis(now.0 + 10_000.0);
        let live = session.held().unwrap();
        answer(live, Input::Woke, runs, now);
        let lists = session.updates(now).into_iter().filter(|update| matches!(update, Update::Rows(_)));
        told.push(lists.count());
    }
    assert_eq!(told, [0, 1, 0]);
}

#[test]
fn the_runs_of_a_gateway_are_the_same_after_their_export() {
    let runs = r#"[{"runId":"b","workflowName":"w","status":"running","startedAtMs":1699999940000,"heartbeatAtMs":1699999950000,
            "runtimeOwnerId":"pid:7","configJson":"{\"token\":\"t-1\"}","workflowPath":"/srv/w.tsx"},
        {"runId":"a","workflowName":"w","status":"molten"},{"runId":"c","status":"waiting-approval"}]"#;
    let mut session = session(gateway(None));
    answer(session.held().unwrap(), Input::Opened, runs, NOW);
    let live = rows(&session.updates(NOW));
    let later = Millis(NOW.0 + 90_000.0);
    let draft = session.held().unwrap().draft(later).unwrap();
    let options = Options { now: later, redact: &[] };
    let exported = export(&[File { name: None, bytes: draft.as_bytes() }], &options).unwrap();
    let text = String::from_utf8_lossy(&exported.bytes);
    assert!(!text.contains("t-1") && !text.contains("/srv"), "{text}");
    let opened = open(&[File { name: None, bytes: &exported.bytes }], later).unwrap();
    assert_eq!(Opened::new(opened, "list.json").rows().unwrap(), live);
}

#[test]
fn who_has_neither_run_nor_list_hands_nothing_out() {
    assert_eq!(gateway(None).draft(NOW).unwrap_err().code, "NOT_HELD");
    let mut live = gateway(None);
    answer(&mut live, Input::Opened, "[]", NOW);
    assert_eq!(live.draft(NOW).unwrap_err().code, "NOT_HELD", "a list of no runs is no document");
    let mut live = gateway(Some("r"));
    answer(&mut live, Input::Opened, r#"[{"runId":"a","status":"finished"}]"#, NOW);
    assert_eq!(live.draft(NOW).unwrap_err().code, "NOT_HELD", "the list beside a run is not in view");
}

#[test]
fn a_recording_is_a_run_that_never_changes_but_for_its_age() {
    let row = read_run(r#"{"runId":"r","workflowName":"w","status":"waiting-timer"}"#).unwrap();
    let run = RunInspection::from_row(&row, "getRun", NOW);
    let mut session = session(Live::recorded(run, "the recording"));
    let updates = session.updates(NOW);
    let told = status(&updates);
    assert_eq!((told.showing, told.live, told.listed), (Showing::Run, false, false));
    assert_eq!(told.source, "the recording");
    let header = header(&updates);
    assert_eq!(header.state.as_deref(), Some("waiting-timer"));
    assert!(header.fields.iter().any(|field| field.field == "clock"));
    assert!(updates.contains(&Update::Tree(Vec::new())));
    assert_eq!(session.updates(NOW), []);
    let live = session.held().unwrap();
    assert_eq!(live.handle(Some(Input::ReconnectNow), NOW), (Vec::new(), None), "no Gateway hears of it");
    assert_eq!(session.updates(NOW), []);
}

#[test]
fn rows_read_back_as_they_were_and_others_are_refused() {
    let row = ListRow {
        id: "r\"1".into(),
        name: "deploy".into(),
        taxonomy: Taxonomy::Session,
        state: Some("timed_out".into()),
        at: Some(Millis(1.5)),
    };
    let rows = [row.clone(), ListRow { state: None, at: None, ..row }]
        .map(|row| Listed::new(row, Taxonomy::Session));
    let whole = super::listed::rows_to_json(&rows);
    assert_eq!(read_rows(&whole).unwrap(), rows);
    for (from, to) in [("true", "7"), ("\"session\"", "\"astrology\""), ("[", "[1,"), ("]", ",1]")] {
        assert!(read_rows(&whole.replacen(from, to, 1)).is_err(), "{to}");
    }
}

#[test]
fn a_status_reads_back_as_it_was_and_others_are_refused() {
    let status = Status {
        showing: Showing::Refusal,
        lost: true,
        retry_in: Some("4 s".into()),
        ahead_ms: -3.0,
        refusal: Some(crate::inspection::Refusal { code: "NO".into(), message: "no".into(), method: None }),
        problems: vec!["Line 1, column 2: no.".into()],
        legacy: Some("2 legacy sessions".into()),
        ..Status::default()
    };
    let whole = status.to_json();
    assert_eq!(Status::from_json(&whole).unwrap(), status);
    for (from, to) in [("false", "7"), ("\"refusal\"", "\"astrology\""), ("[", "[1,"), ("]", ",1]")] {
        assert!(Status::from_json(&whole.replacen(from, to, 1)).is_err(), "{to}");
    }
}
