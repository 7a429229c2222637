/** What a run is doing right now (`waiting-quota` and `paused` since Smithers 0.32). */
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

/** What a run waits for. */
export type ReasonBlocked =
  | { kind: "approval"; nodeId: string; requestedAt: string }
  | { kind: "event"; nodeId: string; correlationKey: string }
  | { kind: "timer"; nodeId: string; wakeAt: string }
  | { kind: "provider"; nodeId: string; code: "rate-limit" | "auth" | "timeout" }
  | { kind: "tool"; nodeId: string; toolName: string; code: string }
  | { kind: "approval-decided-resume-required"; nodeId: string }
  | { kind: "external-trigger" }
  | { kind: "quota"; quotaBlockedCount: number; resetAtMs?: number };

/** What is wrong with a run's liveness. */
export type ReasonUnhealthy =
  | { kind: "engine-heartbeat-stale"; lastHeartbeatAt: string }
  | { kind: "timer-overdue"; wakeAt: string; overdueMs: number }
  | { kind: "ui-heartbeat-stale"; lastSeenAt: string }
  | { kind: "db-lock" }
  | { kind: "sandbox-unreachable" }
  | { kind: "supervisor-backoff"; attempt: number; nextAt: string };

/** The answer. Times are ISO-8601; absent fields are left out; keys come in this order. */
export type RunStateView = {
  runId: string;
  computedAt: string;
  state: RunState;
  blocked?: ReasonBlocked;
  unhealthy?: ReasonUnhealthy;
};

/** The columns of a run row that count; a row may have any others. Times are milliseconds since 1970. */
export type RunRow = {
  runId: string;
  status?: string | null;
  startedAtMs?: number | null;
  heartbeatAtMs?: number | null;
  runtimeOwnerId?: string | null;
  /** The quota's numbers of a run in `waiting-quota`, as JSON text. */
  errorJson?: string | null;
};

/** How to derive. An option is a number or left out, never `null`. */
export type ComputeRunStateOptions = {
  /** The moment of the answer, milliseconds since 1970; the clock's when left out. */
  now?: number;
  /** The age beyond which a sign of life is old, milliseconds; 30 000 when left out. */
  staleThresholdMs?: number;
  /** How long a timer may be overdue before `timer-overdue` is said, milliseconds; never said when left out. */
  timerOverdueGraceMs?: number;
  /**
   * How far `now` may be off, milliseconds; `Infinity` where nothing bounds it. Where an age may be on either side of its
   * limit, the state is `unknown`. Up to 5000, the margin that two clocks have anyway, and when left out, nothing is doubted.
   */
  errorMs?: number;
  /** Whether the owner's process is alive. Without it a run with an owner is never `orphaned`. */
  isOwnerPidAlive?: (pid: number) => boolean;
};

export type DeriveRunStateInput = ComputeRunStateOptions & {
  run: RunRow;
  pendingApproval?: { nodeId: string; requestedAtMs: number } | null;
  pendingTimer?: { nodeId: string; firesAtMs: number } | null;
  pendingEvent?: { nodeId: string; correlationKey: string } | null;
  parkedEventBlock?:
    | { kind: "approval-decided-resume-required"; nodeId: string }
    | { kind: "external-trigger" }
    | null;
  /** The last reports of the run's active sandboxes, milliseconds since 1970. */
  sandboxHeartbeats?: readonly number[];
};

/** Where `computeRunState` reads its rows. Every method may answer at once or with a promise. */
export type RunStateAdapter = {
  getRun(runId: string): MaybePromise<RunRow | null | undefined>;
  listPendingApprovals(runId: string): MaybePromise<readonly ApprovalRow[]>;
  listNodes(runId: string): MaybePromise<readonly NodeRow[]>;
  /** The newest attempt first. */
  listAttempts(runId: string, nodeId: string, iteration: number): MaybePromise<readonly AttemptRow[]>;
  /** Asked only where it exists. */
  listSandboxes?(runId: string): MaybePromise<readonly (SandboxRow | null)[]>;
};

export type MaybePromise<T> = T | PromiseLike<T>;
export type ApprovalRow = { nodeId: string; requestedAtMs?: number | null };
export type NodeRow = { nodeId: string; iteration?: number | null; state?: string | null };
export type AttemptRow = { state?: string | null; metaJson?: string | null };
export type SandboxRow = { status?: string | null; heartbeatAtMs?: number | null };

/** The age beyond which a heartbeat is not fresh, milliseconds. */
export const RUN_STATE_HEARTBEAT_STALE_MS: 30000;

