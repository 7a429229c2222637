//! What the events of one run say about it: an input for comparing witnesses, and a header for a log by itself.

use super::fold::{Lifecycle, RunFold, Tokens};
use super::nodes::{RunIndex, ToolCalls};
use super::{EventLog, LogCounts};
use crate::evidence::{Evidence, Input, Signal, Value};
use crate::smithers::wire::{Boundary, EventType, NodeState, ReasonBlocked, RunState};
use crate::time::Millis;
use crate::word::{Vocabulary, Word};

/// What the events of a run say about it.
#[derive(Clone, Debug, PartialEq)]
pub struct LogView {
    /// The run; `None` in a log without events.
    pub run_id: Option<String>,
    /// The workflow's name, from the last event that has one.
    pub workflow: Option<String>,
    /// What the run was doing when the last event was written. [`RunState::Unknown`] where no event tells.
    pub state: Word<RunState>,
    /// What the state rests on.
    pub evidence: Evidence,
    /// What the run waits for, where its events name it.
    pub blocked: Option<ReasonBlocked>,
    /// Events are missing after the one that decided: the state may have changed since.
    pub across_gap: bool,
    /// What else speaks against relying on the state.
    pub caveats: Vec<Caveat>,
    /// When the last event was written.
    pub as_of: Option<Millis>,
    /// How long ago that is, milliseconds.
    pub age_ms: Option<f64>,
    /// When the engine started for the first time.
    pub started_at: Option<Millis>,
    /// When the run ended, if it did.
    pub ended_at: Option<Millis>,
    /// How often the engine started.
    pub starts: u32,
    /// The run that goes on with the work.
    pub continued_as: Option<String>,
    /// The error that ended the run, in its own words.
    pub error: Option<String>,
    /// Tolerated failures under a run that succeeded, as the last event has them: `nodeId::iteration`.
    pub failed_children: Vec<String>,
    /// How many of them there are, also where they are not named.
    pub failed_child_count: u64,
    /// The last time travel over effects outside the run that were not taken back.
    pub boundary: Option<Boundary>,
    /// How many nodes are in each state, each round counted by itself.
    pub nodes: Vec<(NodeState, u64)>,
    /// Questions to people that are open.
    pub open_approvals: u64,
    /// Timers that run.
    pub open_timers: u64,
    /// Tool calls.
    pub calls: ToolCalls,
    /// What models used.
    pub tokens: Tokens,
    /// How much there is of everything in the whole log.
    pub counts: LogCounts,
    /// The other runs in the log.
    pub other_runs: Vec<OtherRun>,
}

/// Another run in the same log.
#[derive(Clone, Debug, PartialEq)]
pub struct OtherRun {
    /// Its id.
    pub run_id: String,
    /// What it was doing when its last event was written.
    pub state: Word<RunState>,
}

/// Why a state from a log may not be the last word.
///
/// ```
/// use runstate::log::{Caveat, EventLog};
/// use runstate::time::Millis;
///
/// let mut log = EventLog::new();
/// log.push_value(r#"{"type":"NodeStarted","runId":"r","nodeId":"build","iteration":0,"attempt":1,"timestampMs":5}"#);
/// let view = log.view(Millis(10.0));
/// assert_eq!(view.state.as_str(), "running");
/// // Somebody kept the end of a log, and no event of the run itself is in it.
/// assert!(view.caveats.contains(&Caveat::NoStart) && view.caveats.contains(&Caveat::FromNodes));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Caveat {
    /// Numbers are missing: what happened there is not known.
    Lost {
        /// How many.
        events: u64,
        /// In how many places.
        gaps: u64,
    },
    /// Numbers are missing that frames and snapshots may have: `smithers events --json` prints everything but those, and this is
    /// what it prints. Neither changes a state.
    LeftOut {
        /// How many.
        events: u64,
        /// In how many places.
        gaps: u64,
    },
    /// Lines could not be read.
    Unread {
        /// How many.
        lines: u64,
    },
    /// Events that were there before; they changed nothing.
    Repeated {
        /// How many.
        events: u64,
    },
    /// The log has no `RunStarted`: its beginning is not there.
    NoStart,
    /// No event tells the run's state; it follows from what nodes did.
    FromNodes,
    /// Nodes went on after the run's end, and no event says that it was resumed.
    AfterTheEnd {
        /// How many events there were.
        events: u32,
    },
    /// The run is not over by this log. Cancelling and continuing are not always written to it (protocol section 5, quirk 13).
    EndMayBeMissing,
}

