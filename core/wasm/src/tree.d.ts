/** A node of a snapshot. */
export type DevToolsNode = {
  id: number;
  type: string;
  name: string;
  props: Record<string, unknown>;
  task?: Record<string, unknown> & { nodeId: string };
  children: DevToolsNode[];
  depth: number;
};

/** A snapshot, version 1. */
export type DevToolsSnapshot = {
  version: 1;
  runId: string;
  frameNo: number;
  seq: number;
  root: DevToolsNode;
  runState?: RunStateView;
};

export type DevToolsDeltaOp =
  | { op: "addNode"; parentId: number; index: number; node: DevToolsNode }
  | { op: "removeNode"; id: number }
  | { op: "updateProps"; id: number; props: Record<string, unknown> }
  | { op: "updateTask"; id: number; task?: DevToolsNode["task"] }
  | { op: "replaceRoot"; node: DevToolsNode };

export type DevToolsDelta = { version: 1; baseSeq: number; seq: number; ops: DevToolsDeltaOp[] };

/**
 * Returns the snapshot with the delta applied; the arguments do not change. Same arguments and result as `applyDelta` of
 * `@smithers-orchestrator/devtools`. For many deltas use `Tree`: here the time depends on the size of the tree, there only on that of the
 * delta.
 *
 * @throws {InvalidDeltaError} `InvalidDelta` if the delta is malformed or does not fit the snapshot
 * @throws {RunstateError} `INVALID_INPUT` if the snapshot cannot be read
 */
export function applyDelta<S extends DevToolsSnapshot>(snapshot: S, delta: DevToolsDelta): S;
