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
 * The snapshot with the delta applied; neither argument is changed. For many deltas use `Tree`: there a delta costs its own size, here
 * the whole tree crosses each time.
 *
 * @throws {InvalidDeltaError} the delta is malformed or does not fit
 */
export function applyDelta<S extends DevToolsSnapshot>(snapshot: S, delta: DevToolsDelta): S;
