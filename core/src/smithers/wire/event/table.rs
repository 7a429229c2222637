//! The table of all events: word, scope, category, severity and fields. All other definitions are generated from it.

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
    /// The supervisor started to look for stale runs.
    SupervisorStarted "SupervisorStarted" (Run, Supervisor, Info) {
        poll_interval_ms: Number, stale_threshold_ms: Number }
    /// The supervisor finished one search.
    SupervisorPollCompleted "SupervisorPollCompleted" (Run, Supervisor, Trace) {
        stale_count: u32, resumed_count: u32, skipped_count: u32,
        duration_ms: Number }
    /// The engine started or resumed the run.
    RunStarted "RunStarted" (Run, Run, Notice) {}
    /// The status column changed.
    RunStatusChanged "RunStatusChanged" (Run, Run, Notice) { status: Word<RunStatus> }
    /// The derived state changed; reserved, not sent by 0.32.
    RunStateChanged "RunStateChanged" (Run, Run, Notice) {
        before: Word<RunState>, after: Word<RunState> }
    /// The run succeeded.
    RunFinished "RunFinished" (Run, Run, Notice) {
        failed_children: Option<u32>, failed_child_keys: Option<Texts> }
    /// The run failed.
    RunFailed "RunFailed" (Run, Run, Error) { error: Value }
    /// The run was cancelled.
    RunCancelled "RunCancelled" (Run, Run, Warning) {}
    /// The supervisor resumed a stale run.
    RunAutoResumed "RunAutoResumed" (Run, Run, Warning) {
        last_heartbeat_at_ms: Option<Number>, stale_duration_ms: Number }
    /// The supervisor did not resume a stale run.
    RunAutoResumeSkipped "RunAutoResumeSkipped" (Run, Run, Warning) { reason: Word<SkipReason> }
    /// Another run continues this one.
    RunContinuedAsNew "RunContinuedAsNew" (Run, Run, Notice) {
        new_run_id: Text, carried_state_size: Number,
        ancestry_depth: Option<u32> }
    /// The run was forked from a frame of another run.
    RunForked "RunForked" (Run, Run, Notice) {
        parent_run_id: Text, parent_frame_no: u32,
        branch_label: Option<Text> }
    /// The run replays a frame of another run.
    ReplayStarted "ReplayStarted" (Run, Run, Notice) {
        parent_run_id: Text, parent_frame_no: u32, restore_vcs: bool }
    /// A takeover of an agent was requested.
    RunHijackRequested "RunHijackRequested" (Run, Run, Notice) { target: Option<Text> }
    /// An agent was taken over.
    RunHijacked "RunHijacked" (Attempt, Run, Notice) {
        engine: Text, mode: Word<HijackMode>, resume: Option<Text>, cwd: Text }

    /// A message for a running agent was queued.
    OneshotSteerQueued "OneshotSteerQueued" (Run, Output, Info) {
        message_id: Text, message: Text, engine: Text,
        delivery: Word<SteerDelivery> }
    /// A message was delivered to the agent.
    OneshotSteerDelivered "OneshotSteerDelivered" (Run, Output, Info) {
        message_id: Text, engine: Text, delivery: Word<SteerDelivery> }
    /// The agent acknowledged a message.
    OneshotSteerAcknowledged "OneshotSteerAcknowledged" (Run, Output, Info) {
        message_id: Text, engine: Text, delivery: Word<SteerDelivery> }
    /// A message was not delivered.
    OneshotSteerFailed "OneshotSteerFailed" (Run, Output, Error) {
        message_id: Text, message: Option<Text>, engine: Option<Text>,
        delivery: Word<SteerDelivery>, error: Text, resumed: Option<bool>,
        recovery_error: Option<Text> }
    /// A restart of a one-shot run was requested.
    OneshotRestartRequested "OneshotRestartRequested" (Run, Run, Notice) {
        restarted_as_run_id: Text, prior_status: Text }
    /// A one-shot run was restarted as another run.
    OneshotRestartLaunched "OneshotRestartLaunched" (Run, Run, Notice) {
        restarted_as_run_id: Text, pid: Option<Number> }
    /// A one-shot run could not be restarted.
    OneshotRestartFailed "OneshotRestartFailed" (Run, Run, Error) {
        restarted_as_run_id: Text, error: Text }

    /// A frame was rendered and stored.
    FrameCommitted "FrameCommitted" (Run, Frame, Trace) {
        frame_no: u32, xml_hash: Text, trigger: Option<Value> }
    /// A snapshot of the frame was stored, to which the run can go back.
    SnapshotCaptured "SnapshotCaptured" (Run, Frame, Trace) { frame_no: u32, content_hash: Text }

    /// A task was added and has not started.
    NodePending "NodePending" (Node, Node, Info) {}
    /// An attempt started.
    NodeStarted "NodeStarted" (Attempt, Node, Notice) { child_run_id: Option<Text> }
    /// An attempt succeeded.
    NodeFinished "NodeFinished" (Attempt, Node, Notice) {}
    /// An attempt failed.
    NodeFailed "NodeFailed" (Attempt, Node, Error) { error: Value }
    /// The task was cancelled, or left the tree.
    NodeCancelled "NodeCancelled" (Node, Node, Warning) { reason: Option<Text> }
    /// The task was skipped.
    NodeSkipped "NodeSkipped" (Node, Node, Info) {}
    /// Another attempt will start; `attempt` is its number.
    NodeRetrying "NodeRetrying" (Attempt, Node, Warning) {}
    /// The task waits for an approval.
    NodeWaitingApproval "NodeWaitingApproval" (Node, Approval, Notice) { request: Option<Value> }
    /// The task waits for a timer.
    NodeWaitingTimer "NodeWaitingTimer" (Node, Timer, Notice) { fires_at_ms: Number }

    /// An approval was requested.
    ApprovalRequested "ApprovalRequested" (Node, Approval, Notice) { request: Option<Value> }
    /// A person approved.
    ApprovalGranted "ApprovalGranted" (Node, Approval, Notice) {}
    /// A policy approved.
    ApprovalAutoApproved "ApprovalAutoApproved" (Node, Approval, Notice) {}
    /// A person denied.
    ApprovalDenied "ApprovalDenied" (Node, Approval, Warning) {}

    /// A tool was called; `seq` counts the calls of the attempt.
    ToolCallStarted "ToolCallStarted" (Attempt, Tool, Info) {
        tool_call_id: Option<Text>, tool_name: Text, seq: u32 }
    /// A tool call ended.
    ToolCallFinished "ToolCallFinished" (Attempt, Tool, Info) {
        tool_call_id: Option<Text>, tool_name: Text, seq: u32,
        status: Word<CallStatus> }

    /// Output of an agent.
    NodeOutput "NodeOutput" (Attempt, Output, Info) { text: Text, stream: Word<OutputStream> }
    /// An event of an agent's command line.
    AgentEvent "AgentEvent" (Attempt, Output, Info) { engine: Text, event: Value }
    /// A line of an agent's transcript.
    AgentSessionEvent "AgentSessionEvent" (Attempt, Output, Info) { transcript: Value }
    /// A step of an agent's trace.
    AgentTraceEvent "AgentTraceEvent" (Attempt, Output, Info) { trace: Value }
    /// The summary of an agent's trace.
    AgentTraceSummary "AgentTraceSummary" (Attempt, Output, Info) { summary: Value }
    /// The tokens that a model call used.
    TokenUsageReported "TokenUsageReported" (Attempt, Tokens, Info) {
        model: Text, agent: Text, input_tokens: Number,
        output_tokens: Number, cache_read_tokens: Option<Number>,
        cache_write_tokens: Option<Number>, reasoning_tokens: Option<Number> }

    /// A durable timer was created.
    TimerCreated "TimerCreated" (Run, Timer, Info) {
        timer_id: Text, fires_at_ms: Number, timer_type: Word<TimerType> }
    /// A timer fired.
    TimerFired "TimerFired" (Run, Timer, Notice) {
        timer_id: Text, fires_at_ms: Number, fired_at_ms: Number,
        delay_ms: Number }
    /// A timer was cancelled.
    TimerCancelled "TimerCancelled" (Run, Timer, Info) { timer_id: Text }

    /// A task sent a heartbeat.
    TaskHeartbeat "TaskHeartbeat" (Attempt, Heartbeat, Trace) {
        has_data: bool, data_size_bytes: Number, interval_ms: Option<Number> }
    /// A task sent no heartbeat within its limit.
    TaskHeartbeatTimeout "TaskHeartbeatTimeout" (Attempt, Heartbeat, Error) {
        last_heartbeat_at_ms: Number, timeout_ms: Number }

    /// A sandbox was created.
    SandboxCreated "SandboxCreated" (Run, Sandbox, Info) {
        sandbox_id: Text, runtime: Word<SandboxRuntime>, config_json: Text }
    /// The code was sent to a sandbox.
    SandboxShipped "SandboxShipped" (Run, Sandbox, Info) {
        sandbox_id: Text, runtime: Word<SandboxRuntime>,
        bundle_size_bytes: Number }
    /// A sandbox sent a heartbeat.
    SandboxHeartbeat "SandboxHeartbeat" (Run, Sandbox, Trace) {
        sandbox_id: Text, remote_run_id: Option<Text>, progress: Option<Number> }
    /// The results of a sandbox were received.
    SandboxBundleReceived "SandboxBundleReceived" (Run, Sandbox, Info) {
        sandbox_id: Text, bundle_size_bytes: Number, patch_count: u32,
        has_outputs: bool }
    /// A sandbox ended.
    SandboxCompleted "SandboxCompleted" (Run, Sandbox, Notice) {
        sandbox_id: Text, remote_run_id: Option<Text>,
        runtime: Word<SandboxRuntime>, status: Word<SandboxStatus>,
        duration_ms: Number }
    /// A sandbox failed.
    SandboxFailed "SandboxFailed" (Run, Sandbox, Error) {
        sandbox_id: Text, runtime: Word<SandboxRuntime>, error: Value }
    /// A review of a sandbox's patches was requested.
    SandboxDiffReviewRequested "SandboxDiffReviewRequested" (Run, Sandbox, Notice) {
        sandbox_id: Text, patch_count: u32, total_diff_lines: u32 }
    /// The patches were accepted.
    SandboxDiffAccepted "SandboxDiffAccepted" (Run, Sandbox, Notice) {
        sandbox_id: Text, patch_count: u32 }
    /// The patches were rejected.
    SandboxDiffRejected "SandboxDiffRejected" (Run, Sandbox, Warning) {
        sandbox_id: Text, reason: Option<Text> }

    /// A revert of files to an earlier change started.
    RevertStarted "RevertStarted" (Attempt, TimeTravel, Notice) { jj_pointer: Text }
    /// The revert ended, with or without success.
    RevertFinished "RevertFinished" (Attempt, TimeTravel, Notice) {
        jj_pointer: Text, success: bool, error: Option<Text> }
    /// A retry of a task started.
    RetryTaskStarted "RetryTaskStarted" (Node, TimeTravel, Notice) {
        reset_dependents: bool, reset_nodes: Texts }
    /// The retry was prepared, with or without success.
    RetryTaskFinished "RetryTaskFinished" (Node, TimeTravel, Notice) {
        reset_nodes: Texts, success: bool, error: Option<Text> }
    /// Time travel to before an attempt started.
    TimeTravelStarted "TimeTravelStarted" (Attempt, TimeTravel, Notice) { jj_pointer: Option<Text> }
    /// Time travel ended, with or without success.
    TimeTravelFinished "TimeTravelFinished" (Attempt, TimeTravel, Notice) {
        jj_pointer: Option<Text>, success: bool, vcs_restored: bool,
        reset_nodes: Texts, error: Option<Text> }
    /// Time travel went back to a frame.
    TimeTravelJumped "TimeTravelJumped" (Run, TimeTravel, Notice) {
        from_frame_no: u32, to_frame_no: u32, caller: Option<Text> }
    /// The revert of a side effect started.
    EffectRevertStarted "EffectRevertStarted" (Attempt, TimeTravel, Notice) {
        operation: Text, kind: Word<EffectKind>, tool_name: Text, seq: u32,
        effect_status: Word<EffectStatus> }
    /// A side effect was reverted.
    EffectRevertFinished "EffectRevertFinished" (Attempt, TimeTravel, Notice) {
        operation: Text, kind: Word<EffectKind>, tool_name: Text, seq: u32 }
    /// A side effect could not be reverted.
    EffectRevertFailed "EffectRevertFailed" (Attempt, TimeTravel, Error) {
        operation: Text, kind: Word<EffectKind>, tool_name: Text, seq: u32,
        error: Text }
    /// Time travel crosses side effects outside the run.
    SideEffectBoundaryCrossed "SideEffectBoundaryCrossed" (Run, TimeTravel, Warning) {
        op_id: Text, operation: Text, report: Value,
        parent_run_id: Option<Text>, warning_only: Option<bool>,
        late_completion: Option<bool>, archived_by_op: Option<Text> }

    /// A voice provider started.
    VoiceStarted "VoiceStarted" (Node, Voice, Info) {
        operation: Word<VoiceOperation>, provider: Text }
    /// A voice provider ended.
    VoiceFinished "VoiceFinished" (Node, Voice, Info) {
        operation: Word<VoiceOperation>, provider: Text, duration_ms: Number }
    /// A voice provider failed.
    VoiceError "VoiceError" (Node, Voice, Error) {
        operation: Word<VoiceOperation>, provider: Text, error: Value }
    /// Documents were added to a store.
    RagIngested "RagIngested" (Run, Memory, Info) {
        document_count: u32, chunk_count: u32, namespace: Text }
    /// A store was searched.
    RagRetrieved "RagRetrieved" (Run, Memory, Info) {
        query: Text, result_count: u32, namespace: Text,
        top_score: Number }
    /// A fact was stored in memory.
    MemoryFactSet "MemoryFactSet" (Run, Memory, Info) { namespace: Text, key: Text }
    /// Memory was queried.
    MemoryRecalled "MemoryRecalled" (Run, Memory, Info) {
        namespace: Text, query: Text, result_count: u32 }
    /// A message was stored in memory.
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
    /// The changed workflow could not be loaded; the previous one stays in use.
    WorkflowReloadFailed "WorkflowReloadFailed" (Run, Reload, Error) {
        error: Value, changed_files: Texts }
    /// The change needs a new process.
    WorkflowReloadUnsafe "WorkflowReloadUnsafe" (Run, Reload, Warning) {
        reason: Text, changed_files: Texts }

    /// A scorer started.
    ScorerStarted "ScorerStarted" (Run, Scorer, Info) {
        scorer_id: Text, scorer_name: Text }
    /// A scorer finished.
    ScorerFinished "ScorerFinished" (Run, Scorer, Info) {
        scorer_id: Text, scorer_name: Text, score: Number }
    /// A scorer failed, which does not fail the task.
    ScorerFailed "ScorerFailed" (Run, Scorer, Warning) {
        scorer_id: Text, scorer_name: Text, error: Value }

    /// An alert was raised.
    AlertFired "AlertFired" (Run, Alert, Warning) {
        alert_id: Text, policy_name: Text, severity: Text,
        fingerprint: Text, message: Text }
    /// A person acknowledged the alert.
    AlertAcknowledged "AlertAcknowledged" (Run, Alert, Info) {
        alert_id: Text, acknowledged_by: Option<Text> }
    /// The alert was silenced for a time.
    AlertSilenced "AlertSilenced" (Run, Alert, Info) {
        alert_id: Text, silenced_until_ms: Option<Number> }
    /// The alert was resolved.
    AlertResolved "AlertResolved" (Run, Alert, Info) {
        alert_id: Text, resolved_by: Option<Text> }
    /// The alert was reopened.
    AlertReopened "AlertReopened" (Run, Alert, Warning) {
        alert_id: Text, fingerprint: Text, occurrence_count: u32 }
    /// The alert was escalated.
    AlertEscalated "AlertEscalated" (Run, Alert, Warning) {
        alert_id: Text, from_severity: Text, to_severity: Text }
    /// A budget was exceeded.
    BudgetExceeded "BudgetExceeded" (Node, Alert, Error) {
        budget_type: Text, limit: Number, actual: Number }
    /// The connection to a model provider was lost.
    ProviderDisconnected "ProviderDisconnected" (Attempt, Alert, Warning) { engine: Text }
    /// The connection to a model provider was restored.
    ProviderReconnected "ProviderReconnected" (Attempt, Alert, Info) { engine: Text }
}
