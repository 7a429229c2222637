//! Every captured life, replayed frame by frame: each step shows the answer of `runs.get` at that time.
//!
//! The expected states are the answers of `runs.get` that were captured during the life, each from the time of its own
//! rows (`updatedAtMs` of the waiting node, `finishedAtMs` of the run); before, between and after them the run is running
//! from its `createdAtMs` on, as no capture contradicts. Times of the server become times of the life by the timestamp of
//! `connect.challenge`.

use super::captured;
use super::test_gateway;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use captured::{CapturedAnswer, LAUNCHED, frames, offset, said};
use runstate::smithers::derive::{DeriveRunStateInput, derive_run_state};
use runstate::smithers::wire::{RunState, read_run};
use runstate::tree::Snapshot;
use runstate::tree::{Node, Tree};
use serde_json::{Value, json};
use test_gateway::vectors::{self, payload};
use test_gateway::{Answers, Gateway, Reply, at_work};

/// The maximum delay of the header after the expected state: the interval of requests and the time of two answers.
const LATE_MS: f64 = 250.0;

/// A line of a captured life: time, direction, content.
type Line = (f64, String, Value);

fn life(name: &str) -> Vec<Line> {
    let lines = frames(name).into_iter();
    lines
        .map(|line| {
            (line["t"].as_f64().unwrap(), line["dir"].as_str().unwrap().to_owned(), line["data"].clone())
        })
        .collect()
}

/// When the nodes that wait began to, by the life's clock.
fn waiting_since(said: &CapturedAnswer, offset: f64) -> Option<f64> {
    let waiting = |node: &&Value| node["state"] == said.run["runState"]["state"];
    let nodes = said.nodes.as_array().unwrap().iter().filter(waiting);
    nodes.filter_map(|node| node["updatedAtMs"].as_f64()).reduce(f64::max).map(|at| at - offset)
}

/// The answers of `getRun` and `listNodeStates` from each time on.
fn truth(said: &[CapturedAnswer], offset: f64) -> Vec<(f64, Value, Value)> {
    let last = said.last().unwrap();
    let time = |run: &Value, name: &str| run[name].as_f64().map(|at| at - offset);
    let mut steps =
        vec![(time(&last.run, "createdAtMs").unwrap(), at_work(&last.run), said[0].nodes.clone())];
    for (place, answer) in said.iter().enumerate() {
        let since = if answer.ended() {
            time(&answer.run, "finishedAtMs")
        } else if answer.state().starts_with("waiting-") {
            waiting_since(answer, offset)
        } else {
            Some(answer.at)
        };
        steps.push((since.unwrap(), answer.run.clone(), answer.nodes.clone()));
        let Some(next) = said.get(place + 1) else { continue };
        if answer.state().starts_with("waiting-") && next.state() != answer.state() {
            // The first thing that any node did after the answer: the run is at work again.
            let nodes = next.nodes.as_array().unwrap().iter();
            let times = nodes.flat_map(|node| ["startedAtMs", "updatedAtMs"].map(|name| time(node, name)));
            let resumed = times.flatten().filter(|at| *at > answer.at).reduce(f64::min).unwrap();
            steps.push((resumed, at_work(&next.run), answer.nodes.clone()));
        }
    }
    steps.sort_by(|a, b| a.0.total_cmp(&b.0));
    steps
}

fn answers(steps: Vec<(f64, Value, Value)>) -> Answers {
    let newest = steps.last().unwrap().1["runId"].as_str().unwrap().to_owned();
    Box::new(move |method, _, now| {
        let step = steps.iter().rev().find(|(from, _, _)| *from <= now);
        match (method, step) {
            ("getRun", Some((_, run, _))) => Reply::Ok(run.clone()),
            ("listNodeStates", Some((_, _, nodes))) => Reply::Ok(nodes.clone()),
            ("streamDevTools", Some(_)) => Reply::Ok(json!({"streamId": "s", "runId": newest})),
            ("streamDevTools", None) => Reply::No("RunNotFound", "Run not found"),
            ("listRuns", _) => Reply::Ok(json!([])),
            _ => Reply::No("NOT_FOUND", "Run not found"),
        }
    })
}

/// The state at a time in a list of changes.
fn at(changes: &[(f64, String)], time: f64) -> Option<&str> {
    changes.iter().rev().find(|(from, _)| *from <= time).map(|(_, state)| state.as_str())
}

