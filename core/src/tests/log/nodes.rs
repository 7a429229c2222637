//! The nodes of event logs: their states, calls and tokens.

use super::support::{NOW, event, filter_with, lines, log, node, state};
use runstate::file::File;
use runstate::ingest::open;
use runstate::smithers::wire::{EventSeverity, NodeState};
use runstate::time::Millis;
use serde_json::{Value, json};

#[test]
fn a_node_is_reset_in_all_iterations_where_it_is_not_in_that_of_the_event() {
    let in_second = |mut node: Value| {
        node["iteration"] = json!(1);
        node
    };
    let reset =
        json!({ "nodeId": "b", "iteration": 1, "resetNodes": ["b", "a", "a", "gone"], "success": true });
    let mut log = log(&lines(&[
        event("RunStarted", 1, &json!({})),
        node("NodeFinished", 2, "a", 1),
        node("NodeFinished", 3, "b", 1),
        node("NodeFinished", 4, "c", 1),
        in_second(node("NodeFinished", 5, "b", 1)),
        event("RetryTaskFinished", 6, &reset),
    ]));
    let nodes = log.nodes("r");
    let states: Vec<_> = nodes.iter().map(|node| (&*node.node_id, node.iteration, node.state)).collect();
    let (pending, finished) = (Some(NodeState::Pending), Some(NodeState::Finished));
    let expected = [("a", 0, pending), ("b", 0, finished), ("c", 0, finished), ("b", 1, pending)];
    assert_eq!(states, expected);
}

#[test]
fn tools_and_tokens_are_counted() {
    let call = |event_type: &str, at: u32, seq: u32, status: Option<&str>| {
        let mut call = node(event_type, at, "agent", 1);
        call["toolName"] = json!("bash");
        call["seq"] = json!(seq);
        if let Some(status) = status {
            call["status"] = json!(status);
        }
        call
    };
    let usage = event(
        "TokenUsageReported",
        9,
        &json!({ "nodeId": "agent", "iteration": 0, "attempt": 1, "model": "m", "agent": "a", "inputTokens": 100,
                 "outputTokens": 20, "cacheReadTokens": 7 }),
    );
    let events = [
        node("NodeStarted", 1, "agent", 1),
        call("ToolCallStarted", 2, 1, None),
        call("ToolCallFinished", 3, 1, Some("success")),
        call("ToolCallStarted", 4, 2, None),
        call("ToolCallFinished", 5, 2, Some("error")),
        call("ToolCallStarted", 6, 3, None),
        usage.clone(),
        event("TokenUsageReported", 10, &{
            let mut second = usage.clone();
            second["timestampMs"] = json!(10);
            second
        }),
    ];
    let mut log = log(&lines(&events));
    let view = log.view(NOW);
    assert_eq!((view.calls.started, view.calls.answered, view.calls.failed), (3, 2, 1));
    assert_eq!((view.tokens.reports, view.tokens.input, view.tokens.cache_read), (2, 200.0, 14.0));
    assert_eq!(state(&view), "running");
    assert_eq!(log.nodes("r")[0].tokens.output, 40.0);
    assert_eq!(log.rows(0, 0, &filter_with(|filter| filter.severity = Some(EventSeverity::Error))).total, 1);
}

#[test]
fn each_round_has_its_own_calls_and_tokens() {
    let node_event = |kind: &str, at: u32, round: u32, more: Value| {
        let mut fields = json!({ "nodeId": "loop", "iteration": round, "attempt": 1 });
        fields.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        event(kind, at, &fields)
    };
    let mut events = vec![event("RunStarted", 1, &json!({}))];
    for round in 0..3 {
        let at = 10 + round * 10;
        events.push(node_event("NodeStarted", at, round, json!({})));
        events.push(node_event("ToolCallStarted", at + 1, round, json!({ "toolName": "bash", "seq": 1 })));
        let status = if round == 1 { "error" } else { "success" };
        let answer = json!({ "toolName": "bash", "seq": 1, "status": status });
        events.push(node_event("ToolCallFinished", at + 2, round, answer));
        let tokens =
            json!({ "model": "m", "agent": "a", "inputTokens": 100 * (round + 1), "outputTokens": 1 });
        events.push(node_event("TokenUsageReported", at + 3, round, tokens));
    }
    let mut log = log(&lines(&events));
    let nodes = log.nodes("r");
    let spent: Vec<_> = nodes
        .iter()
        .map(|node| {
            (node.iteration, node.calls.started, node.calls.failed, node.tokens.reports, node.tokens.input)
        })
        .collect();
    assert_eq!(spent, [(0, 1, 0, 1, 100.0), (1, 1, 1, 1, 200.0), (2, 1, 0, 1, 300.0)]);
    let view = log.view(NOW);
    assert_eq!((view.calls.started, view.tokens.input), (3, 600.0));
}

#[test]
fn a_node_of_which_no_event_tells_a_state_is_listed_without_one() {
    let node_event = |kind: &str, at: u32, id: &str, more: Value| {
        let mut fields = json!({ "nodeId": id, "iteration": 0, "attempt": 2 });
        fields.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        event(kind, at, &fields)
    };
    let events = [
        node_event("TaskHeartbeat", 1, "beats", json!({ "hasData": false, "dataSizeBytes": 0 })),
        node_event("ToolCallStarted", 2, "calls", json!({ "toolName": "bash", "seq": 1 })),
        node_event(
            "TokenUsageReported",
            3,
            "reads",
            json!({ "model": "m", "agent": "a", "inputTokens": 7, "outputTokens": 1 }),
        ),
        event("NodeDreamed", 4, &json!({ "nodeId": "dreams" })),
        node_event("NodeStarted", 5, "works", json!({})),
    ];
    let mut log = log(&lines(&events));
    let nodes = log.nodes("r");
    let found: Vec<_> =
        nodes.iter().map(|node| (&*node.node_id, node.state, node.changed_at, node.row)).collect();
    let expected = [("beats", None, None, None), ("calls", None, None, None), ("reads", None, None, None)];
    assert_eq!(found[..3], expected);
    assert_eq!(found[3..], [("works", Some(NodeState::InProgress), Some(Millis(5.0)), Some(4))]);
    assert_eq!((nodes[0].heartbeats, nodes[0].attempt, nodes[0].across_gap), (1, Some(2), false));
    assert_eq!((nodes[1].calls.started, nodes[2].tokens.input), (1, 7.0));
    // Nor does the run count them, or the document name them, as nodes in a state.
    assert_eq!(log.view(NOW).nodes, [(NodeState::InProgress, 1)]);
    let text = lines(&events);
    let document = open(&[File { name: None, bytes: text.as_bytes() }], NOW).unwrap();
    let run = document.smithers().unwrap().run.as_ref().unwrap();
    assert_eq!(run.nodes.iter().map(|node| &*node.node_id).collect::<Vec<_>>(), ["works"]);
    // The later event decides.
    let end = node_event("NodeFinished", 6, "beats", json!({}));
    log.push(format!("{end}\n").as_bytes());
    assert_eq!(log.nodes("r")[0].state, Some(NodeState::Finished));
}
