//! The announcements of a run's busy minute: few sentences, and never a changing number.

use super::test_gateway;

use crate::viewer::announcement::{Announcement, Announcer};
use runstate::gateway::ClientInput;
use runstate::time::Millis;
use serde_json::{Value, json};
use test_gateway::{Answers, Gateway, Reply, rpc};

/// The server's state at a time: `cancel-a` while running, with steps that take a tenth of a second.
fn state_at(now: f64) -> &'static str {
    match now % 60_000.0 {
        at if (20_000.0..26_000.0).contains(&at) => "waiting-approval",
        at if at >= 55_000.0 => "succeeded",
        // Between two steps the server reports this for up to 200 ms.
        at if at % 900.0 >= 720.0 => "waiting-timer",
        _ => "running",
    }
}

fn run_at(now: f64) -> Value {
    let mut run = rpc("cancel-a.runs.get-running");
    let state = state_at(now);
    run["heartbeatAtMs"] = json!(1e12 + now);
    run["runState"] = json!({"runId": "cancel-a", "state": state,
        "computedAt": Millis(1e12 + now).to_iso().unwrap()});
    let blocked = match state {
        "waiting-approval" => {
            json!({"kind": "approval", "nodeId": "gate", "requestedAt": "2001-09-09T01:47:00.000Z"})
        }
        "waiting-timer" => json!({"kind": "timer", "nodeId": "pause", "wakeAt": "2001-09-09T01:59:59.000Z"}),
        _ => return run,
    };
    run["runState"]["blocked"] = blocked;
    run
}

/// A Gateway that answers for the time of the request, and reports a node twenty times a second.
fn busy() -> Gateway {
    let answers: Answers = Box::new(|method, _, now| {
        match method {
        "getRun" => Reply::Ok(run_at(now)),
        "listNodeStates" => Reply::Ok(json!((0..20)
            .map(|node| json!({"nodeId": format!("n{node}"), "iteration": (now / 100.0) as u64, "state": "in-progress",
                "lastAttempt": 1, "updatedAtMs": 1e12 + now, "startedAtMs": 1e12 + now}))
            .collect::<Vec<_>>())),
        "getDevToolsSnapshot" => Reply::Ok(rpc("getDevToolsSnapshot-rewind-a")),
        "attempts.list" => Reply::Ok(json!([])),
        _ => Reply::Ok(json!({})),
    }
    });
    let mut script = Gateway::ticks(60_000.0);
    for step in 1..1200_u32 {
        let event = ["node.started", "node.finished"][step as usize % 2];
        let payload = json!({"runId": "cancel-a", "nodeId": format!("n{}", step % 20), "iteration": step});
        script.push((
            f64::from(step) * 50.0 + 7.0,
            json!({"type": "event", "event": event, "payload": payload}),
        ));
    }
    script.sort_by(|a, b| a.0.total_cmp(&b.0));
    Gateway::new(Some("cancel-a"), script, answers)
}

/// The announcements within a minute, each with its time; `each` may interfere at every step of 50 ms.
fn said(gateway: &mut Gateway, mut each: impl FnMut(&mut Gateway, f64)) -> Vec<(f64, String)> {
    let (mut announcer, mut spoken) = (Announcer::default(), Vec::new());
    for step in 1..=1200_u32 {
        let now = f64::from(step) * 50.0;
        each(gateway, now);
        gateway.run(now);
        let now = Millis(now);
        if let Some(run) = &gateway.feed.inspection().run {
            announcer.observe("slow", &Announcement::from_run(run, &gateway.feed.freshness(now)), now);
        }
        spoken.extend(announcer.due(now).map(|words| (now.0, words)));
    }
    spoken
}

#[test]
fn a_busy_minute_is_told_in_two_sentences() {
    let mut gateway = busy();
    let spoken = said(&mut gateway, |_, _| {});
    assert!(gateway.states.len() > 60, "the state flickers on screen: {}", gateway.states.len());
    let words: Vec<&str> = spoken.iter().map(|(_, words)| words.as_str()).collect();
    assert_eq!(words, ["Run slow: waiting for approval at gate", "Run slow: succeeded"]);
    assert!((20_500.0..=21_500.0).contains(&spoken[0].0), "{spoken:?}");
    assert!(words.iter().all(|words| !words.contains(|letter: char| letter.is_ascii_digit())), "{words:?}");
}

#[test]
fn a_connection_that_comes_and_goes_is_announced_at_most_every_five_seconds() {
    let mut gateway = busy();
    let spoken = said(&mut gateway, |gateway, now| {
        // Three seconds without a Gateway in each eight.
        gateway.reachable = now % 8_000.0 < 5_000.0;
        if now % 8_000.0 == 5_000.0 {
            gateway.input(ClientInput::Closed { code: 1006, reason: "" });
        }
    });
    assert!(spoken.iter().any(|(_, words)| words.contains("feed lost")), "{spoken:?}");
    assert!(spoken.len() <= 12, "{spoken:?}");
    assert!(spoken.windows(2).all(|pair| pair[1].0 - pair[0].0 >= 5_000.0), "{spoken:?}");
    for (_, words) in &spoken {
        assert!(!words.contains(|letter: char| letter.is_ascii_digit()), "{words}");
    }
}
