// The keyboard: every stop is reached and seen, the toolbar and the tree follow their patterns, the focus is never lost.
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { installMeasure } from "../support/a11y.mjs";
import { focusPage, until } from "../support/browser.mjs";
import { text } from "../support/captures.mjs";
import { view } from "../support/make.mjs";
import { gate, screensOf } from "../support/screens.mjs";
import { stage } from "../support/stage.mjs";

const { server, newPage } = await stage({ viewport: { width: 1280, height: 800 } });
const { page } = await newPage();
await installMeasure(page);
const { screens, visit, pasted } = screensOf(page, server.origin);

// Walks with Tab until the focus comes round, at most `limit` stops.
async function walk(key, limit) {
  const seen = [];
  for (let i = 0; i < limit; i++) {
    if (key === "back") {
      await page.keyboard.down("Shift");
      await page.keyboard.press("Tab");
      await page.keyboard.up("Shift");
    } else await page.keyboard.press("Tab");
    // A tree that receives the focus first selects a row.
    await page.waitForFunction(
      () => document.activeElement.role !== "tree" || document.getElementById(document.activeElement.getAttribute("aria-activedescendant")),
    );
    const focus = await page.evaluate(() => window.runstateMeasure.focus());
    if (!focus || seen.some(({ name, index }) => name === focus.name && index === focus.index)) break;
    seen.push(focus);
  }
  return seen;
}
// The controls of a toolbar become one stop after they have appeared, so the stops are read until they no longer change.
async function settledStops() {
  const read = () => page.evaluate(() => window.runstateMeasure.stops());
  let [before, stops] = [[], []];
  await until("stops that stay", async () => {
    [before, stops] = [stops, await read()];
    return before.length > 0 && before.join("\n") === stops.join("\n");
  });
  return stops;
}
const rings = (among = "button, a[href], summary, input, h1, h2, [tabindex]") =>
  page.$$eval(
    among,
    (elements) =>
      elements.filter(
        (element) => getComputedStyle(element).outlineStyle !== "none" && parseFloat(getComputedStyle(element).outlineWidth) > 0,
      ).length,
  );
for (const name of [
  "the connect screen",
  "the example run",
  "a run that waits",
  "evidence open",
  "a node of a failed run",
  "the attempts at a node",
  "the calls of an agent",
  "everything about a node",
  "a search of the tree",
  "the events of a run",
  "a refusal",
  "an error above a run",
  "a list of runs",
  "traffic of a page without runs",
  "the runs of a page's traffic",
  "the runs of two systems",
  "an exported run from disk",
]) {
  test(`every stop of ${name} is reached in reading order, is seen, and can be left`, async () => {
    await screens[name]();
    const expected = await settledStops();
    assert.ok(expected.length >= 2, `${expected.length} stops`);
    // Tab starts where the focus was last: put that at the top of the page.
    await page.evaluate(() => {
      document.body.tabIndex = -1;
      document.body.focus();
      document.body.removeAttribute("tabindex");
    });
    const forth = await walk("forth", expected.length + 3);
    assert.deepEqual(forth.map(({ name: stop }) => stop).slice(0, expected.length), expected);
    for (const stop of forth) {
      assert.ok(stop.ring.width >= 1.5, `focus ring of ${stop.name}: ${JSON.stringify(stop.ring)}`);
      assert.ok(stop.ring.ratio >= 3, `contrast of the ring of ${stop.name}: ${stop.ring.ratio}`);
      assert.ok(stop.inView && !stop.covered, `${stop.name} is in sight: ${JSON.stringify(stop)}`);
    }
    await focusPage(page);
    const back = await walk("back", expected.length + 3);
    assert.ok(back.length >= expected.length - 1, `back: ${back.map(({ name: stop }) => stop).join(", ")}`);
  });
}
test("nothing shows a focus ring before the keyboard is used", async () => {
  await visit();
  assert.equal(await rings(), 0);
});
test("a heading that receives the focus from the page shows no ring", async () => {
  await visit();
  await page.focus('button[data-action="open"]');
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.activeElement.matches('[data-screen="connect"] h2'));
  assert.equal(await rings("h1, h2"), 0);
  await page.focus('button[data-action="close"]');
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.activeElement.matches("section[data-tone] h1"));
  assert.equal(await rings("h1, h2"), 0);
});

