//! The rows of runs that wait name their nodes, as the Gateway answers about each of them, and never against the row.

use super::test_gateway;

use std::cell::RefCell;
use std::rc::Rc;

use runstate::gateway::ClientInput;
use runstate::time::Millis;
use serde_json::{Value, json};
use test_gateway::{Gateway, Reply, sentence, working};

fn row(run_id: &str, status: &str) -> Value {
    json!({"runId": run_id, "workflowName": "w", "status": status, "createdAtMs": 1e12, "startedAtMs": 1e12})
}

/// The answer about a run that waits for an event at a node.
fn waits_at(run_id: &str, node: &str) -> Value {
    let mut answer = row(run_id, "waiting-event");
    answer["runState"] = json!({"runId": run_id, "computedAt": "2026-11-21T14:06:08.000Z", "state": "waiting-event",
        "blocked": {"kind": "event", "nodeId": node, "correlationKey": "order-7"}});
    answer
}

/// The reply, computed at `now` by the clock of [`Gateway::ticks`].
fn computed_at(reply: Reply, now: f64) -> Reply {
    match reply {
        Reply::Ok(mut answer) if answer["runState"].is_object() => {
            answer["runState"]["computedAt"] = json!(Millis(1e12 + now).to_iso().unwrap());
            Reply::Ok(answer)
        }
        other => other,
    }
}

/// A Gateway with a list of runs, which answers about each of them; and the times and ids of the questions about them.
struct Lists {
    gateway: Gateway,
    asked: Rc<RefCell<Vec<(f64, String)>>>,
}

fn lists(
    watched: Option<&str>,
    rows: impl Fn(f64) -> Vec<Value> + 'static,
    run: impl Fn(&str, f64) -> Reply + 'static,
) -> Lists {
    let asked = Rc::new(RefCell::new(Vec::new()));
    let noted = asked.clone();
    let mut others = working();
    let watched_id = watched.map(str::to_owned);
    let gateway = Gateway::new(
        watched,
        Gateway::ticks(1e6),
        Box::new(move |method, params, now| match (method, params["runId"].as_str()) {
            ("listRuns", _) => Reply::Ok(rows(now).into()),
            ("getRun", Some(run_id)) if Some(run_id) != watched_id.as_deref() => {
                noted.borrow_mut().push((now, run_id.to_owned()));
                computed_at(run(run_id, now), now)
            }
            _ => others(method, params, now),
        }),
    );
    Lists { gateway, asked }
}

#[test]
fn the_rows_that_wait_name_their_nodes_one_after_the_other() {
    let rows = |_| {
        vec![
            row("a", "waiting-event"),
            row("b", "running"),
            row("c", "waiting-event"),
            row("d", "finished"),
            row("e", "paused"),
        ]
    };
    let mut lists = lists(None, rows, |run_id, _| Reply::Ok(waits_at(run_id, "ship")));
    lists.gateway.run(2500.0);
    for run_id in ["a", "c"] {
        assert_eq!(sentence(&lists.gateway, run_id), "Waiting for event order-7 at ship.", "{run_id}");
    }
    lists.gateway.run(60_000.0);
    let asked = lists.asked.borrow();
    assert!(asked.iter().all(|(_, run_id)| run_id == "a" || run_id == "c"), "{asked:?}");
    let pauses = asked.windows(2).map(|pair| pair[1].0 - pair[0].0);
    assert!(pauses.clone().all(|pause| pause >= 1000.0), "{:?}", pauses.collect::<Vec<_>>());
    assert!(asked.len() <= 2 * 12, "each at most every five seconds: {}", asked.len());
}

#[test]
fn the_node_goes_with_the_state_of_its_row() {
    let rows = |now| vec![row("a", if now < 10_000.0 { "waiting-event" } else { "waiting-timer" })];
    // Its answers go on to name the node: they were read for a state that the row no longer has.
    let mut lists = lists(None, rows, |run_id, _| Reply::Ok(waits_at(run_id, "ship")));
    lists.gateway.run(9000.0);
    assert_eq!(sentence(&lists.gateway, "a"), "Waiting for event order-7 at ship.");
    lists.gateway.run(12_100.0);
    assert_eq!(sentence(&lists.gateway, "a"), "Waiting for a timer.");
    lists.gateway.run(30_000.0);
    assert_eq!(sentence(&lists.gateway, "a"), "Waiting for a timer.");
}

