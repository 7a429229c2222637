//! Pushed events are a witness of the run's state: it is shown only if it contradicts the server's answers.

use super::test_gateway;

use runstate::freshness::Freshness;
use runstate::header::smithers_header;
use runstate::run::{WitnessSource, compare_witnesses};
use runstate::summary::text;
use runstate::time::Millis;
use serde_json::{Value, json};
use test_gateway::{Answers, Gateway, Reply, rpc};

/// The server's clock at the feed's 0.
const EPOCH: f64 = 1e12;

/// Pushed events with their times.
type Events = Vec<(f64, Value)>;
/// The answers of `getRun`, each from a time on.
type Steps = Vec<(f64, &'static str)>;

/// The answers of `getRun`, each from a time on; an empty word is no answer.
fn says(steps: Vec<(f64, &'static str)>) -> Answers {
    Box::new(move |method, _, now| {
        let state = steps.iter().rev().find(|(from, _)| *from <= now).map_or("", |(_, state)| *state);
        match method {
            "getRun" if state.is_empty() => Reply::Silence,
            "getRun" => {
                let mut run = rpc("cancel-a.runs.get-running");
                let status = if state == "succeeded" { "finished" } else { state };
                let at = Millis(EPOCH + now).to_iso().unwrap();
                run["status"] = json!(status);
                run["heartbeatAtMs"] = json!(EPOCH + now);
                run["runState"] = json!({"runId": "cancel-a", "computedAt": at, "state": state});
                Reply::Ok(run)
            }
            "listNodeStates" | "listRuns" | "attempts.list" => Reply::Ok(json!([])),
            "getDevToolsSnapshot" => Reply::Ok(rpc("getDevToolsSnapshot-rewind-a")),
            _ => Reply::Ok(json!({})),
        }
    })
}

fn broadcast(event: &str, more: &Value) -> Value {
    let mut payload = json!({"runId": "cancel-a"});
    payload.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    json!({"type": "event", "event": event, "payload": payload})
}

fn node(event: &str) -> Value {
    broadcast(event, &json!({"nodeId": "grind"}))
}

fn completed(status: &str) -> Value {
    broadcast("run.completed", &json!({"status": status}))
}

fn enveloped(event: &str, payload: &Value) -> Value {
    let payload = json!({"runId": "cancel-a", "streamId": "s", "seq": 1, "event": event, "payload": payload});
    json!({"type": "event", "event": "run.event", "payload": payload})
}

/// A life of 20 s with these events in it.
fn life(events: &[(f64, Value)], steps: Vec<(f64, &'static str)>) -> Gateway {
    let mut script = Gateway::ticks(20_000.0);
    script.extend(events.iter().cloned());
    script.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut gateway = Gateway::new(Some("cancel-a"), script, says(steps));
    gateway.run(20_000.0);
    gateway
}

#[test]
fn events_that_go_with_the_answers_are_no_news() {
    let work = (1000.0, node("node.started"));
    let cases: [(&str, Events, Steps); 16] = [
        ("work", vec![work.clone()], vec![(0.0, "running")]),
        (
            "an end",
            vec![work.clone(), (5000.0, completed("finished"))],
            vec![(0.0, "running"), (5000.0, "succeeded")],
        ),
        (
            "an end in an envelope",
            vec![(5000.0, enveloped("run.completed", &json!({"runId": "cancel-a", "status": "failed"})))],
            vec![(0.0, "running"), (5000.0, "failed")],
        ),
        (
            "an end that the row shows late",
            vec![(5000.0, completed("finished"))],
            vec![(0.0, "running"), (6300.0, "succeeded")],
        ),
        (
            "an end that is reported late",
            vec![work.clone(), (9000.0, completed("cancelled"))],
            vec![(0.0, "running"), (5000.0, "cancelled")],
        ),
        ("an end that is never reported", vec![work.clone()], vec![(0.0, "running"), (5000.0, "succeeded")]),
        (
            "the whole run again",
            vec![
                work.clone(),
                (5000.0, completed("finished")),
                (6000.0, node("node.pending")),
                (6001.0, node("node.started")),
                (6002.0, completed("finished")),
            ],
            vec![(0.0, "running"), (5000.0, "succeeded")],
        ),
        (
            "a rewind",
            vec![
                (2000.0, completed("finished")),
                (8000.0, broadcast("run.time_travel_jumped", &json!({}))),
                (8020.0, node("node.started")),
            ],
            vec![(0.0, "running"), (2000.0, "succeeded"), (8000.0, "running")],
        ),
        (
            "a task that is tried again",
            vec![
                (2000.0, completed("failed")),
                (8060.0, node("node.started")),
                (9000.0, completed("failed")),
            ],
            vec![(0.0, "running"), (2000.0, "failed"), (8000.0, "running"), (9000.0, "failed")],
        ),
        ("waiting beside no event", vec![work.clone()], vec![(0.0, "running"), (3000.0, "waiting-event")]),
        (
            "work before the last answer",
            vec![work.clone()],
            vec![(0.0, "running"), (3000.0, "waiting-approval"), (4900.0, "")],
        ),
        (
            "work after an end that nobody asks about any more",
            vec![(6000.0, node("node.started"))],
            vec![(0.0, "succeeded")],
        ),
        (
            "work before the server knows",
            vec![(9000.0, node("node.started"))],
            vec![(0.0, "waiting-approval"), (9200.0, "running")],
        ),
        ("an engine that is silent", vec![work.clone()], vec![(0.0, "running"), (4000.0, "stale")]),
        (
            "an end after a gap",
            vec![
                (
                    2000.0,
                    json!({"type": "event", "seq": 5, "event": "run.completed",
            "payload": {"runId": "cancel-a", "status": "finished"}}),
                ),
                (
                    3000.0,
                    json!({"type": "event", "seq": 9, "event": "tick", "payload": {"ts": EPOCH + 3000.0}}),
                ),
            ],
            vec![(0.0, "running")],
        ),
        (
            "the end of another run",
            vec![(
                2000.0,
                json!({"type": "event", "event": "run.completed",
            "payload": {"runId": "other", "status": "finished"}}),
            )],
            vec![(0.0, "running")],
        ),
    ];
    for (name, events, steps) in cases {
        let gateway = life(&events, steps);
        assert!(gateway.disagreements.is_empty(), "{name}: {:?}", gateway.disagreements);
    }
}

#[test]
#[allow(clippy::too_many_lines)] // One case a line.
fn events_that_cannot_be_true_beside_the_answers_are_told() {
    let work = (1000.0, node("node.started"));
    let status =
        |status: &str| enveloped("RunStatusChanged", &json!({"runId": "cancel-a", "status": status}));
    let cases: [(&str, Events, Steps, &str, &str); 14] = [
        (
            "an end that no row shows",
            vec![(5000.0, completed("finished"))],
            vec![(0.0, "running")],
            "running",
            "succeeded",
        ),
        (
            "in an envelope",
            vec![(5000.0, enveloped("run.completed", &json!({"status": "cancelled"})))],
            vec![(0.0, "running")],
            "running",
            "cancelled",
        ),
        (
            "another end",
            vec![(5000.0, completed("failed"))],
            vec![(0.0, "running"), (5000.0, "succeeded")],
            "succeeded",
            "failed",
        ),
        (
            "an end beside a wait",
            vec![(5000.0, completed("failed"))],
            vec![(0.0, "waiting-approval")],
            "waiting-approval",
            "failed",
        ),
        (
            "an end while nobody answers",
            vec![(5000.0, completed("finished"))],
            vec![(0.0, "running"), (4900.0, "")],
            "running",
            "succeeded",
        ),
        (
            "work while nobody answers",
            vec![(6000.0, node("node.started"))],
            vec![(0.0, "waiting-approval"), (4900.0, "")],
            "waiting-approval",
            "running",
        ),
        (
            "an end, then another one",
            vec![(3000.0, completed("finished")), (5000.0, completed("failed"))],
            vec![(0.0, "running"), (3000.0, "succeeded")],
            "succeeded",
            "failed",
        ),
        (
            "a word that nobody knows",
            vec![(5000.0, completed("melted"))],
            vec![(0.0, "running"), (4900.0, "")],
            "running",
            "melted",
        ),
        (
            "a status of the log",
            vec![(5000.0, status("cancelled"))],
            vec![(0.0, "running")],
            "running",
            "cancelled",
        ),
        (
            "a status while nobody answers",
            vec![(5000.0, status("waiting-event"))],
            vec![(0.0, "running"), (4900.0, "")],
            "running",
            "waiting-event",
        ),
        (
            "the end by its own name",
            vec![(5000.0, enveloped("RunFailed", &json!({"error": "x"})))],
            vec![(0.0, "running")],
            "running",
            "failed",
        ),
        (
            "a row that goes back",
            vec![(2000.0, completed("finished"))],
            vec![(0.0, "running"), (2000.0, "succeeded"), (9000.0, "running")],
            "running",
            "succeeded",
        ),
        (
            "an end over an engine that is silent",
            vec![work.clone(), (2000.0, completed("finished"))],
            vec![(0.0, "stale")],
            "stale",
            "succeeded",
        ),
        (
            "a state of the log",
            vec![(5000.0, enveloped("RunStateChanged", &json!({"after": "failed"})))],
            vec![(0.0, "paused")],
            "paused",
            "failed",
        ),
    ];
    for (name, events, steps, server, said) in cases {
        let gateway = life(&events, steps);
        let (at, note) = gateway.disagreements.first().cloned().unwrap_or_default();
        assert!(note.contains(&format!("server says {server}")), "{name}: {note:?}");
        assert!(note.contains(&format!("events say {said}")), "{name}: {note:?}");
        let last = events.last().unwrap().0;
        assert!(at >= last + 1500.0, "{name}: noted at {at}, before the server had the time to see it");
    }
}

#[test]
fn a_disagreement_ends_when_the_server_follows() {
    let gateway = life(&[(5000.0, completed("finished"))], vec![(0.0, "running"), (9000.0, "succeeded")]);
    let over = gateway.disagreements.iter().position(|(_, note)| note.is_empty()).unwrap();
    assert!(over > 0 && over == gateway.disagreements.len() - 1, "{:?}", gateway.disagreements);
    assert!(gateway.disagreements[over].0 < 9250.0, "{:?}", gateway.disagreements);
}

#[test]
fn each_side_s_evidence_is_in_the_header() {
    let gateway = life(&[(5000.0, completed("finished"))], vec![(0.0, "running")]);
    let run = gateway.feed.inspection().run.as_ref().unwrap();
    let comparison = compare_witnesses(run.all_witnesses());
    let contradicting = comparison.contradicting();
    assert_eq!((contradicting.len(), contradicting[0].source), (1, WitnessSource::Events));
    let heard_at = contradicting[0].at.unwrap().0 - EPOCH;
    assert!((heard_at - 5000.0).abs() < 5.0, "{heard_at}");
    let now = Millis(EPOCH + gateway.now);
    let header = smithers_header(run, &Freshness::Live { read_at: now }, now);
    let lines: Vec<(&str, &str)> =
        header.evidence.iter().map(|line| (line.read_from.as_str(), line.value.as_str())).collect();
    assert!(lines.contains(&("getRun", "running")), "{lines:?}");
    assert!(lines.contains(&("pushed events", "run.completed")), "{lines:?}");
    assert!(header.answer.notes.iter().any(|note| text(note).starts_with("Sources disagree.")));

    let gateway = life(&[(5000.0, completed("finished"))], vec![(0.0, "running"), (5000.0, "succeeded")]);
    let run = gateway.feed.inspection().run.as_ref().unwrap();
    let header = smithers_header(run, &Freshness::Live { read_at: now }, now);
    assert!(header.evidence.iter().all(|line| line.read_from == "getRun"), "{:?}", header.evidence);
}

#[test]
fn effects_outside_the_run_are_told_from_then_on() {
    let crossed = |more: &Value| broadcast("run.side_effect_boundary_crossed", more);
    let forced = json!({"operation": "rewind", "report": {"blocking": [1]}, "timestampMs": EPOCH});
    let gateway = life(&[(5000.0, crossed(&forced))], vec![(0.0, "running")]);
    let run = gateway.feed.inspection().run.as_ref().unwrap();
    assert_eq!(run.boundary.as_ref().map(|boundary| boundary.effects), Some(1));
    let gateway = life(&[(5000.0, crossed(&json!({"warningOnly": true})))], vec![(0.0, "running")]);
    assert_eq!(gateway.feed.inspection().run.as_ref().unwrap().boundary, None);
}