/// What the events say of a run, and what the others in the log do.
pub(super) fn view(log: &EventLog, run: u32, parts: &[RunIndex], now: Millis) -> LogView {
    let nothing = RunIndex::default();
    let view = view_of(log, run, parts.get(run as usize).unwrap_or(&nothing), now);
    let others = (0..).zip(parts).filter(|(other, _)| *other != run);
    let other = |(other, part): (u32, &RunIndex)| {
        let fold = log.fold.run(other).cloned().unwrap_or_default();
        let run_id = log.store.runs.name(other).to_owned();
        OtherRun { run_id, state: State::of(log, &fold, part).word }
    };
    LogView { other_runs: others.map(other).collect(), ..view }
}

/// The same without the others.
pub(super) fn view_of(log: &EventLog, run: u32, part: &RunIndex, now: Millis) -> LogView {
    #[cfg(test)]
    super::nodes::work::count();
    let nothing = RunFold::default();
    let fold = log.fold.run(run).unwrap_or(&nothing);
    let state = State::of(log, fold, part);
    let as_of = fold.last.map(|place| log.time_at(place));
    let decided = Decided::read(log, fold);
    LogView {
        run_id: (run < log.store.runs.len()).then(|| log.store.runs.name(run).to_owned()),
        workflow: fold.last.and_then(|place| log.workflow(log.order.row(place))),
        evidence: evidence(log, fold, &state, as_of),
        blocked: blocked(log, part, state.word.known()),
        across_gap: state.place.is_some_and(|place| is_across_gap(log, run, place)),
        caveats: caveats(log, fold, &state, part),
        as_of,
        age_ms: as_of.map(|at| now.since(at)),
        started_at: fold.first_start.map(|place| log.time_at(place)),
        ended_at: ended(&state.word, fold).map(|place| log.time_at(place)),
        starts: fold.starts,
        continued_as: decided.continued_as,
        error: decided.error,
        failed_children: decided.failed_children,
        failed_child_count: decided.failed_child_count,
        boundary: fold.crossed.and_then(|place| Boundary::read(&log.json(log.order.row(place))?)),
        nodes: node_counts(log, part),
        open_approvals: part.approvals.len() as u64,
        open_timers: part.timers.len() as u64,
        calls: ToolCalls { started: fold.calls[0], answered: fold.calls[1], failed: fold.calls[2] },
        tokens: fold.tokens,
        counts: log.tally(),
        other_runs: Vec::new(),
        state: state.word,
    }
}

/// The state, and the event that it rests on.
struct State {
    word: Word<RunState>,
    place: Option<u32>,
    /// No event of the run itself tells it.
    from_nodes: bool,
}

impl State {
    fn of(log: &EventLog, fold: &RunFold, part: &RunIndex) -> Self {
        match &fold.lifecycle {
            Lifecycle::Told(state) => Self { word: state.clone(), place: fold.decided, from_nodes: false },
            Lifecycle::WentBack => {
                Self { word: RunState::Unknown.into(), place: fold.decided, from_nodes: false }
            }
            Lifecycle::Untold => {
                let running = || fold.alive.map(|place| (RunState::Running, place));
                let told = waiting(log, part).or_else(running);
                let word = told.map_or(RunState::Unknown, |(state, _)| state).into();
                Self { word, place: told.map(|(_, place)| place), from_nodes: told.is_some() }
            }
        }
    }
}

/// What a run waits for of which nodes alone are told: somebody waits, and nobody is at work or will try again.
fn waiting(log: &EventLog, part: &RunIndex) -> Option<(RunState, u32)> {
    let units = || part.units.iter().map(|unit| log.fold.unit(*unit));
    let busy = units().any(|unit| unit.retrying || unit.state == Some(NodeState::InProgress));
    let waits = units().filter_map(|unit| Some((unit.state?.holds_up()?, unit.changed)));
    waits.reduce(|first, next| if (next.0 as u8) < first.0 as u8 { next } else { first }).filter(|_| !busy)
}

fn ended(state: &Word<RunState>, fold: &RunFold) -> Option<u32> {
    state.known().filter(|state| state.is_terminal()).and(fold.decided)
}

/// Whether something is missing between an event and the last one of its run.
pub(super) fn is_across_gap(log: &EventLog, run: u32, place: u32) -> bool {
    let gap = log.fold.run(run).and_then(|run| run.last_gap).filter(|gap| *gap > place);
    let lost = gap.is_some() && !log.leaves_frames_out();
    let unread = log.last_unread_after.is_some_and(|after| after > log.order.row(place));
    lost || unread
}

