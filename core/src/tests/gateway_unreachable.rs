//! The reason why a Gateway was not reached: what is noted, what stops the attempts, and when it is cleared.

use runstate::gateway::{
    Client, ClientEffect, ClientInput, ClientOptions, ConnectionPhase, OpenFailure, Transport,
};
use runstate::refusal::{Cause, Refusal};
use runstate::time::Millis;

const ORIGIN: &str = r#"{"type":"res","id":"4f6765e4-849f-4e9f-bcac-eadf5697354c","ok":false,"apiVersion":"v1","error":{"version":"v1","code":"UNAUTHORIZED","message":"Origin is not allowed"}}"#;

fn feed(transport: Transport) -> Client {
    let url = "http://127.0.0.1:7331".to_owned();
    let mut options = ClientOptions::new(url, 1);
    options.transport = transport;
    Client::new(options, Millis(0.0))
}

fn refusal(message: &str) -> Refusal {
    let mut refusal = Refusal::new("UNAUTHORIZED", message);
    refusal.method = Some("POST /rpc".into());
    refusal
}

/// A socket that the Gateway refused.
fn refused_socket() -> Client {
    let mut feed = feed(Transport::WebSocket);
    feed.handle(ClientInput::Closed { code: 1006, reason: "" }, Millis(5.0));
    feed
}

