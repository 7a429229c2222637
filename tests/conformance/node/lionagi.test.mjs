// The recorded vectors of lionagi through the built package. Rows of the list of divergences are upstream's other functions.
import assert from "node:assert/strict";
import { test } from "node:test";
import { readJson, readLines, runstate } from "./support.mjs";

const {
  adminTransitionTargets,
  canTransition,
  classifyHealth,
  deriveSeverity,
  effectiveState,
  exitCode,
  inspect,
  normalizeState,
  worstHealth,
} = runstate;
const rows = (file) => readLines(`vectors/lionagi/${file}.ndjson`);
const cases = [...rows("valid/cases").map((row) => [row, true]), ...rows("invalid/cases").map((row) => [row, false])];

function agrees(file, answer) {
  const all = rows(file);
  test(`${file}: ${all.length} vectors`, () => {
    const wrong = [];
    for (const row of all) {
      try {
        answer(row);
      } catch (error) {
        wrong.push(`${row.id}: ${error.message}`);
      }
    }
    assert.equal(wrong.length, 0, `${wrong.length} of ${all.length} differ\n${wrong.slice(0, 5).join("\n")}`);
  });
}

agrees("health", ({ in: input, out }) => {
  const found = classifyHealth(input.session, {
    now: input.now,
    processAlive: input.process_alive,
    hasArtifacts: input.has_artifacts,
    hasStaleLocks: input.has_stale_locks,
  });
  assert.deepEqual([found.health, found.severity, found.threshold], [out.health, out.severity, out.threshold]);
  assert.ok(found.evidence.inputs.some(({ decisive }) => decisive));
});

agrees("worst-health", ({ in: list, out }) => assert.equal(worstHealth(list), out));

agrees("adr0033-severity", ({ in: axes, out }) => assert.deepEqual(deriveSeverity(axes), out));

agrees("transitions", ({ entity, from, to, out }) => {
  if (entity !== "session") return;
  assert.equal(canTransition(from, to), out.can_transition_0_28_0);
  assert.equal(adminTransitionTargets.includes(to), out.admin_target);
});

test("our own cases of transitions and exit codes", () => {
  let seen = 0;
  for (const [{ transitions = [], admin = [], exit_codes = {} }, good] of cases) {
    for (const [from, to] of transitions) assert.equal(canTransition(from, to), good, `${from} to ${to}`);
    for (const word of admin) assert.equal(adminTransitionTargets.includes(word), good, word);
    for (const [status, code] of Object.entries(exit_codes)) {
      assert.equal(exitCode(status === "legacy" ? null : status), good ? code : null, status);
    }
    seen += transitions.length + admin.length + Object.keys(exit_codes).length;
  }
  assert.ok(seen > 15);
});

const calls = cases.filter(([{ call }]) => call !== undefined && runstate[call.function] !== undefined);

test(`${calls.length} calls are answered or refused as the cases say`, () => {
  for (const [{ case: name, call, answer, error }] of calls) {
    const made = () => runstate[call.function](...call.arguments);
    if (error === undefined) assert.deepEqual(made(), answer, name);
    else assert.throws(made, (thrown) => thrown instanceof TypeError && thrown.code === error.code, name);
  }
  assert.ok(calls.length > 60, `${calls.length}`);
});

/** The parts of a session that a case contains. */
const parts = {
  state: (session) => session.state,
  status: (session) => (session.status === null ? "legacy" : (session.status ?? null)),
  health: (session) => session.health,
  normalized_health: (session) => session.normalized.health,
  outcome: (session) => session.normalized.outcome,
  delivery: (session) => session.delivery,
  severity: (session) => session.normalized.severity,
  tone: (session) => session.normalized.tone,
  disagreements: (session) => session.disagreements.map(({ question }) => question),
};

const documents = cases.filter(([{ text }]) => text !== undefined);

test(`${documents.length} documents are read or refused by inspect as the cases say`, () => {
  let seen = 0;
  for (const [{ case: name, text, now, session, sessions, plays, shows, problems, refusal, error }] of documents) {
    let found;
    try {
      found = inspect(text, { now: Date.parse(now) });
    } catch (thrown) {
      // If a document is not recognised as lionagi's, the general reader refuses it with its own message.
      assert.ok(error !== undefined, `${name}: ${thrown.message}`);
      assert.ok(thrown instanceof Error && typeof thrown.code === "string", name);
      continue;
    }
    if (found.system !== "lionagi") continue;
    seen += 1;
    if (error?.holds === "the end of the text") {
      // The reader of rows refuses truncated text; `inspect` loads the complete parts, reports the cut and no state.
      assert.deepEqual([found.problems.length, found.session.state], [2, null], name);
      continue;
    }
    if (error?.message === "Expected the end of the text") {
      // The reader of rows refuses what follows the value; `inspect` reads the row and reports the rest.
      assert.deepEqual([found.problems.length, found.session.state], [1, "running"], name);
      continue;
    }
    if (/^field-.*-"\d+"$|^field-\w+_at-"\d{4}-.*Z"$/.test(name)) {
      // `inspect` reads a text of digits as a number, as databases write large ones, and an ISO time as seconds.
      assert.deepEqual(found.problems, [], name);
      continue;
    }
    if (error !== undefined && found.problems.some((text) => text.includes(error.message) && text.includes(error.holds))) {
      // The reader of rows refuses a field of another type; `inspect` reads the row without it, and says the same.
      assert.equal(found.problems.length, 1, name);
      continue;
    }
    assert.equal(error, undefined, `${name} was read`);
    assert.equal(found.session !== undefined, session !== undefined, name);
    for (const [key, expected] of Object.entries(session ?? {})) {
      if (parts[key]) assert.deepEqual(parts[key](found.session), expected, `${name}: ${key}`);
    }
    assert.deepEqual(
      found.sessions.map(({ state }) => state ?? ""),
      sessions ?? [],
      name,
    );
    assert.equal(found.problems.length, (problems ?? []).length, name);
    assert.equal(found.refusal?.code, refusal?.code, name);
    assert.deepEqual(
      found.plays.map(({ status }) => status),
      (plays ?? []).map(([word]) => word),
      name,
    );
    assert.deepEqual(
      found.shows.map(({ status }) => status),
      (shows ?? []).map(([word]) => word),
      name,
    );
  }
  assert.ok(seen > 130, `${seen}`);
});

