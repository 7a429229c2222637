//! The states of nodes with their approvals, timers, tool calls and token usage.
//!
//! ```
//! use runstate::log::EventLog;
//! use runstate::time::Millis;
//!
//! let mut log = EventLog::new();
//! for at in [5, 9] {
//!     let line = format!(
//!         r#"{{"type":"TokenUsageReported","runId":"r","nodeId":"plan","iteration":0,"attempt":1,"timestampMs":{at},"model":"m","agent":"a","inputTokens":1200,"outputTokens":80}}"#
//!     );
//!     log.push((line + "\n").as_bytes());
//! }
//! let tokens = log.view(Millis(10.0)).tokens;
//! assert_eq!((tokens.reports, tokens.input, tokens.output), (2, 2400.0, 160.0));
//! ```

use std::collections::HashSet;

use serde::Serialize;

use super::super::effect::ApprovalOutcome;
use super::super::store::{NONE, Store, Unit};
use super::{ApprovalFold, CallFold, EventRef, EventText, Fold, MAX_CALLS, TimerFold, entry_mut, is_over};
use crate::json::Slice;
use crate::smithers::wire::NodeState;

/// A node in one loop iteration.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UnitFold {
    /// `None` until an event reports it.
    pub(crate) state: Option<NodeState>,
    pub(crate) retrying: bool,
    /// The number of times that it started.
    pub(crate) starts: u32,
    /// The events that changed its state and that started it last.
    pub(crate) changed: u32,
    pub(crate) started: u32,
    /// The number of heartbeats, and the last one.
    pub(crate) heartbeats: u32,
    pub(crate) last_heartbeat: u32,
    /// The index in `activities`; most nodes have none.
    pub(super) activity: u32,
}

impl Default for UnitFold {
    fn default() -> Self {
        Self {
            state: None,
            retrying: false,
            starts: 0,
            changed: NONE,
            started: NONE,
            heartbeats: 0,
            last_heartbeat: NONE,
            activity: NONE,
        }
    }
}

impl UnitFold {
    /// Whether no event reported anything about it.
    pub(crate) fn is_empty(&self) -> bool {
        [self.changed, self.last_heartbeat, self.activity] == [NONE; 3]
    }
}

/// A node in all its iterations, or a timer.
#[derive(Clone, Debug, Default)]
pub(crate) struct NodeFold {
    timer: Option<u32>,
}

/// Approvals, tool calls and tokens of a node in one iteration. Most nodes have none.
#[derive(Clone, Debug)]
pub(crate) struct Activity {
    approval: u32,
    /// Calls that were started, answered, and answered with an error.
    pub(crate) calls: [u32; 3],
    pub(crate) tokens: Option<Box<Tokens>>,
}

impl Default for Activity {
    fn default() -> Self {
        Self { approval: NONE, calls: [0; 3], tokens: None }
    }
}

/// The numbers of used tokens, and of the reports about them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(tsify::Tsify))]
#[non_exhaustive]
pub struct Tokens {
    /// The number of reports.
    pub reports: u64,
    /// Input tokens.
    pub input: f64,
    /// Output tokens.
    pub output: f64,
    /// Input tokens that were read from a cache.
    pub cache_read: f64,
    /// Input tokens that were written to a cache.
    pub cache_write: f64,
    /// Output tokens that were used for reasoning.
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
    pub(super) fn set_node_state(&mut self, store: &Store, event: EventRef, state: NodeState) {
        let mut unit = self.unit(event.unit);
        unit.state = Some(state);
        unit.retrying = false;
        unit.changed = event.place;
        if state == NodeState::InProgress {
            unit.starts += 1;
            unit.started = event.place;
        }
        self.set_unit(event.unit, unit);
        let approval = self.approval(unit);
        if state == NodeState::InProgress || is_over(state) {
            self.close_approval(approval);
            self.drop_calls(event.unit);
        }
        let Some(node) = store.node_of(event.unit) else { return };
        if is_over(state)
            && let Some(timer) = self.timer_of(node)
        {
            timer.is_pending = false;
        }
    }

