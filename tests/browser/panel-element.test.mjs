// <runstate-panel> in other people's pages: what it shows, what a page can do with it, what it reports, and that it leaves nothing.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, beforeEach, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { axe, installMeasure, prefer } from "../support/a11y.mjs";
import { collectGarbage, driven, failedConnection, onlyChromium, until } from "../support/browser.mjs";
import { all, said } from "../support/captures.mjs";
import { countResources, recordWorkers, resourcesOf } from "../support/resources.mjs";
import { freePort, socketServer } from "../support/listener.mjs";
import { snapshot, task, view } from "../support/make.mjs";
import { built, root, vector } from "../support/paths.mjs";
import { recordedGateway } from "../support/recorded.mjs";
import { serve } from "../support/server.mjs";
import { stage } from "../support/stage.mjs";

const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'";
const document = (body, script = "define.js") => `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Fleet</title>
  <link rel="icon" href="data:,"><script type="module" src="/elements/${script}"></script></head>
  <body><main><h1>Fleet</h1>${body}</main></body></html>`;
const one = (attributes = "") => document(`<runstate-panel ${attributes}>Run release: <a href="/runs">all runs</a></runstate-panel>`);
const gateway = recordedGateway("approval-a", { moment: "waiting", token: "operator-token" });
const extra = {
  "/none.html": document(""),
  "/one.html": one(),
  "/lost.html": one('src="/nowhere"'),
  "/slotted.html": document('<runstate-panel src="/nowhere/"><b slot="error">Ask the platform team.</b>Run release</runstate-panel>'),
  "/single.html": document("<runstate-panel>Run release</runstate-panel>", "runstate-elements.js"),
};
const host = await serve(built("npm"), { headers: { "content-security-policy": policy }, extra, handle: gateway.handle });
const plain = await serve(built("npm"), { extra, handle: gateway.handle });
const silentPort = await freePort();
const { newPage } = await stage();
after(() => Promise.all([host.close(), plain.close()]));
beforeEach(() => Object.assign(gateway, { moment: "waiting", token: "operator-token", authorizations: [] }));

// Records every event of the elements, from before they are defined.
function record() {
  window.events = [];
  for (const name of ["ready", "change", "freshness", "select", "refusal", "error", "action"]) {
    addEventListener(`runstate-${name}`, ({ detail, target }) => window.events.push({ name, detail, target: target.localName }));
  }
}

async function show(path, { origin = host.origin } = {}) {
  const opened = await newPage();
  await installMeasure(opened.page);
  await opened.page.evaluateOnNewDocument(record);
  await opened.page.goto(`${origin}${path}`);
  await opened.page.waitForFunction(() => customElements.get("runstate-panel"));
  return opened;
}
const events = (page, name) => page.evaluate((wanted) => window.events.filter((event) => event.name === wanted).map(({ detail }) => detail), name);
const happens = (page, name, count = 1) =>
  page.waitForFunction((wanted, least) => window.events.filter((event) => event.name === wanted).length >= least, {}, name, count);

/** A page with one panel that has started. */
async function started(path = "/one.html", options) {
  const opened = await show(path, options);
  await happens(opened.page, "ready");
  return opened;
}
/** Calls a method of the panel: `{value}` or `{code, message}`. */
const call = (page, method, ...values) =>
  page.$eval(
    "runstate-panel",
    async (panel, name, list) => {
      try {
        return { value: await panel[name](...list) };
      } catch ({ code, message }) {
        return { code, message };
      }
    },
    method,
    values,
  );
const shadow = (page, selector, read) =>
  page.evaluate((query, source) => {
    const found = document.querySelector("runstate-panel").shadowRoot.querySelector(query);
    return found && new Function("element", `return ${source}`)(found);
  }, selector, read);
const set = (page, values) => page.$eval("runstate-panel", (panel, entries) => Object.assign(panel, entries), values);
const state = (page, word) =>
  page.waitForFunction((wanted) => document.querySelector("runstate-panel").shadowRoot.querySelector("section[data-tone]")?.dataset.state === wanted, {}, word);
const property = (page, name) => page.$eval("runstate-panel", (panel, key) => panel[key], name);
const matches = (page, selector) => page.$eval("runstate-panel", (panel, text) => panel.matches(text), selector);
const waiting = view("r1", "waiting-approval", { blocked: { kind: "approval", nodeId: "gate", requestedAt: "2026-11-21T21:00:00.000Z" } });

