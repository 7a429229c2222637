// The trees of tnh-conductor and lionagi: their rows, the state of their roots, and the detail that they open.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { runFiles } from "../support/captures.mjs";
import { axe } from "../support/a11y.mjs";
import { until } from "../support/browser.mjs";
import { chooseFile, drop } from "../support/panel.mjs";
import { vector } from "../support/paths.mjs";
import { connectScreen } from "../support/stage.mjs";

const { page } = await connectScreen({ viewport: { width: 1280, height: 800 } });

const row = (node) => `[role=treeitem][data-node="${node}"]`;
/** The rows of the tree, each as its title, its level and its state in words. */
const rows = () =>
  page.$$eval("[role=treeitem]", (found) =>
    found.map((element) => [
      element.dataset.node,
      element.getAttribute("aria-level"),
      element.querySelector(".state-cell").innerText.trim(),
    ]),
  );
/** The state that the header names, as word and label. */
const headerState = () => page.$eval("section[data-tone] .pill", (pill) => [pill.dataset.taxonomy, pill.dataset.value]);
const rootState = () => page.$eval("[role=treeitem][aria-level='1'] .state-word", (word) => [word.dataset.taxonomy, word.dataset.value]);

describe("a run of tnh-conductor", () => {
  test("has its steps as a tree, whose root has the state of the header", async () => {
    await drop(page, runFiles("validation-fail-fix-loop"));
    await page.waitForSelector(row("validate"));
    const found = await rows();
    assert.deepEqual(found[0].slice(1), ["1", "Completed"]);
    assert.ok(
      found.slice(1).every(([, level, state]) => level === "2" && state === "Finished"),
      JSON.stringify(found),
    );
    assert.deepEqual(await rootState(), await headerState());
    assert.match(await page.$eval(row("validate"), (element) => element.innerText), /RUN_VALIDATION/);
  });
  test("opens the last visit of a step, and from it the one before", async () => {
    await page.click(row("validate"));
    await page.waitForSelector('[data-pane=node][data-node=validate][data-iteration="1"]:not([hidden])');
    assert.match(await page.$eval("[data-field=iterations]", (field) => field.innerText), /^\s*Visit\s[^]*last 2/);
    const visits = await page.$$eval("[data-action=iteration] option", (options) => options.map((option) => option.textContent));
    assert.deepEqual(visits, ["1 · Failed", "2 · Finished"]);
    await page.select("[data-action=iteration]", "0");
    const pane = '[data-pane=node][data-node=validate][data-iteration="0"][data-state=failed]';
    await page.waitForSelector(pane);
    assert.match(await page.$eval(pane, (element) => element.innerText), /The manifest describes visit 2/);
    assert.equal(await page.$eval(row("validate"), (element) => element.ariaSelected), "true");
  });
  test("has a detail of the whole run", async () => {
    await page.click("[role=treeitem][aria-level='1']");
    await page.waitForFunction(() => document.querySelector("[data-pane=node]").dataset.state === "completed");
    assert.match(await page.$eval("[data-pane=node]", (element) => element.innerText), /Steps visited/);
  });
  test("bubbles the gate that waits to the folded root", async () => {
    await drop(page, runFiles("gate-orphaned"));
    await page.waitForSelector(row("final_review"));
    assert.deepEqual(await rootState(), await headerState());
    await page.focus("[role=tree]");
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowLeft");
    await page.waitForFunction(() => document.querySelectorAll("[role=treeitem]").length === 1);
    assert.match(await page.$eval("[role=treeitem]", (element) => element.textContent), /waiting inside/);
  });
});

describe("a session of lionagi", () => {
  const session = (name) => chooseFile(page, vector(`lionagi/captures/studio/${name}.json`));
  const detail = () => page.$eval("[data-pane=node]", (element) => element.innerText);
  test("has its branches as a tree, whose root has the state of the header", async () => {
    await session("run-completed-ok");
    await page.waitForSelector(row("worker"));
    assert.deepEqual(
      (await rows()).map(([name, level]) => [name, level]),
      [
        ["worker · 328c · 17:44", "1"],
        ["worker", "2"],
      ],
    );
    assert.deepEqual(await rootState(), await headerState());
    await session("run-dead-stale-fresh");
    await page.waitForFunction(() => document.querySelector("[role=treeitem] .state-word")?.dataset.value === "stale running");
    assert.deepEqual(await rootState(), await headerState());
  });
  test("says what it cost, and has its messages with the actions joined to their responses", async () => {
    await session("run-completed-ok");
    await page.waitForSelector(row("worker"));
    await page.click("[role=treeitem][aria-level='1']");
    await page.waitForFunction(() => document.querySelector("[data-pane=node]:not([hidden])")?.innerText.includes("0.42 USD"));
    await page.click(row("worker"));
    await page.waitForFunction(() => document.querySelector("[data-pane=node] h2").textContent === "worker");
    await page.click("[data-tab=messages]");
    await page.waitForSelector(".node-messages li");
    const roles = await page.$$eval(".node-messages > li", (items) => items.map((item) => item.dataset.role));
    assert.deepEqual(roles, Array(3).fill(["user", "action", "assistant"]).flat());
    await page.click(".node-messages [data-role=action] summary");
    await page.waitForFunction(() => document.querySelector("[data-field=message-response]").innerText.includes("def f()"));
    assert.match(await detail(), /read_file/);
    assert.match(await detail(), /Step 1 finished: module 0 inspected/);
    await page.setViewport({ width: 1280, height: 1600 });
    assert.deepEqual((await axe(page)).problems, []);
  });
});

test("a printout has the selected node with its events", async () => {
  await drop(page, runFiles("validation-fail-fix-loop"));
  await page.waitForSelector(row("validate"));
  await page.click(row("validate"));
  await page.waitForSelector("[data-pane=node][data-node=validate]:not([hidden])");
  await page.evaluate(() => (window.print = () => {}));
  await page.keyboard.down("Control");
  await page.keyboard.press("p");
  await page.keyboard.up("Control");
  const printed = ".printout-node[data-node=validate]";
  await until("the node on paper", async () => {
    await page.evaluate(() => void dispatchEvent(new Event("beforeprint")));
    const found = await page.$(`${printed} tr[data-event=step_completed]`);
    if (!found) await page.evaluate(() => void dispatchEvent(new Event("afterprint")));
    return found !== null;
  });
  assert.match(await page.$eval(printed, (element) => element.textContent), /Opcode.*RUN_VALIDATION/);
  await page.evaluate(() => void dispatchEvent(new Event("afterprint")));
});
