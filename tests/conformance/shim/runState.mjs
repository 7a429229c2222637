// `@smithers-orchestrator/db/runState`. Passes explicitly what the released package finds out by itself:
// the grace period of an overdue timer, and whether the owner's process exists.
import { runstate } from "../node/support.mjs";

const TIMER_OVERDUE_GRACE_MS = 30_000;

function isOwnerPidAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

const released = (options) => ({ timerOverdueGraceMs: TIMER_OVERDUE_GRACE_MS, isOwnerPidAlive, ...options });

export const { RUN_STATE_HEARTBEAT_STALE_MS } = runstate;
export const deriveRunState = (input) => runstate.deriveRunState(released(input));
export const computeRunState = (adapter, runId, options) => runstate.computeRunState(adapter, runId, released(options));
export const computeRunStateFromRow = (adapter, run, options) => runstate.computeRunStateFromRow(adapter, run, released(options));
