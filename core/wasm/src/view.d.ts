/** The state of a run as a server wrote it, possibly with words that Runstate does not know. */
export type ForeignRunStateView = Omit<RunStateView, "computedAt" | "state" | "blocked" | "unhealthy"> & {
  /** ISO 8601; absent if the document does not contain it, as in the output of `smithers ps`. */
  computedAt?: string;
  state: RunState | (string & {});
  blocked?: ReasonBlocked | { kind: string & {}; [field: string]: unknown };
  unhealthy?: ReasonUnhealthy | { kind: string & {}; [field: string]: unknown };
};
