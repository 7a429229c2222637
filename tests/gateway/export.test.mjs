// A live run is saved as it is known: it opens again with the same header, and without the token.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { copyFileSync } from "node:fs";
import { after, test } from "node:test";
import { failedConnection } from "../support/browser.mjs";
import { downloads, exported, exportedPage } from "../support/download.mjs";
import { inside, readable } from "../support/incident.mjs";
import { connect, freshness, state } from "../support/live.mjs";
import { chooseFile, header, install } from "../support/panel.mjs";
import { built } from "../support/paths.mjs";
import { stage } from "../support/stage.mjs";
import { OPERATOR_TOKEN, startGateway } from "./gateway.mjs";

const [{ server, newPage }, gateway] = await Promise.all([stage({ ignore: failedConnection }), startGateway({ heartbeatMs: 1000 })]);
after(() => gateway.stop());

// What stays the same about the run at any time.
const lasting = ({ state, pill, blockedKind, unhealthyKind, runId, workflow, frameNo, seq, startedAt, computedAt, blocked }) => ({
  state,
  value: pill.value,
  label: pill.text.split(" · ")[0].trim(),
  blockedKind,
  unhealthyKind,
  runId,
  workflow,
  frameNo,
  seq,
  startedAt,
  computedAt,
  nodes: blocked?.nodes,
});

test("a run that waits", async () => {
  const { page, close } = await newPage();
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
  assert.equal(
    await page.evaluate(() => document.querySelector('[data-field="freshness"] [data-taxonomy]').dataset.value),
    "live",
    "saving ends no feed",
  );

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
  await close();
  saving.close();
});

test("a run that waits, as a page: it opens from disk without a network, on that run of the list", async () => {
  const { page, close } = await newPage();
  const saving = await downloads(page);
  const [runId, other] = [await gateway.launch("approval", {}), await gateway.launch("fail", {})];
  await gateway.waitForState(runId, "waiting-approval");
  await gateway.waitForState(other, "failed");
  await connect(page, `${server.origin}/#connect`, { url: gateway.url, token: OPERATOR_TOKEN, run: runId });
  await state(page, "waiting-approval");
  await page.waitForSelector('[role=treeitem][data-node="release-gate"][data-state="waiting-approval"]');
  const live = await header(page);
  const nodes = await page.$$eval("[role=treeitem]", (found) => found.map(({ dataset }) => [dataset.node, dataset.state]));

  const file = await exportedPage(page, saving);
  assert.match(file.name, new RegExp(`^runstate-${runId}-.*\\.html$`));
  const everything = readable(file.text);
  assert.ok(everything.includes(runId));
  for (const secret of [OPERATOR_TOKEN, gateway.work]) assert.ok(!everything.includes(secret), secret);
  assert.equal(JSON.parse(inside(file.text).document).runstateExport, 1);
  assert.equal(
    await page.evaluate(() => document.querySelector('[data-field="freshness"] [data-taxonomy]').dataset.value),
    "live",
    "saving ends no feed",
  );
  await close();

  const { page: own, log, close: closeOwn } = await newPage();
  await own.setOfflineMode(true);
  await install(own);
  // The saved file has no ending here.
  copyFileSync(file.path, `${file.path}.html`);
  await own.goto(`file://${file.path}.html`);
  await own.waitForSelector('section[data-tone][data-state="waiting-approval"]');
  const saved = await header(own);
  const { computedAt, ...then } = lasting(saved);
  const { computedAt: later, ...now } = lasting(live);
  assert.deepEqual(then, now);
  assert.equal(saved.freshness, "recorded");
  await own.waitForFunction((count) => document.querySelectorAll("[role=treeitem]").length === count, {}, nodes.length);
  assert.deepEqual(await own.$$eval("[role=treeitem]", (found) => found.map(({ dataset }) => [dataset.node, dataset.state])), nodes);
  assert.equal(await own.$eval('[data-field="incident"] [data-field="sha256"]', (field) => field.dataset.matches), "true");
  assert.deepEqual(
    log.requests.filter((url) => !/^(file|blob|data):/.test(url)),
    [],
    "nothing is requested",
  );
  await closeOwn();
  saving.close();
});

