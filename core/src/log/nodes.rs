//! The parts of a run as its events say them: nodes, approvals, timers, tool calls.

use super::EventLog;
use super::effect::{ApprovalDecision, TimerStatus};
use super::fold::{EventText, Tokens, known};
use super::view::is_across_gap;
use crate::smithers::wire::NodeState;
use crate::time::Millis;

/// A node in one round, as events say it.
#[derive(Clone, Debug, PartialEq)]
pub struct LogNode {
    /// The node's id.
    pub node_id: String,
    /// The round of a loop; 0 outside loops.
    pub iteration: u32,
    /// The state; `None` where no event tells one, as in a log whose beginning is cut off.
    pub state: Option<NodeState>,
    /// The node failed and will be tried again; the server calls it `failed` then (protocol section 3.6).
    pub retrying: bool,
    /// The number of the last attempt, of the next one where the node is retried.
    pub attempt: Option<u32>,
    /// How often an attempt began.
    pub starts: u32,
    /// When the state changed; `None` where no event tells one.
    pub changed_at: Option<Millis>,
    /// When the last attempt began.
    pub started_at: Option<Millis>,
    /// When it ended.
    pub ended_at: Option<Millis>,
    /// How many heartbeats there were, and when the last one was.
    pub heartbeats: u32,
    /// When the last heartbeat was.
    pub heartbeat_at: Option<Millis>,
    /// Events are missing after the change: the state may be another by now.
    pub across_gap: bool,
    /// The row of the event that changed the state.
    pub row: Option<u32>,
    /// Tool calls of the node in this round.
    pub calls: ToolCalls,
    /// What models used for the node in this round.
    pub tokens: Tokens,
}

/// How many tool calls there were.
///
/// ```
/// use runstate::log::{EventLog, ToolCalls};
/// use runstate::time::Millis;
///
/// let mut log = EventLog::new();
/// for line in [
///     r#"{"type":"ToolCallStarted","runId":"r","nodeId":"build","iteration":0,"attempt":1,"timestampMs":5,"toolName":"bash","seq":1}"#,
///     r#"{"type":"ToolCallFinished","runId":"r","nodeId":"build","iteration":0,"attempt":1,"timestampMs":7,"toolName":"bash","seq":1,"status":"error"}"#,
/// ] {
///     log.push_value(line);
/// }
/// assert_eq!(log.view(Millis(8.0)).calls, ToolCalls { started: 1, answered: 1, failed: 1 });
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ToolCalls {
    /// Calls.
    pub started: u64,
    /// Answers.
    pub answered: u64,
    /// Answers that were errors.
    pub failed: u64,
}

/// A question to a person.
#[derive(Clone, Debug, PartialEq)]
pub struct LogApproval {
    /// The node that asks.
    pub node_id: String,
    /// The round of a loop.
    pub iteration: u32,
    /// What is asked, where the event says it.
    pub title: Option<String>,
    /// When it was asked.
    pub asked_at: Millis,
    /// The answer and its time; `None` while it is open.
    pub decided: Option<(ApprovalDecision, Millis)>,
}

/// A timer.
#[derive(Clone, Debug, PartialEq)]
pub struct LogTimer {
    /// The timer's id, which is its node's.
    pub timer_id: String,
    /// When it was set.
    pub set_at: Millis,
    /// When it fires.
    pub fires_at: Option<Millis>,
    /// What became of it.
    pub status: TimerStatus,
    /// When that was.
    pub changed_at: Millis,
}

/// A call of a tool that was not answered yet.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolCall {
    /// The node that called.
    pub node_id: String,
    /// The tool; empty where the event does not say it.
    pub tool_name: String,
    /// The number of the call in its attempt.
    pub seq: u32,
    /// When it was called.
    pub started_at: Millis,
}

fn run_number(log: &EventLog, run_id: &str) -> Option<u32> {
    log.store.runs.find(0, run_id.as_bytes())
}

