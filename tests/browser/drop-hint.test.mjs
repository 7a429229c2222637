// The hint that files can be dropped, while a real drag passes over the panel.
import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { onlyChromium } from "../support/browser.mjs";
import { panelPages } from "../support/panel-element.mjs";
import { header, open } from "../support/panel.mjs";
import { built } from "../support/paths.mjs";
import { serve } from "../support/server.mjs";

const needsDrags = onlyChromium("its protocol has drags of other programs");
const { started, newPage } = await panelPages();
const dashboard = await serve(built("dashboard"));
after(() => dashboard.close());

const items = (texts) => ({ items: Object.entries(texts).map(([mimeType, data]) => ({ mimeType, data })), dragOperationsMask: 1 });
const text = items({ "text/plain": '{"runId":"dropped","status":"failed"}' });
const link = items({ "text/uri-list": "https://example.org/", "text/plain": "https://example.org/", "text/html": "<a>example</a>" });
const markup = items({ "text/html": "<b>bold</b>" });

/** Drags `data` over a page: `to` moves it to the middle of an element, `end` drops or cancels it there. */
async function drag(page, data) {
  const client = await page.createCDPSession();
  let at;
  const send = (type) => client.send("Input.dispatchDragEvent", { type, ...at, data });
  return {
    async to(selector) {
      const { x, y, width, height } = await page.$eval(selector, (element) => element.getBoundingClientRect().toJSON());
      const isFirst = at === undefined;
      at = { x: x + width / 2, y: y + height / 2 };
      if (isFirst) await send("dragEnter");
      await send("dragOver");
      await send("dragOver");
    },
    end: (type) => send(type),
  };
}

describe("over the panel in a host page", needsDrags, () => {
  const isShown = (page) => page.$eval("runstate-panel", ({ shadowRoot }) => shadowRoot.querySelector(".drop-hint").checkVisibility());

  test("it is shown while text is over the panel, and gone once the drag has left it for another part of the page", async () => {
    const { page, close } = await started();
    const dragged = await drag(page, text);
    await dragged.to("h1");
    assert.equal(await isShown(page), false);
    await dragged.to("runstate-panel");
    assert.equal(await isShown(page), true);
    await dragged.to("h1");
    assert.equal(await isShown(page), false);
    await dragged.end("dragCancel");
    await close();
  });

  test("it stays while the drag moves between elements of the panel", async () => {
    const { page, close } = await started();
    await page.evaluate(() => {
      const panel = document.querySelector("runstate-panel").shadowRoot.querySelector(".panel");
      window.changes = 0;
      new MutationObserver(() => window.changes++).observe(panel, { attributes: true, attributeFilter: ["data-dropping"] });
    });
    const dragged = await drag(page, text);
    for (const part of ["h2", "textarea", "button", ".panel"]) await dragged.to(`runstate-panel >>> ${part}`);
    assert.equal(await isShown(page), true);
    assert.equal(await page.evaluate(() => window.changes), 1);
    await close();
  });

  test("it is not shown for what the panel cannot open, which the page may accept", async () => {
    const { page, close } = await started();
    for (const data of [link, markup]) {
      await page.evaluate(() => {
        document.body.addEventListener("dragover", (event) => (window.isPrevented = event.defaultPrevented), { once: true });
      });
      const dragged = await drag(page, data);
      await dragged.to("runstate-panel");
      assert.equal(await isShown(page), false);
      assert.equal(await page.evaluate(() => window.isPrevented), false);
      await dragged.end("dragCancel");
    }
    await close();
  });
});

test("on a page of our own it is shown for text, which a drop opens, and a link is refused", needsDrags, async () => {
  const { page, close } = await newPage();
  await open(page, `${dashboard.origin}/#connect`);
  const isShown = () => page.$eval(".drop-hint", (hint) => hint.checkVisibility());
  const refused = await drag(page, link);
  await refused.to("h2");
  assert.equal(await isShown(), false);
  await refused.end("drop");
  const dragged = await drag(page, text);
  await dragged.to("h2");
  assert.equal(await isShown(), true);
  await dragged.end("drop");
  assert.equal(await isShown(), false);
  await page.waitForSelector("section[data-tone]");
  assert.equal((await header(page)).runId, "dropped");
  await close();
});
