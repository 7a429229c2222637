// The same for the functions that derive.
import { expect, test } from "bun:test";
import { RUN_STATE_HEARTBEAT_STALE_MS, computeRunState, computeRunStateFromRow, deriveRunState } from "@smithers-orchestrator/db/runState";

const now = 1_700_000_000_000;
const run = { runId: "r", status: "running", heartbeatAtMs: now };

test("a heartbeat within the threshold is running", () => {
  expect(deriveRunState({ run, now }).state).toBe("running");
  const late = { run, now: now + RUN_STATE_HEARTBEAT_STALE_MS + 1 };
  expect(deriveRunState(late)).toMatchObject({ state: "orphaned", unhealthy: { kind: "engine-heartbeat-stale" } });
  expect(deriveRunState({ ...late, run: { ...run, runtimeOwnerId: `pid:${process.pid}` } }).state).toBe("stale");
});

test("an overdue timer is told after the released grace", () => {
  const input = { run: { runId: "r", status: "waiting-timer" }, pendingTimer: { nodeId: "n", firesAtMs: now } };
  expect(deriveRunState({ ...input, now: now + 30_000 }).unhealthy).toBeUndefined();
  expect(deriveRunState({ ...input, now: now + 30_001 }).unhealthy?.kind).toBe("timer-overdue");
});

test("rows come from an adapter", async () => {
  const adapter = { getRun: async () => run, listSandboxes: async () => [] };
  await expect(computeRunState(adapter as never, "r", { now })).resolves.toMatchObject({ state: "running" });
  expect((await computeRunStateFromRow(adapter as never, run, { now })).runId).toEqual("r");
  const none = () => computeRunState({ getRun: async () => null } as never, "r");
  await expect(none()).rejects.toThrow("Run not found");
  await expect(none()).rejects.toMatchObject({ code: "RUN_NOT_FOUND" });
});