describe("starting", () => {
  test("under a policy without inline styles, and without anything of the page's own", async () => {
    const { page, close } = await started();
    const look = await page.evaluate(() => ({
      title: document.title,
      hash: location.hash,
      heads: document.head.querySelectorAll("style, link[rel=stylesheet]").length,
      sheets: document.adoptedStyleSheets.length,
      globals: Object.keys(window).filter((name) => /runstate|wasm_bindgen/i.test(name) && name !== "runstateMeasure"),
      text: document.querySelector("runstate-panel").shadowRoot.querySelector("[part=base]").getAttribute("aria-label"),
      height: document.querySelector("runstate-panel").getBoundingClientRect().height,
    }));
    assert.deepEqual(look, { title: "Fleet", hash: "", heads: 0, sheets: 0, globals: [], text: "Runstate", height: 384 });
    assert.ok(await shadow(page, '[data-screen="connect"]', "element.checkVisibility()"));
    assert.equal(await shadow(page, "[part=fallback]", "true"), null, "what the page wrote gives way");
    await close();
  });

  test("three panels compile the module once, and each has its own run", async () => {
    const { page, close } = await show("/none.html", { origin: plain.origin });
    const before = plain.requests.filter((path) => /\.wasm(\?|$)/.test(path)).length;
    await page.evaluate((views) => {
      for (const content of views) document.querySelector("main").append(Object.assign(document.createElement("runstate-panel"), { document: content }));
    }, ["failed", "paused", "succeeded"].map((word, index) => view(`r${index}`, word)));
    await happens(page, "change", 3);
    assert.equal(plain.requests.filter((path) => /\.wasm(\?|$)/.test(path)).length, before + 1);
    const states = await page.$$eval("runstate-panel", (panels) => panels.map((panel) => panel.runState));
    assert.deepEqual(states.map(({ runId, state }) => [runId, state]), [["r0", "failed"], ["r1", "paused"], ["r2", "succeeded"]]);
    const sheets = await page.$$eval("runstate-panel", (panels) => new Set(panels.flatMap((panel) => [...panel.shadowRoot.adoptedStyleSheets])).size);
    assert.equal(sheets, 3, "one of the element and two of the panel, shared");
    await close();
  });

  test("a lazy panel starts when it comes into view", async () => {
    const { page, close } = await show("/none.html");
    await page.evaluate(() => {
      const panel = Object.assign(document.createElement("runstate-panel"), { loading: "lazy", id: "second" });
      const space = Object.assign(document.createElement("div"), { id: "space" });
      space.style.height = "4000px";
      document.querySelector("main").append(space, panel);
    });
    await page.$eval("#second", (panel) => new Promise((done) => new IntersectionObserver(done).observe(panel)));
    assert.ok(!(await page.$eval("#second", (panel) => panel.shadowRoot.querySelector(".root"))), "not started out of view");
    await page.$eval("#second", (panel) => panel.scrollIntoView());
    await page.waitForFunction(() => document.querySelector("#second").shadowRoot.querySelector("[data-screen=connect]"));
    await close();
  });

  test("a lazy panel out of view starts for a method", async () => {
    const { page, close } = await show("/none.html");
    const shown = await page.evaluate(async (content) => {
      const space = document.createElement("div");
      space.style.height = "4000px";
      const panel = Object.assign(document.createElement("runstate-panel"), { loading: "lazy" });
      document.querySelector("main").append(space, panel);
      await panel.open(content);
      return panel.runState ?? new Promise((done) => panel.addEventListener("runstate-change", () => done(panel.runState)));
    }, waiting);
    assert.equal(shown.state, "waiting-approval");
    await close();
  });

  for (const [path, slot] of [["/lost.html", "all runs"], ["/slotted.html", "Ask the platform team."]]) {
    test(`files that are missing are named, and the page's text stays (${path})`, async () => {
      const { page, log, close } = await show(path);
      await happens(page, "error");
      log.take(/404|Loading module/);
      const [{ code, message }] = await events(page, "error");
      assert.equal(code, "NOT_LOADED");
      assert.match(message, /\/nowhere\/mount\.js/);
      const part = await shadow(page, "[part=error]", "[element.getAttribute('role'), element.textContent, [...element.querySelectorAll('slot')].flatMap((slot) => slot.assignedNodes()).map((node) => node.textContent).join(' ')]");
      assert.equal(part[0], "alert");
      assert.match(part[1], /could not start.*NOT_LOADED/s);
      assert.ok(part[2].includes(slot), part[2]);
      assert.equal((await call(page, "open", waiting)).code, "NOT_LOADED");
      await close();
    });
  }

  test("loading that takes long can be stopped, and goes on with another try; both pass axe", async () => {
    const held = [];
    const wasm = readFileSync(built("npm", "elements", "panel", "runstate-panel_bg.wasm"));
    const slow = await serve(built("npm"), {
      extra,
      handle(request, response) {
        if (!request.url.includes(".wasm")) return false;
        response.writeHead(200, { "content-type": "application/wasm" }).write(wasm.subarray(0, 2000));
        held.push(response);
        return true;
      },
    });
    const { page, close } = await show("/one.html", { origin: slow.origin });
    const message = () => shadow(page, ".message", "element.innerText");
    await page.waitForFunction(() => document.querySelector("runstate-panel").shadowRoot.querySelector("[part=fallback] button"));
    assert.match(await message(), /Still loading the panel, 2 kB so far\..*Stop/s);
    assert.deepEqual((await axe(page)).problems, []);
    const opening = call(page, "open", waiting);
    await page.evaluate(() => document.querySelector("runstate-panel").shadowRoot.querySelector("[part=fallback] button").click());
    await happens(page, "error");
    const [{ code, message: words }] = await events(page, "error");
    assert.deepEqual([code, words], ["STOPPED", "Loading was stopped."]);
    assert.equal((await opening).code, "STOPPED");
    assert.match(await message(), /could not start.*Loading was stopped\..*STOPPED.*Try again/s);
    assert.deepEqual((await axe(page)).problems, []);
    for (const response of held.splice(0)) response.end(wasm.subarray(2000));
    await page.evaluate(() => document.querySelector("runstate-panel").shadowRoot.querySelector("[part=error] button").click());
    await happens(page, "ready");
    await close();
    await slow.close();
  });

  test("what is said while it loads and where it cannot start is announced: the role is there before the text", async () => {
    const { page, log, close } = await newPage();
    await page.evaluateOnNewDocument(() => {
      // In the order in which they happened: what was added to what, and which role the place had then.
      window.added = [];
      const { attachShadow } = Element.prototype;
      Element.prototype.attachShadow = function (options) {
        const root = attachShadow.call(this, options);
        const note = ({ type, target, addedNodes }) => {
          if (type === "attributes") window.added.push(["role later", target.className]);
          for (const node of addedNodes) window.added.push([node.className ?? node.nodeName, target.className ?? target.nodeName, target.role ?? null, node.nodeType === Node.TEXT_NODE ? node.data : ""]);
        };
        new MutationObserver((records) => records.forEach(note)).observe(root, { subtree: true, childList: true, attributes: true, attributeFilter: ["role"] });
        return root;
      };
    });
    await page.goto(`${host.origin}/lost.html`);
    await page.waitForFunction(() => document.querySelector("runstate-panel").shadowRoot?.querySelector("[role=alert]"));
    const added = await page.evaluate(() => window.added);
    const index = (...wanted) => added.findIndex((entry) => wanted.every((value, at) => value === undefined || entry[at] === value));
    assert.equal(index("role later"), -1);
    assert.ok(index("status", "message") >= 0 && index("status", "message") < index("#text", "status", "status", "Loading the panel."), JSON.stringify(added));
    const title = index("title", "message", "alert");
    assert.ok(title > 0 && added.slice(0, title).some(([name]) => name === "message"), JSON.stringify(added));
    log.take(/404|Loading module/);
    await close();
  });

  test("a module that is missing, and a policy that refuses WebAssembly, are told apart; another try succeeds", async () => {
    let missing = true;
    const broken = await serve(built("npm"), { extra, missing: (path) => missing && path.endsWith(".wasm") });
    const { page, log, close } = await show("/one.html", { origin: broken.origin });
    await happens(page, "error");
    assert.equal((await events(page, "error"))[0].code, "NOT_FOUND");
    missing = false;
    await shadow(page, "[part=error] button", "element.click()");
    await happens(page, "ready");
    log.take(/404/);
    await close();
    await broken.close();

    const refusing = await serve(built("npm"), { extra, headers: { "content-security-policy": "script-src 'self'" } });
    const other = await show("/one.html", { origin: refusing.origin });
    await happens(other.page, "error");
    const [{ code, hint }] = await events(other.page, "error");
    assert.equal(code, "WASM_REFUSED");
    assert.match(hint, /wasm-unsafe-eval.*frame/);
    other.log.take(/policy|Content Security|WebAssembly/i);
    await other.close();
    await refusing.close();
  });
});

