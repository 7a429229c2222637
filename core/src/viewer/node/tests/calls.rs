//! The calls of agents.

use super::*;
use crate::pill::Tone;

/// A snapshot of a workflow with one task of an agent.
fn snapshot(kind: &str) -> String {
    format!(
        r#"{{"version":1,"runId":"r","frameNo":1,"seq":1,"root":{{"id":1,"type":"workflow","name":"w","children":[
            {{"id":2,"type":"task","name":"write","task":{{"nodeId":"write","kind":"{kind}","iteration":0}},"children":[]}}]}}}}"#
    )
}

fn event(run: &str, attempt: u32, at: u32, kind: &str, more: &str) -> String {
    format!(
        r#"{{"type":"{kind}","runId":"{run}","nodeId":"write","iteration":0,"attempt":{attempt},"timestampMs":17000000{at:05}{more}}}"#
    ) + "\n"
}

/// An action of a command line, as Smithers 0.32 writes it.
fn action(attempt: u32, at: u32, id: &str, phase: &str, detail: &str) -> String {
    let more = format!(
        r#","engine":"claude-code","event":{{"type":"action","engine":"claude-code",{phase},"action":{{"id":"{id}","kind":"tool","title":"Read src/{id}.rs","detail":{detail}}}}}"#
    );
    event("r", attempt, at, "AgentEvent", &more)
}

fn calls(viewer: &mut Viewer) -> NodeWindow {
    viewer.handle(ViewCommand::Act(PaneAction::Node(NodeAction::Tab(NodeTab::Calls))), NOW);
    select(viewer, "write", 0)
}

/// The name, the attempt, the outcome and the length of each call.
fn rows(window: &NodeWindow) -> Vec<(&str, Option<u32>, &str, Option<&str>)> {
    window
        .body
        .calls
        .iter()
        .map(|call| (&*call.name, call.attempt, &*call.outcome, call.took.as_deref()))
        .collect()
}

#[test]
fn the_calls_of_a_node_are_joined_with_their_ends() {
    let log = [
        event("r", 1, 0, "NodeStarted", ""),
        action(1, 10, "a0", r#""phase":"started""#, r#"{"input":{"path":"src/a0.rs"}}"#),
        action(1, 124, "a0", r#""phase":"completed","ok":true"#, r#"{"output":"fn main() {}"}"#),
        action(1, 130, "a1", r#""phase":"started""#, r#"{"input":{"path":"src/a1.rs"}}"#),
        event("r", 1, 140, "NodeFailed", r#","error":"boom""#),
        event("r", 2, 200, "NodeStarted", ""),
        action(2, 210, "a1", r#""phase":"completed","ok":false"#, r#"{"output":"ENOENT"}"#),
        event("r", 2, 220, "ToolCallStarted", r#","toolName":"bash","seq":1"#),
        event("other", 2, 230, "ToolCallFinished", r#","toolName":"bash","seq":1,"status":"error""#),
        event("r", 2, 1720, "ToolCallFinished", r#","toolName":"bash","seq":1,"status":"success""#),
    ]
    .concat();
    let mut viewer = opened(&[&snapshot("agent"), &log]);
    // The other run is the second row of the list.
    viewer.choose(Some(0));
    let window = calls(&mut viewer);
    let expected = [
        ("Read src/a0.rs", Some(1), "Succeeded", Some("114 ms")),
        ("Read src/a1.rs", Some(1), "No end in this log.", None),
        ("Read src/a1.rs", Some(2), "Failed", None),
        ("bash", Some(2), "Succeeded", Some("1.5 s")),
    ];
    assert_eq!(rows(&window), expected);
    let [read, _, failed, _] = &window.body.calls[..] else { panic!("{window:?}") };
    let text = |text: &Option<AttemptText>| text.as_ref().map(|text| text.spans[0].text.clone());
    assert_eq!(text(&read.arguments).as_deref(), Some(r#"{"path":"src/a0.rs"}"#));
    assert_eq!(text(&read.result).as_deref(), Some("fn main() {}"));
    assert_eq!((failed.tone, failed.missing.as_deref()), (Tone::Error, Some("No start in this log.")));
    assert_eq!((&failed.started, &*window.body.missing), (&None, &[][..]));
}

#[test]
fn a_node_without_calls_says_why() {
    let log = event("r", 1, 0, "NodeStarted", "");
    let window = calls(&mut opened(&[&snapshot("agent"), &log]));
    let why = "No tool call is among these events: an agent that reports its calls writes an event for each.";
    assert_eq!((window.tab, &*window.body.missing), (NodeTab::Calls, &[why.to_owned()][..]));
    let absent = calls(&mut opened(&[&snapshot("agent")]));
    assert!(absent.body.missing[0].starts_with("This document contains no events"), "{absent:?}");
    let compute = calls(&mut opened(&[&snapshot("compute"), &log]));
    assert_eq!((compute.tabs.contains(&NodeTab::Calls), compute.tab), (false, NodeTab::Summary));
}
