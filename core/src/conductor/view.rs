//! What a run does: the view, in the words of the common run state, with everything that those cannot carry.

use super::problem::Problem;
use super::steps::Visit;
use super::words::{ConductorState, Lifecycle, Liveness, Opcode, Phase, RunnerFamily, Termination, Why};
use crate::evidence::Evidence;
use crate::time::Millis;
use crate::word::Word;

/// What is known of a run after reading its directory or a part of it.
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
    pub decision: Option<Decision>,
    /// Why the state is `unknown`.
    pub why: Option<Why>,
    /// The raw words that all of this was made of.
    pub source: Source,
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
    pub request: Option<super::GateRequest>,
}

/// Nothing was written for too long.
#[derive(Clone, Debug, PartialEq)]
pub struct Silence {
    /// When the status was written, as the file says it.
    pub last_heartbeat_at: String,
}

/// How a run ended. `completed` means that STOP was reached, and no more.
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
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// The step that ended.
    pub step_id: Option<String>,
    /// How: the planner's word, the termination, or the gate's outcome, verbatim.
    pub status: Option<String>,
    /// The step that comes next.
    pub next_step_id: String,
}

/// The raw words of `status.json`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Source {
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
        }
    }
}
