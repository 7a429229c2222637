//! The server's clock and the facts that depend on it: cases of `tests/vectors/smithers/clock`, and properties.

use super::vectors;

use proptest::prelude::*;
use runstate::clock::{Clock, Reading};
use runstate::evidence::Signal;
use runstate::freshness::Freshness;
use runstate::gateway::{Client, ClientInput, ClientOptions};
use runstate::run::RunInspection;
use runstate::smithers::derive::{DeriveRunStateInput, PendingTimer, derive_run_state};
use runstate::smithers::wire::{ReasonUnhealthy, RunRow, read_run};
use runstate::summary::{answer, text};
use runstate::time::Millis;
use serde_json::Value;
use vectors::cases;

/// The grace of Smithers 0.32 for timers.
const GRACE_MS: f64 = 30_000.0;

/// A number; JSON has no infinity, so it is written as a word.
fn number(value: &Value) -> f64 {
    if value == "Infinity" { f64::INFINITY } else { value.as_f64().unwrap() }
}

#[test]
fn stamps_bound_the_servers_clock() {
    let cases = cases("clock/stamps.ndjson");
    for case in &cases {
        let name = &case["name"];
        let mut clock = Clock::default();
        for step in case["steps"].as_array().unwrap() {
            let at = |part: &str, key: &str| Millis(step[part][key].as_f64().unwrap());
            if step["push"].is_object() {
                clock.observe_push(at("push", "server"), at("push", "local"));
            } else {
                clock.observe_reply(at("reply", "server"), at("reply", "sent"), at("reply", "received"));
            }
        }
        let expect = &case["expect"];
        let found = clock.read(Millis(expect["at"].as_f64().unwrap_or(0.0)));
        assert_eq!(found.is_none(), expect.is_null(), "{name}");
        let Some(Reading { now, error_ms, .. }) = found else { continue };
        assert!((now.0 - number(&expect["now"])).abs() < 0.05, "{name}: {now:?}");
        let error = number(&expect["errorMs"]);
        assert!(error_ms == error || (error_ms - error).abs() < 0.06, "{name}: ± {error_ms}");
    }
    assert_eq!(cases.len(), 11);
}

#[test]
fn what_hangs_on_the_clock_is_doubted_with_it() {
    let cases = cases("clock/verdicts.ndjson");
    for case in &cases {
        let name = &case["name"];
        let row: RunRow = serde_json::from_value(case["row"].clone()).unwrap();
        let mut input = DeriveRunStateInput::new(&row, Millis(case["now"].as_f64().unwrap()));
        input.pending_timer =
            case["timerAtMs"].as_f64().map(|fires_at_ms| PendingTimer::new("nap", fires_at_ms));
        input.timer_overdue_grace_ms = Some(GRACE_MS);
        input.clock_error_ms = Some(number(&case["errorMs"]));
        let derived = derive_run_state(&input).unwrap();
        let expect = &case["expect"];
        assert_eq!(expect["state"], derived.view.state.as_str(), "{name}");
        let unhealthy = derived.view.unhealthy.as_ref().map(ReasonUnhealthy::kind);
        assert_eq!(expect["unhealthy"], serde_json::json!(unhealthy), "{name}");
        let inputs = derived.evidence.inputs.iter();
        let decisive: Vec<Signal> = inputs.filter(|input| input.decisive).map(|input| input.name).collect();
        assert_eq!(expect["decisive"], serde_json::json!(decisive), "{name}");
    }
    let unknown = cases.iter().filter(|case| case["expect"]["state"] == "unknown").count();
    assert_eq!((cases.len(), unknown), (27, 9));
}

fn words(row: &str, now: Millis, error_ms: f64) -> (String, String, String) {
    let row = read_run(row).unwrap();
    let run = RunInspection::from_row(&row, "runs.get", Reading::new(now, error_ms));
    let shown = answer(&run, &Freshness::Live { read_at: now }, now);
    (text(&shown.sentence), text(&shown.meta), text(&shown.because))
}

