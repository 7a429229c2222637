// <runstate-panel frame>: the same panel from another origin, in pages whose policy refuses WebAssembly and markup.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { axe, prefer } from "../support/a11y.mjs";
import { collectGarbage, driven, until } from "../support/browser.mjs";
import { snapshot, task } from "../support/make.mjs";
import { call, events, happens, waiting } from "../support/panel-element.mjs";
import { framePages } from "../support/panel-frame.mjs";
import { countResources, recordWorkers, resourcesOf } from "../support/resources.mjs";

const { gateway, files, host, newPage, show, inside } = await framePages();

describe("the same panel in a frame", () => {
  test("under a policy without WebAssembly and with trusted types: documents, views, actions, export", async () => {
    const { page: opened, close } = await show("/framed.html");
    await happens(opened, "ready");
    assert.deepEqual(await call(opened, "open", waiting), {});
    await happens(opened, "change");
    assert.equal(await opened.$eval("runstate-panel", (element) => element.runState.state), "waiting-approval");
    const frame = inside(opened);
    await frame.waitForSelector('section[data-tone][data-state="waiting-approval"]');
    assert.equal((await call(opened, "open", "{")).code !== undefined, true);
    assert.equal((await events(opened, "refusal")).length, 1);

    await frame.evaluate(() => {
      window.copied = [];
      navigator.clipboard.writeText = async (text) => void window.copied.push(text);
    });
    await opened.evaluate(() =>
      document.querySelector("runstate-panel").addEventListener("runstate-action", (event) => window.cancels && event.preventDefault()),
    );
    await frame.click('[data-action="command-approve"]');
    await frame.waitForFunction(() => document.querySelector('[data-action="command-approve"]').innerText.trim() === "Copied");
    await until("copied", () => frame.evaluate(() => window.copied.length === 1));
    await opened.evaluate(() => (window.cancels = true));
    await frame.click('[data-field="actions"] summary');
    await frame.click('[data-action="request-approve"]');
    await happens(opened, "action", 2);
    const [first, second] = await events(opened, "action");
    assert.deepEqual([first.kind, first.text, second.text.includes(second.call.split(" ")[1])], ["approve", first.command, true]);
    const text = await opened.$eval("runstate-panel", async (element) => (await element.export()).text());
    assert.ok(text.includes('"waiting-approval"') && text.includes('"r1"'), text);
    assert.deepEqual(await frame.evaluate(() => window.copied), [first.command], "what the page cancelled is not copied");

    await call(opened, "open", snapshot("r2", [task(2, "build", 1)], { state: "failed" }));
    await opened.$eval("runstate-panel", (element) => (element.view = "tree"));
    await frame.waitForFunction(() => document.querySelector("[role=treeitem]") && !document.querySelector("[part=header]"));
    await frame.click('[role=treeitem][data-node="build"]');
    await happens(opened, "select");
    await opened.$eval("runstate-panel", (element) => (element.theme = "dark"));
    await frame.waitForFunction(() => document.documentElement.dataset.theme === "dark");
    await close();
  });

  test("what a button copies is in the clipboard", async () => {
    const { page: opened, close } = await show("/framed.html");
    await happens(opened, "ready");
    await call(opened, "open", waiting);
    await opened.bringToFront();
    if (driven === "chromium") await opened.browserContext().overridePermissions(host.origin, ["clipboard-read"]);
    const frame = inside(opened);
    const button = await frame.waitForSelector('[data-field="runId"] button');
    await button.click();
    await frame.waitForFunction(() => document.querySelector('[data-field="runId"] button').innerText.trim() === "Copied");
    assert.equal(await opened.evaluate(() => navigator.clipboard.readText()), "r1");
    await close();
  });

  test("its title and its theme follow those of the place", async () => {
    const { page: opened, close } = await show("/framed.html");
    await happens(opened, "ready");
    const frame = inside(opened);
    const title = () => opened.$eval("runstate-panel", (element) => element.shadowRoot.querySelector("iframe").title);
    assert.equal(await title(), "Runstate");
    await opened.$eval("runstate-panel", (element) => (element.label = "Release"));
    assert.equal(await title(), "Release");
    await opened.$eval("runstate-panel", (element) => (element.label = null));
    assert.equal(await title(), "Runstate");

    const shows = (theme) => frame.waitForFunction((wanted) => document.documentElement.dataset.theme === wanted, {}, theme);
    const place = (scheme) => opened.evaluate((value) => void (document.documentElement.style.colorScheme = value), scheme);
    for (const scheme of ["dark", "light", "dark"]) {
      await place(scheme);
      await shows(scheme);
    }
    await place("light dark");
    const undo = await prefer(opened, { scheme: "light" });
    await shows(undefined);
    await undo();
    await close();
  });

  test("its place is what is on screen, and another one can be set", async () => {
    const { page: opened, close } = await show("/framed.html");
    await happens(opened, "ready");
    const list = JSON.stringify(["a", "b"].map((runId) => ({ runId, status: "failed" })));
    await opened.$eval("runstate-panel", (element, content) => Object.assign(element, { place: "run=a", content }), list);
    const placeIs = (text) => opened.waitForFunction((wanted) => document.querySelector("runstate-panel").place === wanted, {}, text);
    await happens(opened, "place");
    await placeIs("run=a");
    await opened.$eval("runstate-panel", (element) => (element.place = "run=b"));
    await happens(opened, "place", 2);
    await placeIs("run=b");
    assert.deepEqual(await events(opened, "place"), [{ place: "run=a" }, { place: "run=b" }]);
    await close();
  });

  test("disconnect() ends what it shows, focus() leads into it, and a worker that stops is an error", async () => {
    const { page: opened, log, close } = await show("/framed.html", host.origin, recordWorkers);
    await happens(opened, "ready");
    const frame = inside(opened);
    await call(opened, "open", waiting);
    await frame.waitForSelector("section[data-tone]");
    await opened.bringToFront();
    await opened.$eval("runstate-panel", (element) => element.focus());
    await frame.waitForFunction(() => document.activeElement.localName === "h1");
    assert.equal(await opened.evaluate(() => document.activeElement.localName), "runstate-panel");

    await frame.evaluate(() => window.startedWorkers.at(-1).dispatchEvent(new ErrorEvent("error", { message: "out of memory" })));
    await happens(opened, "error");
    assert.equal((await events(opened, "error"))[0].code, "WORKER_FAILED");
    assert.equal(await opened.$eval("runstate-panel", (element) => element.runState.runId), "r1", "the document stays true");

    await opened.$eval("runstate-panel", (element) => element.disconnect());
    await frame.waitForSelector('[data-screen="connect"]');
    await opened.waitForFunction(() => document.querySelector("runstate-panel").runState === undefined);
    log.allow(/out of memory/);
    await close();
  });

  for (const preference of [{ scheme: "light" }, { scheme: "dark" }, { scheme: "dark", forced: true }]) {
    test(`passes axe inside the frame, ${JSON.stringify(preference)}`, async () => {
      const { page: opened, close } = await show("/framed.html");
      await happens(opened, "ready");
      await prefer(opened, preference);
      // High enough for all of its text to be in sight.
      await opened.setViewport({ width: 1280, height: 1400 });
      await opened.$eval("runstate-panel", (element) => element.style.setProperty("--runstate-height", "80rem"));
      const frame = inside(opened);
      // Landmarks are those of the page around the frame.
      const problems = async () => (await axe(frame)).problems.filter((line) => !/^(landmark-one-main|region):/.test(line));
      assert.deepEqual(await problems(), [], "the connect screen");
      await call(opened, "open", snapshot("r2", [task(2, "build", 1)], { state: "failed" }));
      await frame.waitForSelector("[role=treeitem]");
      assert.deepEqual(await problems(), [], "a run");
      await close();
    });
  }

  test("a connection: the token goes through the port, and is in no address and no document", async () => {
    const { page: opened, log, close } = await show("/framed.html");
    await happens(opened, "ready");
    const connected = await call(opened, "connect", { url: files.origin, token: "operator-token", run: "approval-a" });
    assert.deepEqual(connected, {});
    assert.equal(await opened.$eval("runstate-panel", (element) => element.runState.runId), "approval-a");
    assert.ok(gateway.authorizations.includes("Bearer operator-token"));
    const frame = inside(opened);
    const text = (await opened.content()) + (await frame.content()) + frame.url() + log.requests.join();
    assert.ok(!text.includes("operator-token"));
    assert.match(frame.url(), /\/frame\.html$/);
    assert.match((await call(opened, "connect", { url: files.origin, token: "wrong" })).code, /UNAUTHORIZED/i);
    log.allow(/401|404/);
    await close();
  });

  test("moved or removed, the frame and its worker go; put back, it starts again", async () => {
    const { page: opened, close } = await show("/framed.html");
    await opened.$eval("runstate-panel", (element, content) => (element.content = content), waiting);
    await happens(opened, "change");
    await opened.$eval("runstate-panel", (element) => {
      const box = document.createElement("div");
      document.querySelector("main").append(box);
      box.append(element);
    });
    await happens(opened, "ready", 2);
    await opened.waitForFunction(() => document.querySelector("runstate-panel").runState?.state === "waiting-approval");
    assert.equal(await opened.$eval("runstate-panel", (element) => element.shadowRoot.querySelectorAll("iframe").length), 1);
    await opened.$eval("runstate-panel", (element) => element.remove());
    await until("no frame", () => opened.frames().length === 1);
    await close();
  });
});