describe("documents", () => {
  const captured = all().filter(({ name, text }) => said(text) && /rpc-(runs\.get|getRun|getDevToolsSnapshot)/.test(name)).slice(0, 30);

  test(`${captured.length} captured answers: state, run and event are those of the capture`, async () => {
    assert.ok(captured.length >= 20);
    const { page, close } = await started();
    for (const { name, text } of captured) {
      const { view: expected } = said(text);
      const result = await page.$eval("runstate-panel", async (panel, content) => {
        const changed = new Promise((done) => panel.addEventListener("runstate-change", ({ detail }) => detail.state && done()));
        panel.disconnect();
        await panel.open(content);
        await changed;
        const drawn = () => panel.shadowRoot.querySelector("section[data-tone]")?.dataset.state;
        while (drawn() !== panel.runState?.state) await new Promise((done) => setTimeout(done, 10));
        return { view: panel.runState, drawn: drawn(), events: window.events.splice(0) };
      }, text);
      assert.deepEqual([result.view?.runId, result.view?.state, result.drawn], [expected.runId, expected.state, expected.state], name);
      assert.equal(result.view.blocked?.kind, expected.blocked?.kind, name);
      const change = result.events.findLast((event) => event.name === "change").detail;
      assert.deepEqual([change.state, change.runId], [expected.state, expected.runId], name);
    }
    await close();
  });

  test("text, bytes, a file, several files and an object; also as the property document", async () => {
    const { page, close } = await started();
    const files = ["runs.get.json", "getDevToolsSnapshot.json", "listNodeStates.json"].map((name) => [name, readFileSync(vector(`documents/valid/killed-a/${name}`), "utf8")]);
    const shown = await page.$eval("runstate-panel", async (panel, content, list) => {
      const text = JSON.stringify(content);
      const bytes = new TextEncoder().encode(text);
      const inputs = [text, bytes, bytes.buffer, new Blob([bytes]), new File([bytes], "run.json"), [new File([bytes], "a.json")], content, list.map(([name, body]) => new File([body], name))];
      const seen = [];
      for (const input of inputs) {
        panel.disconnect();
        const changed = new Promise((done) => panel.addEventListener("runstate-change", ({ detail }) => detail.state && done(detail.runId), { once: false }));
        await panel.open(input);
        seen.push(await changed);
      }
      return seen;
    }, waiting, files);
    assert.deepEqual(shown, [...Array(7).fill("r1"), "killed-a"]);
    await set(page, { document: view("by-property", "paused") });
    await state(page, "paused");
    assert.equal((await property(page, "document")).runId, "by-property");
    await set(page, { document: null });
    await page.waitForFunction(() => document.querySelector("runstate-panel").runState === undefined);
    await close();
  });

  test("what cannot be opened is refused with its code, and the screen stays", async () => {
    const { page, close } = await started();
    await call(page, "open", waiting);
    await state(page, "waiting-approval");
    const refused = [
      ["{", "NOT_JSON"], ["", "EMPTY_INPUT"], ["[]", "NOT_RECOGNISED"], [42, "INVALID_DOCUMENT"], [null, "INVALID_DOCUMENT"], [true, "INVALID_DOCUMENT"],
      [{ nothing: "known" }, "NOT_RECOGNISED"], [[], "INVALID_DOCUMENT"],
    ];
    for (const [input, expected] of refused) {
      const { code, message } = await call(page, "open", input);
      assert.equal(code, expected, JSON.stringify(input));
      assert.ok(message.length > 20, message);
      assert.equal((await property(page, "runState")).state, "waiting-approval");
    }
    // What is no document at all is an error of the page's own code, and no event.
    const codes = (await events(page, "refusal")).map(({ code }) => code);
    assert.deepEqual(codes, refused.map(([, code]) => code).filter((code) => code !== "INVALID_DOCUMENT"));
    await close();
  });

  test("the last of several opens wins; the others say so", async () => {
    const { page, close } = await started();
    const results = await page.$eval("runstate-panel", (panel, views) => Promise.all(views.map((each) => panel.open(each).then(() => "shown", ({ code }) => code))), [view("a", "failed"), view("b", "failed"), view("c", "paused")]);
    assert.deepEqual(results, ["SUPERSEDED", "SUPERSEDED", "shown"]);
    await state(page, "paused");
    assert.deepEqual(await events(page, "refusal"), []);
    await close();
  });

  test("an export is a file without secrets that opens again", async () => {
    const { page, close } = await started();
    assert.equal((await call(page, "export")).code, "NOTHING_TO_EXPORT");
    await call(page, "open", { ...waiting, api_key: "sk-live-4711-secret-value", note: "private" });
    await state(page, "waiting-approval");
    const [name, type, text] = await page.$eval("runstate-panel", async (panel) => {
      const file = await panel.export({ keys: ["note"] });
      return [file.name, file.type, await file.text()];
    });
    assert.match(name, /\.json$/);
    assert.equal(type, "application/json");
    assert.ok(!text.includes("4711") && !text.includes("private"), text);
    const buttons = await page.$eval("runstate-panel", async (panel) => {
      panel.shadowRoot.querySelector("[data-action=export]").click();
      await new Promise(requestAnimationFrame);
      return [...panel.shadowRoot.querySelectorAll("[data-form=export] button")].map((button) => button.textContent);
    });
    assert.deepEqual(buttons, ["Save file"], "saving and printing the page is up to the page");
    await call(page, "disconnect");
    assert.equal((await call(page, "open", text)).code, undefined);
    await state(page, "waiting-approval");
    await close();
  });
});

