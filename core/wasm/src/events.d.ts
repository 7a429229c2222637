// Written by `RUNSTATE_DECLARATIONS=write cargo test -p runstate declarations` from core/src/smithers/wire/event/table.rs.

/** The fields of every event; `timestampMs` is in milliseconds since 1970. */
type RunEvent<Type extends string> = {
  type: Type;
  runId: string;
  timestampMs: number;
  nodeId?: string;
  iteration?: number;
  attempt?: number;
};

/** The fields of every event of a node. */
type NodeEvent<Type extends string> = RunEvent<Type> & { nodeId: string; iteration: number };

/** The fields of every event of an attempt; `attempt` counts from 1. */
type AttemptEvent<Type extends string> = NodeEvent<Type> & { attempt: number };

/** The supervisor started to look for stale runs. */
export type SupervisorStarted = RunEvent<"SupervisorStarted"> & { pollIntervalMs: number; staleThresholdMs: number };

/** The supervisor finished one search. */
export type SupervisorPollCompleted = RunEvent<"SupervisorPollCompleted"> & { staleCount: number; resumedCount: number; skippedCount: number; durationMs: number };

/** The engine started or resumed the run. */
export type RunStarted = RunEvent<"RunStarted">;

/** The status column changed. */
export type RunStatusChanged = RunEvent<"RunStatusChanged"> & { status: OpenWord<"running" | "waiting-approval" | "waiting-event" | "waiting-timer" | "waiting-quota" | "paused" | "finished" | "continued" | "failed" | "cancelled"> };

/** The derived state changed; reserved, not sent by 0.32. */
export type RunStateChanged = RunEvent<"RunStateChanged"> & { before: OpenWord<"running" | "waiting-approval" | "waiting-event" | "waiting-timer" | "waiting-quota" | "paused" | "recovering" | "stale" | "orphaned" | "failed" | "cancelled" | "succeeded" | "unknown">; after: OpenWord<"running" | "waiting-approval" | "waiting-event" | "waiting-timer" | "waiting-quota" | "paused" | "recovering" | "stale" | "orphaned" | "failed" | "cancelled" | "succeeded" | "unknown"> };

/** The run succeeded. */
export type RunFinished = RunEvent<"RunFinished"> & { failedChildren?: number; failedChildKeys?: string[] };

/** The run failed. */
export type RunFailed = RunEvent<"RunFailed"> & { error: unknown };

/** The run was cancelled. */
export type RunCancelled = RunEvent<"RunCancelled">;

/** The supervisor resumed a stale run. */
export type RunAutoResumed = RunEvent<"RunAutoResumed"> & { lastHeartbeatAtMs?: number; staleDurationMs: number };

/** The supervisor did not resume a stale run. */
export type RunAutoResumeSkipped = RunEvent<"RunAutoResumeSkipped"> & { reason: OpenWord<"pid-alive" | "missing-workflow" | "rate-limited"> };

/** Another run continues this one. */
export type RunContinuedAsNew = RunEvent<"RunContinuedAsNew"> & { iteration: number; newRunId: string; carriedStateSize: number; ancestryDepth?: number };

/** The run was forked from a frame of another run. */
export type RunForked = RunEvent<"RunForked"> & { parentRunId: string; parentFrameNo: number; branchLabel?: string };

/** The run replays a frame of another run. */
export type ReplayStarted = RunEvent<"ReplayStarted"> & { parentRunId: string; parentFrameNo: number; restoreVcs: boolean };

/** A takeover of an agent was requested. */
export type RunHijackRequested = RunEvent<"RunHijackRequested"> & { target?: string };

/** An agent was taken over. */
export type RunHijacked = AttemptEvent<"RunHijacked"> & { engine: string; mode: OpenWord<"native-cli" | "conversation">; resume?: string; cwd: string };

/** A message for a running agent was queued. */
export type OneshotSteerQueued = RunEvent<"OneshotSteerQueued"> & { messageId: string; message: string; engine: string; delivery: OpenWord<"queued" | "delivered" | "agent-acked" | "failed"> };

