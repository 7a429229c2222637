// The header stays a summary, however much is wrong and however long the texts are.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { allFailed, snapshot, task, view } from "../support/make.mjs";
import { header, paste } from "../support/panel.mjs";
import { connectScreen } from "../support/stage.mjs";

const { page } = await connectScreen();
const failed = (count) => JSON.stringify(allFailed("all-failed", count));
const actions = () =>
  page.$$eval('[data-field="actions"] li', (items) =>
    items.map((item) => ({ kind: item.dataset.kind, text: item.textContent, link: item.querySelector("a[data-node]")?.dataset.node })),
  );
const elements = () => page.$eval("section[data-tone]", (section) => section.querySelectorAll("*").length);

describe("a run with 40 000 failed nodes", () => {
  test("opens with a bounded header and grouped actions", async () => {
    const seen = await paste(page, failed(40_000));
    assert.equal(seen.header?.runId, "all-failed");
    assert.ok((await elements()) < 400, `${await elements()} elements`);
    const found = await actions();
    assert.ok(found.length >= 1 && found.length <= 6, `${found.length} actions`);
    assert.ok(
      found.some(({ text }) => /40\u202f000|39\u202f99\d/.test(text)),
      found.map(({ text }) => text).join("\n"),
    );
  });
  test("a group leads to its nodes in the tree", async () => {
    await paste(page, failed(40_000));
    await page.waitForSelector("[role=treeitem]");
    await page.click('[data-field="actions"] summary');
    const [link] = (await page.$$('[data-field="actions"] a[data-node]')).slice(-1);
    assert.ok(link, "a link to a node");
    const node = await link.evaluate((anchor) => anchor.dataset.node);
    await link.click();
    await page.waitForFunction((id) => document.querySelector('[role=treeitem][aria-selected="true"]')?.dataset.node === id, {}, node);
    assert.equal(await page.evaluate(() => document.activeElement.role), "tree");
  });
  test("one failed node is an action of its own", async () => {
    await paste(page, failed(1));
    assert.ok((await actions()).some(({ text }) => text.includes("task-0")));
  });
});

describe("texts of a megabyte", () => {
  const long = "a long text ".repeat(90_000);
  const documents = {
    "an error": { runId: "long-error", status: "failed", errorJson: JSON.stringify({ message: long }) },
    "a node id": snapshot("long-node", [task(2, long, 1)], {
      runState: view("long-node", "waiting-approval", {
        blocked: { kind: "approval", nodeId: long, requestedAt: "2026-11-21T21:10:30.000Z" },
      }),
    }),
    "a workflow's name": snapshot("long-name", [], { name: long }),
    "a foreign state": view("long-state", long),
  };
  for (const [name, document] of Object.entries(documents)) {
    test(`${name}: less than 20 000 characters of text and 60 000 of markup`, async () => {
      const seen = await paste(page, JSON.stringify(document));
      assert.equal(seen.error, undefined, seen.error?.text.slice(0, 300));
      const size = await page.$eval("section[data-tone]", (section) => section.outerHTML.length);
      assert.ok(size < 60_000, `${size} characters of markup`);
      assert.ok((await header(page)).text.length < 20_000);
    });
  }
});
