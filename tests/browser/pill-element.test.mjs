// <runstate-pill> in a page of the strictest policy: words, tones, parts, states, ages; without JavaScript and without a document.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { axe, installMeasure, prefer } from "../support/a11y.mjs";
import { onlyChromium } from "../support/browser.mjs";
import { root, vector } from "../support/paths.mjs";
import { serve } from "../support/server.mjs";
import { stage } from "../support/stage.mjs";

const strict = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; img-src data:; require-trusted-types-for 'script'; trusted-types 'none'; base-uri 'none'; form-action 'none'",
};
const document = (body) => `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Pills</title>
  <link rel="icon" href="data:,"><script type="module" src="/elements/define.js"></script></head>
  <body><main><h1>Pills</h1>${body}</main></body></html>`;
const catalogue = JSON.parse(readFileSync(vector("pills.json"), "utf8"));
const all = catalogue
  .map(({ taxonomy, value }) => `<p><runstate-pill kind="${taxonomy}" state="${value}">${value}</runstate-pill></p>`)
  .join("\n");
const host = await serve(root, {
  headers: strict,
  extra: {
    "/all.html": document(all),
    "/one.html": document('<p>Build <runstate-pill state="failed">failed</runstate-pill></p>'),
    "/rendered.html": document(
      '<runstate-pill state="paused"><template shadowrootmode="open"><b>rendered</b></template>paused</runstate-pill>',
    ),
  },
});
const { newPage } = await stage();
after(() => host.close());

/** What a pill shows, read from its shadow root. */
const shown = (page, selector = "runstate-pill") =>
  page.$eval(selector, (pill) => {
    const part = (name) => pill.shadowRoot.querySelector(`[part="${name}"]`);
    return { ...part("base").dataset, text: part("base").textContent, age: part("age")?.textContent, reason: part("reason")?.textContent };
  });

async function show(path) {
  const opened = await newPage();
  await installMeasure(opened.page);
  await opened.page.goto(`${host.origin}${path}`);
  await opened.page.waitForFunction(() => customElements.get("runstate-pill"));
  return opened;
}

/** Sets attributes of the one pill; `undefined` removes one. Waits until they are drawn. */
const set = (page, attributes) =>
  page.$eval(
    "runstate-pill",
    async (pill, entries) => {
      for (const [name, value] of entries) value === null ? pill.removeAttribute(name) : pill.setAttribute(name, value);
      await new Promise((done) => setTimeout(done));
    },
    Object.entries(attributes).map(([name, value]) => [name, value ?? null]),
  );

