//! A live answer with a field of another type or with a row that cannot be read: the rest of it is shown, and what is wrong is a
//! problem.

use super::test_gateway;

use runstate::word::Vocabulary;
use serde_json::{Value, json};
use test_gateway::{Answers, Gateway, Reply, rpc, watching, working};

/// A Gateway that answers `method` with what `change` makes of the answer.
fn changed(method: &'static str, change: impl Fn(&mut Value) + 'static) -> Answers {
    let mut others = working();
    Box::new(move |asked, params, now| match others(asked, params, now) {
        Reply::Ok(mut answer) if asked == method => {
            change(&mut answer);
            Reply::Ok(answer)
        }
        other => other,
    })
}

fn state(gateway: &Gateway) -> Option<&str> {
    gateway.feed.inspection().run.as_ref()?.known_state().map(Vocabulary::as_str)
}

fn problems(gateway: &Gateway) -> Vec<String> {
    gateway.feed.inspection().problems.texts()
}

#[test]
fn a_field_of_another_type_in_the_run_is_absent_and_named() {
    for (field, value) in [
        ("workflowName", json!(7)),
        ("createdAtMs", json!("yesterday")),
        ("startedAtMs", json!(true)),
        ("parentRunId", json!([])),
        ("summary", json!("none")),
    ] {
        let mut gateway = watching(changed("getRun", move |run| run[field] = value.clone()));
        gateway.run(3000.0);
        assert_eq!(state(&gateway), Some("running"), "{field}");
        let problems = problems(&gateway);
        let first = problems.first().map(String::as_str).unwrap_or_default();
        assert!(first.starts_with(&format!("getRun: `{field}`: Expected ")), "{field}: {problems:?}");
        assert_eq!(gateway.freshness().last(), Some(&"live"), "{field}");
    }
}

#[test]
fn what_decides_the_state_refuses_the_answer() {
    for (field, value) in [("runId", json!(7)), ("status", json!({})), ("status", json!(null))] {
        let mut gateway = watching(changed("getRun", move |run| {
            run[field] = value.clone();
            run.as_object_mut().unwrap().remove("runState");
        }));
        gateway.run(3000.0);
        assert_ne!(state(&gateway), Some("running"), "{field}");
    }
}

#[test]
fn a_row_that_cannot_be_read_is_left_out_of_a_list() {
    let row = |run_id: Value| json!({"runId": run_id, "status": "paused", "workflowName": "w"});
    let rows = move || json!([row(json!("a")), row(json!(5)), {"status": "paused"}, row(json!("d"))]);
    let mut gateway = watching(changed("listRuns", move |answer| *answer = rows()));
    gateway.run(3000.0);
    let runs: Vec<_> =
        gateway.feed.inspection().runs.iter().filter_map(|run| run.run_id.as_deref()).collect();
    assert_eq!(runs, ["a", "d"]);
    let problems = problems(&gateway);
    assert!(problems[0].starts_with("listRuns: 2 of 4 entries could not be read: "), "{problems:?}");
}

#[test]
fn a_list_without_a_row_that_can_be_read_is_refused() {
    for answer in [json!([{"status": "paused"}]), json!([7]), json!({}), json!("none")] {
        let sent = answer.clone();
        let mut gateway = watching(changed("listRuns", move |list| *list = sent.clone()));
        gateway.run(3000.0);
        let problems = problems(&gateway);
        assert!(
            problems[0].starts_with("listRuns: Expected ") || problems[0].contains("runId"),
            "{problems:?}"
        );
    }
}

#[test]
fn a_node_that_cannot_be_read_leaves_the_others() {
    let nodes = rpc("cancel-a.listNodeStates-running").as_array().unwrap().len();
    let mut gateway = watching(changed("listNodeStates", |nodes| nodes[0]["state"] = json!(5)));
    gateway.run(3000.0);
    let known = gateway.feed.inspection().run.as_ref().unwrap().nodes.len();
    assert_eq!(known, nodes - 1);
    let problems = problems(&gateway);
    assert!(problems[0].starts_with("listNodeStates: 1 of "), "{problems:?}");
    // A field that decides nothing leaves the row.
    let mut gateway = watching(changed("listNodeStates", |nodes| nodes[0]["label"] = json!(5)));
    gateway.run(3000.0);
    assert_eq!(gateway.feed.inspection().run.as_ref().unwrap().nodes.len(), nodes);
}
