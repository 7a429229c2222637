//! The past of a run: frames by number, differences that a person can read, landmarks, and what is not known.

use std::fs;
use std::path::PathBuf;
use std::time::Instant;

use runstate::history::{ChangeKind, History, Landmark, LandmarkKind, NodeMoment, SaidBy, Taken, Then};
use runstate::smithers::{Delta, DevToolsEvent, DevToolsMessage, Event, RunState, Snapshot};
use runstate::time::Millis;
use runstate::tree::{NodeId, Tree};
use runstate::word::Word;
use serde_json::{Value, json};

fn vectors() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/vectors/smithers")
}

/// What the stream of a captured life said, each with its time.
fn stream(life: &str) -> Vec<(f64, DevToolsEvent)> {
    let paths = ["lives", "ws"].map(|folder| vectors().join(folder).join(format!("{life}.ndjson")));
    let text = paths.iter().find_map(|path| fs::read_to_string(path).ok()).unwrap();
    let frames = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let told = frames.filter(|frame| frame["data"]["event"] == "devtools.event");
    told.map(|frame| {
        let message = DevToolsMessage::parse(&frame["data"]["payload"].to_string()).unwrap();
        (frame["t"].as_f64().unwrap(), message.event)
    })
    .collect()
}

fn take(history: &mut History, at: f64, event: &DevToolsEvent) -> Taken {
    match event {
        DevToolsEvent::Snapshot(snapshot) => history.take_snapshot(snapshot, Millis(at)),
        DevToolsEvent::Delta(delta) => history.take_delta(delta, Millis(at)).unwrap(),
    }
}

fn replayed(life: &str) -> History {
    let mut history = History::new();
    for (at, event) in stream(life) {
        take(&mut history, at, &event);
    }
    history
}

fn captured(path: &str) -> String {
    let text = fs::read_to_string(vectors().join("captures").join(path)).unwrap();
    serde_json::from_str::<Value>(&text).unwrap()["response"]["body"]["payload"].to_string()
}

const LIVES: [&str; 18] = [
    "approval-a",
    "approval-denied-a",
    "backoff-a",
    "can-a",
    "cancel-a",
    "degraded-a",
    "event-a",
    "fail-a",
    "human-a",
    "mixed-a",
    "oddids-a",
    "quick-a",
    "retry-a",
    "steps-a",
    "structure-a",
    "timer-a",
    "wide-a",
    "rewind-a",
];