/**
 * What a run is doing, from rows in memory.
 *
 * @throws {InvalidInput} an argument is not what its type says
 * @throws {InvalidTime} a time that no `Date` can hold
 */
export function deriveRunState(input: DeriveRunStateInput): RunStateView;

/**
 * The same with what it rests on.
 *
 * @throws as `deriveRunState`
 */
export function explainRunState(input: DeriveRunStateInput): { view: RunStateView; evidence: Evidence };

/** A moment of the server's clock, and how far it may be off: options of whatever derives with a clock. */
export type ClockReading = { now: number; errorMs: number };

/**
 * A clock that is anchored to the stamps of a server, so that the viewer's own is not trusted. Local times are any monotonic count
 * of milliseconds, as `performance.now()` gives it. What cannot be a stamp teaches nothing.
 */
export class ServerClock {
  /** A stamp that the server pushed (`connect.challenge.ts`, `tick.ts`): it was taken before it came. */
  observePush(serverMs: number, localMs: number): void;
  /** A stamp inside an answer (`computedAt`): it was taken after the question was sent and before the answer was received. */
  observeReply(serverMs: number, sentMs: number, receivedMs: number): void;
  /** The server's time at a local moment; `undefined` while nothing was observed, `errorMs: Infinity` after pushes alone. */
  read(localMs: number): ClockReading | undefined;
  /** Gives its memory back; without it the garbage collector does so some time. */
  free(): void;
}

/**
 * What a run is doing, from the rows behind an adapter; only those are read that the run's status asks for.
 * Rejects as `deriveRunState` throws, with what the adapter throws, and with `RunNotFound`.
 */
export function computeRunState(
  adapter: RunStateAdapter,
  runId: string,
  options?: ComputeRunStateOptions,
): Promise<RunStateView>;

/** The same with the run's row at hand. */
export function computeRunStateFromRow(
  adapter: Omit<RunStateAdapter, "getRun">,
  run: RunRow,
  options?: ComputeRunStateOptions,
): Promise<RunStateView>;

/** A document: its text, or the bytes of it. */
export type Bytes = string | Uint8Array | ArrayBuffer;

/**
 * What each run of a JSON array of rows, or of NDJSON lines, is doing; the views in the order of the rows.
 *
 * @throws {InvalidInput} the text or an option is not what its type says; the position has line and column
 * @throws {InvalidTime} a time that no `Date` can hold
 */
export function deriveRunStates(rows: Bytes, options?: ComputeRunStateOptions): RunStateView[];

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

export type DevToolsDeltaOp =
  | { op: "addNode"; parentId: number; index: number; node: DevToolsNode }
  | { op: "removeNode"; id: number }
  | { op: "updateProps"; id: number; props: Record<string, unknown> }
  | { op: "updateTask"; id: number; task?: DevToolsNode["task"] }
  | { op: "replaceRoot"; node: DevToolsNode };

export type DevToolsDelta = { version: 1; baseSeq: number; seq: number; ops: DevToolsDeltaOp[] };

/** A delta that is none, or that does not fit the snapshot. */
export class InvalidDeltaError extends Error {
  constructor(message: string);
  readonly code: "InvalidDelta";
}

/**
 * The snapshot with a delta applied; neither argument is changed.
 *
 * @throws {InvalidDeltaError} the delta is none or does not fit
 * @throws {InvalidInput} the snapshot is none
 */
export function applyDelta<S extends DevToolsSnapshot>(snapshot: S, delta: DevToolsDelta): S;

/**
 * The delta from one snapshot to another.
 *
 * @throws {InvalidInput} one of them is no snapshot
 * @throws an `Error` with the code `DIFFERENT_RUNS`
 */
export function diffSnapshots(a: DevToolsSnapshot, b: DevToolsSnapshot): DevToolsDelta;

/** A node as a row of a tree. Fields that the snapshot does not have are left out. */
export type TreeRow = NodeFacts & {
  /** How far below the root. */
  depth: number;
  /** Which of its siblings, from 1, and how many there are. */
  position: number;
  setSize: number;
  expandable: boolean;
  expanded: boolean;
};

export type NodeFacts = {
  id: number;
  type: string;
  name: string;
  /** What a person calls the node. */
  title: string;
  /** The id that the workflow's author gave. */
  nodeId?: string;
  label?: string;
  state?: string;
  iteration?: number;
  attempt?: number;
  maxAttempts?: number;
};

