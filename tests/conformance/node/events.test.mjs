// The event log through the built package: every recorded event, chunks of any size, rows, filters and refusals.
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { readBytes, readLines, runstate, testsFolder } from "./support.mjs";

const { EventLog } = runstate;
const cases = (kind) => readLines(`vectors/smithers/events/${kind}/cases.ndjson`);
const now = 1_800_000_000_000;

function read(...chunks) {
  const log = new EventLog();
  for (const chunk of chunks) log.push(chunk);
  log.finish();
  return log;
}

test("every valid event is a row, whole", () => {
  for (const { case: name, text, expected } of cases("valid")) {
    const log = read(text);
    assert.deepEqual(log.problems(), [], name);
    const { total, rows } = log.rows(0, 10, { gaps: false });
    assert.equal(total, 1, name);
    const [row] = rows;
    assert.deepEqual([row.type, row.runId, row.atMs], [expected.type, expected.runId, expected.at], name);
    if (expected.known) {
      assert.equal(row.category, expected.category, name);
      assert.deepEqual(log.event(row.row), JSON.parse(text), name);
    } else {
      assert.equal(row.category, "foreign", name);
    }
    log.free();
  }
});

test("text may be cut anywhere, even inside a character", () => {
  const event = { type: "RunFailed", runId: "r", timestampMs: 1, error: { message: "disk \u{1f4be} full \u{1f525}" } };
  const text = `${JSON.stringify(event)}\n`;
  for (let cut = 0; cut <= text.length; cut += 1) {
    for (const between of [[], [""]]) {
      const log = read(text.slice(0, cut), ...between, text.slice(cut));
      assert.deepEqual(log.event(0), event, `${cut}`);
      log.free();
    }
  }
  // A half character on both sides becomes an unreadable one.
  const log = read(`${text.slice(0, -3)} \ud83d`, new TextEncoder().encode('"}}\n'));
  assert.equal(log.problems().length, 1);
  log.free();
});

test("what is no event is kept out and named with its place", () => {
  for (const { case: name, text, error } of cases("invalid")) {
    if (text === "") continue;
    const log = read(text);
    const { counts } = log.view(now);
    assert.equal(counts.events + counts.unread, 1, name);
    if (error.code !== "NOT_JSON") continue;
    const [problem] = log.problems();
    assert.deepEqual([problem.position.line, problem.position.column], [1, error.column], name);
  }
});

const streams = readdirSync(`${testsFolder}/vectors/smithers/logs/cli`);

test("where a chunk ends changes nothing", () => {
  for (const name of streams) {
    const bytes = readBytes(`vectors/smithers/logs/cli/${name}`);
    const whole = read(bytes);
    const view = whole.view(now);
    for (const size of [1, 7, 4096]) {
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, place) => bytes.slice(place * size, (place + 1) * size));
      const log = read(...chunks);
      assert.deepEqual(log.view(now), view, `${name} ${size}`);
      assert.deepEqual(log.rows(0, 1e6), whole.rows(0, 1e6), `${name} ${size}`);
    }
  }
});

/** An event in the row with its number, as the command line writes it with `--raw`, including frames. */
function event(type, seq, more) {
  const row = { runId: "r", timestampMs: 1000 + seq, type };
  return JSON.stringify({ ...row, seq, payload: { ...row, ...more } });
}
const node = { nodeId: "build", iteration: 0, attempt: 1 };
const sample = [
  event("RunStarted", 0),
  event("NodeStarted", 1, node),
  event("TaskHeartbeat", 2, node),
  event("TaskHeartbeat", 3, node),
  "oops",
  event("NodeFailed", 6, { ...node, error: { message: "no" } }),
  event("SomethingNew", 7),
  event("FrameCommitted", 8, { frameNo: 1, xmlHash: "0" }),
  event("RunFailed", 9, { error: { message: "no" } }),
].join("\n");

