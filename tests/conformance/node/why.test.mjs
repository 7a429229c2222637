// The cases of `smithers/why` through the built package: the same comparisons as in `core/src/tests/why`.
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { readJson, readText, runstate, testsFolder } from "./support.mjs";
import { adapterOf } from "./rows.mjs";
import { cases, compareAll, noticeAll, openParts, openText, smithers } from "./cases.mjs";

const { inspect, computeRunStateFromRow } = runstate;
const graceMs = 30_000;

/** An action as the vectors write it. */
const shown = ({ kind, blocker, sentence, node, command, call, untilMs }) => ({
  kind,
  blocker: blocker ?? null,
  sentence,
  node: node ? [node.nodeId, node.iteration] : null,
  command: command ?? null,
  call: call ? [call.method, call.params] : null,
  until: untilMs === undefined ? null : new Date(untilMs).toISOString(),
});

/* why/actions.ndjson */

function compareActions({ expect, now, ...each }) {
  assert.deepEqual(openParts(each, Date.parse(now)).actions.map(shown), expect);
}

test("why/actions: actions exist where they are valid and nowhere else", async () => {
  const found = cases("why/actions.ndjson");
  assert.deepEqual([found.length, found.filter(({ expect }) => expect.length === 0).length], [112, 25]);
  await compareAll(found, compareActions);
  const changeFirst = (key, value) => (each) => {
    const [first] = each.expect;
    if (first === undefined) return undefined;
    first[key] = value(first[key]);
    return each;
  };
  for (const [key, value] of [
    ["kind", (kind) => (kind === "repair" ? "wait" : "repair")],
    ["blocker", (blocker) => (blocker === "db-lock" ? "paused" : "db-lock")],
    ["sentence", (sentence) => `${sentence} `],
    ["node", (node) => [node?.[0] ?? "nowhere", (node?.[1] ?? 0) + 100]],
    ["command", () => "smithers dance"],
    ["call", () => ["dance", {}]],
    ["until", () => "2001-01-01T00:00:00.000Z"],
  ]) {
    noticeAll(found, compareActions, changeFirst(key, value), 87);
  }
  noticeAll(found, compareActions, (each) => ({ ...each, expect: [...each.expect, {}] }), 112);
});

/* why/refusals.ndjson */

function compareRefusal({ document, expect }) {
  const text = typeof document === "string" ? readText(`${smithers}/${document}`) : JSON.stringify(document);
  const { recognised, refusal, run } = inspect(text, { now: 0 });
  assert.deepEqual([recognised, run], ["error-response", undefined]);
  assert.ok(refusal.actions.every(({ node, blocker }) => node === undefined && blocker === undefined));
  assert.deepEqual(
    refusal.actions.map(({ kind, sentence, command = null }) => [kind, sentence, command]),
    expect,
  );
}

test("why/refusals: a refusal has an action of its own or none", async () => {
  const found = cases("why/refusals.ndjson");
  assert.deepEqual([found.length, found.flatMap(({ expect }) => expect).length], [20, 10]);
  await compareAll(found, compareRefusal);
  noticeAll(found, compareRefusal, (each) => ({ ...each, expect: [...each.expect, ["wait", "Wait.", null]] }), 20);
  const some = found.filter(({ expect }) => expect.length > 0);
  noticeAll(some, compareRefusal, (each) => ({ ...each, expect: [] }), some.length);
});

/* The runs of the `smithers why` outputs. */

const asked = readdirSync(`${testsFolder}/${smithers}/why`)
  .map((name) => /^why-(.*)\.json$/.exec(name)?.[1])
  .filter((name) => name !== undefined)
  .sort()
  .map((name) => ({ name, why: readJson(`${smithers}/why/why-${name}.json`), rows: readJson(`${smithers}/why/rows-${name}.json`) }));

/** The state according to `why`. Without any recorded sign of life it is unknown, as in the server's answer for the same rows. */
function stateOf({ status, blockers }) {
  const silent = blockers.some(({ reason }) => reason.includes("(no heartbeat recorded)"));
  return { running: silent ? "unknown" : "orphaned", finished: "succeeded", hibernating: "unknown" }[status] ?? status;
}

/** The command that `why` gives, with the place of the workflow's file taken out. */
const withoutPath = (command) =>
  command
    .split(" ")
    .map((word) => (word.startsWith("/project/") ? "WORKFLOW_FILE" : word))
    .join(" ");

/** The commands of `why` for a blocker, as Runstate composes them: to unblock it, and to deny it. */
function commandsOf({ kind, unblocker, context }) {
  const deny = /^Deny instead: (.*)$/m.exec(context ?? "")?.[1];
  return [withoutPath(unblocker), ...(deny === undefined ? [] : [deny])].map((command) => [kind, command]);
}

/** The node of a blocker of `why`; null for the run as a whole. */
const placeOf = ({ nodeId, iteration }) =>
  nodeId === undefined || nodeId === null || nodeId === "(run-level)" ? null : [nodeId, iteration];

const isoOf = (ms) => (typeof ms === "number" ? new Date(ms).toISOString() : null);