describe("the words", () => {
  test(`all ${catalogue.length} of the catalogue look and read as in the panel, under a policy with trusted types`, async () => {
    const { page, close } = await show("/all.html");
    const found = await page.$$eval("runstate-pill", (pills) =>
      pills.map((pill) => {
        const base = pill.shadowRoot.querySelector("[part=base]");
        const style = getComputedStyle(base);
        return {
          ...base.dataset,
          text: base.textContent,
          icon: base.querySelector("svg").children.length,
          border: style.borderTopStyle,
          fill: style.backgroundColor,
        };
      }),
    );
    assert.equal(found.length, catalogue.length);
    for (const [index, { taxonomy, value, tone, label, spoken }] of catalogue.entries()) {
      const { text, icon, border, fill, ...data } = found[index];
      const field = spoken.slice(0, spoken.indexOf(":"));
      const dotted = value === "legacy" ? { dotted: "" } : {};
      assert.deepEqual(data, { taxonomy, value, tone, ...dotted });
      assert.equal(text, `${field}: ${label}`);
      assert.ok(icon > 0, `${value} has an outline`);
      assert.equal(border, dotted.dotted === "" ? "dotted" : value === "unknown" ? "dashed" : "solid");
      assert.notEqual(fill, "rgba(0, 0, 0, 0)", "the style sheet is adopted");
    }
    const outlines = await page.$$eval("runstate-pill", (pills) =>
      pills.map((pill) => `${pill.getAttribute("kind")} ${pill.shadowRoot.querySelector("svg").innerHTML}`),
    );
    assert.equal(new Set(outlines).size, outlines.length, "within a vocabulary no two words share an outline");
    await close();
  });

  test("a word that is not recognised stands in quotes; none is “not given”", async () => {
    const { page, close } = await show("/one.html");
    for (const word of ["hibernating", "RUNNING", "__proto__", "constructor", "“quoted”", "<b>"]) {
      await set(page, { state: word });
      const { text, tone, known } = await shown(page);
      assert.deepEqual([text, tone, known], [`Run state: “${word}”`, "neutral", "false"]);
    }
    for (const [word, label] of [
      ["succeed\u0435d", "“succeed\\u{435}d”, not succeeded"],
      ["failed\u200b", "“failed\\u{200b}”, not failed"],
      ["faiIed", "“faiIed”, not failed"],
      ["run-\u202e1", "“run-\\u{202e}1”"],
      ["\u001b[31mred\u001b[0m", "“red”"],
    ]) {
      await set(page, { state: word });
      const { text, tone, known } = await shown(page);
      assert.deepEqual([text, tone, known], [`Run state: ${label}`, "neutral", "false"]);
    }
    await set(page, { state: "\u05e9\u05e2\u05e8", reason: "\u05d9\u05e8\u05d5\u05e7" });
    const data = await page.$eval("runstate-pill", (pill) => [...pill.shadowRoot.querySelectorAll("bdi")].map((part) => part.textContent));
    assert.deepEqual(data, ["“\u05e9\u05e2\u05e8”", "\u05d9\u05e8\u05d5\u05e7"], "words of others do not change places");
    await set(page, { state: undefined, reason: undefined });
    // What the page wrote inside stays: it may say more than nothing.
    assert.equal(
      await page.$eval("runstate-pill", (pill) => pill.shadowRoot.querySelector("slot").assignedNodes()[0].textContent),
      "failed",
    );
    await page.$eval("runstate-pill", (pill) => pill.replaceChildren());
    assert.equal((await shown(page)).text, "not given");
    await close();
  });

  test("the element says its state to style sheets, and follows attributes and properties", async () => {
    const { page, close } = await show("/one.html");
    const matches = (selector) => page.$eval("runstate-pill", (pill, text) => pill.matches(text), selector);
    assert.ok(await matches(":state(failed)"));
    await page.$eval("runstate-pill", (pill) =>
      Object.assign(pill, { kind: "effective", state: "stale running", iconOnly: true, size: "dense" }),
    );
    assert.ok(await matches('[kind="effective"][state="stale running"][icon-only][size="dense"]'));
    await page.waitForFunction(() => document.querySelector("runstate-pill").matches(":state(stale-running)"));
    assert.ok(!(await matches(":state(failed)")));
    const seen = await page.$eval("runstate-pill", (pill) => {
      const base = pill.shadowRoot.querySelector("[part=base]");
      return {
        text: base.textContent,
        label: base.querySelector("[part=label]").getBoundingClientRect().width,
        width: base.getBoundingClientRect().width,
      };
    });
    assert.equal(seen.text, "State: Stale running", "the icon never stands alone for those who do not see it");
    assert.ok(seen.label <= 1 && seen.width < 40);
    await close();
  });
});

