// The list of runs on a page: the rows, the focus among them, and the search.
import { becomes } from "./browser.mjs";

/** The functions of the list of runs on this page. */
export function listOf(page) {
  /** The run that has the focus. */
  const focused = () =>
    page.evaluate(
      () =>
        document.activeElement.dataset.run ??
        document.getElementById(document.activeElement.getAttribute("aria-activedescendant"))?.dataset.run,
    );
  /** Presses a key that moves the focus; returns the run that has the focus then. */
  const press = async (key) => {
    const old = await focused();
    await page.keyboard.press(key);
    const next = await page.waitForFunction(
      (previous) => {
        const active = document.activeElement;
        const run = active.dataset.run ?? document.getElementById(active.getAttribute("aria-activedescendant"))?.dataset.run;
        return run !== previous && run;
      },
      {},
      old,
    );
    return next.jsonValue();
  };
  const rowsShown = () => page.$$eval("[data-pane=runs] [data-run]", (found) => found.map((row) => row.dataset.run));
  const waitForRows = (expected) => becomes(rowsShown, expected);
  const heading = () => page.$eval("[data-pane=runs] h2", (element) => element.textContent);
  const headingIs = (text) => becomes(heading, text);
  const type = async (text) => {
    await page.focus("[data-pane=runs] input[name=search]");
    await page.keyboard.type(text);
  };
  return { focused, press, rowsShown, waitForRows, heading, headingIs, type };
}