test("a run on the Gateway's own origin has its stored events although nobody has looked at them", async () => {
  const own = await startGateway({ heartbeatMs: 1000, dashboard: built("dashboard") });
  const { page, log, close } = await newPage();
  const saving = await downloads(page);
  const runId = await own.launch("approval", {});
  await own.waitForState(runId, "waiting-approval");
  await connect(page, `${own.http}/runstate/#connect`, { url: own.url, token: OPERATOR_TOKEN, run: runId });
  await state(page, "waiting-approval");
  const stored = (await own.events(runId)).map(({ event }) => event);
  const { text } = await exported(page, saving);
  for (const type of new Set(stored)) assert.ok(text.includes(type), type);
  assert.doesNotMatch(await page.$eval('[data-form="export"]', (form) => form.innerText), /not sent/);

  await page.evaluate(() => (window.print = () => (window.isPrinted = true)));
  await page.keyboard.down("Control");
  await page.keyboard.press("p");
  await page.keyboard.up("Control");
  await page.waitForFunction(() => window.isPrinted);
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  const rows = await page.$$eval(".printout-events [data-event]", (all) => all.map(({ dataset }) => dataset.event));
  assert.ok(rows.includes("RunStarted"), rows.join());
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));

  // New events that a Gateway without an answer keeps to itself.
  await own.approve(runId, "release-gate");
  await state(page, "succeeded");
  process.kill(own.pid, "SIGSTOP");
  await exported(page, saving);
  const after = await page.$eval('[data-form="export"]', (form) => form.innerText);
  process.kill(own.pid, "SIGCONT");
  assert.match(after, /has not sent all stored events in time/);
  log.allow(/./);
  await close();
  saving.close();
  await own.stop();
});

test("a list of runs, of which none was chosen", async () => {
  const { page, close } = await newPage();
  const saving = await downloads(page);
  const [waits, fails] = [await gateway.launch("approval", {}), await gateway.launch("fail", {})];
  await gateway.waitForState(waits, "waiting-approval");
  await gateway.waitForState(fails, "failed");
  await connect(page, `${server.origin}/#connect`, { url: gateway.url, token: OPERATOR_TOKEN });
  await page.waitForSelector(`[data-run="${waits}"] [data-taxonomy][data-value="waiting-approval"]`);
  await page.waitForSelector(`[data-run="${fails}"] [data-taxonomy][data-value="failed"]`);
  const list = () =>
    page.$$eval('[data-screen="runs"] [data-run]', (rows) =>
      rows.map((row) => [
        row.dataset.run,
        ...[...row.querySelectorAll("[data-taxonomy]")].flatMap(({ dataset, textContent }) => [
          dataset.taxonomy,
          dataset.value,
          textContent.trim(),
        ]),
      ]),
    );
  const live = await list();
  assert.ok(live.length >= 2, JSON.stringify(live));

  const file = await exported(page, saving);
  assert.match(file.name, /^runstate-runs-\d{8}T\d{6}Z\.json$/);
  assert.ok(!file.text.includes(OPERATOR_TOKEN), "the token");
  assert.ok(!file.text.includes(gateway.work), "a path of the server");
  const { runstateExport, hash, content } = JSON.parse(file.text);
  assert.equal(runstateExport, 1);
  const text = file.text.slice(file.text.indexOf('"content":') + '"content":'.length, -"}\n".length);
  assert.equal(hash, `sha256:${createHash("sha256").update(text).digest("hex")}`);
  const questions = live.filter((row) => row.includes("waiting-approval"));
  assert.deepEqual(
    content.entries.map(({ method }) => method),
    ["listRuns", ...questions.map(() => "listApprovals")],
    "the rows, and the question of each that waits for a decision",
  );
  assert.ok(content.redacted >= live.length && content.entries[0].json.every(({ configJson }) => configJson === "[redacted]"));
  assert.equal(await page.$('[data-field="error"]'), null);

  await chooseFile(page, file.path);
  await page.waitForSelector(`[data-run="${waits}"]`);
  assert.deepEqual(await list(), live);
  await page.click(`[data-run="${fails}"]`);
  await state(page, "failed");
  assert.equal((await header(page)).freshness, "recorded");
  await close();
  saving.close();
});

test("nothing is offered of a Gateway whose list is empty", async () => {
  const empty = await startGateway({ heartbeatMs: 1000 });
  const { page, close } = await newPage();
  await connect(page, `${server.origin}/#connect`, { url: empty.url, token: OPERATOR_TOKEN });
  await page.waitForFunction(() => document.querySelector('[data-screen="runs"] h2')?.textContent === "No runs here yet");
  assert.equal(await page.$('[data-action="export"]'), null);
  const runId = await empty.launch("approval", {});
  await page.waitForSelector(`[data-run="${runId}"]`);
  await page.waitForSelector('[data-action="export"]');
  await close();
  await empty.stop();
});
