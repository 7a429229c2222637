// Written by `RUNSTATE_DECLARATIONS=write node --test tests/conformance/node/declarations.test.mjs`.

/**
 * An action that a person can take about a run.
 */
export interface Action {
  kind: ActionKind;
  /**
   * What blocks the run; absent if nothing does, and the action only shows something.
   */
  blocker?: Blocker;
  sentence: string;
  /**
   * The node; absent for the run as a whole.
   */
  node?: NodeRound;
  /**
   * The command for it. `WORKFLOW_FILE` is a placeholder for a path that Runstate does not know.
   */
  command?: string;
  /**
   * The Gateway's method for it, with its parameters.
   */
  call?: GatewayCall;
  /**
   * The time until which to wait, in milliseconds since 1970.
   */
  untilMs?: number;
}

export type ActionKind =
  | "approve"
  | "deny"
  | "answer"
  | "signal"
  | "wait"
  | "resume"
  | "supervise"
  | "cancel"
  | "retry"
  | "renew-credentials"
  | "refresh-token"
  | "reconnect"
  | "repair"
  | "inspect"
  | "follow";

/**
 * One call to the adapter.
 */
export interface AdapterCall {
  method: string;
  arguments: Argument[];
}

/** An event of an agent's command line. */
export type AgentEvent = AttemptEvent<"AgentEvent"> & { engine: string; event: unknown };

/** A line of an agent's transcript. */
export type AgentSessionEvent = AttemptEvent<"AgentSessionEvent"> & { transcript: unknown };

/** A step of an agent's trace. */
export type AgentTraceEvent = AttemptEvent<"AgentTraceEvent"> & { trace: unknown };

/** The summary of an agent's trace. */
export type AgentTraceSummary = AttemptEvent<"AgentTraceSummary"> & { summary: unknown };

/** A person acknowledged the alert. */
export type AlertAcknowledged = RunEvent<"AlertAcknowledged"> & { alertId: string; acknowledgedBy?: string };

/** The alert was escalated. */
export type AlertEscalated = RunEvent<"AlertEscalated"> & { alertId: string; fromSeverity: string; toSeverity: string };

/** An alert was raised. */
export type AlertFired = RunEvent<"AlertFired"> & {
  alertId: string;
  policyName: string;
  severity: string;
  fingerprint: string;
  message: string;
};

/** The alert was reopened. */
export type AlertReopened = RunEvent<"AlertReopened"> & { alertId: string; fingerprint: string; occurrenceCount: number };

/** The alert was resolved. */
export type AlertResolved = RunEvent<"AlertResolved"> & { alertId: string; resolvedBy?: string };

/** The alert was silenced for a time. */
export type AlertSilenced = RunEvent<"AlertSilenced"> & { alertId: string; silencedUntilMs?: number };

/**
 * The state of a run in words.
 */
export interface Answer {
  /**
   * The tone of the answer. Because of a note it may be more severe than that of the pill.
   */
  tone: Tone;
  /**
   * Absent if there is no state.
   */
  pill?: StatePill;
  sentence: string;
  /**
   * Additional facts, such as the times since when and until when.
   */
  meta: string;
  /**
   * The reason for the state, in one line.
   */
  because: string;
  /**
   * Important facts besides the state, one sentence each.
   */
  notes: string[];
}

/** A policy approved. */
export type ApprovalAutoApproved = NodeEvent<"ApprovalAutoApproved">;

/** A person's decision. `decidedAt` is an ISO time. */
export type ApprovalDecision = {
  approved: boolean;
  note: string | null;
  decidedBy: string | null;
  decidedAt: string | null;
};

/** A person denied. */
export type ApprovalDenied = NodeEvent<"ApprovalDenied">;

/** A person approved. */
export type ApprovalGranted = NodeEvent<"ApprovalGranted">;

/** The question that an approval asks. */
export type ApprovalRequest = { title: string; summary?: string; metadata?: Record<string, unknown> };

/** An approval was requested. */
export type ApprovalRequested = NodeEvent<"ApprovalRequested"> & { request?: unknown };

/**
 * A pending approval; one without a time is ignored. `requestedAtMs` is in milliseconds since 1970.
 */
export interface ApprovalRow {
  nodeId: string;
  requestedAtMs?: number | null;
}

/**
 * An argument of a call to the adapter.
 */
export type Argument = string | number;

/** The fields of every event of an attempt; `attempt` counts from 1. */
type AttemptEvent<Type extends string> = NodeEvent<Type> & { attempt: number };

/**
 * An attempt at a node. `metaJson` is JSON text with the awaited timer or event.
 */
export interface AttemptRow {
  state?: string | null;
  metaJson?: string | null;
}

export type Blocker =
  | "waiting-approval"
  | "waiting-event"
  | "waiting-timer"
  | "approval-decided-resume-required"
  | "stale-heartbeat"
  | "engine-busy"
  | "stale-task-heartbeat"
  | "retry-backoff"
  | "retries-exhausted"
  | "dependency-failed"
  | "binding-missing"
  | "bound-stale"
  | "side-effect-boundary-crossed"
  | "quota"
  | "provider"
  | "tool"
  | "external-trigger"
  | "paused"
  | "db-lock"
  | "sandbox-unreachable"
  | "supervisor-backoff";

/** A budget was exceeded. */
export type BudgetExceeded = NodeEvent<"BudgetExceeded"> & { budgetType: string; limit: number; actual: number };

/** The rule for reusing an earlier output; its function `by` has no JSON form. */
export type CachePolicy = { version?: string };

// Written by `RUNSTATE_DECLARATIONS=write cargo test -p runstate declarations` from the types of the core.

/**
 * A reason why the state of a log may be outdated. The sequence numbers of `left-out` may belong to frames, which
 * `smithers events --json` does not print.
 */
export type Caveat =
  | { kind: "lost"; events: number; gaps: number }
  | { kind: "left-out"; events: number; gaps: number }
  | { kind: "unread"; lines: number }
  | { kind: "repeated"; events: number }
  | { kind: "no-start" }
  | { kind: "from-nodes" }
  | { kind: "after-the-end"; events: number }
  | { kind: "unread-at-end"; lines: number }
  | { kind: "unknown-last"; eventType: string }
  | { kind: "contradicted"; state: string; atMs?: number }
  | { kind: "times-in-seconds"; events: number }
  | { kind: "times-out-of-range"; events: number; line?: number }
  | { kind: "times-go-back"; line?: number; ms: number }
  | { kind: "newest-first" }
  | { kind: "end-may-be-missing" };

/**
 * A time on the server's clock, in milliseconds since 1970, and its maximum error in milliseconds: the options `now` and
 * `errorMs` of `deriveRunState`, `deriveRunStates` and `inspect`.
 */
export interface ClockReading {
  now: number;
  errorMs: number;
}

/**
 * The options of a derivation. An option may be absent, but not `null`.
 */
export interface ComputeRunStateOptions {
  /**
   * The time for which the state is derived, in milliseconds since 1970; by default the local clock's.
   */
  now?: number;
  /**
   * The age in milliseconds beyond which a heartbeat is stale, by default 30 000.
   */
  staleThresholdMs?: number;
  /**
   * The milliseconds after which a timer that did not fire is reported as `timer-overdue`; without it, none is.
   */
  timerOverdueGraceMs?: number;
  /**
   * The maximum error of `now` in milliseconds; `Infinity` if it is not bounded. If an age may be on either side of its
   * limit because of the error, the state is `unknown`. An error up to 5000 has no effect, because any two clocks may
   * differ by as much.
   */
  errorMs?: number;
  /**
   * Returns whether the owner's process is alive. Without it, a run with an owner is never `orphaned`.
   */
  isOwnerPidAlive?: (pid: number) => boolean;
}

export type ConductorEnd = {
  declared: string;
  lastStepId: string | null;
  exitStepId: string | null;
  exitOpcode: string | null;
  exitOutcome: string | null;
  exitClean: boolean | null;
};

export type ConductorGate = {
  kind: "approval";
  nodeId: string | null;
  requestedAt: string | null;
  requestedAtApproximate?: true;
  gate?: string | null;
  timeoutSeconds?: number | null;
};

/**
 * The result of `inspect` for run directories of tnh-conductor, complete or in part.
 */
export interface ConductorInspection {
  system: "tnh-conductor";
  recognised: "conductor-run" | "conductor-runs";
  /**
   * The run, if there is exactly one.
   */
  run?: ConductorRun;
  /**
   * The runs, if there are several.
   */
  runs?: ConductorRun[];
  problems: string[];
}

/**
 * The options of `readConductorRun`.
 */
export interface ConductorOptions {
  /**
   * The time for which the state is derived, in milliseconds since 1970.
   */
  now: number;
  /**
   * The name of the directory, which must be the run's id.
   */
  directory?: string;
}

/**
 * The state of a tnh-conductor run (seed 004).
 */
export interface ConductorRun {
  /**
   * `null` if no file contains it.
   */
  runId: string | null;
  state: string;
  /**
   * The phase that `status.json` describes, or why there is none.
   */
  phase: string;
  /**
   * The gate at which the run waits.
   */
  blocked: ConductorGate | null;
  unhealthy: { kind: "engine-heartbeat-stale"; lastHeartbeatAt: string } | null;
  /**
   * How the run ended; `null` if it has not ended. `completed` means that STOP was reached; `exitClean` is whether the
   * run ended cleanly, `null` if that is not known.
   */
  terminal: ConductorEnd | null;
  /**
   * The next step, for a run between steps.
   */
  decision: { stepId: string | null; status: string | null; nextStepId: string } | null;
  /**
   * The last decision on the next step, which may be active meanwhile. `attempt` is the number of that visit of the next
   * step: more than 1 for a retry or a refinement, `null` without events.
   */
  lastRoute: { stepId: string | null; status: string | null; nextStepId: string; attempt: number | null } | null;
  /**
   * Why the state is `unknown`.
   */
  why?: string;
  /**
   * The words of the files, verbatim.
   */
  source: Record<string, string | null>;
  /**
   * The parts that could not be read, one sentence each, with the position.
   */
  problems?: string[];
}

/// <reference lib="esnext.disposable" />
/* tslint:disable */
/* eslint-disable */

/** The content of a document: its text, its bytes, or the object that its JSON describes. */
export type Content = string | Uint8Array | ArrayBuffer | (object & { then?: never }) | { readonly [key: string]: unknown };

/** The argument of `deriveRunState`. */
export type DeriveRunStateInput = RunSignals & ComputeRunStateOptions;

export type DevToolsDelta = { version: 1; baseSeq: number; seq: number; ops: DevToolsDeltaOp[] };

export type DevToolsDeltaOp =
  | { op: "addNode"; parentId: number; index: number; node: DevToolsNode }
  | { op: "removeNode"; id: number }
  | { op: "updateProps"; id: number; props: Record<string, unknown> }
  | { op: "updateTask"; id: number; task?: DevToolsNode["task"] }
  | { op: "replaceRoot"; node: DevToolsNode };

