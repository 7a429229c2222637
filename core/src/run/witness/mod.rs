//! The witnesses of a run's state, and the choice of the shown one.
//!
//! A [`Witness`] is the statement of one source, with its reasons, time and evidence; a [`WitnessSource`] is the kind of
//! source. [`RunInspection::verdict`] is the shown witness, [`RunInspection::witnesses`] are the others. A
//! [`WitnessComparison`] borrows witnesses and compares them with the shown one; [`RunInspection::compare_witnesses`] and
//! [`compare_witnesses`] return it.

mod comparison;
mod hidden;

use crate::evidence::{Evidence, Input};
use crate::log::{LogView, Settled};
use crate::run::RunInspection;
use crate::smithers::derive::{Derivation, DeriveRunStateInput, RunSignals, derive_run_state};
use crate::smithers::wire::{RunState, RunStateView};
use crate::time::Millis;

pub use comparison::{WitnessComparison, compare_witnesses};
pub(crate) use hidden::retry;
pub use hidden::{Hidden, Retry, hidden};

crate::vocabulary! {
    /// The source of a state, the most trusted first (design section 4).
    ///
    /// ```
    /// use runstate::run::WitnessSource;
    ///
    /// assert!(WitnessSource::Server < WitnessSource::Events, "the most trusted comes first");
    /// ```
    #[derive(PartialOrd, Ord)]
    pub enum WitnessSource ("witness") {
        /// `runState` of `getRun`: the Gateway computed it from its own rows at the time of the request.
        Server = "server",
        /// Our derivation from the run's row. A browser cannot probe the owner's process.
        Rows = "rows",
        /// `runState` in the header of a `DevTools` snapshot. In the stream it stays `running` after the end.
        Snapshot = "snapshot",
        /// The state that the event log implies, as of its last event.
        Events = "events",
    }
}

/// The state of a run according to one source.
///
/// ```
/// use runstate::run::{RunInspection, WitnessSource};
/// use runstate::smithers::wire::read_run;
/// use runstate::time::Millis;
///
/// let verdict = |text| Ok::<_, runstate::json::ReadError>(RunInspection::from_row(&read_run(text)?, "runs.get", Millis(0.0)).verdict.unwrap());
/// let derived = verdict(r#"{"runId":"r1","status":"failed"}"#)?;
/// let answer = verdict(r#"{"runId":"r1","status":"failed","runState":{"runId":"r1",
///     "computedAt":"2026-11-21T14:06:08.000Z","state":"failed"}}"#)?;
/// assert_eq!((derived.source, answer.source), (WitnessSource::Rows, WitnessSource::Server));
/// assert!(derived.is_derived() && !answer.is_derived());
/// assert_eq!(derived.view.state, answer.view.state);
/// assert_eq!(answer.evidence.read_from, "runs.get");
/// # Ok::<(), runstate::json::ReadError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Witness {
    /// The source.
    pub source: WitnessSource,
    /// The state with its reasons; from a server verbatim.
    pub view: RunStateView,
    /// The time that the statement refers to, on the server's clock.
    pub at: Option<Millis>,
    /// The inputs of the state.
    pub evidence: Evidence,
    /// The event that ended the wait that the state names, according to a log.
    pub(crate) settled: Option<Box<Settled>>,
}

impl Witness {
    /// A witness as of the time at which the view was computed.
    pub fn new(source: WitnessSource, view: RunStateView, evidence: Evidence) -> Self {
        Self { source, at: view.computed_time(), view, evidence, settled: None }
    }

    /// Makes a witness from an event log; `None` if the log has no event.
    pub(crate) fn from_log(log: &LogView) -> Option<Self> {
        let view = RunStateView {
            run_id: log.run_id.clone()?,
            computed_at: log.as_of.and_then(|at| at.to_iso().ok()),
            state: log.state.clone(),
            blocked: log.blocked.clone(),
            unhealthy: None,
        };
        let settled = log.settled.clone().map(Box::new);
        let evidence = log.evidence.clone();
        Some(Self { source: WitnessSource::Events, view, at: log.as_of, evidence, settled })
    }

    /// Makes the witness of a state that one event implies; `input` is the event.
    pub(crate) fn from_event(
        input: Input,
        read_from: &str,
        read_at: Option<Millis>,
        view: RunStateView,
    ) -> Self {
        let evidence = Evidence { inputs: vec![input], read_from: read_from.to_owned(), read_at };
        Self::new(WitnessSource::Events, view, evidence)
    }

    /// Whether Runstate derived the state; otherwise a server computed it.
    pub fn is_derived(&self) -> bool {
        match self.source {
            WitnessSource::Server | WitnessSource::Snapshot => false,
            WitnessSource::Rows | WitnessSource::Events => true,
        }
    }
}