fn node_name(log: &EventLog, unit: u32) -> String {
    log.store.node_of(unit).map(|node| log.store.nodes.name(node).to_owned()).unwrap_or_default()
}

pub(super) fn nodes(log: &EventLog, run_id: &str) -> Vec<LogNode> {
    let run = run_number(log, run_id);
    let units = (0..log.fold.units.len() as u32).filter(|unit| Some(log.store.run_of(*unit)) == run);
    units.filter_map(|unit| node(log, unit)).collect()
}

/// The same of the units that are known to be the run's.
pub(super) fn of_units(log: &EventLog, units: &[u32]) -> Vec<LogNode> {
    units.iter().filter_map(|unit| node(log, *unit)).collect()
}

fn node(log: &EventLog, unit: u32) -> Option<LogNode> {
    let fold = log.fold.unit(unit);
    if fold.is_untold() {
        return None;
    }
    let number = log.store.node_of(unit)?;
    let at = |place| log.time_at(place);
    let row = known(fold.changed).map(|place| log.order.row(place));
    // A heartbeat of an attempt says nothing of the next one, which alone may be pending.
    let beat = known(fold.beat).filter(|_| row.is_none());
    let others = [known(fold.started), beat].map(|place| Some(log.order.row(place?)));
    let spent = log.fold.beside(fold);
    let [started, answered, failed] = spent.map(|spent| spent.calls.map(u64::from)).unwrap_or_default();
    Some(LogNode {
        node_id: log.store.nodes.name(number).to_owned(),
        iteration: log.store.units.get(unit)?.iteration,
        state: fold.state,
        retrying: fold.retrying,
        attempt: others.into_iter().fold(row.and_then(|row| log.store.attempt(row)), |known, row| {
            known.or_else(|| log.store.attempt(row?))
        }),
        starts: fold.starts,
        changed_at: known(fold.changed).map(at),
        started_at: known(fold.started).map(at),
        ended_at: known(fold.changed).filter(|_| fold.state.is_some_and(super::fold::is_over)).map(at),
        heartbeats: fold.beats,
        heartbeat_at: known(fold.beat).map(at),
        across_gap: known(fold.changed)
            .is_some_and(|changed| is_across_gap(log, log.store.run_of(unit), changed)),
        row,
        calls: ToolCalls { started, answered, failed },
        tokens: spent.and_then(|spent| spent.tokens.as_deref().copied()).unwrap_or_default(),
    })
}

pub(super) fn approvals(log: &EventLog, run_id: &str) -> Vec<LogApproval> {
    let run = run_number(log, run_id);
    let of_run = log.fold.approvals.iter().filter(|approval| Some(log.store.run_of(approval.unit)) == run);
    let approval = |approval: &super::fold::ApprovalFold| LogApproval {
        node_id: node_name(log, approval.unit),
        iteration: log.store.units.get(approval.unit).map_or(0, |unit| unit.iteration),
        title: EventText::of(&log.store, log.order.row(approval.asked)).title(),
        asked_at: log.time_at(approval.asked),
        decided: approval.decided.map(|(decision, place)| (decision, log.time_at(place))),
    };
    of_run.map(approval).collect()
}

pub(super) fn timers(log: &EventLog, run_id: &str) -> Vec<LogTimer> {
    let run = run_number(log, run_id);
    let of_run = log.fold.timers.iter().filter(|timer| Some(log.store.nodes.group(timer.node)) == run);
    let timer = |timer: &super::fold::TimerFold| LogTimer {
        timer_id: log.store.nodes.name(timer.node).to_owned(),
        set_at: log.time_at(timer.set),
        fires_at: timer.fires_at.map(Millis),
        status: timer.status,
        changed_at: log.time_at(timer.changed),
    };
    of_run.map(timer).collect()
}

