/** A view as a server wrote it: its words may be ones that Runstate does not know. */
export type ForeignRunStateView = Omit<RunStateView, "computedAt" | "state" | "blocked" | "unhealthy"> & {
  /** Absent where the document does not contain it, as in the output of `smithers ps`. */
  computedAt?: string;
  state: RunState | (string & {});
  blocked?: ReasonBlocked | { kind: string & {}; [field: string]: unknown };
  unhealthy?: ReasonUnhealthy | { kind: string & {}; [field: string]: unknown };
};
