// The time limits of the tests.

/** The factor for all time limits: three if CI is set, because its machines may be slow. RUNSTATE_PATIENCE sets another factor. */
export const PATIENCE = Number(process.env.RUNSTATE_PATIENCE || (process.env.CI ? 3 : 1));

/** The maximum waiting time for an expected state, in ms; it is not a measure of the panel's speed. */
export const TIMEOUT = 30_000 * PATIENCE;
