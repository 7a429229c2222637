//! No state is final and a refusal is no state: ended runs that are reopened, runs that are deleted, and the list beside them.

use super::test_gateway;

use runstate::freshness::Freshness;
use runstate::gateway::ClientInput;
use runstate::time::Millis;
use serde_json::{Value, json};
use test_gateway::{Answers, Gateway, Reply, at_work, rpc, steady, until, watching, working};

/// A row of the list of runs.
fn row(run_id: &str, status: &str) -> Value {
    json!({"runId": run_id, "workflowName": "w", "status": status, "createdAtMs": 1e12, "startedAtMs": 1e12})
}

/// A Gateway whose run `cancel-a` has ended until `at`, and is in progress again from then on. The list says so if
/// `list_knows`.
fn reopened(at: f64, list_knows: bool) -> Gateway {
    let ended = rpc("cancel-a.runs.get");
    let answers: Answers = Box::new(move |method, _, now| match method {
        "getRun" if now < at => Reply::Ok(ended.clone()),
        "getRun" => Reply::Ok(at_work(&ended)),
        "listRuns" => {
            Reply::Ok(json!([row("cancel-a", if list_knows && now >= at { "running" } else { "cancelled" })]))
        }
        "listNodeStates" => Reply::Ok(rpc("cancel-a.listNodeStates")),
        "attempts.list" => Reply::Ok(json!([])),
        _ => Reply::Ok(json!({})),
    });
    watching(answers)
}

/// The time at which a state appeared for the last time.
fn shown_at(gateway: &Gateway, state: &str) -> Option<f64> {
    gateway.states.iter().rev().find(|(_, shown)| shown == state).map(|(at, _)| *at)
}

#[test]
fn a_run_that_another_process_reopens_is_seen_with_the_next_list() {
    let mut gateway = reopened(20_000.0, true);
    gateway.run(30_000.0);
    assert_eq!(gateway.states(), ["cancelled", "running"]);
    let seen = shown_at(&gateway, "running").unwrap();
    assert!((20_000.0..23_100.0).contains(&seen), "within the period of the list: {seen}");
    let asked = gateway.asked_between("listNodeStates", seen, seen + 1000.0);
    assert!(asked > 0, "its nodes are read again");
}

#[test]
fn a_run_that_is_reopened_without_a_word_is_seen_within_fifteen_seconds() {
    for at in [5_000.0, 17_500.0, 40_000.0] {
        let mut gateway = reopened(at, false);
        gateway.run(at + 16_000.0);
        let seen = shown_at(&gateway, "running").unwrap_or(f64::INFINITY);
        assert!((at..at + 15_100.0).contains(&seen), "reopened at {at}, seen at {seen}");
    }
}

#[test]
fn an_ended_run_is_live_only_as_long_as_it_is_answered() {
    let ended = steady(rpc("cancel-a.runs.get"), rpc("cancel-a.listNodeStates"));
    let answers = {
        let mut ended = until(10_000.0, ended);
        // Everything but the answer about the run itself goes on.
        let lively: Answers = Box::new(move |method, params, now| match method {
            "listRuns" => Reply::Ok(json!([])),
            _ => ended(method, params, now),
        });
        lively
    };
    let mut gateway = watching(answers);
    gateway.run(16_000.0);
    assert_eq!(gateway.freshness(), ["connecting", "live"]);
    gateway.run(18_500.0);
    assert_eq!(gateway.freshness(), ["connecting", "live", "late"], "the read at 17 s has no answer");
    gateway.run(23_000.0);
    assert_eq!(gateway.freshness()[..4], ["connecting", "live", "late", "lost"]);
    assert_eq!(gateway.states(), ["cancelled"]);
}

#[test]
fn an_ended_run_is_live_only_as_long_as_the_list_says_that_it_has_ended() {
    let mut ended = steady(rpc("cancel-a.runs.get"), rpc("cancel-a.listNodeStates"));
    let mut gateway = watching(Box::new(move |method, params, now| match method {
        "listRuns" if now < 9000.0 => Reply::Ok(json!([row("cancel-a", "cancelled")])),
        "listRuns" => Reply::Silence,
        _ => ended(method, params, now),
    }));
    gateway.run(10_400.0);
    assert_eq!(gateway.freshness(), ["connecting", "live"]);
    gateway.run(11_000.0);
    let (at, last) = gateway.freshness.last().unwrap();
    assert_eq!(*last, "late", "nobody says that the run was not reopened");
    assert!((10_400.0..10_500.0).contains(at), "2.4 s after the last list: {at}");
}

#[test]
fn an_ended_run_whose_list_becomes_forbidden_is_as_live_as_its_own_answer() {
    let mut ended = steady(rpc("cancel-a.runs.get"), rpc("cancel-a.listNodeStates"));
    let mut gateway = watching(Box::new(move |method, params, now| match method {
        "listRuns" if now < 9000.0 => Reply::Ok(json!([row("cancel-a", "cancelled")])),
        "listRuns" => Reply::No("FORBIDDEN", "Missing required scope"),
        _ => ended(method, params, now),
    }));
    gateway.run(40_000.0);
    assert_eq!(gateway.freshness(), ["connecting", "live"]);
}

