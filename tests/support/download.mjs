// Files that a page saves.
import { mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { driven } from "./browser.mjs";
import { on, send, tabOf } from "./firefox.mjs";
import { TIMEOUT } from "./timeout.mjs";

// Chromium silently drops a frame's downloads after the tenth within a second.
const SPACING_MS = 120;

/** Lets a page save files into a temporary folder. `next` returns the next file: its name, path and text. */
export async function downloads(page) {
  const folder = mkdtempSync(join(tmpdir(), "runstate-saved-"));
  const waiting = [];
  const saved = [];
  const arrived = (name, path) => {
    const file = { name, path, text: readFileSync(path, "utf8") };
    const first = waiting.shift();
    if (first) first(file);
    else saved.push(file);
  };
  await (driven === "firefox" ? watchFirefox : watchChromium)(page, folder, arrived);
  return {
    next: async () => saved.shift() ?? coming(waiting),
    close: () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }),
  };
}

// Calls `arrived` with the name and the path of every file that the page saves into the folder.
async function watchChromium(page, folder, arrived) {
  const session = await page.browser().target().createCDPSession();
  await session.send("Browser.setDownloadBehavior", {
    behavior: "allowAndName",
    browserContextId: page.browserContext().id,
    downloadPath: folder,
    eventsEnabled: true,
  });
  const own = await page.createCDPSession();
  const { frameTree } = await own.send("Page.getFrameTree");
  const begun = new Map();
  session.on("Browser.downloadWillBegin", ({ frameId, guid, suggestedFilename }) => {
    if (frameId === frameTree.frame.id) begun.set(guid, suggestedFilename);
  });
  session.on("Browser.downloadProgress", ({ guid, state, filePath: path }) => {
    if (state === "completed" && begun.has(guid)) arrived(begun.get(guid), path);
  });
}

async function watchFirefox(page, folder, arrived) {
  const browser = page.browser();
  const behavior = { type: "allowed", destinationFolder: folder };
  await send(browser, "browser.setDownloadBehavior", { downloadBehavior: behavior, userContexts: [page.browserContext().id] });
  let count = 0;
  await on(browser, "browsingContext.downloadEnd", ({ context, status, filepath }) => {
    if (context !== tabOf(page) || status !== "complete") return;
    // Moved away, so that the next file of this name keeps its name.
    const path = join(folder, `saved-${count++}`);
    renameSync(filepath, path);
    arrived(basename(filepath), path);
  });
}

function coming(waiting) {
  return new Promise((done, refuse) => {
    const late = setTimeout(() => refuse(new Error(`The page saved nothing within ${TIMEOUT} ms`)), TIMEOUT);
    waiting.push((file) => {
      clearTimeout(late);
      done(file);
    });
  });
}

/** Exports the content of the screen and returns the saved file; `keys` are redacted in addition. */
export const exported = (page, saving, keys) => save(page, saving, '[type="submit"]', keys);

/** Like `exported`, as a self-contained page. */
export const exportedPage = (page, saving, keys) => save(page, saving, '[data-action="export-page"]', keys);

async function save(page, saving, button, keys = "") {
  const form = 'form[data-form="export"]';
  if (!(await page.$(form))) await page.click('[data-action="export"]');
  const field = await page.waitForSelector(`${form} input[name="keys"]`);
  await field.evaluate((input, text) => (input.value = text), keys);
  await pause(SPACING_MS);
  await page.click(`${form} ${button}`);
  return saving.next();
}