/** A snapshot that stays in WebAssembly while deltas change it: a delta costs its own size, not the tree's. */
export class Tree {
  /** @throws {InvalidInput} the text is no snapshot; the position has line and column */
  constructor(snapshot: Bytes);
  /** How many nodes there are. */
  readonly size: number;
  /**
   * Applies a delta, all of it or nothing.
   *
   * @throws {InvalidDeltaError} the delta is none or does not fit
   */
  apply(delta: Bytes): void;
  /** The visible rows from `start` to before `end` when these nodes are collapsed, and how many there are in all. */
  rows(start: number, end: number, collapsed?: readonly number[]): { total: number; rows: TreeRow[] };
  /** The node with this id; `undefined` where there is none. */
  node(id: number):
    | (NodeFacts & {
        depth: number;
        props: Record<string, unknown>;
        task?: DevToolsNode["task"];
        parentId?: number;
        childIds: number[];
        /** One word for all that is under it, where one fits. */
        rollup?: string;
        /** How many nodes there are in its subtree, itself included. */
        weight: number;
      })
    | undefined;
  /** The snapshot as it is now. */
  snapshot(): DevToolsSnapshot;
  /** Gives the memory back; the tree cannot be used after it. */
  free(): void;
}

/** What an event is about. */
export type EventCategory =
  | "run" | "node" | "approval" | "timer" | "tool" | "output" | "tokens" | "heartbeat" | "frame" | "sandbox"
  | "supervisor" | "time-travel" | "memory" | "reload" | "scorer" | "alert" | "voice" | "foreign";

/** How an event weighs, the lightest first. */
export type EventSeverity = "trace" | "info" | "notice" | "warning" | "error";

/** Which events to show; every part that is given must hold. */
export type EventFilter = {
  types?: readonly string[];
  categories?: readonly EventCategory[];
  /** At least so much. */
  severity?: EventSeverity;
  nodeId?: string;
  runId?: string;
  /** Text anywhere in the event, in ASCII without regard to case. */
  text?: string;
  /** Whether gaps have rows; `true` when left out. */
  gaps?: boolean;
};

type EventFacts = {
  /** The number of the event in the log, for `event(row)`. */
  row: number;
  type: string;
  category: EventCategory;
  severity: EventSeverity;
  atMs: number;
  seq?: number;
  runId: string;
  nodeId?: string;
  iteration: number;
  attempt?: number;
};

export type EventLogRow =
  | ({ kind: "event" } & EventFacts)
  /** Consecutive heartbeats of one attempt. */
  | ({ kind: "heartbeats"; lastAtMs: number; count: number } & EventFacts)
  /** Numbers that are missing: of frames, or of events. */
  | { kind: "gap"; runId: string; frames: boolean; from: number; to: number; beforeMs: number };

type ToolCalls = { started: number; answered: number; failed: number };
type Tokens = {
  reports: number;
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  reasoning: number;
};

/** What the events of a run say about it: as of the last event, and no more. */
export type EventLogView = {
  runId?: string;
  workflow?: string;
  /** What the run was doing when the last event was written. */
  state: string;
  blocked?: { kind: string; [key: string]: unknown };
  evidence: Evidence;
  /** Events are missing after the one that decided. */
  acrossGap: boolean;
  /** Why the state may not be the last word. */
  caveats: (
    /** `left-out`: numbers that the frames may have which `smithers events --json` does not print. */
    | { kind: "lost" | "left-out"; events: number; gaps: number }
    | { kind: "unread"; lines: number }
    | { kind: "repeated" | "after-the-end"; events: number }
    | { kind: "no-start" | "from-nodes" | "end-may-be-missing" }
  )[];
  asOfMs?: number;
  ageMs?: number;
  startedAtMs?: number;
  endedAtMs?: number;
  /** How often the engine started. */
  starts: number;
  continuedAs?: string;
  error?: string;
  /** Tolerated failures under a run that succeeded, as far as they are named. */
  failedChildren: string[];
  /** How many of them there are, also where they are not named. */
  failedChildCount: number;
  /** How many nodes are in each state. */
  nodes: Record<string, number>;
  openApprovals: number;
  openTimers: number;
  calls: ToolCalls;
  tokens: Tokens;
  counts: { lines: number; events: number; unread: number; repeated: number; gaps: number; lost: number };
  otherRuns: { runId: string; state: string }[];
};

/** A node in one round, as events say it. */
export type EventLogNode = {
  nodeId: string;
  iteration: number;
  /** Left out, with `changedAtMs` and `row`, where no event tells a state: heartbeats, calls and tokens alone do not. */
  state?: string;
  retrying: boolean;
  attempt?: number;
  starts: number;
  changedAtMs?: number;
  startedAtMs?: number;
  endedAtMs?: number;
  heartbeats: number;
  heartbeatAtMs?: number;
  acrossGap: boolean;
  row?: number;
  /** Of this round alone, as are the tokens. */
  calls: ToolCalls;
  tokens: Tokens;
};

