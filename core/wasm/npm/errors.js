/** The error for a delta that is malformed or does not fit the snapshot, as in `@smithers-orchestrator/devtools`. */
export class InvalidDeltaError extends Error {
  code = "InvalidDelta";

  constructor(message) {
    super(message);
    this.name = "InvalidDeltaError";
  }
}