describe("toolbar", () => {
  const bar = () =>
    page.$$eval(".toolbar button", (buttons) => ({
      stops: buttons.filter(({ tabIndex }) => tabIndex === 0).map(({ dataset }) => dataset.action),
      actions: buttons.map(({ dataset }) => dataset.action),
      active: document.activeElement.closest(".toolbar") ? document.activeElement.dataset.action : undefined,
    }));
  const press = async (key) => {
    await page.keyboard.press(key);
    return (await bar()).active;
  };
  for (const name of ["the example run", "a list of runs"]) {
    test(`${name}: one stop, arrow keys between the buttons`, async () => {
      await screens[name]();
      const { stops, actions } = await bar();
      assert.ok(actions.length >= 3, actions.join());
      assert.equal(stops.length, 1, stops.join());
      await page.focus(`.toolbar [data-action="${stops[0]}"]`);
      assert.equal(await press("Home"), actions[0]);
      for (const action of actions.slice(1)) assert.equal(await press("ArrowRight"), action);
      for (const action of actions.slice(0, -1).reverse()) assert.equal(await press("ArrowLeft"), action);
      assert.equal(await press("End"), actions.at(-1));
      assert.deepEqual((await bar()).stops, [actions.at(-1)], "the stop moves with the focus");
      assert.equal(await press("Tab"), undefined, "Tab leaves the toolbar");
      await page.keyboard.down("Shift");
      assert.equal(await press("Tab"), actions.at(-1), "and returns to the button that was left");
      await page.keyboard.up("Shift");
    });
  }
});

describe("filters and order of the list of runs", () => {
  const controls = () =>
    page.$$eval(".list-tools :is(button, select)", (all) => {
      const shown = all.filter((control) => control.checkVisibility());
      return {
        shown: shown.length,
        stops: shown.filter(({ tabIndex }) => tabIndex === 0).length,
        active: shown.indexOf(document.activeElement),
      };
    });
  const press = async (key) => {
    await page.keyboard.press(key);
    return (await controls()).active;
  };
  const focusStop = async () => (await page.waitForSelector('.list-tools [tabindex="0"]')).focus();
  test("one stop, arrow keys between the buttons of all filters and the order", async () => {
    await page.setViewport({ width: 1280, height: 800 });
    await screens["the runs of two systems"]();
    const { shown, stops } = await controls();
    assert.ok(shown >= 7, `${shown} controls`);
    assert.equal(stops, 1);
    await focusStop();
    assert.equal(await press("Home"), 0);
    for (let index = 1; index < shown; index++) assert.equal(await press("ArrowRight"), index);
    assert.equal(await page.evaluate(() => document.activeElement.name), "sort", "the order is the last one");
    assert.equal(await press("ArrowRight"), 0, "round");
    assert.equal(await press("End"), shown - 1);
    assert.equal((await controls()).stops, 1, "the stop moves with the focus");
    assert.equal(await press("ArrowLeft"), shown - 2, "the order keeps its value");
    assert.equal(await page.$eval("select[name=sort]", ({ value }) => value), "attention");
    assert.equal(await press("Tab"), -1, "Tab leaves the filters");
  });
  test("a state that a narrow list hides is no stop any more", async () => {
    await page.setViewport({ width: 1280, height: 800 });
    const states = ["failed", "waiting-timer", "running", "stale", "succeeded", "paused"];
    await pasted(JSON.stringify(states.map((state) => ({ runId: state, status: "running", runState: view(state, state) }))));
    await focusStop();
    assert.equal(await press("End"), states.length);
    assert.equal(await press("ArrowLeft"), states.length - 1);
    await page.evaluate(() => document.activeElement.blur());
    await page.setViewport({ width: 480, height: 800 });
    // Four states, the button for the others, and the order.
    await until("the first button is the stop", async () => {
      const { shown, stops } = await controls();
      return shown === 6 && stops === 1;
    });
    await page.setViewport({ width: 1280, height: 800 });
  });
});

