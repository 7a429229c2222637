//! The vocabularies of tnh-conductor (seed 004, protocol section 4), and Runstate's own vocabulary for derived states.

crate::vocabulary! {
    /// `lifecycle_state` of `status.json`. It is not the state of the run: between two steps, `failed` is about the last step.
    ///
    /// ```
    /// use runstate::conductor::wire::Lifecycle;
    /// use runstate::word::Vocabulary;
    ///
    /// assert_eq!(Lifecycle::WORDS, ["running", "waiting", "blocked", "failed", "completed"]);
    /// ```
    pub enum Lifecycle ("lifecycle state") {
        /// Running.
        Running = "running",
        /// Waiting at a gate.
        Waiting = "waiting",
        /// Between steps: the planner's status is `blocked`, `needs_human` or `unsafe`.
        Blocked = "blocked",
        /// Between steps, the last step failed; at the end, the run failed.
        Failed = "failed",
        /// A STOP step was reached. This does not mean success.
        Completed = "completed",
    }
}

crate::vocabulary! {
    /// The operation of a step.
    pub enum Opcode ("opcode") {
        /// An agent works.
        RunAgent = "RUN_AGENT",
        /// Validators run.
        RunValidation = "RUN_VALIDATION",
        /// The planner decides.
        Evaluate = "EVALUATE",
        /// A person decides.
        Gate = "GATE",
        /// The workspace is reset.
        Rollback = "ROLLBACK",
        /// The end of the workflow.
        Stop = "STOP",
    }
}

crate::vocabulary! {
    /// The kind of agent.
    ///
    /// ```
    /// use runstate::conductor::wire::RunnerFamily;
    /// use runstate::word::Vocabulary;
    ///
    /// assert_eq!(RunnerFamily::WORDS, ["claude_cli", "codex_cli"]);
    /// ```
    pub enum RunnerFamily ("runner family") {
        /// Claude's command line.
        ClaudeCli = "claude_cli",
        /// Codex's command line.
        CodexCli = "codex_cli",
    }
}

crate::vocabulary! {
    /// How a step without planner or gate ended. At the end of a run, `status.json` and `metadata.json` use it for the run.
    ///
    /// ```
    /// use runstate::conductor::wire::Termination;
    /// use runstate::word::Vocabulary;
    ///
    /// assert_eq!(Termination::from_word("killed_idle"), Some(Termination::KilledIdle));
    /// ```
    pub enum Termination ("termination") {
        /// Completed.
        Completed = "completed",
        /// Ended with an error.
        Error = "error",
        /// Killed at its time limit.
        KilledTimeout = "killed_timeout",
        /// Killed because it was inactive.
        KilledIdle = "killed_idle",
        /// Killed because it violated the policy.
        KilledPolicy = "killed_policy",
    }
}

crate::vocabulary! {
    /// The decision of the planner.
    ///
    /// ```
    /// use runstate::conductor::wire::PlannerStatus;
    /// use runstate::word::Vocabulary;
    ///
    /// assert_eq!(PlannerStatus::NeedsHuman.as_str(), "needs_human");
    /// ```
    pub enum PlannerStatus ("planner status") {
        /// The work is done.
        Success = "success",
        /// More work remains.
        Partial = "partial",
        /// The work cannot continue.
        Blocked = "blocked",
        /// The work must not continue.
        Unsafe = "unsafe",
        /// A person must decide.
        NeedsHuman = "needs_human",
    }
}

crate::vocabulary! {
    /// The answer to a gate.
    pub enum GateOutcome ("gate outcome") {
        /// Approved.
        Approved = "gate_approved",
        /// Rejected.
        Rejected = "gate_rejected",
        /// The gate was not answered in time.
        TimedOut = "gate_timed_out",
    }
}

