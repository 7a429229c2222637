//! The freshness of the shown data: lost, silent, asleep, reconnected.

use super::test_gateway;

use runstate::freshness::Freshness;
use runstate::gateway::ClientInput;
use runstate::time::Millis;
use serde_json::{Value, json};
use test_gateway::{Answers, Gateway, Reply, rpc, steady, until, watching, working};

#[test]
fn a_lost_connection_comes_back_and_reads_before_it_claims() {
    let mut gateway = watching(working());
    gateway.run(1000.0);
    gateway.reachable = false;
    gateway.input(ClientInput::Closed { code: 1006, reason: "" });
    let Freshness::Lost { as_of, attempt, retry_at, silence_limit_ms } =
        gateway.feed.freshness(Millis(1000.0))
    else {
        panic!("{:?}", gateway.feed.freshness(Millis(1000.0)));
    };
    let clock = gateway.feed.clock();
    assert_eq!((attempt, silence_limit_ms), (1, None));
    assert!((0.0..=1000.0).contains(&clock.now(Millis(1000.0)).since(as_of)), "as of the last look");
    assert_eq!(retry_at, gateway.feed.retry().map(|retry| clock.now(retry.at)));

    gateway.run(60_000.0);
    let gaps: Vec<f64> = gateway.opens.windows(2).map(|pair| pair[1] - pair[0]).skip(1).collect();
    assert!(gaps.len() > 5, "{gaps:?}");
    for (try_no, gap) in (1..).zip(&gaps) {
        assert!(*gap <= (500.0 * 2_f64.powi(try_no)).min(2_000.0) + 2.0, "try {try_no}: {gap}");
    }
    assert_eq!(gateway.states(), ["running"], "the last good state stays");

    gateway.reachable = true;
    gateway.freshness.clear();
    gateway.input(ClientInput::ReconnectNow);
    gateway.run(61_000.0);
    assert_eq!(gateway.freshness(), ["lost", "resyncing", "live"]);
    assert_eq!(gateway.feed.retry(), None);
}

#[test]
fn silence_is_late_and_then_lost() {
    let pushed = Gateway::ticks(3000.0);
    let ended = steady(rpc("cancel-a.runs.get"), rpc("cancel-a.listNodeStates"));
    let mut gateway = Gateway::new(Some("cancel-a"), pushed, until(2500.0, ended));
    gateway.run(8000.0);
    // The last frame is the answer to the second poll at about 2010.
    let at = |kind: &str| gateway.freshness.iter().find(|(_, seen)| *seen == kind).unwrap().0;
    assert_eq!(gateway.freshness()[..4], ["connecting", "live", "late", "lost"]);
    assert!((5000.0..5100.0).contains(&at("late")), "1.5 heartbeats: {}", at("late"));
    assert!((7000.0..7100.0).contains(&at("lost")), "2.5 heartbeats: {}", at("lost"));
    assert_eq!(gateway.closes.len(), 1);
}

#[test]
fn ticks_without_answers_do_not_make_a_header_live() {
    let mut gateway = watching(until(2000.0, working()));
    gateway.run(7600.0);
    assert_eq!(gateway.freshness()[..4], ["connecting", "live", "late", "lost"]);
    let (late, lost) = (gateway.freshness[2].0, gateway.freshness[3].0);
    assert!((2800.0..2850.0).contains(&late), "1.2 s after the last answer, without any input: {late}");
    assert!((7300.0..7600.0).contains(&lost), "5 s after the question that nobody answered: {lost}");
    assert_eq!(gateway.states(), ["running"]);
}

#[test]
fn after_sleep_the_state_is_read_before_anything_is_called_live() {
    let mut gateway = watching(working());
    gateway.run(1000.0);
    gateway.now = 3_600_000.0;
    let asked = gateway.asked("getRun");
    gateway.freshness.clear();
    gateway.input(ClientInput::Visible(true));
    assert_eq!(gateway.freshness(), ["resyncing"]);
    assert_eq!(gateway.asked("getRun"), asked + 1);
    gateway.run(3_600_500.0);
    assert_eq!(gateway.freshness(), ["resyncing", "live"]);
    assert_eq!(gateway.opens.len(), 1, "the socket had survived");
}

