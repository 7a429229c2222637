// The lines between panes: pointer and keys move them, and the panel's own pages remember where they are.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { until } from "../support/browser.mjs";
import { manyRuns } from "../support/make.mjs";
import { open, paste } from "../support/panel.mjs";
import { screensOf } from "../support/screens.mjs";
import { stage } from "../support/stage.mjs";

const { server, newPage } = await stage({ viewport: { width: 1280, height: 800 } });
const { page } = await newPage();
const { screens } = screensOf(page, server.origin);

const showNode = screens["a node of a failed run"];
async function showRuns() {
  await open(page, `${server.origin}/#connect`);
  await paste(page, JSON.stringify(manyRuns(20)));
  await page.waitForSelector("[data-run]");
  await page.click("[data-run]");
  await page.waitForSelector('[data-splitter="runs"]', { visible: true });
}

const box = (pane) => page.$eval(`[data-pane="${pane}"]`, (element) => element.getBoundingClientRect().toJSON());
const width = async (pane) => (await box(pane)).width;
const isClose = (seen, expected, what) => assert.ok(Math.abs(seen - expected) < 8, `${what}: ${seen} px, expected ${expected}`);
const valueNow = (pane) => page.$eval(`[data-splitter="${pane}"]`, (line) => Number(line.ariaValueNow));
/** The pane's share of the space for both panes, as a person sees it, in percent. */
const share = (pane) =>
  page.$eval(`[data-pane="${pane}"]`, (element) =>
    Math.round((100 * element.getBoundingClientRect().width) / element.parentElement.getBoundingClientRect().width),
  );
/** Waits until the line says the width on screen. */
const saysShare = (pane) => until("the width on screen is said", async () => (await valueNow(pane)) === (await share(pane)));

async function drag(pane, by) {
  const { x, y, width, height } = await page.$eval(`[data-splitter="${pane}"]`, (line) => line.getBoundingClientRect().toJSON());
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + width / 2 + by / 2, y + height / 2);
  await page.mouse.move(x + width / 2 + by, y + height / 2);
  await page.mouse.up();
}
async function press(pane, ...keys) {
  await page.focus(`[data-splitter="${pane}"]`);
  for (const key of keys) await page.keyboard.press(key);
}

for (const [pane, show, direction] of [
  ["runs", showRuns, 1],
  ["node", showNode, -1],
]) {
  describe(`the line at the pane “${pane}”`, () => {
    test("the pointer moves it, it stays where it is put, and a double-click restores the width", async () => {
      await show();
      const before = await width(pane);
      await drag(pane, 80 * direction);
      isClose(await width(pane), before + 80, "after the drag");
      await page.mouse.move(640, 20);
      isClose(await width(pane), before + 80, "after the pointer has left the line");
      await show();
      isClose(await width(pane), before + 80, "at the next visit");
      await page.click(`[data-splitter="${pane}"]`, { count: 2 });
      isClose(await width(pane), before, "restored");
      await show();
      isClose(await width(pane), before, "restored, at the next visit");
    });
    test("the arrow keys move it within its limits, and Enter restores the width", async () => {
      await show();
      const before = await width(pane);
      await saysShare(pane);
      const value = await valueNow(pane);
      await press(pane, direction > 0 ? "ArrowRight" : "ArrowLeft");
      await saysShare(pane);
      assert.equal(await valueNow(pane), value + 2);
      assert.ok((await width(pane)) > before);
      await press(pane, direction > 0 ? "ArrowLeft" : "ArrowRight");
      await saysShare(pane);
      assert.equal(await valueNow(pane), value);
      const [least, most] = await page.$eval(`[data-splitter="${pane}"]`, (line) => [line.ariaValueMin, line.ariaValueMax].map(Number));
      for (const key of ["End", "Home"]) {
        await press(pane, key, "ArrowUp");
        await saysShare(pane);
        const now = await valueNow(pane);
        // No pane is narrower than its text: the list of runs stops before its least share.
        assert.ok(key === "End" ? now === most : now >= least && now < value, `${key}: ${now} %`);
        const { left, right, width } = await box(pane);
        assert.ok(width > 150 && left >= 0 && right <= 1280, `${key}: ${left} to ${right}`);
      }
      await press(pane, "Enter");
      isClose(await width(pane), before, "restored");
      await saysShare(pane);
    });
    test("it names the pane that it sizes", async () => {
      await show();
      const controls = await page.$eval(`[data-splitter="${pane}"]`, (line) => line.getAttribute("aria-controls"));
      assert.equal(await page.$eval(`#${controls}`, (element) => element.dataset.pane), pane);
    });
  });
}

test("a width of a wide panel leaves both panes readable in a narrower one, and no line is on screen where panes are below each other", async () => {
  await showNode();
  await press("node", "End");
  for (const width of [1280, 900, 780]) {
    await page.setViewport({ width, height: 800 });
    const [tree, node] = [await box("tree"), await box("node")];
    assert.ok(tree.width > 0.2 * width && node.right <= width, `${width} px: tree ${tree.width}, node ends at ${node.right}`);
    await saysShare("node");
  }
  for (const width of [760, 480, 320]) {
    await page.setViewport({ width, height: 800 });
    const [tree, node] = [await box("tree"), await box("node")];
    const seen = JSON.stringify({ width, tree, node });
    assert.ok(node.top >= tree.bottom - 1 && Math.abs(node.width - tree.width) < 2, seen);
    assert.equal(await page.$eval('[data-splitter="node"]', (line) => getComputedStyle(line).display), "none");
  }
  await page.setViewport({ width: 1280, height: 800 });
  await press("node", "Home");
  // Limited by the style sheet in a narrower panel.
  await page.setViewport({ width: 780, height: 800 });
  await until("the node is wider than chosen", async () => (await share("node")) > 30);
  await saysShare("node");
  await page.setViewport({ width: 1280, height: 800 });
  await press("node", "Enter");
});

test("no line is on screen when the detail is closed", async () => {
  await showNode();
  await page.click('[data-pane="node"] .node-head > button');
  await until("no line", () => page.$eval('[data-splitter="node"]', (line) => getComputedStyle(line).display === "none"));
});

test("a kept width that is none counts as no width", async () => {
  await showNode();
  const before = await width("node");
  for (const kept of ["wide", "-3", "9000", "NaN", "", "38%; color: red"]) {
    await page.evaluate((kept) => localStorage.setItem("runstate-node-width", kept), kept);
    await showNode();
    assert.equal(await width("node"), before, kept);
  }
});
