// The cases of `smithers/clock` and `smithers/witness` through the built package, as far as it says what they expect;
// `core/tests/clock.rs` and `core/tests/witnesses.rs` compare all of it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { runstate } from "./support.mjs";
import { cases, noticeAll, openParts, openText, tally } from "./tally.mjs";

const { pill, deriveRunState } = runstate;
const witnessNow = 1_795_269_970_000;
const graceMs = 30_000;

const plan = {
  "clock/verdicts.ndjson": {
    counts: { whole: 5, part: 13, none: 9 },
    untold: "no function takes how far `now` may be off, which decides 9 cases; none tells which input decided beside a timer",
  },
  "clock/stamps.ndjson": { counts: { whole: 0, part: 0, none: 11 }, untold: "no function takes stamps of a server's clock" },
  "witness/tolerated.ndjson": {
    counts: { whole: 4, part: 12, none: 0 },
    untold:
      "`inspect` tells neither a sentence, nor the tone and the pill of tolerated failures, nor how many there are; " +
      "only the state and the keys of those that have one",
  },
  "witness/weigh.ndjson": { counts: { whole: 0, part: 0, none: 26 }, untold: "no function takes witnesses" },
  "witness/hidden.ndjson": {
    counts: { whole: 0, part: 14, none: 11 },
    untold: "`inspect` tells no notes, only the nodes that they name; that a state hides nothing (11 cases) cannot be asked",
  },
};
const { compareAll, finish } = tally(["clock", "witness"], plan);

/** The node of a key of `failedChildren`. */
const nodeOf = (key) => key.replace(/::\d+$/, "");

/* clock/verdicts.ndjson */

const marginMs = 5_000;

/** Whether the case is decided by how far `now` may be off, which nobody can tell the package. */
function hangsOnDoubt({ row, now, errorMs, expect }) {
  const ahead = row.heartbeatAtMs - now;
  return expect.decisive.includes("server clock") || (ahead > marginMs && ahead <= errorMs);
}

function compareVerdict(each) {
  const { row, now, errorMs, timerAtMs, expect } = each;
  if (hangsOnDoubt(each)) return "none";
  if (timerAtMs === null) {
    const { view, evidence } = openText(row, now).run.verdict;
    const decisive = evidence.inputs.filter((input) => input.decisive).map((input) => input.name);
    assert.deepEqual({ state: view.state, unhealthy: view.unhealthy?.kind ?? null, decisive }, expect);
    return errorMs === 0 ? "whole" : "part";
  }
  const pendingTimer = { nodeId: "nap", firesAtMs: timerAtMs };
  const { state, unhealthy } = deriveRunState({ run: row, now, timerOverdueGraceMs: graceMs, pendingTimer });
  assert.deepEqual([state, unhealthy?.kind ?? null], [expect.state, expect.unhealthy]);
  return "part";
}

test("clock/verdicts: an exact clock's answer, wherever the doubt does not decide", async () => {
  const found = cases("clock/verdicts.ndjson");
  await compareAll("clock/verdicts.ndjson", found, compareVerdict);
  const asked = found.filter((each) => !hangsOnDoubt(each));
  const change = (part) => (each) => ({ ...each, expect: { ...each.expect, ...part } });
  noticeAll(asked, compareVerdict, change({ state: "recovering" }), 18);
  noticeAll(asked, compareVerdict, change({ unhealthy: "db-lock" }), 18);
  noticeAll(asked.filter(({ timerAtMs }) => timerAtMs === null), compareVerdict, change({ decisive: [] }), 15);
});

/* witness/tolerated.ndjson */

/** How many tolerated failures a sentence counts, and the nodes that it names. */
function tolerated(sentence) {
  const told = /(\d+) failures? (?:was|were) tolerated(?:: (.*))?\.$/.exec(sentence);
  if (!told) return { count: 0, names: [] };
  return { count: Number(told[1]), names: told[2]?.replace(/ and \d+ more$/, "").split(", ") ?? [] };
}

function compareTolerated({ document, expect, refused }) {
  if (refused !== undefined) {
    assert.throws(
      () => openText(document, witnessNow),
      ({ code, message, position }) => {
        assert.deepEqual([code, message], ["INVALID_INPUT", `Line ${position.line}, column ${position.column}: ${refused}`]);
        return true;
      },
    );
    return "whole";
  }
  const { run, problems } = openText(document, witnessNow);
  assert.deepEqual(problems, []);
  const { label, tone } = pill("run", run.verdict.view.state);
  assert.equal(label, expect.pill.replace(", with failures", ""));
  if (label === expect.pill) assert.equal(tone, expect.tone);
  assert.deepEqual(run.failedChildren.map(nodeOf), tolerated(expect.sentence).names);
  return "part";
}

