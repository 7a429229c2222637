//! What a run does: the view, in the words of the common run state, with everything that those cannot carry.

use super::liveness::AHEAD_MS;
use super::steps::Visit;
use crate::conductor::wire::GateRequest;
use crate::conductor::wire::Problem;
use crate::conductor::wire::{
    ConductorState, Lifecycle, Liveness, Opcode, Phase, RunnerFamily, Termination, Why,
};
use crate::evidence::Evidence;
use crate::time::Millis;
use crate::word::Word;

/// What is known of a run after reading its directory or a part of it.
///
/// A run at a gate. Its words are kept as they came, beside what was made of them.
///
/// ```
/// use runstate::conductor::wire::{ConductorState, Lifecycle, Liveness, Phase};
/// use runstate::conductor::read_run;
/// use runstate::file::File;
/// use runstate::time::Millis;
///
/// let status = br#"{"run_id":"20261121T204038Z","workflow_id":"release","started_at":"2026-11-21T20:40:38Z",
///     "updated_at":"2026-11-21T20:41:00Z","lifecycle_state":"waiting","current_step_id":"approve",
///     "last_completed_step_id":"build","active_opcode":"GATE"}"#;
/// let now = Millis::parse_iso("2026-11-21T23:00:00Z").unwrap();
/// let run = read_run(&[File { name: Some("status.json"), bytes: status }], now, None)?;
/// assert_eq!((run.state, run.phase), (ConductorState::WaitingApproval, Phase::InStep));
/// // Two hours of silence say nothing here: a gate writes no heartbeat.
/// assert_eq!((run.liveness, run.unhealthy), (Liveness::Unobserved, None));
/// let gate = run.blocked.unwrap();
/// assert_eq!((gate.node_id.as_deref(), gate.approximate), (Some("approve"), true));
/// assert_eq!(run.source.lifecycle_state.and_then(|word| word.known()), Some(Lifecycle::Waiting));
/// # Ok::<(), runstate::conductor::NotARun>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ConductorRun {
    /// The run. `None` where no file tells, or where the files are of another run than their directory.
    pub run_id: Option<String>,
    /// The workflow.
    pub workflow_id: Option<String>,
    /// What the run does.
    pub state: ConductorState,
    /// The shape of `status.json`, or why it has none.
    pub phase: Phase,
    /// The gate that it waits at.
    pub blocked: Option<Gate>,
    /// Since when nothing was written, where that is too long.
    pub unhealthy: Option<Silence>,
    /// How it ended.
    pub terminal: Option<Terminal>,
    /// Which step comes next, and why; between steps alone.
    pub decision: Option<PlannerDecision>,
    /// Why the state is `unknown`.
    pub why: Option<Why>,
    /// The raw words that all of this was made of.
    pub source: RunSource,
    /// Whether it is seen to be alive.
    pub liveness: Liveness,
    /// Why it failed, in its own words.
    pub failure: Option<String>,
    /// When it began.
    pub started_at: Option<Millis>,
    /// When `status.json` was written.
    pub updated_at: Option<Millis>,
    /// When it ended, by `metadata.json`.
    pub ended_at: Option<Millis>,
    /// Each visit of a step, by the events.
    pub visits: Vec<Visit>,
    /// What must be said beside the state.
    pub notes: Vec<Note>,
    /// What the state rests on.
    pub evidence: Evidence,
    /// What could not be read although the rest loads, each with its place.
    pub problems: Vec<Problem>,
}

impl ConductorRun {
    /// When `status.json` was written, unless it is dated in the future of its reader or before the run began: then nobody
    /// knows.
    ///
    /// ```
    /// use runstate::conductor::read_run;
    /// use runstate::file::File;
    /// use runstate::time::Millis;
    ///
    /// let status = br#"{"run_id":"20261121T204038Z","workflow_id":"fix","started_at":"2026-11-21T20:40:38Z",
    ///     "updated_at":"2099-01-01T00:00:00Z","lifecycle_state":"running","current_step_id":"fix",
    ///     "active_opcode":"RUN_AGENT"}"#;
    /// let now = Millis::parse_iso("2026-11-21T20:41:38Z").unwrap();
    /// let run = read_run(&[File { name: Some("status.json"), bytes: status }], now, None)?;
    /// assert!(run.updated_at.is_some());
    /// assert_eq!((run.dated(), run.state.as_str()), (None, "unknown"));
    /// # use runstate::word::Vocabulary;
    /// # Ok::<(), runstate::conductor::NotARun>(())
    /// ```
    pub fn dated(&self) -> Option<Millis> {
        let (read_at, started_at) = (self.evidence.read_at, self.started_at);
        let at =
            self.updated_at.filter(|at| read_at.is_none_or(|read_at| read_at.since(*at) >= -AHEAD_MS))?;
        started_at.is_none_or(|started_at| at >= started_at).then_some(at)
    }
}

/// A gate that waits for a person.
#[derive(Clone, Debug, PartialEq)]
pub struct Gate {
    /// The step.
    pub node_id: Option<String>,
    /// When it asked, as the file says it.
    pub requested_at: Option<String>,
    /// The same as a moment.
    pub requested: Option<Millis>,
    /// Whether that is only when the status was written, because the event is missing.
    pub approximate: bool,
    /// The gate's kind and limit, where `gate_request.json` is there.
    pub request: Option<GateRequest>,
}

