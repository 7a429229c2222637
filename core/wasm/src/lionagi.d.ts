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

/** Why a session has its severity. */
export interface NormalizedReason {
  code: string;
  message: string;
  claim_status: string;
  entity_type: "session";
  entity_id: string | null;
  evidence: EvidenceInput[];
}
