// Messages that are lost on the way to the panel, in real DevTools with real Gateways: counted, once.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, test } from "node:test";
import { startGateway } from "../gateway/gateway.mjs";
import { until } from "../support/browser.mjs";
import { openDevtools } from "../support/devtools.mjs";
import { proxy } from "../support/listener.mjs";
import { root } from "../support/paths.mjs";
import { TIMEOUT } from "../support/timeout.mjs";
import { choose, press, see } from "../support/traffic.mjs";

// Heartbeats are rare, so that hardly a message comes that a test does not cause.
const [gateway, busy] = await Promise.all([
  startGateway({ page: join(root, "tests/extension/page"), heartbeatMs: 60_000 }),
  startGateway({ heartbeatMs: 100 }),
]);
after(() => Promise.all([gateway.stop(), busy.stop()]));

/** The maximum time for reading a large log, in ms: the larger it is, the more rarely the collector reads it. */
const READ = 4 * TIMEOUT;

/** What the collector holds for a panel that is opened later, as counts. It arrives in several messages at once. */
const kept = (tools) =>
  tools.inCollector(`new Promise((done) => {
    const channel = new BroadcastChannel("runstate-traffic-" + chrome.devtools.inspectedWindow.tabId);
    const held = { dropped: 0, frames: 0 };
    let end;
    channel.onmessage = ({ data: { entries } }) => {
      if (!entries) return;
      for (const { kind, count } of entries) {
        if (kind === "dropped") held.dropped += count;
        if (kind === "frame") held.frames += 1;
      }
      clearTimeout(end);
      end = setTimeout(() => {
        channel.postMessage({ subscribe: false });
        channel.close();
        done(held);
      }, 200);
    };
    channel.postMessage({ subscribe: true });
  })`);

test("of a page that says more than the collector keeps for a panel that is opened later, the oldest messages are dropped, and counted once", async () => {
  const [large, runId] = await Promise.all([gateway.launch("wide", { count: 100, ms: 0 }), gateway.launch("approval")]);
  await Promise.all([gateway.waitForState(large, "succeeded"), gateway.waitForState(runId, "waiting-approval")]);
  let dropped;
  const beforePanel = async (tools) => {
    // The first message of the socket, which the collector drops later, tells that it is one of a Gateway.
    await tools.page.waitForFunction("sockets[0]?.frames > 3");
    await tools.page.evaluate(async (runId) => {
      // The collector keeps 32 million characters.
      for (let size = 0; size < 36e6;) size += JSON.stringify(await sockets[0].ask("getDevToolsSnapshot", { runId })).length;
    }, large);
    // A Gateway that sends nothing more lets the frames be counted on both sides.
    process.kill(gateway.pid, "SIGSTOP");
    const frames = await until("frames that do not grow", async () => {
      const counts = () => tools.page.evaluate("sockets[0].frames + sockets[0].sent");
      const before = await counts();
      await new Promise((next) => setTimeout(next, 500));
      return before === (await counts()) && before;
    });
    let now;
    const isComplete = ({ dropped, frames: held }) => dropped > 0 && dropped + held === frames;
    // A poll while the collector is asked delivers frames that the buffer does not hold any more: then it is asked again.
    await until("all frames in the collector", async () => isComplete((now = await kept(tools))), {
      pause: 1000,
      timeout: READ,
    }).catch((error) => {
      throw new Error(`${error.message}: ${JSON.stringify(now)}, of ${frames}`);
    });
    dropped = now.dropped;
    assert.ok(dropped > 100 && now.frames > 100, JSON.stringify(now));
  };
  let tools;
  try {
    tools = await openDevtools(`${gateway.http}/page/index.html#follow=${runId}&at=${gateway.url}`, { beforePanel });
    const count = String(dropped).replace(/\B(?=(\d{3})+$)/g, "\u202f");
    const isReportedOnce = ({ missing }) =>
      assert.match(
        missing,
        new RegExp(`^\\s*${count} messages were dropped because the buffer was full\\. States that depend on them are shown as unknown\\.`),
      );
    isReportedOnce((await see(tools, "the note", ({ notes }) => notes.missing)).notes);
    process.kill(gateway.pid, "SIGCONT");
    await choose(tools, runId);
    await press(tools, "fields");
    await gateway.approve(runId, "release-gate");
    const { header, notes } = await see(tools, "its end", ({ header }) => header?.runId === runId && header.state === "succeeded", READ);
    isReportedOnce(notes);
    assert.match(header.text, /none missing/);
    assert.deepEqual(tools.complaints, []);
  } finally {
    process.kill(gateway.pid, "SIGCONT");
    await tools?.close();
  }
});

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
