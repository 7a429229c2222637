// The cases of `smithers/clock` and `smithers/witness` through the built package: all that `core/src/tests/clock.rs` and
// `core/src/tests/witnesses.rs` compare.
import assert from "node:assert/strict";
import { test } from "node:test";
import { runstate } from "./support.mjs";
import { cases, compareAll, noticeAll, number, openParts, openText } from "./cases.mjs";

const { ServerClock, compareWitnesses, computeRunState, deriveRunState, deriveRunStates, explainRunState, inspect } = runstate;
const witnessNow = 1_795_269_970_000;
const graceMs = 30_000;

const changeExpected = (part) => (each) => ({ ...each, expect: { ...each.expect, ...part } });

/* clock/stamps.ndjson */

function compareStamps({ steps, expect }) {
  const clock = new ServerClock();
  for (const { push, reply } of steps) {
    if (push) clock.observePush(push.server, push.local);
    else clock.observeReply(reply.server, reply.sent, reply.received);
  }
  const found = clock.read(expect?.at ?? 0);
  clock.free();
  assert.equal(found === undefined, expect === null);
  if (!found) return;
  assert.ok(Math.abs(found.now - number(expect.now)) < 0.05, `now ${found.now}`);
  const error = number(expect.errorMs);
  assert.ok(found.errorMs === error || Math.abs(found.errorMs - error) < 0.06, `± ${found.errorMs}`);
}

test("clock/stamps: stamps bound the server's clock", async () => {
  const found = cases("clock/stamps.ndjson");
  assert.equal(found.length, 11);
  await compareAll(found, compareStamps);
  const told = found.filter(({ expect }) => expect);
  const off = (key) => (each) => changeExpected({ [key]: number(each.expect[key]) === Infinity ? 5 : each.expect[key] + 1 })(each);
  noticeAll(told, compareStamps, off("now"), told.length);
  noticeAll(told, compareStamps, off("errorMs"), told.length);
});

test("what is no number is no stamp", () => {
  const clock = new ServerClock();
  for (const wrong of [undefined, null, "5", {}, 5n]) {
    assert.throws(() => clock.observePush(wrong, 0), { code: "INVALID_INPUT" });
    assert.throws(() => clock.observePush(0, wrong), { code: "INVALID_INPUT" });
    assert.throws(() => clock.observeReply(0, wrong, 0), { code: "INVALID_INPUT" });
    assert.throws(() => clock.observeReply(0, 0, wrong), { code: "INVALID_INPUT" });
    assert.throws(() => clock.read(wrong), { code: "INVALID_INPUT" });
  }
  for (const nothing of [NaN, Infinity, 1e300]) clock.observePush(nothing, 0);
  assert.equal(clock.read(0), undefined);
});

/* clock/verdicts.ndjson */

const inputOf = ({ row, now, errorMs, timerAtMs }) => ({
  run: row,
  now,
  errorMs: number(errorMs),
  timerOverdueGraceMs: graceMs,
  ...(timerAtMs === null ? {} : { pendingTimer: { nodeId: "nap", firesAtMs: timerAtMs } }),
});

function compareVerdict(each) {
  const input = inputOf(each);
  const { view, evidence } = explainRunState(input);
  const decisive = evidence.inputs.filter((part) => part.decisive).map((part) => part.name);
  assert.deepEqual({ state: view.state, unhealthy: view.unhealthy?.kind ?? null, decisive }, each.expect);
  assert.deepEqual(deriveRunState(input), view);
  if (each.timerAtMs !== null) return;
  const { run: row, now, errorMs } = input;
  assert.deepEqual(deriveRunStates(JSON.stringify([row]), { now, errorMs }), [view]);
  // A column that a document does not have is no signal, as null is.
  const columns = { runtimeOwnerId: null, heartbeatAtMs: null, ...row };
  const inspected = openText(columns, now, { errorMs }).run.verdict;
  assert.deepEqual(inspected.view, view);
  assert.deepEqual(inspected.evidence.inputs, evidence.inputs);
}

