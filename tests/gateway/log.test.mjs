// The events of a live run, and a stored log that is dropped onto them.
import assert from "node:assert/strict";
import { after, afterEach, beforeEach, test } from "node:test";
import { failedConnection } from "../support/browser.mjs";
import { connect, freshness, state } from "../support/live.mjs";
import { drop, header } from "../support/panel.mjs";
import { stage } from "../support/stage.mjs";
import { OPERATOR_TOKEN, startGateway } from "./gateway.mjs";

const [{ server, newPage }, gateway] = await Promise.all([
  stage({ ignore: failedConnection, viewport: { width: 1280, height: 1600 } }),
  startGateway({ heartbeatMs: 1000 }),
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
  const first = await stream(runId);
  await drop(page, [first]);
  await page.waitForSelector("[data-pane=log] [role=row][data-event=RunStarted]");
  await shows(first);
  await freshness(page, "live");
  assert.match(await page.$eval("[data-pane=log]", (pane) => pane.innerText), /Events until .* are those of stream\.ndjson\./);

  await gateway.approve(runId, "release-gate");
  await state(page, "succeeded");
  await page.waitForSelector("[data-pane=log] [role=row][data-event=RunFinished]");
  // The Gateway pushes the events of the run again.
  await new Promise((resolve) => setTimeout(resolve, 2500));
  const whole = await stream(runId);
  await drop(page, [whole]);
  await page.waitForFunction(() => document.querySelectorAll("[data-pane=log] [role=row][data-event=SnapshotCaptured]").length > 1);
  const found = await rows();
  assert.deepEqual(
    found.filter((name) => !NOT_IN_FILES.includes(name)),
    types(whole),
  );
  assert.deepEqual(
    found.filter((name) => NOT_IN_FILES.includes(name)),
    ["ApprovalGranted"],
    "its file does not have it",
  );
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
