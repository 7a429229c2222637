//! The effect of each event type on a run and its nodes.

use crate::smithers::wire::{EventType, NodeState, RunState};

/// The effect of an event. Logs, events pushed by a Gateway, and recorded frames all use this table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// The engine started or resumed the run.
    RunStarted,
    /// The run has the status in the field `status`.
    RunStatusChanged,
    /// The server derived the run state in the field `after`.
    RunStateChanged,
    /// The run is in this state from now on.
    Run(RunState),
    /// Another run continues this one.
    Continued,
    /// Time travel began; the state is unknown until the run starts again.
    TimeTravelled,
    /// Time travel or a retry named the nodes that will run again.
    NodesReset,
    /// The node is in this state from now on.
    Node(NodeState),
    /// The node failed and will be tried again.
    Retrying,
    /// An approval was requested.
    ApprovalRequested,
    /// An approval was decided.
    ApprovalDecided(ApprovalOutcome),
    /// A timer was started.
    TimerStarted,
    /// A timer ended.
    TimerEnded,
    /// A tool was called.
    ToolCallStarted,
    /// A tool call ended.
    ToolCallFinished,
    /// A model used tokens.
    TokensUsed,
    /// A task sent a heartbeat.
    Heartbeat,
    /// Time travel crossed side effects outside the run.
    BoundaryCrossed,
    /// A frame was stored.
    FrameStored,
    /// Other work of the run.
    OtherWork,
    /// No effect.
    Nothing,
}

impl Effect {
    /// The state that the event implies for its node, whatever its state was before.
    pub(crate) fn node_state(self) -> Option<NodeState> {
        match self {
            Self::Node(state) => Some(state),
            Self::ApprovalRequested => Some(NodeState::WaitingApproval),
            Self::TimerStarted => Some(NodeState::WaitingTimer),
            // `NodeRetrying` names the next attempt; a decision counts only after a request.
            Self::Retrying
            | Self::ApprovalDecided(_)
            | Self::RunStarted
            | Self::RunStatusChanged
            | Self::RunStateChanged
            | Self::Run(_)
            | Self::Continued
            | Self::TimeTravelled
            | Self::BoundaryCrossed
            | Self::NodesReset
            | Self::TimerEnded
            | Self::ToolCallStarted
            | Self::ToolCallFinished
            | Self::TokensUsed
            | Self::Heartbeat
            | Self::FrameStored
            | Self::OtherWork
            | Self::Nothing => None,
        }
    }

    /// The state that the event alone implies for its run.
    pub(crate) fn run_state(self) -> Option<RunState> {
        match self {
            Self::RunStarted => Some(RunState::Running),
            Self::Run(state) => Some(state),
            Self::Continued => Some(RunState::Succeeded),
            Self::RunStatusChanged
            | Self::RunStateChanged
            | Self::TimeTravelled
            | Self::BoundaryCrossed
            | Self::NodesReset
            | Self::Node(_)
            | Self::Retrying
            | Self::ApprovalRequested
            | Self::ApprovalDecided(_)
            | Self::TimerStarted
            | Self::TimerEnded
            | Self::ToolCallStarted
            | Self::ToolCallFinished
            | Self::TokensUsed
            | Self::Heartbeat
            | Self::FrameStored
            | Self::OtherWork
            | Self::Nothing => None,
        }
    }

    /// Whether the event shows that an engine works on the run. Waiting and decisions of people do not.
    pub(crate) fn is_work(self) -> bool {
        matches!(
            self,
            Self::Node(NodeState::InProgress | NodeState::Finished | NodeState::Failed)
                | Self::Retrying
                | Self::ToolCallStarted
                | Self::ToolCallFinished
                | Self::TokensUsed
                | Self::Heartbeat
                | Self::FrameStored
                | Self::OtherWork
        )
    }
}

/// How an approval ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ApprovalOutcome {
    /// A person approved.
    Granted,
    /// A person denied.
    Denied,
    /// A policy approved.
    AutoApproved,
}

/// The effect of an event type.
pub(crate) fn effect(event_type: EventType) -> Effect {
    use EventType as E;
    match event_type {
        E::RunStarted => Effect::RunStarted,
        E::RunStatusChanged => Effect::RunStatusChanged,
        E::RunStateChanged => Effect::RunStateChanged,
        E::RunFinished => Effect::Run(RunState::Succeeded),
        E::RunFailed => Effect::Run(RunState::Failed),
        E::RunCancelled => Effect::Run(RunState::Cancelled),
        E::RunAutoResumed => Effect::Run(RunState::Recovering),
        E::RunContinuedAsNew => Effect::Continued,
        E::SideEffectBoundaryCrossed => Effect::BoundaryCrossed,
        E::TimeTravelJumped => Effect::TimeTravelled,
        E::TimeTravelFinished | E::RetryTaskFinished => Effect::NodesReset,
        E::NodePending => Effect::Node(NodeState::Pending),
        E::NodeStarted => Effect::Node(NodeState::InProgress),
        E::NodeFinished => Effect::Node(NodeState::Finished),
        E::NodeFailed => Effect::Node(NodeState::Failed),
        E::NodeCancelled => Effect::Node(NodeState::Cancelled),
        E::NodeSkipped => Effect::Node(NodeState::Skipped),
        E::NodeRetrying => Effect::Retrying,
        E::NodeWaitingApproval | E::ApprovalRequested => Effect::ApprovalRequested,
        E::ApprovalGranted => Effect::ApprovalDecided(ApprovalOutcome::Granted),
        E::ApprovalDenied => Effect::ApprovalDecided(ApprovalOutcome::Denied),
        E::ApprovalAutoApproved => Effect::ApprovalDecided(ApprovalOutcome::AutoApproved),
        E::NodeWaitingTimer | E::TimerCreated => Effect::TimerStarted,
        E::TimerFired | E::TimerCancelled => Effect::TimerEnded,
        E::ToolCallStarted => Effect::ToolCallStarted,
        E::ToolCallFinished => Effect::ToolCallFinished,
        E::TokenUsageReported => Effect::TokensUsed,
        E::TaskHeartbeat => Effect::Heartbeat,
        E::FrameCommitted => Effect::FrameStored,
        E::SnapshotCaptured
        | E::TaskHeartbeatTimeout
        | E::NodeOutput
        | E::AgentEvent
        | E::AgentSessionEvent
        | E::AgentTraceEvent
        | E::AgentTraceSummary
        | E::OpenApiToolCalled
        | E::SandboxHeartbeat
        | E::WorkflowReloaded => Effect::OtherWork,
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
