// How what a person waits for grows with the document: ratios within one run, on any machine. `cargo xtask bench` compares the times
// with budgets, on an idle one.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { allFailed, manyRuns, view, wide } from "../support/make.mjs";
import { chooseFile, paste, shows } from "../support/panel.mjs";
import { findTime, keyTimes, nodeSearchTimes } from "../support/speed.mjs";
import { connectScreen } from "../support/stage.mjs";

// Of ten times as much. Work on each node makes it ten times as long, work on each pair of nodes a hundred times.
const TEN_TIMES_AS_MUCH = 20;

const folder = mkdtempSync(join(tmpdir(), "runstate-speed-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const { page } = await connectScreen();

const median = (numbers) => numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)];
/** The median of the ratios of alternating rounds. */
const ratio = async (t, small, large) => {
  const found = [];
  for (let round = 0; round < 3; round++) found.push([await small(), await large()]);
  const times = median(found.map(([one, other]) => other / one));
  t.diagnostic(`${times.toPrecision(3)} times; ms: ${found.map((pair) => pair.map(Math.round).join(" and ")).join(", ")}`);
  return times;
};
const atMost = (times, most) => assert.ok(times <= most, `${times} times as long`);

describe("10 000 against 1 000", () => {
  // The first paste loads and compiles.
  before(() => paste(page, JSON.stringify(view("first", "running"))));
  const pasted = (content) => {
    const text = JSON.stringify(content);
    return async () => (await paste(page, text)).ms;
  };

  test("nodes: the paint of the header after a paste", async (t) =>
    atMost(await ratio(t, pasted(wide("small", 1_000)), pasted(wide("large", 10_000))), TEN_TIMES_AS_MUCH));

  test("failed nodes: the same", async (t) =>
    atMost(await ratio(t, pasted(allFailed("small", 1_000)), pasted(allFailed("large", 10_000))), TEN_TIMES_AS_MUCH));

  test("nodes, 50 000 against 1 000: the paint of a key", async (t) => {
    const keys = (content) => {
      const show = pasted(content);
      return async () => {
        await show();
        return median(await keyTimes(page, 30));
      };
    };
    atMost(await ratio(t, keys(wide("small", 1_000)), keys(wide("large", 50_000))), 2);
  });

  test("nodes: the paint of the number of hits after a letter of a search", async (t) => {
    // Each letter leaves fewer hits.
    const letters = (content) => {
      const show = pasted(content);
      return async () => {
        await show();
        return median(await nodeSearchTimes(page, "123"));
      };
    };
    atMost(await ratio(t, letters(wide("small", 1_000)), letters(wide("large", 10_000))), TEN_TIMES_AS_MUCH);
  });

  for (const change of ["search", "filter"]) {
    test(`runs: the paint of the rows after a ${change}`, async (t) => {
      const found = (count) => {
        const show = pasted(manyRuns(count));
        return async () => {
          await show();
          return (await findTime(page, change)).milliseconds;
        };
      };
      atMost(await ratio(t, found(1_000), found(10_000)), 10);
    });
  }

  test("nodes and runs: as many elements", async () => {
    for (const make of [(count) => wide("wide", count), manyRuns]) {
      const elements = async (count) => {
        await paste(page, JSON.stringify(make(count)));
        await page.waitForSelector("[role=treeitem], [data-pane=runs] [data-run]");
        return page.evaluate(async () => {
          // The rows that fit are drawn in several steps.
          let [count, before] = [0, -1];
          while (count !== before) {
            await new Promise((next) => setTimeout(next, 200));
            await window.runstateTest.painted();
            [before, count] = [count, document.querySelectorAll("*").length];
          }
          return count;
        });
      };
      const [small, large] = [await elements(1_000), await elements(10_000)];
      assert.ok(Math.abs(large - small) < small / 10, `${small} and ${large} elements`);
    }
  });
});

// The worker reads; what the page does of it is bounded.
describe("the longest task of the page while a document is opened", () => {
  // The browser reports tasks of at least 50 ms.
  const LEAST = 50;
  const longest = async (runId, path) => {
    await page.evaluate(() => {
      window.longTasks = [];
      window.observer = new PerformanceObserver((list) => window.longTasks.push(...list.getEntries().map(({ duration }) => duration)));
      window.observer.observe({ entryTypes: ["longtask"] });
    });
    await chooseFile(page, path);
    await shows(page, runId);
    return page.evaluate(async (least) => {
      await window.runstateTest.painted();
      await new Promise((idle) => requestIdleCallback(idle));
      window.observer.disconnect();
      return Math.max(least, ...window.longTasks);
    }, LEAST);
  };
  /** Opens a file of a run. */
  const opened = (runId, text) => {
    const path = join(folder, `${runId}.json`);
    writeFileSync(path, text);
    return () => longest(runId, path);
  };
  const log = (runId, count) => {
    const event = (type, at, more) =>
      `${JSON.stringify({ type, runId, ...more, timestampMs: 1_795_295_400_000 + at, correlation: { runId, workflowName: "nightly" } })}\n`;
    const lines = [event("RunStarted", 0)];
    for (let index = 0; lines.length < count; index++) {
      const of = { nodeId: `task-${index % 500}`, iteration: Math.floor(index / 500), attempt: 1 };
      lines.push(event("NodeStarted", 10 * index + 1, of), event("NodeFinished", 10 * index + 9, of));
    }
    return [...lines, event("RunFinished", 1e7)].join("");
  };

  test("120 000 events against 12 000", async (t) =>
    atMost(await ratio(t, opened("small", log("small", 12_000)), opened("large", log("large", 120_000))), 4));

  test("a snapshot of 100 000 nodes against 10 000", async (t) => {
    const snapshot = (runId, count) => opened(runId, JSON.stringify(wide(runId, count)));
    atMost(await ratio(t, snapshot("narrow", 10_000), snapshot("wide", 100_000)), 4);
  });
});
