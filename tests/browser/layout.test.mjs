// Every screen in every size: narrow, with wide spacing, zoomed, with large fonts. Nothing is cut off, covered or out of reach.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { addStyle, installMeasure, textSpacing } from "../support/a11y.mjs";
import { launch } from "../support/browser.mjs";
import { view } from "../support/make.mjs";
import { open, paste } from "../support/panel.mjs";
import { screensOf } from "../support/screens.mjs";
import { stage } from "../support/stage.mjs";
import { TIMEOUT } from "../support/timeout.mjs";

const { server, newPage } = await stage();
const { page } = await newPage();
await installMeasure(page);
const { screens } = screensOf(page, server.origin);

describe("long values of fields", () => {
  const outside = () => {
    const right = document.querySelector("[data-view]").getBoundingClientRect().right;
    const fields = [...document.querySelectorAll("section[data-tone] .fields > [data-field]")];
    // The text itself: a box keeps its width when its text does not fit.
    const end = (field) => {
      const text = document.createRange();
      text.selectNodeContents(field.querySelector("dd"));
      return Math.max(...[...text.getClientRects()].map((rect) => rect.right));
    };
    // An id and a source are shortened and say so with three points.
    const whole = fields.filter((field) => field.dataset.value === undefined && field.dataset.field !== "source");
    return { count: whole.length, outside: whole.filter((field) => end(field) > right + 0.5).map((field) => field.textContent) };
  };
  const long = (letter) => letter.repeat(120);
  const session = {
    id: long("x"),
    session_id: long("x"),
    status: "completed",
    invocation_kind: "agent",
    name: long("N"),
    started_at: 1795293000,
    updated_at: 1795293001,
    status_reason_code: `run.${long("c")}`,
  };
  const row = { runId: long("r"), workflowName: long("w"), status: "failed", createdAtMs: 1795293000000 };
  const run = {
    run_id: long("r"),
    workflow_id: long("w"),
    lifecycle_state: "waiting",
    phase: "gate",
    current_step_id: long("s"),
    active_opcode: "GATE",
    started_at: "2026-11-21T20:41:24Z",
    last_update_at: "2026-11-21T20:41:24Z",
  };
  for (const [name, document] of Object.entries({ session, row, run })) {
    for (const width of [320, 640, 1280]) {
      test(`${name}, ${width} px wide: no value is cut off at the edge`, async () => {
        await page.setViewport({ width, height: 800 });
        await open(page, server.origin);
        const seen = await paste(page, JSON.stringify(document));
        assert.ok(seen.header, JSON.stringify(seen.error));
        await page.click('[data-action="fields"]');
        const { count, outside: cut } = await page.evaluate(outside);
        assert.ok(count >= 2, `${count} fields`);
        assert.deepEqual(cut, []);
      });
    }
  }
});

describe("commands", () => {
  const tall = () =>
    [...document.querySelectorAll('[data-field="actions"] code')]
      .filter(
        (code) =>
          code.getClientRects().length > 0 && code.getBoundingClientRect().height > 4.5 * parseFloat(getComputedStyle(code).lineHeight),
      )
      .map((code) => code.textContent);
  before(async () => {
    await open(page, server.origin);
    await paste(page, JSON.stringify(view("release-train-01jda7q4zk8m3v5t", "orphaned")));
    await page.click('[data-field="actions"] summary');
  });
  for (const width of [320, 480, 640, 760, 900, 1023, 1024, 1280]) {
    test(`${width} px wide: a command is never squeezed into a column of words`, async () => {
      await page.setViewport({ width, height: 800 });
      assert.ok(await page.$('[data-field="actions"] code'), "there is a command");
      assert.deepEqual(await page.evaluate(tall), []);
    });
  }
  test("a placeholder in a command is explained next to it", async () => {
    const rows = await page.$$eval('[data-field="actions"] li', (items) =>
      items.map((item) => [item.querySelector("code")?.textContent ?? "", item.textContent]),
    );
    assert.ok(
      rows.some(([command]) => command.includes("WORKFLOW_FILE")),
      "a command names an unknown file",
    );
    for (const [command, text] of rows) assert.equal(text.includes("Replace WORKFLOW_FILE"), command.includes("WORKFLOW_FILE"), command);
  });
});

