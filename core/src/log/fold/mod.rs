//! Folds events into states: one pass over the events in order, which continues where it stopped.

mod event_text;
mod node;
mod run;

use std::collections::BTreeSet;

use super::column::Column;
use super::effect::Effect;
use super::order::{Order, Ordering};
use super::store::{NONE, Store};
use crate::smithers::wire::NodeState;
pub(super) use event_text::EventText;
use node::NodeFold;
pub use node::Tokens;
use node::{Activity, UnitFold};
pub(super) use run::{Lifecycle, RunFold};

/// The states after the events so far. Events are identified by their position in the order.
#[derive(Clone, Debug, Default)]
pub(super) struct Fold {
    folded: u32,
    pub(super) runs: Vec<RunFold>,
    pub(super) units: Column<UnitFold>,
    /// By the number of the node's name; timers have names of the same kind.
    nodes: Vec<NodeFold>,
    activities: Vec<Activity>,
    pub(super) approvals: Vec<ApprovalFold>,
    pub(super) timers: Vec<TimerFold>,
    /// Tool calls without an answer so far.
    pub(super) calls: BTreeSet<CallFold>,
    pub(super) gaps: Vec<GapFold>,
}

/// A human approval.
#[derive(Clone, Copy, Debug)]
pub(super) struct ApprovalFold {
    pub(super) unit: u32,
    pub(super) request: u32,
    pub(super) is_open: bool,
}

/// A timer.
#[derive(Clone, Copy, Debug)]
pub(super) struct TimerFold {
    pub(super) node: u32,
    pub(super) fires_at: Option<f64>,
    pub(super) is_pending: bool,
    /// The iteration that waits for it; `NONE` if no event names it.
    unit: u32,
}

/// A tool call. The calls of one unit follow each other in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct CallFold {
    pub(super) unit: u32,
    pub(super) attempt: u16,
    pub(super) seq: u32,
    pub(super) start: u32,
}

/// Missing numbers before a position of the order.
#[derive(Clone, Copy, Debug)]
pub(super) struct GapFold {
    pub(super) before: u32,
    pub(super) run: u32,
    pub(super) frames: bool,
    pub(super) from: u32,
    pub(super) to: u32,
}

/// Maximum number of open tool calls kept: in a log with gaps, their answers may be missing.
const MAX_CALLS: usize = 4096;

/// The event that is being folded.
#[derive(Clone, Copy)]
struct EventRef {
    place: u32,
    row: u32,
    unit: u32,
    run: u32,
}

impl Fold {
    /// The number of folded events.
    pub(super) fn folded(&self) -> u32 {
        self.folded
    }

    /// Folds the events before this position of the order.
    pub(super) fn advance(&mut self, store: &mut Store, order: &Order, end: u32) {
        for place in self.folded..end {
            let row = order.row(place);
            let unit = store.unit(row);
            self.apply_event(store, order.ordering(), EventRef { place, row, unit, run: store.run_of(unit) });
        }
        self.folded = self.folded.max(end);
    }

    pub(super) fn memory(&self) -> usize {
        self.runs.capacity() * size_of::<RunFold>()
            + self.units.memory()
            + self.nodes.capacity() * size_of::<NodeFold>()
            + self.activities.capacity() * size_of::<Activity>()
            + self.activities.iter().filter(|activity| activity.tokens.is_some()).count()
                * size_of::<Tokens>()
            + self.approvals.capacity() * size_of::<ApprovalFold>()
            + self.timers.capacity() * size_of::<TimerFold>()
            + self.calls.len() * size_of::<CallFold>()
            + self.gaps.capacity() * size_of::<GapFold>()
    }

    pub(super) fn unit(&self, unit: u32) -> UnitFold {
        self.units.get(unit).unwrap_or_default()
    }

    pub(super) fn run(&self, run: u32) -> Option<&RunFold> {
        self.runs.get(run as usize)
    }

