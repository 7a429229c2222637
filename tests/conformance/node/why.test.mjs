// The cases of `smithers/why` through the built package, as far as it says what they expect.
// `core/tests/why.rs` compares all of it.
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { readJson, readText, runstate, testsFolder } from "./support.mjs";
import { adapterOf } from "./rows.mjs";
import { cases, noticeAll, openParts, openText, smithers, tally } from "./tally.mjs";

const { inspect, computeRunStateFromRow } = runstate;
const graceMs = 30_000;

const { compareAll, finish } = tally(["why"], {
  "why/actions.ndjson": {
    counts: { whole: 0, part: 77, none: 34 },
    untold:
      "`inspect` tells no actions, only the blockers, runs, nodes and moments that they name; " +
      "not that there is no action (23 cases), not what `why` said (8), no conclusion that names nothing (3)",
  },
  "why/refusals.ndjson": { counts: { whole: 0, part: 20, none: 0 }, untold: "`inspect` tells a refusal's code, not what to do" },
  "why/why-*.json": { counts: { whole: 0, part: 9, none: 0 }, untold: "`inspect` tells the state of the run, not the blockers" },
  "why/rows-*.json": { counts: { whole: 0, part: 9, none: 0 }, untold: "`computeRunState` tells the view, not the actions" },
});

const treeNodes = (node) => (node ? [node, ...node.children.flatMap(treeNodes)] : []);

/* why/actions.ndjson */

/** Where a run says that something is: the nodes of its list and its tree, those that failed, and the one that it waits for. */
function placesOf(run) {
  const listed = [...run.nodes, ...treeNodes(run.tree)].filter(({ nodeId }) => nodeId !== undefined);
  const places = listed.map(({ nodeId, iteration }) => `${nodeId}::${iteration ?? 0}`);
  const waitsFor = run.verdict.view?.blocked?.nodeId;
  return new Set([...places, ...run.failedChildren, ...(waitsFor === undefined ? [] : [`${waitsFor}::0`])]);
}

/** The moments that a run says something is due at. */
function momentsOf({ verdict: { view } }) {
  const { blocked = {}, unhealthy = {} } = view ?? {};
  const reset = blocked.resetAtMs === undefined ? [] : [new Date(blocked.resetAtMs).toISOString()];
  return [blocked.wakeAt, unhealthy.wakeAt, unhealthy.nextAt, ...reset];
}

/** Blockers that are words of the run's view or of its nodes; the others are `why`'s own conclusions. */
const toldBlockers = new Set([
  "waiting-approval",
  "waiting-event",
  "waiting-timer",
  "bound-stale",
  "quota",
  "external-trigger",
  "approval-decided-resume-required",
  "provider",
  "tool",
  "paused",
  "supervisor-backoff",
  "db-lock",
  "sandbox-unreachable",
]);

/** The words that a run's view and nodes have for what is in the way. */
function blockersOf({ verdict: { view }, nodes, tree }) {
  const { state, blocked, unhealthy } = view;
  const states = [...nodes, ...treeNodes(tree)].map((node) => node.state);
  return [state, state.replace(/^waiting-/, ""), blocked?.kind, `waiting-${blocked?.kind}`, unhealthy?.kind, ...states];
}

function compareActions({ expect, now, ...each }) {
  const { found, run } = openParts(each, Date.parse(now));
  assert.ok(run, "a run in view");
  if (found.recognised === "why-output") return "none";
  let compared = 0;
  for (const { blocker, node, call, until } of expect) {
    const told = toldBlockers.has(blocker);
    if (told) assert.ok(blockersOf(run).includes(blocker), `${blocker} in ${blockersOf(run)}`);
    if (node) assert.ok(placesOf(run).has(node.join("::")), `${node} in ${[...placesOf(run)]}`);
    if (call) assert.equal(call[1].runId, run.runId);
    if (until) assert.ok(momentsOf(run).includes(until), `${until} in ${momentsOf(run)}`);
    compared += told || node || call || until ? 1 : 0;
  }
  return compared > 0 ? "part" : "none";
}

test("why/actions: the blockers, runs, nodes and moments that actions name are told", async () => {
  const found = cases("why/actions.ndjson");
  await compareAll("why/actions.ndjson", found, compareActions);
  const changeFirst = (key, value) => (each) => {
    const first = each.expect.find((action) => action[key]);
    if (first === undefined || each.run?.blockers) return undefined;
    first[key] = value(first[key]);
    return each;
  };
  noticeAll(found, compareActions, changeFirst("node", ([id, round]) => [id, round + 100]), 56);
  noticeAll(found, compareActions, changeFirst("call", ([method, params]) => [method, { ...params, runId: "another" }]), 53);
  const another = (blocker) => (blocker === "db-lock" ? "paused" : "db-lock");
  noticeAll(found, compareActions, changeFirst("blocker", another), 76);
  noticeAll(found, compareActions, changeFirst("until", () => "2001-01-01T00:00:00.000Z"), 8);
});