describe("reason and age", () => {
  test("a value is a state with its reason; it says when it changes the state", async () => {
    const { page, close } = await show("/one.html");
    const events = await page.$eval("runstate-pill", async (pill) => {
      const heard = [];
      addEventListener("runstate-change", ({ detail, target }) => heard.push([detail, target === pill]));
      const computedAt = new Date().toISOString();
      const waits = {
        runId: "r1",
        state: "waiting-approval",
        computedAt,
        blocked: { kind: "approval", nodeId: "gate", requestedAt: "2026-11-21T14:00:00.000Z" },
      };
      pill.value = waits;
      pill.value = { ...waits };
      await new Promise((done) => setTimeout(done));
      return heard;
    });
    assert.deepEqual(events, [[{ state: "waiting-approval", previous: "failed" }, true]]);
    const { text, tone, reason, age } = await shown(page);
    assert.equal(tone, "review");
    assert.equal(reason, " · Approval");
    assert.match(age, /^· since 2026-11-21 14:00:00Z$/);
    assert.match(text, /^Run state: Waiting for approval · Approval · since /);
    await close();
  });

  test("a state at work loses its tone after 30 s, and says as of when it is; an end keeps it", async () => {
    const { page, close } = await show("/one.html");
    // The time stands still until the test moves it on, so that it does not matter how long anything takes.
    const start = Date.UTC(2026, 10, 21, 14);
    await page.evaluate((now) => {
      let time = now;
      Date.now = () => time;
      const { setTimeout } = window;
      window.setTimeout = (callback, ms) => (ms ? void (window.timer = { callback, ms }) : setTimeout(callback));
      window.passTimer = () => {
        time += window.timer.ms;
        window.timer.callback();
      };
    }, start);
    const before = (ms) => new Date(start - ms).toISOString();
    await set(page, { state: "running", "computed-at": before(31_000) });
    const old = await shown(page);
    assert.deepEqual([old.tone, old.asOf], ["neutral", ""]);
    assert.match(old.age, /^· as of \d\d:\d\d:\d\dZ$/);
    await set(page, { "computed-at": before(28_500) });
    assert.deepEqual([(await shown(page)).tone, (await shown(page)).age], ["running", undefined]);
    assert.equal(await page.evaluate(() => window.timer.ms), 1501);
    await page.evaluate(() => window.passTimer());
    assert.deepEqual([(await shown(page)).tone, (await shown(page)).asOf], ["neutral", ""]);
    await set(page, { "computed-at": "yesterday" });
    assert.deepEqual([(await shown(page)).tone, (await shown(page)).age], ["neutral", "· as of yesterday"]);
    await set(page, { state: "succeeded", "computed-at": before(86_400_000) });
    assert.deepEqual([(await shown(page)).tone, (await shown(page)).age], ["success", undefined]);
    await close();
  });

  test("a property that was set before the element was defined is not lost", async () => {
    const { page, close } = await show("/one.html");
    const state = await page.evaluate(() => {
      const later = document.createElement("runstate-later");
      later.state = "paused";
      document.body.append(later);
      customElements.define("runstate-later", class extends customElements.get("runstate-pill") {});
      return later.shadowRoot.textContent;
    });
    assert.equal(state, "Run state: Paused");
    await close();
  });
});

describe("the look", () => {
  const media = { light: { scheme: "light" }, dark: { scheme: "dark" } };
  for (const [theme, preference] of Object.entries(media)) {
    test(`every pill passes axe and contrast, ${theme}`, async () => {
      const { page, close } = await show("/all.html");
      await page.$$eval("runstate-pill", (pills) => pills.forEach((pill) => pill.setAttribute("theme", "system")));
      await page.evaluate((scheme) => {
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(`:root { color-scheme: ${scheme}; background: Canvas; color: CanvasText; }`);
        document.adoptedStyleSheets = [sheet];
      }, theme);
      await prefer(page, preference);
      const { problems, passed } = await axe(page);
      assert.deepEqual(problems, []);
      assert.ok(passed.includes("color-contrast"), "contrast was measured");
      await close();
    });
  }

  test("in forced colours every pill keeps a border", async () => {
    const { page, close } = await show("/all.html");
    await prefer(page, { scheme: "dark", forced: true });
    const borders = await page.$$eval("runstate-pill", (pills) =>
      pills.map((pill) => {
        const style = getComputedStyle(pill.shadowRoot.querySelector("[part=base]"));
        return parseFloat(style.borderTopWidth) >= 1 && style.borderTopColor !== style.backgroundColor;
      }),
    );
    assert.ok(borders.every(Boolean));
    await close();
  });

  test("the page's styles stay outside, except for its own properties and parts", async () => {
    const { page, close } = await show("/one.html");
    const look = await page.evaluate(() => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(`
        * { color: lime; } p { text-transform: uppercase; } span { border-width: 9px; } .pill { background: lime; }
        runstate-pill { --runstate-pill-height: 40px; } runstate-pill::part(label) { letter-spacing: 3px; }`);
      document.adoptedStyleSheets = [sheet];
      const pill = document.querySelector("runstate-pill").shadowRoot.querySelector("[part=base]");
      const { color, textTransform, borderTopWidth, backgroundColor, height } = getComputedStyle(pill);
      return {
        color,
        textTransform,
        borderTopWidth,
        backgroundColor,
        height,
        spacing: getComputedStyle(pill.querySelector("[part=label]")).letterSpacing,
      };
    });
    assert.deepEqual(look, {
      color: "rgb(180, 35, 24)",
      textTransform: "none",
      borderTopWidth: "1px",
      backgroundColor: "rgb(254, 243, 242)",
      height: "40px",
      spacing: "3px",
    });
    await close();
  });

  test("the theme is the page's, the system's or its own", async () => {
    const { page, close } = await show("/one.html");
    await prefer(page, { scheme: "dark" });
    const text = () => page.$eval("runstate-pill", (pill) => getComputedStyle(pill.shadowRoot.querySelector("[part=base]")).color);
    const [light, dark] = ["rgb(180, 35, 24)", "rgb(252, 165, 165)"];
    assert.equal(await text(), light, "this page is light whatever the system prefers");
    await set(page, { theme: "dark" });
    assert.equal(await text(), dark);
    await set(page, { theme: "system" });
    assert.equal(await text(), dark);
    await set(page, { theme: "light" });
    assert.equal(await text(), light);
    await close();
  });
});

