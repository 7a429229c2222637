//! The one object that every surface renders. Rows, snapshots, logs and live feeds all become a
//! [`RunInspection`]: the run's identity, its state with the source ([`Witness`]), its nodes, its tree, and the other
//! witnesses. Header, list row, tab title and announcement are made from this one value, so they cannot
//! contradict each other.
//!
//! ```
//! use runstate::run::{RunInspection, WitnessSource};
//! use runstate::smithers::wire::read_run;
//! use runstate::time::Millis;
//!
//! // `listRuns` does not say a state, so it is derived here, and the verdict says so.
//! let row = read_run(r#"{"runId":"r1","status":"paused"}"#)?;
//! let run = RunInspection::from_row(&row, "listRuns", Millis(1_700_000_000_000.0));
//! let verdict = run.verdict.unwrap();
//! assert_eq!((verdict.source, verdict.view.state.as_str()), (WitnessSource::Rows, "paused"));
//! # Ok::<(), runstate::json::ReadError>(())
//! ```

mod blocker;
mod builder;
mod event_state;
mod from_smithers;
mod index;
pub mod lionagi;
pub(crate) mod newest;
mod node_rows;
pub(crate) mod nodes;
mod recording;
mod update;
mod witness;

use std::borrow::Cow;

pub(crate) use crate::smithers::wire::{error_text, without_link};
pub(crate) use builder::{Fact, NodeEvent, RunBuilder, StateEvent, Supplement, Wait};
pub(crate) use event_state::{EventState, ImpliedState};
pub(crate) use from_smithers::{server_verdict, server_witness};
pub(crate) use index::Index;
pub(crate) use update::{AttemptIndex, DeltaOutcome};
pub(crate) use witness::retry;

pub use blocker::{Blocker, ReportedBlocker, Target};
pub use node_rows::NodeRows;
pub use recording::Recording;
pub use witness::{Hidden, Retry, Witness, WitnessComparison, WitnessSource, compare_witnesses, hidden};

use crate::evidence::Evidence;
use crate::problem::Problems;
use crate::refusal::Refusal;
use crate::run::nodes::count;
use crate::smithers::wire::{
    ApprovalRequest, Attempt, Boundary, NodeState, RunState, RunStateView, RunStatus,
};
use crate::time::Millis;
use crate::tree::Tree;
use crate::word::Word;

crate::vocabulary! {
    /// The recognised kind of a document or of a Gateway's answer.
    ///
    /// ```
    /// use runstate::ingest::inspect;
    /// use runstate::run::DocumentKind;
    /// use runstate::time::Millis;
    ///
    /// let rows = inspect(br#"[{"runId":"r1","status":"running"}]"#, None, Millis(0.0))?;
    /// assert_eq!(rows.kind, DocumentKind::RunList);
    /// # Ok::<(), runstate::ingest::DocumentError>(())
    /// ```
    pub enum DocumentKind ("recognised document") {
        /// A bare `RunStateView`.
        RunState = "run-state",
        /// The answer of `getRun`, or the row itself.
        Run = "run",
        /// The answer of `listRuns`, or an array of rows.
        RunList = "run-list",
        /// A `DevTools` snapshot.
        Snapshot = "snapshot",
        /// The output of `smithers inspect`.
        InspectOutput = "inspect-output",
        /// The output of `smithers why`.
        WhyOutput = "why-output",
        /// The output of `smithers status`.
        StatusOutput = "status-output",
        /// A server's refusal.
        ErrorResponse = "error-response",
        /// Runs of a live Gateway.
        Gateway = "gateway",
        /// Several answers about one run, as several files or lines.
        Answers = "answers",
        /// A HAR file: the recorded traffic of a page.
        Traffic = "traffic",
        /// The recorded frames of a WebSocket.
        Capture = "websocket-capture",
        /// The events of a run.
        EventLog = "event-log",
    }
}

