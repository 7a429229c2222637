//! The rows of attempts together with other answers about their run: what a run waits for, and until when.

use super::join_answers::{NOW, commands, opened, row, run, shown, texts};

use runstate::actions::actions;
use runstate::time::Millis;
use runstate::word::Vocabulary;
use serde_json::{Value, json};

/// A waiting attempt, with the engine's record of it.
fn waiting(node: &str, state: &str, meta: &Value) -> Value {
    json!({ "runId": "r", "nodeId": node, "iteration": 0, "attempt": 1, "state": state, "startedAtMs": 900,
        "metaJson": meta.to_string() })
}

#[test]
fn the_rows_of_attempts_tell_the_signal_and_the_moment() {
    let signal =
        json!({ "waitForEvent": { "signalName": "deploy.finished", "correlationId": "release-42" } });
    let attempts = json!([waiting("a", "finished", &json!({})), waiting("w", "waiting-event", &signal)]);
    let event = json!({ "runId": "r", "status": "waiting-event" });
    let mut said = row("waiting-event", "1970-01-01T00:00:01.000Z");
    said["runState"]["blocked"] = json!({ "kind": "event", "nodeId": "w", "correlationKey": "release-42" });
    let list = json!([{ "nodeId": "a", "iteration": 0, "state": "finished" },
        { "nodeId": "w", "iteration": 0, "state": "waiting-event" }]);
    let exact = "smithers signal r deploy.finished --data '{}' --correlation release-42";
    for files in
        [vec![event.clone(), attempts.clone()], vec![said, attempts.clone()], vec![event, attempts, list]]
    {
        let found = shown(&texts(&files));
        assert_eq!(commands(&found), [("signal", "w", exact)], "{found:#}");
        assert_eq!(found["sentence"], "Was waiting for event release-42 at w.");
    }

    let timer = |at: i64| json!({ "timer": { "firesAtMs": at } });
    let row = json!({ "runId": "r", "status": "waiting-timer" });
    let naps = json!([
        waiting("late", "waiting-timer", &timer(1_800_000_009_000)),
        waiting("nap", "waiting-timer", &timer(1_800_000_000_000)),
        waiting("bad", "waiting-timer", &json!({}))
    ]);
    let document = opened(&texts(&[row, naps]));
    let first = &actions(run(&document), NOW)[0];
    assert_eq!((first.kind.as_str(), first.until), ("wait", Some(Millis(1_800_000_000_000.0))));
    assert_eq!(first.node.as_ref().unwrap().node_id, "nap");
}

#[test]
fn attempts_make_no_other_state_a_wait_and_no_finished_node_wait() {
    let signal = json!({ "waitForEvent": { "signalName": "s" } });
    let attempts = json!([waiting("w", "waiting-event", &signal)]);
    for status in ["waiting-approval", "waiting-timer", "paused", "finished"] {
        let document = opened(&texts(&[json!({ "runId": "r", "status": status }), attempts.clone()]));
        assert_eq!(run(&document).view().unwrap().blocked, None, "{status}");
    }
    let over = json!([waiting("w", "finished", &signal)]);
    let list = json!([{ "nodeId": "w", "iteration": 0, "state": "finished" }]);
    for rest in [vec![over], vec![attempts, list]] {
        let files: Vec<Value> =
            std::iter::once(json!({ "runId": "r", "status": "waiting-event" })).chain(rest).collect();
        let document = opened(&texts(&files));
        assert_eq!(run(&document).view().unwrap().blocked, None, "{files:?}");
    }
}
