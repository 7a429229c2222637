// The selected node after it has left the tree of a live run.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { axe } from "../support/a11y.mjs";
import { install, shows } from "../support/panel.mjs";
import { built } from "../support/paths.mjs";
import { recordedGateway } from "../support/recorded.mjs";
import { serve } from "../support/server.mjs";
import { stage } from "../support/stage.mjs";

const { newPage } = await stage({ viewport: { width: 1280, height: 900 } });
const gateway = recordedGateway("approval-a", { moment: "waiting", token: "operator-token" });
let gone;
const own = await serve(built("dashboard"), {
  handle(request, response) {
    request.headers.authorization ??= "Bearer operator-token";
    return gateway.handle(request, response);
  },
});
after(() => own.close());

/** A node without the children of one name, and without the states of that name. */
const without = (value) => {
  if (Array.isArray(value)) return value.filter((item) => item?.task?.nodeId !== gone && item?.nodeId !== gone).map(without);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, without(member)]));
};
const answer = gateway.answer;
gateway.answer = (...question) => (gone ? without(answer(...question)) : answer(...question));

test("keeps a dimmed row that says so, beside its last detail, until another node is selected", async () => {
  const { page, log, close } = await newPage();
  await install(page);
  await page.goto(`${own.origin}/#gateway=${encodeURIComponent(own.origin)}&run=approval-a`);
  await shows(page, "approval-a");
  const row = '[role=treeitem][data-node="publish"]';
  await page.waitForSelector(row);
  const count = () => page.$$eval("[role=treeitem]", (rows) => rows.length);
  const before = await count();
  await page.click(row);
  await page.waitForSelector("[data-pane=node]");
  gone = "publish";
  await page.waitForSelector(`${row}[data-removed]`);
  assert.equal(await count(), before);
  const says = await page.$eval(`${row} .state-cell`, (cell) => cell.checkVisibility() && cell.textContent);
  assert.equal(says, "no longer in the tree");
  assert.deepEqual(await page.$eval(row, ({ dataset }) => ["state" in dataset, "dimmed" in dataset]), [false, true]);
  assert.equal(await page.$eval(row, (element) => element.getAttribute("aria-selected")), "true");
  await page.waitForSelector("[data-pane=node] [data-gone], [data-pane=node][data-gone]");
  assert.match(await page.$eval("[data-pane=node]", (element) => element.textContent), /No longer in the tree since frame/);
  assert.deepEqual((await axe(page)).problems, []);
  await page.focus("[role=tree]");
  await page.keyboard.press("ArrowUp");
  await page.waitForFunction((gone) => !document.querySelector(gone), {}, row);
  assert.equal(await count(), before - 1);
  log.allow(/404/);
  await close();
});
