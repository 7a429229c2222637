//! Tests that the stored events with which a stream begins are read as a whole, wherever a poll divides them.

use super::super::{EndCause, Entry, Traffic};
use super::{GATEWAY, answer, answer_at, at, event, frame, state};
use crate::smithers::wire::RunState;

/// Returns the frames of a stream of a run that waits for an approval: its request, its stored events, and its response.
fn stream(after: &str, current: u32) -> Vec<Entry> {
    let request = r#"{"type":"req","id":"9","method":"streamRunEvents","params":{"runId":"r1"}}"#;
    let response = format!(
        r#"{{"type":"res","id":"9","ok":true,"apiVersion":"v1","payload":{{"streamId":"s","runId":"r1","afterSeq":{after},"currentSeq":{current}}}}}"#
    );
    let stored = ["node.started", "node.finished", "node.started", "node.waiting_approval"];
    let stored = stored.iter().zip(["a", "a", "b", "b"]).zip(1..);
    let stored = stored.map(|((name, node), seq)| wrapped(seq, name, node));
    let mut frames = vec![frame(100.0, true, request)];
    frames.extend(stored);
    // The response may follow the first events.
    frames.insert(3, frame(104.0, false, &response));
    frames
}

/// Returns an event of the run's stream, with its number in the stream.
fn wrapped(seq: u32, name: &str, node: &str) -> Entry {
    let inner = format!(r#"{{"runId":"r1","nodeId":"{node}","iteration":0}}"#);
    let payload =
        format!(r#"{{"streamId":"s","runId":"r1","event":"{name}","payload":{inner},"seq":{seq}}}"#);
    event(100.0 + f64::from(seq), 1 + seq, "run.event", &payload)
}

/// Returns the traffic of a page that has listed the run as waiting, and greeted on its socket.
fn listed() -> Traffic {
    let row = r#"{"runId":"r1","status":"waiting-approval","createdAtMs":1700000000000}"#;
    super::traffic([
        answer(GATEWAY, "listRuns", &format!(r#"{{"ok":true,"apiVersion":"v1","payload":[{row}]}}"#)),
        event(50.0, 1, "connect.challenge", r#"{"ts":1700000000050}"#),
    ])
}

/// Returns the run's state after each poll if every poll has one frame.
fn states(traffic: &mut Traffic, frames: Vec<Entry>) -> Vec<RunState> {
    let state = |frame: Entry| {
        traffic.take(&frame);
        traffic.settle();
        state(traffic, "r1").unwrap()
    };
    frames.into_iter().map(state).collect()
}

#[test]
fn no_part_of_the_stored_events_is_a_state() {
    let mut traffic = listed();
    let seen = states(&mut traffic, stream("0", 4));
    assert_eq!(seen, [RunState::WaitingApproval; 6], "the run has waited all the time");
    assert_eq!(traffic.servers()[0].times(0).2, Some(0), "then it is followed");
    assert_eq!(
        states(&mut traffic, vec![wrapped(5, "node.started", "c")]),
        [RunState::Running],
        "and changes"
    );
}

#[test]
fn only_stored_events_are_held() {
    for (after, current) in [("null", 4), ("4", 4), ("0", 0)] {
        let seen = states(&mut listed(), stream(after, current));
        assert_eq!(seen[4], RunState::Running, "after {after} of {current}");
    }
    let refusal = r#"{"type":"res","id":"9","ok":false,"apiVersion":"v1","error":{"code":"RateLimited","message":"no"}}"#;
    let mut frames = stream("0", 4);
    frames[3] = frame(104.0, false, refusal);
    assert_eq!(states(&mut listed(), frames)[4], RunState::Running, "a refused stream has none");
}

#[test]
fn a_heartbeat_ends_the_stored_events_although_some_are_missing() {
    let mut frames = stream("0", 9);
    frames.push(event(1100.0, 6, "run.heartbeat", r#"{"streamId":"s","runId":"r1"}"#));
    frames.push(wrapped(10, "node.started", "c"));
    let seen = states(&mut listed(), frames);
    assert_eq!(seen[..7], [RunState::WaitingApproval; 7]);
    assert_eq!(seen[7], RunState::Running);
}

#[test]
fn stored_events_of_a_stream_that_ended_before_the_others_count_as_missing() {
    let mut traffic = listed();
    let mut frames = stream("0", 4);
    frames.truncate(5);
    states(&mut traffic, frames);
    assert_eq!(traffic.missing().events, 0, "the others may follow");
    traffic.take(&Entry::End { at: at(200.0), stream: "socket-1".to_owned(), cause: EndCause::Closed });
    traffic.settle();
    assert_eq!((traffic.missing().events, state(&traffic, "r1")), (3, Some(RunState::WaitingApproval)));
}

#[test]
fn the_events_of_another_run_are_not_held() {
    let mut frames = stream("0", 4);
    frames.truncate(2);
    let other = r#"{"runId":"r2","nodeId":"a","iteration":0}"#;
    frames.push(event(110.0, 3, "node.started", other));
    let mut traffic = listed();
    let seen = states(&mut traffic, frames);
    assert_eq!((seen[2], state(&traffic, "r2")), (RunState::WaitingApproval, Some(RunState::Running)));
}

#[test]
fn stored_events_keep_their_place_although_the_servers_clock_is_set_while_they_are_held() {
    for ahead in [-600_000.0, 0.0, 600_000.0] {
        let mut traffic = listed();
        let mut frames = stream("0", 3);
        frames.truncate(5);
        let response = frames.remove(3);
        let get_run = |ms: f64, run_id: &str, ahead: f64| {
            let computed_at = at(ms + ahead).to_iso().unwrap();
            let view =
                format!(r#"{{"runId":"{run_id}","computedAt":"{computed_at}","state":"waiting-approval"}}"#);
            let row = format!(r#"{{"runId":"{run_id}","status":"waiting-approval","runState":{view}}}"#);
            answer_at(ms, ms, "getRun", &row)
        };
        states(&mut traffic, vec![get_run(60.0, "r1", 0.0)]);
        states(&mut traffic, frames);
        states(&mut traffic, vec![get_run(105.0, "r2", ahead), response]);
        assert_eq!(state(&traffic, "r1"), Some(RunState::Running), "newer than the answer before, {ahead}");
        states(&mut traffic, vec![get_run(200.0, "r1", ahead)]);
        assert_eq!(state(&traffic, "r1"), Some(RunState::WaitingApproval), "older than this answer, {ahead}");
    }
}
