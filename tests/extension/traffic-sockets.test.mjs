// The panel follows the runs of the sockets of the inspected page, in real DevTools: to their ends, in silence, and among many messages.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { startGateway } from "../gateway/gateway.mjs";
import { openDevtools } from "../support/devtools.mjs";
import { root } from "../support/paths.mjs";
import { choose, press, see } from "../support/traffic.mjs";

// The Gateway that serves the page, and another one.
const [near, far] = await Promise.all([startGateway({ page: join(root, "tests/extension/page") }), startGateway()]);
after(() => Promise.all([near.stop(), far.stop()]));

/** The field that counts the messages of a Gateway's sockets. */
const socketMessages = (header) => {
  const text = /Messages\n+([^\n]*)/.exec(header?.text)?.[1] ?? "";
  return { text, received: Number(/^([\d\s]+) in/.exec(text)?.[1].replace(/\s/g, "")) };
};

describe("a socket", () => {
  let tools, runId;
  before(async () => {
    runId = await far.launch("approval");
    await far.waitForState(runId, "waiting-approval");
    tools = await openDevtools(`${near.http}/page/index.html#follow=${runId}&at=${far.url}`);
    await choose(tools, runId);
    await see(tools, "the run", ({ header }) => header?.freshness === "following");
  });
  after(() => tools?.close());

  test("that DevTools does not show any more after its log was cleared, is explained, and followed again after a reload", async () => {
    await tools.inFront(`(async () => {
      const { NetworkLog } = await import("./models/logs/logs.js");
      NetworkLog.NetworkLog.instance().reset(true);
    })()`);
    const { header, notes } = await see(
      tools,
      "the end of the socket",
      ({ header, notes }) => notes.cleared && header?.freshness === "seen",
    );
    assert.equal(header.state, "waiting-approval");
    assert.match(notes.cleared, /no longer shows messages of WebSockets that were open before\. Reload the page/);
    await press(tools, "reload-page");
    await see(tools, "the run again", ({ header, notes }) => header?.freshness === "following" && !notes.cleared);
  });

  test("whose Gateway is killed is not followed any more, and what was said stays as it was", async () => {
    await far.kill();
    const { header } = await see(tools, "the end of the socket", ({ header }) => header?.freshness === "seen");
    assert.equal(header.state, "waiting-approval");
    await press(tools, "runs");
    const { lines } = await see(tools, "the list", ({ screen }) => screen === "runs");
    assert.match(lines.join(), /Socket · closed/);
    await far.restart();
    assert.deepEqual(tools.complaints.splice(0), []);
  });
});

test("a run whose Gateway hangs is not followed any more, though its socket is open, and is never live", async () => {
  const silent = await startGateway();
  const runId = await silent.launch("approval");
  await silent.waitForState(runId, "waiting-approval");
  const tools = await openDevtools(`${near.http}/page/index.html#follow=${runId}&at=${silent.url}`);
  try {
    await choose(tools, runId);
    await see(tools, "the run", ({ header }) => header?.freshness === "following");
    await tools.inPanel(`(() => {
      window.freshnessValues = new Set();
      const note = () => document.querySelectorAll('[data-field="freshness"] [data-value]').forEach(({ dataset }) => window.freshnessValues.add(dataset.value));
      note();
      new MutationObserver(note).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
    })()`);
    process.kill(silent.pid, "SIGSTOP");
    try {
      const { header } = await see(tools, "silence", ({ header }) => header?.freshness === "seen", 40_000);
      assert.equal(header.state, "waiting-approval");
      await press(tools, "runs");
      const { lines } = await see(tools, "the list", ({ screen }) => screen === "runs");
      assert.match(lines.join(), /Socket · silent for \d+ s/);
    } finally {
      process.kill(silent.pid, "SIGCONT");
    }
    assert.deepEqual(await tools.inPanel("[...window.freshnessValues]"), ["following", "seen"]);
    assert.deepEqual(tools.complaints, []);
  } finally {
    await tools.close();
    await silent.stop();
  }
});

test("10 000 frames of several sockets are read without a gap, and a run is followed among them", async () => {
  const busy = await startGateway({ heartbeatMs: 5 });
  const runId = await busy.launch("approval");
  await busy.waitForState(runId, "waiting-approval");
  const tools = await openDevtools(`${near.http}/page/index.html#follow=${runId}&at=${busy.url}`);
  try {
    await choose(tools, runId);
    await see(tools, "the run", ({ header }) => header?.runId === runId);
    await press(tools, "fields");
    await tools.page.evaluate(`Promise.all([1, 2, 3, 4, 5].map(() => open("${busy.url}")))`);
    await tools.page.waitForFunction("sockets.reduce((sum, { frames }) => sum + frames, 0) > 10000", { timeout: 60_000 });
    await busy.approve(runId, "release-gate");
    await see(tools, "its end", ({ header }) => header?.state === "succeeded", 30_000);
    await busy.kill();
    const received = await tools.page.evaluate("sockets.reduce((sum, { frames }) => sum + frames, 0)");
    assert.ok(received > 10_000, `${received} frames`);
    const { header } = await see(tools, "all frames", ({ header }) => socketMessages(header).received === received, 30_000);
    assert.match(socketMessages(header).text, /none missing/);
    assert.deepEqual(tools.complaints, []);
  } finally {
    await tools.close();
    await busy.stop();
  }
});
