// `computeRunState` and `computeRunStateFromRow`: call the adapter for the rows that `RunStateReading` (WebAssembly) requests.
import { RunStateReading } from "./runstate.js";

export async function computeRunState(adapter, runId, options) {
  const run = await call(adapter, "getRun", [runId]);
  if (!run) throw Object.assign(new Error(`Run not found: ${runId}`), { code: "RUN_NOT_FOUND" });
  return computeRunStateFromRow(adapter, run, options);
}

export async function computeRunStateFromRow(adapter, run, options) {
  const reading = new RunStateReading(run, options);
  try {
    for (let query = reading.next(); query; query = reading.next()) {
      const missing = query.method === "listSandboxes" && typeof adapter?.listSandboxes !== "function";
      reading.answer(missing ? undefined : await call(adapter, query.method, query.arguments));
    }
    return reading.view();
  } finally {
    free(reading);
  }
}

function free(reading) {
  try {
    reading.free();
  } catch {
    // After an exception of a row's getter the reading is still borrowed and cannot be freed. That exception is the one to report.
  }
}

function call(adapter, method, args) {
  const object = adapter !== null && ["object", "function"].includes(typeof adapter);
  if (object && typeof adapter[method] === "function") return adapter[method](...args);
  const path = object ? `adapter.${method}` : "adapter";
  const error = new TypeError(`expected ${object ? "a function" : "an object"} for ${path}`);
  throw Object.assign(error, { code: "INVALID_INPUT", position: { path } });
}
