//! The result of the derivation: a run with its state.

use super::steps::Visit;
use crate::clock::MARGIN_MS;
use crate::conductor::wire::{
    ConductorState, GateRequest, LastEvents, Lifecycle, Liveness, Opcode, Phase, RunnerFamily, StepText,
    Termination, UnknownReason,
};
use crate::evidence::Evidence;
use crate::problem::Problems;
use crate::time::Millis;
use crate::word::Word;

/// A run, after reading its directory or a part of it.
///
/// A run at a gate:
///
/// ```
/// use runstate::conductor::wire::{ConductorState, Lifecycle, Liveness, Phase};
/// use runstate::conductor::read_run_directory;
/// use runstate::file::File;
/// use runstate::time::Millis;
///
/// let status = br#"{"run_id":"20261121T204038Z","workflow_id":"release","started_at":"2026-11-21T20:40:38Z",
///     "updated_at":"2026-11-21T20:41:00Z","lifecycle_state":"waiting","current_step_id":"approve",
///     "last_completed_step_id":"build","active_opcode":"GATE"}"#;
/// let now = Millis::parse_iso("2026-11-21T23:00:00Z").unwrap();
/// let run = read_run_directory(&[File { name: Some("status.json"), bytes: status }], now, None)?;
/// assert_eq!((run.state, run.phase), (ConductorState::WaitingApproval, Phase::InStep));
/// // A gate writes no heartbeat, so it is not stale after two hours.
/// assert_eq!((run.liveness, run.unhealthy), (Liveness::Unobserved, None));
/// let gate = run.blocked.unwrap();
/// assert_eq!((gate.node_id.as_deref(), gate.approximate), (Some("approve"), true));
/// assert_eq!(run.source.lifecycle_state.and_then(|word| word.known()), Some(Lifecycle::Waiting));
/// # Ok::<(), runstate::conductor::ReadRunError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ConductorRun {
    /// The id. `None` if no file contains it, or if the files and their directory have different ids.
    pub run_id: Option<String>,
    /// The workflow.
    pub workflow_id: Option<String>,
    /// Its state.
    pub state: ConductorState,
    /// The phase according to `status.json`, or the problem with that file.
    pub phase: Phase,
    /// The gate that it waits at.
    pub blocked: Option<Gate>,
    /// The last heartbeat, if it is too old.
    pub unhealthy: Option<StaleHeartbeat>,
    /// How it ended.
    pub terminal: Option<Terminal>,
    /// The next step and its reason, while the run is between steps.
    pub decision: Option<PlannerDecision>,
    /// The last decision on the next step, which may be active meanwhile.
    pub last_route: Option<Route>,
    /// Why the state is `unknown`.
    pub unknown_reason: Option<UnknownReason>,
    /// The fields of `status.json` verbatim.
    pub source: RunSource,
    /// Whether it is alive.
    pub liveness: Liveness,
    /// The text of its failure.
    pub failure: Option<String>,
    /// When it started.
    pub started_at: Option<Millis>,
    /// When `status.json` was written.
    pub updated_at: Option<Millis>,
    /// When it ended, according to `metadata.json`.
    pub ended_at: Option<Millis>,
    /// The visits of its steps, from the events.
    pub visits: Vec<Visit>,
    /// The files of its steps, as they were written.
    pub(crate) step_texts: Vec<StepText>,
    /// Its last events.
    pub(crate) last_events: LastEvents,
    /// Notes on the state.
    pub notes: Vec<Note>,
    /// The evidence of the state.
    pub evidence: Evidence,
    /// The parts of the files that could not be read.
    pub problems: Problems,
}

impl ConductorRun {
    /// When `status.json` was written; `None` if its date is in the future or before the start of the run.
    pub(crate) fn status_written_at(&self) -> Option<Millis> {
        let (read_at, started_at) = (self.evidence.read_at, self.started_at);
        let at =
            self.updated_at.filter(|at| read_at.is_none_or(|read_at| read_at.since(*at) >= -MARGIN_MS))?;
        started_at.is_none_or(|started_at| at >= started_at).then_some(at)
    }
}

/// A gate that waits for a person.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Gate {
    /// The step.
    pub node_id: Option<String>,
    /// When it asked, verbatim.
    pub requested_at: Option<String>,
    /// When it asked.
    pub requested: Option<Millis>,
    /// Whether that is the time of the status, because the event is missing.
    pub approximate: bool,
    /// `gate_request.json`: the gate's kind and time limit.
    pub request: Option<GateRequest>,
}

/// The last heartbeat of a run is too old.
///
/// ```
/// use runstate::conductor::read_run_directory;
/// use runstate::file::File;
/// use runstate::time::Millis;
///
/// let status = br#"{"run_id":"20261121T204038Z","workflow_id":"fix","started_at":"2026-11-21T20:40:38Z",
///     "updated_at":"2026-11-21T20:40:40Z","lifecycle_state":"running","current_step_id":"fix",
///     "active_opcode":"RUN_AGENT"}"#;
/// let now = Millis::parse_iso("2026-11-21T20:50:00Z").unwrap();
/// let run = read_run_directory(&[File { name: Some("status.json"), bytes: status }], now, None)?;
/// assert_eq!(run.unhealthy.unwrap().last_heartbeat_at, "2026-11-21T20:40:40Z");
/// # Ok::<(), runstate::conductor::ReadRunError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct StaleHeartbeat {
    /// When the status was written, verbatim.
    pub last_heartbeat_at: String,
}

