/** The witnesses of a run's state, compared. `Witness` and `RunWitness` are the state according to one source. */
export type WitnessComparison<W extends Witness = Witness> = {
  /** All witnesses, in the order given. */
  witnesses: W[];
  /** The witness whose state is shown; absent if there are no witnesses. */
  shown?: W;
  /** Why this witness is shown, as the end of a sentence. */
  reason: string;
  /** The witnesses that contradict the shown one. */
  contradicting: W[];
  /** The contradiction as a sentence; absent if there is none. */
  note?: string;
  /** The number of witnesses without a contradiction, as text; absent for a single witness and for a contradiction. */
  agreement?: string;
};

/**
 * Returns which witness of a run's state is shown, why, and which witnesses contradict it. `shown` and `contradicting` contain the
 * objects that were passed.
 *
 * The witness with the highest rank is shown: `server`, `rows`, `snapshot`, `events`; of two with the same source, the newer one. Two rules
 * take precedence: a row that was `stale` or `orphaned` when the server answered `running`, and events that are later than the answer.
 *
 * @throws {RunstateError} `INVALID_INPUT` if the argument does not match its type
 */
export function compareWitnesses<W extends Witness>(witnesses: readonly W[]): WitnessComparison<W>;
