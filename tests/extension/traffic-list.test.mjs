// The list of a page's traffic is the list of runs, with groups for each server. The panel of the extension in a page of its own;
// what the collector would hand over is made here.
import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { axe, prefer } from "../support/a11y.mjs";
import { becomes, launch, listen, until } from "../support/browser.mjs";
import { listOf } from "../support/list.mjs";
import { install } from "../support/panel.mjs";
import { built } from "../support/paths.mjs";
import { serve } from "../support/server.mjs";

const COUNT = 10_000;
// Made anew for each test: a running row without news is stale after 30 s.
let START, poll, far, near;
const answer = (port, runs) => ({
  kind: "answer",
  at: Date.now(),
  started: Date.now(),
  url: `http://127.0.0.1:${port}/rpc`,
  method: "POST",
  request: '{"method":"listRuns"}',
  body: JSON.stringify({ ok: true, apiVersion: "v1", payload: runs }),
});
const run = (runId, status, age = 0) => ({ runId, workflowName: `flow-${runId}`, status, startedAtMs: START - 1000 * age });
beforeEach(() => {
  START = Date.now();
  poll = {
    kind: "poll",
    at: START,
    nextMs: 250,
    startedAt: START,
    requests: 214,
    sockets: 0,
    sawPageLoad: true,
    recording: true,
    openStreams: [],
    hiddenSockets: [],
  };
  far = [run("nightly", "running", 5), run("audit", "waiting-timer", 60), run("docs", "finished", 90)];
  near = Array.from({ length: COUNT - far.length }, (_, index) => run(`run-${index}`, index === 7 ? "cancelled" : "finished", index));
});

let browser, server, page, log;
before(async () => {
  [browser, server] = await Promise.all([launch(), serve(built("extension"), { extra: { "/favicon.ico": "" } })]);
  page = await browser.newPage();
  log = listen(page);
  await install(page);
  await page.evaluateOnNewDocument(() => {
    // The last function that subscribed.
    const first = Promise.withResolvers();
    let receiver = first.promise;
    globalThis.subscriptions = 0;
    const subscribe = (receive) => {
      if (!receive) return;
      globalThis.subscriptions += 1;
      first.resolve(receive);
      receiver = receive;
    };
    globalThis.runstateTraffic = { subscribe, preserves: () => false, preserve() {}, onEnd() {}, clear() {}, reload() {} };
    globalThis.observe = async (entries) => (await receiver)(entries);
  });
});
after(async () => {
  await browser?.close();
  await server?.close();
});
afterEach(() => assert.deepEqual(log.errors.splice(0), [], "errors and policy violations of the panel"));

const observe = (...entries) => page.evaluate((entries) => globalThis.observe(entries), entries);
/** The panel anew, at a size, with the runs of both servers. */
const open = async ({ width = 900, height = 700, entries = [answer(7331, near), answer(7332, far), poll] } = {}) => {
  await page.setViewport({ width, height });
  await page.goto(`${server.origin}/panel.html`);
  await observe(...entries);
  await page.waitForSelector("[data-run]");
};
/** Servers and groups as they stand under each other, each group with its count and the ids of the rows that exist. */
const groups = () =>
  page.$$eval("[data-server], [data-server] [data-group]", (found) =>
    found.map(
      (each) =>
        each.dataset.server ??
        [
          each.dataset.group,
          each.querySelector(".fold b").textContent,
          ...[...each.querySelectorAll("[data-run]")].map((row) => row.dataset.run),
        ].join(" "),
    ),
  );
const counts = () => page.$$eval("[data-server] h3 .secondary-text", (found) => found.map((each) => each.textContent));
const groupsAre = (expected) => becomes(groups, expected);
const heading = () => page.$eval("[data-pane=runs] h2", (element) => element.textContent);
const headingIs = (text) => becomes(heading, text);
const focusedIs = (runId) => becomes(listOf(page).focused, runId);
const search = async (text) => {
  await page.focus("[data-pane=runs] input[name=search]");
  await page.keyboard.type(text);
};
const scroller = "[data-pane=runs] > .scroll";
const [nearAddress, farAddress] = ["127.0.0.1:7331", "127.0.0.1:7332"];
const farGroups = [farAddress, "active 2 nightly audit", "ended 1 docs"];

