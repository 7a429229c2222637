//! What the events of one run say about it: an input for comparing witnesses, and a header for a log by itself.

use super::effect::TimerStatus;
use super::fold::{GapFold, Lifecycle, RunFold, Tokens};
use super::nodes::ToolCalls;
use super::{EventLog, LogCounts};
use crate::evidence::{Evidence, Input, Value};
use crate::json::{Slice, fields};
use crate::smithers::{Boundary, EventType, NodeState, ReasonBlocked, RunState};
use crate::time::Millis;
use crate::word::{Vocabulary, Word};

/// What the events of a run say about it.
///
/// See [the module](super) for an example.
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
///
/// See [`EventLog::view_of`] for an example.
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

pub(super) fn view(log: &EventLog, run: u32, now: Millis) -> LogView {
    let nothing = RunFold::default();
    let fold = log.fold.run(run).unwrap_or(&nothing);
    let state = state(fold);
    let as_of = fold.last.map(|place| log.time_at(place));
    let gaps = || log.fold.gaps.iter().filter(|gap| gap.run == run);
    let across_gap = fold.decided.or(fold.alive).is_some_and(|place| is_across_gap(log, run, place));
    let decided = Decided::read(log, fold);
    LogView {
        run_id: (run < log.store.runs.len()).then(|| log.store.runs.name(run).to_owned()),
        workflow: fold.last.and_then(|place| workflow(log, place)),
        evidence: evidence(log, fold, as_of),
        blocked: blocked(log, run, state.known()),
        across_gap,
        caveats: caveats(log, fold, state.known(), gaps()),
        as_of,
        age_ms: as_of.map(|at| now.since(at)),
        started_at: fold.first_start.map(|place| log.time_at(place)),
        ended_at: ended(&state, fold).map(|place| log.time_at(place)),
        starts: fold.starts,
        continued_as: decided.continued_as,
        error: decided.error,
        failed_children: decided.failed_children,
        boundary: fold.crossed.and_then(|place| Boundary::read(&log.json(log.order.row(place))?)),
        nodes: node_counts(log, run),
        open_approvals: open_approvals(log, run).count() as u64,
        open_timers: open_timers(log, run).count() as u64,
        calls: ToolCalls { started: fold.calls[0], answered: fold.calls[1], failed: fold.calls[2] },
        tokens: fold.tokens,
        counts: log.tally(),
        other_runs: other_runs(log, run),
        state,
    }
}

fn state(fold: &RunFold) -> Word<RunState> {
    match (&fold.lifecycle, fold.alive) {
        (Lifecycle::Told(state), _) => state.clone(),
        (Lifecycle::Untold, Some(_)) => RunState::Running.into(),
        (Lifecycle::Untold, None) | (Lifecycle::WentBack, _) => RunState::Unknown.into(),
    }
}

fn ended(state: &Word<RunState>, fold: &RunFold) -> Option<u32> {
    state.known().filter(|state| state.is_terminal()).and(fold.decided)
}

/// Whether something is missing between an event and the last one of its run.
pub(super) fn is_across_gap(log: &EventLog, run: u32, place: u32) -> bool {
    let lost = log.fold.run(run).and_then(|run| run.last_gap).is_some_and(|gap| gap > place);
    let unread = log.last_unread_after.is_some_and(|after| after > log.order.row(place));
    lost || unread
}

fn evidence(log: &EventLog, fold: &RunFold, as_of: Option<Millis>) -> Evidence {
    let input = |name, place: u32, decisive| {
        let word = log.store.kind(log.order.row(place)).map(|kind| kind.word.as_str().to_owned());
        let value = word.map_or(Value::Absent, Value::Word);
        Input { name, value, at: Some(log.time_at(place)), limit_ms: None, decisive }
    };
    let mut inputs = Vec::new();
    match (fold.decided, fold.alive) {
        (Some(place), _) => inputs.push(input("last event of the run", place, true)),
        (None, Some(place)) => inputs.push(input("last event of a node", place, true)),
        (None, None) => inputs.push(Input {
            name: "last event of the run",
            value: Value::Absent,
            at: None,
            limit_ms: None,
            decisive: true,
        }),
    }
    if let Some(last) = fold.last {
        inputs.push(input("last event", last, false));
    }
    Evidence { inputs, read_from: "event log".to_owned(), read_at: as_of }
}

