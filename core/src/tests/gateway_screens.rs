//! The screens of a Gateway: the run, its tree, the list, and problems.

use super::test_gateway;

use runstate::gateway::{ClientInput, ConnectionPhase};
use serde_json::{Value, json};
use test_gateway::{Answers, Gateway, Reply, rpc, steady, watching, working};

#[test]
fn a_run_that_is_not_there_is_refused_and_waited_for() {
    let run = rpc("cancel-a.runs.get-running");
    let answers: Answers = Box::new(move |method, _, now| match method {
        "listRuns" => Reply::Ok(json!([])),
        _ if now < 3500.0 => Reply::No("NOT_FOUND", "Run not found: cancel-a"),
        "getRun" => Reply::Ok(run.clone()),
        "listNodeStates" => Reply::Ok(rpc("cancel-a.listNodeStates-running")),
        "attempts.list" => Reply::Ok(json!([])),
        _ => Reply::Ok(json!({})),
    });
    let mut gateway = watching(answers);
    gateway.run(3000.0);
    let refusal = gateway.feed.refusal().unwrap();
    assert_eq!((refusal.code.as_str(), refusal.method.as_deref()), ("NOT_FOUND", Some("getRun")));
    assert!(gateway.feed.inspection().run.is_none(), "not found is never a state");
    assert_eq!(gateway.feed.phase(), ConnectionPhase::Watching);
    assert!(gateway.asked("getRun") <= 4, "once a second: {}", gateway.asked("getRun"));
    assert_eq!(gateway.feed.inspection().problems.texts(), Vec::<String>::new());
    gateway.run(5000.0);
    assert_eq!(gateway.feed.refusal(), None);
    assert_eq!(gateway.states(), ["running"]);
}

#[test]
fn without_the_scope_for_the_tree_the_header_works() {
    let answers: Answers = Box::new(|method, _, _| match method {
        "getRun" => Reply::Ok(rpc("cancel-a.runs.get-running")),
        "listNodeStates" => Reply::Ok(rpc("cancel-a.listNodeStates-running")),
        "listRuns" => Reply::Ok(json!([])),
        _ => Reply::No("FORBIDDEN", "Missing required scope observability:read for streamDevTools"),
    });
    let mut gateway = watching(answers);
    gateway.run(5000.0);
    assert_eq!(gateway.states(), ["running"]);
    assert_eq!(gateway.asked("streamDevTools"), 1);
    let problems = gateway.feed.inspection().problems.texts();
    assert!(problems.is_empty(), "the place of the tree says it: {problems:?}");
    assert_eq!(gateway.feed.tree_refusal().map(|refusal| &*refusal.code), Some("FORBIDDEN"));
    assert_eq!(gateway.feed.refusal(), None);
    assert_eq!(gateway.feed.inspection().run.as_ref().unwrap().nodes.len(), 3);
}

#[test]
fn another_run_needs_another_socket_only_for_its_stream() {
    let answers: Answers = Box::new(|method, params, _| match method {
        "getRun" => {
            let mut run = rpc("cancel-a.runs.get-running");
            run["runId"] = params["runId"].clone();
            Reply::Ok(run)
        }
        "listNodeStates" => Reply::Ok(rpc("cancel-a.listNodeStates-running")),
        "listRuns" => Reply::Ok(rpc("listRuns-failed")),
        "attempts.list" => Reply::Ok(json!([])),
        _ => Reply::Ok(json!({})),
    });
    let mut gateway = Gateway::new(None, Gateway::ticks(1e6), answers);
    gateway.run(1000.0);
    assert_eq!(gateway.feed.phase(), ConnectionPhase::Choosing);
    assert!(gateway.feed.inspection().run.is_none());
    let listed = &gateway.feed.inspection().runs;
    assert!(!listed.is_empty());
    assert!(listed.iter().all(|run| run.view().is_some_and(|view| view.state.as_str() == "failed")));

    gateway.input(ClientInput::Watch("one"));
    gateway.run(2000.0);
    assert_eq!((gateway.opens.len(), gateway.feed.phase()), (1, ConnectionPhase::Watching));
    gateway.freshness.clear();
    gateway.input(ClientInput::Watch("two"));
    assert!(gateway.feed.inspection().run.is_none(), "nothing of the run before");
    gateway.run(3000.0);
    assert_eq!(gateway.opens.len(), 2, "there is no unsubscribe");
    assert_eq!(gateway.freshness(), ["connecting", "live"]);
    assert_eq!(gateway.feed.inspection().run.as_ref().unwrap().run_id.as_deref(), Some("two"));
    gateway.input(ClientInput::Watch("two"));
    assert_eq!(gateway.opens.len(), 2);
    gateway.input(ClientInput::List);
    gateway.run(4000.0);
    assert_eq!((gateway.feed.phase(), gateway.feed.run_id()), (ConnectionPhase::Choosing, None));
}