/// The states that were true at some time of the last quarter of a second.
fn lately(changes: &[(f64, String)], time: f64) -> BTreeSet<Option<&str>> {
    let within = changes.iter().filter(|(from, _)| (time - LATE_MS..=time).contains(from));
    within.map(|(_, state)| Some(state.as_str())).chain([at(changes, time - LATE_MS)]).collect()
}

/// Replays a life and checks at each of its frames that the expected state is shown.
fn replay(name: &str, run_id: &str, steps: Vec<(f64, Value, Value)>) -> Gateway {
    let lines = life(name);
    let end = lines.last().unwrap().0;
    let pushed = lines.iter().filter(|(_, dir, data)| dir == "in" && data["type"] == "event");
    let script = pushed.map(|(t, _, data)| (*t, data.clone())).collect();
    let state = |run: &Value| run["runState"]["state"].as_str().unwrap().to_owned();
    let expected: Vec<(f64, String)> = steps.iter().map(|(from, run, _)| (*from, state(run))).collect();
    let mut gateway = Gateway::new(Some(run_id), script, answers(steps));
    gateway.run(end.max(expected.last().unwrap().0 + LATE_MS) + 1.0);
    let mut checked = 0;
    for (t, _, _) in &lines {
        let shown = at(&gateway.states, *t);
        let lately = lately(&expected, *t);
        assert!(lately.contains(&shown), "{name} at {t}: {shown:?} is shown, {lately:?} is true");
        checked += 1;
    }
    let last = gateway.states.last().map(|(_, state)| state.as_str());
    assert_eq!(last, expected.last().map(|(_, state)| state.as_str()), "{name}");
    assert!(checked >= 10, "{name}: {checked}");
    assert!(gateway.disagreements.is_empty(), "{name}: {:?}", gateway.disagreements);
    gateway
}

#[test]
fn every_life_shows_at_each_frame_what_was_true() {
    let mut states = BTreeSet::new();
    let mut busy = 0;
    for name in LAUNCHED {
        let offset = offset(&frames(name));
        let said = said(&format!("runs/{name}"), name, offset);
        let gateway = replay(name, name, truth(&said, offset));
        for answer in &said {
            let shown = at(&gateway.states, answer.at).unwrap_or("nothing");
            let ended = gateway.states.last().unwrap();
            let shown = if answer.at > gateway.now { &ended.1 } else { shown };
            assert_eq!(shown, answer.state(), "{name} at {}: what runs.get said at that moment", answer.at);
        }
        states.extend(gateway.states.iter().map(|(_, state)| state.clone()));
        let ended = said.last().filter(|last| last.ended()).map(CapturedAnswer::state);
        busy += usize::from(gateway.witnessed.first().is_some_and(|said| said == "running"));
        assert_eq!(
            ended.and(gateway.witnessed.last().map(String::as_str)),
            ended,
            "{name}: the events' word"
        );
        let problems = gateway.feed.inspection().problems.texts();
        assert!(problems.is_empty(), "{name}: {problems:?}");
    }
    assert!(busy >= 14, "pushed events show work in {busy} runs");
    let seen: Vec<&str> = states.iter().map(String::as_str).collect();
    assert_eq!(
        seen,
        ["cancelled", "failed", "running", "succeeded", "waiting-approval", "waiting-event", "waiting-timer"]
    );
}

#[test]
fn an_end_sticks_although_the_whole_run_is_updates_after_end() {
    let mut updates_after_end = 0;
    for name in LAUNCHED {
        let lines = life(name);
        let offset = offset(&frames(name));
        let said = said(&format!("runs/{name}"), name, offset);
        if !said.last().unwrap().ended() {
            continue;
        }
        let gateway = replay(name, name, truth(&said, offset));
        let ended = |state: &str| matches!(state, "succeeded" | "failed" | "cancelled");
        let first = gateway.states.iter().position(|(_, state)| ended(state)).unwrap();
        assert_eq!(first, gateway.states.len() - 1, "{name}: {:?}", gateway.states);
        let since = gateway.states[first].0;
        updates_after_end += lines
            .iter()
            .filter(|(t, dir, data)| {
                let event = data["payload"]["event"].as_str().or(data["event"].as_str()).unwrap_or_default();
                *t > since && dir == "in" && (event.starts_with("node.") || event == "run.completed")
            })
            .count();
    }
    assert!(updates_after_end > 50, "the runs must report nodes after the end: {updates_after_end}");
}

