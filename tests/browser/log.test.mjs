// The events of a run: filters, keys, the node that they share with the tree, the end of a live log.
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { runFiles, text } from "../support/captures.mjs";
import { axe, prefer } from "../support/a11y.mjs";
import { drop, paste } from "../support/panel.mjs";
import { observe, watchTraffic } from "../support/screens.mjs";
import { connectScreen } from "../support/stage.mjs";

const { page, server } = await connectScreen({ viewport: { width: 1100, height: 700 } });
const grid = "[data-pane=log] [role=grid]";
const scroller = `${grid} > .scroll`;

const showEvents = async () => {
  await page.click("[data-view-switch=events]");
  await page.waitForSelector("[data-pane=log]");
};
/** The rows on screen: type, family, node. */
const rows = () =>
  page.$$eval(`${grid} [role=row][id]`, (all) =>
    all.map(({ dataset, ariaRowIndex, innerText }) => ({ ...dataset, index: Number(ariaRowIndex), text: innerText })),
  );
const rowCount = (count) =>
  page.waitForFunction((selector, wanted) => Number(document.querySelector(selector)?.ariaRowCount) === wanted + 1, {}, grid, count);
const isSelected = (row) =>
  page.waitForFunction(
    (selector, wanted) => Number(document.querySelector(`${selector} [aria-selected=true]`)?.ariaRowIndex) === wanted + 2,
    {},
    grid,
    row,
  );
const event = (seq, type, more = {}) =>
  JSON.stringify({ runId: "r", seq, payload: { type, runId: "r", timestampMs: 1_795_295_400_000 + seq, ...more } });
const of = { nodeId: "build", iteration: 2, attempt: 1 };
const log = [
  event(0, "RunStarted", { token: "t-0123456789" }),
  event(1, "NodeStarted", of),
  event(2, "TaskHeartbeat", { ...of, hasData: false, dataSizeBytes: 0 }),
  event(3, "TaskHeartbeat", { ...of, hasData: false, dataSizeBytes: 0 }),
  event(9, "NodeFailed", { ...of, error: { message: "disk is full" } }),
  event(10, "RunDreamed", { why: "it slept" }),
].join("\n");

