//! The states of nodes at a frame, with their sources, including nodes without any source.

use crate::history::{
    Change, ChangeKind, History, Milestone, MilestoneKind, NodeMoment, PastState, StateSource,
};
use crate::time::Millis;
use crate::tree::Snapshot;
use crate::word::Word;

use super::support::{captured, replayed, stream, take};
use super::vectors::text;

#[test]
fn the_states_of_a_requested_frame_are_dropped() {
    let asked = Snapshot::from_json(&captured("runs/quick-a/rpc-getDevToolsSnapshot-frame1.json")).unwrap();
    let plan = asked.tree.find_node("plan", None).unwrap();
    assert_eq!(asked.tree.node(plan).state().unwrap().as_str(), "finished", "which it was not at frame 1");
    let mut history = History::new();
    history.take_requested_snapshot(&asked);
    let past = history.frame(1.0).unwrap();
    assert!(!past.is_streamed());
    let plan = past.tree().find_node("plan", None).unwrap();
    assert_eq!(past.state(plan), PastState::NotKnown);
    assert_eq!(past.state(past.tree().root()), PastState::Stateless);
    assert!(past.unknown_states() > 3);
    let node = past.tree().node(plan);
    assert_eq!((node.state(), node.attempt(), node.label()), (None, None, Some("Plan the work")));
    assert!(!node.task.as_ref().unwrap().json().contains("finished"));

    // The structure can be compared, the states cannot.
    let mut streamed = replayed("quick-a");
    let numbers = streamed.numbers();
    streamed.take_requested_snapshot(&asked);
    assert_eq!(streamed.numbers(), numbers, "what the stream said of frame 1 is worth more");
    assert!(streamed.frame(1.0).unwrap().is_streamed());
    let mut half = History::new();
    for (at, event) in stream("rewind-a") {
        take(&mut half, at, &event);
    }
    half.take_requested_snapshot(&asked);
    let difference = half.diff(1.0, 15.0).unwrap();
    assert!(difference.states_not_known > 3);
    assert!(difference.caveat().unwrap().contains("are not known in one of the frames"));
    let is_state_change = |kind: &ChangeKind| {
        matches!(
            kind,
            ChangeKind::Started
                | ChangeKind::Finished
                | ChangeKind::Failed
                | ChangeKind::Retried { .. }
                | ChangeKind::State { .. }
        )
    };
    assert!(
        !difference.changes.iter().any(|change| is_state_change(&change.kind)),
        "{:?}",
        difference.changes
    );
}

fn moment(at: f64, node_id: &str, state: &str, attempt: Option<u32>) -> NodeMoment {
    NodeMoment { at: Millis(at), node_id: node_id.into(), iteration: 0, state: Word::new(state), attempt }
}

#[test]
fn events_tell_the_states_of_a_frame_that_was_asked_for() {
    let asked = Snapshot::from_json(&captured("runs/quick-a/rpc-getDevToolsSnapshot-frame1.json")).unwrap();
    let mut history = History::new();
    history.take_requested_snapshot(&asked);
    for moment in [
        moment(30.0, "plan", "finished", Some(1)),
        moment(10.0, "plan", "pending", None),
        moment(20.0, "plan", "in-progress", Some(1)),
    ] {
        history.take_moment(moment);
    }
    let state = |history: &mut History| {
        let past = history.frame(1.0).unwrap();
        match past.state(past.tree().find_node("plan", None).unwrap()) {
            PastState::Known { state, source: StateSource::Events, .. } => state.to_string(),
            PastState::Known { source: StateSource::Stream, .. } => panic!("the stream said nothing"),
            PastState::NotKnown => "not known".to_owned(),
            PastState::Stateless => "stateless".to_owned(),
        }
    };
    assert_eq!(state(&mut history), "not known", "nobody said when frame 1 was committed");
    for (committed, expected) in
        [(25.0, "in-progress"), (30.0, "finished"), (10.0, "pending"), (5.0, "not known")]
    {
        history.take_commit(1.0, Millis(committed));
        assert_eq!(state(&mut history), expected, "{committed}");
    }
    history.take_commit(1.0, Millis(15.0));
    history.take_commit(2.0, Millis(35.0));
    history.take_jump(2.0, 1.0, Millis(40.0));
    assert_eq!(state(&mut history), "pending");
    history.take_moment(moment(50.0, "plan", "in-progress", Some(1)));
    history.take_commit(1.0, Millis(60.0));
    assert_eq!(state(&mut history), "in-progress");
    history.take_jump(9.0, 7.0, Millis(70.0));
    assert_eq!(
        state(&mut history),
        "not known",
        "frame 7 has no moment, so nothing from before the jump is certain"
    );
}

/// Takes in the log of a run as the released software wrote it.
fn take_log(history: &mut History, run: &str) {
    for line in text(&format!("logs/stream/{run}.ndjson")).lines() {
        history.take_event(&serde_json::from_str(line).unwrap());
    }
}

