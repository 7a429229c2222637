// `@smithers-orchestrator/devtools`, as far as it is about deltas.
import { runstate } from "../node/support.mjs";

export const { InvalidDeltaError, applyDelta, diffSnapshots } = runstate;