test("witness/tolerated: the same documents are refused, and the failures that are named are told", async () => {
  const found = cases("witness/tolerated.ndjson");
  await compareAll("witness/tolerated.ndjson", found, compareTolerated);
  const refused = found.filter((each) => each.refused !== undefined);
  noticeAll(refused, compareTolerated, (each) => ({ ...each, refused: "Expected text." }), 4);
  noticeAll(refused, compareTolerated, (each) => ({ ...each, document: { runId: "r1", status: "finished" } }), 4);
  const told = found.filter(({ expect }) => expect);
  const change = (part) => (each) => ({ ...each, expect: { ...each.expect, ...part } });
  noticeAll(told, compareTolerated, change({ pill: "Running" }), 12);
  noticeAll(told, compareTolerated, change({ sentence: "1 failure was tolerated: nowhere." }), 12);
  noticeAll(told.filter(({ expect }) => !expect.pill.includes(",")), compareTolerated, change({ tone: "stale" }), 5);
});

/* witness/hidden.ndjson */

const waits = {
  "a decision": "waiting-approval",
  "an event": "waiting-event",
  "a timer": "waiting-timer",
  "provider quota": "waiting-quota",
  "a bound value": "waiting-bound",
  "a bound value that changed": "bound-stale",
};

const onward = "The work goes on in another run.";

/** Whether the run has what a note names: `count` nodes in a state, by name or as a number. */
function assertNodes(run, state, places) {
  const only = /^(\d+) nodes?$/.exec(places);
  if (only) {
    // The node that the state itself names is not counted by the note.
    const named = run.verdict.view.state === state && run.verdict.view.blocked ? 1 : 0;
    assert.equal(run.summary[state] - named, Number(only[1]), `${state}: ${JSON.stringify(run.summary)}`);
    return;
  }
  const there = run.nodes.filter((node) => node.state === state);
  const spoken = there.map(({ nodeId, iteration }) => (iteration ? `${nodeId}, iteration ${iteration}` : nodeId));
  const named = run.verdict.view.blocked?.nodeId;
  const hidden = run.verdict.view.state === state ? spoken.filter((name) => name !== named) : spoken;
  const more = hidden.length > 3 ? ` and ${hidden.length - 3} more` : "";
  assert.equal(hidden.slice(0, 3).join(", ") + more, places);
}

function compareHidden({ expect, ...each }) {
  const { run } = openParts(each, witnessNow);
  const known = { continued: false, keys: [] };
  for (const note of expect) {
    const waiting = /^Also waiting for (.+?) at (.+)\.$/.exec(note);
    const failed = /^(.+?) failed (?:at attempt \d+ of \d+ and waits|and may be tried again)/.exec(note);
    if (waiting) assertNodes(run, waits[waiting[1]], waiting[2]);
    else if (failed) assertNodes(run, "failed", failed[1]);
    else if (note === onward) known.continued = true;
    else if (tolerated(note).count > 0) known.keys = tolerated(note).names;
    else assert.fail(`a note of another kind: ${note}`);
  }
  // Only a run that succeeded can hide that some of it failed.
  const keys = run.verdict.view.state === "succeeded" ? run.failedChildren : [];
  assert.equal(run.continued, known.continued);
  assert.deepEqual(keys.map(nodeOf), known.keys);
  return expect.length > 0 ? "part" : "none";
}

test("witness/hidden: what the notes name is told", async () => {
  const found = cases("witness/hidden.ndjson");
  await compareAll("witness/hidden.ndjson", found, compareHidden);
  const add = (note) => (each) => ({ ...each, expect: [...each.expect, note] });
  noticeAll(found, compareHidden, add("Also waiting for a decision at nowhere."), 25);
  noticeAll(found, compareHidden, add("1 failure was tolerated: nowhere."), 25);
  noticeAll(found, compareHidden, add("nowhere failed and may be tried again."), 25);
  noticeAll(found.filter(({ expect }) => expect.includes(onward)), compareHidden, (each) => ({ ...each, expect: [] }), 1);
});

/* What the package does not say. */

for (const file of ["clock/stamps.ndjson", "witness/weigh.ndjson"]) {
  test(`${file} cannot be asked: ${plan[file].untold}`, async () => {
    await compareAll(file, cases(file), () => "none");
    assert.deepEqual(Object.keys(runstate).filter((name) => /clock|stamp|weigh|witness|testimony/i.test(name)), []);
  });
}

finish();
