// The detail of the selected node: opened by mouse, keyboard and link, beside or below the tree, and closed again.
import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import { group, snapshot, task } from "../support/make.mjs";
import { drop, paste } from "../support/panel.mjs";
import { gate, screensOf } from "../support/screens.mjs";
import { stage } from "../support/stage.mjs";

const { server, newPage } = await stage({ viewport: { width: 1280, height: 800 } });
const { page } = await newPage();
const { screens, pasted } = screensOf(page, server.origin);

const shown = (node) => page.waitForSelector(`[data-pane=node][data-node="${node}"]:not([hidden])`);
const hidden = () => page.waitForSelector("[data-pane=node][hidden]");
const row = (node) => `[role=treeitem][data-node="${node}"]`;
const pane = () =>
  page.$eval("[data-pane=node]", (element) => ({
    ...element.dataset,
    title: element.querySelector("h2").textContent,
    pill: element.querySelector("[data-taxonomy]")?.dataset.value,
    missing: [...element.querySelectorAll("[data-field=missing] li")].map((sentence) => sentence.textContent),
    text: element.innerText,
  }));
const focused = () => page.evaluate(() => document.activeElement.closest("[data-pane]")?.dataset.pane);
const box = (selector) => page.$eval(selector, (element) => element.getBoundingClientRect().toJSON());

describe("a node", () => {
  beforeEach(async () => {
    await page.setViewport({ width: 1280, height: 800 });
    await pasted(JSON.stringify(gate));
    await page.waitForSelector(row("gate"));
  });
  test("is opened by a click, with the state of its row, and closed by its button", async () => {
    await page.click(row("gate"));
    await shown("gate");
    const seen = await pane();
    assert.deepEqual([seen.title, seen.state, seen.pill, seen.iteration], ["gate", "waiting-approval", "waiting-approval", "0"]);
    assert.equal(seen.state, await page.$eval(row("gate"), (element) => element.dataset.state));
    assert.deepEqual(seen.missing, ["The question: not in this document. Open the output of smithers events RUN_ID --json with it."]);
    await page.click('[data-action="close-node"]');
    await hidden();
    assert.equal(await focused(), "tree");
    assert.equal(await page.$eval(row("gate"), (element) => element.ariaSelected), "true", "it stays selected");
  });
  test("is opened by Enter, follows the arrow keys of the tree, and is closed by Escape", async () => {
    await page.focus("[role=tree]");
    await page.waitForSelector("[role=tree][aria-activedescendant]");
    for (const key of ["End", "ArrowUp"]) await page.keyboard.press(key);
    await page.waitForSelector(`${row("gate")}[aria-selected=true]`);
    assert.equal(await page.$("[data-pane=node]:not([hidden])"), null, "moving in the tree opens nothing");
    await page.keyboard.press("Enter");
    await shown("gate");
    await page.waitForFunction(() => document.activeElement.matches("[data-pane=node] h2"));
    await page.keyboard.press("Escape");
    await hidden();
    assert.equal(await focused(), "tree");
    await page.click(row("prepare"));
    await shown("prepare");
    await page.keyboard.press("ArrowDown");
    await shown("gate");
    assert.equal(await focused(), "tree", "the focus stays in the tree");
    await page.keyboard.press("Escape");
    await hidden();
  });
  test("is opened by the link in the sentence", async () => {
    await page.click("section[data-tone] a[data-node=gate]");
    await shown("gate");
  });
  test("is as the next document has it, or said to be gone", async () => {
    await page.click(row("gate"));
    await shown("gate");
    await paste(page, JSON.stringify(snapshot("another", [group(2, "sequence", 1, [task(3, "prepare", 2)])])));
    await hidden();
    await page.click(row("prepare"));
    await shown("prepare");
    assert.deepEqual(
      (await pane()).missing,
      ["Start", "End"].map((part) => `${part}: not in this document. Open the output of smithers events RUN_ID --json with it.`),
    );
  });
});

test("a failed node has its whole error and its properties", async () => {
  await page.setViewport({ width: 1280, height: 800 });
  await screens["a node of a failed run"]();
  const seen = await pane();
  assert.deepEqual([seen.state, seen.missing.length], ["failed", 0]);
  assert.match(seen.text, /disk is full: cannot write/);
  assert.match(seen.text, /noRetry\s+true/);
});

