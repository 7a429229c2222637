//! Frames by number, through rewinds, gaps and new baselines.

use crate::frame::DevToolsEvent;
use crate::history::{History, Milestone, MilestoneKind, Step};
use crate::time::Millis;
use crate::tree::{Delta, Snapshot};
use serde_json::json;

use super::captured::LAUNCHED;
use super::support::{frame, stream, take, task};

fn newest_tree(history: &History) -> Option<String> {
    history.tip.as_ref().map(|tip| tip.tree.to_json())
}

#[test]
fn every_frame_of_every_life_equals_the_streams_tree() {
    let mut frames = 0;
    for life in LAUNCHED.into_iter().chain(["rewind-a"]) {
        let mut history = History::new();
        // The tree of each number, made without the history.
        let mut expected: Vec<(f64, String)> = Vec::new();
        let mut plain: Option<Snapshot> = None;
        for (at, event) in stream(life) {
            take(&mut history, at, &event);
            match event {
                DevToolsEvent::Snapshot(snapshot) => plain = Some(*snapshot),
                DevToolsEvent::Delta(delta) => plain.as_mut().unwrap().apply(&delta).unwrap(),
            }
            let now = plain.as_ref().unwrap();
            expected.retain(|(number, _)| *number < now.frame_no);
            expected.push((now.frame_no, now.tree.to_json()));
            assert_eq!(newest_tree(&history), Some(now.tree.to_json()), "{life}");
        }
        let numbers: Vec<f64> = expected.iter().map(|(number, _)| *number).collect();
        assert_eq!(history.numbers(), numbers, "{life}");
        // Forwards, backwards, and in any order: the tree that was shown last must not matter.
        let last = expected.len() - 1;
        let there = (0..=last).map(|step| step * 7 % (last + 1));
        for place in (0..=last).chain((0..=last).rev()).chain(there) {
            let (number, tree) = &expected[place];
            let past = history.frame(*number).unwrap();
            assert_eq!((past.number, past.tree().to_json()), (*number, tree.clone()), "{life} {number}");
            assert!(past.is_streamed() && past.at.is_some());
            frames += 1;
        }
    }
    assert!(frames > 1000, "{frames}");
}

#[test]
fn a_number_that_was_not_seen_is_no_frame() {
    let mut history = History::new();
    assert_eq!(history.frame(1.0).unwrap_err().to_string(), "Frame 1 was not seen: there is none yet.");
    for (at, event) in stream("rewind-a").into_iter().take(3) {
        take(&mut history, at, &event);
    }
    // Frame 12 was deleted by the rewind to 3; 1 and 2 were before this viewer.
    assert_eq!(history.numbers(), [3.0, 4.0]);
    for (number, message) in [
        (12.0, "Frame 12 was not seen: the newest is 4."),
        (2.0, "Frame 2 was not seen: the first is 3."),
        (3.5, "Frame 3.5 was not seen: between 3 and 4 there is none."),
        (-1.0, "Frame -1 was not seen: the first is 3."),
    ] {
        assert_eq!(history.frame(number).unwrap_err().to_string(), message);
        assert!(history.diff(3.0, number).is_err() && history.diff(number, 3.0).is_err());
    }
    assert!(history.frame(f64::NAN).is_err());
}

#[test]
fn a_rewind_takes_the_line_back_and_later_frames_take_the_numbers() {
    let mut history = History::new();
    let mut taken = Vec::new();
    for (at, event) in stream("rewind-a") {
        taken.push(take(&mut history, at, &event));
    }
    assert_eq!(taken[..3], [Step::Forward, Step::Rewound { from: 12.0 }, Step::Forward]);
    assert_eq!(history.numbers(), (3..=15).map(f64::from).collect::<Vec<_>>());
    let rewinds: Vec<&Milestone> = history
        .milestones()
        .iter()
        .filter(|milestone| matches!(milestone.kind, MilestoneKind::Rewind { .. }))
        .collect();
    assert_eq!(rewinds.len(), 1);
    assert_eq!(rewinds[0].sentence(), "The run was taken back from frame 12 to frame 3.");
    assert_eq!(rewinds[0].frame, 3.0);
    // The event of the jump repeats the same fact.
    let before = history.milestones().len();
    history.take_jump(12.0, 3.0, Millis(1.0));
    assert_eq!(history.milestones().len(), before + 1, "frame 12 was reached again: this is another jump");
    history.take_jump(12.0, 3.0, Millis(1.0));
    assert_eq!(history.milestones().len(), before + 1, "stream and event are about one jump");
}