/** A node of a snapshot. */
export type DevToolsNode = {
  id: number;
  type: string;
  name: string;
  props: Record<string, unknown>;
  task?: Record<string, unknown> & { nodeId: string };
  children: DevToolsNode[];
  depth: number;
};

/** A snapshot, version 1. */
export type DevToolsSnapshot = {
  version: 1;
  runId: string;
  frameNo: number;
  seq: number;
  root: DevToolsNode;
  runState?: RunStateView;
};

/**
 * A contradiction between answers of the server.
 */
export interface Disagreement {
  /**
   * What the answers differ about.
   */
  question: string;
  /**
   * The answers. The first is shown.
   */
  answers: DisagreementAnswer[];
  /**
   * Why they differ, if that is known.
   */
  why?: string;
}

/**
 * One of the contradicting answers.
 */
export interface DisagreementAnswer {
  /**
   * The answer verbatim.
   */
  said: string;
  /**
   * The field or document that it was read from.
   */
  readFrom: string;
}

/** A side effect could not be reverted. */
export type EffectRevertFailed = AttemptEvent<"EffectRevertFailed"> & {
  operation: string;
  kind: OpenWord<"tool" | "task">;
  toolName: string;
  seq: number;
  error: string;
};

/** A side effect was reverted. */
export type EffectRevertFinished = AttemptEvent<"EffectRevertFinished"> & {
  operation: string;
  kind: OpenWord<"tool" | "task">;
  toolName: string;
  seq: number;
};

/** The revert of a side effect started. */
export type EffectRevertStarted = AttemptEvent<"EffectRevertStarted"> & {
  operation: string;
  kind: OpenWord<"tool" | "task">;
  toolName: string;
  seq: number;
  effectStatus: OpenWord<"succeeded" | "unknown">;
};

export type EventCategory =
  | "run"
  | "node"
  | "approval"
  | "timer"
  | "tool"
  | "output"
  | "tokens"
  | "heartbeat"
  | "frame"
  | "sandbox"
  | "supervisor"
  | "time-travel"
  | "memory"
  | "reload"
  | "scorer"
  | "alert"
  | "voice"
  | "foreign";

/**
 * The numbers of lines and events of a log, of unreadable lines, repeated events, gaps and lost events.
 */
export interface EventCounts {
  /**
   * Lines, including empty ones.
   */
  lines: number;
  /**
   * Events, without repeats.
   */
  events: number;
  /**
   * Lines that could not be read.
   */
  unread: number;
  /**
   * Repeated events.
   */
  repeated: number;
  /**
   * Ranges of missing numbers.
   */
  gaps: number;
  /**
   * Missing numbers in these ranges.
   */
  lost: number;
}

/**
 * An event without its body.
 */
export interface EventFacts {
  /**
   * The number of the event in the log, the argument of `event`.
   */
  row: number;
  /**
   * The type.
   */
  type: string;
  /**
   * The category.
   */
  category: EventCategory;
  /**
   * The severity.
   */
  severity: EventSeverity;
  /**
   * When it was written; `NaN` if the time is in seconds, which counts as absent.
   */
  atMs: number;
  /**
   * The sequence number, if the log has one.
   */
  seq?: number;
  /**
   * The run's id.
   */
  runId: string;
  /**
   * The node's id, if the event is about a node.
   */
  nodeId?: string;
  /**
   * The loop iteration.
   */
  iteration: number;
  /**
   * The attempt.
   */
  attempt?: number;
}

/**
 * Selects events: those that meet all given conditions.
 */
export interface EventFilter {
  types?: string[];
  categories?: readonly EventCategory[];
  /**
   * At least this severity.
   */
  severity?: EventSeverity;
  nodeId?: string | undefined;
  runId?: string | undefined;
  /**
   * Words, separated by white space, which are all in the JSON of the event; the case of ASCII letters is ignored.
   */
  text?: string | undefined;
  /**
   * Whether gaps have rows, by default `true`.
   */
  gaps?: boolean | undefined;
}

/**
 * An event log in WebAssembly's memory. It is filled with chunks, which may end at any byte; 64 to 256 KiB are the fastest.
 */
export class EventLog {
  free(): void;
  [Symbol.dispose](): void;
  /**
   * Returns the event of a row with all its fields; `undefined` if there is no such row.
   *
   * # Errors
   * `INVALID_INPUT` if the argument is not a number from 0.
   */
  event(row: number): unknown;
  /**
   * Reads the last line, which has no line break. Chunks that are added later continue it.
   */
  finish(): void;
  /**
   * Creates an empty log.
   */
  constructor();
  /**
   * Returns the nodes of the run with this id, one item per node and iteration.
   *
   * # Errors
   * `INVALID_INPUT` if the argument is not text.
   */
  nodes(runId: string): EventLogNode[];
  /**
   * Returns the lines that could not be read, at most 1,000.
   *
   * # Errors
   * `INTERNAL`, for a defect of this package.
   */
  problems(): LineProblem[];
  /**
   * Adds a chunk of NDJSON, which may end anywhere, even within a character; or one whole event as an object.
   *
   * # Errors
   * `INVALID_INPUT` if it is neither text nor bytes nor an event as an object. Lines that cannot be read are no errors: `problems` returns them.
   */
  push(chunk: Content): void;
  /**
   * The rows from `start` to before `end` that the filter lets through.
   *
   * # Errors
   * `INVALID_INPUT`.
   */
  rows(start: number, end: number, filter?: EventFilter): EventLogPage;
}

export interface EventLog {
  /**
   * Returns the state and facts of the log's first run, as of its last event. Ages are relative to `now`, in milliseconds since
   * 1970, by default the local clock's time.
   *
   * @throws {RunstateError} `INVALID_INPUT` if an argument does not match its type, `INVALID_TIME` for a time that no `Date` can
   * represent
   */
  view(now?: number): EventLogView;
  /** Returns the same for the run with this id; `undefined` if the log has no event of it. */
  view(now: number | undefined, runId: string): EventLogView | undefined;
}

/**
 * A node in one iteration, according to the events.
 */
export interface EventLogNode {
  /**
   * The node's id.
   */
  nodeId: string;
  /**
   * The loop iteration; 0 outside loops.
   */
  iteration: number;
  /**
   * The state; absent, like `changedAtMs` and `row`, if no event reports one: heartbeats, calls and tokens do not.
   */
  state?: NodeState;
  /**
   * The node failed and will be retried; the server reports `failed` in the meantime.
   */
  retrying: boolean;
  /**
   * The number of the last attempt; of the next one if the node is retried.
   */
  attempt?: number;
  /**
   * The number of attempts that began.
   */
  starts: number;
  /**
   * When the state changed.
   */
  changedAtMs?: number;
  /**
   * When the last attempt began.
   */
  startedAtMs?: number;
  /**
   * When the node ended.
   */
  endedAtMs?: number;
  /**
   * The number of received heartbeats.
   */
  heartbeats: number;
  /**
   * When the last heartbeat was.
   */
  heartbeatAtMs?: number;
  /**
   * Events after the state change are missing, so the state may be outdated.
   */
  acrossGap: boolean;
  /**
   * The row of the event that changed the state.
   */
  row?: number;
  /**
   * Tool calls of the node in this iteration.
   */
  calls: ToolCalls;
  /**
   * Token usage of the node in this iteration.
   */
  tokens: Tokens;
}

/**
 * A page of the rows of a log.
 */
export interface EventLogPage {
  /**
   * The number of all rows that the filter selects.
   */
  total: number;
  rows: EventLogRow[];
}

/**
 * A row of a log: an event, consecutive heartbeats of one attempt, or a range of missing sequence numbers (`gap`), of
 * frames or of events. Times are milliseconds since 1970.
 */
export type EventLogRow =
  | ({ kind: "event" } & EventFacts)
  | ({ kind: "heartbeats" } & HeartbeatFacts)
  | { kind: "gap"; runId: string; frames: boolean; from: number; to: number; beforeMs: number };

/**
 * The state and the facts of a run according to its events, as of the last one. Times are milliseconds since 1970.
 */
export interface EventLogView {
  runId?: string;
  workflow?: string;
  /**
   * The state of the run when the last event was written.
   */
  state: string;
  blocked?: ReasonBlocked | { kind: string & {}; [field: string]: unknown };
  evidence: Evidence;
  /**
   * Whether events are missing after the one that determines the state.
   */
  acrossGap: boolean;
  /**
   * Why the state may be outdated.
   */
  caveats: Caveat[];
  asOfMs?: number;
  ageMs?: number;
  startedAtMs?: number;
  endedAtMs?: number;
  /**
   * The number of starts of the engine.
   */
  starts: number;
  continuedAs?: string;
  error?: string;
  /**
   * The tolerated failures of a succeeded run, as far as they are named.
   */
  failedChildren: string[];
  /**
   * The number of tolerated failures, including those that are not named.
   */
  failedChildCount: number;
  /**
   * The number of nodes in each state.
   */
  nodes: Record<string, number>;
  openApprovals: number;
  openTimers: number;
  calls: ToolCalls;
  tokens: Tokens;
  counts: EventCounts;
  otherRuns: OtherRun[];
}

export type EventSeverity = "trace" | "info" | "notice" | "warning" | "error";

/**
 * The evidence of a verdict. The inputs are in the order in which the rule reads them; `readFrom` is the file, route or
 * message that contained them, `readAtMs` the time when it was read, in milliseconds since 1970.
 */
export interface Evidence {
  /**
   * The inputs in the order in which the rule reads them.
   */
  inputs: EvidenceInput[];
  /**
   * The document read: an RPC method (`runs.get`), a document part (`runState` of the snapshot), a file name.
   */
  readFrom: string;
  /**
   * The time of reading or computing it, on the server's clock.
   */
  readAtMs?: number;
}

/** One input of a verdict. */
export interface EvidenceInput {
  name: string;
  /** The kind of `value`: a word of a vocabulary, a time or any other text. An absent input has no value. */
  kind: "absent" | "word" | "time" | "text";
  value?: EvidenceValue;
  /** The time from which the age of the input is counted, in milliseconds since 1970. */
  atMs?: number;
  /** The age in milliseconds beyond which the rule decides differently. */
  limitMs?: number;
  /** Whether the verdict depends on this input. */
  decisive: boolean;
  /** What contained it, if that is not what `readFrom` of the evidence names. */
  readFrom?: string;
}

/** A word or text, verbatim, or a time in milliseconds since 1970. */
export type EvidenceValue = number | string;

/**
 * The state of a run with the evidence for it.
 */
export interface ExplainedRunState {
  view: RunStateView;
  evidence: Evidence;
}

/**
 * The options of `exportRun`.
 */
export interface ExportOptions {
  /**
   * The time when the files were read, in milliseconds since 1970. When the export is opened, states are derived for this
   * time.
   */
  now: number;
  /**
   * The name of the file.
   */
  name?: string;
  /**
   * Additional keys whose values are secret.
   */
  redact?: readonly string[];
}

/** One document, or several files that are read together. */
export type Files = Content | readonly { name?: string; bytes: Content }[];