    pub(super) fn open_approval(&mut self, event: EventRef) {
        let next = self.approvals.len() as u32;
        let mut unit = self.unit(event.unit);
        unit.state = Some(NodeState::WaitingApproval);
        unit.changed = event.place;
        let before = self.approvals.get(self.approval(unit) as usize);
        // `ApprovalRequested` and `NodeWaitingApproval` are written together and are one approval.
        let again = before.is_some_and(|approval| approval.is_open);
        self.set_unit(event.unit, unit);
        if !again {
            self.activity_mut(event.unit).approval = next;
            self.approvals.push(ApprovalFold { unit: event.unit, request: event.place, is_open: true });
        }
    }

    /// Records a decision. An approved node becomes pending and a denied one fails, as the released engine writes its rows.
    /// If the workflow continues after a denial, events of the node follow.
    pub(super) fn decide_approval(&mut self, event: EventRef, decision: ApprovalOutcome) {
        let next = self.approvals.len() as u32;
        let mut unit = self.unit(event.unit);
        if unit.state.is_none_or(|state| state == NodeState::WaitingApproval) {
            let yes = decision != ApprovalOutcome::Denied;
            unit.state = Some(if yes { NodeState::Pending } else { NodeState::Failed });
            unit.changed = event.place;
        }
        self.set_unit(event.unit, unit);
        if self.approval(unit) == NONE {
            self.activity_mut(event.unit).approval = next;
            self.approvals.push(ApprovalFold { unit: event.unit, request: event.place, is_open: true });
        }
        self.close_approval(self.approval(self.unit(event.unit)));
    }

    fn close_approval(&mut self, approval: u32) {
        if let Some(approval) = self.approvals.get_mut(approval as usize) {
            approval.is_open = false;
        }
    }

    fn timer_of(&mut self, node: u32) -> Option<&mut TimerFold> {
        let timer = self.nodes.get(node as usize)?.timer?;
        self.timers.get_mut(timer as usize)
    }

    pub(super) fn start_timer(&mut self, store: &mut Store, event: EventRef) {
        let text = EventText::new(store, event.row);
        let (fires_at, timer_id) = (text.time(b"firesAtMs"), text.text(b"timerId"));
        drop(text);
        let (node, unit) = match (timer_id, store.node_of(event.unit)) {
            (Some(timer_id), _) => (store.intern_node(event.run, timer_id.as_bytes()), NONE),
            (None, Some(node)) => {
                let state = Some(NodeState::WaitingTimer);
                self.set_unit(event.unit, UnitFold { state, changed: event.place, ..self.unit(event.unit) });
                (node, event.unit)
            }
            (None, None) => return,
        };
        // `TimerCreated` and `NodeWaitingTimer` are written together and are one timer.
        match self.timer_of(node) {
            Some(timer) if timer.is_pending => {
                timer.fires_at = fires_at.or(timer.fires_at);
                timer.unit = if unit == NONE { timer.unit } else { unit };
            }
            Some(_) | None => {
                let next = self.timers.len() as u32;
                self.timers.push(TimerFold { node, fires_at, is_pending: true, unit });
                self.node_mut(node).timer = Some(next);
            }
        }
    }

    /// Records that a timer fired or was cancelled. Its node waits no longer; an event of the node follows.
    pub(super) fn end_timer(&mut self, store: &mut Store, event: EventRef) {
        let Some(timer_id) = EventText::new(store, event.row).text(b"timerId") else { return };
        let node = store.intern_node(event.run, timer_id.as_bytes());
        if self.timer_of(node).is_none() {
            let fires_at = EventText::new(store, event.row).time(b"firesAtMs");
            let next = self.timers.len() as u32;
            self.timers.push(TimerFold { node, fires_at, is_pending: false, unit: NONE });
            self.node_mut(node).timer = Some(next);
        }
        let Some(timer) = self.timer_of(node) else { return };
        timer.is_pending = false;
        let number = timer.unit;
        let unit = self.units.get(number).filter(|unit| unit.state == Some(NodeState::WaitingTimer));
        if let Some(unit) = unit {
            let state = Some(NodeState::Pending);
            self.set_unit(number, UnitFold { state, changed: event.place, ..unit });
        }
    }

