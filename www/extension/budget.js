// Limits what the collector takes of the time, however long each piece of its work takes.

/** Its share of the time. */
const SHARE = 0.03;
/** How much work it may do without a pause after it has done little for a while, milliseconds. */
const MAX_CREDIT_MS = 300;
/** Answers are read when they come. However much work they are, the next poll waits at most 10 s for it. */
const MAX_DEBT_MS = 300;

export class Budget {
  #now;
  #countedAt;
  #credit = MAX_CREDIT_MS;

  /** `now` is the time in milliseconds. */
  constructor(now) {
    this.#now = now;
    this.#countedAt = now();
  }

  /** Pays for work of `ms`. */
  pay(ms) {
    this.#count();
    this.#credit -= ms;
  }

  /** Pays for work that cannot wait. */
  payUrgent(ms) {
    this.#count();
    this.#credit = Math.max(this.#credit - ms, Math.min(this.#credit, -MAX_DEBT_MS));
  }

  /** How long the pause after further work of `ms` has to be, milliseconds. */
  pauseAfter(ms = 0) {
    this.#count();
    return Math.max((ms - this.#credit) / SHARE, 0);
  }

  #count() {
    const now = this.#now();
    this.#credit = Math.min(this.#credit + SHARE * (now - this.#countedAt), MAX_CREDIT_MS);
    this.#countedAt = now;
  }
}