describe("a node with two attempts in a document", () => {
  beforeEach(async () => {
    await page.setViewport({ width: 1280, height: 800 });
    await screens["the attempts at a node"]();
  });
  const value = (path) => page.$eval(`[data-pane=node] [data-path='${path}'] .value-text`, (text) => text.textContent);
  const toggle = async (path, below) => {
    await page.click(`[data-pane=node] [data-path='${path}']`);
    await page.waitForSelector(`[data-pane=node] [data-path='${below}']`);
  };

  test("has them side by side, and a failure that a retry recorded as cancelled is a failure", async () => {
    const columns = await page.$$eval("[data-pane=node] li[data-attempt]", (cards) =>
      cards.map(({ dataset, firstElementChild }) => [dataset.attempt, dataset.state, firstElementChild.innerText.replace(/\s+/g, " ")]),
    );
    assert.deepEqual(columns, [
      ["1", "failed", "Attempt 1 Failed recorded as cancelled by a retry"],
      ["2", "finished", "Attempt 2 Finished"],
    ]);
    const facts = await page.$$eval("[data-pane=node] li[data-attempt] dl", (lists) =>
      lists.map((list) => list.innerText.split(/\s*\n\s*/)),
    );
    assert.deepEqual(
      facts.map((lines) => [lines[lines.indexOf("Took") + 1], lines[lines.indexOf("Waited before") + 1]]),
      [
        ["500 ms", "–"],
        ["500 ms", "1.5 s"],
      ],
    );
    const [first, second] = await page.$$eval("[data-pane=node] li[data-attempt]", (cards) =>
      cards.map((card) => card.getBoundingClientRect().toJSON()),
    );
    assert.equal(first.top, second.top);
    await page.setViewport({ width: 320, height: 800 });
    const stacked = await page.$$eval("[data-pane=node] li[data-attempt]", (cards) =>
      cards.map((card) => card.getBoundingClientRect().toJSON()),
    );
    assert.ok(stacked[1].top >= stacked[0].bottom && stacked[1].left === stacked[0].left, "one below the other");
    assert.ok(await page.$eval("[data-pane=node] .node-body", (body) => body.scrollWidth <= body.clientWidth), "nothing scrolls sideways");
    const error = await page.$eval("[data-field=attempt-error] pre", (text) => text.textContent);
    assert.match(error, /^Error: locked\n {4}at run .*\n✖ <img src=x onerror=alert\(1\)>$/);
    assert.equal(await page.$eval("[data-pane=node] .ansi-1", (sign) => sign.textContent), "✖");
    assert.equal(await page.$("[data-pane=node] img"), null);
  });
  test("says that its output is not there, and that another node has no attempts here", async () => {
    const lacking = () =>
      page.$$eval("[data-pane=node] [data-field=missing]:not([hidden]) li", (items) => items.map((item) => item.textContent));
    await page.click("[data-tab=output]");
    await page.waitForSelector("[data-tab=output][aria-selected=true]");
    assert.deepEqual(await lacking(), ["Output: read only from a Gateway. Connect to the Gateway of this run to see it."]);
    await page.click(row("other"));
    await shown("other");
    assert.equal(
      (await pane()).text.includes("Output: read only from a Gateway. Connect to the Gateway of this run to see it."),
      true,
      "the part stays",
    );
    await page.click("[data-tab=attempts]");
    await page.waitForSelector("[data-tab=attempts][aria-selected=true]");
    assert.deepEqual(await lacking(), ["Attempts: not in this document. Open the output of smithers events RUN_ID --json with it."]);
    await page.click(row("sequence"));
    await page.waitForSelector("[data-pane=node]:not([hidden]) [data-tab=summary][aria-selected=true]");
    assert.equal(await page.$("[data-pane=node] [data-tab=attempts]"), null, "a group is never attempted");
  });
  test("is shown as JSON, opened by mouse and keyboard, and copied without its secrets", async () => {
    await page.click("[data-tab=raw]");
    await page.waitForSelector("[data-pane=node] [data-path='$.node']");
    await toggle("$.node", "$.node.props");
    await toggle("$.node.props", "$.node.props.half");
    assert.equal(await value("$.node.props.half"), '"\\ud800"');
    await toggle("$.node.props.env", "$.node.props.env.API_TOKEN");
    assert.equal(await value("$.node.props.env.API_TOKEN"), '"sesame-open-4711"', "on screen it is as it is");
    await page.click("[data-pane=node] [data-path='$.node.props.list']");
    await page.waitForSelector("[data-pane=node] [data-kind=range]");
    assert.deepEqual(
      await page.$$eval("[data-pane=node] [data-kind=range] .value-name", (names) => names.map((name) => name.textContent)),
      ["[0 … 999]", "[1000 … 1199]"],
    );
    await page.focus("[data-pane=node] [role=tree]");
    await page.keyboard.press("ArrowLeft");
    await page.waitForFunction(() => !document.querySelector("[data-pane=node] [data-kind=range]"));
    await page.evaluate(() => {
      self.texts = [];
      navigator.clipboard.writeText = async (text) => void self.texts.push(text);
    });
    const copies = async (name) => {
      const before = await page.evaluate(() => self.texts.length);
      await page.click(`[data-pane=node] [data-action=copy-${name}]`);
      await page.waitForFunction((count) => self.texts.length > count, {}, before);
      return page.evaluate(() => self.texts.at(-1));
    };
    assert.equal(await copies("path"), "$.node.props.list");
    await page.click("[data-pane=node] [data-path='$.node.props.half']");
    await page.waitForSelector("[data-pane=node] [data-path='$.node.props.half'][aria-selected=true]");
    assert.equal(await copies("path"), "$.node.props.half");
    const whole = await copies("whole");
    assert.ok(whole.includes('"API_TOKEN":"[redacted]"') && !whole.includes("sesame"), whole.slice(0, 300));
    assert.ok(whole.includes('"half":"\\ud800"'), "the rest is as it was written");
  });
});