    pub(super) fn start_call(&mut self, store: &Store, event: EventRef) {
        self.count_call(store, event, 0);
        let Some(seq) = EventText::new(store, event.row).small(b"seq") else { return };
        if self.calls.len() >= MAX_CALLS {
            let mut starts: Vec<u32> = self.calls.iter().map(|call| call.start).collect();
            let (_, middle, _) = starts.select_nth_unstable(MAX_CALLS / 2);
            let middle = *middle;
            self.calls.retain(|call| call.start >= middle);
        }
        let attempt = store.attempt_key(event.row);
        self.calls.insert(CallFold { unit: event.unit, attempt, seq, start: event.place });
    }

    /// Drops the open calls of a unit.
    fn drop_calls(&mut self, unit: u32) {
        let first = CallFold { unit, attempt: 0, seq: 0, start: 0 };
        while let Some(call) = self.calls.range(first..).next().copied().filter(|call| call.unit == unit) {
            self.calls.remove(&call);
        }
    }

    pub(super) fn end_call(&mut self, store: &Store, event: EventRef) {
        self.count_call(store, event, 1);
        let text = EventText::new(store, event.row);
        let [seq, status] = text.values([b"seq", b"status"]);
        if status.is_some_and(|status| status.json() == "\"error\"") {
            self.count_call(store, event, 2);
        }
        let Some(seq) = seq.and_then(|seq| seq.read_small().ok()) else { return };
        let (unit, attempt) = (event.unit, store.attempt_key(event.row));
        let call_at = |start| CallFold { unit, attempt, seq, start };
        if let Some(call) = self.calls.range(call_at(0)..call_at(u32::MAX)).next_back().copied() {
            self.calls.remove(&call);
        }
    }

    fn count_call(&mut self, store: &Store, event: EventRef, which: usize) {
        if let Some(count) = self.runs.get_mut(event.run as usize).and_then(|run| run.calls.get_mut(which)) {
            *count += 1;
        }
        if store.node_of(event.unit).is_some()
            && let Some(count) = self.activity_mut(event.unit).calls.get_mut(which)
        {
            *count += 1;
        }
    }

    pub(super) fn add_tokens(&mut self, store: &Store, event: EventRef) {
        let report = Tokens::read(&EventText::new(store, event.row));
        if let Some(run) = self.runs.get_mut(event.run as usize) {
            run.tokens.add(&report);
        }
        if store.node_of(event.unit).is_some() {
            self.activity_mut(event.unit).tokens.get_or_insert_default().add(&report);
        }
    }

    fn activity_mut(&mut self, unit: u32) -> &mut Activity {
        let mut place = self.unit(unit).activity;
        if place == NONE {
            place = self.activities.len() as u32;
            self.set_unit(unit, UnitFold { activity: place, ..self.unit(unit) });
        }
        entry_mut(&mut self.activities, place)
    }

    /// The approvals, tool calls and tokens of a unit, if there are any.
    pub(crate) fn activity(&self, unit: UnitFold) -> Option<&Activity> {
        self.activities.get(unit.activity as usize)
    }

    fn approval(&self, unit: UnitFold) -> u32 {
        self.activity(unit).map_or(NONE, |activity| activity.approval)
    }

    /// Makes nodes pending that will run again (seed 003, `resetNodes`): in the iteration of the event, or in all iterations
    /// if the node was not in that one.
    pub(super) fn reset_nodes(&mut self, store: &Store, event: EventRef) {
        let text = EventText::new(store, event.row);
        if !text.is_true(b"success") {
            return;
        }
        let iteration = store.units.get(event.unit).map_or(0, |unit| unit.iteration);
        let mut in_all_iterations = HashSet::new();
        for name in text.texts(b"resetNodes") {
            let Some(node) = store.nodes.find(event.run, name.as_bytes()) else { continue };
            match store.find_unit(Unit { node, iteration }) {
                Some(unit) => self.set_pending(unit, event),
                None => {
                    in_all_iterations.insert(node);
                }
            }
        }
        if in_all_iterations.is_empty() {
            return;
        }
        for unit in 0..store.units.len() as u32 {
            if store.node_of(unit).is_some_and(|node| in_all_iterations.contains(&node)) {
                self.set_pending(unit, event);
            }
        }
    }

    fn set_pending(&mut self, unit: u32, event: EventRef) {
        let state = Some(NodeState::Pending);
        self.set_unit(unit, UnitFold { state, retrying: false, changed: event.place, ..self.unit(unit) });
    }
}