/** A log of events that stays in WebAssembly. Chunks of 64 to 256 KiB are best; they may end anywhere. */
export class EventLog {
  /** Adds a chunk, which may end anywhere: text even between the halves of a character. */
  push(chunk: Bytes): void;
  /** Says that no more bytes come for now: a last line without a newline is read as it is. What comes all the same goes on with it. */
  finish(): void;
  /** What the events of the first run say at this moment, the clock's when left out. */
  view(now?: number): EventLogView;
  /** The same for any run; `undefined` where the log has no event of it. */
  view(now: number | undefined, runId: string): EventLogView | undefined;
  /** The rows from `start` to before `end` that the filter lets through, and how many those are in all. */
  rows(start: number, end: number, filter?: EventFilter): { total: number; rows: EventLogRow[] };
  /** The event of a row as it came. */
  event(row: number): unknown;
  /** The nodes of a run. */
  nodes(runId: string): EventLogNode[];
  /** The lines that could not be read, at most a thousand of them. */
  problems(): { code: string; message: string; position: { line: number; column: number } }[];
  /** Gives the memory back; the log cannot be used after it. */
  free(): void;
}

/** How a session of lionagi is. */
export type SessionHealth = "healthy" | "idle" | "unresponsive" | "stale" | "orphaned" | "zombie";

/** A session's row as lionagi writes it, times in seconds; a row may have any other columns. */
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

/** What is known beside a row. `now` is in seconds since 1970. */
export type LionagiSignals = {
  now?: number | null;
  processAlive?: boolean | null;
  hasArtifacts?: boolean | null;
  hasStaleLocks?: boolean | null;
  /** The health, where it is known already. */
  health?: string | null;
};

/**
 * The health of a session (`classify_session_health`): how bad from 0 to 5, and how many seconds it may be quiet.
 *
 * @throws {InvalidInput} an argument is not what its type says
 */
export function classifyHealth(
  session: LionagiSession,
  probe: { now: number; processAlive?: boolean | null; hasArtifacts?: boolean; hasStaleLocks?: boolean },
): { health: SessionHealth; severity: number; threshold: number; evidence: Evidence };

/** The worst of several healths; `healthy` where there are none. */
export function worstHealth(healths: readonly SessionHealth[]): SessionHealth;

/** Whether ADR-0025 lets a status follow another. From `null`, a row without a status, nothing follows. */
export function canTransition(from: string | null, to: string): boolean;

/** What an administrator may set. */
export const adminTransitionTargets: readonly ["failed", "aborted", "cancelled"];

/** The exit code that belongs to a status; `null` while it runs and for words that are not known. */
export function exitCode(status: string | null): number | null;

/** Status and health in one word: `stale running`; `legacy` for NULL, `null` where the row has no status. */
export function effectiveState(session: LionagiSession, signals?: LionagiSignals): string | null;

export type Severity = "critical" | "warning" | "info" | "neutral";
export type SeverityTone = "danger" | "warning" | "info" | "success" | "neutral";

/** Severity and tone by the cascade of ADR-0033; words that are not known say nothing. */
export function deriveSeverity(axes: {
  outcome?: string | null;
  health?: string | null;
  delivery?: string | null;
}): { severity: Severity; tone: SeverityTone };

/** A session on the axes of ADR-0033, in its own keys. `source` says that a viewer computed it. */
export type NormalizedState = {
  lifecycle: string | null;
  outcome: string | null;
  health: string | null;
  delivery: string | null;
  severity: Severity;
  tone: SeverityTone;
  reasons: {
    code: string;
    message: string;
    claim_status: string;
    entity_type: "session";
    entity_id: string | null;
    evidence: EvidenceInput[];
  }[];
  evaluated_at: number | null;
  policy_version: string;
  source: string;
};

/** Projects a session onto ADR-0033's axes. */
export function normalizeState(row: LionagiSession, signals?: LionagiSignals): NormalizedState;

/** What a run of tnh-conductor does. */
export type ConductorRun = {
  /** `null` where no file tells. */
  runId: string | null;
  state: string;
  /** The shape of `status.json`, or why it has none. */
  phase: string;
  /** The gate that it waits at. */
  blocked: {
    kind: "approval";
    nodeId: string | null;
    requestedAt: string | null;
    requestedAtApproximate?: true;
    gate?: string | null;
    timeoutSeconds?: number | null;
  } | null;
  unhealthy: { kind: "engine-heartbeat-stale"; lastHeartbeatAt: string } | null;
  /** How it ended. `completed` means that STOP was reached; whether well, `exitClean` says, `null` where nobody knows. */
  terminal: {
    declared: string;
    lastStepId: string | null;
    exitStepId: string | null;
    exitOpcode: string | null;
    exitOutcome: string | null;
    exitClean: boolean | null;
  } | null;
  /** What comes next, between steps. */
  decision: { stepId: string | null; status: string | null; nextStepId: string } | null;
  /** Why the state is `unknown`. */
  why?: string;
  /** The raw words that all of this was made of. */
  source: Record<string, string | null>;
  /** What could not be read although the rest loads, each with its place. */
  problems?: string[];
};

