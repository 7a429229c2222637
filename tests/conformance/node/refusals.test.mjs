// Errors of callers other than invalid documents: every error has a code, and later calls still work.
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { packageFolder, runstate } from "./support.mjs";

const { EventLog, Tree, applyDelta, computeRunState, computeRunStateFromRow, deriveRunState, deriveRunStates, diffSnapshots } = runstate;
const { effectiveState, exportRun, inspect, pill, readConductorRun } = runstate;
const now = 1_700_000_000_000;
const snapshot = () => ({
  version: 1,
  runId: "r",
  frameNo: 1,
  seq: 1,
  root: { id: 1, type: "task", name: "n", props: {}, children: [], depth: 0 },
});
const line = '{"type":"RunStarted","runId":"r","timestampMs":1000}\n';
const waiting = { runId: "r", status: "waiting-timer" };

function thrownBy(call) {
  try {
    call();
  } catch (error) {
    return error;
  }
  throw new Error(`nothing was thrown: ${call}`);
}

const rejectedBy = (promise) =>
  promise.then(
    () => assert.fail("nothing was rejected"),
    (error) => error,
  );

function filled() {
  const log = new EventLog();
  log.push(line);
  log.finish();
  return log;
}

function revoked(target = {}) {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
}

function detached() {
  const bytes = new TextEncoder().encode(line);
  structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
  return bytes;
}

test("after free everything says so, and a second free does nothing", () => {
  const [tree, log] = [new Tree(JSON.stringify(snapshot())), filled()];
  for (const held of [tree, log]) {
    held.free();
    held.free();
  }
  for (const call of [
    () => tree.size,
    () => tree.apply("{}"),
    () => tree.rows(0, 1),
    () => tree.node(1),
    () => tree.snapshot(),
    () => log.push(line),
    () => log.finish(),
    () => log.view(now),
    () => log.rows(0, 1),
    () => log.event(0),
    () => log.nodes("r"),
    () => log.problems(),
  ]) {
    assert.equal(thrownBy(call).code, "FREED", String(call));
  }
});

test("a getter of an argument may use the object that it is given to", () => {
  const log = filled();
  const filter = {
    get types() {
      log.push('{"type":"RunFinished","runId":"r","timestampMs":2000}\n');
      log.finish();
      return ["RunFinished"];
    },
  };
  assert.equal(log.rows(0, 9, filter).total, 1);
  const freeing = {
    get types() {
      log.free();
      return [];
    },
  };
  assert.equal(thrownBy(() => log.rows(0, 9, freeing)).code, "FREED");
  const tree = new Tree(JSON.stringify(snapshot()));
  const collapsed = Object.defineProperty([0], 0, {
    get() {
      tree.apply(JSON.stringify({ version: 1, baseSeq: 1, seq: 2, ops: [] }));
      return 1;
    },
  });
  assert.equal(tree.rows(0, 9, collapsed).total, 1);
  assert.equal(tree.snapshot().seq, 2);
});

test("a proxy that was revoked throws wherever it is given, and nothing is broken by it", async () => {
  const [tree, log, text] = [new Tree(JSON.stringify(snapshot())), filled(), JSON.stringify(snapshot())];
  const proxy = revoked();
  for (const call of [
    () => deriveRunState(proxy),
    () => deriveRunState({ run: proxy, now }),
    () => deriveRunState({ run: waiting, pendingTimer: proxy, now }),
    () => deriveRunState({ run: { runId: "r", status: "running" }, sandboxHeartbeats: revoked([]), now }),
    () => deriveRunStates(proxy),
    () => deriveRunStates(line, proxy),
    () => applyDelta(proxy, {}),
    () => applyDelta(snapshot(), proxy),
    () => diffSnapshots(snapshot(), proxy),
    () => new Tree(proxy),
    () => tree.apply(proxy),
    () => tree.rows(0, 1, revoked([])),
    () => log.push(proxy),
    () => log.rows(0, 1, proxy),
    () => log.rows(0, 1, { types: revoked([]) }),
    () => readConductorRun(proxy, { now }),
    () => inspect(proxy),
    () => inspect(text, proxy),
    () => exportRun(text, { now, redact: revoked([]) }),
    () => pill(proxy, "x"),
  ]) {
    assert.ok(thrownBy(call) instanceof TypeError, String(call));
  }
  const nodes = { getRun: () => waiting, listNodes: () => [proxy], listAttempts: () => [] };
  for (const promise of [computeRunState(proxy, "r"), computeRunState(nodes, "r"), computeRunStateFromRow(proxy, waiting)]) {
    assert.ok((await rejectedBy(promise)) instanceof TypeError);
  }
  assert.equal(deriveRunState({ run: { runId: "r", status: "finished" }, now }).state, "succeeded");
  assert.deepEqual([log.rows(0, 9).total, tree.size], [1, 1]);
});

