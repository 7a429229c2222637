// The Gateway over plain HTTP: it works on the Gateway's own origin, and the panel says so where it does not.
import assert from "node:assert/strict";
import { after, afterEach, beforeEach, test } from "node:test";
import { connect, freshness, state, workerSockets } from "../support/live.mjs";
import { failedConnection, until } from "../support/browser.mjs";
import { built } from "../support/paths.mjs";
import { stage } from "../support/stage.mjs";
import { OPERATOR_TOKEN, startGateway } from "./gateway.mjs";
import { TIMEOUT } from "../support/timeout.mjs";

const { server, newPage } = await stage({ ignore: failedConnection });
const gateway = await startGateway({ dashboard: built("dashboard") });
after(() => gateway.stop());

let page, close;
beforeEach(async () => ({ page, close } = await newPage()));
afterEach(() => close());

test("on the Gateway's own origin a run is followed over HTTP, without a socket", async () => {
  const sockets = workerSockets(page);
  const runId = await gateway.launch("approval");
  await connect(page, `${gateway.http}/runstate/#connect`, { url: gateway.http, token: OPERATOR_TOKEN, run: runId });
  await state(page, "waiting-approval");
  await freshness(page, "live");
  await page.waitForSelector('[role="treeitem"][data-node="release-gate"][data-state="waiting-approval"]');
  await gateway.approve(runId, "release-gate");
  await state(page, "succeeded");
  assert.deepEqual(sockets, []);
});

test("over ws: the same run is followed through a socket", async () => {
  const sockets = workerSockets(page);
  const runId = await gateway.launch("approval");
  await gateway.waitForState(runId, "waiting-approval");
  await connect(page, `${gateway.http}/runstate/#connect`, { url: gateway.url, token: OPERATOR_TOKEN, run: runId });
  await state(page, "waiting-approval");
  // The first socket may be open before it can be observed; the panel opens another one after the Gateway came back.
  await gateway.restart();
  await until("a socket", () => sockets.length > 0, { timeout: 2 * TIMEOUT });
  assert.ok(
    sockets.every((url) => url.startsWith(gateway.url)),
    sockets.join(),
  );
});

test("from another origin the panel names the reason and the way that works", async () => {
  await connect(page, `${server.origin}/#connect`, { url: gateway.http, token: OPERATOR_TOKEN });
  await page.waitForSelector('[data-screen="connecting"]');
  const text = await page.$eval('[data-screen="connecting"]', (screen) => screen.textContent);
  assert.match(text, /own origin/);
  assert.match(text, /ws:\/\//);
  assert.equal(await page.$("section[data-tone]"), null);
});

test("a refused token is a refusal over HTTP too", async () => {
  await connect(page, `${gateway.http}/runstate/#connect`, { url: gateway.http, token: "wrong", run: "any" });
  const refusal = await page.waitForSelector('[data-screen="refusal"]');
  assert.equal(await refusal.evaluate((screen) => screen.dataset.code), "UNAUTHORIZED");
});
