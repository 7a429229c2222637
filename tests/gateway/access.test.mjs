// Access to a real Gateway: tokens, refusals, the list of runs, and what is opened after a live run.
import assert from "node:assert/strict";
import { after, afterEach, beforeEach, test } from "node:test";
import { failedConnection } from "../support/browser.mjs";
import { LISTS, listOf } from "../support/list.mjs";
import { freePort, proxy } from "../support/listener.mjs";
import { connect, fill, freshness, state } from "../support/live.mjs";
import { answer, close as closeConnect, header, install, openConnect, paste, shows } from "../support/panel.mjs";
import { built } from "../support/paths.mjs";
import { serve } from "../support/server.mjs";
import { stage } from "../support/stage.mjs";
import { OPERATOR_TOKEN, startGateway } from "./gateway.mjs";

// Chromium logs every connection that fails, which is what several tests are about.
const { server, newPage } = await stage({ ignore: failedConnection });
const gateway = await startGateway({ heartbeatMs: 1000 });
after(() => gateway.stop());
const address = `${server.origin}/#connect`;

let page, log, close;
beforeEach(async () => ({ page, log, close } = await newPage()));
afterEach(() => close());

const login = (run = "", token = OPERATOR_TOKEN) => connect(page, address, { url: gateway.url, token, run });

test("the token is nowhere but in the socket", async () => {
  const runId = await gateway.launch("finish", {});
  await login(runId);
  await state(page, "succeeded");
  const places = await page.evaluate(async () => ({
    local: JSON.stringify({ ...localStorage }),
    session: JSON.stringify({ ...sessionStorage }),
    databases: JSON.stringify(await indexedDB.databases()),
    cookies: document.cookie,
    address: location.href,
    history: JSON.stringify(history.state),
    name: window.name,
    dom: document.documentElement.outerHTML,
    title: document.title,
  }));
  for (const [place, text] of Object.entries(places)) assert.ok(!text?.includes(OPERATOR_TOKEN), `the token is in ${place}`);
  assert.ok(!log.console.join("\n").includes(OPERATOR_TOKEN), "the token is on the console");
  assert.ok(!log.requests.join("\n").includes(OPERATOR_TOKEN), "the token is in an address");
  assert.ok(!server.requests.join("\n").includes(OPERATOR_TOKEN), "the token was sent to the page's server");
  await page.reload();
  await page.waitForSelector('[data-screen="refusal"] form[data-form="token"]');
  assert.equal(await page.$eval('input[name="token"]', (input) => input.value), "", "a reload keeps the run and forgets the token");
  await page.type('input[name="token"]', OPERATOR_TOKEN);
  await page.keyboard.press("Enter");
  await state(page, "succeeded");
  assert.equal((await header(page)).runId, runId);
});

test("a wrong token is refused; the form keeps the address and the run, and the right token connects", async () => {
  const runId = await gateway.launch("finish", {});
  await gateway.waitForState(runId, "succeeded");
  await login(runId, "no-such-token");
  await page.waitForSelector('[data-screen="refusal"][data-code="UNAUTHORIZED"]');
  const refused = await answer(page);
  assert.equal(refused.header, undefined);
  assert.doesNotMatch(refused.refusal.text, /no-such-token/);
  await openConnect(page);
  const value = (name) => page.$eval(`form[data-form="connect"] input[name="${name}"]`, (input) => input.value);
  assert.deepEqual([await value("url"), await value("run")], [gateway.url, runId]);
  assert.ok(!(await page.content()).includes("no-such-token"));
  await fill(page, { token: OPERATOR_TOKEN });
  await state(page, "succeeded");
  assert.equal((await header(page)).runId, runId);
});

test("a new token can be given on the screen of the refusal", async () => {
  const runId = await gateway.launch("finish", {});
  await gateway.waitForState(runId, "succeeded");
  await login(runId, "no-such-token");
  const form = '[data-screen="refusal"] form[data-form="token"]';
  await page.waitForSelector(form);
  assert.equal(await page.$eval(`${form} input[name="token"]`, ({ type }) => type), "password");
  await page.type(`${form} input[name="token"]`, "another-wrong-token");
  await page.click(`${form} [type="submit"]`);
  // Refused again: the form is there again, empty.
  await page.waitForFunction((selector) => document.querySelector(`${selector} input[name="token"]`)?.value === "", {}, form);
  await page.type(`${form} input[name="token"]`, OPERATOR_TOKEN);
  await page.click(`${form} [type="submit"]`);
  await state(page, "succeeded");
  await page.waitForFunction(() => document.activeElement.matches("h1, h2"));
  assert.ok(!(await page.content()).includes(OPERATOR_TOKEN));
});

test("#gateway connects to what gateway.json of the page's server names", async () => {
  const runId = await gateway.launch("finish", {});
  await gateway.waitForState(runId, "succeeded");
  const pointed = await serve(built("dashboard"), {
    extra: { "/gateway.json": JSON.stringify({ url: gateway.url, token: OPERATOR_TOKEN, runId }) },
  });
  await install(page);
  await page.goto(`${pointed.origin}/#gateway`);
  await state(page, "succeeded");
  await shows(page, runId);
  assert.ok(!(await page.content()).includes(OPERATOR_TOKEN));
  await pointed.close();
});

test("an expired token is refused", async () => {
  await login("", "expired-token");
  await page.waitForSelector('[data-screen="refusal"][data-code="UNAUTHORIZED"]');
});

