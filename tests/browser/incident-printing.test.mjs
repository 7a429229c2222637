// What the browser prints of a run: the whole of it, also what is not on screen.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { until } from "../support/browser.mjs";
import { chooseFile, open, paste } from "../support/panel.mjs";
import { vector } from "../support/paths.mjs";
import { printed, withoutSpaces } from "../support/pdf.mjs";
import { connectScreen, tall } from "../support/stage.mjs";

const { newPage, page } = await connectScreen({ viewport: tall });

describe("printing", () => {
  /** A page with a run of `count` tasks, of which most are not on screen. */
  async function runOf(count) {
    const tasks = Array.from({ length: count }, (_, index) => ({
      id: index + 2,
      type: "task",
      name: "task",
      props: {},
      task: { nodeId: `node-${index}` },
      children: [],
    }));
    const root = { id: 1, type: "workflow", name: "release", props: {}, children: tasks };
    const { page: own, close } = await newPage();
    await own.setViewport({ width: 1000, height: 700 });
    await open(own, `${page.url().split("#")[0]}#connect`);
    const runState = { runId: "r1", state: "failed", computedAt: "2026-11-21T14:24:41.000Z" };
    await paste(own, JSON.stringify({ version: 1, runId: "r1", frameNo: 1, seq: 1, runState, root }));
    await own.waitForSelector("[role=treeitem]");
    assert.ok((await own.$$("[role=treeitem]")).length < 100);
    return { page: own, close };
  }

  test("header, reason, evidence and every node, of which most are not on screen", async () => {
    const { page: own, close } = await runOf(450);
    // The worker sends the rows after the header.
    const { sheets, rows, words } = await until("all rows on paper", async () => {
      const printout = await printed(own);
      return printout.rows.length >= 451 && printout;
    });
    assert.equal(rows.length, 451);
    for (const node of rows) assert.ok(words.includes(node), node);
    assert.ok(sheets.length >= 8, `${sheets.length} sheets`);
    for (const sheet of sheets) assert.ok(sheet.includes("release·r1"), `the run at the foot of ${sheet}`);
    for (const said of ["All 451 nodes of the run.", "Failed", "Evidence"]) assert.ok(words.includes(withoutSpaces(said)), said);
    assert.equal(await own.$(".printout"), null, "gone afterwards");
    await close();
  });

  test("the browser's menu prints of more than 500 nodes those on screen, and the panel's button all of them", async () => {
    const { page: own, close } = await runOf(600);
    const { rows, words } = await printed(own);
    assert.ok(rows.length < 100, `${rows.length} rows`);
    assert.ok(words.includes(withoutSpaces(`${rows.length} of 601 nodes, those on screen.`)), words.slice(0, 2000));
    await own.evaluate(() => (window.print = () => (window.isPrinted = true)));
    await own.click("[data-action=export]");
    await own.click("[data-action=print]");
    await own.waitForFunction(() => window.isPrinted);
    assert.equal((await printed(own)).rows.length, 601);
    await close();
  });

  const logs = {
    "an event log of Smithers": ["documents/valid/killed-a.log.ndjson", "NodeStarted", "2026-11-2121:00:28ZNodeStartedgrindattempt2"],
    "recorded frames of Smithers": ["documents/valid/fail-a.ws-life.ndjson", "RunFailed", "RunFailedTaskfailed:boom"],
    "the signals of lionagi": ["documents/valid/sse-signals-failed.sse", "RunFailed", "2026-11-2120:15:52Z2RunFaileddiskisfull"],
    "the log of tnh-conductor": [
      "conductor/runs/gate-orphaned/run/events.ndjson",
      "status_updated",
      "2026-11-2120:41:41Zstep_waitingfinal_reviewwaiting",
    ],
  };
  for (const [name, [file, newest, words]] of Object.entries(logs)) {
    test(`the last events, newest first: ${name}`, async () => {
      await chooseFile(page, vector(file));
      // The worker sends the events after the header.
      const report = await until("the last events on paper", async () => {
        const printout = await printed(page);
        return printout.events.length > 0 && printout;
      });
      assert.ok(report.words.includes("Lastevents,newestfirst"), report.words);
      assert.ok(report.words.includes(words), `${words} in ${report.words}`);
      assert.equal(report.events[0], newest);
      assert.ok(report.events.length <= 12);
    });
  }

  test("a document without events has no such section", async () => {
    await chooseFile(page, vector("documents/valid/killed-a.log.ndjson"));
    await chooseFile(page, vector("smithers/captures/runs/fail-a/rpc-runs.get.json"));
    const { words, events } = await printed(page);
    assert.deepEqual(events, []);
    assert.ok(!words.includes("Lastevents"), words);
  });

  test("a screen without a run prints as it is", async () => {
    const { page: own, close } = await newPage();
    await open(own, `${page.url().split("#")[0]}#connect`);
    const { sheets, rows } = await printed(own);
    assert.deepEqual([sheets.length, rows], [1, undefined]);
    assert.match(sheets[0], /Connect/);
    await close();
  });
});
