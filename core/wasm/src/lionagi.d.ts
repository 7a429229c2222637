/** The statuses that an administrator can set (ADR-0025). */
export const adminTransitionTargets: readonly ["failed", "aborted", "cancelled"];

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

/** The signals of `classifyHealth`. `now`, in seconds since 1970, is the time up to which the session has been silent. */
export type HealthProbe = Omit<LionagiSignals, "now" | "health"> & { now: number };

/** The axes of ADR-0033 that a severity depends on. */
export type SeverityAxes = { outcome?: string | null; health?: string | null; delivery?: string | null };