#[test]
fn a_delta_that_does_not_fit_is_refused_and_an_old_one_skipped() {
    let mut history = History::new();
    let delta = |base: u32, seq: u32, ops: &str| {
        Delta::from_json(&format!(r#"{{"version":1,"baseSeq":{base},"seq":{seq},"ops":[{ops}]}}"#)).unwrap()
    };
    let error = history.take_delta(&delta(0, 1, ""), Millis(0.0)).unwrap_err();
    assert_eq!(error.message, "There is no snapshot before this delta.");
    for (at, event) in stream("quick-a") {
        take(&mut history, at, &event);
    }
    let (before, milestones) = (newest_tree(&history), history.milestones().len());
    assert_eq!(history.take_delta(&delta(3, 4, ""), Millis(0.0)), Ok(Step::Old));
    for (delta, message) in [
        (delta(13, 14, ""), "Delta base seq 13 does not match snapshot seq 12."),
        (delta(12, 13, r#"{"op":"removeNode","id":1}"#), "Unknown node id: 1"),
        (
            delta(12, 13, r#"{"op":"updateProps","id":1753301139,"props":{}},{"op":"removeNode","id":7}"#),
            "Unknown node id: 7",
        ),
    ] {
        assert_eq!(history.take_delta(&delta, Millis(0.0)).unwrap_err().message, message);
    }
    assert_eq!((newest_tree(&history), history.milestones().len()), (before, milestones));
    assert_eq!(history.numbers().last(), Some(&12.0));
}

#[test]
fn missed_frames_are_reported() {
    let mut history = History::new();
    let mut events = stream("steps-a").into_iter();
    for (at, event) in events.by_ref().take(5) {
        take(&mut history, at, &event);
    }
    let snapshot = events.find(|(_, event)| matches!(event, DevToolsEvent::Snapshot(_))).unwrap();
    assert_eq!(take(&mut history, snapshot.0, &snapshot.1), Step::Forward);
    let missed: Vec<String> = history
        .milestones()
        .iter()
        .filter(|milestone| matches!(milestone.kind, MilestoneKind::MissedFrames { .. }))
        .map(Milestone::sentence)
        .collect();
    assert_eq!(missed.len(), 1);
    assert!(missed[0].starts_with("Frames 5 to "), "{missed:?}");
    assert!(history.frame(6.0).is_err());
}

#[test]
fn the_same_frame_from_scratch_is_no_rewind() {
    let mut history = History::new();
    let first = frame(4, &json!([task(2, "a", &json!({"state": "pending"}))]));
    let again = frame(4, &json!([task(2, "a", &json!({"state": "in-progress"}))]));
    assert_eq!(history.take_snapshot(&first, Millis(1.0)), Step::Forward);
    assert_eq!(history.take_snapshot(&again, Millis(2.0)), Step::Again);
    assert_eq!(history.numbers(), [4.0]);
    assert_eq!(history.frame(4.0).unwrap().tree().to_json(), again.tree.to_json());
    // Duplicate ids: upstream's steps would produce another tree.
    let twins = frame(5, &json!([task(2, "a", &json!({})), task(2, "a", &json!({}))]));
    assert_eq!(history.take_snapshot(&twins, Millis(3.0)), Step::Forward);
    assert_eq!(history.frame(5.0).unwrap().tree().to_json(), twins.tree.to_json());
    assert_eq!(history.frame(4.0).unwrap().tree().to_json(), again.tree.to_json());
}