/// The result of reading one document, or the current state of a live feed.
///
/// ```
/// use runstate::ingest::inspect;
/// use runstate::time::Millis;
///
/// let text = br#"{"runId":"r1","computedAt":"2026-11-21T14:06:08.000Z","state":"hibernating"}"#;
/// let inspection = inspect(text, None, Millis(0.0))?;
/// let run = inspection.run.unwrap();
/// // A word of tomorrow arrives as it was sent.
/// assert_eq!(run.view().unwrap().state.as_str(), "hibernating");
/// assert!(inspection.runs.is_empty() && inspection.refusal.is_none() && inspection.problems.is_empty());
/// # Ok::<(), runstate::ingest::DocumentError>(())
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct Inspection {
    /// The kind of the document.
    pub kind: DocumentKind,
    /// The run in view; `None` if the document is a list or an error.
    pub run: Option<RunInspection>,
    /// The runs of a list, each with its own verdict; empty for other documents.
    pub runs: Vec<RunInspection>,
    /// The server's refusal, if the document is one.
    pub refusal: Option<Refusal>,
    /// The parts that could not be read or joined, although the rest loads.
    pub problems: Problems,
}

impl Inspection {
    /// One run, as the answers of a Gateway describe it.
    pub fn from_answers(run: RunInspection) -> Self {
        let (runs, problems) = (Vec::new(), Problems::default());
        Self { kind: DocumentKind::Answers, run: Some(run), runs, refusal: None, problems }
    }
}

/// All facts about one run.
///
/// ```
/// use runstate::run::RunInspection;
/// use runstate::smithers::wire::read_run;
/// use runstate::time::Millis;
///
/// let row = read_run(r#"{"runId":"r1","workflowName":"build","status":"failed","summary":{"finished":3,"failed":1}}"#)?;
/// let run = RunInspection::from_row(&row, "runs.get", Millis(1_700_000_000_000.0));
/// assert_eq!((run.run_id.as_deref(), run.workflow.as_deref()), (Some("r1"), Some("build")));
/// assert_eq!(run.summary.iter().map(|(_, count)| count).sum::<u64>(), 4);
/// assert!(run.tree.is_none(), "a row has no structure");
/// # Ok::<(), runstate::json::ReadError>(())
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct RunInspection {
    /// The run's id, if the document has one.
    pub run_id: Option<String>,
    /// The workflow's name.
    pub workflow: Option<String>,
    /// The `DevTools` frame that the tree shows.
    pub frame_no: Option<f64>,
    /// The `DevTools` sequence number of the tree.
    pub seq: Option<f64>,
    /// When the row was written.
    pub created_at: Option<Millis>,
    /// When the engine started.
    pub started_at: Option<Millis>,
    /// When the run ended.
    pub finished_at: Option<Millis>,
    /// The run that started this one, or that this one continues.
    pub parent_run_id: Option<String>,
    /// The shown witness; `None` if the document has no `runState` and no data to derive one from, which differs from
    /// the state `unknown`.
    pub verdict: Option<Witness>,
    /// The number of nodes in each state, by the server's own count.
    pub summary: Vec<(Word<NodeState>, u64)>,
    /// The state of each node by the server's own list; empty if it was not read.
    pub nodes: NodeRows,
    /// The node tree.
    pub tree: Option<Tree>,
    /// Why the run failed, in the server's words.
    pub error: Option<String>,
    /// The known ids of tolerated failures in a run that succeeded.
    pub failed_children: Vec<String>,
    /// Their number by the server's own count; a server may count them without naming them.
    pub failed_child_count: u64,
    /// Whether the row says `continued`: another run continues the work.
    pub continued: bool,
    /// The run that continues the work, if its id is known.
    pub continued_as: Option<String>,
    /// The path of the workflow's file on the server's machine, if a live Gateway named it.
    pub(crate) workflow_path: Option<String>,
    /// The status column, if a row or the output of a command was read.
    pub status: Option<Word<RunStatus>>,
    /// Further columns of the row about the run's engine, if a row was read.
    pub row: Option<Box<EngineSignals>>,
    /// The other witnesses: the row, the event log, a snapshot's header.
    pub witnesses: Vec<Witness>,
    /// The attempts at the run's tasks, as far as they were read.
    pub attempts: Vec<Attempt>,
    /// The nodes that failed because a person denied their approval, according to a log.
    pub(crate) denied: Vec<Target>,
    /// The pending requests for a decision, with their questions.
    pub(crate) approvals: Vec<ApprovalRequest>,
    /// Whether the server's list of pending requests, read while the run waited for a decision, has none of this run.
    pub(crate) lacks_request: bool,
    /// The last time travel across external side effects that were not reverted.
    pub boundary: Option<Box<Boundary>>,
    /// The blockers that `smithers why` reports, if its output was read.
    pub reported_blockers: Vec<ReportedBlocker>,
    /// Reasons to doubt the verdict of an event log, as sentences.
    pub caveats: Vec<Cow<'static, str>>,
    /// Whether the reason why the run waits is too new to act on it: the nodes that it names were not read since, or the engine
    /// may go on by itself.
    pub(crate) reason_is_new: bool,
    /// The answer of `getRun`, verbatim, kept for an export. It contains secrets.
    pub answer: Option<Box<str>>,
}

