//! The second connection: what it asks, when it is opened and closed, and what it keeps.

use super::{
    ClientEffect, ClientInput, ClientOptions, DetailQuestion, Details, Failure, MAX_ANSWERS, Token, Transport,
};
use crate::gateway::HttpResponse;
use crate::run::Target;
use crate::time::Millis;

fn details(transport: Transport) -> Details {
    let mut options = ClientOptions::new("ws://gateway", 1);
    options.run_id = Some("r1".to_owned());
    options.token = Some(Token::new("operator-token"));
    options.transport = transport;
    Details::new(&options)
}

fn output(node_id: &str) -> DetailQuestion {
    DetailQuestion::Output(Target { node_id: node_id.to_owned(), iteration: 0 })
}

fn attempts(node_id: &str) -> DetailQuestion {
    DetailQuestion::Attempts(Target { node_id: node_id.to_owned(), iteration: 2 })
}

/// The effects since the last call: the frames that were sent, or the name of another effect.
fn effects(details: &mut Details) -> Vec<String> {
    let effects = std::iter::from_fn(|| details.next_effect());
    let text = |effect| match effect {
        ClientEffect::Open { url } => format!("open {url}"),
        ClientEffect::Send(frame) => frame,
        ClientEffect::Close => "close".to_owned(),
    };
    effects.map(text).collect()
}

fn ask(details: &mut Details, question: DetailQuestion, now: f64) -> Vec<String> {
    details.ask(question, String::new(), Millis(now));
    details.handle(None, Millis(now));
    effects(details)
}

fn receive(details: &mut Details, text: &str, now: f64) -> Vec<String> {
    details.handle(Some(ClientInput::Text(text)), Millis(now));
    effects(details)
}

