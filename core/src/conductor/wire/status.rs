//! `status.json`: what the run says of itself (seed 004, section 2).

use super::object::{Need, Object};
use super::problem::Problems;
use super::stamp::Stamp;
use super::words::{Lifecycle, Opcode, RunnerFamily, Termination};
use crate::evidence::Signal;
use crate::json::{ReadError, Slice, fields};
use crate::word::Vocabulary;
use crate::word::Word;

/// The fields of `status.json`; one that is null, left out or unreadable is `None`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StatusDocument {
    /// The run.
    pub run_id: Option<String>,
    /// The workflow.
    pub workflow_id: Option<String>,
    /// When the run began.
    pub started_at: Option<Stamp>,
    /// When this was written, by the writer's clock.
    pub updated_at: Option<Stamp>,
    /// The lifecycle state.
    pub lifecycle_state: Option<Word<Lifecycle>>,
    /// In a step: that step. After a step: already the next one. At the end: the last one.
    pub current_step_id: Option<String>,
    /// The step before; at the end the last step, even if that one failed.
    pub last_completed_step_id: Option<String>,
    /// What the active step does; inside a step alone.
    pub active_opcode: Option<Word<Opcode>>,
    /// Which agent works; inside `RUN_AGENT` alone.
    pub active_runner_family: Option<Word<RunnerFamily>>,
    /// Where it works.
    pub worktree_path: Option<String>,
    /// The step that was chosen; after a step alone.
    pub last_route_target: Option<String>,
    /// After a step: how that step ended. At the end: how the run did.
    pub termination: Option<Word<Termination>>,
    /// The attempt; no known writer gives it.
    pub active_attempt: Option<u64>,
    /// Whole seconds since the start, at the time of the write.
    pub elapsed_seconds: Option<u64>,
    /// The artifact written last; no known writer gives it.
    pub last_artifact_write: Option<String>,
    /// What the planner said when it was not success or partial.
    pub blocking_reason: Option<String>,
    /// A person's note; no known writer gives it.
    pub operator_note: Option<String>,
}

/// The fields that every status has; the last one is null before the first step ends.
const REQUIRED: [&str; 7] = [
    "run_id",
    "workflow_id",
    "started_at",
    "updated_at",
    "lifecycle_state",
    "current_step_id",
    "last_completed_step_id",
];

/// The fields that are null where they say nothing.
const NULLABLE: [&str; 10] = [
    "active_opcode",
    "active_runner_family",
    "worktree_path",
    "last_route_target",
    "termination",
    "active_attempt",
    "elapsed_seconds",
    "last_artifact_write",
    "blocking_reason",
    "operator_note",
];

/// Reads the object, or what is whole of one that is `cut` off. The second part names the fields without which no state can be
/// named.
pub(crate) fn read(
    file: &str,
    slice: Slice<'_>,
    cut: bool,
    problems: &mut Problems,
) -> Result<(StatusDocument, Vec<Signal>), ReadError> {
    let [run_id, workflow_id, started_at, updated_at, lifecycle, current, completed] =
        fields(slice, REQUIRED)?;
    let [opcode, family, worktree, route, termination, attempt, elapsed, artifact, reason, note] =
        fields(slice, NULLABLE)?;
    let mut of = Object { file, slice, problems, cut, faults: Vec::new() };
    let status = StatusDocument {
        run_id: of.text("run_id", run_id, Need::Required(Signal::RunId)),
        workflow_id: of.text("workflow_id", workflow_id, Need::Required(Signal::WorkflowId)),
        started_at: of.stamp("started_at", started_at, Need::Required(Signal::StartedAt)),
        updated_at: of.stamp("updated_at", updated_at, Need::Required(Signal::UpdatedAt)),
        lifecycle_state: word(of.text("lifecycle_state", lifecycle, Need::Required(Signal::LifecycleState))),
        current_step_id: of.text("current_step_id", current, Need::Deciding(Signal::CurrentStepId)),
        last_completed_step_id: of.text(
            "last_completed_step_id",
            completed,
            Need::Deciding(Signal::LastCompletedStepId),
        ),
        active_opcode: word(of.text("active_opcode", opcode, Need::Deciding(Signal::ActiveOpcode))),
        active_runner_family: word(of.text("active_runner_family", family, Need::Auxiliary)),
        worktree_path: of.text("worktree_path", worktree, Need::Auxiliary),
        last_route_target: of.text("last_route_target", route, Need::Deciding(Signal::LastRouteTarget)),
        termination: word(of.text("termination", termination, Need::Deciding(Signal::Termination))),
        active_attempt: of.count("active_attempt", attempt),
        elapsed_seconds: of.count("elapsed_seconds", elapsed),
        last_artifact_write: of.text("last_artifact_write", artifact, Need::Auxiliary),
        blocking_reason: of.text("blocking_reason", reason, Need::Auxiliary),
        operator_note: of.text("operator_note", note, Need::Auxiliary),
    };
    Ok((status, of.faults))
}

pub(crate) fn word<V: Vocabulary>(text: Option<String>) -> Option<Word<V>> {
    text.map(|text| Word::new(&text))
}
