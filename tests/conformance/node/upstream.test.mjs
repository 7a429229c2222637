// Checks the vectors against the released packages themselves.
// `RUNSTATE_PEERS` is the folder with their `node_modules`; `cargo xtask test --only node` sets it.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { laterOutcome, outcome, readJson, readLines, revive } from "./support.mjs";
import { adapterOf } from "./rows.mjs";

const folder = process.env.RUNSTATE_PEERS;
assert.ok(folder, "RUNSTATE_PEERS is not set: run cargo xtask test --only node");
const { applyDelta, computeRunStateFromRow, deriveRunState, diffSnapshots } = await import(pathToFileURL(join(folder, "upstream.mjs")));

const released = {
  derive: ({ input, alivePids }) => outcome(() => deriveRunState({ ...revive(input), isOwnerPidAlive: (pid) => alivePids.includes(pid) })),
  // It asks the system which processes are alive; the vectors use the first process, and an impossible one.
  compute: ({ input }) => {
    const rows = revive(input);
    return laterOutcome(() => computeRunStateFromRow(adapterOf(rows, true), rows.run, rows.options));
  },
};

for (const [name, answer] of Object.entries(released)) {
  const rows = ["valid", "invalid"].flatMap((kind) => readLines(`vectors/smithers/${name}/${kind}/cases.ndjson`));

  test(`${name}: ${rows.length} vectors`, async () => {
    for (const row of rows) {
      const { output, error } = await answer(row);
      const expected = row.upstream ?? { output: row.output };
      assert.deepEqual(error ? { error: error.name } : { output }, expected, row.case);
    }
  });

  test(`${name}: a vector where upstream does otherwise is of a class that says why`, () => {
    const classes = readJson(`vectors/smithers/${name}/classes.json`);
    for (const { case: id, class: of, error, upstream } of rows) {
      // An input that both refuse, the released package with an error of the engine, counts as refused.
      const agrees = !upstream || (error && upstream.error);
      assert.ok(agrees || classes[of].diverges, `${id} is of ${of}`);
    }
  });
}

/** Upstream's answer to a case that Runstate refuses, in the vectors' words. */
function word(call, expected) {
  try {
    call();
  } catch (error) {
    return error.message === expected.message && error.code === expected.code ? "same" : error.name;
  }
  return "accepts";
}

const deltas = (kind, ...files) => files.flatMap((file) => readLines(`vectors/smithers/delta/${kind}/${file}.ndjson`));
const plain = (value) => JSON.parse(JSON.stringify(value));

test("every delta that fits leads to the same snapshot", () => {
  for (const { case: name, snapshot, delta, after } of deltas("valid", "cases", "random")) {
    assert.equal(JSON.stringify(applyDelta(snapshot, JSON.parse(delta))), JSON.stringify(after), name);
  }
});

test("every difference has the same steps, and they lead to the other snapshot", () => {
  for (const { case: name, a, b, delta, header } of deltas("valid", "diffs", "pairs")) {
    assert.equal(JSON.stringify(diffSnapshots(a, b)), JSON.stringify(delta), name);
    const { root, ...found } = plain(applyDelta(a, delta));
    if (name !== "id-twice") assert.deepEqual(root, b.root, name);
    if (header) assert.deepEqual(found, header, name);
  }
});

test("every refused delta does upstream what it says", () => {
  for (const { case: name, snapshot, delta, error, upstream } of deltas("invalid", "cases", "random")) {
    assert.equal(
      word(() => applyDelta(structuredClone(snapshot), JSON.parse(delta)), error),
      upstream,
      name,
    );
  }
  for (const { case: name, a, b, error, upstream } of deltas("invalid", "diffs")) {
    assert.equal(
      word(() => diffSnapshots(structuredClone(a), structuredClone(b)), error),
      upstream,
      name,
    );
  }
});
