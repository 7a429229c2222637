// Accessibility of the elements in another page: the keyboard leads through <runstate-panel> and out of it, with and without a
// frame, and wider text spacing cuts nothing off.
import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { textSpacing } from "../support/a11y.mjs";
import { driven, focusPage, until } from "../support/browser.mjs";
import { built } from "../support/paths.mjs";
import { gate } from "../support/screens.mjs";
import { serve } from "../support/server.mjs";
import { stage } from "../support/stage.mjs";

const page = (attributes) => `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Fleet</title><link rel="icon" href="data:,">
  <script type="module" src="/elements/define.js"></script></head><body>
  <button id="before">Before</button> <runstate-pill state="waiting-approval">waiting-approval</runstate-pill>
  <runstate-panel assets="/elements/panel/" ${attributes}></runstate-panel><button id="after">After</button></body></html>`;
const server = await serve(built("npm"), { extra: { "/shadow.html": page(""), "/frame.html": page("frame") } });
const { newPage } = await stage();
after(() => server.close());

/** Opens a document in the panel of a page. `panel` is the page's own frame, or the frame of the panel. */
async function show(name) {
  const { page: opened, close } = await newPage();
  await opened.setViewport({ width: 1280, height: 800 });
  await opened.goto(`${server.origin}/${name}.html`);
  await opened.$eval(
    "runstate-panel",
    async (element, document) => {
      await customElements.whenDefined("runstate-panel");
      await element.open(document);
    },
    gate,
  );
  const panel = name === "frame" ? opened.frames().find((frame) => frame !== opened.mainFrame()) : opened.mainFrame();
  await panel.evaluate(() => {
    window.root = () => document.querySelector("runstate-panel")?.shadowRoot ?? document;
  });
  await panel.waitForFunction(() => window.root().querySelectorAll("[role=treeitem]").length === 5);
  return { opened, panel, close };
}

/** The tab stops of the panel that are on screen. They get a number each. The controls of a toolbar become one stop after they have appeared. */
async function stops(panel) {
  let before;
  return until("stops that stay", async () => {
    const found = await presentStops(panel);
    const stays = found.join("\n") === before;
    before = found.join("\n");
    return stays && found;
  });
}

const presentStops = (panel) =>
  panel.evaluate(() => {
    const all = [...window.root().querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex]")];
    const shown = all.filter(
      (element) => element.tabIndex >= 0 && !element.disabled && element.checkVisibility({ visibilityProperty: true }),
    );
    window.numbers = new Map(shown.map((element, number) => [element, number]));
    return shown.map((element) => element.outerHTML.slice(0, 80));
  });

/** The number of the stop that has the focus, and the width of its ring. */
const focus = (panel) =>
  panel.evaluate(() => {
    const root = window.root();
    const active = root.activeElement;
    const row = root.getElementById(active?.getAttribute("aria-activedescendant") ?? "");
    const width = (element) =>
      element && getComputedStyle(element).outlineStyle !== "none" ? parseFloat(getComputedStyle(element).outlineWidth) : 0;
    return { number: window.numbers.get(active), ring: Math.max(width(active), width(row)) };
  });

for (const name of ["shadow", "frame"]) {
  describe(`<runstate-panel> with its own ${name}`, () => {
    test("Tab reaches every stop in reading order, shows it, and leaves the panel", async () => {
      const { opened, panel, close } = await show(name);
      const expected = await stops(panel);
      assert.ok(expected.length > 4, `${expected.length} stops`);
      await focusPage(opened);
      await opened.focus("#before");
      for (const [number, stop] of expected.entries()) {
        await opened.keyboard.press("Tab");
        // Firefox stops at what scrolls, too: at the panel itself.
        const isScroller =
          driven === "firefox" && number === 0 && (await panel.evaluate(() => window.root().activeElement?.matches("[data-view]")));
        if (isScroller) await opened.keyboard.press("Tab");
        // A tree that receives the focus first selects a row.
        await panel.waitForFunction(
          () =>
            window.root().activeElement?.role !== "tree" ||
            window.root().getElementById(window.root().activeElement.getAttribute("aria-activedescendant")),
        );
        const found = await focus(panel);
        assert.equal(found.number, number, stop);
        assert.ok(found.ring >= 1.5, `${stop}: ${found.ring} px`);
      }
      await opened.keyboard.press("Tab");
      assert.equal(await opened.evaluate(() => document.activeElement.id), "after");
      await close();
    });

    test("wider text spacing cuts off nothing, also in a narrow page", async () => {
      const { opened, panel, close } = await show(name);
      for (const width of [1280, 320]) {
        await opened.setViewport({ width, height: 720 });
        const cut = await panel.evaluate(async (css) => {
          const sheet = new CSSStyleSheet();
          sheet.replaceSync(css);
          const root = window.root();
          root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
          await new Promise((painted) => requestAnimationFrame(() => setTimeout(painted)));
          const view = root.querySelector("[data-view]");
          const pills = [...root.querySelectorAll("[data-taxonomy]")].filter((pill) => pill.getClientRects().length > 0);
          return {
            sideways: view.scrollWidth - view.clientWidth,
            count: pills.length,
            pills: pills.filter((pill) => pill.scrollWidth > pill.clientWidth + 1).map((pill) => pill.textContent),
          };
        }, textSpacing);
        assert.ok(cut.count > 1, `${cut.count} pills`);
        assert.deepEqual([width, cut.sideways, cut.pills], [width, 0, []]);
      }
      await close();
    });
  });
}

test("wider text spacing of the page cuts off nothing of <runstate-pill>", async () => {
  const { opened, close } = await show("shadow");
  const found = await opened.evaluate((css) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    document.adoptedStyleSheets = [sheet];
    const pill = document.querySelector("runstate-pill");
    pill.shadowRoot.adoptedStyleSheets = [...pill.shadowRoot.adoptedStyleSheets, sheet];
    const base = pill.shadowRoot.querySelector("[part=base]");
    const [label, outer] = [base.querySelector("[part=label]"), base].map((element) => element.getBoundingClientRect());
    return {
      spacing: getComputedStyle(base).letterSpacing,
      label: label.width > 50,
      cut: base.scrollWidth > base.clientWidth + 1 || label.right > outer.right + 0.5,
    };
  }, textSpacing);
  assert.notEqual(found.spacing, "normal");
  assert.deepEqual([found.label, found.cut], [true, false]);
  await close();
});
