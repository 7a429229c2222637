// Every recorded vector through the built package: the released package's text, its error, or a listed divergence.
import assert from "node:assert/strict";
import { test } from "node:test";
import { laterOutcome, outcome, readJson, readLines, revive, runstate } from "./support.mjs";

const list = readJson("vectors/smithers/divergences.json");
const releasedGraceMs = 30_000;

/** How a row is answered: with its own input, or with the released package's grace for timers besides. */
const modes = ["as given", "released"];

const withGrace = (options, mode) =>
  mode === "released" && options.timerOverdueGraceMs === undefined
    ? { ...options, timerOverdueGraceMs: releasedGraceMs }
    : options;

function derive({ input, alivePids }, mode) {
  const isOwnerPidAlive = (pid) => alivePids.includes(pid);
  return outcome(() => runstate.deriveRunState({ ...withGrace(revive(input), mode), isOwnerPidAlive }));
}

/** The rows of a vector as a database adapter; methods answer at once or later. */
function adapterOf({ run, nodes, attempts, approvals, sandboxes }, later) {
  const answer = (rows) => (later ? Promise.resolve(rows) : rows);
  const adapter = {
    getRun: () => answer(run),
    listPendingApprovals: () => answer(approvals),
    listNodes: () => answer(nodes),
    listAttempts: (_, nodeId, iteration) =>
      answer(attempts.filter((row) => row.nodeId === nodeId && (row.iteration ?? 0) === iteration)),
  };
  return sandboxes === undefined ? adapter : { ...adapter, listSandboxes: () => answer(sandboxes) };
}

function compute({ i, input, alivePids }, mode) {
  const rows = revive(input);
  const options = { ...withGrace(rows.options, mode), isOwnerPidAlive: (pid) => alivePids.includes(pid) };
  const adapter = adapterOf(rows, i % 2 === 0);
  return laterOutcome(() =>
    i % 3 === 0
      ? runstate.computeRunState(adapter, rows.run.runId, options)
      : runstate.computeRunStateFromRow(adapter, rows.run, options),
  );
}

/** What a class of divergences makes of the released answer; `null` where it does not apply to this row. */
const ours = {
  INVALID_INPUT: () => ({ error: { name: "TypeError", code: "INVALID_INPUT" } }),
  "without unhealthy": ({ output }) => {
    const { unhealthy, ...view } = JSON.parse(output);
    return unhealthy?.kind === "timer-overdue" ? { output: JSON.stringify(view) } : null;
  },
  "with correlationKey": ({ output }, found) => {
    const view = JSON.parse(output);
    if (view.blocked?.correlationKey !== "" || found.output === undefined) return null;
    view.blocked.correlationKey = JSON.parse(found.output).blocked?.correlationKey;
    return view.blocked.correlationKey ? { output: JSON.stringify(view) } : null;
  },
};

function expected(file, row, found, mode) {
  const listed = list.classes.find(
    ({ rows, goneWithReleasedSettings }) =>
      !(goneWithReleasedSettings && mode === "released") && rows[file]?.includes(row.i),
  );
  if (listed) return ours[listed.ours](row, found);
  if (row.output !== undefined) return { output: row.output };
  return { error: { name: row.error.name, ...(row.error.name === "RangeError" ? { code: "INVALID_TIME" } : {}) } };
}

for (const [file, answer] of Object.entries({ derive, compute })) {
  const rows = readLines(`vectors/smithers/${file}-vectors.ndjson`);

  test(`${file}: there are as many vectors as the list says`, () => assert.equal(rows.length, list.counts[file]));

  for (const mode of modes) {
    test(`${file}: ${rows.length} vectors, ${mode}`, async () => {
      const wrong = [];
      for (const row of rows) {
        const found = await answer(row, mode);
        try {
          assert.deepEqual(found, expected(file, row, found, mode));
        } catch (error) {
          wrong.push(`${row.i}: ${error.message}`);
        }
      }
      assert.equal(wrong.length, 0, `${wrong.length} of ${rows.length} differ\n${wrong.slice(0, 5).join("\n")}`);
    });
  }
}
