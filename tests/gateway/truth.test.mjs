// What is on screen agrees with the Gateway, asked directly: after a run was reopened, deleted, or its server failed.
import assert from "node:assert/strict";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mkdtemp, rm } from "node:fs/promises";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { until } from "../support/browser.mjs";
import { httpProxy } from "../support/http-proxy.mjs";
import { refuser } from "../support/listener.mjs";
import { clickLongBeforeNextTry, connect, freshness, refusal, state } from "../support/live.mjs";
import { header } from "../support/panel.mjs";
import { built } from "../support/paths.mjs";
import { stage } from "../support/stage.mjs";
import { TIMEOUT } from "../support/timeout.mjs";
import { OPERATOR_TOKEN, startGateway } from "./gateway.mjs";

/** A refused connection, or a response that is an error, is what these tests cause. */
const caused = /WebSocket connection to|Failed to load resource|ERR_CONNECTION/;
const { server, newPage } = await stage({ ignore: caused });
const folder = await mkdtemp(join(tmpdir(), "runstate-truth-"));
after(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));

let page, close;
beforeEach(async () => ({ page, close } = await newPage()));
afterEach(() => close());
const address = `${server.origin}/#connect`;

/** Waits at most `ms` for a condition. */
const within = (what, ms, condition) => until(what, condition, { timeout: ms * Math.max(1, TIMEOUT / 30_000), pause: 100 });
/** The word of a row of the list, and the age that it shows. */
const row = (runId) =>
  page.$eval(`[data-run="${runId}"] [data-taxonomy]`, (pill) => ({
    word: pill.dataset.value,
    text: pill.closest(".run-state").textContent,
  }));

describe("a run that another process reopens", () => {
  let gateway, second;
  before(async () => {
    const db = join(folder, "reopened.db");
    gateway = await startGateway({ db, dashboard: built("dashboard") });
    second = await startGateway({ db });
  });
  after(() => Promise.all([second.stop(), gateway.stop()]));

  for (const transport of ["ws", "http"]) {
    test(`is seen at work again, over ${transport}`, async () => {
      const runId = await gateway.launch("approval", {});
      await gateway.waitForState(runId, "waiting-approval");
      await gateway.rpc("cancelRun", { runId });
      await gateway.waitForState(runId, "cancelled");
      const [page_, url] = transport === "ws" ? [address, gateway.url] : [`${gateway.http}/runstate/#connect`, gateway.http];
      await connect(page, page_, { url, token: OPERATOR_TOKEN, run: runId });
      await state(page, "cancelled");
      await second.rpc("retryTask", { runId, nodeId: "release-gate", iteration: 0 });
      const now = await until("the run is reopened", async () => {
        const run = await gateway.rpc("getRun", { runId });
        return run.runState.state !== "cancelled" && run.runState.state;
      });
      await within(`the panel says so; the Gateway says ${now}`, 16_000, async () => (await header(page)).state !== "cancelled");
    });
  }
});

test("a run that the server no longer has is a refusal; below it stands its last state, in the past and without actions", async () => {
  const gateway = await startGateway({ db: join(folder, "first.db") });
  const { port } = gateway;
  const runId = await gateway.launch("approval", {});
  await gateway.waitForState(runId, "waiting-approval");
  await connect(page, address, { url: gateway.url, token: OPERATOR_TOKEN, run: runId });
  await state(page, "waiting-approval");
  await page.waitForSelector("[data-action-kind], [data-field=actions] li", { timeout: TIMEOUT });
  await gateway.stop();
  const other = await startGateway({ db: join(folder, "other.db"), port });
  try {
    await freshness(page, "refused", 2 * TIMEOUT);
    const { code, text } = await refusal(page);
    assert.equal(code, "NOT_FOUND");
    assert.match(text, /Run not found/);
    const all = await page.evaluate(() => document.body.innerText);
    assert.equal(all.match(/Run not found/g).length, 1, all);
    const last = await page.evaluate(() => document.querySelector("section[data-tone]").innerText);
    assert.match(last, /Waiting for approval[^]*as of/);
    assert.match(last, /Was waiting/);
    assert.doesNotMatch(last, /smithers approve|Next/);
  } finally {
    await other.stop();
  }
});

test("choosing a row while the feed is lost makes no row current", async () => {
  await page.setViewport({ width: 1600, height: 900 });
  const gateway = await startGateway();
  const [first, second] = [await gateway.launch("approval", {}), await gateway.launch("approval", {})];
  await gateway.waitForState(first, "waiting-approval");
  await gateway.waitForState(second, "waiting-approval");
  await connect(page, address, { url: gateway.url, token: OPERATOR_TOKEN, run: first });
  await state(page, "waiting-approval");
  await page.waitForSelector(`[data-run="${second}"]`);
  await gateway.stop();
  await freshness(page, "lost");
  await until("rows with an age", async () => /as of/.test((await row(second)).text));
  await page.click(`[data-run="${second}"]`);
  // Several updates later, too.
  for (let look = 0; look < 6; look++) {
    await new Promise((next) => setTimeout(next, 500));
    for (const runId of [first, second]) assert.match((await row(runId)).text, /as of/);
  }
});

