//! What an event does to the states that a log implies.

use crate::smithers::wire::{EventType, NodeState, RunState};

/// What an event changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// The engine runs, from the beginning or again.
    RunStarted,
    /// The status column says so.
    RunStatus,
    /// The server derived another state.
    RunState,
    /// The run is in this state from now on.
    Run(RunState),
    /// The run goes on as another run.
    Continued,
    /// The run went back; what it does now is not said.
    Jumped,
    /// The run went back and named the nodes that will run again.
    Reset,
    /// The node is in this state from now on.
    Node(NodeState),
    /// The node failed and will be tried again.
    Retrying,
    /// A person is asked.
    Asked,
    /// The question was answered.
    Decided(ApprovalDecision),
    /// A timer was set.
    TimerSet,
    /// A timer is over.
    TimerOver(TimerStatus),
    /// A tool was called.
    Called,
    /// A tool answered.
    Answered,
    /// A model was used.
    Tokens,
    /// A task is alive.
    Heartbeat,
    /// Time travel went over effects outside the run.
    Crossed,
    /// A frame was stored.
    Frame,
    /// The run was at work.
    Alive,
    /// Nothing.
    Nothing,
}

impl Effect {
    /// The state that the event puts its node into, whatever was known of the node before.
    pub(crate) fn node_state(self) -> Option<NodeState> {
        match self {
            Self::Node(state) => Some(state),
            Self::Asked => Some(NodeState::WaitingApproval),
            Self::TimerSet => Some(NodeState::WaitingTimer),
            // `NodeRetrying` names the attempt that is to come; a decision counts only where somebody was asked.
            Self::Retrying
            | Self::Decided(_)
            | Self::RunStarted
            | Self::RunStatus
            | Self::RunState
            | Self::Run(_)
            | Self::Continued
            | Self::Jumped
            | Self::Crossed
            | Self::Reset
            | Self::TimerOver(_)
            | Self::Called
            | Self::Answered
            | Self::Tokens
            | Self::Heartbeat
            | Self::Frame
            | Self::Alive
            | Self::Nothing => None,
        }
    }

    /// The state that the event alone says its run is in.
    pub(crate) fn run_state(self) -> Option<RunState> {
        match self {
            Self::RunStarted => Some(RunState::Running),
            Self::Run(state) => Some(state),
            Self::Continued => Some(RunState::Succeeded),
            Self::RunStatus
            | Self::RunState
            | Self::Jumped
            | Self::Crossed
            | Self::Reset
            | Self::Node(_)
            | Self::Retrying
            | Self::Asked
            | Self::Decided(_)
            | Self::TimerSet
            | Self::TimerOver(_)
            | Self::Called
            | Self::Answered
            | Self::Tokens
            | Self::Heartbeat
            | Self::Frame
            | Self::Alive
            | Self::Nothing => None,
        }
    }
}

/// How a question to a person ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ApprovalDecision {
    /// A person said yes.
    Granted,
    /// A person said no.
    Denied,
    /// A policy said yes.
    AutoApproved,
    /// The node went on; the log does not hold the decision (protocol section 5, quirk 13).
    NotInTheLog,
}

/// What became of a timer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimerStatus {
    /// It runs.
    Pending,
    /// It fired.
    Fired,
    /// It was cancelled.
    Cancelled,
    /// Its node ended; the log does not hold the timer's end.
    NotInTheLog,
}

