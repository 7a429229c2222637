// The module against JavaScript, and large inputs against small ones: ratios of alternating rounds in one run, on any machine.
// `cargo xtask bench` measures more cases, and budgets in milliseconds on an idle machine.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { writeInputs } from "../../../benches/inputs.mjs";
import { javascript } from "../../../benches/javascript.mjs";
import { ourModule } from "../../../benches/module.mjs";
import { median, rounds } from "../../../benches/rounds.mjs";
import * as upstream from "../../support/upstream.mjs";
import { packageFolder } from "./support.mjs";

const folder = mkdtempSync(join(tmpdir(), "runstate-inputs-"));
after(() => rmSync(folder, { recursive: true }));

let sides;
before(async () => {
  writeInputs(folder, { trees: [100, 1_000, 10_000], logs: [100_000] });
  sides = { javascript: javascript(upstream, folder), module: await ourModule(dirname(packageFolder), folder) };
});

const ROUNDS = 5;
/** The milliseconds of one execution: of a preparation's work, or of all of it. */
const timed = (doing) => async () => {
  const begun = doing.before?.();
  const start = performance.now();
  const { times = 1, answer } = (doing.work ?? doing)(begun);
  const milliseconds = (performance.now() - start) / times;
  return { milliseconds, answer: typeof answer === "function" ? answer() : answer };
};
const times = (list) => list.map(({ milliseconds }) => milliseconds);

// About half of what was measured on an idle machine.
for (const [name, size, least] of [
  ["events", 100_000, 1.6],
  ["delta", 1_000, 300],
  ["delta", 10_000, 2_000],
]) {
  test(`${name} ${size ?? ""}: the module is at least ${least} times as fast as JavaScript, with the same result`, async (t) => {
    const taken = await rounds(Object.fromEntries(Object.entries(sides).map(([side, cases]) => [side, timed(cases[name](size))])), ROUNDS);
    const answers = new Set(Object.values(taken).flatMap((list) => list.map(({ answer }) => JSON.stringify(answer))));
    assert.equal(answers.size, 1, [...answers].join("; "));
    const ours = times(taken.module);
    const ratio = median(times(taken.javascript).map((theirs, round) => theirs / ours[round]));
    t.diagnostic(`${ratio.toPrecision(3)} times`);
    assert.ok(ratio >= least, `${ratio} times as fast`);
  });
}

test("a delta takes at most three times as long on 10 000 nodes as on 100", async (t) => {
  const taken = await rounds({ small: timed(sides.module.delta(100)), large: timed(sides.module.delta(10_000)) }, ROUNDS);
  const small = times(taken.small);
  const ratio = median(times(taken.large).map((large, round) => large / small[round]));
  t.diagnostic(`${ratio.toPrecision(3)} times`);
  assert.ok(ratio <= 3, `${ratio} times as long`);
});
