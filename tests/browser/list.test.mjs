// A list of ten thousand runs: only the rows in sight exist, and the keyboard reaches every one.
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { becomes, until } from "../support/browser.mjs";
import { listOf } from "../support/list.mjs";
import { header, paste, shows } from "../support/panel.mjs";
import { connectScreen } from "../support/stage.mjs";

const COUNT = 10_000;
const rows = Array.from({ length: COUNT }, (_, index) => ({
  runId: `run-${index}`,
  workflowName: "w",
  status: "finished",
  startedAtMs: 1.7e12 - index,
}));
const { page } = await connectScreen();
const { focused, press, waitForRows, heading, headingIs, type } = listOf(page);
const show = () => paste(page, JSON.stringify(rows));
before(async () => {
  await page.setViewport({ width: 1280, height: 800 });
  await show();
});

const enter = async () => {
  await page.focus('[data-action="open"]');
  await page.evaluate(() => document.querySelector("[data-run]").scrollIntoView());
  for (let i = 0; i < 16 && (await focused()) === undefined; i++) await page.keyboard.press("Tab");
  assert.ok(await focused(), "Tab reaches the list");
};
const inSight = () =>
  page.evaluate(() => {
    const row = document.getElementById(document.activeElement.getAttribute("aria-activedescendant"));
    const box = row.getBoundingClientRect();
    return box.top >= 0 && box.bottom <= innerHeight + 1;
  });

test("the heading counts all of them, and few exist as elements", async () => {
  assert.equal(await page.$eval("[data-screen=runs] h2", (heading) => heading.textContent), "10\u202f000 runs");
  const { elements, drawn } = await page.evaluate(() => ({
    elements: document.querySelectorAll("*").length,
    drawn: document.querySelectorAll("[data-run]").length,
  }));
  assert.ok(drawn >= 10 && drawn < 200, `${drawn} rows`);
  assert.ok(elements < 1500, `${elements} elements`);
  assert.equal(await page.$('[data-action="more"]'), null);
});
test("scrolling shows the rows there", async () => {
  await page.evaluate(() => {
    const scroller = [...document.querySelectorAll("*")].find(
      (element) => element.scrollHeight > 100_000 && element.clientHeight < 2000 && getComputedStyle(element).overflowY !== "visible",
    );
    scroller.scrollTop = scroller.scrollHeight;
  });
  await page.waitForSelector('[data-run="run-9999"]');
  assert.equal(await page.$('[data-run="run-0"]'), null);
  assert.ok((await page.$$("[data-run]")).length < 200);
});
test("the line under the list says what search covers, and nothing that the scroll bar shows", async () => {
  await show();
  const foot = () => page.$eval("[data-field=list-foot]", (line) => line.textContent.trim());
  assert.equal(await foot(), "Search, filters and counts cover all 10\u202f000 runs.");
  await page.$eval("[data-pane=runs] .scroll", (scroller) => (scroller.scrollTop = 100_000));
  assert.equal(await foot(), "Search, filters and counts cover all 10\u202f000 runs.");
});
test("the arrow key on the heading enters the list", async () => {
  await show();
  await page.focus("[data-screen=runs] h2");
  await page.keyboard.press("ArrowDown");
  await until("the first row", async () => (await focused()) === "run-0");
});
test("arrow keys, Home and End reach every row and keep it in sight", async () => {
  await show();
  await enter();
  assert.equal(await press("End"), "run-9999");
  assert.ok(await inSight());
  assert.equal(await press("ArrowUp"), "run-9998");
  assert.equal(await press("Home"), "run-0");
  assert.ok(await inSight());
  for (let i = 1; i <= 60; i++) assert.equal(await press("ArrowDown"), `run-${i}`);
  assert.ok(await inSight());
  assert.ok((await page.$$("[data-run]")).length < 200);
});
test("a page down goes by more than one row, and up again", async () => {
  await enter();
  await page.keyboard.press("Home");
  await page.waitForSelector('[data-run="run-0"]');
  const far = Number((await press("PageDown")).slice(4));
  assert.ok(far > 2 && far < 200, `run-${far}`);
  assert.equal(await press("PageUp"), "run-0");
});
test("Enter opens the row that has the focus, and the way back shows the list", async () => {
  await enter();
  await page.keyboard.press("Home");
  await page.waitForSelector('[data-run="run-0"]');
  await press("End");
  await page.keyboard.press("Enter");
  await shows(page, "run-9999");
  assert.equal((await header(page)).state, "succeeded");
  await page.click('[data-action="runs"]');
  await page.waitForSelector("[data-run]");
});
test("each row says its place to assistive technology", async () => {
  await show();
  const places = await page.$$eval("[data-run]", (found) =>
    found.slice(0, 3).map((row) => {
      const item = row.closest("[aria-posinset]");
      return [row.dataset.run, item?.getAttribute("aria-posinset"), item?.getAttribute("aria-setsize")];
    }),
  );
  assert.deepEqual(places, [
    ["run-0", "1", "10000"],
    ["run-1", "2", "10000"],
    ["run-2", "3", "10000"],
  ]);
});

