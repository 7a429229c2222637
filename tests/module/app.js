// What an application in a browser writes; the tests run it plain and bundled.
import init, { RUN_STATE_HEARTBEAT_STALE_MS, Tree, deriveRunState, header, inspect, readConductorRun } from "runstate";

const shown = [];
try {
  inspect("{}");
} catch ({ code }) {
  shown.push(code === "NOT_LOADED" ? "not loaded" : code);
}
await init();

const run = { runId: "r1", status: "running", heartbeatAtMs: 1 };
shown.push(deriveRunState({ run, now: RUN_STATE_HEARTBEAT_STALE_MS }).state);
const root = { id: 1, type: "workflow", name: "w", props: {}, children: [], depth: 0 };
const tree = new Tree(JSON.stringify({ version: 1, runId: "r1", frameNo: 1, seq: 1, root }));
shown.push(tree.rows(0, 9).total);
tree.free();
shown.push(inspect('[{"session_id":"s1","status":"running","effective_health":"stale"}]').sessions[0].state);
shown.push(readConductorRun({}, { now: 0 }).phase);
const waiting = {
  runId: "r1",
  computedAt: "2023-11-14T22:13:20.000Z",
  state: "waiting-approval",
  blocked: { kind: "approval", nodeId: "gate", requestedAt: "2023-11-14T22:00:00.000Z" },
};
const live = { now: 1_700_000_002_000, live: true };
shown.push(header(JSON.stringify(waiting), live).answer.sentence);
document.querySelector("#answer").textContent = shown.join(", ");
