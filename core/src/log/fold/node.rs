//! The states of nodes, and what belongs to them: approvals, timers, tool calls, tokens.

use super::super::effect::{ApprovalDecision, TimerStatus};
use super::super::store::{NONE, Store, Unit};
use super::{ApprovalFold, At, CallFold, EventText, Fold, MAX_CALLS, TimerFold, grown, is_over};
use crate::json::Slice;
use crate::smithers::wire::NodeState;

/// A node in one round.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UnitFold {
    /// `None` while no event says anything of its state.
    pub(crate) state: Option<NodeState>,
    pub(crate) retrying: bool,
    /// How often it was started.
    pub(crate) starts: u32,
    /// Where its state changed last, and where it started last.
    pub(crate) changed: u32,
    pub(crate) started: u32,
    /// Heartbeats, and the last one.
    pub(crate) beats: u32,
    pub(crate) beat: u32,
    /// What most nodes do not have, if this one has it.
    pub(super) beside: u32,
}

impl Default for UnitFold {
    fn default() -> Self {
        Self {
            state: None,
            retrying: false,
            starts: 0,
            changed: NONE,
            started: NONE,
            beats: 0,
            beat: NONE,
            beside: NONE,
        }
    }
}

impl UnitFold {
    /// Whether no event told anything of it.
    pub(crate) fn is_untold(&self) -> bool {
        [self.changed, self.beat, self.beside] == [NONE; 3]
    }
}

/// A node in all its rounds, or a timer.
#[derive(Clone, Debug, Default)]
pub(crate) struct NodeFold {
    timer: Option<u32>,
}

/// What a node asked and spent in one round. Most do nothing of the kind.
#[derive(Clone, Debug)]
pub(crate) struct Activity {
    approval: u32,
    /// Calls that were started, answered, answered with an error.
    pub(crate) calls: [u32; 3],
    pub(crate) tokens: Option<Box<Tokens>>,
}

impl Default for Activity {
    fn default() -> Self {
        Self { approval: NONE, calls: [0; 3], tokens: None }
    }
}

/// What models used.
///
/// ```
/// use runstate::log::EventLog;
/// use runstate::time::Millis;
///
/// let mut log = EventLog::new();
/// for at in [5, 9] {
///     log.push_value(&format!(
///         r#"{{"type":"TokenUsageReported","runId":"r","nodeId":"plan","iteration":0,"attempt":1,"timestampMs":{at},
///             "model":"m","agent":"a","inputTokens":1200,"outputTokens":80}}"#
///     ));
/// }
/// let tokens = log.view(Millis(10.0)).tokens;
/// assert_eq!((tokens.reports, tokens.input, tokens.output), (2, 2400.0, 160.0));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tokens {
    /// How many reports there were.
    pub reports: u64,
    /// Tokens that were read.
    pub input: f64,
    /// Tokens that were written.
    pub output: f64,
    /// Of those read, from a cache.
    pub cache_read: f64,
    /// Of those read, put into a cache.
    pub cache_write: f64,
    /// Of those written, for reasoning.
    pub reasoning: f64,
}

impl Tokens {
    fn read(report: &EventText<'_>) -> Self {
        let names: [&[u8]; 5] =
            [b"inputTokens", b"outputTokens", b"cacheReadTokens", b"cacheWriteTokens", b"reasoningTokens"];
        let numbers = report.values(names).map(|value| value.and_then(Slice::number).unwrap_or_default());
        let [input, output, cache_read, cache_write, reasoning] = numbers;
        Self { reports: 1, input, output, cache_read, cache_write, reasoning }
    }

    fn add(&mut self, more: &Self) {
        self.reports += more.reports;
        self.input += more.input;
        self.output += more.output;
        self.cache_read += more.cache_read;
        self.cache_write += more.cache_write;
        self.reasoning += more.reasoning;
    }
}