function compareWhy({ why }) {
  const { recognised, run, problems } = openText(why, why.generatedAtMs);
  assert.deepEqual([recognised, run.runId, run.verdict.source, problems], ["why-output", why.runId, "derived", []]);
  assert.equal(run.verdict.view.state, stateOf(why));
  assert.deepEqual(
    run.actions.map(({ blocker, command }) => [blocker, command]),
    why.blockers.flatMap(commandsOf),
  );
  const said = ({ kind, node, reason, command, untilMs }) => ({
    kind,
    node: node ? [node.nodeId, node.iteration] : null,
    reason,
    command,
    until: isoOf(untilMs),
  });
  const expected = why.blockers.map((blocker) => ({
    kind: blocker.kind,
    node: placeOf(blocker),
    reason: blocker.reason,
    command: blocker.unblocker,
    until: isoOf(blocker.firesAtMs),
  }));
  assert.deepEqual(run.reportedBlockers.map(said), expected);
}

test("why/why-*.json: the output of why is read as it stands", async () => {
  assert.deepEqual([asked.length, asked.flatMap(({ why }) => why.blockers).length], [9, 8]);
  await compareAll(asked, compareWhy);
  const blocked = asked.filter(({ why }) => why.blockers.length > 0);
  for (const part of [{ kind: "db-lock" }, { reason: "Because." }, { unblocker: "smithers dance" }, { nodeId: "nowhere", iteration: 3 }]) {
    for (const each of blocked) {
      const { run } = openText(each.why, each.why.generatedAtMs);
      const changed = structuredClone(each.why);
      Object.assign(changed.blockers[0], part);
      assert.notDeepEqual(openText(changed, changed.generatedAtMs).run.reportedBlockers, run.reportedBlockers, each.name);
    }
  }
});

/** Every blocker of `why` is named with its command, and no other. */
function compareNamed(actions, { blockers }) {
  const found = actions.map(shown);
  for (const blocker of blockers) {
    const expected = {
      blocker: blocker.kind,
      node: placeOf(blocker),
      command: withoutPath(blocker.unblocker),
      until: isoOf(blocker.firesAtMs),
    };
    const same = found.filter((action) => Object.entries(expected).every(([key, value]) => String(action[key]) === String(value)));
    assert.ok(same.length > 0, `${JSON.stringify(expected)} in ${JSON.stringify(found)}`);
    const deny = /^Deny instead: (.*)$/.exec(blocker.context ?? "")?.[1];
    if (deny)
      assert.ok(
        found.some(({ command }) => command === deny),
        deny,
      );
  }
  for (const { blocker } of found) assert.ok(blocker === null || blockers.some(({ kind }) => kind === blocker), blocker);
  return blockers.length;
}

const inCamelCase = (name) => name.replace(/_(.)/g, (_, letter) => letter.toUpperCase());
const camel = (row) => Object.fromEntries(Object.entries(row).map(([key, value]) => [inCamelCase(key), value]));

/** The run by its rows alone: its state is computed from them. Its owner's process is gone, as it was for the command. */
async function byRows({ rows }, now) {
  const tables = Object.fromEntries(Object.entries(rows).map(([table, list]) => [table, list.map(camel)]));
  const [run] = tables.runs;
  const options = { now, timerOverdueGraceMs: graceMs, isOwnerPidAlive: () => false };
  const runState = await computeRunStateFromRow(adapterOf(tables, false), run, options);
  const nodes = tables.nodes.map(({ nodeId, iteration = 0, state, lastAttempt, label }) => ({
    nodeId,
    iteration,
    state,
    lastAttempt,
    label,
  }));
  return { runState, run: openParts({ run: { ...run, runState }, nodes: nodes.length > 0 ? nodes : undefined }, now) };
}

const printed = (name) => readText(`${smithers}/captures/cli/inspect-${name}.json`);

test("why/rows-*.json: every blocker of why is named from the rows and from the printed run, and no other", async () => {
  let named = 0;
  for (const each of asked) {
    const now = each.why.generatedAtMs;
    named += compareNamed(openText(printed(each.name), now).run.actions, each.why);
    const { run } = await byRows(each, now);
    named += compareNamed(run.actions, each.why);
    const falsified = [...each.why.blockers, { kind: "db-lock", unblocker: "smithers dance" }];
    assert.throws(() => compareNamed(run.actions, { blockers: falsified }), assert.AssertionError, each.name);
  }
  assert.equal(named, 16);
});

test("why/rows-*.json: the rows say what the released command printed", async () => {
  for (const each of asked) {
    const said = JSON.parse(printed(each.name)).runState;
    const now = Date.parse(said.computedAt);
    assert.deepEqual((await byRows(each, now)).runState, said, each.name);
    assert.deepEqual(openText(printed(each.name), now).run.verdict.view, said, each.name);
    const [row] = each.rows.runs;
    const changed = { ...each, rows: { ...each.rows, runs: [{ ...row, status: "cancelled" }] } };
    assert.notDeepEqual((await byRows(changed, now)).runState, said, each.name);
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
    ['"status"', '"status":"x","status"'],
  ]) {
    const text = whole.replace(part, other);
    assert.notEqual(text, whole);
    assert.throws(
      () => inspect(text, { now: 0 }),
      ({ code }) => code === "INVALID_INPUT" || code === "NOT_RECOGNISED",
      text,
    );
  }
  for (const [field, value] of [
    ["iteration", '"x"'],
    ["reason", "7"],
    ["firesAtMs", '"soon"'],
  ]) {
    const { problems } = inspect(whole.replace(blocker, `{"kind":"engine-busy","${field}":${value}}`), { now: 0 });
    assert.equal(problems.length, 1, field);
    assert.match(problems[0], new RegExp(`blockers\\[0\\]\\.${field}`));
  }
});
