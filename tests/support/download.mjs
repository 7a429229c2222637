// What a page saves.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

// Chromium drops what a frame saves after the tenth file within a second, and tells nobody.
const APART_MS = 120;
const PATIENCE_MS = 20_000;

/** Lets a page save files, into a folder of its own. `next` gives the next file: its name, its path and its text. */
export async function downloads(page) {
  const folder = mkdtempSync(join(tmpdir(), "runstate-saved-"));
  const session = await page.browser().target().createCDPSession();
  await session.send("Browser.setDownloadBehavior", { behavior: "allowAndName", downloadPath: folder, eventsEnabled: true });
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
    const late = setTimeout(() => refuse(new Error(`The page saved nothing within ${PATIENCE_MS} ms`)), PATIENCE_MS);
    waiting.push((file) => {
      clearTimeout(late);
      done(file);
    });
  });
}

/** Exports what is on screen and gives the saved file; `keys` are left out besides. */
export async function exported(page, saving, keys = "") {
  const form = 'form[data-form="export"]';
  if (!(await page.$(form))) await page.click('[data-action="export"]');
  const field = await page.waitForSelector(`${form} input[name="keys"]`);
  await field.evaluate((input, text) => (input.value = text), keys);
  await pause(APART_MS);
  await page.click(`${form} [type="submit"]`);
  return saving.next();
}