impl Fold {
    pub(super) fn node(&mut self, store: &Store, at: At, state: NodeState) {
        let mut unit = self.unit(at.unit);
        unit.state = Some(state);
        unit.retrying = false;
        unit.changed = at.place;
        if state == NodeState::InProgress {
            unit.starts += 1;
            unit.started = at.place;
        }
        self.keep(at.unit, unit);
        let approval = self.approval(unit);
        if state == NodeState::InProgress || is_over(state) {
            self.settle(approval, ApprovalDecision::NotInTheLog, at);
            self.calls.retain(|call| call.unit != at.unit);
        }
        let Some(node) = store.node_of(at.unit) else { return };
        if is_over(state)
            && let Some(timer) = self.timer_of(node)
            && timer.status == TimerStatus::Pending
        {
            (timer.status, timer.changed) = (TimerStatus::NotInTheLog, at.place);
        }
    }

    pub(super) fn asked(&mut self, at: At) {
        let next = self.approvals.len() as u32;
        let mut unit = self.unit(at.unit);
        unit.state = Some(NodeState::WaitingApproval);
        unit.changed = at.place;
        let before = self.approvals.get(self.approval(unit) as usize);
        // `ApprovalRequested` and `NodeWaitingApproval` come together and are one question.
        let again = before.is_some_and(|approval| approval.decided.is_none());
        self.keep(at.unit, unit);
        if !again {
            self.beside_mut(at.unit).approval = next;
            self.approvals.push(ApprovalFold { unit: at.unit, asked: at.place, decided: None });
        }
    }

    /// A yes lets the node begin, a no fails it: so the released engine writes its rows. Events of the node itself follow where
    /// the workflow goes on after a no.
    pub(super) fn decided(&mut self, at: At, decision: ApprovalDecision) {
        let next = self.approvals.len() as u32;
        let mut unit = self.unit(at.unit);
        if unit.state.is_none_or(|state| state == NodeState::WaitingApproval) {
            let yes = decision != ApprovalDecision::Denied;
            unit.state = Some(if yes { NodeState::Pending } else { NodeState::Failed });
            unit.changed = at.place;
        }
        self.keep(at.unit, unit);
        if self.approval(unit) == NONE {
            self.beside_mut(at.unit).approval = next;
            self.approvals.push(ApprovalFold { unit: at.unit, asked: at.place, decided: None });
        }
        self.settle(self.approval(self.unit(at.unit)), decision, at);
    }

    fn settle(&mut self, approval: u32, decision: ApprovalDecision, at: At) {
        if let Some(approval) = self.approvals.get_mut(approval as usize)
            && approval.decided.is_none()
        {
            approval.decided = Some((decision, at.place));
        }
    }

    fn timer_of(&mut self, node: u32) -> Option<&mut TimerFold> {
        let timer = self.nodes.get(node as usize)?.timer?;
        self.timers.get_mut(timer as usize)
    }

    pub(super) fn timer_set(&mut self, store: &mut Store, at: At) {
        let text = EventText::of(store, at.row);
        let (fires_at, timer_id) = (text.number(b"firesAtMs"), text.text(b"timerId"));
        drop(text);
        let node = match (timer_id, store.node_of(at.unit)) {
            (Some(timer_id), _) => store.node(at.run, timer_id.as_bytes()),
            (None, Some(node)) => {
                let state = Some(NodeState::WaitingTimer);
                self.keep(at.unit, UnitFold { state, changed: at.place, ..self.unit(at.unit) });
                node
            }
            (None, None) => return,
        };
        let status = TimerStatus::Pending;
        // `TimerCreated` and `NodeWaitingTimer` come together and are one timer.
        match self.timer_of(node) {
            Some(timer) if timer.status == TimerStatus::Pending => {
                timer.fires_at = fires_at.or(timer.fires_at);
            }
            Some(_) | None => {
                let next = self.timers.len() as u32;
                self.timers.push(TimerFold { node, set: at.place, fires_at, status, changed: at.place });
                self.node_mut(node).timer = Some(next);
            }
        }
    }

