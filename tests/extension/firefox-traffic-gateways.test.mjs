// The panel shows the runs of two Gateways at once, and those of the Gateway's own operator console, in real Firefox developer tools.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, afterEach, before, describe, test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { OPERATOR_TOKEN, startGateway } from "../gateway/gateway.mjs";
import { until } from "../support/browser.mjs";
import { openPanel } from "../support/firefox-panel.mjs";
import { root } from "../support/paths.mjs";
import { choose, press, recordStates, see, shown } from "../support/traffic.mjs";

const folder = join(root, "tests/extension/page");
const address = ({ port }) => `127.0.0.1:${port}`;
/** A run's state as the Gateway derives it. */
const stateOf = async (gateway, runId) => (await gateway.rpc("getRun", { runId })).runState.state;
// Between a decision and the resumption, the Gateway's own word is "waiting-event".
const APPROVED = ["waiting-approval", "waiting-event", "running", "succeeded"];
/** Whether all items of `some` occur in `all` in this order. */
const isInOrder = (some, all) => some.reduce((from, item) => (from < 0 ? from : all.indexOf(item, from) + 1 || -1), 0) >= 0;

test("runs of two Gateways over HTTP are listed by Gateway and followed to their end", async () => {
  const [near, far] = await Promise.all([startGateway({ page: folder }), startGateway({ page: folder })]);
  const tools = await openPanel(`${near.http}/page/index.html`);
  try {
    const gateways = [near, far];
    const runs = await Promise.all(gateways.map((gateway) => gateway.launchHeld("approval")));
    await Promise.all(gateways.map((gateway, i) => gateway.waitForState(runs[i].runId, "running")));
    await recordStates(tools);
    // A page can read the HTTP responses of its own Gateway only, so the other one is requested by a frame.
    await tools.page.goto(`${near.http}/page/index.html?both#poll=${runs[0].runId}`);
    await tools.page.evaluate(
      (src) => void document.body.append(Object.assign(document.createElement("iframe"), { src })),
      `${far.http}/page/index.html#poll=${runs[1].runId}`,
    );
    const listed = (state) => Object.fromEntries(gateways.map((gateway, i) => [address(gateway), { [runs[i].runId]: state }]));
    const { notes } = await see(tools, "both Gateways, each with its run", ({ servers }) => isDeepStrictEqual(servers, listed("running")));
    assert.deepEqual(notes, {});
    for (const [i, gateway] of [...gateways.entries()].reverse()) {
      const { runId, go } = runs[i];
      const agrees = (state) =>
        see(
          tools,
          `the run of ${address(gateway)} in the state ${state}`,
          async ({ header }) => header?.runId === runId && header.state === state && (await stateOf(gateway, runId)) === state,
        );
      await choose(tools, runId);
      await agrees("running");
      await go();
      await agrees("waiting-approval");
      await gateway.approve(runId, "release-gate");
      await agrees("succeeded");
      await press(tools, "runs");
    }
    await see(tools, "both ends", ({ servers }) => isDeepStrictEqual(servers, listed("succeeded")));
    const order = ["running", ...APPROVED];
    for (const [runId, states] of Object.entries(await tools.inPanel("window.statesOfRuns"))) {
      assert.ok(isInOrder(states, order), `${runId} was shown as ${states}`);
    }
    assert.deepEqual(await tools.complaints(), []);
  } finally {
    await Promise.all([tools.close(), near.stop(), far.stop()]);
  }
});

describe("the Gateway's own operator console", () => {
  // Runs whose state lasts, so that a response of some seconds ago is still true.
  const lasting = {
    approval: "waiting-approval",
    event: "waiting-event",
    fail: "failed",
    finish: "succeeded",
    timer: "waiting-timer",
    wide: "succeeded",
    slow: "running",
  };
  let gateway, tools, held;
  const runs = {};
  before(async () => {
    gateway = await startGateway();
    for (const workflow of Object.keys(lasting)) {
      if (workflow === "slow") runs.slow = (held = await gateway.launchHeld("slow")).runId;
      else runs[workflow] = await gateway.launch(workflow, workflow === "timer" ? { seconds: 3600 } : {});
    }
    await Promise.all(Object.entries(lasting).map(([workflow, state]) => gateway.waitForState(runs[workflow], state)));
    tools = await openPanel("about:blank");
    await recordStates(tools);
    await tools.page.goto(`${gateway.http}/v1/auth/session?token=${OPERATOR_TOKEN}&next=/console`);
  });
  after(async () => {
    await tools?.close();
    await gateway?.stop();
  });
  afterEach(async () => assert.deepEqual(await tools.complaints(), []));

  const rows = async () => (await shown(tools)).servers[address(gateway)] ?? {};
  const agrees = (workflow, state) =>
    see(
      tools,
      `${workflow} in the state ${state}`,
      async ({ servers }) => servers[address(gateway)][runs[workflow]] === state && (await stateOf(gateway, runs[workflow])) === state,
    );
  /** Every state that a run had on screen was one of `states`, in their order. It was unknown at most once. */
  const wasOnly = async (workflow, states) => {
    const all = (await tools.inPanel("window.statesOfRuns"))[runs[workflow]];
    assert.ok(
      isInOrder(
        all.filter((state) => state !== "unknown"),
        states,
      ),
      `${workflow} was shown as ${all}`,
    );
    assert.ok(all.filter((state) => state === "unknown").length <= 1, `${workflow} was shown as ${all}`);
  };

  test("every run in it is listed with the state of getRun, as long as it says nothing else", async () => {
    await until("all runs", async () => Object.keys(await rows()).length === Object.keys(runs).length);
    const listed = await tools.page.$$eval(".run-id", (ids) => ids.map((id) => id.textContent));
    assert.deepEqual(Object.keys(await rows()).sort(), listed.sort());
    for (const [workflow, state] of Object.entries(lasting)) await agrees(workflow, state);
    // Each time it asks four things, every five seconds.
    const counted = async () => /^([\d\u202f]+) requests/.exec((await shown(tools)).counts)?.[1];
    const requests = async () => Number((await until("the number of requests", counted)).replaceAll("\u202f", ""));
    const first = await requests();
    await until("three more rounds of its requests", async () => (await requests()) >= first + 12);
    for (const [workflow, state] of Object.entries(lasting)) {
      await agrees(workflow, state);
      await wasOnly(workflow, [state]);
    }
  });

  test("of a run that is chosen in it, the sockets are explained, and the state stays that of getRun until its end", async () => {
    await tools.page.$$eval(".run-id", (ids, runId) => ids.find((id) => id.textContent === runId).click(), runs.approval);
    const { notes } = await see(tools, "the note", ({ notes }) => notes["hidden-socket"]);
    assert.ok(notes["hidden-socket"].includes(`a WebSocket to ${address(gateway)}.`), notes["hidden-socket"]);
    await choose(tools, runs.approval);
    await see(
      tools,
      "the run",
      ({ header }) => header?.runId === runs.approval && header.state === "waiting-approval" && header.freshness === "seen",
    );
    await Promise.all([gateway.approve(runs.approval, "release-gate"), held.go()]);
    const { header, nodes } = await see(tools, "its end", ({ header }) => header?.state === "succeeded");
    assert.match(header.freshnessText, /^seen \d+ s ago in this page’s traffic$/);
    assert.deepEqual(nodes, {}, "the sockets alone have the tree");
    await press(tools, "runs");
    const orders = { approval: APPROVED, slow: ["running", "succeeded"] };
    for (const [workflow, order] of Object.entries(orders)) {
      await agrees(workflow, "succeeded");
      await wasOnly(workflow, order);
    }
  });
});