/** `computeRunState` finds the timer in its rows. */
async function compareComputed(each) {
  const { run, now, errorMs, pendingTimer } = inputOf(each);
  const timer = JSON.stringify({ timer: { timerId: "nap", firesAtMs: pendingTimer?.firesAtMs } });
  const adapter = {
    getRun: () => run,
    listPendingApprovals: () => [],
    listNodes: () => (pendingTimer ? [{ nodeId: "nap", iteration: 0, state: "waiting-timer" }] : []),
    listAttempts: () => [{ state: "waiting-timer", metaJson: timer }],
  };
  const options = { now, errorMs, timerOverdueGraceMs: graceMs };
  const { state, unhealthy } = await computeRunState(adapter, run.runId, options);
  assert.deepEqual([state, unhealthy?.kind ?? null], [each.expect.state, each.expect.unhealthy]);
}

test("clock/verdicts: what hangs on the clock is doubted with it", async () => {
  const found = cases("clock/verdicts.ndjson");
  assert.deepEqual([found.length, found.filter(({ expect }) => expect.state === "unknown").length], [27, 9]);
  await compareAll(found, compareVerdict);
  await compareAll(found, compareComputed);
  noticeAll(found, compareVerdict, changeExpected({ state: "recovering" }), 27);
  noticeAll(found, compareVerdict, changeExpected({ unhealthy: "db-lock" }), 27);
  noticeAll(found, compareVerdict, changeExpected({ decisive: [] }), 27);
});

test("an error that is no number from 0 is refused", () => {
  const run = { runId: "r", status: "running" };
  for (const errorMs of [-1, NaN, null, "5", {}]) {
    const refused = { code: "INVALID_INPUT" };
    assert.throws(() => deriveRunState({ run, now: 0, errorMs }), refused);
    assert.throws(() => explainRunState({ run, now: 0, errorMs }), refused);
    assert.throws(() => deriveRunStates("[]", { now: 0, errorMs }), refused);
    assert.throws(() => inspect(JSON.stringify(run), { now: 0, errorMs }), refused);
  }
  assert.throws(() => inspect(JSON.stringify(run), { now: 0, live: 1 }), { code: "INVALID_INPUT" });
});

/* witness/tolerated.ndjson */

/** How many failures a sentence says were tolerated. */
const tolerated = (sentence) => Number(/(\d+) failures? (?:was|were) tolerated/.exec(sentence)?.[1] ?? 0);

function compareTolerated({ document, expect, refused, problem }) {
  if (refused !== undefined) {
    assert.throws(
      () => openText(document, witnessNow),
      ({ code, message, position }) => {
        assert.deepEqual([code, message], ["INVALID_INPUT", `Line ${position.line}, column ${position.column}: ${refused}`]);
        return true;
      },
    );
    return;
  }
  const { run, problems } = openText(document, witnessNow);
  const { answer, toleratedFailures } = run;
  assert.equal(problems.length, problem === undefined ? 0 : 1);
  assert.ok(problem === undefined || problems[0].includes(problem), JSON.stringify(problems));
  assert.deepEqual({ tone: answer.tone, pill: answer.pill.label, sentence: answer.sentence }, expect);
  assert.equal(answer.pill.tone, answer.tone);
  assert.equal(toleratedFailures, tolerated(expect.sentence));
}

test("witness/tolerated: tolerated failures are counted and never plain green", async () => {
  const found = cases("witness/tolerated.ndjson");
  const refused = found.filter((each) => each.refused !== undefined);
  const told = found.filter(({ expect }) => expect);
  assert.deepEqual([told.length, refused.length], [13, 4]);
  await compareAll(found, compareTolerated);
  noticeAll(refused, compareTolerated, (each) => ({ ...each, refused: "Expected text." }), 4);
  noticeAll(refused, compareTolerated, (each) => ({ ...each, document: { runId: "r1", status: "finished" } }), 4);
  noticeAll(told, compareTolerated, changeExpected({ pill: "Running" }), 13);
  noticeAll(told, compareTolerated, changeExpected({ sentence: "1 failure was tolerated: nowhere." }), 13);
  noticeAll(told, compareTolerated, changeExpected({ tone: "stale" }), 13);
});

/* witness/comparison.ndjson */

const witnessOf = ({ source, state, at }) => ({ source, state, ...(at === null ? {} : { atMs: at }) });

function compareComparison({ witnesses, expect }) {
  const given = witnesses.map(witnessOf);
  const found = compareWitnesses(given);
  const { shown, contradicting, note = null, agreement = null } = found;
  const names = { shown: shown?.source ?? null, contradicting: contradicting.map(({ source }) => source), note, agreement };
  assert.deepEqual(names, expect);
  assert.ok(
    [...contradicting, ...(shown ? [shown] : [])].every((each) => given.includes(each)),
    "the caller's own objects",
  );
  assert.deepEqual(found.witnesses, given);
  assert.equal(typeof found.reason, "string");
}