/// How a run ended. `completed` means that STOP was reached, not success.
///
/// A run that reached STOP after a failed step:
///
/// ```
/// use runstate::conductor::wire::{ConductorState, Lifecycle};
/// use runstate::conductor::read_run_directory;
/// use runstate::file::File;
/// use runstate::time::Millis;
///
/// let status = br#"{"run_id":"20261121T204038Z","workflow_id":"fix","started_at":"2026-11-21T20:40:38Z",
///     "updated_at":"2026-11-21T20:41:00Z","lifecycle_state":"completed","current_step_id":"STOP",
///     "last_completed_step_id":"STOP","termination":"completed"}"#;
/// let events = concat!(
///     r#"{"timestamp":"2026-11-21T20:40:39Z","run_id":"20261121T204038Z","step_id":"test","event_type":"step_started"}"#, "\n",
///     r#"{"timestamp":"2026-11-21T20:40:59Z","run_id":"20261121T204038Z","step_id":"test","event_type":"step_failed","next_step_id":"STOP"}"#, "\n",
/// );
/// let manifest = br#"{"step_id":"test","opcode":"RUN_VALIDATION","termination":"error","notes":[],"artifacts":[]}"#;
/// let files = [
///     File { name: Some("status.json"), bytes: status },
///     File { name: Some("events.ndjson"), bytes: events.as_bytes() },
///     File { name: Some("artifacts/test/manifest.json"), bytes: manifest },
/// ];
/// let run = read_run_directory(&files, Millis::parse_iso("2026-11-21T20:42:00Z").unwrap(), None)?;
/// let terminal = run.terminal.unwrap();
/// assert_eq!((run.state, terminal.declared), (ConductorState::Succeeded, Lifecycle::Completed));
/// assert_eq!((terminal.exit.outcome.as_deref(), terminal.exit.clean), (Some("error"), Some(false)));
/// # Ok::<(), runstate::conductor::ReadRunError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Terminal {
    /// The lifecycle state at the end.
    pub declared: Lifecycle,
    /// The last step.
    pub last_step_id: Option<String>,
    /// How the last step before the end ended.
    pub exit: Exit,
    /// Whether only `metadata.json` or `final-state.txt` contains the end, because the status is out of date.
    pub by_metadata: bool,
}

/// How the last step before STOP or the failure ended.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Exit {
    /// The step; `None` if the events do not contain it.
    pub step_id: Option<String>,
    /// Its opcode; `None` without its manifest.
    pub opcode: Option<Word<Opcode>>,
    /// Its outcome verbatim; `None` without its manifest.
    pub outcome: Option<String>,
    /// Whether it ended cleanly; `None` if that is not known.
    pub clean: Option<bool>,
    /// The file of its manifest.
    pub file: Option<String>,
}

/// The decision of the kernel between two steps.
///
/// ```
/// use runstate::conductor::read_run_directory;
/// use runstate::file::File;
/// use runstate::time::Millis;
///
/// let status = br#"{"run_id":"20261121T204038Z","workflow_id":"fix","started_at":"2026-11-21T20:40:38Z",
///     "updated_at":"2026-11-21T20:40:41Z","lifecycle_state":"failed","current_step_id":"fix",
///     "last_completed_step_id":"test","last_route_target":"fix","termination":"error"}"#;
/// let now = Millis::parse_iso("2026-11-21T20:40:42Z").unwrap();
/// let decision = read_run_directory(&[File { name: Some("status.json"), bytes: status }], now, None)?.decision.unwrap();
/// assert_eq!((decision.step_id.as_deref(), decision.status.as_deref()), (Some("test"), Some("error")));
/// assert_eq!(decision.next_step_id, "fix");
/// # Ok::<(), runstate::conductor::ReadRunError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PlannerDecision {
    /// The step that ended.
    pub step_id: Option<String>,
    /// Its outcome verbatim: the planner's status, the termination, or the gate's outcome.
    pub status: Option<String>,
    /// The next step.
    pub next_step_id: String,
}