    pub(super) fn timer_over(&mut self, store: &mut Store, at: At, status: TimerStatus) {
        let Some(timer_id) = EventText::of(store, at.row).text(b"timerId") else { return };
        let node = store.node(at.run, timer_id.as_bytes());
        if self.timer_of(node).is_none() {
            let fires_at = EventText::of(store, at.row).number(b"firesAtMs");
            let next = self.timers.len() as u32;
            self.timers.push(TimerFold { node, set: at.place, fires_at, status, changed: at.place });
            self.node_mut(node).timer = Some(next);
        }
        if let Some(timer) = self.timer_of(node) {
            (timer.status, timer.changed) = (status, at.place);
        }
    }

    pub(super) fn called(&mut self, store: &Store, at: At) {
        self.count_call(store, at, 0);
        let Some(seq) = EventText::of(store, at.row).small(b"seq") else { return };
        if self.calls.len() >= MAX_CALLS {
            self.calls.drain(..MAX_CALLS / 2);
        }
        let attempt = store.short_attempt(at.row);
        self.calls.push(CallFold { unit: at.unit, attempt, seq, started: at.place });
    }

    pub(super) fn answered(&mut self, store: &Store, at: At) {
        self.count_call(store, at, 1);
        let text = EventText::of(store, at.row);
        let [seq, status] = text.values([b"seq", b"status"]);
        if status.is_some_and(|status| status.json() == "\"error\"") {
            self.count_call(store, at, 2);
        }
        let seq = seq.and_then(|seq| seq.read_small().ok());
        let attempt = store.short_attempt(at.row);
        let same = |call: &CallFold| call.unit == at.unit && call.attempt == attempt && Some(call.seq) == seq;
        if let Some(place) = self.calls.iter().rposition(same) {
            self.calls.remove(place);
        }
    }

    fn count_call(&mut self, store: &Store, at: At, which: usize) {
        if let Some(count) = self.runs.get_mut(at.run as usize).and_then(|run| run.calls.get_mut(which)) {
            *count += 1;
        }
        if store.node_of(at.unit).is_some()
            && let Some(count) = self.beside_mut(at.unit).calls.get_mut(which)
        {
            *count += 1;
        }
    }

    pub(super) fn tokens(&mut self, store: &Store, at: At) {
        let report = Tokens::read(&EventText::of(store, at.row));
        if let Some(run) = self.runs.get_mut(at.run as usize) {
            run.tokens.add(&report);
        }
        if store.node_of(at.unit).is_some() {
            self.beside_mut(at.unit).tokens.get_or_insert_default().add(&report);
        }
    }

    fn beside_mut(&mut self, unit: u32) -> &mut Activity {
        let mut place = self.unit(unit).beside;
        if place == NONE {
            place = self.beside.len() as u32;
            self.keep(unit, UnitFold { beside: place, ..self.unit(unit) });
        }
        grown(&mut self.beside, place)
    }

    /// What the node asked and spent in a round, where events say something of it.
    pub(crate) fn beside(&self, unit: UnitFold) -> Option<&Activity> {
        self.beside.get(unit.beside as usize)
    }

    fn approval(&self, unit: UnitFold) -> u32 {
        self.beside(unit).map_or(NONE, |beside| beside.approval)
    }

    /// Nodes that will run again are pending (seed 003, `resetNodes`): in the round of the event, or in every round where there
    /// is none of that.
    pub(super) fn reset(&mut self, store: &Store, at: At) {
        let text = EventText::of(store, at.row);
        if !text.is_true(b"success") {
            return;
        }
        let iteration = store.units.get(at.unit).map_or(0, |unit| unit.iteration);
        for name in text.texts(b"resetNodes") {
            let Some(node) = store.nodes.find(at.run, name.as_bytes()) else { continue };
            if let Some(unit) = store.find_unit(Unit { node, iteration }) {
                self.pend(unit, at);
                continue;
            }
            for unit in 0..store.units.len() as u32 {
                if store.node_of(unit) == Some(node) {
                    self.pend(unit, at);
                }
            }
        }
    }

    fn pend(&mut self, unit: u32, at: At) {
        let state = Some(NodeState::Pending);
        self.keep(unit, UnitFold { state, retrying: false, changed: at.place, ..self.unit(unit) });
    }
}
