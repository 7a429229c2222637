//! The actions of a live run: what the run's reason asks is offered only once it can be true.

use super::test_gateway;

use runstate::actions::{ActionKind, actions};
use runstate::summary::{answer, text};
use runstate::time::Millis;
use serde_json::{Value, json};
use test_gateway::{Answers, Gateway, Reply, rpc, watching};

const GATE: &str = "gate";

/// A run that waits at the gate for this reason.
fn waiting(blocked: Value) -> Value {
    let mut run = rpc("cancel-a.runs.get-running");
    run["status"] = json!("waiting-approval");
    run["runState"]["state"] = json!("waiting-approval");
    run["runState"]["blocked"] = blocked;
    run
}

fn asks(requested_at: &str) -> Value {
    waiting(json!({"kind": "approval", "nodeId": GATE, "requestedAt": requested_at}))
}

fn decided() -> Value {
    waiting(json!({"kind": "approval-decided-resume-required", "nodeId": GATE}))
}

/// A Gateway that answers `getRun` by the time.
fn answering(
    mut run: impl FnMut(f64) -> Value + 'static,
    mut nodes: impl FnMut(f64) -> Reply + 'static,
) -> Gateway {
    let answers: Answers = Box::new(move |method, _, now| match method {
        "getRun" => Reply::Ok(run(now)),
        "listNodeStates" => nodes(now),
        "listRuns" | "attempts.list" => Reply::Ok(json!([])),
        _ => Reply::Ok(json!({})),
    });
    watching(answers)
}

fn no_nodes(_: f64) -> Reply {
    Reply::Ok(json!([]))
}

/// The time, the sentence of the header, and its actions with their commands.
type Seen = (f64, String, Vec<(ActionKind, Option<String>)>);

/// What the header says every 10 ms for so many milliseconds.
fn watch_for(gateway: &mut Gateway, duration: f64) -> Vec<Seen> {
    let until = gateway.now + duration;
    watch(gateway, until)
}

/// What the header says every 10 ms until `until`.
fn watch(gateway: &mut Gateway, until: f64) -> Vec<Seen> {
    let mut seen = Vec::new();
    let mut at = gateway.now;
    while at < until {
        at += 10.0;
        gateway.run(at);
        let now = gateway.feed.clock().now(Millis(at));
        let Some(run) = &gateway.feed.inspection().run else { continue };
        let sentence = text(&answer(run, &gateway.feed.freshness(Millis(at)), now).sentence);
        seen.push((at, sentence, actions(run, now).into_iter().map(|a| (a.kind, a.command)).collect()));
    }
    seen
}

#[test]
fn a_run_that_goes_on_after_a_decision_never_asks_to_be_resumed() {
    for gone_on_at in [5_020.0, 5_400.0, 5_900.0] {
        let run = move |now: f64| match now {
            _ if now < 5_000.0 => asks("2026-11-21T14:00:00.000Z"),
            _ if now < gone_on_at => decided(),
            _ => rpc("cancel-a.runs.get-running"),
        };
        let mut gateway = answering(run, no_nodes);
        gateway.run(4_990.0);
        // Events make the client read the run several times while it is decided.
        for _ in 0..5 {
            gateway.push(&json!({"type": "event", "event": "node.started",
                "payload": {"runId": "cancel-a", "nodeId": "n", "state": "in-progress"}}));
            for (at, sentence, actions) in watch_for(&mut gateway, 100.0) {
                assert!(!sentence.contains("must be resumed"), "{at}: {sentence}");
                assert!(actions.iter().all(|(kind, _)| *kind != ActionKind::Resume), "{at}: {actions:?}");
            }
        }
        for (at, sentence, actions) in watch(&mut gateway, 9_000.0) {
            assert!(!sentence.contains("must be resumed"), "{at}: {sentence}");
            assert!(actions.iter().all(|(kind, _)| *kind != ActionKind::Resume), "{at}: {actions:?}");
        }
        assert_eq!(gateway.states().last(), Some(&"running"));
    }
}

#[test]
fn a_run_that_stays_decided_asks_to_be_resumed_with_the_second_answer() {
    let run = |now: f64| if now < 5_000.0 { asks("2026-11-21T14:00:00.000Z") } else { decided() };
    let mut gateway = answering(run, no_nodes);
    let seen = watch(&mut gateway, 9_000.0);
    let asked_at = seen.iter().find(|(_, sentence, _)| sentence.contains("must be resumed")).unwrap().0;
    assert!((5_900.0..=7_100.0).contains(&asked_at), "{asked_at}");
    for (at, sentence, actions) in seen {
        let resumes = actions.iter().any(|(kind, _)| *kind == ActionKind::Resume);
        assert_eq!(
            resumes,
            sentence.contains("must be resumed"),
            "{at}: sentence and actions agree: {sentence}"
        );
    }
}

