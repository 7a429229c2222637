//! `status.json`: the state of a run as the kernel writes it (seed 004, section 2).

use super::object::{Need, ObjectReader};
use super::timestamp::Timestamp;
use super::words::{Lifecycle, Opcode, RunnerFamily, Termination};
use crate::evidence::Signal;
use crate::json::{ReadError, Slice, fields};
use crate::problem::Problems;
use crate::word::{Vocabulary, Word};

/// The fields of `status.json`. A field that is null, absent or unreadable is `None`.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct StatusDocument {
    /// The run.
    pub run_id: Option<String>,
    /// The workflow.
    pub workflow_id: Option<String>,
    /// When the run started.
    pub started_at: Option<Timestamp>,
    /// When this file was written.
    pub updated_at: Option<Timestamp>,
    /// The lifecycle state.
    pub lifecycle_state: Option<Word<Lifecycle>>,
    /// The active step; between steps, the next one; at the end, the last one.
    pub current_step_id: Option<String>,
    /// The previous step; at the end, the last one, even if it failed.
    pub last_completed_step_id: Option<String>,
    /// The opcode of the active step; only in a step.
    pub active_opcode: Option<Word<Opcode>>,
    /// The active agent; only in `RUN_AGENT`.
    pub active_runner_family: Option<Word<RunnerFamily>>,
    /// The working directory of the run.
    pub worktree_path: Option<String>,
    /// The chosen next step; only between steps.
    pub last_route_target: Option<String>,
    /// Between steps, how the last step ended; at the end, how the run ended.
    pub termination: Option<Word<Termination>>,
    /// The attempt. No known version of the kernel writes it.
    pub active_attempt: Option<u64>,
    /// Whole seconds from the start of the run to this write.
    pub elapsed_seconds: Option<u64>,
    /// The last artifact. No known version of the kernel writes it.
    pub last_artifact_write: Option<String>,
    /// The planner's status, unless it is `success` or `partial`.
    pub blocking_reason: Option<String>,
    /// A person's note. No known version of the kernel writes it.
    pub operator_note: Option<String>,
}

/// The fields that every status has. The last one is null before the first step ends.
const REQUIRED: [&str; 7] = [
    "run_id",
    "workflow_id",
    "started_at",
    "updated_at",
    "lifecycle_state",
    "current_step_id",
    "last_completed_step_id",
];

/// The fields that may be null.
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

/// Reads the object, or the complete fields of a truncated one. The second part of the result names the fields that the
/// state depends on and that are missing or invalid.
pub(crate) fn read(
    file: &str,
    slice: Slice<'_>,
    truncated: bool,
    problems: &mut Problems,
) -> Result<(StatusDocument, Vec<Signal>), ReadError> {
    let [run_id, workflow_id, started_at, updated_at, lifecycle, current, completed] =
        fields(slice, REQUIRED)?;
    let [opcode, family, worktree, route, termination, attempt, elapsed, artifact, reason, note] =
        fields(slice, NULLABLE)?;
    let mut object = ObjectReader { file, slice, problems, truncated, faults: Vec::new() };
    let status = StatusDocument {
        run_id: object.text("run_id", run_id, Need::Required(Signal::RunId)),
        workflow_id: object.text("workflow_id", workflow_id, Need::Required(Signal::WorkflowId)),
        started_at: object.timestamp("started_at", started_at, Need::Required(Signal::StartedAt)),
        updated_at: object.timestamp("updated_at", updated_at, Need::Required(Signal::UpdatedAt)),
        lifecycle_state: to_word(object.text(
            "lifecycle_state",
            lifecycle,
            Need::Required(Signal::LifecycleState),
        )),
        current_step_id: object.text("current_step_id", current, Need::Decisive(Signal::CurrentStepId)),
        last_completed_step_id: object.text(
            "last_completed_step_id",
            completed,
            Need::Decisive(Signal::LastCompletedStepId),
        ),
        active_opcode: to_word(object.text("active_opcode", opcode, Need::Decisive(Signal::ActiveOpcode))),
        active_runner_family: to_word(object.text("active_runner_family", family, Need::Auxiliary)),
        worktree_path: object.text("worktree_path", worktree, Need::Auxiliary),
        last_route_target: object.text("last_route_target", route, Need::Decisive(Signal::LastRouteTarget)),
        termination: to_word(object.text("termination", termination, Need::Decisive(Signal::Termination))),
        active_attempt: object.count("active_attempt", attempt),
        elapsed_seconds: object.count("elapsed_seconds", elapsed),
        last_artifact_write: object.text("last_artifact_write", artifact, Need::Auxiliary),
        blocking_reason: object.text("blocking_reason", reason, Need::Auxiliary),
        operator_note: object.text("operator_note", note, Need::Auxiliary),
    };
    Ok((status, object.faults))
}

pub(super) fn to_word<V: Vocabulary>(text: Option<String>) -> Option<Word<V>> {
    text.map(|text| Word::new(&text))
}
