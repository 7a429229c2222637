//! The last decision of a run, or its last timer that ended, which no state of the run follows in its log.

use super::EventLog;
use super::fold::{EventText, RunFold};
use crate::smithers::wire::{EventType, RunState};
use crate::time::Millis;

/// A wait that is over by an event, although the state that the log gives for the run is older than that event.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Settled {
    pub(crate) node_id: String,
    pub(crate) iteration: u32,
    pub(crate) outcome: WaitOutcome,
    pub(crate) at: Option<Millis>,
    /// Whether the log ends with the event.
    pub(crate) is_last: bool,
}

/// How a wait ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WaitOutcome {
    /// A person approved.
    Approved,
    /// A policy approved.
    AutoApproved,
    /// A person denied.
    Denied,
    /// The timer fired.
    Fired,
    /// The timer was cancelled.
    TimerCancelled,
}

impl Settled {
    /// What ended the wait that `state` names; for a run at work, what the log ends with.
    pub(super) fn read(log: &EventLog, fold: &RunFold, state: RunState) -> Option<Self> {
        let place = match state {
            RunState::WaitingApproval => fold.decided?,
            RunState::WaitingTimer => fold.timer_ended?,
            RunState::Running => {
                fold.decided.max(fold.timer_ended).filter(|place| fold.last == Some(*place))?
            }
            RunState::WaitingEvent
            | RunState::WaitingQuota
            | RunState::Paused
            | RunState::Recovering
            | RunState::Stale
            | RunState::Orphaned
            | RunState::Failed
            | RunState::Cancelled
            | RunState::Succeeded
            | RunState::Unknown => return None,
        };
        let row = log.order.row(place);
        let outcome = match log.store.kind(row)?.word.known()? {
            EventType::ApprovalGranted => WaitOutcome::Approved,
            EventType::ApprovalAutoApproved => WaitOutcome::AutoApproved,
            EventType::ApprovalDenied => WaitOutcome::Denied,
            EventType::TimerFired => WaitOutcome::Fired,
            EventType::TimerCancelled => WaitOutcome::TimerCancelled,
            _ => return None,
        };
        let unit = log.store.unit(row);
        let node = || Some(log.store.nodes.name(log.store.node_of(unit)?).to_owned());
        Some(Self {
            node_id: EventText::new(&log.store, row).text(b"timerId").or_else(node)?,
            iteration: log.store.units.get(unit).map_or(0, |unit| unit.iteration),
            outcome,
            at: log.time_at(place),
            is_last: fold.last == Some(place),
        })
    }
}
