// The panel's side: the release build of the dashboard in a headless browser.
import { launch } from "../tests/support/browser.mjs";
import { allFailed, manyRuns, wide } from "../tests/support/make.mjs";
import { chooseFile, open, paste } from "../tests/support/panel.mjs";
import { built } from "../tests/support/paths.mjs";
import { serve } from "../tests/support/server.mjs";
import { eventTime, findTime, keyTimes, nodeDetailTimes, nodeSearchTimes, showEvents } from "../tests/support/speed.mjs";
import { place } from "./inputs.mjs";

const PASTE_MS = 30_000;

/** The cases in a page, which the first of them opens. */
export function ourPage(folder) {
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
  let log;
  /** Opens a log once, and shows its events. */
  const events = (count) =>
    (log ??= (async () => {
      await chooseFile(await page(), place(folder, `log-${count}`));
      await showEvents(await page(), count);
    })());
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
    "node-detail": (nodes) => {
      const show = pasted(wide("wide", nodes));
      return async () => {
        const { answer } = await show();
        return { milliseconds: (await nodeDetailTimes(await page())).at(-1), answer };
      };
    },
    "event-key": (count) => async () => {
      await events(count);
      return { milliseconds: (await keyTimes(await page(), 40, "[data-pane=log] [role=grid]"))[38], answer: count };
    },
    "event-filter": (count) => async () => {
      await events(count);
      return eventTime(await page(), "filter", "frame");
    },
    "event-search": (count) => async () => {
      await events(count);
      return eventTime(await page(), "search", "disk is full");
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