fn caveats<'a>(
    log: &EventLog,
    fold: &RunFold,
    state: Option<RunState>,
    gaps: impl Iterator<Item = &'a GapFold>,
) -> Vec<Caveat> {
    let (mut count, mut lost) = (0, 0);
    for gap in gaps {
        (count, lost) = (count + 1, lost + u64::from(gap.to - gap.from) + 1);
    }
    let over = state.is_some_and(RunState::is_terminal);
    let all = [
        (count > 0, Caveat::Lost { events: lost, gaps: count }),
        (log.unread > 0, Caveat::Unread { lines: log.unread }),
        (log.store.repeated > 0, Caveat::Repeated { events: log.store.repeated }),
        (fold.last.is_some() && fold.starts == 0, Caveat::NoStart),
        (fold.lifecycle == Lifecycle::Untold && fold.alive.is_some(), Caveat::FromNodes),
        (fold.after_end > 0, Caveat::AfterTheEnd { events: fold.after_end }),
        (fold.last.is_some() && !over, Caveat::EndMayBeMissing),
    ];
    all.into_iter().filter(|(holds, _)| *holds).map(|(_, caveat)| caveat).collect()
}

/// What the event says that decided.
#[derive(Default)]
struct Decided {
    continued_as: Option<String>,
    error: Option<String>,
    failed_children: Vec<String>,
}

impl Decided {
    fn read(log: &EventLog, fold: &RunFold) -> Self {
        let Some(row) = fold.decided.map(|place| log.order.row(place)) else { return Self::default() };
        let text = super::fold::EventText::of(&log.store, row);
        match log.store.kind(row).and_then(|kind| kind.word.known()) {
            Some(EventType::RunFailed) => Self { error: text.error(), ..Self::default() },
            Some(EventType::RunContinuedAsNew) => {
                Self { continued_as: text.text(b"newRunId"), ..Self::default() }
            }
            Some(EventType::RunFinished) => {
                Self { failed_children: text.texts(b"failedChildKeys"), ..Self::default() }
            }
            Some(_) | None => Self::default(),
        }
    }
}

fn workflow(log: &EventLog, place: u32) -> Option<String> {
    let json = log.json(log.order.row(place))?;
    let [correlation] = fields(Slice::new(&json), ["correlation"]).ok()?;
    let [workflow] = fields(correlation?, ["workflowName"]).ok()?;
    workflow?.text()
}

fn blocked(log: &EventLog, run: u32, state: Option<RunState>) -> Option<ReasonBlocked> {
    let iso = |at: Millis| at.to_iso().ok();
    match state? {
        RunState::WaitingApproval => {
            let approval = open_approvals(log, run).next()?;
            let node_id = log.store.nodes.name(log.store.node_of(approval.unit)?).to_owned();
            Some(ReasonBlocked::Approval { node_id, requested_at: iso(log.time_at(approval.asked))? })
        }
        RunState::WaitingTimer => {
            let soonest =
                |soonest: (f64, u32), next: (f64, u32)| if next.0 < soonest.0 { next } else { soonest };
            let timers = open_timers(log, run).filter_map(|timer| Some((timer.fires_at?, timer.node)));
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

fn open_approvals(log: &EventLog, run: u32) -> impl Iterator<Item = &super::fold::ApprovalFold> {
    let of_run = move |unit| log.store.run_of(unit) == run;
    log.fold.approvals.iter().filter(move |approval| approval.decided.is_none() && of_run(approval.unit))
}

fn open_timers(log: &EventLog, run: u32) -> impl Iterator<Item = &super::fold::TimerFold> {
    let of_run = move |node| log.store.nodes.group(node) == run;
    log.fold.timers.iter().filter(move |timer| timer.status == TimerStatus::Pending && of_run(timer.node))
}

fn node_counts(log: &EventLog, run: u32) -> Vec<(NodeState, u64)> {
    let mut counts: Vec<(NodeState, u64)> = NodeState::ALL.iter().map(|state| (*state, 0)).collect();
    for unit in 0..log.fold.units.len() as u32 {
        let fold = log.fold.unit(unit);
        let Some(state) = fold.state.filter(|_| log.store.run_of(unit) == run) else { continue };
        if let Some((_, count)) = counts.iter_mut().find(|(known, _)| *known == state) {
            *count += 1;
        }
    }
    counts.retain(|(_, count)| *count > 0);
    counts
}

fn other_runs(log: &EventLog, run: u32) -> Vec<OtherRun> {
    let others = (0..log.store.runs.len()).filter(|other| *other != run);
    let other = |other| {
        let state = log.fold.run(other).map_or(RunState::Unknown.into(), state);
        OtherRun { run_id: log.store.runs.name(other).to_owned(), state }
    };
    others.map(other).collect()
}