crate::vocabulary! {
    /// `event_type` of a line of `events.ndjson`.
    ///
    /// ```
    /// use runstate::conductor::wire::ConductorEventType;
    /// use runstate::word::Vocabulary;
    ///
    /// assert_eq!(ConductorEventType::from_word("route_selected"), Some(ConductorEventType::RouteSelected));
    /// assert_eq!(ConductorEventType::from_word("step_skipped"), None);
    /// ```
    pub enum ConductorEventType ("event type") {
        /// A step started; not written for STOP.
        StepStarted = "step_started",
        /// `status.json` was written, by a change or by a heartbeat.
        StatusUpdated = "status_updated",
        /// An agent started.
        RunnerStarted = "runner_started",
        /// An agent ended.
        RunnerCompleted = "runner_completed",
        /// The kernel chose the next step.
        RouteSelected = "route_selected",
        /// A gate asks.
        GateRequested = "gate_requested",
        /// A gate was answered.
        GateResolved = "gate_resolved",
        /// A step waits.
        StepWaiting = "step_waiting",
        /// The planner stopped a step.
        StepBlocked = "step_blocked",
        /// The workspace was reset.
        RollbackCompleted = "rollback_completed",
        /// An artifact was recorded.
        ArtifactRecorded = "artifact_recorded",
        /// A step ended.
        StepCompleted = "step_completed",
        /// A step failed. Without a next step, the run failed.
        StepFailed = "step_failed",
    }
}

crate::vocabulary! {
    /// The role of an artifact.
    ///
    /// ```
    /// use runstate::conductor::wire::ArtifactRole;
    /// use runstate::word::Vocabulary;
    ///
    /// assert_eq!(ArtifactRole::RunnerFinalResponse.as_str(), "runner_final_response");
    /// ```
    pub enum ArtifactRole ("artifact role") {
        /// The transcript of the agent.
        RunnerTranscript = "runner_transcript",
        /// The final response of the agent.
        RunnerFinalResponse = "runner_final_response",
        /// The command and result of the agent.
        RunnerMetadata = "runner_metadata",
        /// The policy of the step.
        PolicySummary = "policy_summary",
        /// The report of the validators.
        ValidationReport = "validation_report",
        /// Output of a validator.
        ValidationStdout = "validation_stdout",
        /// Error output of a validator.
        ValidationStderr = "validation_stderr",
        /// A file of a harness.
        HarnessFixture = "harness_fixture",
        /// The decision of the planner.
        PlannerDecision = "planner_decision",
        /// The question of a gate.
        GateRequest = "gate_request",
        /// The answer to a gate.
        GateOutcome = "gate_outcome",
        /// The changes in the workspace.
        WorkspaceDiff = "workspace_diff",
        /// The status of the workspace.
        WorkspaceStatus = "workspace_status",
    }
}

crate::vocabulary! {
    /// The state of a run, in the words of Smithers' run states that apply: tnh-conductor has neither owners nor timers nor
    /// cancellation (protocol section 6).
    pub enum ConductorState ("run state") {
        /// In a step, between two steps, or before the first.
        Running = "running",
        /// Waiting at a gate.
        WaitingApproval = "waiting-approval",
        /// The last two heartbeats are missing.
        Stale = "stale",
        /// The kernel ended the run with a failure.
        Failed = "failed",
        /// STOP was reached. [`Exit`](crate::conductor::derive::Exit) contains whether the last step ended cleanly.
        Succeeded = "succeeded",
        /// The files do not contain the state.
        Unknown = "unknown",
    }
}