describe("connections", () => {
  test("attributes and the token property connect; the events say what happened; the token is nowhere", async () => {
    const { page, log, close } = await started();
    await page.$eval("runstate-panel", (panel, origin) => {
      panel.gateway = origin;
      panel.run = "approval-a";
      panel.token = "operator-token";
    }, host.origin);
    await state(page, "waiting-approval");
    assert.ok(gateway.authorizations.length > 0 && gateway.authorizations.every((header) => header === "Bearer operator-token"), "connected once, for all three");
    await happens(page, "change");
    const [change] = await events(page, "change");
    assert.deepEqual([change.state, change.previous, change.runId, change.blocked], ["waiting-approval", undefined, "approval-a", "approval"]);
    assert.match(change.reason, /^Waiting for a decision at /);
    await page.waitForFunction(() => document.querySelector("runstate-panel").matches(":state(live)"));
    assert.ok((await events(page, "freshness")).some(({ freshness }) => freshness === "live"));
    const [html, value] = await page.evaluate(() => [document.documentElement.outerHTML + document.querySelector("runstate-panel").shadowRoot.innerHTML + location.href, String(document.querySelector("runstate-panel").token)]);
    assert.ok(!html.includes("operator-token") && value === "undefined");
    assert.ok(log.requests.every((url) => !url.includes("operator-token")));

    gateway.moment = "";
    await state(page, "succeeded");
    const last = (await events(page, "change")).at(-1);
    assert.deepEqual([last.state, last.previous], ["succeeded", "waiting-approval"]);
    await page.$eval("runstate-panel", (panel) => panel.removeAttribute("gateway"));
    await page.waitForFunction(() => document.querySelector("runstate-panel").runState === undefined);
    await until("no worker", () => page.workers().length === 0);
    log.take(/404/);
    await close();
  });

  test("connect() resolves when runs are shown, and rejects with what the Gateway refuses", async () => {
    const { page, log, close } = await started();
    const refused = await call(page, "connect", { url: host.origin, token: "wrong", run: "approval-a" });
    assert.match(refused.code, /UNAUTHORIZED/i);
    assert.ok(await matches(page, ":state(refused)"));
    assert.match((await events(page, "refusal")).at(-1).code, /UNAUTHORIZED/i);
    const ok = await call(page, "connect", { url: host.origin, token: "operator-token", run: "approval-a" });
    assert.deepEqual([ok.code, ok.value], [undefined, undefined]);
    assert.equal((await property(page, "runState")).state, "waiting-approval");
    assert.equal((await property(page, "header")).state, "waiting-approval");
    log.take(/401|404/);
    await close();
  });

  test("the token of the attribute's Gateway is not sent to another one", async () => {
    const { page, log, close } = await started();
    await page.$eval("runstate-panel", (panel) => Object.assign(panel, { token: "operator-token", run: "approval-a" }));
    assert.match((await call(page, "connect", { url: host.origin })).code, /UNAUTHORIZED/i);
    assert.ok(gateway.authorizations.length > 0 && gateway.authorizations.every((header) => header === undefined));
    log.take(/401/);
    await close();
  });

  const others = [];
  after(() => Promise.all(others.map((close) => close())));
  // A Gateway of another origin that never answers: `tokens` are those that it was sent, again with every new try.
  async function other() {
    const tokens = [];
    const { url, close } = await socketServer((socket) => socket.on("message", (data) => tokens.push(JSON.parse(data).params.auth?.token)));
    others.push(close);
    const asked = (count) => until(`${count} connections`, () => tokens.length >= count);
    return { url, tokens, asked };
  }

  test("a token is dropped when the attribute names another Gateway without a new one", async () => {
    const { url, tokens, asked } = await other();
    const { page, log, close } = await started("/one.html", plain);
    await set(page, { gateway: plain.origin, run: "approval-a", token: "operator-token" });
    await state(page, "waiting-approval");
    await set(page, { gateway: url });
    await asked(1);
    assert.ok(tokens.every((token) => token === undefined), tokens.join());

    gateway.authorizations = [];
    await set(page, { gateway: plain.origin });
    await happens(page, "refusal");
    assert.ok(gateway.authorizations.every((header) => header === undefined), "nor is it sent to the first one again");

    await set(page, { gateway: url, token: "other-token" });
    await until("the other token", () => tokens.includes("other-token"));
    await set(page, { gateway: plain.origin, token: "operator-token" });
    await state(page, "waiting-approval");
    await set(page, { token: "third-token", gateway: url });
    await until("the third token", () => tokens.includes("third-token"));
    assert.deepEqual(tokens.filter((token, index) => index === 0 || token !== tokens[index - 1]), [undefined, "other-token", "third-token"], "a new one goes to the Gateway that is set with it, in any order");
    log.take(/401|404/);
    await close();
  });

  test("nor is it sent by connect() at once, or by a panel that starts later", async () => {
    const { url, tokens, asked } = await other();
    const { page, log, close } = await started("/one.html", plain);
    await set(page, { gateway: plain.origin, run: "approval-a", token: "operator-token" });
    await state(page, "waiting-approval");
    await page.$eval("runstate-panel", (panel, address) => {
      panel.gateway = address;
      panel.connect().catch(() => {});
      panel.connect({ url: address }).catch(() => {});
    }, url);
    await asked(1);

    const later = await other();
    await page.evaluate(async (first, second) => {
      const panel = Object.assign(document.createElement("runstate-panel"), { gateway: first, token: "early-token" });
      await null;
      panel.gateway = second;
      document.querySelector("main").append(panel);
    }, plain.origin, later.url);
    await later.asked(1);
    assert.ok([...tokens, ...later.tokens].every((token) => token === undefined), tokens.join());

    await page.evaluate(async (address) => {
      const panel = Object.assign(document.createElement("runstate-panel"), { token: "first-token" });
      document.querySelector("main").append(panel);
      await new Promise((done) => panel.addEventListener("runstate-ready", done));
      panel.gateway = address;
    }, url);
    await until("the token of the first Gateway", () => tokens.includes("first-token"));
    log.take(/401|404/);
    await close();
  });

  const bad = [
    [{}, "INVALID_ADDRESS"],
    [{ url: "ftp://gateway.example" }, "INVALID_ADDRESS"],
    [{ url: "ws://user:pass-9981@127.0.0.1" }, "CREDENTIALS_IN_ADDRESS"],
    [{ url: "ws://127.0.0.1/?token=pass-9981" }, "CREDENTIALS_IN_ADDRESS"],
    [{ url: "ws://127.0.0.1:1", token: "line\nbreak" }, "INVALID_TOKEN"],
    [{ url: "ws://gateway.example", token: "t" }, "INSECURE_ADDRESS"],
  ];
  for (const [options, expected] of bad) {
    test(`connect(${JSON.stringify(options)}) is refused: ${expected}`, async () => {
      const { page, close } = await started();
      const { code, message } = await call(page, "connect", options);
      assert.equal(code, expected);
      assert.ok(!message.includes("9981") && !message.includes("break"), message);
      assert.equal(gateway.authorizations.length, 0);
      await close();
    });
  }

  const unreached = [
    ["NO_ANSWER", `ws://127.0.0.1:${silentPort}`],
    ["SOCKET_REFUSED", host.origin.replace("http", "ws")],
    ["ANSWER_UNREADABLE", host.origin],
  ];
  for (const [expected, url] of unreached) {
    test(`${expected} is an event; connect() goes on, and ends with disconnect()`, async () => {
      const { page, log, close } = await started("/one.html", plain);
      const result = await page.$eval("runstate-panel", async (panel, address) => {
        const refused = new Promise((done) => panel.addEventListener("runstate-refusal", ({ detail }) => done(detail), { once: true }));
        const connecting = panel.connect({ url: address }).then(() => "shown", (error) => error.code);
        const { code, message, hint } = await refused;
        panel.disconnect();
        return { code, message, hint, ended: await connecting };
      }, url);
      assert.deepEqual([result.code, result.ended], [expected, "CANCELLED"]);
      assert.ok(result.message.includes(url) && result.hint.length > 20, JSON.stringify(result));
      assert.deepEqual((await events(page, "refusal")).map(({ code }) => code), [expected], "said once");
      await until("no worker", () => page.workers().length === 0);
      log.take(failedConnection);
      log.take(/CORS|Access-Control|ERR_FAILED|404|Cross-Origin/);
      await close();
    });
  }

  test("CONTENT_POLICY is an event, and connect() rejects with it: there are no further attempts", async () => {
    const { page, log, close } = await started();
    const { code, message } = await call(page, "connect", { url: "ws://127.0.0.1:1" });
    assert.equal(code, "CONTENT_POLICY");
    assert.match(message, /ws:\/\/127\.0\.0\.1:1/);
    const refusals = await events(page, "refusal");
    assert.deepEqual(refusals.map((refusal) => refusal.code), ["CONTENT_POLICY"]);
    assert.match(refusals[0].hint, /connect-src/);
    log.take(/WebSocket|connect-src|policy/i);
    await close();
  });
});