/** The default of `staleThresholdMs`: the age in milliseconds beyond which a heartbeat is stale. */
export const RUN_STATE_HEARTBEAT_STALE_MS: 30000;

/** The statuses that an administrator can set (ADR-0025). */
export const adminTransitionTargets: readonly ["failed", "aborted", "cancelled"];

/** The state of a run as a server wrote it, possibly with words that Runstate does not know. */
export type ForeignRunStateView = Omit<RunStateView, "computedAt" | "state" | "blocked" | "unhealthy"> & {
  /** ISO 8601; absent if the document does not contain it, as in the output of `smithers ps`. */
  computedAt?: string;
  state: RunState | (string & {});
  blocked?: ReasonBlocked | { kind: string & {}; [field: string]: unknown };
  unhealthy?: ReasonUnhealthy | { kind: string & {}; [field: string]: unknown };
};

/** A frame was rendered and stored. */
export type FrameCommitted = RunEvent<"FrameCommitted"> & { frameNo: number; xmlHash: string; trigger?: unknown };

/**
 * A call to a Gateway.
 */
export interface GatewayCall {
  method: string;
  params: Record<string, unknown>;
}

/** The workflow as rendered for a frame. */
export type GraphSnapshot = { runId: string; frameNo: number; xml: XmlNode | null; tasks: TaskDescriptor[] };

/**
 * The content of the panel's header.
 */
export interface Header {
  /**
   * The text of the heading: the workflow, else the run's id.
   */
  name: string;
  /**
   * The word of the state, as `inspect` returns it: verbatim, or status and health of a session: `stale running`.
   */
  state?: string;
  /**
   * The kind of the reason why the run waits, as in `ReasonBlocked`.
   */
  blocked?: string;
  /**
   * The kind of the problem with the run's liveness, as in `ReasonUnhealthy`.
   */
  unhealthy?: string;
  /**
   * The label of the state: `Run state`, `Status`, `State`.
   */
  label: string;
  /**
   * The vocabulary of the state.
   */
  taxonomy: Taxonomy;
  answer: Answer;
  /**
   * Facts besides the state, each with a pill: health, delivery, phase.
   */
  axes: HeaderAxis[];
  /**
   * The possible actions, the most urgent first.
   */
  actions: HeaderAction[];
  /**
   * The fields that identify the run.
   */
  fields: HeaderField[];
  /**
   * The inputs of the verdict, in words.
   */
  evidence: HeaderEvidence[];
  /**
   * The age of the data, as a pill.
   */
  freshness?: StatePill;
  /**
   * The parts of the document that could not be read or joined, one sentence each.
   */
  problems: string[];
}

/**
 * An action that a person can take.
 */
export interface HeaderAction {
  kind: string;
  sentence: string;
  /**
   * The command for it.
   */
  command?: string;
  /**
   * The Gateway's method for it, with its parameters.
   */
  call?: string;
}

/**
 * A pill next to that of the state.
 */
export interface HeaderAxis {
  /**
   * The stable name: `health`, `delivery`.
   */
  field: string;
  /**
   * The displayed name.
   */
  label: string;
  taxonomy: Taxonomy;
  pill?: StatePill;
}

/**
 * One input of the verdict, in words.
 */
export interface HeaderEvidence {
  /**
   * The input.
   */
  name: string;
  /**
   * Its value.
   */
  value: string;
  /**
   * Whether the value is a word of a system, verbatim.
   */
  code: boolean;
  /**
   * Its age when the verdict was made, as text; empty if it has none.
   */
  age: string;
  /**
   * The age beyond which the rule decides differently, as text; empty if there is none.
   */
  limit: string;
  /**
   * Whether the verdict depends on this input.
   */
  decisive: boolean;
  /**
   * The document or method that it was read from.
   */
  readFrom: string;
  /**
   * When it was read, as text.
   */
  readAt?: string;
}

/**
 * A field that identifies the run.
 */
export interface HeaderField {
  /**
   * The stable name: `runId`, `workflow`.
   */
  field: string;
  /**
   * The displayed name.
   */
  label: string;
  /**
   * Whether the text is an id, prose, a word of a system (`code`) or a time.
   */
  kind: "id" | "text" | "code" | "time";
  text: string;
  /**
   * A time in ISO 8601.
   */
  iso?: string;
}

/** The options of `header`: the run, and the options of `inspect`. */
export type HeaderOptions = InspectOptions & HeaderRun;

/**
 * The run of a header.
 */
export interface HeaderRun {
  /**
   * The id of a run, session or play in a list; without it, the document's only run.
   */
  run?: string;
}

/** The signals of `classifyHealth`. `now`, in seconds since 1970, is the time up to which the session has been silent. */
export type HealthProbe = Omit<LionagiSignals, "now" | "health"> & { now: number };

/**
 * The health of a session.
 */
export interface HealthVerdict {
  /**
   * The health.
   */
  health: SessionHealth;
  /**
   * The rank of the health, from 0 (best) to 5 (worst).
   */
  severity: number;
  /**
   * The seconds after which a silent session is no longer healthy.
   */
  threshold: number;
  /**
   * The inputs of the health. Their source is the caller's.
   */
  evidence: Evidence;
}

/**
 * Consecutive heartbeats: the first one, the time of the last one, and their number.
 */
export interface HeartbeatFacts extends EventFacts {
  lastAtMs: number;
  count: number;
}

/**
 * The frames of a run, with their differences and milestones. Messages are JSON, as text or bytes; `atMs` is the time when
 * a message was received, in milliseconds since 1970.
 */
export class History {
  free(): void;
  [Symbol.dispose](): void;
  /**
   * Returns the differences between two frames.
   *
   * # Errors
   * `NO_FRAME` if the history does not contain one of them, `INVALID_INPUT` if an argument is not a number.
   */
  diff(from: number, to: number): HistoryDiff;
  /**
   * Returns the frame with this number.
   *
   * # Errors
   * `NO_FRAME` if the history does not contain it, `INVALID_INPUT` if the argument is not a number.
   */
  frame(number: number): HistoryFrame;
  /**
   * Returns the numbers of the known frames, the oldest first.
   */
  frames(): Float64Array;
  /**
   * Returns the milestones in the order of their frames.
   *
   * # Errors
   * `INTERNAL`, for a defect of this package.
   */
  milestones(): HistoryMilestone[];
  /**
   * Creates a history without frames.
   */
  constructor();
  /**
   * Adds a delta of the live stream; returns its effect on the history.
   *
   * # Errors
   * `InvalidDelta` if it is malformed or does not follow the newest frame; the history does not change. `INVALID_INPUT`
   * if an argument does not match its type.
   */
  pushDelta(delta: Content, atMs: number): HistoryStep;
  /**
   * Adds an event of the run, which reports the state of a node at the time of the event.
   *
   * # Errors
   * `INVALID_INPUT` if it is not an event.
   */
  pushEvent(event: Content): void;
  /**
   * Adds a frame that was requested by its number. Its states are omitted: they are those of the time of the request, not
   * of the frame.
   *
   * # Errors
   * `INVALID_INPUT` with the position in the text.
   */
  pushFrame(snapshot: Content): void;
  /**
   * Adds a snapshot of the live stream; returns its effect on the history.
   *
   * # Errors
   * `INVALID_INPUT` with the position in the text.
   */
  pushSnapshot(snapshot: Content, atMs: number): HistoryStep;
}

/**
 * One difference, as a sentence about a node.
 */
export interface HistoryChange {
  /**
   * The node's id in snapshots.
   */
  id: number;
  title: string;
  sentence: string;
}

/**
 * The differences between two frames.
 */
export interface HistoryDiff {
  from: number;
  to: number;
  changes: HistoryChange[];
  /**
   * A sentence about states that are not known, if there are any.
   */
  caveat?: string;
}

/**
 * A frame: the structure and the states of the tree at its time. `atMs` is in milliseconds since 1970.
 */
export interface HistoryFrame {
  number: number;
  atMs?: number;
  /**
   * Whether it was received in the live stream; otherwise it was requested later.
   */
  streamed: boolean;
  /**
   * The number of nodes whose state at that time was not reported.
   */
  statesNotKnown: number;
  nodes: HistoryNode[];
}

/**
 * A milestone of a run, such as a failure of a node. `atMs` is in milliseconds since 1970.
 */
export interface HistoryMilestone {
  /**
   * The number of the frame; 0 before the first one.
   */
  frame: number;
  atMs?: number;
  sentence: string;
}

/**
 * A node of a frame; the nodes are in preorder.
 */
export interface HistoryNode {
  /**
   * The node's id in snapshots.
   */
  id: number;
  title: string;
  depth: number;
  /**
   * The state at the time of the frame; absent if it is not known, and for nodes without a state.
   */
  state?: string;
  attempt?: number;
  saidBy?: HistorySource;
  /**
   * `false` for a node whose state at that time was not reported.
   */
  known: boolean;
}

/**
 * The source of a node's state at the time of a frame.
 */
export type HistorySource = "stream" | "events";

/**
 * The effect of a message of the stream on the history: a new frame (`forward`), the same frame again (`again`), a rewind
 * of the run from the frame `from` (`rewound`), or none, because the message is older than the newest frame (`old`).
 */
export type HistoryStep = { kind: "forward" } | { kind: "again" } | { kind: "rewound"; from: number } | { kind: "old" };

export type InitInput = RequestInfo | URL | Response | BufferSource | WebAssembly.Module;

/**
 * The options of `inspect`.
 */
export interface InspectOptions {
  /**
   * The name of the file.
   */
  name?: string;
  /**
   * The time for which states are derived, in milliseconds since 1970; by default the local clock's.
   */
  now?: number;
  /**
   * The maximum error of `now` in milliseconds, by default 0; `Infinity` if it is not bounded.
   */
  errorMs?: number;
  /**
   * Whether the document was received just now and describes the present; by default it describes the time when it was
   * written.
   */
  live?: boolean;
}

/**
 * The content of a document, or of several files that belong together; `system` distinguishes the three types.
 */
export type Inspection = SmithersInspection | LionagiInspection | ConductorInspection;

/** The error for a delta that is malformed or does not fit the snapshot. */
export class InvalidDeltaError extends Error {
  constructor(message: string);
  readonly code: "InvalidDelta";
}

