//! The evidence of a state that the server computed.

use super::derivation::{RUN_STATE_HEARTBEAT_STALE_MS, RunSignals};
use super::inputs::{absent, decisive, event, moment, owner, quota, status, text};
use super::liveness::last_alive;
use super::rule::SERVER_TIMER_GRACE_MS;
use crate::evidence::{Evidence, Input, Signal, Value};
use crate::format;
use crate::smithers::wire::engine_may_be_alive;
use crate::smithers::wire::{ReasonBlocked, ReasonUnhealthy, RunRow, RunState, RunStateView, RunStatus};
use crate::text::concat;
use crate::time::Millis;
use crate::word::Word;

/// The evidence of the server's answer, as far as the answer and the run's row contain it.
///
/// The inputs come from the run's row, if it is known, and from the reasons in the answer. The limits are the
/// server's defaults. `read_from` names the answer's source (`runs.get`); the time of reading is that of the server's
/// computation.
pub(crate) fn explain(view: &RunStateView, row: Option<&RunRow>, read_from: &str) -> Evidence {
    let reason = view.unhealthy.as_ref().and_then(unhealthy_input);
    let mut rest: Vec<Input> = view.blocked.as_ref().and_then(blocked_input).into_iter().collect();
    if let Some(row) = row {
        rest.extend(row_inputs(view, row, reason.is_some()));
    }
    rest.extend(reason.map(decisive));
    if let (Some(row), Some(RunState::Stale | RunState::Orphaned)) = (row, view.state.known()) {
        rest.extend(owners(view, row));
    }
    let mut first =
        vec![Input { value: Value::Word(view.state.as_str().to_owned()), ..absent(Signal::ServerAnswer) }];
    first.extend(row.map(|row| status(row.status.as_ref())));
    if view.blocked.is_some() || !rest.iter().any(|input| input.decisive) {
        // The status is decisive if it leads to the answer.
        let place = usize::from(row.is_some_and(|row| status_leads_to(row, view.state.known())));
        first[place].decisive = true;
    }
    first.extend(rest);
    Evidence { inputs: first, read_from: read_from.to_owned(), read_at: view.computed_time() }
}

/// Whether a run with the row's status can be in this state.
fn status_leads_to(row: &RunRow, state: Option<RunState>) -> bool {
    match (row.status.as_ref().map(Word::known), state) {
        (Some(Some(RunStatus::Running)), Some(state)) => {
            matches!(
                state,
                RunState::Running
                    | RunState::Stale
                    | RunState::Orphaned
                    | RunState::Recovering
                    | RunState::Unknown
            )
        }
        (Some(Some(status)), Some(state)) => status.state() == state,
        (Some(None) | None, state) => state == Some(RunState::Unknown),
        (Some(Some(_)), None) => false,
    }
}

/// The row's signs of life, if the state depends on them and the answer does not contain them.
fn row_inputs(view: &RunStateView, row: &RunRow, has_reason: bool) -> Vec<Input> {
    let status_is_running = row.status.as_ref().and_then(Word::known) == Some(RunStatus::Running);
    let needs_life_signs = match view.state.known() {
        Some(RunState::Stale | RunState::Orphaned | RunState::Recovering) => !has_reason,
        Some(RunState::Running | RunState::Unknown) => status_is_running,
        Some(
            RunState::WaitingApproval
            | RunState::WaitingEvent
            | RunState::WaitingTimer
            | RunState::WaitingQuota
            | RunState::Paused
            | RunState::Failed
            | RunState::Cancelled
            | RunState::Succeeded,
        )
        | None => false,
    };
    if needs_life_signs {
        let mut inputs = Vec::new();
        let last = last_alive(&RunSignals::from(row), RUN_STATE_HEARTBEAT_STALE_MS, &mut inputs);
        let age = last.zip(view.computed_time()).map(|(last, at)| at.0 - last);
        let contradicts = match view.state.known() {
            Some(RunState::Running) => age.is_some_and(|age| age > RUN_STATE_HEARTBEAT_STALE_MS),
            Some(RunState::Stale | RunState::Orphaned) => {
                age.is_some_and(|age| age <= RUN_STATE_HEARTBEAT_STALE_MS)
            }
            Some(_) | None => false,
        };
        // An input that contradicts the answer is not decisive.
        for input in &mut inputs {
            input.decisive &= !contradicts;
        }
        inputs
    } else {
        Vec::new()
    }
}

