use super::*;
use crate::document::{File, open};
use crate::feed::Transport;
use crate::pill::Taxonomy;

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

fn status(updates: &[Update]) -> Status {
    let told = updates.iter().find_map(|update| match update {
        Update::Status(json) => Some(Status::from_json(json).unwrap()),
        _ => None,
    });
    told.unwrap()
}

#[test]
fn a_document_is_told_once() {
    let mut session = Session::default();
    assert_eq!(status(&session.updates(NOW)).showing, Showing::Nothing);
    session.open(snapshot(), "a.json");
    let updates = session.updates(NOW);
    let told = status(&updates);
    assert_eq!((told.showing, told.live, told.source.as_str()), (Showing::Run, false, "a.json"));
    let header = updates.iter().find_map(|update| match update {
        Update::Header(json) => json.clone(),
        _ => None,
    });
    let header = Header::from_json(&header.unwrap()).unwrap();
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
fn a_row_of_a_list_is_chosen_and_left_again() {
    let rows = document(
        r#"[{"runId":"a","workflowName":"w","status":"finished"},{"runId":"b","workflowName":"w","status":"failed"}]"#,
    );
    let mut session = Session::default();
    session.open(rows, "list.json");
    let told = status(&session.updates(NOW));
    assert_eq!((told.showing, told.rows.len(), told.listed), (Showing::Runs, 2, false));
    session.choose(Some(1));
    let updates = session.updates(NOW);
    let told = status(&updates);
    assert_eq!((told.showing, told.rows.len(), told.listed), (Showing::Run, 0, true));
    assert!(updates.contains(&Update::Tree(Vec::new())));
    session.choose(None);
    assert!(session.updates(NOW).contains(&Update::Header(None)));
}

#[test]
fn a_gateway_that_cannot_be_reached_is_told_as_connecting() {
    let options = FeedOptions {
        url: "ws://127.0.0.1:1".into(),
        token: None,
        run_id: None,
        seed: 1,
        transport: Transport::WebSocket,
    };
    let mut session = Session::default();
    session.connect(options, NOW);
    let (effects, _) = session.handle(None, NOW);
    assert_eq!(effects, [Effect::Open { url: "ws://127.0.0.1:1".into() }]);
    let told = status(&session.updates(NOW));
    assert_eq!((told.showing, told.live, told.retry_in), (Showing::Connecting, true, None));
    let (_, wake_at) = session.handle(Some(Input::Closed { code: 1006, reason: "" }), NOW);
    assert!(wake_at.is_some());
    assert!(status(&session.updates(NOW)).retry_in.is_some());
}

#[test]
fn what_is_held_after_a_gateway_hears_nothing_of_it() {
    let mut session = Session::default();
    session.open(snapshot(), "a.json");
    session.updates(NOW);
    assert_eq!(session.handle(Some(Input::ReconnectNow), NOW), (Vec::new(), None));
    assert_eq!(session.updates(NOW), []);
}

#[test]
fn a_status_reads_back_as_it_was_and_others_are_refused() {
    let row = ListRow {
        id: "r\"1".into(),
        name: "deploy".into(),
        taxonomy: Taxonomy::Session,
        state: Some("timed_out".into()),
        at: Some(Millis(1.5)),
    };
    let status = Status {
        showing: Showing::Refusal,
        lost: true,
        retry_in: Some("4 s".into()),
        ahead_ms: -3.0,
        refusal: Some(crate::inspection::Refusal { code: "NO".into(), message: "no".into(), method: None }),
        problems: vec!["Line 1, column 2: no.".into()],
        rows: vec![row.clone(), ListRow { state: None, at: None, ..row }],
        ..Status::default()
    };
    let whole = status.to_json();
    assert_eq!(Status::from_json(&whole).unwrap(), status);
    for (from, to) in [("false", "7"), ("\"session\"", "\"astrology\""), ("[", "[1,"), ("]", ",1]")] {
        assert!(Status::from_json(&whole.replacen(from, to, 1)).is_err(), "{to}");
    }
}
