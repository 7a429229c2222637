// The built extension in the real DevTools of a real browser.
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { launch, until } from "../support/browser.mjs";
import { text } from "../support/captures.mjs";
import { helperSource } from "../support/panel.mjs";
import { built } from "../support/paths.mjs";

const title = "Runstate";
const inspected = "<!doctype html><html lang=en><title>Inspected</title><p id=only>A page of somebody else.</p>";
const manifest = JSON.parse(readFileSync(built("extension", "manifest.json"), "utf8"));

describe("the extension's files", () => {
  test("it asks for storage at most, and puts nothing into pages", () => {
    assert.equal(manifest.manifest_version, 3);
    assert.deepEqual((manifest.permissions ?? []).filter((permission) => permission !== "storage"), []);
    for (const key of ["host_permissions", "optional_host_permissions", "content_scripts", "web_accessible_resources", "externally_connectable"]) {
      assert.equal(manifest[key], undefined, key);
    }
    assert.doesNotMatch(manifest.content_security_policy?.extension_pages ?? "", /unsafe-inline|unsafe-eval(?<!wasm-unsafe-eval)|https?:/);
  });
  test("no page of it holds an inline script or asks another host for one", () => {
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
  let browser, server, page, folder, front, inFront, inPanel;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "runstate-devtools-"));
    server = createServer((_, response) => response.writeHead(200, { "content-type": "text/html" }).end(inspected));
    await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
    browser = await launch({ devtools: true, enableExtensions: [built("extension")], args: ["--auto-open-devtools-for-tabs"] });
    page = (await browser.pages())[0];
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    const devtools = await until("the DevTools window", () => browser.targets().find((target) => target.url().startsWith("devtools://")));
    front = await devtools.createCDPSession();
    await front.send("Runtime.enable");
    inFront = evaluator(front);
    inPanel = evaluator(await (await openPanel()).createCDPSession());
    await until("the panel's first screen", () => inPanel(`document.querySelector('section.snapshot, section.screen') !== null`));
    await inPanel(helperSource);
  });
  after(async () => {
    await browser?.close();
    server?.closeAllConnections();
    server?.close();
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  const evaluator = (session) => async (expression) => {
    const { result, exceptionDetails } = await session.send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  };
  // The id of an extension's panel ends in its title without spaces.
  const select = (matches) =>
    inFront(`(async () => {
      const { InspectorView } = await import("./ui/legacy/legacy.js");
      const view = InspectorView.InspectorView.instance();
      const id = (view.tabbedPane?.tabIds() ?? []).find((id) => ${matches});
      if (id) await view.showPanel(id);
      return id;
    })()`).catch(() => undefined);
  // A panel that is shown while DevTools still starts never loads its page: leave it and come back until it is there.
  const openPanel = () =>
    until("the panel's page", async () => {
      await select(`id.endsWith(${JSON.stringify(title)})`);
      const target = await browser.waitForTarget((each) => each.url().endsWith("/panel.html"), { timeout: 700 }).catch(() => undefined);
      if (!target) await select('id === "console"');
      return target;
    }, { timeout: 30_000 });

  test("the panel opens on the connect screen", async () => {
    assert.equal(await inPanel(`document.querySelector('section.screen').dataset.screen`), "connect");
  });
  test("its theme is that of DevTools", async () => {
    const theme = await inPanel("chrome.devtools.panels.themeName");
    assert.equal(await inPanel("document.documentElement.dataset.theme"), theme === "dark" ? "dark" : "light");
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
    const said = ({ state, pill, runId, blockedKind, blocked, frameNo, seq, computedAt }) => ({ state, pill, runId, blockedKind, blocked, frameNo, seq, computedAt });
    assert.deepEqual(said(again.header), said(before));
  });
  test("it is really on screen", async () => {
    const bytes = Buffer.from((await front.send("Page.captureScreenshot")).data, "base64");
    const path = join(folder, "panel.png");
    writeFileSync(path, bytes);
    assert.ok(statSync(path).size > 5_000, `${bytes.length} bytes`);
    const box = await inPanel(`(({ width, height }) => ({ width, height }))(document.querySelector('section.snapshot').getBoundingClientRect())`);
    assert.ok(box.width > 200 && box.height > 30, JSON.stringify(box));
    assert.equal(await inPanel("document.visibilityState"), "visible");
  });
  test("no policy was broken", async () => {
    const broken = await inPanel(`(async () => {
      const seen = [];
      new ReportingObserver((reports) => seen.push(...reports.map(({ body }) => body.blockedURL + body.effectiveDirective)), { types: ["csp-violation"], buffered: true }).observe();
      await new Promise((done) => setTimeout(done, 100));
      return seen;
    })()`);
    assert.deepEqual(broken, []);
  });
  test("the inspected page is as it was", async () => {
    const body = await page.evaluate(() => document.documentElement.outerHTML);
    assert.equal(body.replace(/\s+/g, " "), '<html lang="en"><head><title>Inspected</title></head><body><p id="only">A page of somebody else.</p></body></html>');
    const added = await page.evaluate(() => Object.keys(window).filter((key) => /runstate/i.test(key)));
    assert.deepEqual(added, []);
  });
  test("nothing of the paste is kept", async () => {
    const kept = await inPanel(`(async () => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, await (chrome.storage?.local?.get() ?? {})]))()`);
    assert.doesNotMatch(kept, /approval-a/);
  });
});
