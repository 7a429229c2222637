// A real Gateway and the real panel: what the header says while runs start, wait, end, and while the Gateway goes away.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { failedConnection, until } from "../support/browser.mjs";
import { proxy, refuser } from "../support/listener.mjs";
import { clickLongBeforeNextTry, connect, freshness, seen, state } from "../support/live.mjs";
import { header } from "../support/panel.mjs";
import { stage } from "../support/stage.mjs";
import { TIMEOUT } from "../support/timeout.mjs";
import { OPERATOR_TOKEN, startGateway } from "./gateway.mjs";

const exec = promisify(execFile);

// Chromium logs every connection that fails, which is what several tests are about.
const { server, newPage } = await stage({ ignore: failedConnection });
const gateway = await startGateway({ heartbeatMs: 1000 });
after(() => gateway.stop());
const address = `${server.origin}/#connect`;

let page, close;
beforeEach(async () => ({ page, close } = await newPage()));
afterEach(() => close());

const now = () => performance.timeOrigin + performance.now();
const login = (run = "", token = OPERATOR_TOKEN) => connect(page, address, { url: gateway.url, token, run });

// When the Gateway first answers `word`: between `after` (it did not yet) and `before` (it did).
async function known(runId, word) {
  let last = now();
  return until(
    `${runId} is ${word} at the Gateway`,
    async () => {
      const asked = now();
      const { runState } = await gateway.rpc("getRun", { runId });
      if (runState?.state === word) return { after: last, before: now() };
      last = asked;
      return undefined;
    },
    { pause: 20 },
  );
}

// Waits until the header says `word`, and reports how much later than the Gateway. `cargo xtask bench` holds that against a budget.
async function follows(t, word, moment) {
  await state(page, word);
  const { at } = (await seen(page)).states.find(({ value }) => value === word);
  t.diagnostic(
    `${word}: header ${(at - moment.before).toFixed(0)} ms after the Gateway's answer (± ${(moment.before - moment.after).toFixed(0)} ms)`,
  );
}

describe("a run that waits for an approval", () => {
  test("running, waiting, approved, succeeded", async (t) => {
    const { runId, go } = await gateway.launchHeld("approval");
    await login(runId);
    await state(page, "running");
    await freshness(page, "live");

    await go();
    await follows(t, "waiting-approval", await known(runId, "waiting-approval"));
    const titled = async () => {
      const label = await page.$eval("section[data-tone] [data-taxonomy]", (pill) => pill.textContent.trim());
      await page.waitForFunction((words) => document.title === `${words} · Runstate`, {}, label);
    };
    await titled();
    const parked = await header(page);
    assert.equal(parked.runId, runId);
    assert.equal(parked.blockedKind, "approval");
    assert.deepEqual(parked.blocked.nodes, ["release-gate"]);
    assert.match(parked.blocked.sentence, /^Waiting for a decision at release-gate\b/);
    const row = (node) => `[role=treeitem][data-node="${node}"]`;
    await page.waitForSelector(`${row("release-gate")}[data-state="waiting-approval"]`);
    await page.waitForSelector(`${row("prepare")}[data-state="finished"]`);

    await gateway.approve(runId, "release-gate");
    await follows(t, "succeeded", await known(runId, "succeeded"));
    await page.waitForSelector(`${row("publish")}[data-state="finished"]`);
    assert.equal((await header(page)).blocked, undefined, "the reason is gone");
    await titled();

    const words = (await seen(page)).states.map(({ value }) => value);
    assert.equal(words.at(-1), "succeeded");
    assert.equal(words.filter((word) => word === "succeeded").length, 1, `terminal once: ${words}`);
  });

  test("the copied request denies an approval, which is a failed run", async () => {
    const runId = await gateway.launch("approval", {});
    await login(runId);
    await state(page, "waiting-approval");
    const request = await page.waitForSelector('[data-action="request-deny"]');
    const command = await request.evaluate((button) => button.title);
    assert.ok(!command.includes(OPERATOR_TOKEN), command);
    const run = (token) => exec("sh", ["-c", command], { env: { ...process.env, SMITHERS_API_KEY: token } });
    assert.match((await run("wrong")).stdout, /UNAUTHORIZED/);
    assert.match((await run(OPERATOR_TOKEN)).stdout, /"approved":false/);
    await state(page, "failed");
  });

  test("the announcer speaks the changes, once each, and no ticking number", async () => {
    // Seen running first: only a change is spoken.
    const { runId, go } = await gateway.launchHeld("approval");
    await login(runId);
    await state(page, "running");
    await freshness(page, "live");
    await go();
    await state(page, "waiting-approval");
    await until("the wait is spoken", async () => (await seen(page)).spoken.some(({ value }) => /approval/i.test(value)));
    await gateway.approve(runId, "release-gate");
    await until("the end is spoken", async () => (await seen(page)).spoken.some(({ value }) => /succeeded|finished/i.test(value)));
    const { spoken } = await seen(page);
    assert.ok(spoken.length <= 4, JSON.stringify(spoken));
    for (const { value } of spoken) assert.doesNotMatch(value, /\d+ (s|ms|min)\b/, "no ages");
  });
});

