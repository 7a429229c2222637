//! Real captures, replayed to a client: the header follows `getRun` only.

use super::test_gateway;

use serde_json::{Value, json};
use test_gateway::{ANSWER_MS, Answers, Gateway, Reply, at_work, capture, rpc};

/// A run's life as the Gateway reports it: `getRun` and `listNodeStates` from each time on.
fn life(steps: Vec<(f64, Reply, Value)>) -> Answers {
    Box::new(move |method, _, now| {
        let step = steps.iter().rev().find(|(from, _, _)| *from <= now);
        match (method, step) {
            ("getRun", Some((_, run, _))) => run.clone(),
            ("listNodeStates", Some((_, _, nodes))) => Reply::Ok(nodes.clone()),
            ("streamDevTools", _) => Reply::Ok(json!({"streamId": "s"})),
            ("listRuns", _) => Reply::Ok(json!([])),
            ("getDevToolsSnapshot", _) => Reply::Ok(rpc("getDevToolsSnapshot-rewind-a")),
            _ => Reply::No("NOT_FOUND", "no such run"),
        }
    })
}

const NOT_YET: Reply = Reply::No("NOT_FOUND", "Run not found");

fn nodes_in(run: &Value) -> u64 {
    run["summary"].as_object().unwrap().values().map(|count| count.as_u64().unwrap()).sum()
}

#[test]
fn an_approval_is_waited_for_and_given() {
    let (waiting, ended) = (rpc("approval-a.runs.get-waiting"), rpc("approval-a.runs.get"));
    let nodes = rpc("approval-a.listNodeStates-waiting");
    let answers = life(vec![
        (0.0, NOT_YET, json!([])),
        (12.0, Reply::Ok(at_work(&waiting)), nodes.clone()),
        (87.0, Reply::Ok(waiting), nodes.clone()),
        (2692.0, Reply::Ok(at_work(&ended)), nodes),
        (2810.0, Reply::Ok(ended), rpc("approval-a.listNodeStates")),
    ]);
    let mut gateway = Gateway::replay("approval-a", "approval-a", answers);
    gateway.run(4300.0);

    assert_eq!(gateway.states(), ["running", "waiting-approval", "running", "succeeded"]);
    for (at, (seen, state)) in
        [(12.0, 0), (87.0, 1), (2692.0, 2), (2810.0, 3)].map(|(at, i)| (at, &gateway.states[i]))
    {
        assert!(seen - at <= 250.0, "{state} at {at} was seen at {seen}");
    }
    let run = gateway.feed.inspection().run.as_ref().unwrap();
    assert_eq!(run.seq, Some(7.0));
    let tree = run.tree.as_ref().unwrap();
    let gate = tree.node(tree.find_node("ship-gate", None).unwrap());
    assert_eq!(gate.status.as_ref().unwrap().state.as_str(), "finished");
    assert_eq!(gateway.freshness(), ["connecting", "live"]);
    assert_eq!(gateway.feed.inspection().problems.texts(), Vec::<String>::new());
    assert_eq!(gateway.feed.refusal(), None);
}

#[test]
fn the_events_of_a_run_that_come_again_change_nothing() {
    let ended = rpc("fail-a.runs.get");
    let nodes = rpc("fail-a.listNodeStates");
    let answers = life(vec![
        (0.0, NOT_YET, json!([])),
        (18.0, Reply::Ok(at_work(&ended)), nodes.clone()),
        (90.0, Reply::Ok(ended), nodes),
    ]);
    let mut gateway = Gateway::replay("fail-a", "fail-a", answers);
    gateway.run(930.0);
    let before = gateway.feed.revision();
    let asked = gateway.asked("getRun");
    gateway.run(1100.0);
    assert_eq!(gateway.states(), ["running", "failed"], "node.started again must not reopen the run");
    assert!(gateway.asked("getRun") > asked, "but it is looked after");
    assert_eq!(gateway.feed.revision(), before, "and nothing is painted again");
    assert!(
        gateway.feed.inspection().run.as_ref().unwrap().error.as_ref().unwrap().contains("Task failed: boom")
    );
}

#[test]
fn a_timer_fires() {
    let (waiting, ended) = (rpc("timer-a.runs.get-waiting"), rpc("timer-a.runs.get"));
    let answers = life(vec![
        (0.0, NOT_YET, json!([])),
        (18.0, Reply::Ok(waiting), rpc("timer-a.listNodeStates-waiting")),
        (4490.0, Reply::Ok(at_work(&ended)), rpc("timer-a.listNodeStates-waiting")),
        (4564.0, Reply::Ok(ended), rpc("timer-a.listNodeStates")),
    ]);
    let mut gateway = Gateway::replay("timer-a", "timer-a", answers);
    gateway.run(6000.0);
    assert_eq!(gateway.states(), ["waiting-timer", "running", "succeeded"]);
}