export type KnownSmithersErrorCode =
  | "INVALID_INPUT"
  | "MISSING_INPUT"
  | "MISSING_INPUT_TABLE"
  | "RESUME_METADATA_MISMATCH"
  | "UNKNOWN_OUTPUT_SCHEMA"
  | "INVALID_OUTPUT"
  | "WORKTREE_CREATE_FAILED"
  | "VCS_NOT_FOUND"
  | "SNAPSHOT_NOT_FOUND"
  | "TIME_TRAVEL_SIDE_EFFECT_BLOCKED"
  | "VCS_WORKSPACE_CREATE_FAILED"
  | "TASK_TIMEOUT"
  | "TASK_HIJACK_UNSUPPORTED"
  | "TASK_FORK_SOURCE_NOT_COMPLETE"
  | "TASK_FORK_SESSION_UNAVAILABLE"
  | "RUN_NOT_FOUND"
  | "NODE_NOT_FOUND"
  | "SANDBOX_BUNDLE_INVALID"
  | "SANDBOX_BUNDLE_TOO_LARGE"
  | "WORKFLOW_EXECUTION_FAILED"
  | "SANDBOX_EXECUTION_FAILED"
  | "TASK_HEARTBEAT_TIMEOUT"
  | "HEARTBEAT_PAYLOAD_TOO_LARGE"
  | "HEARTBEAT_PAYLOAD_NOT_JSON_SERIALIZABLE"
  | "TASK_ABORTED"
  | "RUN_CANCELLED"
  | "RUN_NOT_RESUMABLE"
  | "RUN_OWNER_ALIVE"
  | "RUN_STILL_RUNNING"
  | "RUN_RESUME_CLAIM_LOST"
  | "RUN_RESUME_CLAIM_FAILED"
  | "RUN_RESUME_ACTIVATION_FAILED"
  | "AUTO_RESUME_GAVE_UP"
  | "RUN_HIJACKED"
  | "CONTINUATION_STATE_TOO_LARGE"
  | "INVALID_CONTINUATION_STATE"
  | "RALPH_MAX_REACHED"
  | "SCHEDULER_ERROR"
  | "SESSION_ERROR"
  | "TASK_EMPTY_PROMPT"
  | "WORKFLOW_RENDER_FAILED"
  | "BOUND_STALE"
  | "TASK_FORK_SOURCE_NOT_FOUND"
  | "TASK_FORK_CYCLE"
  | "TASK_ID_REQUIRED"
  | "TASK_MISSING_OUTPUT"
  | "DUPLICATE_ID"
  | "NESTED_LOOP"
  | "WORKTREE_EMPTY_PATH"
  | "MDX_PRELOAD_INACTIVE"
  | "CONTEXT_OUTSIDE_WORKFLOW"
  | "MISSING_OUTPUT"
  | "DEP_NOT_SATISFIED"
  | "ASPECT_BUDGET_EXCEEDED"
  | "APPROVAL_OUTSIDE_TASK"
  | "APPROVAL_OPTIONS_REQUIRED"
  | "WORKFLOW_MISSING_DEFAULT"
  | "WORKFLOW_NOT_BUILT"
  | "INVALID_EVENTS_OPTIONS"
  | "SMITHERS_MIGRATION_REQUIRED"
  | "SMITHERS_BACKEND_CONFLICT"
  | "WORKFLOW_EXISTS"
  | "CLI_DB_NOT_FOUND"
  | "CLI_AGENT_UNSUPPORTED"
  | "TOOL_PATH_INVALID"
  | "TOOL_PATH_ESCAPE"
  | "TOOL_FILE_TOO_LARGE"
  | "TOOL_CONTENT_TOO_LARGE"
  | "TOOL_PATCH_TOO_LARGE"
  | "TOOL_PATCH_FAILED"
  | "TOOL_NETWORK_DISABLED"
  | "TOOL_GIT_REMOTE_DISABLED"
  | "TOOL_COMMAND_FAILED"
  | "TOOL_GREP_FAILED"
  | "AGENT_CLI_ERROR"
  | "AGENT_QUOTA_EXCEEDED"
  | "AGENT_CONFIG_INVALID"
  | "AGENT_RPC_FILE_ARGS"
  | "AGENT_BUILD_COMMAND"
  | "AGENT_DIAGNOSTIC_TIMEOUT"
  | "ACCOUNT_INVALID"
  | "ACCOUNT_NOT_FOUND"
  | "ACCOUNT_DUPLICATE_LABEL"
  | "ACCOUNTS_FILE_INVALID"
  | "PI_HTTP_ERROR"
  | "EXTERNAL_BUILD_FAILED"
  | "SCHEMA_DISCOVERY_FAILED"
  | "OPENAPI_SPEC_LOAD_FAILED"
  | "OPENAPI_OPERATION_NOT_FOUND"
  | "OPENAPI_TOOL_EXECUTION_FAILED"
  | "DB_MISSING_COLUMNS"
  | "DB_REQUIRES_BUN_SQLITE"
  | "DB_QUERY_FAILED"
  | "DB_WRITE_FAILED"
  | "PG_POOL_SATURATED"
  | "STORAGE_ERROR"
  | "INTERNAL_ERROR"
  | "PROCESS_ABORTED"
  | "PROCESS_TIMEOUT"
  | "PROCESS_IDLE_TIMEOUT"
  | "PROCESS_SPAWN_FAILED"
  | "TASK_RUNTIME_UNAVAILABLE"
  | "SINGLE_RUNNER_BUSY"
  | "SINGLE_RUNNER_CLOSED"
  | "SCHEMA_CHANGE_HOT"
  | "HOT_OVERLAY_FAILED"
  | "HOT_RELOAD_INVALID_MODULE"
  | "SCORER_FAILED";

/**
 * A line that could not be read.
 */
export interface LineProblem {
  code: string;
  message: string;
  position: Position;
}

/**
 * The result of `inspect` for a lionagi document: a response of Studio, or the output of `li`.
 */
export interface LionagiInspection {
  system: "lionagi";
  recognised: LionagiRecognised;
  /**
   * The document's only session; absent if the document is a list or an error.
   */
  session?: SessionInspection;
  sessions: SessionInspection[];
  shows: Show[];
  plays: Play[];
  /**
   * The number of sessions with each stored status; the key `(null)` stands for NULL.
   */
  statusCounts: Record<string, number>;
  refusal?: Refusal;
  problems: string[];
}

export type LionagiRecognised =
  | "session"
  | "session-list"
  | "admin-health"
  | "doctor"
  | "invocation"
  | "invocation-list"
  | "agent-status"
  | "lifecycle"
  | "stats"
  | "show"
  | "show-list"
  | "play-list"
  | "message-stream"
  | "signal-stream"
  | "session-part"
  | "error-response";

/** The row of a session as lionagi writes it. Times are seconds since 1970; a row may have other columns. */
export type LionagiSession = {
  status?: string | null;
  invocation_kind?: string | null;
  message_count?: number | null;
  last_message_at?: number | null;
  updated_at?: number | null;
  started_at?: number | null;
  effective_health?: string | null;
  [column: string]: unknown;
};

/** Facts that a row does not contain. `now` is in seconds since 1970. */
export type LionagiSignals = {
  now?: number | null;
  processAlive?: boolean | null;
  hasArtifacts?: boolean | null;
  hasStaleLocks?: boolean | null;
  /** The session's health, if it is already known. */
  health?: string | null;
};

/**
 * A run in a list; `header` returns the other facts. Times are milliseconds since 1970.
 */
export interface ListedRun {
  runId?: string;
  workflow?: string;
  createdAtMs?: number;
  startedAtMs?: number;
  finishedAtMs?: number;
  parentRunId?: string;
  verdict: Verdict;
  /**
   * The number of nodes in each state, as the server counted them.
   */
  summary: Record<string, number>;
  /**
   * The server's message about the failure of the run.
   */
  error?: string;
  /**
   * Whether the row's status is `continued`: the work goes on in another run.
   */
  continued: boolean;
  answer: Answer;
}

export type MaybePromise<T> = T | PromiseLike<T>;

/** A fact was stored in memory. */
export type MemoryFactSet = RunEvent<"MemoryFactSet"> & { namespace: string; key: string };

/** A message was stored in memory. */
export type MemoryMessageSaved = RunEvent<"MemoryMessageSaved"> & { threadId: string; role: string };

/** Memory was queried. */
export type MemoryRecalled = RunEvent<"MemoryRecalled"> & { namespace: string; query: string; resultCount: number };

/** The task was cancelled, or left the tree. */
export type NodeCancelled = NodeEvent<"NodeCancelled"> & { reason?: string };

/** The fields of every event of a node. */
type NodeEvent<Type extends string> = RunEvent<Type> & { nodeId: string; iteration: number };

/**
 * A node of a tree. Fields that the snapshot does not contain are absent.
 */
export interface NodeFacts {
  /**
   * The node's id in snapshots.
   */
  id: number;
  type: string;
  name: string;
  /**
   * The displayed name of the node.
   */
  title: string;
  /**
   * The id that the workflow's author chose.
   */
  nodeId?: string;
  label?: string;
  state?: string;
  iteration?: number;
  attempt?: number;
  maxAttempts?: number;
}

/** An attempt failed. */
export type NodeFailed = AttemptEvent<"NodeFailed"> & { error: unknown };

/** An attempt succeeded. */
export type NodeFinished = AttemptEvent<"NodeFinished">;

/** Output of an agent. */
export type NodeOutput = AttemptEvent<"NodeOutput"> & { text: string; stream: OpenWord<"stdout" | "stderr"> };

/** The response to `getNodeOutput`. */
export type NodeOutputResponse = {
  status: OpenWord<"produced" | "pending" | "failed">;
  row?: unknown;
  schema?: {
    fields: {
      name: string;
      type: OpenWord<"string" | "number" | "boolean" | "object" | "array" | "null" | "unknown">;
      optional: boolean;
      nullable: boolean;
      description?: string;
      enum?: unknown[];
    }[];
  } | null;
  partial?: unknown;
  error?: { name?: string; code?: string; message: string; attempt?: number } | null;
};

/** A task was added and has not started. */
export type NodePending = NodeEvent<"NodePending">;

/** Another attempt will start; `attempt` is its number. */
export type NodeRetrying = AttemptEvent<"NodeRetrying">;

/**
 * A node in one iteration.
 */
export interface NodeRound {
  /**
   * The node's id as the workflow author wrote it.
   */
  nodeId: string;
  /**
   * The iteration of a loop; 0 outside loops.
   */
  iteration: number;
}

/**
 * A node of the run; `iteration` is 0 if missing.
 */
export interface NodeRow {
  nodeId: string;
  iteration?: number | null;
  state?: string | null;
}

/** The task was skipped. */
export type NodeSkipped = NodeEvent<"NodeSkipped">;

/** An attempt started. */
export type NodeStarted = AttemptEvent<"NodeStarted"> & { childRunId?: string };

export type NodeState =
  | "pending"
  | "in-progress"
  | "waiting-approval"
  | "waiting-event"
  | "waiting-timer"
  | "waiting-quota"
  | "waiting-bound"
  | "bound-stale"
  | "finished"
  | "failed"
  | "cancelled"
  | "skipped";

/**
 * The state of a node, as the server listed it. Times are milliseconds since 1970.
 */
export interface NodeStatus {
  nodeId: string;
  iteration: number;
  state: string;
  lastAttempt?: number;
  label?: string;
  updatedAtMs?: number;
  startedAtMs?: number;
  finishedAtMs?: number;
}

/** The task waits for an approval. */
export type NodeWaitingApproval = NodeEvent<"NodeWaitingApproval"> & { request?: unknown };

/** The task waits for a timer. */
export type NodeWaitingTimer = NodeEvent<"NodeWaitingTimer"> & { firesAtMs: number };

