//! The Gateway over plain HTTP: every frame is a separate request, and no events are pushed.

use runstate::freshness::Freshness;
use runstate::gateway::{
    Client, ClientEffect, ClientInput, ClientOptions, ConnectionPhase, HttpResponse, MAX_FRAME_BYTES, Token,
    Transport,
};
use runstate::refusal::Cause;
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
const SNAPSHOT: &str = r#"{"version":1,"runId":"a","frameNo":1,"seq":1,"root":{"id":1,"type":"workflow","name":"w","props":{},"children":[],"depth":0}}"#;

#[test]
fn a_tree_that_was_asked_for_is_as_old_as_its_request() {
    let mut feed = feed();
    let asked = requests(&mut feed);
    answer(&mut feed, &asked, "getRun", RUN, 9.0);
    feed.handle(ClientInput::Timer, Millis(10.0));
    let asked = requests(&mut feed);
    answer(&mut feed, &asked, "getDevToolsSnapshot", SNAPSHOT, 1310.0);
    assert!(matches!(feed.tree_freshness(Millis(1310.0)), Some(Freshness::Live { .. })));
    let late = feed.tree_freshness(Millis(1500.0));
    assert!(matches!(late, Some(Freshness::Late { .. })), "asked for at 10 ms: {late:?}");
}

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
                let payload = if method == "getRun" { RUN } else { SNAPSHOT };
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

/// Passes one response to each request that is to be sent; returns their number.
fn respond(feed: &mut Client, status: u16, retry_after_ms: Option<f64>, body: &str, now: f64) -> usize {
    let sent: Vec<String> = std::iter::from_fn(|| feed.next_effect())
        .filter_map(|effect| match effect {
            ClientEffect::Send(frame) => Some(frame),
            ClientEffect::Open { .. } | ClientEffect::Close => None,
        })
        .collect();
    for request in &sent {
        let response = HttpResponse { request, status, retry_after_ms, body };
        feed.handle(ClientInput::HttpResponse(response), Millis(now));
    }
    sent.len()
}