#[test]
fn a_late_timer_is_sleep_once_and_silence_after_that() {
    let mut gateway = Gateway::new(Some("cancel-a"), Gateway::ticks(900.0), until(1000.0, working()));
    gateway.run(1000.0);
    gateway.now = 60_000.0;
    gateway.freshness.clear();
    gateway.input(ClientInput::Timer);
    assert_eq!(gateway.freshness(), ["resyncing"]);
    gateway.now = 120_000.0;
    gateway.input(ClientInput::Timer);
    assert_eq!(gateway.freshness(), ["resyncing", "lost"], "a hidden page must not hide a dead socket");
}

#[test]
fn an_answer_from_before_sleep_is_not_taken_for_now() {
    let mut gateway = watching(until(1000.0, working()));
    gateway.run(1300.0);
    let before = gateway.asked.iter().rev().find(|(_, method, _)| method == "getRun").unwrap().2.clone();
    let id = serde_json::from_str::<Value>(&before).unwrap()["id"].clone();
    gateway.now = 100_000.0;
    gateway.input(ClientInput::Visible(true));
    gateway.push(&json!({"type": "res", "id": id, "ok": true, "payload": rpc("cancel-a.runs.get")}));
    assert!(matches!(gateway.feed.freshness(Millis(100_000.0)), Freshness::Resyncing { .. }));
    assert_eq!(gateway.states(), ["running"]);
}

/// Answers like `working`, except that answers to `lost` are lost from 2 s to `end`.
fn losing(lost: &'static str, end: f64) -> Answers {
    let mut answers = working();
    Box::new(move |method, params, now| {
        let is_lost = method == lost && (2000.0..end).contains(&now);
        if is_lost { Reply::Silence } else { answers(method, params, now) }
    })
}

#[test]
fn a_request_whose_answer_was_lost_is_sent_again() {
    for ends in [4000.0, 6500.0, 9000.0] {
        let mut gateway = watching(losing("getRun", ends));
        gateway.run(ends);
        gateway.freshness.clear();
        gateway.run(ends + 3000.0);
        let (at, kind) = *gateway.freshness.last().unwrap();
        assert_eq!(kind, "live", "lost until {ends}");
        assert!(at < ends + 3000.0, "live again at {at}");
    }
    let mut gateway = watching(losing("getRun", 4000.0));
    gateway.run(8000.0);
    assert_eq!(gateway.opens.len(), 1, "the connection is kept");
}

#[test]
fn an_answer_that_comes_after_a_newer_one_is_ignored() {
    let ended = rpc("cancel-a.runs.get");
    let mut answers = working();
    let mut is_first = true;
    let mut gateway = watching(Box::new(move |method, params, now| {
        if method == "getRun" && now >= 2000.0 && std::mem::take(&mut is_first) {
            return Reply::Later(4500.0, ended.clone());
        }
        answers(method, params, now)
    }));
    gateway.run(6000.0);
    assert_eq!(gateway.states(), ["running"]);
    assert_eq!((gateway.opens.len(), gateway.freshness.last().unwrap().1), (1, "live"));
}

#[test]
fn an_answer_is_as_old_as_its_request() {
    let mut answers = working();
    let mut slow_at = None;
    let mut gateway = watching(Box::new(move |method, params, now| match (method, slow_at) {
        ("getRun", None) if now >= 2000.0 => {
            slow_at = Some(now);
            let Reply::Ok(run) = answers(method, params, now) else { panic!("the run is known") };
            Reply::Later(now + 1000.0, run)
        }
        ("getRun", Some(_)) if now < 6000.0 => Reply::Silence,
        _ => answers(method, params, now),
    }));
    gateway.run(5000.0);
    let asked = gateway.asked.iter().find(|(at, method, _)| method == "getRun" && *at >= 2000.0).unwrap().0;
    let (late_at, kind) = *gateway.freshness.last().unwrap();
    assert_eq!(kind, "late");
    assert!((asked + 1200.0..asked + 1210.0).contains(&late_at), "asked at {asked}, late at {late_at}");
}

