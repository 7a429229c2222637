// Responses of which Firefox gives extensions only the beginning are explained, in real Firefox developer tools. The event stream
// comes first: every poll reads all bodies in the log, so a very large response delays the later ones.
import assert from "node:assert/strict";
import { after, afterEach, test } from "node:test";
import { until } from "../support/browser.mjs";
import { openPanel } from "../support/firefox-panel.mjs";
import { runList, runs, signal, startStudio } from "../support/studio.mjs";
import { TIMEOUT } from "../support/timeout.mjs";
import { choose, press, see } from "../support/traffic.mjs";

const padded = (id, size) => JSON.stringify({ runs: [{ ...runs[0], id, session_id: id }], padding: "x".repeat(size) });
const studio = await startStudio({
  "/api/runs/": runList,
  "/api/runs/?page=1": padded("large", 9e5),
  "/api/runs/?page=2": padded("larger", 21e6),
});
after(() => studio.close());
const tools = await openPanel(`${studio.origin}/`);
after(() => tools.close());
afterEach(async () => assert.deepEqual(await tools.complaints(), [], "errors and policy violations of the panel"));

/** The maximum time for the next poll, in ms: one that takes long on a busy machine is followed by a long pause. */
const POLL = 4 * TIMEOUT;
const fetched = (path) => tools.page.evaluate(async (path) => void (await (await fetch(path)).text()), path);
/** What is on screen after a poll that has counted another request. Firefox does not report every request that has finished. */
async function nextPoll(what) {
  const read = async () => see(tools, what, ({ counts }) => counts);
  const { counts: before } = await read();
  return until(
    what,
    async () => {
      await fetched("/?again");
      const screen = await read();
      return screen.counts !== before && screen;
    },
    { pause: 500, timeout: POLL },
  );
}
const isListed = (servers, id) => Object.values(servers).some((rows) => id in rows);
const isTruncated = ({ lines }) => /Event stream · too large to be read since/.test(lines.join());

test("an event stream is followed up to 1 MB, and its loss explained, because Firefox truncates it there", async () => {
  await tools.page.evaluate(() => {
    globalThis.received = 0;
    globalThis.signals = new EventSource("/api/sessions/s1/signals");
    globalThis.signals.onmessage = () => (globalThis.received += 1);
  });
  await see(tools, "the stream", ({ lines }) => /Event stream · following/.test(lines.join()), POLL);
  for (let seq = 2; seq <= 12; seq++) studio.send(signal(seq, "RunStart", { text: "x".repeat(100_000) }));
  const { notes } = await see(tools, "its truncation", isTruncated, POLL);
  assert.match(
    notes["too-large"],
    /^\s*The response from \/api\/sessions\/s1\/signals at .* could not be read\. DevTools does not give extensions responses larger than 1 MB\.\s*$/,
  );
});

test("a truncated event stream is not said to be followed again, whatever it sends and however it ends", async () => {
  await choose(tools, "s1");
  studio.send(signal(13, "RunFailed", { error: "disk is full" }));
  await tools.page.waitForFunction("globalThis.received === 13");
  const { header } = await nextPoll("a later poll");
  assert.equal(header.freshness, "seen");
  assert.doesNotMatch(header.text, /disk is full/);
  await press(tools, "runs");
  await tools.page.evaluate(() => globalThis.signals.close());
  assert.ok(isTruncated(await nextPoll("a poll after its end")));
});

test("an answer of less than 1 MB is read, and a larger one explained", async () => {
  await fetched("/api/runs/?page=1");
  await see(tools, "its session", ({ servers }) => isListed(servers, "large"), POLL);
  await fetched("/api/runs/?page=2");
  const { notes, servers } = await see(tools, "the note", ({ notes }) => /page=2/.test(notes["too-large"]), POLL);
  assert.match(
    notes["too-large"],
    /^\s*2 responses could not be read, the last one from \/api\/runs\/\?page=2 at .*\. DevTools does not give extensions responses larger than 1 MB\.\s*$/,
  );
  assert.ok(isListed(servers, "large") && !isListed(servers, "larger"));
});

test("while the log takes long to read, the panel shows responses without waiting for it", async () => {
  await tools.inPanel(`(() => {
    window.deliveries = [];
    const channel = new BroadcastChannel("runstate-traffic-" + chrome.devtools.inspectedWindow.tabId);
    channel.onmessage = ({ data }) => window.deliveries.push((data.entries ?? []).map(({ kind }) => kind).join());
  })()`);
  const isDelivered = async () => {
    await fetched("/api/runs/");
    return tools.inPanel(`window.deliveries.includes("answer")`);
  };
  await until("a response without a poll", isDelivered, { pause: 1000 });
  await see(tools, "its sessions", ({ heading }) => /^6\d runs$/.test(heading));
});
