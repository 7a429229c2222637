// Takes screenshots of the hosts other than the dashboard: `node tests/browser/screenshot-hosts.mjs` retakes those in
// docs/screenshots, `… FOLDER` takes all into FOLDER.
//
// They are the elements in another site's page, an exported page from disk with its printed form, and the panel in the
// developer tools of Firefox.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { prefer } from "../support/a11y.mjs";
import { launch } from "../support/browser.mjs";
import { text } from "../support/captures.mjs";
import { downloads, exportedPage } from "../support/download.mjs";
import { openPanel } from "../support/firefox-panel.mjs";
import { operations } from "../support/operations.mjs";
import { open } from "../support/panel.mjs";
import { built, root } from "../support/paths.mjs";
import { serve } from "../support/server.mjs";
import { see } from "../support/traffic.mjs";

const committed = join(root, "docs/screenshots");
const folder = resolve(process.argv[2] ?? committed);
const sizes = { wide: { width: 1280, height: 900 }, narrow: { width: 320, height: 720 } };
// A sheet of A4 without its margins.
const paper = { width: 703, height: 1032 };

function save(name, bytes) {
  const path = join(folder, `${name}.png`);
  if (folder !== committed || existsSync(path)) writeFileSync(path, bytes);
}

/** Takes a page in light, dark and forced colors, and in dark at 320 px. */
async function takeAll(page, name) {
  const variants = [
    ["", "wide", {}],
    ["-dark", "wide", { scheme: "dark" }],
    ["-forced-colors", "wide", { forced: true }],
    ["-narrow-dark", "narrow", { scheme: "dark" }],
  ];
  for (const [suffix, size, media] of variants) {
    await page.setViewport(sizes[size]);
    const undo = await prefer(page, media);
    await page.evaluate(() => new Promise((painted) => requestAnimationFrame(() => setTimeout(painted, 300))));
    save(`${name}${suffix}`, await page.screenshot());
    await undo();
  }
}

/** A page of another site: pills in a table, a card with a header, and a whole panel. */
async function takeElements(browser) {
  const site = mkdtempSync(join(tmpdir(), "runstate-site-"));
  symlinkSync(built("npm", "elements"), join(site, "runstate"));
  writeFileSync(join(site, "index.html"), readFileSync(join(root, "tests/support/site.html")));
  writeFileSync(join(site, "waiting.json"), text("runs/approval-a/rpc-getDevToolsSnapshot-waiting.json"));
  writeFileSync(join(site, "failed.json"), text("runs/fail-a/rpc-getDevToolsSnapshot.json"));
  const server = await serve(site);
  const page = await browser.newPage();
  try {
    await page.setViewport(sizes.wide);
    await page.goto(server.origin);
    await page.waitForFunction(() => [...document.querySelectorAll("runstate-panel")].every(({ runState }) => runState));
    await takeAll(page, "elements");
  } finally {
    await page.close();
    await server.close();
    rmSync(site, { recursive: true });
  }
}

/** An exported page, opened from disk without a network, on screen and on paper. */
async function takeExportedPage(browser) {
  const server = await serve(built("dashboard"));
  const page = await browser.newPage();
  const saving = await downloads(page);
  try {
    await open(page, `${server.origin}/#example`);
    const { path } = await exportedPage(page, saving);
    const file = `${path}.html`;
    writeFileSync(file, readFileSync(path));
    await page.setOfflineMode(true);
    await page.goto(`file://${file}`);
    await page.waitForSelector("section[data-tone]");
    await takeAll(page, "exported-page");
    await page.setViewport(paper);
    await page.emulateMediaType("print");
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    await page.waitForSelector(".printout");
    save("exported-page-printed", await page.screenshot({ fullPage: true }));
  } finally {
    saving.close();
    await page.close();
    await server.close();
  }
}

/** The panel in the developer tools of Firefox, fed by a page that asks two Gateways. */
async function takeFirefox() {
  const { address, close } = await operations();
  const tools = await openPanel(address, { preferences: { "devtools.toolbox.footer.height": 480 } });
  try {
    await tools.page.reload();
    await see(
      tools,
      "the runs of both Gateways",
      ({ servers, counts, notes }) => Object.keys(servers).length === 2 && /^[1-9]/.test(counts) && !notes.late,
    );
    save("devtools-firefox", await tools.picture());
  } finally {
    await tools.close();
    await close();
  }
}

mkdirSync(folder, { recursive: true });
const browser = await launch({ browser: "chromium" });
try {
  await takeElements(browser);
  await takeExportedPage(browser);
} finally {
  await browser.close();
}
await takeFirefox();
console.log(`The hosts' screenshots are in ${folder}`);