/**
 * What a run of tnh-conductor does, from its directory or any part of it: texts or bytes by relative path.
 *
 * @throws {InvalidInput} an argument is not what its type says
 * @throws {NotARun} there are files and none of them is of a run
 */
export function readConductorRun(
  files: Readonly<Record<string, Bytes>>,
  options: { now: number; directory?: string },
): ConductorRun;

/** The files are not those of a run. */
export type NotARun = Error & { code: "NOT_RECOGNISED" };

/** The vocabulary that a word belongs to: the same word looks different in another one. */
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
  | "conductor"
  | "termination"
  | "planner"
  | "gate";

export type Tone = "success" | "running" | "error" | "warning" | "stale" | "neutral" | "review";

/** How a word is shown and spoken. */
export type Pill = {
  /** The words on the pill; a word that is not known stands in quotes. */
  label: string;
  /** The whole sentence for those who do not see it. */
  spoken: string;
  tone: Tone;
  /** The name of a Lucide icon. */
  icon: string;
  /** Whether the word is in the vocabulary. */
  known: boolean;
  /** Whether the border is dotted: a word from before the vocabulary. */
  dotted: boolean;
};

/**
 * How a word of a taxonomy is shown and spoken.
 *
 * @throws {InvalidInput} there is no such taxonomy
 */
export function pill(taxonomy: Taxonomy, word: string): Pill;

/** What a document turned out to be. */
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

/** Everything that is known after reading a document, or several files that are one. */
export type Inspection = SmithersInspection | LionagiInspection | ConductorInspection;

/** A document of Smithers. Fields that it does not have are left out. */
export type SmithersInspection = {
  system: "smithers";
  recognised: Recognised;
  /** The run in view; absent where the document is a list or an error. */
  run?: RunInspection;
  /** The runs to choose from, each with its own verdict; empty unless the document is a list. */
  runs: RunInspection[];
  /** What the server refused, if the document is a refusal. */
  refusal?: {
    code: string;
    message: string;
    method?: string;
    /** What can be done about it; left out as `Account` is. */
    actions: Action[];
  };
  /** What could not be read or joined although the rest loads. */
  problems: string[];
};

/** A document of lionagi: an answer of Studio, or what `li` prints. */
export type LionagiInspection = {
  system: "lionagi";
  recognised:
    | "session" | "session-list" | "admin-health" | "doctor" | "invocation" | "invocation-list" | "agent-status"
    | "lifecycle" | "stats" | "show" | "show-list" | "play-list" | "message-stream" | "signal-stream" | "session-part"
    | "error-response";
  /** The session in view; absent where the document is a list or an error. */
  session?: SessionInspection;
  sessions: SessionInspection[];
  shows: Show[];
  plays: Play[];
  /** How many sessions have which stored status; `(null)` is NULL. */
  statusCounts: Record<string, number>;
  refusal?: { code: string; message: string; method?: string };
  problems: string[];
};

/** A show of plays, as it is stored. */
export type Show = {
  topic: string;
  goal?: string;
  status?: string;
  playCount?: number;
  updatedAtMs?: number;
  evidence: Evidence;
};

/** A play of a show: work that a session does behind a gate. */
export type Play = {
  topic: string;
  name: string;
  status?: string;
  sessionId?: string;
  attempt?: number;
  /** What its gate says. */
  feedback?: string;
  /** Why the server could not look at the play itself. */
  liveError?: string;
  startedAtMs?: number;
  updatedAtMs?: number;
  endedAtMs?: number;
  evidence: Evidence;
};

/** What is known of one session. */
export type SessionInspection = {
  sessionId?: string;
  name?: string;
  /** As it is stored, `null` for NULL; absent where the document has none. */
  status?: string | null;
  state: string | null;
  health: string | null;
  delivery: string | null;
  /** Whether the status is the server's housekeeping. */
  reaped: boolean;
  normalized: NormalizedState;
  /** Where the server disagrees with itself. */
  disagreements: { question: string; answers: { said: string; readFrom: string }[]; why?: string }[];
  evidence: Evidence;
};

