// The panel shows the runs of which the inspected page speaks over HTTP and in event streams, in real Firefox developer tools.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, afterEach, before, describe, test } from "node:test";
import { OPERATOR_TOKEN, startGateway } from "../gateway/gateway.mjs";
import { openPanel } from "../support/firefox-panel.mjs";
import { askForged, startForger } from "../support/forger.mjs";
import { root } from "../support/paths.mjs";
import { assertNoSecret, lastSession, leakingSessions } from "../support/secrets.mjs";
import { runList, runs, signal, startStudio } from "../support/studio.mjs";
import { CREDENTIAL, choose, copies, filledIn, keptEntries, press, see, startFramesAndWorkers, stored } from "../support/traffic.mjs";

const gateway = await startGateway({ page: join(root, "tests/extension/page") });
after(() => gateway.stop());
const address = `127.0.0.1:${gateway.port}`;
const pageUrl = (hash) => `${gateway.http}/page/index.html?${Math.random()}#${hash}`;
const first = await gateway.launch("approval");
await gateway.waitForState(first, "waiting-approval");

const tools = await openPanel(pageUrl(`poll=${first}`));
after(() => tools.close());
const { page } = tools;
afterEach(async () => assert.deepEqual(await tools.complaints(), [], "errors and policy violations of the panel"));

// Every freshness that was ever on screen.
await tools.inPanel(`(() => {
  window.freshnessValues = new Set();
  const note = () => document.querySelectorAll('[data-field="freshness"] [data-value]').forEach(({ dataset }) => window.freshnessValues.add(dataset.value));
  new MutationObserver(note).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
})()`);

test("a page from before the developer tools is explained, and seen after a reload", async () => {
  const { notes } = await see(tools, "the note", ({ notes }) => notes.late);
  assert.match(notes.late, /Reload the page/);
  await press(tools, "reload-page");
  await see(tools, "the run", ({ servers, notes }) => servers[address]?.[first] === "waiting-approval" && !notes.late);
});

test("a socket of the page is explained, with what can be done instead", async () => {
  // See lionagi's Studio below for why the page does not open it by itself.
  await page.evaluate((url, runId) => void globalThis.follow(url, runId), gateway.url, first);
  const { notes, counts } = await see(tools, "the note", ({ notes }) => notes["hidden-socket"]);
  assert.match(notes["hidden-socket"], /Firefox does not give extensions WebSocket messages/);
  assert.ok(notes["hidden-socket"].includes(address), notes["hidden-socket"]);
  for (const way of [/If that is a Gateway: connect to it here/, /use HTTP/, /Chromium-based/]) assert.match(notes["hidden-socket"], way);
  assert.match(counts, /^\d+ requests? checked since .*; 1 WebSocket cannot be read\.$/);
  const { url, token, run } = await filledIn(tools, '[data-value="hidden-socket"] [data-action="choose-source"]');
  assert.deepEqual([new URL(url).host, new URL(url).protocol, token, run], [address, "ws:", "", ""]);
  await page.goto(pageUrl(`poll=${first}`));
  await see(tools, "the page without a socket", ({ servers, notes }) => servers[address]?.[first] && !notes["hidden-socket"]);
});

test("a run is followed over HTTP from its start through an approval to its end", async () => {
  const runId = await gateway.launch("approval", { ms: 15_000 });
  await gateway.waitForState(runId, "running");
  await page.goto(pageUrl(`poll=${runId}`));
  await choose(tools, runId);
  await see(tools, "its start", ({ header }) => header?.runId === runId && header.state === "running");
  const { header } = await see(tools, "the approval", ({ header }) => header?.runId === runId && header.state === "waiting-approval");
  assert.match(header.freshnessText, /^seen \d+ s ago in this page’s traffic$/);
  await gateway.approve(runId, "release-gate");
  await see(tools, "its end", ({ header }) => header?.state === "succeeded");
  assert.deepEqual(await tools.inPanel("[...window.freshnessValues]"), ["seen"]);
});