test("a run that was just started is listed within two seconds, as the screen and beside a run", async () => {
  await page.setViewport({ width: 1600, height: 900 });
  const gateway = await startGateway();
  try {
    const first = await gateway.launch("approval", {});
    await gateway.waitForState(first, "waiting-approval");
    await connect(page, address, { url: gateway.url, token: OPERATOR_TOKEN });
    await page.waitForSelector(`[data-run="${first}"]`);
    const isListed = async () => {
      const runId = await gateway.launch("approval", {});
      await within("the row of the run", 2_000, () => page.$(`[data-run="${runId}"]`));
    };
    await isListed();
    await page.click(`[data-run="${first}"]`);
    await state(page, "waiting-approval");
    await isListed();
    await page.click('[data-action="runs"]');
    await isListed();
  } finally {
    await gateway.stop();
  }
});

test("a network that is back is tried at once", async () => {
  const gateway = await startGateway();
  const { port } = gateway;
  const runId = await gateway.launch("approval", {});
  await gateway.waitForState(runId, "waiting-approval");
  await connect(page, address, { url: gateway.url, token: OPERATOR_TOKEN, run: runId });
  await freshness(page, "live");
  await gateway.stop();
  await freshness(page, "lost");
  const listener = await refuser(port);
  try {
    const { at, ms } = await clickLongBeforeNextTry(page);
    const next = () => listener.times.find((time) => time > at);
    await until("a connection", next);
    assert.ok(next() - at < ms, `a connection after ${next() - at} ms, the next try was due after ${ms} ms`);
  } finally {
    await listener.close();
  }
});

describe("a server that fails", () => {
  let gateway, between, runId;
  before(async () => {
    gateway = await startGateway({ dashboard: built("dashboard") });
    runId = await gateway.launch("approval", {});
    await gateway.waitForState(runId, "waiting-approval");
  });
  after(() => gateway.stop());
  beforeEach(async () => (between = await httpProxy(gateway.http)));
  afterEach(() => between.close());
  const watch = () => connect(page, `${between.http}/runstate/#connect`, { url: between.http, token: OPERATOR_TOKEN, run: runId });
  const text = () => page.evaluate(() => document.body.innerText);

  for (const [fault, said] of [
    [
      { status: 503, body: "<html>maintenance</html>", headers: { "content-type": "text/html" } },
      /responds with status 503 and an HTML page/,
    ],
    [{ status: 502 }, /responds with status 502 and an empty body/],
    [{ status: 200, body: "<!doctype html><title>Sign in</title>", headers: { "content-type": "text/html" } }, /sign-in page of a proxy/],
  ]) {
    test(`is named, and its last answer keeps its age: ${fault.status} ${fault.body ? "with a page" : "empty"}`, async () => {
      await watch();
      await state(page, "waiting-approval");
      await freshness(page, "live");
      between.fault = fault;
      await within("not live", 4_000, async () => (await header(page)).freshness !== "live");
      await freshness(page, "refused");
      assert.match(await text(), said);
      assert.equal((await header(page)).state, "waiting-approval");
      between.fault = null;
      await within("live again", 3_000, async () => (await header(page)).freshness === "live");
      // Nodes and list are read every two and three seconds.
      await within("the notes end", 5_000, async () => !said.test(await text()));
    });
  }

  test("that limits requests is left alone as long as it says", async () => {
    await watch();
    await freshness(page, "live");
    between.fault = { status: 429, headers: { "retry-after": "4" } };
    await within("not live", 4_000, async () => (await header(page)).freshness !== "live");
    assert.match(await text(), /status 429/);
    between.fault = null;
    const before = between.requests.length;
    const last = between.requests.at(-1);
    await freshness(page, "live");
    assert.ok(between.requests[before] - last > 3_500, `a request ${between.requests[before] - last} ms after the refused one`);
  });

  test("that never ends its responses is waited for as long as for any other", async () => {
    await watch();
    await freshness(page, "live");
    between.fault = { status: 200, body: '{"type":"res",', endless: true };
    await within("not live", 4_000, async () => (await header(page)).freshness !== "live");
    await freshness(page, "lost");
    assert.equal((await header(page)).state, "waiting-approval");
    await until("all of them are aborted", () => between.requests.length > 3 && between.endless === 0, { pause: 20 });
    between.fault = null;
    await within("live again", 3_000 + 5_000, async () => (await header(page)).freshness === "live");
  });

  test("that is a lionagi Studio is no Gateway without runs", async () => {
    between.fault = { status: 404, body: '{"detail":"Not Found"}', headers: { "content-type": "application/json" } };
    await connect(page, `${between.http}/runstate/#connect`, { url: between.http });
    await page.waitForSelector('[data-screen="refusal"]');
    assert.match(await text(), /probably a lionagi Studio/);
    assert.doesNotMatch(await text(), /No runs here yet/);
    between.fault = null;
    await page.waitForSelector('[data-screen="refusal"], [data-screen="runs"]');
  });
});