test("a value of many levels has a number in place of the indents that do not fit", async () => {
  const props = `{"id":"t","x":${"[".repeat(20)}1${"]".repeat(20)}}`;
  await pasted(JSON.stringify(snapshot("levels", [task(3, "t", 1)])).replace('{"id":"t"}', props));
  await page.click(row("t"));
  await shown("t");
  await page.click("[data-tab=raw]");
  for (let path = "$.node", level = 0; level < 22; level++) {
    const place = `[data-pane=node] [data-path='${path}']`;
    await page.waitForSelector(place);
    await page.$eval(place, (element) => element.click());
    await page.waitForSelector(`${place}[aria-expanded=true]`);
    path = level === 0 ? "$.node.props" : level === 1 ? "$.node.props.x" : `${path}[0]`;
  }
  const levels = await page.$$eval("[data-pane=node] .value-row", (rows) =>
    rows.map((element) => [element.getAttribute("aria-level"), element.querySelector(".depth")?.textContent]),
  );
  assert.ok(
    levels.length > 15 && levels.every(([level, depth]) => (level > 13 ? depth === String(level - 1) : !depth)),
    JSON.stringify(levels),
  );
});

describe("the place of the pane", () => {
  for (const [name, width, height, beside] of [
    ["wide", 1280, 800, true],
    ["a bottom dock", 1100, 360, true],
    ["a right dock", 480, 800, false],
    ["320 px", 320, 720, false],
  ]) {
    test(`${name}: ${beside ? "beside" : "below"} the tree, and nothing goes out sideways`, async () => {
      await page.setViewport({ width, height });
      await screens["a node of a failed run"]();
      const [tree, node] = [await box("[data-pane=tree]"), await box("[data-pane=node]")];
      if (beside) assert.ok(node.left >= tree.right - 1 && Math.abs(node.top - tree.top) < 1, JSON.stringify({ tree, node }));
      else assert.ok(node.top >= tree.bottom - 1 && Math.abs(node.left - tree.left) < 1, JSON.stringify({ tree, node }));
      assert.ok(tree.width >= 280 && node.width >= 280, JSON.stringify({ tree, node }));
      const sideways = await page.$$eval(
        ".panel, [data-pane=node], [data-pane=node] *",
        (elements) =>
          elements.filter((element) => element.checkVisibility() && element.getBoundingClientRect().right > innerWidth + 1).length,
      );
      assert.equal(sideways, 0);
    });
  }
});