/** Why a session has its severity. */
export interface NormalizedReason {
  code: string;
  message: string;
  claim_status: string;
  entity_type: "session";
  entity_id: string | null;
  evidence: EvidenceInput[];
}

/**
 * The normalized state of a session by ADR-0033, with the keys of the ADR. `evaluated_at` is in seconds since 1970;
 * `source` tells that a viewer computed it.
 */
export interface NormalizedState {
  lifecycle: string | null;
  outcome: string | null;
  health: string | null;
  delivery: string | null;
  severity: Severity;
  tone: SeverityTone;
  reasons: NormalizedReason[];
  evaluated_at: number | null;
  policy_version: string;
  source: string;
}

/** A one-shot run could not be restarted. */
export type OneshotRestartFailed = RunEvent<"OneshotRestartFailed"> & { restartedAsRunId: string; error: string };

/** A one-shot run was restarted as another run. */
export type OneshotRestartLaunched = RunEvent<"OneshotRestartLaunched"> & { restartedAsRunId: string; pid?: number };

/** A restart of a one-shot run was requested. */
export type OneshotRestartRequested = RunEvent<"OneshotRestartRequested"> & { restartedAsRunId: string; priorStatus: string };

/** The agent acknowledged a message. */
export type OneshotSteerAcknowledged = RunEvent<"OneshotSteerAcknowledged"> & {
  messageId: string;
  engine: string;
  delivery: OpenWord<"queued" | "delivered" | "agent-acked" | "failed">;
};

/** A message was delivered to the agent. */
export type OneshotSteerDelivered = RunEvent<"OneshotSteerDelivered"> & {
  messageId: string;
  engine: string;
  delivery: OpenWord<"queued" | "delivered" | "agent-acked" | "failed">;
};

/** A message was not delivered. */
export type OneshotSteerFailed = RunEvent<"OneshotSteerFailed"> & {
  messageId: string;
  message?: string;
  engine?: string;
  delivery: OpenWord<"queued" | "delivered" | "agent-acked" | "failed">;
  error: string;
  resumed?: boolean;
  recoveryError?: string;
};

/** A message for a running agent was queued. */
export type OneshotSteerQueued = RunEvent<"OneshotSteerQueued"> & {
  messageId: string;
  message: string;
  engine: string;
  delivery: OpenWord<"queued" | "delivered" | "agent-acked" | "failed">;
};

/** A tool made from an `OpenAPI` description was called. */
export type OpenApiToolCalled = RunEvent<"OpenApiToolCalled"> & {
  operationId: string;
  method: string;
  path: string;
  durationMs: number;
  status: OpenWord<"success" | "error">;
};

/** A word of a vocabulary, or one that Runstate does not know. */
type OpenWord<Word extends string> = Word | (string & {});

/**
 * Another run in the same log.
 */
export interface OtherRun {
  /**
   * Its id.
   */
  runId: string;
  /**
   * Its state when its last event was written.
   */
  state: string;
}

/**
 * The reason why a run waits for an event although no node does.
 */
export interface ParkedEventBlock {
  kind: ParkedKind;
  /**
   * Required for `approval-decided-resume-required`.
   */
  nodeId?: string;
}

/**
 * The kinds of `ParkedEventBlock`.
 */
export type ParkedKind = "approval-decided-resume-required" | "external-trigger";

/**
 * A pending approval. `requestedAtMs` is in milliseconds since 1970.
 */
export interface PendingApproval {
  nodeId: string;
  requestedAtMs: number;
}

/**
 * The event that the run waits for.
 */
export interface PendingEvent {
  nodeId: string;
  correlationKey: string;
}

/**
 * The timer that fires next. `firesAtMs` is in milliseconds since 1970.
 */
export interface PendingTimer {
  nodeId: string;
  firesAtMs: number;
}

/**
 * The label of a state word, for the screen and for screen readers.
 */
export interface Pill {
  /**
   * The text on the pill; an unknown word is in quotes.
   */
  label: string;
  /**
   * The sentence for screen readers, which begins with the name of the field.
   */
  spoken: string;
  /**
   * The tone.
   */
  tone: Tone;
  /**
   * The name of a Lucide icon.
   */
  icon: string;
  /**
   * Whether the word is in the vocabulary.
   */
  known: boolean;
  /**
   * Whether the border is dotted: the word is older than the vocabulary.
   */
  dotted: boolean;
}

/**
 * A play of a show: the work of one session, which a gate accepts or refuses. Times are milliseconds since 1970.
 */
export interface Play {
  /**
   * The name of its show.
   */
  topic: string;
  /**
   * Its name within the show.
   */
  name: string;
  /**
   * Its status; `None` if the server sent none.
   */
  status?: string;
  /**
   * The session that works on it.
   */
  sessionId?: string;
  /**
   * The number of the attempt, from 1.
   */
  attempt?: number;
  /**
   * The message of its gate.
   */
  feedback?: string;
  /**
   * The server's error when it could not read the play.
   */
  liveError?: string;
  /**
   * When it started.
   */
  startedAtMs?: number;
  /**
   * When it was last written.
   */
  updatedAtMs?: number;
  /**
   * When it ended.
   */
  endedAtMs?: number;
  /**
   * The evidence of its status.
   */
  evidence: Evidence;
}

/**
 * A position in a document or in an argument. Lines and columns count from 1.
 */
export interface Position {
  line?: number;
  column?: number;
  path?: string;
}

/** The connection to a model provider was lost. */
export type ProviderDisconnected = AttemptEvent<"ProviderDisconnected"> & { engine: string };

/** The connection to a model provider was restored. */
export type ProviderReconnected = AttemptEvent<"ProviderReconnected"> & { engine: string };

/** Documents were added to a store. */
export type RagIngested = RunEvent<"RagIngested"> & { documentCount: number; chunkCount: number; namespace: string };

/** A store was searched. */
export type RagRetrieved = RunEvent<"RagRetrieved"> & { query: string; resultCount: number; namespace: string; topScore: number };

/**
 * What a run waits for. Times are ISO 8601, except `resetAtMs`: milliseconds since 1970.
 */
export type ReasonBlocked =
  | { kind: "approval"; nodeId: string; requestedAt: string }
  | { kind: "event"; nodeId: string; correlationKey: string }
  | { kind: "timer"; nodeId: string; wakeAt: string }
  | { kind: "provider"; nodeId: string; code: string }
  | { kind: "tool"; nodeId: string; toolName: string; code: string }
  | { kind: "approval-decided-resume-required"; nodeId: string }
  | { kind: "external-trigger" }
  | { kind: "quota"; quotaBlockedCount: number; resetAtMs?: number };

/**
 * A problem with the liveness of a run. Times are ISO 8601; `overdueMs` is in milliseconds.
 */
export type ReasonUnhealthy =
  | { kind: "engine-heartbeat-stale"; lastHeartbeatAt: string }
  | { kind: "timer-overdue"; wakeAt: string; overdueMs: number }
  | { kind: "ui-heartbeat-stale"; lastSeenAt: string }
  | { kind: "db-lock" }
  | { kind: "sandbox-unreachable" }
  | { kind: "supervisor-backoff"; attempt: number; nextAt: string };

export type Recognised =
  | "run-state"
  | "run"
  | "run-list"
  | "snapshot"
  | "inspect-output"
  | "why-output"
  | "status-output"
  | "error-response"
  | "gateway"
  | "answers"
  | "traffic"
  | "websocket-capture"
  | "event-log";

/**
 * An error that a server returned. It is not a state.
 */
export interface Refusal {
  /**
   * The code, verbatim: `NOT_FOUND`, `RunNotFound`, `RUN_NOT_FOUND`, …
   */
  code: string;
  /**
   * The server's message.
   */
  message: string;
  /**
   * The requested method, if the document has it.
   */
  method?: string;
}

/** The run replays a frame of another run. */
export type ReplayStarted = RunEvent<"ReplayStarted"> & { parentRunId: string; parentFrameNo: number; restoreVcs: boolean };

/**
 * The panel's description of a Smithers run.
 */
export interface Report {
  answer: Answer;
  /**
   * The number of tolerated failures of a succeeded run; 0 for any other run.
   */
  toleratedFailures: number;
  /**
   * One sentence for each fact that the state hides; `answer.notes` contains those that the answer does not mention
   * otherwise.
   */
  hidden: string[];
  witnessComparison: RunWitnessComparison;
  /**
   * The possible actions, the most urgent first: now for a `live` document, else at the time when it was written.
   */
  actions: Action[];
}

export type RetryBackoff = "fixed" | "linear" | "exponential";

/** The delay before a failed task is tried again. */
export type RetryPolicy = { backoff?: OpenWord<RetryBackoff>; initialDelayMs?: number };

/** The retry was prepared, with or without success. */
export type RetryTaskFinished = NodeEvent<"RetryTaskFinished"> & { resetNodes: string[]; success: boolean; error?: string };

/** The parameters of `retryTask`. */
export type RetryTaskOptions = {
  runId: string;
  nodeId: string;
  iteration?: number;
  resetDependents?: boolean;
  force?: boolean;
};

/** The response to `retryTask`. */
export type RetryTaskResult = { success: boolean; resetNodes: string[]; error?: string };

/** A retry of a task started. */
export type RetryTaskStarted = NodeEvent<"RetryTaskStarted"> & { resetDependents: boolean; resetNodes: string[] };

/** The revert ended, with or without success. */
export type RevertFinished = AttemptEvent<"RevertFinished"> & { jjPointer: string; success: boolean; error?: string };

/** A revert of files to an earlier change started. */
export type RevertStarted = AttemptEvent<"RevertStarted"> & { jjPointer: string };

/** The supervisor did not resume a stale run. */
export type RunAutoResumeSkipped = RunEvent<"RunAutoResumeSkipped"> & {
  reason: OpenWord<"pid-alive" | "missing-workflow" | "rate-limited">;
};

/** The supervisor resumed a stale run. */
export type RunAutoResumed = RunEvent<"RunAutoResumed"> & { lastHeartbeatAtMs?: number; staleDurationMs: number };

/** The run was cancelled. */
export type RunCancelled = RunEvent<"RunCancelled">;

/** Another run continues this one. */
export type RunContinuedAsNew = RunEvent<"RunContinuedAsNew"> & {
  iteration: number;
  newRunId: string;
  carriedStateSize: number;
  ancestryDepth?: number;
};

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

/** The run failed. */
export type RunFailed = RunEvent<"RunFailed"> & { error: unknown };

/** The run succeeded. */
export type RunFinished = RunEvent<"RunFinished"> & { failedChildren?: number; failedChildKeys?: string[] };

/** The run was forked from a frame of another run. */
export type RunForked = RunEvent<"RunForked"> & { parentRunId: string; parentFrameNo: number; branchLabel?: string };

/** A takeover of an agent was requested. */
export type RunHijackRequested = RunEvent<"RunHijackRequested"> & { target?: string };