test("a worker that stops is an error, and the document stays on screen", async () => {
  const { page, log, close } = await newPage();
  await page.evaluateOnNewDocument(record);
  await page.evaluateOnNewDocument(recordWorkers);
  await page.goto(`${host.origin}/one.html`);
  await happens(page, "ready");
  await call(page, "open", waiting);
  await state(page, "waiting-approval");
  // High enough for all of its text to be in sight.
  await page.setViewport({ width: 1280, height: 1400 });
  await page.$eval("runstate-panel", (panel) => panel.style.setProperty("--runstate-height", "60rem"));
  await page.evaluate(() => window.startedWorkers.at(-1).dispatchEvent(new ErrorEvent("error", { message: "out of memory" })));
  await happens(page, "error");
  const [{ code, message }] = await events(page, "error");
  assert.equal(code, "WORKER_FAILED");
  assert.match(message, /out of memory/);
  assert.equal((await property(page, "runState")).state, "waiting-approval");
  assert.deepEqual((await axe(page)).problems, []);
  assert.equal((await call(page, "open", waiting)).code, undefined, "the next document opens");
  log.take(/out of memory/);
  await close();
});

describe("what a person does", () => {
  const tree = snapshot("r1", [task(2, "build", 1), task(3, "release", 1, { state: "failed" })], { state: "failed" });

  test("a selected node and an action are events; a cancelled action is the page's", async () => {
    const { page, close } = await started();
    await call(page, "open", tree);
    await page.waitForFunction(() => document.querySelector("runstate-panel").shadowRoot.querySelectorAll("[role=treeitem]").length === 3);
    await shadow(page, '[role=treeitem][data-node="release"]', "element.click()");
    await happens(page, "select");
    assert.deepEqual(await events(page, "select"), [{ nodeId: "release" }]);

    await call(page, "open", waiting);
    await state(page, "waiting-approval");
    await page.evaluate(() => {
      window.copied = [];
      navigator.clipboard.writeText = async (text) => void window.copied.push(text);
      document.querySelector("runstate-panel").addEventListener("runstate-action", (event) => window.cancels && event.preventDefault());
    });
    const click = () => shadow(page, '[data-action="command-approve"]', "element.click()");
    await click();
    await until("the command is copied", () => page.evaluate(() => window.copied.length === 1));
    await page.evaluate(() => (window.cancels = true));
    await click();
    await happens(page, "action", 2);
    assert.deepEqual(await page.evaluate(() => window.copied), ["smithers approve r1 --node gate --iteration 0"]);
    const [{ kind, command, call: rpc }] = await events(page, "action");
    assert.deepEqual([kind, command], ["approve", "smithers approve r1 --node gate --iteration 0"]);
    assert.match(rpc, /submitApproval/);
    await close();
  });

  test("view shows the header or the tree alone; without a run, what the page wrote", async () => {
    const { page, close } = await started();
    const shown = () =>
      page.$eval("runstate-panel", (panel) =>
        ["header", "tree", "toolbar"].filter((part) => panel.shadowRoot.querySelector(`[part="${part}"]`)?.checkVisibility()).join(),
      );
    await set(page, { view: "header" });
    assert.ok(await shadow(page, "[part=fallback] slot", "element.checkVisibility() || element.assignedNodes().length > 0"));
    await call(page, "open", tree);
    await state(page, "failed");
    assert.equal(await shown(), "header");
    const [height, inner] = await page.$eval("runstate-panel", (panel) => [panel.getBoundingClientRect().height, panel.shadowRoot.querySelector("[part=header]").getBoundingClientRect().height]);
    assert.ok(Math.abs(height - Math.max(inner, 144)) <= 1, `as high as the header: ${height}, ${inner}`);
    await set(page, { view: "tree" });
    await page.waitForFunction(() => document.querySelector("runstate-panel").shadowRoot.querySelector("[role=treeitem]"));
    assert.equal(await shown(), "tree");
    await set(page, { view: "full" });
    await page.waitForFunction(() => document.querySelector("runstate-panel").shadowRoot.querySelector("[part=toolbar]"));
    assert.equal(await shown(), "header,tree,toolbar");
    await close();
  });

  test("focus() leads to the heading", async () => {
    const { page, close } = await started();
    await call(page, "open", waiting);
    await state(page, "waiting-approval");
    await call(page, "focus");
    assert.match(await page.$eval("runstate-panel", (panel) => panel.shadowRoot.activeElement?.textContent), /^Run snapshot: /);
    await close();
  });
});