/// The owner of a run that is not fresh. The server may have probed the owner's process; a reader cannot.
fn owners(view: &RunStateView, row: &RunRow) -> Vec<Input> {
    let owner = owner(row.runtime_owner_id.as_deref());
    if view.state.known() == Some(RunState::Orphaned) && owner.value != Value::Absent {
        let process = text(Signal::OwnerProcess, "not alive, as the server found".to_owned());
        vec![owner, decisive(process)]
    } else if engine_may_be_alive(view, row.runtime_owner_id.as_deref()) {
        let process = text(Signal::OwnerProcess, "not found dead by the server".to_owned());
        vec![decisive(owner), process]
    } else {
        vec![decisive(owner)]
    }
}

fn blocked_input(reason: &ReasonBlocked) -> Option<Input> {
    Some(match reason {
        ReasonBlocked::Approval { requested_at, .. } => iso(Signal::PendingApproval, requested_at, None),
        ReasonBlocked::Event { node_id, correlation_key } => event(node_id, correlation_key),
        ReasonBlocked::Timer { wake_at, .. } => iso(Signal::Timer, wake_at, Some(SERVER_TIMER_GRACE_MS)),
        ReasonBlocked::Provider { node_id, code } => {
            text(Signal::Provider, format!("{code} for node {node_id}"))
        }
        ReasonBlocked::Tool { node_id, tool_name, code } => {
            text(Signal::Tool, format!("{tool_name} responded with {code} for node {node_id}"))
        }
        ReasonBlocked::ApprovalDecidedResumeRequired { node_id } => {
            text(Signal::ParkedRun, format!("node {node_id} is ready to go on"))
        }
        ReasonBlocked::ExternalTrigger => text(Signal::ParkedRun, "no node is ready to go on".to_owned()),
        ReasonBlocked::Quota { quota_blocked_count, reset_at_ms } => {
            quota(*quota_blocked_count, *reset_at_ms)
        }
        ReasonBlocked::Foreign(_) => return None,
    })
}

fn unhealthy_input(reason: &ReasonUnhealthy) -> Option<Input> {
    Some(match reason {
        ReasonUnhealthy::EngineHeartbeatStale { last_heartbeat_at } => {
            iso(Signal::EngineHeartbeat, last_heartbeat_at, Some(RUN_STATE_HEARTBEAT_STALE_MS))
        }
        ReasonUnhealthy::TimerOverdue { overdue_ms, .. } => {
            text(Signal::TimerOverdue, concat(&[&format::duration(overdue_ms.0), " when the server looked"]))
        }
        ReasonUnhealthy::UiHeartbeatStale { last_seen_at } => iso(Signal::ViewerFeed, last_seen_at, None),
        ReasonUnhealthy::DbLock => text(Signal::Database, "locked".to_owned()),
        ReasonUnhealthy::SandboxUnreachable => Input {
            limit_ms: Some(RUN_STATE_HEARTBEAT_STALE_MS),
            ..text(Signal::SandboxHeartbeat, "silent for longer than the limit".to_owned())
        },
        ReasonUnhealthy::SupervisorBackoff { attempt, next_at } => {
            text(Signal::Supervisor, format!("tries again at {next_at}, try {}", attempt.to_text()))
        }
        ReasonUnhealthy::Foreign(_) => return None,
    })
}

/// A time in the answer; an invalid one is shown as text.
fn iso(name: Signal, at: &str, limit_ms: Option<f64>) -> Input {
    match Millis::parse_iso(at) {
        Some(at) => moment(name, at, limit_ms),
        None => Input { limit_ms, ..text(name, at.to_owned()) },
    }
}

#[cfg(test)]
mod tests {
    use super::explain;
    use crate::evidence::{Evidence, Signal, Value};
    use crate::smithers::wire::{RunRow, RunStateView, read_run};
    use crate::time::Millis;