/** A message was delivered to the agent. */
export type OneshotSteerDelivered = RunEvent<"OneshotSteerDelivered"> & { messageId: string; engine: string; delivery: OpenWord<"queued" | "delivered" | "agent-acked" | "failed"> };

/** The agent acknowledged a message. */
export type OneshotSteerAcknowledged = RunEvent<"OneshotSteerAcknowledged"> & { messageId: string; engine: string; delivery: OpenWord<"queued" | "delivered" | "agent-acked" | "failed"> };

/** A message was not delivered. */
export type OneshotSteerFailed = RunEvent<"OneshotSteerFailed"> & { messageId: string; message?: string; engine?: string; delivery: OpenWord<"queued" | "delivered" | "agent-acked" | "failed">; error: string; resumed?: boolean; recoveryError?: string };

/** A restart of a one-shot run was requested. */
export type OneshotRestartRequested = RunEvent<"OneshotRestartRequested"> & { restartedAsRunId: string; priorStatus: string };

/** A one-shot run was restarted as another run. */
export type OneshotRestartLaunched = RunEvent<"OneshotRestartLaunched"> & { restartedAsRunId: string; pid?: number };

/** A one-shot run could not be restarted. */
export type OneshotRestartFailed = RunEvent<"OneshotRestartFailed"> & { restartedAsRunId: string; error: string };

/** A frame was rendered and stored. */
export type FrameCommitted = RunEvent<"FrameCommitted"> & { frameNo: number; xmlHash: string; trigger?: unknown };

/** A snapshot of the frame was stored, to which the run can go back. */
export type SnapshotCaptured = RunEvent<"SnapshotCaptured"> & { frameNo: number; contentHash: string };

/** A task was added and has not started. */
export type NodePending = NodeEvent<"NodePending">;

/** An attempt started. */
export type NodeStarted = AttemptEvent<"NodeStarted"> & { childRunId?: string };

/** An attempt succeeded. */
export type NodeFinished = AttemptEvent<"NodeFinished">;

/** An attempt failed. */
export type NodeFailed = AttemptEvent<"NodeFailed"> & { error: unknown };

/** The task was cancelled, or left the tree. */
export type NodeCancelled = NodeEvent<"NodeCancelled"> & { reason?: string };

/** The task was skipped. */
export type NodeSkipped = NodeEvent<"NodeSkipped">;

/** Another attempt will start; `attempt` is its number. */
export type NodeRetrying = AttemptEvent<"NodeRetrying">;

/** The task waits for an approval. */
export type NodeWaitingApproval = NodeEvent<"NodeWaitingApproval"> & { request?: unknown };

/** The task waits for a timer. */
export type NodeWaitingTimer = NodeEvent<"NodeWaitingTimer"> & { firesAtMs: number };

/** An approval was requested. */
export type ApprovalRequested = NodeEvent<"ApprovalRequested"> & { request?: unknown };

/** A person approved. */
export type ApprovalGranted = NodeEvent<"ApprovalGranted">;

/** A policy approved. */
export type ApprovalAutoApproved = NodeEvent<"ApprovalAutoApproved">;

/** A person denied. */
export type ApprovalDenied = NodeEvent<"ApprovalDenied">;

/** A tool was called; `seq` counts the calls of the attempt. */
export type ToolCallStarted = AttemptEvent<"ToolCallStarted"> & { toolCallId?: string; toolName: string; seq: number };

/** A tool call ended. */
export type ToolCallFinished = AttemptEvent<"ToolCallFinished"> & { toolCallId?: string; toolName: string; seq: number; status: OpenWord<"success" | "error"> };

/** Output of an agent. */
export type NodeOutput = AttemptEvent<"NodeOutput"> & { text: string; stream: OpenWord<"stdout" | "stderr"> };

/** An event of an agent's command line. */
export type AgentEvent = AttemptEvent<"AgentEvent"> & { engine: string; event: unknown };

/** A line of an agent's transcript. */
export type AgentSessionEvent = AttemptEvent<"AgentSessionEvent"> & { transcript: unknown };

/** A step of an agent's trace. */
export type AgentTraceEvent = AttemptEvent<"AgentTraceEvent"> & { trace: unknown };