#[test]
fn another_node_of_the_same_row_is_read_within_seconds() {
    let node = |now: f64| if now < 20_000.0 { "build" } else { "ship" };
    let mut lists = lists(
        None,
        |_| vec![row("a", "waiting-event")],
        move |run_id, now| Reply::Ok(waits_at(run_id, node(now))),
    );
    lists.gateway.run(20_000.0);
    assert_eq!(sentence(&lists.gateway, "a"), "Waiting for event order-7 at build.");
    lists.gateway.run(27_100.0);
    assert_eq!(sentence(&lists.gateway, "a"), "Waiting for event order-7 at ship.");
}

#[test]
fn a_row_whose_answer_names_no_node_stays_as_it_is() {
    let other_state = || {
        let mut answer = waits_at("a", "ship");
        answer["runState"]["state"] = json!("running");
        answer
    };
    let without_reason = || {
        let mut answer = waits_at("a", "ship");
        answer["runState"].as_object_mut().unwrap().remove("blocked");
        answer
    };
    for reply in [
        Reply::Ok(other_state()),
        Reply::Ok(without_reason()),
        Reply::Ok(row("a", "waiting-event")),
        Reply::Ok(waits_at("b", "ship")),
        Reply::Ok(json!("nonsense")),
        Reply::No("NOT_FOUND", "Run not found"),
        Reply::No("INTERNAL", "database is locked"),
        Reply::Silence,
    ] {
        let mut lists = lists(None, |_| vec![row("a", "waiting-event")], move |_, _| reply.clone());
        lists.gateway.run(20_000.0);
        assert_eq!(sentence(&lists.gateway, "a"), "Waiting for an event.");
        assert!(lists.asked.borrow().len() <= 20, "{:?}", lists.asked.borrow());
        assert_eq!(lists.gateway.feed.refusal(), None, "the list is not refused");
    }
}

#[test]
fn a_token_that_may_not_read_the_run_is_not_used_again() {
    for code in ["FORBIDDEN", "METHOD_NOT_FOUND"] {
        let rows = |_| vec![row("a", "waiting-event"), row("b", "waiting-timer")];
        let mut lists = lists(None, rows, move |_, _| Reply::No(code, "Missing required scope"));
        lists.gateway.run(20_000.0);
        assert_eq!(lists.asked.borrow().len(), 1, "{code}");
        assert_eq!(lists.gateway.feed.inspection().problems.texts(), Vec::<String>::new());
        assert_eq!(sentence(&lists.gateway, "a"), "Waiting for an event.");
    }
}

#[test]
fn the_questions_about_rows_stay_within_the_rate_of_a_watched_run() {
    let rows = |_| (0..40).map(|run| row(&format!("waits-{run}"), "waiting-event")).collect();
    let mut lists = lists(Some("cancel-a"), rows, |run_id, _| Reply::Ok(waits_at(run_id, "ship")));
    lists.gateway.run(10_000.0);
    let before = lists.gateway.asked.len();
    lists.gateway.run(110_000.0);
    let rate = (lists.gateway.asked.len() - before) as f64 / 100.0;
    assert!(rate < 4.0, "{rate} requests a second");
    let about_rows = lists.asked.borrow().len();
    assert!((40..=55).contains(&about_rows), "{about_rows}");
    assert_eq!(sentence(&lists.gateway, "waits-39"), "Waiting for event order-7 at ship.");

    lists.gateway.input(ClientInput::Visible(false));
    lists.gateway.run(112_000.0);
    let hidden = lists.asked.borrow().len();
    lists.gateway.run(172_000.0);
    assert_eq!(lists.asked.borrow().len(), hidden, "a hidden page has no rows on screen");
}

/// Ticks of a server's clock that is `moved` later from `moved_at` on.
fn set_clock(moved_at: f64, moved: f64) -> Vec<(f64, Value)> {
    let mut pushed = Gateway::ticks(1e6);
    for (_, event) in pushed.iter_mut().filter(|(at, _)| *at >= moved_at) {
        let ts = event["payload"]["ts"].as_f64().unwrap();
        event["payload"]["ts"] = json!(ts + moved);
    }
    pushed
}

/// The row of a run whose engine reports at each time of the server's clock, or has died at 0.
fn running(run_id: &str, server_now: f64, is_alive: bool) -> Value {
    let mut row = row(run_id, "running");
    row["heartbeatAtMs"] = json!(if is_alive { server_now } else { 1e12 - 60_000.0 });
    row["startedAtMs"] = json!(1e12 - 700_000.0);
    row["runtimeOwnerId"] = json!("pid:7");
    row
}

