//! The Gateway over plain HTTP: every frame is a separate request, and no events are pushed.

use runstate::gateway::{
    Client, ClientEffect, ClientInput, ClientOptions, ConnectionPhase, Token, Transport,
};
use runstate::time::Millis;

fn feed() -> Client {
    let mut options = ClientOptions::new("http://127.0.0.1:7331", 1);
    options.token = Some(Token::new("secret-token"));
    options.run_id = Some("a".into());
    options.transport = Transport::Http;
    let mut feed = Client::new(options, Millis(0.0));
    assert_eq!(feed.next_effect(), Some(ClientEffect::Open { url: "http://127.0.0.1:7331".into() }));
    feed.handle(ClientInput::Opened, Millis(1.0));
    feed
}

/// The ids and methods of the requests that are to be sent.
fn requests(feed: &mut Client) -> Vec<(String, String)> {
    std::iter::from_fn(|| feed.next_effect())
        .filter_map(|effect| match effect {
            ClientEffect::Send(frame) => {
                assert!(!frame.contains("secret-token"), "{frame}");
                let frame: serde_json::Value = serde_json::from_str(&frame).unwrap();
                Some((frame["id"].as_str().unwrap().into(), frame["method"].as_str().unwrap().into()))
            }
            ClientEffect::Open { .. } | ClientEffect::Close => None,
        })
        .collect()
}

fn answer(feed: &mut Client, asked: &[(String, String)], method: &str, payload: &str, now: f64) {
    let (id, _) = asked.iter().find(|(_, asked)| asked == method).unwrap();
    let frame = format!(r#"{{"type":"res","id":"{id}","ok":true,"payload":{payload}}}"#);
    feed.handle(ClientInput::Text(&frame), Millis(now));
}

const RUN: &str = r#"{"runId":"a","status":"paused","runState":{"runId":"a","computedAt":"2026-11-21T21:10:39.873Z","state":"paused"}}"#;

#[test]
fn the_run_is_asked_for_without_a_handshake_and_the_tree_again_and_again() {
    let mut feed = feed();
    let asked = requests(&mut feed);
    assert!(asked.iter().all(|(_, method)| method != "connect"));
    answer(&mut feed, &asked, "getRun", RUN, 10.0);
    let state = feed.inspection().run.as_ref().and_then(|run| run.view()).map(|view| view.state.as_str());
    assert_eq!(state, Some("paused"));

    let mut snapshots = 0;
    for step in 1..=100 {
        feed.handle(ClientInput::Timer, Millis(10.0 + f64::from(step) * 50.0));
        let asked = requests(&mut feed);
        assert!(asked.iter().all(|(_, method)| method != "streamDevTools"));
        for method in ["getRun", "getDevToolsSnapshot"] {
            if asked.iter().any(|(_, asked)| asked == method) {
                let snapshot = r#"{"version":1,"runId":"a","frameNo":1,"seq":1,"root":{"id":1,"type":"workflow","name":"w","props":{},"children":[],"depth":0}}"#;
                let payload = if method == "getRun" { RUN } else { snapshot };
                snapshots += u32::from(method != "getRun");
                answer(&mut feed, &asked, method, payload, 12.0 + f64::from(step) * 50.0);
            }
        }
    }
    assert!((4..=6).contains(&snapshots), "{snapshots} snapshots in 5 s");
    assert_eq!(
        feed.inspection().run.as_ref().and_then(|run| run.tree.as_ref()).map(runstate::tree::Tree::len),
        Some(1)
    );
}

#[test]
fn a_refused_token_stops_the_feed_although_its_answer_has_another_id() {
    let mut feed = feed();
    let frame = r#"{"type":"res","id":"ba00be4c","ok":false,"error":{"version":"v1","code":"UNAUTHORIZED","message":"Invalid token"}}"#;
    feed.handle(ClientInput::Text(frame), Millis(5.0));
    assert_eq!(feed.phase(), ConnectionPhase::Stopped);
    assert_eq!(feed.refusal().map(|refusal| refusal.code.as_str()), Some("UNAUTHORIZED"));
}

#[test]
fn an_answer_that_the_browser_may_not_read_is_a_lost_connection() {
    let mut feed = feed();
    feed.handle(
        ClientInput::Closed { code: 1006, reason: "the browser could not read the answer" },
        Millis(5.0),
    );
    assert_eq!(feed.phase(), ConnectionPhase::Waiting);
}