// Every text of header, toolbar, forms and screens, on screen or a scroll away, is whole and not covered.
function unread() {
  const lost = [];
  const ownText = (element) => [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
  const scopes = "section[data-tone], [data-field=incident], [role=toolbar], form, [data-screen]";
  // Text for assistive technology alone takes no space on screen; an id or a source is shortened on purpose.
  const read = (element) =>
    ownText(element) &&
    element.checkVisibility({ visibilityProperty: true }) &&
    element.getBoundingClientRect().width > 1 &&
    !element.closest("[title], textarea");
  const problemOf = (element) => {
    const [box] = element.getClientRects();
    if (box.left < -1 || box.right > innerWidth + 1) return `goes out sideways: ${box.left} to ${box.right}`;
    const [x, y] = [Math.min(Math.max(box.left + 1, 1), innerWidth - 2), box.top + Math.min(box.height / 2, 10)];
    const top = document.elementFromPoint(x, y);
    if (top && (element.contains(top) || top.contains(element))) return undefined;
    return `is covered by ${top?.localName}.${top?.className} at ${x}, ${y}`;
  };
  for (const element of [...document.querySelectorAll(scopes)].flatMap((scope) => [...scope.querySelectorAll("*")]).filter(read)) {
    if (!problemOf(element)) continue;
    // Scrolling makes the browser lay out the page again: most texts are on screen without it.
    element.scrollIntoView({ block: "center", inline: "nearest" });
    const problem = problemOf(element);
    if (problem) lost.push(`${element.localName}.${element.className} “${element.textContent.trim().slice(0, 40)}” ${problem}`);
  }
  scrollTo(0, 0);
  return lost;
}

// How high a text is drawn: Firefox's computed styles do not say what its setting makes of them.
function textHeight() {
  const text = document.createRange();
  text.selectNodeContents(document.querySelector("[role=toolbar] span, h2"));
  return text.getBoundingClientRect().height;
}

const DOCKS = [
  { width: 900, height: 360 },
  { width: 480, height: 800 },
  { width: 320, height: 720 },
];
const sideways = (page) =>
  page.evaluate(() => ({
    page: document.scrollingElement.scrollWidth - innerWidth,
    panel: document.querySelector("[data-view]").scrollWidth - document.querySelector("[data-view]").clientWidth,
  }));
const clipped = (page) =>
  page.evaluate(() =>
    window.runstateMeasure
      .pills()
      .filter((pill) => pill.clipped)
      .map(({ name }) => name),
  );
// A screen is opened once, and then shown in every size: opening takes longer than all that is measured on it.
async function resize(page, viewport) {
  await page.setViewport(viewport);
  // A list measures its rows, and places them in the frames after that.
  await page.evaluate(async () => {
    for (let frame = 0; frame < 3; frame++) await window.runstateTest.painted();
  });
}
const rootFont = (size) => `html { font-size: ${size} !important; }`;

describe("nothing is cut off, covered or out of reach", () => {
  after(() => page.setViewport({ width: 1280, height: 800 }));
  for (const [name, show] of Object.entries(screens)) {
    test(name, async () => {
      await page.setViewport({ width: 320, height: 256, deviceScaleFactor: 4 });
      await show();
      assert.deepEqual(await sideways(page), { page: 0, panel: 0 }, "400 % zoom of 1280 × 1024 px");
      assert.deepEqual(await page.evaluate(unread), [], "400 % zoom of 1280 × 1024 px");

      for (const [width, height] of [
        [320, 720],
        [280, 720],
        [900, 360],
        [1280, 1024],
      ]) {
        await resize(page, { width, height });
        assert.deepEqual(await sideways(page), { page: 0, panel: 0 }, `${width} px wide`);
        const removeStyle = await addStyle(page, textSpacing);
        const spaced = await sideways(page);
        assert.ok(spaced.page <= 0 && spaced.panel <= 0, `${width} px wide with text spacing: ${JSON.stringify(spaced)}`);
        assert.deepEqual(await clipped(page), [], `${width} px wide with text spacing`);
        await removeStyle();
      }

      const removeLarge = await addStyle(page, rootFont("20px"));
      for (const dock of DOCKS) {
        await resize(page, dock);
        assert.deepEqual(await sideways(page), { page: 0, panel: 0 }, `a root font of 20 px, ${dock.width} px wide`);
        assert.deepEqual(await page.evaluate(unread), [], `a root font of 20 px, ${dock.width} px wide`);
      }
      await removeLarge();

      await addStyle(page, rootFont("200%"));
      await resize(page, { width: 640, height: 800 });
      const twice = await sideways(page);
      assert.ok(twice.page <= 0, `text of twice the size: ${JSON.stringify(twice)}`);
      assert.deepEqual(await clipped(page), [], "text of twice the size");
    });
  }
});

test("a browser that draws no text below 20 px still shows all of it", async () => {
  const own = await launch({ args: ["--blink-settings=minimumFontSize=20"], preferences: { "font.minimum-size.x-western": 20 } });
  try {
    const page = await own.newPage();
    page.setDefaultTimeout(TIMEOUT);
    await installMeasure(page);
    const { screens } = screensOf(page, server.origin);
    for (const [name, show] of Object.entries(screens)) {
      await page.setViewport(DOCKS[0]);
      await show();
      for (const dock of DOCKS) {
        const where = `${name}, ${dock.width} px wide`;
        await resize(page, dock);
        assert.ok((await page.evaluate(textHeight)) >= 20, "the browser's setting holds");
        assert.deepEqual(await sideways(page), { page: 0, panel: 0 }, where);
        assert.deepEqual(await page.evaluate(unread), [], where);
        assert.deepEqual(await clipped(page), [], where);
        // No row of a list or tree lies over the next one.
        const overlaps = await page.evaluate(() => {
          const rows = [...document.querySelectorAll("[role=treeitem], [data-run]")].map(
            (row) =>
              Math.max(
                row.getBoundingClientRect().bottom,
                ...[...row.querySelectorAll("[data-taxonomy], [title]")].map((inside) => inside.getBoundingClientRect().bottom),
              ) - row.getBoundingClientRect().bottom,
          );
          return Math.max(0, ...rows);
        });
        assert.ok(overlaps <= 2, `${where}: a row is ${overlaps} px too low for what is in it`);
      }
    }
  } finally {
    await own.close();
  }
});