test("the page's token is nowhere in what is kept, shown and exported", async () => {
  await page.goto(pageUrl(`token=${OPERATOR_TOKEN}&poll=${first}`));
  await choose(tools, first);
  await see(tools, "the run", ({ header }) => header?.state === "waiting-approval");
  const kept = await keptEntries(tools, ["answer"]);
  assert.ok(kept.includes(first), "what the collector keeps has the run");
  await press(tools, "export");
  await tools.until(`document.querySelector('form[data-form="export"]') !== null`);
  await tools.inPanel(`document.querySelector('form[data-form="export"] [type="submit"]').click()`);
  const exported = (await tools.saved()).text;
  assert.ok(exported.includes(first), "the export has the run");
  for (const [place, text] of Object.entries({ exported, kept, stored: await stored(tools) })) {
    assert.ok(!text.includes(OPERATOR_TOKEN), `the token in ${place}`);
    assert.doesNotMatch(text, CREDENTIAL, place);
  }
  await press(tools, "runs");
});

test("a page that navigates starts anew", async () => {
  const runId = await gateway.launch("finish");
  await gateway.waitForState(runId, "succeeded");
  await page.goto(pageUrl(`poll=${runId}`));
  // Firefox may report the first response of the new page before the navigation.
  const { servers } = await see(tools, "the run alone", ({ servers }) => {
    const runs = servers[address] ?? {};
    return runs[runId] === "succeeded" && !(first in runs);
  });
  assert.deepEqual(servers, { [address]: { [runId]: "succeeded" } });
});

test("with Preserve log what was seen is kept, and Clear discards it until the page speaks again", async () => {
  await page.goto(pageUrl(`poll=${first}`));
  await see(tools, "the run", ({ servers }) => servers[address]?.[first]);
  await press(tools, "preserve");
  await page.goto(pageUrl(""));
  const { notes, servers } = await see(tools, "the navigation", ({ notes }) => notes.navigated);
  assert.match(notes.navigated, /Preserve log is on, so earlier runs are kept/);
  assert.deepEqual(servers, { [address]: { [first]: "waiting-approval" } });
  await press(tools, "preserve");
  await press(tools, "clear");
  await see(tools, "no run", ({ screen }) => screen === "traffic");
  await page.evaluate((runId) => globalThis.poll(runId), first);
  await see(tools, "the run again", ({ servers }) => servers[address]?.[first] === "waiting-approval");
});

test("frames, frames of another site and workers are read; shared and service workers are not", async () => {
  const kinds = ["frame", "outside", "worker", "shared", "service"];
  const runs = Object.fromEntries(await Promise.all(kinds.map(async (kind) => [kind, { poll: await gateway.launch("approval") }])));
  await page.goto(pageUrl(""));
  await startFramesAndWorkers(page, runs, { outside: `http://localhost:${gateway.port}` });
  const isListed = (servers, kind) => Object.values(servers).some((each) => runs[kind].poll in each);
  const { servers } = await see(tools, "all that is read", ({ servers }) =>
    ["frame", "outside", "worker"].every((kind) => isListed(servers, kind)),
  );
  assert.deepEqual(
    kinds.filter((kind) => isListed(servers, kind)),
    ["frame", "outside", "worker"],
  );
});

