//! The witnesses of a run's state, and which one is shown.

mod hidden;
mod weigh;

use crate::evidence::Evidence;
use crate::log::LogView;
use crate::run::{RunInspection, Verdict};
use crate::smithers::derive::{DeriveRunStateInput, RunSignals, derive_run_state_by_clock};
use crate::smithers::wire::RunState;
use crate::time::Millis;
use crate::word::Word;

pub(crate) use hidden::retry;
pub use hidden::{Hidden, Retry, hidden};
pub use weigh::{Testimony, weigh};

crate::vocabulary! {
    /// Where a state comes from, the most trusted first (what each source of a live Gateway is worth).
    ///
    /// ```
    /// use runstate::run::WitnessSource;
    ///
    /// assert!(WitnessSource::Server < WitnessSource::Events, "the most trusted comes first");
    /// ```
    #[derive(PartialOrd, Ord)]
    pub enum WitnessSource ("witness") {
        /// `runState` of `getRun`: the Gateway computed it from its own rows when it was asked.
        Server = "server",
        /// Our derivation from the run's row. An owner's process cannot be probed from here.
        Rows = "rows",
        /// `runState` in the header of a `DevTools` snapshot. The stream's stays `running` after the end.
        Snapshot = "snapshot",
        /// The state that the event log implies. It tells what the run was doing at its last event.
        Events = "events",
    }
}

/// The run's state by one source.
#[derive(Clone, Debug, PartialEq)]
pub struct Witness {
    /// The source.
    pub source: WitnessSource,
    /// The state.
    pub state: Word<RunState>,
    /// As of when, on the server's clock.
    pub at: Option<Millis>,
    /// The inputs of the state.
    pub evidence: Evidence,
}

impl Witness {
    /// Makes a witness of a verdict; `None` where it is absent.
    ///
    /// ```
    /// use runstate::run::RunInspection;
    /// use runstate::run::{Witness, WitnessSource};
    /// use runstate::smithers::wire::read_run;
    /// use runstate::time::Millis;
    ///
    /// let row = read_run(r#"{"runId":"r1","status":"failed"}"#)?;
    /// let run = RunInspection::from_row(&row, "listRuns", Millis(0.0));
    /// let witness = Witness::of_verdict(WitnessSource::Rows, &run.verdict).unwrap();
    /// assert_eq!(witness.state.as_str(), "failed");
    /// # Ok::<(), runstate::json::ReadError>(())
    /// ```
    pub fn of_verdict(source: WitnessSource, verdict: &Verdict) -> Option<Self> {
        let (view, evidence) = (verdict.view()?, verdict.evidence()?);
        let at = view.said_at();
        Some(Self { source, state: view.state.clone(), at, evidence: evidence.clone() })
    }

    /// Makes a witness of an event log; `None` where no event implies a state.
    ///
    /// ```
    /// use runstate::log::EventLog;
    /// use runstate::run::Witness;
    /// use runstate::time::Millis;
    ///
    /// let mut log = EventLog::new();
    /// assert_eq!(Witness::of_log(&log.view(Millis(0.0))), None);
    /// log.push(b"{\"type\":\"RunStarted\",\"runId\":\"r1\",\"timestampMs\":1700000000000}\n");
    /// let witness = Witness::of_log(&log.view(Millis(0.0))).unwrap();
    /// assert_eq!((witness.state.as_str(), witness.at), ("running", Some(Millis(1_700_000_000_000.0))));
    /// ```
    pub fn of_log(log: &LogView) -> Option<Self> {
        if log.state.known() == Some(RunState::Unknown) {
            return None;
        }
        let (state, evidence) = (log.state.clone(), log.evidence.clone());
        Some(Self { source: WitnessSource::Events, state, at: log.as_of, evidence })
    }
}

