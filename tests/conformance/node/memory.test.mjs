// The WebAssembly memory of a log. It never shrinks, so it is the maximum use instead of the present content. Reproducible.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { packageFolder } from "./support.mjs";

/** Bytes besides the text per event: the budget is 64, the target 48. */
const MOST = 48;

/** The same if every line has to be moved: sorting needs space for half of the positions, which the memory keeps. */
const MOST_DISORDERED = 52;

/** Events of tasks that start, send heartbeats, write output and end, about a quarter of a kilobyte each. */
function linesOf(count) {
  const lines = [];
  let at = 1.7e12;
  const about = (type, node, more) => {
    const correlation = { runId: "run-a", workflowName: "release-train", ...node, attempt: 1 };
    lines.push(JSON.stringify({ type, runId: "run-a", ...node, attempt: 1, ...more, timestampMs: (at += 3), correlation }));
  };
  for (let index = 0; lines.length < count; index += 1) {
    const node = { nodeId: `task-${index % 5_000}`, iteration: Math.floor(index / 5_000) };
    about("NodeStarted", node);
    for (let beat = 0; beat < 4; beat += 1) about("TaskHeartbeat", node, { hasData: false, dataSizeBytes: 0 });
    for (let line = 0; line < 4; line += 1) about("NodeOutput", node, { text: `line ${line} of ${index}\n`, stream: "stdout" });
    about("TokenUsageReported", node, { model: "m-1", agent: "writer", inputTokens: 900, outputTokens: 120 });
    about("NodeFinished", node);
  }
  return lines.slice(0, count);
}

const bytesOf = (lines) => new TextEncoder().encode(`${lines.join("\n")}\n`);

/** The same lines in a reproducible random order. */
function shuffled(lines) {
  const all = [...lines];
  let number = 7;
  for (let last = all.length - 1; last > 0; last -= 1) {
    number = (Math.imul(number, 1_664_525) + 1_013_904_223) >>> 0;
    const other = Math.floor((number / 2 ** 32) * (last + 1));
    [all[last], all[other]] = [all[other], all[last]];
  }
  return all;
}

/** A copy of the module with its own memory, so that tests do not share space. */
async function part(name) {
  const { EventLog, initSync, inspect } = await import(`${pathToFileURL(join(packageFolder, "runstate.js"))}?${name}`);
  const { memory } = initSync({ module: readFileSync(join(packageFolder, "runstate_bg.wasm")) });
  new EventLog().free();
  return { EventLog, inspect, memory };
}

/** The WebAssembly memory besides the text after a log is read in chunks and queried. */
function taken({ EventLog, memory }, bytes, events, chunk) {
  const before = memory.buffer.byteLength;
  const log = new EventLog();
  for (let start = 0; start < bytes.length; start += chunk) log.push(bytes.subarray(start, start + chunk));
  log.finish();
  assert.equal(log.view(2e12).counts.events, events);
  const grown = memory.buffer.byteLength - before;
  assert.ok(grown > bytes.length, "the text is kept");
  return { log, each: (grown - bytes.length) / events };
}

test("100 000 events take less than 48 bytes each beside their text, and none once they are freed", async (t) => {
  const [events, bytes] = [100_000, bytesOf(linesOf(100_000))];
  const { EventLog, memory } = await part("ordered");
  const { log, each } = taken({ EventLog, memory }, bytes, events, 256 * 1024);
  t.diagnostic(`${bytes.length} bytes of text, ${each.toFixed(2)} bytes beside it for each event`);
  assert.ok(each < MOST, `${each} bytes`);
  log.free();
  // A second log reuses the space of the first, whatever the size of its chunks.
  const before = memory.buffer.byteLength;
  const again = new EventLog();
  for (let start = 0; start < bytes.length; start += 1_000_000) again.push(bytes.subarray(start, start + 1_000_000));
  again.finish();
  again.view(2e12);
  again.free();
  assert.ok(memory.buffer.byteLength - before < bytes.length / 20, `${memory.buffer.byteLength - before} bytes more`);
});

test("the runs of a log take less than a kilobyte each beside their text while it is inspected", async (t) => {
  const { inspect, memory } = await part("runs");
  const line = (_, index) => JSON.stringify({ type: "RunStarted", runId: `run-${index}`, timestampMs: 1.7e12 + index });
  const bytes = bytesOf(Array.from({ length: 50_000 }, line));
  const before = memory.buffer.byteLength;
  assert.equal(inspect(bytes, { now: 1.8e12 }).runs.length, 50_000);
  const each = (memory.buffer.byteLength - before - bytes.length) / 50_000;
  t.diagnostic(`${each.toFixed(0)} bytes for each run`);
  assert.ok(each < 1000, `${each} bytes`);
});

test("a document that was inspected is freed with its inspection", async () => {
  setFlagsFromString("--expose-gc");
  const collectGarbage = runInNewContext("gc");
  const { header, inspect, initSync } = await import(`${pathToFileURL(join(packageFolder, "runstate.js"))}?inspected`);
  const { memory } = initSync({ module: readFileSync(join(packageFolder, "runstate_bg.wasm")) });
  const rows = Array.from({ length: 2_000 }, (_, index) => ({ runId: `run-${index}`, status: "failed" }));
  const document = JSON.stringify(rows);
  const read = async () => {
    assert.equal(header(inspect(document, { now: 0 }), { run: "run-7" }).state, "failed");
    collectGarbage();
    // Objects are freed in a separate task after garbage collection.
    await new Promise((resolve) => setTimeout(resolve));
  };
  for (let count = 0; count < 5; count += 1) await read();
  const before = memory.buffer.byteLength;
  for (let count = 0; count < 50; count += 1) await read();
  const grown = memory.buffer.byteLength - before;
  assert.ok(grown < 5 * document.length, `${grown} bytes for 50 documents of ${document.length}`);
});

test("putting them into order takes little more, where no line stands where it belongs", async (t) => {
  const lines = linesOf(100_000);
  for (const [name, all] of Object.entries({ shuffled: shuffled(lines), reversed: lines.toReversed() })) {
    const { log, each } = taken(await part(name), bytesOf(all), lines.length, 256 * 1024);
    t.diagnostic(`${name}: ${each.toFixed(2)} bytes for each event`);
    assert.ok(each < MOST_DISORDERED, `${name}: ${each} bytes`);
    log.free();
  }
});
