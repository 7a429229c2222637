//! Tests that the order of statements does not depend on the server's clock, which may be set while a page is observed.

use super::{START, answer_at, at, event, state, traffic};
use crate::ingest::traffic::Entry;
use crate::smithers::wire::RunState;
use crate::time::Millis;

const TEN_MINUTES: f64 = 600_000.0;

/// The answer to `getRun`, received at `ms`, whose state the server computed at `ahead_ms` later by its own clock.
fn get_run(ms: f64, state: &str, ahead_ms: f64) -> Entry {
    get_slowly(ms, ms, state, ahead_ms)
}

fn get_slowly(asked: f64, ms: f64, state: &str, ahead_ms: f64) -> Entry {
    let computed_at = at(ms + ahead_ms).to_iso().unwrap();
    let view = format!(r#"{{"runId":"r1","computedAt":"{computed_at}","state":"{state}"}}"#);
    let row = format!(r#"{{"runId":"r1","status":"running","heartbeatAtMs":{START},"runState":{view}}}"#);
    answer_at(asked, ms, "getRun", &row)
}

fn list(ms: f64, status: &str) -> Entry {
    answer_at(ms, ms, "listRuns", &format!(r#"[{{"runId":"r1","status":"{status}"}}]"#))
}

#[test]
fn the_last_answer_counts_although_the_servers_clock_was_set_back() {
    let cases = [
        vec![get_run(0.0, "failed", TEN_MINUTES), get_run(1000.0, "waiting-approval", 0.0)],
        vec![get_run(0.0, "failed", 0.0), get_run(1000.0, "waiting-approval", -TEN_MINUTES)],
        // The first answer has no time: it was read by the viewer's clock.
        vec![list(0.0, "failed"), get_run(1000.0, "waiting-approval", -TEN_MINUTES)],
        vec![
            get_run(0.0, "running", TEN_MINUTES),
            event(10.0, 1, "run.completed", r#"{"runId":"r1","status":"failed"}"#),
            get_run(1000.0, "waiting-approval", 0.0),
        ],
        // The estimate of the clock becomes more exact.
        vec![get_slowly(0.0, 4000.0, "failed", 0.0), get_run(4100.0, "waiting-approval", 0.0)],
    ];
    for entries in cases {
        assert_eq!(state(&traffic(entries.clone()), "r1"), Some(RunState::WaitingApproval), "{entries:?}");
    }
}

#[test]
fn a_body_that_is_read_late_stays_older_although_the_servers_clock_was_set() {
    for ahead in [-TEN_MINUTES, 0.0, TEN_MINUTES] {
        let entries = [get_run(2000.0, "waiting-approval", ahead), get_run(1000.0, "failed", 0.0)];
        assert_eq!(state(&traffic(entries), "r1"), Some(RunState::WaitingApproval), "{ahead}");
    }
}

#[test]
fn a_state_has_the_same_age_after_the_servers_clock_was_set() {
    for ahead in [-TEN_MINUTES, TEN_MINUTES] {
        let tick = |ms: f64, ahead: f64| event(ms, 1, "tick", &format!(r#"{{"ts":{}}}"#, START + ms + ahead));
        let traffic = traffic([get_run(0.0, "waiting-approval", ahead), tick(5000.0, 2.0 * ahead)]);
        let server = &traffic.servers()[0];
        let (last, state_at, _) = server.times(0);
        let age = |since: Option<Millis>| server.now(at(5000.0)).since(since.unwrap()).round();
        assert_eq!((age(last), age(state_at)), (5000.0, 5000.0), "{ahead}");
    }
}