#[test]
fn a_slow_network_is_live_once_it_is_known_to_be_slow() {
    let mut answers = working();
    let mut gateway = watching(Box::new(move |method, params, now| match answers(method, params, now) {
        Reply::Ok(value) if now > 2000.0 => Reply::Later(now + 600.0, value),
        reply => reply,
    }));
    gateway.run(8000.0);
    assert!(gateway.freshness().contains(&"late"), "{:?}", gateway.freshness());
    gateway.freshness.clear();
    gateway.run(20_000.0);
    assert_eq!(gateway.freshness(), ["live"]);
}

#[test]
fn a_connect_that_is_not_answered_is_sent_again() {
    let mut gateway = Gateway::new(Some("cancel-a"), Gateway::ticks(20_000.0), working());
    gateway.silent_connects = 2;
    gateway.run(4200.0);
    assert_eq!((gateway.asked("connect"), gateway.opens.len()), (3, 1));
    assert_eq!(gateway.freshness(), ["connecting", "live"]);
    gateway.run(12_000.0);
    assert_eq!(gateway.asked("connect"), 3, "and not again after the answer");
}

#[test]
fn the_states_of_the_nodes_have_an_age_of_their_own() {
    let mut gateway = watching(losing("listNodeStates", 12_000.0));
    gateway.run(2500.0);
    let nodes = |gateway: &Gateway| gateway.feed.nodes_freshness(Millis(gateway.now)).unwrap();
    assert!(matches!(nodes(&gateway), Freshness::Live { .. }), "{:?}", nodes(&gateway));
    gateway.run(6000.0);
    let Freshness::Late { read_at } = nodes(&gateway) else { panic!("{:?}", nodes(&gateway)) };
    let age = gateway.feed.clock().now(Millis(6000.0)).since(read_at);
    assert!((3000.0..6000.0).contains(&age), "{age}");
    assert_eq!(gateway.freshness.last().unwrap().1, "live", "the header's answers arrive");
    gateway.run(13_600.0);
    assert!(matches!(nodes(&gateway), Freshness::Live { .. }), "{:?}", nodes(&gateway));
}

#[test]
fn the_structure_of_a_tree_is_old_after_a_gap_until_it_is_read_again() {
    let snapshot = json!({"type": "event", "event": "devtools.event", "payload": {"streamId": "s", "runId": "cancel-a",
        "event": {"version": 1, "kind": "snapshot", "snapshot": rpc("getDevToolsSnapshot-rewind-a")}}});
    let mut gateway = watching(working());
    gateway.run(1000.0);
    let structure = |gateway: &Gateway| gateway.feed.tree_freshness(Millis(gateway.now));
    assert_eq!(structure(&gateway), None, "not read yet");
    let mut snapshot = snapshot;
    snapshot["payload"]["event"]["snapshot"]["runId"] = json!("cancel-a");
    gateway.push(&snapshot);
    gateway.run(9000.0);
    assert!(matches!(structure(&gateway), Some(Freshness::Live { .. })), "a stream sends only changes");
    gateway.input(ClientInput::Closed { code: 1006, reason: "" });
    assert!(matches!(structure(&gateway), Some(Freshness::Lost { .. })));
    gateway.run(12_000.0);
    let Some(Freshness::Resyncing { as_of }) = structure(&gateway) else {
        panic!("{:?}", structure(&gateway))
    };
    assert!(gateway.feed.clock().now(Millis(1100.0)).since(as_of) >= 0.0, "as of the last snapshot");
    gateway.push(&snapshot);
    assert!(matches!(structure(&gateway), Some(Freshness::Live { .. })));
}
