// What both entries export; `inspect` is a part that each loads in its own way. Everything is decided in runstate_bg.wasm; here calls are awaited, no more.
import { RunStateReading, runNotFound } from "./runstate.js";

export { deriveRunState, pill } from "./runstate.js";

export const RUN_STATE_HEARTBEAT_STALE_MS = 30_000;

export async function computeRunState(adapter, runId, options = {}) {
  const run = await adapter.getRun(runId);
  if (!run) throw runNotFound(runId);
  return computeRunStateFromRow(adapter, run, options);
}

export async function computeRunStateFromRow(adapter, run, options = {}) {
  const reading = new RunStateReading(adapter, run, options);
  try {
    for (let call = reading.next(); call; call = reading.next()) {
      reading.give(await adapter[call.method](...call.arguments));
    }
    return reading.view();
  } finally {
    reading.free();
  }
}
