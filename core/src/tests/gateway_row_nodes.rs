//! The rows of running runs name the nodes in progress, as long as the Gateway's last word about them is that they are.

use super::test_gateway;

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use runstate::gateway::ClientInput;
use runstate::time::Millis;
use serde_json::{Value, json};
use test_gateway::{Gateway, Reply, sentence, working};

/// The server's clock at the client's 0.
const EPOCH: f64 = 1e12;

/// The nodes in progress of each run, from a time on.
type Steps = Vec<(f64, &'static str, Vec<&'static str>)>;

fn row(run_id: &str, status: &str, now: f64) -> Value {
    json!({"runId": run_id, "workflowName": "w", "status": status, "createdAtMs": EPOCH, "startedAtMs": EPOCH,
        "heartbeatAtMs": EPOCH + now, "runtimeOwnerId": "pid:7"})
}

fn event(name: &str, run_id: &str, node: &str) -> Value {
    json!({"type": "event", "event": name, "payload": {"runId": run_id, "nodeId": node}})
}

/// A Gateway with running runs; and the times and runs of the questions about their nodes.
struct Running {
    gateway: Gateway,
    asked: Rc<RefCell<Vec<(f64, String)>>>,
}

/// A Gateway whose runs have these nodes in progress, and which pushes these events.
fn running(watched: Option<&str>, steps: Steps, events: Vec<(f64, Value)>) -> Running {
    let mut script = Gateway::ticks(1e6);
    script.extend(events);
    script.sort_by(|a, b| a.0.total_cmp(&b.0));
    let asked = Rc::new(RefCell::new(Vec::new()));
    let (noted, watched_id) = (asked.clone(), watched.map(str::to_owned));
    let mut others = working();
    let answers: test_gateway::Answers = Box::new(move |method, params, now| {
        let run_id = params["runId"].as_str().unwrap_or_default();
        match method {
            "listRuns" => {
                let mut runs: Vec<&str> = steps.iter().map(|(_, run_id, _)| *run_id).collect();
                runs.sort_unstable();
                runs.dedup();
                Reply::Ok(runs.into_iter().map(|run_id| row(run_id, "running", now)).collect())
            }
            "listNodeStates" if Some(run_id) != watched_id.as_deref() => {
                noted.borrow_mut().push((now, run_id.to_owned()));
                let nodes = steps.iter().rev().find(|(from, run, _)| *from <= now && *run == run_id);
                let mut states: HashMap<&str, &str> = HashMap::from([("done", "finished")]);
                states.extend(nodes.iter().flat_map(|(_, _, ids)| ids).map(|id| (*id, "in-progress")));
                Reply::Ok(states.iter().map(|(id, state)| json!({"nodeId": id, "state": state})).collect())
            }
            "getRun" => {
                let Reply::Ok(mut answer) = others(method, params, now) else { return Reply::Silence };
                answer["runState"]["computedAt"] = json!(Millis(EPOCH + now).to_iso().unwrap());
                Reply::Ok(answer)
            }
            _ => others(method, params, now),
        }
    });
    Running { gateway: Gateway::new(watched, script, answers), asked }
}

#[test]
fn the_rows_that_run_name_their_nodes_one_after_the_other() {
    let steps = vec![(0.0, "a", vec!["grind"]), (0.0, "b", vec![]), (0.0, "c", vec!["bake"])];
    let mut runs = running(None, steps, vec![]);
    runs.gateway.run(3500.0);
    assert_eq!(sentence(&runs.gateway, "a"), "Running grind.");
    assert_eq!(sentence(&runs.gateway, "b"), "Running.", "no node is in progress: that is not said of a row");
    assert_eq!(sentence(&runs.gateway, "c"), "Running bake.");
    runs.gateway.run(60_000.0);
    assert_eq!(sentence(&runs.gateway, "a"), "Running grind.");
    let asked = runs.asked.borrow().len();
    assert!((20..40).contains(&asked), "without events, each is asked about every 5 to 8 s: {asked}");
}