describe("lionagi's Studio", () => {
  let studio;
  /** Opens the page of Studio, without the runs of the page before. */
  const openStudio = async () => {
    await page.goto(`${studio.origin}/`);
    // While it loads a page on a busy machine, Firefox may leave out of its log what the page opens.
    await see(tools, "the new page", ({ servers, counts }) => Object.keys(servers).length === 0 && counts !== "");
  };
  /** Requests these paths now and every three seconds: on a busy machine, Firefox may leave a request out of its log. */
  const ask = (...paths) =>
    page.evaluate(async (paths) => {
      const askOnce = async () => {
        for (const path of paths) await (await fetch(path)).text();
      };
      clearInterval(globalThis.asking);
      globalThis.asking = setInterval(askOnce, 3000);
      await askOnce();
    }, paths);
  before(async () => {
    studio = await startStudio({
      "/api/runs/": runList,
      "/api/runs/?offset=0": JSON.stringify({ runs: leakingSessions }),
      [`/api/runs/${lastSession.id}`]: JSON.stringify(lastSession),
    });
    // Frames and workers go on requesting until the next page runs, and nothing in the log says whose the answers are.
    await page.goto("about:blank");
    await openStudio();
  });
  after(() => studio.close());

  test("its event stream is read while it is open, and once", async () => {
    await page.evaluate(() => void (globalThis.signals = new EventSource("/api/sessions/s1/signals")));
    await choose(tools, "s1");
    const { header } = await see(tools, "the session", ({ header }) => /s1/.test(header?.text));
    assert.notEqual(header.state, "failed");
    // A message that has not come whole says nothing yet.
    const failure = signal(2, "RunFailed", { error: "disk is full" });
    studio.send(failure.slice(0, 60));
    studio.send(failure.slice(60));
    await see(tools, "its failure", ({ header }) => /disk is full/.test(header?.text));
    const kept = await keptEntries(tools, ["message"]);
    assert.equal(kept.split('"kind":"message"').length - 1, 2);
    await page.evaluate(() => globalThis.signals.close());
    await press(tools, "runs");
    await see(tools, "its end", ({ lines }) => /Event stream · closed/.test(lines.join()));
  });

  test("its answers over HTTP are listed as sessions", async () => {
    await ask("/api/runs/");
    const expected = runs.map(({ id }) => id);
    await see(tools, "the sessions", ({ servers }) =>
      Object.values(servers).some((rows) => Object.keys(rows).some((id) => expected.includes(id))),
    );
  });

  test("no secret of the known forms is kept, stored, shown, exported or copied", async () => {
    await openStudio();
    await ask("/api/runs/?offset=0", `/api/runs/${lastSession.id}`);
    await choose(tools, lastSession.id);
    await see(tools, "the session", ({ header }) => header?.state === "failed");
    const kept = await keptEntries(tools, ["answer"]);
    assert.ok(kept.includes(leakingSessions[0].id) && kept.includes('"notes'), "what the collector keeps has the sessions");
    const shown = await tools.inPanel("document.body.innerText");
    await press(tools, "export");
    await tools.until(`document.querySelector('form[data-form="export"]') !== null`);
    await tools.inPanel(`document.querySelector('form[data-form="export"] [type="submit"]').click()`);
    const exported = (await tools.saved()).text;
    assert.ok(exported.includes('"notes":[') && exported.includes(lastSession.id), "the export has all the forms");
    assertNoSecret({ kept, shown, exported, stored: await stored(tools), copied: (await copies(tools)).join("\n") });
    await press(tools, "runs");
  });
});

test("what a service worker answers in place of a Gateway is not told from its answers: Firefox does not say it", async () => {
  const forger = await startForger();
  try {
    await page.goto(forger.url);
    await page.evaluate(askForged);
    const { servers } = await see(tools, "the run", ({ servers }) => Object.values(servers).some((runs) => runs.forged));
    assert.ok(Object.keys(servers).includes(forger.address), `${Object.keys(servers)}`);
  } finally {
    forger.stop();
  }
});

test("a run whose Gateway is killed stays as it was seen", async () => {
  await page.goto(pageUrl(`poll=${first}`));
  await choose(tools, first);
  await see(tools, "the run", ({ header }) => header?.state === "waiting-approval");
  await gateway.kill();
  const { header } = await see(tools, "an old answer", ({ header }) => /^seen [3-9] s ago/.test(header?.freshnessText));
  assert.equal(header.state, "waiting-approval");
  assert.deepEqual(await tools.inPanel("[...window.freshnessValues]"), ["seen"]);
});
