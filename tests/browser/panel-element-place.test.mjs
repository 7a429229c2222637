// The place of <runstate-panel>: what is on screen, as an attribute, a property and an event.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { events, happens, panelPages, property, set, state } from "../support/panel-element.mjs";

const { host, started } = await panelPages();

const list = JSON.stringify(["a", "b", "a&b #1"].map((runId) => ({ runId, status: "failed", workflowName: "release" })));
const showsRun = (page, id) =>
  page.waitForFunction(
    (wanted) => {
      const field = document.querySelector("runstate-panel").shadowRoot.querySelector('[data-field="runId"]');
      return (field?.querySelector("[data-value]") ?? field)?.dataset.value === wanted;
    },
    {},
    id,
  );
const showsRows = (page, count) =>
  page.waitForFunction(
    (wanted) => document.querySelector("runstate-panel").shadowRoot.querySelectorAll('[data-screen="runs"] [data-run]').length === wanted,
    {},
    count,
  );
const placeIs = (page, text) => page.waitForFunction((wanted) => document.querySelector("runstate-panel").place === wanted, {}, text);
const setAttribute = (page, name, value) => page.$eval("runstate-panel", (panel, key, text) => panel.setAttribute(key, text), name, value);
const click = (page, selector) => page.$eval("runstate-panel", (panel, wanted) => panel.shadowRoot.querySelector(wanted).click(), selector);

describe("place", () => {
  test("the attribute is what is shown of the content, the property what is on screen", async () => {
    const { page, close } = await started();
    await setAttribute(page, "place", "run=a%26b+%231");
    assert.equal(await property(page, "place"), "run=a%26b+%231", "before there is a source");
    await set(page, { content: list });
    await showsRun(page, "a&b #1");
    await placeIs(page, "run=a%26b+%231");
    await click(page, '[data-action="runs"]');
    await showsRows(page, 3);
    await placeIs(page, "");
    await set(page, { place: "run=b" });
    await showsRun(page, "b");
    assert.equal(await page.$eval("runstate-panel", (panel) => panel.getAttribute("place")), "run=a%26b+%231");
    await set(page, { place: null });
    await showsRows(page, 3);
    assert.deepEqual(
      (await events(page, "place")).map(({ place }) => place),
      ["run=a%26b+%231", "", "run=b", ""],
    );
    await close();
  });

  test("a place that is set while a source is opened is the one that is shown", async () => {
    const { page, close } = await started();
    await page.$eval(
      "runstate-panel",
      async (panel, content) => {
        Object.assign(panel, { content, place: "run=a" });
        await new Promise((done) => setTimeout(done));
        panel.place = "run=b";
      },
      list,
    );
    await showsRun(page, "b");
    await placeIs(page, "run=b");
    await close();
  });

  test("search and filters are part of it", async () => {
    const { page, close } = await started();
    await set(page, { content: list });
    await showsRows(page, 3);
    await set(page, { place: "q=%231&state=Failed&sort=name" });
    await showsRows(page, 1);
    assert.equal(await page.$eval("runstate-panel", (panel) => panel.shadowRoot.querySelector("input[type=search]").value), "#1");
    await placeIs(page, "q=%231&state=Failed&sort=name");
    await close();
  });

  test("search and filters of the tree are part of it", async () => {
    const { page, log, close } = await started();
    const place = "run=approval-a&find=gate&filter=waits-for-you";
    await set(page, { gateway: host.origin, token: "operator-token", place });
    await state(page, "waiting-approval");
    await placeIs(page, place);
    await page.waitForFunction(
      () => document.querySelector("runstate-panel").shadowRoot.querySelector('[data-field="tree-hits"]')?.textContent === "1 found",
    );
    await set(page, { place: "run=approval-a" });
    await placeIs(page, "run=approval-a");
    await page.waitForFunction(
      () => document.querySelector("runstate-panel").shadowRoot.querySelector('input[name="search-nodes"]').value === "",
    );
    assert.ok((await events(page, "place")).every(({ place: text }) => [place, "run=approval-a"].includes(text)));
    log.allow(/404/);
    await close();
  });

  test("search and filters of the events are part of it", async () => {
    const { page, close } = await started();
    const of = { runId: "r", nodeId: "build", iteration: 0, attempt: 1 };
    const event = (type, seq) => JSON.stringify({ runId: "r", seq, payload: { type, ...of, timestampMs: 1_795_295_400_000 + seq } });
    const content = ["RunStarted", "NodeStarted", "NodeFailed"].map(event).join("\n");
    const place = "view=events&text=build&family=node&severity=error&only-node=build";
    await set(page, { content, place });
    await placeIs(page, place);
    const shows = (types) =>
      page.waitForFunction(
        (wanted) => {
          const rows = document.querySelector("runstate-panel").shadowRoot.querySelectorAll("[data-pane=log] [role=row][id]");
          return [...rows].map(({ dataset }) => dataset.event).join() === wanted;
        },
        {},
        types.join(),
      );
    await shows(["NodeFailed"]);
    await click(page, '[data-filter="error"]');
    await shows(["NodeStarted", "NodeFailed"]);
    await placeIs(page, place.replace("&severity=error", ""));
    await set(page, { place: "view=events" });
    await shows(["RunStarted", "NodeStarted", "NodeFailed"]);
    await placeIs(page, "view=events");
    await close();
  });

  test("a run that the content does not have is refused by name, and what means nothing is ignored with a warning", async () => {
    const { page, log, close } = await started();
    await set(page, { content: list });
    await showsRows(page, 3);
    await set(page, { place: "run=nowhere&token=t-1&it=x" });
    await happens(page, "refusal");
    assert.equal((await events(page, "refusal")).at(-1).code, "RUN_NOT_FOUND");
    await placeIs(page, "run=nowhere");
    assert.match(log.take(/ignored/).join(), /place were ignored: token, it/);
    await close();
  });

  test("with a Gateway it precedes the attribute run, and the page's own address stays", async () => {
    const { page, log, close } = await started();
    const before = await page.evaluate(() => [location.href, history.length]);
    await set(page, { gateway: host.origin, token: "operator-token", run: "nowhere", place: "run=approval-a&node=publish" });
    await state(page, "waiting-approval");
    await placeIs(page, "run=approval-a&node=publish");
    assert.deepEqual(await page.evaluate(() => [location.href, history.length]), before);
    assert.ok((await events(page, "place")).every(({ place }) => !place.includes("operator-token") && !place.includes("127.0.0.1")));
    log.allow(/404/);
    await close();
  });
});