    /// The name and value of the decisive input for an answer with this reason.
    fn decisive(reason: &str) -> (Signal, Value) {
        let view = format!(
            r#"{{"runId":"r","computedAt":"2026-11-21T14:06:08.000Z","state":"stale","unhealthy":{reason}}}"#
        );
        let evidence = explain(&RunStateView::from_json(&view).unwrap(), None, "runs.get");
        let input = evidence.inputs.into_iter().find(|input| input.decisive).unwrap();
        (input.name, input.value)
    }

    /// The inputs of the server's answer, reconstructed from the row: names and values.
    fn decided(status: &str, state: &str, heartbeat_at: &str) -> Vec<String> {
        let row = read_run(&format!(
            r#"{{"runId":"r","status":"{status}","heartbeatAtMs":{heartbeat_at},"runtimeOwnerId":"pid:41",
            "runState":{{"runId":"r","computedAt":"2023-11-14T22:13:20.000Z","state":"{state}"}}}}"#
        ))
        .unwrap();
        let evidence = explain(row.run_state.as_ref().unwrap(), Some(&row), "getRun");
        let decisive = evidence.inputs.into_iter().filter(|input| input.decisive);
        decisive
            .map(|input| match input.value {
                Value::Word(word) => format!("{} {word}", input.name),
                Value::Absent | Value::Text(_) | Value::Time(_) => input.name.to_string(),
            })
            .collect()
    }

    #[test]
    fn contradicting_inputs_are_not_decisive() {
        let (fresh, old) = ("1700000000000", "1699999000000");
        for (status, state, heartbeat_at, expected) in [
            ("running", "running", fresh, "engine heartbeat"),
            ("running", "stale", old, "engine heartbeat"),
            ("finished", "succeeded", old, "run row status finished"),
            ("continued", "succeeded", old, "run row status continued"),
            ("waiting-approval", "waiting-approval", old, "run row status waiting-approval"),
            ("banana", "unknown", old, "run row status banana"),
            // The row and the server disagree.
            ("running", "succeeded", fresh, "server's response succeeded"),
            ("running", "waiting-approval", fresh, "server's response waiting-approval"),
            ("finished", "running", fresh, "server's response running"),
            ("waiting-event", "waiting-timer", fresh, "server's response waiting-timer"),
            ("banana", "succeeded", fresh, "server's response succeeded"),
            ("finished", "banana", fresh, "server's response banana"),
            // An expired heartbeat was not decisive either.
            ("running", "running", old, "run row status running"),
        ] {
            let found = decided(status, state, heartbeat_at);
            assert_eq!(found.first().map(String::as_str), Some(expected), "{status} {state} {found:?}");
        }
        // A run is stale without a fresh heartbeat; its owner is listed too.
        assert!(!decided("running", "stale", fresh).contains(&"engine heartbeat".to_owned()));
    }

    #[test]
    fn a_reason_becomes_the_input_of_its_kind() {
        let text = |text: &str| Value::Text(text.to_owned());
        for (reason, name, value) in [
            (
                r#"{"kind":"timer-overdue","wakeAt":"2026-11-21T14:00:00.000Z","overdueMs":368000}"#,
                Signal::TimerOverdue,
                text("6 min 08 s when the server looked"),
            ),
            (
                r#"{"kind":"timer-overdue","wakeAt":"2026-11-21T14:06:07.940Z","overdueMs":60}"#,
                Signal::TimerOverdue,
                text("60 ms when the server looked"),
            ),
            (
                r#"{"kind":"supervisor-backoff","attempt":3,"nextAt":"soon"}"#,
                Signal::Supervisor,
                text("tries again at soon, try 3"),
            ),
            (
                r#"{"kind":"sandbox-unreachable"}"#,
                Signal::SandboxHeartbeat,
                text("silent for longer than the limit"),
            ),
            (r#"{"kind":"db-lock"}"#, Signal::Database, text("locked")),
            (r#"{"kind":"ui-heartbeat-stale","lastSeenAt":"noon"}"#, Signal::ViewerFeed, text("noon")),
        ] {
            assert_eq!(decisive(reason), (name, value), "{reason}");
        }
        // For an unknown reason, the answer itself is the evidence.
        assert_eq!(
            decisive(r#"{"kind":"solar-flare"}"#),
            (Signal::ServerAnswer, Value::Word("stale".to_owned()))
        );
    }

    const NOW: Millis = Millis(1_700_000_000_000.0);
    const FRESH: f64 = 1_699_999_970_000.0;
    const STALE: f64 = 1_699_999_969_999.0;

    fn row(fields: &str) -> RunRow {
        read_run(&format!(r#"{{"runId":"r1",{fields}}}"#)).unwrap()
    }

    fn decisive_signals(evidence: &Evidence) -> Vec<Signal> {
        evidence.inputs.iter().filter(|input| input.decisive).map(|input| input.name).collect()
    }

    fn explained(view: &str, row: Option<&RunRow>) -> Evidence {
        let view: RunStateView = serde_json::from_str(&format!(
            r#"{{"runId":"r1","computedAt":"2023-11-14T22:13:20.000Z",{view}}}"#
        ))
        .unwrap();
        explain(&view, row, "runs.get")
    }

    #[test]
    fn the_servers_answer_is_explained_by_what_it_says() {
        let stale = r#""state":"stale","unhealthy":{"kind":"engine-heartbeat-stale","lastHeartbeatAt":"2023-11-14T22:12:49.999Z"}"#;
        let evidence = explained(stale, None);
        assert_eq!((evidence.read_from.as_str(), evidence.read_at), ("runs.get", Some(NOW)));
        assert_eq!(decisive_signals(&evidence), [Signal::EngineHeartbeat]);
        assert_eq!(evidence.inputs[1].at, Some(Millis(STALE)));
        assert_eq!(decisive_signals(&explained(r#""state":"succeeded""#, None)), [Signal::ServerAnswer]);
        assert_eq!(decisive_signals(&explained(r#""state":"hibernating""#, None)), [Signal::ServerAnswer]);
        let unhealthy = r#""state":"running","unhealthy":{"kind":"sandbox-unreachable"}"#;
        assert_eq!(decisive_signals(&explained(unhealthy, None)), [Signal::SandboxHeartbeat]);
        let foreign = explained(r#""state":"stale","unhealthy":{"kind":"moonlight"}"#, None);
        assert_eq!(decisive_signals(&foreign), [Signal::ServerAnswer]);
    }

    #[test]
    fn a_row_beside_the_servers_answer_adds_its_fields() {
        let running =
            row(&format!(r#""status":"running","heartbeatAtMs":{FRESH},"runtimeOwnerId":"pid:41""#));
        assert_eq!(
            decisive_signals(&explained(r#""state":"running""#, Some(&running))),
            [Signal::EngineHeartbeat]
        );
        let stale = r#""state":"STATE","unhealthy":{"kind":"engine-heartbeat-stale","lastHeartbeatAt":"2023-11-14T22:12:49.999Z"}"#;
        assert_eq!(
            decisive_signals(&explained(&stale.replace("STATE", "stale"), Some(&running))),
            [Signal::EngineHeartbeat, Signal::Owner]
        );
        assert_eq!(
            decisive_signals(&explained(&stale.replace("STATE", "orphaned"), Some(&running))),
            [Signal::EngineHeartbeat, Signal::OwnerProcess]
        );
        let finished = row(r#""status":"finished""#);
        assert_eq!(
            decisive_signals(&explained(r#""state":"succeeded""#, Some(&finished))),
            [Signal::RunRowStatus]
        );
        assert_eq!(
            decisive_signals(&explained(r#""state":"hibernating""#, Some(&finished))),
            [Signal::ServerAnswer]
        );
        let waiting = r#""state":"waiting-timer","blocked":{"kind":"timer","nodeId":"n","wakeAt":"soon"}"#;
        let evidence = explained(waiting, Some(&row(r#""status":"waiting-timer""#)));
        assert_eq!(decisive_signals(&evidence), [Signal::RunRowStatus]);
        assert_eq!(evidence.inputs[2].value, Value::Text("soon".into()));
    }
}
