// How patient the tests are.

/** How many times as long as on a usual machine everything may take: three times where CI is set, or what RUNSTATE_PATIENCE says. */
export const PATIENCE = Number(process.env.RUNSTATE_PATIENCE || (process.env.CI ? 3 : 1));

/** How long is waited for what must come, in ms; it says nothing about how fast the panel is. */
export const TIMEOUT = 30_000 * PATIENCE;
