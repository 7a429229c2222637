//! Derives a run's state from its row and the pending signals (seed 000).

use super::clock_error::remove_uncertain;
use super::inputs;
use super::inputs::{NoRecorder, Recorder};
use super::liveness::classify_running;
use super::pending::{OwnerProbe, ParkedEventBlock, PendingApproval, PendingEvent, PendingTimer};
use crate::evidence::{Evidence, Signal};
use crate::number::Number;
use crate::smithers::wire::read_quota;
use crate::smithers::wire::{ReasonBlocked, ReasonUnhealthy, RunRow, RunState, RunStateView, RunStatus};
use crate::time::{InvalidTime, Millis};
use crate::word::Word;

/// The age of the last sign of life beyond which a running run is not fresh, milliseconds (seed 000).
///
/// ```
/// assert_eq!(runstate::smithers::derive::RUN_STATE_HEARTBEAT_STALE_MS, 30_000.0);
/// ```
pub const RUN_STATE_HEARTBEAT_STALE_MS: f64 = 30_000.0;

/// The grace of Smithers 0.32 for timers, milliseconds (protocol section 4).
pub(super) const SERVER_TIMER_GRACE_MS: f64 = 30_000.0;

/// Whether a timer that was due at `due` is overdue by the server's grace, for callers that have no grace of their own.
pub(crate) fn is_timer_overdue(due: Millis, now: Millis) -> bool {
    now.since(due) > SERVER_TIMER_GRACE_MS
}

/// The default source in the evidence.
pub(crate) const DEFAULT_SOURCE: &str = "run row";

/// The part of a run row that the derivation reads. `RunSignals::from(&row)` makes it of a [`RunRow`].
///
/// A reader that has only some columns sets those; the others are absent.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct RunSignals<'a> {
    /// The run's id.
    pub run_id: &'a str,
    /// The status column; `None` if missing.
    pub status: Option<&'a Word<RunStatus>>,
    /// When the engine started, milliseconds since 1970.
    pub started_at_ms: Option<f64>,
    /// The engine's last report, milliseconds since 1970.
    pub heartbeat_at_ms: Option<f64>,
    /// The process that owns the run.
    pub runtime_owner_id: Option<&'a str>,
    /// The run's error, or the quota's numbers, as JSON text.
    pub error_json: Option<&'a str>,
}

impl<'a> From<&'a RunRow> for RunSignals<'a> {
    fn from(row: &'a RunRow) -> Self {
        Self {
            run_id: &row.run_id,
            status: row.status.as_ref(),
            started_at_ms: row.started_at_ms,
            heartbeat_at_ms: row.heartbeat_at_ms,
            runtime_owner_id: row.runtime_owner_id.as_deref(),
            error_json: row.error_json.as_deref(),
        }
    }
}

/// Everything that [`derive_run_state`] reads.
///
/// The last four signals are those of Smithers 0.32. Without them the result is that of seed 000.
#[derive(Clone)]
#[non_exhaustive]
pub struct DeriveRunStateInput<'a> {
    /// The run.
    pub run: RunSignals<'a>,
    /// The oldest pending approval.
    pub pending_approval: Option<PendingApproval>,
    /// The timer that fires next.
    pub pending_timer: Option<PendingTimer>,
    /// The event that the run waits for.
    pub pending_event: Option<PendingEvent>,
    /// The time of the result.
    pub now: Millis,
    /// Maximum error of `now` in either direction, milliseconds: a state that depends on an uncertain age becomes `unknown`.
    /// `None` gives exactly the released package's answer, which trusts its clock.
    pub clock_error_ms: Option<f64>,
    /// The age beyond which a sign of life has expired; the default is [`RUN_STATE_HEARTBEAT_STALE_MS`].
    pub stale_threshold_ms: Option<f64>,
    /// The source of the row, for the evidence; the default is "run row".
    pub read_from: Option<&'a str>,
    /// Why the run is parked on an event when no node waits for one.
    pub parked_event_block: Option<ParkedEventBlock>,
    /// The last reports of the run's active sandboxes.
    pub sandbox_heartbeats: Option<Vec<f64>>,
    /// The time for which a timer may be overdue before the run is unhealthy, milliseconds.
    pub timer_overdue_grace_ms: Option<f64>,
    /// Whether the owner's process is alive. Without it a run with an owner is never `orphaned`.
    pub is_owner_pid_alive: Option<OwnerProbe<'a>>,
}

impl<'a> DeriveRunStateInput<'a> {
    /// Only the run: no pending wait, every option at its default.
    ///
    /// ```
    /// use runstate::smithers::derive::{DeriveRunStateInput, derive_run_state};
    /// use runstate::smithers::wire::read_run;
    /// use runstate::time::Millis;
    ///
    /// let row = read_run(r#"{"runId":"r1","status":"running","heartbeatAtMs":1000,"runtimeOwnerId":"pid:41"}"#)?;
    /// let input = DeriveRunStateInput::new(&row, Millis(61_000.0));
    /// assert_eq!(derive_run_state(&input)?.view.state.as_str(), "stale");
    /// // Each option is a field.
    /// let mut patient = input;
    /// patient.stale_threshold_ms = Some(120_000.0);
    /// assert_eq!(derive_run_state(&patient)?.view.state.as_str(), "running");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(run: impl Into<RunSignals<'a>>, now: Millis) -> Self {
        Self {
            run: run.into(),
            pending_approval: None,
            pending_timer: None,
            pending_event: None,
            now,
            clock_error_ms: None,
            stale_threshold_ms: None,
            read_from: None,
            parked_event_block: None,
            sandbox_heartbeats: None,
            timer_overdue_grace_ms: None,
            is_owner_pid_alive: None,
        }
    }

    /// The threshold in force.
    pub(crate) fn threshold(&self) -> f64 {
        self.stale_threshold_ms.unwrap_or(RUN_STATE_HEARTBEAT_STALE_MS)
    }
}

/// A derived state and its evidence.
///
/// ```
/// use runstate::evidence::Signal;
/// use runstate::smithers::derive::{DeriveRunStateInput, derive_run_state};
/// use runstate::smithers::wire::read_run;
/// use runstate::time::Millis;
///
/// let row = read_run(r#"{"runId":"r1","status":"running","heartbeatAtMs":1000,"runtimeOwnerId":"pid:41"}"#)?;
/// let answer = derive_run_state(&DeriveRunStateInput::new(&row, Millis(100_000.0)))?;
/// assert_eq!(answer.view.state.as_str(), "stale");
/// let because = answer.evidence.inputs.iter().find(|input| input.decisive).unwrap();
/// assert_eq!((because.name, because.limit_ms), (Signal::EngineHeartbeat, Some(30_000.0)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Derivation {
    /// The state.
    pub view: RunStateView,
    /// The evidence.
    pub evidence: Evidence,
}

/// The result of a rule: the state and its reasons.
pub(crate) struct Finding {
    pub(crate) state: RunState,
    pub(crate) blocked: Option<ReasonBlocked>,
    pub(crate) unhealthy: Option<ReasonUnhealthy>,
}

impl From<RunState> for Finding {
    fn from(state: RunState) -> Self {
        Self { state, blocked: None, unhealthy: None }
    }
}

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