describe("tree", () => {
  const active = () =>
    page.evaluate(() => {
      const tree = document.querySelector("[role=tree]");
      const row = document.getElementById(tree.getAttribute("aria-activedescendant"));
      return (
        row && {
          id: row.id,
          node: row.dataset.node,
          level: Number(row.ariaLevel),
          expanded: row.getAttribute("aria-expanded"),
          selected: row.ariaSelected,
          position: Number(row.getAttribute("aria-posinset")),
          size: Number(row.getAttribute("aria-setsize")),
        }
      );
    });
  // The active row once it is drawn and satisfies `is`.
  const activeOnce = (what, is) =>
    until(
      what,
      async () => {
        const now = await active();
        return now && is(now) && now;
      },
      { pause: 5 },
    );
  // The active row once it is another one, or is folded or unfolded.
  const press = async (key) => {
    const before = await active();
    await page.keyboard.press(key);
    return activeOnce(`${key} changes something`, ({ id, expanded }) => id !== before?.id || expanded !== before.expanded);
  };
  // The first row, which may have been the active one before.
  const home = async () => {
    await page.keyboard.press("Home");
    return activeOnce("the first row", ({ level }) => level === 1);
  };
  // The row after `key`, which must not move, and another key that does: so the first one has been handled.
  const stays = async (key, other) => {
    await page.keyboard.press(key);
    return press(other);
  };
  const rowCount = (count) => page.waitForFunction((wanted) => document.querySelectorAll("[role=treeitem]").length === wanted, {}, count);
  const rows = () =>
    page.evaluate(() =>
      [...document.querySelectorAll("[role=treeitem]")]
        .sort((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top)
        .map((row) => row.id),
    );
  before(async () => {
    await pasted(text("runs/structure-a/rpc-getDevToolsSnapshot.json"));
    await page.waitForFunction(() => document.querySelectorAll("[role=treeitem]").length > 5);
    await page.focus("[role=tree]");
  });

  test("it is one stop with a name, and its rows say where they stand", async () => {
    assert.ok(
      await page.evaluate(() => {
        const tree = document.querySelector("[role=tree]");
        return tree.ariaLabel || document.getElementById(tree.getAttribute("aria-labelledby"))?.textContent;
      }),
      "a name",
    );
    assert.equal(await page.evaluate(() => document.querySelectorAll('[role=treeitem][tabindex="0"]').length), 0);
    const first = await home();
    assert.deepEqual([first.level, first.position, first.size], [1, 1, 1]);
  });
  test("Down and Up step through the rows in sight", async () => {
    await home();
    const order = await rows();
    const second = await press("ArrowDown");
    assert.equal(second.id, order[1]);
    assert.equal(second.level, 2);
    assert.equal((await press("ArrowUp")).id, order[0]);
    assert.equal((await stays("ArrowUp", "ArrowDown")).id, order[1], "the first row is the end");
  });
  test("Left closes, then goes to the parent; Right opens, then goes to the child", async () => {
    const root = await home();
    assert.equal(root.expanded, "true");
    const closed = await press("ArrowLeft");
    assert.deepEqual([closed.id, closed.expanded], [root.id, "false"]);
    await rowCount(1);
    assert.equal((await press("ArrowRight")).expanded, "true");
    const child = await press("ArrowRight");
    assert.equal(child.level, 2);
    assert.equal((await press("ArrowLeft")).expanded, "false");
    assert.equal((await press("ArrowLeft")).id, root.id);
    await press("ArrowDown");
    await press("ArrowRight");
  });
  test("End goes to the last row and shows it", async () => {
    const { id } = await press("End");
    await page.waitForFunction(
      (last) => {
        const box = document.querySelector("[role=tree]").getBoundingClientRect();
        const { top } = document.getElementById(last).getBoundingClientRect();
        return top >= Math.max(box.top, 0) - 1 && top < Math.min(box.bottom, innerHeight);
      },
      {},
      id,
    );
    const above = await press("ArrowUp");
    await press("ArrowDown");
    assert.equal((await stays("ArrowDown", "ArrowUp")).id, above.id, "the last row is the end");
  });
  test("PageDown and PageUp go by more than one row", async () => {
    const first = await home();
    const order = await rows();
    const far = await press("PageDown");
    assert.ok(order.indexOf(far.id) !== 0 && order.indexOf(far.id) !== 1, far.node);
    assert.equal((await press("PageUp")).id, first.id);
  });
  test("* opens the siblings", async () => {
    await home();
    const child = await press("ArrowDown");
    if (child.expanded === "true") await press("ArrowLeft");
    assert.equal((await press("*")).expanded, "true");
  });
  test("a letter goes to the next row that begins with it", async () => {
    await pasted(JSON.stringify(gate));
    await page.focus("[role=tree]");
    await home();
    assert.equal((await press("p")).node, "prepare");
    assert.equal((await press("p")).node, "publish");
  });
  test("the arrow of a row folds and unfolds it with a click, and selects it", async () => {
    await pasted(JSON.stringify(gate));
    const arrow = async () => (await page.$('[role=treeitem][aria-level="2"] svg')).click();
    await arrow();
    await page.waitForSelector('[role=treeitem][aria-level="2"][aria-expanded="false"][aria-selected="true"]');
    await rowCount(2);
    await arrow();
    await page.waitForSelector('[role=treeitem][aria-level="2"][aria-expanded="true"][aria-selected="true"]');
    await rowCount(5);
  });
  test("a double click on a row folds and unfolds it", async () => {
    await pasted(JSON.stringify(gate));
    const root = await page.$('[role=treeitem][aria-level="1"]');
    await root.click({ count: 2 });
    await page.waitForSelector('[role=treeitem][aria-level="1"][aria-expanded="false"]');
    await rowCount(1);
    await root.click({ count: 2 });
    await page.waitForSelector('[role=treeitem][aria-level="1"][aria-expanded="true"]');
  });
  test("a click selects the row that the keys continue from", async () => {
    await pasted(JSON.stringify(gate));
    await page.click('[role=treeitem][data-node="gate"]');
    await page.waitForSelector('[role=treeitem][data-node="gate"][aria-selected="true"]');
    assert.equal((await press("ArrowDown")).node, "publish");
  });
});

test("the list of runs is at most three stops after its heading", async () => {
  await screens["a list of runs"]();
  await page.focus("h2");
  let stops = 0;
  for (; stops < 9 && !(await page.evaluate(() => document.activeElement.matches(".run-lists"))); stops++) await page.keyboard.press("Tab");
  assert.ok(stops <= 3, `${stops} stops`);
});

test("? lists the keys from anywhere but a field, and Escape gives the focus back", async () => {
  await screens["a list of runs"]();
  await page.focus("h2");
  const isOpen = () => page.$eval("dialog.keys", (dialog) => dialog.open);
  assert.equal(await isOpen(), false);
  await page.keyboard.press("?");
  await page.waitForSelector("dialog.keys[open]");
  const keys = await page.$$eval("dialog.keys dt kbd", (names) => names.map((name) => name.textContent));
  const shortcuts = await page.$$eval("[aria-keyshortcuts]", (found) => found.map((element) => element.getAttribute("aria-keyshortcuts")));
  assert.deepEqual(shortcuts, ["?", "/"]);
  for (const key of [...shortcuts, "*", "Enter", "↓"]) assert.ok(keys.includes(key), key);
  await page.keyboard.press("Escape");
  await page.waitForSelector("dialog.keys:not([open])");
  assert.equal(await page.evaluate(() => document.activeElement.localName), "h2");
  await page.setViewport({ width: 1280, height: 360 });
  await page.keyboard.press("?");
  await page.waitForSelector("dialog.keys[open]");
  assert.equal(await page.$eval("dialog.keys", (dialog) => dialog.scrollTop), 0, "a low panel shows the beginning");
  await page.keyboard.press("Escape");
  await page.waitForSelector("dialog.keys:not([open])");
  await page.setViewport({ width: 1280, height: 800 });
  await page.keyboard.press("/");
  await page.keyboard.type("a?");
  assert.equal(await isOpen(), false, "a field has the letter");
  assert.equal(await page.$eval('input[name="search"]', (field) => field.value), "a?");
});
test("a person can switch the single keys off, for the next visits too; the button for the list of keys stays", async () => {
  const isOpen = () => page.$eval("dialog.keys", (dialog) => dialog.open);
  const shortcuts = () => page.$$eval("[aria-keyshortcuts], .search kbd", (found) => found.length);
  const choose = async () => {
    await page.click('[data-action="keys"]');
    await page.waitForSelector("dialog.keys[open]");
    await page.click('input[name="single-keys"]');
    await page.keyboard.press("Escape");
    await page.waitForSelector("dialog.keys:not([open])");
  };
  const isInSearch = () => page.evaluate(() => document.activeElement.name === "search");
  await screens["a list of runs"]();
  await choose();
  for (const visit of ["now", "at the next visit"]) {
    if (visit !== "now") await screens["a list of runs"]();
    await page.focus("h2");
    await page.keyboard.press("/");
    await page.keyboard.press("?");
    assert.equal(await isInSearch(), false, visit);
    assert.equal(await isOpen(), false, visit);
    assert.equal(await shortcuts(), 0, visit);
  }
  await choose();
  await page.focus("h2");
  await page.keyboard.press("/");
  await until("focus in the search field", isInSearch);
  assert.ok((await shortcuts()) > 0);
});
test("the bar below the panes has the keys of the view on screen, where there is space for it", async () => {
  const shown = () =>
    page.evaluate(() => {
      const bar = document.querySelector(".key-bar");
      const nodes = [...(bar?.querySelectorAll("span") ?? [])].flatMap((span) => [...span.childNodes]);
      const texts = nodes.map((node) => (node.firstElementChild ? "arrow" : node.textContent));
      return bar?.checkVisibility() ? texts.filter(Boolean).join(" ") : "";
    });
  const shows = (text) => until(`the keys ${text}`, async () => (await shown()) === text);
  const tree = "F6 next pane arrow arrow move arrow unfold arrow fold Enter Space detail";
  const events = "F6 next pane arrow arrow move End newest Enter Space detail Ctrl or ⌘ C copy";
  const single = "/ search ? all keys";
  await screens["the events of a run"]();
  await shows(`${events} ${single}`);
  await page.click('[data-view-switch="tree"]');
  await shows(`${tree} ${single}`);
  const keys = await page.$$eval("dialog.keys dt kbd", (found) => found.map((key) => key.textContent));
  for (const key of await page.$$eval(".key-bar kbd", (found) => found.map((key) => key.textContent.trim()))) {
    assert.ok(key === "" || keys.includes(key), `${key} is in the list of keys`);
  }
  for (const [width, height] of [
    [1280, 500],
    [900, 800],
    [320, 800],
  ]) {
    await page.setViewport({ width, height });
    await until(`no bar at ${width} × ${height}`, async () => !(await shown()));
  }
  await page.setViewport({ width: 1280, height: 800 });
  const choose = async () => {
    await page.click('[data-action="keys"]');
    await page.click('input[name="single-keys"]');
    await page.keyboard.press("Escape");
  };
  await choose();
  await shows(tree);
  await choose();
  await shows(`${tree} ${single}`);
  await screens["a list of runs"]();
  assert.equal(await shown(), "", "a list of runs has no tree");
});
test("the link of the reason leads to the node, by mouse and by Enter", async () => {
  for (const way of ["click", "Enter"]) {
    await pasted(JSON.stringify(gate));
    const link = '[data-field="blocked"] a[data-node="gate"]';
    if (way === "click") await page.click(link);
    else {
      await page.focus(link);
      await page.keyboard.press("Enter");
    }
    await page.waitForSelector('[role=treeitem][data-node="gate"][aria-selected="true"]');
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute("role")), "tree", `focus after ${way}`);
  }
});
test("the link opens what is closed on the way to the node", async () => {
  await pasted(JSON.stringify(gate));
  await page.focus("[role=tree]");
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowLeft");
  await page.waitForFunction(() => document.querySelectorAll("[role=treeitem]").length === 1);
  await page.click('[data-field="blocked"] a[data-node]');
  await page.waitForSelector('[role=treeitem][data-node="gate"][aria-selected="true"]');
});
test("opening and closing the connect screen moves the focus to the heading", async () => {
  await visit();
  await page.focus('button[data-action="open"]');
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.activeElement.matches('[data-screen="connect"] h2'));
  await page.focus('button[data-action="close"]');
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.activeElement.matches("section[data-tone] h1"));
});