/** An agent was taken over. */
export type RunHijacked = AttemptEvent<"RunHijacked"> & {
  engine: string;
  mode: OpenWord<"native-cli" | "conversation">;
  resume?: string;
  cwd: string;
};

/**
 * All facts about a run. Times are milliseconds since 1970.
 */
export interface RunInspection extends Report {
  runId?: string;
  workflow?: string;
  frameNo?: number;
  seq?: number;
  createdAtMs?: number;
  startedAtMs?: number;
  finishedAtMs?: number;
  parentRunId?: string;
  verdict: Verdict;
  /**
   * The number of nodes in each state, as the server counted them.
   */
  summary: Record<string, number>;
  /**
   * The state of each node, as the server listed them; empty if the document has no such list.
   */
  nodes: NodeStatus[];
  /**
   * The tree of nodes.
   */
  tree?: TreeNode;
  /**
   * The server's message about the failure of the run.
   */
  error?: string;
  /**
   * The tolerated failures of a succeeded run, as far as they are named.
   */
  failedChildren: string[];
  /**
   * Whether the row's status is `continued`: the work goes on in another run.
   */
  continued: boolean;
  /**
   * What blocks the run according to `smithers why`; empty if its output was not read.
   */
  reportedBlockers: WhyEntry[];
}

/** The result of a run that ended, or the status of one that waits. */
export type RunResult = { runId: string; status: string; output?: unknown; error?: unknown };

/**
 * The columns of a run row that the rule reads; a row may have others. Times are milliseconds since 1970.
 */
export interface RunRow {
  runId: string;
  status?: string | null;
  startedAtMs?: number | null;
  heartbeatAtMs?: number | null;
  runtimeOwnerId?: string | null;
  /**
   * JSON text; for a run in `waiting-quota`, the quota's numbers.
   */
  errorJson?: string | null;
}

/**
 * The run row with the signals that the caller has read: what the run waits for, and the heartbeats of its sandboxes.
 */
export interface RunSignals {
  run: RunRow;
  pendingApproval?: PendingApproval | null;
  pendingTimer?: PendingTimer | null;
  pendingEvent?: PendingEvent | null;
  parkedEventBlock?: ParkedEventBlock | null;
  /**
   * The last heartbeats of the active sandboxes, in milliseconds since 1970.
   */
  sandboxHeartbeats?: readonly number[];
}

/** The engine started or resumed the run. */
export type RunStarted = RunEvent<"RunStarted">;

export type RunState =
  | "running"
  | "waiting-approval"
  | "waiting-event"
  | "waiting-timer"
  | "waiting-quota"
  | "paused"
  | "recovering"
  | "stale"
  | "orphaned"
  | "failed"
  | "cancelled"
  | "succeeded"
  | "unknown";

/**
 * The source of the rows for `computeRunState`. Each method returns the rows or a promise of them; times are milliseconds since 1970.
 */
export type RunStateAdapter = {
  getRun(runId: string): MaybePromise<RunRow | null | undefined>;
  listPendingApprovals(runId: string): MaybePromise<readonly ApprovalRow[]>;
  listNodes(runId: string): MaybePromise<readonly NodeRow[]>;
  /** The attempts at a node, the newest first. */
  listAttempts(runId: string, nodeId: string, iteration: number): MaybePromise<readonly AttemptRow[]>;
  /** Optional: without it, sandboxes do not affect the state. */
  listSandboxes?(runId: string): MaybePromise<readonly (SandboxRow | null)[]>;
};

/** The derived state changed; reserved, not sent by 0.32. */
export type RunStateChanged = RunEvent<"RunStateChanged"> & {
  before: OpenWord<
    | "running"
    | "waiting-approval"
    | "waiting-event"
    | "waiting-timer"
    | "waiting-quota"
    | "paused"
    | "recovering"
    | "stale"
    | "orphaned"
    | "failed"
    | "cancelled"
    | "succeeded"
    | "unknown"
  >;
  after: OpenWord<
    | "running"
    | "waiting-approval"
    | "waiting-event"
    | "waiting-timer"
    | "waiting-quota"
    | "paused"
    | "recovering"
    | "stale"
    | "orphaned"
    | "failed"
    | "cancelled"
    | "succeeded"
    | "unknown"
  >;
};

/**
 * The state of a run (seed 000). Times are ISO 8601. The keys are in this order, without those that do not apply.
 */
export interface RunStateView {
  runId: string;
  computedAt?: string;
  state: RunState;
  blocked?: ReasonBlocked;
  unhealthy?: ReasonUnhealthy;
}

export type RunStatus =
  | "running"
  | "waiting-approval"
  | "waiting-event"
  | "waiting-timer"
  | "waiting-quota"
  | "paused"
  | "finished"
  | "continued"
  | "failed"
  | "cancelled";

/** The status column changed. */
export type RunStatusChanged = RunEvent<"RunStatusChanged"> & {
  status: OpenWord<
    | "running"
    | "waiting-approval"
    | "waiting-event"
    | "waiting-timer"
    | "waiting-quota"
    | "paused"
    | "finished"
    | "continued"
    | "failed"
    | "cancelled"
  >;
};

/**
 * The state of a run according to one source, with its evidence.
 */
export interface RunWitness {
  source: WitnessSource;
  state: RunState | (string & {});
  /**
   * The time that the state refers to, on the server's clock, in milliseconds since 1970.
   */
  atMs?: number;
  evidence: Evidence;
}

/**
 * The witnesses of the run's state, compared.
 */
export type RunWitnessComparison = WitnessComparison<RunWitness>;

/** The type of all errors of this package. The README lists the codes. */
export type RunstateError = Error & { code: string; hint?: string; position?: Position };

/** The results of a sandbox were received. */
export type SandboxBundleReceived = RunEvent<"SandboxBundleReceived"> & {
  sandboxId: string;
  bundleSizeBytes: number;
  patchCount: number;
  hasOutputs: boolean;
};

/** A sandbox ended. */
export type SandboxCompleted = RunEvent<"SandboxCompleted"> & {
  sandboxId: string;
  remoteRunId?: string;
  runtime: OpenWord<"bubblewrap" | "docker" | "codeplane">;
  status: OpenWord<"finished" | "failed" | "cancelled">;
  durationMs: number;
};

/** A sandbox was created. */
export type SandboxCreated = RunEvent<"SandboxCreated"> & {
  sandboxId: string;
  runtime: OpenWord<"bubblewrap" | "docker" | "codeplane">;
  configJson: string;
};

/** The patches were accepted. */
export type SandboxDiffAccepted = RunEvent<"SandboxDiffAccepted"> & { sandboxId: string; patchCount: number };

/** The patches were rejected. */
export type SandboxDiffRejected = RunEvent<"SandboxDiffRejected"> & { sandboxId: string; reason?: string };

/** A review of a sandbox's patches was requested. */
export type SandboxDiffReviewRequested = RunEvent<"SandboxDiffReviewRequested"> & {
  sandboxId: string;
  patchCount: number;
  totalDiffLines: number;
};

/** A sandbox failed. */
export type SandboxFailed = RunEvent<"SandboxFailed"> & {
  sandboxId: string;
  runtime: OpenWord<"bubblewrap" | "docker" | "codeplane">;
  error: unknown;
};

/** A sandbox sent a heartbeat. */
export type SandboxHeartbeat = RunEvent<"SandboxHeartbeat"> & { sandboxId: string; remoteRunId?: string; progress?: number };

/**
 * A sandbox of the run. `heartbeatAtMs` is in milliseconds since 1970.
 */
export interface SandboxRow {
  status?: string | null;
  heartbeatAtMs?: number | null;
}

/** The code was sent to a sandbox. */
export type SandboxShipped = RunEvent<"SandboxShipped"> & {
  sandboxId: string;
  runtime: OpenWord<"bubblewrap" | "docker" | "codeplane">;
  bundleSizeBytes: number;
};

/** A scorer failed, which does not fail the task. */
export type ScorerFailed = RunEvent<"ScorerFailed"> & { nodeId: string; scorerId: string; scorerName: string; error: unknown };

/** A scorer finished. */
export type ScorerFinished = RunEvent<"ScorerFinished"> & { nodeId: string; scorerId: string; scorerName: string; score: number };

/** A scorer started. */
export type ScorerStarted = RunEvent<"ScorerStarted"> & { nodeId: string; scorerId: string; scorerName: string };

/**
 * Estimates a server's time from its timestamps, independently of the local clock. Server times are milliseconds since
 * 1970; local times are milliseconds of any monotonic clock, such as `performance.now()`. Timestamps that are not finite,
 * or that no `Date` can represent, are ignored.
 */
export class ServerClock {
  free(): void;
  [Symbol.dispose](): void;
  /**
   * Creates a clock without timestamps.
   */
  constructor();
  /**
   * Adds a timestamp that the server pushed (`connect.challenge.ts`, `tick.ts`), and the local time at which it was
   * received. The server read its clock before that time.
   *
   * # Errors
   * `INVALID_INPUT` if an argument is not a number.
   */
  observePush(serverMs: number, localMs: number): void;
  /**
   * Adds a timestamp of a response (`computedAt`), and the local times at which the request was sent and the response was
   * received. The server read its clock between them.
   *
   * # Errors
   * `INVALID_INPUT` if an argument is not a number.
   */
  observeReply(serverMs: number, sentMs: number, receivedMs: number): void;
  /**
   * Returns the server's time at a local time; `undefined` before the first timestamp. `errorMs` is `Infinity` if all
   * timestamps were pushed.
   *
   * # Errors
   * `INVALID_INPUT` if the argument is not a number.
   */
  read(localMs: number): ClockReading | undefined;
}

export type SessionHealth = "healthy" | "idle" | "unresponsive" | "stale" | "orphaned" | "zombie";

/**
 * All facts about a session.
 */
export interface SessionInspection {
  sessionId?: string;
  name?: string;
  /**
   * The stored status, `null` for NULL; absent if the document does not contain it.
   */
  status?: string | null;
  state: string | null;
  health: string | null;
  delivery: string | null;
  /**
   * Whether the server's reaper set the status.
   */
  reaped: boolean;
  normalized: NormalizedState;
  disagreements: Disagreement[];
  evidence: Evidence;
}

export type SessionStatus = "running" | "completed" | "completed_empty" | "failed" | "timed_out" | "aborted" | "cancelled";

export type Severity = "critical" | "warning" | "info" | "neutral";

/** The axes of ADR-0033 that a severity depends on. */
export type SeverityAxes = { outcome?: string | null; health?: string | null; delivery?: string | null };

export type SeverityTone = "danger" | "warning" | "info" | "success" | "neutral";

/**
 * The severity of a session's state, and the tone in which it is shown.
 */
export interface SeverityVerdict {
  /**
   * How urgently it needs attention.
   */
  severity: Severity;
  /**
   * The colour of its badge.
   */
  tone: SeverityTone;
}

/**
 * A show, as it is stored. `updatedAtMs` is in milliseconds since 1970.
 */