describe("10 000 rows, searched", () => {
  test("a search covers all rows, marks its hits and says how many there are", async () => {
    await show();
    await type("run-777");
    await headingIs("11 of 10\u202f000 runs");
    await waitForRows(["run-777", ...Array.from({ length: 10 }, (_, index) => `run-777${index}`)]);
    assert.deepEqual(await page.$$eval("[data-run] mark", (marks) => [...new Set(marks.map((mark) => mark.textContent))]), ["run-777"]);
    await page.keyboard.press("ArrowDown");
    assert.equal(await focused(), "run-777", "the arrow key leads from the field to the rows");
  });
  test("the search survives a run and the way back", async () => {
    await page.keyboard.press("Enter");
    await shows(page, "run-777");
    await page.click('[data-action="runs"]');
    await page.waitForSelector("[data-screen=runs]");
    assert.equal(await heading(), "11 of 10\u202f000 runs");
    assert.equal(await page.$eval("input[name=search]", (field) => field.value), "run-777");
  });
  test("a search that finds nothing says so, and the way back shows all", async () => {
    await type("zzz");
    // The first letter finds nothing already.
    await page.waitForFunction(() =>
      document.querySelector("[data-field=no-match]")?.textContent.includes("“run-777zzz”: 0 of 10\u202f000 runs."),
    );
    await page.click("[data-action=clear-search]");
    await headingIs("10\u202f000 runs");
    assert.equal(await page.$("[data-field=no-match]"), null);
  });
  test("a letter typed on a row begins a search, a slash goes to the field", async () => {
    await enter();
    await page.keyboard.press("x");
    await page.waitForFunction(() => document.activeElement.name === "search" && document.activeElement.value === "x");
    // The heading must not still be that of the time before the letter.
    await headingIs("0 of 10\u202f000 runs");
    await page.keyboard.press("Backspace");
    await headingIs("10\u202f000 runs");
    await page.focus("[data-group] button");
    await page.keyboard.press("/");
    assert.deepEqual(await page.evaluate(() => [document.activeElement.name, document.activeElement.value]), ["search", ""]);
  });
  test("a slash goes to the field from the header of a run, and into no other field", async () => {
    await show();
    await page.click('[data-run="run-0"]');
    await shows(page, "run-0");
    await page.focus('section[data-tone] [data-action="fields"]');
    await page.keyboard.press("/");
    assert.deepEqual(await page.evaluate(() => [document.activeElement.name, document.activeElement.value]), ["search", ""]);
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press("/");
    assert.equal(await page.evaluate(() => document.activeElement.name), "search", "nothing had the focus");
    await page.keyboard.type("a/b");
    assert.equal(await page.evaluate(() => document.activeElement.value), "a/b");
    await page.evaluate(() => (document.activeElement.value = ""));
    await page.click('[data-action="runs"]');
    await page.waitForSelector("[data-screen=runs]");
  });
  test("how far the list was scrolled is kept while a run is on screen", async () => {
    await show();
    const top = () => page.$eval("[data-pane=runs] .scroll", (scroller) => scroller.scrollTop);
    await page.$eval("[data-pane=runs] .scroll", (scroller) => (scroller.scrollTop = 100_000));
    const row = await page.waitForFunction(() => {
      const seen = [...document.querySelectorAll("[data-run]")].filter(
        (found) => found.getBoundingClientRect().top > innerHeight / 2 && found.getBoundingClientRect().bottom < innerHeight - 60,
      );
      return seen.length > 0 && seen[0];
    });
    const id = await row.evaluate((element) => element.dataset.run);
    await row.click();
    await shows(page, id);
    await page.waitForFunction(
      (run) => document.querySelector(`[data-run="${run}"][aria-current="true"]`)?.getBoundingClientRect().top > 0,
      {},
      id,
    );
    await page.click('[data-action="runs"]');
    await page.waitForSelector("[data-screen=runs]");
    await becomes(top, 100_000);
  });
});
