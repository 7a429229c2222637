//! The events of nodes, and their iterations.

use super::*;

/// The part with the events of a node.
pub(super) fn events(viewer: &mut Viewer, node_id: &str, iteration: u32) -> NodeBody {
    viewer.handle(ViewCommand::Act(PaneAction::Node(NodeAction::Tab(NodeTab::Events))), NOW);
    select(viewer, node_id, iteration).body
}

#[test]
fn the_events_of_a_node_are_those_of_its_iteration() {
    let event = |kind: &str, iteration: u32, seq: u32, more: &str| {
        format!(
            r#"{{"type":"{kind}","runId":"r","nodeId":"build","iteration":{iteration},"attempt":1,"timestampMs":17000000{seq:05}{more}}}"#
        ) + "\n"
    };
    let log = [
        event("NodeStarted", 2, 10, ""),
        event("NodeFailed", 2, 20, r#","error":"disk is full""#),
        event("NodeStarted", 3, 30, ""),
        event("ToolCallStarted", 3, 40, r#","toolName":"bash","seq":1"#),
        event("ToolCallFinished", 3, 50, r#","toolName":"bash","seq":1,"status":"success""#),
    ]
    .concat();
    let names = |body: &NodeBody| body.events.iter().map(|row| row.name.clone()).collect::<Vec<_>>();
    let mut viewer = opened(&[SNAPSHOT, STATES, &log]);
    let current = events(&mut viewer, "build", 3);
    assert_eq!(names(&current), ["NodeStarted", "ToolCallStarted", "ToolCallFinished"]);
    assert_eq!(current.events[1].detail, "bash");
    assert_eq!(current.missing, [""; 0]);
    let past = events(&mut viewer, "build", 2);
    assert_eq!(names(&past), ["NodeStarted", "NodeFailed"]);
    assert_eq!(past.missing, [""; 0]);
    let other = events(&mut viewer, "prepare", 0);
    assert_eq!(
        other.missing,
        ["No listed event is about this iteration of the node. The events of the run have all others."]
    );
    let none = events(&mut opened(&[SNAPSHOT, STATES]), "build", 3);
    assert!(
        none.events.is_empty() && none.missing[0].starts_with("This document contains no events"),
        "{none:?}"
    );
    let many: String =
        (0..300).map(|seq| event("NodeOutput", 3, seq, r#","text":"x","stream":"stdout""#)).collect();
    let many = events(&mut opened(&[SNAPSHOT, STATES, &many]), "build", 3);
    assert_eq!(many.events.len(), 200);
    assert_eq!(many.missing[0], "Earlier rows are not listed: 100. The events of the run have all of them.");
}

#[test]
fn the_known_iterations_are_listed_with_their_states() {
    let window = select(&mut opened(&[SNAPSHOT, STATES]), "build", 3);
    let known = window.iterations.unwrap().known;
    let known: Vec<_> = known.iter().map(|known| (known.number, known.state.as_deref())).collect();
    assert_eq!(known, [(2, Some("Failed")), (3, Some("In progress"))]);
}

#[test]
fn a_printout_has_the_selected_node_with_its_events_whichever_part_is_on_screen() {
    let mut viewer = super::steps::written("validation-fail-fix-loop", usize::MAX);
    assert_eq!(viewer.selected_node(NOW), None);
    select(&mut viewer, "validate", 0);
    let printed = viewer.selected_node(NOW).unwrap();
    assert_eq!((state(&printed), field(&printed, "visit")), (Some("failed"), Some("1 of 2")));
    assert!(printed.body.events.iter().any(|event| event.name == "step_failed"), "{:?}", printed.body.events);
}
