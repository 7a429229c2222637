// The built extension in the developer tools of a real Chromium.
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, describe, test } from "node:test";
import { until } from "../support/browser.mjs";
import { text } from "../support/captures.mjs";
import { openDevtools } from "../support/devtools.mjs";
import { built } from "../support/paths.mjs";
import { serve } from "../support/server.mjs";

const inspected = "<!doctype html><html lang=en><title>Inspected</title><p id=only>A page of somebody else.</p>";
const manifest = JSON.parse(readFileSync(built("extension", "manifest.json"), "utf8"));

describe("the extension's files", () => {
  test("it asks for no permission, and puts nothing into pages", () => {
    assert.equal(manifest.manifest_version, 3);
    for (const key of [
      "permissions",
      "optional_permissions",
      "host_permissions",
      "optional_host_permissions",
      "content_scripts",
      "web_accessible_resources",
      "externally_connectable",
      "background",
    ]) {
      assert.equal(manifest[key], undefined, key);
    }
  });
  test("no page of it contains an inline script or asks another host for one", () => {
    const pages = readdirSync(built("extension"), { recursive: true }).filter((name) => name.endsWith(".html"));
    assert.ok(pages.length >= 2, pages.join());
    for (const name of pages) {
      const page = readFileSync(built("extension", name), "utf8");
      assert.doesNotMatch(page, /<script(?![^>]*\ssrc=)[^>]*>/, name);
      assert.doesNotMatch(page, /\s(src|href)=["']?(https?:)?\/\//, name);
      assert.doesNotMatch(page, /\son\w+=/, name);
    }
  });
});

describe("in DevTools", () => {
  let tools, browser, server, page, folder, front, inFront, inPanel, click;
  afterEach(async () => {
    await inPanel?.("0");
    assert.deepEqual(tools?.complaints.splice(0), [], "errors and policy violations of the panel");
  });

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "runstate-devtools-"));
    server = await serve(undefined, { extra: { "/": inspected } });
    tools = await openDevtools(`${server.origin}/`);
    ({ browser, page, front, inFront, inPanel, click } = tools);
  });
  after(async () => {
    await tools?.close();
    await server?.close();
    if (folder) rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  });

  test("the panel opens on the page's traffic, which names no run, with the other ways to one", async () => {
    assert.equal(await inPanel(`document.querySelector('[data-screen]').dataset.screen`), "traffic");
    assert.equal(
      await inPanel(`document.querySelectorAll('[data-screen="traffic"] :is([data-form="connect"], textarea[name="paste"])').length`),
      2,
    );
  });
  test("its theme is that of DevTools, and changes with it", async () => {
    const shown = () =>
      inPanel(
        "[document.documentElement.dataset.theme, Number(/\\d+/.exec(getComputedStyle(document.body).backgroundColor)[0]) < 128].join()",
      );
    const choose = (theme) =>
      inFront(`(async () => {
        const { Settings } = await import("./core/common/common.js");
        Settings.Settings.instance().moduleSetting("ui-theme").set(${JSON.stringify(theme)});
      })()`);
    const named = await inPanel("chrome.devtools.panels.themeName");
    assert.equal(await shown(), named === "dark" ? "dark,true" : "light,false");
    for (const [theme, expected] of [
      ["dark", "dark,true"],
      ["default", "light,false"],
    ]) {
      await choose(theme);
      await until(`the theme ${theme}`, async () => (await shown()) === expected);
    }
  });
  test("the theme and Preserve log that a person sets are those of later panels", async () => {
    const seen = () =>
      inPanel(
        "[document.documentElement.dataset.theme, document.querySelector('[data-action=preserve]')?.getAttribute('aria-pressed')].join()",
      );
    const shows = (what, expected) => until(what, async () => (await seen()) === expected);
    await shows("before", "light,false");
    await click("[data-action=theme]");
    await click("[data-action=preserve]");
    await shows("after the clicks", "dark,true");
    await tools.reload();
    await shows("in the next panel", "dark,true");
    assert.equal(await tools.inCollector("runstateSettings.get('preserve-log')"), "true");
    await click("[data-action=theme]");
    await click("[data-action=preserve]");
    await shows("as before", "light,false");
  });
  test("a snapshot pasted inside it shows its header", async () => {
    const capture = text("runs/approval-a/rpc-getDevToolsSnapshot-waiting.json");
    const { runState, frameNo } = JSON.parse(capture).payload;
    const seen = await inPanel(`runstateTest.paste(${JSON.stringify(capture)})`);
    assert.equal(seen.header?.state, "waiting-approval");
    assert.equal(seen.header.runId, runState.runId);
    assert.equal(seen.header.blockedKind, "approval");
    assert.equal(seen.header.blocked.nodes[0], runState.blocked.nodeId);
    assert.equal(seen.header.frameNo, frameNo);
    assert.ok((await inPanel("document.querySelectorAll('[role=treeitem]').length")) > 1);
  });
  test("what its buttons copy is in the clipboard, and they confirm it", async () => {
    const blockedNode = JSON.parse(text("runs/approval-a/rpc-getDevToolsSnapshot-waiting.json")).payload.runState.blocked.nodeId;
    for (const [button, copied] of [
      ['[data-field="runId"] button', "approval-a"],
      ['[data-action="command-approve"]', `smithers approve approval-a --node ${blockedNode} --iteration 0`],
    ]) {
      await click(button);
      await until(`${button} confirms`, () =>
        inPanel(
          `document.querySelector(${JSON.stringify(button)}).innerText.includes("Copied") && document.querySelector("[role=status]").textContent === "Copied."`,
        ),
      );
      assert.equal(await tools.clipboard(), copied);
    }
  });
  test("DevTools prints no panel: the panel offers the exported page for that", async () => {
    await inPanel(`addEventListener("beforeprint", () => (window.prints = true))`);
    await inPanel("print()");
    assert.equal(await inPanel("window.prints"), undefined, "a page prints at once");
    assert.equal(
      await inPanel(`document.dispatchEvent(new KeyboardEvent("keydown", { key: "p", ctrlKey: true, bubbles: true, cancelable: true }))`),
      true,
      "the shortcut is left to DevTools",
    );
    await inPanel(`document.querySelector('[data-action="export"]').click()`);
    await until("the export's form", () => inPanel(`document.querySelector('form[data-form="export"]') !== null`));
    assert.equal(await inPanel(`document.querySelector('[data-action="print"]')`), null);
    assert.match(
      await inPanel(`document.querySelector('form[data-form="export"]').innerText`),
      /To print, save a page, open it and print it there\./,
    );
    await inPanel(`document.querySelector('[data-action="export"]').click()`);
  });
  test("what it exports is really saved, and opens again in it", async () => {
    const saved = join(folder, "saved");
    const session = await browser.target().createCDPSession();
    await session.send("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: saved, eventsEnabled: true });
    const done = new Promise((resolve) => session.on("Browser.downloadProgress", ({ state }) => state === "completed" && resolve()));
    const before = await inPanel("runstateTest.header()");
    await inPanel(`document.querySelector('[data-action="export"]').click()`);
    await until("the export's form", () => inPanel(`document.querySelector('form[data-form="export"]') !== null`));
    await inPanel(`document.querySelector('form[data-form="export"] [type="submit"]').click()`);
    await Promise.race([done, new Promise((_, late) => setTimeout(() => late(new Error("nothing was saved")), 15_000).unref())]);
    const [name] = readdirSync(saved);
    assert.match(name, /^runstate-approval-a-.*\.json$/);
    const words = await inPanel(`document.querySelector('[data-field="exported"]').textContent`);
    assert.ok(words.startsWith(`Saved ${name}. `), words);

    const exported = readFileSync(join(saved, name), "utf8");
    const again = await inPanel(`runstateTest.paste(${JSON.stringify(exported)})`);
    const summary = ({ state, pill, runId, blockedKind, blocked, frameNo, seq, computedAt }) => ({
      state,
      pill,
      runId,
      blockedKind,
      blocked,
      frameNo,
      seq,
      computedAt,
    });
    assert.deepEqual(summary(again.header), summary(before));
  });
  test("it is really on screen", async () => {
    const bytes = Buffer.from((await front.send("Page.captureScreenshot")).data, "base64");
    const path = join(folder, "panel.png");
    writeFileSync(path, bytes);
    assert.ok(statSync(path).size > 5_000, `${bytes.length} bytes`);
    const box = await inPanel(
      `(({ width, height }) => ({ width, height }))(document.querySelector('section[data-tone]').getBoundingClientRect())`,
    );
    assert.ok(box.width > 200 && box.height > 30, JSON.stringify(box));
    assert.equal(await inPanel("document.visibilityState"), "visible");
  });
  test("the inspected page is as it was", async () => {
    const body = await page.evaluate(() => document.documentElement.outerHTML);
    assert.equal(
      body.replace(/\s+/g, " "),
      '<html lang="en"><head><title>Inspected</title></head><body><p id="only">A page of somebody else.</p></body></html>',
    );
    const added = await page.evaluate(() => Object.keys(window).filter((key) => /runstate/i.test(key)));
    assert.deepEqual(added, []);
  });
  test("nothing of the paste is kept", async () => {
    const kept = await inPanel(
      `(async () => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, await (chrome.storage?.local?.get() ?? {})]))()`,
    );
    assert.doesNotMatch(kept, /approval-a/);
  });
  test("after an update of the extension the panel says that it receives nothing more", async () => {
    // The pages that an earlier version has left open lose the interface of extensions.
    await inPanel("void Object.defineProperty(chrome, 'runtime', { value: {} })");
    const problem = "document.querySelector('[data-field=error][data-code=EXTENSION_ENDED]')";
    await until("the problem", () => inPanel(`${problem} !== null`));
    assert.match(await inPanel(`${problem}.innerText`), /was updated or removed.*Close the developer tools and open them again/s);
    assert.ok(await inPanel("document.querySelector('section[data-tone]') !== null"), "the run stays on screen");
  });
});
