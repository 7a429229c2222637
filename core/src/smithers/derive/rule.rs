//! Derives a run's state from its row and the pending signals (seed 000).

use super::clock_error::remove_uncertain;
use super::derivation::{Derivation, DeriveRunStateInput, Finding};
use super::inputs;
use super::inputs::{NoRecorder, Recorder};
use super::liveness::classify_running;
use super::pending::{ParkedEventBlock, PendingEvent};
use crate::evidence::{Evidence, Signal};
use crate::number::Number;
use crate::smithers::wire::read_quota;
use crate::smithers::wire::{ReasonBlocked, ReasonUnhealthy, RunState, RunStateView, RunStatus};
use crate::time::{InvalidTime, Millis};
use crate::word::Word;

/// The grace of Smithers 0.32 for timers, milliseconds (protocol section 4).
pub(super) const SERVER_TIMER_GRACE_MS: f64 = 30_000.0;

/// Whether a timer that was due at `due` is overdue by the server's grace, for callers that have no grace of their own.
pub(crate) fn is_timer_overdue(due: Millis, now: Millis) -> bool {
    now.since(due) > SERVER_TIMER_GRACE_MS
}

/// The default source in the evidence.
pub(crate) const DEFAULT_SOURCE: &str = "run row";

/// Derives a run's state from its row and the pending signals.
///
/// # Errors
/// [`InvalidTime`] if `now`, or a time in the answer, is outside JavaScript's range.
///
/// ```
/// use runstate::smithers::derive::{DeriveRunStateInput, derive_run_state};
/// use runstate::smithers::wire::{RunRow, RunState};
/// use runstate::time::Millis;
///
/// let row: RunRow = serde_json::from_str(
///     r#"{"runId":"r1","status":"running","heartbeatAtMs":1700000000000,"runtimeOwnerId":"pid:41"}"#,
/// ).unwrap();
/// let fresh = derive_run_state(&DeriveRunStateInput::new(&row, Millis(1_700_000_030_000.0)))?;
/// assert_eq!(fresh.view.state.known(), Some(RunState::Running));
/// let late = derive_run_state(&DeriveRunStateInput::new(&row, Millis(1_700_000_030_001.0)))?;
/// assert_eq!(late.view.state.known(), Some(RunState::Stale));
/// # Ok::<(), runstate::time::InvalidTime>(())
/// ```
pub fn derive_run_state(input: &DeriveRunStateInput) -> Result<Derivation, InvalidTime> {
    let mut inputs = vec![inputs::status(input.run.status)];
    let (view, state) = derive_view(input, &mut inputs)?;
    // For a waiting run the status is decisive; for others it is decisive unless a signal was.
    inputs[0].decisive = is_waiting(state) || !inputs.iter().any(|input| input.decisive);
    let mut derived = Derivation {
        view,
        evidence: Evidence {
            inputs,
            read_from: input.read_from.unwrap_or(DEFAULT_SOURCE).to_owned(),
            read_at: Some(input.now),
        },
    };
    if let Some(error_ms) = input.clock_error_ms {
        remove_uncertain(&mut derived, input.now, error_ms);
    }
    Ok(derived)
}

/// The state of [`derive_run_state`] without its evidence, for many runs at once.
///
/// # Errors
/// [`InvalidTime`] in the cases of [`derive_run_state`].
pub fn derive_run_state_view(input: &DeriveRunStateInput) -> Result<RunStateView, InvalidTime> {
    if input.clock_error_ms.is_some() {
        return Ok(derive_run_state(input)?.view);
    }
    Ok(derive_view(input, &mut NoRecorder)?.0)
}

fn derive_view(
    input: &DeriveRunStateInput,
    recorder: &mut impl Recorder,
) -> Result<(RunStateView, RunState), InvalidTime> {
    let computed_at = Some(input.now.to_iso()?);
    let Finding { state, blocked, unhealthy } = apply_rule(input, recorder)?;
    let run_id = input.run.run_id.to_owned();
    Ok((RunStateView { run_id, computed_at, state: state.into(), blocked, unhealthy }, state))
}

/// Applies the rule. `recorder` receives the inputs that it reads after the status.
pub(crate) fn apply_rule(
    input: &DeriveRunStateInput,
    recorder: &mut impl Recorder,
) -> Result<Finding, InvalidTime> {
    let Some(status) = input.run.status.and_then(Word::known) else {
        return Ok(RunState::Unknown.into());
    };
    match status {
        RunStatus::Finished | RunStatus::Continued => Ok(RunState::Succeeded.into()),
        RunStatus::Failed => Ok(RunState::Failed.into()),
        RunStatus::Cancelled => Ok(RunState::Cancelled.into()),
        RunStatus::Paused => Ok(RunState::Paused.into()),
        RunStatus::WaitingApproval => waiting_approval(input, recorder),
        RunStatus::WaitingTimer => waiting_timer(input, recorder),
        RunStatus::WaitingEvent => Ok(waiting_event(input, recorder)),
        RunStatus::WaitingQuota => Ok(waiting_quota(input, recorder)),
        RunStatus::Running => classify_running(input, recorder),
    }
}

