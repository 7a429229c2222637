// Files that a page saves.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

// Chromium silently drops a frame's downloads after the tenth within a second.
const SPACING_MS = 120;
const TIMEOUT_MS = 20_000;

/** Lets a page save files into a temporary folder. `next` returns the next file: its name, path and text. */
export async function downloads(page) {
  const folder = mkdtempSync(join(tmpdir(), "runstate-saved-"));
  const session = await page.browser().target().createCDPSession();

  await session.send("Browser.setDownloadBehavior", { behavior: "allowAndName", browserContextId: page.browserContext().id, downloadPath: folder, eventsEnabled: true });
  const own = await page.createCDPSession();
  const { frameTree } = await own.send("Page.getFrameTree");
  const begun = new Map();
  const waiting = [];
  const saved = [];
  session.on("Browser.downloadWillBegin", ({ frameId, guid, suggestedFilename }) => {
    if (frameId === frameTree.frame.id) begun.set(guid, suggestedFilename);
  });
  session.on("Browser.downloadProgress", ({ guid, state, filePath: path }) => {
    if (state !== "completed" || !begun.has(guid)) return;
    const file = { name: begun.get(guid), path, text: readFileSync(path, "utf8") };
    const first = waiting.shift();
    if (first) first(file);
    else saved.push(file);
  });
  return {
    next: () => saved.shift() ?? coming(waiting),
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function coming(waiting) {
  return new Promise((done, refuse) => {
    const late = setTimeout(() => refuse(new Error(`The page saved nothing within ${TIMEOUT_MS} ms`)), TIMEOUT_MS);
    waiting.push((file) => {
      clearTimeout(late);
      done(file);
    });
  });
}

/** Exports what is on screen and returns the saved file; `keys` are redacted in addition. */
export async function exported(page, saving, keys = "") {
  const form = 'form[data-form="export"]';
  if (!(await page.$(form))) await page.click('[data-action="export"]');
  const field = await page.waitForSelector(`${form} input[name="keys"]`);
  await field.evaluate((input, text) => (input.value = text), keys);
  await pause(SPACING_MS);
  await page.click(`${form} [type="submit"]`);
  return saving.next();
}