    fn apply_event(&mut self, store: &mut Store, ordering: Ordering, event: EventRef) {
        let missing = self.runs.len()..=event.run as usize;
        self.runs.extend(missing.map(|_| RunFold::default()));
        if ordering == Ordering::Sequence {
            self.check_number(event, store.seq(event.row), false);
        }
        if store.is_repeat(event.row) {
            return;
        }
        let Some(effect) = store.kind(event.row).map(|kind| kind.effect) else { return };
        if effect == Effect::FrameStored && ordering != Ordering::Sequence {
            let frame = EventText::new(store, event.row).small(b"frameNo");
            self.check_number(event, frame, true);
        }
        if let Some(run) = self.runs.get_mut(event.run as usize) {
            run.apply_event(store, effect, event);
        }
        self.apply_to_nodes(store, effect, event);
    }

    /// Records a gap if a number is more than one above the last. A smaller number is a rewind.
    fn check_number(&mut self, event: EventRef, number: Option<u32>, frames: bool) {
        let (Some(number), Some(run)) = (number, self.runs.get_mut(event.run as usize)) else { return };
        let next = run.next_number(frames);
        if number > *next {
            let gap = GapFold { before: event.place, run: event.run, frames, from: *next, to: number - 1 };
            self.gaps.push(gap);
        }
        *next = number.saturating_add(1);
        if self.gaps.last().is_some_and(|gap| gap.before == event.place) {
            run.last_gap = Some(event.place);
        }
    }

    fn apply_to_nodes(&mut self, store: &mut Store, effect: Effect, event: EventRef) {
        match effect {
            Effect::Node(state) => self.set_node_state(store, event, state),
            Effect::Retrying => {
                let unit = UnitFold { retrying: true, changed: event.place, ..self.unit(event.unit) };
                self.set_unit(event.unit, unit);
            }
            Effect::ApprovalRequested => self.open_approval(event),
            Effect::ApprovalDecided(decision) => self.decide_approval(event, decision),
            Effect::TimerStarted => self.start_timer(store, event),
            Effect::TimerEnded => self.end_timer(store, event),
            Effect::ToolCallStarted => self.start_call(store, event),
            Effect::ToolCallFinished => self.end_call(store, event),
            Effect::TokensUsed => self.add_tokens(store, event),
            Effect::Heartbeat => {
                let before = self.unit(event.unit);
                self.set_unit(
                    event.unit,
                    UnitFold { heartbeats: before.heartbeats + 1, last_heartbeat: event.place, ..before },
                );
            }
            Effect::NodesReset => self.reset_nodes(store, event),
            Effect::RunStarted
            | Effect::RunStatusChanged
            | Effect::RunStateChanged
            | Effect::Run(_)
            | Effect::Continued
            | Effect::TimeTravelled
            | Effect::BoundaryCrossed
            | Effect::FrameStored
            | Effect::OtherWork
            | Effect::Nothing => {}
        }
    }

    /// Stores the state of a unit.
    fn set_unit(&mut self, number: u32, unit: UnitFold) {
        while self.units.len() <= number as usize {
            self.units.push(UnitFold::default());
        }
        self.units.set(number, unit);
    }

    fn node_mut(&mut self, node: u32) -> &mut NodeFold {
        entry_mut(&mut self.nodes, node)
    }
}

/// The entry with this number, created if missing.
fn entry_mut<T: Default>(list: &mut Vec<T>, number: u32) -> &mut T {
    let number = number as usize;
    if list.len() <= number {
        list.resize_with(number + 1, T::default);
    }
    // The list was extended above.
    &mut list[number]
}

/// Whether a node in this state has ended.
pub(super) fn is_over(state: NodeState) -> bool {
    match state {
        NodeState::Finished | NodeState::Failed | NodeState::Cancelled | NodeState::Skipped => true,
        NodeState::Pending
        | NodeState::InProgress
        | NodeState::WaitingApproval
        | NodeState::WaitingEvent
        | NodeState::WaitingTimer
        | NodeState::WaitingQuota
        | NodeState::WaitingBound
        | NodeState::BoundStale => false,
    }
}

/// A position that may be [`NONE`].
pub(super) fn event_place(place: u32) -> Option<u32> {
    (place != NONE).then_some(place)
}
