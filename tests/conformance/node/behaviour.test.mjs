// Behaviour that the vectors do not cover: errors, callbacks, defaults, calls on the adapter, strings and numbers at
// the edges.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { packageFolder, readJson, runstate } from "./support.mjs";

const { RUN_STATE_HEARTBEAT_STALE_MS, computeRunState, computeRunStateFromRow, deriveRunState } = runstate;
const now = 1_700_000_000_000;
const iso = "2023-11-14T22:13:20.000Z";
const stale = { runId: "r", status: "running", heartbeatAtMs: now - 30_001, runtimeOwnerId: "pid:41" };
const timer = { run: { runId: "r", status: "waiting-timer" }, pendingTimer: { nodeId: "n", firesAtMs: now }, now };

function thrownBy(call) {
  try {
    call();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}

async function rejectedBy(call) {
  try {
    await call();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was rejected");
}

/** An adapter that records every call. */
function noting(rows) {
  const calls = [];
  const adapter = Object.fromEntries(
    Object.entries(rows).map(([method, answer]) => [
      method,
      (...args) => {
        calls.push([method, ...args]);
        return typeof answer === "function" ? answer(...args) : answer;
      },
    ]),
  );
  return { adapter, calls };
}

test("the answer is a plain object with its keys in order, absent fields left out", () => {
  const view = deriveRunState({ run: stale, now });
  assert.equal(Object.getPrototypeOf(view), Object.prototype);
  assert.deepEqual(Object.keys(view), ["runId", "computedAt", "state", "unhealthy"]);
  assert.deepEqual(view, {
    runId: "r",
    computedAt: iso,
    state: "stale",
    unhealthy: { kind: "engine-heartbeat-stale", lastHeartbeatAt: "2023-11-14T22:12:49.999Z" },
  });
  assert.equal("blocked" in view, false);
});

test("the threshold is the exported one unless another is given", () => {
  assert.equal(RUN_STATE_HEARTBEAT_STALE_MS, 30_000);
  const at = (age, options) => deriveRunState({ run: { ...stale, heartbeatAtMs: now - age }, now, ...options }).state;
  assert.equal(at(RUN_STATE_HEARTBEAT_STALE_MS), "running");
  assert.equal(at(RUN_STATE_HEARTBEAT_STALE_MS + 1), "stale");
  assert.equal(at(RUN_STATE_HEARTBEAT_STALE_MS, { staleThresholdMs: undefined }), "running");
  assert.equal(at(10, { staleThresholdMs: 9 }), "stale");
  assert.equal(at(10, { staleThresholdMs: NaN }), "stale");
  assert.equal(at(1e12, { staleThresholdMs: Infinity }), "running");
});

test("without now the clock's moment counts", () => {
  for (const input of [{}, { now: undefined }]) {
    const before = Date.now();
    const { computedAt, state } = deriveRunState({ run: { ...stale, heartbeatAtMs: before }, ...input });
    assert.ok(Date.parse(computedAt) >= before && Date.parse(computedAt) <= Date.now());
    assert.equal(state, "running");
  }
});

test("an overdue timer is said only when its grace is given", () => {
  assert.equal(deriveRunState({ ...timer, now: now + 1e9 }).unhealthy, undefined);
  assert.equal(deriveRunState({ ...timer, now: now + 30_000, timerOverdueGraceMs: 30_000 }).unhealthy, undefined);
  const late = deriveRunState({ ...timer, now: now + 30_001.9, timerOverdueGraceMs: 30_000 });
  assert.deepEqual(late.unhealthy, { kind: "timer-overdue", wakeAt: iso, overdueMs: 30_001 });
  assert.deepEqual(late.blocked, { kind: "timer", nodeId: "n", wakeAt: iso });
});

test("the owner is probed only when it can decide, and only by the caller", () => {
  const asked = [];
  const probe =
    (answer) =>
    (...args) => {
      asked.push(args);
      return answer;
    };
  assert.equal(deriveRunState({ run: stale, now }).state, "stale");
  assert.equal(deriveRunState({ run: stale, now, isOwnerPidAlive: probe(true) }).state, "stale");
  for (const dead of [false, 0, "", null, undefined, NaN]) {
    assert.equal(deriveRunState({ run: stale, now, isOwnerPidAlive: probe(dead) }).state, "orphaned");
  }
  assert.equal(deriveRunState({ run: { ...stale, runtimeOwnerId: null }, now }).state, "orphaned");
  assert.deepEqual(asked, Array(7).fill([41]));
  asked.length = 0;
  deriveRunState({ run: { ...stale, heartbeatAtMs: now }, now, isOwnerPidAlive: probe(false) });
  deriveRunState({ run: { ...stale, runtimeOwnerId: "host-a" }, now, isOwnerPidAlive: probe(false) });
  assert.deepEqual(asked, []);
});

test("what a probe or a getter throws comes out as it was thrown", () => {
  const reason = { not: "an Error" };
  const throwing = () => {
    throw reason;
  };
  assert.equal(
    thrownBy(() => deriveRunState({ run: stale, now, isOwnerPidAlive: throwing })),
    reason,
  );
  const run = Object.defineProperty({ runId: "r" }, "status", { get: throwing });
  assert.equal(
    thrownBy(() => deriveRunState({ run, now })),
    reason,
  );
  // Later calls are not affected.
  assert.equal(deriveRunState({ run: stale, now }).state, "stale");
});

test("rows may be class instances with getters, frozen, and carry anything else", () => {
  class Row {
    #status = "running";
    get status() {
      return this.#status;
    }
    get runId() {
      return "r";
    }
  }
  const row = Object.assign(new Row(), { heartbeatAtMs: now, extra: 1n, configJson: Symbol("s"), self: null });
  row.self = row;
  assert.equal(deriveRunState({ run: Object.freeze(row), now }).state, "running");
});

test("strings cross without loss: NUL, private-use and separator characters", () => {
  const ids = ["", "\u0000", "a\u0000b", "\u{10FFFD}", "\u{10FFFD}\ue000", "\ufffd", "\u2028", "🚀", "x".repeat(100_000)];
  for (const id of ids) {
    const event = { run: { runId: id, status: "waiting-event" }, pendingEvent: { nodeId: id, correlationKey: id }, now };
    const view = deriveRunState(event);
    assert.ok(view.runId === id && view.blocked.nodeId === id && view.blocked.correlationKey === id, JSON.stringify(id.slice(0, 20)));
  }
});

test("half of a surrogate pair becomes U+FFFD, as the list of divergences says", () => {
  const { runId } = deriveRunState({ run: { runId: "a\ud800b", status: "finished" }, now });
  assert.equal(runId, "a\ufffdb");
  assert.ok(readJson("conformance/node/divergences.json")["half-of-a-surrogate-pair"]);
});

test("numbers that JSON lacks cross without loss", () => {
  const run = { runId: "r", status: "waiting-quota", errorJson: '{"quotaBlockedCount":1e400,"resetAtMs":-1e400}' };
  assert.deepEqual(deriveRunState({ run, now }).blocked, {
    kind: "quota",
    quotaBlockedCount: Infinity,
    resetAtMs: -Infinity,
  });
  assert.equal(deriveRunState({ run: { ...stale, heartbeatAtMs: -0 }, now }).state, "unknown");
});

test("a time that no Date can hold is a RangeError with a code", () => {
  const inputs = [
    { run: stale, now: NaN },
    { run: stale, now: 8.64e15 + 1 },
    { run: { ...stale, heartbeatAtMs: NaN }, now },
    { ...timer, pendingTimer: { nodeId: "n", firesAtMs: Infinity } },
    { run: { runId: "r", status: "waiting-approval" }, pendingApproval: { nodeId: "n", requestedAtMs: -8.65e15 }, now },
  ];
  for (const input of inputs) {
    const error = thrownBy(() => deriveRunState(input));
    assert.ok(error instanceof RangeError);
    assert.equal(error.code, "INVALID_TIME");
    assert.match(error.message, /^expected milliseconds between -8\.64e15 and 8\.64e15, found /);
  }
});

test("what the types exclude is a TypeError with code, sentence and place", () => {
  const refusals = [
    [undefined, "input"],
    [null, "input"],
    ["run", "input"],
    [[], "input"],
    [{}, "input.run"],
    [{ run: null }, "run"],
    [{ run: {} }, "run.runId"],
    [{ run: { runId: 7 } }, "run.runId"],
    [{ run: { runId: Symbol("x") } }, "run.runId"],
    [{ run: { ...stale, heartbeatAtMs: "1" }, now }, "run.heartbeatAtMs"],
    [{ run: { ...stale, heartbeatAtMs: 1n }, now }, "run.heartbeatAtMs"],
    [{ run: { ...stale, runtimeOwnerId: 41 }, now }, "run.runtimeOwnerId"],
    [{ run: stale, now: null }, "input.now"],
    [{ run: stale, now: "2023" }, "input.now"],
    [{ run: stale, now, staleThresholdMs: null }, "input.staleThresholdMs"],
    [{ ...timer, timerOverdueGraceMs: "1" }, "input.timerOverdueGraceMs"],
    [{ ...timer, pendingTimer: { nodeId: "n" } }, "pendingTimer.firesAtMs"],
    [{ ...timer, pendingTimer: 1 }, "input.pendingTimer"],
    [{ run: stale, now, isOwnerPidAlive: true }, "input.isOwnerPidAlive"],
    [{ run: stale, now, isOwnerPidAlive: null }, "input.isOwnerPidAlive"],
    [{ run: { runId: "r", status: "waiting-event" }, parkedEventBlock: { kind: "x" }, now }, "parkedEventBlock.kind"],
  ];
  for (const [input, path] of refusals) {
    const error = thrownBy(() => deriveRunState(input));
    assert.ok(error instanceof TypeError, path);
    assert.equal(error.code, "INVALID_INPUT");
    assert.deepEqual(error.position, { path });
    assert.match(error.message, /^expected .+ for .+, found /);
    assert.ok(error.message.includes(`for ${path}, `), error.message);
  }
});

test("computeRunState reads the rows that the status asks for, as upstream does", async () => {
  const node = (nodeId, state, iteration) => ({ nodeId, state, iteration });
  const cases = [
    ["finished", {}, []],
    ["no such word", {}, []],
    ["waiting-quota", {}, []],
    ["waiting-approval", { listPendingApprovals: [] }, [["listPendingApprovals", "r"]]],
    ["running", {}, []],
    ["running", { listSandboxes: [] }, [["listSandboxes", "r"]]],
    [
      "waiting-timer",
      { listNodes: [node("a", "waiting-timer", 2), node("b", "pending"), node("c", "waiting-timer", null)], listAttempts: [] },
      [
        ["listNodes", "r"],
        ["listAttempts", "r", "a", 2],
        ["listAttempts", "r", "c", 0],
      ],
    ],
    [
      "waiting-event",
      { listNodes: [node("a", "pending"), node("b", "waiting-event"), node("c", "waiting-event")], listAttempts: [] },
      [
        ["listNodes", "r"],
        ["listAttempts", "r", "b", 0],
      ],
    ],
    [
      "waiting-event",
      { listNodes: [node("a", "pending")] },
      [
        ["listNodes", "r"],
        ["listNodes", "r"],
      ],
    ],
  ];
  for (const [status, rows, expected] of cases) {
    const { adapter, calls } = noting({ ...rows, getRun: { runId: "r", status, heartbeatAtMs: now } });
    const view = await computeRunState(adapter, "r", { now });
    assert.equal(view.runId, "r");
    assert.deepEqual(calls, [["getRun", "r"], ...expected], status);
  }
});

test("adapter methods keep their `this`, and may answer at once or later", async () => {
  class Database {
    rows = [{ nodeId: "ask", requestedAtMs: now }];
    getRun(runId) {
      return { runId, status: "waiting-approval" };
    }
    async listPendingApprovals() {
      return this.rows;
    }
  }
  const view = await computeRunState(new Database(), "r", { now });
  assert.deepEqual(view.blocked, { kind: "approval", nodeId: "ask", requestedAt: iso });
});

test("two readings at a time do not disturb each other", async () => {
  const answers = [];
  const adapter = (nodeId) => ({
    listPendingApprovals: () => new Promise((resolve) => answers.push(() => resolve([{ nodeId, requestedAtMs: 0 }]))),
  });
  const run = { runId: "r", status: "waiting-approval" };
  const views = ["a", "b", "c"].map((nodeId) => computeRunStateFromRow(adapter(nodeId), run, { now }));
  for (const answer of answers.reverse()) answer();
  assert.deepEqual(
    (await Promise.all(views)).map((view) => view.blocked.nodeId),
    ["a", "b", "c"],
  );
});

test("a run that is not there is an error, never a state", async () => {
  for (const missing of [null, undefined, false]) {
    const error = await rejectedBy(() => computeRunState({ getRun: async () => missing }, "run_ümlaut"));
    assert.ok(error instanceof Error);
    assert.equal(error.code, "RUN_NOT_FOUND");
    assert.equal(error.message, "Run not found: run_ümlaut");
  }
  const error = await rejectedBy(() => computeRunState({ getRun: () => null }, 7));
  assert.equal(error.message, "Run not found: 7");
});

test("what an adapter throws or rejects with comes out untouched", async () => {
  const reason = { code: "SQLITE_BUSY" };
  const throwing = () => {
    throw reason;
  };
  const rejecting = () => Promise.reject(reason);
  const run = { runId: "r", status: "waiting-approval" };
  assert.equal(await rejectedBy(() => computeRunState({ getRun: throwing }, "r")), reason);
  assert.equal(await rejectedBy(() => computeRunState({ getRun: rejecting }, "r")), reason);
  assert.equal(await rejectedBy(() => computeRunStateFromRow({ listPendingApprovals: rejecting }, run)), reason);
  const probe = { now, isOwnerPidAlive: throwing };
  assert.equal(await rejectedBy(() => computeRunStateFromRow({}, stale, probe)), reason);
});

test("a reading is freed however it ends", async (t) => {
  const { RunStateReading } = await import(pathToFileURL(join(packageFolder, "runstate.js")));
  const free = t.mock.method(RunStateReading.prototype, "free");
  const run = { runId: "r", status: "waiting-approval" };
  await computeRunStateFromRow({ listPendingApprovals: () => [] }, run);
  await rejectedBy(() => computeRunStateFromRow({ listPendingApprovals: () => Promise.reject(new Error("locked")) }, run));
  await rejectedBy(() => computeRunStateFromRow({ listPendingApprovals: () => null }, run));
  await rejectedBy(() => computeRunStateFromRow({}, run));
  assert.equal(free.mock.callCount(), 4);
});

test("rows that are not what their types say are refused with their place", async () => {
  const waiting = (status) => ({ runId: "r", status });
  const refusals = [
    [{}, null, {}, "run"],
    [{}, { runId: 1 }, {}, "run.runId"],
    [{}, stale, null, "options"],
    [{}, stale, { now: "x" }, "options.now"],
    [{}, stale, { isOwnerPidAlive: 1 }, "options.isOwnerPidAlive"],
    [{ listPendingApprovals: () => null }, waiting("waiting-approval"), {}, "listPendingApprovals"],
    [{ listNodes: () => ({}) }, waiting("waiting-timer"), {}, "listNodes"],
    [{ listNodes: () => [null] }, waiting("waiting-event"), {}, "listNodes"],
    [{ listNodes: () => [{ nodeId: 5 }] }, waiting("waiting-event"), {}, "listNodes"],
    [{ listSandboxes: () => "none" }, stale, {}, "listSandboxes"],
  ];
  for (const [adapter, run, options, path] of refusals) {
    const error = await rejectedBy(() => computeRunStateFromRow(adapter, run, options));
    assert.ok(error instanceof TypeError, path);
    assert.equal(error.code, "INVALID_INPUT");
    assert.ok(error.position.path.startsWith(path), `${error.position.path} is not ${path}`);
  }
});

test("an adapter without the method that is needed is a TypeError, as in JavaScript", async () => {
  assert.ok((await rejectedBy(() => computeRunState({}, "r"))) instanceof TypeError);
  assert.ok((await rejectedBy(() => computeRunStateFromRow({}, { runId: "r", status: "waiting-timer" }))) instanceof TypeError);
});
