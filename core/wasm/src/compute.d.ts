/** The argument of `deriveRunState`. */
export type DeriveRunStateInput = RunSignals & ComputeRunStateOptions;

export type MaybePromise<T> = T | PromiseLike<T>;

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

/** The default of `staleThresholdMs`: the age in milliseconds beyond which a heartbeat is stale. */
export const RUN_STATE_HEARTBEAT_STALE_MS: 30000;

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
