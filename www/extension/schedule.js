// Decides when the collector polls: regularly, or earlier if requested, but never before the pause after the last poll is over.
import { Budget } from "./budget.js";

/** The minimum pause after a poll, in milliseconds. The budget may lengthen it. */
export const POLL_MS = 250;

export class Schedule {
  #now;
  #poll;
  #maxPause;
  #budget;
  /** The next poll: `{at, id}`. */
  #timer;
  #pausedUntil = -Infinity;
  #isPolling = false;
  /** Whether another poll was requested during the present one. */
  #isUrgent = false;

  /**
   * @param {() => number} now Returns the time in milliseconds.
   * @param {(begin: number) => Promise<{ nextMs: number, cost: number }>} poll Returns the time until the next poll, and its own work
   * in milliseconds, without what it has waited for.
   * @param {() => number} maxPause The longest pause, in milliseconds.
   */
  constructor(now, poll, maxPause) {
    this.#now = now;
    this.#poll = poll;
    this.#maxPause = maxPause;
    this.#budget = new Budget(now);
  }

  /** Polls at once, unless a poll is in progress. */
  async run() {
    if (this.#isPolling) return;
    clearTimeout(this.#timer?.id);
    this.#timer = undefined;
    this.#isPolling = true;
    this.#isUrgent = false;
    const begin = this.#now();
    const { nextMs, cost } = await this.#poll(begin);
    this.#budget.pay(cost);
    this.#pausedUntil = this.#now() + this.pause();
    this.#isPolling = false;
    this.request(this.#isUrgent ? 0 : nextMs);
  }

  /** Requests a poll after `delay` milliseconds, unless an earlier one is scheduled. */
  request(delay = 0) {
    this.#isUrgent ||= this.#isPolling && delay === 0;
    if (this.#isPolling) return;
    const at = Math.max(this.#now() + delay, this.#pausedUntil);
    if (this.#timer !== undefined && this.#timer.at <= at) return;
    clearTimeout(this.#timer?.id);
    this.#timer = { at, id: setTimeout(() => this.run(), at - this.#now()) };
  }

  /** Polls as soon as possible, without regard to the cost of earlier polls. */
  restart() {
    this.#budget = new Budget(this.#now);
    this.#pausedUntil = -Infinity;
    this.request();
  }

  /** The pause after a poll, of which `unpaid` milliseconds are not deducted yet. */
  pause(unpaid = 0) {
    return Math.max(Math.min(this.#budget.pauseAfter(unpaid), this.#maxPause()), POLL_MS);
  }

  /** Does work that cannot be postponed, and deducts it from the budget. */
  async payFor(work) {
    const begin = this.#now();
    await work();
    this.#budget.pay(this.#now() - begin);
  }
}
