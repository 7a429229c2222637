// A test that must fail: the runner would be worth nothing if it did not.
import { expect, test } from "bun:test";
import { deriveRunState } from "@smithers-orchestrator/db/runState";

test("a finished run is running", () => {
  expect(deriveRunState({ run: { runId: "r", status: "finished" }, now: 0 }).state).toBe("running");
});
