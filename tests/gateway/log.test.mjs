// The events of a live run, and a stored log that is dropped onto them.
import assert from "node:assert/strict";
import { after, afterEach, beforeEach, test } from "node:test";
import { failedConnection } from "../support/browser.mjs";
import { downloads, exported } from "../support/download.mjs";
import { connect, freshness, state } from "../support/live.mjs";
import { chooseFile, drop, header } from "../support/panel.mjs";
import { built } from "../support/paths.mjs";
import { stage } from "../support/stage.mjs";
import { OPERATOR_TOKEN, startGateway } from "./gateway.mjs";

const [{ server, newPage }, gateway] = await Promise.all([
  stage({ ignore: failedConnection, viewport: { width: 1280, height: 1600 } }),
  startGateway({ heartbeatMs: 1000, dashboard: built("dashboard") }),
]);
after(() => gateway.stop());

let page, close;
beforeEach(async () => ({ page, close } = await newPage()));
afterEach(() => close());

/** The types that a Gateway stores in its database alone, not in the file of a run. */
const NOT_IN_FILES = ["ApprovalGranted", "ApprovalDenied"];
/** What a Gateway writes into the file of a run. */
const stream = async (runId) => {
  const stored = (await gateway.events(runId)).filter(({ event }) => !NOT_IN_FILES.includes(event));
  return { name: "stream.ndjson", text: stored.map(({ payload }) => `${JSON.stringify(payload)}\n`).join("") };
};
const types = ({ text }) =>
  text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line).type);
const rows = () => page.$$eval("[data-pane=log] [role=row][data-event]", (all) => all.map((row) => row.dataset.event));
/** Waits until the rows are those of the file, and then these. */
const shows = (file, ...more) =>
  page
    .waitForFunction(
      (wanted) => {
        const all = [...document.querySelectorAll("[data-pane=log] [role=row][data-event]")].map((row) => row.dataset.event);
        return JSON.stringify(all) === wanted;
      },
      {},
      JSON.stringify([...types(file), ...more]),
    )
    .catch(async (error) => {
      throw new Error(`${error.message}; on screen: ${(await rows()).join(" ")}; in the file: ${types(file).join(" ")}`);
    });

test("a dropped stream.ndjson joins the events of its run, without repeats", async () => {
  const runId = await gateway.launch("approval");
  await gateway.waitForState(runId, "waiting-approval");
  await connect(page, `${server.origin}/#connect`, { url: gateway.url, token: OPERATOR_TOKEN, run: runId });
  await state(page, "waiting-approval");
  await freshness(page, "live");
  await page.click("[data-view-switch=events]");
  await page.waitForFunction(() =>
    document.querySelector("[data-pane=log]")?.innerText.includes("Earlier events are not listed: a Gateway pushes only new ones"),
  );
  const first = await stream(runId);
  await drop(page, [first]);
  await page.waitForSelector("[data-pane=log] [role=row][data-event=RunStarted]");
  await shows(first);
  await freshness(page, "live");
  assert.match(await page.$eval("[data-pane=log]", (pane) => pane.innerText), /Events until .* are those of stream\.ndjson\./);

  await gateway.approve(runId, "release-gate");
  await state(page, "succeeded");
  // The Gateway pushes the events of the run again, often with the decision, which its file does not have.
  await page.waitForSelector("[data-pane=log] [role=row][data-event=RunFinished]");
  await new Promise((resolve) => setTimeout(resolve, 2500));
  const inFiles = async () => (await rows()).filter((name) => !NOT_IN_FILES.includes(name));
  const pushed = ["NodeStarted", "NodeFinished", "NodeStarted", "NodeFinished", "RunFinished"];
  assert.deepEqual(await inFiles(), [...types(first), ...pushed]);
  const whole = await stream(runId);
  await drop(page, [whole]);
  await page.waitForFunction(() => document.querySelectorAll("[data-pane=log] [role=row][data-event=RunStarted]").length === 2);
  assert.deepEqual(await inFiles(), types(whole));
});

test("the log of another run opens as a document", async () => {
  const [runId, other] = [await gateway.launch("approval"), await gateway.launch("approval")];
  for (const id of [runId, other]) await gateway.waitForState(id, "waiting-approval");
  await connect(page, `${server.origin}/#connect`, { url: gateway.url, token: OPERATOR_TOKEN, run: runId });
  await state(page, "waiting-approval");
  await drop(page, [await stream(other)]);
  await freshness(page, "recorded");
  assert.equal((await header(page)).runId, other);
});

