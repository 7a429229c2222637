//! The state of one run according to its events: an input for comparing witnesses, and the header of a log.
//!
//! ```
//! use runstate::log::{Caveat, EventLog};
//! use runstate::time::Millis;
//!
//! let mut log = EventLog::new();
//! log.push(concat!(r#"{"type":"NodeStarted","runId":"r","nodeId":"build","iteration":0,"attempt":1,"timestampMs":5}"#, "\n").as_bytes());
//! let view = log.view(Millis(10.0));
//! assert_eq!(view.state.as_str(), "running");
//! // The log begins in the middle, and no event reports the state of the run itself.
//! assert!(view.caveats.contains(&Caveat::NoStart) && view.caveats.contains(&Caveat::FromNodes));
//! ```

use serde::Serialize;

use super::caveat::Caveat;
use super::fold::{Lifecycle, RunFold, Tokens};
use super::nodes::{RunIndex, RunItems, ToolCalls};
use super::order::Ordering;
use super::settled::Settled;
use super::{EventLog, LogCounts};
use crate::evidence::{Evidence, Input, Signal, Value};
use crate::smithers::wire::{Boundary, EventType, NodeState, ReasonBlocked, RunState};
use crate::time::Millis;
use crate::word::{Vocabulary, Word};

/// The state of a run according to its events.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct LogView {
    /// The run's id; `None` in a log without events.
    pub run_id: Option<String>,
    /// The workflow's name, from the last event that has one.
    pub workflow: Option<String>,
    /// The run's state when the last event was written; [`RunState::Unknown`] if no event reports it.
    pub state: Word<RunState>,
    /// The evidence for the state.
    pub evidence: Evidence,
    /// The reason for waiting, if the run's events report it.
    pub blocked: Option<ReasonBlocked>,
    /// What ended the wait that the state names.
    pub(crate) settled: Option<Settled>,
    /// Events after the deciding one are missing, so the state may be outdated.
    pub across_gap: bool,
    /// Other reasons why the state may be wrong.
    pub caveats: Vec<Caveat>,
    /// The time of the last event.
    pub as_of: Option<Millis>,
    /// The age of the last event, milliseconds.
    pub age_ms: Option<f64>,
    /// When the engine started for the first time.
    pub started_at: Option<Millis>,
    /// When the run ended, if it did.
    pub ended_at: Option<Millis>,
    /// The number of times that the engine started.
    pub starts: u32,
    /// The id of the run that continues the work.
    pub continued_as: Option<String>,
    /// The error that ended the run, as reported.
    pub error: Option<String>,
    /// Tolerated failures of a succeeded run, as the last event lists them: `nodeId::iteration`.
    pub failed_children: Vec<String>,
    /// The number of tolerated failures, including unlisted ones.
    pub failed_child_count: u64,
    /// The last time travel across side effects that were not reverted.
    pub boundary: Option<Boundary>,
    /// The number of nodes in each state; each iteration counts separately.
    pub nodes: Vec<(NodeState, u64)>,
    /// Open approvals.
    pub open_approvals: u64,
    /// Pending timers.
    pub open_timers: u64,
    /// Tool calls.
    pub calls: ToolCalls,
    /// Token usage.
    pub tokens: Tokens,
    /// The counts of the whole log.
    pub counts: LogCounts,
    /// The other runs in the log.
    pub other_runs: Vec<OtherRun>,
}

/// Another run in the same log.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(tsify::Tsify))]
#[non_exhaustive]
pub struct OtherRun {
    /// Its id.
    pub run_id: String,
    /// Its state when its last event was written.
    #[cfg_attr(test, tsify(type = "string"))]
    pub state: Word<RunState>,
}

/// The state of a run, with the states of the other runs in the log.
pub(super) fn view(log: &EventLog, run: u32, now: Millis) -> LogView {
    let index = RunIndex::new(log);
    let other = |other: u32| {
        let fold = log.fold.run(other).cloned().unwrap_or_default();
        let run_id = log.store.runs.name(other).to_owned();
        OtherRun { run_id, state: LogState::new(log, &fold, index.of(other)).word }
    };
    let others = (0..log.store.runs.len()).filter(|other| *other != run);
    LogView { other_runs: others.map(other).collect(), ..run_view(log, run, index.of(run), now) }
}