/** The summary of an agent's trace. */
export type AgentTraceSummary = AttemptEvent<"AgentTraceSummary"> & { summary: unknown };

/** The tokens that a model call used. */
export type TokenUsageReported = AttemptEvent<"TokenUsageReported"> & { model: string; agent: string; inputTokens: number; outputTokens: number; cacheReadTokens?: number; cacheWriteTokens?: number; reasoningTokens?: number };

/** A durable timer was created. */
export type TimerCreated = RunEvent<"TimerCreated"> & { timerId: string; firesAtMs: number; timerType: OpenWord<"duration" | "absolute"> };

/** A timer fired. */
export type TimerFired = RunEvent<"TimerFired"> & { timerId: string; firesAtMs: number; firedAtMs: number; delayMs: number };

/** A timer was cancelled. */
export type TimerCancelled = RunEvent<"TimerCancelled"> & { timerId: string };

/** A task sent a heartbeat. */
export type TaskHeartbeat = AttemptEvent<"TaskHeartbeat"> & { hasData: boolean; dataSizeBytes: number; intervalMs?: number };

/** A task sent no heartbeat within its limit. */
export type TaskHeartbeatTimeout = AttemptEvent<"TaskHeartbeatTimeout"> & { lastHeartbeatAtMs: number; timeoutMs: number };

/** A sandbox was created. */
export type SandboxCreated = RunEvent<"SandboxCreated"> & { sandboxId: string; runtime: OpenWord<"bubblewrap" | "docker" | "codeplane">; configJson: string };

/** The code was sent to a sandbox. */
export type SandboxShipped = RunEvent<"SandboxShipped"> & { sandboxId: string; runtime: OpenWord<"bubblewrap" | "docker" | "codeplane">; bundleSizeBytes: number };

/** A sandbox sent a heartbeat. */
export type SandboxHeartbeat = RunEvent<"SandboxHeartbeat"> & { sandboxId: string; remoteRunId?: string; progress?: number };

/** The results of a sandbox were received. */
export type SandboxBundleReceived = RunEvent<"SandboxBundleReceived"> & { sandboxId: string; bundleSizeBytes: number; patchCount: number; hasOutputs: boolean };

/** A sandbox ended. */
export type SandboxCompleted = RunEvent<"SandboxCompleted"> & { sandboxId: string; remoteRunId?: string; runtime: OpenWord<"bubblewrap" | "docker" | "codeplane">; status: OpenWord<"finished" | "failed" | "cancelled">; durationMs: number };

/** A sandbox failed. */
export type SandboxFailed = RunEvent<"SandboxFailed"> & { sandboxId: string; runtime: OpenWord<"bubblewrap" | "docker" | "codeplane">; error: unknown };

/** A review of a sandbox's patches was requested. */
export type SandboxDiffReviewRequested = RunEvent<"SandboxDiffReviewRequested"> & { sandboxId: string; patchCount: number; totalDiffLines: number };

/** The patches were accepted. */
export type SandboxDiffAccepted = RunEvent<"SandboxDiffAccepted"> & { sandboxId: string; patchCount: number };

/** The patches were rejected. */
export type SandboxDiffRejected = RunEvent<"SandboxDiffRejected"> & { sandboxId: string; reason?: string };

/** A revert of files to an earlier change started. */
export type RevertStarted = AttemptEvent<"RevertStarted"> & { jjPointer: string };

/** The revert ended, with or without success. */
export type RevertFinished = AttemptEvent<"RevertFinished"> & { jjPointer: string; success: boolean; error?: string };

/** A retry of a task started. */
export type RetryTaskStarted = NodeEvent<"RetryTaskStarted"> & { resetDependents: boolean; resetNodes: string[] };

/** The retry was prepared, with or without success. */
export type RetryTaskFinished = NodeEvent<"RetryTaskFinished"> & { resetNodes: string[]; success: boolean; error?: string };

/** Time travel to before an attempt started. */
export type TimeTravelStarted = AttemptEvent<"TimeTravelStarted"> & { jjPointer?: string };