/** A run directory of tnh-conductor, or a part of it; or several of them. */
export type ConductorInspection =
  | { system: "tnh-conductor"; recognised: "conductor-run"; run: ConductorRun; runs?: undefined; problems: string[] }
  | { system: "tnh-conductor"; recognised: "conductor-runs"; run?: undefined; runs: ConductorRun[]; problems: string[] };

/** What is known of one run. Times are milliseconds since 1970. */
export type RunInspection = {
  runId?: string;
  workflow?: string;
  frameNo?: number;
  seq?: number;
  createdAtMs?: number;
  startedAtMs?: number;
  finishedAtMs?: number;
  parentRunId?: string;
  verdict: Verdict;
  /** How many nodes are in each state, by the server's own count. */
  summary: Record<string, number>;
  /** The state of each node by the server's own list; empty where the document has none. */
  nodes: NodeStatus[];
  /** The structure. */
  tree?: TreeNode;
  /** Why the run failed, in the server's words. */
  error?: string;
  /** Tolerated failures under a run that succeeded, as far as they are named. */
  failedChildren: string[];
  /** The row says `continued`: the work goes on in another run. */
  continued: boolean;
  /** What holds the run up in the words of `smithers why`, where its output was read. */
  told: ToldBlocker[];
} & Account;

/** What is told of a run, as the panel says it; made when it is first looked at. In a browser that loaded without the part `account`, it is left out. */
export type Account = {
  answer: Answer;
  /** How many failures a run that succeeded tolerated; 0 for any other. */
  toleratedFailures: number;
  /** A sentence for each thing that the state hides; of these `answer.notes` has what no other sentence of the answer tells. */
  hidden: string[];
  /** Everybody who says what the run is doing, and whom to believe. */
  testimony: Testimony<WitnessOfRun>;
  /** What can be done, the most pressing first: now for a document that is `live`, else when it was written. */
  actions: Action[];
};

/** What a run is doing, in words. */
export type Answer = {
  /** The tone of the whole answer; what stands beside the state may raise it above the pill's. */
  tone: Tone;
  /** Absent where there is no state. `value` is the state's word as it came, `asOf` how old it is where that must be said. */
  pill?: Pill & { value: string; asOf?: string };
  sentence: string;
  /** What there is to add: since when, until when. */
  meta: string;
  /** Why it is said, in one line. */
  because: string;
  /** What stands beside the state and must not be missed. */
  notes: string[];
};

/** One thing to do about a run. */
export type Action = {
  kind:
    | "approve" | "deny" | "answer" | "signal" | "wait" | "resume" | "supervise" | "retry" | "renew-credentials"
    | "refresh-token" | "reconnect" | "repair" | "inspect" | "follow";
  /** What holds the run up; absent where nothing does and there is only something to look at. */
  blocker?: Blocker;
  sentence: string;
  /** Where; absent for the run as a whole. */
  node?: NodeRound;
  /** The command that does it; `WORKFLOW_FILE` in it stands for a path that only the user knows. */
  command?: string;
  /** The Gateway's method that does it. */
  call?: { method: string; params: Record<string, unknown> };
  /** Until when to wait. */
  untilMs?: number;
};

/** What holds a run up: the words of `smithers why`, then those for what it has no word for. */
export type Blocker =
  | "waiting-approval" | "waiting-event" | "waiting-timer" | "approval-decided-resume-required" | "stale-heartbeat"
  | "engine-busy" | "stale-task-heartbeat" | "retry-backoff" | "retries-exhausted" | "dependency-failed"
  | "binding-missing" | "bound-stale" | "side-effect-boundary-crossed"
  | "quota" | "provider" | "tool" | "external-trigger" | "paused" | "db-lock" | "sandbox-unreachable"
  | "supervisor-backoff";

/** A round of a node. */
export type NodeRound = { nodeId: string; iteration: number };

/** What `smithers why` says holds a run up, as it stands there. */
export type ToldBlocker = {
  kind: Blocker | (string & {});
  node?: NodeRound;
  reason: string;
  command?: string;
  untilMs?: number;
};

/** Who says what a run is doing, the most trusted first: a Gateway's answer, the run's row, a snapshot's header, an event log. */
export type WitnessSource = "server" | "rows" | "snapshot" | "events";

/** What one source says. */
export type Witness = {
  source: WitnessSource;
  state: RunState | (string & {});
  /** As of when, on the server's clock. */
  atMs?: number;
};

/** What one source says of the run of a document, and what that rests on. */
export type WitnessOfRun = Witness & { evidence: Evidence };

