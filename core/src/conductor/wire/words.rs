//! The vocabularies of tnh-conductor (seed 004, protocol section 4), and our own words for what is derived.

crate::vocabulary! {
    /// `lifecycle_state` of `status.json`. Not yet a run state: `failed` may be about the last step alone.
    ///
    /// Not a run state: `failed` between two steps is about the step before.
    ///
    /// ```
    /// use runstate::conductor::wire::Lifecycle;
    /// use runstate::word::Vocabulary;
    ///
    /// assert_eq!(Lifecycle::WORDS, ["running", "waiting", "blocked", "failed", "completed"]);
    /// ```
    pub enum Lifecycle ("lifecycle state") {
        /// The run goes on.
        Running = "running",
        /// At a gate.
        Waiting = "waiting",
        /// The planner said blocked, `needs_human` or unsafe; written between steps alone.
        Blocked = "blocked",
        /// Between steps: the last step failed. At the end: the run did.
        Failed = "failed",
        /// A STOP step was reached. This is not success.
        Completed = "completed",
    }
}

crate::vocabulary! {
    /// What a step does.
    ///
    /// ```
    /// use runstate::conductor::wire::Opcode;
    /// use runstate::word::Vocabulary;
    ///
    /// assert!(Opcode::from_word("RUN_AGENT").is_some_and(Opcode::has_heartbeat));
    /// assert!(!Opcode::Gate.has_heartbeat(), "a person may take a week");
    /// ```
    pub enum Opcode ("opcode") {
        /// An agent works.
        RunAgent = "RUN_AGENT",
        /// Validators run.
        RunValidation = "RUN_VALIDATION",
        /// The planner decides.
        Evaluate = "EVALUATE",
        /// A person decides.
        Gate = "GATE",
        /// The workspace goes back.
        Rollback = "ROLLBACK",
        /// The end of the workflow.
        Stop = "STOP",
    }
}

crate::vocabulary! {
    /// Which agent works.
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
    /// How a mechanical step ended; at the end of `status.json` and `metadata.json`, how the run did.
    ///
    /// ```
    /// use runstate::conductor::wire::Termination;
    /// use runstate::word::Vocabulary;
    ///
    /// assert_eq!(Termination::from_word("killed_idle"), Some(Termination::KilledIdle));
    /// ```
    pub enum Termination ("termination") {
        /// To its end.
        Completed = "completed",
        /// With an error.
        Error = "error",
        /// Over its time.
        KilledTimeout = "killed_timeout",
        /// Silent for too long.
        KilledIdle = "killed_idle",
        /// Against the policy.
        KilledPolicy = "killed_policy",
    }
}

crate::vocabulary! {
    /// What the planner decided.
    ///
    /// ```
    /// use runstate::conductor::wire::PlannerStatus;
    /// use runstate::word::Vocabulary;
    ///
    /// assert_eq!(PlannerStatus::NeedsHuman.as_str(), "needs_human");
    /// ```
    pub enum PlannerStatus ("planner status") {
        /// Done.
        Success = "success",
        /// More is to be done.
        Partial = "partial",
        /// It cannot go on.
        Blocked = "blocked",
        /// It must not go on.
        Unsafe = "unsafe",
        /// A person must decide.
        NeedsHuman = "needs_human",
    }
}

