// <runstate-panel> in another site's page: loading, errors of loading, and the forms in which it is published.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { axe } from "../support/a11y.mjs";
import { onlyChromium } from "../support/browser.mjs";
import { all } from "../support/captures.mjs";
import { view } from "../support/make.mjs";
import { built, root } from "../support/paths.mjs";
import { serve } from "../support/server.mjs";
import { call, events, happens, pages, panelPages, shadow, state, waiting } from "../support/panel-element.mjs";

const { gateway, host, plain, newPage, show, started } = await panelPages();

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
    await page.evaluate(
      (views) => {
        for (const content of views)
          document.querySelector("main").append(Object.assign(document.createElement("runstate-panel"), { content }));
      },
      ["failed", "paused", "succeeded"].map((word, index) => view(`r${index}`, word)),
    );
    await happens(page, "change", 3);
    assert.equal(plain.requests.filter((path) => /\.wasm(\?|$)/.test(path)).length, before + 1);
    const states = await page.$$eval("runstate-panel", (panels) => panels.map((panel) => panel.runState));
    assert.deepEqual(
      states.map(({ runId, state }) => [runId, state]),
      [
        ["r0", "failed"],
        ["r1", "paused"],
        ["r2", "succeeded"],
      ],
    );
    const sheets = await page.$$eval(
      "runstate-panel",
      (panels) => new Set(panels.flatMap((panel) => [...panel.shadowRoot.adoptedStyleSheets])).size,
    );
    assert.equal(sheets, 2, "one of the element and one of the panel, shared");
    await close();
  });

  test("what has no effect is warned of: a token as an attribute, an unknown view", async () => {
    const { page, close } = await show("/none.html");
    const warnings = await page.evaluate(async () => {
      const found = [];
      const { warn } = console;
      console.warn = (text) => found.push(text);
      const panel = document.createElement("runstate-panel");
      for (const [name, value] of [
        ["token", "t"],
        ["view", "bogus"],
      ])
        panel.setAttribute(name, value);
      document.querySelector("main").append(panel);
      panel.setAttribute("view", "header");
      panel.setAttribute("view", "Tree");
      panel.setAttribute("view", "wide");
      console.warn = warn;
      return found;
    });
    assert.deepEqual(
      warnings.map(
        (text) => text.match(/^<runstate-panel> (ignores the attribute token|expects full, header, tree, node, log .* found "\w+")/)?.[1],
      ),
      [
        "ignores the attribute token",
        ...["bogus", "wide"].map((word) => `expects full, header, tree, node, log for the attribute view, found "${word}"`),
      ],
    );
    assert.ok(warnings.every((text) => !text.includes('"t"')));
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

  for (const [path, slot] of [
    ["/lost.html", "all runs"],
    ["/slotted.html", "Ask the platform team."],
  ]) {
    test(`files that are missing are named, and the page's text stays (${path})`, async () => {
      const { page, log, close } = await show(path);
      await happens(page, "error");
      log.allow(/404|Loading module/);
      const [{ code, message }] = await events(page, "error");
      assert.equal(code, "NOT_LOADED");
      assert.match(message, /\/nowhere\/mount\.js/);
      const part = await shadow(
        page,
        "[part=error]",
        "[element.getAttribute('role'), element.textContent, [...element.querySelectorAll('slot')].flatMap((slot) => slot.assignedNodes()).map((node) => node.textContent).join(' ')]",
      );
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
      extra: pages,
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

  test("a download that breaks off is begun once more; another end is named, and another try succeeds", async () => {
    for (const failures of [1, 2]) {
      let left = failures;
      const wasm = readFileSync(built("npm", "elements", "panel", "runstate-panel_bg.wasm"));
      const broken = await serve(built("npm"), {
        extra: pages,
        handle(request, response) {
          if (!request.url.includes(".wasm") || left-- <= 0) return false;
          response.writeHead(200, { "content-type": "application/wasm", "content-length": wasm.length });
          response.write(wasm.subarray(0, 2000), () => response.destroy());
          return true;
        },
      });
      const { page, log, close } = await show("/one.html", { origin: broken.origin });
      if (failures === 2) {
        await happens(page, "error");
        const [{ code, message }] = await events(page, "error");
        assert.equal(code, "NOT_LOADED");
        assert.match(message, /did not load all of runstate-panel_bg\.wasm/);
        await shadow(page, "[part=error] button", "element.click()");
      }
      await happens(page, "ready");
      log.allow(/ERR_|ReadableStream/);
      await close();
      await broken.close();
    }
  });

  test("a file that is no module is not called one that broke off", async () => {
    const wrong = await serve(built("npm"), {
      extra: pages,
      handle(request, response) {
        if (!request.url.includes(".wasm")) return false;
        response.writeHead(200, { "content-type": "application/wasm" }).end("<!doctype html><title>Sign in</title>");
        return true;
      },
    });
    const { page, log, close } = await show("/one.html", { origin: wrong.origin });
    await happens(page, "error");
    const [{ code, message }] = await events(page, "error");
    assert.equal(code, "NOT_LOADED");
    assert.match(message, /did not compile runstate-panel_bg\.wasm/);
    log.allow(/CompileError|wasm/i);
    await close();
    await wrong.close();
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
          for (const node of addedNodes)
            window.added.push([
              node.className ?? node.nodeName,
              target.className ?? target.nodeName,
              target.role ?? null,
              node.nodeType === Node.TEXT_NODE ? node.data : "",
            ]);
        };
        new MutationObserver((records) => records.forEach(note)).observe(root, {
          subtree: true,
          childList: true,
          attributes: true,
          attributeFilter: ["role"],
        });
        return root;
      };
    });
    await page.goto(`${host.origin}/lost.html`);
    await page.waitForFunction(() => document.querySelector("runstate-panel").shadowRoot?.querySelector("[role=alert]"));
    const added = await page.evaluate(() => window.added);
    const index = (...wanted) => added.findIndex((entry) => wanted.every((value, at) => value === undefined || entry[at] === value));
    assert.equal(index("role later"), -1);
    assert.ok(
      index("status", "message") >= 0 && index("status", "message") < index("#text", "status", "status", "Loading the panel."),
      JSON.stringify(added),
    );
    const title = index("title", "message", "alert");
    assert.ok(title > 0 && added.slice(0, title).some(([name]) => name === "message"), JSON.stringify(added));
    log.allow(/404|Loading module/);
    await close();
  });

  test("a module that is missing, and a policy that refuses WebAssembly, are told apart; another try succeeds", async () => {
    let missing = true;
    const broken = await serve(built("npm"), { extra: pages, missing: (path) => missing && path.endsWith(".wasm") });
    const { page, log, close } = await show("/one.html", { origin: broken.origin });
    await happens(page, "error");
    assert.equal((await events(page, "error"))[0].code, "NOT_FOUND");
    missing = false;
    await shadow(page, "[part=error] button", "element.click()");
    await happens(page, "ready");
    log.allow(/404/);
    await close();
    await broken.close();

    const refusing = await serve(built("npm"), { extra: pages, headers: { "content-security-policy": "script-src 'self'" } });
    const other = await show("/one.html", { origin: refusing.origin });
    await happens(other.page, "error");
    const [{ code, hint }] = await events(other.page, "error");
    assert.equal(code, "WASM_REFUSED");
    assert.match(hint, /wasm-unsafe-eval.*frame/);
    other.log.allow(/policy|Content Security|WebAssembly/i);
    await other.close();
    await refusing.close();
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
    assert.equal(names, "src,assets,gateway,run,label,place,theme,view,frame\n");
  });

  test("the single script defines both elements and finds the panel's files", async () => {
    const { page, close } = await started("/single.html");
    assert.ok(await page.evaluate(() => Boolean(customElements.get("runstate-pill"))));
    await close();
  });

  test("properties that were set before the element was defined are not lost", async () => {
    const { page, close } = await show("/none.html");
    const shown = await page.evaluate(async (content) => {
      const later = Object.assign(document.createElement("runstate-later"), { content, view: "header", frame: false });
      const changed = new Promise((done) => later.addEventListener("runstate-change", ({ detail }) => done(detail.state)));
      document.querySelector("main").append(later);
      customElements.define("runstate-later", class extends customElements.get("runstate-panel") {});
      return [await changed, later.getAttribute("view"), Object.keys(later)];
    }, waiting);
    assert.deepEqual(shown, ["waiting-approval", "header", []]);
    await close();
  });
});
