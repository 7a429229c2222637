// What a person does in <runstate-panel>, and how it looks.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { axe, prefer } from "../support/a11y.mjs";
import { until } from "../support/browser.mjs";
import { snapshot, task, view } from "../support/make.mjs";
import { call, events, happens, panelPages, set, shadow, state, waiting } from "../support/panel-element.mjs";

const { show, started } = await panelPages();

describe("what a person does", () => {
  const tree = snapshot("r1", [task(2, "build", 1), task(3, "release", 1, { state: "failed" })], { state: "failed" });

  test("a selected node and an action are events; a cancelled action is the page's", async () => {
    const { page, close } = await started();
    await call(page, "open", tree);
    await page.waitForFunction(() => document.querySelector("runstate-panel").shadowRoot.querySelectorAll("[role=treeitem]").length === 3);
    await shadow(page, '[role=treeitem][data-node="release"]', "element.click()");
    await happens(page, "select");
    assert.deepEqual(await events(page, "select"), [{ nodeId: "release" }]);

    await call(page, "open", waiting);
    await state(page, "waiting-approval");
    await page.evaluate(() => {
      window.copied = [];
      navigator.clipboard.writeText = async (text) => void window.copied.push(text);
      document.querySelector("runstate-panel").addEventListener("runstate-action", (event) => window.cancels && event.preventDefault());
    });
    const click = () => shadow(page, '[data-action="command-approve"]', "element.click()");
    await click();
    await until("the command is copied", () => page.evaluate(() => window.copied.length === 1));
    await page.evaluate(() => (window.cancels = true));
    await click();
    await happens(page, "action", 2);
    assert.deepEqual(await page.evaluate(() => window.copied), ["smithers approve r1 --node gate --iteration 0"]);
    const [{ kind, command, call: rpc }] = await events(page, "action");
    assert.deepEqual([kind, command], ["approve", "smithers approve r1 --node gate --iteration 0"]);
    assert.match(rpc, /submitApproval/);
    await close();
  });

  test("a run that a person chooses is an event, and the list again; a run of the page's own code is none", async () => {
    const { page, close } = await started();
    const rows = ["a", "b"].map((runId) => ({ runId, status: "failed", workflowName: "release" }));
    await call(page, "open", JSON.stringify(rows));
    await page.waitForFunction(() => document.querySelector("runstate-panel").shadowRoot.querySelectorAll("[data-run]").length === 2);
    assert.deepEqual(await events(page, "run"), []);
    await shadow(page, '[data-run="b"]', "element.click()");
    await happens(page, "run");
    await happens(page, "change");
    await shadow(page, '[data-run="a"]', "element.click()");
    await happens(page, "run", 2);
    assert.deepEqual(await events(page, "run"), [{ runId: "b" }, { runId: "a" }], "the state of both is the same");
    await shadow(page, '[data-action="runs"]', "element.click()");
    await happens(page, "run", 3);
    assert.equal((await events(page, "run")).at(-1).runId, undefined);
    await close();
  });

  test("properties with known words are one of them, whatever the attribute says", async () => {
    const { page, log, close } = await started();
    const words = (attributes) =>
      page.$eval(
        "runstate-panel",
        (panel, entries) => {
          for (const [name, value] of entries) value === null ? panel.removeAttribute(name) : panel.setAttribute(name, value);
          return [panel.view, panel.theme, panel.loading];
        },
        Object.entries(attributes),
      );
    assert.deepEqual(await words({}), ["full", null, "eager"]);
    assert.deepEqual(await words({ view: "HEADER", theme: "Dark", loading: "LAZY" }), ["header", "dark", "lazy"]);
    assert.ok(await shadow(page, "[part=fallback] slot", "element !== null"), "the view of the word");
    assert.equal(await page.$eval("runstate-panel", (panel) => getComputedStyle(panel).colorScheme), "dark");
    assert.deepEqual(await words({ view: "sideways", theme: "", loading: "later" }), ["full", null, "eager"]);
    assert.deepEqual(await words({ view: "tree", theme: "system", loading: null }), ["tree", "system", "eager"]);
    await set(page, { view: null, theme: null });
    assert.deepEqual(await words({}), ["full", null, "eager"]);
    const sizes = await page.evaluate(() =>
      ["DENSE", "dense", "small", null].map((size) => Object.assign(document.createElement("runstate-pill"), { size }).size),
    );
    assert.deepEqual(sizes, ["dense", "dense", null, null]);
    await until("the unknown view is on the console", () => log.errors.length > 0);
    assert.deepEqual(log.take(/for the attribute view, found "sideways"/).length, 1);
    await close();
  });

  test("a list in a panel that its page scales shows every row", async () => {
    const { page, close } = await started();
    await page.evaluate(() => Object.assign(document.querySelector("runstate-panel").style, { height: "800px", transform: "scale(0.5)" }));
    const rows = Array.from({ length: 400 }, (_, index) => ({
      runId: `r${index}`,
      status: "failed",
      workflowName: "release",
      startedAtMs: 1.7e12 - index,
    }));
    await call(page, "open", JSON.stringify(rows));
    const row = (runId) =>
      page.waitForFunction((id) => document.querySelector("runstate-panel").shadowRoot.querySelector(`[data-run="${id}"]`), {}, runId);
    await row("r0");
    await page.evaluate(() => {
      const areas = [...document.querySelector("runstate-panel").shadowRoot.querySelectorAll(".scroll")];
      const area = areas.find((area) => area.scrollHeight > 10_000);
      area.scrollTop = area.scrollHeight;
    });
    await row("r399");
    await close();
  });

  test("view shows one part alone; without a run, what the page wrote", async () => {
    const { page, close } = await started();
    const shown = () =>
      page.$eval("runstate-panel", (panel) =>
        ["header", "tree", "toolbar"].filter((part) => panel.shadowRoot.querySelector(`[part="${part}"]`)?.checkVisibility()).join(),
      );
    await set(page, { view: "header" });
    const fallback = () => page.$eval("runstate-panel a", (link) => link.checkVisibility());
    assert.equal(await fallback(), true);
    await call(page, "open", tree);
    await state(page, "failed");
    assert.equal(await shown(), "header");
    assert.equal(await fallback(), false);
    const [height, inner] = await page.$eval("runstate-panel", (panel) => [
      panel.getBoundingClientRect().height,
      panel.shadowRoot.querySelector("[part=header]").getBoundingClientRect().height,
    ]);
    assert.ok(Math.abs(height - Math.max(inner, 144)) <= 1, `as high as the header: ${height}, ${inner}`);
    await set(page, { view: "tree" });
    await page.waitForFunction(() => document.querySelector("runstate-panel").shadowRoot.querySelector("[role=treeitem]"));
    assert.equal(await shown(), "tree");
    const pane = (name) =>
      page.waitForFunction(
        (wanted) => {
          const root = document.querySelector("runstate-panel").shadowRoot;
          const panes = [...root.querySelectorAll("[data-pane]")].filter((pane) => pane.checkVisibility());
          return panes.length === 1 && panes[0].dataset.pane === wanted;
        },
        {},
        name,
      );
    await set(page, { view: "log" });
    await pane("log");
    await set(page, { view: "node" });
    await page.waitForFunction(() => document.querySelector("runstate-panel").shadowRoot.querySelector("[data-field=no-node]"));
    await page.$eval("runstate-panel", (panel) => (panel.place = "node=build"));
    await pane("node");
    assert.equal(
      await page.$eval("runstate-panel", (panel) => panel.shadowRoot.querySelector('[data-action="close-node"]').checkVisibility()),
      false,
    );
    await set(page, { view: "full" });
    await page.waitForFunction(() => document.querySelector("runstate-panel").shadowRoot.querySelector("[part=toolbar]"));
    assert.equal(await shown(), "header,tree,toolbar");
    await close();
  });

  test("focus() leads to the heading", async () => {
    const { page, close } = await started();
    await call(page, "open", waiting);
    await state(page, "waiting-approval");
    await call(page, "focus");
    assert.match(await page.$eval("runstate-panel", (panel) => panel.shadowRoot.activeElement?.textContent), /^Run snapshot: /);
    await close();
  });
});

