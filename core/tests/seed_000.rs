//! Seed 000's table, row by row, with every option at its default, and the evidence of each answer.

use runstate::evidence::{Evidence, Signal, Value};
use runstate::smithers::derive::{
    Derivation, DeriveRunStateInput, ParkedEventBlock, PendingApproval, PendingEvent, PendingTimer,
    derive_run_state,
};
use runstate::smithers::wire::{ReasonUnhealthy, RunRow, RunState};
use runstate::time::Millis;

const NOW: Millis = Millis(1_700_000_000_000.0);
const FRESH: f64 = 1_699_999_970_000.0;
const STALE: f64 = 1_699_999_969_999.0;

fn row(json: &str) -> RunRow {
    serde_json::from_str(&format!(r#"{{"runId":"r1",{json}}}"#)).unwrap()
}

fn derive(row: &RunRow) -> Derivation {
    derive_run_state(&DeriveRunStateInput::new(row, NOW)).unwrap()
}

fn state(json: &str) -> RunState {
    derive(&row(json)).view.state.known().unwrap()
}

fn decisive(evidence: &Evidence) -> Vec<Signal> {
    evidence.inputs.iter().filter(|input| input.decisive).map(|input| input.name).collect()
}

#[test]
fn the_status_column_maps_as_the_table_says() {
    for (status, expected) in [
        ("waiting-approval", RunState::WaitingApproval),
        ("waiting-event", RunState::WaitingEvent),
        ("waiting-timer", RunState::WaitingTimer),
        ("waiting-quota", RunState::WaitingQuota),
        ("paused", RunState::Paused),
        ("finished", RunState::Succeeded),
        ("continued", RunState::Succeeded),
        ("failed", RunState::Failed),
        ("cancelled", RunState::Cancelled),
    ] {
        let json = format!(r#""status":"{status}","heartbeatAtMs":1"#);
        assert_eq!(state(&json), expected, "{status}");
        assert_eq!(decisive(&derive(&row(&json)).evidence), [Signal::RunRowStatus], "{status}");
    }
}

#[test]
fn a_missing_or_unknown_status_is_unknown() {
    for status in
        ["RUNNING", "canceled", "running ", "", "succeeded", "stale", "recovering", "unknown", "__proto__"]
    {
        assert_eq!(
            state(&format!(r#""status":"{status}","heartbeatAtMs":{FRESH}"#)),
            RunState::Unknown,
            "{status}"
        );
    }
    let missing = derive(&row(&format!(r#""status":null,"heartbeatAtMs":{FRESH}"#)));
    assert_eq!(missing.view.state.known(), Some(RunState::Unknown));
    assert_eq!(missing.evidence.inputs[0].value, Value::Absent);
    assert_eq!(decisive(&missing.evidence), [Signal::RunRowStatus]);
}

#[test]
fn a_fresh_run_is_running() {
    for (signals, decider) in [
        (format!(r#""heartbeatAtMs":{FRESH}"#), Signal::EngineHeartbeat),
        (format!(r#""startedAtMs":{FRESH}"#), Signal::StartTime),
        (format!(r#""startedAtMs":{STALE},"heartbeatAtMs":{FRESH}"#), Signal::EngineHeartbeat),
        (format!(r#""startedAtMs":{FRESH},"heartbeatAtMs":{STALE}"#), Signal::StartTime),
        (format!(r#""startedAtMs":{FRESH},"heartbeatAtMs":{FRESH}"#), Signal::EngineHeartbeat),
        (r#""heartbeatAtMs":1800000000000"#.to_owned(), Signal::EngineHeartbeat),
    ] {
        let answer = derive(&row(&format!(r#""status":"running",{signals}"#)));
        assert_eq!(answer.view.state.known(), Some(RunState::Running), "{signals}");
        assert_eq!(answer.view.unhealthy, None, "{signals}");
        assert_eq!(decisive(&answer.evidence), [decider], "{signals}");
    }
}

#[test]
fn a_silent_run_is_stale_with_an_owner_and_orphaned_without() {
    for (owner, expected) in [
        (r#""pid:41:abc""#, RunState::Stale),
        (r#""supervisor""#, RunState::Stale),
        (r#"" ""#, RunState::Stale),
        (r#""""#, RunState::Orphaned),
        ("null", RunState::Orphaned),
    ] {
        let row = row(&format!(r#""status":"running","heartbeatAtMs":{STALE},"runtimeOwnerId":{owner}"#));
        let answer = derive(&row);
        assert_eq!(answer.view.state.known(), Some(expected), "{owner}");
        let last_heartbeat_at = "2023-11-14T22:12:49.999Z".to_owned();
        assert_eq!(answer.view.unhealthy, Some(ReasonUnhealthy::EngineHeartbeatStale { last_heartbeat_at }));
        assert_eq!(decisive(&answer.evidence), [Signal::EngineHeartbeat, Signal::Owner], "{owner}");
        assert_eq!(answer.evidence.inputs[1].limit_ms, Some(30_000.0));
    }
}

#[test]
fn a_run_without_any_sign_of_life_is_unknown() {
    for signals in
        ["", r#","heartbeatAtMs":null"#, r#","heartbeatAtMs":0,"startedAtMs":0"#, r#","heartbeatAtMs":-5"#]
    {
        let answer = derive(&row(&format!(r#""status":"running","runtimeOwnerId":"pid:41"{signals}"#)));
        assert_eq!(answer.view.state.known(), Some(RunState::Unknown), "{signals}");
        assert_eq!(decisive(&answer.evidence), [Signal::EngineHeartbeat, Signal::StartTime]);
    }
}

#[test]
fn the_probe_counts_only_when_it_is_given() {
    let row = row(&format!(r#""status":"running","heartbeatAtMs":{STALE},"runtimeOwnerId":"pid:41""#));
    for (alive, expected) in [(true, RunState::Stale), (false, RunState::Orphaned)] {
        let probe = |pid: f64| alive && pid == 41.0;
        let mut input = DeriveRunStateInput::new(&row, NOW);
        input.is_owner_pid_alive = Some(&probe);
        let answer = derive_run_state(&input).unwrap();
        assert_eq!(answer.view.state.known(), Some(expected));
        assert_eq!(decisive(&answer.evidence), [Signal::EngineHeartbeat, Signal::OwnerProcess]);
    }
    let unprobed = derive(&row).evidence;
    assert_eq!(
        unprobed.inputs.last().map(|input| (input.name, &input.value)),
        Some((Signal::OwnerProcess, &Value::Absent))
    );
}

#[test]
fn a_wait_carries_its_reason_and_the_later_signals_only_when_given() {
    let approval = row(r#""status":"waiting-approval""#);
    let pending_approval = Some(PendingApproval::new("ask", FRESH));
    let mut input = DeriveRunStateInput::new(&approval, NOW);
    input.pending_approval = pending_approval;
    assert_eq!(
        serde_json::to_string(&derive_run_state(&input).unwrap().view).unwrap(),
        r#"{"runId":"r1","computedAt":"2023-11-14T22:13:20.000Z","state":"waiting-approval","blocked":{"kind":"approval","nodeId":"ask","requestedAt":"2023-11-14T22:12:50.000Z"}}"#
    );

    let timer = row(r#""status":"waiting-timer""#);
    let pending_timer = Some(PendingTimer::new("nap", STALE));
    let mut input = DeriveRunStateInput::new(&timer, NOW);
    input.pending_timer = pending_timer;
    assert_eq!(derive_run_state(&input).unwrap().view.unhealthy, None);
    input.timer_overdue_grace_ms = Some(30_000.0);
    let late = derive_run_state(&input).unwrap();
    assert_eq!(late.view.unhealthy.as_ref().map(ReasonUnhealthy::kind), Some("timer-overdue"));
    assert_eq!(decisive(&late.evidence), [Signal::RunRowStatus, Signal::Timer]);

    let event = row(r#""status":"waiting-event""#);
    assert_eq!(derive(&event).view.blocked, None);
    let mut parked = DeriveRunStateInput::new(&event, NOW);
    parked.parked_event_block = Some(ParkedEventBlock::ExternalTrigger);
    let kind = |input: &DeriveRunStateInput| {
        derive_run_state(input).unwrap().view.blocked.map(|reason| reason.kind().to_owned())
    };
    assert_eq!(kind(&parked).as_deref(), Some("external-trigger"));
    let pending_event = Some(PendingEvent::new("hear", "k"));
    parked.pending_event = pending_event;
    assert_eq!(kind(&parked).as_deref(), Some("event"));
}

#[test]
fn a_time_that_javascript_cannot_write_is_an_error() {
    let row = row(r#""status":"running","heartbeatAtMs":-8.7e15,"startedAtMs":-8.7e15"#);
    assert!(derive_run_state(&DeriveRunStateInput::new(&row, Millis(f64::NAN))).is_err());
    assert!(derive_run_state(&DeriveRunStateInput::new(&row, NOW)).is_err());
}