describe("the events of a document", () => {
  before(async () => {
    assert.equal((await paste(page, log)).header?.runId, "r");
    await page.waitForSelector("[data-pane=log]");
    await rowCount(6);
  });

  test("are rows, the oldest first, with gaps and unknown types", async () => {
    const found = await rows();
    assert.deepEqual(
      found.map((row) => [row.event, row.family, row.node, row.iteration]),
      [
        ["RunStarted", "run", undefined, undefined],
        ["NodeStarted", "node", "build", "2"],
        ["TaskHeartbeat", "heartbeat", "build", "2"],
        [undefined, undefined, undefined, undefined],
        ["NodeFailed", "node", "build", "2"],
        ["RunDreamed", "other", undefined, undefined],
      ],
    );
    assert.match(found[2].text, /2 in all/);
    assert.match(found[3].text, /Events 4 to 8 are missing/);
    assert.match(found[4].text, /disk is full/);
    assert.match(found[5].text, /why: "it slept"/);
  });

  test("are selected by keys, with their node, and filtered by it", async () => {
    await page.focus(grid);
    await page.keyboard.press("End");
    await isSelected(5);
    await page.keyboard.press("ArrowUp");
    await isSelected(4);
    await page.waitForSelector("[data-node-filter]");
    const active = await page.$eval(grid, (element) => element.getAttribute("aria-activedescendant"));
    assert.equal(await page.$eval(`#${active}`, (row) => row.dataset.event), "NodeFailed");
    await page.click("[data-node-filter]");
    await rowCount(4);
    assert.ok((await rows()).every((row) => row.node === "build" || row.gap === ""));
    await page.click("[data-node-filter]");
    await rowCount(6);
  });

  test("keep a selected row that a filter hides, and say so", async () => {
    await page.focus(grid);
    await page.keyboard.press("Home");
    await isSelected(0);
    await page.click("button[data-family=node]");
    await page.waitForSelector("[data-field=log-selected]:not([hidden])");
    await page.click("button[data-family=node]");
    await isSelected(0);
    await page.waitForSelector("[data-field=log-selected][hidden]");
  });

  test("open a row of several events by the keyboard and by its button", async () => {
    await page.focus(grid);
    await page.keyboard.press("Home");
    for (const row of [1, 2]) {
      await page.keyboard.press("ArrowDown");
      await isSelected(row);
    }
    await page.keyboard.press("ArrowRight");
    await rowCount(7);
    assert.deepEqual(
      (await rows()).slice(2, 4).map((row) => row.event),
      ["TaskHeartbeat", "TaskHeartbeat"],
    );
    assert.equal(await page.$eval(`${grid} [aria-selected=true] [data-action=fold]`, (button) => button.ariaExpanded), "true");
    await page.click("[data-action=fold]");
    await rowCount(6);
    await isSelected(2);
  });

  test("are searched for words in their JSON", async () => {
    const search = "input[name=search-events]";
    await page.type(search, "DISK full");
    await page.waitForFunction(() => document.querySelector("[data-field=log-searched]:not([hidden])")?.innerText === "1 found");
    assert.deepEqual(
      (await rows()).map((row) => row.event ?? row.gap),
      ["", "NodeFailed"],
    );
    assert.deepEqual((await axe(page)).problems, []);
    await page.type(search, " nothing");
    await rowCount(1);
    await page.waitForFunction(() =>
      /contains all these words/.test(document.querySelector("[data-field=log-empty]:not([hidden])")?.innerText),
    );
    await page.$eval(search, (input) => input.select());
    await page.keyboard.press("Backspace");
    await rowCount(6);
  });

  test("are filtered by attempt and severity", async () => {
    await page.click("[data-filter=error]");
    await rowCount(2);
    await page.click("[data-filter=error]");
    await rowCount(6);
    await page.click(`${grid} [data-event=NodeFailed]`);
    await page.waitForSelector("[data-filter=attempt]:not([hidden])");
    await page.click("[data-filter=attempt]");
    await rowCount(4);
    await page.click("[data-filter=attempt]");
    await rowCount(6);
  });

  test("are copied as NDJSON without secrets: the selected one by its key, all by a button", async () => {
    await page.evaluate(() => {
      Object.defineProperty(navigator, "clipboard", {
        configurable: true,
        value: { writeText: async (text) => void (window.copied = text) },
      });
    });
    const copied = async () => {
      await page.waitForFunction(() => window.copied);
      const text = await page.evaluate(() => window.copied);
      await page.evaluate(() => delete window.copied);
      return text
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line));
    };
    await page.focus(grid);
    await page.keyboard.press("Home");
    await isSelected(0);
    await page.keyboard.down("Control");
    await page.keyboard.press("c");
    await page.keyboard.up("Control");
    const [started] = await copied();
    assert.deepEqual([started.type, started.token], ["RunStarted", "[redacted]"]);
    await page.click("[data-action=copy-events]");
    assert.deepEqual(
      (await copied()).map((event) => event.type),
      ["RunStarted", "NodeStarted", "TaskHeartbeat", "TaskHeartbeat", "runstate.gap", "NodeFailed", "RunDreamed"],
    );
    await page.waitForFunction(() =>
      /^Copied 7 events. 1 secret or path was redacted.$/.test(document.querySelector("[role=status]").innerText),
    );
  });

  test("are filtered by families, whose counts stay", async () => {
    const counts = () => page.$$eval("[data-pane=log] button[data-family]", (chips) => chips.map((chip) => chip.textContent));
    const all = await counts();
    assert.deepEqual(all, ["Run 1", "Node 2", "Heartbeat 2", "Other 1"]);
    await page.click("button[data-family=node]");
    await rowCount(3);
    assert.deepEqual(await counts(), all);
    await page.click("button[data-family=node]");
    await rowCount(6);
  });

  test("have no violation of axe in either theme", async () => {
    for (const scheme of ["light", "dark"]) {
      const undo = await prefer(page, { scheme });
      assert.deepEqual((await axe(page)).problems, [], scheme);
      await undo();
    }
  });

  test("give way to the tree and keep the focus", async () => {
    await page.click("[data-view-switch=tree]");
    await page.waitForFunction(() => !document.querySelector("[data-pane=log]"));
    assert.equal(await page.evaluate(() => document.activeElement.dataset.viewSwitch), "tree");
    await showEvents();
  });
});

test("a document without events says why, and what to do", async () => {
  await paste(page, text("runs/fail-a/rpc-getDevToolsSnapshot.json"));
  await page.waitForFunction(() =>
    /contains no events.*Open /s.test(document.querySelector("[data-field=log-empty]:not([hidden])")?.innerText),
  );
  assert.deepEqual((await axe(page)).problems, []);
});