test("each server has the groups of its runs, counted, with reasons, the most urgent server first", async () => {
  await open();
  assert.equal(await heading(), "10\u202f000 runs");
  assert.deepEqual((await groups()).slice(0, 4), [...farGroups, nearAddress]);
  assert.deepEqual(await counts(), ["3 runs", "9\u202f997 runs"]);
  assert.match((await groups())[4], /^ended 9\u202f997 run-0 run-1 /);
  assert.equal(await page.$eval('[data-run="nightly"] .run-reason', (reason) => reason.textContent.length > 0), true);
  assert.match(
    await page.$eval(`[data-server="${farAddress}"] [data-field="server-line"]`, (line) => line.textContent),
    /^HTTP responses · seen /,
  );
  assert.match(await page.$eval("[data-field=traffic-counts]", (text) => text.textContent), /^214 requests checked since /);
  const levels = await page.$$eval("[data-pane=runs] :is(h2, h3, h4)", (found) => found.map((each) => each.tagName).join(" "));
  assert.equal(levels, "H2 H3 H4 H4 H3 H4");
});

test("of 10 000 rows few exist, and scrolling shows those there", async () => {
  await open();
  const drawn = () => page.$$eval("[data-run]", (found) => found.length);
  assert.ok((await drawn()) < 100, `${await drawn()} rows`);
  await page.$eval(scroller, (element) => (element.scrollTop = element.scrollHeight));
  await page.waitForSelector(`[data-run="run-${near.length - 1}"]`);
  assert.equal(await page.$('[data-run="run-0"]'), null);
  assert.ok((await drawn()) < 100, `${await drawn()} rows`);
});

test("while a socket delivers frames all the time, 10 000 rows stay usable, and no frame is missed", async () => {
  await open();
  // As often as the collector polls, each time with the frames of a busy Gateway: news of three runs, of which each changes its row.
  await page.evaluate((poll) => {
    const socket = { kind: "frame", socket: "stream-1", url: "ws://127.0.0.1:7331/", sent: false };
    const frame = (event, payload) => ({
      ...socket,
      at: Date.now(),
      text: JSON.stringify({ type: "event", apiVersion: "v1", seq: ++frames.seq, event, payload }),
    });
    globalThis.frames = { seq: 0, batches: 0, isOn: true };
    const news = () =>
      [8, 500, 9000].flatMap((index) =>
        ["node.started", "run.heartbeat"].map((event) => frame(event, { runId: `run-${index}`, nodeId: "build", iteration: 0 })),
      );
    const deliver = async () => {
      if (!frames.isOn) return void (frames.isOver = true);
      const batch = frames.seq === 0 ? [frame("connect.challenge", {})] : [...news(), ...news()];
      await observe([...batch, { ...poll, at: Date.now(), sockets: 1, openStreams: ["stream-1"] }]);
      frames.batches += 1;
      setTimeout(deliver, 250);
    };
    return deliver();
  }, poll);
  const batches = (count) => page.waitForFunction((wanted) => frames.batches >= wanted, {}, count);
  const rows = () => page.$$eval("[data-run]", (found) => found.length);
  for (const [runId, place] of [
    ["run-8", 0.9],
    ["run-500", 0.1],
    ["run-9000", 0.5],
  ]) {
    await search(`flow-${runId}`);
    // The search draws other rows.
    await page.waitForFunction(
      (id) => {
        const found = [...document.querySelectorAll("[data-run]")].map((row) => row.dataset.run);
        return found.includes(id) && found.every((run) => run.startsWith(id));
      },
      {},
      runId,
    );
    await page.click(`[data-run="${runId}"]`);
    await page.waitForFunction((id) => runstateTest.header()?.runId === id, {}, runId);
    const { batches: count } = await page.evaluate("({ ...frames })");
    await batches(count + 4);
    await page.click('[data-action="runs"]');
    await page.waitForSelector("[data-screen=runs]");
    await page.$eval("[data-pane=runs] input[name=search]", (field) => {
      field.value = "";
      field.dispatchEvent(new Event("input", { bubbles: true }));
    });
    await headingIs("10\u202f000 runs");
    await page.$eval(scroller, (element, part) => (element.scrollTop = element.scrollHeight * part), place);
    const drawn = await rows();
    assert.ok(drawn < 200, `${drawn} rows`);
  }
  await page.evaluate(() => void (frames.isOn = false));
  await page.waitForFunction(() => frames.isOver);
  const seq = await page.evaluate(() => frames.seq);
  assert.equal(await page.$('[data-field="traffic-note"]'), null);
  // A click at a place could hit a list that is still scrolling, and the first row may still be one of the other Gateway.
  const row = await page.waitForSelector('[data-run^="run-"]');
  await row.evaluate((element) => element.click());
  await page.waitForSelector("section[data-tone]");
  const received = `${String(seq).replace(/\B(?=(\d{3})+$)/g, "\u202f")} in, 0 out, none missing`;
  await page.click('[data-action="fields"]');
  const numbers = () => page.$eval("section[data-tone]", ({ innerText }) => /[\d\u202f]+ in, \d+ out, [^\n]+/.exec(innerText)?.[0]);
  await becomes(numbers, received);
});