/** Time travel ended, with or without success. */
export type TimeTravelFinished = AttemptEvent<"TimeTravelFinished"> & { jjPointer?: string; success: boolean; vcsRestored: boolean; resetNodes: string[]; error?: string };

/** Time travel went back to a frame. */
export type TimeTravelJumped = RunEvent<"TimeTravelJumped"> & { fromFrameNo: number; toFrameNo: number; caller?: string };

/** The revert of a side effect started. */
export type EffectRevertStarted = AttemptEvent<"EffectRevertStarted"> & { operation: string; kind: OpenWord<"tool" | "task">; toolName: string; seq: number; effectStatus: OpenWord<"succeeded" | "unknown"> };

/** A side effect was reverted. */
export type EffectRevertFinished = AttemptEvent<"EffectRevertFinished"> & { operation: string; kind: OpenWord<"tool" | "task">; toolName: string; seq: number };

/** A side effect could not be reverted. */
export type EffectRevertFailed = AttemptEvent<"EffectRevertFailed"> & { operation: string; kind: OpenWord<"tool" | "task">; toolName: string; seq: number; error: string };

/** Time travel crosses side effects outside the run. */
export type SideEffectBoundaryCrossed = RunEvent<"SideEffectBoundaryCrossed"> & { opId: string; operation: string; report: unknown; parentRunId?: string; warningOnly?: boolean; lateCompletion?: boolean; archivedByOp?: string };

/** A voice provider started. */
export type VoiceStarted = NodeEvent<"VoiceStarted"> & { operation: OpenWord<"speak" | "listen">; provider: string };

/** A voice provider ended. */
export type VoiceFinished = NodeEvent<"VoiceFinished"> & { operation: OpenWord<"speak" | "listen">; provider: string; durationMs: number };

/** A voice provider failed. */
export type VoiceError = NodeEvent<"VoiceError"> & { operation: OpenWord<"speak" | "listen">; provider: string; error: unknown };

/** Documents were added to a store. */
export type RagIngested = RunEvent<"RagIngested"> & { documentCount: number; chunkCount: number; namespace: string };

/** A store was searched. */
export type RagRetrieved = RunEvent<"RagRetrieved"> & { query: string; resultCount: number; namespace: string; topScore: number };

/** A fact was stored in memory. */
export type MemoryFactSet = RunEvent<"MemoryFactSet"> & { namespace: string; key: string };

/** Memory was queried. */
export type MemoryRecalled = RunEvent<"MemoryRecalled"> & { namespace: string; query: string; resultCount: number };

/** A message was stored in memory. */
export type MemoryMessageSaved = RunEvent<"MemoryMessageSaved"> & { threadId: string; role: string };

/** A tool made from an `OpenAPI` description was called. */
export type OpenApiToolCalled = RunEvent<"OpenApiToolCalled"> & { operationId: string; method: string; path: string; durationMs: number; status: OpenWord<"success" | "error"> };

/** The workflow's files changed. */
export type WorkflowReloadDetected = RunEvent<"WorkflowReloadDetected"> & { changedFiles: string[] };

/** The changed workflow is in use. */
export type WorkflowReloaded = RunEvent<"WorkflowReloaded"> & { generation: number; changedFiles: string[] };

/** The changed workflow could not be loaded; the previous one stays in use. */
export type WorkflowReloadFailed = RunEvent<"WorkflowReloadFailed"> & { error: unknown; changedFiles: string[] };

/** The change needs a new process. */
export type WorkflowReloadUnsafe = RunEvent<"WorkflowReloadUnsafe"> & { reason: string; changedFiles: string[] };

/** A scorer started. */
export type ScorerStarted = RunEvent<"ScorerStarted"> & { nodeId: string; scorerId: string; scorerName: string };

/** A scorer finished. */
export type ScorerFinished = RunEvent<"ScorerFinished"> & { nodeId: string; scorerId: string; scorerName: string; score: number };

/** A scorer failed, which does not fail the task. */
export type ScorerFailed = RunEvent<"ScorerFailed"> & { nodeId: string; scorerId: string; scorerName: string; error: unknown };

/** An alert was raised. */
export type AlertFired = RunEvent<"AlertFired"> & { alertId: string; policyName: string; severity: string; fingerprint: string; message: string };