/// What this type of event changes.
pub(crate) fn effect(event_type: EventType) -> Effect {
    use EventType as E;
    match event_type {
        E::RunStarted => Effect::RunStarted,
        E::RunStatusChanged => Effect::RunStatus,
        E::RunStateChanged => Effect::RunState,
        E::RunFinished => Effect::Run(RunState::Succeeded),
        E::RunFailed => Effect::Run(RunState::Failed),
        E::RunCancelled => Effect::Run(RunState::Cancelled),
        E::RunAutoResumed => Effect::Run(RunState::Recovering),
        E::RunContinuedAsNew => Effect::Continued,
        E::SideEffectBoundaryCrossed => Effect::Crossed,
        E::TimeTravelJumped => Effect::Jumped,
        E::TimeTravelFinished | E::RetryTaskFinished => Effect::Reset,
        E::NodePending => Effect::Node(NodeState::Pending),
        E::NodeStarted => Effect::Node(NodeState::InProgress),
        E::NodeFinished => Effect::Node(NodeState::Finished),
        E::NodeFailed => Effect::Node(NodeState::Failed),
        E::NodeCancelled => Effect::Node(NodeState::Cancelled),
        E::NodeSkipped => Effect::Node(NodeState::Skipped),
        E::NodeRetrying => Effect::Retrying,
        E::NodeWaitingApproval | E::ApprovalRequested => Effect::Asked,
        E::ApprovalGranted => Effect::Decided(ApprovalDecision::Granted),
        E::ApprovalDenied => Effect::Decided(ApprovalDecision::Denied),
        E::ApprovalAutoApproved => Effect::Decided(ApprovalDecision::AutoApproved),
        E::NodeWaitingTimer | E::TimerCreated => Effect::TimerSet,
        E::TimerFired => Effect::TimerOver(TimerStatus::Fired),
        E::TimerCancelled => Effect::TimerOver(TimerStatus::Cancelled),
        E::ToolCallStarted => Effect::Called,
        E::ToolCallFinished => Effect::Answered,
        E::TokenUsageReported => Effect::Tokens,
        E::TaskHeartbeat => Effect::Heartbeat,
        E::FrameCommitted => Effect::Frame,
        E::SnapshotCaptured
        | E::TaskHeartbeatTimeout
        | E::NodeOutput
        | E::AgentEvent
        | E::AgentSessionEvent
        | E::AgentTraceEvent
        | E::AgentTraceSummary
        | E::OpenApiToolCalled
        | E::SandboxHeartbeat
        | E::WorkflowReloaded => Effect::Alive,
        E::SupervisorStarted
        | E::SupervisorPollCompleted
        | E::RunAutoResumeSkipped
        | E::RunForked
        | E::ReplayStarted
        | E::RunHijackRequested
        | E::RunHijacked
        | E::OneshotSteerQueued
        | E::OneshotSteerDelivered
        | E::OneshotSteerAcknowledged
        | E::OneshotSteerFailed
        | E::OneshotRestartRequested
        | E::OneshotRestartLaunched
        | E::OneshotRestartFailed
        | E::SandboxCreated
        | E::SandboxShipped
        | E::SandboxBundleReceived
        | E::SandboxCompleted
        | E::SandboxFailed
        | E::SandboxDiffReviewRequested
        | E::SandboxDiffAccepted
        | E::SandboxDiffRejected
        | E::RevertStarted
        | E::RevertFinished
        | E::RetryTaskStarted
        | E::TimeTravelStarted
        | E::EffectRevertStarted
        | E::EffectRevertFinished
        | E::EffectRevertFailed
        | E::VoiceStarted
        | E::VoiceFinished
        | E::VoiceError
        | E::RagIngested
        | E::RagRetrieved
        | E::MemoryFactSet
        | E::MemoryRecalled
        | E::MemoryMessageSaved
        | E::WorkflowReloadDetected
        | E::WorkflowReloadFailed
        | E::WorkflowReloadUnsafe
        | E::ScorerStarted
        | E::ScorerFinished
        | E::ScorerFailed
        | E::AlertFired
        | E::AlertAcknowledged
        | E::AlertSilenced
        | E::AlertResolved
        | E::AlertReopened
        | E::AlertEscalated
        | E::BudgetExceeded
        | E::ProviderDisconnected
        | E::ProviderReconnected => Effect::Nothing,
    }
}
