/** A delta that is malformed or does not fit the snapshot, as the upstream package throws it. */
export class InvalidDeltaError extends Error {
  code = "InvalidDelta";

  constructor(message) {
    super(message);
    this.name = "InvalidDeltaError";
  }
}