/// The last decision of the kernel on the next step (seed 004, section 6). It stays while that step runs.
///
/// A step that is visited again because the test after it failed:
///
/// ```
/// use runstate::conductor::read_run_directory;
/// use runstate::file::File;
/// use runstate::time::Millis;
///
/// let status = br#"{"run_id":"20261121T204038Z","workflow_id":"fix","started_at":"2026-11-21T20:40:38Z",
///     "updated_at":"2026-11-21T20:40:41Z","lifecycle_state":"running","current_step_id":"fix",
///     "last_completed_step_id":"test","active_opcode":"RUN_AGENT"}"#;
/// let events = concat!(
///     r#"{"run_id":"20261121T204038Z","step_id":"fix","event_type":"step_started"}"#, "\n",
///     r#"{"run_id":"20261121T204038Z","step_id":"fix","event_type":"step_completed","next_step_id":"test"}"#, "\n",
///     r#"{"run_id":"20261121T204038Z","step_id":"test","event_type":"step_started"}"#, "\n",
///     r#"{"run_id":"20261121T204038Z","step_id":"test","event_type":"step_failed","next_step_id":"fix"}"#, "\n",
///     r#"{"run_id":"20261121T204038Z","step_id":"fix","event_type":"step_started"}"#, "\n",
/// );
/// let files = [
///     File { name: Some("status.json"), bytes: status },
///     File { name: Some("events.ndjson"), bytes: events.as_bytes() },
/// ];
/// let route = read_run_directory(&files, Millis(0.0), None)?.last_route.unwrap();
/// assert_eq!((route.step_id.as_deref(), &*route.next_step_id, route.attempt), (Some("test"), "fix", Some(2)));
/// # Ok::<(), runstate::conductor::ReadRunError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Route {
    /// The step that ended.
    pub step_id: Option<String>,
    /// Its outcome verbatim: the planner's status, the gate's outcome, or the termination; `None` if no file contains it.
    pub status: Option<String>,
    /// The next step.
    pub next_step_id: String,
    /// The number of that visit of the next step, from 1; a retry or a refinement has a larger one. `None` without events.
    pub attempt: Option<u32>,
}

/// The fields of `status.json` verbatim.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct RunSource {
    /// `lifecycle_state`.
    pub lifecycle_state: Option<Word<Lifecycle>>,
    /// `termination`.
    pub termination: Option<Word<Termination>>,
    /// `blocking_reason`.
    pub blocking_reason: Option<String>,
    /// `active_opcode`.
    pub active_opcode: Option<Word<Opcode>>,
    /// `active_runner_family`.
    pub runner_family: Option<Word<RunnerFamily>>,
    /// `current_step_id`.
    pub current_step_id: Option<String>,
    /// `last_completed_step_id`.
    pub last_completed_step_id: Option<String>,
    /// `last_route_target`.
    pub last_route_target: Option<String>,
    /// `worktree_path`.
    pub worktree_path: Option<String>,
    /// `elapsed_seconds`: from the start of the run to the writing of the status.
    pub elapsed_seconds: Option<u64>,
    /// `updated_at`.
    pub updated_at: Option<String>,
}

/// A note on the state of a run.
///
/// ```
/// use runstate::conductor::derive::Note;
///
/// assert_eq!(Note::ClockAhead { by_ms: 9_000.0 }.as_str(), "clock-ahead");
/// assert_eq!(Note::StatusOutOfDate.as_str(), "status-out-of-date");
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Note {
    /// `metadata.json` or `final-state.txt` says that the run ended, but `status.json` has not been written yet.
    Ending,
    /// `status.json` is out of date: the run has ended.
    StatusOutOfDate,
    /// The status is unusable, but another file describes the end of the run.
    EndedElsewhere {
        /// The termination.
        termination: String,
        /// The last step.
        last_step_id: Option<String>,
        /// The file.
        file: String,
    },
    /// The date of the status is in the future.
    ClockAhead {
        /// The difference in milliseconds.
        by_ms: f64,
    },
    /// The date of the status is before the start of the run.
    ClockBack,
    /// The date of the status has no time zone.
    NoZone,
    /// Steps with this opcode write no heartbeat.
    NoHeartbeat,
    /// There are no events.
    NoEvents,
    /// There is no status, only a file of a step.
    Record {
        /// The start of a sentence about the file.
        what: &'static str,
        /// Its content.
        value: String,
    },
}

impl Note {
    /// The note as a word.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Ending => "ending",
            Self::StatusOutOfDate => "status-out-of-date",
            Self::EndedElsewhere { .. } => "ended-elsewhere",
            Self::ClockAhead { .. } => "clock-ahead",
            Self::ClockBack => "clock-back",
            Self::NoZone => "no-zone",
            Self::NoHeartbeat => "no-heartbeat",
            Self::NoEvents => "no-events",
            Self::Record { .. } => "record",
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::conductor::read_run_directory;
    use crate::file::File;
    use crate::time::Millis;
    use crate::word::Vocabulary;

    #[test]
    fn a_status_from_the_future_has_no_time() {
        let status =
            br#"{"run_id":"20261121T204038Z","workflow_id":"fix","started_at":"2026-11-21T20:40:38Z",
            "updated_at":"2099-01-01T00:00:00Z","lifecycle_state":"running","current_step_id":"fix",
            "active_opcode":"RUN_AGENT"}"#;
        let now = Millis::parse_iso("2026-11-21T20:41:38Z").unwrap();
        let run =
            read_run_directory(&[File { name: Some("status.json"), bytes: status }], now, None).unwrap();
        assert!(run.updated_at.is_some());
        assert_eq!((run.status_written_at(), run.state.as_str()), (None, "unknown"));
    }
}
