// Opening one thing after another: the last one wins, a refusal leaves the screen unchanged, a stopped worker is reported.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { beforeEach, describe, test } from "node:test";
import { onlyChromium, until } from "../support/browser.mjs";
import { text } from "../support/captures.mjs";
import { view } from "../support/make.mjs";
import { answer, chooseFile, close, drop, error, header, open, paste, runs, shows } from "../support/panel.mjs";
import { built, vector } from "../support/paths.mjs";
import { serve } from "../support/server.mjs";
import { stage, tall } from "../support/stage.mjs";

const { server, newPage } = await stage({ viewport: tall });
const run = (runId, state = "failed") => JSON.stringify(view(runId, state));
const manyRuns = (count) => JSON.stringify(Array.from({ length: count }, (_, index) => ({ runId: `run-${index}`, status: "finished" })));

let page, log;
beforeEach(async () => {
  ({ page, log } = await newPage());
  await open(page, `${server.origin}/#connect`);
});

const list = async () => {
  const path = vector("smithers/rpc/listRuns-failed.json");
  await chooseFile(page, path);
  const found = JSON.parse(readFileSync(path, "utf8"));
  return runs(page, found.response.body.payload.length);
};
const source = () => page.$eval('section[data-tone] [data-field="source"]', (field) => field.textContent);
const recording = () =>
  page.waitForFunction(() =>
    document.querySelector('section[data-tone] [data-field="source"]')?.textContent.includes("built-in recording"),
  );
// No worker but that of the session on screen can change the screen any more.
const oneWorker = () => until("one worker", () => page.workers().length === 1);
// What a panic or a lack of memory is in a browser: an error that nothing catches.
const breakWorkers = () =>
  Promise.all(
    page.workers().map((worker) =>
      worker.evaluate(
        () =>
          void setTimeout(() => {
            throw new RangeError("out of memory");
          }),
      ),
    ),
  );
// Drops one text after the other without waiting for an answer.
const dropAll = (...texts) =>
  page.evaluate(async (all) => {
    for (const each of all) {
      const data = new DataTransfer();
      data.setData("text/plain", each);
      document
        .querySelector("[role=toolbar]")
        .dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
    }
  }, texts);

describe("the last of several opens wins", () => {
  test("a small document after a large one", async () => {
    await dropAll(manyRuns(60_000), run("last"));
    await shows(page, "last");
    await oneWorker();
    assert.equal((await header(page)).runId, "last");
    assert.equal((await answer(page)).runs, undefined);
  });
  test("of five", async () => {
    await dropAll(manyRuns(20_000), run("second"), manyRuns(10_000), run("fourth"), run("fifth"));
    await shows(page, "fifth");
    await oneWorker();
    assert.equal((await header(page)).runId, "fifth");
  });
  test("the recording after a large document", async () => {
    await paste(page, run("before"));
    await page.evaluate(() => window.runstateTest.openConnect());
    await page.evaluate((large) => {
      const data = new DataTransfer();
      data.setData("text/plain", large);
      document
        .querySelector("[role=toolbar]")
        .dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
      document.querySelector('button[data-action="example"]').click();
    }, manyRuns(60_000));
    await recording();
    await oneWorker();
    assert.match(await source(), /built-in recording/);
  });
  test("a document after the recording, and rows of it can be chosen", async () => {
    await page.click('button[data-action="example"]');
    await recording();
    await paste(page, manyRuns(10_000));
    await (await page.waitForSelector('[data-run="run-7"]')).click();
    await shows(page, "run-7");
  });
});