impl From<Derivation> for Witness {
    /// The state that was derived from rows.
    fn from(derived: Derivation) -> Self {
        Self::new(WitnessSource::Rows, derived.view, derived.evidence)
    }
}

impl RunInspection {
    /// All witnesses, the shown one first.
    pub(crate) fn all_witnesses(&self) -> impl Iterator<Item = &Witness> {
        self.verdict.iter().chain(&self.witnesses)
    }

    /// All witnesses, compared with the shown one.
    ///
    /// The Gateway answered `running` about a row whose heartbeat was 41 seconds old at that time.
    ///
    /// ```
    /// use runstate::run::RunInspection;
    /// use runstate::smithers::wire::read_run;
    /// use runstate::time::Millis;
    ///
    /// let row = read_run(r#"{"runId":"r1","status":"running","heartbeatAtMs":1795269927000,"runtimeOwnerId":"pid:41",
    ///     "runState":{"runId":"r1","computedAt":"2026-11-21T14:06:08.000Z","state":"running"}}"#)?;
    /// let run = RunInspection::from_row(&row, "runs.get", Millis(1_795_269_970_000.0));
    /// let comparison = run.compare_witnesses();
    /// assert_eq!(comparison.shown.map(|witness| witness.view.state.as_str()), Some("stale"));
    /// assert_eq!(comparison.contradicting()[0].view.state.as_str(), "running"); // what the server said is kept
    /// # Ok::<(), runstate::json::ReadError>(())
    /// ```
    pub fn compare_witnesses(&self) -> WitnessComparison<'_> {
        let witnesses: Vec<&Witness> = self.all_witnesses().collect();
        WitnessComparison { shown: witnesses.first().copied(), witnesses }
    }

    /// Makes a witness with the state `unknown`, for a run without any other stated or implied state.
    pub(crate) fn unknown_state(&self, evidence: Evidence) -> Witness {
        let view = RunStateView {
            run_id: self.run_id.clone().unwrap_or_default(),
            computed_at: evidence.read_at.and_then(|at| at.to_iso().ok()),
            ..RunStateView::from_state(RunState::Unknown)
        };
        Witness::new(WitnessSource::Rows, view, evidence)
    }

    /// Replaces the verdict by a server's answer, and derives the row's state at the time of that answer: at a later time
    /// its heartbeat would be old only because the row was not read again.
    pub(crate) fn set_answer(&mut self, answer: Witness) {
        self.witnesses.retain(|witness| witness.source != WitnessSource::Rows);
        if let Some(derived) = self.derive_from_row(&answer.view) {
            self.witnesses.insert(0, derived.into());
        }
        self.verdict = Some(answer);
    }

    /// Shows the server's answer or its row, as [`compare_witnesses`] selects. No other source has the reasons of a state.
    pub(super) fn show_row_or_answer(&mut self) {
        let shown = compare_witnesses(self.all_witnesses()).shown.map(|shown| shown.source);
        if let ([rows, ..], Some(WitnessSource::Rows)) = (self.witnesses.as_mut_slice(), shown)
            && let Some(verdict) = &mut self.verdict
        {
            std::mem::swap(verdict, rows);
        }
    }

    fn derive_from_row(&self, answer: &RunStateView) -> Option<Derivation> {
        let row = self.row.as_ref()?;
        let signals = RunSignals {
            run_id: &answer.run_id,
            status: self.status.as_ref(),
            started_at_ms: self.started_at.map(|at| at.0),
            heartbeat_at_ms: row.heartbeat_at.map(|at| at.0),
            runtime_owner_id: row.owner.as_deref(),
            error_json: None,
        };
        let input = DeriveRunStateInput {
            read_from: Some(&row.read_from),
            clock_error_ms: Some(0.0),
            ..DeriveRunStateInput::new(signals, answer.computed_time()?)
        };
        derive_run_state(&input).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::Witness;
    use crate::log::EventLog;
    use crate::time::Millis;

    #[test]
    fn a_log_is_a_witness_as_of_its_last_event() {
        let mut log = EventLog::new();
        assert_eq!(Witness::from_log(&log.view(Millis(0.0))), None);
        log.push(b"{\"type\":\"RunStarted\",\"runId\":\"r1\",\"timestampMs\":1700000000000}\n");
        let witness = Witness::from_log(&log.view(Millis(0.0))).unwrap();
        assert_eq!((witness.view.state.as_str(), witness.at), ("running", Some(Millis(1_700_000_000_000.0))));
    }
}