/** What witnesses say, weighed. */
export type Testimony<W extends Witness = Witness> = {
  witnesses: W[];
  /** The one of them whose state is shown; absent where nobody says anything. */
  shown?: W;
  /** Why that one. */
  because: string;
  /** Those of them who contradict it. */
  against: W[];
  /** The disagreement as a sentence. */
  note?: string;
  /** That several agree, in words. */
  agreement?: string;
};

/**
 * Weighs what witnesses say of one run: the most trusted is shown, of two from one source the newer, and a heartbeat that expired
 * before the server said `running` counts more than that. `shown` and `against` are the objects that were given.
 *
 * @throws {InvalidInput} the argument is not what its type says
 * @throws {NotLoaded} `runstate/web` was told to load without it
 */
export function weigh<W extends Witness>(witnesses: readonly W[]): Testimony<W>;

/** What the run is doing, and who says so. `absent` is not `unknown`: the document says nothing about it. */
export type Verdict =
  | { source: "absent" }
  | { source: "said" | "derived"; view: ForeignRunStateView; evidence: Evidence };

/** A view as a server wrote it: its words may be ones that Runstate does not know. */
export type ForeignRunStateView = Omit<RunStateView, "computedAt" | "state" | "blocked" | "unhealthy"> & {
  /** Left out where it was not told, as by `smithers ps`. */
  computedAt?: string;
  state: RunState | (string & {});
  blocked?: ReasonBlocked | { kind: string & {}; [field: string]: unknown };
  unhealthy?: ReasonUnhealthy | { kind: string & {}; [field: string]: unknown };
};

/** What a verdict rests on, in the order in which the rule reads it. */
export type Evidence = { inputs: EvidenceInput[]; readFrom: string; readAtMs?: number };

export type EvidenceInput = {
  name: string;
  /** The moment that its age counts from. */
  atMs?: number;
  /** The age beyond which the rule decides otherwise. */
  limitMs?: number;
  /** Whether this input decided. */
  decisive: boolean;
} & ({ kind: "absent" } | { kind: "word" | "text"; value: string } | { kind: "time"; value: number });

export type NodeStatus = {
  nodeId: string;
  iteration: number;
  state: string;
  lastAttempt?: number;
  label?: string;
  updatedAtMs?: number;
  startedAtMs?: number;
  finishedAtMs?: number;
};

export type TreeNode = {
  /** The id on the wire. */
  id: number;
  type: string;
  name: string;
  /** What a person calls the node. */
  title: string;
  /** The id that the workflow's author gave. */
  nodeId?: string;
  label?: string;
  state?: string;
  iteration?: number;
  attempt?: number;
  maxAttempts?: number;
  depth: number;
  props: Record<string, unknown>;
  children: TreeNode[];
};

/**
 * Reads anything of the three systems, recognised by what it holds: views, rows, snapshots, answers and refusals of
 * servers, event logs, HAR files and captures of WebSockets, run directories, any of them packed with gzip. Several files
 * are one inspection. `name` is the file's name; `now` is the moment for answers that are derived, the clock's when left out, and
 * `errorMs` how far that may be off: more than 5000 makes a state `unknown` that hangs on an open age, and with `Infinity` moments are told
 * and no ages, and nothing is overdue. What a document says of a run of Smithers held when it was written, and is told so; with
 * `live` it was heard just now, and is told as of `now`; an answer that says `running` and is more than 30 s older than that by its own
 * stamp is told as of its stamp all the same.
 *
 * @throws {InvalidInput} an argument is not what its type says
 * @throws {RefusedDocument} the document cannot be read
 * @throws {NotLoaded} `runstate/web` was told to load without it
 */
export function inspect(
  document: Bytes | readonly { name?: string; bytes: Bytes }[],
  options?: { name?: string; now?: number; errorMs?: number; live?: boolean },
): Inspection;

/**
 * What was opened, as one file that opens again: the same bytes for the same files and options. White space is gone, secrets
 * (tokens, auth headers, `configJson`, paths of the server, and the keys of `redact`) are `[redacted]`, and heartbeats between the
 * first and the last of one attempt are left out of logs that have no numbers. `now` is the moment at which the files were read:
 * rows are derived for it whenever the export is opened. An export that is exported is the same export.
 *
 * @throws {InvalidInput} an argument is not what its type says
 * @throws {RefusedDocument} the files cannot be read
 * @throws {NotLoaded} `runstate/web` was told to load without it
 */
export function exportRun(
  document: Bytes | readonly { name?: string; bytes: Bytes }[],
  options: { now: number; name?: string; redact?: readonly string[] },
): string;

/** A word that may be one that Runstate does not know. */
type Open<Word extends string> = Word | (string & {});

