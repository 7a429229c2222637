//! The nodes of each run, as its events report them.

use serde::Serialize;

use super::EventLog;
use super::fold::{Tokens, event_place};
use crate::smithers::wire::{EventType, NodeState};
use crate::time::Millis;

/// A node in one iteration, according to the events.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(tsify::Tsify), tsify(rename = "EventLogNode"))]
#[non_exhaustive]
pub struct LogNode {
    /// The node's id.
    pub node_id: String,
    /// The loop iteration; 0 outside loops.
    pub iteration: u32,
    /// The state; absent, like `changedAtMs` and `row`, if no event reports one: heartbeats, calls and tokens do not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<NodeState>,
    /// The node failed and will be retried; the server reports `failed` in the meantime.
    // Protocol section 3.6.
    pub retrying: bool,
    /// Whether it failed because a person denied its approval.
    #[serde(skip)]
    pub(crate) is_denied: bool,
    /// The number of the last attempt; of the next one if the node is retried.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attempt: Option<u32>,
    /// The number of attempts that began.
    pub starts: u32,
    /// When the state changed.
    #[serde(rename = "changedAtMs", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, tsify(type = "number"))]
    pub changed_at: Option<Millis>,
    /// When the last attempt began.
    #[serde(rename = "startedAtMs", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, tsify(type = "number"))]
    pub started_at: Option<Millis>,
    /// When the node ended.
    #[serde(rename = "endedAtMs", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, tsify(type = "number"))]
    pub ended_at: Option<Millis>,
    /// The number of received heartbeats.
    pub heartbeats: u32,
    /// When the last heartbeat was.
    #[serde(rename = "heartbeatAtMs", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, tsify(type = "number"))]
    pub heartbeat_at: Option<Millis>,
    /// Events after the state change are missing, so the state may be outdated.
    pub across_gap: bool,
    /// The row of the event that changed the state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub row: Option<u32>,
    /// Tool calls of the node in this iteration.
    pub calls: ToolCalls,
    /// Token usage of the node in this iteration.
    pub tokens: Tokens,
}

/// The numbers of tool calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(tsify::Tsify))]
#[non_exhaustive]
pub struct ToolCalls {
    /// Calls started.
    pub started: u64,
    /// Calls answered.
    pub answered: u64,
    /// Calls answered with an error.
    pub failed: u64,
}

fn run_number(log: &EventLog, run_id: &str) -> Option<u32> {
    log.store.runs.find(0, run_id.as_bytes())
}

pub(super) fn nodes(log: &EventLog, run_id: &str) -> Vec<LogNode> {
    let run = run_number(log, run_id);
    let units = (0..log.fold.units.len() as u32).filter(|unit| Some(log.store.run_of(*unit)) == run);
    units.filter_map(|unit| node(log, unit)).collect()
}

pub(super) fn node(log: &EventLog, unit: u32) -> Option<LogNode> {
    let fold = log.fold.unit(unit);
    if fold.is_empty() {
        return None;
    }
    let number = log.store.node_of(unit)?;
    let at = |place| log.time_at(place);
    let row = event_place(fold.changed).map(|place| log.order.row(place));
    let is_denial = |row| {
        let kind = log.store.kind(row);
        kind.and_then(|kind| kind.word.known()) == Some(EventType::ApprovalDenied)
    };
    // A heartbeat of one attempt is no information about the next attempt, which may be pending.
    let heartbeat = event_place(fold.last_heartbeat).filter(|_| row.is_none());
    let other_rows = [event_place(fold.started), heartbeat].map(|place| Some(log.order.row(place?)));
    let activity = log.fold.activity(fold);
    let [started, answered, failed] =
        activity.map(|activity| activity.calls.map(u64::from)).unwrap_or_default();
    Some(LogNode {
        node_id: log.store.nodes.name(number).to_owned(),
        iteration: log.store.units.get(unit)?.iteration,
        state: fold.state,
        retrying: fold.retrying,
        is_denied: fold.state == Some(NodeState::Failed) && row.is_some_and(is_denial),
        attempt: other_rows.into_iter().fold(row.and_then(|row| log.store.attempt(row)), |attempt, row| {
            attempt.or_else(|| log.store.attempt(row?))
        }),
        starts: fold.starts,
        changed_at: event_place(fold.changed).and_then(at),
        started_at: event_place(fold.started).and_then(at),
        ended_at: event_place(fold.changed)
            .filter(|_| fold.state.is_some_and(super::fold::is_over))
            .and_then(at),
        heartbeats: fold.heartbeats,
        heartbeat_at: event_place(fold.last_heartbeat).and_then(at),
        across_gap: event_place(fold.changed)
            .is_some_and(|changed| log.is_across_gap(log.store.run_of(unit), changed)),
        row,
        calls: ToolCalls { started, answered, failed },
        tokens: activity.and_then(|activity| activity.tokens.as_deref().copied()).unwrap_or_default(),
    })
}

/// The items of one run, as positions in the lists of the fold.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RunItems<'a> {
    /// Nodes, each iteration separately.
    pub(super) units: &'a [u32],
    /// Open approvals.
    pub(super) approvals: &'a [u32],
    /// Pending timers.
    pub(super) timers: &'a [u32],
    /// Gaps.
    pub(super) gaps: &'a [u32],
}

/// The items of every run. Built in one pass, so that the cost of a log with many runs stays proportional to its events.
#[derive(Debug)]
pub(crate) struct RunIndex {
    units: Groups,
    approvals: Groups,
    timers: Groups,
    gaps: Groups,
}