test("search and states cover the rows of all servers", async () => {
  await open();
  await search("flow-run-777 ");
  await headingIs("11 of 10\u202f000 runs");
  assert.deepEqual(await counts(), ["0 of 3 runs", "11 of 9\u202f997 runs"]);
  assert.deepEqual((await groups()).slice(0, 2), [farAddress, nearAddress]);
  await page.$eval("[data-pane=runs] input[name=search]", (field) => {
    field.value = "";
    field.dispatchEvent(new Event("input", { bubbles: true }));
  });
  await headingIs("10\u202f000 runs");
  await page.click('[data-state-filter="Cancelled"]');
  await groupsAre([farAddress, nearAddress, "ended 1 run-7"]);
  await page.click('[data-state-filter="Running"]');
  await groupsAre([farAddress, "active 1 nightly", nearAddress, "ended 1 run-7"]);
});

test("a group is folded for one server alone, and keys go from the rows of one server to those of the next", async () => {
  await open();
  await page.click(`[data-server="${farAddress}"] [data-group="ended"] .fold`);
  await until("no row", async () => !(await page.$('[data-run="docs"]')));
  assert.ok(await page.$('[data-run="run-0"]'));
  await listOf(page).goTo("nightly");
  for (const next of ["audit", "run-0", "run-1"]) {
    await page.keyboard.press("ArrowDown");
    await focusedIs(next);
  }
  await page.keyboard.press("End");
  await focusedIs(`run-${near.length - 1}`);
  await page.keyboard.press("Home");
  await focusedIs("nightly");
});

test("the focus stays on a run that moves to another group, also if its group ends", async () => {
  await open({ entries: [answer(7332, far), poll] });
  await listOf(page).goTo("audit");
  await observe(answer(7332, [run("audit", "finished", 60)]));
  await groupsAre([farAddress, "active 1 nightly", "ended 2 audit docs"]);
  await focusedIs("audit");
  await listOf(page).goTo("nightly");
  await observe(answer(7332, [run("nightly", "finished", 5)]));
  await groupsAre([farAddress, "ended 3 nightly audit docs"]);
  await focusedIs("nightly");
  await page.keyboard.press("ArrowDown");
  await focusedIs("audit");
});

test("search, order, scroll and focus survive updates, also of a server that becomes the most urgent one", async () => {
  await open({ entries: [answer(7331, near.slice(0, 60)), answer(7332, far), poll] });
  await search("flow-");
  await headingIs("63 of 63 runs");
  await page.select("select[name=sort]", "name");
  await until("the order by name", async () => (await groups())[1] === "active 2 audit nightly");
  await listOf(page).goTo("run-1");
  await page.keyboard.press("End");
  await focusedIs("run-9");
  const top = async () => (await (await page.$('[data-run="run-9"]')).boundingBox()).y;
  const before = await top();
  await observe(answer(7331, [run("asks", "waiting-approval")]));
  await until("the other server first", async () => (await groups())[0] === nearAddress);
  await focusedIs("run-9");
  assert.match((await groups())[1], /^needs-you 1\b/);
  const height = 30;
  assert.ok(Math.abs((await top()) - before) < height, `the row was at ${before}, and is at ${await top()}`);
  assert.equal(await page.$eval("select[name=sort]", (field) => field.value), "name");
  await headingIs("64 of 64 runs");
});