/// All witnesses of a run: the verdict, the state derived from its row, and [`RunInspection::witnesses`].
///
/// ```
/// use runstate::run::RunInspection;
/// use runstate::smithers::wire::read_run;
/// use runstate::run::{weigh, witnesses};
/// use runstate::time::Millis;
///
/// let row = read_run(r#"{"runId":"r1","status":"running","heartbeatAtMs":1795269927000,"runtimeOwnerId":"pid:41",
///     "runState":{"runId":"r1","computedAt":"2026-11-21T14:06:08.000Z","state":"running"}}"#)?;
/// let run = RunInspection::from_row(&row, "runs.get", Millis(1_795_269_970_000.0));
/// let testimony = weigh(witnesses(&run));
/// assert_eq!(testimony.shown().map(|witness| witness.state.as_str()), Some("stale"));
/// assert_eq!(testimony.against().len(), 1);
/// # Ok::<(), runstate::json::ReadError>(())
/// ```
pub fn witnesses(run: &RunInspection) -> Vec<Witness> {
    let is_the_verdict = |witness: &&Witness| run.verdict.evidence() == Some(&witness.evidence);
    if let Some(shown) = run.witnesses.iter().find(is_the_verdict) {
        // The verdict is what one of them says.
        let others = run.witnesses.iter().filter(|witness| *witness != shown);
        return [shown].into_iter().chain(others).cloned().collect();
    }
    let rows = derived_verdict(run);
    let row_witness = rows.as_ref().and_then(|verdict| Witness::of_verdict(WitnessSource::Rows, verdict));
    let source = match &run.verdict {
        Verdict::Derived { .. } => WitnessSource::Rows,
        // Only a snapshot carries a state and a tree, and no row.
        Verdict::Said { .. } | Verdict::Absent if run.status.is_none() && run.tree.is_some() => {
            WitnessSource::Snapshot
        }
        Verdict::Said { .. } | Verdict::Absent => WitnessSource::Server,
    };
    let mut found: Vec<Witness> = Witness::of_verdict(source, &run.verdict).into_iter().collect();
    let answered = run.witnesses.iter().any(|witness| witness.source == WitnessSource::Server);
    if let (Verdict::Derived { .. }, Some(_), [first], false) =
        (&run.verdict, &run.row, found.as_mut_slice(), answered)
    {
        // When the row was read, nobody knows: as long ago as its last stamp, at most.
        first.at = run.last_stamp();
    }
    found.extend(row_witness);
    found.extend(run.witnesses.iter().cloned());
    found
}

/// All witnesses of a run, with its verdict as the one that is shown.
///
/// ```
/// use runstate::run::RunInspection;
/// use runstate::smithers::wire::read_run;
/// use runstate::run::testimony;
/// use runstate::time::Millis;
///
/// let row = read_run(r#"{"runId":"r1","status":"failed"}"#)?;
/// let testimony = testimony(&RunInspection::from_row(&row, "listRuns", Millis(0.0)));
/// assert_eq!(testimony.shown().map(|witness| witness.state.as_str()), Some("failed"));
/// # Ok::<(), runstate::json::ReadError>(())
/// ```
pub fn testimony(run: &RunInspection) -> Testimony {
    Testimony::show_first(witnesses(run))
}

/// Replaces the run's verdict by the witness that [`weigh`] chooses; the old verdict joins the other witnesses.
///
/// Only our own derivation can take the server's place: no other source has the reasons that go with a state.
///
/// The Gateway answered `running` about a row whose heartbeat was 41 seconds old when it looked.
///
/// ```
/// use runstate::run::{RunInspection, Verdict};
/// use runstate::smithers::wire::read_run;
/// use runstate::run::settle;
/// use runstate::time::Millis;
///
/// let row = read_run(r#"{"runId":"r1","status":"running","heartbeatAtMs":1795269927000,"runtimeOwnerId":"pid:41",
///     "runState":{"runId":"r1","computedAt":"2026-11-21T14:06:08.000Z","state":"running"}}"#)?;
/// let mut run = RunInspection::from_row(&row, "runs.get", Millis(1_795_269_970_000.0));
/// settle(&mut run);
/// assert!(matches!(&run.verdict, Verdict::Derived { view, .. } if view.state.as_str() == "stale"));
/// assert_eq!(run.witnesses[0].state.as_str(), "running"); // and what the server said is kept
/// # Ok::<(), runstate::json::ReadError>(())
/// ```
pub fn settle(run: &mut RunInspection) {
    let testimony = weigh(witnesses(run));
    let rows_are_shown = testimony.shown().is_some_and(|shown| shown.source == WitnessSource::Rows);
    if let (true, Some(verdict)) = (rows_are_shown, derived_verdict(run)) {
        let said = std::mem::replace(&mut run.verdict, verdict);
        run.witnesses.extend(Witness::of_verdict(WitnessSource::Server, &said));
    }
}

/// The state derived from the row, at the time when the server read it: at a later time its heartbeat would be old only
/// because the row was not read again.
fn derived_verdict(run: &RunInspection) -> Option<Verdict> {
    let (Verdict::Said { view, .. }, Some(row)) = (&run.verdict, &run.row) else { return None };
    let signals = RunSignals {
        run_id: &view.run_id,
        status: run.status.as_ref(),
        started_at_ms: run.started_at.map(|at| at.0),
        heartbeat_at_ms: row.heartbeat_at.map(|at| at.0),
        runtime_owner_id: row.owner.as_deref(),
        error_json: None,
    };
    let now = view.said_at()?;
    let input =
        DeriveRunStateInput { read_from: Some(&row.read_from), ..DeriveRunStateInput::new(signals, now) };
    let derived = derive_run_state_by_clock(&input, 0.0).ok()?;
    Some(Verdict::Derived { view: derived.view, evidence: derived.evidence })
}
