// deriveRunStates returns for many rows the same as deriveRunState for each.
import assert from "node:assert/strict";
import { test } from "node:test";
import { readLines, runstate } from "./support.mjs";

const { deriveRunState, deriveRunStates } = runstate;
const now = 1_700_000_000_000;
const row = (runId, more) => ({ runId, status: "running", heartbeatAtMs: now, ...more });

const answers = (run) => {
  try {
    return deriveRunState({ run, now }).runId === run.runId;
  } catch {
    return false;
  }
};

/** The recorded rows that JSON can represent and that `deriveRunState` answers. */
const recorded = readLines("vectors/smithers/derive/valid/cases.ndjson")
  .map(({ input }) => input.run)
  .filter((run) => !JSON.stringify(run ?? null).includes('"$"') && answers(run))
  .filter((run) => Object.entries(run).every(([key, value]) => (key.endsWith("Ms") ? Number.isFinite(value) : typeof value === "string")));

test(`${recorded.length} recorded rows, as a list and as lines, have the views of deriveRunState`, () => {
  assert.ok(recorded.length > 200);
  for (const options of [{ now }, { now, staleThresholdMs: 1, timerOverdueGraceMs: 5 }]) {
    // The views cross as JSON, which has no infinite numbers.
    const expected = recorded.map((run) => JSON.stringify(deriveRunState({ run, ...options })));
    const views = (text) => deriveRunStates(text, options).map((view) => JSON.stringify(view));
    assert.deepEqual(views(JSON.stringify(recorded)), expected);
    assert.deepEqual(views(recorded.map((run) => JSON.stringify(run)).join("\n")), expected);
  }
});

test("lines may be empty, end with CRLF, and begin with a byte order mark", () => {
  const text = `\ufeff${JSON.stringify(row("a"))}\r\n\n  \n${JSON.stringify(row("b", { status: "finished" }))}\n`;
  const states = (document) => deriveRunStates(document, { now }).map(({ runId, state }) => [runId, state]);
  const expected = [
    ["a", "running"],
    ["b", "succeeded"],
  ];
  assert.deepEqual(states(text), expected);
  const bytes = new TextEncoder().encode(text);
  assert.deepEqual(states(bytes), expected);
  assert.deepEqual(states(bytes.buffer), expected);
  assert.deepEqual(states("[]"), []);
  assert.deepEqual(states(""), []);
});

test("the columns of the database are read, and the clock counts without now", () => {
  const [view] = deriveRunStates(JSON.stringify([{ run_id: "r", status: "running", heartbeat_at_ms: Date.now() }]));
  assert.deepEqual([view.runId, view.state], ["r", "running"]);
});

test("the owner is asked where it can decide", () => {
  const asked = [];
  const rows = [row("a", { runtimeOwnerId: "pid:7" }), row("b", { runtimeOwnerId: "pid:8", heartbeatAtMs: 1 })];
  const isOwnerPidAlive = (pid) => asked.push(pid) === 0;
  const views = deriveRunStates(JSON.stringify(rows), { now, isOwnerPidAlive });
  assert.deepEqual(
    views.map(({ state }) => state),
    ["running", "orphaned"],
  );
  assert.deepEqual(asked, [8]);
  const reason = { not: "an Error" };
  const throwing = () => {
    throw reason;
  };
  assert.throws(
    () => deriveRunStates(JSON.stringify(rows), { now, isOwnerPidAlive: throwing }),
    (error) => error === reason,
  );
});

test("what cannot be read is refused with its place", () => {
  const good = JSON.stringify(row("a"));
  for (const [rows, options, position] of [
    [undefined, { now }, { path: "rows" }],
    [new Map(), { now }, { path: "rows" }],
    [{ status: "running" }, { now }, { path: "rows" }],
    [7, { now }, { path: "rows" }],
    [`${good}\n{"runId":7}`, { now }, { line: 2, column: 10, path: "rows" }],
    [`${good}\n\n{"status":"running"}`, { now }, { line: 3, column: 1, path: "rows" }],
    [`[${good},\n oops]`, { now }, { line: 2, column: 2, path: "rows" }],
    [`[${good}] x`, { now }, { line: 1, path: "rows" }],
    [`${good} x`, { now }, { line: 1, path: "rows" }],
    [new Uint8Array([0x5b, 0xff]), { now }, { line: 1, column: 2, path: "rows" }],
    [good, { now: "x" }, { path: "options.now" }],
    [good, { now, staleThresholdMs: null }, { path: "options.staleThresholdMs" }],
    [good, { now, isOwnerPidAlive: 1 }, { path: "options.isOwnerPidAlive" }],
  ]) {
    assert.throws(
      () => deriveRunStates(rows, options),
      (error) => {
        assert.ok(error instanceof TypeError, String(error));
        assert.equal(error.code, "INVALID_INPUT");
        for (const [key, value] of Object.entries(position)) assert.equal(error.position[key], value, error.message);
        return true;
      },
      String(rows),
    );
  }
  for (const heartbeatAtMs of [9e15, -9e15]) {
    assert.throws(
      () => deriveRunStates(JSON.stringify([row("a", { heartbeatAtMs })]), { now: 9e15 }),
      (error) => error instanceof RangeError && error.code === "INVALID_TIME",
    );
  }
});
