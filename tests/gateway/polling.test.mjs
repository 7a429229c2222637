// How often the panel asks a Gateway, and what hiding the page changes.
import assert from "node:assert/strict";
import { after, beforeEach, afterEach, test } from "node:test";
import { failedConnection, until } from "../support/browser.mjs";
import { proxy } from "../support/listener.mjs";
import { connect, freshness, state } from "../support/live.mjs";
import { header } from "../support/panel.mjs";
import { stage } from "../support/stage.mjs";
import { TIMEOUT } from "../support/timeout.mjs";
import { OPERATOR_TOKEN, startGateway } from "./gateway.mjs";

const [{ server, newPage }, gateway] = await Promise.all([stage({ ignore: failedConnection }), startGateway({ heartbeatMs: 1000 })]);
after(() => gateway.stop());

let page, close, between;
beforeEach(async () => {
  ({ page, close } = await newPage());
  between = await proxy(gateway.url);
});
afterEach(async () => {
  await close();
  await between.close();
});

const follow = async (run, word) => {
  await connect(page, `${server.origin}/#connect`, { url: between.url, token: OPERATOR_TOKEN, run });
  await state(page, word);
  await freshness(page, "live");
};
// The pauses between requests of one kind, over `count` of them from now on.
const pauses = async (method, count) => {
  const start = between.sent.length;
  const later = () => between.sent.slice(start).filter((request) => request.method === method);
  await until(`${count} requests ${method}`, () => later().length > count);
  const times = later().map(({ at }) => at);
  return times.slice(1, count + 1).map((at, index) => at - times[index]);
};
const mean = (numbers) => numbers.reduce((sum, each) => sum + each, 0) / numbers.length;
// Connecting causes requests of its own: waits until only the timer causes them.
const settled = () => until("a pause of a second between requests", async () => (await pauses("getRun", 1))[0] > 700);
// The next request of this kind.
const next = async (method) => {
  const start = between.sent.length;
  return until(method, () => between.sent.slice(start).find((request) => request.method === method), { pause: 5 });
};
// A page whose window is minimised is hidden, as one in a background tab is.
const setVisible = async (visible) => {
  const session = await page.createCDPSession();
  const { windowId } = await session.send("Browser.getWindowForTarget");
  await session.send("Browser.setWindowBounds", { windowId, bounds: { windowState: visible ? "normal" : "minimized" } });
  await page.waitForFunction((wanted) => document.visibilityState === wanted, { polling: 50 }, visible ? "visible" : "hidden");
};

test("a quiet run is read every 0.8 s", async (t) => {
  const runId = await gateway.launch("approval", {});
  await gateway.waitForState(runId, "waiting-approval");
  await follow(runId, "waiting-approval");
  await settled();
  const found = await pauses("getRun", 5);
  t.diagnostic(found.map(Math.round).join(", "));
  // Of single pauses, a busy machine makes some longer and the next one shorter. A hidden page would pause for 5 s.
  assert.ok(mean(found) > 700 && mean(found) < 3000, `${mean(found)} ms`);
});

// A hidden page asks every 5 s; what it asks for another reason comes within half of that, also on a busy machine.
const EARLY = 2500;

test("an event is followed by a request before the next one is due", async (t) => {
  const runId = await gateway.launch("approval", {});
  await gateway.waitForState(runId, "waiting-approval");
  await follow(runId, "waiting-approval");
  await setVisible(false);
  await next("getRun");
  const before = await next("getRun");
  const after = next("getRun");
  await gateway.approve(runId, "release-gate");
  const pause = (await after).at - before.at;
  t.diagnostic(`${Math.round(pause)} ms`);
  assert.ok(pause < EARLY, `${pause} ms`);
  await state(page, "succeeded");
});

test("a hidden page asks every 5 s; a page that becomes visible again asks at once", async (t) => {
  const runId = await gateway.launch("approval", {});
  await gateway.waitForState(runId, "waiting-approval");
  await follow(runId, "waiting-approval");
  await settled();
  await setVisible(false);
  const found = await pauses("getRun", 2);
  t.diagnostic(found.map(Math.round).join(", "));
  assert.ok(mean(found) > 4000, `${mean(found)} ms`);

  const before = await next("getRun");
  const asked = next("getRun");
  await setVisible(true);
  const pause = (await asked).at - before.at;
  t.diagnostic(`asked ${Math.round(pause)} ms after the last request of the hidden page`);
  assert.ok(pause < EARLY, `${pause} ms`);
  await gateway.approve(runId, "release-gate");
  await state(page, "succeeded");
  assert.equal((await header(page)).runId, runId);
});

test("a page that was hidden is read again before it is called live", async () => {
  const runId = await gateway.launch("approval", {});
  await gateway.waitForState(runId, "waiting-approval");
  await follow(runId, "waiting-approval");
  await setVisible(false);
  await gateway.kill();
  await gateway.restart();
  await setVisible(true);
  await freshness(page, "live", 2 * TIMEOUT);
  const order = await page.evaluate(() => window.runstateSeen.freshness.map(({ value }) => value));
  assert.ok(order.lastIndexOf("resyncing") > order.indexOf("live"), order.join());
  assert.equal((await header(page)).state, "waiting-approval");
});