/** The records that `readRecord` reads, each by its name. What is missing or null is left out. */
export type Records = {
  /** An event of a run; one whose type is not known is kept whole. */
  Event: {
    type: string;
    runId: string;
    atMs: number;
    nodeId?: string;
    iteration?: number;
    attempt?: number;
  } & (
    | {
        known: true;
        category: EventCategory;
        severity: EventSeverity;
        fields: Record<string, unknown>;
        /** What the event carries beside what its type names, as it came: `correlation` for example. */
        more?: Record<string, unknown>;
      }
    | { known: false; event: Record<string, unknown> }
  );
  /** The workflow as it was rendered for a frame. */
  GraphSnapshot: { runId: string; frameNo: number; xml?: Records["XmlNode"]; tasks: Records["TaskDescriptor"][] };
  /** What `getNodeOutput` answers. */
  NodeOutputResponse: {
    status: Open<"produced" | "pending" | "failed">;
    row?: unknown;
    schema?: {
      fields: {
        name: string;
        type: Open<"string" | "number" | "boolean" | "object" | "array" | "null" | "unknown">;
        optional: boolean;
        nullable: boolean;
        description?: string;
        enum?: unknown[];
      }[];
    };
    partial?: unknown;
    error?: { name?: string; code?: string; message: string; attempt?: number };
  };
  /** How long a task waits before it is tried again. */
  RetryPolicy: { backoff?: Open<"fixed" | "linear" | "exponential">; initialDelayMs?: number };
  /** What `retryTask` answers. */
  RetryTaskResult: { success: boolean; resetNodes: string[]; error?: string };
  /** How a run ended, or what it waits for. */
  RunResult: { runId: string; status: string; output?: unknown; error?: unknown };
  /** What a run is doing, as a server says it. */
  RunStateView: ForeignRunStateView;
  /** An error of Smithers' own. */
  SmithersError: {
    code: string;
    message: string;
    summary?: string;
    docsUrl?: string;
    details?: unknown;
    cause?: unknown;
    name?: string;
    stack?: string;
  };
  /** A task as the engine plans it. */
  TaskDescriptor: {
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
    approvalMode?: Open<"gate" | "decision" | "select" | "rank">;
    approvalOnDeny?: Open<"fail" | "continue" | "skip">;
    skipIf: boolean;
    /** How often it is tried again; `null` where it is tried for ever. */
    retries: number | null;
    retryPolicy?: Records["RetryPolicy"];
    timeoutMs?: number;
    continueOnFail: boolean;
    cachePolicy?: unknown;
    agent?: unknown;
    prompt?: string;
    staticPayload?: unknown;
    label?: string;
    meta?: unknown;
  };
  /** A piece of a workflow's markup. */
  XmlNode:
    | { kind: "element"; tag: string; props: Record<string, string>; children: Records["XmlNode"][] }
    | { kind: "text"; text: string };
};

/**
 * Reads one record of Smithers by its type: its fields, each of the kind that the type says.
 *
 * @throws {InvalidInput} an argument is not what its type says
 * @throws {RefusedRecord} the text is not such a record
 */
export function readRecord<Name extends keyof Records>(record: Name, document: Bytes): Records[Name];

/** The text is not the record; the position is where it is not. */
export type RefusedRecord = Error & {
  code: "NOT_JSON" | "TOO_DEEP" | "TOO_LARGE" | "INVALID_INPUT";
  position: { line: number; column: number };
};

/** The document cannot be read; the message says what was expected and what was found. */
export type RefusedDocument = Error & {
  code:
    | "EMPTY_INPUT"
    | "NOT_JSON"
    | "INVALID_UTF8"
    | "TOO_DEEP"
    | "TOO_LARGE"
    | "NOT_RECOGNISED"
    | "INVALID_INPUT";
  /** What can be done about it. */
  hint?: string;
  position?: { line: number; column: number; path?: string };
};

/** An argument is not what its type says; the message names what was expected, what was found and where. */
export type InvalidInput = TypeError & {
  code: "INVALID_INPUT";
  position: { path: string; line?: number; column?: number };
  /** What the engine said, where it could not read the argument. */
  cause?: unknown;
};

/** A time that no `Date` can hold. */
export type InvalidTime = RangeError & { code: "INVALID_TIME" };

/** The core or a part was used in a browser before its file was loaded, or the file is not there; Node loads it by itself. */
export type NotLoaded = Error & { code: "NOT_LOADED"; cause?: unknown };

/** A `Tree` or an `EventLog` was used after `free()`. */
export type Freed = Error & { code: "FREED" };

/** There is no such run. This is never a state. */
export type RunNotFound = Error & { code: "RUN_NOT_FOUND" };