/// Opens the connection, and answers the list of runs.
fn read_list(feed: &mut Client, now: f64) {
    feed.handle(ClientInput::Opened, Millis(now));
    while let Some(effect) = feed.next_effect() {
        let ClientEffect::Send(frame) = effect else { continue };
        let frame: serde_json::Value = serde_json::from_str(&frame).unwrap();
        let payload = if frame["method"] == "connect" { r#"{"protocol":1}"# } else { "[]" };
        let answer = format!(r#"{{"type":"res","id":{},"ok":true,"payload":{payload}}}"#, frame["id"]);
        feed.handle(ClientInput::Text(&answer), Millis(now + 1.0));
    }
}

#[test]
fn what_may_pass_is_noted_and_tried_again() {
    for failure in [OpenFailure::NoAnswer, OpenFailure::SocketRefused, OpenFailure::AnswerUnreadable] {
        let mut feed = refused_socket();
        feed.handle(ClientInput::OpenFailed(failure), Millis(9.0));
        assert_eq!((feed.open_failure(), feed.phase()), (Some(failure), ConnectionPhase::Waiting));
        let again = feed.wake_at().unwrap();
        feed.handle(ClientInput::Timer, again);
        assert_eq!((feed.open_failure(), feed.phase()), (Some(failure), ConnectionPhase::Connecting));
        assert!(feed.refusal().is_none(), "nobody said anything");
    }
}

#[test]
fn it_is_forgotten_once_something_was_read_or_a_person_tries_again() {
    let mut feed = refused_socket();
    feed.handle(ClientInput::OpenFailed(OpenFailure::SocketRefused), Millis(9.0));
    feed.handle(ClientInput::ReconnectNow, Millis(20.0));
    assert_eq!((feed.open_failure(), feed.phase()), (None, ConnectionPhase::Connecting));

    feed.handle(ClientInput::OpenFailed(OpenFailure::NoAnswer), Millis(25.0));
    read_list(&mut feed, 30.0);
    assert_eq!((feed.open_failure(), feed.phase()), (None, ConnectionPhase::Choosing));
    for late in [OpenFailure::NoAnswer, OpenFailure::ContentPolicy] {
        feed.handle(ClientInput::OpenFailed(late), Millis(40.0));
        assert_eq!(
            (feed.open_failure(), feed.phase()),
            (None, ConnectionPhase::Choosing),
            "it comes too late"
        );
    }
}

#[test]
fn a_socket_that_never_opens_is_no_answer() {
    let mut feed = feed(Transport::WebSocket);
    feed.handle(ClientInput::Timer, Millis(9_999.0));
    assert_eq!(feed.open_failure(), None);
    feed.handle(ClientInput::Timer, Millis(10_000.0));
    assert_eq!((feed.open_failure(), feed.phase()), (Some(OpenFailure::NoAnswer), ConnectionPhase::Waiting));
}

#[test]
fn a_content_policy_or_a_redirect_ends_the_attempts_whenever_it_is_reported() {
    for last in [OpenFailure::ContentPolicy, OpenFailure::Redirected] {
        for transport in [Transport::WebSocket, Transport::Http] {
            for reports_close_first in [true, false] {
                let mut feed = feed(transport);
                if transport == Transport::Http {
                    feed.handle(ClientInput::Opened, Millis(1.0));
                }
                if reports_close_first {
                    feed.handle(ClientInput::Closed { code: 1006, reason: "" }, Millis(2.0));
                    feed.handle(ClientInput::OpenFailed(OpenFailure::NoAnswer), Millis(3.0));
                }
                feed.handle(ClientInput::OpenFailed(last), Millis(4.0));
                feed.handle(ClientInput::Closed { code: 1006, reason: "" }, Millis(5.0));
                feed.handle(ClientInput::OpenFailed(OpenFailure::NoAnswer), Millis(6.0));
                assert_eq!(feed.open_failure(), Some(last));
                assert_eq!((feed.phase(), feed.wake_at()), (ConnectionPhase::Stopped, None));
                assert!(feed.refusal().is_none(), "no server said so");
            }
        }
    }
}

#[test]
fn a_refused_origin_stops_the_feed_and_is_not_about_the_token() {
    let mut over_http = feed(Transport::Http);
    over_http.handle(ClientInput::Opened, Millis(1.0));
    over_http.handle(ClientInput::Text(ORIGIN), Millis(2.0));
    let mut over_socket = refused_socket();
    over_socket.handle(ClientInput::Refused(refusal("Origin is not allowed")), Millis(9.0));
    for feed in [over_http, over_socket] {
        assert_eq!((feed.phase(), feed.wake_at()), (ConnectionPhase::Stopped, None));
        assert_eq!(feed.refusal(), Some(&refusal("Origin is not allowed")));
        assert_eq!(feed.refusal().unwrap().cause(), Cause::Origin);
    }
}

#[test]
fn a_refusal_that_comes_after_the_gateway_accepted_a_connection_is_dropped() {
    let mut feed = refused_socket();
    feed.handle(ClientInput::ReconnectNow, Millis(20.0));
    read_list(&mut feed, 30.0);
    feed.handle(ClientInput::Refused(refusal("Origin is not allowed")), Millis(40.0));
    assert_eq!((feed.phase(), feed.refusal()), (ConnectionPhase::Choosing, None));
}

#[test]
fn the_gateways_sentence_decides_only_where_its_code_does_not() {
    let cause = |code: &str, message: &str| Refusal::new(code, message).cause();
    for code in ["UNAUTHORIZED", "Unauthorized", "FORBIDDEN"] {
        for (message, expected) in [
            ("Origin is not allowed", Cause::Origin),
            ("Origin is not allowed for cookie-authenticated requests", Cause::Origin),
            ("Host is not allowed", Cause::Host),
            ("A bearer token is required", Cause::Token),
            ("Invalid token", Cause::Token),
            ("Token expired; issue a refreshed token.", Cause::Token),
            ("Token has been revoked", Cause::Token),
            ("origin is not allowed", Cause::Token),
            ("The token's Origin is not allowed", Cause::Token),
            ("", Cause::Token),
        ] {
            assert_eq!(cause(code, message), expected, "{code}: {message}");
        }
    }
    for code in ["NOT_FOUND", "RunNotFound", "RUN_NOT_FOUND"] {
        assert_eq!(cause(code, "Origin is not allowed"), Cause::Run);
    }
    for code in ["", "unauthorized", "RateLimited", "Origin is not allowed"] {
        assert_eq!(cause(code, "Origin is not allowed"), Cause::Other);
    }
}
