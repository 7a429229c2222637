// The search and the filters of the tree: what they find, what they leave, and the way back.
import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import { axe, prefer } from "../support/a11y.mjs";
import { group, snapshot, task, wide } from "../support/make.mjs";
import { paste } from "../support/panel.mjs";
import { connectScreen } from "../support/stage.mjs";

const { page } = await connectScreen({ viewport: { width: 1280, height: 800 } });

const release = (runId, more = {}) =>
  snapshot(runId, [
    group(2, "sequence", 1, [
      task(3, "compile", 2, { state: "failed", attempt: 2, maxAttempts: 3, kind: "agent" }),
      task(4, "check-types", 2, { state: "in-progress", ...more }),
    ]),
    group(5, "sequence", 1, [
      { ...task(6, "gate", 2, { state: "waiting-approval" }), type: "approval" },
      task(7, "verify", 2, { label: "Check the result", state: "pending" }),
    ]),
  ]);

const field = "input[name=search-nodes]";
/** The names of the rows; those that are not dimmed in capitals. */
const rows = () =>
  page.$$eval("[role=treeitem]", (found) =>
    found.map((row) => ("dimmed" in row.dataset ? row.dataset.node : row.dataset.node.toUpperCase())).join(" "),
  );
const ALL = "MADE SEQUENCE COMPILE CHECK-TYPES SEQUENCE GATE VERIFY";
const rowsAre = async (expected) => {
  await page
    .waitForFunction(
      (wanted) =>
        [...document.querySelectorAll("[role=treeitem]")]
          .map((row) => ("dimmed" in row.dataset ? row.dataset.node : row.dataset.node.toUpperCase()))
          .join(" ") === wanted,
      {},
      expected,
    )
    .catch(() => {});
  assert.equal(await rows(), expected);
};
const fieldIs = async (name, expected) => {
  await page
    .waitForFunction(
      (data, wanted) => {
        const element = document.querySelector(`[data-field=${data}]`);
        return (element?.checkVisibility() ? element.textContent.trim() : "") === wanted;
      },
      {},
      name,
      expected,
    )
    .catch(() => {});
  const found = await page.$eval(`[data-field=${name}]`, (element) => (element.checkVisibility() ? element.textContent.trim() : ""));
  assert.equal(found, expected);
};
const selected = () => page.$eval("[role=treeitem][aria-selected=true]", (row) => row.dataset.node);
const clear = async () => {
  await page.focus(field);
  await page.keyboard.press("Escape");
};

let run = 0;
beforeEach(async () => {
  await paste(page, JSON.stringify(release(`release-${++run}`)));
  await rowsAre(ALL);
});

describe("a search of the tree", () => {
  test("dims what it does not find, counts, marks and goes from hit to hit", async () => {
    await page.focus("[role=tree]");
    await page.keyboard.press("/");
    assert.equal(await page.evaluate(() => document.activeElement.name), "search-nodes");
    await page.keyboard.type("check");
    await rowsAre("made sequence compile CHECK-TYPES sequence gate VERIFY");
    await fieldIs("tree-hits", "2 found");
    assert.deepEqual(await page.$$eval("[role=treeitem] mark", (marks) => marks.map((mark) => mark.textContent)), ["check", "Check"]);
    for (const [key, node, count] of [
      ["Enter", "check-types", "1 of 2"],
      ["Enter", "verify", "2 of 2"],
      ["Enter", "check-types", "1 of 2"],
    ]) {
      await page.keyboard.press(key);
      await fieldIs("tree-hits", count);
      assert.equal(await selected(), node);
    }
    await page.keyboard.down("Shift");
    await page.keyboard.press("Enter");
    await page.keyboard.up("Shift");
    await fieldIs("tree-hits", "2 of 2");
    await page.click("[data-action=next-hit]");
    await fieldIs("tree-hits", "1 of 2");
    await page.click("[data-action=previous-hit]");
    await fieldIs("tree-hits", "2 of 2");
    await page.focus(field);
    await page.keyboard.press("ArrowDown");
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute("role")), "tree");
    await clear();
    await rowsAre(ALL);
    assert.equal(await page.$eval(field, (input) => input.value), "");
  });

  test("that finds nothing dims nothing and says so, aloud too", async () => {
    await page.type(field, "nowhere");
    await fieldIs("tree-hits", "none found");
    await rowsAre(ALL);
    await page.waitForFunction(() =>
      document.querySelector(".visually-hidden[role=status]").textContent.includes("Search: 0 nodes found."),
    );
    assert.equal(await page.$("[data-action=next-hit]").then((button) => button.isVisible()), false);
  });

  test("opens what is folded above a hit, and folds it again", async () => {
    await page.click("[role=treeitem][aria-level='2'] .disclosure");
    await rowsAre("MADE SEQUENCE SEQUENCE GATE VERIFY");
    await page.type(field, "types");
    await rowsAre("made sequence compile CHECK-TYPES sequence gate verify");
    await clear();
    await rowsAre("MADE SEQUENCE SEQUENCE GATE VERIFY");
    await page.type(field, "types");
    await page.keyboard.press("Enter");
    await fieldIs("tree-hits", "1 of 1");
    await clear();
    await rowsAre(ALL);
    assert.equal(await selected(), "check-types", "a hit that a person went to stays on screen");
  });

  test("of one run is not one of the next", async () => {
    await page.type(field, "check");
    await fieldIs("tree-hits", "2 found");
    await paste(page, JSON.stringify(release("another")));
    await rowsAre(ALL);
    assert.equal(await page.$eval(field, (input) => input.value), "");
  });

  test("brings a hit into sight while a person types, and does not move the rows again", async () => {
    await paste(page, JSON.stringify(wide("long", 2_000)));
    await fieldIs("tree-hits", "");
    await page.type(field, "task-1999");
    const isInSight = () =>
      page.waitForFunction(() => {
        const [row, area] = ['[data-node="task-1999"]', ".tree-pane .scroll"].map((part) => document.querySelector(part));
        const [inner, outer] = [row, area].map((element) => element?.getBoundingClientRect());
        return row && inner.top >= outer.top && inner.bottom <= outer.bottom;
      });
    await isInSight();
    assert.equal(await page.$("[role=treeitem][aria-selected=true]"), null, "the search selects nothing");
    await page.$eval(".tree-pane .scroll", (area) => (area.scrollTop = 0));
    await page.waitForSelector('[role=treeitem][aria-level="1"]');
    await page.type(field, " ");
    await page.keyboard.press("Enter");
    await isInSight();
    assert.equal(await selected(), "task-1999");
  });

  test("does not lose letters that are typed while the worker answers", async () => {
    await paste(page, JSON.stringify(wide("large", 20_000)));
    await page.type(field, "task-1999", { delay: 0 });
    await fieldIs("tree-hits", "11 found");
    assert.equal(await page.$eval(field, (input) => input.value), "task-1999");
  });
});

