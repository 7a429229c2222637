// Every recorded vector through the built package: the released package's text, its error, or the answer of its class.
import assert from "node:assert/strict";
import { test } from "node:test";
import { laterOutcome, outcome, readJson, readLines, revive, runstate } from "./support.mjs";
import { adapterOf } from "./rows.mjs";

const releasedGraceMs = 30_000;

/** The input of a row: its own, or additionally the released package's grace period for timers. */
const modes = ["as given", "released"];

const withGrace = (options, mode) =>
  mode === "released" && options.timerOverdueGraceMs === undefined ? { ...options, timerOverdueGraceMs: releasedGraceMs } : options;

function derive({ input, alivePids }, mode) {
  const isOwnerPidAlive = (pid) => alivePids.includes(pid);
  return outcome(() => runstate.deriveRunState({ ...withGrace(revive(input), mode), isOwnerPidAlive }));
}

function compute({ input, alivePids }, mode, place) {
  const rows = revive(input);
  const options = { ...withGrace(rows.options, mode), isOwnerPidAlive: (pid) => alivePids.includes(pid) };
  const adapter = adapterOf(rows, place % 2 === 0);
  return laterOutcome(() =>
    place % 3 === 0 && rows.run?.runId
      ? runstate.computeRunState(adapter, rows.run.runId, options)
      : runstate.computeRunStateFromRow(adapter, rows.run, options),
  );
}

const names = { INVALID_TIME: "RangeError", INVALID_INPUT: "TypeError" };

/** The expected outcome of a row, in the form of `outcome`. */
function expected({ output, error, upstream }, released) {
  if (released && upstream?.output) return { output: upstream.output };
  return error ? { error: { name: names[error.code], ...error } } : { output };
}

for (const [folder, answer] of Object.entries({ derive, compute })) {
  const classes = readJson(`vectors/smithers/${folder}/classes.json`);
  const rows = ["valid", "invalid"].flatMap((kind) => readLines(`vectors/smithers/${folder}/${kind}/cases.ndjson`));

  for (const mode of modes) {
    test(`${folder}: ${rows.length} vectors, ${mode}`, async () => {
      const wrong = [];
      for (const [place, row] of rows.entries()) {
        const agrees = mode === "released" && classes[row.class].goneWithReleasedSettings;
        const found = await answer(row, mode, place);
        try {
          assert.deepEqual(found, expected(row, agrees));
        } catch (error) {
          wrong.push(`${row.case}: ${error.message}`);
        }
      }
      assert.equal(wrong.length, 0, `${wrong.length} of ${rows.length} differ\n${wrong.slice(0, 5).join("\n")}`);
    });
  }
}
