// The attributes `src` and `assets` of <runstate-panel>: a document without a script of the page's, and where the panel's files are.
import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { until } from "../support/browser.mjs";
import { socketServer } from "../support/listener.mjs";
import { view } from "../support/make.mjs";
import { call, events, happens, property, recordEvents, set, shadow, state, waiting } from "../support/panel-element.mjs";
import { built } from "../support/paths.mjs";
import { serve } from "../support/server.mjs";
import { stage } from "../support/stage.mjs";

const page = (body, script = '<script type="module" src="/elements/define.js"></script>') =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Fleet</title><link rel="icon" href="data:,">${script}</head>
  <body><main><h1>Fleet</h1>${body}</main></body></html>`;
const withSrc = (src, more = "") => page(`<runstate-panel src="${src}" ${more}>Run release</runstate-panel>`);
const documents = {
  "/runs/waiting.json": JSON.stringify(waiting),
  "/runs/paused.json": JSON.stringify(view("r2", "paused")),
  "/runs/app.html": "<!doctype html><title>An application</title>",
};
// Requests that are answered later.
const held = [];
const policy =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'";
const host = await serve(built("npm"), {
  headers: { "content-security-policy": policy },
  extra: {
    ...documents,
    "/fleet/run.html": withSrc("../runs/waiting.json?key=k-4711"),
    "/fleet/header.html": withSrc("/runs/nowhere.json", 'view="header"'),
    "/none.html": page("<runstate-panel>Run release</runstate-panel>"),
    "/set.html": page("<runstate-panel>Run release</runstate-panel>", '<script type="module" src="/set.js"></script>'),
    "/set.js": `import { setAssets } from "/elements/index.js";
      setAssets("/panel-files");
      await import("/elements/define.js");`,
    "/own.html": page(
      '<runstate-panel assets="/elements/panel">Run release</runstate-panel>',
      '<script type="module" src="/set.js"></script>',
    ),
    "/single.html": page("<runstate-panel>Run release</runstate-panel>", '<script type="module" src="/single.js"></script>'),
    "/single.js": `import { setAssets } from "/elements/runstate-elements.js";
      setAssets("/panel-files/");
      document.querySelector("main").append(document.createElement("runstate-panel"));`,
  },
  handle(request, response) {
    if (request.url !== "/runs/slow.json") return false;
    held.push(response);
    return true;
  },
});
const other = await serve(undefined, { extra: documents });
const { newPage } = await stage();
after(() => Promise.all([host.close(), other.close()]));

async function show(path) {
  const opened = await newPage();
  await opened.page.evaluateOnNewDocument(recordEvents);
  await opened.page.goto(`${host.origin}${path}`);
  return opened;
}
async function started(path = "/none.html") {
  const opened = await show(path);
  await happens(opened.page, "ready");
  return opened;
}
const problem = (opened) => shadow(opened, "[data-code]", "element.textContent");

describe("src", () => {
  test("shows a document without a script of the page's, relative to the page", async () => {
    const { page: opened, close } = await show("/fleet/run.html");
    await state(opened, "waiting-approval");
    assert.equal((await property(opened, "runState")).runId, "r1");
    const source = await property(opened, "header");
    const { value } = source.fields.find(({ field }) => field === "source").value;
    assert.equal(value, "waiting.json", "the name of the document, without the query");
    await close();
  });

  test("another address shows another document; content precedes it, and a Gateway follows it", async () => {
    const { page: opened, close } = await started();
    await set(opened, { src: "/runs/waiting.json", gateway: "ws://127.0.0.1:1" });
    await state(opened, "waiting-approval");
    await set(opened, { src: "/runs/paused.json" });
    await state(opened, "paused");
    await set(opened, { content: view("r3", "failed") });
    await state(opened, "failed");
    await set(opened, { content: null });
    await state(opened, "paused");
    await set(opened, { src: null, gateway: null });
    await opened.waitForFunction(() => document.querySelector("runstate-panel").runState === undefined);
    assert.deepEqual(await events(opened, "refusal"), []);
    await close();
  });

  test("an address of another kind: data of the page itself, and one of another origin that the policy forbids", async () => {
    const { page: opened, log, close } = await started();
    const blob = await opened.evaluate((text) => URL.createObjectURL(new Blob([text])), documents["/runs/paused.json"]);
    await set(opened, { src: blob });
    await happens(opened, "refusal");
    assert.equal((await events(opened, "refusal"))[0].code, "DOCUMENT_NOT_LOADED", "the policy of this page forbids it");
    await set(opened, { src: `${other.origin}/runs/paused.json` });
    await happens(opened, "refusal", 2);
    log.allow(/policy|Content Security|Content-Security-Policy|connect-src/i);
    await close();
  });

  const refused = [
    ["/runs/nowhere.json?token=t-4711", "DOCUMENT_NOT_LOADED", /responded with 404 for http:\/\/127\.0\.0\.1:\d+\/runs\/nowhere\.json\./],
    ["http://[", "DOCUMENT_NOT_LOADED", /found a text that is no address/],
    ["http://mira:s-4711@127.0.0.1/run.json", "DOCUMENT_NOT_LOADED", /did not load http:\/\/127\.0\.0\.1\/run\.json/],
    ["/runs/app.html", "NOT_JSON", /./],
  ];
  for (const [src, code, message] of refused) {
    test(`${src} is refused with ${code}, and the screen stays`, async () => {
      const { page: opened, log, close } = await started();
      await set(opened, { src: "/runs/waiting.json" });
      await state(opened, "waiting-approval");
      await set(opened, { src });
      await happens(opened, "refusal");
      const [refusal] = await events(opened, "refusal");
      assert.equal(refusal.code, code);
      assert.match(refusal.message, message);
      assert.ok(!JSON.stringify(refusal).includes("4711"), "no secret of an address is repeated");
      assert.equal((await property(opened, "runState")).state, "waiting-approval");
      await opened.waitForFunction(() => document.querySelector("runstate-panel").shadowRoot.querySelector("[data-code]"));
      assert.ok((await problem(opened)).includes(refusal.message));
      log.allow(/404|Content Security|policy/i);
      await close();
    });
  }

  test("a header without a run says why, in place of what the page wrote", async () => {
    const { page: opened, log, close } = await show("/fleet/header.html");
    await happens(opened, "refusal");
    await opened.waitForFunction(() => document.querySelector("runstate-panel").shadowRoot.querySelector("[data-code]")?.checkVisibility());
    assert.match(await problem(opened), /responded with 404/);
    assert.equal(await shadow(opened, "[part=fallback]", "true"), null);
    await set(opened, { src: "/runs/paused.json" });
    await state(opened, "paused");
    log.allow(/404/);
    await close();
  });

  test("only the last address counts, and one of a removed panel is given up", async () => {
    const { page: opened, close } = await started();
    await set(opened, { src: "/runs/slow.json" });
    await until("the request", () => held.length === 1);
    const closed = new Promise((done) => held[0].on("close", done));
    await set(opened, { src: "/runs/paused.json" });
    await state(opened, "paused");
    await closed;

    await set(opened, { src: "/runs/slow.json" });
    await until("the second request", () => held.length === 2);
    const given = new Promise((done) => held[1].on("close", done));
    await opened.$eval("runstate-panel", (panel) => panel.remove());
    await given;
    assert.deepEqual(await events(opened, "refusal"), []);
    await close();
  });

  test("what a method opens stays while an address loads", async () => {
    const { page: opened, close } = await started();
    await set(opened, { src: "/runs/slow.json" });
    await until("the request", () => held.length === 3);
    await call(opened, "open", view("r4", "failed"));
    await state(opened, "failed");
    held[2].writeHead(200, { "content-type": "application/json" }).end(documents["/runs/paused.json"]);
    await happens(opened, "change", 1);
    await opened.evaluate(() => new Promise((done) => setTimeout(done, 200)));
    assert.equal((await property(opened, "runState")).state, "failed");
    await close();
  });

  test("with a frame, the page loads the document and the frame shows it", async () => {
    const { page: opened, close } = await newPage();
    const framed = await serve(built("npm"), {
      extra: { ...documents, "/framed.html": withSrc("/runs/waiting.json", "frame"), "/lost.html": withSrc("/runs/nowhere.json", "frame") },
    });
    await opened.evaluateOnNewDocument(recordEvents);
    await opened.goto(`${framed.origin}/framed.html`);
    await happens(opened, "change");
    assert.equal((await property(opened, "runState")).state, "waiting-approval");
    await close();
    const lost = await newPage();
    await lost.page.evaluateOnNewDocument(recordEvents);
    await lost.page.goto(`${framed.origin}/lost.html`);
    await happens(lost.page, "refusal");
    assert.equal((await events(lost.page, "refusal"))[0].code, "DOCUMENT_NOT_LOADED");
    lost.log.allow(/404/);
    await lost.close();
    await framed.close();
  });
});

describe("the panel's files", () => {
  // The files of the panel in another folder.
  const elsewhere = (path) => path.startsWith("/panel-files/");

  test("the page's folder is that of all panels without one of their own, and is named if it is missing", async () => {
    for (const [path, found] of [
      ["/set.html", /\/panel-files\/mount\.js/],
      ["/single.html", /\/panel-files\/mount\.js/],
    ]) {
      const { page: opened, log, close } = await show(path);
      await happens(opened, "error");
      const { code, message } = (await events(opened, "error")).at(-1);
      assert.deepEqual([code, found.test(message)], ["NOT_LOADED", true], message);
      log.allow(/404|Loading module/);
      await close();
    }
    assert.ok(host.requests.some(elsewhere));
    const { page: opened, close } = await started("/own.html");
    await call(opened, "open", waiting);
    await state(opened, "waiting-approval");
    await close();
  });

  test("without an address the page's folder is forgotten, and a panel moves to another folder", async () => {
    const { page: opened, log, close } = await show("/set.html");
    await happens(opened, "error");
    await opened.evaluate(async () => {
      const { setAssets } = await import("/elements/index.js");
      setAssets(null);
      document.querySelector("main").append(document.createElement("runstate-panel"));
    });
    await happens(opened, "ready");
    await set(opened, { assets: "/elements/panel/" });
    await happens(opened, "ready", 2);
    log.allow(/404|Loading module/);
    await close();
  });
});