fn waiting_approval(
    input: &DeriveRunStateInput,
    recorder: &mut impl Recorder,
) -> Result<Finding, InvalidTime> {
    let mut finding = Finding::from(RunState::WaitingApproval);
    let Some(approval) = &input.pending_approval else {
        recorder.record(|| inputs::absent(Signal::PendingApproval));
        return Ok(finding);
    };
    let requested_at = Millis(approval.requested_at_ms);
    recorder.record(|| inputs::moment(Signal::PendingApproval, requested_at, None));
    finding.blocked = Some(ReasonBlocked::Approval {
        node_id: approval.node_id.clone(),
        requested_at: requested_at.to_iso()?,
    });
    Ok(finding)
}

fn waiting_timer(input: &DeriveRunStateInput, recorder: &mut impl Recorder) -> Result<Finding, InvalidTime> {
    let mut finding = Finding::from(RunState::WaitingTimer);
    let Some(timer) = &input.pending_timer else {
        recorder.record(|| inputs::absent(Signal::Timer));
        return Ok(finding);
    };
    let fires_at = Millis(timer.fires_at_ms);
    let wake_at = fires_at.to_iso()?;
    let overdue_ms = input.now.since(fires_at);
    let grace = input.timer_overdue_grace_ms;
    // With a grace of NaN, as in the released JavaScript, no timer is in time.
    let in_time = grace.is_none_or(|grace| overdue_ms <= grace);
    recorder.record(|| inputs::decisive_if(!in_time, inputs::moment(Signal::Timer, fires_at, grace)));
    if !in_time {
        let overdue_ms = Number(overdue_ms.floor());
        finding.unhealthy = Some(ReasonUnhealthy::TimerOverdue { wake_at: wake_at.clone(), overdue_ms });
    }
    finding.blocked = Some(ReasonBlocked::Timer { node_id: timer.node_id.clone(), wake_at });
    Ok(finding)
}

fn waiting_event(input: &DeriveRunStateInput, recorder: &mut impl Recorder) -> Finding {
    let mut finding = Finding::from(RunState::WaitingEvent);
    match (&input.pending_event, &input.parked_event_block) {
        (Some(PendingEvent { node_id, correlation_key }), _) => {
            recorder.record(|| inputs::event(node_id, correlation_key));
            let (node_id, correlation_key) = (node_id.clone(), correlation_key.clone());
            finding.blocked = Some(ReasonBlocked::Event { node_id, correlation_key });
        }
        (None, Some(ParkedEventBlock::ApprovalDecidedResumeRequired { node_id })) => {
            recorder.record(|| inputs::absent(Signal::Event));
            recorder.record(|| inputs::text(Signal::ParkedRun, format!("node {node_id} is ready to go on")));
            let node_id = node_id.clone();
            finding.blocked = Some(ReasonBlocked::ApprovalDecidedResumeRequired { node_id });
        }
        (None, Some(ParkedEventBlock::ExternalTrigger)) => {
            recorder.record(|| inputs::absent(Signal::Event));
            recorder.record(|| inputs::text(Signal::ParkedRun, "no node is ready to go on".to_owned()));
            finding.blocked = Some(ReasonBlocked::ExternalTrigger);
        }
        (None, None) => recorder.record(|| inputs::absent(Signal::Event)),
    }
    finding
}

fn waiting_quota(input: &DeriveRunStateInput, recorder: &mut impl Recorder) -> Finding {
    let mut finding = Finding::from(RunState::WaitingQuota);
    match input.run.error_json.and_then(read_quota) {
        None => recorder.record(|| inputs::absent(Signal::Quota)),
        Some((count, reset_at)) => {
            let (quota_blocked_count, reset_at_ms) = (Number(count), reset_at.map(Number));
            recorder.record(|| inputs::quota(quota_blocked_count, reset_at_ms));
            finding.blocked = Some(ReasonBlocked::Quota { quota_blocked_count, reset_at_ms });
        }
    }
    finding
}

/// Whether the status is decisive even if a signal adds a reason.
fn is_waiting(state: RunState) -> bool {
    match state {
        RunState::WaitingApproval
        | RunState::WaitingEvent
        | RunState::WaitingTimer
        | RunState::WaitingQuota => true,
        RunState::Running
        | RunState::Paused
        | RunState::Recovering
        | RunState::Stale
        | RunState::Orphaned
        | RunState::Failed
        | RunState::Cancelled
        | RunState::Succeeded
        | RunState::Unknown => false,
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn signals_are_read_from_a_row() -> Result<(), Box<dyn std::error::Error>> {
        use crate::smithers::derive::{DeriveRunStateInput, RunSignals, derive_run_state};
        use crate::smithers::wire::RunStatus;
        use crate::{time::Millis, word::Word};
        let status: Word<RunStatus> = Word::new("running");
        let signals = RunSignals {
            run_id: "r1",
            status: Some(&status),
            started_at_ms: None,
            heartbeat_at_ms: None,
            runtime_owner_id: None,
            error_json: None,
        };
        let answer = derive_run_state(&DeriveRunStateInput::new(signals, Millis(0.0)))?;
        assert_eq!(answer.view.state.as_str(), "unknown");
        Ok(())
    }
}
