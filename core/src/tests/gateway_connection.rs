//! The connection: accepted, refused, kept open, replaced.

use super::test_gateway;

use runstate::freshness::Freshness;
use runstate::gateway::{Client, ClientInput, ClientOptions, ConnectionPhase, MAX_FRAME_BYTES, Token};
use runstate::time::Millis;
use serde_json::json;
use test_gateway::{Answers, Reply, TOKEN, at_work, capture, rpc, steady, watching, working};

#[test]
fn the_first_connection_goes_step_by_step() {
    let mut gateway = watching(working());
    gateway.run(1000.0);
    assert_eq!(
        gateway.phases,
        [ConnectionPhase::Connecting, ConnectionPhase::Handshaking, ConnectionPhase::Watching]
    );
    assert_eq!(gateway.freshness(), ["connecting", "live"]);
    let methods: Vec<&str> = gateway.asked.iter().take(4).map(|(_, method, _)| method.as_str()).collect();
    assert_eq!(methods, ["connect", "getRun", "listNodeStates", "listRuns"]);
    assert_eq!(gateway.asked("streamRunEvents"), 0, "broadcasts come without it, and streams are limited");
}

#[test]
fn a_run_at_work_is_polled_every_800_ms_a_hidden_one_every_five_seconds_and_an_ended_one_every_fifteen() {
    let mut gateway = watching(working());
    gateway.run(10_500.0);
    assert_eq!(gateway.asked_between("getRun", 1500.0, 10_500.0), 12);
    gateway.input(ClientInput::Visible(false));
    gateway.run(32_500.0);
    assert_eq!(gateway.asked_between("getRun", 12_500.0, 32_500.0), 4);
    assert_eq!(gateway.asked_between("listNodeStates", 15_500.0, 35_500.0), 4);
    let before = gateway.asked("getRun");
    gateway.input(ClientInput::Visible(true));
    gateway.run(100.0);
    assert_eq!(gateway.asked("getRun"), before + 1, "at once when it is shown again");
    let mut gateway = watching(steady(rpc("cancel-a.runs.get"), rpc("cancel-a.listNodeStates")));
    gateway.run(60_000.0);
    let asked: Vec<f64> =
        gateway.asked.iter().filter(|(_, method, _)| method == "getRun").map(|(at, ..)| *at).collect();
    assert_eq!(asked.len(), 5, "once, once more two seconds later, then every 15 s: {asked:?}");
    assert!(asked.windows(2).skip(1).all(|pair| pair[1] - pair[0] >= 15_000.0), "{asked:?}");
    assert_eq!(gateway.asked("streamDevTools"), 0);
    assert_eq!(gateway.opens.len(), 1);
    assert_eq!(gateway.freshness(), ["connecting", "live"], "each answer keeps it live");
}

#[test]
fn the_header_changes_only_when_it_says_something_else() {
    let mut gateway = watching(working());
    gateway.run(1000.0);
    let before = gateway.feed.revision();
    gateway.run(9000.0);
    assert_eq!(gateway.feed.revision(), before);
}

#[test]
fn a_wrong_token_stops_the_feed() {
    let frames = capture("bad-token");
    let refused =
        frames.iter().find(|(_, dir, frame)| dir == "in" && frame["type"] == "res").unwrap().2.clone();
    let mut feed = feed(None);
    feed.handle(ClientInput::Opened, Millis(1.0));
    let mut refused = refused;
    refused["id"] = json!("r1");
    feed.handle(ClientInput::Text(&refused.to_string()), Millis(2.0));
    feed.handle(ClientInput::Closed { code: 1008, reason: "authentication failed" }, Millis(2.0));
    assert_eq!(feed.phase(), ConnectionPhase::Stopped);
    let refusal = feed.refusal().unwrap();
    assert_eq!((refusal.code.as_str(), refusal.message.as_str()), ("UNAUTHORIZED", "Invalid token"));
    assert_eq!(refusal.method.as_deref(), Some("connect"));
    assert_eq!(feed.wake_at(), None, "asking again with the same token is no use");
    while feed.next_effect().is_some() {}

    feed.handle(ClientInput::Authorise(Some(Token::new("better"))), Millis(5000.0));
    assert_eq!(feed.phase(), ConnectionPhase::Connecting);
    assert_eq!(feed.refusal(), None);
    feed.handle(ClientInput::Opened, Millis(5001.0));
    let sent: Vec<_> = std::iter::from_fn(|| feed.next_effect()).collect();
    assert!(format!("{sent:?}").contains("better"));
}