describe("the Gateway goes away", () => {
  let own;
  before(async () => {
    own = await startGateway({ heartbeatMs: 1000 });
  });
  after(() => own?.stop());

  test("killed: the feed is lost and the last view stays; restarted: live again by itself", async (t) => {
    const runId = await own.launch("approval", {});
    await own.waitForState(runId, "waiting-approval");
    await connect(page, address, { url: own.url, token: OPERATOR_TOKEN, run: runId });
    await state(page, "waiting-approval");
    await freshness(page, "live");
    await page.waitForFunction(() => document.querySelectorAll("[role=treeitem]").length > 1);

    const killed = now();
    await own.kill();
    await freshness(page, "lost");
    t.diagnostic(
      `lost ${Math.round((await seen(page)).freshness.findLast(({ value }) => value === "lost").at - killed)} ms after the kill`,
    );
    const lost = await header(page);
    assert.equal(lost.state, "waiting-approval", "the last good view stays");
    assert.equal(lost.runId, runId);
    assert.match(lost.freshnessText, /as of .*feed lost/);
    assert.equal(lost.pill.tone, "neutral", "an old state has no live colour");
    assert.ok(lost.pill.asOf !== undefined, "the state is marked as old");
    assert.ok(await page.$('button[data-action="reconnect"]'));
    assert.ok((await page.$$("[role=treeitem]")).length > 1, "the tree stays");

    await own.restart();
    const up = now();
    await freshness(page, "live", 2 * TIMEOUT);
    t.diagnostic(`live again ${Math.round(now() - up)} ms after the restart`);
    assert.equal((await header(page)).state, "waiting-approval");
    assert.equal(await page.$('button[data-action="reconnect"]'), null);
    const order = (await seen(page)).freshness.map(({ value }) => value);
    assert.ok(order.lastIndexOf("resyncing") < order.lastIndexOf("live"), `first read again, then live: ${order}`);

    await own.approve(runId, "release-gate");
    await state(page, "succeeded");
  });

  test("Reconnect now tries at once", async () => {
    const runId = await own.launch("approval", {});
    await own.waitForState(runId, "waiting-approval");
    await connect(page, address, { url: own.url, token: OPERATOR_TOKEN, run: runId });
    await freshness(page, "live");
    await own.kill();
    await freshness(page, "lost");
    const listener = await refuser(own.port);
    try {
      const { at, ms } = await clickLongBeforeNextTry(page, 'button[data-action="reconnect"]');
      const later = () => listener.times.find((time) => time > at);
      await until("a connection", later);
      assert.ok(later() - at < ms, `a connection after ${later() - at} ms, the next try was due after ${ms} ms`);
    } finally {
      await listener.close();
    }
    await own.restart();
    await page.click('button[data-action="reconnect"]');
    await freshness(page, "live");
    await state(page, "waiting-approval");
  });

  test("silent: a Gateway that hangs is late, then lost, though its socket is open", async (t) => {
    const runId = await own.launch("approval", {});
    await own.waitForState(runId, "waiting-approval");
    await connect(page, address, { url: own.url, token: OPERATOR_TOKEN, run: runId });
    await freshness(page, "live");
    const stopped = now();
    process.kill(own.pid, "SIGSTOP");
    try {
      await freshness(page, "lost");
    } finally {
      process.kill(own.pid, "SIGCONT");
    }
    const steps = (await seen(page)).freshness.filter(({ at }) => at > stopped);
    t.diagnostic(steps.map(({ value, at }) => `${value} after ${Math.round(at - stopped)} ms`).join(", "));
    const words = steps.map(({ value }) => value);
    assert.ok(words.includes("late") && words.indexOf("late") < words.indexOf("lost"), `first late: ${words}`);
    assert.equal((await header(page)).state, "waiting-approval");
    await freshness(page, "live", 2 * TIMEOUT);
  });
});