#[test]
fn the_age_of_a_state_is_that_of_its_own_answer() {
    let mut gateway = watching(until(2000.0, working()));
    gateway.run(2700.0);
    let (clock, now) = (gateway.feed.clock().now(Millis(2700.0)), Millis(2700.0));
    let Freshness::Live { read_at } = gateway.feed.freshness(now) else { panic!("late too early") };
    assert!(clock.since(read_at) > 900.0, "ticks do not make the answer younger");
    gateway.run(2900.0);
    assert!(matches!(gateway.feed.freshness(Millis(2900.0)), Freshness::Late { .. }), "the period and 0.4 s");
}

/// A Gateway that answers `getRun` until 5 s and refuses it from then on with this code.
fn refused(code: &'static str) -> Gateway {
    let mut working = working();
    watching(Box::new(move |method, params, now| match method {
        "getRun" | "listNodeStates" if now >= 5000.0 => Reply::No(code, "Run not found: cancel-a"),
        _ => working(method, params, now),
    }))
}

#[test]
fn a_refusal_is_no_reading_of_the_run() {
    for code in ["NOT_FOUND", "RunNotFound", "SOMETHING_NEW", "SERVER_ERROR", "RateLimited", "Internal"] {
        let mut gateway = refused(code);
        gateway.run(30_000.0);
        let now = Millis(30_000.0);
        let Freshness::Refused { as_of } = gateway.feed.freshness(now) else {
            panic!("{code}: {:?}", gateway.feed.freshness(now));
        };
        let age = gateway.feed.clock().now(now).since(as_of);
        assert!((25_000.0..26_100.0).contains(&age), "{code}: as of the last real answer, {age} ms ago");
        assert_eq!(gateway.states(), ["running"], "{code} is no state");
        assert_eq!(gateway.opens.len(), 1, "{code}: the connection is as good as before");
        assert!(gateway.asked_between("getRun", 20_000.0, 30_000.0) >= 9, "{code}: still read");
    }
}

#[test]
fn a_refused_run_that_comes_back_is_live_again() {
    let mut working = working();
    let mut gateway = watching(Box::new(move |method, params, now| match method {
        "getRun" if (5000.0..9000.0).contains(&now) => Reply::No("NOT_FOUND", "Run not found: cancel-a"),
        _ => working(method, params, now),
    }));
    gateway.run(12_000.0);
    assert_eq!(gateway.freshness(), ["connecting", "live", "refused", "live"]);
    assert_eq!(gateway.feed.refusal(), None);
}

/// The word of a listed run.
fn listed(gateway: &Gateway, run_id: &str) -> String {
    let runs = &gateway.feed.inspection().runs;
    let run = runs.iter().find(|run| run.run_id.as_deref() == Some(run_id)).unwrap();
    run.view().unwrap().state.to_string()
}

#[test]
fn the_list_is_as_old_as_its_own_answer() {
    let answers: Answers = Box::new(|method, params, now| match method {
        "listRuns" if now < 4000.0 => Reply::Ok(json!([row("a", "cancelled"), row("b", "finished")])),
        "getRun" => {
            let mut run = rpc("cancel-a.runs.get-running");
            run["runId"] = params["runId"].clone();
            Reply::Ok(run)
        }
        "listNodeStates" | "attempts.list" => Reply::Ok(json!([])),
        "streamDevTools" => Reply::Ok(json!({})),
        _ => Reply::Silence,
    });
    let mut gateway = Gateway::new(None, Gateway::ticks(1e6), answers);
    gateway.run(3000.0);
    gateway.input(ClientInput::Watch("a"));
    gateway.run(4000.0);
    assert!(matches!(gateway.feed.list_freshness(Millis(4000.0)), Freshness::Live { .. }));
    gateway.run(8000.0);
    assert!(matches!(gateway.feed.freshness(Millis(8000.0)), Freshness::Live { .. }));
    assert!(matches!(gateway.feed.list_freshness(Millis(8000.0)), Freshness::Late { .. }));
    gateway.reachable = false;
    gateway.input(ClientInput::Closed { code: 1006, reason: "" });
    gateway.input(ClientInput::Watch("b"));
    gateway.run(20_000.0);
    assert_eq!(gateway.feed.freshness(Millis(20_000.0)), Freshness::Connecting, "nothing was read of b");
    let Freshness::Lost { as_of, .. } = gateway.feed.list_freshness(Millis(20_000.0)) else {
        panic!("choosing a row does not make the others current");
    };
    let age = gateway.feed.clock().now(Millis(20_000.0)).since(as_of);
    assert!(age > 15_900.0, "{age}");
}

