//! Examples of items that are not public.

#[test]
fn the_next_attempt_has_a_time() {
    use runstate::gateway::{Client, ClientInput, ClientOptions};
    use runstate::time::Millis;

    let transport = runstate::gateway::Transport::WebSocket;
    let mut options = ClientOptions::new("ws://127.0.0.1:7331", 1);
    options.transport = transport;
    let mut client = Client::new(options, Millis(0.0));
    assert_eq!(client.retry(), None);
    client.handle(ClientInput::Closed { code: 1006, reason: "" }, Millis(20.0));
    let retry = client.retry().unwrap();
    assert_eq!(retry.attempt, 1);
    assert_eq!(client.wake_at(), Some(retry.at));
}

#[test]
fn a_client_notes_why_it_could_not_open() {
    use runstate::gateway::{Client, ClientInput, ClientOptions, ConnectionPhase, OpenFailure, Transport};
    use runstate::time::Millis;

    let transport = Transport::WebSocket;
    let mut options = ClientOptions::new("ws://127.0.0.1:7331", 1);
    options.transport = transport;
    let mut client = Client::new(options, Millis(0.0));
    client.handle(ClientInput::Closed { code: 1006, reason: "" }, Millis(20.0));
    client.handle(ClientInput::OpenFailed(OpenFailure::SocketRefused), Millis(25.0));
    assert_eq!(client.open_failure(), Some(OpenFailure::SocketRefused));
    assert_eq!(client.phase(), ConnectionPhase::Waiting, "it may be accepted later");

    client.handle(ClientInput::OpenFailed(OpenFailure::ContentPolicy), Millis(30.0));
    assert_eq!(client.phase(), ConnectionPhase::Stopped, "the policy stays as long as the page");
}

#[test]
fn a_client_opens_first_and_retries() {
    use runstate::gateway::{Client, ClientEffect, ClientInput, ClientOptions, ConnectionPhase};
    use runstate::time::Millis;

    let options = ClientOptions::new("ws://127.0.0.1:7331", 1);
    let mut client = Client::new(options, Millis(0.0));
    assert_eq!(client.next_effect(), Some(ClientEffect::Open { url: "ws://127.0.0.1:7331".into() }));

    client.handle(ClientInput::Closed { code: 1006, reason: "" }, Millis(20.0));
    assert_eq!(client.phase(), ConnectionPhase::Waiting);
    assert!(client.wake_at().unwrap() <= Millis(520.0));
}

#[test]
fn the_last_events_of_a_document() -> Result<(), runstate::ingest::DocumentError> {
    use runstate::file::File;
    use runstate::ingest::open;
    use runstate::time::Millis;

    let log = concat!(
        r#"{"type":"RunStarted","runId":"r1","timestampMs":1000}"#,
        "\n",
        r#"{"type":"RunFailed","runId":"r1","error":{"message":"disk is full"},"timestampMs":2000}"#,
        "\n",
    );
    let mut document = open(&[File { name: None, bytes: log.as_bytes() }], Millis(9_000.0))?;
    let events = document.last_events(None);
    assert_eq!((&*events[0].name, &*events[0].detail), ("RunFailed", "disk is full"));
    assert_eq!((&*events[1].name, &*events[1].at), ("RunStarted", "1970-01-01 00:00:01Z"));
    Ok(())
}

#[test]
fn a_kind_of_document_names_its_part() {
    use runstate::lionagi::wire::LionagiDocumentKind;

    assert_eq!(LionagiDocumentKind::AdminHealth.part(), "/api/admin/health");
}