/* why/refusals.ndjson */

function compareRefusal({ document, code }) {
  const text = typeof document === "string" ? readText(`${smithers}/${document}`) : JSON.stringify(document);
  const { recognised, refusal, run } = inspect(text, { now: 0 });
  assert.deepEqual([recognised, refusal?.code, run], ["error-response", code, undefined]);
  return "part";
}

/** The code that stands in a refusal, wherever the server put its error. */
function codeIn({ document }) {
  const whole = typeof document === "string" ? readJson(`${smithers}/${document}`) : document;
  const body = whole.response?.body ?? whole;
  return (body.error ?? body).code;
}

test("why/refusals: the code that an action hangs on is told", async () => {
  const found = cases("why/refusals.ndjson").map((each) => ({ ...each, code: codeIn(each) }));
  await compareAll("why/refusals.ndjson", found, compareRefusal);
  noticeAll(found, compareRefusal, (each) => ({ ...each, code: each.code.toUpperCase() + "X" }), 20);
});

/* The runs that `smithers why` was asked about. */

const asked = readdirSync(`${testsFolder}/${smithers}/why`)
  .map((name) => /^why-(.*)\.json$/.exec(name)?.[1])
  .filter((name) => name !== undefined)
  .sort();

/** What a status of `why` is called as a state. */
const stateOf = (status) => ({ running: "orphaned", finished: "succeeded", hibernating: "unknown" })[status] ?? status;

function compareWhy({ why, state }) {
  const { recognised, run, problems } = openText(why, why.generatedAtMs);
  assert.deepEqual([recognised, run.runId, run.verdict.source, problems], ["why-output", why.runId, "derived", []]);
  assert.equal(run.verdict.view.state, state);
  return "part";
}

test("why/why-*.json: the output of why is read as it stands", async () => {
  const found = asked.map((name) => {
    const why = readJson(`${smithers}/why/why-${name}.json`);
    return { name, why, state: stateOf(why.status) };
  });
  await compareAll("why/why-*.json", found, compareWhy);
  noticeAll(found, compareWhy, (each) => ({ ...each, state: "recovering" }), 9);
  noticeAll(found, compareWhy, (each) => ({ ...each, why: { ...each.why, status: "cancelled" } }), 9);
});

const inCamelCase = (name) => name.replace(/_(.)/g, (_, letter) => letter.toUpperCase());
const camel = (row) => Object.fromEntries(Object.entries(row).map(([key, value]) => [inCamelCase(key), value]));

/** The view that `smithers inspect` printed of the run, from its rows at that moment; its owner's process is gone. */
async function compareRows({ rows, said }) {
  const tables = Object.fromEntries(Object.entries(rows).map(([table, list]) => [table, list.map(camel)]));
  const options = { now: Date.parse(said.computedAt), timerOverdueGraceMs: graceMs, isOwnerPidAlive: () => false };
  assert.deepEqual(await computeRunStateFromRow(adapterOf(tables, false), tables.runs[0], options), said);
  return "part";
}

/** The view in what `smithers inspect` printed, as it stands in the file and as it is read. */
function printed(name) {
  const text = readText(`${smithers}/captures/cli/inspect-${name}.json`);
  const { recognised, run } = openText(text, 0);
  assert.deepEqual([recognised, run.verdict.source], ["inspect-output", "said"]);
  assert.deepEqual(run.verdict.view, JSON.parse(text).runState);
  return run.verdict.view;
}

test("why/rows-*.json: the rows say what the released command printed", async () => {
  const found = asked.map((name) => ({ name, rows: readJson(`${smithers}/why/rows-${name}.json`), said: printed(name) }));
  await compareAll("why/rows-*.json", found, compareRows);
  for (const { name, rows, said } of found) {
    const [row] = rows.runs;
    const changed = { ...rows, runs: [{ ...row, status: "cancelled" }] };
    await assert.rejects(compareRows({ rows: changed, said }), assert.AssertionError, name);
  }
});

test("what is no output of why is refused", () => {
  const blocker = '{"kind":"engine-busy"}';
  const whole = `{"runId":"r","status":"running","summary":"s","blockers":[${blocker}]}`;
  assert.equal(openText(whole, 0).recognised, "why-output");
  for (const [part, other] of [
    ['"runId":"r",', ""],
    ['"status":"running",', ""],
    ['"running"', "7"],
    [blocker, "7"],
    [blocker, "{}"],
    [blocker, '{"kind":7}'],
    [blocker, '{"kind":"engine-busy","iteration":"x"}'],
    [blocker, '{"kind":"engine-busy","reason":7}'],
    [blocker, '{"kind":"engine-busy","firesAtMs":"soon"}'],
    ['"status"', '"status":"x","status"'],
  ]) {
    const text = whole.replace(part, other);
    assert.notEqual(text, whole);
    assert.throws(() => inspect(text, { now: 0 }), ({ code }) => code === "INVALID_INPUT" || code === "NOT_RECOGNISED", text);
  }
});

finish();