/// The known facts about these nodes at a frame: state, attempt, and source.
fn states(history: &mut History, number: f64, names: &[&str]) -> Vec<String> {
    let past = history.frame(number).unwrap();
    let state = |name: &&str| match past.state(past.tree().find_node(name, None).unwrap()) {
        PastState::Known { state, attempt, source } => {
            format!("{state} {} {source:?}", attempt.unwrap_or(0))
        }
        other => format!("{other:?}"),
    };
    names.iter().map(state).collect()
}

#[test]
fn the_log_of_a_run_gives_every_frame_its_states() {
    let mut history = replayed("retry-a");
    assert_eq!(states(&mut history, 1.0, &["flaky", "tail"])[0], "failed 1 Stream");
    take_log(&mut history, "retry-a");
    for (number, expected) in [
        (1.0, ["pending 0 Events", "pending 0 Events"]),
        (2.0, ["finished 3 Events", "pending 0 Events"]),
        (3.0, ["finished 3 Events", "finished 1 Events"]),
    ] {
        assert_eq!(states(&mut history, number, &["flaky", "tail"]), expected, "{number}");
    }
    let sentences: Vec<String> = history.milestones().iter().map(Milestone::sentence).collect();
    for sentence in [
        r#""flaky" failed (attempt 1)."#,
        r#""flaky" is tried again (attempt 2)."#,
        r#""flaky" failed (attempt 2)."#,
        r#""flaky" is tried again (attempt 3)."#,
        "The run is running.",
        "The run went from running to succeeded.",
    ] {
        let times = sentences.iter().filter(|each| *each == sentence).count();
        assert_eq!(times, 1, "stream and log record it once: {sentences:?}");
    }
}

#[test]
fn a_rewind_that_the_log_does_not_name_shows_in_its_frame_numbers() {
    let mut history = replayed("rewind-a");
    take_log(&mut history, "rewind-a");
    let rewinds = history
        .milestones()
        .iter()
        .filter(|milestone| matches!(milestone.kind, MilestoneKind::Rewind { .. }));
    assert_eq!(
        rewinds.count(),
        2,
        "one of the stream, one of the log that was read after the run was at 12 again"
    );
    let nodes = ["plan", "left", "right", "then-task"];
    // Frame 3 is from before the rewind, and its time is known.
    assert_eq!(
        states(&mut history, 3.0, &nodes),
        ["finished 1 Events", "finished 1 Events", "in-progress 1 Events", "pending 0 Events"]
    );
    // Frame 4 is from after it. Nodes that ended before frame 3 have ended; the attempt of `right` was deleted without
    // an event, so the stream is the only source.
    let at_4 = states(&mut history, 4.0, &nodes);
    assert_eq!(at_4[..2], ["finished 1 Events", "finished 1 Events"]);
    assert!(at_4[2].ends_with("Stream"), "{at_4:?}");
    assert_eq!(states(&mut history, 6.0, &["right"]), ["in-progress 2 Events"]);
    assert_eq!(states(&mut history, 15.0, &["right", "final"]), ["finished 2 Events", "finished 1 Events"]);
    assert_eq!(history.frame(15.0).unwrap().unknown_states(), 0);
}

#[test]
fn a_log_alone_has_landmarks_and_no_frames() {
    for (run, expected) in [
        (
            "approval-a",
            vec![
                "The run is running.",
                r#""ship-gate" waits for an approval."#,
                "The run went from running to waiting-approval.",
            ],
        ),
        (
            "fail-a",
            vec![
                "The run is running.",
                r#""boom" failed (attempt 1)."#,
                "The run went from running to failed.",
            ],
        ),
        (
            "timer-a",
            vec![
                "The run is running.",
                "The run went from running to waiting-timer.",
                "The run went from waiting-timer to running.",
            ],
        ),
    ] {
        let mut history = History::new();
        take_log(&mut history, run);
        let sentences: Vec<String> = history.milestones().iter().map(Milestone::sentence).collect();
        for sentence in expected {
            assert!(sentences.iter().any(|each| each == sentence), "{run}: {sentence} in {sentences:?}");
        }
        assert!(history.numbers().is_empty(), "{run}");
        assert!(history.milestones().iter().all(|milestone| milestone.at.is_some()));
    }
}

#[test]
fn the_life_of_an_approval_has_its_landmarks() {
    let mut history = History::new();
    for (at, event) in &stream("approval-a") {
        take(&mut history, *at, event);
    }
    let found: Vec<(f64, String)> =
        history.milestones().iter().map(|milestone| (milestone.frame, milestone.sentence())).collect();
    assert_eq!(
        found,
        [
            (2.0, r#""ship-gate" waits for an approval."#.to_owned()),
            (3.0, r#""ship-gate" waits for an approval no more: it is in-progress."#.to_owned()),
        ]
    );
    let difference = history.diff(2.0, 7.0).unwrap();
    let sentences: Vec<String> = difference.changes.iter().map(Change::sentence).collect();
    assert_eq!(
        sentences,
        [r#""ship-gate" was tried again (attempt 1)."#, r#""ship-gate" finished."#, r#""publish" finished."#]
            [1..]
    );
    assert_eq!(difference.caveat(), None);
}