#[test]
fn a_file_of_a_run_directory_is_recognised() {
    use crate::kind::conductor::recognises;
    use runstate::file::File;

    let pasted = |text: &'static str| [File { name: None, bytes: text.as_bytes() }];
    assert!(recognises(&pasted(r#"{"run_id":"r","lifecycle_state":"running"}"#)));
    assert!(recognises(&pasted("completed:STOP")));
    assert!(!recognises(&pasted(r#"{"runId":"r","state":"running"}"#)));
}

#[test]
fn a_file_of_a_step_is_not_recognised_as_a_run() {
    use crate::kind::conductor::recognises;
    use runstate::file::File;

    let writes =
        include_str!("../../../tests/vectors/conductor/runs/agent-error-routed-to-stop/writes.ndjson");
    let mut step_files = 0;
    for write in writes.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()) {
        let is_of_step = write["file"].as_str().unwrap().starts_with("artifacts/");
        let bytes = write["content"].as_str().unwrap().as_bytes();
        if is_of_step && !write["file"].as_str().unwrap().ends_with("manifest.json") {
            step_files += 1;
            assert!(!recognises(&[File { name: None, bytes }]), "{}", write["file"]);
        }
    }
    assert!(step_files > 2, "{step_files}");
}

#[test]
fn health_comes_before_the_status() {
    use runstate::lionagi::derive::effective_state;
    use runstate::lionagi::wire::StoredStatus;
    use runstate::word::Word;

    let stale = Word::new("stale");
    let effective = effective_state(&StoredStatus::new(Some("running")), Some(&stale), None).unwrap();
    assert_eq!((&*effective.word, effective.is_compound()), ("stale running", true));
    let drowsy = Word::new("drowsy");
    let effective = effective_state(&StoredStatus::new(Some("running")), Some(&drowsy), None).unwrap();
    assert_eq!((&*effective.word, effective.is_compound()), ("drowsy running", true));
    let effective = effective_state(&StoredStatus::new(Some("hibernating")), Some(&stale), None).unwrap();
    assert_eq!((&*effective.word, effective.is_compound()), ("hibernating", false));
    assert_eq!(effective_state(&StoredStatus::Absent, Some(&stale), None), None);
}

#[test]
fn the_worst_health_wins() {
    use runstate::lionagi::derive::worst_health;
    use runstate::lionagi::wire::SessionHealth;

    assert_eq!(worst_health(&[SessionHealth::Idle, SessionHealth::Orphaned]), SessionHealth::Orphaned);
    assert_eq!(worst_health(&[]), SessionHealth::Healthy);
}

#[test]
fn the_most_urgent_axis_decides() {
    use runstate::lionagi::derive::{Axes, derive_severity};
    use runstate::lionagi::wire::{Severity, SeverityTone};
    use runstate::word::Word;

    let axes = Axes {
        outcome: Some(Word::new("completed")),
        delivery: Some(Word::new("missing")),
        ..Axes::default()
    };
    let verdict = derive_severity(&axes);
    assert_eq!((verdict.severity, verdict.tone), (Severity::Critical, SeverityTone::Danger));
    assert_eq!(derive_severity(&Axes::default()).severity, Severity::Neutral);
}

#[test]
fn a_frame_is_an_event() {
    use runstate::log::EventLog;
    use runstate::time::Millis;

    let frame =
        r#"{"runId":"r","streamId":"s","seq":3,"event":"node.started","payload":{"runId":"r","nodeId":"a"}}"#;
    let mut log = EventLog::new();
    assert!(log.push_frame(frame, Millis(1_700_000_000_000.0)));
    assert_eq!(log.view(Millis(1_700_000_000_000.0)).state.as_str(), "running");
    assert_eq!(log.json(0).as_deref(), Some(r#"{"runId":"r","nodeId":"a"}"#));
    assert!(!log.push_frame(r#"{"runId":"r","event":"cron.fired","payload":{}}"#, Millis(0.0)));
}

#[test]
fn a_value_is_an_event() {
    use runstate::log::EventLog;

    let mut log = EventLog::new();
    log.push_value("{\n  \"type\": \"RunStarted\",\n  \"runId\": \"r\",\n  \"timestampMs\": 1000\n}");
    assert_eq!(log.counts().events, 1);
}

#[test]
fn a_log_is_recognised_by_its_first_event() {
    use runstate::log::is_event_log;

    assert!(is_event_log(
        "oops\n{\"type\":\"RunStarted\",\"runId\":\"r\",\"timestampMs\":1}\n{\"type\":\"Nod"
    ));
    assert!(!is_event_log("{\"runId\":\"r\",\"state\":\"running\"}"));
}

#[test]
fn a_log_is_a_witness() {
    use runstate::log::EventLog;
    use runstate::run::Witness;
    use runstate::time::Millis;

    let mut log = EventLog::new();
    assert_eq!(Witness::from_log(&log.view(Millis(0.0))), None);
    log.push(b"{\"type\":\"RunStarted\",\"runId\":\"r1\",\"timestampMs\":1700000000000}\n");
    let witness = Witness::from_log(&log.view(Millis(0.0))).unwrap();
    assert_eq!((witness.view.state.as_str(), witness.at), ("running", Some(Millis(1_700_000_000_000.0))));
}

#[test]
fn a_view_has_a_time() {
    use runstate::smithers::wire::RunStateView;
    use runstate::time::Millis;

    let at = |computed_at: &str| {
        let json = format!(r#"{{"runId":"r1","computedAt":"{computed_at}","state":"running"}}"#);
        RunStateView::from_json(&json).unwrap().computed_time()
    };
    assert_eq!((at("1970-01-01T00:00:05.000Z"), at("just now")), (Some(Millis(5000.0)), None));
}

#[test]
fn what_a_state_hides_is_a_note() {
    use runstate::run::Hidden;
    use runstate::smithers::wire::NodeState;
    use runstate::summary::{hidden_note, text};

    let gate =
        Hidden::Waiting { state: NodeState::WaitingApproval, nodes: vec![("gate".into(), 0)], count: 1 };
    assert_eq!(text(&hidden_note(&gate, false)), "Also waiting for a decision at gate.");
}

#[test]
fn the_difference_of_two_trees() -> Result<(), runstate::json::ReadError> {
    use runstate::tree::{Op, Tree};

    let before = Tree::from_json(r#"{"id":1,"type":"workflow","name":"demo","children":[]}"#)?;
    let after = Tree::from_json(
        r#"{"id":1,"type":"workflow","name":"demo","children":[{"id":2,"type":"task","name":"t","depth":1}]}"#,
    )?;
    assert!(matches!(&before.diff(&after)[..], [Op::AddNode { index: 0.0, .. }]));
    assert!(after.diff(&after).is_empty());
    Ok(())
}

#[test]
fn a_node_is_found_by_id_and_iteration() -> Result<(), runstate::json::ReadError> {
    use runstate::tree::Tree;

    let tree = Tree::from_json(
        r#"{"id":1,"type":"loop","name":"loop","children":[
            {"id":2,"type":"task","name":"t","task":{"nodeId":"review","iteration":0}},
            {"id":3,"type":"task","name":"t","task":{"nodeId":"review","iteration":1}}]}"#,
    )?;
    let second = tree.find_node("review", Some(1)).unwrap();
    assert_eq!(tree.node(second).id.0, 3);
    assert_eq!(tree.find_node("deploy", None), None);
    Ok(())
}

#[test]
fn a_sequence_is_no_work() -> Result<(), runstate::json::ReadError> {
    use runstate::tree::Tree;

    let timer = Tree::from_json(r#"{"id":1,"type":"timer","name":"timer"}"#)?;
    let sequence = Tree::from_json(r#"{"id":1,"type":"sequence","name":"sequence"}"#)?;
    assert!(timer.node(timer.root()).is_work());
    assert!(!sequence.node(sequence.root()).is_work());
    Ok(())
}

#[test]
fn an_announcement_of_a_run() -> Result<(), runstate::json::ReadError> {
    use runstate::freshness::Freshness;
    use runstate::run::RunInspection;
    use runstate::smithers::wire::read_run;
    use runstate::time::Millis;
    use runstate::viewer::announcement::Announcement;

    let row = read_run(r#"{"runId":"r1","status":"waiting-timer"}"#)?;
    let run = RunInspection::from_row(&row, "runs.get", Millis(0.0));
    let lost = Freshness::Lost { as_of: Millis(0.0), attempt: 1, retry_at: None, silence_limit_ms: None };
    assert_eq!(
        Announcement::from_run(&run, &Freshness::Live { last_frame_at: Millis(0.0) }).words,
        "waiting for timer"
    );
    assert_eq!(Announcement::from_run(&run, &lost).words, "feed lost, was waiting for timer");
    Ok(())
}