describe("the look", () => {
  test("the theme is the page's, the system's or its own; the button starts from what is shown", async () => {
    const { page, close } = await started();
    await call(page, "open", waiting);
    await state(page, "waiting-approval");
    await prefer(page, { scheme: "dark" });
    const dark = () => shadow(page, ".panel", "Number(/\\d+/.exec(getComputedStyle(element).backgroundColor)[0]) < 128");
    assert.equal(await dark(), false, "this page is light whatever the system prefers");
    await shadow(page, "[data-action=theme]", "element.click()");
    assert.equal(await dark(), true);
    await set(page, { theme: "light" });
    assert.equal(await dark(), false);
    await set(page, { theme: "system" });
    assert.equal(await dark(), true);
    await set(page, { theme: "dark" });
    await prefer(page, { scheme: "light" });
    assert.equal(await dark(), true);
    await close();
  });

  test("the page's styles stay outside, except for custom properties and parts", async () => {
    const { page, close } = await started();
    await call(page, "open", waiting);
    await state(page, "waiting-approval");
    const look = await page.evaluate(() => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(`
        * { color: lime; text-transform: uppercase; text-align: right; } .panel, .pill { background: lime; }
        runstate-panel { --runstate-surface: rgb(1, 2, 3); --runstate-height: 500px; } runstate-panel::part(reason) { letter-spacing: 3px; }`);
      document.adoptedStyleSheets = [sheet];
      const panel = document.querySelector("runstate-panel");
      const of = (selector) => getComputedStyle(panel.shadowRoot.querySelector(selector));
      const { color, textTransform, textAlign, backgroundColor } = of(".panel");
      return { color, textTransform, textAlign, backgroundColor, spacing: of("[part=reason]").letterSpacing, pill: of("[part=pill]").backgroundColor, height: panel.getBoundingClientRect().height };
    });
    assert.deepEqual(look, { color: "rgb(21, 24, 29)", textTransform: "none", textAlign: "start", backgroundColor: "rgb(1, 2, 3)", spacing: "3px", pill: "rgb(243, 244, 246)", height: 500 });
    await close();
  });

  for (const width of [1280, 320]) {
    test(`three panels and a pill pass axe at ${width} px, light, dark and in forced colours`, async () => {
      const { page, close } = await show("/none.html");
      await page.setViewport({ width, height: 900 });
      await page.evaluate((contents) => {
        const parts = ["full", "header", "tree"];
        contents.forEach((content, index) => {
          const section = document.createElement("section");
          section.append(Object.assign(document.createElement("h2"), { textContent: `Run ${index}` }), Object.assign(document.createElement("runstate-panel"), { view: parts[index], label: `Run ${index}`, document: content }));
          document.querySelector("main").append(section);
        });
        document.querySelector("main").append(Object.assign(document.createElement("runstate-pill"), { state: "running" }));
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(":root { color-scheme: light dark; background: Canvas; color: CanvasText; }");
        document.adoptedStyleSheets = [sheet];
      }, [tree, waiting, { ...tree, runId: "r2", runState: view("r2", "failed") }]);
      await happens(page, "change", 3);
      for (const preference of [{ scheme: "light" }, { scheme: "dark" }, { scheme: "dark", forced: true }]) {
        await prefer(page, preference);
        const { problems, passed } = await axe(page);
        assert.deepEqual(problems, [], JSON.stringify(preference));
        assert.ok(passed.includes("color-contrast") || preference.forced, "contrast was measured");
      }
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth <= 0), true, "no sideways scroll");
      await close();
    });
  }
  const tree = snapshot("r1", [task(2, "build", 1)], { state: "failed" });
});

