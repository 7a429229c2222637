//! From events to states: one pass in the order of the events, taken up again where it stopped.

mod node;
mod run;
mod text;

use super::column::Column;
use super::effect::{ApprovalDecision, Effect, TimerStatus};
use super::order::{Order, Ordering};
use super::store::{NONE, Store};
use crate::smithers::wire::NodeState;
use node::NodeFold;
pub use node::Tokens;
use node::{Activity, UnitFold};
pub(super) use run::{Lifecycle, RunFold};
pub(super) use text::EventText;

/// What the events say so far. Events are named by their place in the order.
#[derive(Clone, Debug, Default)]
pub(super) struct Fold {
    done: u32,
    pub(super) runs: Vec<RunFold>,
    pub(super) units: Column<UnitFold>,
    /// By the number of the node's name; timers have names too.
    nodes: Vec<NodeFold>,
    beside: Vec<Activity>,
    pub(super) approvals: Vec<ApprovalFold>,
    pub(super) timers: Vec<TimerFold>,
    /// Calls that were not answered yet.
    pub(super) calls: Vec<CallFold>,
    pub(super) gaps: Vec<GapFold>,
}

/// A question to a person.
#[derive(Clone, Copy, Debug)]
pub(super) struct ApprovalFold {
    pub(super) unit: u32,
    pub(super) asked: u32,
    pub(super) decided: Option<(ApprovalDecision, u32)>,
}

/// A timer.
#[derive(Clone, Copy, Debug)]
pub(super) struct TimerFold {
    pub(super) node: u32,
    pub(super) set: u32,
    pub(super) fires_at: Option<f64>,
    pub(super) status: TimerStatus,
    pub(super) changed: u32,
}

/// A call of a tool.
#[derive(Clone, Copy, Debug)]
pub(super) struct CallFold {
    pub(super) unit: u32,
    pub(super) attempt: u16,
    pub(super) seq: u32,
    pub(super) started: u32,
}

/// Numbers that are missing before a place of the order.
#[derive(Clone, Copy, Debug)]
pub(super) struct GapFold {
    pub(super) before: u32,
    pub(super) run: u32,
    pub(super) frames: bool,
    pub(super) from: u32,
    pub(super) to: u32,
}

/// How many open calls are kept. Without their answers, as in a log with gaps, they would grow without end.
const MAX_CALLS: usize = 4096;

/// One event on its way into the fold.
#[derive(Clone, Copy)]
struct At {
    place: u32,
    row: u32,
    unit: u32,
    run: u32,
}

impl Fold {
    /// How many places of the order were taken in.
    pub(super) fn done(&self) -> u32 {
        self.done
    }

    /// Takes in the events before this place of the order.
    pub(super) fn advance(&mut self, store: &mut Store, order: &Order, end: u32) {
        for place in self.done..end {
            let row = order.row(place);
            let unit = store.unit(row);
            self.event(store, order.by(), At { place, row, unit, run: store.run_of(unit) });
        }
        self.done = self.done.max(end);
    }

    pub(super) fn memory(&self) -> usize {
        self.runs.capacity() * size_of::<RunFold>()
            + self.units.memory()
            + self.nodes.capacity() * size_of::<NodeFold>()
            + self.beside.capacity() * size_of::<Activity>()
            + self.beside.iter().filter(|beside| beside.tokens.is_some()).count() * size_of::<Tokens>()
            + self.approvals.capacity() * size_of::<ApprovalFold>()
            + self.timers.capacity() * size_of::<TimerFold>()
            + self.calls.capacity() * size_of::<CallFold>()
            + self.gaps.capacity() * size_of::<GapFold>()
    }

    pub(super) fn unit(&self, unit: u32) -> UnitFold {
        self.units.get(unit).unwrap_or_default()
    }

    pub(super) fn run(&self, run: u32) -> Option<&RunFold> {
        self.runs.get(run as usize)
    }

    fn event(&mut self, store: &mut Store, by: Ordering, at: At) {
        let missing = self.runs.len()..=at.run as usize;
        self.runs.extend(missing.map(|_| RunFold::default()));
        if by == Ordering::Sequence {
            self.count_on(at, store.seq(at.row), false);
        }
        if store.is_repeat(at.row) {
            return;
        }
        let Some(effect) = store.kind(at.row).map(|kind| kind.effect) else { return };
        if effect == Effect::Frame && by == Ordering::Time {
            let frame = EventText::of(store, at.row).small(b"frameNo");
            self.count_on(at, frame, true);
        }
        if let Some(run) = self.runs.get_mut(at.run as usize) {
            run.event(store, effect, at);
        }
        self.apply(store, effect, at);
    }

    /// A number that should be one more than the last, and what is missing where it is not. A rewind goes back.
    fn count_on(&mut self, at: At, number: Option<u32>, frames: bool) {
        let (Some(number), Some(run)) = (number, self.runs.get_mut(at.run as usize)) else { return };
        let next = run.next(frames);
        if number > *next {
            let gap = GapFold { before: at.place, run: at.run, frames, from: *next, to: number - 1 };
            self.gaps.push(gap);
        }
        *next = number.saturating_add(1);
        if self.gaps.last().is_some_and(|gap| gap.before == at.place) {
            run.last_gap = Some(at.place);
        }
    }

    fn apply(&mut self, store: &mut Store, effect: Effect, at: At) {
        match effect {
            Effect::Node(state) => self.node(store, at, state),
            Effect::Retrying => {
                let unit = UnitFold { retrying: true, changed: at.place, ..self.unit(at.unit) };
                self.keep(at.unit, unit);
            }
            Effect::Asked => self.asked(at),
            Effect::Decided(decision) => self.decided(at, decision),
            Effect::TimerSet => self.timer_set(store, at),
            Effect::TimerOver(status) => self.timer_over(store, at, status),
            Effect::Called => self.called(store, at),
            Effect::Answered => self.answered(store, at),
            Effect::Tokens => self.tokens(store, at),
            Effect::Heartbeat => {
                let before = self.unit(at.unit);
                self.keep(at.unit, UnitFold { beats: before.beats + 1, beat: at.place, ..before });
            }
            Effect::Reset => self.reset(store, at),
            Effect::RunStarted
            | Effect::RunStatus
            | Effect::RunState
            | Effect::Run(_)
            | Effect::Continued
            | Effect::Jumped
            | Effect::Crossed
            | Effect::Frame
            | Effect::Alive
            | Effect::Nothing => {}
        }
    }

    /// Keeps what is known of a unit now.
    fn keep(&mut self, number: u32, unit: UnitFold) {
        while self.units.len() <= number as usize {
            self.units.push(UnitFold::default());
        }
        self.units.set(number, unit);
    }

    fn node_mut(&mut self, node: u32) -> &mut NodeFold {
        grown(&mut self.nodes, node)
    }
}

/// The entry with this number, made where it is missing.
fn grown<T: Default>(list: &mut Vec<T>, number: u32) -> &mut T {
    let number = number as usize;
    if list.len() <= number {
        list.resize_with(number + 1, T::default);
    }
    // It is there: the list was made long enough.
    &mut list[number]
}

/// Whether a node in this state is over.
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

/// A place that may be none.
pub(super) fn known(place: u32) -> Option<u32> {
    (place != NONE).then_some(place)
}