#[test]
fn no_action_names_the_round_before() {
    let nodes = |iteration: u32| {
        let state = |round| if round == iteration { "waiting-approval" } else { "finished" };
        let node = |round| json!({"nodeId": GATE, "iteration": round, "state": state(round)});
        json!((0..=iteration).map(node).collect::<Vec<_>>())
    };
    let run =
        |now: f64| asks(if now < 5_300.0 { "2026-11-21T14:00:00.000Z" } else { "2026-11-21T14:01:00.000Z" });
    // A list of nodes takes 300 ms, and the next one waits for four times that.
    let list = move |now: f64| Reply::Later(now + 300.0, nodes(u32::from(now >= 5_300.0)));
    let mut gateway = answering(run, list);
    let mut offered = Vec::new();
    for (at, _, actions) in watch(&mut gateway, 9_000.0) {
        let commands = actions.into_iter().filter_map(|(_, command)| command);
        let approve = commands.filter(|command| command.contains("approve")).collect::<Vec<_>>();
        for command in approve {
            let round = if at < 6_000.0 { "--iteration 0" } else { "--iteration 1" };
            // Up to a period and an answer, the question of before is the last one that is known.
            assert!(command.ends_with(round) || (5_300.0..6_000.0).contains(&at), "{at}: {command}");
            offered.push((at, command));
        }
    }
    let changed = offered.iter().find(|(_, command)| command.ends_with("--iteration 1")).unwrap().0;
    let last_before = offered.iter().rfind(|(_, command)| command.ends_with("--iteration 0")).unwrap().0;
    assert!(changed - last_before > 200.0, "none while the nodes are read: {last_before} to {changed}");
    assert!(changed < 7_000.0, "{changed}");
}

#[test]
fn actions_do_not_wait_for_nodes_that_are_not_answered() {
    for reply in [Reply::Silence, Reply::No("FORBIDDEN", "Missing required scope"), Reply::Ok(json!({}))] {
        let nodes = move |_: f64| reply.clone();
        let mut gateway = answering(|_| asks("2026-11-21T14:00:00.000Z"), nodes);
        let seen = watch(&mut gateway, 4_000.0);
        let first = seen.iter().find(|(_, _, actions)| !actions.is_empty()).unwrap().0;
        assert!(first < 1_100.0, "{first}");
    }
}

#[test]
fn the_question_of_an_approval_is_read_once_for_each_reason_and_stays_away_if_it_is_refused() {
    let row = json!([{"runId": "cancel-a", "workflowKey": "w", "nodeId": GATE, "iteration": 0,
        "requestTitle": "Ship release 1.2.3?", "requestSummary": "12 files changed; tests green"}]);
    for (reply, expected) in [
        (Reply::Ok(row), "“Ship release 1.2.3?” 12 files changed; tests green. Asked "),
        (Reply::No("FORBIDDEN", "Missing required scope approval:read"), "Asked "),
        (Reply::No("METHOD_NOT_FOUND", "Unknown method"), "Asked "),
        (Reply::Silence, "Asked "),
    ] {
        let asked = std::rc::Rc::new(std::cell::Cell::new(0));
        let count = asked.clone();
        let mut gateway = watching(Box::new(move |method, _, _| match method {
            "getRun" => Reply::Ok(asks("2026-11-21T14:00:00.000Z")),
            "listApprovals" => {
                count.set(count.get() + 1);
                reply.clone()
            }
            _ => Reply::Ok(json!([])),
        }));
        gateway.run(9_000.0);
        let (at, run) = (Millis(9_000.0), gateway.feed.inspection().run.as_ref().unwrap());
        let shown = answer(run, &gateway.feed.freshness(at), gateway.feed.clock().now(at));
        assert!(text(&shown.meta).starts_with(expected), "{}", text(&shown.meta));
        assert_eq!(asked.get(), 1, "{expected}");
        let problems = gateway.feed.inspection().problems.texts();
        assert!(problems.iter().all(|problem| !problem.contains("listApprovals")), "{problems:?}");
    }
}