/** A person acknowledged the alert. */
export type AlertAcknowledged = RunEvent<"AlertAcknowledged"> & { alertId: string; acknowledgedBy?: string };

/** The alert was silenced for a time. */
export type AlertSilenced = RunEvent<"AlertSilenced"> & { alertId: string; silencedUntilMs?: number };

/** The alert was resolved. */
export type AlertResolved = RunEvent<"AlertResolved"> & { alertId: string; resolvedBy?: string };

/** The alert was reopened. */
export type AlertReopened = RunEvent<"AlertReopened"> & { alertId: string; fingerprint: string; occurrenceCount: number };

/** The alert was escalated. */
export type AlertEscalated = RunEvent<"AlertEscalated"> & { alertId: string; fromSeverity: string; toSeverity: string };

/** A budget was exceeded. */
export type BudgetExceeded = NodeEvent<"BudgetExceeded"> & { budgetType: string; limit: number; actual: number };

/** The connection to a model provider was lost. */
export type ProviderDisconnected = AttemptEvent<"ProviderDisconnected"> & { engine: string };

/** The connection to a model provider was restored. */
export type ProviderReconnected = AttemptEvent<"ProviderReconnected"> & { engine: string };

/** An event of a run (seed 003, and the types that Smithers 0.32 added). A newer Smithers may write others. */
export type SmithersEvent =
  | SupervisorStarted
  | SupervisorPollCompleted
  | RunStarted
  | RunStatusChanged
  | RunStateChanged
  | RunFinished
  | RunFailed
  | RunCancelled
  | RunAutoResumed
  | RunAutoResumeSkipped
  | RunContinuedAsNew
  | RunForked
  | ReplayStarted
  | RunHijackRequested
  | RunHijacked
  | OneshotSteerQueued
  | OneshotSteerDelivered
  | OneshotSteerAcknowledged
  | OneshotSteerFailed
  | OneshotRestartRequested
  | OneshotRestartLaunched
  | OneshotRestartFailed
  | FrameCommitted
  | SnapshotCaptured
  | NodePending
  | NodeStarted
  | NodeFinished
  | NodeFailed
  | NodeCancelled
  | NodeSkipped
  | NodeRetrying
  | NodeWaitingApproval
  | NodeWaitingTimer
  | ApprovalRequested
  | ApprovalGranted
  | ApprovalAutoApproved
  | ApprovalDenied
  | ToolCallStarted
  | ToolCallFinished
  | NodeOutput
  | AgentEvent
  | AgentSessionEvent
  | AgentTraceEvent
  | AgentTraceSummary
  | TokenUsageReported
  | TimerCreated
  | TimerFired
  | TimerCancelled
  | TaskHeartbeat
  | TaskHeartbeatTimeout
  | SandboxCreated
  | SandboxShipped
  | SandboxHeartbeat
  | SandboxBundleReceived
  | SandboxCompleted
  | SandboxFailed
  | SandboxDiffReviewRequested
  | SandboxDiffAccepted
  | SandboxDiffRejected
  | RevertStarted
  | RevertFinished
  | RetryTaskStarted
  | RetryTaskFinished
  | TimeTravelStarted
  | TimeTravelFinished
  | TimeTravelJumped
  | EffectRevertStarted
  | EffectRevertFinished
  | EffectRevertFailed
  | SideEffectBoundaryCrossed
  | VoiceStarted
  | VoiceFinished
  | VoiceError
  | RagIngested
  | RagRetrieved
  | MemoryFactSet
  | MemoryRecalled
  | MemoryMessageSaved
  | OpenApiToolCalled
  | WorkflowReloadDetected
  | WorkflowReloaded
  | WorkflowReloadFailed
  | WorkflowReloadUnsafe
  | ScorerStarted
  | ScorerFinished
  | ScorerFailed
  | AlertFired
  | AlertAcknowledged
  | AlertSilenced
  | AlertResolved
  | AlertReopened
  | AlertEscalated
  | BudgetExceeded
  | ProviderDisconnected
  | ProviderReconnected;
