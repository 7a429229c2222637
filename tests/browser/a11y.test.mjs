// Accessibility gates: contrast, forced colours, a quiet live region. What axe finds is in axe.test.mjs.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { installMeasure, prefer } from "../support/a11y.mjs";
import { view } from "../support/make.mjs";
import { open, paste } from "../support/panel.mjs";
import { gate, screensOf } from "../support/screens.mjs";
import { stage } from "../support/stage.mjs";

const { server, newPage } = await stage({ viewport: { width: 1280, height: 2400 } });
const { page } = await newPage();
await installMeasure(page);
const { screens, visit, pasted } = screensOf(page, server.origin);
// Sets what the system prefers, while `check` runs.
async function preferring(media, check) {
  const undo = await prefer(page, media);
  try {
    await check();
  } finally {
    await undo();
  }
}

describe("pills", () => {
  const withPills = ["the example run", "a failed run", "a run that waits", "an orphaned run", "a foreign state", "a list of runs"];
  for (const [theme, media] of Object.entries({ light: { scheme: "light" }, dark: { scheme: "dark" } })) {
    test(`contrast by computed styles, ${theme}`, async () => {
      let seen = 0;
      await preferring(media, async () => {
        for (const name of withPills) {
          await screens[name]();
          for (const pill of await page.evaluate(() => window.runstateMeasure.pills())) {
            seen++;
            const where = `${pill.name} on ${name}`;
            assert.ok(pill.text >= 4.5, `text ${pill.text} of ${where}`);
            assert.ok(pill.icon >= 3, `icon ${pill.icon} of ${where}`);
            assert.ok(!pill.isPill || pill.border >= 3, `border ${pill.border} of ${where}`);
            assert.equal(pill.opacity, 1, `opacity of ${where}`);
            assert.equal(pill.clipped, false, `text inside ${where}`);
            assert.ok(pill.iconHidden, `icon hidden from readers: ${where}`);
            assert.ok(pill.words.length > 0 && !pill.focusable, where);
          }
        }
      });
      assert.ok(seen > 30, `${seen} pills`);
    });
  }
  test("hovered and selected rows keep the contrast", async () => {
    for (const scheme of ["light", "dark"]) {
      await preferring({ scheme }, async () => {
        await visit();
        await page.waitForFunction(() => document.querySelectorAll("[role=treeitem]").length > 2);
        const rows = await page.$$("[role=treeitem]");
        await rows[1].click();
        await rows[2].hover();
        for (const pill of await page.evaluate(() => window.runstateMeasure.pills()))
          assert.ok(pill.text >= 4.5 && pill.icon >= 3, `${pill.name} ${scheme}`);
      });
    }
  });
  test("forced colours keep border and icon", async () => {
    await preferring({ scheme: "dark", forced: true }, async () => {
      await screens["a list of runs"]();
      const pills = await page.evaluate(() => window.runstateMeasure.pills());
      assert.ok(pills.length > 5);
      for (const pill of pills) {
        assert.ok(pill.borderWidth >= 1 && pill.border >= 3, `border of ${pill.name}`);
        assert.ok(pill.icon >= 3 && pill.text >= 4.5, `icon and text of ${pill.name}`);
      }
    });
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
  test("the live region is empty at first", async () => {
    await visit();
    assert.equal(await page.$eval("[role=status]", (region) => region.textContent.trim()), "");
  });
  test("it is silent while time passes, although the ages move", async () => {
    const { page: own, close } = await newPage();
    await open(own, `${server.origin}/#connect`);
    const asked = new Date(Date.now() - 5000).toISOString();
    await paste(
      own,
      JSON.stringify(
        view("young", "waiting-approval", {
          computedAt: new Date().toISOString(),
          blocked: { kind: "approval", nodeId: "gate", requestedAt: asked },
        }),
      ),
    );
    await own.evaluate(() => {
      window.spoken = [];
      window.moved = 0;
      const region = document.querySelector("[role=status]");
      const all = { subtree: true, childList: true, characterData: true };
      new MutationObserver(() => window.spoken.push(region.textContent)).observe(region, all);
      new MutationObserver((records) => (window.moved += records.length)).observe(document.querySelector("section[data-tone]"), all);
    });
    // The first moves come with the page's last changes; the later ones are the ages.
    await own.waitForFunction(() => window.moved > 8);
    assert.deepEqual(await own.evaluate(() => window.spoken), []);
    await close();
  });
  test("ages stand outside every live region", async () => {
    await pasted(JSON.stringify(gate));
    const inside = await page.evaluate(
      () =>
        [...document.querySelectorAll("time, [data-field=freshness]")].filter((element) =>
          element.closest('[aria-live]:not([aria-live="off"]), [role=status]'),
        ).length,
    );
    assert.equal(inside, 0);
  });
  test("nothing moves for longer than a moment, and nothing at all where motion is reduced", async () => {
    // How long each transition and animation lasts that begins while the theme changes and a node is folded.
    const movements = async (motion) => {
      const { page: own, close } = await newPage();
      const undo = await prefer(own, { motion });
      await own.evaluateOnNewDocument(() => {
        window.moved = [];
        const note = ({ type, target, animationName, propertyName }) => {
          const timings = target.getAnimations().map(({ effect }) => effect.getComputedTiming().endTime);
          window.moved.push({ what: `${type} ${animationName ?? propertyName} of ${target.localName}`, ms: Math.max(0, ...timings) });
        };
        for (const type of ["animationstart", "transitionrun"]) document.addEventListener(type, note, true);
      });
      await open(own, `${server.origin}/#connect`);
      await paste(own, JSON.stringify(gate));
      await own.waitForSelector("[role=treeitem] svg");
      await own.click('[data-action="theme"]');
      await own.click('[role=treeitem][aria-level="2"] svg');
      await own.waitForSelector('[role=treeitem][aria-level="2"][aria-expanded="false"]');
      await own.evaluate(() => window.runstateTest.painted());
      const moved = await own.evaluate(() => window.moved);
      await undo();
      await close();
      return moved;
    };
    const moved = await movements("no-preference");
    assert.ok(
      moved.some(({ ms }) => ms > 20),
      "there is something that moves",
    );
    assert.deepEqual(
      moved.filter(({ ms }) => ms > 500),
      [],
    );
    assert.deepEqual(
      (await movements("reduce")).filter(({ ms }) => ms > 20),
      [],
      "where motion is reduced",
    );
  });
});