/// When a line asks for something, and the answer is yes.
fn granted(lines: &[Line], method: &str) -> f64 {
    let asked = lines.iter().filter(|(_, dir, data)| dir == "out" && data["method"] == method);
    let ids: Vec<&Value> = asked.map(|(_, _, data)| &data["id"]).collect();
    let yes = |(_, dir, data): &&Line| dir == "in" && data["ok"] == true && ids.contains(&&data["id"]);
    lines.iter().find(yes).unwrap().0
}

#[test]
fn a_rewind_reopens_a_run_that_had_ended() {
    let lines = life("rewind-a");
    let offset = offset(&frames("rewind-a"));
    let said = said("rewind", "rewind-a", offset);
    let last = said.last().unwrap();
    assert!(last.ended() && said.len() == 1);
    let ended = |from| (from, last.run.clone(), last.nodes.clone());
    let finished = last.run["finishedAtMs"].as_f64().unwrap() - offset;
    let steps = vec![
        ended(0.0),
        (granted(&lines, "rewindRun"), at_work(&last.run), last.nodes.clone()),
        ended(finished),
    ];
    let gateway = replay("rewind-a", "rewind-a", steps);
    assert_eq!(gateway.states(), ["succeeded", "running", "succeeded"]);
    assert_eq!(gateway.feed.inspection().run.as_ref().unwrap().seq, Some(15.0));
}

#[test]
fn a_retried_task_reopens_its_run() {
    // No answer of runs.get was captured for this run: its row is that of another one, with the end of its events.
    let lines = life("retrytask-a");
    let model = said("rewind", "rewind-a", 0.0).remove(0);
    let mut run = model.run.clone();
    run["runId"] = json!("retrytask-a");
    run["runState"]["runId"] = json!("retrytask-a");
    run["status"] = json!("failed");
    run["runState"]["state"] = json!("failed");
    let ends = lines.iter().filter(|(_, _, data)| data["event"] == "run.completed").map(|(t, _, _)| *t);
    let (retried, ended) = (granted(&lines, "retryTask"), ends.reduce(f64::min).unwrap());
    assert!(retried < ended);
    let steps =
        vec![(0.0, run.clone(), json!([])), (retried, at_work(&run), json!([])), (ended, run, json!([]))];
    let gateway = replay("retrytask-a", "retrytask-a", steps);
    assert_eq!(gateway.states(), ["failed", "running", "failed"]);
}

#[test]
fn a_killed_run_is_what_the_server_says_until_it_is_resumed() {
    // No frames are pushed after the kill.
    let clock = offset(&frames("killed-a"));
    let before = said("crash", "killed-a", clock).remove(0);
    let created = before.run["createdAtMs"].as_f64().unwrap() - clock;
    let gateway = replay("killed-a", "killed-a", vec![(created, before.run, before.nodes)]);
    assert_eq!(gateway.states(), ["running"]);
    assert_eq!(gateway.feed.inspection().run.as_ref().unwrap().seq, Some(2.0));
    // The restarted server answers running, then orphaned.
    let lines = life("orphaned-stream-then-resume");
    let clock = offset(&frames("orphaned-stream-then-resume"));
    let steps = said("crash", "killed-a", clock).into_iter().map(|answer| {
        let since = match answer.state() {
            "cancelled" => answer.run["finishedAtMs"].as_f64().unwrap() - clock,
            "running" if answer.at > 0.0 => granted(&lines, "resumeRun"),
            _ => answer.at,
        };
        // The observation begins with the socket.
        (since.max(0.0), answer.run, answer.nodes)
    });
    let gateway = replay("orphaned-stream-then-resume", "killed-a", steps.collect());
    assert_eq!(gateway.states(), ["orphaned", "running", "cancelled"]);
}