test("the list stays next to the run where there is space, and is as it was on the way back", async () => {
  await open({ width: 1280, height: 800 });
  await search("run-99");
  await headingIs("108 of 10\u202f000 runs");
  await page.waitForSelector('[data-run="run-990"]');
  await page.$eval(scroller, (element) => (element.scrollTop = 300));
  // A click on a row that is out of sight would scroll it into sight.
  const chosen = await page.$eval(scroller, (element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return document.elementFromPoint(200, (top + bottom) / 2).closest("[data-run]").dataset.run;
  });
  await page.click(`[data-run="${chosen}"]`);
  await page.waitForSelector(`[data-run="${chosen}"][aria-current="true"]`);
  await page.waitForSelector("section[data-tone]");
  assert.ok((await (await page.$(`[data-run="${chosen}"]`)).boundingBox()).width > 100, "it is on screen");
  await observe(answer(7332, [run("nightly", "finished", 5)]));
  await page.waitForSelector(`[data-server="${farAddress}"] h3`);
  await page.click('[data-action="runs"]');
  await page.waitForSelector("[data-screen=runs]");
  assert.equal(await heading(), "108 of 10\u202f000 runs");
  assert.equal(await page.$eval("input[name=search]", (field) => field.value), "run-99");
  await until("the scroll of before", () => page.$eval(scroller, (element) => element.scrollTop === 300));
});

test("what is missing of the traffic is said above the list", async () => {
  await open({ entries: [answer(7332, far), { kind: "cleared", at: START }, poll] });
  await page.waitForSelector('[data-screen=runs] [data-field="traffic-note"][data-value="cleared"]');
  await page.click("[data-run]");
  await page.waitForSelector("section[data-tone]");
  assert.equal(await page.$$eval('[data-field="traffic-note"]', (notes) => notes.length), 1);
});

test("a note whose number changes keeps the focus on its button", async () => {
  await open({ entries: [answer(7332, far), { kind: "dropped", count: 1 }, poll] });
  const note = '[data-screen=runs] [data-field="traffic-note"][data-value="missing"]';
  const text = () => page.$eval(`${note} > span`, (span) => span.textContent);
  assert.match(await text(), /^1 message was dropped/);
  for (const [action, count] of [
    ["reload-page", 3],
    ["choose-source", 5],
  ]) {
    await page.focus(`${note} [data-action="${action}"]`);
    await observe({ kind: "dropped", count: 2 }, poll);
    await until(`${count} messages`, async () => (await text()).startsWith(`${count} messages were dropped`));
    assert.equal(await page.evaluate(() => document.activeElement.dataset.action), action);
  }
});

test("a run of the list is exported, and the list of all servers is not", async () => {
  await open();
  assert.equal(await page.$('[data-action="export"]'), null);
  await page.click('[data-run="nightly"]');
  await page.waitForSelector("section[data-tone]");
  await page.waitForSelector('[data-action="export"]');
});

// What a panic or a lack of memory is in a browser: an error that nothing catches.
const breakWorker = async () => {
  const [worker, ...others] = page.workers();
  assert.deepEqual(others, [], "one worker");
  await worker.evaluate(
    () =>
      void setTimeout(() => {
        throw new RangeError("out of memory");
      }),
  );
  await until("the end of the worker", () => !page.workers().includes(worker));
};

test("traffic whose worker stops is opened again twice, then nothing of it stays on screen and there is a way back", async () => {
  await open();
  for (const times of [1, 2]) {
    await page.click('[data-run="nightly"]');
    await page.waitForSelector("section[data-tone]");
    await breakWorker();
    await page.waitForSelector('[data-screen="traffic"]');
    // The collector hands over again what it has kept.
    await until("the new session", () => page.evaluate((count) => globalThis.subscriptions === count, times + 1));
    await observe(answer(7332, far), poll);
    await page.waitForSelector('[data-run="nightly"]');
  }
  await breakWorker();
  await page.waitForSelector('[data-field="error"]');
  assert.equal(await page.$("[data-run], section[data-tone]"), null);
  await page.click('button[data-action="traffic"]');
  await page.waitForSelector('[data-screen="traffic"]');
  const errors = log.errors.splice(0);
  assert.deepEqual(
    errors.filter((error) => !/out of memory/.test(error)),
    [],
  );
});

for (const [width, height] of [
  [900, 360],
  [480, 800],
  [320, 720],
]) {
  test(`axe finds nothing, and nothing is cut off, at ${width} × ${height}`, async () => {
    const entries = [answer(7331, near.slice(0, 6)), answer(7332, far), { kind: "cleared", at: START }, poll];
    await open({ width, height, entries });
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0);
    // axe cannot judge what is scrolled out of sight.
    await page.setViewport({ width, height: 2400 });
    for (const media of [{ scheme: "light" }, { scheme: "dark" }, { forced: true }]) {
      const undo = await prefer(page, media);
      assert.deepEqual((await axe(page)).problems, [], JSON.stringify(media));
      await undo();
    }
  });
}
