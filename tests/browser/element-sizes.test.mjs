// The sizes of the elements are those of the reader's text size, whatever font size the host page gives its root.
import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { driven, launch } from "../support/browser.mjs";
import { snapshot, task } from "../support/make.mjs";
import { built } from "../support/paths.mjs";
import { serve } from "../support/server.mjs";
import { stage } from "../support/stage.mjs";

const page = (attributes) => `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Fleet</title><link rel="icon" href="data:,">
  <script type="module" src="/elements/define.js"></script></head><body>
  <runstate-pill state="waiting-approval" since="2026-11-21T14:00:00.000Z">waiting-approval</runstate-pill>
  <runstate-pill size="dense" state="running">running</runstate-pill>
  <runstate-panel assets="/elements/panel/" ${attributes}></runstate-panel></body></html>`;
const server = await serve(built("npm"), { extra: { "/shadow.html": page(""), "/frame.html": page("frame") } });
const { newPage } = await stage();
after(() => server.close());

const run = snapshot("r1", [task(2, "build", 1), task(3, "release", 1, { state: "failed" })], { state: "failed" });

/** Opens a page whose root has a font size, as inline style so that it counts from the start. */
async function show(opened, name, fontSize, width = 1280) {
  await opened.setViewport({ width, height: 900 });
  await opened.evaluateOnNewDocument((size) => {
    document.addEventListener("readystatechange", () => (document.documentElement.style.fontSize = size), { once: true });
  }, fontSize);
  await opened.goto(`${server.origin}/${name}.html`);
  await opened.$eval(
    "runstate-panel",
    async (element, content) => {
      await customElements.whenDefined("runstate-panel");
      await element.open(content);
    },
    run,
  );
  const panel = name === "frame" ? opened.frames().find((frame) => frame !== opened.mainFrame()) : opened.mainFrame();
  await panel.waitForFunction(
    () => (document.querySelector("runstate-panel")?.shadowRoot ?? document).querySelectorAll("[role=treeitem]").length === 3,
  );
  return panel;
}

/** Width, height and font size of everything in the panel, and of the pills. */
async function sizes(opened, panel) {
  const read = () => {
    const roots = [...document.querySelectorAll("runstate-pill, runstate-panel")].map(({ shadowRoot }) => shadowRoot);
    // What an element wraps around its content has no size of its own.
    const inside = (roots.length > 0 ? roots : [document.body]).flatMap((root) => [
      ...root.querySelectorAll(".root *, .own-size *, .panel *"),
    ]);
    return inside
      .filter((element) => element.getClientRects().length > 0 && !(element instanceof SVGElement && element.tagName !== "svg"))
      .map((element) => {
        const { width, height } = element.getBoundingClientRect();
        const name = `${element.localName}.${element.getAttribute("class") ?? ""}`;
        return `${name} ${Math.round(width)} × ${Math.round(height)}, ${getComputedStyle(element).fontSize}`;
      });
  };
  return [await opened.evaluate(read), panel === opened.mainFrame() ? [] : await panel.evaluate(read)].flat();
}

describe("the root of the host page", () => {
  for (const [name, width] of [
    ["shadow", 1280],
    ["shadow", 320],
    ["frame", 1280],
  ]) {
    test(`changes no size of the elements (${name}, ${width} px)`, async () => {
      const found = [];
      for (const fontSize of ["", "62.5%", "40px"]) {
        const { page: opened, close } = await newPage();
        const panel = await show(opened, name, fontSize, width);
        found.push(await sizes(opened, panel));
        if (fontSize === "62.5%") assert.equal(await opened.evaluate(() => getComputedStyle(document.documentElement).fontSize), "10px");
        await close();
      }
      assert.ok(found[0].length > 60, `${found[0].length} elements`);
      assert.deepEqual(found[1], found[0], "62.5 %");
      assert.deepEqual(found[2], found[0], "40 px");
    });
  }

  test("nor does a root that changes later, or a page in a fixed-width font, whose own text size is smaller", async () => {
    const { page: opened, close } = await newPage();
    const panel = await show(opened, "shadow", "");
    const before = await sizes(opened, panel);
    for (const css of [
      ":root { font-size: 30px }",
      "body { font-family: monospace }",
      "runstate-pill, runstate-panel { font-size: 40px }",
    ]) {
      await opened.evaluate(async (text) => {
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(text);
        document.adoptedStyleSheets = [sheet];
        await new Promise((painted) => requestAnimationFrame(() => setTimeout(painted)));
      }, css);
      assert.deepEqual(await sizes(opened, panel), before, css);
    }
    await close();
  });

  test("a pill has 24 px, a dense one 22, and text of 11 and 10 px", async () => {
    const { page: opened, close } = await newPage();
    await show(opened, "shadow", "62.5%");
    const found = await opened.$$eval("runstate-pill", (pills) =>
      pills.map((pill) => {
        const base = pill.shadowRoot.querySelector("[part=base]");
        return [base.getBoundingClientRect().height, getComputedStyle(base).fontSize];
      }),
    );
    assert.deepEqual(found, [
      [24, "11px"],
      [22, "10px"],
    ]);
    await close();
  });
});

test("the reader's text size enlarges everything, and so does zoom", async () => {
  const browser = await launch({
    args: ["--blink-settings=defaultFontSize=24"],
    preferences: { "font.size.variable.x-western": 24 },
  });
  after(() => browser.close());
  const opened = await browser.newPage();
  const panel = await show(opened, "shadow", "62.5%");
  const { pill, text, row, control } = await opened.evaluate(() => {
    const root = document.querySelector("runstate-panel").shadowRoot;
    return {
      pill: document.querySelector("runstate-pill").shadowRoot.querySelector("[part=base]").getBoundingClientRect().height,
      text: getComputedStyle(root.querySelector(".panel")).fontSize,
      row: root.querySelector("[role=treeitem]").getBoundingClientRect().height,
      control: root.querySelector(".btn").getBoundingClientRect().height,
    };
  });
  assert.deepEqual({ pill, text, row }, { pill: 34, text: "18px", row: 36 });
  assert.ok(control >= 1.5 * 24, `${control} px`);

  const before = await sizes(opened, panel);
  assert.ok(before.length > 60, `${before.length} elements`);
  // Firefox applies the property `zoom` of a page to `em` in a registered property, and then to the length again. The zoom of the
  // browser itself changes no lengths.
  if (driven === "firefox") return;
  await opened.evaluate(async () => {
    document.documentElement.style.zoom = "2";
    await new Promise((painted) => requestAnimationFrame(() => setTimeout(painted)));
  });
  const zoomed = await opened.evaluate(
    () => document.querySelector("runstate-pill").shadowRoot.querySelector("[part=base]").getBoundingClientRect().height,
  );
  assert.equal(zoomed, 2 * pill);
});
