// Limits the collector's share of the time, whatever the duration of each piece of work.

/** The collector's share of the time. */
const SHARE = 0.03;
/** The maximum work without a pause, after a period with little work, in milliseconds. */
const MAX_CREDIT_MS = 300;
/** The maximum debt, in milliseconds. Because of this limit the next poll waits at most 10 s. */
const MAX_DEBT_MS = 300;

export class Budget {
  #now;
  #countedAt;
  #credit = MAX_CREDIT_MS;

  /** @param {() => number} now Returns the time in milliseconds. */
  constructor(now) {
    this.#now = now;
    this.#countedAt = now();
  }

  /** Deducts `ms` of work. */
  pay(ms) {
    this.#count();
    this.#credit = Math.max(this.#credit - ms, -MAX_DEBT_MS);
  }

  /**
   * The pause that is needed after another `ms` of work, in milliseconds.
   * @returns {number}
   */
  pauseAfter(ms = 0) {
    this.#count();
    return Math.max(Math.min(ms - this.#credit, MAX_DEBT_MS) / SHARE, 0);
  }

  #count() {
    const now = this.#now();
    this.#credit = Math.min(this.#credit + SHARE * (now - this.#countedAt), MAX_CREDIT_MS);
    this.#countedAt = now;
  }
}
