// A <runstate-panel> that is removed or moved leaves nothing.
import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { collectGarbage, driven, until } from "../support/browser.mjs";
import { countResources, resourcesOf } from "../support/resources.mjs";
import { events, panelPages, recordEvents, set, state, waiting } from "../support/panel-element.mjs";

const { host, newPage, show, started } = await panelPages();

describe("removal", () => {
  // What only Chromium counts.
  async function heapOf(page) {
    if (driven !== "chromium") return undefined;
    await collectGarbage(page);
    const client = await page.createCDPSession();
    const [{ usedSize }, { nodes, jsEventListeners }] = [
      await client.send("Runtime.getHeapUsage"),
      await client.send("Memory.getDOMCounters"),
    ];
    return { usedSize, nodes, jsEventListeners };
  }

  test("three panels mounted and removed 30 times leave no listener, timer, worker or memory", async () => {
    const opened = await newPage();
    const { page } = opened;
    await countResources(page);
    await page.evaluateOnNewDocument(recordEvents);
    await page.evaluateOnNewDocument(() => (window.gone = []));
    await page.goto(`${host.origin}/none.html`);
    await page.waitForFunction(() => customElements.get("runstate-panel"));
    const cycle = (times) =>
      page.evaluate(
        async (content, count) => {
          for (let turn = 0; turn < count; turn++) {
            const panels = Array.from({ length: 3 }, () => Object.assign(document.createElement("runstate-panel"), { content }));
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
        },
        waiting,
        times,
      );
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
    await set(page, { content: waiting });
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
