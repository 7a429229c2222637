// Reads the rows that a run state rests on. Which rows those are, and what they say, is decided in WebAssembly.
import { RunStateReading } from "./runstate.js";

export async function computeRunState(adapter, runId, options) {
  const run = await call(adapter, "getRun", [runId]);
  if (!run) throw Object.assign(new Error(`Run not found: ${runId}`), { code: "RUN_NOT_FOUND" });
  return computeRunStateFromRow(adapter, run, options);
}

export async function computeRunStateFromRow(adapter, run, options) {
  const reading = new RunStateReading(run, options);
  for (let query = reading.next(); query; query = reading.next()) {
    const missing = query.method === "listSandboxes" && typeof adapter?.listSandboxes !== "function";
    reading.give(missing ? undefined : await call(adapter, query.method, query.arguments));
  }
  const view = reading.view();
  reading.free();
  return view;
}

function call(adapter, method, given) {
  const object = adapter !== null && ["object", "function"].includes(typeof adapter);
  if (object && typeof adapter[method] === "function") return adapter[method](...given);
  const path = object ? `adapter.${method}` : "adapter";
  const error = new TypeError(`expected ${object ? "a function" : "an object"} for ${path}`);
  throw Object.assign(error, { code: "INVALID_INPUT", position: { path } });
}