describe("removal", () => {
  // What only Chromium counts.
  async function heapOf(page) {
    if (driven !== "chromium") return undefined;
    await collectGarbage(page);
    const client = await page.createCDPSession();
    const [{ usedSize }, { nodes, jsEventListeners }] = [await client.send("Runtime.getHeapUsage"), await client.send("Memory.getDOMCounters")];
    return { usedSize, nodes, jsEventListeners };
  }

  test("three panels mounted and removed 30 times leave no listener, timer, worker or memory", async () => {
    const opened = await newPage();
    const { page } = opened;
    await countResources(page);
    await page.evaluateOnNewDocument(record);
    await page.evaluateOnNewDocument(() => (window.gone = []));
    await page.goto(`${host.origin}/none.html`);
    await page.waitForFunction(() => customElements.get("runstate-panel"));
    const cycle = (times) =>
      page.evaluate(async (content, count) => {
        for (let turn = 0; turn < count; turn++) {
          const panels = Array.from({ length: 3 }, () => Object.assign(document.createElement("runstate-panel"), { document: content }));
          const shown = panels.map((panel) => new Promise((done) => panel.addEventListener("runstate-change", done, { once: true })));
          document.querySelector("main").append(...panels);
          await Promise.all(shown);
          for (const panel of panels) {
            window.gone.push(new WeakRef(panel), new WeakRef(panel.shadowRoot.querySelector(".panel")));
            panel.remove();
          }
          await new Promise((done) => setTimeout(done));
          window.events.length = 0;
        }
      }, waiting, times);
    const alive = async () => {
      await collectGarbage(page);
      return page.evaluate(() => window.gone.filter((reference) => reference.deref()).length);
    };
    await cycle(10);
    // A frame that was requested passes by itself.
    const isIdle = async () => {
      const { timers, frames } = await resourcesOf(page);
      return timers + frames === 0;
    };
    await until("no timer and no frame", isIdle);
    const [before, heap] = [await resourcesOf(page), await heapOf(page)];
    assert.deepEqual([before.timers, before.workers, before.observers, before.ports, before.modules], [0, 0, 0, 0, 1]);
    assert.ok(before.memory > 1_000_000, `the memory of the module is measured: ${before.memory}`);
    await cycle(30);
    await until("no timer and no frame", isIdle);
    const { memory, ...others } = await resourcesOf(page);
    assert.deepEqual({ ...others, memory: before.memory }, before);
    // How much of what the workers send is delivered at once varies, so that the most that was ever needed may come later: a few
    // pages of 64 KiB.
    assert.ok(memory - before.memory <= 4 * 65_536, `the memory of the module grew by ${memory - before.memory} bytes`);
    await until("no worker", () => page.workers().length === 0);
    await until("no panel is alive", async () => (await alive()) === 0);
    if (heap) {
      const now = await heapOf(page);
      const grown = now.usedSize - heap.usedSize;
      console.log(`heap: ${Math.round(heap.usedSize / 1024)} kB after 10 turns, ${Math.round(grown / 1024)} kB more after 40`);
      assert.ok(now.nodes - heap.nodes < 300, `nodes: ${heap.nodes}, then ${now.nodes}`);
      assert.ok(now.jsEventListeners - heap.jsEventListeners < 30, `listeners: ${heap.jsEventListeners}, then ${now.jsEventListeners}`);
      assert.ok(grown < 300_000, `heap grew by ${grown} bytes`);
    }
    await opened.close();
  });

  test("a panel that is moved keeps its run; one that is removed and put back starts again", async () => {
    const { page, close } = await started();
    await set(page, { document: waiting });
    await state(page, "waiting-approval");
    await page.$eval("runstate-panel", (panel) => {
      window.first = panel.shadowRoot.querySelector(".panel");
      const box = document.createElement("div");
      document.querySelector("main").append(box);
      box.append(panel);
    });
    await page.evaluate(() => new Promise((done) => setTimeout(done)));
    assert.ok(await page.evaluate(() => document.querySelector("runstate-panel").shadowRoot.querySelector(".panel") === window.first));
    assert.equal((await events(page, "ready")).length, 1);
    await page.evaluate(async () => {
      const panel = document.querySelector("runstate-panel");
      panel.remove();
      await new Promise((done) => setTimeout(done));
      window.removed = [panel.runState === undefined, panel.matches(":state(live)"), panel.shadowRoot.querySelector(".panel")];
      document.querySelector("main").append(panel);
    });
    assert.deepEqual(await page.evaluate(() => window.removed), [true, false, null]);
    await state(page, "waiting-approval");
    assert.equal((await events(page, "ready")).length, 2);
    await close();
  });

  test("a panel that goes while it loads or opens ends what it began", async () => {
    const { page, close } = await show("/none.html");
    const codes = await page.evaluate(async (content) => {
      const { postMessage } = Worker.prototype;
      const panel = document.createElement("runstate-panel");
      const outside = await panel.open(content).catch(({ code }) => code);
      document.querySelector("main").append(panel);
      const loading = panel.open(content).catch(({ code }) => code);
      panel.remove();
      const second = document.createElement("runstate-panel");
      document.querySelector("main").append(second);
      await new Promise((done) => second.addEventListener("runstate-ready", done));
      // The worker of this one never gets what it should open.
      const posted = new Promise((done) => (Worker.prototype.postMessage = done));
      const opening = second.open(content).catch(({ code }) => code);
      await posted;
      Worker.prototype.postMessage = postMessage;
      second.remove();
      return [outside, await loading, await opening];
    }, waiting);
    assert.deepEqual(codes, ["NOT_CONNECTED", "CANCELLED", "CANCELLED"]);
    await until("no worker", () => page.workers().length === 0);
    await close();
  });
});

