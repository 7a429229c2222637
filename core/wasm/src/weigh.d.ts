/** What several sources report about one run, weighed. */
export type Testimony<W extends Witness = Witness> = {
  witnesses: W[];
  /** The one whose state is shown; absent where there are no witnesses. */
  shown?: W;
  /** Why that one. */
  because: string;
  /** Those that contradict it. */
  against: W[];
  /** The contradiction as a sentence. */
  note?: string;
  /** That several agree, in words. */
  agreement?: string;
};

/**
 * Weighs what several sources report about one run: the most trusted is shown, of two from one source the newer, and a heartbeat that
 * expired before the server said `running` counts more than that. `shown` and `against` are the objects that were given.
 *
 * @throws {RunstateError} `INVALID_INPUT`
 */
export function weigh<W extends Witness>(witnesses: readonly W[]): Testimony<W>;