fn feed(run_id: Option<&str>) -> Client {
    let mut options = ClientOptions::new("ws://gateway", 1);
    options.token = Some(Token::new(TOKEN));
    options.run_id = run_id.map(Into::into);
    Client::new(options, Millis(0.0))
}

#[test]
fn every_refusal_of_connect_is_told_and_not_repeated() {
    for code in ["PROTOCOL_UNSUPPORTED", "FORBIDDEN", "INVALID_REQUEST", "Unauthorized", "SOMETHING_NEW"] {
        let mut feed = feed(Some("a"));
        feed.handle(ClientInput::Opened, Millis(1.0));
        let text = json!({"type": "res", "id": "r1", "ok": false, "error": {"code": code, "message": "no"}});
        feed.handle(ClientInput::Text(&text.to_string()), Millis(2.0));
        assert_eq!((feed.phase(), feed.wake_at()), (ConnectionPhase::Stopped, None), "{code}");
        assert_eq!(feed.refusal().unwrap().code, code);
        assert!(feed.inspection().run.is_none(), "{code} is not a state");
    }
    for code in ["CONNECTION_LIMIT", "RateLimited", "Internal", "SERVER_ERROR"] {
        let mut feed = feed(Some("a"));
        feed.handle(ClientInput::Opened, Millis(1.0));
        let text =
            json!({"type": "res", "id": "r1", "ok": false, "error": {"code": code, "message": "full"}});
        feed.handle(ClientInput::Text(&text.to_string()), Millis(2.0));
        assert_eq!(feed.phase(), ConnectionPhase::Waiting, "{code} may pass");
    }
    let mut feed = feed(None);
    feed.handle(ClientInput::Closed { code: 1008, reason: "authentication failed" }, Millis(1.0));
    assert_eq!(feed.phase(), ConnectionPhase::Stopped);
    assert_eq!(feed.refusal().unwrap().message, "authentication failed");
}

#[test]
fn the_token_is_in_the_connect_frame_and_nowhere_else() {
    let mut gateway = watching(working());
    gateway.run(500.0);
    gateway.input(ClientInput::Closed { code: 1006, reason: "" });
    gateway.run(3000.0);
    let holding: Vec<&str> = gateway
        .asked
        .iter()
        .filter(|(_, _, frame)| frame.contains(TOKEN))
        .map(|(_, m, _)| m.as_str())
        .collect();
    assert_eq!(holding, ["connect", "connect"]);
    assert!(!format!("{:?}", gateway.feed).contains(TOKEN));
    let mut options = ClientOptions::new(String::new(), 0);
    options.token = Some(Token::new(TOKEN));
    assert!(!format!("{options:?} {:?}", ClientInput::Authorise(options.token.clone())).contains(TOKEN));
}

#[test]
fn a_token_that_expires_stops_the_feed_and_keeps_the_picture() {
    let answers: Answers = Box::new(|method, _, now| match method {
        _ if now > 2000.0 => Reply::No("UNAUTHORIZED", "Token expired; issue a refreshed token."),
        "getRun" => Reply::Ok(rpc("cancel-a.runs.get-running")),
        "listNodeStates" => Reply::Ok(rpc("cancel-a.listNodeStates-running")),
        _ => Reply::Ok(json!([])),
    });
    let mut gateway = watching(answers);
    gateway.run(4000.0);
    assert_eq!(gateway.feed.phase(), ConnectionPhase::Stopped);
    assert_eq!(gateway.feed.refusal().unwrap().code, "UNAUTHORIZED");
    assert_eq!(gateway.states(), ["running"]);
    assert!(matches!(gateway.feed.freshness(Millis(4000.0)), Freshness::Lost { retry_at: None, .. }));
    assert_eq!(gateway.opens.len(), 1);
}

