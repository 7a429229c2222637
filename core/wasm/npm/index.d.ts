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
  | "error-response"
  | "gateway"
  | "answers"
  | "traffic"
  | "websocket-capture"
  | "event-log";

/** Everything that is known after reading one document. Fields that the document does not have are left out. */
export type Inspection = {
  recognised: Recognised;
  /** The run in view; absent where the document is a list or an error. */
  run?: RunInspection;
  /** The runs to choose from, each with its own verdict; empty unless the document is a list. */
  runs: RunInspection[];
  /** What the server refused, if the document is a refusal. */
  refusal?: { code: string; message: string; method?: string };
  /** What could not be read or joined although the rest loads. */
  problems: string[];
};

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
  /** Tolerated failures under a run that succeeded. */
  failedChildren: string[];
  /** The row says `continued`: the work goes on in another run. */
  continued: boolean;
};

/** What the run is doing, and who says so. `absent` is not `unknown`: the document says nothing about it. */
export type Verdict =
  | { source: "absent" }
  | { source: "said" | "derived"; view: ForeignRunStateView; evidence: Evidence };

/** A view as a server wrote it: its words may be ones that Runstate does not know. */
export type ForeignRunStateView = Omit<RunStateView, "state" | "blocked" | "unhealthy"> & {
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
 * Reads a document: a `RunStateView`, an answer of the Gateway, a snapshot, a run row, the output of
 * `smithers inspect`, or a refusal. `name` is the file's name; `now` is the moment for answers that are derived from
 * rows, the clock's when left out.
 *
 * @throws {InvalidInput} an argument is not what its type says
 * @throws {RefusedDocument} the document cannot be read
 * @throws {NotLoaded} `runstate/web` was told to load without it
 */
export function inspect(
  document: string | Uint8Array | ArrayBuffer,
  options?: { name?: string; now?: number },
): Inspection;

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
export type InvalidInput = TypeError & { code: "INVALID_INPUT"; position: { path: string } };

/** A time that no `Date` can hold. */
export type InvalidTime = RangeError & { code: "INVALID_TIME" };

/** `inspect` was called in a browser before its file was loaded; Node loads it by itself. */
export type NotLoaded = Error & { code: "NOT_LOADED" };

/** There is no such run. This is never a state. */
export type RunNotFound = Error & { code: "RUN_NOT_FOUND" };