/// The columns of a run's row that show whether an engine works on the run.
///
/// ```
/// use runstate::run::RunInspection;
/// use runstate::smithers::wire::read_run;
/// use runstate::time::Millis;
///
/// let row = read_run(r#"{"runId":"r1","status":"running","heartbeatAtMs":1000,"runtimeOwnerId":"pid:41"}"#)?;
/// let signals = RunInspection::from_row(&row, "runs.get", Millis(2000.0)).row.unwrap();
/// assert_eq!((signals.heartbeat_at, signals.owner.as_deref()), (Some(Millis(1000.0)), Some("pid:41")));
/// # Ok::<(), runstate::json::ReadError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct EngineSignals {
    /// The engine's last report.
    pub heartbeat_at: Option<Millis>,
    /// The process that owns the run.
    pub owner: Option<String>,
    /// The time of a request to cancel the run.
    pub cancel_requested_at: Option<Millis>,
    /// The time of a request to pause the run.
    pub pause_requested_at: Option<Millis>,
    /// Whether the document has no heartbeat column, so that nothing is known about heartbeats.
    pub lacks_heartbeat: bool,
    /// The document or method that the row was read from.
    pub read_from: String,
}

impl RunInspection {
    /// The shown state, with its reasons.
    pub fn view(&self) -> Option<&RunStateView> {
        self.verdict.as_ref().map(|verdict| &verdict.view)
    }

    /// The inputs of the shown state.
    pub fn evidence(&self) -> Option<&Evidence> {
        self.verdict.as_ref().map(|verdict| &verdict.evidence)
    }

    /// The shown state, if its word is known.
    pub(crate) fn known_state(&self) -> Option<RunState> {
        self.view()?.state.known()
    }

    /// The latest timestamp in the run's row, which is a lower bound for the row's age: the row cannot be older.
    pub(crate) fn last_stamp(&self) -> Option<Millis> {
        let row = self.row.as_ref();
        let stamps = [
            row.and_then(|row| row.heartbeat_at),
            row.and_then(|row| row.cancel_requested_at),
            row.and_then(|row| row.pause_requested_at),
            self.started_at,
            self.created_at,
            self.finished_at,
        ];
        Millis::latest(stamps.into_iter().flatten())
    }

    /// The number of tolerated failures: the server's count, the names, or the nodes that failed by the server's summary,
    /// else the failed nodes themselves (the only source in older servers). Meaningful only for a run that succeeded.
    pub(crate) fn tolerated_failures(&self) -> u64 {
        let failed = count(self, NodeState::Failed) as u64;
        self.failed_child_count.max(self.failed_children.len() as u64).max(failed)
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn tolerated_failures_are_counted() {
        use crate::run::RunInspection;
        let run = RunInspection { failed_child_count: 2, ..RunInspection::default() };
        assert_eq!(run.tolerated_failures(), 2);
    }
}