#[test]
fn another_runs_event_refreshes_the_list_beside_a_run() {
    let mut gateway = watching(working());
    gateway.run(10_000.0);
    for step in 0..100 {
        gateway.run(10_000.0 + f64::from(step) * 50.0);
        gateway.push(&json!({"type": "event", "event": "node.started",
            "payload": {"runId": "other", "nodeId": "n", "state": "in-progress"}}));
    }
    gateway.run(15_000.0);
    let asked = gateway.asked_between("listRuns", 10_000.0, 15_000.0);
    assert!((2..=3).contains(&asked), "at most every two seconds: {asked}");
    let before = gateway.asked("listRuns");
    gateway.run(45_000.0);
    assert_eq!(gateway.asked("listRuns"), before + 15, "every two seconds without events");
}

#[test]
fn the_word_of_the_header_stays_on_its_row_until_the_row_changes() {
    let orphaned = |now: f64| {
        let mut run = at_work(&rpc("cancel-a.runs.get"));
        run["runState"]["state"] = json!("orphaned");
        run["runState"]["computedAt"] = json!(Millis(1e12 + now).to_iso().unwrap());
        run
    };
    let answers: Answers = Box::new(move |method, _, now| match method {
        "listRuns" if now < 20_000.0 => Reply::Ok(json!([row("cancel-a", "running")])),
        "listRuns" => Reply::Ok(json!([row("cancel-a", "finished")])),
        "getRun" => Reply::Ok(orphaned(now)),
        "listNodeStates" | "attempts.list" => Reply::Ok(json!([])),
        _ => Reply::Ok(json!({})),
    });
    let mut gateway = watching(answers);
    gateway.run(5000.0);
    gateway.input(ClientInput::List);
    assert_eq!(listed(&gateway, "cancel-a"), "orphaned", "at once");
    gateway.run(11_000.0);
    assert_eq!(listed(&gateway, "cancel-a"), "orphaned", "the row has not changed");
    gateway.run(25_000.0);
    assert_eq!(listed(&gateway, "cancel-a"), "succeeded", "the row changed");
}

#[test]
fn a_run_that_comes_back_to_an_earlier_row_is_shown_as_the_later_list_says() {
    // The run is at work from 4 s to 5.5 s only; nothing else in its row changes.
    let working = at_work(&rpc("cancel-a.runs.get"));
    let answers: Answers = Box::new(move |method, _, now| match method {
        "listRuns" => Reply::Ok(json!([row("cancel-a", "waiting-event")])),
        "getRun" if (4000.0..5500.0).contains(&now) => Reply::Ok(working.clone()),
        "getRun" => {
            let mut waiting = working.clone();
            waiting["status"] = json!("waiting-event");
            waiting["runState"]["state"] = json!("waiting-event");
            Reply::Ok(waiting)
        }
        "listNodeStates" | "attempts.list" => Reply::Ok(json!([])),
        _ => Reply::Ok(json!({})),
    });
    let mut gateway = watching(answers);
    gateway.run(5200.0);
    gateway.input(ClientInput::List);
    assert_eq!(listed(&gateway, "cancel-a"), "running", "the answer is newer than the list");
    gateway.run(9000.0);
    assert_eq!(listed(&gateway, "cancel-a"), "waiting-event", "the list is newer than the answer");
}

#[test]
fn the_note_about_unreadable_frames_ends() {
    let problems = |gateway: &Gateway| gateway.feed.inspection().problems.texts();
    let mut gateway = watching(working());
    gateway.run(1000.0);
    gateway.input(ClientInput::Text("<html>"));
    gateway.run(20_000.0);
    gateway.input(ClientInput::Text("{}"));
    assert!(
        problems(&gateway)[0].starts_with("2 messages of the Gateway could not be read. The last one: "),
        "{:?}",
        problems(&gateway)
    );
    gateway.run(79_000.0);
    assert_eq!(problems(&gateway).len(), 1);
    gateway.run(81_000.0);
    assert_eq!(problems(&gateway), Vec::<String>::new(), "a minute without one");
    gateway.input(ClientInput::Text("<html>"));
    assert!(
        problems(&gateway)[0].starts_with("A message of the Gateway could not be read. "),
        "{:?}",
        problems(&gateway)
    );
    gateway.input(ClientInput::Closed { code: 1006, reason: "" });
    gateway.run(85_000.0);
    assert_eq!(problems(&gateway), Vec::<String>::new(), "a new connection");
}

#[test]
fn a_proxys_answers_are_no_signs_of_life() {
    let mut gateway = watching(until(1000.0, working()));
    gateway.run(1000.0);
    // The Gateway's ticks do not arrive either.
    let mut silent = Gateway::new(Some("cancel-a"), Gateway::ticks(1000.0), until(1000.0, working()));
    for step in 0..12 {
        silent.run(1000.0 + f64::from(step) * 500.0);
        silent.input(ClientInput::Text("<html>502</html>"));
    }
    assert!(silent.freshness().contains(&"lost"), "{:?}", silent.freshness());
}
