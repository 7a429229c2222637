// What an application writes that is bundled: its bundler finds the files, the page says where they lie.
import init, { RUN_STATE_HEARTBEAT_STALE_MS, deriveRunState, exitCode } from "runstate/web";

export async function answer(core, lionagi) {
  await init({ module_or_path: core, lionagi });
  const run = { runId: "r1", status: "running", heartbeatAtMs: 1 };
  return [deriveRunState({ run, now: RUN_STATE_HEARTBEAT_STALE_MS }).state, exitCode("timed_out")];
}
