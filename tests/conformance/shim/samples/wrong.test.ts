// A test that must fail: the runner would be worth nothing if it did not.
import { expect, test } from "bun:test";
import { computeRunState, deriveRunState } from "@smithers-orchestrator/db/runState";

test("a finished run is running", () => {
  expect(deriveRunState({ run: { runId: "r", status: "finished" }, now: 0 }).state).toBe("running");
});

test("a run that is not there is refused for another reason", async () => {
  const none = computeRunState({ getRun: async () => null } as never, "r");
  await expect(none).rejects.toMatchObject({ code: "RUN_ELSEWHERE" });
});
