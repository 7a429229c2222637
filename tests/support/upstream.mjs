// The functions of the released packages that the tests and benchmarks compare with.
export { computeRunStateFromRow } from "@smithers-orchestrator/db/runState/computeRunStateFromRow";
export { deriveRunState } from "@smithers-orchestrator/db/runState/deriveRunState";
export { applyDelta } from "@smithers-orchestrator/devtools/applyDelta";
export { diffSnapshots } from "@smithers-orchestrator/devtools/diffSnapshots";