crate::vocabulary! {
    /// What came of a gate.
    pub enum GateOutcome ("gate outcome") {
        /// Approved.
        Approved = "gate_approved",
        /// Rejected.
        Rejected = "gate_rejected",
        /// Nobody answered in time.
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
    /// assert_eq!(ConductorEventType::from_word("step_skipped"), None); // has no effect on any state
    /// ```
    pub enum ConductorEventType ("event type") {
        /// A step began; not written for STOP.
        StepStarted = "step_started",
        /// `status.json` was written; a heartbeat as well.
        StatusUpdated = "status_updated",
        /// An agent began.
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
        /// The workspace went back.
        RollbackCompleted = "rollback_completed",
        /// An artifact was listed.
        ArtifactRecorded = "artifact_recorded",
        /// A step ended and the run goes on.
        StepCompleted = "step_completed",
        /// A step failed; without a next step the run did.
        StepFailed = "step_failed",
    }
}

crate::vocabulary! {
    /// What an artifact is.
    ///
    /// ```
    /// use runstate::conductor::wire::ArtifactRole;
    /// use runstate::word::Vocabulary;
    ///
    /// assert_eq!(ArtifactRole::RunnerFinalResponse.as_str(), "runner_final_response");
    /// ```
    pub enum ArtifactRole ("artifact role") {
        /// What the agent said and did.
        RunnerTranscript = "runner_transcript",
        /// The agent's last words.
        RunnerFinalResponse = "runner_final_response",
        /// How the agent ran.
        RunnerMetadata = "runner_metadata",
        /// Which policy held.
        PolicySummary = "policy_summary",
        /// What validation found.
        ValidationReport = "validation_report",
        /// Output of a validator.
        ValidationStdout = "validation_stdout",
        /// Error output of a validator.
        ValidationStderr = "validation_stderr",
        /// A file of a harness.
        HarnessFixture = "harness_fixture",
        /// What the planner decided.
        PlannerDecision = "planner_decision",
        /// What a gate asks.
        GateRequest = "gate_request",
        /// What a gate was told.
        GateOutcome = "gate_outcome",
        /// The changes in the workspace.
        WorkspaceDiff = "workspace_diff",
        /// The workspace's own status.
        WorkspaceStatus = "workspace_status",
    }
}

crate::vocabulary! {
    /// What a run does, in the words of the common view. Of its words the files can carry these alone: there is no
    /// owner, no timer and no cancellation in them (protocol section 6).
    pub enum ConductorState ("run state") {
        /// At work, between two steps, or about to begin.
        Running = "running",
        /// At a gate.
        WaitingApproval = "waiting-approval",
        /// No status for longer than two and a half heartbeats.
        Stale = "stale",
        /// The kernel gave up.
        Failed = "failed",
        /// Declared completed: STOP was reached. Whether well, the exit record says.
        Succeeded = "succeeded",
        /// The files do not tell.
        Unknown = "unknown",
    }
}

crate::vocabulary! {
    /// Which of the four shapes of `status.json` this is, or why it is none (protocol section 2).
    ///
    /// ```
    /// use runstate::conductor::wire::Phase;
    /// use runstate::conductor::read_run;
    /// use runstate::file::File;
    /// use runstate::time::Millis;
    ///
    /// // Caught while it was being written: truncated first, filled a moment later.
    /// let empty = [File { name: Some("status.json"), bytes: b"" }];
    /// assert_eq!(read_run(&empty, Millis(0.0), None)?.phase, Phase::Unreadable);
    /// # Ok::<(), runstate::conductor::NotARun>(())
    /// ```
    pub enum Phase ("phase") {
        /// Nothing has begun.
        Initial = "initial",
        /// A step is active.
        InStep = "in_step",
        /// A step has ended and the next is chosen.
        BetweenSteps = "between_steps",
        /// The run has ended.
        Terminal = "terminal",
        /// There is no `status.json`.
        Absent = "absent",
        /// `status.json` is empty or not JSON: it is being written.
        Unreadable = "unreadable",
        /// `status.json` lacks what the contract requires, or is of another run.
        Malformed = "malformed",
        /// `status.json` has a lifecycle state that is not known.
        Unrecognised = "unrecognised",
        /// Fields of `status.json` contradict each other.
        Contradictory = "contradictory",
    }
}

crate::vocabulary! {
    /// Why the state is `unknown`.
    ///
    /// ```
    /// use runstate::conductor::wire::{ConductorState, Why};
    /// use runstate::conductor::read_run;
    /// use runstate::time::Millis;
    ///
    /// let run = read_run(&[], Millis(0.0), None)?;
    /// assert_eq!((run.state, run.why), (ConductorState::Unknown, Some(Why::StatusAbsent)));
    /// # Ok::<(), runstate::conductor::NotARun>(())
    /// ```
    pub enum Why ("reason for unknown") {
        /// There is no `status.json`.
        StatusAbsent = "status-absent",
        /// `status.json` is empty or cut off. Whoever has an earlier view keeps it.
        StatusUnreadable = "status-unreadable",
        /// `status.json` is not an object, or a required field is missing or of the wrong type.
        StatusMalformed = "status-malformed",
        /// `status.json` is of another run than the directory.
        RunIdMismatch = "run-id-mismatch",
        /// The lifecycle state is a word that is not known.
        LifecycleUnrecognised = "lifecycle-unrecognised",
        /// Fields of `status.json` contradict each other.
        StatusContradictory = "status-contradictory",
        /// The step writes no heartbeat, and it was long ago.
        LivenessUnobserved = "liveness-unobserved",
        /// The status is dated in the reader's future, and the state would depend on its age.
        ClockAhead = "clock-ahead",
    }
}

crate::vocabulary! {
    /// Whether the run is seen to be alive.
    pub enum Liveness ("liveness") {
        /// The status is young enough.
        Fresh = "fresh",
        /// The status is too old.
        Stale = "stale",
        /// This kind of step writes no heartbeat: nothing can be seen.
        Unobserved = "unobserved",
        /// The time of the status cannot be trusted or read.
        NotKnown = "unknown",
        /// The run has ended.
        Ended = "ended",
    }
}

impl Opcode {
    /// Whether the kernel writes `status.json` every 30 s inside such a step (protocol section 2, measured).
    pub fn has_heartbeat(self) -> bool {
        match self {
            Self::RunAgent | Self::RunValidation => true,
            Self::Evaluate | Self::Gate | Self::Rollback | Self::Stop => false,
        }
    }
}

/// Whether an outcome of a step is a good one; `None` for a word that is in none of the three vocabularies.
///
/// ```
/// use runstate::conductor::wire::{GateOutcome, is_clean_outcome};
/// use runstate::word::Vocabulary;
///
/// assert_eq!(is_clean_outcome("completed"), Some(true));
/// assert_eq!(is_clean_outcome(GateOutcome::Rejected.as_str()), Some(false));
/// assert_eq!(is_clean_outcome("abandoned"), None);
/// ```
pub fn is_clean_outcome(outcome: &str) -> Option<bool> {
    use crate::word::Vocabulary;

    let mechanical = Termination::from_word(outcome).map(|word| word == Termination::Completed);
    let planner = || PlannerStatus::from_word(outcome).map(|word| word == PlannerStatus::Success);
    let gate = || GateOutcome::from_word(outcome).map(|word| word == GateOutcome::Approved);
    mechanical.or_else(planner).or_else(gate)
}