test("an adapter that is none, or lacks a method, is refused by name", async () => {
  for (const [promise, path] of [
    [computeRunState(undefined, "r"), "adapter"],
    [computeRunState(null, "r"), "adapter"],
    [computeRunState("x", "r"), "adapter"],
    [computeRunState({}, "r"), "adapter.getRun"],
    [computeRunState({ getRun: 5 }, "r"), "adapter.getRun"],
    [computeRunState({ getRun: () => waiting }, "r"), "adapter.listNodes"],
    [computeRunStateFromRow({}, waiting), "adapter.listNodes"],
    [computeRunStateFromRow(undefined, waiting), "adapter"],
    [computeRunStateFromRow({}, 5), "run"],
    [computeRunStateFromRow({}, waiting, 5), "options"],
  ]) {
    const error = await rejectedBy(promise);
    assert.deepEqual([error.name, error.code, error.position?.path], ["TypeError", "INVALID_INPUT", path], error.message);
  }
});

test("what the caller's own functions throw comes out as it was thrown, also where it looks like an engine's", async () => {
  for (const reason of [new TypeError("mine"), new RangeError("mine"), { not: "an Error" }, undefined]) {
    const throwing = () => {
      throw reason;
    };
    const old = { runId: "r", status: "running", heartbeatAtMs: 1, runtimeOwnerId: "pid:41" };
    const probing = { now, isOwnerPidAlive: throwing };
    const caught = [() => deriveRunState({ run: old, ...probing }), () => deriveRunStates(JSON.stringify([old]), probing)];
    for (const call of caught) {
      let thrown = null;
      try {
        call();
      } catch (error) {
        thrown = { error };
      }
      assert.ok(thrown && thrown.error === reason, String(call));
    }
    assert.equal(await rejectedBy(computeRunState({ getRun: throwing }, "r")), reason);
    assert.equal(await rejectedBy(computeRunState({ getRun: () => waiting, listNodes: async () => throwing() }, "r")), reason);
    assert.equal(await rejectedBy(computeRunStateFromRow({}, old, probing)), reason);
  }
});

test("options that are none are refused, and so is a filter with another name", () => {
  const log = filled();
  for (const value of [null, 5, "x", []]) {
    for (const call of [
      () => deriveRunStates("[]", value),
      () => inspect("{}", value),
      () => exportRun("{}", value),
      () => readConductorRun({ "status.json": "{}" }, value),
      () => log.rows(0, 1, value),
    ]) {
      const error = thrownBy(call);
      assert.deepEqual([error.name, error.code], ["TypeError", "INVALID_INPUT"], `${call} ${value}: ${error.message}`);
      assert.match(error.message, /^expected an object( or nothing)? for (options|filter), found /);
    }
  }
  const { message, position } = thrownBy(() => log.rows(0, 1, { sevrity: "error" }));
  assert.equal(position.path, "filter.sevrity");
  assert.match(message, /severity/);
});

test("an unknown option is refused by name, and the option that was probably meant is named", () => {
  const row = { runId: "r", status: "running", heartbeatAtMs: now };
  for (const [call, path, expected] of [
    [() => inspect("{}", { nwo: 5 }), "options.nwo", "the option now"],
    [() => inspect("{}", { live: true, colour: 1 }), "options.colour", "now, errorMs"],
    [() => runstate.header("{}", { runId: "r" }), "options.runId", "run"],
    [() => exportRun("{}", { now, redacted: [] }), "options.redacted", "(now, name, redact)"],
    [() => readConductorRun({ "status.json": "{}" }, { now, directroy: "x" }), "options.directroy", "the option directory"],
    [() => deriveRunStates([row], { now, staleTresholdMs: 5 }), "options.staleTresholdMs", "the option staleThresholdMs"],
    [() => deriveRunState({ run: row, now, isOwnerPidAlvie: () => true }), "input.isOwnerPidAlvie", "the field isOwnerPidAlive"],
  ]) {
    const { code, message, position } = thrownBy(call);
    assert.deepEqual([code, position.path], ["INVALID_INPUT", path], message);
    assert.ok(message.includes(expected), message);
  }
});