test("streams of signals are read or refused in part as the cases say", () => {
  const streams = cases.filter(([{ stream }]) => stream !== undefined);
  for (const [{ case: name, now, stream, session, problems = [] }] of streams) {
    const found = inspect(stream, { name: "signals", now: Date.parse(now) });
    assert.deepEqual([found.system, found.recognised, found.session.state], ["lionagi", "signal-stream", session.state], name);
    assert.equal(found.problems.length, problems.length, `${name}: ${found.problems}`);
    problems.forEach((problem, place) => assert.ok(found.problems[place].includes(problem), found.problems[place]));
  }
  assert.ok(streams.length > 15);
});

test("a capture of Studio is one session or a list of them", () => {
  const read = (path) => inspect(JSON.stringify(readJson(`vectors/lionagi/captures/${path}`)), { now: 1_795_269_969_000 });
  const run = read("studio/run-dead-orphaned.json");
  assert.deepEqual([run.system, run.recognised], ["lionagi", "session"]);
  assert.equal(run.session.normalized.source, "frontend_compat");
  const list = read("studio/runs-list-p1.json");
  assert.equal(list.recognised, "session-list");
  assert.ok(list.sessions.length > 3 && list.session === undefined);
});

test("status and health in one word", () => {
  assert.equal(effectiveState({ status: "running" }, { health: "stale" }), "stale running");
  assert.equal(effectiveState({ status: "running" }), "running");
  assert.equal(effectiveState({ status: null }), "legacy");
  assert.equal(effectiveState({}), null);
  assert.equal(effectiveState({ status: "hibernating" }, { health: "stale" }), "hibernating");
});

test("the projection says that it is ours, and why", () => {
  const state = normalizeState({ session_id: "s", status: "failed", ended_at: 1_716_300_000 }, { now: 1_716_300_001 });
  assert.deepEqual([state.lifecycle, state.outcome, state.severity, state.tone], ["failed", "failed", "critical", "danger"]);
  assert.deepEqual([state.policy_version, state.source, state.evaluated_at], ["v1", "frontend_compat", 1_716_300_001]);
  assert.ok(state.reasons.length > 0 && state.reasons.every(({ message }) => message.length > 3));
});

test("arguments that are not what their types say are refused with their place", () => {
  const row = { status: "running" };
  for (const [call, path] of [
    [() => classifyHealth(undefined, { now: 1 }), "session"],
    [() => classifyHealth(7, { now: 1 }), "session"],
    [() => classifyHealth({ status: 7 }, { now: 1 }), "session"],
    [() => classifyHealth(row), "probe"],
    [() => classifyHealth(row, {}), "probe"],
    [() => classifyHealth(row, { now: NaN }), "probe"],
    [() => classifyHealth(row, { now: "1" }), "probe"],
    [() => classifyHealth(row, { now: 1, processAlive: "yes" }), "probe"],
    [() => classifyHealth(row, { now: 1, hasStaleLocks: 1n }), "probe"],
    [() => worstHealth("stale"), "list"],
    [() => worstHealth(["Stale"]), "list"],
    [() => worstHealth(), "list"],
    [() => effectiveState(null), "session"],
    [() => effectiveState(row, 7), "signals"],
    [() => effectiveState(row, { health: 3 }), "signals"],
    [() => normalizeState([]), "row"],
    [() => normalizeState(row, { hasArtifacts: "no" }), "signals"],
    [() => deriveSeverity(), "axes"],
    [() => deriveSeverity([]), "axes"],
    [() => deriveSeverity({ outcome: 124 }), "axes"],
    [() => canTransition(undefined, "failed"), "from"],
    [() => canTransition("running", null), "to"],
    [() => exitCode(undefined), "status"],
    [() => exitCode(1), "status"],
  ]) {
    assert.throws(call, (error) => {
      assert.ok(error instanceof TypeError, `${path}: ${error}`);
      assert.deepEqual([error.code, error.position.path], ["INVALID_INPUT", path], error.message);
      return true;
    });
  }
});
