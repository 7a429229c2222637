/** What every error of this module is; `code` is listed in the README. */
export type RunstateError = Error & { code: string; hint?: string; position?: Position };

/** A delta that is malformed or does not fit the snapshot. */
export class InvalidDeltaError extends Error {
  constructor(message: string);
  readonly code: "InvalidDelta";
}
