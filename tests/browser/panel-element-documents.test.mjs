// Documents in <runstate-panel>: opening, refusals, export.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { all, said } from "../support/captures.mjs";
import { view } from "../support/make.mjs";
import { vector } from "../support/paths.mjs";
import { call, events, panelPages, property, set, state, waiting } from "../support/panel-element.mjs";

const { started } = await panelPages();

describe("documents", () => {
  // The first of each state: captures.test.mjs opens all of them.
  const states = new Set();
  const captured = all().filter(({ name, text }) => {
    const state = /rpc-(runs\.get|getRun|getDevToolsSnapshot)/.test(name) && said(text)?.view.state;
    return state && !states.has(state) && states.add(state);
  });

  test(`${captured.length} captured answers, one of each state: state, run and event are those of the capture`, async () => {
    assert.ok(captured.length >= 8, [...states].join());
    const { page, close } = await started();
    for (const { name, text } of captured) {
      const { view: expected } = said(text);
      const result = await page.$eval(
        "runstate-panel",
        async (panel, content) => {
          const changed = new Promise((done) => panel.addEventListener("runstate-change", ({ detail }) => detail.state && done()));
          panel.disconnect();
          await panel.open(content);
          await changed;
          const drawn = () => panel.shadowRoot.querySelector("section[data-tone]")?.dataset.state;
          while (drawn() !== panel.runState?.state) await new Promise((done) => setTimeout(done, 10));
          return { view: panel.runState, drawn: drawn(), events: window.events.splice(0) };
        },
        text,
      );
      assert.deepEqual([result.view?.runId, result.view?.state, result.drawn], [expected.runId, expected.state, expected.state], name);
      assert.equal(result.view.blocked?.kind, expected.blocked?.kind, name);
      const change = result.events.findLast((event) => event.name === "change").detail;
      assert.deepEqual([change.state, change.runId], [expected.state, expected.runId], name);
    }
    await close();
  });

  test("an event log opens on its events", async () => {
    const { page, close } = await started();
    const log = readFileSync(vector("documents/valid/killed-a.log.ndjson"), "utf8");
    await page.$eval("runstate-panel", (panel, text) => panel.open(text), log);
    await page.waitForFunction(() => document.querySelector("runstate-panel").shadowRoot.querySelector("[data-pane=log] [data-event]"));
    await close();
  });

  test("text, bytes, a file, several files and an object; also as the property content", async () => {
    const { page, close } = await started();
    const files = ["runs.get.json", "getDevToolsSnapshot.json", "listNodeStates.json"].map((name) => [
      name,
      readFileSync(vector(`documents/valid/killed-a/${name}`), "utf8"),
    ]);
    const shown = await page.$eval(
      "runstate-panel",
      async (panel, content, list) => {
        const text = JSON.stringify(content);
        const bytes = new TextEncoder().encode(text);
        const inputs = [
          text,
          bytes,
          bytes.buffer,
          new Blob([bytes]),
          new File([bytes], "run.json"),
          [new File([bytes], "a.json")],
          content,
          list.map(([name, body]) => new File([body], name)),
        ];
        const seen = [];
        for (const input of inputs) {
          panel.disconnect();
          const changed = new Promise((done) =>
            panel.addEventListener("runstate-change", ({ detail }) => detail.state && done(detail.runId), { once: false }),
          );
          await panel.open(input);
          seen.push(await changed);
        }
        return seen;
      },
      waiting,
      files,
    );
    assert.deepEqual(shown, [...Array(7).fill("r1"), "killed-a"]);
    await set(page, { content: view("by-property", "paused") });
    await state(page, "paused");
    assert.equal((await property(page, "content")).runId, "by-property");
    await set(page, { content: null });
    await page.waitForFunction(() => document.querySelector("runstate-panel").runState === undefined);
    await close();
  });

  test("a session's state is the same word in runState, header, event, inspection and pill", async () => {
    const { page, close } = await started();
    const session = JSON.stringify({ session_id: "s1", status: "running", effective_health: "stale" });
    await call(page, "open", session);
    await state(page, "stale running");
    const found = await page.evaluate(async (text) => {
      const { default: init, inspect, header } = await import("/web.js");
      await init();
      const panel = document.querySelector("runstate-panel");
      const pill = document.querySelector("main").appendChild(document.createElement("runstate-pill"));
      pill.value = panel.runState;
      await new Promise((done) => setTimeout(done));
      const base = pill.shadowRoot.querySelector("[part=base]");
      return {
        words: [
          panel.runState.state,
          panel.header.state,
          window.events.findLast(({ name }) => name === "change").detail.state,
          inspect(text).session.state,
          header(text).state,
          base.dataset.value,
        ],
        kind: panel.runState.kind,
        pill: base.textContent,
      };
    }, session);
    assert.deepEqual(found, { words: Array(6).fill("stale running"), kind: "effective", pill: "State: Stale running" });
    await page.evaluate(async (value) => {
      document.querySelector("runstate-pill").value = value;
      await new Promise((done) => setTimeout(done));
    }, waiting);
    assert.equal(
      await page.$eval("runstate-pill", (pill) => pill.shadowRoot.querySelector("[part=base]").dataset.taxonomy),
      "run",
      "a Gateway's response is in the vocabulary of runs again",
    );
    await close();
  });

  test("what cannot be opened is refused with its code, and the screen stays", async () => {
    const { page, close } = await started();
    await call(page, "open", waiting);
    await state(page, "waiting-approval");
    const refused = [
      ["{", "NOT_JSON"],
      ["", "EMPTY_INPUT"],
      ["[]", "NOT_RECOGNISED"],
      [42, "INVALID_DOCUMENT"],
      [null, "INVALID_DOCUMENT"],
      [true, "INVALID_DOCUMENT"],
      [{ nothing: "known" }, "NOT_RECOGNISED"],
      [[], "INVALID_DOCUMENT"],
    ];
    for (const [input, expected] of refused) {
      const { code, message } = await call(page, "open", input);
      assert.equal(code, expected, JSON.stringify(input));
      assert.ok(message.length > 20, message);
      assert.equal((await property(page, "runState")).state, "waiting-approval");
    }
    // What is no document at all is an error of the page's own code, and no event.
    const codes = (await events(page, "refusal")).map(({ code }) => code);
    assert.deepEqual(
      codes,
      refused.map(([, code]) => code).filter((code) => code !== "INVALID_DOCUMENT"),
    );
    await close();
  });

  test("the last of several opens wins; the others say so", async () => {
    const { page, close } = await started();
    const results = await page.$eval(
      "runstate-panel",
      (panel, views) =>
        Promise.all(
          views.map((each) =>
            panel.open(each).then(
              () => "shown",
              ({ code }) => code,
            ),
          ),
        ),
      [view("a", "failed"), view("b", "failed"), view("c", "paused")],
    );
    assert.deepEqual(results, ["SUPERSEDED", "SUPERSEDED", "shown"]);
    await state(page, "paused");
    assert.deepEqual(await events(page, "refusal"), []);
    await close();
  });

  test("an export is a file without secrets that opens again", async () => {
    const { page, close } = await started();
    assert.equal((await call(page, "export")).code, "NOTHING_TO_EXPORT");
    await call(page, "open", { ...waiting, api_key: "sk-live-4711-secret-value", note: "private" });
    await state(page, "waiting-approval");
    const [name, type, text] = await page.$eval("runstate-panel", async (panel) => {
      const file = await panel.export({ keys: ["note"] });
      return [file.name, file.type, await file.text()];
    });
    assert.match(name, /\.json$/);
    assert.equal(type, "application/json");
    assert.ok(!text.includes("sk-live") && !text.includes("private"), text);
    const buttons = await page.$eval("runstate-panel", async (panel) => {
      panel.shadowRoot.querySelector("[data-action=export]").click();
      await new Promise(requestAnimationFrame);
      return [...panel.shadowRoot.querySelectorAll("[data-form=export] button")].map((button) => button.textContent);
    });
    assert.deepEqual(buttons, ["Save file"], "saving and printing the page is up to the page");
    await call(page, "disconnect");
    assert.equal((await call(page, "open", text)).code, undefined);
    await state(page, "waiting-approval");
    await close();
  });
});