#[test]
fn rows_are_read_again_and_the_clock_asked_for_when_the_servers_clock_was_set() {
    for moved in [-600_000.0, 600_000.0] {
        let server_now = move |now: f64| 1e12 + now + if now >= 9500.0 { moved } else { 0.0 };
        let mut others = working();
        let answers: test_gateway::Answers = Box::new(move |method, params, now| match method {
            "listRuns" => {
                Reply::Ok(json!([running("alive", server_now(now), true), row("done", "finished")]))
            }
            "getRun" => {
                let mut answer = running("alive", server_now(now), true);
                let computed_at = Millis(server_now(now)).to_iso().unwrap();
                answer["runState"] = json!({"runId": "alive", "computedAt": computed_at, "state": "running"});
                Reply::Ok(answer)
            }
            _ => others(method, params, now),
        });
        let mut gateway = Gateway::new(None, set_clock(9500.0, moved), answers);
        gateway.run(9400.0);
        assert_eq!(gateway.asked("getRun"), 0, "the greeting tells the clock");
        let lists = gateway.asked("listRuns");
        // The tick at 10 s is the first with the new time.
        gateway.run(11_900.0);
        assert!(gateway.asked("listRuns") > lists, "{moved}");
        let state = |gateway: &Gateway| {
            let runs = &gateway.feed.inspection().runs;
            let run = runs.iter().find(|run| run.run_id.as_deref() == Some("alive")).unwrap();
            run.view().map(|view| view.state.as_str().to_owned())
        };
        assert_eq!(state(&gateway).as_deref(), Some("running"), "{moved}");
        gateway.run(60_000.0);
        assert_eq!(state(&gateway).as_deref(), Some("running"), "{moved}");
        let clock = gateway.feed.clock().read(Millis(gateway.now)).unwrap();
        assert!((clock.now.0 - server_now(gateway.now)).abs() < 100.0, "{moved}: {clock:?}");
        assert!(clock.error_ms < 100.0, "{moved}: {clock:?}");
        assert!(gateway.asked("getRun") <= 2, "{moved}: {}", gateway.asked("getRun"));
    }
}

#[test]
fn a_dead_run_of_the_list_is_stale_again_after_the_servers_clock_was_set_back() {
    let server_now = |now: f64| 1e12 + now - if now >= 9500.0 { 20_000.0 } else { 0.0 };
    let mut others = working();
    let answers: test_gateway::Answers = Box::new(move |method, params, now| match method {
        "listRuns" => Reply::Ok(json!([running("dead", server_now(now), false)])),
        "getRun" => {
            let mut answer = running("dead", server_now(now), false);
            let computed_at = Millis(server_now(now)).to_iso().unwrap();
            answer["runState"] = json!({"runId": "dead", "computedAt": computed_at, "state": "stale"});
            Reply::Ok(answer)
        }
        _ => others(method, params, now),
    });
    let mut gateway = Gateway::new(None, set_clock(9500.0, -20_000.0), answers);
    let state = |gateway: &Gateway| {
        gateway.feed.inspection().runs[0].view().map(|view| view.state.as_str().to_owned())
    };
    for until in [5000.0, 12_900.0, 60_000.0] {
        gateway.run(until);
        assert_eq!(state(&gateway).as_deref(), Some("stale"), "at {until}");
    }
}

#[test]
fn a_silent_run_of_the_list_is_orphaned_once_the_gateway_says_so_and_until_its_row_changes() {
    // The engine dies before the list is read, its process at 20 s; another one takes the run over at 40 s.
    let mut others = working();
    let answers: test_gateway::Answers = Box::new(move |method, _, now| {
        let is_alive = now >= 40_000.0;
        let mut row = running("dead", 1e12 + now, is_alive);
        match method {
            "listRuns" => Reply::Ok(json!([row])),
            "getRun" => {
                let state = match now {
                    ..20_000.0 => "stale",
                    ..40_000.0 => "orphaned",
                    _ => "running",
                };
                let computed_at = Millis(1e12 + now).to_iso().unwrap();
                row["runState"] = json!({"runId": "dead", "computedAt": computed_at, "state": state});
                Reply::Ok(row)
            }
            _ => others(method, &Value::Null, now),
        }
    });
    let mut gateway = Gateway::new(None, Gateway::ticks(1e6), answers);
    let state = |gateway: &Gateway| {
        gateway.feed.inspection().runs[0].view().map(|view| view.state.as_str().to_owned())
    };
    for (until, expected) in [
        (5000.0, "stale"),
        (19_000.0, "stale"),
        (26_000.0, "orphaned"),
        (39_000.0, "orphaned"),
        (42_600.0, "running"),
        (60_000.0, "running"),
    ] {
        gateway.run(until);
        assert_eq!(state(&gateway).as_deref(), Some(expected), "at {until}");
    }
    let asked = gateway.asked("getRun");
    assert!((4..=6).contains(&asked), "every five seconds while it is only silent: {asked}");
}