test("the view says what the events say, and what is missing", () => {
  const view = read(sample).view(61_009);
  assert.deepEqual([view.runId, view.state, view.asOfMs, view.ageMs], ["r", "failed", 1009, 60_000]);
  assert.deepEqual([view.counts.events, view.counts.unread, view.counts.gaps, view.counts.lost], [8, 1, 1, 2]);
  assert.deepEqual(view.nodes, { failed: 1 });
  assert.ok(view.caveats.some(({ kind, events }) => kind === "lost" && events === 2));
  assert.ok(view.evidence.inputs.some(({ decisive, value }) => decisive && value === "RunFailed"));
  assert.equal(read(sample).view(undefined, "q"), undefined);
  assert.equal(read("").view(now).state, "unknown");
});

test("what the command leaves out without `--raw` is no gap", () => {
  const printed = sample.split("\n").filter((line) => !line.includes("FrameCommitted"));
  const log = read(printed.join("\n"));
  const { counts, caveats } = log.view(61_009);
  assert.deepEqual([counts.gaps, counts.lost], [0, 0]);
  assert.deepEqual(
    caveats.map(({ kind }) => kind),
    ["left-out", "unread"],
  );
  assert.ok(log.rows(0, 100).rows.every(({ kind }) => kind !== "gap"));
});

test("heartbeats are one row, a gap is one, and a filter lets through what it says", () => {
  const log = read(sample);
  const { total, rows } = log.rows(0, 100);
  assert.deepEqual(
    rows.map(({ kind, type }) => (kind === "event" ? type : kind)),
    ["RunStarted", "NodeStarted", "heartbeats", "gap", "NodeFailed", "SomethingNew", "FrameCommitted", "RunFailed"],
  );
  assert.deepEqual([total, rows[2].count, rows[2].lastAtMs, rows[3].from, rows[3].to], [8, 2, 1003, 4, 5]);
  const types = (filter) => log.rows(0, 100, filter).rows.map(({ type }) => type);
  assert.deepEqual(types({ types: ["RunFailed"], gaps: false }), ["RunFailed"]);
  assert.deepEqual(types({ categories: ["foreign"], gaps: false }), ["SomethingNew"]);
  assert.deepEqual(types({ severity: "error", gaps: false }), ["NodeFailed", "RunFailed"]);
  assert.deepEqual(types({ nodeId: "build", text: "NODEFAILED", gaps: false }), ["NodeFailed"]);
  assert.deepEqual(types({ runId: "q" }), []);
  assert.deepEqual(log.rows(3, 4).rows.length, 1);
  assert.deepEqual(
    log.nodes("r").map(({ nodeId, state, heartbeats }) => [nodeId, state, heartbeats]),
    [["build", "failed", 2]],
  );
  assert.deepEqual(log.nodes("q"), []);
  assert.equal(log.event(99), undefined);
});

test("arguments that are not what their types say are refused with their place", () => {
  const log = read(sample);
  for (const [call, path] of [
    [() => log.push(), "chunk"],
    [() => log.push([1]), "chunk"],
    [() => log.push(7), "chunk"],
    [() => log.view("x"), "now"],
    [() => log.view(0, 7), "runId"],
    [() => log.rows(), "start"],
    [() => log.rows(0, "1"), "end"],
    [() => log.rows(-1, 1), "start"],
    [() => log.rows(0, 1, 7), "filter"],
    [() => log.rows(0, 1, { types: "RunFailed" }), "filter.types"],
    [() => log.rows(0, 1, { types: [7] }), "filter.types[0]"],
    [() => log.rows(0, 1, { categories: ["weather"] }), "filter.categories[0]"],
    [() => log.rows(0, 1, { severity: "loud" }), "filter.severity"],
    [() => log.rows(0, 1, { nodeId: 7 }), "filter.nodeId"],
    [() => log.rows(0, 1, { text: 7 }), "filter.text"],
    [() => log.rows(0, 1, { gaps: 1 }), "filter.gaps"],
    [() => log.event("0"), "row"],
    [() => log.nodes(), "runId"],
  ]) {
    assert.throws(call, (error) => {
      assert.ok(error instanceof TypeError, `${path}: ${error}`);
      assert.deepEqual([error.code, error.position.path], ["INVALID_INPUT", path], error.message);
      return true;
    });
  }
});