describe("elsewhere", () => {
  test("without JavaScript the text inside reads right", onlyChromium("JavaScript is switched off"), async () => {
    const { page, close } = await newPage();
    await page.setJavaScriptEnabled(false);
    await page.goto(`${host.origin}/one.html`);
    const tree = await page.accessibility.snapshot({ interestingOnly: false });
    assert.match(JSON.stringify(tree), /Build .*failed/);
    await page.setJavaScriptEnabled(true);
    await close();
  });

  test("a server may import the modules: there is no document", () => {
    const code = `
      const { RunstatePill } = await import(${JSON.stringify(pathToFileURL(join(root, "elements/index.js")).href)});
      await import(${JSON.stringify(pathToFileURL(join(root, "elements/define.js")).href)});
      console.log(RunstatePill.observedAttributes.includes("state"));`;
    assert.equal(execFileSync(process.execPath, ["--input-type=module", "-e", code], { encoding: "utf8" }), "true\n");
  });

  test("a shadow root that a server rendered is taken over", async () => {
    const { page, close } = await show("/rendered.html");
    await page.waitForFunction(() => document.querySelector("runstate-pill").matches(":defined"));
    assert.equal((await shown(page)).text, "Run state: Paused");
    await close();
  });

  test("500 pills share one style sheet, and leave no timer when they go", async () => {
    const { page, close } = await show("/one.html");
    const { sheets, started, pending } = await page.evaluate(() => {
      // The time stands still: the pills stay young, however long it takes to make them.
      const now = Date.now();
      Date.now = () => now;
      const timers = new Set();
      const { setTimeout, clearTimeout } = window;
      window.setTimeout = (...parameters) => {
        const timer = setTimeout(...parameters);
        timers.add(timer);
        return timer;
      };
      window.clearTimeout = (timer) => {
        timers.delete(timer);
        clearTimeout(timer);
      };
      const computedAt = new Date(now).toISOString();
      const pills = Array.from({ length: 500 }, () =>
        Object.assign(document.createElement("runstate-pill"), { state: "running", computedAt }),
      );
      document.body.append(...pills);
      const sheets = new Set(pills.flatMap((pill) => [...pill.shadowRoot.adoptedStyleSheets])).size;
      const started = timers.size;
      pills.forEach((pill) => pill.remove());
      return { sheets, started, pending: timers.size };
    });
    assert.deepEqual({ sheets, started, pending }, { sheets: 1, started: 500, pending: 0 });
    await close();
  });
});
