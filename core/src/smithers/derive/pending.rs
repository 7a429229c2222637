//! Signals besides the run's row: pending approvals, timers and events, and the owner's process (seed 000; protocol
//! section 4).

/// A pending approval.
///
/// ```
/// use runstate::smithers::derive::{DeriveRunStateInput, PendingApproval, derive_run_state};
/// use runstate::smithers::wire::{ReasonBlocked, read_run};
/// use runstate::time::Millis;
///
/// let row = read_run(r#"{"runId":"r1","status":"waiting-approval"}"#)?;
/// let asked = PendingApproval::new("gate", 1_700_000_000_000.0);
/// let mut input = DeriveRunStateInput::new(&row, Millis(1_700_000_060_000.0));
/// input.pending_approval = Some(asked);
/// let reason = ReasonBlocked::Approval { node_id: "gate".into(), requested_at: "2023-11-14T22:13:20.000Z".into() };
/// assert_eq!(derive_run_state(&input)?.view.blocked, Some(reason));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PendingApproval {
    /// The node that requests it.
    pub node_id: String,
    /// Since when, milliseconds since 1970.
    pub requested_at_ms: f64,
}

impl PendingApproval {
    /// An approval that the node requested at this time.
    pub fn new(node_id: impl Into<String>, requested_at_ms: f64) -> Self {
        Self { node_id: node_id.into(), requested_at_ms }
    }
}

/// A timer that has not fired.
///
/// ```
/// use runstate::smithers::derive::{DeriveRunStateInput, PendingTimer, derive_run_state};
/// use runstate::smithers::wire::read_run;
/// use runstate::time::Millis;
///
/// let row = read_run(r#"{"runId":"r1","status":"waiting-timer"}"#)?;
/// let nap = PendingTimer::new("nap", 1_700_000_000_000.0);
/// let mut late = DeriveRunStateInput::new(&row, Millis(1_700_000_060_000.0));
/// late.pending_timer = Some(nap);
/// late.timer_overdue_grace_ms = Some(30_000.0);
/// // The state is still waiting; it is unhealthy because it was not woken.
/// let view = derive_run_state(&late)?.view;
/// assert_eq!(view.state.as_str(), "waiting-timer");
/// assert_eq!(view.unhealthy.unwrap().kind(), "timer-overdue");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PendingTimer {
    /// The node that waits.
    pub node_id: String,
    /// Until when, milliseconds since 1970.
    pub fires_at_ms: f64,
}

impl PendingTimer {
    /// A timer of the node that fires at this time.
    pub fn new(node_id: impl Into<String>, fires_at_ms: f64) -> Self {
        Self { node_id: node_id.into(), fires_at_ms }
    }
}

/// An event that has not arrived.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PendingEvent {
    /// The node that waits.
    pub node_id: String,
    /// The correlation id, else the signal's name; empty when it could not be read.
    pub correlation_key: String,
}

impl PendingEvent {
    /// An event with this correlation key that the node waits for.
    pub fn new(node_id: impl Into<String>, correlation_key: impl Into<String>) -> Self {
        Self { node_id: node_id.into(), correlation_key: correlation_key.into() }
    }
}

/// Why a run is parked on an event that no node waits for (protocol section 4).
///
/// ```
/// use runstate::smithers::derive::{DeriveRunStateInput, ParkedEventBlock, derive_run_state};
/// use runstate::smithers::wire::read_run;
/// use runstate::time::Millis;
///
/// let row = read_run(r#"{"runId":"r1","status":"waiting-event"}"#)?;
/// let decided = ParkedEventBlock::ApprovalDecidedResumeRequired { node_id: "gate".into() };
/// let mut input = DeriveRunStateInput::new(&row, Millis(1_700_000_000_000.0));
/// input.parked_event_block = Some(decided);
/// let blocked = derive_run_state(&input)?.view.blocked.unwrap();
/// assert_eq!((blocked.kind(), blocked.node_id()), ("approval-decided-resume-required", Some("gate")));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ParkedEventBlock {
    /// A person has decided; the run must be resumed.
    ApprovalDecidedResumeRequired {
        /// The node that can go on.
        node_id: String,
    },
    /// Something outside must start the run again.
    ExternalTrigger,
}

/// Whether the process with this id is alive. With this probe a silent run whose owner is gone is `orphaned` instead of
/// `stale`.
///
/// ```
/// use runstate::smithers::derive::{DeriveRunStateInput, derive_run_state};
/// use runstate::smithers::wire::read_run;
/// use runstate::time::Millis;
///
/// let row = read_run(r#"{"runId":"r1","status":"running","heartbeatAtMs":1000,"runtimeOwnerId":"pid:41"}"#)?;
/// let from_afar = DeriveRunStateInput::new(&row, Millis(100_000.0));
/// assert_eq!(derive_run_state(&from_afar)?.view.state.as_str(), "stale");
///
/// let nobody_lives = |_pid: f64| false;
/// let mut on_the_host = from_afar;
/// on_the_host.is_owner_pid_alive = Some(&nobody_lives);
/// assert_eq!(derive_run_state(&on_the_host)?.view.state.as_str(), "orphaned");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type OwnerProbe<'a> = &'a dyn Fn(f64) -> bool;
