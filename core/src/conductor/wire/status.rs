//! `status.json`: the state of a run as the kernel writes it (seed 004, section 2).

use super::json_file::Need;
use super::timestamp::Timestamp;
use super::words::{Lifecycle, Opcode, RunnerFamily, Termination};
use crate::evidence::Signal;
use crate::json::record;
use crate::word::Word;

record! {
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
}

/// The fields that the state depends on.
pub(crate) const DECISIVE: [Need; 10] = [
    Need::Required(Signal::RunId),
    Need::Required(Signal::WorkflowId),
    Need::Required(Signal::StartedAt),
    Need::Required(Signal::UpdatedAt),
    Need::Required(Signal::LifecycleState),
    Need::Nullable(Signal::CurrentStepId),
    // It is null before the first step ends.
    Need::Nullable(Signal::LastCompletedStepId),
    Need::Nullable(Signal::ActiveOpcode),
    Need::Nullable(Signal::LastRouteTarget),
    Need::Nullable(Signal::Termination),
];