describe("a node in a loop with its log", () => {
  const at = Date.UTC(2026, 10, 21, 21);
  const event = (type, iteration, second, more = {}) =>
    JSON.stringify({ type, runId: "looped", nodeId: "build", iteration, attempt: 1, timestampMs: at + 1000 * second, ...more });
  const log = [
    event("NodeStarted", 0, 0),
    event("NodeFailed", 0, 1, { error: { message: "disk is full" } }),
    event("NodeStarted", 1, 2),
    event("ToolCallStarted", 1, 3, { toolName: "bash", seq: 1 }),
    event("ToolCallFinished", 1, 4, { toolName: "bash", seq: 1, status: "success" }),
  ].join("\n");
  const row0 = { nodeId: "build", iteration: 0, state: "failed", lastAttempt: 1, startedAtMs: at, finishedAtMs: at + 1000 };
  const row1 = { nodeId: "build", iteration: 1, state: "in-progress", lastAttempt: 1, startedAtMs: at + 2000 };
  const build = task(3, "build", 2, { kind: "agent", iteration: 1, state: "in-progress" });
  beforeEach(async () => {
    await page.setViewport({ width: 1280, height: 800 });
    await pasted(JSON.stringify(gate));
    await drop(page, [
      { name: "snapshot.json", text: JSON.stringify(snapshot("looped", [group(2, "sequence", 1, [build])])) },
      { name: "states.json", text: JSON.stringify({ type: "res", id: "1", ok: true, payload: [row0, row1] }) },
      { name: "stream.ndjson", text: `${log}\n` },
    ]);
    await page.waitForSelector(row("build"));
    await page.click(row("build"));
    await shown("build");
  });
  test("lists its iterations with their states, and goes to one", async () => {
    const options = await page.$$eval("[data-action=iteration] option", (list) => list.map((option) => option.textContent));
    assert.deepEqual(options, ["0 · Failed", "1 · In progress"]);
    await page.select("[data-action=iteration]", "0");
    await page.waitForSelector('[data-pane=node][data-iteration="0"][data-state=failed]');
    assert.equal(await page.$eval("[data-action=iteration]", (list) => list.value), "0");
  });
  test("has its calls, each with its end and its length", async () => {
    const words = () => page.$eval("[data-pane=node] .node-body", (body) => body.innerText.replaceAll(/\s+/g, " ").trim());
    await page.click("[data-tab=calls]");
    await page.waitForSelector("[data-pane=node] [data-call=bash]");
    assert.match(await words(), /^bash Succeeded 1\.0 s attempt 1 /);
    await page.click("[data-tab=summary]");
    await page.waitForSelector("[data-action=iteration]");
    await page.select("[data-action=iteration]", "0");
    await page.waitForSelector('[data-pane=node][data-iteration="0"]');
    await page.click("[data-tab=calls]");
    await page.waitForFunction(() => document.querySelector("[data-pane=node] .node-body").innerText.includes("No tool call"));
    assert.equal(await page.$("[data-call]"), null);
  });
  test("has the events of the iteration", async () => {
    const events = () => page.$$eval("[data-field=node-events] li", (rows) => rows.map((event) => event.dataset.event));
    await page.click("[data-tab=events]");
    await page.waitForSelector("[data-pane=node] [data-field=node-events]");
    assert.deepEqual(await events(), ["NodeStarted", "ToolCallStarted", "ToolCallFinished"]);
    await page.click("[data-tab=summary]");
    await page.waitForSelector("[data-action=iteration]");
    await page.select("[data-action=iteration]", "0");
    await page.waitForSelector('[data-pane=node][data-iteration="0"]');
    await page.click("[data-tab=events]");
    const failed = await page.waitForSelector("[data-field=node-events] [data-event=NodeFailed]");
    assert.match(await failed.evaluate((event) => event.innerText), /disk is full/);
    assert.deepEqual(await events(), ["NodeStarted", "NodeFailed"]);
  });
  test("F6 goes from pane to pane, and the list of keys has it", async () => {
    const press = async (shift, expected) => {
      if (shift) await page.keyboard.down("Shift");
      await page.keyboard.press("F6");
      if (shift) await page.keyboard.up("Shift");
      assert.equal(await focused(), expected);
    };
    await page.focus("[role=tree]");
    await press(false, "node");
    await press(false, "tree");
    await press(true, "node");
    await page.keyboard.press("?");
    await page.waitForSelector("dialog.keys[open]");
    assert.match(await page.$eval("dialog.keys", (dialog) => dialog.innerText), /F6\s+Go to the next pane/);
    await page.keyboard.press("Escape");
  });
});