fn evidence(log: &EventLog, fold: &RunFold, state: &State, as_of: Option<Millis>) -> Evidence {
    let input = |name, place: u32, decisive| {
        let word = log.store.kind(log.order.row(place)).map(|kind| kind.word.as_str().to_owned());
        let value = word.map_or(Value::Absent, Value::Word);
        Input { name, value, at: Some(log.time_at(place)), limit_ms: None, decisive }
    };
    let mut inputs = Vec::new();
    match (state.place, state.from_nodes) {
        (Some(place), false) => inputs.push(input(Signal::LastRunEvent, place, true)),
        (Some(place), true) => inputs.push(input(Signal::LastNodeEvent, place, true)),
        (None, _) => inputs.push(Input {
            name: Signal::LastRunEvent,
            value: Value::Absent,
            at: None,
            limit_ms: None,
            decisive: true,
        }),
    }
    if let Some(last) = fold.last {
        inputs.push(input(Signal::LastEvent, last, false));
    }
    Evidence { inputs, read_from: "event log".to_owned(), read_at: as_of }
}

fn caveats(log: &EventLog, fold: &RunFold, state: &State, part: &RunIndex) -> Vec<Caveat> {
    let (mut lost, mut left_out) = ((0, 0), (0, 0));
    for gap in part.gaps.iter().filter_map(|gap| log.fold.gaps.get(*gap as usize)) {
        let (count, events) = if log.is_left_out(gap) { &mut left_out } else { &mut lost };
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
        (fold.last.is_some() && !over, Caveat::EndMayBeMissing),
    ];
    all.into_iter().filter(|(holds, _)| *holds).map(|(_, caveat)| caveat).collect()
}

/// What the event says that told how the run ended.
#[derive(Default)]
struct Decided {
    continued_as: Option<String>,
    error: Option<String>,
    failed_children: Vec<String>,
    failed_child_count: u64,
}

impl Decided {
    fn read(log: &EventLog, fold: &RunFold) -> Self {
        let Some(row) = fold.told_how.map(|place| log.order.row(place)) else { return Self::default() };
        let text = super::fold::EventText::of(&log.store, row);
        match log.store.kind(row).and_then(|kind| kind.word.known()) {
            Some(EventType::RunFailed) => Self { error: text.error(), ..Self::default() },
            Some(EventType::RunContinuedAsNew) => {
                Self { continued_as: text.text(b"newRunId"), ..Self::default() }
            }
            Some(EventType::RunFinished) => {
                let failed_children = text.texts(b"failedChildKeys");
                let count = text.number(b"failedChildren").unwrap_or(0.0) as u64;
                let failed_child_count = count.max(failed_children.len() as u64);
                Self { failed_children, failed_child_count, ..Self::default() }
            }
            Some(_) | None => Self::default(),
        }
    }
}

fn blocked(log: &EventLog, part: &RunIndex, state: Option<RunState>) -> Option<ReasonBlocked> {
    let iso = |at: Millis| at.to_iso().ok();
    match state? {
        RunState::WaitingApproval => {
            let approval = log.fold.approvals.get(*part.approvals.first()? as usize)?;
            let node_id = log.store.nodes.name(log.store.node_of(approval.unit)?).to_owned();
            Some(ReasonBlocked::Approval { node_id, requested_at: iso(log.time_at(approval.asked))? })
        }
        RunState::WaitingTimer => {
            let soonest =
                |soonest: (f64, u32), next: (f64, u32)| if next.0 < soonest.0 { next } else { soonest };
            let timers = part.timers.iter().filter_map(|timer| log.fold.timers.get(*timer as usize));
            let timers = timers.filter_map(|timer| Some((timer.fires_at?, timer.node)));
            let (fires_at, node) = timers.reduce(soonest)?;
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

fn node_counts(log: &EventLog, part: &RunIndex) -> Vec<(NodeState, u64)> {
    let mut counts: Vec<(NodeState, u64)> = NodeState::ALL.iter().map(|state| (*state, 0)).collect();
    for state in part.units.iter().filter_map(|unit| log.fold.unit(*unit).state) {
        if let Some((_, count)) = counts.iter_mut().find(|(known, _)| *known == state) {
            *count += 1;
        }
    }
    counts.retain(|(_, count)| *count > 0);
    counts
}