#[test]
fn the_stream_of_an_ended_run_is_let_go_unseen() {
    let (run, ended) = (rpc("cancel-a.runs.get-running"), rpc("cancel-a.runs.get"));
    let answers: Answers = Box::new(move |method, _, now| match method {
        "getRun" if now < 3000.0 => Reply::Ok(run.clone()),
        "getRun" if now < 30_000.0 => Reply::Ok(ended.clone()),
        "getRun" => Reply::Ok(at_work(&ended)),
        "listNodeStates" => Reply::Ok(rpc("cancel-a.listNodeStates")),
        "getDevToolsSnapshot" => Reply::Ok(rpc("getDevToolsSnapshot-rewind-a")),
        "listRuns" | "attempts.list" => Reply::Ok(json!([])),
        _ => Reply::Ok(json!({})),
    });
    let mut gateway = watching(answers);
    gateway.run(29_000.0);
    assert_eq!(gateway.opens.len(), 2);
    assert!((13_000.0..13_300.0).contains(&gateway.opens[1]), "{:?}", gateway.opens);
    assert_eq!((gateway.asked("streamDevTools"), gateway.asked("getDevToolsSnapshot")), (1, 1));
    assert_eq!(gateway.freshness(), ["connecting", "live"]);
    assert_eq!(
        gateway.phases,
        [ConnectionPhase::Connecting, ConnectionPhase::Handshaking, ConnectionPhase::Watching]
    );

    gateway.run(31_000.0);
    let woken = json!({"runId": "cancel-a", "nodeId": "grind", "state": "in-progress"});
    gateway.push(&json!({"type": "event", "event": "node.started", "payload": woken}));
    gateway.run(31_500.0);
    assert_eq!(gateway.states(), ["running", "cancelled", "running"], "a retry reopens the run");
    assert_eq!(gateway.asked("streamDevTools"), 2, "and its stream");
}

#[test]
fn inputs_out_of_order_do_no_harm() {
    let mut feed = feed(Some("a"));
    for input in [
        ClientInput::Text("{}"),
        ClientInput::Timer,
        ClientInput::Visible(true),
        ClientInput::Opened,
        ClientInput::Opened,
        ClientInput::Stop,
        ClientInput::Stop,
        ClientInput::Text("{\"type\":\"res\",\"id\":\"r1\",\"ok\":true,\"payload\":{}}"),
        ClientInput::Closed { code: 1000, reason: "" },
        ClientInput::Timer,
    ] {
        feed.handle(input, Millis(5.0));
    }
    assert_eq!((feed.phase(), feed.refusal(), feed.wake_at()), (ConnectionPhase::Stopped, None, None));
    feed.handle(ClientInput::Watch("b"), Millis(6.0));
    assert_eq!(feed.phase(), ConnectionPhase::Connecting);
}

#[test]
fn a_frame_that_is_longer_than_any_of_a_gateway_is_named_and_hides_no_other() {
    let mut gateway = watching(working());
    gateway.run(1000.0);
    let frame = format!(r#"{{"type":"event","event":"{}"}}"#, "x".repeat(MAX_FRAME_BYTES));
    let before = gateway.asked("getRun");
    gateway.input(ClientInput::Text(&frame));
    let problems = gateway.feed.inspection().problems.texts();
    assert!(problems.iter().any(|problem| problem.contains("more than a Gateway sends")), "{problems:?}");
    gateway.run(5000.0);
    assert!(gateway.asked("getRun") > before, "it is asked on");
    assert_eq!(gateway.freshness(), ["connecting", "live"]);
    assert_eq!(gateway.opens.len(), 1, "the connection stays");
}