describe("what is refused leaves the screen unchanged", () => {
  test("the header, the folded tree, the selected node and the focus", async () => {
    await paste(page, text("runs/structure-a/rpc-getDevToolsSnapshot.json"));
    await page.focus("[role=tree]");
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowLeft");
    await page.waitForSelector('[role=treeitem][aria-level="2"][aria-expanded="false"][aria-selected="true"]');
    const screen = () =>
      page.evaluate(() => ({
        rows: [...document.querySelectorAll("[role=treeitem]")].map((row) => [row.dataset.node, row.ariaExpanded, row.ariaSelected]),
        // Without the ages, which move.
        header: window.runstateTest.header().text.replaceAll(/\d+ (s|min|h|d)\b/g, "#"),
        focus: document.activeElement.role,
      }));
    const before = await screen();
    await drop(page, '{"runId": oops}');
    await error(page, "NOT_JSON");
    assert.deepEqual(await screen(), before);
    await page.click('[data-field="error"] button');
    await page.waitForFunction(() => !document.querySelector('[data-field="error"]'));
    assert.deepEqual((await screen()).rows, before.rows);
  });
  test("a list", async () => {
    const before = await list();
    await drop(page, "no document");
    await page.waitForSelector('[data-field="error"]');
    assert.deepEqual((await answer(page)).runs, before);
  });
  test("the recorded run", async () => {
    await page.click('button[data-action="example"]');
    await recording();
    const { runId } = await header(page);
    assert.equal((await paste(page, "{")).error?.code, "NOT_JSON");
    await close(page);
    assert.equal((await header(page)).runId, runId);
  });
});

describe("a worker that stops", () => {
  const breaks = onlyChromium("code runs in a worker");
  test("is reported, keeps the document on screen, and the next document opens", breaks, async () => {
    await paste(page, run("kept"));
    await breakWorkers();
    await error(page, "WORKER_FAILED");
    assert.match((await answer(page)).error.text, /out of memory/);
    assert.equal((await header(page)).runId, "kept");
    assert.equal((await paste(page, run("next"))).header?.runId, "next");
    log.allow(/out of memory/);
  });
  test("of a list: choosing a row is refused, and the list stays", breaks, async () => {
    const before = await list();
    await breakWorkers();
    await error(page, "WORKER_FAILED");
    await page.click('[data-field="error"] button');
    await page.waitForFunction(() => !document.querySelector('[data-field="error"]'));
    await page.click("[data-run]");
    await page.waitForSelector('[data-field="error"]');
    assert.deepEqual((await answer(page)).runs, before);
    log.allow(/out of memory/);
  });
  test("of the recording: an export is refused, and saves no earlier document", breaks, async () => {
    await paste(page, run("before"));
    await page.evaluate(() => window.runstateTest.openConnect());
    await page.click('button[data-action="example"]');
    await recording();
    await breakWorkers();
    await error(page, "WORKER_FAILED");
    await page.click('[data-action="export"]');
    await page.click('form[data-form="export"] [type="submit"]');
    await page.waitForFunction(
      () => document.querySelector('[data-field="error"]') && document.querySelector('[data-field="exported"]').textContent === "",
    );
    log.allow(/out of memory/);
  });
  test("because its script is missing, is reported", async () => {
    const without = await serve(built("dashboard"), { missing: (path) => path.endsWith("/worker.js") });
    await page.goto("about:blank");
    await open(page, `${without.origin}/#connect`);
    const seen = await paste(page, run("never"));
    assert.equal(seen.error?.code, "WORKER_FAILED");
    assert.equal(seen.header, undefined);
    log.allow(/404|MIME type/);
    await without.close();
  });
});

test("the page publishes a function that starts a worker, one that reads the text of an exported page, and no data", async () => {
  await paste(page, run("private"));
  const globals = await page.evaluate(() =>
    Object.getOwnPropertyNames(globalThis)
      .filter((name) => /runstate/i.test(name) && name !== "runstateTest")
      .map((name) => [name, typeof globalThis[name], Object.keys(globalThis[name]).length]),
  );
  assert.deepEqual(globals, [
    ["runstateWorker", "function", 0],
    ["runstatePage", "function", 0],
  ]);
  const worker = await page.evaluate(() => {
    const started = globalThis.runstateWorker();
    const kind = started instanceof Worker;
    started.terminate();
    return kind;
  });
  assert.ok(worker);
});