crate::vocabulary! {
    /// The phase of a run according to `status.json`, or the problem with that file (protocol section 2).
    ///
    /// ```
    /// use runstate::conductor::wire::Phase;
    /// use runstate::conductor::read_run_directory;
    /// use runstate::file::File;
    /// use runstate::time::Millis;
    ///
    /// // The kernel truncates the file before it writes it.
    /// let empty = [File { name: Some("status.json"), bytes: b"" }];
    /// assert_eq!(read_run_directory(&empty, Millis(0.0), None)?.phase, Phase::Unreadable);
    /// # Ok::<(), runstate::conductor::ReadRunError>(())
    /// ```
    pub enum Phase ("phase") {
        /// No step has started.
        Initial = "initial",
        /// A step is active.
        InStep = "in_step",
        /// A step has ended, and the next one is chosen.
        BetweenSteps = "between_steps",
        /// The run has ended.
        Terminal = "terminal",
        /// `status.json` does not exist.
        Absent = "absent",
        /// `status.json` is empty or not JSON: it is being written.
        Unreadable = "unreadable",
        /// `status.json` lacks required fields, or is of another run.
        Malformed = "malformed",
        /// `status.json` has an unknown lifecycle state.
        Unrecognised = "unrecognised",
        /// Fields of `status.json` contradict each other.
        Contradictory = "contradictory",
    }
}

crate::vocabulary! {
    /// Why the state is `unknown`.
    ///
    /// ```
    /// use runstate::conductor::wire::{ConductorState, UnknownReason};
    /// use runstate::conductor::read_run_directory;
    /// use runstate::time::Millis;
    ///
    /// let run = read_run_directory(&[], Millis(0.0), None)?;
    /// assert_eq!((run.state, run.unknown_reason), (ConductorState::Unknown, Some(UnknownReason::StatusAbsent)));
    /// # Ok::<(), runstate::conductor::ReadRunError>(())
    /// ```
    pub enum UnknownReason ("reason for unknown") {
        /// `status.json` does not exist.
        StatusAbsent = "status-absent",
        /// `status.json` is empty or truncated. An earlier state remains valid.
        StatusUnreadable = "status-unreadable",
        /// `status.json` is not an object, or a required field is missing or of the wrong type.
        StatusMalformed = "status-malformed",
        /// `status.json` and the directory have different run ids.
        RunIdMismatch = "run-id-mismatch",
        /// The lifecycle state is an unknown word.
        LifecycleUnrecognised = "lifecycle-unrecognised",
        /// Fields of `status.json` contradict each other.
        StatusContradictory = "status-contradictory",
        /// The step writes no heartbeat, and the status is old.
        LivenessUnobserved = "liveness-unobserved",
        /// The date of the status is in the future, and the state depends on its age.
        ClockAhead = "clock-ahead",
    }
}

crate::vocabulary! {
    /// Whether a run is alive, according to the age of its status.
    pub enum Liveness ("liveness") {
        /// The status is recent.
        Fresh = "fresh",
        /// The status is too old.
        Stale = "stale",
        /// The step writes no heartbeat.
        Unobserved = "unobserved",
        /// The age of the status is not known.
        NotKnown = "unknown",
        /// The run has ended.
        Ended = "ended",
    }
}

impl Opcode {
    /// Whether the kernel writes `status.json` every 30 s during such a step (protocol section 2).
    pub(crate) fn has_heartbeat(self) -> bool {
        match self {
            Self::RunAgent | Self::RunValidation => true,
            Self::Evaluate | Self::Gate | Self::Rollback | Self::Stop => false,
        }
    }
}

/// Whether an outcome of a step is clean; `None` for a word that is in none of the three vocabularies.
pub(crate) fn is_clean_outcome(outcome: &str) -> Option<bool> {
    use crate::word::Vocabulary;

    let termination = Termination::from_word(outcome).map(|word| word == Termination::Completed);
    let planner = || PlannerStatus::from_word(outcome).map(|word| word == PlannerStatus::Success);
    let gate = || GateOutcome::from_word(outcome).map(|word| word == GateOutcome::Approved);
    termination.or_else(planner).or_else(gate)
}

#[cfg(test)]
mod tests {
    use crate::conductor::wire::{GateOutcome, is_clean_outcome};
    use crate::word::Vocabulary;

    #[test]
    fn an_outcome_is_clean_in_its_own_vocabulary() {
        assert_eq!(is_clean_outcome("completed"), Some(true));
        assert_eq!(is_clean_outcome(GateOutcome::Rejected.as_str()), Some(false));
        assert_eq!(is_clean_outcome("abandoned"), None);
    }
}