test("a click that opens a detail moves no row of the tree up or down", async () => {
  const top = () => page.$eval("[role=treeitem][data-node=compile]", (row) => row.getBoundingClientRect().top);
  for (const width of [480, 640, 768, 900, 1023, 1280, 1500]) {
    await page.setViewport({ width, height: 800 });
    await paste(page, JSON.stringify(release(`wide-${width}`)));
    await rowsAre(ALL);
    const close = await page.$("[data-pane=node]:not([hidden]) [data-action=close-node]");
    await close?.click();
    await page.waitForFunction(() => !document.querySelector("[data-pane=node]")?.checkVisibility());
    const before = await top();
    await page.click("[role=treeitem][data-node=compile]");
    await page.waitForSelector("[data-pane=node][data-node=compile]:not([hidden])");
    assert.equal(await top(), before, `${width} px`);
  }
  await page.setViewport({ width: 1280, height: 800 });
});

describe("the filters of the tree", () => {
  const chip = (name) => `[data-node-state=${name}]`;
  const chips = () => page.$$eval("[data-node-state]", (found) => found.map((button) => button.textContent.trim()));

  test("show only the nodes that pass, and those above them", async () => {
    assert.deepEqual(await chips(), ["Failed 1", "Waits for you 1", "Retried 1", "Running 1"]);
    await page.click(chip("failed"));
    await rowsAre("made sequence COMPILE");
    await fieldIs("tree-count", "1 of 7 nodes");
    await page.click(chip("waits-for-you"));
    await rowsAre("made sequence COMPILE sequence GATE");
    await page.click(chip("failed"));
    await rowsAre("made sequence GATE");
    await page.click(chip("waits-for-you"));
    await rowsAre(ALL);
    await fieldIs("tree-count", "7 nodes");
  });

  test("keep the selection, and its detail, although they leave it out", async () => {
    await page.click("[role=treeitem][data-node=gate]");
    await page.waitForSelector("[data-pane=node][data-node=gate]");
    await page.click(chip("failed"));
    await rowsAre("made sequence COMPILE");
    assert.equal(await page.$eval("[data-pane=node]", (pane) => pane.dataset.node), "gate");
    await page.click(chip("failed"));
    await rowsAre(ALL);
    assert.equal(await selected(), "gate");
  });

  test("are one tab stop", async () => {
    await page.focus(chip("failed"));
    await page.keyboard.press("ArrowRight");
    assert.equal(await page.evaluate(() => document.activeElement.dataset.nodeState), "waits-for-you");
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute("role")), "tree");
  });
});

test("search and filters have no accessibility problems, wide and narrow, in light, dark and forced colours", async () => {
  await page.type(field, "check");
  await page.click("[data-node-state=running]");
  for (const width of [1280, 320]) {
    await page.setViewport({ width, height: 800 });
    for (const colours of [{ scheme: "light" }, { scheme: "dark" }, { forced: true }]) {
      const undo = await prefer(page, colours);
      assert.deepEqual((await axe(page)).problems, [], `${width} px, ${JSON.stringify(colours)}`);
      await undo();
    }
  }
});