/// The state of a run, without the other runs.
pub(super) fn run_view(log: &EventLog, run: u32, index: RunItems<'_>, now: Millis) -> LogView {
    #[cfg(test)]
    super::nodes::work::count();
    let nothing = RunFold::default();
    let fold = log.fold.run(run).unwrap_or(&nothing);
    let state = LogState::new(log, fold, index);
    let as_of = fold.last.and_then(|place| log.time_at(place));
    let outcome = Outcome::read(log, fold);
    LogView {
        run_id: (run < log.store.runs.len()).then(|| log.store.runs.name(run).to_owned()),
        workflow: fold.last.and_then(|place| log.workflow(log.order.row(place))),
        evidence: evidence(log, fold, &state, as_of),
        blocked: blocked(log, index, state.word.known()),
        settled: state.word.known().and_then(|state| Settled::read(log, fold, state)),
        across_gap: state.place.is_some_and(|place| log.is_across_gap(run, place)),
        caveats: caveats(log, run, fold, &state, index),
        as_of,
        age_ms: as_of.map(|at| now.since(at)),
        started_at: fold.first_start.and_then(|place| log.time_at(place)),
        ended_at: ended(&state.word, fold).and_then(|place| log.time_at(place)),
        starts: fold.starts,
        continued_as: outcome.continued_as,
        error: outcome.error,
        failed_children: outcome.failed_children,
        failed_child_count: outcome.failed_child_count,
        boundary: fold.boundary_event.and_then(|place| Boundary::read(&log.json(log.order.row(place))?)),
        nodes: node_counts(log, index),
        open_approvals: index.approvals.len() as u64,
        open_timers: index.timers.len() as u64,
        calls: ToolCalls { started: fold.calls[0], answered: fold.calls[1], failed: fold.calls[2] },
        tokens: fold.tokens,
        counts: log.counts_in_order(),
        other_runs: Vec::new(),
        state: state.word,
    }
}

/// The state, and the event that reports it.
struct LogState {
    word: Word<RunState>,
    place: Option<u32>,
    /// The state was derived from events of nodes.
    from_nodes: bool,
}

impl LogState {
    fn new(log: &EventLog, fold: &RunFold, index: RunItems<'_>) -> Self {
        match &fold.lifecycle {
            Lifecycle::State(state) => {
                Self { word: state.clone(), place: fold.state_event, from_nodes: false }
            }
            Lifecycle::Rewound => {
                Self { word: RunState::Unknown.into(), place: fold.state_event, from_nodes: false }
            }
            Lifecycle::Unknown => {
                let running = || fold.last_activity.map(|place| (RunState::Running, place));
                let found = waiting(log, index).or_else(running);
                let word = found.map_or(RunState::Unknown, |(state, _)| state).into();
                Self { word, place: found.map(|(_, place)| place), from_nodes: found.is_some() }
            }
        }
    }
}

/// The reason for waiting according to the nodes: one of them waits, and none is in progress or will be retried.
fn waiting(log: &EventLog, index: RunItems<'_>) -> Option<(RunState, u32)> {
    let units = || index.units.iter().map(|unit| log.fold.unit(*unit));
    let busy = units().any(|unit| unit.retrying || unit.state == Some(NodeState::InProgress));
    let waits = units().filter_map(|unit| Some((unit.state?.waiting_run_state()?, unit.changed)));
    waits.reduce(|first, next| if (next.0 as u8) < first.0 as u8 { next } else { first }).filter(|_| !busy)
}

fn ended(state: &Word<RunState>, fold: &RunFold) -> Option<u32> {
    state.known().filter(|state| state.is_terminal()).and(fold.state_event)
}

fn evidence(log: &EventLog, fold: &RunFold, state: &LogState, as_of: Option<Millis>) -> Evidence {
    let input = |name, place: u32, decisive| {
        let word = log.store.kind(log.order.row(place)).map(|kind| kind.word.as_str().to_owned());
        let value = word.map_or(Value::Absent, Value::Word);
        Input { at: log.time_at(place), ..Input::new(name, value, decisive) }
    };
    let mut inputs = Vec::new();
    match (state.place, state.from_nodes) {
        (Some(place), false) => inputs.push(input(Signal::LastRunEvent, place, true)),
        (Some(place), true) => inputs.push(input(Signal::LastNodeEvent, place, true)),
        (None, _) => inputs.push(Input::new(Signal::LastRunEvent, Value::Absent, true)),
    }
    if let Some(last) = fold.last {
        inputs.push(input(Signal::LastEvent, last, false));
    }
    if log.unread_at_end > 0 {
        let lines = Value::Text(log.unread_at_end.to_string());
        inputs.push(Input::new(Signal::UnreadLines, lines, false));
    }
    Evidence { inputs, read_from: "event log".to_owned(), read_at: as_of }
}

fn caveats(log: &EventLog, run: u32, fold: &RunFold, state: &LogState, index: RunItems<'_>) -> Vec<Caveat> {
    let (mut lost, mut left_out) = ((0, 0), (0, 0));
    for gap in index.gaps.iter().filter_map(|gap| log.fold.gaps.get(*gap as usize)) {
        let (count, events) = if log.is_frame_gap(gap) { &mut left_out } else { &mut lost };
        (*count, *events) = (*count + 1, *events + u64::from(gap.to - gap.from) + 1);
    }
    let over = state.word.known().is_some_and(RunState::is_terminal);
    let all = [
        (lost.0 > 0, Caveat::Lost { events: lost.1, gaps: lost.0 }),
        (left_out.0 > 0, Caveat::LeftOut { events: left_out.1, gaps: left_out.0 }),
        (log.unread > 0, Caveat::Unread { lines: log.unread }),
        (log.store.repeated > 0, Caveat::Repeated { events: log.store.repeated }),
        (fold.last.is_some() && fold.starts == 0, Caveat::NoStart),
        (state.from_nodes, Caveat::FromNodes),
        (fold.after_end > 0, Caveat::AfterTheEnd { events: fold.after_end }),
        (fold.in_seconds > 0, Caveat::TimesInSeconds { events: fold.in_seconds }),
        (fold.last.is_some() && !over, Caveat::EndMayBeMissing),
    ];
    let mut all: Vec<Caveat> =
        all.into_iter().filter(|(holds, _)| *holds).map(|(_, caveat)| caveat).collect();
    all.extend(end_caveats(log, fold));
    all.extend(log.times.out_of_range(run));
    all.extend(order_caveat(log, run));
    all
}