#[test]
fn a_cancel_is_seen_although_no_stream_tells() {
    let (working, ended) = (rpc("cancel-a.runs.get-running"), rpc("cancel-a.runs.get"));
    let answers = life(vec![
        (0.0, NOT_YET, json!([])),
        (30.0, Reply::Ok(working), rpc("cancel-a.listNodeStates-running")),
        (1450.0, Reply::Ok(ended), rpc("cancel-a.listNodeStates")),
    ]);
    let mut gateway = Gateway::replay("cancel-a", "cancel-a", answers);
    gateway.run(2500.0);
    // The only event is run.completed at 1786: polling shows it within a second.
    assert_eq!(gateway.states(), ["running", "cancelled"]);
    assert!(gateway.states[1].0 <= 1450.0 + 1000.0);
    gateway.run(3000.0);
    let run = gateway.feed.inspection().run.as_ref().unwrap();
    let tree = run.tree.as_ref().unwrap();
    let grind = tree.node(tree.find_node("grind", None).unwrap());
    assert_eq!(
        grind.status.as_ref().unwrap().state.as_str(),
        "cancelled",
        "the tree alone still says pending"
    );
}

#[test]
fn a_long_run_is_rebased_on_the_way() {
    for (name, ended_at) in [("steps-a", 2763.0), ("wide-a", 6289.0)] {
        let ended = rpc(&format!("{name}.runs.get"));
        let nodes = rpc(&format!("{name}.listNodeStates"));
        let answers = life(vec![
            (0.0, NOT_YET, json!([])),
            (20.0, Reply::Ok(at_work(&ended)), nodes.clone()),
            (ended_at, Reply::Ok(ended.clone()), nodes),
        ]);
        let mut gateway = Gateway::replay(name, name, answers);
        gateway.run(ended_at + 1000.0);
        assert_eq!(gateway.states(), ["running", "succeeded"], "{name}");
        assert_eq!(gateway.feed.inspection().problems.texts(), Vec::<String>::new(), "{name}");
        assert_eq!(gateway.asked("getDevToolsSnapshot"), 0, "{name}: the stream is enough");
        assert_eq!(gateway.asked("streamDevTools"), 1, "{name}");
        let run = gateway.feed.inspection().run.as_ref().unwrap();
        assert_eq!(run.nodes.len() as u64, nodes_in(&ended), "{name}");
        // One request at a time, 60 ms apart: at most 17 a second, regardless of the number of events.
        let seconds = (ended_at + 1000.0) / 1000.0;
        assert!((gateway.asked("getRun") as f64) < 17.0 * seconds, "{name}: {}", gateway.asked("getRun"));
    }
}

#[test]
fn a_rewind_takes_the_tree_back_and_reopens_the_run() {
    let ended = rpc("runs.get-rewind-a");
    let nodes = rpc("listNodeStates-rewind-a");
    // The run had ended before the rewind; the stream is opened once it is seen at work.
    let answers = life(vec![
        (0.0, Reply::Ok(ended.clone()), nodes.clone()),
        (540.0, Reply::Ok(at_work(&ended)), nodes.clone()),
        (1192.0, Reply::Ok(ended), nodes),
    ]);
    let mut gateway = Gateway::replay("rewind-a", "rewind-a", answers);
    gateway.run(500.0);
    assert_eq!(gateway.states(), ["succeeded"]);
    assert_eq!(gateway.asked("streamDevTools"), 0, "a run that has ended needs no stream");
    let last = gateway.feed.inspection().run.as_ref().unwrap().frame_no;
    assert_eq!((gateway.asked("getDevToolsSnapshot"), last), (1, Some(15.0)));
    gateway.run(3700.0);
    assert_eq!(gateway.states(), ["succeeded", "running", "succeeded"]);
    assert_eq!(gateway.asked("streamDevTools"), 1);
    assert_eq!(gateway.feed.inspection().run.as_ref().unwrap().seq, Some(15.0));
    assert_eq!(gateway.feed.inspection().problems.texts(), Vec::<String>::new());
}

#[test]
fn a_stream_asked_for_too_early_is_asked_for_again() {
    let mut asked = 0;
    let (run, nodes) = (rpc("cancel-a.runs.get-running"), rpc("cancel-a.listNodeStates-running"));
    let answers: Answers = Box::new(move |method, _, _| match method {
        "getRun" => Reply::Ok(run.clone()),
        "listNodeStates" => Reply::Ok(nodes.clone()),
        "streamDevTools" => {
            asked += 1;
            if asked < 3 { Reply::No("RunNotFound", "Run not found: cancel-a") } else { Reply::Ok(json!({})) }
        }
        _ => Reply::Ok(json!([])),
    });
    let mut gateway = Gateway::replay("cancel-a", "cancel-a", answers);
    gateway.run(1000.0);
    assert_eq!(gateway.asked("streamDevTools"), 3);
    assert_eq!(gateway.feed.inspection().problems.texts(), Vec::<String>::new(), "that is no problem");
    assert_eq!(gateway.feed.inspection().run.as_ref().unwrap().seq, Some(2.0));

    // The other form of the race (protocol section 5, quirk 7): ok, then an error on the stream.
    let error =
        json!({"runId": "cancel-a", "streamId": "s", "error": {"code": "RunNotFound", "message": "no"}});
    gateway.push(&json!({"type": "event", "event": "devtools.error", "payload": error}));
    gateway.run(1200.0);
    assert_eq!(gateway.asked("streamDevTools"), 4);
    let foreign =
        json!({"runId": "other", "streamId": "t", "error": {"code": "RunNotFound", "message": "no"}});
    gateway.push(&json!({"type": "event", "event": "devtools.error", "payload": foreign}));
    gateway.run(1500.0);
    assert_eq!(gateway.asked("streamDevTools"), 4, "another run's stream is not ours");
}