export interface Show {
  /**
   * Its name.
   */
  topic: string;
  /**
   * Its goal.
   */
  goal?: string;
  /**
   * Its status; `None` if the server sent none.
   */
  status?: string;
  /**
   * The number of its plays, if the document contains it.
   */
  playCount?: number;
  /**
   * When it was last written.
   */
  updatedAtMs?: number;
  /**
   * The evidence of its status.
   */
  evidence: Evidence;
}

/** Time travel crosses side effects outside the run. */
export type SideEffectBoundaryCrossed = RunEvent<"SideEffectBoundaryCrossed"> & {
  opId: string;
  operation: string;
  report: unknown;
  parentRunId?: string;
  warningOnly?: boolean;
  lateCompletion?: boolean;
  archivedByOp?: string;
};

/** An error of Smithers. */
export type SmithersError = {
  code: SmithersErrorCode;
  message: string;
  summary?: string;
  docsUrl?: string;
  details?: unknown;
  cause?: unknown;
  name?: string;
  stack?: string;
};

/** The code of an error: one of Smithers' own, or that of a host. */
export type SmithersErrorCode = OpenWord<KnownSmithersErrorCode>;

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

/**
 * The result of `inspect` for a Smithers document. Fields that the document does not contain are absent.
 */
export interface SmithersInspection {
  system: "smithers";
  recognised: Recognised;
  /**
   * The document's only run; absent if the document is a list or an error.
   */
  run?: RunInspection;
  /**
   * The runs of a list, each with its own verdict; empty if the document is not a list.
   */
  runs: ListedRun[];
  refusal?: SmithersRefusal;
  /**
   * The parts that could not be read or joined, one sentence each.
   */
  problems: string[];
}

/**
 * An error that a Gateway returned, and the possible actions.
 */
export interface SmithersRefusal extends Refusal {
  actions: Action[];
}

/** A snapshot of the frame was stored, to which the run can go back. */
export type SnapshotCaptured = RunEvent<"SnapshotCaptured"> & { frameNo: number; contentHash: string };

/**
 * The pill of a state.
 */
export interface StatePill extends Pill {
  /**
   * The word of the state, verbatim.
   */
  value: string;
  /**
   * The age of the state as text; absent if it need not be shown.
   */
  asOf?: string;
}

/** The supervisor finished one search. */
export type SupervisorPollCompleted = RunEvent<"SupervisorPollCompleted"> & {
  staleCount: number;
  resumedCount: number;
  skippedCount: number;
  durationMs: number;
};

/** The supervisor started to look for stale runs. */
export type SupervisorStarted = RunEvent<"SupervisorStarted"> & { pollIntervalMs: number; staleThresholdMs: number };

export type SyncInitInput = BufferSource | WebAssembly.Module;

export type System = "smithers" | "lionagi" | "tnh-conductor";

/** A task of a workflow, as the engine plans it. */
export type TaskDescriptor = {
  nodeId: string;
  ordinal: number;
  iteration: number;
  kind?: string;
  ralphId?: string;
  dependsOn?: string[];
  needs?: Record<string, string>;
  worktreeId?: string;
  worktreePath?: string;
  worktreeBranch?: string;
  outputTable?: unknown;
  outputTableName: string;
  parallelGroupId?: string;
  parallelMaxConcurrency?: number;
  needsApproval: boolean;
  approvalMode?: OpenWord<"gate" | "decision" | "select" | "rank">;
  approvalOnDeny?: OpenWord<"fail" | "continue" | "skip">;
  skipIf: boolean;
  /** The number of retries; `null` for no limit. */
  retries: number | null;
  retryPolicy?: RetryPolicy;
  timeoutMs?: number | null;
  continueOnFail: boolean;
  cachePolicy?: CachePolicy;
  agent?: unknown;
  prompt?: string;
  staticPayload?: unknown;
  label?: string;
  meta?: unknown;
};

/** A task sent a heartbeat. */
export type TaskHeartbeat = AttemptEvent<"TaskHeartbeat"> & { hasData: boolean; dataSizeBytes: number; intervalMs?: number };

/** A task sent no heartbeat within its limit. */
export type TaskHeartbeatTimeout = AttemptEvent<"TaskHeartbeatTimeout"> & { lastHeartbeatAtMs: number; timeoutMs: number };

export type Taxonomy =
  | "run"
  | "blocked"
  | "unhealthy"
  | "node"
  | "freshness"
  | "session"
  | "health"
  | "effective"
  | "delivery"
  | "normalized-health"
  | "verdict"
  | "play"
  | "show"
  | "lane"
  | "conductor"
  | "termination"
  | "planner"
  | "gate";

/** Time travel ended, with or without success. */
export type TimeTravelFinished = AttemptEvent<"TimeTravelFinished"> & {
  jjPointer?: string;
  success: boolean;
  vcsRestored: boolean;
  resetNodes: string[];
  error?: string;
};

/** Time travel went back to a frame. */
export type TimeTravelJumped = RunEvent<"TimeTravelJumped"> & { fromFrameNo: number; toFrameNo: number; caller?: string };

/** Time travel to before an attempt started. */
export type TimeTravelStarted = AttemptEvent<"TimeTravelStarted"> & { jjPointer?: string };

/** A timer was cancelled. */
export type TimerCancelled = RunEvent<"TimerCancelled"> & { timerId: string };

/** A durable timer was created. */
export type TimerCreated = RunEvent<"TimerCreated"> & { timerId: string; firesAtMs: number; timerType: OpenWord<"duration" | "absolute"> };

/** A timer fired. */
export type TimerFired = RunEvent<"TimerFired"> & { timerId: string; firesAtMs: number; firedAtMs: number; delayMs: number };

/** The tokens that a model call used. */
export type TokenUsageReported = AttemptEvent<"TokenUsageReported"> & {
  model: string;
  agent: string;
  inputTokens: number;
  outputTokens: number;
  cacheReadTokens?: number;
  cacheWriteTokens?: number;
  reasoningTokens?: number;
};

/**
 * The numbers of used tokens, and of the reports about them.
 */
export interface Tokens {
  /**
   * The number of reports.
   */
  reports: number;
  /**
   * Input tokens.
   */
  input: number;
  /**
   * Output tokens.
   */
  output: number;
  /**
   * Input tokens that were read from a cache.
   */
  cacheRead: number;
  /**
   * Input tokens that were written to a cache.
   */
  cacheWrite: number;
  /**
   * Output tokens that were used for reasoning.
   */
  reasoning: number;
}

export type Tone = "success" | "running" | "error" | "warning" | "stale" | "neutral" | "review";

/** A tool call ended. */
export type ToolCallFinished = AttemptEvent<"ToolCallFinished"> & {
  toolCallId?: string;
  toolName: string;
  seq: number;
  status: OpenWord<"success" | "error">;
};

/** A tool was called; `seq` counts the calls of the attempt. */
export type ToolCallStarted = AttemptEvent<"ToolCallStarted"> & { toolCallId?: string; toolName: string; seq: number };

/**
 * The numbers of tool calls.
 */
export interface ToolCalls {
  /**
   * Calls started.
   */
  started: number;
  /**
   * Calls answered.
   */
  answered: number;
  /**
   * Calls answered with an error.
   */
  failed: number;
}

/**
 * A snapshot in WebAssembly's memory. The time to apply a delta depends on the size of the delta, not on that of the tree.
 */
export class Tree {
  free(): void;
  [Symbol.dispose](): void;
  /**
   * Applies a delta, given as JSON text, bytes or an object. After an error the tree is unchanged.
   *
   * # Errors
   * `InvalidDelta` if the delta is malformed or does not fit, `INVALID_INPUT` for any other value.
   */
  apply(delta: Content): void;
  /**
   * Reads a snapshot from JSON, as text, bytes or an object.
   *
   * # Errors
   * `INVALID_INPUT` with the position in the text.
   */
  constructor(snapshot: Content);
  /**
   * Returns the node with this id; `undefined` if there is none.
   *
   * # Errors
   * `INVALID_INPUT` if the id is not a number.
   */
  node(id: number): TreeNodeDetails | undefined;
  /**
   * Returns the visible rows from `start` up to, but not including, `end`; `collapsed` lists the ids of the collapsed
   * nodes.
   *
   * # Errors
   * `INVALID_INPUT` if an argument does not match its type.
   */
  rows(start: number, end: number, collapsed?: readonly number[]): TreePage;
  /**
   * Returns the present snapshot, including unknown fields.
   *
   * # Errors
   * `INTERNAL`, for a defect of this package.
   */
  snapshot(): DevToolsSnapshot;
  /**
   * The number of nodes.
   */
  readonly size: number;
}

/**
 * A node with its descendants.
 */
export interface TreeNode extends NodeFacts {
  depth: number;
  props: Record<string, unknown>;
  children: TreeNode[];
}

/**
 * A node with its details and the ids of its parent and children.
 */
export interface TreeNodeDetails extends NodeFacts {
  depth: number;
  props: Record<string, unknown>;
  task?: DevToolsNode["task"];
  parentId?: number;
  childIds: number[];
  /**
   * The combined state of the descendants; absent if none fits.
   */
  rollup?: string;
  /**
   * The number of nodes of its subtree, including itself.
   */
  weight: number;
}

/**
 * A page of the visible rows of a tree.
 */
export interface TreePage {
  /**
   * The number of all visible rows.
   */
  total: number;
  rows: TreeRow[];
}

/**
 * A node as a row of a tree.
 */
export interface TreeRow extends NodeFacts {
  /**
   * The depth below the root.
   */
  depth: number;
  /**
   * The position among its siblings, from 1.
   */
  position: number;
  setSize: number;
  expandable: boolean;
  expanded: boolean;
}

/**
 * The shown state of a run, and its source: a server (`said`), or Runstate's rule (`derived`). `absent` differs from the
 * state `unknown`: the document contains nothing from which a state follows.
 */
export type Verdict =
  | { source: "absent" }
  | { source: "said"; view: ForeignRunStateView; evidence: Evidence }
  | { source: "derived"; view: ForeignRunStateView; evidence: Evidence };

/** A voice provider failed. */
export type VoiceError = NodeEvent<"VoiceError"> & { operation: OpenWord<"speak" | "listen">; provider: string; error: unknown };

/** A voice provider ended. */
export type VoiceFinished = NodeEvent<"VoiceFinished"> & { operation: OpenWord<"speak" | "listen">; provider: string; durationMs: number };

/** A voice provider started. */
export type VoiceStarted = NodeEvent<"VoiceStarted"> & { operation: OpenWord<"speak" | "listen">; provider: string };

/**
 * What blocks a run according to `smithers why`. `untilMs` is in milliseconds since 1970.
 */
export interface WhyEntry {
  /**
   * The kind of blocker.
   */
  kind: Blocker | (string & {});
  /**
   * The blocked node; absent for the run as a whole.
   */
  node?: NodeRound;
  /**
   * The command's own sentence.
   */
  reason: string;
  /**
   * The command that unblocks the run.
   */
  command?: string;
  /**
   * The time at which a timer fires.
   */
  untilMs?: number;
}

/**
 * The state of a run according to one source.
 */