#[test]
fn an_observer_of_all_runs_is_told_by_broadcasts_alone() {
    let lines = life("observer-after-restart");
    let pushed = lines.iter().filter(|(_, dir, data)| dir == "in" && data["type"] == "event");
    let script = pushed.map(|(t, _, data)| (*t, data.clone())).collect();
    let list = payload("captures/crash/rpc-listRuns-orphaned.json").unwrap();
    let rows = list.clone();
    let count = rows.as_array().unwrap().len();
    let mut gateway = Gateway::new(None, script, Box::new(move |_, _, _| Reply::Ok(list.clone())));
    gateway.run(lines.last().unwrap().0);
    assert_eq!(gateway.feed.inspection().runs.len(), count);
    assert_eq!(gateway.asked("streamDevTools"), 0);
    // A broadcast does not say at which node a run waits, and its time may be old: about these runs the client asks, and about a
    // running one for the time.
    let about = |frame: &str| serde_json::from_str::<Value>(frame).unwrap()["params"]["runId"].clone();
    let asked = gateway.asked.iter().filter(|(_, method, _)| method == "getRun");
    let asked: BTreeSet<String> = asked.map(|(_, _, frame)| about(frame).to_string()).collect();
    let is_asked = |row: &&Value| {
        ["waiting-event", "waiting-timer", "running"].iter().any(|status| row["status"] == *status)
    };
    let rows = rows.as_array().unwrap().iter().filter(is_asked);
    assert_eq!(asked, rows.map(|row| row["runId"].to_string()).collect());
}

/// Every captured answer of `runs.get`, whatever the run.
fn all_said() -> Vec<(String, Value)> {
    let mut found = Vec::new();
    let mut folders = vec![vectors::path("captures")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            if path.is_dir() {
                folders.push(path);
            } else if name.starts_with("rpc-runs.get") {
                found.extend(payload(&path).map(|run| (path.display().to_string(), run)));
            }
        }
    }
    found
}

#[test]
fn we_derive_from_the_row_what_the_server_said_of_it() {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for (path, json) in all_said() {
        let row = read_run(&json.to_string()).unwrap();
        let said = row.run_state.as_ref().unwrap();
        let now = said.computed_time().unwrap();
        // The server could probe the owner; its word on that is taken from its own reason.
        let dead = said.state.known() == Some(RunState::Orphaned);
        let probe = |_: f64| !dead;
        let mut input = DeriveRunStateInput::new(&row, now);
        input.is_owner_pid_alive = Some(&probe);
        let ours = derive_run_state(&input).unwrap();
        assert_eq!(ours.view.state, said.state, "{path}");
        *counts.entry(said.state.to_string()).or_default() += 1;
    }
    assert!(counts.values().sum::<usize>() >= 35, "{counts:?}");
    for state in [
        "succeeded",
        "failed",
        "cancelled",
        "running",
        "orphaned",
        "waiting-approval",
        "waiting-event",
        "waiting-timer",
    ] {
        assert!(counts.contains_key(state), "{state}: {counts:?}");
    }
}

/// A node's structure, without its results.
fn structure(node: &Node) -> Value {
    let mut task: Value =
        node.task.as_ref().map_or(Value::Null, |task| serde_json::from_str(task.json()).unwrap());
    if let Some(task) = task.as_object_mut() {
        task.retain(|field, _| !["state", "attempt", "iteration"].contains(&field.as_str()));
    }
    json!({"id": node.id.0, "type": node.node_type.as_str(), "name": node.name, "task": task,
        "props": serde_json::from_str::<Value>(node.props()).unwrap(), "children": node.children.len()})
}

#[test]
fn the_stream_ends_at_the_tree_that_the_server_shows_afterwards() {
    let nodes = |tree: &Tree| -> Vec<Value> {
        tree.preorder(tree.root()).map(|index| structure(tree.node(index))).collect()
    };
    for name in LAUNCHED {
        let shown = payload(format!("captures/runs/{name}/rpc-getDevToolsSnapshot.json")).unwrap();
        let shown = Snapshot::from_json(&shown.to_string()).unwrap();
        let offset = offset(&frames(name));
        let gateway = replay(name, name, truth(&said(&format!("runs/{name}"), name, offset), offset));
        let run = gateway.feed.inspection().run.as_ref().unwrap();
        if run.frame_no != Some(shown.frame_no) {
            // human-a was parked again after the stream had been closed.
            assert!(run.frame_no < Some(shown.frame_no), "{name}");
            continue;
        }
        assert_eq!(nodes(run.tree.as_ref().unwrap()), nodes(&shown.tree), "{name}");
    }
}
