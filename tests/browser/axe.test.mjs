// Every screen: axe finds no violation in any theme, and there is one live region.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { axe, prefer } from "../support/a11y.mjs";
import { driven } from "../support/browser.mjs";
import { screensOf } from "../support/screens.mjs";
import { stage } from "../support/stage.mjs";

const { server, newPage } = await stage({ viewport: { width: 1280, height: 2400 } });
const { page } = await newPage();
const { screens, visit } = screensOf(page, server.origin);

describe("axe finds nothing", () => {
  const themes = {
    light: { scheme: "light" },
    dark: { scheme: "dark" },
    // They leave axe no colours to compare, so that one browser is enough.
    ...(driven === "chromium" && {
      "forced colours, light": { scheme: "light", forced: true },
      "forced colours, dark": { scheme: "dark", forced: true },
    }),
  };
  for (const [name, show] of Object.entries(screens)) {
    test(name, async (t) => {
      await show();
      await t.test("one live region", async () => {
        const regions = await page.evaluate(() =>
          [...document.querySelectorAll('[aria-live]:not([aria-live="off"]), [role=status], [role=alert], [role=log], [role=marquee]')]
            .filter((region) => region.checkVisibility())
            .map((region) => region.getAttribute("role")),
        );
        assert.deepEqual(regions, ["status"]);
      });
      for (const [theme, media] of Object.entries(themes)) {
        await t.test(theme, async () => {
          const undo = await prefer(page, media);
          const { problems, passed } = await axe(page);
          assert.deepEqual(problems, []);
          if (!media.forced) assert.ok(passed.includes("color-contrast"), "contrast was measured");
          await undo();
        });
      }
    });
  }
  test("an own theme that differs from the system's", async () => {
    for (const [scheme, theme] of [
      ["light", "dark"],
      ["dark", "light"],
    ]) {
      const undo = await prefer(page, { scheme });
      await visit();
      await page.evaluate((name) => (document.documentElement.dataset.theme = name), theme);
      assert.deepEqual((await axe(page)).problems, [], `${theme} on ${scheme}`);
      await undo();
    }
  });
});