#[test]
fn the_header_comes_with_the_first_answer() {
    let ended = rpc("approval-a.runs.get");
    let mut gateway = Gateway::new(
        Some("approval-a"),
        Gateway::ticks(100.0),
        life(vec![(0.0, Reply::Ok(ended), rpc("approval-a.listNodeStates"))]),
    );
    gateway.run(2.0 + 2.0 * ANSWER_MS);
    assert_eq!(gateway.states(), ["succeeded"]);
}

#[test]
fn an_orphan_is_said_by_the_server_and_resumed() {
    let nodes = rpc("cancel-a.listNodeStates-running");
    let answers = life(vec![
        (0.0, Reply::Ok(rpc("runs.get-killed-a-3-orphaned")), nodes.clone()),
        (630.0, Reply::Ok(rpc("runs.get-killed-a-4-resumed")), nodes),
    ]);
    let mut gateway = Gateway::replay("killed-a", "orphaned-stream-then-resume", answers);
    gateway.run(4000.0);
    assert_eq!(gateway.states(), ["orphaned", "running"]);
    assert!(gateway.states[1].0 <= 630.0 + 250.0);
    assert_eq!(gateway.feed.inspection().run.as_ref().unwrap().seq, Some(4.0));
    assert_eq!(gateway.feed.inspection().problems.texts(), Vec::<String>::new());
}

#[test]
fn a_launch_race_of_the_real_gateway_heals() {
    let run = at_work(&rpc("fail-a.runs.get"));
    let answers: Answers = Box::new(move |method, _, now| match method {
        "getRun" if now < 30.0 => NOT_YET,
        "getRun" => Reply::Ok(run.clone()),
        "streamDevTools" => Reply::Ok(json!({"streamId": "b44ef685-a1a0-4433-acd1-69ca5198f989"})),
        _ => Reply::Ok(json!([])),
    });
    let mut gateway = Gateway::replay("race-1", "launch-devtools-race", answers);
    gateway.run(60.0);
    assert_eq!(gateway.feed.refusal().map(|refusal| refusal.code.as_str()), Some("NOT_FOUND"));
    gateway.run(1500.0);
    assert_eq!(gateway.states(), ["running"]);
    assert_eq!(gateway.feed.refusal(), None);
    assert!(gateway.asked("streamDevTools") >= 2, "refused once, asked again");
    assert_eq!(gateway.feed.inspection().problems.texts(), Vec::<String>::new());
}

#[test]
fn a_plain_connection_hears_of_every_run() {
    let list = rpc("listRuns-failed");
    let frames = capture("observer-all-runs");
    let hello = frames.iter().find(|(_, dir, frame)| dir == "in" && frame["type"] == "res").unwrap();
    let pushed = frames.iter().filter(|(_, dir, frame)| dir == "in" && frame["type"] == "event");
    let script = pushed.map(|(t, _, frame)| (*t, frame.clone())).collect();
    let answers: Answers = Box::new(move |_, _, _| Reply::Ok(list.clone()));
    let mut gateway = Gateway::new(None, script, answers);
    gateway.hello = hello.2["payload"].clone();
    gateway.run(925.0);
    let asked = gateway.asked("listRuns");
    assert!((2..=3).contains(&asked), "38 broadcasts, 500 ms apart at least: {asked}");
    assert_eq!(gateway.asked("getRun"), 0);
}

#[test]
fn ages_are_counted_on_the_servers_clock() {
    let frames = capture("connect-ok-idle-ticks");
    let pushed = frames.iter().filter(|(_, dir, frame)| dir == "in" && frame["type"] == "event");
    let script: Vec<_> = pushed.map(|(t, _, frame)| (*t, frame.clone())).collect();
    let (last_t, last) = script.last().cloned().unwrap();
    let answers: Answers = Box::new(|_, _, _| Reply::Ok(json!([])));
    let mut gateway = Gateway::new(None, script, answers);
    gateway.run(5000.0);
    let ts = last["payload"]["ts"].as_f64().unwrap();
    let now = gateway.feed.clock().now(runstate::time::Millis(last_t));
    assert!((now.0 - ts).abs() < 30.0, "{} against {ts}", now.0);
}