#[test]
fn a_response_that_is_no_frame_fails_its_request_at_once_and_is_named() {
    for (status, body) in [
        (429, ""),
        (502, "<html>bad gateway</html>"),
        (503, "{}"),
        (404, r#"{"detail":"Not Found"}"#),
        (405, "no"),
        (200, "<!doctype html><title>Sign in</title>"),
        (200, "[]"),
        (200, ""),
        (200, r#"{"type":"res","id":"r1","ok":tru"#),
    ] {
        let mut feed = feed();
        for step in 0..40 {
            let now = Millis(2.0 + f64::from(step) * 100.0);
            feed.handle(ClientInput::Timer, now);
            respond(&mut feed, status, None, body, now.0 + 1.0);
        }
        let refusal = feed.refusal().unwrap_or_else(|| panic!("{status} {body}"));
        assert!(refusal.message.contains(&format!("status {status}")), "{}", refusal.message);
        assert!(
            feed.inspection().run.is_none() && feed.revision().runs == 0,
            "{status} {body} shows nothing"
        );
        assert_eq!(feed.phase(), ConnectionPhase::Watching, "{status} {body}: tried again");
    }
}

#[test]
fn a_failure_after_an_answer_leaves_the_answer_as_of_its_time_until_the_server_is_back() {
    let mut feed = feed();
    let asked = requests(&mut feed);
    answer(&mut feed, &asked, "getRun", RUN, 10.0);
    for step in 1..60 {
        let now = Millis(10.0 + f64::from(step) * 200.0);
        feed.handle(ClientInput::Timer, now);
        respond(&mut feed, 503, None, "<html>", now.0 + 1.0);
    }
    let now = Millis(12_000.0);
    assert!(matches!(feed.freshness(now), Freshness::Refused { .. }), "{:?}", feed.freshness(now));
    assert_eq!(feed.refusal(), None, "the run stays on screen");
    let problems = feed.inspection().problems.texts();
    let is_one = problems.len() == 1 && problems[0].starts_with("getRun, ");
    assert!(is_one && problems[0].contains(": The server responds with status 503"), "{problems:?}");

    feed.handle(ClientInput::Timer, Millis(13_000.0));
    let asked = requests(&mut feed);
    answer(&mut feed, &asked, "getRun", RUN, 13_005.0);
    assert!(matches!(feed.freshness(Millis(13_010.0)), Freshness::Live { .. }));
    assert!(!feed.inspection().problems.texts().iter().any(|text| text.contains("getRun")));
}

#[test]
fn a_server_that_limits_requests_is_left_alone_for_as_long_as_it_says() {
    let mut feed = feed();
    assert!(respond(&mut feed, 429, Some(7000.0), "", 2.0) > 0);
    let mut resumed = None;
    while resumed.is_none() {
        let now = feed.wake_at().unwrap();
        feed.handle(ClientInput::Timer, now);
        resumed = (respond(&mut feed, 429, None, "", now.0) > 0).then_some(now.0);
    }
    assert_eq!(resumed, Some(7002.0));
    for nonsense in [f64::NAN, -5.0, 0.0, f64::INFINITY, 1e300] {
        let mut feed = self::feed();
        respond(&mut feed, 429, Some(nonsense), "", 2.0);
        assert!(feed.wake_at().unwrap().0 <= 300_100.0, "{nonsense}: {:?}", feed.wake_at());
    }
}

#[test]
fn a_refused_access_without_a_frame_stops_and_asks_for_a_token() {
    for (status, code) in [(401, "UNAUTHORIZED"), (403, "FORBIDDEN")] {
        let mut feed = feed();
        respond(&mut feed, status, None, "<html>Sign in</html>", 5.0);
        assert_eq!(feed.phase(), ConnectionPhase::Stopped);
        let refusal = feed.refusal().unwrap();
        assert_eq!((refusal.code.as_str(), refusal.cause()), (code, Cause::Token));
    }
}

#[test]
fn a_frame_is_read_whatever_its_status_is() {
    let mut feed = feed();
    let sent = std::iter::from_fn(|| feed.next_effect()).find_map(|effect| match effect {
        ClientEffect::Send(frame) if frame.contains("getRun") => Some(frame),
        ClientEffect::Send(_) | ClientEffect::Open { .. } | ClientEffect::Close => None,
    });
    let request = sent.unwrap();
    let id = request.split('"').nth(7).unwrap();
    let body = format!(
        r#"{{"type":"res","id":"{id}","ok":false,"error":{{"code":"NOT_FOUND","message":"Run not found: a"}}}}"#
    );
    let response = HttpResponse { request: &request, status: 404, retry_after_ms: None, body: &body };
    feed.handle(ClientInput::HttpResponse(response), Millis(5.0));
    assert_eq!(feed.refusal().map(|refusal| refusal.code.as_str()), Some("NOT_FOUND"));
}

#[test]
fn a_body_that_is_longer_than_any_frame_is_named_and_matched_to_its_request() {
    let mut feed = feed();
    let asked = requests(&mut feed);
    answer(&mut feed, &asked, "getRun", RUN, 10.0);
    feed.handle(ClientInput::Timer, Millis(1500.0));
    let (id, _) = requests(&mut feed).into_iter().find(|(_, method)| method == "getRun").unwrap();
    let request = format!(r#"{{"type":"req","id":"{id}","method":"getRun","params":{{}}}}"#);
    let body = "x".repeat(MAX_FRAME_BYTES + 1);
    let response = HttpResponse::new(&request, 200, &body);
    feed.handle(ClientInput::HttpResponse(response), Millis(1600.0));
    let problems = feed.inspection().problems.texts();
    assert!(problems[0].contains("It is longer than any answer of a Gateway"), "{problems:?}");
    assert!(matches!(feed.freshness(Millis(2500.0)), Freshness::Refused { .. }));
}