test("an unknown run is a refusal, never a state", async () => {
  await login("no-such-run");
  await page.waitForSelector('[data-screen="refusal"]');
  const { refusal, header: shown } = await answer(page);
  assert.equal(refusal.code, "NOT_FOUND");
  assert.match(refusal.text, /no-such-run/);
  assert.equal(shown, undefined);
  const outsideOfTheList = '[data-taxonomy="run"]:not([data-pane="runs"] *)';
  assert.equal(await page.$(outsideOfTheList), null);
});

test("a token without the right to the tree still shows the state, the detail of a node and the events", async () => {
  const runId = await gateway.launch("approval", {});
  await gateway.waitForState(runId, "waiting-approval");
  await login(runId, "runs-token");
  await state(page, "waiting-approval");
  assert.equal((await header(page)).blockedKind, "approval");
  await page.waitForFunction(() =>
    document.querySelector("[data-field=no-tree]")?.innerText.includes("The tree needs a token with the scope observability:read."),
  );
  await page.click("[data-view-switch=events]");
  await gateway.approve(runId, "release-gate");
  await state(page, "succeeded");
  const event = await page.waitForSelector('[data-pane=log] [role=row][data-event="node.finished"][data-node=release-gate]');
  await event.click({ count: 2 });
  await page.waitForSelector("[data-pane=node][data-node=release-gate][data-state=finished]:not([hidden])");
  await page.click("[data-pane=node] [data-tab=attempts]");
  await page.waitForSelector('[data-pane=node] li[data-attempt="1"][data-state=finished]');
});

test("no Gateway there: a sentence and no state; the form keeps what was filled in", async () => {
  const url = `ws://127.0.0.1:${await freePort()}`;
  await connect(page, address, { url, token: OPERATOR_TOKEN, run: "run-7" });
  await page.waitForFunction(() => /no response/i.test(document.querySelector('[data-screen="connecting"]')?.innerText));
  assert.equal(await header(page), undefined, "no state is invented");
  await openConnect(page);
  const value = (name) => page.$eval(`form[data-form="connect"] input[name="${name}"]`, (input) => input.value);
  assert.deepEqual([await value("url"), await value("run")], [url, "run-7"]);
});

test("without a run id: the list, a run from it, and back", async () => {
  const first = await gateway.launch("approval", {});
  await gateway.waitForState(first, "waiting-approval");
  await login();
  await page.waitForSelector(`[data-screen="runs"] [data-run="${first}"] [data-taxonomy="run"][data-value="waiting-approval"]`);
  const second = await gateway.launch("fail", {});
  await page.waitForSelector(`[data-screen="runs"] [data-run="${second}"]`);
  await page.click(`[data-run="${second}"]`);
  await state(page, "failed");
  assert.equal((await header(page)).runId, second);
  await page.click('button[data-action="runs"]');
  await page.waitForSelector(`[data-screen="runs"] [data-run="${first}"]`);
  await page.click(`[data-run="${first}"]`);
  await state(page, "waiting-approval");
  assert.equal((await header(page)).runId, first);
  await gateway.approve(first, "release-gate");
  await state(page, "succeeded");
});

test("the focus stays while the list and the header are updated", async (t) => {
  const runId = await gateway.launch("approval", {});
  await gateway.waitForState(runId, "waiting-approval");
  const between = await proxy(gateway.url);
  t.after(() => between.close());
  await connect(page, address, { url: between.url, token: OPERATOR_TOKEN });
  const keeps = async (selector) => {
    await page.waitForSelector(selector);
    await page.$eval(selector, (element) => {
      window.focused = element;
      element.focus();
    });
    await between.heartbeats(3);
    assert.ok(await page.evaluate(() => window.focused.isConnected && document.activeElement === window.focused), selector);
  };
  await page.waitForSelector(`[data-screen="runs"] [data-run="${runId}"]`);
  await keeps(LISTS);
  await listOf(page).goTo(runId);
  await between.heartbeats(3);
  assert.equal(await listOf(page).focused(), runId);
  await page.keyboard.press("Enter");
  await state(page, "waiting-approval");
  await freshness(page, "live");
  await keeps('[data-field="blocked"] a[data-node]');
  await keeps('[data-field="evidence"] summary');
  await keeps("[role=tree]");
});

test("a refused document leaves the live run on screen; one that opens takes its place, and a Gateway takes that one's", async () => {
  const runId = await gateway.launch("approval", { ms: 500 });
  await login(runId);
  await state(page, "waiting-approval");
  const refused = await paste(page, "no document");
  assert.ok(refused.error);
  await closeConnect(page);
  await freshness(page, "live");
  await gateway.approve(runId, "release-gate");
  await state(page, "succeeded");

  const opened = await paste(page, JSON.stringify({ runId: "pasted", state: "failed", computedAt: "2026-11-21T21:10:30.000Z" }));
  assert.equal(opened.header?.runId, "pasted");
  await page.click("[data-action=open]");
  await page.waitForSelector('form[data-form="connect"]');
  await fill(page, { url: gateway.url, token: OPERATOR_TOKEN, run: runId });
  await state(page, "succeeded");
  await freshness(page, "live");
  assert.equal((await header(page)).runId, runId);
});

test("a loop shows its iterations and ends", async () => {
  const runId = await gateway.launch("loop", { times: 3 });
  await login(runId);
  await state(page, "succeeded");
  assert.equal((await header(page)).workflow, "loop");
});