#[test]
fn a_run_of_another_process_names_its_node_for_some_seconds_only() {
    let steps = vec![(0.0, "a", vec!["grind"]), (20_000.0, "a", vec!["bake"])];
    let mut runs = running(None, steps, vec![]);
    runs.gateway.run(19_000.0);
    assert_eq!(sentence(&runs.gateway, "a"), "Running grind.");
    runs.gateway.run(30_000.0);
    assert_eq!(sentence(&runs.gateway, "a"), "Running bake.");

    let mut others = working();
    let answers: test_gateway::Answers = Box::new(move |method, params, now| match method {
        "listRuns" => Reply::Ok(json!([row("a", "running", now)])),
        "listNodeStates" if now > 2500.0 => Reply::Silence,
        "listNodeStates" => Reply::Ok(json!([{"nodeId": "grind", "state": "in-progress"}])),
        _ => others(method, params, now),
    });
    let mut gateway = Gateway::new(None, Gateway::ticks(1e6), answers);
    gateway.run(8000.0);
    assert_eq!(sentence(&gateway, "a"), "Running grind.");
    gateway.run(15_000.0);
    assert_eq!(sentence(&gateway, "a"), "Running.", "nothing has told of it for ten seconds");
}

#[test]
fn while_the_events_of_a_run_arrive_its_nodes_are_known() {
    let beats = (1..60).map(|turn| (1000.0 * f64::from(turn), event("task.heartbeat", "a", "grind")));
    let mut runs = running(None, vec![(0.0, "a", vec!["grind"])], beats.collect());
    runs.gateway.run(60_000.0);
    assert_eq!(sentence(&runs.gateway, "a"), "Running grind.");
    assert_eq!(runs.asked.borrow().len(), 1, "{:?}", runs.asked.borrow());
}

#[test]
fn a_node_that_ends_is_named_no_longer_and_the_next_one_as_soon_as_it_is_known() {
    let steps = vec![(0.0, "a", vec!["grind"]), (20_000.0, "a", vec!["bake"])];
    let events = vec![
        (20_000.0, event("node.finished", "a", "grind")),
        (20_001.0, event("node.started", "a", "bake")),
        (20_500.0, event("task.heartbeat", "a", "bake")),
    ];
    let mut runs = running(None, steps, events);
    runs.gateway.run(19_999.0);
    assert_eq!(sentence(&runs.gateway, "a"), "Running grind.");
    runs.gateway.run(20_000.0);
    assert_eq!(sentence(&runs.gateway, "a"), "Running.");
    runs.gateway.run(21_010.0);
    assert_eq!(sentence(&runs.gateway, "a"), "Running bake.");
    let at_once = runs.asked.borrow().iter().filter(|(at, _)| (19_999.0..21_010.0).contains(at)).count();
    assert_eq!(at_once, 2, "{:?}", runs.asked.borrow());
}

#[test]
fn an_answer_that_is_older_than_the_end_of_its_node_does_not_name_it() {
    // The event arrives before the answer, which was computed before it.
    for ends in ["node.finished", "node.failed", "node.retrying", "node.waiting_approval", "run.completed"] {
        let steps = vec![(0.0, "a", vec!["grind"]), (1e6, "a", vec![])];
        let mut runs = running(None, steps.clone(), vec![]);
        runs.gateway.run(1000.0);
        let asked_at = runs.asked.borrow()[0].0;
        let mut runs = running(None, steps, vec![(asked_at + 1.0, event(ends, "a", "grind"))]);
        runs.gateway.run(asked_at + 10.0);
        assert_eq!(sentence(&runs.gateway, "a"), "Running.", "{ends}");
    }
}

