/** The argument of `deriveRunState`. */
export type DeriveRunStateInput = RunSignals & ComputeRunStateOptions;

export type MaybePromise<T> = T | PromiseLike<T>;

/** Where `computeRunState` reads its rows. Every method may return them at once or as a promise. */
export type RunStateAdapter = {
  getRun(runId: string): MaybePromise<RunRow | null | undefined>;
  listPendingApprovals(runId: string): MaybePromise<readonly ApprovalRow[]>;
  listNodes(runId: string): MaybePromise<readonly NodeRow[]>;
  /** The newest attempt first. */
  listAttempts(runId: string, nodeId: string, iteration: number): MaybePromise<readonly AttemptRow[]>;
  /** Called only where it exists. */
  listSandboxes?(runId: string): MaybePromise<readonly (SandboxRow | null)[]>;
};

/** The age beyond which a heartbeat is not fresh, milliseconds. */
export const RUN_STATE_HEARTBEAT_STALE_MS: 30000;

/**
 * What a run is doing, from the rows behind an adapter; only those are read that the status of the run asks for.
 * Rejects as `deriveRunState` throws, with what the adapter throws, and with `RUN_NOT_FOUND`.
 */
export function computeRunState(adapter: RunStateAdapter, runId: string, options?: ComputeRunStateOptions): Promise<RunStateView>;

/** The same for a row that is already there. */
export function computeRunStateFromRow(
  adapter: Omit<RunStateAdapter, "getRun">,
  run: RunRow,
  options?: ComputeRunStateOptions,
): Promise<RunStateView>;