/// Items by the number of their run.
#[derive(Debug)]
struct Groups {
    /// The end of each run's items.
    ends: Vec<u32>,
    items: Vec<u32>,
}

impl Groups {
    fn new(runs: u32, items: impl Iterator<Item = (u32, u32)>) -> Self {
        #[cfg(test)]
        let items = items.inspect(|_| work::count());
        let mut items: Vec<(u32, u32)> = items.collect();
        items.sort_by_key(|(run, _)| *run);
        let end = |run| items.partition_point(|(of, _)| *of <= run) as u32;
        let ends = if items.is_empty() { Vec::new() } else { (0..runs).map(end).collect() };
        Self { ends, items: items.iter().map(|(_, item)| *item).collect() }
    }

    fn of(&self, run: u32) -> &[u32] {
        let run = run as usize;
        let start = run.checked_sub(1).map_or(Some(0), |before| self.ends.get(before).copied());
        let range = start.zip(self.ends.get(run).copied());
        range.and_then(|(start, end)| self.items.get(start as usize..end as usize)).unwrap_or_default()
    }
}

impl RunIndex {
    pub(super) fn new(log: &EventLog) -> Self {
        let (store, fold) = (&log.store, &log.fold);
        let units = (0..fold.units.len() as u32).map(|unit| (store.run_of(unit), unit));
        let approvals = (0..).zip(&fold.approvals).filter(|(_, approval)| approval.is_open);
        let timers = (0..).zip(&fold.timers).filter(|(_, timer)| timer.is_pending);
        let groups = |items: &mut dyn Iterator<Item = (u32, u32)>| Groups::new(store.runs.len(), items);
        Self {
            units: groups(&mut { units }),
            approvals: groups(&mut approvals.map(|(place, it)| (store.run_of(it.unit), place))),
            timers: groups(&mut timers.map(|(place, it)| (store.nodes.group(it.node), place))),
            gaps: groups(&mut (0..).zip(&fold.gaps).map(|(place, gap)| (gap.run, place))),
        }
    }

    pub(super) fn of(&self, run: u32) -> RunItems<'_> {
        RunItems {
            units: self.units.of(run),
            approvals: self.approvals.of(run),
            timers: self.timers.of(run),
            gaps: self.gaps.of(run),
        }
    }
}

/// Counts visited items, for tests of the cost.
#[cfg(test)]
pub(super) mod work {
    use std::cell::Cell;

    thread_local!(static DONE: Cell<u64> = const { Cell::new(0) });

    pub(in super::super) fn count() {
        DONE.set(DONE.get() + 1);
    }

    /// The count since the last call.
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

    /// The number of items visited to open a log of `count` runs.
    fn cost(count: u32) -> u64 {
        let text = runs(count);
        work::take();
        let document = open(&[File { name: None, bytes: text.as_bytes() }], Millis(5.0)).unwrap();
        assert_eq!(document.rows().len(), count as usize);
        work::take()
    }

    #[test]
    fn the_cost_is_linear_in_the_number_of_runs() {
        let (few, many) = (cost(100), cost(3200));
        assert!(few >= 100 && many <= few * 33, "{few} for 100 runs, {many} for 3200");
        let mut log = EventLog::new();
        log.push(runs(3200).as_bytes());
        work::take();
        assert_eq!(log.view(Millis(5.0)).other_runs.len(), 3199);
        assert!(work::take() <= many);
    }

    #[test]
    fn calls_are_counted() {
        use crate::log::{EventLog, ToolCalls};
        use crate::time::Millis;
        let mut log = EventLog::new();
        for line in [
            r#"{"type":"ToolCallStarted","runId":"r","nodeId":"build","iteration":0,"attempt":1,"timestampMs":5,"toolName":"bash","seq":1}"#,
            r#"{"type":"ToolCallFinished","runId":"r","nodeId":"build","iteration":0,"attempt":1,"timestampMs":7,"toolName":"bash","seq":1,"status":"error"}"#,
        ] {
            log.push_value(line);
        }
        assert_eq!(log.view(Millis(8.0)).calls, ToolCalls { started: 1, answered: 1, failed: 1 });
    }

    #[test]
    fn the_latest_open_calls_are_kept_until_their_nodes_end() {
        use crate::log::EventLog;
        let event = |event_type: &str, number: u32| {
            format!(
                r#"{{"type":"{event_type}","runId":"r","nodeId":"n{}","iteration":0,"attempt":1,"timestampMs":{number},"toolName":"bash","seq":{}}}"#,
                number % 1000,
                number / 2000
            )
        };
        let open = |log: &mut EventLog| -> Vec<f64> {
            log.arrange();
            let mut starts: Vec<u32> = log.fold.calls.iter().map(|call| call.start).collect();
            starts.sort_unstable();
            starts.into_iter().map(|start| log.store.time(log.order.row(start))).collect()
        };
        let mut log = EventLog::new();
        for number in 0..4097 {
            log.push_value(&event("ToolCallStarted", number));
        }
        // If there are too many, the older half is dropped.
        assert_eq!(open(&mut log), (2048..4097).map(f64::from).collect::<Vec<_>>());
        log.push_value(&event("NodeFinished", 5007));
        let left = (2048..4097).filter(|number| number % 1000 != 7).map(f64::from);
        assert_eq!(open(&mut log), left.collect::<Vec<_>>());
    }
}
