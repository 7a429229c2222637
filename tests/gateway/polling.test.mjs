// How often the panel asks a Gateway, and what hiding the page changes.
import assert from "node:assert/strict";
import { after, beforeEach, afterEach, test } from "node:test";
import { failedConnection, until } from "../support/browser.mjs";
import { proxy } from "../support/listener.mjs";
import { connect, freshness, state } from "../support/live.mjs";
import { header } from "../support/panel.mjs";
import { stage } from "../support/stage.mjs";
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
const pauses = async (method, count, timeout) => {
  const start = between.sent.length;
  const later = () => between.sent.slice(start).filter((request) => request.method === method);
  await until(`${count} requests ${method}`, () => later().length > count, { timeout });
  const times = later().map(({ at }) => at);
  return times.slice(1, count + 1).map((at, index) => at - times[index]);
};
// Connecting causes requests of its own: waits until only the timer causes them.
const settled = () => until("a pause of a second between requests", async () => (await pauses("getRun", 1, 5000))[0] > 700, { timeout: 10_000 });
// A page whose window is minimised is hidden, as one in a background tab is.
const setVisible = async (visible) => {
  const session = await page.createCDPSession();
  const { windowId } = await session.send("Browser.getWindowForTarget");
  await session.send("Browser.setWindowBounds", { windowId, bounds: { windowState: visible ? "normal" : "minimized" } });
  await page.waitForFunction((wanted) => document.visibilityState === wanted, { polling: 50 }, visible ? "visible" : "hidden");
};

test("a quiet run is read once a second", async (t) => {
  const runId = await gateway.launch("approval", {});
  await gateway.waitForState(runId, "waiting-approval");
  await follow(runId, "waiting-approval");
  await settled();
  const found = await pauses("getRun", 5, 20_000);
  t.diagnostic(found.map(Math.round).join(", "));
  for (const pause of found) assert.ok(pause > 700 && pause < 1500, `${pause} ms`);
});

test("an event is followed by a request at once", async () => {
  const runId = await gateway.launch("approval", {});
  await gateway.waitForState(runId, "waiting-approval");
  await follow(runId, "waiting-approval");
  const start = between.sent.length;
  const approved = performance.now();
  await gateway.approve(runId, "release-gate");
  await state(page, "succeeded");
  const [first] = between.sent.slice(start).filter(({ method, at }) => method === "getRun" && at > approved);
  assert.ok(first.at - approved < 500, `${first.at - approved} ms`);
});

test("a hidden page asks every 5 s; a page that becomes visible again asks at once", async (t) => {
  const runId = await gateway.launch("approval", {});
  await gateway.waitForState(runId, "waiting-approval");
  await follow(runId, "waiting-approval");
  await settled();
  await setVisible(false);
  const found = await pauses("getRun", 2, 30_000);
  t.diagnostic(found.map(Math.round).join(", "));
  for (const pause of found) assert.ok(pause > 4000 && pause < 7000, `${pause} ms`);

  await gateway.approve(runId, "release-gate");
  await gateway.waitForState(runId, "succeeded");
  const start = between.sent.length;
  const shown = performance.now();
  await setVisible(true);
  await until("a request", () => between.sent.slice(start).some(({ method }) => method === "getRun"), { timeout: 2000, pause: 5 });
  assert.ok(performance.now() - shown < 1500);
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
  await freshness(page, "live", 30_000);
  const order = await page.evaluate(() => window.runstateSeen.freshness.map(({ value }) => value));
  assert.ok(order.lastIndexOf("resyncing") > order.indexOf("live"), order.join());
  assert.equal((await header(page)).state, "waiting-approval");
});