describe("other ends and waits", () => {
  test("a failing run says where and why", async (t) => {
    const runId = await gateway.launch("fail", {});
    await login(runId);
    await state(page, "failed");
    const { reason, text } = await header(page);
    assert.ok(reason.nodes.includes("write"), `the node is linked: ${JSON.stringify(reason)}`);
    assert.match(text, /disk is full/);
    await page.waitForSelector('[role=treeitem][data-node="write"][data-state="failed"]');
    t.diagnostic(reason.sentence);
  });

  test("a run that fails while it is watched", async (t) => {
    const { runId, go } = await gateway.launchHeld("approval");
    await login(runId);
    await state(page, "running");
    await go();
    await state(page, "waiting-approval");
    await gateway.approve(runId, "release-gate", false);
    await follows(t, "failed", await known(runId, "failed"));
  });

  // The shown remaining time and the true one, read in one go on this machine, whose clock is the Gateway's.
  const remaining = () =>
    page.evaluate(() => {
      const time = document.querySelector('[data-field="blocked"] time[data-countdown]');
      if (!time) return undefined;
      const part = (unit) => Number(new RegExp(`(\\d+)\\s*${unit}\\b`).exec(time.textContent)?.[1] ?? 0);
      return { text: time.textContent, wakeAt: time.dateTime, shown: part("h") * 3600 + part("min") * 60 + part("s"), now: Date.now() };
    });
  for (const [name, skew] of [
    ["", 0],
    [", although the viewer's clock is five minutes off", 300_000],
  ]) {
    test(`a timer counts down, right within a second and the time to draw it${name}`, async (t) => {
      if (skew) {
        await page.evaluateOnNewDocument((ms) => {
          const origin = performance.timeOrigin + ms;
          Object.defineProperty(performance, "timeOrigin", { get: () => origin });
          const real = Date.now;
          Date.now = () => real() + ms;
        }, skew);
      }
      const runId = await gateway.launch("timer", { seconds: 50 });
      await login(runId);
      await state(page, "waiting-timer");
      const { runState } = await gateway.rpc("getRun", { runId });
      await page.waitForSelector('[data-field="blocked"] time[data-countdown]');
      await freshness(page, "live");
      const texts = new Set();
      const offs = [];
      await until(
        "four texts",
        async () => {
          const sample = await remaining();
          const left = Date.parse(runState.blocked.wakeAt) - (sample.now - skew);
          assert.equal(sample.wakeAt, runState.blocked.wakeAt);
          offs.push(sample.shown * 1000 - left);
          texts.add(sample.text);
          return texts.size === 4;
        },
        { pause: 200 },
      );
      t.diagnostic(
        `off by ${Math.round(Math.min(...offs))} to ${Math.round(Math.max(...offs))} ms over ${offs.length} samples: ${[...texts].join(" | ")}`,
      );
      // Of single samples, a busy machine draws some late.
      const median = offs.toSorted((one, other) => one - other)[Math.floor(offs.length / 2)];
      assert.ok(Math.abs(median) <= 1400, `off by ${median} ms`);
    });
  }

  test("a timer that ends lets the run go on", async () => {
    const runId = await gateway.launch("timer", { seconds: 3 });
    await login(runId);
    await state(page, "succeeded");
  });

  test("paused after the step that was running, then cancelled", async () => {
    const { runId, go } = await gateway.launchHeld("slow");
    await login(runId);
    await state(page, "running");
    await gateway.rpc("pauseRun", { runId });
    // The engine looks for a pause several times a second, and does not say that it has seen one.
    await pause(3000);
    await go();
    await gateway.waitForState(runId, "paused");
    await state(page, "paused");
    await gateway.rpc("cancelRun", { runId });
    await gateway.waitForState(runId, "cancelled");
    await state(page, "cancelled");
  });

  test("cancelled in the middle of a task", async () => {
    const runId = await gateway.launch("slow", { seconds: 60 });
    await login(runId);
    await page.waitForSelector('[role=treeitem][data-node="grind"][data-state="in-progress"]');
    await gateway.rpc("cancelRun", { runId });
    await gateway.waitForState(runId, "cancelled");
    await state(page, "cancelled");
    await page.waitForSelector('[role=treeitem][data-node="grind"][data-state="cancelled"]');
  });

  test("an event is waited for, and comes", async () => {
    const runId = await gateway.launch("event", {});
    await login(runId);
    await state(page, "waiting-event");
    const parked = await header(page);
    assert.equal(parked.blockedKind, "event");
    assert.match(parked.blocked.sentence, /release-7/);
    await gateway.rpc("submitSignal", { runId, signalName: "deploy.finished", correlationKey: "release-7", payload: { value: "done" } });
    await gateway.waitForState(runId, "succeeded");
    await state(page, "succeeded");
  });

  test("the rows of runs that wait name their nodes without being opened, as long as they wait there", async () => {
    const [event, timer] = [await gateway.launch("event", {}), await gateway.launch("timer", { seconds: 600 })];
    await gateway.waitForState(event, "waiting-event");
    await gateway.waitForState(timer, "waiting-timer");
    await page.setViewport({ width: 1280, height: 1600 });
    await login();
    const row = (runId) => page.evaluate((id) => document.querySelector(`[data-run="${id}"]`)?.innerText ?? "", runId);
    const says = (runId, words) => until(`${runId}: ${words}`, async () => words.test(await row(runId)));
    await says(event, /Waiting for event release-7 at wait-deploy\./);
    await says(timer, /Sleeping at pause until /);
    await gateway.rpc("submitSignal", {
      runId: event,
      signalName: "deploy.finished",
      correlationKey: "release-7",
      payload: { value: "done" },
    });
    await gateway.waitForState(event, "succeeded");
    await says(event, /Succeeded/);
    assert.doesNotMatch(await row(event), /wait-deploy/);
    await gateway.rpc("cancelRun", { runId: timer });
    await gateway.waitForState(timer, "cancelled");
    await says(timer, /Cancelled/);
    assert.doesNotMatch(await row(timer), /Sleeping/);
  });

  test("a wide run ends with every node finished, and stays ended", async (t) => {
    const runId = await gateway.launch("wide", { count: 40 });
    const between = await proxy(gateway.url);
    t.after(() => between.close());
    await connect(page, address, { url: between.url, token: OPERATOR_TOKEN, run: runId });
    await gateway.waitForState(runId, "succeeded", 2 * TIMEOUT);
    await state(page, "succeeded");
    // The Gateway sends the whole run again with its next heartbeats; no event may bring it back to life.
    await between.heartbeats(3);
    const words = (await seen(page)).states.map(({ value }) => value);
    assert.equal(words.filter((word) => word === "succeeded").length, 1, String(words));
    const states = await page.evaluate(() =>
      [...document.querySelectorAll('[role=treeitem] [data-taxonomy="node"]')].map((pill) => pill.dataset.value),
    );
    assert.ok(states.length > 5 && states.every((word) => word === "finished"), String(states));
  });
});
