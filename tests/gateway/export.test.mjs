// A live run is saved as it is known: it opens again with the same header, and without the token.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch } from "../support/browser.mjs";
import { downloads, exported } from "../support/download.mjs";
import { connect, freshness, state } from "../support/live.mjs";
import { chooseFile, header } from "../support/panel.mjs";
import { built } from "../support/paths.mjs";
import { serve } from "../support/server.mjs";
import { OPERATOR_TOKEN, startGateway } from "./gateway.mjs";

let browser, server, gateway;
before(async () => {
  [browser, server, gateway] = await Promise.all([launch(), serve(built("dashboard")), startGateway({ heartbeatMs: 1000 })]);
});
after(async () => {
  await browser?.close();
  await server?.close();
  await gateway?.stop();
});

// What holds of the run, whenever it is looked at.
const lasting = ({ state, pill, blockedKind, unhealthyKind, runId, workflow, frameNo, seq, startedAt, computedAt, blocked }) => ({
  state, value: pill.value, label: pill.text.split(" · ")[0].trim(), blockedKind, unhealthyKind, runId, workflow, frameNo, seq, startedAt, computedAt, nodes: blocked?.nodes,
});

test("a run that waits", async () => {
  const page = await browser.newPage();
  const saving = await downloads(page);
  const runId = await gateway.launch("approval", {});
  await gateway.waitForState(runId, "waiting-approval");
  await connect(page, `${server.origin}/#connect`, { url: gateway.url, token: OPERATOR_TOKEN, run: runId });
  await state(page, "waiting-approval");
  await freshness(page, "live");
  await page.waitForSelector('[role=treeitem][data-node="release-gate"][data-state="waiting-approval"]');
  const rows = await page.$$eval("[role=treeitem]", (found) => found.map(({ dataset }) => [dataset.node, dataset.state]));

  const file = await exported(page, saving);
  const live = await header(page);
  assert.equal(file.name.startsWith(`runstate-${runId}-`), true, file.name);
  assert.ok(!file.text.includes(OPERATOR_TOKEN), "the token");
  assert.match(file.text, /"configJson":"\[redacted\]"/);
  assert.equal(await page.evaluate(() => document.querySelector('[data-field="freshness"] .pill').dataset.value), "live", "saving ends no feed");

  await chooseFile(page, file.path);
  const saved = await header(page);
  const { computedAt, ...then } = lasting(saved);
  const { computedAt: later, ...now } = lasting(live);
  assert.deepEqual(then, now);
  assert.ok(Date.parse(computedAt) <= Date.parse(later));
  assert.equal(saved.freshness, "recorded");
  assert.match(saved.blocked.sentence, /^Was waiting for a decision at release-gate/);
  await page.waitForFunction((count) => document.querySelectorAll("[role=treeitem]").length === count, {}, rows.length);
  assert.deepEqual(await page.$$eval("[role=treeitem]", (found) => found.map(({ dataset }) => [dataset.node, dataset.state])), rows);
  await page.close();
  saving.close();
});
