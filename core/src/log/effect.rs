//! From event types to effects on a run and its nodes.

use crate::smithers::wire::{EventType, NodeState, RunState};

/// What an event changes: the one table for a log, for what a Gateway pushes, and for recorded frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// The engine runs, from the beginning or again.
    RunStarted,
    /// The run has the status in the field `status`.
    RunStatus,
    /// The server derived the run state in the field `after`.
    RunState,
    /// The run is in this state from now on.
    Run(RunState),
    /// The run goes on as another run.
    Continued,
    /// The run went back in time; its state is unknown until it starts again.
    Jumped,
    /// The run went back in time and named the nodes that will run again.
    Reset,
    /// The node is in this state from now on.
    Node(NodeState),
    /// The node failed and will be tried again.
    Retrying,
    /// A person is asked for approval.
    Asked,
    /// An approval was decided.
    Decided(ApprovalDecision),
    /// A timer was set.
    TimerSet,
    /// A timer is over.
    TimerOver(TimerStatus),
    /// A tool was called.
    Called,
    /// A tool answered.
    Answered,
    /// A model used tokens.
    Tokens,
    /// A task sent a heartbeat.
    Heartbeat,
    /// Time travel crossed side effects outside the run.
    Crossed,
    /// A frame was stored.
    Frame,
    /// The run did some other work.
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

    /// The state that the event alone implies for its run.
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

    /// Whether the event shows that somebody works on the run. Waiting and what people do is no work.
    pub(crate) fn is_work(self) -> bool {
        matches!(
            self,
            Self::Node(NodeState::InProgress | NodeState::Finished | NodeState::Failed)
                | Self::Retrying
                | Self::Called
                | Self::Answered
                | Self::Tokens
                | Self::Heartbeat
                | Self::Frame
                | Self::Alive
        )
    }
}

/// How an approval ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ApprovalDecision {
    /// A person approved.
    Granted,
    /// A person denied.
    Denied,
    /// A policy approved.
    AutoApproved,
    /// The node went on; the log does not contain the decision (protocol section 5, quirk 13).
    NotInTheLog,
}

/// The status of a timer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimerStatus {
    /// It is running.
    Pending,
    /// It fired.
    Fired,
    /// It was cancelled.
    Cancelled,
    /// Its node ended; the log does not contain the timer's end.
    NotInTheLog,
}

/// The effect of an event type.
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
