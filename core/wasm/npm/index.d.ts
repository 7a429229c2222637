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

/** An argument is not what its type says; the message names what was expected, what was found and where. */
export type InvalidInput = TypeError & { code: "INVALID_INPUT"; position: { path: string } };

/** A time that no `Date` can hold. */
export type InvalidTime = RangeError & { code: "INVALID_TIME" };

/** There is no such run. This is never a state. */
export type RunNotFound = Error & { code: "RUN_NOT_FOUND" };