test("a misspelt field of a row is refused by name; any other column is allowed", () => {
  const running = { runId: "r", status: "running" };
  for (const [call, path] of [
    [() => deriveRunState({ run: { ...running, hearbeatAtMs: now }, now }), "run.hearbeatAtMs"],
    [() => deriveRunState({ run: { ...running, heartbeat_at_ms: now }, now }), "run.heartbeat_at_ms"],
    [() => deriveRunState({ run: { runId: "r", staus: "running" }, now }), "run.staus"],
    [() => deriveRunState({ run: waiting, pendingTimer: { nodeID: "n", firesAtMs: now }, now }), "pendingTimer.nodeID"],
    [() => effectiveState({ stauts: "running" }), "session.stauts"],
    [() => runstate.classifyHealth({ status: "running", last_mesage_at: 1 }, { now: 1 }), "session.last_mesage_at"],
    [() => runstate.classifyHealth({ status: "running" }, { now: 1, processAlvie: true }), "probe.processAlvie"],
  ]) {
    const { code, message, position } = thrownBy(call);
    assert.deepEqual([code, position.path], ["INVALID_INPUT", path], message);
  }
  const columns = { workflowName: "w", createdAtMs: 1, finishedAtMs: null, vcsRoot: "/", parentRunId: null, hijackTarget: null };
  assert.equal(deriveRunState({ run: { ...running, ...columns, heartbeatAtMs: now }, now }).state, "running");
  assert.equal(effectiveState({ status: "running", project: "p", ended_at: null }), "running");
});

test("seconds in place of milliseconds are asked about, and milliseconds in place of lionagi's seconds", () => {
  const seconds = now / 1000;
  for (const [call, path] of [
    [() => deriveRunState({ run: { runId: "r", status: "running", heartbeatAtMs: seconds }, now }), "run.heartbeatAtMs"],
    [() => deriveRunState({ run: { runId: "r", status: "running" }, now: seconds }), "input.now"],
    [() => deriveRunState({ run: waiting, pendingTimer: { nodeId: "n", firesAtMs: seconds }, now }), "pendingTimer.firesAtMs"],
    [() => deriveRunStates([{ runId: "r", status: "running", heartbeatAtMs: seconds }], { now }), "rows[0].heartbeatAtMs"],
    [() => inspect("{}", { now: seconds }), "options.now"],
    [() => exportRun("{}", { now: seconds }), "options.now"],
    [() => filled().view(seconds), "now"],
    [() => readConductorRun({ "status.json": "{}" }, { now: seconds }), "options.now"],
    [() => runstate.classifyHealth({ status: "running", last_message_at: now }, { now: seconds }), "session.last_message_at"],
    [() => runstate.classifyHealth({ status: "running", last_message_at: seconds }, { now }), "probe.now"],
  ]) {
    const { code, message, position } = thrownBy(call);
    assert.deepEqual([code, position.path], ["INVALID_INPUT", path], message);
    assert.match(message, /Is it in (seconds\? Then multiply|milliseconds\? Then divide) it by 1000$/);
  }
  assert.equal(deriveRunState({ run: { runId: "r", status: "running", heartbeatAtMs: now }, now }).state, "running");
  assert.equal(deriveRunState({ run: { runId: "r", status: "running", heartbeatAtMs: 1 }, now: 2 }).state, "running");
});

