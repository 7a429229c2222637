// What benchmarks and tests call of the released packages. It is copied beside their `node_modules`, where these names resolve.
export { computeRunStateFromRow } from "@smithers-orchestrator/db/runState/computeRunStateFromRow";
export { deriveRunState } from "@smithers-orchestrator/db/runState/deriveRunState";
export { applyDelta } from "@smithers-orchestrator/devtools/applyDelta";
export { diffSnapshots } from "@smithers-orchestrator/devtools/diffSnapshots";
