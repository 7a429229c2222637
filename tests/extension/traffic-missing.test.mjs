// Messages that are lost on the way to the panel, in real DevTools with real Gateways: counted, once.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, test } from "node:test";
import { startGateway } from "../gateway/gateway.mjs";
import { openDevtools } from "../support/devtools.mjs";
import { proxy } from "../support/listener.mjs";
import { root } from "../support/paths.mjs";
import { press, see } from "../support/traffic.mjs";

// Heartbeats are rare, so that hardly a message comes that a test does not cause.
const [gateway, busy] = await Promise.all([
  startGateway({ page: join(root, "tests/extension/page"), heartbeatMs: 60_000 }),
  startGateway({ heartbeatMs: 100 }),
]);
after(() => Promise.all([gateway.stop(), busy.stop()]));

test("events that are lost between the Gateway and the page are counted by their numbers", async () => {
  const runId = await busy.launch("approval");
  await busy.waitForState(runId, "waiting-approval");
  const lossy = await proxy(busy.url);
  let tools;
  try {
    tools = await openDevtools(`${gateway.http}/page/index.html#follow=${runId}&at=${lossy.url}`);
    await see(tools, "the run", ({ servers }) => Object.values(servers).some((rows) => rows[runId] === "waiting-approval"));
    lossy.lose(3);
    const { notes } = await see(tools, "the note", ({ notes }) => notes.missing);
    assert.match(
      notes.missing,
      /^\s*3 events are missing: their sequence numbers were skipped\. States that depend on them are shown as unknown\./,
    );
    await press(tools, "reload-page");
    await see(
      tools,
      "the run of a new socket",
      ({ servers, notes }) => Object.values(servers).some((rows) => rows[runId] === "waiting-approval") && !notes.missing,
    );
    assert.deepEqual(tools.complaints, []);
  } finally {
    await tools?.close();
    await lossy.close();
  }
});
