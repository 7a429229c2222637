// What the collector and the panel of one developer tools window exchange, and what the browser keeps of it.
import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { answer, bodies, gateway, inspectedPage, kinds } from "../support/collector.mjs";
import { extension } from "../support/extension.mjs";

const { slicesOf } = await extension("buffer.js");

mock.timers.enable({ apis: ["setTimeout"] });

let windows = 0;
/** What the browser keeps for the extension. */
let kept;
beforeEach(() => {
  kept = new Map();
  globalThis.localStorage = { getItem: (name) => kept.get(name) ?? null, setItem: (name, value) => void kept.set(name, value) };
});

/** Opens the developer tools: starts the scripts of the collector and of the panel anew. `posts` are the messages to the panel. */
async function open() {
  const channels = [];
  const posts = [];
  globalThis.BroadcastChannel = class {
    constructor() {
      channels.push(this);
    }
    postMessage(message) {
      const data = structuredClone(message);
      if (data.entries) posts.push(data.entries);
      for (const channel of channels) if (channel !== this) channel.onmessage?.({ data });
    }
  };
  const tools = inspectedPage();
  // The clock of the collector.
  performance.now = () => tools.now - performance.timeOrigin;
  const events = { onShown: {}, onHidden: {} };
  for (const event of Object.values(events)) event.addListener = (listener) => (event.happen = listener);
  const create = (title, icon, page, onCreated) => onCreated(events);
  globalThis.chrome = {
    runtime: { id: "runstate" },
    devtools: { inspectedWindow: { tabId: 1 }, network: tools.network, panels: { create } },
  };
  windows += 1;
  for (const file of ["settings.js", "devtools.js", "page.js"]) await extension(file, windows);
  const panel = globalThis.runstateTraffic;
  /** Lets `seconds` pass; returns the number of polls. */
  const pass = async (seconds) => {
    let count = 0;
    const { getHAR } = tools.network;
    tools.network.getHAR = (done) => (count++, getHAR(done));
    for (let ms = 0; ms < 1000 * seconds; ms += 50) {
      tools.now += 50;
      mock.timers.tick(50);
      await bodies();
    }
    tools.network.getHAR = getHAR;
    return count;
  };
  /** Whether a navigation keeps what was before. */
  const isKept = async () => {
    posts.length = 0;
    tools.now += 1000;
    tools.navigate();
    await pass(3);
    return posts.flat().find(({ kind }) => kind === "navigated").kept;
  };
  return { tools, panel, events, posts, pass, isKept };
}

test("the collector has the Preserve log of the panel that subscribed last", async () => {
  const { panel, isKept } = await open();
  panel.subscribe(() => {}, false);
  assert.equal(await isKept(), false);
  panel.preserve(true);
  assert.equal(await isKept(), true);
  panel.subscribe(() => {}, false);
  assert.equal(await isKept(), false, "a new page of the panel shows it off");
  panel.subscribe(() => {}, true);
  assert.equal(await isKept(), true);
});

test("Preserve log is what a person has set in earlier developer tools, before the panel is shown", async () => {
  for (const setting of [true, false]) {
    const earlier = await open();
    earlier.panel.preserve(setting);
    const { tools, panel, pass, isKept } = await open();
    assert.equal(panel.preserves(), setting);
    tools.document();
    tools.answer(gateway, answer);
    await pass(3);
    tools.navigate();
    await pass(3);
    const got = [];
    panel.subscribe((entries) => got.push(...entries), panel.preserves());
    assert.equal(kinds(got).includes("answer"), setting);
    assert.equal(await isKept(), setting);
  }
});

test("without anything that the browser keeps, Preserve log is off", async () => {
  globalThis.localStorage = {
    getItem() {
      throw new Error("denied");
    },
    setItem() {
      throw new Error("denied");
    },
  };
  const { panel, isKept } = await open();
  assert.equal(panel.preserves(), false);
  panel.subscribe(() => {}, false);
  assert.equal(await isKept(), false);
  panel.preserve(true);
  assert.equal(await isKept(), true, "it can be switched on for this panel");
});

test("the collector polls often while the panel is shown", async () => {
  const { events, pass } = await open();
  await pass(15);
  assert.equal(await pass(15), 1);
  events.onShown.happen();
  assert.ok((await pass(15)) >= 10);
  events.onHidden.happen();
  await pass(15);
  assert.equal(await pass(15), 1);
});

test("the panel is told once that the browser has updated or removed the extension", async () => {
  const { panel, pass } = await open();
  let count = 0;
  panel.onEnd(() => count++);
  await pass(60);
  assert.equal(count, 0);
  // What Chromium leaves of it to the pages of an extension that is gone.
  globalThis.chrome.runtime = {};
  await pass(6);
  assert.equal(count, 1);
  await pass(60);
  assert.equal(count, 1);
});

test("what was collected is posted in slices of at most 1 MB", async () => {
  const { tools, panel, posts, pass } = await open();
  const long = (characters) => JSON.stringify({ ...JSON.parse(answer), text: "a".repeat(characters) });
  for (let index = 0; index < 10; index++) tools.answer(gateway, long(300_000));
  tools.answer(gateway, long(3_000_000));
  await pass(3);
  panel.subscribe(() => {}, false);
  const sizes = posts.map((entries) => JSON.stringify(entries).length);
  assert.deepEqual(
    posts.map((entries) => entries.length),
    [3, 3, 3, 1, 1, 1],
    `${sizes}`,
  );
  assert.equal(sizes.filter((size) => size > 2 ** 20).length, 1, `only one entry is larger: ${sizes}`);
  assert.deepEqual(kinds(posts.flat()), [...Array(11).fill("answer"), "poll"]);
});

test("slices have all entries in their order, and no slice is empty unless there are no entries", () => {
  const entry = (at, characters) => ({ kind: "answer", at, body: "a".repeat(characters) });
  assert.deepEqual(slicesOf([]), [[]]);
  for (const sizes of [[1], [2 ** 21], [2 ** 21, 1], [1, 2 ** 21], [2 ** 19, 2 ** 19, 2 ** 19], Array(3000).fill(1000)]) {
    const entries = sizes.map((size, at) => entry(at, size));
    const slices = slicesOf(entries);
    assert.deepEqual(slices.flat(), entries);
    assert.ok(slices.every((slice) => slice.length > 0));
    const tooLarge = slices.filter((slice) => slice.length > 1 && slice.reduce((sum, { body }) => sum + body.length, 0) > 2 ** 20);
    assert.deepEqual(tooLarge, []);
  }
});
