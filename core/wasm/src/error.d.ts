/** The type of all errors of this package. The README lists the codes. */
export type RunstateError = Error & { code: string; hint?: string; position?: Position };

/** The error for a delta that is malformed or does not fit the snapshot. */
export class InvalidDeltaError extends Error {
  constructor(message: string);
  readonly code: "InvalidDelta";
}
