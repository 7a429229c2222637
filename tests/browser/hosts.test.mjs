// The dashboard page and the file that opens from disk.
import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { test } from "node:test";
import { view } from "../support/make.mjs";
import { header, open, paste } from "../support/panel.mjs";
import { built } from "../support/paths.mjs";
import { serve } from "../support/server.mjs";
import { fresh, stage } from "../support/stage.mjs";

const strict =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
  "connect-src 'self' ws://127.0.0.1:*; base-uri 'none'; form-action 'none'";

const { browser, server } = await stage({ "content-security-policy": strict });

test("the dashboard opens on a recorded run, under a strict policy, without a word on the console", async () => {
  const { page, heard, close } = await fresh(browser);
  await open(page, `${server.origin}/`);
  await page.waitForSelector("section.snapshot");
  const seen = await header(page);
  assert.equal(seen.freshness, "recorded");
  assert.ok(seen.state, "the built-in run has a state");
  assert.ok((await page.$$("[role=treeitem]")).length > 1, "and a tree");
  assert.deepEqual(heard.errors, []);
  const foreign = heard.requests.filter((url) => !url.startsWith(server.origin) && !url.startsWith("data:") && !url.startsWith("blob:"));
  assert.deepEqual(foreign, [], "the page asks nobody else");
  await close();
});

test("the reader of documents is loaded with the first document, and not before", async () => {
  const { page, close } = await fresh(browser);
  const loaded = () => server.asked.filter((path) => path.includes("documents"));
  server.asked.length = 0;
  await open(page, `${server.origin}/`);
  await page.waitForSelector("section.snapshot");
  await page.click('button[data-action="open"]');
  await page.waitForSelector('section.screen[data-screen="connect"]');
  assert.deepEqual(loaded(), []);
  assert.equal(server.asked.filter((path) => path.includes("panel_bg.wasm")).length, 1, "the live part is the page's own module");
  const seen = await paste(page, JSON.stringify(view("first", "running")));
  assert.equal(seen.header?.runId, "first");
  assert.deepEqual(loaded().sort(), ["/documents_bg.wasm", "/worker-documents.js"]);
  await close();
});

test("the built-in recording is loaded by who looks at it", async () => {
  const { page, close } = await fresh(browser);
  const loaded = () => server.asked.filter((path) => path.includes("recording"));
  server.asked.length = 0;
  await open(page, `${server.origin}/#connect`);
  await page.waitForSelector('button[data-action="example"]');
  assert.deepEqual(loaded(), []);
  await page.click('button[data-action="example"]');
  await page.waitForSelector("section.snapshot");
  assert.deepEqual(loaded(), ["/recording.js"]);
  await close();
});

test("a recording that does not come is said, and a document opens after it", async () => {
  const without = await serve(built("dashboard"), { "content-security-policy": strict }, ["/recording.js"]);
  const { page, close } = await fresh(browser);
  await open(page, `${without.origin}/`);
  await page.waitForSelector('[data-field=error][data-code="UNREADABLE"]');
  const seen = await paste(page, JSON.stringify(view("first", "running")));
  assert.equal(seen.header?.runId, "first");
  await close();
  await without.close();
});

test("a document that is refused leaves the recorded run on screen, told by its own part", async () => {
  const { page, close } = await fresh(browser);
  await open(page, `${server.origin}/`);
  await page.waitForSelector("section.snapshot");
  const { runId } = await header(page);
  const seen = await paste(page, "{");
  assert.equal(seen.error?.code, "NOT_JSON");
  await page.click("[data-action=close]");
  assert.equal((await header(page)).runId, runId);
  await close();
});

test("the dashboard has a title that says the state, and a language", async () => {
  const { page, close } = await fresh(browser);
  await open(page, `${server.origin}/`);
  await page.waitForSelector("section.snapshot");
  assert.match(await page.title(), /Runstate/);
  assert.equal(await page.evaluate(() => document.documentElement.lang), "en");
  await close();
});

test("#connect opens the connect screen; the example and close lead back to a run", async () => {
  const { page, close } = await fresh(browser);
  await open(page, `${server.origin}/#connect`);
  await page.waitForSelector('section.screen[data-screen="connect"]');
  for (const part of ['form[data-form="connect"] input[name="url"]', 'input[name="token"][type="password"]', 'input[name="run"]', 'textarea[name="paste"]', 'input[type="file"][name="file"]']) {
    assert.ok(await page.$(part), part);
  }
  await page.click('button[data-action="example"]');
  await page.waitForSelector("section.snapshot");
  const example = await header(page);
  await page.click('button[data-action="open"]');
  await page.waitForSelector('section.screen[data-screen="connect"]');
  await page.click('button[data-action="close"]');
  await page.waitForSelector("section.snapshot");
  assert.equal((await header(page)).runId, example.runId);
  await close();
});

test("a real paste into the field and a click on Read", async () => {
  const { page, close } = await fresh(browser);
  await open(page, `${server.origin}/#connect`);
  await page.focus('textarea[name="paste"]');
  await page.keyboard.sendCharacter(JSON.stringify(view("typed", "paused")));
  await page.click('button[data-action="read"]');
  await page.waitForSelector('section.snapshot[data-state="paused"]');
  assert.equal((await header(page)).runId, "typed");
  await close();
});

test("a file dropped on the panel is read", async () => {
  const { page, close } = await fresh(browser);
  await open(page, `${server.origin}/`);
  await page.waitForSelector("section.snapshot");
  await page.evaluate((text) => {
    const data = new DataTransfer();
    data.items.add(new File([text], "run.json", { type: "application/json" }));
    const target = document.querySelector(".panel");
    for (const type of ["dragenter", "dragover", "drop"]) target.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
  }, JSON.stringify(view("dropped", "cancelled")));
  await page.waitForSelector('section.snapshot[data-state="cancelled"]');
  assert.equal((await header(page)).runId, "dropped");
  await close();
});

test("the theme button switches and says so to the whole page", async () => {
  const { page, close } = await fresh(browser);
  await open(page, `${server.origin}/`);
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const before = await ground();
  await page.click('button[data-action="theme"]');
  await page.waitForFunction((old) => getComputedStyle(document.body).backgroundColor !== old, {}, before);
  await page.click('button[data-action="theme"]');
  await page.waitForFunction((old) => getComputedStyle(document.body).backgroundColor === old, {}, before);
  await close();
});

test("the single file opens from disk, offline, and asks the network for nothing", async () => {
  const file = built("runstate.html");
  assert.ok(statSync(file).size > 10_000);
  const { page, heard, close } = await fresh(browser);
  await page.setOfflineMode(true);
  const address = pathToFileURL(file).href;
  await open(page, address);
  await page.waitForSelector('section.screen[data-screen="connect"]');
  const seen = await paste(page, JSON.stringify(view("on-disk", "failed")));
  assert.equal(seen.header?.state, "failed");
  await page.click('button[data-action="open"]');
  await page.waitForSelector('button[data-action="example"]');
  await page.click('button[data-action="example"]');
  await page.waitForSelector("section.snapshot");
  const asked = heard.requests.filter((url) => url !== address && !url.startsWith("data:") && !url.startsWith("blob:"));
  assert.deepEqual(asked, []);
  assert.deepEqual(heard.errors, []);
  await close();
});