describe("the look", () => {
  test("the theme is the page's, the system's or its own; the button starts from what is shown", async () => {
    const { page, close } = await started();
    await call(page, "open", waiting);
    await state(page, "waiting-approval");
    await prefer(page, { scheme: "dark" });
    const dark = () => shadow(page, ".panel", "Number(/\\d+/.exec(getComputedStyle(element).backgroundColor)[0]) < 128");
    assert.equal(await dark(), false, "this page is light whatever the system prefers");
    await shadow(page, "[data-action=theme]", "element.click()");
    assert.equal(await dark(), true);
    await set(page, { theme: "light" });
    assert.equal(await dark(), false);
    await set(page, { theme: "system" });
    assert.equal(await dark(), true);
    await set(page, { theme: "dark" });
    await prefer(page, { scheme: "light" });
    assert.equal(await dark(), true);
    await close();
  });

  test("the page's styles stay outside, except for custom properties and parts", async () => {
    const { page, close } = await started();
    await call(page, "open", waiting);
    await state(page, "waiting-approval");
    const look = await page.evaluate(() => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(`
        * { color: lime; text-transform: uppercase; text-align: right; } .panel, .pill { background: lime; }
        runstate-panel { --runstate-surface: rgb(1, 2, 3); --runstate-height: 500px; } runstate-panel::part(reason) { letter-spacing: 3px; }`);
      document.adoptedStyleSheets = [sheet];
      const panel = document.querySelector("runstate-panel");
      const of = (selector) => getComputedStyle(panel.shadowRoot.querySelector(selector));
      const { color, textTransform, textAlign, backgroundColor } = of(".panel");
      return {
        color,
        textTransform,
        textAlign,
        backgroundColor,
        spacing: of("[part=reason]").letterSpacing,
        pill: of("[part=pill]").backgroundColor,
        height: panel.getBoundingClientRect().height,
      };
    });
    assert.deepEqual(look, {
      color: "rgb(21, 24, 29)",
      textTransform: "none",
      textAlign: "start",
      backgroundColor: "rgb(1, 2, 3)",
      spacing: "3px",
      pill: "rgb(243, 244, 246)",
      height: 500,
    });
    await close();
  });

  for (const width of [1280, 320]) {
    test(`three panels and a pill pass axe at ${width} px, light, dark and in forced colours`, async () => {
      const { page, close } = await show("/none.html");
      await page.setViewport({ width, height: 900 });
      await page.evaluate(
        (contents) => {
          const parts = ["full", "header", "tree"];
          contents.forEach((content, index) => {
            const section = document.createElement("section");
            section.append(
              Object.assign(document.createElement("h2"), { textContent: `Run ${index}` }),
              Object.assign(document.createElement("runstate-panel"), { view: parts[index], label: `Run ${index}`, content }),
            );
            document.querySelector("main").append(section);
          });
          document.querySelector("main").append(Object.assign(document.createElement("runstate-pill"), { state: "running" }));
          const sheet = new CSSStyleSheet();
          sheet.replaceSync(":root { color-scheme: light dark; background: Canvas; color: CanvasText; }");
          document.adoptedStyleSheets = [sheet];
        },
        [tree, waiting, { ...tree, runId: "r2", runState: view("r2", "failed") }],
      );
      await happens(page, "change", 3);
      await page.waitForFunction(() =>
        [...document.querySelectorAll("runstate-panel")].every((panel) =>
          panel.shadowRoot.querySelector("section[data-tone], [role=treeitem]"),
        ),
      );
      for (const preference of [{ scheme: "light" }, { scheme: "dark" }, { scheme: "dark", forced: true }]) {
        await prefer(page, preference);
        const { problems, passed } = await axe(page);
        assert.deepEqual(problems, [], JSON.stringify(preference));
        assert.ok(passed.includes("color-contrast") || preference.forced, "contrast was measured");
      }
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth <= 0), true, "no sideways scroll");
      await close();
    });
  }
  const tree = snapshot("r1", [task(2, "build", 1)], { state: "failed" });
});