pub(super) fn open_calls(log: &EventLog, run_id: &str) -> Vec<ToolCall> {
    let run = run_number(log, run_id);
    let of_run = log.fold.calls.iter().filter(|call| Some(log.store.run_of(call.unit)) == run);
    let call = |call: &super::fold::CallFold| ToolCall {
        node_id: node_name(log, call.unit),
        tool_name: EventText::of(&log.store, log.order.row(call.started))
            .text(b"toolName")
            .unwrap_or_default(),
        seq: call.seq,
        started_at: log.time_at(call.started),
    };
    of_run.map(call).collect()
}

/// Of one run: places in the lists of the fold.
#[derive(Debug, Default)]
pub(super) struct RunIndex {
    /// Its nodes, each round by itself.
    pub(super) units: Vec<u32>,
    /// Questions to people that are open.
    pub(super) approvals: Vec<u32>,
    /// Timers that run.
    pub(super) timers: Vec<u32>,
    /// What is missing.
    pub(super) gaps: Vec<u32>,
}

/// The part of every run, by its number.
pub(super) fn parts(log: &EventLog) -> Vec<RunIndex> {
    let mut parts: Vec<RunIndex> = (0..log.store.runs.len()).map(|_| RunIndex::default()).collect();
    let mut add = |run: u32, list: fn(&mut RunIndex) -> &mut Vec<u32>, place: u32| {
        #[cfg(test)]
        work::count();
        if let Some(part) = parts.get_mut(run as usize) {
            list(part).push(place);
        }
    };
    for unit in 0..log.fold.units.len() as u32 {
        add(log.store.run_of(unit), |part| &mut part.units, unit);
    }
    for (place, approval) in (0..).zip(&log.fold.approvals) {
        if approval.decided.is_none() {
            add(log.store.run_of(approval.unit), |part| &mut part.approvals, place);
        }
    }
    for (place, timer) in (0..).zip(&log.fold.timers) {
        if timer.status == TimerStatus::Pending {
            add(log.store.nodes.group(timer.node), |part| &mut part.timers, place);
        }
    }
    for (place, gap) in (0..).zip(&log.fold.gaps) {
        add(gap.run, |part| &mut part.gaps, place);
    }
    parts
}

/// Counts how many things were looked at, for tests of what a log costs.
#[cfg(test)]
pub(super) mod work {
    use std::cell::Cell;

    thread_local!(static DONE: Cell<u64> = const { Cell::new(0) });

    pub(in super::super) fn count() {
        DONE.set(DONE.get() + 1);
    }

    /// What was counted since the last call.
    pub(in super::super) fn take() -> u64 {
        DONE.replace(0)
    }
}

#[cfg(test)]
mod tests {
    use super::work;
    use crate::file::File;
    use crate::ingest::open;
    use crate::log::EventLog;
    use crate::time::Millis;

    fn runs(count: u32) -> String {
        let line = |run: u32| {
            format!(
                "{{\"type\":\"RunStarted\",\"runId\":\"r{run}\",\"timestampMs\":1}}\n\
                 {{\"type\":\"NodeStarted\",\"runId\":\"r{run}\",\"nodeId\":\"a\",\"iteration\":0,\"attempt\":1,\"timestampMs\":2}}\n"
            )
        };
        (0..count).map(line).collect()
    }

    /// How many things were looked at to open a log of so many runs.
    fn cost(count: u32) -> u64 {
        let text = runs(count);
        work::take();
        let document = open(&[File { name: None, bytes: text.as_bytes() }], Millis(5.0)).unwrap();
        assert_eq!(document.rows().len(), count as usize);
        work::take()
    }

    #[test]
    fn a_log_of_many_runs_costs_what_its_runs_cost() {
        let (few, many) = (cost(100), cost(3200));
        assert!(few >= 100 && many <= few * 33, "{few} for 100 runs, {many} for 3200");
        let mut log = EventLog::new();
        log.push(runs(3200).as_bytes());
        work::take();
        assert_eq!(log.view(Millis(5.0)).other_runs.len(), 3199);
        assert!(work::take() <= many);
    }
}
