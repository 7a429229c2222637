// The panel's side: the release build of the dashboard in a headless browser.
import { launch } from "../tests/support/browser.mjs";
import { allFailed, manyRuns, wide } from "../tests/support/make.mjs";
import { open, paste } from "../tests/support/panel.mjs";
import { built } from "../tests/support/paths.mjs";
import { serve } from "../tests/support/server.mjs";
import { findTime, keyTimes, nodeSearchTimes } from "../tests/support/speed.mjs";

const PASTE_MS = 30_000;

/** The cases in a page, which the first of them opens. */
export function ourPage() {
  let opened;
  const page = async () => (await (opened ??= start())).page;
  const pasted = (snapshot) => {
    const text = JSON.stringify(snapshot);
    return async () => {
      const { ms, header } = await paste(await page(), text, PASTE_MS);
      return { milliseconds: ms, answer: header.runId };
    };
  };
  const listed = (change) => (count) => {
    const text = JSON.stringify(manyRuns(count));
    return async () => {
      await paste(await page(), text, PASTE_MS);
      return findTime(await page(), change);
    };
  };
  const cases = {
    search: listed("search"),
    filter: listed("filter"),
    paste: (nodes) => pasted(wide("wide", nodes)),
    "paste-failed": (nodes) => pasted(allFailed("all-failed", nodes)),
    key: (nodes) => {
      const show = pasted(wide("wide", nodes));
      return async () => {
        const { answer } = await show();
        return { milliseconds: (await keyTimes(await page()))[95], answer };
      };
    },
    "node-search": (nodes) => {
      const show = pasted(wide("wide", nodes));
      return async () => {
        const { answer } = await show();
        return { milliseconds: (await nodeSearchTimes(await page(), "1234")).at(-1), answer };
      };
    },
  };
  return { cases, end: async () => (await opened)?.close() };
}

async function start() {
  const [browser, server] = await Promise.all([launch(), serve(built("dashboard"))]);
  const page = await browser.newPage();
  await open(page, `${server.origin}/#connect`);
  return { page, close: () => Promise.all([browser.close(), server.close()]) };
}
