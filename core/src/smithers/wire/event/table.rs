//! The table of all events: word, scope, category, severity and fields. Everything else is made from it.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Scope;
use super::words::{
    CallStatus, Category, EffectKind, EffectStatus, EventSeverity, HijackMode, OutputStream, SandboxRuntime,
    SandboxStatus, SkipReason, SteerDelivery, TimerType, VoiceOperation,
};
use crate::number::Number;
use crate::smithers::wire::{RunState, RunStatus};
use crate::word::Word;

type Text = String;
type Texts = Vec<String>;

events! {
    /// The supervisor begins to look for stale runs.
    SupervisorStarted "SupervisorStarted" (Run, Supervisor, Info) {
        poll_interval_ms: Number, stale_threshold_ms: Number }
    /// The supervisor has looked once.
    SupervisorPollCompleted "SupervisorPollCompleted" (Run, Supervisor, Trace) {
        stale_count: u32, resumed_count: u32, skipped_count: u32,
        duration_ms: Number }
    /// The engine began, or began again after a pause, a wait or a crash.
    RunStarted "RunStarted" (Run, Run, Notice) {}
    /// The status column changed.
    RunStatusChanged "RunStatusChanged" (Run, Run, Notice) { status: Word<RunStatus> }
    /// The derived state changed; reserved, not sent by 0.32.
    RunStateChanged "RunStateChanged" (Run, Run, Notice) {
        before: Word<RunState>, after: Word<RunState> }
    /// The run ended, its work done.
    RunFinished "RunFinished" (Run, Run, Notice) {
        failed_children: Option<u32>, failed_child_keys: Option<Texts> }
    /// The run ended with an error.
    RunFailed "RunFailed" (Run, Run, Error) { error: Value }
    /// The run ended by request.
    RunCancelled "RunCancelled" (Run, Run, Warning) {}
    /// The supervisor starts a stale run again.
    RunAutoResumed "RunAutoResumed" (Run, Run, Warning) {
        last_heartbeat_at_ms: Option<Number>, stale_duration_ms: Number }
    /// The supervisor left a stale run alone.
    RunAutoResumeSkipped "RunAutoResumeSkipped" (Run, Run, Warning) { reason: Word<SkipReason> }
    /// The work goes on in another run.
    RunContinuedAsNew "RunContinuedAsNew" (Run, Run, Notice) {
        new_run_id: Text, carried_state_size: Number,
        ancestry_depth: Option<u32> }
    /// The run was made from a frame of another run.
    RunForked "RunForked" (Run, Run, Notice) {
        parent_run_id: Text, parent_frame_no: u32,
        branch_label: Option<Text> }
    /// The run replays a frame of another run.
    ReplayStarted "ReplayStarted" (Run, Run, Notice) {
        parent_run_id: Text, parent_frame_no: u32, restore_vcs: bool }
    /// Somebody asked to take an agent over.
    RunHijackRequested "RunHijackRequested" (Run, Run, Notice) { target: Option<Text> }
    /// Somebody took an agent over.
    RunHijacked "RunHijacked" (Attempt, Run, Notice) {
        engine: Text, mode: Word<HijackMode>, resume: Option<Text>, cwd: Text }

    /// A message for a running agent waits.
    OneshotSteerQueued "OneshotSteerQueued" (Run, Output, Info) {
        message_id: Text, message: Text, engine: Text,
        delivery: Word<SteerDelivery> }
    /// A message was handed to the agent.
    OneshotSteerDelivered "OneshotSteerDelivered" (Run, Output, Info) {
        message_id: Text, engine: Text, delivery: Word<SteerDelivery> }
    /// The agent took a message.
    OneshotSteerAcknowledged "OneshotSteerAcknowledged" (Run, Output, Info) {
        message_id: Text, engine: Text, delivery: Word<SteerDelivery> }
    /// A message did not reach the agent.
    OneshotSteerFailed "OneshotSteerFailed" (Run, Output, Error) {
        message_id: Text, message: Option<Text>, engine: Option<Text>,
        delivery: Word<SteerDelivery>, error: Text, resumed: Option<bool>,
        recovery_error: Option<Text> }
    /// A one-shot run is to be started again as another run.
    OneshotRestartRequested "OneshotRestartRequested" (Run, Run, Notice) {
        restarted_as_run_id: Text, prior_status: Text }
    /// A one-shot run was started again as another run.
    OneshotRestartLaunched "OneshotRestartLaunched" (Run, Run, Notice) {
        restarted_as_run_id: Text, pid: Option<Number> }
    /// A one-shot run could not be started again.
    OneshotRestartFailed "OneshotRestartFailed" (Run, Run, Error) {
        restarted_as_run_id: Text, error: Text }

    /// A frame was rendered and stored.
    FrameCommitted "FrameCommitted" (Run, Frame, Trace) {
        frame_no: u32, xml_hash: Text, trigger: Option<Value> }
    /// The frame can be gone back to.
    SnapshotCaptured "SnapshotCaptured" (Run, Frame, Trace) { frame_no: u32, content_hash: Text }

    /// A task is known and waits for its turn.
    NodePending "NodePending" (Node, Node, Info) {}
    /// An attempt began.
    NodeStarted "NodeStarted" (Attempt, Node, Notice) { child_run_id: Option<Text> }
    /// An attempt ended, its work done.
    NodeFinished "NodeFinished" (Attempt, Node, Notice) {}
    /// An attempt ended with an error.
    NodeFailed "NodeFailed" (Attempt, Node, Error) { error: Value }
    /// The task was cancelled, or left the tree.
    NodeCancelled "NodeCancelled" (Node, Node, Warning) { reason: Option<Text> }
    /// The task was passed over.
    NodeSkipped "NodeSkipped" (Node, Node, Info) {}
    /// Another attempt will begin; `attempt` is its number.
    NodeRetrying "NodeRetrying" (Attempt, Node, Warning) {}
    /// The task waits for a person.
    NodeWaitingApproval "NodeWaitingApproval" (Node, Approval, Notice) { request: Option<Value> }
    /// The task waits for a time.
    NodeWaitingTimer "NodeWaitingTimer" (Node, Timer, Notice) { fires_at_ms: Number }

    /// A person is asked.
    ApprovalRequested "ApprovalRequested" (Node, Approval, Notice) { request: Option<Value> }
    /// A person said yes.
    ApprovalGranted "ApprovalGranted" (Node, Approval, Notice) {}
    /// A policy said yes.
    ApprovalAutoApproved "ApprovalAutoApproved" (Node, Approval, Notice) {}
    /// A person said no.
    ApprovalDenied "ApprovalDenied" (Node, Approval, Warning) {}

    /// A tool was called; `seq` counts the calls of the attempt.
    ToolCallStarted "ToolCallStarted" (Attempt, Tool, Info) {
        tool_call_id: Option<Text>, tool_name: Text, seq: u32 }
    /// A tool answered.
    ToolCallFinished "ToolCallFinished" (Attempt, Tool, Info) {
        tool_call_id: Option<Text>, tool_name: Text, seq: u32,
        status: Word<CallStatus> }

    /// Text of an agent.
    NodeOutput "NodeOutput" (Attempt, Output, Info) { text: Text, stream: Word<OutputStream> }
    /// What an agent's command line reported.
    AgentEvent "AgentEvent" (Attempt, Output, Info) { engine: Text, event: Value }
    /// A line of an agent's transcript.
    AgentSessionEvent "AgentSessionEvent" (Attempt, Output, Info) { transcript: Value }
    /// A step of an agent's trace.
    AgentTraceEvent "AgentTraceEvent" (Attempt, Output, Info) { trace: Value }
    /// The sum of an agent's trace.
    AgentTraceSummary "AgentTraceSummary" (Attempt, Output, Info) { summary: Value }
    /// What a model call used.
    TokenUsageReported "TokenUsageReported" (Attempt, Tokens, Info) {
        model: Text, agent: Text, input_tokens: Number,
        output_tokens: Number, cache_read_tokens: Option<Number>,
        cache_write_tokens: Option<Number>, reasoning_tokens: Option<Number> }

    /// A durable timer was set.
    TimerCreated "TimerCreated" (Run, Timer, Info) {
        timer_id: Text, fires_at_ms: Number, timer_type: Word<TimerType> }
    /// A timer fired.
    TimerFired "TimerFired" (Run, Timer, Notice) {
        timer_id: Text, fires_at_ms: Number, fired_at_ms: Number,
        delay_ms: Number }
    /// A timer was cancelled.
    TimerCancelled "TimerCancelled" (Run, Timer, Info) { timer_id: Text }

    /// A task is alive.
    TaskHeartbeat "TaskHeartbeat" (Attempt, Heartbeat, Trace) {
        has_data: bool, data_size_bytes: Number, interval_ms: Option<Number> }
    /// A task was silent for too long.
    TaskHeartbeatTimeout "TaskHeartbeatTimeout" (Attempt, Heartbeat, Error) {
        last_heartbeat_at_ms: Number, timeout_ms: Number }

    /// A sandbox was made.
    SandboxCreated "SandboxCreated" (Run, Sandbox, Info) {
        sandbox_id: Text, runtime: Word<SandboxRuntime>, config_json: Text }
    /// The code was put into a sandbox.
    SandboxShipped "SandboxShipped" (Run, Sandbox, Info) {
        sandbox_id: Text, runtime: Word<SandboxRuntime>,
        bundle_size_bytes: Number }
    /// A sandbox is alive.
    SandboxHeartbeat "SandboxHeartbeat" (Run, Sandbox, Trace) {
        sandbox_id: Text, remote_run_id: Option<Text>, progress: Option<Number> }
    /// A sandbox gave its results.
    SandboxBundleReceived "SandboxBundleReceived" (Run, Sandbox, Info) {
        sandbox_id: Text, bundle_size_bytes: Number, patch_count: u32,
        has_outputs: bool }
    /// A sandbox ended.
    SandboxCompleted "SandboxCompleted" (Run, Sandbox, Notice) {
        sandbox_id: Text, remote_run_id: Option<Text>,
        runtime: Word<SandboxRuntime>, status: Word<SandboxStatus>,
        duration_ms: Number }
    /// A sandbox broke.
    SandboxFailed "SandboxFailed" (Run, Sandbox, Error) {
        sandbox_id: Text, runtime: Word<SandboxRuntime>, error: Value }
    /// A person is asked to look at a sandbox's patches.
    SandboxDiffReviewRequested "SandboxDiffReviewRequested" (Run, Sandbox, Notice) {
        sandbox_id: Text, patch_count: u32, total_diff_lines: u32 }
    /// The patches were taken.
    SandboxDiffAccepted "SandboxDiffAccepted" (Run, Sandbox, Notice) {
        sandbox_id: Text, patch_count: u32 }
    /// The patches were refused.
    SandboxDiffRejected "SandboxDiffRejected" (Run, Sandbox, Warning) {
        sandbox_id: Text, reason: Option<Text> }

    /// Files go back to an earlier change.
    RevertStarted "RevertStarted" (Attempt, TimeTravel, Notice) { jj_pointer: Text }
    /// Files went back, or did not.
    RevertFinished "RevertFinished" (Attempt, TimeTravel, Notice) {
        jj_pointer: Text, success: bool, error: Option<Text> }
    /// A task is made to run again.
    RetryTaskStarted "RetryTaskStarted" (Node, TimeTravel, Notice) {
        reset_dependents: bool, reset_nodes: Texts }
    /// A task will run again, or will not.
    RetryTaskFinished "RetryTaskFinished" (Node, TimeTravel, Notice) {
        reset_nodes: Texts, success: bool, error: Option<Text> }
    /// The run goes back to before an attempt.
    TimeTravelStarted "TimeTravelStarted" (Attempt, TimeTravel, Notice) { jj_pointer: Option<Text> }
    /// The run went back, or did not.
    TimeTravelFinished "TimeTravelFinished" (Attempt, TimeTravel, Notice) {
        jj_pointer: Option<Text>, success: bool, vcs_restored: bool,
        reset_nodes: Texts, error: Option<Text> }
    /// The run went back to a frame.
    TimeTravelJumped "TimeTravelJumped" (Run, TimeTravel, Notice) {
        from_frame_no: u32, to_frame_no: u32, caller: Option<Text> }
    /// An effect on the outside is taken back.
    EffectRevertStarted "EffectRevertStarted" (Attempt, TimeTravel, Notice) {
        operation: Text, kind: Word<EffectKind>, tool_name: Text, seq: u32,
        effect_status: Word<EffectStatus> }
    /// An effect was taken back.
    EffectRevertFinished "EffectRevertFinished" (Attempt, TimeTravel, Notice) {
        operation: Text, kind: Word<EffectKind>, tool_name: Text, seq: u32 }
    /// An effect could not be taken back.
    EffectRevertFailed "EffectRevertFailed" (Attempt, TimeTravel, Error) {
        operation: Text, kind: Word<EffectKind>, tool_name: Text, seq: u32,
        error: Text }
    /// Going back would cross effects on the outside.
    SideEffectBoundaryCrossed "SideEffectBoundaryCrossed" (Run, TimeTravel, Warning) {
        op_id: Text, operation: Text, report: Value,
        parent_run_id: Option<Text>, warning_only: Option<bool>,
        late_completion: Option<bool>, archived_by_op: Option<Text> }

    /// A voice provider began.
    VoiceStarted "VoiceStarted" (Node, Voice, Info) {
        operation: Word<VoiceOperation>, provider: Text }
    /// A voice provider ended.
    VoiceFinished "VoiceFinished" (Node, Voice, Info) {
        operation: Word<VoiceOperation>, provider: Text, duration_ms: Number }
    /// A voice provider failed.
    VoiceError "VoiceError" (Node, Voice, Error) {
        operation: Word<VoiceOperation>, provider: Text, error: Value }
    /// Documents were put into a store.
    RagIngested "RagIngested" (Run, Memory, Info) {
        document_count: u32, chunk_count: u32, namespace: Text }
    /// A store was searched.
    RagRetrieved "RagRetrieved" (Run, Memory, Info) {
        query: Text, result_count: u32, namespace: Text,
        top_score: Number }
    /// A fact was remembered.
    MemoryFactSet "MemoryFactSet" (Run, Memory, Info) { namespace: Text, key: Text }
    /// Memory was asked.
    MemoryRecalled "MemoryRecalled" (Run, Memory, Info) {
        namespace: Text, query: Text, result_count: u32 }
    /// A message was remembered.
    MemoryMessageSaved "MemoryMessageSaved" (Run, Memory, Info) { thread_id: Text, role: Text }
    /// A tool made from an `OpenAPI` description was called.
    OpenApiToolCalled "OpenApiToolCalled" (Run, Tool, Info) {
        operation_id: Text, method: Text, path: Text, duration_ms: Number,
        status: Word<CallStatus> }

    /// The workflow's files changed.
    WorkflowReloadDetected "WorkflowReloadDetected" (Run, Reload, Info) { changed_files: Texts }
    /// The changed workflow is in use.
    WorkflowReloaded "WorkflowReloaded" (Run, Reload, Notice) {
        generation: u32, changed_files: Texts }
    /// The changed workflow could not be loaded; the one before stays in use.
    WorkflowReloadFailed "WorkflowReloadFailed" (Run, Reload, Error) {
        error: Value, changed_files: Texts }
    /// The change needs a new process.
    WorkflowReloadUnsafe "WorkflowReloadUnsafe" (Run, Reload, Warning) {
        reason: Text, changed_files: Texts }

    /// A scorer began.
    ScorerStarted "ScorerStarted" (Run, Scorer, Info) {
        scorer_id: Text, scorer_name: Text }
    /// A scorer gave a score.
    ScorerFinished "ScorerFinished" (Run, Scorer, Info) {
        scorer_id: Text, scorer_name: Text, score: Number }
    /// A scorer broke, which does not fail the task.
    ScorerFailed "ScorerFailed" (Run, Scorer, Warning) {
        scorer_id: Text, scorer_name: Text, error: Value }

    /// An alert was raised.
    AlertFired "AlertFired" (Run, Alert, Warning) {
        alert_id: Text, policy_name: Text, severity: Text,
        fingerprint: Text, message: Text }
    /// A person saw the alert.
    AlertAcknowledged "AlertAcknowledged" (Run, Alert, Info) {
        alert_id: Text, acknowledged_by: Option<Text> }
    /// The alert is quiet for a time.
    AlertSilenced "AlertSilenced" (Run, Alert, Info) {
        alert_id: Text, silenced_until_ms: Option<Number> }
    /// The alert is over.
    AlertResolved "AlertResolved" (Run, Alert, Info) {
        alert_id: Text, resolved_by: Option<Text> }
    /// The alert came back.
    AlertReopened "AlertReopened" (Run, Alert, Warning) {
        alert_id: Text, fingerprint: Text, occurrence_count: u32 }
    /// The alert got worse.
    AlertEscalated "AlertEscalated" (Run, Alert, Warning) {
        alert_id: Text, from_severity: Text, to_severity: Text }
    /// More was used than allowed.
    BudgetExceeded "BudgetExceeded" (Node, Alert, Error) {
        budget_type: Text, limit: Number, actual: Number }
    /// A model provider was lost.
    ProviderDisconnected "ProviderDisconnected" (Attempt, Alert, Warning) { engine: Text }
    /// A model provider is back.
    ProviderReconnected "ProviderReconnected" (Attempt, Alert, Info) { engine: Text }
}