#[test]
fn a_delta_that_does_not_fit_fetches_a_base() {
    let snapshot = rpc("getDevToolsSnapshot-rewind-a");
    let answers = steady(rpc("cancel-a.runs.get-running"), rpc("cancel-a.listNodeStates-running"));
    let mut gateway = watching(answers);
    gateway.run(1000.0);
    let stream = |event: Value| {
        let payload = json!({"streamId": "s", "runId": "cancel-a", "event": event});
        json!({"type": "event", "event": "devtools.event", "payload": payload})
    };
    let delta = |base: u32, seq: u32| {
        stream(json!({"version": 1, "kind": "delta",
            "delta": {"version": 1, "baseSeq": base, "seq": seq, "ops": []}}))
    };
    let mut first = snapshot;
    (first["seq"], first["frameNo"]) = (json!(2), json!(2));
    gateway.push(&stream(json!({"version": 1, "kind": "snapshot", "snapshot": first})));
    let seq = |gateway: &Gateway| gateway.feed.inspection().run.as_ref().unwrap().seq;
    gateway.push(&delta(2, 3));
    gateway.push(&delta(1, 2));
    assert_eq!(seq(&gateway), Some(3.0), "what is known already is passed over");
    assert_eq!(gateway.asked("getDevToolsSnapshot"), 0);

    gateway.push(&delta(13, 14));
    assert_eq!(seq(&gateway), Some(3.0), "what does not fit is not applied");
    gateway.push(&delta(14, 15));
    gateway.push(&delta(15, 16));
    gateway.run(1100.0);
    assert_eq!(gateway.asked("getDevToolsSnapshot"), 1);
    assert_eq!(seq(&gateway), Some(16.0), "the base is 15, and what came meanwhile goes on top");
    let bad = json!({"version": 1, "kind": "delta", "delta": {"version": 1, "baseSeq": 16, "seq": 17,
        "ops": [{"op": "removeNode", "id": 99}]}});
    gateway.push(&stream(bad));
    assert!(
        gateway.feed.inspection().problems.texts()[0].contains("delta 17"),
        "{:?}",
        gateway.feed.inspection().problems.texts()
    );
    gateway.run(3000.0);
    assert_eq!(gateway.asked("getDevToolsSnapshot"), 2);
    assert_eq!(gateway.feed.inspection().problems.texts(), Vec::<String>::new(), "the new base heals it");
}

#[test]
fn nothing_that_arrives_can_break_it() {
    let mut gateway = watching(working());
    gateway.run(1000.0);
    let deep = format!(
        "{{\"type\":\"event\",\"event\":\"x\",\"payload\":{}1{}}}",
        "[".repeat(5000),
        "]".repeat(5000)
    );
    let frames = [
        "",
        " ",
        "not json",
        "null",
        "[]",
        "42",
        "{}",
        "{\"type\":\"req\"}",
        "{\"type\":\"res\"}",
        "{\"type\":\"res\",\"id\":5,\"ok\":true}",
        "{\"type\":\"res\",\"id\":\"invalid\",\"ok\":false}",
        "{\"type\":\"event\"}",
        "{\"type\":\"event\",\"event\":7}",
        "{\"type\":\"event\",\"event\":\"tick\"}",
        "{\"type\":\"event\",\"event\":\"tick\",\"payload\":{\"ts\":\"now\"}}",
        "{\"type\":\"event\",\"event\":\"devtools.event\",\"payload\":null}",
        "{\"type\":\"event\",\"event\":\"devtools.event\",\"payload\":{\"runId\":\"cancel-a\",\"event\":{}}}",
        "{\"type\":\"event\",\"event\":\"devtools.error\",\"payload\":{}}",
        "{\"type\":\"event\",\"event\":\"run.completed\",\"payload\":[]}",
        "{\"type\":\"event\",\"event\":\"never.heard\",\"payload\":{\"runId\":\"cancel-a\"}}",
        "{\"type\":\"event\",\"event\":\"tick\",\"seq\":1e308,\"payload\":{\"ts\":1e308}}",
        "{\"type\":\"event\",\"event\":\"\\ud800\",\"payload\":\"\\ud800\"}",
        deep.as_str(),
        "\u{feff}{}",
    ];
    for frame in frames {
        gateway.input(ClientInput::Text(frame));
    }
    gateway.run(2000.0);
    assert_eq!(gateway.states(), ["running"]);
    assert_eq!(gateway.feed.phase(), ConnectionPhase::Watching);
    let problems = gateway.feed.inspection().problems.texts();
    assert!(
        problems.iter().any(|problem| problem.contains("of the Gateway could not be read")),
        "{problems:?}"
    );
    assert!(problems.len() <= 3, "{problems:?}");
}

