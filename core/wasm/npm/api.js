// The exports of both entries, `node.js` and `web.js`.
import * as compute from "./compute.js";
import { guarded, guardedClass } from "./load.js";
import * as core from "./runstate.js";

export { InvalidDeltaError } from "./errors.js";
export const RUN_STATE_HEARTBEAT_STALE_MS = 30_000;
export const adminTransitionTargets = Object.freeze(["failed", "aborted", "cancelled"]);

export const EventLog = guardedClass(core.EventLog);
export const History = guardedClass(core.History);
export const ServerClock = guardedClass(core.ServerClock);
export const Tree = guardedClass(core.Tree);
export const applyDelta = guarded(core.applyDelta);
export const canTransition = guarded(core.canTransition);
export const classifyHealth = guarded(core.classifyHealth);
export const compareWitnesses = guarded(core.compareWitnesses);
export const computeRunState = guarded(compute.computeRunState);
export const computeRunStateFromRow = guarded(compute.computeRunStateFromRow);
export const deriveRunState = guarded(core.deriveRunState);
export const deriveRunStates = guarded(core.deriveRunStates);
export const deriveSeverity = guarded(core.deriveSeverity);
export const diffSnapshots = guarded(core.diffSnapshots);
export const effectiveState = guarded(core.effectiveState);
export const exitCode = guarded(core.exitCode);
export const explainRunState = guarded(core.explainRunState);
export const exportRun = guarded(core.exportRun);
export const header = guarded(core.header);
export const inspect = guarded(core.inspect);
export const normalizeState = guarded(core.normalizeState);
export const pill = guarded(core.pill);
export const readConductorRun = guarded(core.readConductorRun);
export const worstHealth = guarded(core.worstHealth);
