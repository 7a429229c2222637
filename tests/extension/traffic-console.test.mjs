// The panel shows the runs of the Gateway's own operator console with the states that the Gateway derives, in real DevTools.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { OPERATOR_TOKEN, startGateway } from "../gateway/gateway.mjs";
import { until } from "../support/browser.mjs";
import { collectorShare, openDevtools } from "../support/devtools.mjs";
import { choose, see, shown } from "../support/traffic.mjs";

const settle = (ms) => new Promise((done) => setTimeout(done, ms));

describe("the Gateway's own operator console", () => {
  // Each run's states of `getRun`, with the times at which it answered.
  const history = new Map();
  const launched = {};
  let gateway, tools, timer;
  const sample = async (runId) => {
    const { runState } = await gateway.rpc("getRun", { runId }).catch(() => ({}));
    if (runState) history.set(runId, [...(history.get(runId) ?? []), { at: Date.now(), state: runState.state }]);
  };
  // The console asks every five seconds, and says nothing in between of runs that it does not follow.
  const LISTED_AGE = 8_000;
  const FOLLOWED_AGE = 2_000;
  // The budget of the collector.
  const COLLECTOR_SHARE = 0.03;
  const wasTrue = (runId, state, now, age) =>
    state === "unknown" || history.get(runId)?.some((each) => each.at > now - age && each.state === state);
  const rows = () =>
    tools.inPanel(
      `Object.fromEntries([...document.querySelectorAll("[data-run]")].map((row) => [row.dataset.run, row.querySelector("[data-taxonomy]")?.dataset.value]))`,
    );

  /** The screen, with a state of the run that getRun has said just now. */
  const followed = async (runId) => {
    const now = Date.now();
    const seen = await shown(tools);
    assert.ok(
      wasTrue(runId, seen.header.state, now, FOLLOWED_AGE),
      `shown as ${seen.header.state}; getRun said ${JSON.stringify(history.get(runId))}`,
    );
    return seen;
  };

  before(async () => {
    gateway = await startGateway();
    for (const workflow of ["approval", "event", "fail", "finish", "silent", "slow", "timer", "wide"])
      launched[workflow] = await gateway.launch(workflow, { ms: 2000 });
    timer = setInterval(() => Object.values(launched).forEach(sample), 500);
    tools = await openDevtools(`${gateway.http}/v1/auth/session?token=${OPERATOR_TOKEN}&next=/console`);
  });
  after(async () => {
    clearInterval(timer);
    await tools?.close();
    await gateway?.stop();
  });

  test("every run in it is listed, with a state that getRun has said just now", async (t) => {
    await until("all runs", async () => Object.keys(await rows()).length === Object.keys(launched).length);
    const shown = await tools.page.$$eval(".run-id", (ids) => ids.map((id) => id.textContent));
    assert.deepEqual(Object.keys(await rows()).sort(), [...shown].sort());
    const states = new Set();
    const compare = async () => {
      for (let i = 0; i < 20; i++) {
        const now = Date.now();
        for (const [runId, state] of Object.entries(await rows())) {
          // The console may know a state that the run has entered since the last sample.
          if (!wasTrue(runId, state, now, LISTED_AGE)) await sample(runId);
          assert.ok(
            wasTrue(runId, state, now, LISTED_AGE),
            `${runId} is shown as ${state}; getRun said ${JSON.stringify(history.get(runId))}`,
          );
          states.add(state);
        }
        await settle(500);
      }
    };
    const share = await collectorShare(tools, compare);
    t.diagnostic(`the collector runs ${(100 * share).toFixed(2)} % of the time beside the console`);
    assert.ok(share < COLLECTOR_SHARE, `${(100 * share).toFixed(2)} %`);
    for (const state of ["waiting-approval", "waiting-event", "failed", "succeeded", "running"])
      assert.ok(states.has(state), `${state} is among ${[...states]}`);
  });

  for (const [workflow, end] of [
    ["approval", "succeeded"],
    ["event", "waiting-event"],
    ["slow", "running"],
  ]) {
    test(`${workflow}: a run that is chosen in it is followed, and the running of its stream is not taken for its state`, async () => {
      const runId = launched[workflow];
      await tools.page.$$eval(".run-id", (ids, runId) => ids.find((id) => id.textContent === runId).click(), runId);
      await tools.inPanel(`document.querySelector('[data-action="runs"]')?.click()`);
      await choose(tools, runId);
      await see(
        tools,
        "its tree",
        ({ header, nodes }) => header?.runId === runId && header.freshness === "following" && Object.keys(nodes).length > 1,
      );
      // Between an approval and the end a run works for a moment only.
      const often = setInterval(() => sample(runId), 50);
      let known = 0;
      try {
        for (let i = 0; i < 12; i++) {
          const { header } = await followed(runId);
          known += header.state === "unknown" ? 0 : 1;
          if (workflow === "approval" && i === 4) await gateway.approve(runId, "release-gate");
          await settle(400);
        }
      } finally {
        clearInterval(often);
      }
      assert.ok(known >= 8, `the state is known in ${known} of 12 samples`);
      await see(tools, end, ({ header }) => header?.state === end);
    });
  }

  test("the panel complains of nothing", () => assert.deepEqual(tools.complaints, []));
});