export interface Witness {
  source: WitnessSource;
  state: RunState | (string & {});
  /**
   * The time that the state refers to, on the server's clock, in milliseconds since 1970.
   */
  atMs?: number;
}

/** The witnesses of a run's state, compared. `Witness` and `RunWitness` are the state according to one source. */
export type WitnessComparison<W extends Witness = Witness> = {
  /** All witnesses, in the order given. */
  witnesses: W[];
  /** The witness whose state is shown; absent if there are no witnesses. */
  shown?: W;
  /** Why this witness is shown, as the end of a sentence. */
  reason: string;
  /** The witnesses that contradict the shown one. */
  contradicting: W[];
  /** The contradiction as a sentence; absent if there is none. */
  note?: string;
  /** The number of witnesses without a contradiction, as text; absent for a single witness and for a contradiction. */
  agreement?: string;
};

export type WitnessSource = "server" | "rows" | "snapshot" | "events";

/** The workflow's files changed. */
export type WorkflowReloadDetected = RunEvent<"WorkflowReloadDetected"> & { changedFiles: string[] };

/** The changed workflow could not be loaded; the previous one stays in use. */
export type WorkflowReloadFailed = RunEvent<"WorkflowReloadFailed"> & { error: unknown; changedFiles: string[] };

/** The change needs a new process. */
export type WorkflowReloadUnsafe = RunEvent<"WorkflowReloadUnsafe"> & { reason: string; changedFiles: string[] };

/** The changed workflow is in use. */
export type WorkflowReloaded = RunEvent<"WorkflowReloaded"> & { generation: number; changedFiles: string[] };

export type XmlElement = { kind: "element"; tag: string; props: Record<string, string>; children: XmlNode[] };

/** A part of a workflow's markup. */
export type XmlNode = XmlElement | XmlText;

export type XmlText = { kind: "text"; text: string };

/**
 * If `module_or_path` is {RequestInfo} or {URL}, makes a request and
 * for everything else, calls `WebAssembly.instantiate` directly.
 *
 * @param {{ module_or_path: InitInput | Promise<InitInput> }} module_or_path - Passing `InitInput` directly is deprecated.
 *
 * @returns {Promise<InitOutput>}
 */
export default function __wbg_init(
  module_or_path?: { module_or_path: InitInput | Promise<InitInput> } | InitInput | Promise<InitInput>,
): Promise<InitOutput>;

/**
 * Returns the snapshot with the delta applied; the arguments do not change. Same arguments and result as `applyDelta` of
 * `@smithers-orchestrator/devtools`. For many deltas use `Tree`: here the time depends on the size of the tree, there only on that of the
 * delta.
 *
 * @throws {InvalidDeltaError} `InvalidDelta` if the delta is malformed or does not fit the snapshot
 * @throws {RunstateError} `INVALID_INPUT` if the snapshot cannot be read
 */
export function applyDelta<S extends DevToolsSnapshot>(snapshot: S, delta: DevToolsDelta): S;

/**
 * Returns whether ADR-0025 allows the transition between two statuses. `completed_empty`, which the ADR does not define,
 * may follow `running`, as in lionagi's releases. `null`, a row without a status, has no transitions.
 *
 * # Errors
 * `INVALID_INPUT` if `from` is neither text nor `null`, or `to` is not text.
 */
export function canTransition(from: string | null, to: string): boolean;

/**
 * Returns the health of a session by the rule of lionagi's `classify_session_health`. Times are seconds since 1970.
 *
 * # Errors
 * `INVALID_INPUT` if an argument does not match its type.
 */
export function classifyHealth(session: LionagiSession, probe: HealthProbe): HealthVerdict;

/**
 * Returns which witness of a run's state is shown, why, and which witnesses contradict it. `shown` and `contradicting` contain the
 * objects that were passed.
 *
 * The witness with the highest rank is shown: `server`, `rows`, `snapshot`, `events`; of two with the same source, the newer one. Two rules
 * take precedence: a row that was `stale` or `orphaned` when the server answered `running`, and events that are later than the answer.
 *
 * @throws {RunstateError} `INVALID_INPUT` if the argument does not match its type
 */
export function compareWitnesses<W extends Witness>(witnesses: readonly W[]): WitnessComparison<W>;

/**
 * Resolves to the state of a run, derived as in `deriveRunState` from rows that the adapter reads. It requests only the rows that the
 * run's status requires. Same arguments and result as `computeRunState` of `@smithers-orchestrator/db/runState`.
 *
 * Rejects with `RUN_NOT_FOUND` if the adapter has no such run, with the errors of `deriveRunState`, and with an exception of the
 * adapter, unchanged.
 */
export function computeRunState(adapter: RunStateAdapter, runId: string, options?: ComputeRunStateOptions): Promise<RunStateView>;

/** Like `computeRunState`, for a run row that was already read; `getRun` is not called. */
export function computeRunStateFromRow(
  adapter: Omit<RunStateAdapter, "getRun">,
  run: RunRow,
  options?: ComputeRunStateOptions,
): Promise<RunStateView>;

/**
 * Returns the state of a run, derived from its row and signals by the rule of seed 000. Same argument and result as
 * `deriveRunState` of `@smithers-orchestrator/db/runState`.
 *
 * # Errors
 * `INVALID_INPUT` if the input does not match its type, `INVALID_TIME` for a time that no `Date` can represent. An
 * exception of `isOwnerPidAlive` is rethrown.
 */
export function deriveRunState(input: DeriveRunStateInput): RunStateView;

/**
 * Returns the state of each run of a JSON array of run rows, or of NDJSON with one row per line, in the order of the rows.
 * The rule is that of `deriveRunState`. This is faster than one call per row: the rows do not become JavaScript
 * objects, and all views are passed to JavaScript as one JSON text.
 *
 * # Errors
 * `INVALID_INPUT` with the line and column for text that cannot be read, or if an option does not match its type;
 * `INVALID_TIME` for a time that no `Date` can represent. An exception of `isOwnerPidAlive` is rethrown.
 */
export function deriveRunStates(rows: Content, options?: ComputeRunStateOptions): RunStateView[];

/**
 * Returns severity and tone by the rules of ADR-0033, which apply in order; unknown words are ignored.
 *
 * # Errors
 * `INVALID_INPUT` if the argument does not match its type.
 */
export function deriveSeverity(axes: SeverityAxes): SeverityVerdict;

/**
 * Returns the delta between two snapshots: applied to `a`, it gives `b`. Same arguments and result as `diffSnapshots` of
 * `@smithers-orchestrator/devtools`.
 *
 * # Errors
 * `DIFFERENT_RUNS` for snapshots of different runs, `INVALID_INPUT` if one of them cannot be read.
 */
export function diffSnapshots(a: DevToolsSnapshot, b: DevToolsSnapshot): DevToolsDelta;

/**
 * Returns the state of a session as one text that combines status and health, such as `stale running`; `legacy` if the
 * status is `null`, and `null` if the row has no status.
 *
 * # Errors
 * `INVALID_INPUT` if an argument does not match its type.
 */
export function effectiveState(session: LionagiSession, signals?: LionagiSignals): string | null;

/**
 * Returns the exit code of a status; `null` for `running` and for unknown words.
 *
 * # Errors
 * `INVALID_INPUT` if the status is neither text nor `null`.
 */
export function exitCode(status: string | null): number | null;

/**
 * Returns the state as `deriveRunState` does, with its evidence: the inputs of the rule with their ages and limits.
 *
 * # Errors
 * Those of `deriveRunState`.
 */
export function explainRunState(input: DeriveRunStateInput): ExplainedRunState;

/**
 * Returns the text of one file that contains all documents and that `inspect` and the panel can open. Secrets (tokens,
 * auth headers, `configJson`, the server's paths and the values of the keys in `redact`) are replaced by `[redacted]`.
 * White space is omitted; so are, in logs without sequence numbers, the heartbeats between the first and the last of an
 * attempt. Equal files and options give equal bytes, and an export of an export is identical to it.
 *
 * # Errors
 * `INVALID_INPUT` if an argument does not match its type; the errors of `inspect`, with their code, hint and position, if a
 * document cannot be read.
 */
export function exportRun(document: Files, options: ExportOptions): string;

/**
 * Returns the content of the panel's header for the document's only run, or for the run of a list that `run` names;
 * `undefined` for a list without `run`. `document` is a document as for `inspect`, or a result of `inspect`. Such a result
 * is not read again: `now`, `errorMs` and `live` default to its own, and derived states do not change.
 *
 * # Errors
 * Those of `inspect`, and `RUN_NOT_FOUND` if the document has no such run.
 */
export function header(document: Files | Inspection, options?: HeaderOptions): Header | undefined;

/**
 * Instantiates the given `module`, which can either be bytes or
 * a precompiled `WebAssembly.Module`.
 *
 * @param {{ module: SyncInitInput }} module - Passing `SyncInitInput` directly is deprecated.
 *
 * @returns {InitOutput}
 */
export function initSync(module: { module: SyncInitInput } | SyncInitInput): InitOutput;

/**
 * Returns the runs of a document of any of the three systems. The type of the document is recognised by its content: run
 * states, rows, snapshots, responses and errors of servers, event logs, HAR files, WebSocket captures, run directories, and
 * gzip files with any of them. Several files are read together. A document may have up to 128 MiB.
 *
 * # Errors
 * `INVALID_INPUT` if an argument does not match its type. If the document cannot be read, the code of its error
 * (`NOT_JSON`, `NOT_RECOGNISED`, …) with a position, and a hint if something can be done about it.
 */
export function inspect(document: Files, options?: InspectOptions): Inspection;

/**
 * Returns the normalized state of a session by ADR-0033: lifecycle, outcome, health, delivery and severity. `evaluated_at`
 * is in seconds since 1970.
 *
 * # Errors
 * `INVALID_INPUT` if an argument does not match its type.
 */
export function normalizeState(row: LionagiSession, signals?: LionagiSignals): NormalizedState;

/**
 * Returns the label, tone and icon of a state word of a taxonomy. An unknown word is not an error: its pill is neutral.
 *
 * # Errors
 * `INVALID_INPUT` for an unknown taxonomy, and for a word that is not text.
 */
export function pill(taxonomy: Taxonomy, word: string): Pill;

/**
 * Returns the state of a tnh-conductor run, read from the files of its directory; the keys of `files` are paths relative to
 * that directory.
 *
 * # Errors
 * `INVALID_INPUT` if an argument does not match its type, `NOT_RECOGNISED` if none of the files belongs to a run.
 */
export function readConductorRun(files: Readonly<Record<string, Content>>, options: ConductorOptions): ConductorRun;

/**
 * Runs once when the module is loaded. A panic is reported on the console with its message and position in the source.
 */
export function start(): void;

/**
 * Returns the worst of several healths by the rule of lionagi's `worst_health`; `healthy` for an empty list.
 *
 * # Errors
 * `INVALID_INPUT` if the argument is not a list of known words.
 */
export function worstHealth(list: readonly SessionHealth[]): SessionHealth;