/// Nothing was written for too long.
///
/// ```
/// use runstate::conductor::read_run;
/// use runstate::file::File;
/// use runstate::time::Millis;
///
/// let status = br#"{"run_id":"20261121T204038Z","workflow_id":"fix","started_at":"2026-11-21T20:40:38Z",
///     "updated_at":"2026-11-21T20:40:40Z","lifecycle_state":"running","current_step_id":"fix",
///     "active_opcode":"RUN_AGENT"}"#;
/// let now = Millis::parse_iso("2026-11-21T20:50:00Z").unwrap();
/// let run = read_run(&[File { name: Some("status.json"), bytes: status }], now, None)?;
/// assert_eq!(run.unhealthy.unwrap().last_heartbeat_at, "2026-11-21T20:40:40Z");
/// # Ok::<(), runstate::conductor::NotARun>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Silence {
    /// When the status was written, as the file says it.
    pub last_heartbeat_at: String,
}

/// How a run ended. `completed` means that STOP was reached, and no more.
///
/// STOP was reached, after a step that failed: `completed`, and not well.
///
/// ```
/// use runstate::conductor::wire::{ConductorState, Lifecycle};
/// use runstate::conductor::read_run;
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
/// let run = read_run(&files, Millis::parse_iso("2026-11-21T20:42:00Z").unwrap(), None)?;
/// let terminal = run.terminal.unwrap();
/// assert_eq!((run.state, terminal.declared), (ConductorState::Succeeded, Lifecycle::Completed));
/// assert_eq!((terminal.exit.outcome.as_deref(), terminal.exit.clean), (Some("error"), Some(false)));
/// # Ok::<(), runstate::conductor::NotARun>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Terminal {
    /// The word that the run ended with.
    pub declared: Lifecycle,
    /// The last step.
    pub last_step_id: Option<String>,
    /// How it got there.
    pub exit: Exit,
    /// Whether `metadata.json` or `final-state.txt` says so alone, because the status is out of date.
    pub by_metadata: bool,
}

/// The last step that did something.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Exit {
    /// The step; `None` where the events do not tell.
    pub step_id: Option<String>,
    /// What it does; `None` where its manifest does not tell.
    pub opcode: Option<Word<Opcode>>,
    /// How it ended, verbatim.
    pub outcome: Option<String>,
    /// Whether that is a clean end; `None` where it is not known. Never a guess.
    pub clean: Option<bool>,
    /// The manifest that tells.
    pub file: Option<String>,
}

/// What the kernel decided between two steps.
///
/// ```
/// use runstate::conductor::read_run;
/// use runstate::file::File;
/// use runstate::time::Millis;
///
/// let status = br#"{"run_id":"20261121T204038Z","workflow_id":"fix","started_at":"2026-11-21T20:40:38Z",
///     "updated_at":"2026-11-21T20:40:41Z","lifecycle_state":"failed","current_step_id":"fix",
///     "last_completed_step_id":"test","last_route_target":"fix","termination":"error"}"#;
/// let now = Millis::parse_iso("2026-11-21T20:40:42Z").unwrap();
/// let decision = read_run(&[File { name: Some("status.json"), bytes: status }], now, None)?.decision.unwrap();
/// assert_eq!((decision.step_id.as_deref(), decision.status.as_deref()), (Some("test"), Some("error")));
/// assert_eq!(decision.next_step_id, "fix");
/// # Ok::<(), runstate::conductor::NotARun>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct PlannerDecision {
    /// The step that ended.
    pub step_id: Option<String>,
    /// How: the planner's word, the termination, or the gate's outcome, verbatim.
    pub status: Option<String>,
    /// The step that comes next.
    pub next_step_id: String,
}

/// The raw words of `status.json`.
#[derive(Clone, Debug, Default, PartialEq)]
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
    /// `last_route_target`.
    pub last_route_target: Option<String>,
    /// `updated_at`.
    pub updated_at: Option<String>,
}

/// What must be said beside the state.
///
/// ```
/// use runstate::conductor::derive::Note;
///
/// assert_eq!(Note::ClockAhead { by_ms: 9_000.0 }.as_str(), "clock-ahead");
/// assert_eq!(Note::StatusOutOfDate.as_str(), "status-out-of-date");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Note {
    /// `metadata.json` or `final-state.txt` says that the run ended; the status follows in a moment.
    Ending,
    /// The status is out of date: the run ended.
    StatusOutOfDate,
    /// There is no usable status, yet another file says how the run ended.
    EndedElsewhere {
        /// The word.
        termination: String,
        /// The last step.
        last_step_id: Option<String>,
        /// The file that says so.
        file: String,
    },
    /// The status is dated in the reader's future.
    ClockAhead {
        /// By how much, milliseconds.
        by_ms: f64,
    },
    /// The status is dated before the run's start.
    ClockBack,
    /// The status is dated without a zone.
    NoZone,
    /// This kind of step writes no heartbeat.
    NoHeartbeat,
    /// Step history is not there.
    NoEvents,
    /// There is no status; a file of a step tells this much.
    Record {
        /// What it is about.
        what: &'static str,
        /// Its word.
        said: String,
    },
}

impl Note {
    /// The note as a word for tools.
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