#[test]
fn doubt_is_told_in_words() {
    let now = Millis::parse_iso("2026-11-21T14:06:08.000Z").unwrap();
    let row = |heartbeat: f64| {
        format!(r#"{{"runId":"r1","status":"running","runtimeOwnerId":"pid:4","heartbeatAtMs":{heartbeat}}}"#)
    };
    let (sentence, meta, because) = words(&row(now.0 + 540_000.0), now, 40_000.0);
    assert_eq!(sentence, "Ages cannot be trusted, so no state is named.");
    assert_eq!(meta, "The last heartbeat lies 9 min in the future.");
    let expected = "Why: last heartbeat 9 min ahead of the clock, limit 5 s (runs.get, 14:06:08Z)";
    assert_eq!(because, expected);
    let (sentence, meta, because) = words(&row(now.0 - 20_000.0), now, 40_000.0);
    assert_eq!(sentence, "Ages cannot be trusted, so no state is named.");
    assert_eq!(meta, "");
    let expected = "Why: last heartbeat 20 s ago, limit 30 s, server clock: ± 40 s, limit 5 s \
                    (runs.get, 14:06:08Z)";
    assert_eq!(because, expected);
    let (sentence, _, because) = words(&row(now.0 - 20_000.0), now, f64::INFINITY);
    assert_eq!(sentence, "Ages cannot be trusted, so no state is named.");
    assert!(because.contains("server clock: ± unknown time, limit 5 s"), "{because}");
    let (sentence, ..) = words(&row(now.0 - 20_000.0), now, 5_000.0);
    assert_eq!(sentence, "Running.");
    let (sentence, ..) = words(r#"{"runId":"r1","status":"running"}"#, now, 40_000.0);
    assert_eq!(sentence, "Not enough is known to name a state.");
}

#[test]
fn a_number_that_is_no_time_is_no_sign_of_life() {
    let now = Millis::parse_iso("2026-11-21T14:06:08.000Z").unwrap();
    let sentence = |columns: &str| {
        let row = format!(r#"{{"runId":"r1","status":"running","runtimeOwnerId":"pid:4",{columns}}}"#);
        words(&row, now, 0.0).0
    };
    for at in ["8640000000000001", "1e16", "1e300"] {
        for column in ["heartbeatAtMs", "startedAtMs"] {
            let columns = format!(r#""{column}":{at}"#);
            assert_eq!(sentence(&columns), "Not enough is known to name a state.", "{columns}");
        }
    }
    // The later of the two decides.
    let decided = format!(r#""startedAtMs":-1e300,"heartbeatAtMs":{}"#, now.0 - 1000.0);
    assert_eq!(sentence(&decided), "Running.");
}

#[test]
fn the_challenge_answers_the_opening_of_the_socket() {
    let options = ClientOptions::new("ws://127.0.0.1:7331", 1);
    let mut feed = Client::new(options, Millis(100.0));
    feed.handle(ClientInput::Opened, Millis(130.0));
    let challenge = r#"{"type":"event","event":"connect.challenge","payload":{"nonce":"n","ts":1795269968000},"seq":1,"stateVersion":1,"apiVersion":"v1"}"#;
    feed.handle(ClientInput::Text(challenge), Millis(140.0));
    assert_eq!(feed.clock().error_ms(), Some(20.5), "it was stamped within these 40 ms");
    let tick = r#"{"type":"event","event":"tick","payload":{"ts":1795269969000},"seq":2,"stateVersion":1,"apiVersion":"v1"}"#;
    feed.handle(ClientInput::Text(tick), Millis(1240.0));
    assert!(feed.clock().error_ms().unwrap() <= 20.6, "a late tick teaches nothing");
}

fn row(status: &str, heartbeat: Option<f64>, started: Option<f64>, owner: Option<&str>) -> RunRow {
    serde_json::from_value(serde_json::json!({
        "runId": "r1", "status": status, "heartbeatAtMs": heartbeat, "startedAtMs": started,
        "runtimeOwnerId": owner,
    }))
    .unwrap()
}

/// A whole number of milliseconds, so that moving it is exact.
fn whole(range: std::ops::Range<i64>) -> impl Strategy<Value = f64> {
    range.prop_map(|ms| ms as f64)
}

const STATUSES: [&str; 9] = [
    "running",
    "waiting-approval",
    "waiting-event",
    "waiting-timer",
    "waiting-quota",
    "paused",
    "finished",
    "failed",
    "hibernating",
];

prop_compose! {
    /// A time near 2023 and an offset to move it by.
    fn shift()(now in whole(1_600_000_000_000..1_800_000_000_000), by in whole(-1_000_000_000_000..1_000_000_000_000))
        -> (f64, f64) { (now, by) }
}

proptest! {
    /// Shifting both clocks together never changes a state.
    #[test]
    fn no_state_depends_on_what_time_it_is(
        (now, by) in shift(),
        status in prop::sample::select(&STATUSES[..]),
        heartbeat in prop::option::of(whole(-120_000..60_000)),
        started in prop::option::of(whole(-120_000..60_000)),
        timer in whole(-120_000..60_000),
        owner in prop::option::of(Just("pid:41")),
        error_ms in prop_oneof![Just(0.0), Just(f64::INFINITY), whole(0..100_000)],
    ) {
        let derive = |now: f64| {
            let row = row(status, heartbeat.map(|ms| now + ms), started.map(|ms| now + ms), owner);
            let mut input = DeriveRunStateInput::new(&row, Millis(now));
            input.pending_timer = Some(PendingTimer::new("nap", now + timer));
            input.timer_overdue_grace_ms = Some(GRACE_MS);
            input.clock_error_ms = Some(error_ms);
            let view = derive_run_state(&input).unwrap().view;
            let kinds = (view.blocked.map(|reason| reason.kind().to_owned()),
                view.unhealthy.map(|reason| reason.kind().to_owned()));
            (view.state, kinds)
        };
        prop_assert_eq!(derive(now), derive(now + by));
    }

    /// Like the property above, through the clock itself: moving the server's timestamps, or the local count, moves only the
    /// reading.
    #[test]
    fn readings_move_with_their_clocks(
        (base, server_by) in shift(),
        local_by in whole(-1_000_000_000..1_000_000_000),
        waits in prop::collection::vec((0..2_000_i64, 0..2_000_i64, any::<bool>()), 1..12),
    ) {
        let read = |server_by: f64, local_by: f64| {
            let (mut clock, mut local) = (Clock::default(), 0.0);
            for (there, back, pushed) in &waits {
                let (sent, received) = (local, local + (there + back) as f64);
                let stamp = Millis(base + local + *there as f64 + server_by);
                if *pushed {
                    clock.observe_push(stamp, Millis(received + local_by));
                } else {
                    clock.observe_reply(stamp, Millis(sent + local_by), Millis(received + local_by));
                }
                local = received + 1000.0;
            }
            clock.read(Millis(local + local_by)).unwrap()
        };
        let (plain, moved) = (read(0.0, 0.0), read(server_by, local_by));
        prop_assert!((moved.now.0 - plain.now.0 - server_by).abs() < 0.01, "{plain:?} {moved:?}");
        prop_assert!(plain.error_ms == moved.error_ms || (plain.error_ms - moved.error_ms).abs() < 0.01);
    }

    /// The error contains the true offset, however long the delays are.
    #[test]
    fn the_error_bar_holds_the_truth(
        offset in whole(-1_000_000_000..1_000_000_000),
        waits in prop::collection::vec((0..5_000_i64, 0..5_000_i64), 1..12),
    ) {
        let (mut clock, mut local) = (Clock::default(), 0.0);
        for (there, back) in waits {
            let received = local + (there + back) as f64;
            clock.observe_reply(Millis(local + there as f64 + offset), Millis(local), Millis(received));
            local = received + 500.0;
        }
        let reading = clock.read(Millis(local)).unwrap();
        prop_assert!((reading.now.0 - local - offset).abs() <= reading.error_ms + 0.001, "{reading:?}");
    }

    /// A doubted answer is never another known state: it is the exact clock's answer, or unknown.
    #[test]
    fn doubt_never_names_another_state(
        (now, _) in shift(),
        status in prop::sample::select(&STATUSES[..]),
        heartbeat in prop::option::of(whole(-120_000..60_000)),
        error_ms in whole(0..100_000),
    ) {
        let row = row(status, heartbeat.map(|ms| now + ms), None, None);
        let mut input = DeriveRunStateInput::new(&row, Millis(now));
        let sure = derive_run_state(&input).unwrap();
        input.clock_error_ms = Some(error_ms);
        let doubted = derive_run_state(&input).unwrap();
        prop_assert!(doubted.view.state == sure.view.state || doubted.view.state.as_str() == "unknown");
        prop_assert!(doubted.view.unhealthy.is_none() || doubted.view.unhealthy == sure.view.unhealthy);
        prop_assert!(doubted.evidence.inputs.iter().any(|input| input.decisive));
    }
}
