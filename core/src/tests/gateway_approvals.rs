//! A run that waits for a decision which nobody is asked for.

use super::test_gateway;

use runstate::actions::{ActionKind, actions};
use runstate::export::{ExportOptions, draft, export};
use runstate::file::File;
use runstate::ingest::open;
use runstate::summary::{answer, text};
use runstate::time::Millis;
use serde_json::{Value, json};
use test_gateway::{Gateway, Reply, sentence};

/// The run `cancel-a` in the state `waiting-approval`, with the reason that the server gives.
fn waiting(blocked: Option<Value>) -> Value {
    let mut run = test_gateway::rpc("cancel-a.runs.get-running");
    run["status"] = json!("waiting-approval");
    run["runState"]["state"] = json!("waiting-approval");
    if let Some(blocked) = blocked {
        run["runState"]["blocked"] = blocked;
    }
    run
}

fn request(run_id: &str) -> Value {
    json!({"runId": run_id, "nodeId": "gate", "iteration": 0, "requestTitle": "Ship?", "requestedAtMs": 1.0e12})
}

/// A Gateway with this run, whose node `gate` waits, and these requests for decisions.
fn gateway(watched: Option<&str>, run: Value, mut requests: impl FnMut(f64) -> Reply + 'static) -> Gateway {
    let answers: test_gateway::Answers = Box::new(move |method, _, now| match method {
        "getRun" => Reply::Ok(run.clone()),
        "listNodeStates" => {
            Reply::Ok(json!([{"nodeId": "gate", "iteration": 0, "state": "waiting-approval"}]))
        }
        "listRuns" => Reply::Ok(json!([{"runId": "cancel-a", "status": "waiting-approval"}])),
        "listApprovals" => requests(now),
        _ => Reply::Ok(json!([])),
    });
    Gateway::new(watched, Gateway::ticks(1e6), answers)
}

/// The sentence, the additional facts and the actions about the watched run after `ms`.
fn said(gateway: &mut Gateway, ms: f64) -> (String, String, Vec<ActionKind>) {
    gateway.run(ms);
    let now = gateway.feed.clock().now(Millis(gateway.now));
    let run = gateway.feed.inspection().run.as_ref().unwrap();
    let shown = answer(run, &gateway.feed.freshness(Millis(gateway.now)), now);
    (text(&shown.sentence), text(&shown.meta), actions(run, now).iter().map(|action| action.kind).collect())
}

const NO_REQUEST: &str = "Waiting at gate, but no decision is pending.";
const ADVICE: &str =
    "The Gateway lists no request of this run. If that stays so, only cancelling the run ends the wait.";

