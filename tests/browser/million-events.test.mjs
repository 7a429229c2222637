// A log of a million events: no browser draws an element as high as all of its rows, and every row is still reached, whole, and found.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { driven, until } from "../support/browser.mjs";
import { chooseFile } from "../support/panel.mjs";
import { connectScreen } from "../support/stage.mjs";

const COUNT = 1_000_000;
const folder = mkdtempSync(join(tmpdir(), "runstate-log-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const path = join(folder, "million.ndjson");
const lines = [];
for (let index = 0; index < COUNT; index++) {
  lines.push(`{"type":"FrameCommitted","runId":"m","frameNo":${index},"xmlHash":"x","timestampMs":${1_795_295_400_000 + index}}\n`);
}
writeFileSync(path, lines.join(""));

const grid = "[data-pane=log] [role=grid]";
const row = `${grid} [aria-selected=true]`;

/** Reaches the ends and pages before the last row by keys, and finds an event by its text. */
async function reaches(page, t) {
  const rowCount = (count) =>
    page.waitForFunction((selector, wanted) => Number(document.querySelector(selector)?.ariaRowCount) === wanted + 1, {}, grid, count);
  /** The selected row, from 0, once it is another one than `before` and whole in sight. */
  const reached = (what, before) =>
    until(what, async () => {
      const [now, isWhole] = await page.evaluate(
        (selector, area) => {
          const element = document.querySelector(selector);
          if (!element) return [];
          const [inner, outer] = [element, document.querySelector(area)].map((each) => each.getBoundingClientRect());
          return [Number(element.ariaRowIndex) - 2, inner.top >= outer.top - 1 && inner.bottom <= outer.bottom + 1];
        },
        row,
        `${grid} > .scroll`,
      );
      return isWhole && now !== before && String(now);
    }).then(Number);
  await chooseFile(page, path);
  const events = await page.waitForSelector("[data-view-switch=events]");
  await events.evaluate((button) => button.click());
  await rowCount(COUNT);
  await page.focus(grid);
  await page.keyboard.press("End");
  let last = await reached("the last row");
  assert.equal(last, COUNT - 1);
  for (let step = 1; step <= 12; step++) {
    await page.keyboard.press("PageUp");
    const now = await reached(`${step} pages before it`, last);
    assert.ok(now < last, `${now} after ${last}`);
    last = now;
  }
  await page.keyboard.press("Home");
  assert.equal(await reached("the first row", last), 0);
  const began = performance.now();
  // Each letter replaces the search of the letters before it.
  await page.type("input[name=search-events]", '"frameno":999999');
  await rowCount(1);
  await page.waitForSelector(`${grid} [aria-rowindex="2"][data-event=FrameCommitted]`);
  t.diagnostic(`found ${(performance.now() - began).toFixed(0)} ms after the first letter`);
}

const { page } = await connectScreen({ viewport: { width: 1100, height: 700 } });
test("a million events are counted, and each is reached", (t) => reaches(page, t));

// In Firefox, the greatest height does not depend on the zoom.
if (driven === "chromium") {
  const viewport = { width: 320, height: 256, deviceScaleFactor: 0 };
  const { page } = await connectScreen({ viewport, args: ["--force-device-scale-factor=4"] });
  test("and so at a zoom of 400 %", (t) => reaches(page, t));
}