test("messages say what was found in JavaScript's words", () => {
  const tree = new Tree(snapshot());
  for (const [call, message] of [
    [() => pill("loud", "x"), /^expected one of "run", "blocked", .*, "gate" for taxonomy, found the text "loud"$/],
    [() => pill("run", 5), /^expected a string for word, found 5$/],
    [
      () => deriveRunState({ run: waiting, now: new Date() }),
      /^expected a number for input.now, found a Date; pass its number, date.getTime\(\)$/,
    ],
    [() => tree.rows(-1, 5), /^expected a whole number from 0 for start, found -1$/],
    [() => tree.rows("1", 5), /^expected a whole number from 0 for start, found the text "1"$/],
    [() => inspect(Promise.resolve("{}")), /^expected a text, .* for document, found a Promise; await it first$/],
    [() => inspect(new Map()), /for document, found an object of the class Map$/],
    [() => filled().rows(0, 1, { severity: "loud" }), /^expected one of "trace", .* for filter.severity, found the text "loud"$/],
    [() => filled().rows(0, 1, { types: "x" }), /for filter.types, found the text "x"$/],
    [() => runstate.worstHealth(["sleepy"]), /sleepy/],
    [() => runstate.compareWitnesses([{ source: "rumour", state: "x" }]), /"server"/],
  ]) {
    const found = thrownBy(call).message;
    assert.match(found, message);
    assert.doesNotMatch(found, /JsValue|variant|enum|unit value|sequence|floating|invalid type|`/, found);
  }
});

test("an object is read as the JSON that describes it", () => {
  const run = { runId: "r", status: "failed" };
  assert.deepEqual(inspect(run, { now }).run.runId, "r");
  assert.deepEqual(
    inspect([run, { runId: "s", status: "paused" }], { now }).runs.map(({ runId }) => runId),
    ["r", "s"],
  );
  assert.equal(runstate.header(run, { now }).state, "failed");
  assert.equal(exportRun(run, { now }), exportRun(JSON.stringify(run), { now }));
  assert.equal(inspect([{ name: "status.json", bytes: { run_id: "c", lifecycle_state: "running" } }]).system, "tnh-conductor");
  assert.equal(readConductorRun({ "status.json": { run_id: "c", lifecycle_state: "running" } }, { now }).runId, "c");
  assert.equal(deriveRunStates([run], { now })[0].state, "failed");
  assert.equal(new Tree(snapshot()).size, 1);
  const log = new EventLog();
  log.push({ type: "RunStarted", runId: "r", timestampMs: 1000 });
  log.push({ type: "RunFinished", runId: "r", timestampMs: 2000 });
  assert.deepEqual([log.view(now).state, log.problems()], ["succeeded", []]);
});

test("memory that was handed on is refused, and nothing is broken by it", () => {
  const tree = new Tree(JSON.stringify(snapshot()));
  for (const call of [
    (bytes) => new Tree(bytes),
    (bytes) => tree.apply(bytes),
    (bytes) => inspect(bytes),
    (bytes) => inspect([{ bytes }]),
    (bytes) => exportRun(bytes, { now }),
  ]) {
    for (const bytes of [detached(), detached().buffer]) assert.ok(thrownBy(() => call(bytes)) instanceof Error);
  }
  assert.equal(tree.size, 1);
});

test("a moment that no Date can hold is refused", () => {
  const log = filled();
  for (const at of [NaN, Infinity, -Infinity, 9e15]) {
    for (const call of [() => log.view(at), () => inspect('{"runId":"r","status":"running"}', { now: at })]) {
      const error = thrownBy(call);
      assert.deepEqual([error.name, error.code], ["RangeError", "INVALID_TIME"], String(at));
    }
  }
  assert.equal(log.view(-8.64e15).runId, "r");
});

test("an internal error has a code", (t) => {
  const tree = new Tree(JSON.stringify(snapshot()));
  t.mock.method(JSON, "parse", () => {
    throw new SyntaxError("unexpected");
  });
  const calls = [() => diffSnapshots(snapshot(), snapshot()), () => tree.snapshot(), () => deriveRunStates("[]")];
  for (const call of calls) assert.equal(thrownBy(call).code, "INTERNAL", String(call));
});

test("a list of no files says what may be given", () => {
  for (const call of [() => inspect([]), () => exportRun([], { now })]) {
    const { code, message } = thrownBy(call);
    assert.equal(code, "INVALID_INPUT");
    assert.equal(message, "expected a text, a Uint8Array, an ArrayBuffer, an object or a list of files for document, found an empty list");
  }
});

test("a text for a snapshot is refused at once, however long", () => {
  const long = "x".repeat(60_000_000);
  const reading = performance.now();
  new TextEncoder().encode(long);
  const begin = performance.now();
  const delta = { version: 1, baseSeq: 1, seq: 2, ops: [] };
  for (const call of [() => applyDelta(long, delta), () => applyDelta(snapshot(), long), () => diffSnapshots(long, snapshot())]) {
    const error = thrownBy(call);
    assert.equal(error.code, "INVALID_INPUT");
    assert.ok(error.message.length < 200, error.message);
  }
  const took = performance.now() - begin;
  assert.ok(took < begin - reading, `${took} ms, and reading it once takes ${begin - reading} ms`);
});

test("the browser's entry says that it is not loaded, and why it cannot be", async () => {
  // This process has loaded the core by the other entry; a copy of the package has not.
  const folder = mkdtempSync(join(tmpdir(), "runstate-"));
  try {
    cpSync(packageFolder, folder, { recursive: true });
    const fresh = await import(pathToFileURL(join(folder, "web.js")));
    const calls = [
      () => fresh.deriveRunState({}),
      () => fresh.pill("x", "y"),
      () => new fresh.EventLog(),
      () => fresh.computeRunState({}, "r"),
    ];
    for (const call of calls) assert.equal(thrownBy(call).code, "NOT_LOADED", String(call));
    assert.equal((await rejectedBy(fresh.default({ module_or_path: new Uint8Array(8) }))).code, "NOT_LOADED");
    assert.equal(thrownBy(() => fresh.initSync({ module: new Uint8Array(8) })).code, "NOT_LOADED");
  } finally {
    rmSync(folder, { recursive: true });
  }
});