#[test]
fn nothing_is_named_after_lost_events_until_the_nodes_are_read_again() {
    let steps = vec![(0.0, "a", vec!["grind"]), (19_001.0, "a", vec!["bake"])];
    let tick = |at: f64, seq: u64| {
        let mut tick = json!({"type": "event", "event": "tick", "payload": {"ts": EPOCH + at}});
        tick["seq"] = json!(seq);
        (at, tick)
    };
    let mut runs = running(None, steps.clone(), vec![tick(19_000.0, 1), tick(20_100.0, 5)]);
    runs.gateway.run(20_100.0);
    assert_eq!(sentence(&runs.gateway, "a"), "Running.", "frames are missing");
    runs.gateway.run(21_200.0);
    assert_eq!(sentence(&runs.gateway, "a"), "Running bake.");

    let mut runs = running(None, steps, vec![]);
    runs.gateway.run(19_000.0);
    runs.gateway.input(ClientInput::Closed { code: 1006, reason: "" });
    assert_eq!(sentence(&runs.gateway, "a"), "Was running grind. Nothing has arrived for 0 s.");
    runs.gateway.run(26_000.0);
    assert_eq!(sentence(&runs.gateway, "a"), "Running bake.");
    let asked = runs.asked.borrow().iter().filter(|(at, _)| (19_000.0..24_000.0).contains(at)).count();
    assert_eq!(asked, 1, "{:?}", runs.asked.borrow());
}

#[test]
fn a_run_that_no_longer_runs_names_no_node() {
    let mut others = working();
    let answers: test_gateway::Answers = Box::new(move |method, params, now| match method {
        "listRuns" if now < 10_000.0 => Reply::Ok(json!([row("a", "running", now)])),
        "listRuns" => Reply::Ok(json!([row("a", "paused", now)])),
        "listNodeStates" => Reply::Ok(json!([{"nodeId": "grind", "state": "in-progress"}])),
        _ => others(method, params, now),
    });
    let mut gateway = Gateway::new(None, Gateway::ticks(1e6), answers);
    gateway.run(9000.0);
    assert_eq!(sentence(&gateway, "a"), "Running grind.");
    gateway.run(13_000.0);
    assert!(!sentence(&gateway, "a").contains("grind"), "{}", sentence(&gateway, "a"));
}

#[test]
fn a_row_whose_nodes_cannot_be_read_stays_as_it_is() {
    for (reply, questions) in [
        (Reply::No("FORBIDDEN", "Missing required scope"), 1),
        (Reply::No("NOT_FOUND", "Run not found"), 4),
        (Reply::Ok(json!("nonsense")), 4),
        (Reply::Silence, 4),
    ] {
        let mut others = working();
        let answers: test_gateway::Answers = Box::new(move |method, params, now| match method {
            "listRuns" => Reply::Ok(json!([row("a", "running", now)])),
            "listNodeStates" => reply.clone(),
            _ => others(method, params, now),
        });
        let mut gateway = Gateway::new(None, Gateway::ticks(1e6), answers);
        gateway.run(20_000.0);
        assert_eq!(sentence(&gateway, "a"), "Running.");
        assert_eq!(gateway.feed.refusal(), None, "the list is not refused");
        let asked = gateway.asked("listNodeStates");
        assert!(asked <= questions, "{asked} questions");
    }
}

#[test]
fn the_questions_about_busy_rows_stay_within_the_rate_of_a_watched_run() {
    const IDS: [&str; 8] = ["a", "b", "c", "d", "e", "f", "g", "h"];
    let steps = IDS.map(|run_id| (0.0, run_id, vec!["grind"])).to_vec();
    // Each of them starts a node twice a second.
    let events = (1..200)
        .flat_map(|turn| IDS.map(|run_id| (500.0 * f64::from(turn), event("node.started", run_id, "grind"))));
    let mut runs = running(Some("cancel-a"), steps, events.collect());
    runs.gateway.run(10_000.0);
    let before = runs.gateway.asked.len();
    runs.gateway.run(90_000.0);
    let rate = (runs.gateway.asked.len() - before) as f64 / 80.0;
    assert!(rate < 4.0, "{rate} requests a second");
    for run_id in IDS {
        assert_eq!(sentence(&runs.gateway, run_id), "Running grind.", "{run_id}");
    }
    runs.gateway.input(ClientInput::Visible(false));
    runs.gateway.run(92_000.0);
    let hidden = runs.asked.borrow().len();
    runs.gateway.run(99_000.0);
    assert_eq!(runs.asked.borrow().len(), hidden, "a hidden page has no rows on screen");
}
