// The list of runs on a page: the rows, the focus among them, and the search.
import assert from "node:assert/strict";
import { becomes } from "./browser.mjs";

/** The element with the rows, which has the focus while the keyboard moves between them. */
export const LISTS = '[data-pane=runs] [role=group][aria-label="Runs"]';

/** The functions of the list of runs on this page. */
export function listOf(page) {
  /** The run whose row is active, if the rows have the focus. */
  const focused = () =>
    page.evaluate(() => document.getElementById(document.activeElement.getAttribute("aria-activedescendant"))?.dataset.run);
  /** Presses a key that moves the focus; returns the run that has the focus then. */
  const press = async (key) => {
    const old = await focused();
    await page.keyboard.press(key);
    const next = await page.waitForFunction(
      (previous) => {
        const row = document.getElementById(document.activeElement.getAttribute("aria-activedescendant"));
        return row?.dataset.run !== previous && row?.dataset.run;
      },
      {},
      old,
    );
    return next.jsonValue();
  };
  /** Moves the focus to the row of a run, from the first row down. */
  const goTo = async (run) => {
    await page.focus(LISTS);
    await page.keyboard.press("Home");
    await page.waitForFunction(
      (lists) => {
        const first = document.querySelector(`${lists} [data-run]`);
        return first?.ariaPosInSet === "1" && first.ariaSelected === "true";
      },
      {},
      LISTS,
    );
    for (let steps = 0; (await focused()) !== run; steps++) {
      assert.ok(steps < 50, `${run} is one of the first rows`);
      await press("ArrowDown");
    }
  };
  const rowsShown = () => page.$$eval("[data-pane=runs] [data-run]", (found) => found.map((row) => row.dataset.run));
  const waitForRows = (expected) => becomes(rowsShown, expected);
  const heading = () => page.$eval("[data-pane=runs] h2", (element) => element.textContent);
  const headingIs = (text) => becomes(heading, text);
  const type = async (text) => {
    await page.focus("[data-pane=runs] input[name=search]");
    await page.keyboard.type(text);
  };
  return { focused, press, goTo, rowsShown, waitForRows, heading, headingIs, type };
}