#[test]
fn every_frame_of_every_life_is_what_the_stream_said() {
    let mut frames = 0;
    for life in LIVES {
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
            assert_eq!(history.tip().map(Tree::to_json), Some(now.tree.to_json()), "{life}");
        }
        let numbers: Vec<f64> = expected.iter().map(|(number, _)| *number).collect();
        assert_eq!(history.numbers(), numbers, "{life}");
        // Forwards, backwards, and here and there: the tree that was shown last must not matter.
        let last = expected.len() - 1;
        let there = (0..=last).map(|step| step * 7 % (last + 1));
        for place in (0..=last).chain((0..=last).rev()).chain(there) {
            let (number, tree) = &expected[place];
            let past = history.frame(*number).unwrap();
            assert_eq!((past.number, past.tree().to_json()), (*number, tree.clone()), "{life} {number}");
            assert!(past.streamed() && past.at.is_some());
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
    assert_eq!(taken[..3], [Taken::Forward, Taken::Rewound { from: 12.0 }, Taken::Forward]);
    assert_eq!(history.numbers(), (3..=15).map(f64::from).collect::<Vec<_>>());
    let rewinds: Vec<&Landmark> = history
        .landmarks()
        .iter()
        .filter(|landmark| matches!(landmark.kind, LandmarkKind::Rewind { .. }))
        .collect();
    assert_eq!(rewinds.len(), 1);
    assert_eq!(rewinds[0].sentence(), "The run was taken back from frame 12 to frame 3.");
    assert_eq!(rewinds[0].frame, 3.0);
    // The event of the jump tells the same once more.
    let before = history.landmarks().len();
    history.take_jump(12.0, 3.0, Millis(1.0));
    assert_eq!(history.landmarks().len(), before + 1, "frame 12 was reached again: this is another jump");
    history.take_jump(12.0, 3.0, Millis(1.0));
    assert_eq!(history.landmarks().len(), before + 1, "stream and event tell of one jump");
}

#[test]
fn a_delta_that_does_not_fit_is_refused_and_an_old_one_passed_over() {
    let mut history = History::new();
    let delta = |base: u32, seq: u32, ops: &str| {
        Delta::from_json(&format!(r#"{{"version":1,"baseSeq":{base},"seq":{seq},"ops":[{ops}]}}"#)).unwrap()
    };
    let error = history.take_delta(&delta(0, 1, ""), Millis(0.0)).unwrap_err();
    assert_eq!(error.message, "There is no snapshot before this delta.");
    for (at, event) in stream("quick-a") {
        take(&mut history, at, &event);
    }
    let (before, landmarks) = (history.tip().map(Tree::to_json), history.landmarks().len());
    assert_eq!(history.take_delta(&delta(3, 4, ""), Millis(0.0)), Ok(Taken::Old));
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
    assert_eq!((history.tip().map(Tree::to_json), history.landmarks().len()), (before, landmarks));
    assert_eq!(history.newest(), Some(12.0));
}

#[test]
fn missed_frames_are_told() {
    let mut history = History::new();
    let mut events = stream("steps-a").into_iter();
    for (at, event) in events.by_ref().take(5) {
        take(&mut history, at, &event);
    }
    let snapshot = events.find(|(_, event)| matches!(event, DevToolsEvent::Snapshot(_))).unwrap();
    assert_eq!(take(&mut history, snapshot.0, &snapshot.1), Taken::Forward);
    let missed: Vec<String> = history
        .landmarks()
        .iter()
        .filter(|landmark| matches!(landmark.kind, LandmarkKind::MissedFrames { .. }))
        .map(Landmark::sentence)
        .collect();
    assert_eq!(missed.len(), 1);
    assert!(missed[0].starts_with("Frames 5 to "), "{missed:?}");
    assert!(history.frame(6.0).is_err());
    history.take_lost_events(7.0, 9.0, None);
    assert_eq!(history.landmarks().last().unwrap().sentence(), "Events 7 to 9 are lost.");
}

#[test]
fn the_states_of_a_frame_that_was_asked_for_are_today_s_and_not_told() {
    let asked = Snapshot::from_json(&captured("runs/quick-a/rpc-getDevToolsSnapshot-frame1.json")).unwrap();
    let plan = asked.tree.find_node("plan", None).unwrap();
    assert_eq!(asked.tree.node(plan).state().unwrap().as_str(), "finished", "which it was not at frame 1");
    let mut history = History::new();
    history.take_asked(&asked);
    let past = history.frame(1.0).unwrap();
    assert!(!past.streamed());
    let plan = past.tree().find_node("plan", None).unwrap();
    assert_eq!(past.state(plan), Then::NotKnown);
    assert_eq!(past.state(past.tree().root()), Then::Stateless);
    assert!(past.not_known() > 3);
    let node = past.tree().node(plan);
    assert_eq!((node.state(), node.attempt(), node.label()), (None, None, Some("Plan the work")));
    assert!(!node.task.as_ref().unwrap().json().contains("finished"));

    // The structure can be compared, the states cannot.
    let mut streamed = replayed("quick-a");
    let numbers = streamed.numbers();
    streamed.take_asked(&asked);
    assert_eq!(streamed.numbers(), numbers, "what the stream said of frame 1 is worth more");
    assert!(streamed.frame(1.0).unwrap().streamed());
    let mut half = History::new();
    for (at, event) in stream("rewind-a") {
        take(&mut half, at, &event);
    }
    half.take_asked(&asked);
    let difference = half.diff(1.0, 15.0).unwrap();
    assert!(difference.states_not_known > 3);
    assert!(difference.caveat().unwrap().contains("are not known in one of the frames"));
    let of_states = |kind: &ChangeKind| {
        matches!(
            kind,
            ChangeKind::Started
                | ChangeKind::Finished
                | ChangeKind::Failed
                | ChangeKind::Retried { .. }
                | ChangeKind::State { .. }
        )
    };
    assert!(!difference.changes.iter().any(|change| of_states(&change.kind)), "{:?}", difference.changes);
}

fn moment(at: f64, node_id: &str, state: &str, attempt: Option<u32>) -> NodeMoment {
    NodeMoment { at: Millis(at), node_id: node_id.into(), iteration: 0, state: Word::new(state), attempt }
}

#[test]
fn events_tell_the_states_of_a_frame_that_was_asked_for() {
    let asked = Snapshot::from_json(&captured("runs/quick-a/rpc-getDevToolsSnapshot-frame1.json")).unwrap();
    let mut history = History::new();
    history.take_asked(&asked);
    for told in [
        moment(30.0, "plan", "finished", Some(1)),
        moment(10.0, "plan", "pending", None),
        moment(20.0, "plan", "in-progress", Some(1)),
    ] {
        history.take_moment(told);
    }
    let state = |history: &mut History| {
        let past = history.frame(1.0).unwrap();
        match past.state(past.tree().find_node("plan", None).unwrap()) {
            Then::Known { state, said_by: SaidBy::Events, .. } => state.to_string(),
            Then::Known { said_by: SaidBy::Stream, .. } => panic!("the stream said nothing"),
            Then::NotKnown => "not known".to_owned(),
            Then::Stateless => "stateless".to_owned(),
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
    let path = vectors().join("logs/stream").join(format!("{run}.ndjson"));
    for line in fs::read_to_string(path).unwrap().lines() {
        history.take_event(&Event::from_json(line).unwrap());
    }
}

/// What is known of these nodes at a frame: state, attempt, and who said it.
fn states(history: &mut History, number: f64, names: &[&str]) -> Vec<String> {
    let past = history.frame(number).unwrap();
    let state = |name: &&str| match past.state(past.tree().find_node(name, None).unwrap()) {
        Then::Known { state, attempt, said_by } => format!("{state} {} {said_by:?}", attempt.unwrap_or(0)),
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
    let told: Vec<String> = history.landmarks().iter().map(Landmark::sentence).collect();
    for sentence in [
        r#""flaky" failed (attempt 1)."#,
        r#""flaky" is tried again (attempt 2)."#,
        r#""flaky" failed (attempt 2)."#,
        r#""flaky" is tried again (attempt 3)."#,
        "The run is running.",
        "The run went from running to succeeded.",
    ] {
        let times = told.iter().filter(|told| *told == sentence).count();
        assert_eq!(times, 1, "stream and log tell it once: {told:?}");
    }
}

#[test]
fn a_rewind_that_the_log_does_not_name_shows_in_its_frame_numbers() {
    let mut history = replayed("rewind-a");
    take_log(&mut history, "rewind-a");
    let rewinds =
        history.landmarks().iter().filter(|landmark| matches!(landmark.kind, LandmarkKind::Rewind { .. }));
    assert_eq!(
        rewinds.count(),
        2,
        "one of the stream, one of the log that was read after the run was at 12 again"
    );
    let nodes = ["plan", "left", "right", "then-task"];
    // Frame 3 is from before the rewind, and its moment is known.
    assert_eq!(
        states(&mut history, 3.0, &nodes),
        ["finished 1 Events", "finished 1 Events", "in-progress 1 Events", "pending 0 Events"]
    );
    // Frame 4 is from after it. What ended before frame 3 has ended; the attempt of `right` was deleted, and no event
    // says so: the stream's word is all there is.
    let at_4 = states(&mut history, 4.0, &nodes);
    assert_eq!(at_4[..2], ["finished 1 Events", "finished 1 Events"]);
    assert!(at_4[2].ends_with("Stream"), "{at_4:?}");
    assert_eq!(states(&mut history, 6.0, &["right"]), ["in-progress 2 Events"]);
    assert_eq!(states(&mut history, 15.0, &["right", "final"]), ["finished 2 Events", "finished 1 Events"]);
    assert_eq!(history.frame(15.0).unwrap().not_known(), 0);
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
        let told: Vec<String> = history.landmarks().iter().map(Landmark::sentence).collect();
        for sentence in expected {
            assert!(told.iter().any(|told| told == sentence), "{run}: {sentence} in {told:?}");
        }
        assert_eq!((history.numbers(), history.newest()), (Vec::new(), None), "{run}");
        assert!(history.landmarks().iter().all(|landmark| landmark.at.is_some()));
    }
    // Once getRun was heard, what events imply of the run is no landmark.
    let mut history = History::new();
    history.take_run_state(&Word::new("waiting-timer"), Millis(1.0));
    take_log(&mut history, "timer-a");
    let states =
        history.landmarks().iter().filter(|landmark| matches!(landmark.kind, LandmarkKind::RunState { .. }));
    assert_eq!(states.count(), 1);
}

fn frame(number: u32, children: &Value) -> Snapshot {
    let root = json!({"id": 1, "type": "workflow", "name": "demo", "props": {"name": "demo"}, "children": children, "depth": 0});
    let text =
        json!({"version": 1, "runId": "r", "frameNo": number, "seq": number, "root": root}).to_string();
    Snapshot::from_json(&text).unwrap()
}

fn task(id: u32, name: &str, rest: &Value) -> Value {
    let mut task = json!({"nodeId": name, "kind": "agent"});
    task.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
    json!({"id": id, "type": "task", "name": "task", "props": {"id": name}, "task": task, "children": [], "depth": 1})
}

/// What the difference of two frames says.
fn told(before: &Value, after: &Value) -> Vec<String> {
    let mut history = History::new();
    history.take_snapshot(&frame(1, before), Millis(1.0));
    history.take_snapshot(&frame(2, after), Millis(2.0));
    let difference = history.diff(1.0, 2.0).unwrap();
    assert!(history.diff(1.0, 1.0).unwrap().changes.is_empty());
    difference.changes.iter().map(runstate::history::Change::sentence).collect()
}

#[test]
fn a_difference_is_told_in_sentences() {
    let one = |rest: Value| json!([task(2, "build", &rest)]);
    for (before, after, sentences) in [
        (
            json!({"state": "pending"}),
            json!({"state": "in-progress", "attempt": 1}),
            vec![r#""build" started."#],
        ),
        (
            json!({"state": "pending", "attempt": 0}),
            json!({"state": "finished", "attempt": 1}),
            vec![r#""build" finished."#],
        ),
        (
            json!({"state": "in-progress", "attempt": 1}),
            json!({"state": "failed", "attempt": 1}),
            vec![r#""build" failed."#],
        ),
        (
            json!({"state": "failed", "attempt": 1}),
            json!({"state": "in-progress", "attempt": 2}),
            vec![r#""build" was tried again (attempt 2)."#],
        ),
        (
            json!({"state": "in-progress", "attempt": 1}),
            json!({"state": "finished", "attempt": 3}),
            vec![r#""build" was tried again (attempt 3)."#, r#""build" finished."#],
        ),
        // The server's count of attempts goes back once a run is resumed; that is no news of the node.
        (json!({"state": "finished", "attempt": 1}), json!({"state": "finished", "attempt": 0}), vec![]),
        (
            json!({"state": "pending"}),
            json!({"state": "waiting-approval"}),
            vec![r#""build" waits for an approval."#],
        ),
        (
            json!({"state": "pending"}),
            json!({"state": "waiting-timer"}),
            vec![r#""build" waits for its timer."#],
        ),
        (json!({"state": "pending"}), json!({"state": "skipped"}), vec![r#""build" was skipped."#]),
        (json!({"state": "in-progress"}), json!({"state": "cancelled"}), vec![r#""build" was cancelled."#]),
        (
            json!({"state": "finished"}),
            json!({"state": "pending"}),
            vec![r#""build" went from finished to pending."#],
        ),
        (
            json!({"state": "pending"}),
            json!({"state": "on-fire"}),
            vec![r#""build" went from pending to on-fire."#],
        ),
        (
            json!({"state": "finished", "iteration": 1}),
            json!({"state": "in-progress", "iteration": 2}),
            vec![r#""build" went on from round 1 to round 2."#, r#""build" started."#],
        ),
        (
            json!({"state": "pending", "agent": "opus"}),
            json!({"state": "pending", "agent": "sonnet", "prompt": "Do it."}),
            vec![
                r#"The task field "agent" of "build" changed from "opus" to "sonnet"."#,
                r#"The task field "prompt" of "build" was added: "Do it."."#,
            ],
        ),
    ] {
        assert_eq!(told(&one(before.clone()), &one(after.clone())), sentences, "{before} {after}");
    }
}

#[test]
fn a_difference_of_structure_is_told_once_for_a_subtree() {
    let group = |children: &[Value]| json!({"id": 9, "type": "sequence", "name": "sequence", "props": {}, "children": children, "depth": 1});
    let (a, b, c) = (task(2, "a", &json!({})), task(3, "b", &json!({})), task(4, "c", &json!({})));
    for (before, after, sentences) in [
        (json!([a]), json!([a, b]), vec![r#""b" was added under "demo"."#]),
        (
            json!([a]),
            json!([a, group(&[b.clone(), c.clone()])]),
            vec![r#""sequence" was added under "demo", with 2 nodes under it."#],
        ),
        (
            json!([a, group(std::slice::from_ref(&b))]),
            json!([a]),
            vec![r#""sequence" was removed, with 1 node under it."#],
        ),
        (
            json!([a, b, group(&[])]),
            json!([b, group(std::slice::from_ref(&a))]),
            vec![r#""a" was moved under "sequence"."#],
        ),
        (json!([a, b, c]), json!([c, a, b]), vec![r#"The children of "demo" stand in another order."#]),
        (json!([a, b]), json!([c, a, b]), vec![r#""c" was added under "demo"."#]),
    ] {
        assert_eq!(told(&before, &after), sentences, "{before} {after}");
    }
    let with = |props: Value| json!([{"id": 5, "type": "loop", "name": "loop", "props": props, "children": [], "depth": 1}]);
    assert_eq!(
        told(
            &with(json!({"id": "polish", "until": false, "old": 1})),
            &with(json!({"until": true, "id": "polish", "new": [1]}))
        ),
        [
            r#"The property "new" of "polish" was added: [1]."#,
            r#"The property "until" of "polish" changed from false to true."#,
            r#"The property "old" of "polish" was removed; it was 1."#,
        ]
    );
    let plain = json!([{"id": 2, "type": "timer", "name": "timer", "props": {"id": "a"}, "children": [], "depth": 1}]);
    assert_eq!(
        told(&json!([a]), &plain),
        [r#""a" became timer; it was task."#, r#""a" is no task any more."#]
    );
}

#[test]
fn the_life_of_an_approval_has_its_landmarks() {
    let mut history = History::new();
    let events = stream("approval-a");
    let state = |word: &str| Word::<RunState>::new(word);
    history.take_run_state(&state("running"), Millis(20.0));
    for (at, event) in &events {
        if *at > 2600.0
            && history.landmarks().iter().all(|landmark| !landmark.sentence().contains("running to"))
        {
            history.take_run_state(&state("waiting-approval"), Millis(120.0));
            history.take_run_state(&state("waiting-approval"), Millis(2000.0));
        }
        take(&mut history, *at, event);
    }
    history.take_run_state(&state("succeeded"), Millis(2810.0));
    let told: Vec<(f64, String)> =
        history.landmarks().iter().map(|landmark| (landmark.frame, landmark.sentence())).collect();
    assert_eq!(
        told,
        [
            (0.0, "The run is running.".to_owned()),
            (2.0, r#""ship-gate" waits for an approval."#.to_owned()),
            (2.0, "The run went from running to waiting-approval.".to_owned()),
            (3.0, r#""ship-gate" waits for an approval no more: it is in-progress."#.to_owned()),
            (7.0, "The run went from waiting-approval to succeeded.".to_owned()),
        ]
    );
    let difference = history.diff(2.0, 7.0).unwrap();
    let sentences: Vec<String> = difference.changes.iter().map(runstate::history::Change::sentence).collect();
    assert_eq!(
        sentences,
        [r#""ship-gate" was tried again (attempt 1)."#, r#""ship-gate" finished."#, r#""publish" finished."#]
            [1..]
    );
    assert_eq!(difference.caveat(), None);
}

#[test]
fn a_node_that_left_is_remembered() {
    let mut history = History::new();
    history.take_snapshot(
        &frame(1, &json!([task(2, "a", &json!({"state": "finished"})), task(3, "b", &json!({}))])),
        Millis(1.0),
    );
    history.take_snapshot(&frame(2, &json!([task(3, "b", &json!({}))])), Millis(2.0));
    let ghost = history.ghosts().get(NodeId(2)).unwrap();
    assert_eq!((ghost.node.title(), ghost.node.state().map(Word::as_str)), ("a", Some("finished")));
    assert_eq!((ghost.parent, ghost.position, ghost.left_at), (Some(NodeId(1)), 0, 2.0));
    assert!(history.ghosts().get(NodeId(3)).is_none(), "it only moved up");
    history.take_snapshot(&frame(3, &json!([task(2, "a", &json!({}))])), Millis(3.0));
    assert!(history.ghosts().get(NodeId(2)).is_none(), "it came back");
    assert!(history.ghosts().get(NodeId(3)).is_some());
}

#[test]
fn the_same_frame_from_scratch_is_no_rewind() {
    let mut history = History::new();
    let first = frame(4, &json!([task(2, "a", &json!({"state": "pending"}))]));
    let again = frame(4, &json!([task(2, "a", &json!({"state": "in-progress"}))]));
    assert_eq!(history.take_snapshot(&first, Millis(1.0)), Taken::Forward);
    assert_eq!(history.take_snapshot(&again, Millis(2.0)), Taken::Again);
    assert_eq!(history.numbers(), [4.0]);
    assert_eq!(history.frame(4.0).unwrap().tree().to_json(), again.tree.to_json());
    // Ids that stand twice: upstream's steps would lead elsewhere.
    let twins = frame(5, &json!([task(2, "a", &json!({})), task(2, "a", &json!({}))]));
    assert_eq!(history.take_snapshot(&twins, Millis(3.0)), Taken::Forward);
    assert_eq!(history.frame(5.0).unwrap().tree().to_json(), twins.tree.to_json());
    assert_eq!(history.frame(4.0).unwrap().tree().to_json(), again.tree.to_json());
}

/// Many frames over many nodes, three tasks changed by each, a new snapshot at every hundredth; and what the tree of
/// some frames comes to.
fn long(frames: u32, nodes: u32) -> (History, Vec<(u32, u64)>) {
    let tasks = (2..nodes + 2).map(|id| task(id, &format!("n{id}"), &json!({"state": "pending"})));
    let mut history = History::new();
    let mut plain = frame(1, &json!(tasks.collect::<Vec<Value>>()));
    history.take_snapshot(&plain, Millis(0.0));
    let mut sums = vec![(1, fingerprint(&plain.tree))];
    for number in 2..=frames {
        let ops: Vec<Value> = (0..3)
            .map(|step| {
                let id = 2 + (number * 7919 + step * 104_729) % nodes;
                let task = json!({"nodeId": format!("n{id}"), "kind": "agent", "state": "in-progress", "attempt": number});
                json!({"op": "updateTask", "id": id, "task": task})
            })
            .collect();
        let delta = json!({"version": 1, "baseSeq": number - 1, "seq": number, "ops": ops}).to_string();
        let delta = Delta::from_json(&delta).unwrap();
        plain.apply(&delta).unwrap();
        if number % 100 == 0 {
            history.take_snapshot(&plain, Millis(f64::from(number)));
        } else {
            history.take_delta(&delta, Millis(f64::from(number))).unwrap();
        }
        if number % (frames / 40) == 3 {
            sums.push((number, fingerprint(&plain.tree)));
        }
    }
    (history, sums)
}

#[test]
fn a_long_run_is_kept_frame_by_frame() {
    let (mut history, sums) = long(2_000, 200);
    assert_eq!(history.numbers().len(), 2_000);
    for step in 0..200 {
        let (number, sum) = sums[step * 17 % sums.len()];
        assert_eq!(fingerprint(history.frame(f64::from(number)).unwrap().tree()), sum, "{number}");
    }
}

fn fingerprint(tree: &Tree) -> u64 {
    let attempts = tree.preorder(tree.root()).map(|index| u64::from(tree.node(index).attempt().unwrap_or(0)));
    attempts.fold(7, |sum, attempt| sum.wrapping_mul(31).wrapping_add(attempt))
}

/// Measured in release alone: `cargo test --release -p runstate --test history -- --ignored`.
#[test]
#[ignore = "measures time"]
fn any_of_ten_thousand_frames_is_shown_within_a_frame_of_the_screen() {
    let (mut history, sums) = long(10_000, 10_000);
    let (mut worst, mut total, count) = (0.0_f64, 0.0, 400_u32);
    for step in 0..count {
        let (number, sum) = sums[step as usize * 17 % sums.len()];
        let number = if step % 2 == 0 { number } else { 1 + step * 6367 % 10_000 };
        let began = Instant::now();
        let past = history.frame(f64::from(number)).unwrap();
        let took = began.elapsed().as_secs_f64() * 1000.0;
        assert!(step % 2 == 1 || fingerprint(past.tree()) == sum, "{number}");
        (worst, total) = (worst.max(took), total + took);
    }
    println!("mean {:.2} ms, worst {worst:.2} ms of {count}", total / f64::from(count));
    assert!(worst < 50.0 && total / f64::from(count) < 16.0);
}
