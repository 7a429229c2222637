// The detail of nodes of a live run: attempts, output and raw JSON, which are read over a connection of their own.
import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { failedConnection, until } from "../support/browser.mjs";
import { proxy } from "../support/listener.mjs";
import { connect, freshness, state, workerSockets } from "../support/live.mjs";
import { stage } from "../support/stage.mjs";
import { OPERATOR_TOKEN, startGateway } from "./gateway.mjs";

const [{ server, newPage }, gateway] = await Promise.all([
  stage({ ignore: failedConnection, viewport: { width: 1280, height: 800 } }),
  startGateway({ heartbeatMs: 1000 }),
]);
after(() => gateway.stop());

const pane = "[data-pane=node]:not([hidden])";
let page, close, sockets, runId;
before(async () => {
  runId = await gateway.launch("detail");
  await gateway.waitForState(runId, "waiting-approval");
});
beforeEach(async () => {
  ({ page, close } = await newPage());
  sockets = workerSockets(page);
});
afterEach(() => close());

const login = () => connect(page, `${server.origin}/#connect`, { url: gateway.url, token: OPERATOR_TOKEN, run: runId });
const select = async (node) => {
  const row = await page.waitForSelector(`[role=treeitem][data-node="${node}"]`);
  await row.click();
  await page.waitForSelector(`${pane}[data-node="${node}"]`);
};
const tab = async (name) => {
  await page.click(`${pane} [data-tab="${name}"]`);
  await page.waitForSelector(`${pane} [data-tab="${name}"][aria-selected=true]`);
};
const shows = (text) =>
  page.waitForFunction((selector, wanted) => document.querySelector(selector)?.innerText.includes(wanted), {}, pane, text);
const value = (path) =>
  page.waitForSelector(`${pane} [data-path="${path}"] .value-text`).then((text) => text.evaluate((e) => e.textContent));
const missing = () =>
  page.$$eval(`${pane} [data-field=missing]:not([hidden]) li`, (sentences) => sentences.map((sentence) => sentence.textContent));
const states = () =>
  page.$$eval(`${pane} .attempts li[data-attempt]`, (columns) => columns.map(({ dataset }) => `${dataset.attempt} ${dataset.state}`));