describe("elsewhere", () => {
  test("without JavaScript the text inside reads right", onlyChromium("JavaScript is switched off"), async () => {
    const { page, close } = await newPage();
    await page.setJavaScriptEnabled(false);
    await page.goto(`${host.origin}/one.html`);
    const tree = JSON.stringify(await page.accessibility.snapshot({ interestingOnly: false }));
    assert.match(tree, /Run release: .*all runs/);
    await page.setJavaScriptEnabled(true);
    await close();
  });

  test("a server may import the modules: there is no document", () => {
    const code = `
      const { RunstatePanel } = await import(${JSON.stringify(pathToFileURL(join(root, "elements/index.js")).href)});
      await import(${JSON.stringify(pathToFileURL(join(root, "elements/define.js")).href)});
      console.log(RunstatePanel.observedAttributes.join());`;
    const names = execFileSync(process.execPath, ["--input-type=module", "-e", code], { encoding: "utf8" });
    assert.equal(names, "src,gateway,run,theme,view,label,frame\n");
  });

  test("the single script defines both elements and finds the panel's files", async () => {
    const { page, close } = await started("/single.html");
    assert.ok(await page.evaluate(() => Boolean(customElements.get("runstate-pill"))));
    await close();
  });

  test("properties that were set before the element was defined are not lost", async () => {
    const { page, close } = await show("/none.html");
    const shown = await page.evaluate(async (content) => {
      const later = Object.assign(document.createElement("runstate-later"), { document: content, view: "header", frame: false });
      const changed = new Promise((done) => later.addEventListener("runstate-change", ({ detail }) => done(detail.state)));
      document.querySelector("main").append(later);
      customElements.define("runstate-later", class extends customElements.get("runstate-panel") {});
      return [await changed, later.getAttribute("view"), Object.keys(later)];
    }, waiting);
    assert.deepEqual(shown, ["waiting-approval", "header", []]);
    await close();
  });
});
