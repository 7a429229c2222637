// A list of a million runs: no browser draws an element as high as all of its rows, and every row is still reached and whole.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { driven, until } from "../support/browser.mjs";
import { LISTS, listOf } from "../support/list.mjs";
import { view } from "../support/make.mjs";
import { paste } from "../support/panel.mjs";
import { built } from "../support/paths.mjs";
import { connectScreen } from "../support/stage.mjs";
import { TIMEOUT } from "../support/timeout.mjs";

const COUNT = 1_000_000;
const million = join(fileURLToPath(import.meta.url), "../../support/million-runs.js");
const worker = [built("dashboard", "worker.js"), million].map((path) => readFileSync(path, "utf8")).join("\n");
const extra = { "/worker.js": worker };
const scroller = "[data-pane=runs] > .scroll";
const runs = ["waiting-approval", "succeeded"].map((state, index) => ({
  runId: `r${index}`,
  workflowName: "flow",
  status: "running",
  runState: view(
    `r${index}`,
    state,
    index === 0 ? { blocked: { kind: "approval", nodeId: "gate", requestedAt: "2026-11-21T14:00:00.000Z" } } : {},
  ),
}));

// Always the same places.
let seed = 21;
const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;

/** Tests of the list on a page. */
function reaches(page) {
  const { focused, press } = listOf(page);
  /** The rows that are whole in sight, the active one, and the largest distance between a row and the next one of its list. */
  const inSight = () =>
    page.evaluate((selector) => {
      const box = (element) => element.getBoundingClientRect();
      const { top, bottom } = box(document.querySelector(selector));
      const rows = [...document.querySelectorAll(`${selector} [data-run]`)];
      const number = (row) => row && Number(row.dataset.run.slice(4));
      // Pixels between a row and the edges of what scrolls.
      const distances = (row) => [box(row).top - top, bottom - box(row).bottom];
      const whole = rows.filter((row) => Math.min(...distances(row)) >= -1);
      const active = rows.find((row) => row.ariaSelected === "true");
      const pairs = rows.filter((row) => row.nextElementSibling);
      const gap = Math.max(...pairs.map((row) => Math.abs(box(row.nextElementSibling).top - box(row).bottom)));
      return { active: number(active), distances: active && distances(active), last: number(whole.at(-1)), gap };
    }, scroller);
  const settled = () => page.evaluate(() => window.runstateTest.painted());
  /** Scrolls to a share of the list without the focus, and waits for the rows there. */
  const scroll = async (share) => {
    await page.evaluate(() => document.activeElement.blur());
    await page.$eval(scroller, (element, part) => (element.scrollTop = element.scrollHeight * part), share);
    await page.waitForFunction(
      (selector) => {
        const box = (element) => element.getBoundingClientRect();
        const { top, height } = box(document.querySelector(selector));
        const covers = (row) => box(row).top <= top + height / 2 && box(row).bottom >= top + height / 2;
        return [...document.querySelectorAll("[data-run], [data-group] h3")].some(covers);
      },
      {},
      scroller,
    );
    await settled();
  };
  /** Moves the focus to a row there, which scrolls until all of it is in sight. */
  const jump = async (share) => {
    await scroll(share);
    await page.focus(LISTS);
    await settled();
  };
  /** Waits until a row is active and whole in sight, next to its neighbours. */
  const shows = async (row, what) => {
    let now;
    const isShown = async () => {
      now = await inSight();
      return now.active === row && Math.min(...now.distances) >= -1 && now.gap <= 0.5;
    };
    await until(what, isShown, { timeout: TIMEOUT / 6, pause: 10 }).catch(() => assert.fail(`${what}, row ${row}: ${JSON.stringify(now)}`));
  };
  async function everyRowIsReached() {
    assert.ok((await page.$$("[data-run]")).length < 200, "few rows exist");
    await jump(0);
    await press("End");
    await shows(COUNT - 1, "End");
    await press("Home");
    await shows(0, "Home");
    const keys = ["ArrowDown", "PageDown", "ArrowUp", "PageUp", "PageDown", "ArrowDown"];
    for (let index = 0; index < 300; index++) {
      // Ten keys from each of 30 places.
      if (index % 10 === 0) await jump(random());
      const before = Number((await focused()).slice(4));
      const key = keys[index % keys.length];
      const after = Number((await press(key)).slice(4));
      if (key.startsWith("Arrow")) assert.equal(after, before + (key === "ArrowDown" ? 1 : -1), `${key} from ${before}`);
      await shows(after, `${key} from ${before}`);
    }
    await scroll(1);
    await until("scrolled to the end, the last row is in sight", async () => (await inSight()).last === COUNT - 1);
  }
  before(async () => {
    await paste(page, JSON.stringify(runs));
    await page.waitForSelector('[data-run="run-400000"]');
  });
  test("no element is higher than browsers draw", async () => {
    const heights = await page.$$eval(`${scroller} *`, (elements) => elements.map((element) => element.getBoundingClientRect().height));
    const most = Math.max(...heights);
    assert.ok(most > 7_900_000 && most < 8_010_000, `${most} px`);
  });
  test("the first, the last and 300 other rows are whole in sight, each by keys", everyRowIsReached);
}

const { page: unzoomed } = await connectScreen({ extra, viewport: { width: 1280, height: 800 } });
describe("a million rows", () => reaches(unzoomed));

// In Firefox, the greatest height does not depend on the zoom.
if (driven === "chromium") {
  // 1280 × 1024 at 400 %. Unlike an emulated viewport, the browser's own scale reduces the greatest height of an element.
  const viewport = { width: 320, height: 256, deviceScaleFactor: 0 };
  const { page } = await connectScreen({ extra, viewport, args: ["--force-device-scale-factor=4"] });
  describe("a million rows at a zoom of 400 %", () => {
    test("the browser draws elements of up to 8.39 million pixels", async () => {
      const height = await page.evaluate(() => {
        const high = document.body.appendChild(document.createElement("div"));
        high.style.height = "20000000px";
        const { height } = high.getBoundingClientRect();
        high.remove();
        return height;
      });
      assert.ok(Math.abs(height - 8_388_608) < 2, `${height} px`);
    });
    reaches(page);
  });
}