/// What was not read behind the last event, and what contradicts it.
fn end_caveats(log: &EventLog, fold: &RunFold) -> Vec<Caveat> {
    let unread = (log.unread_at_end > 0).then_some(Caveat::UnreadAtEnd { lines: log.unread_at_end });
    let unknown = fold.unknown_last.and_then(|place| log.store.kind(log.order.row(place)));
    let unknown = unknown.map(|kind| Caveat::UnknownLast { event_type: kind.word.as_str().to_owned() });
    let other = fold.contradicted.clone();
    let other = other.map(|(state, place)| Caveat::Contradicted { state, at: log.time_at(place) });
    [unread, unknown, other].into_iter().flatten().collect()
}

/// How the order of the events differs from that of their times.
fn order_caveat(log: &EventLog, run: u32) -> Option<Caveat> {
    match log.order.ordering() {
        Ordering::Sequence => None,
        Ordering::NewestFirst => Some(Caveat::NewestFirst),
        Ordering::File | Ordering::Merged => log.times.largest_step_back(run),
    }
}

/// The outcome of the run, from the event that reports it.
#[derive(Default)]
struct Outcome {
    continued_as: Option<String>,
    error: Option<String>,
    failed_children: Vec<String>,
    failed_child_count: u64,
}

impl Outcome {
    fn read(log: &EventLog, fold: &RunFold) -> Self {
        let Some(row) = fold.outcome_event.map(|place| log.order.row(place)) else { return Self::default() };
        let text = super::fold::EventText::new(&log.store, row);
        match log.store.kind(row).and_then(|kind| kind.word.known()) {
            Some(EventType::RunFailed) => Self { error: text.error(), ..Self::default() },
            Some(EventType::RunContinuedAsNew) => {
                Self { continued_as: text.text(b"newRunId"), ..Self::default() }
            }
            Some(EventType::RunFinished) => {
                let failed_children = text.texts(b"failedChildKeys");
                // As in a row, only a whole number from 0 is a count.
                let count =
                    text.number(b"failedChildren").filter(|count| count.fract() == 0.0 && *count >= 0.0);
                let count = count.unwrap_or(0.0) as u64;
                let failed_child_count = count.max(failed_children.len() as u64);
                Self { failed_children, failed_child_count, ..Self::default() }
            }
            Some(_) | None => Self::default(),
        }
    }
}

fn blocked(log: &EventLog, index: RunItems<'_>, state: Option<RunState>) -> Option<ReasonBlocked> {
    let iso = |at: Millis| at.to_iso().ok();
    match state? {
        RunState::WaitingApproval => {
            let approval = log.fold.approvals.get(*index.approvals.first()? as usize)?;
            let node_id = log.store.nodes.name(log.store.node_of(approval.unit)?).to_owned();
            Some(ReasonBlocked::Approval { node_id, requested_at: iso(log.time_at(approval.request)?)? })
        }
        RunState::WaitingTimer => {
            let earliest =
                |earliest: (f64, u32), next: (f64, u32)| if next.0 < earliest.0 { next } else { earliest };
            let timers = index.timers.iter().filter_map(|timer| log.fold.timers.get(*timer as usize));
            let timers = timers.filter_map(|timer| Some((timer.fires_at?, timer.node)));
            let (fires_at, node) = timers.reduce(earliest)?;
            let node_id = log.store.nodes.name(node).to_owned();
            Some(ReasonBlocked::Timer { node_id, wake_at: iso(Millis(fires_at))? })
        }
        // No event names the node that waits for an event (protocol section 5, quirk 13).
        RunState::WaitingEvent
        | RunState::WaitingQuota
        | RunState::Running
        | RunState::Paused
        | RunState::Recovering
        | RunState::Stale
        | RunState::Orphaned
        | RunState::Failed
        | RunState::Cancelled
        | RunState::Succeeded
        | RunState::Unknown => None,
    }
}

fn node_counts(log: &EventLog, index: RunItems<'_>) -> Vec<(NodeState, u64)> {
    let mut counts: Vec<(NodeState, u64)> = NodeState::ALL.iter().map(|state| (*state, 0)).collect();
    for state in index.units.iter().filter_map(|unit| log.fold.unit(*unit).state) {
        if let Some((_, count)) = counts.iter_mut().find(|(known, _)| *known == state) {
            *count += 1;
        }
    }
    counts.retain(|(_, count)| *count > 0);
    counts
}
