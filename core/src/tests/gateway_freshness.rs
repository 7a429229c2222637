//! The freshness of the shown data: lost, silent, asleep, reconnected.

use super::test_gateway;

use runstate::freshness::Freshness;
use runstate::gateway::ClientInput;
use runstate::time::Millis;
use serde_json::{Value, json};
use test_gateway::{Gateway, rpc, steady, until, watching, working};

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
        assert!(*gap <= (500.0 * 2_f64.powi(try_no)).min(3_000.0) + 2.0, "try {try_no}: {gap}");
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
    gateway.run(7200.0);
    assert_eq!(gateway.freshness()[..4], ["connecting", "live", "late", "lost"]);
    let lost = gateway.freshness[3].0;
    assert!((6900.0..7200.0).contains(&lost), "5 s after the question that nobody answered: {lost}");
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
