// A list of ten thousand runs: only the rows in sight exist, and the keyboard reaches every one.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { header, paste, shows } from "../support/panel.mjs";
import { connectScreen } from "../support/stage.mjs";

const COUNT = 10_000;
const rows = Array.from({ length: COUNT }, (_, index) => ({ runId: `run-${index}`, workflowName: "w", status: "finished", startedAtMs: 1.7e12 + index }));
const { page } = await connectScreen();
const show = () => paste(page, JSON.stringify(rows));
before(async () => {
  await page.setViewport({ width: 1280, height: 800 });
  await show();
});

const focused = () => page.evaluate(() => document.activeElement.dataset.run ?? document.getElementById(document.activeElement.getAttribute("aria-activedescendant"))?.dataset.run);
const press = async (key) => {
  const old = await focused();
  await page.keyboard.press(key);
  await page.waitForFunction((previous) => {
    const active = document.activeElement;
    const run = active.dataset.run ?? document.getElementById(active.getAttribute("aria-activedescendant"))?.dataset.run;
    return run !== undefined && run !== previous;
  }, {}, old);
  return focused();
};
const enter = async () => {
  await page.focus('[data-action="open"]');
  await page.evaluate(() => document.querySelector("[data-run]").scrollIntoView());
  for (let i = 0; i < 8 && (await focused()) === undefined; i++) await page.keyboard.press("Tab");
  assert.ok(await focused(), "Tab reaches the list");
};
const inSight = () =>
  page.evaluate(() => {
    const active = document.activeElement;
    const row = active.dataset.run ? active : document.getElementById(active.getAttribute("aria-activedescendant"));
    const box = row.getBoundingClientRect();
    return box.top >= 0 && box.bottom <= innerHeight + 1;
  });

test("the heading counts all of them, and few exist as elements", async () => {
  assert.equal(await page.$eval("[data-screen=runs] h2", (heading) => heading.textContent), "10\u202f000 runs");
  const { elements, drawn } = await page.evaluate(() => ({ elements: document.querySelectorAll("*").length, drawn: document.querySelectorAll("[data-run]").length }));
  assert.ok(drawn >= 10 && drawn < 200, `${drawn} rows`);
  assert.ok(elements < 1500, `${elements} elements`);
  assert.equal(await page.$('[data-action="more"]'), null);
});
test("scrolling shows the rows there", async () => {
  await page.evaluate(() => {
    const scroller = [...document.querySelectorAll("*")].find((element) => element.scrollHeight > 100_000 && element.clientHeight < 2000 && getComputedStyle(element).overflowY !== "visible");
    scroller.scrollTop = scroller.scrollHeight;
  });
  await page.waitForSelector('[data-run="run-9999"]');
  assert.equal(await page.$('[data-run="run-0"]'), null);
  assert.ok((await page.$$("[data-run]")).length < 200);
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
    }));
  assert.deepEqual(places, [["run-0", "1", "10000"], ["run-1", "2", "10000"], ["run-2", "3", "10000"]]);
});
