/**
 * How long is waited for what must come, in ms; it says nothing about how fast the panel is. Three times as long where CI is
 * set, because its machines may be slow. RUNSTATE_TIMEOUT_MS sets another time.
 */
export const TIMEOUT = Number(process.env.RUNSTATE_TIMEOUT_MS || (process.env.CI ? 90_000 : 30_000));
