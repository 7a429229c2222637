// The browser, the server and the pages of one test file. They are closed after its tests, and every test checks its
// pages.
import assert from "node:assert/strict";
import { after, afterEach } from "node:test";
import { launch, listen, reportPolicy } from "./browser.mjs";
import { leave, markup } from "./failures.mjs";
import { open } from "./panel.mjs";
import { built } from "./paths.mjs";
import { serve } from "./server.mjs";
import { TIMEOUT } from "./timeout.mjs";

/** A viewport that is high enough to show every row of the recorded lists and trees. */
export const tall = { width: 1280, height: 5000 };

/**
 * Serves the built dashboard and starts a browser.
 *
 * `newPage()` opens a page with its own storage, cache and workers: `{page, log, close}`. Any console error or warning,
 * exception or policy violation of such a page fails the current test, unless the test
 * removes it with `log.take(pattern)`, allows it with `log.allow(pattern)`, or it matches `ignore`. `program` is the browser; by default the one that all tests
 * drive.
 */
export async function stage({ headers, extra, handle, args, ignore, viewport, program } = {}) {
  const [browser, server] = await Promise.all([launch({ browser: program, args }), serve(built("dashboard"), { headers, extra, handle })]);
  const pages = new Set();
  const newPage = async () => {
    const context = await browser.createBrowserContext();
    const page = await context.newPage();
    page.setDefaultTimeout(TIMEOUT);
    const entry = { page, log: listen(page), context };
    await reportPolicy(page);
    if (viewport) await page.setViewport(viewport);
    clickWhatIsThere(page);
    pages.add(entry);
    return {
      page,
      log: entry.log,
      close: async () => {
        await flush(entry);
        await context.close();
      },
    };
  };
  afterEach(async (t) => {
    const errors = [];
    for (const entry of pages) {
      await flush(entry);
      errors.push(...entry.log.errors.splice(0).filter((line) => !ignore?.test(line)));
      entry.log.allowed.length = 0;
      if (entry.page.isClosed()) pages.delete(entry);
    }
    if (t.passed === false || errors.length > 0) await leave(t, [...pages].map(leftOf));
    assert.deepEqual(errors, [], "errors and policy violations of the page");
  });
  after(async () => {
    await browser.close();
    await server.close();
  });
  return { browser, server, newPage };
}

/** Makes a click on an element that the panel replaces meanwhile a click on the new one. */
function clickWhatIsThere(page) {
  const click = page.click.bind(page);
  page.click = async (selector, options) => {
    try {
      await click(selector, options);
    } catch (error) {
      if (!/detached/.test(error.message)) throw error;
      await click(selector, options);
    }
  };
}

// Events arrive in order: once the page answers, all its earlier messages have arrived.
const flush = ({ page }) => (page.isClosed() ? undefined : page.evaluate(() => undefined).catch(() => undefined));

const leftOf = ({ page, log }) => ({
  picture: () => page.screenshot(),
  html: () => page.evaluate(markup),
  messages: () => [`${page.url()}:`, ...log.console],
});

/** Like `stage`, with one page that shows the connect screen. */
export async function connectScreen(options) {
  const { browser, server, newPage } = await stage(options);
  const { page, log } = await newPage();
  await open(page, `${server.origin}/#connect`);
  return { browser, server, newPage, page, log };
}
