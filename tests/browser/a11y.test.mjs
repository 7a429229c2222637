// Accessibility gates: axe, contrast, forced colours, one quiet live region.
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { axe, installMeasure, prefer } from "../support/a11y.mjs";
import { view } from "../support/make.mjs";
import { open, paste } from "../support/panel.mjs";
import { gate, screensOf } from "../support/screens.mjs";
import { stage } from "../support/stage.mjs";

const { server, newPage } = await stage();
const { page } = await newPage();
await installMeasure(page);
const { screens, visit, pasted } = screensOf(page, server.origin);
let session;

describe("axe finds nothing", () => {
  const themes = {
    light: { scheme: "light" },
    dark: { scheme: "dark" },
    "forced colours, light": { scheme: "light", forced: true },
    "forced colours, dark": { scheme: "dark", forced: true },
  };
  before(() => page.setViewport({ width: 1280, height: 2400 }));
  for (const [name, show] of Object.entries(screens)) {
    test(name, async (t) => {
      await show();
      for (const [theme, media] of Object.entries(themes)) {
        await t.test(theme, async () => {
          session = await prefer(page, media);
          const { problems, passed } = await axe(page);
          assert.deepEqual(problems, []);
          // Forced colours leave axe nothing to compare; elsewhere it must have measured.
          if (!media.forced) assert.ok(passed.includes("color-contrast"), "contrast was measured");
          await session.detach();
        });
      }
    });
  }
  test("an own theme that differs from the system's", async () => {
    for (const [scheme, theme] of [["light", "dark"], ["dark", "light"]]) {
      session = await prefer(page, { scheme });
      await visit();
      await page.evaluate((name) => (document.documentElement.dataset.theme = name), theme);
      assert.deepEqual((await axe(page)).problems, [], `${theme} on ${scheme}`);
      await session.detach();
    }
  });
});

describe("pills", () => {
  const withPills = ["the example run", "a failed run", "a run that waits", "an orphaned run", "a foreign state", "a list of runs"];
  for (const [theme, media] of Object.entries({ light: { scheme: "light" }, dark: { scheme: "dark" } })) {
    test(`contrast by computed styles, ${theme}`, async () => {
      session = await prefer(page, media);
      let seen = 0;
      for (const name of withPills) {
        await screens[name]();
        for (const pill of await page.evaluate(() => window.runstateMeasure.pills())) {
          seen++;
          const where = `${pill.name} on ${name}`;
          assert.ok(pill.text >= 4.5, `text ${pill.text} of ${where}`);
          assert.ok(pill.icon >= 3, `icon ${pill.icon} of ${where}`);
          assert.ok(pill.border >= 3, `border ${pill.border} of ${where}`);
          assert.equal(pill.opacity, 1, `opacity of ${where}`);
          assert.equal(pill.clipped, false, `text inside ${where}`);
          assert.ok(pill.iconHidden, `icon hidden from readers: ${where}`);
          assert.ok(pill.words.length > 0 && !pill.focusable, where);
        }
      }
      assert.ok(seen > 30, `${seen} pills`);
      await session.detach();
    });
  }
  test("hovered and selected rows keep the contrast", async () => {
    for (const scheme of ["light", "dark"]) {
      session = await prefer(page, { scheme });
      await visit();
      await page.waitForFunction(() => document.querySelectorAll("[role=treeitem]").length > 2);
      const rows = await page.$$("[role=treeitem]");
      await rows[1].click();
      await rows[2].hover();
      for (const pill of await page.evaluate(() => window.runstateMeasure.pills())) assert.ok(pill.text >= 4.5 && pill.icon >= 3, `${pill.name} ${scheme}`);
      await session.detach();
    }
  });
  test("forced colours keep border and icon", async () => {
    session = await prefer(page, { scheme: "dark", forced: true });
    await screens["a list of runs"]();
    const pills = await page.evaluate(() => window.runstateMeasure.pills());
    assert.ok(pills.length > 5);
    for (const pill of pills) {
      assert.ok(pill.borderWidth >= 1 && pill.border >= 3, `border of ${pill.name}`);
      assert.ok(pill.icon >= 3 && pill.text >= 4.5, `icon and text of ${pill.name}`);
    }
    await session.detach();
  });
  test("without colour, icon and words distinguish the states", async () => {
    await screens["a list of runs"]();
    const pills = await page.evaluate(() => window.runstateMeasure.pills());
    const appearances = new Map();
    for (const pill of pills.filter(({ taxonomy }) => taxonomy === "run")) {
      const appearance = `${pill.outline} ${pill.words}`;
      assert.equal(appearances.get(appearance) ?? pill.value, pill.value, "two states share icon and words");
      appearances.set(appearance, pill.value);
    }
    assert.ok(appearances.size > 4, `${appearances.size} appearances`);
  });
});

describe("quiet", () => {
  test("one live region, empty at first", async () => {
    for (const [name, show] of Object.entries(screens)) {
      await show();
      const regions = await page.evaluate(() => [...document.querySelectorAll('[aria-live]:not([aria-live="off"]), [role=status], [role=alert], [role=log], [role=marquee]')].map((region) => region.getAttribute("role")));
      assert.deepEqual([regions, name], [["status"], name]);
    }
    await visit();
    assert.equal(await page.$eval("[role=status]", (region) => region.textContent.trim()), "");
  });
  test("it is silent while time passes, although the ages move", async () => {
    const { page: own, close } = await newPage();
    await open(own, `${server.origin}/#connect`);
    const asked = new Date(Date.now() - 5000).toISOString();
    await paste(own, JSON.stringify(view("young", "waiting-approval", { computedAt: new Date().toISOString(), blocked: { kind: "approval", nodeId: "gate", requestedAt: asked } })));
    await own.evaluate(() => {
      window.spoken = [];
      window.moved = 0;
      const region = document.querySelector("[role=status]");
      const all = { subtree: true, childList: true, characterData: true };
      new MutationObserver(() => window.spoken.push(region.textContent)).observe(region, all);
      new MutationObserver((records) => (window.moved += records.length)).observe(document.querySelector("section[data-tone]"), all);
    });
    // The first moves come with the page's last changes; the later ones are the ages.
    await own.waitForFunction(() => window.moved > 8, { timeout: 60_000 });
    assert.deepEqual(await own.evaluate(() => window.spoken), []);
    await close();
  });
  test("ages stand outside every live region", async () => {
    await pasted(JSON.stringify(gate));
    const inside = await page.evaluate(() => [...document.querySelectorAll("time, [data-field=freshness]")].filter((element) => element.closest('[aria-live]:not([aria-live="off"]), [role=status]')).length);
    assert.equal(inside, 0);
  });
  test("nothing moves for longer than a moment, and nothing at all where motion is reduced", async () => {
    for (const motion of ["no-preference", "reduce"]) {
      session = await prefer(page, { motion });
      await page.evaluateOnNewDocument(() => {
        window.moved = [];
        const note = ({ type, target, animationName, propertyName }) => {
          const timings = target.getAnimations().map(({ effect }) => effect.getComputedTiming().endTime);
          window.moved.push({ what: `${type} ${animationName ?? propertyName} of ${target.localName}`, ms: Math.max(0, ...timings) });
        };
        for (const type of ["animationstart", "transitionrun"]) document.addEventListener(type, note, true);
      });
      await visit();
      await page.click('[data-action="theme"]');
      await page.evaluate(() => window.runstateTest.painted());
      const moved = await page.evaluate(() => window.moved);
      assert.deepEqual(moved.filter(({ ms }) => ms > (motion === "reduce" ? 20 : 500)), [], motion);
      await session.detach();
    }
  });
});