test("a log above 16 MB, which is read in parts, joins the events of its run", async () => {
  const runId = await gateway.launch("approval");
  await gateway.waitForState(runId, "waiting-approval");
  await connect(page, `${server.origin}/#connect`, { url: gateway.url, token: OPERATOR_TOKEN, run: runId });
  await state(page, "waiting-approval");
  const { text } = await stream(runId);
  const [first] = text.split("\n");
  const { timestampMs } = JSON.parse(first);
  const output = (index) =>
    JSON.stringify({
      type: "NodeOutput",
      runId,
      nodeId: "prepare",
      iteration: 0,
      attempt: 1,
      text: "x".repeat(1000),
      stream: "stdout",
      timestampMs: timestampMs + index,
    });
  const lines = [first, ...Array.from({ length: 17_000 }, (_, index) => output(index)), ...text.trim().split("\n").slice(1)];
  await drop(page, [{ name: "stream.ndjson", text: `${lines.join("\n")}\n` }]);
  await page.waitForFunction(() => /are those of stream\.ndjson\./.test(document.querySelector("[data-pane=log]")?.innerText ?? ""));
  const count = await page.$eval('[data-field="log-count"]', (field) => Number(field.innerText.replace(/\D/g, "")));
  assert.ok(count >= lines.length, `${count} of ${lines.length}`);
  assert.equal((await header(page)).runId, runId);
  await freshness(page, "live");
});

for (const [transport, url] of Object.entries({ WebSocket: gateway.url, HTTP: gateway.http })) {
  test(`on the Gateway's own origin, the events begin with the stored ones, over ${transport}`, async () => {
    const runId = await gateway.launch("approval");
    await gateway.waitForState(runId, "waiting-approval");
    const paths = [];
    page.on("request", (request) => request.url().includes("/v1/api/") && paths.push(new URL(request.url())));
    await connect(page, `${gateway.http}/runstate/#connect`, { url, token: OPERATOR_TOKEN, run: runId });
    await state(page, "waiting-approval");
    assert.ok(paths.length <= 1, "nobody looks at the events");
    await page.click("[data-view-switch=events]");
    const all = async () => ({ text: (await gateway.events(runId)).map(({ payload }) => JSON.stringify(payload)).join("\n") });
    await shows(await all());
    assert.doesNotMatch(await page.$eval("[data-pane=log]", (pane) => pane.innerText), /not listed|arrival/);
    await gateway.approve(runId, "release-gate");
    await state(page, "succeeded");
    await page.waitForSelector("[data-pane=log] [role=row][data-event=RunFinished]");
    await shows(await all());
    await page.click("[data-pane=log] button[data-family=approval]");
    await page.waitForFunction(() => {
      const found = [...document.querySelectorAll("[data-pane=log] [role=row][data-event]")].map((row) => row.dataset.event);
      return found.join() === "ApprovalRequested,NodeWaitingApproval,ApprovalGranted";
    });
    assert.ok(paths.length > 1 && paths.length < 20, `${paths.length} requests`);
    assert.ok(paths.every(({ pathname }) => pathname === `/v1/api/runs/${runId}/events`));
  });
}

test("all events of a wide run are listed, and its end is followed", async () => {
  const runId = await gateway.launch("wide", { count: 60, ms: 20 });
  await connect(page, `${gateway.http}/runstate/#connect`, { url: gateway.url, token: OPERATOR_TOKEN, run: runId });
  await page.waitForSelector("[data-view-switch=events]");
  await page.click("[data-view-switch=events]");
  const grid = "[data-pane=log] [role=grid]";
  await page.waitForSelector(`${grid} [role=row][data-event=NodeStarted]`);
  await page.focus(grid);
  await page.keyboard.press("End");
  await state(page, "succeeded");
  await page.waitForSelector(`${grid} [role=row][data-event=RunFinished]`);
  const stored = (await gateway.events(runId)).length;
  assert.ok(stored > 250, `${stored}`);
  await page.waitForFunction((selector, count) => Number(document.querySelector(selector).ariaRowCount) === count + 1, {}, grid, stored);
});

test("an export has the stored events, and opens with the state of the run", async () => {
  const saving = await downloads(page);
  const runId = await gateway.launch("approval");
  await gateway.waitForState(runId, "waiting-approval");
  await connect(page, `${gateway.http}/runstate/#connect`, { url: gateway.url, token: OPERATOR_TOKEN, run: runId });
  await state(page, "waiting-approval");
  await page.click("[data-view-switch=events]");
  const all = { text: (await gateway.events(runId)).map(({ payload }) => JSON.stringify(payload)).join("\n") };
  await shows(all);
  const [live, file] = [await header(page), await exported(page, saving)];
  assert.ok(!file.text.includes(OPERATOR_TOKEN) && !file.text.includes(gateway.work));
  await chooseFile(page, file.path);
  await page.waitForSelector('[data-field="freshness"] [data-value="recorded"]');
  await shows(all);
  const saved = await header(page);
  const lasting = ({ state, pill, runId: id, workflow, frameNo, startedAt, blocked }) => [
    state,
    pill.value,
    id,
    workflow,
    frameNo,
    startedAt,
    blocked?.nodes,
  ];
  assert.deepEqual(lasting(saved), lasting(live));
  saving.close();
});
