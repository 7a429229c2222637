//! Recordings that end within the stored events of a stream: a part of them is no state of the run.

use super::recordings::{opened, state};

/// A recorded socket: the answer about a run that waits, the stream's request, its first `stored` of four stored events, and
/// its response.
fn recording(stored: usize) -> String {
    let event = |seq: usize, name: &str, node: &str| {
        let inner = format!(r#"{{"runId":"r1","nodeId":"{node}","iteration":0}}"#);
        let payload =
            format!(r#"{{"streamId":"s","runId":"r1","event":"{name}","payload":{inner},"seq":{seq}}}"#);
        let head = format!(r#"{{"type":"event","event":"run.event","seq":{seq},"apiVersion":"v1","#);
        format!(r#"{{"t":{},"dir":"in","data":{head}"payload":{payload}}}}}"#, 1_700_000_000_200 + seq)
    };
    let view = r#"{"runId":"r1","state":"waiting-approval","computedAt":"2023-11-14T22:13:20.100Z"}"#;
    let run = format!(r#"{{"runId":"r1","status":"waiting-approval","runState":{view}}}"#);
    let lines = [
        r#"{"t":1700000000050,"dir":"out","data":{"type":"req","id":"1","method":"getRun","params":{"runId":"r1"}}}"#.to_owned(),
        format!(
            r#"{{"t":1700000000100,"dir":"in","data":{{"type":"res","id":"1","ok":true,"apiVersion":"v1","payload":{run}}}}}"#
        ),
        r#"{"t":1700000000110,"dir":"out","data":{"type":"req","id":"2","method":"streamRunEvents","params":{"runId":"r1","afterSeq":0}}}"#.to_owned(),
        r#"{"t":1700000000200,"dir":"in","data":{"type":"res","id":"2","ok":true,"apiVersion":"v1","payload":{"streamId":"s","runId":"r1","afterSeq":0,"currentSeq":4}}}"#.to_owned(),
    ];
    let names = ["node.started", "node.finished", "node.started", "node.waiting_approval"];
    let events = names.iter().zip(["a", "a", "b", "b"]).zip(1..).take(stored);
    let events = events.map(|((name, node), seq)| event(seq, name, node));
    lines.into_iter().chain(events).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_recording_that_ends_within_the_stored_events_has_the_state_before_them() {
    for stored in 0..=4 {
        let document = opened(&[("life.ndjson", recording(stored))]);
        assert_eq!(state(&document).as_deref(), Some("waiting-approval"), "{stored} of 4");
        let problems = document.problems().texts();
        let is_named = problems.iter().any(|problem| {
            problem.contains("The recording ends before a stream has sent all of its stored events")
                && problem.contains(&stored.to_string())
        });
        assert_eq!(is_named, (1..4).contains(&stored), "{problems:?}");
    }
}

#[test]
fn the_events_after_the_stored_ones_count() {
    let later = r#"{"t":1700000000900,"dir":"in","data":{"type":"event","event":"run.event","seq":5,"apiVersion":"v1","payload":{"streamId":"s","runId":"r1","event":"node.started","payload":{"runId":"r1","nodeId":"c","iteration":0},"seq":5}}}"#;
    let document = opened(&[("life.ndjson", format!("{}\n{later}", recording(4)))]);
    assert_eq!(state(&document).as_deref(), Some("running"));
}