/// Answers the request with this number.
fn answer(details: &mut Details, number: u32, payload: &str, now: f64) -> Vec<String> {
    receive(details, &format!(r#"{{"type":"res","id":"d{number}","ok":true,"payload":{payload}}}"#), now)
}

#[test]
fn an_answer_is_as_old_as_its_request() {
    let mut details = opened();
    let asked_at = details.sent[0].at;
    answer(&mut details, 1, "{}", asked_at.0 + 4000.0);
    assert_eq!(details.answer(&output("a")).unwrap().last.as_ref().unwrap().at, asked_at);
}

/// The last answer about the output of `a`.
fn last(details: &Details) -> &str {
    &details.answer(&output("a")).unwrap().last.as_ref().unwrap().text
}

/// Asks about the output of `a`, up to the request.
fn opened() -> Details {
    let mut details = details(Transport::WebSocket);
    assert_eq!(ask(&mut details, output("a"), 0.0), ["open ws://gateway"]);
    details.handle(Some(ClientInput::Opened), Millis(5.0));
    let hello = effects(&mut details);
    assert!(
        hello.len() == 1 && hello[0].contains(r#""auth":{"token":"operator-token"},"subscribe":["r1"]"#),
        "{hello:?}"
    );
    let sent = receive(&mut details, r#"{"type":"res","id":"connect","ok":true,"payload":{}}"#, 9.0);
    assert_eq!(
        sent,
        [
            r#"{"type":"req","id":"d1","method":"getNodeOutput","params":{"runId":"r1","nodeId":"a","iteration":0}}"#
        ]
    );
    details
}

#[test]
fn the_first_question_opens_a_connection_for_the_run_and_its_answer_is_kept() {
    let mut details = opened();
    assert!(details.answer(&output("a")).is_none());
    answer(&mut details, 1, r#"{"row":{"n":9007199254740993}}"#, 20.0);
    assert_eq!(last(&details), r#"{"row":{"n":9007199254740993}}"#);
    assert!(ask(&mut details, output("a"), 30.0).is_empty(), "it is known");
    details.ask(output("a"), "finished".to_owned(), Millis(300.0));
    details.handle(None, Millis(300.0));
    assert_eq!(effects(&mut details).len(), 1, "the node has another state");
    assert!(details.answer(&output("a")).is_some(), "the old answer stays until the new one arrives");
}

#[test]
fn nothing_is_asked_without_a_run_and_nothing_is_opened_without_a_question() {
    let mut details = details(Transport::WebSocket);
    details.handle(None, Millis(0.0));
    assert_eq!((effects(&mut details), details.wake_at()), (Vec::new(), None));
    details.show(None);
    assert!(ask(&mut details, output("a"), 0.0).is_empty());
}

#[test]
fn a_newer_question_of_a_kind_replaces_one_that_was_not_sent() {
    let mut details = opened();
    for node in ["b", "c", "d"] {
        assert!(ask(&mut details, output(node), 20.0).is_empty(), "they are too fast");
    }
    assert_eq!(details.wake_at(), Some(Millis(209.0)));
    details.handle(None, Millis(209.0));
    let sent = effects(&mut details);
    assert!(sent.len() == 1 && sent[0].contains(r#""nodeId":"d""#), "{sent:?}");
    assert!(ask(&mut details, attempts("d"), 215.0).is_empty(), "two wait for an answer");
    let sent = answer(&mut details, 1, "{}", 230.0);
    assert!(
        sent[0].contains(r#""method":"attempts.list","params":{"runId":"r1","nodeId":"d","iteration":2}"#),
        "{sent:?}"
    );
    assert!(details.answer(&output("a")).is_some(), "an answer about a node that was left is kept");
}

#[test]
fn a_connection_that_nobody_uses_is_closed_and_opened_again() {
    let mut details = opened();
    answer(&mut details, 1, "{}", 1_000.0);
    assert_eq!(details.wake_at(), Some(Millis(31_000.0)));
    details.handle(None, Millis(30_999.0));
    assert!(effects(&mut details).is_empty());
    details.handle(None, Millis(31_000.0));
    assert_eq!((effects(&mut details), details.wake_at()), (vec!["close".to_owned()], None));
    assert!(details.answer(&output("a")).is_some());
    assert_eq!(ask(&mut details, output("b"), 31_500.0), ["open ws://gateway"]);
}

#[test]
fn another_run_ends_the_connection_and_forgets_the_answers() {
    let mut details = opened();
    answer(&mut details, 1, "{}", 20.0);
    details.show(Some("r1"));
    assert!(effects(&mut details).is_empty() && details.answer(&output("a")).is_some());
    details.show(Some("r2"));
    assert_eq!(effects(&mut details), ["close"]);
    assert!(details.answer(&output("a")).is_none());
    assert_eq!(ask(&mut details, output("a"), 40.0), ["open ws://gateway"]);
}

#[test]
fn what_fails_is_known_until_it_is_asked_again() {
    let failure =
        |details: &Details| details.answer(&output("a")).unwrap().failure.as_ref().unwrap().reason();
    let mut refused = opened();
    let text =
        r#"{"type":"res","id":"d1","ok":false,"error":{"code":"NodeHasNoOutput","message":"No table."}}"#;
    receive(&mut refused, text, 20.0);
    assert_eq!(failure(&refused), "the Gateway refused the request: No table (NodeHasNoOutput)");
    assert!(ask(&mut refused, output("a"), 999.0).is_empty());
    refused.forget_failures();
    assert_eq!(ask(&mut refused, output("a"), 999.0).len(), 1);

    let mut late = opened();
    assert_eq!(late.wake_at(), Some(Millis(20_009.0)));
    late.handle(None, Millis(20_009.0));
    assert_eq!(failure(&late), "the Gateway has not sent it within 20 s");
    answer(&mut late, 1, "{}", 20_010.0);
    assert!(late.answer(&output("a")).unwrap().last.is_none(), "nobody waits for it");

    let mut lost = opened();
    lost.handle(Some(ClientInput::Closed { code: 1006, reason: "" }), Millis(30.0));
    assert_eq!(failure(&lost), "the connection for details could not be opened, or was lost");
    assert_eq!(lost.wake_at(), None);

    let mut unreachable = details(Transport::WebSocket);
    ask(&mut unreachable, output("a"), 0.0);
    assert_eq!(unreachable.wake_at(), Some(Millis(5_000.0)));
    unreachable.handle(None, Millis(5_000.0));
    assert_eq!(effects(&mut unreachable), ["close"]);
    assert_eq!(unreachable.answer(&output("a")).unwrap().failure, Some(Failure::NotConnected));

    let mut full = details(Transport::WebSocket);
    ask(&mut full, output("a"), 0.0);
    full.handle(Some(ClientInput::Opened), Millis(1.0));
    effects(&mut full);
    let text = r#"{"type":"res","id":"connect","ok":false,"error":{"code":"CONNECTION_LIMIT","message":"Too many."}}"#;
    assert_eq!(receive(&mut full, text, 2.0), ["close"]);
    assert!(failure(&full).contains("CONNECTION_LIMIT"));
}

#[test]
fn a_failure_leaves_the_last_answer() {
    let mut details = opened();
    answer(&mut details, 1, r#"{"row":7}"#, 20.0);
    details.ask(output("a"), "finished".to_owned(), Millis(300.0));
    details.handle(None, Millis(300.0));
    assert_eq!(effects(&mut details).len(), 1);
    details.handle(Some(ClientInput::Closed { code: 1006, reason: "" }), Millis(310.0));
    let known = details.answer(&output("a")).unwrap();
    assert_eq!((last(&details), &known.failure), (r#"{"row":7}"#, &Some(Failure::NotConnected)));
    assert_eq!(known.last.as_ref().unwrap().at, Millis(9.0));

    details.forget_failures();
    assert_eq!((last(&details), &details.answer(&output("a")).unwrap().failure), (r#"{"row":7}"#, &None));
    details.ask(output("a"), "finished".to_owned(), Millis(600.0));
    assert_eq!(effects(&mut details), ["open ws://gateway"], "it is asked again in the same state");
    details.handle(Some(ClientInput::Opened), Millis(600.0));
    receive(&mut details, r#"{"type":"res","id":"connect","ok":true,"payload":{}}"#, 600.0);
    answer(&mut details, 3, r#"{"row":8}"#, 610.0);
    let known = details.answer(&output("a")).unwrap();
    assert_eq!((last(&details), &known.failure), (r#"{"row":8}"#, &None));
}

#[test]
fn an_unreadable_newer_answer_leaves_the_last_one() {
    let mut details = details(Transport::WebSocket);
    ask(&mut details, attempts("a"), 0.0);
    details.handle(Some(ClientInput::Opened), Millis(1.0));
    receive(&mut details, r#"{"type":"res","id":"connect","ok":true,"payload":{}}"#, 2.0);
    let row = r#"{"nodeId":"a","attempt":1,"state":"failed"}"#;
    answer(&mut details, 1, &format!("[{row},7]"), 20.0);
    let known = |details: &Details| details.answer(&attempts("a")).unwrap().clone();
    assert_eq!(known(&details).failure, None, "one row is read, the other one is left out");
    for (number, unreadable) in [(2, "[7]"), (3, r#"{"rows":[]}"#), (4, "null")] {
        let now = 300.0 * f64::from(number);
        details.ask(attempts("a"), now.to_string(), Millis(now));
        details.handle(None, Millis(now));
        answer(&mut details, number, unreadable, now);
        let found = known(&details);
        assert_eq!(&*found.last.unwrap().text, format!("[{row},7]"), "{unreadable}");
        let reason = found.failure.unwrap().reason();
        assert!(reason.starts_with("the Gateway’s answer could not be read: "), "{reason}");
    }
    details.ask(attempts("a"), "last".to_owned(), Millis(2_000.0));
    details.handle(None, Millis(2_000.0));
    answer(&mut details, 5, "[]", 2_000.0);
    assert_eq!((&*known(&details).last.unwrap().text, known(&details).failure), ("[]", None));
}

#[test]
fn over_http_the_same_is_asked_without_a_socket() {
    let mut details = details(Transport::Http);
    ask(&mut details, output("a"), 0.0);
    details.handle(Some(ClientInput::Opened), Millis(1.0));
    let frame = effects(&mut details).remove(0);
    assert!(frame.contains("getNodeOutput") && !frame.contains("operator-token"), "{frame}");
    let response = HttpResponse::new(&frame, 503, "<html>");
    details.handle(Some(ClientInput::HttpResponse(response)), Millis(2.0));
    assert!(details.answer(&output("a")).unwrap().failure.as_ref().unwrap().reason().contains("status 503"));
    details.forget_failures();
    let frame = ask(&mut details, output("a"), 300.0).remove(0);
    let body = r#"{"type":"res","id":"d2","ok":true,"payload":{"row":1}}"#;
    details.handle(Some(ClientInput::HttpResponse(HttpResponse::new(&frame, 200, body))), Millis(301.0));
    assert_eq!(last(&details), r#"{"row":1}"#);
}

#[test]
fn old_answers_are_forgotten() {
    let mut details = opened();
    answer(&mut details, 1, "{}", 20.0);
    for number in 2..=MAX_ANSWERS as u32 + 1 {
        let now = 300.0 * f64::from(number);
        ask(&mut details, output(&format!("n{number}")), now);
        answer(&mut details, number, "{}", now);
    }
    assert!(details.answer(&output("a")).is_none() && details.answer(&output("n2")).is_some());
    let large = format!(r#"{{"row":"{}"}}"#, "x".repeat(33 << 20));
    ask(&mut details, output("large"), 90_000.0);
    details.handle(Some(ClientInput::Opened), Millis(90_000.0));
    receive(&mut details, r#"{"type":"res","id":"connect","ok":true,"payload":{}}"#, 90_000.0);
    answer(&mut details, MAX_ANSWERS as u32 + 2, &large, 90_001.0);
    assert!(details.answer(&output("n2")).is_none() && details.answer(&output("large")).is_some());
}

#[test]
fn foreign_frames_and_a_repeated_token_change_nothing() {
    let mut details = opened();
    for text in [
        "{",
        "[]",
        r#"{"type":"event","event":"tick"}"#,
        r#"{"type":"res","id":"d9","ok":true,"payload":{}}"#,
    ] {
        assert!(receive(&mut details, text, 20.0).is_empty(), "{text}");
    }
    assert!(details.answer(&output("a")).is_none());
    answer(&mut details, 1, r#"{"token":"operator-token"}"#, 30.0);
    assert_eq!(last(&details), r#"{"token":"[redacted]"}"#);
    details.authorise(None);
    assert_eq!(effects(&mut details), ["close"]);
}