describe("a live run", () => {
  beforeEach(async () => {
    await login();
    await state(page, "waiting-approval");
    await freshness(page, "live");
  });

  test("its attempts are side by side, with the error of each, its stack, and what an agent was asked and answered", async () => {
    await select("flaky");
    assert.equal(sockets.length, 1, "nothing was asked yet");
    await tab("attempts");
    await page.waitForSelector(`${pane} li[data-attempt="2"]`);
    assert.equal(sockets.length, 2, "the details have a connection of their own");
    assert.deepEqual(await states(), ["1 failed", "2 finished"]);
    const [error] = await page.$$eval(`${pane} [data-field=attempt-error] pre`, (texts) => texts.map((text) => text.textContent));
    assert.match(error, /flaky failure: the cache is locked\n\s+at /);
    await shows("Waited before");

    await select("write");
    await page.waitForSelector(`${pane}[data-node=write] [data-field=prompt]`);
    const texts = await page.$$eval(`${pane} details pre`, (found) => found.map((text) => text.textContent.trim()));
    assert.match(texts[0], /^Write a patch that fixes the parser\./);
    assert.match(texts[1], /patched by an agent/);
    await shows("scripted, scripted-1");

    await select("colourful");
    await page.waitForSelector(`${pane}[data-node=colourful] .ansi-1`);
    assert.equal(await page.$eval(`${pane} .ansi-1`, (sign) => sign.textContent), "✖");
    assert.equal(await page.$(`${pane} pre img`), null, "an error is text");
    assert.equal(sockets.length, 2, "one connection for all questions");
  });

  test("its outputs have their values as they were written and their schema, in each iteration", async () => {
    await select("flaky");
    await tab("output");
    assert.equal(await value("$.text"), '"second try"');
    assert.equal(await value("$.n"), "140737488355327");
    await page.click(`${pane} [data-field=schema] summary`);
    await shows("number, may be absent");

    await select("polish");
    assert.equal(await value("$.text"), '"round 2"');
    await tab("summary");
    await page.click('[data-action="previous-iteration"]');
    await page.waitForSelector(`${pane}[data-iteration="1"]`);
    await tab("output");
    assert.equal(await value("$.text"), '"round 1"');

    await select("with space");
    await shows("whose ids have spaces");
    await shows("smithers node NODE_ID -r RUN_ID prints it.");
    await tab("attempts");
    await page.waitForSelector(`${pane} li[data-attempt="1"]`);

    await select("gate");
    await tab("output");
    await shows("No output yet.");
    await tab("summary");
    await shows("Only mira, jo may decide, with the scope approval:submit.");
    await shows("Ship the patch?");
  });

  test("everything is there as it was received", async () => {
    await select("flaky");
    await tab("raw");
    assert.equal(await value("$.output"), "{…}");
    await page.click(`${pane} [data-path="$.attempts"]`);
    await page.waitForSelector(`${pane} [data-path="$.attempts[0]"]`);
    await page.click(`${pane} [data-path="$.attempts[0]"]`);
    assert.equal(await value("$.attempts[0].attempt"), "2");
    assert.equal(await value("$.attempts[0].metaJson").then((text) => text.startsWith('"{\\"kind\\":')), true);
  });

  test("an output of 20 MB is on screen while the header goes on, and can be opened as text", async (t) => {
    await select("large");
    const ticks = page.evaluate(async () => {
      const times = [];
      for (let count = 0; count < 100; count += 1) {
        times.push(performance.now());
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      return Math.max(...times.slice(1).map((time, place) => time - times[place]));
    });
    const began = performance.now();
    await tab("output");
    const row = `${pane} [data-path="$.text"]`;
    await page.waitForSelector(row);
    t.diagnostic(
      `20 MB: ${(performance.now() - began).toFixed(0)} ms to the first row, the page was stopped for ${(await ticks).toFixed(0)} ms`,
    );
    assert.match(await page.$eval(row, (element) => element.textContent), /"zzzz.*20\.0 MB$/);
    assert.equal(await page.$eval("section[data-tone]", (header) => header.dataset.state), "waiting-approval");
    await freshness(page, "live");
    await page.click(row);
    await page.click('[data-action="open-text"]');
    await page.waitForSelector(`${pane} .text-row`);
    assert.ok((await page.$$(`${pane} .text-row`)).length < 200, "only the visible rows");
    await page.focus(`${pane} .text-rows`);
    await page.keyboard.press("Escape");
    await page.waitForSelector(row);
  });

  test("a person who clicks through the nodes does not delay the Gateway's answers to others", async (t) => {
    await select("flaky");
    await tab("attempts");
    const nodes = ["write", "flaky", "colourful", "with space", "polish", "gate"];
    let clicks = true;
    const times = [];
    const others = (async () => {
      while (clicks) {
        const asked = performance.now();
        await gateway.rpc("getRun", { runId });
        times.push(performance.now() - asked);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    })();
    for (let round = 0; round < 2; round += 1) {
      for (const part of ["attempts", "output"]) {
        for (const node of nodes) {
          await select(node);
          await tab(part);
        }
      }
    }
    clicks = false;
    await others;
    times.sort((one, other) => one - other);
    const median = times[Math.floor(times.length / 2)];
    t.diagnostic(`getRun of another client, ${times.length} times: median ${median.toFixed(0)} ms, at most ${times.at(-1).toFixed(0)} ms`);
    assert.ok(median <= 150, `${median}`);
    await freshness(page, "live");
  });
});

test("a key and a word lead to a node, and a filter to those that wait for a person until nothing does", async () => {
  const own = await gateway.launch("approval", {});
  await gateway.waitForState(own, "waiting-approval");
  await connect(page, `${server.origin}/#connect`, { url: gateway.url, token: OPERATOR_TOKEN, run: own });
  await state(page, "waiting-approval");
  // The tree is read after the header; until then the key goes to the search of the runs.
  await page.waitForSelector('[role=treeitem][data-node="release-gate"]');
  const titles = () => page.$$eval("[role=treeitem]", (rows) => rows.map((row) => row.dataset.node));
  const all = await titles();
  await page.focus("[role=tree]");
  await page.keyboard.press("/");
  await page.keyboard.type("gate");
  await page.waitForSelector("[role=treeitem][data-dimmed]");
  await page.keyboard.press("Enter");
  await page.waitForSelector('[role=treeitem][data-node="release-gate"][aria-selected="true"]:not([data-dimmed])');
  await page.keyboard.press("Escape");
  await page.click("[data-node-state=waits-for-you]");
  await page.waitForFunction((count) => document.querySelectorAll("[role=treeitem]").length < count, {}, all.length);
  assert.equal((await titles()).at(-1), "release-gate");
  await gateway.approve(own, "release-gate");
  await page.waitForSelector("[data-field=no-node]");
  assert.match(await page.$eval("[data-field=no-node]", (note) => note.innerText), /No node passes the filter now: Waits for you\./);
  await page.click("[data-action=all-nodes]");
  await until("all nodes are shown again", async () => (await titles()).length === all.length);
  await select("release-gate");
  await shows("Approved");
  assert.match(await page.$eval(pane, (element) => element.innerText), /Decided by\s+operator/);
});

test("an answer that cannot be read leaves the last one on screen with its age", async (t) => {
  const own = await gateway.launch("approval", {});
  await gateway.waitForState(own, "waiting-approval");
  const between = await proxy(gateway.url);
  t.after(() => between.close());
  await connect(page, `${server.origin}/#connect`, { url: between.url, token: OPERATOR_TOKEN, run: own });
  await state(page, "waiting-approval");
  await select("release-gate");
  await tab("output");
  await shows("No output yet.");
  between.replace({ getNodeOutput: 7 });
  await gateway.approve(own, "release-gate");
  await shows("Output: the Gateway’s answer could not be read: ");
  const [kept, why] = await missing();
  assert.equal(kept, "No output yet. It is shown once the node has finished.");
  assert.match(why, /The last answer is shown, from .+ ago\.$/);
  between.replace({});
  // An event may have made the panel ask again already.
  const askAgain = () => page.$$eval(`${pane} [data-action="ask-again"]:not([hidden])`, ([button]) => button?.click());
  const isThere = () => page.$(`${pane} [data-path="$.approved"]`);
  await until("the answer is there", async () => (await isThere()) || (await askAgain()), { pause: 500 });
});

test("a question that fails is a sentence in its part, and is asked again", async () => {
  await login();
  await state(page, "waiting-approval");
  await select("flaky");
  await gateway.kill();
  await tab("attempts");
  await shows("the connection for details could not be opened, or was lost");
  const askAgain = await page.waitForSelector(`${pane} [data-action="ask-again"]:not([hidden])`);
  await askAgain.focus();
  await page.keyboard.press("Enter");
  await page.waitForFunction((pane) => document.querySelector(pane).contains(document.activeElement), {}, pane);
  await gateway.restart();
  await freshness(page, "live");
  await until("the attempts are there", async () => {
    const button = await page.$(`${pane} [data-action="ask-again"]:not([hidden])`);
    await button?.click();
    return (await states()).length === 2;
  });
});
