//! The input and the result of a derivation.

use super::pending::{OwnerProbe, ParkedEventBlock, PendingApproval, PendingEvent, PendingTimer};
use crate::evidence::Evidence;
use crate::smithers::wire::{ReasonBlocked, ReasonUnhealthy, RunRow, RunState, RunStateView, RunStatus};
use crate::time::Millis;
use crate::word::Word;

/// The age of the last sign of life beyond which a running run is not fresh, milliseconds (seed 000).
///
/// ```
/// assert_eq!(runstate::smithers::derive::RUN_STATE_HEARTBEAT_STALE_MS, 30_000.0);
/// ```
pub const RUN_STATE_HEARTBEAT_STALE_MS: f64 = 30_000.0;

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

/// Everything that [`derive_run_state`](super::derive_run_state) reads.
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