#[test]
fn a_run_without_a_request_says_that_no_decision_is_pending() {
    let mut live = gateway(Some("cancel-a"), waiting(None), |_| Reply::Ok(json!([])));
    assert_eq!(said(&mut live, 5_000.0), (NO_REQUEST.into(), ADVICE.into(), vec![ActionKind::Cancel]));
    assert!(live.asked("listApprovals") < 5, "{}", live.asked("listApprovals"));

    let run = live.feed.inspection().run.as_ref().unwrap();
    let now = live.feed.clock().now(Millis(live.now));
    let cancel = &actions(run, now)[0];
    assert_eq!(cancel.command.as_deref(), Some("smithers cancel cancel-a"));
    let call = cancel.call.as_ref().unwrap();
    assert_eq!((call.method, &*call.params), ("cancelRun", r#"{"runId":"cancel-a"}"#));

    let draft = draft(run, now).unwrap();
    let exported = export(&[File { name: None, bytes: draft.as_bytes() }], &ExportOptions::new(now)).unwrap();
    let document = open(&[File { name: None, bytes: &exported.bytes }], now).unwrap();
    let header = document.header(None, now).unwrap();
    assert_eq!(text(&header.answer.sentence), "Was waiting at gate, but no decision was pending.");
}

#[test]
fn a_request_of_another_run_is_none_of_this_run() {
    let mut live = gateway(Some("cancel-a"), waiting(None), |_| Reply::Ok(json!([request("b")])));
    assert_eq!(said(&mut live, 5_000.0).0, NO_REQUEST);
}

#[test]
fn a_decision_is_pending_as_long_as_the_server_does_not_say_otherwise() {
    let pending = "Waiting for a decision at gate.";
    let full = || json!(vec![request("b"); 1000]);
    let blocked = json!({"kind": "approval", "nodeId": "gate", "requestedAt": "2026-11-21T14:00:00.000Z"});
    let cases = vec![
        ("listed", gateway(Some("cancel-a"), waiting(None), |_| Reply::Ok(json!([request("cancel-a")])))),
        ("the list is cut off", gateway(Some("cancel-a"), waiting(None), move |_| Reply::Ok(full()))),
        ("unreadable", gateway(Some("cancel-a"), waiting(None), |_| Reply::Ok(json!([{"nodeId": 7}])))),
        ("refused", gateway(Some("cancel-a"), waiting(None), |_| Reply::No("FORBIDDEN", "no"))),
        ("no answer", gateway(Some("cancel-a"), waiting(None), |_| Reply::Silence)),
        ("a reason", gateway(Some("cancel-a"), waiting(Some(blocked)), |_| Reply::Ok(json!([])))),
    ];
    for (case, mut live) in cases {
        let (sentence, _, actions) = said(&mut live, 5_000.0);
        assert_eq!(
            (&*sentence, &*actions),
            (pending, &[ActionKind::Approve, ActionKind::Deny][..]),
            "{case}"
        );
    }
}

#[test]
fn a_request_that_appears_later_is_pending() {
    let blocked = json!({"kind": "approval", "nodeId": "gate", "requestedAt": "2026-11-21T14:00:00.000Z"});
    let answers: test_gateway::Answers = Box::new(move |method, _, now| match method {
        "getRun" => Reply::Ok(waiting((now > 6_000.0).then(|| blocked.clone()))),
        "listApprovals" if now > 6_000.0 => Reply::Ok(json!([request("cancel-a")])),
        _ => Reply::Ok(json!([])),
    });
    let mut live = Gateway::new(Some("cancel-a"), Gateway::ticks(1e6), answers);
    assert_eq!(said(&mut live, 5_000.0).0, "Waiting, but no decision is pending.");
    assert_eq!(said(&mut live, 8_000.0).0, "Waiting for a decision at gate.");
}

#[test]
fn an_engine_that_goes_on_after_a_decision_is_not_said_to_wait_in_vain() {
    let blocked = json!({"kind": "approval", "nodeId": "gate", "requestedAt": "2026-11-21T14:00:00.000Z"});
    let answers: test_gateway::Answers = Box::new(move |method, _, now| match method {
        "getRun" if now < 4_000.0 => Reply::Ok(waiting(Some(blocked.clone()))),
        "getRun" if now < 4_800.0 => Reply::Ok(waiting(None)),
        "getRun" => Reply::Ok(test_gateway::rpc("cancel-a.runs.get-running")),
        _ => Reply::Ok(json!([])),
    });
    let mut live = Gateway::new(Some("cancel-a"), Gateway::ticks(1e6), answers);
    for step in 1..60 {
        let (sentence, ..) = said(&mut live, f64::from(step) * 100.0);
        assert!(!sentence.contains("no decision"), "{sentence} at {}", live.now);
    }
}

#[test]
fn a_row_of_the_list_says_the_same() {
    let mut live = gateway(None, waiting(None), |_| Reply::Ok(json!([])));
    live.run(9_000.0);
    assert_eq!(sentence(&live, "cancel-a"), "Waiting, but no decision is pending.");
    let mut live = gateway(None, waiting(None), |_| Reply::Ok(json!([request("cancel-a")])));
    live.run(9_000.0);
    assert_eq!(sentence(&live, "cancel-a"), "Waiting for a decision at gate.");
}

#[test]
fn a_document_with_an_empty_list_of_requests_says_the_same() {
    let sentence = |requests: &str, list_at: &str| {
        let run = waiting(None);
        let run_id = r#""runId":"cancel-a""#;
        let document = format!(
            r#"{{"runstateExport":1,"hash":"","content":{{"entries":[
                {{"readAt":1900000000000,"method":"getRun",{run_id},"json":{run}}},
                {{"readAt":{list_at},"at":{list_at},"method":"listApprovals",{run_id},"json":{requests}}}]}}}}"#
        );
        let document = open(&[File { name: None, bytes: document.as_bytes() }], Millis(2e12)).unwrap();
        text(&document.header(None, Millis(2e12)).unwrap().answer.sentence)
    };
    let later = "1900000001000";
    assert_eq!(sentence("[]", later), "Was waiting, but no decision was pending.");
    assert_eq!(sentence("[]", "1700000000000"), "Was waiting for a decision.", "the list is older");
    let requested = format!("[{}]", request("cancel-a"));
    assert_eq!(sentence(&requested, later), "Was waiting for a decision at gate.");
}
