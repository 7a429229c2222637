// A test file as it is written for upstream's packages: their import paths, their runner, TypeScript.
import { describe, expect, test } from "bun:test";
import { InvalidDeltaError } from "@smithers-orchestrator/devtools";
import { applyDelta } from "../src/applyDelta.js";
import { diffSnapshots } from "../src/diffSnapshots.js";
import type { DevToolsSnapshotV1 } from "../src/DevToolsSnapshotV1.ts";

function snapshot(seq: number, ...ids: number[]): DevToolsSnapshotV1 {
  const leaf = (id: number) => ({ id, type: "task", name: `node-${id}`, props: {}, children: [], depth: 1 });
  const root = { id: 1, type: "workflow", name: "w", props: {}, children: ids.map(leaf), depth: 0 };
  return { version: 1, runId: "r", frameNo: seq, seq, root } as DevToolsSnapshotV1;
}

describe("deltas", () => {
  test("lead from one snapshot to the other", () => {
    const delta = diffSnapshots(snapshot(1, 2, 3), snapshot(2, 3, 4));
    expect(delta.ops.length).toBeGreaterThan(0);
    expect(applyDelta(snapshot(1, 2, 3), delta)).toEqual(snapshot(2, 3, 4));
  });

  test("that do not fit are refused", () => {
    const delta = diffSnapshots(snapshot(1, 2), snapshot(2, 3));
    expect(() => applyDelta(snapshot(9, 2), delta)).toThrow(InvalidDeltaError);
    expect(() => applyDelta(snapshot(9, 2), delta)).toThrow(/base seq 1/);
    expect(() => applyDelta(snapshot(1, 2), delta)).not.toThrow();
  });
});