test("witness/comparison: the witness with the highest rank is shown, and contradictions are reported", async () => {
  const found = cases("witness/comparison.ndjson");
  assert.deepEqual([found.length, found.filter(({ expect }) => expect.note !== null).length], [33, 13]);
  await compareAll(found, compareComparison);
  noticeAll(found, compareComparison, changeExpected({ shown: "nobody" }), 33);
  noticeAll(found, compareComparison, changeExpected({ contradicting: ["nobody"] }), 33);
  noticeAll(found, compareComparison, changeExpected({ note: "All is well." }), 33);
  noticeAll(found, compareComparison, changeExpected({ agreement: "9 sources agree" }), 33);
});

test("invalid witnesses are refused", () => {
  for (const [wrong, path] of [
    [undefined, "witnesses"],
    [{}, "witnesses"],
    [[null], "witnesses[0]"],
    [["server"], "witnesses[0]"],
    [[{ state: "running" }], "witnesses[0].source"],
    [[{ source: "rumour", state: "running" }], "witnesses[0].source"],
    [[{ source: "server" }], "witnesses[0].state"],
    [
      [
        { source: "server", state: "running" },
        { source: "rows", state: 7 },
      ],
      "witnesses[1].state",
    ],
    [[{ source: "server", state: "running", atMs: "now" }], "witnesses[0].atMs"],
  ]) {
    assert.throws(
      () => compareWitnesses(wrong),
      (error) => {
        assert.deepEqual([error.name, error.code, error.position.path], ["TypeError", "INVALID_INPUT", path]);
        return true;
      },
    );
  }
});

test("the witnesses of a document are compared, each with its evidence", () => {
  const row = {
    runId: "r1",
    status: "running",
    heartbeatAtMs: 1_795_269_927_000,
    runtimeOwnerId: "pid:41",
    runState: { runId: "r1", computedAt: "2026-11-21T14:06:08.000Z", state: "running" },
  };
  const events = [
    ["RunStarted", 1_795_269_960_000],
    ["RunFinished", 1_795_269_967_000],
  ];
  const log = events.map(([type, timestampMs]) => ({ type, runId: "r1", timestampMs }));
  const { witnessComparison, answer, verdict } = openParts({ run: row, log }, witnessNow);
  assert.deepEqual(witnessComparison.witnesses.map(({ source, state }) => [source, state]).sort(), [
    ["events", "succeeded"],
    ["rows", "stale"],
    ["server", "running"],
  ]);
  assert.equal(witnessComparison.shown.source, "rows");
  assert.equal(verdict.view.state, "stale");
  assert.deepEqual(verdict.evidence, witnessComparison.shown.evidence);
  assert.ok(witnessComparison.witnesses.every(({ evidence }) => evidence.inputs.length > 0 && evidence.readFrom));
  assert.ok(
    witnessComparison.note.startsWith("Sources disagree. ") && answer.notes.includes(witnessComparison.note),
    witnessComparison.note,
  );
});

/* witness/hidden.ndjson */

function compareHidden({ expect, ...each }) {
  assert.deepEqual(openParts(each, witnessNow).hidden, expect);
}

test("witness/hidden: what a state hides is told", async () => {
  const found = cases("witness/hidden.ndjson");
  assert.deepEqual([found.length, found.filter(({ expect }) => expect.length === 0).length], [25, 11]);
  await compareAll(found, compareHidden);
  noticeAll(found, compareHidden, (each) => ({ ...each, expect: [...each.expect, "Also waiting at nowhere."] }), 25);
  noticeAll(
    found.filter(({ expect }) => expect.length > 0),
    compareHidden,
    (each) => ({ ...each, expect: [] }),
    14,
  );
});

test("a document tells what held when it was written", () => {
  const [first] = cases("witness/hidden.ndjson");
  assert.deepEqual(openParts(first, witnessNow).hidden, ["Also waiting for a decision at gate."]);
  const row = { runId: "r1", status: "paused" };
  const sentence = (options) => inspect(JSON.stringify(row), { now: witnessNow, ...options }).run.answer.sentence;
  assert.deepEqual([sentence({ live: true }), sentence({})], ["Paused. Nothing runs until it is resumed.", "Was paused."]);
});
