//! Approvals: what was asked, who may decide, and how it was decided.

use super::live::Live;
use super::*;
use serde_json::json;

/// The detail of the approval `ship-gate` in its log, with more events of it, and in answers about its run.
fn with_log(run: &str, answers: &[&str], more: &[&str]) -> NodeWindow {
    let read = |name: &str| crate::tests::vectors::text(name);
    let event = |kind: &&str| {
        format!(
            r#"{{"type":"{kind}","runId":"{run}","nodeId":"ship-gate","iteration":0,"timestampMs":1795295460000}}"#
        )
    };
    let more: Vec<String> = more.iter().map(event).collect();
    let mut texts = vec![read(&format!("logs/stream/{run}.ndjson")) + &more.join("\n")];
    texts.extend(answers.iter().map(|name| read(&format!("captures/runs/{run}/rpc-{name}.json"))));
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    select(&mut opened(&texts), "ship-gate", 0)
}

const END: [&str; 3] = ["runs.get", "getDevToolsSnapshot", "listNodeStates"];

#[test]
fn the_question_is_in_the_event_that_asks_it() {
    let answers = ["runs.get-waiting", "getDevToolsSnapshot-waiting", "listNodeStates-waiting"];
    let window = with_log("approval-a", &answers, &[]);
    let request = window.request.expect("a question");
    assert_eq!(request.title, "Ship release 1.2.3?");
    assert_eq!(request.summary.as_deref(), Some("12 files changed; tests green."));
    assert_eq!(
        request.who.as_deref(),
        Some("Everybody whose token has the scope approval:submit may decide.")
    );
    assert_eq!(window.missing, [""; 0]);
}

#[test]
fn a_decision_is_in_its_event_which_names_no_person() {
    let unknown = "Who decided: not in this document. Only the output of the node names the person: connect to the Gateway of this run.".to_owned();
    for (run, event, decision) in
        [("approval-a", "ApprovalGranted", "Approved"), ("approval-denied-a", "ApprovalDenied", "Denied")]
    {
        let window = with_log(run, &END, &[event]);
        assert_eq!(
            (field(&window, "decision"), field(&window, "decidedBy")),
            (Some(decision), None),
            "{run}"
        );
        assert!(field(&window, "decidedAt").is_some(), "{run}");
        assert!(window.missing.contains(&unknown), "{run}: {:?}", window.missing);
        assert!(!window.missing.iter().any(|missing| missing.starts_with("The error")), "it is the reason");
    }
    let window = with_log("approval-a", &END, &["ApprovalAutoApproved"]);
    assert_eq!(
        (field(&window, "decision"), field(&window, "decidedBy"), window.missing.len()),
        (Some("Approved"), Some("a policy"), 0)
    );
    let window = with_log("approval-a", &END, &[]);
    assert_eq!((field(&window, "decision"), &*window.missing), (None, &[unknown][..]));
}

#[test]
fn after_the_decision_nobody_may_decide() {
    let request = r#"{"type":"res","id":"9","ok":true,"payload":[{"runId":"approval-a","nodeId":"ship-gate","iteration":0,
        "requestTitle":"Ship it?","requestedAtMs":1795622668452,"allowedScopes":[],"allowedUsers":["mira"]}]}"#;
    let who = |answers: [&str; 3]| {
        let read =
            |name: &str| crate::tests::vectors::text(&format!("captures/runs/approval-a/rpc-{name}.json"));
        let texts = [answers.map(read).to_vec(), vec![request.to_owned()]].concat();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        select(&mut opened(&texts), "ship-gate", 0).request.unwrap().who
    };
    let waiting = ["runs.get-waiting", "getDevToolsSnapshot-waiting", "listNodeStates-waiting"];
    assert!(who(waiting).is_some());
    assert_eq!(who(END), None);
}

/// An answer of another form than the workflow expects ends the request, and the node waits on.
#[test]
fn a_node_that_waits_without_a_request_says_so() {
    let mut live = Live::new(|method, _| match method {
        "listApprovals" | "attempts.list" => Ok(json!([])),
        _ => Ok(json!({"status": "pending", "row": null})),
    });
    let [_, window] = live.open("gate", NodeTab::Summary);
    let [sentence] = &*window.missing else { panic!("{:?}", window.missing) };
    assert!(sentence.starts_with("Waiting, but no decision is pending: "), "{sentence}");
    assert!(sentence.ends_with("only cancelling the run ends the wait."), "{sentence}");
    let [_, window] = live.open("gate", NodeTab::Attempts);
    assert_eq!(window.body.missing, ["No attempt yet. The first one is listed once the node starts."]);
}

#[test]
fn a_question_that_waits_for_an_answer_has_the_fields_that_the_answer_needs() {
    let mut live = Live::new(|method, _| match method {
        "listApprovals" => Ok(
            json!([{"nodeId": "gate", "requestTitle": "human:gate", "requestSummary": null, "options": []}]),
        ),
        _ => Ok(
            json!({"status": "pending", "row": null, "schema": {"fields": [{"name": "name", "type": "string"}]}}),
        ),
    });
    let [_, window] = live.open("gate", NodeTab::Summary);
    assert_eq!(
        window.request.map(|request| (request.title, request.options)),
        Some(("human:gate".to_owned(), Vec::new()))
    );
    let [_, window] = live.open("gate", NodeTab::Output);
    assert_eq!(
        (&*window.body.missing, &*window.body.schema[0].name),
        (&["No output yet. It is shown once the node has finished.".to_owned()][..], "name")
    );
}
