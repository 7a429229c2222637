/** What an administrator may set. */
export const adminTransitionTargets: readonly ["failed", "aborted", "cancelled"];

/** The row of a session as lionagi writes it, times in seconds; a row may have any other columns. */
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

/** What is known besides a row. `now` is in seconds since 1970. */
export type LionagiSignals = {
  now?: number | null;
  processAlive?: boolean | null;
  hasArtifacts?: boolean | null;
  hasStaleLocks?: boolean | null;
  /** The health, where it is known already. */
  health?: string | null;
};

/** The signals of `classifyHealth`; silence is counted from `now`. */
export type HealthProbe = Omit<LionagiSignals, "now" | "health"> & { now: number };

/** The axes of ADR-0033 that a severity depends on. */
export type SeverityAxes = { outcome?: string | null; health?: string | null; delivery?: string | null };