#[test]
fn a_listed_run_whose_owner_cannot_be_asked_is_stale() {
    let answers: Answers = Box::new(|method, _, _| match method {
        "listRuns" => Reply::Ok(rpc("listRuns-orphaned")),
        "attempts.list" => Reply::Ok(json!([])),
        _ => Reply::Ok(json!({})),
    });
    // The list was captured at this time of the server, more than 30 s after the owner died.
    let pushed =
        vec![(1.5, json!({"type": "event", "event": "tick", "payload": {"ts": 1_795_294_840_000.0}}))];
    let mut gateway = Gateway::new(None, pushed, answers);
    gateway.run(10.0);
    let listed = &gateway.feed.inspection().runs;
    let killed = listed.iter().find(|run| run.run_id.as_deref() == Some("killed-a")).unwrap();
    assert_eq!(killed.view().unwrap().state.as_str(), "stale", "nobody here can probe the process");
    assert_eq!(gateway.feed.revision().runs, 1);
    gateway.run(2500.0);
    assert_eq!(gateway.asked("listRuns"), 2);
    assert_eq!(gateway.feed.revision().runs, 1, "the same list is no change");
}

#[test]
fn a_run_that_may_not_be_read_stops_the_feed() {
    for code in ["FORBIDDEN", "Unauthorized"] {
        let answers: Answers = Box::new(move |method, _, _| match method {
            "getRun" => Reply::No(code, "Missing required scope run:read for getRun"),
            _ => Reply::Ok(json!([])),
        });
        let mut gateway = watching(answers);
        gateway.run(5000.0);
        assert_eq!(gateway.feed.phase(), ConnectionPhase::Stopped, "{code}");
        assert_eq!(gateway.feed.refusal().unwrap().code, code);
        assert!(gateway.feed.inspection().run.is_none(), "{code} is not a state");
        assert_eq!((gateway.opens.len(), gateway.asked("getRun")), (1, 1), "{code}: no second try");
    }
}

#[test]
fn a_gateway_that_cannot_read_the_run_makes_the_header_old_not_wrong() {
    let answers: Answers = Box::new(|method, _, now| match method {
        "getRun" if now > 2000.0 => Reply::No("SERVER_ERROR", "database is locked"),
        "getRun" => Reply::Ok(rpc("cancel-a.runs.get-running")),
        "listNodeStates" => Reply::Ok(rpc("cancel-a.listNodeStates-running")),
        "listRuns" | "attempts.list" => Reply::Ok(json!([])),
        _ => Reply::Ok(json!({})),
    });
    let mut gateway = watching(answers);
    gateway.run(8000.0);
    assert_eq!(gateway.states(), ["running"]);
    assert_eq!(
        gateway.freshness(),
        ["connecting", "live", "refused"],
        "ticks come, but nobody vouches for the state"
    );
    assert_eq!(gateway.feed.inspection().problems.texts(), ["getRun: database is locked (SERVER_ERROR)"]);
    assert_eq!(gateway.feed.refusal(), None);
}

#[test]
fn a_row_without_an_answer_is_derived_here_and_says_so() {
    let mut row = rpc("cancel-a.runs.get-running");
    row.as_object_mut().unwrap().remove("runState");
    let heartbeat = row["heartbeatAtMs"].as_f64().unwrap();
    let mut gateway = Gateway::new(
        Some("cancel-a"),
        vec![(1.5, json!({"type": "event", "event": "tick", "payload": {"ts": heartbeat + 40_000.0}}))],
        steady(row, json!([])),
    );
    gateway.run(100.0);
    let verdict = gateway.feed.inspection().run.as_ref().unwrap().verdict.as_ref().unwrap();
    assert!(verdict.is_derived(), "{verdict:?}");
    assert_eq!(gateway.states(), ["stale"], "its heartbeat is older than 30 s by the server's clock");
}

#[test]
fn a_word_that_nobody_knows_is_kept_and_looked_after() {
    let mut run = rpc("cancel-a.runs.get-running");
    run["runState"]["state"] = json!("hibernating");
    let mut gateway = watching(steady(run, json!([])));
    gateway.run(7000.0);
    assert_eq!(gateway.states(), ["hibernating"]);
    assert!(gateway.asked("getRun") > 5, "it may not have ended");
}

#[test]
fn a_frame_of_a_tree_that_nobody_watches_leaves_nothing_to_do() {
    let delta = json!({"version": 1, "kind": "delta", "delta": {"version": 1, "baseSeq": 1, "seq": 2}});
    for event in [delta, json!({"version": 9}), Value::Null] {
        let mut gateway = Gateway::new(None, Gateway::ticks(20_000.0), working());
        gateway.run(500.0);
        let payload = json!({"streamId": "s", "runId": "cancel-a", "event": event});
        gateway.push(&json!({"type": "event", "event": "devtools.event", "payload": payload}));
        let wake = gateway.feed.wake_at().unwrap();
        assert!(wake.0 > gateway.now, "at {} it wants to be woken at {wake:?}", gateway.now);
        gateway.run(10_000.0);
        assert_eq!((gateway.asked("getRun"), gateway.asked("getDevToolsSnapshot")), (0, 0));
        assert_eq!(gateway.feed.inspection().problems.texts(), Vec::<String>::new());
    }
}