/** Shows the events of a run that a page's traffic contains. `push` adds nodes that start, `last` waits for the newest one. */
async function liveLog() {
  let seq = 0;
  const entry = (event, payload) => ({
    kind: "frame",
    at: Date.now(),
    socket: "s1",
    url: "ws://127.0.0.1:7331/",
    sent: false,
    text: JSON.stringify({ type: "event", apiVersion: "v1", event, seq: ++seq, payload }),
  });
  let node = 0;
  const started = () => entry("run.event", { runId: "live", event: "node.started", payload: { runId: "live", nodeId: `n${++node}` } });
  const push = (count) => observe(page, Array.from({ length: count }, started));
  await watchTraffic(page, server.origin, [{ runId: "live", workflowName: "release", status: "running", startedAtMs: Date.now() }]);
  await page.waitForSelector("[data-run]");
  await page.click("[data-run]");
  await page.waitForSelector("section[data-tone]");
  await showEvents();
  await page.waitForSelector("[data-field=log-empty]:not([hidden])");
  await observe(page, [entry("connect.challenge", { ts: Date.now() })]);
  await push(100);
  await rowCount(100);
  const shows = (node) => page.waitForSelector(`${grid} [data-node="${node}"]`);
  const last = () => shows(`n${node}`);
  await last();
  const scrollUp = async () => {
    await page.$eval(scroller, (element) => (element.scrollTop = 0));
    await shows("n1");
  };
  return { push, last, scrollUp };
}

test("a live log stays at its end until a person scrolls up", async () => {
  const { push, last, scrollUp } = await liveLog();
  await push(20);
  await last();
  await scrollUp();
  await push(7);
  await page.waitForFunction(() => document.querySelector("[data-action=newer]:not([hidden])")?.innerText === "7 newer");
  assert.equal(await page.$eval(scroller, (element) => element.scrollTop), 0, "nothing moves");
  await page.waitForFunction(() => /^\d newer events$/.test(document.querySelector("[role=status]").innerText));
  await page.focus("[data-action=newer]");
  await page.keyboard.press("Enter");
  await last();
  assert.equal(await page.evaluate(() => document.activeElement.role), "grid", "the button has gone");
  await page.waitForSelector("[data-action=newer][hidden]", { hidden: true });
  await push(1);
  await last();
});

test("a live log stays at its end although its element gets higher a moment after its number of rows", async () => {
  const { push, last } = await liveLog();
  const undo = await page.evaluateHandle(() => {
    const { setProperty } = CSSStyleDeclaration.prototype;
    CSSStyleDeclaration.prototype.setProperty = function (name, ...rest) {
      const set = () => setProperty.call(this, name, ...rest);
      if (name === "height") requestAnimationFrame(set);
      else set();
    };
    return () => (CSSStyleDeclaration.prototype.setProperty = setProperty);
  });
  for (const count of [1, 20, 2]) {
    await push(count);
    await last();
  }
  await undo.evaluate((undo) => undo());
});

test("End goes to the end of a live log and stays there, although events arrive meanwhile", async () => {
  const { push, last, scrollUp } = await liveLog();
  await scrollUp();
  await page.focus(grid);
  await Promise.all([push(3), page.keyboard.press("End"), push(3)]);
  await last();
  await push(2);
  await last();
});

test("a live log stays at its end while its pane and its rows change their height", async () => {
  const { push, last } = await liveLog();
  for (const [width, height] of [
    [1100, 400],
    [320, 900],
    [320, 300],
    [1100, 700],
  ]) {
    await Promise.all([page.setViewport({ width, height }), push(1)]);
    await last();
    await push(1);
    await last();
  }
});

test("the detail of a visit of tnh-conductor is opened from one of its events, and gives the focus back", async () => {
  await drop(page, runFiles("gate-rejected-then-fix"));
  await page.waitForFunction(() => window.runstateTest.header()?.runId === "20261121T204127Z");
  await showEvents();
  const row = `${grid} [data-node="validate"]`;
  await page.waitForSelector(row);
  await page.click(row);
  await page.waitForSelector(`${row}[aria-selected=true]`);
  assert.equal(await page.$("[data-pane=node]:not([hidden])"), null, "a click selects");
  await page.focus(grid);
  await page.keyboard.press("Enter");
  const pane = '[data-pane=node][data-node="validate"]:not([hidden])';
  await page.waitForSelector(pane);
  await page.waitForFunction(() => document.activeElement.matches("[data-pane=node] h2"));
  assert.match(await page.$eval(pane, (element) => element.innerText), /1 of 2/);
  await page.keyboard.press("Escape");
  await page.waitForSelector("[data-pane=node][hidden]");
  await page.waitForFunction((selector) => document.activeElement.matches(selector), {}, grid);
  await page.click(row, { count: 2 });
  await page.waitForSelector(pane);
});
