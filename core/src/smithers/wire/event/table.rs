//! The table of all events: word, scope, category, severity and fields. Everything else is made from it.

use super::Scope;
use super::words::{
    CallStatus, Category, EffectKind, EffectStatus, HijackMode, OutputStream, SandboxRuntime, SandboxStatus,
    Severity, SkipReason, SteerDelivery, TimerType, VoiceOperation,
};
use crate::json::Slice;
use crate::json::{ReadError, fields};
use crate::number::Number;
use crate::smithers::wire::field::{Field as _, Json, read};
use crate::smithers::wire::{RunState, RunStatus};
use crate::time::Millis;
use crate::word::Word;

type Text = String;
type Texts = Vec<String>;

events! {
    /// The supervisor begins to look for stale runs.
    SupervisorStarted "SupervisorStarted" (Run, Supervisor, Info) {
        poll_interval_ms: Number = "pollIntervalMs", stale_threshold_ms: Number = "staleThresholdMs" }
    /// The supervisor has looked once.
    SupervisorPollCompleted "SupervisorPollCompleted" (Run, Supervisor, Trace) {
        stale_count: u32 = "staleCount", resumed_count: u32 = "resumedCount", skipped_count: u32 = "skippedCount",
        duration_ms: Number = "durationMs" }
    /// The engine began, or began again after a pause, a wait or a crash.
    RunStarted "RunStarted" (Run, Run, Notice) {}
    /// The status column changed.
    RunStatusChanged "RunStatusChanged" (Run, Run, Notice) { status: Word<RunStatus> = "status" }
    /// The derived state changed; reserved, not sent by 0.32.
    RunStateChanged "RunStateChanged" (Run, Run, Notice) {
        before: Word<RunState> = "before", after: Word<RunState> = "after" }
    /// The run ended, its work done.
    RunFinished "RunFinished" (Run, Run, Notice) {
        failed_children: Option<u32> = "failedChildren", failed_child_keys: Option<Texts> = "failedChildKeys" }
    /// The run ended with an error.
    RunFailed "RunFailed" (Run, Run, Error) { error: Json = "error" }
    /// The run ended by request.
    RunCancelled "RunCancelled" (Run, Run, Warning) {}
    /// The supervisor starts a stale run again.
    RunAutoResumed "RunAutoResumed" (Run, Run, Warning) {
        last_heartbeat_at_ms: Option<Millis> = "lastHeartbeatAtMs", stale_duration_ms: Number = "staleDurationMs" }
    /// The supervisor left a stale run alone.
    RunAutoResumeSkipped "RunAutoResumeSkipped" (Run, Run, Warning) { reason: Word<SkipReason> = "reason" }
    /// The work goes on in another run.
    RunContinuedAsNew "RunContinuedAsNew" (Run, Run, Notice) {
        new_run_id: Text = "newRunId", iteration: u32 = "iteration", carried_state_size: Number = "carriedStateSize",
        ancestry_depth: Option<u32> = "ancestryDepth" }
    /// The run was made from a frame of another run.
    RunForked "RunForked" (Run, Run, Notice) {
        parent_run_id: Text = "parentRunId", parent_frame_no: u32 = "parentFrameNo",
        branch_label: Option<Text> = "branchLabel" }
    /// The run replays a frame of another run.
    ReplayStarted "ReplayStarted" (Run, Run, Notice) {
        parent_run_id: Text = "parentRunId", parent_frame_no: u32 = "parentFrameNo", restore_vcs: bool = "restoreVcs" }
    /// Somebody asked to take an agent over.
    RunHijackRequested "RunHijackRequested" (Run, Run, Notice) { target: Option<Text> = "target" }
    /// Somebody took an agent over.
    RunHijacked "RunHijacked" (Attempt, Run, Notice) {
        engine: Text = "engine", mode: Word<HijackMode> = "mode", resume: Option<Text> = "resume", cwd: Text = "cwd" }

    /// A message for a running agent waits.
    OneshotSteerQueued "OneshotSteerQueued" (Run, Output, Info) {
        message_id: Text = "messageId", message: Text = "message", engine: Text = "engine",
        delivery: Word<SteerDelivery> = "delivery" }
    /// A message was handed to the agent.
    OneshotSteerDelivered "OneshotSteerDelivered" (Run, Output, Info) {
        message_id: Text = "messageId", engine: Text = "engine", delivery: Word<SteerDelivery> = "delivery" }
    /// The agent took a message.
    OneshotSteerAcknowledged "OneshotSteerAcknowledged" (Run, Output, Info) {
        message_id: Text = "messageId", engine: Text = "engine", delivery: Word<SteerDelivery> = "delivery" }
    /// A message did not reach the agent.
    OneshotSteerFailed "OneshotSteerFailed" (Run, Output, Error) {
        message_id: Text = "messageId", message: Option<Text> = "message", engine: Option<Text> = "engine",
        delivery: Word<SteerDelivery> = "delivery", error: Text = "error", resumed: Option<bool> = "resumed",
        recovery_error: Option<Text> = "recoveryError" }
    /// A one-shot run is to be started again as another run.
    OneshotRestartRequested "OneshotRestartRequested" (Run, Run, Notice) {
        restarted_as_run_id: Text = "restartedAsRunId", prior_status: Text = "priorStatus" }
    /// A one-shot run was started again as another run.
    OneshotRestartLaunched "OneshotRestartLaunched" (Run, Run, Notice) {
        restarted_as_run_id: Text = "restartedAsRunId", pid: Option<Number> = "pid" }
    /// A one-shot run could not be started again.
    OneshotRestartFailed "OneshotRestartFailed" (Run, Run, Error) {
        restarted_as_run_id: Text = "restartedAsRunId", error: Text = "error" }

    /// A frame was rendered and stored.
    FrameCommitted "FrameCommitted" (Run, Frame, Trace) {
        frame_no: u32 = "frameNo", xml_hash: Text = "xmlHash", trigger: Option<Json> = "trigger" }
    /// The frame can be gone back to.
    SnapshotCaptured "SnapshotCaptured" (Run, Frame, Trace) { frame_no: u32 = "frameNo", content_hash: Text = "contentHash" }

    /// A task is known and waits for its turn.
    NodePending "NodePending" (Node, Node, Info) {}
    /// An attempt began.
    NodeStarted "NodeStarted" (Attempt, Node, Notice) { child_run_id: Option<Text> = "childRunId" }
    /// An attempt ended, its work done.
    NodeFinished "NodeFinished" (Attempt, Node, Notice) {}
    /// An attempt ended with an error.
    NodeFailed "NodeFailed" (Attempt, Node, Error) { error: Json = "error" }
    /// The task was cancelled, or left the tree.
    NodeCancelled "NodeCancelled" (Node, Node, Warning) { reason: Option<Text> = "reason" }
    /// The task was passed over.
    NodeSkipped "NodeSkipped" (Node, Node, Info) {}
    /// Another attempt will begin; `attempt` is its number.
    NodeRetrying "NodeRetrying" (Attempt, Node, Warning) {}
    /// The task waits for a person.
    NodeWaitingApproval "NodeWaitingApproval" (Node, Approval, Notice) { request: Option<Json> = "request" }
    /// The task waits for a time.
    NodeWaitingTimer "NodeWaitingTimer" (Node, Timer, Notice) { fires_at_ms: Millis = "firesAtMs" }

    /// A person is asked.
    ApprovalRequested "ApprovalRequested" (Node, Approval, Notice) { request: Option<Json> = "request" }
    /// A person said yes.
    ApprovalGranted "ApprovalGranted" (Node, Approval, Notice) {}
    /// A policy said yes.
    ApprovalAutoApproved "ApprovalAutoApproved" (Node, Approval, Notice) {}
    /// A person said no.
    ApprovalDenied "ApprovalDenied" (Node, Approval, Warning) {}

    /// A tool was called; `seq` counts the calls of the attempt.
    ToolCallStarted "ToolCallStarted" (Attempt, Tool, Info) {
        tool_call_id: Option<Text> = "toolCallId", tool_name: Text = "toolName", seq: u32 = "seq" }
    /// A tool answered.
    ToolCallFinished "ToolCallFinished" (Attempt, Tool, Info) {
        tool_call_id: Option<Text> = "toolCallId", tool_name: Text = "toolName", seq: u32 = "seq",
        status: Word<CallStatus> = "status" }

    /// Text of an agent.
    NodeOutput "NodeOutput" (Attempt, Output, Info) { text: Text = "text", stream: Word<OutputStream> = "stream" }
    /// What an agent's command line reported.
    AgentEvent "AgentEvent" (Attempt, Output, Info) { engine: Text = "engine", event: Json = "event" }
    /// A line of an agent's transcript.
    AgentSessionEvent "AgentSessionEvent" (Attempt, Output, Info) { transcript: Json = "transcript" }
    /// A step of an agent's trace.
    AgentTraceEvent "AgentTraceEvent" (Attempt, Output, Info) { trace: Json = "trace" }
    /// The sum of an agent's trace.
    AgentTraceSummary "AgentTraceSummary" (Attempt, Output, Info) { summary: Json = "summary" }
    /// What a model call used.
    TokenUsageReported "TokenUsageReported" (Attempt, Tokens, Info) {
        model: Text = "model", agent: Text = "agent", input_tokens: Number = "inputTokens",
        output_tokens: Number = "outputTokens", cache_read_tokens: Option<Number> = "cacheReadTokens",
        cache_write_tokens: Option<Number> = "cacheWriteTokens", reasoning_tokens: Option<Number> = "reasoningTokens" }

    /// A durable timer was set.
    TimerCreated "TimerCreated" (Run, Timer, Info) {
        timer_id: Text = "timerId", fires_at_ms: Millis = "firesAtMs", timer_type: Word<TimerType> = "timerType" }
    /// A timer fired.
    TimerFired "TimerFired" (Run, Timer, Notice) {
        timer_id: Text = "timerId", fires_at_ms: Millis = "firesAtMs", fired_at_ms: Millis = "firedAtMs",
        delay_ms: Number = "delayMs" }
    /// A timer was cancelled.
    TimerCancelled "TimerCancelled" (Run, Timer, Info) { timer_id: Text = "timerId" }

    /// A task is alive.
    TaskHeartbeat "TaskHeartbeat" (Attempt, Heartbeat, Trace) {
        has_data: bool = "hasData", data_size_bytes: Number = "dataSizeBytes", interval_ms: Option<Number> = "intervalMs" }
    /// A task was silent for too long.
    TaskHeartbeatTimeout "TaskHeartbeatTimeout" (Attempt, Heartbeat, Error) {
        last_heartbeat_at_ms: Millis = "lastHeartbeatAtMs", timeout_ms: Number = "timeoutMs" }

    /// A sandbox was made.
    SandboxCreated "SandboxCreated" (Run, Sandbox, Info) {
        sandbox_id: Text = "sandboxId", runtime: Word<SandboxRuntime> = "runtime", config_json: Text = "configJson" }
    /// The code was put into a sandbox.
    SandboxShipped "SandboxShipped" (Run, Sandbox, Info) {
        sandbox_id: Text = "sandboxId", runtime: Word<SandboxRuntime> = "runtime",
        bundle_size_bytes: Number = "bundleSizeBytes" }
    /// A sandbox is alive.
    SandboxHeartbeat "SandboxHeartbeat" (Run, Sandbox, Trace) {
        sandbox_id: Text = "sandboxId", remote_run_id: Option<Text> = "remoteRunId", progress: Option<Number> = "progress" }
    /// A sandbox gave its results.
    SandboxBundleReceived "SandboxBundleReceived" (Run, Sandbox, Info) {
        sandbox_id: Text = "sandboxId", bundle_size_bytes: Number = "bundleSizeBytes", patch_count: u32 = "patchCount",
        has_outputs: bool = "hasOutputs" }
    /// A sandbox ended.
    SandboxCompleted "SandboxCompleted" (Run, Sandbox, Notice) {
        sandbox_id: Text = "sandboxId", remote_run_id: Option<Text> = "remoteRunId",
        runtime: Word<SandboxRuntime> = "runtime", status: Word<SandboxStatus> = "status",
        duration_ms: Number = "durationMs" }
    /// A sandbox broke.
    SandboxFailed "SandboxFailed" (Run, Sandbox, Error) {
        sandbox_id: Text = "sandboxId", runtime: Word<SandboxRuntime> = "runtime", error: Json = "error" }
    /// A person is asked to look at a sandbox's patches.
    SandboxDiffReviewRequested "SandboxDiffReviewRequested" (Run, Sandbox, Notice) {
        sandbox_id: Text = "sandboxId", patch_count: u32 = "patchCount", total_diff_lines: u32 = "totalDiffLines" }
    /// The patches were taken.
    SandboxDiffAccepted "SandboxDiffAccepted" (Run, Sandbox, Notice) {
        sandbox_id: Text = "sandboxId", patch_count: u32 = "patchCount" }
    /// The patches were refused.
    SandboxDiffRejected "SandboxDiffRejected" (Run, Sandbox, Warning) {
        sandbox_id: Text = "sandboxId", reason: Option<Text> = "reason" }

    /// Files go back to an earlier change.
    RevertStarted "RevertStarted" (Attempt, TimeTravel, Notice) { jj_pointer: Text = "jjPointer" }
    /// Files went back, or did not.
    RevertFinished "RevertFinished" (Attempt, TimeTravel, Notice) {
        jj_pointer: Text = "jjPointer", success: bool = "success", error: Option<Text> = "error" }
    /// A task is made to run again.
    RetryTaskStarted "RetryTaskStarted" (Node, TimeTravel, Notice) {
        reset_dependents: bool = "resetDependents", reset_nodes: Texts = "resetNodes" }
    /// A task will run again, or will not.
    RetryTaskFinished "RetryTaskFinished" (Node, TimeTravel, Notice) {
        reset_nodes: Texts = "resetNodes", success: bool = "success", error: Option<Text> = "error" }
    /// The run goes back to before an attempt.
    TimeTravelStarted "TimeTravelStarted" (Attempt, TimeTravel, Notice) { jj_pointer: Option<Text> = "jjPointer" }
    /// The run went back, or did not.
    TimeTravelFinished "TimeTravelFinished" (Attempt, TimeTravel, Notice) {
        jj_pointer: Option<Text> = "jjPointer", success: bool = "success", vcs_restored: bool = "vcsRestored",
        reset_nodes: Texts = "resetNodes", error: Option<Text> = "error" }
    /// The run went back to a frame.
    TimeTravelJumped "TimeTravelJumped" (Run, TimeTravel, Notice) {
        from_frame_no: u32 = "fromFrameNo", to_frame_no: u32 = "toFrameNo", caller: Option<Text> = "caller" }
    /// An effect on the outside is taken back.
    EffectRevertStarted "EffectRevertStarted" (Attempt, TimeTravel, Notice) {
        operation: Text = "operation", kind: Word<EffectKind> = "kind", tool_name: Text = "toolName", seq: u32 = "seq",
        effect_status: Word<EffectStatus> = "effectStatus" }
    /// An effect was taken back.
    EffectRevertFinished "EffectRevertFinished" (Attempt, TimeTravel, Notice) {
        operation: Text = "operation", kind: Word<EffectKind> = "kind", tool_name: Text = "toolName", seq: u32 = "seq" }
    /// An effect could not be taken back.
    EffectRevertFailed "EffectRevertFailed" (Attempt, TimeTravel, Error) {
        operation: Text = "operation", kind: Word<EffectKind> = "kind", tool_name: Text = "toolName", seq: u32 = "seq",
        error: Text = "error" }
    /// Going back would cross effects on the outside.
    SideEffectBoundaryCrossed "SideEffectBoundaryCrossed" (Run, TimeTravel, Warning) {
        op_id: Text = "opId", operation: Text = "operation", report: Json = "report",
        parent_run_id: Option<Text> = "parentRunId", warning_only: Option<bool> = "warningOnly",
        late_completion: Option<bool> = "lateCompletion", archived_by_op: Option<Text> = "archivedByOp" }

    /// A voice provider began.
    VoiceStarted "VoiceStarted" (Node, Voice, Info) {
        operation: Word<VoiceOperation> = "operation", provider: Text = "provider" }
    /// A voice provider ended.
    VoiceFinished "VoiceFinished" (Node, Voice, Info) {
        operation: Word<VoiceOperation> = "operation", provider: Text = "provider", duration_ms: Number = "durationMs" }
    /// A voice provider failed.
    VoiceError "VoiceError" (Node, Voice, Error) {
        operation: Word<VoiceOperation> = "operation", provider: Text = "provider", error: Json = "error" }
    /// Documents were put into a store.
    RagIngested "RagIngested" (Run, Memory, Info) {
        document_count: u32 = "documentCount", chunk_count: u32 = "chunkCount", namespace: Text = "namespace" }
    /// A store was searched.
    RagRetrieved "RagRetrieved" (Run, Memory, Info) {
        query: Text = "query", result_count: u32 = "resultCount", namespace: Text = "namespace",
        top_score: Number = "topScore" }
    /// A fact was remembered.
    MemoryFactSet "MemoryFactSet" (Run, Memory, Info) { namespace: Text = "namespace", key: Text = "key" }
    /// Memory was asked.
    MemoryRecalled "MemoryRecalled" (Run, Memory, Info) {
        namespace: Text = "namespace", query: Text = "query", result_count: u32 = "resultCount" }
    /// A message was remembered.
    MemoryMessageSaved "MemoryMessageSaved" (Run, Memory, Info) { thread_id: Text = "threadId", role: Text = "role" }
    /// A tool made from an `OpenAPI` description was called.
    OpenApiToolCalled "OpenApiToolCalled" (Run, Tool, Info) {
        operation_id: Text = "operationId", method: Text = "method", path: Text = "path", duration_ms: Number = "durationMs",
        status: Word<CallStatus> = "status" }

    /// The workflow's files changed.
    WorkflowReloadDetected "WorkflowReloadDetected" (Run, Reload, Info) { changed_files: Texts = "changedFiles" }
    /// The changed workflow is in use.
    WorkflowReloaded "WorkflowReloaded" (Run, Reload, Notice) {
        generation: u32 = "generation", changed_files: Texts = "changedFiles" }
    /// The changed workflow could not be loaded; the one before stays in use.
    WorkflowReloadFailed "WorkflowReloadFailed" (Run, Reload, Error) {
        error: Json = "error", changed_files: Texts = "changedFiles" }
    /// The change needs a new process.
    WorkflowReloadUnsafe "WorkflowReloadUnsafe" (Run, Reload, Warning) {
        reason: Text = "reason", changed_files: Texts = "changedFiles" }

    /// A scorer began.
    ScorerStarted "ScorerStarted" (Run, Scorer, Info) {
        node_id: Text = "nodeId", scorer_id: Text = "scorerId", scorer_name: Text = "scorerName" }
    /// A scorer gave a score.
    ScorerFinished "ScorerFinished" (Run, Scorer, Info) {
        node_id: Text = "nodeId", scorer_id: Text = "scorerId", scorer_name: Text = "scorerName", score: Number = "score" }
    /// A scorer broke, which does not fail the task.
    ScorerFailed "ScorerFailed" (Run, Scorer, Warning) {
        node_id: Text = "nodeId", scorer_id: Text = "scorerId", scorer_name: Text = "scorerName", error: Json = "error" }

    /// An alert was raised.
    AlertFired "AlertFired" (Run, Alert, Warning) {
        alert_id: Text = "alertId", policy_name: Text = "policyName", severity: Text = "severity",
        fingerprint: Text = "fingerprint", message: Text = "message" }
    /// A person saw the alert.
    AlertAcknowledged "AlertAcknowledged" (Run, Alert, Info) {
        alert_id: Text = "alertId", acknowledged_by: Option<Text> = "acknowledgedBy" }
    /// The alert is quiet for a time.
    AlertSilenced "AlertSilenced" (Run, Alert, Info) {
        alert_id: Text = "alertId", silenced_until_ms: Option<Millis> = "silencedUntilMs" }
    /// The alert is over.
    AlertResolved "AlertResolved" (Run, Alert, Info) {
        alert_id: Text = "alertId", resolved_by: Option<Text> = "resolvedBy" }
    /// The alert came back.
    AlertReopened "AlertReopened" (Run, Alert, Warning) {
        alert_id: Text = "alertId", fingerprint: Text = "fingerprint", occurrence_count: u32 = "occurrenceCount" }
    /// The alert got worse.
    AlertEscalated "AlertEscalated" (Run, Alert, Warning) {
        alert_id: Text = "alertId", from_severity: Text = "fromSeverity", to_severity: Text = "toSeverity" }
    /// More was used than allowed.
    BudgetExceeded "BudgetExceeded" (Node, Alert, Error) {
        budget_type: Text = "budgetType", limit: Number = "limit", actual: Number = "actual" }
    /// A model provider was lost.
    ProviderDisconnected "ProviderDisconnected" (Attempt, Alert, Warning) { engine: Text = "engine" }
    /// A model provider is back.
    ProviderReconnected "ProviderReconnected" (Attempt, Alert, Info) { engine: Text = "engine" }
}