describe("what it leaves", () => {
  async function counting() {
    const { page: opened, log, close } = await newPage();
    await countResources(opened);
    await opened.goto(`${host.origin}/none.html`);
    await opened.waitForFunction(() => customElements.get("runstate-panel"));
    return { opened, log, close };
  }

  test("removed before its frame has loaded or has answered, it leaves no port, no timer and no frame", async () => {
    const { opened, log, close } = await counting();
    const results = await opened.evaluate(async (source) => {
      const remove = async (isLoaded) => {
        const panel = Object.assign(document.createElement("runstate-panel"), { frame: true, assets: source });
        document.querySelector("main").append(panel);
        const opening = panel.open("{}").catch(({ code }) => code);
        if (isLoaded) await new Promise((done) => panel.shadowRoot.querySelector("iframe").addEventListener("load", done));
        const { timers, ports } = window.resources;
        const before = [timers.size, ports.size];
        panel.remove();
        return { before, code: await opening, after: [timers.size, ports.size] };
      };
      return [await remove(false), await remove(true)];
    }, `${files.origin}/nowhere/`);
    for (const {
      before: [timers, ports],
      ...left
    } of results) {
      assert.ok(timers > 0 && ports === 1, `${timers} timers, ${ports} ports`);
      assert.deepEqual(left, { code: "CANCELLED", after: [0, 0] });
    }
    assert.equal(opened.frames().length, 1);
    log.allow(/404/);
    await close();
  });

  test("20 panels in frames, one after another, leave nothing", async () => {
    const { opened, close } = await counting();
    const cycle = (times) =>
      opened.evaluate(
        async (source, content, count) => {
          window.gone = [];
          for (let turn = 0; turn < count; turn++) {
            const panel = Object.assign(document.createElement("runstate-panel"), { frame: true, assets: source, content });
            const shown = new Promise((done) => panel.addEventListener("runstate-change", done, { once: true }));
            document.querySelector("main").append(panel);
            await shown;
            window.gone.push(new WeakRef(panel), new WeakRef(panel.shadowRoot.querySelector("iframe")));
            panel.remove();
            await new Promise((done) => setTimeout(done));
          }
        },
        files.origin,
        waiting,
        times,
      );
    await cycle(2);
    const before = await resourcesOf(opened);
    assert.deepEqual([before.timers, before.ports], [0, 0]);
    await cycle(20);
    assert.deepEqual(await resourcesOf(opened), before);
    await until("no frame", () => opened.frames().length === 1);
    await until("no panel is alive", async () => {
      await collectGarbage(opened);
      return opened.evaluate(() => window.gone.every((reference) => !reference.deref()));
    });
    await close();
  });
});
