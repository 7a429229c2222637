// The benchmarks: the core (a native program), our module, JavaScript and a page run each case alternately, in one run.
//
// `cargo xtask bench` builds all sides and sets the variables. With names of cases as arguments it runs only those and writes no files.
import { mkdirSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import * as upstream from "../tests/support/upstream.mjs";
import { CASES, failures, label } from "./cases.mjs";
import { writeInputs } from "./inputs.mjs";
import { ourDevtools } from "./devtools.mjs";
import { javascript } from "./javascript.mjs";
import { ourLive } from "./live.mjs";
import { median, rounds } from "./rounds.mjs";
import { native } from "./native.mjs";
import { ourModule } from "./module.mjs";
import { ourPage } from "./page.mjs";
import { line, writeTable } from "./table.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const { RUNSTATE_NATIVE, RUNSTATE_DIST, RUNSTATE_INPUTS } = process.env;
const only = process.argv.slice(2);

mkdirSync(RUNSTATE_INPUTS, { recursive: true });
writeInputs(RUNSTATE_INPUTS);

const program = native(RUNSTATE_NATIVE, RUNSTATE_INPUTS);
const page = ourPage(RUNSTATE_INPUTS);
const sides = {
  javascript: javascript(upstream, RUNSTATE_INPUTS),
  module: await ourModule(RUNSTATE_DIST, RUNSTATE_INPUTS),
  page: { ...page.cases, ...ourDevtools(), ...ourLive() },
};
/** The cases that the native program lacks. */
const NOT_NATIVE = ["apply", "list", ...Object.keys(sides.page)];

const figures = [];
for (const wanted of CASES) {
  if (only.length > 0 && !only.includes(wanted.name)) continue;
  const figure = await measure(wanted);
  figures.push(figure);
  console.log(line(figure));
}
program.end();
await page.end();
if (only.length === 0) {
  const machine = { node: process.version, processor: cpus()[0].model, cores: cpus().length, memoryGiB: Math.round(totalmem() / 2 ** 30) };
  const text = JSON.stringify({ measured: new Date().toISOString().slice(0, 10), machine, figures }, null, 1);
  writeFileSync(join(here, "figures.json"), `${text}\n`);
  writeTable(join(here, "README.md"), { machine, figures });
}
const missed = failures(figures);
for (const failure of missed) console.error(`error: ${failure}`);
process.exitCode = missed.length > 0 ? 1 : 0;

async function measure(wanted) {
  const doers = NOT_NATIVE.includes(wanted.name) ? {} : { native: () => program.round(label(wanted)) };
  for (const [side, cases] of Object.entries(sides)) {
    const prepare = cases[wanted.name];
    if (prepare) doers[side] = timed(prepare(wanted.size));
  }
  const taken = await rounds(doers, wanted.rounds);
  agree(wanted, taken);
  const { javascript: theirs, ...ours } = taken;
  const sidesTaken = Object.entries(ours).map(([side, list]) => [side, theirs ? against(list, theirs) : each(list)]);
  const { what, target, limit, least } = wanted;
  const all = { ...(theirs && { javascript: each(theirs) }), ...Object.fromEntries(sidesTaken) };
  return { case: label(wanted), what, rounds: wanted.rounds, target, limit, least, ...all };
}

/**
 * The figures of one side, and the median of its rounds' ratios: each round is compared with the adjacent round of the other
 * side.
 */
function against(list, theirs) {
  const ratios = list.map((round, index) => value(theirs[index]) / value(round));
  return { ...each(list), ratio: Number(median(ratios).toPrecision(3)) };
}

function each(list) {
  const rounded = (number) => Number(number.toPrecision(4));
  if (list[0].bytes === undefined) return { milliseconds: rounded(median(list.map(value))) };
  return { bytes: rounded(list[0].bytes) };
}

/** Less is better: bytes if they are measured, else the time for one execution. */
function value({ bytes, milliseconds, times }) {
  return bytes ?? milliseconds / times;
}

function timed(doing) {
  return async () => {
    const begun = doing.before?.();
    const start = performance.now();
    const taken = (doing.work ?? doing)(begun);
    const milliseconds = performance.now() - start;
    // Data that only serves comparison is not measured.
    const { times = 1, answer, ...more } = await taken;
    return { milliseconds, times, answer: typeof answer === "function" ? answer() : answer, ...more };
  };
}

/** A side with a different result is wrong, not faster. */
function agree(wanted, taken) {
  const answers = Object.entries(taken).flatMap(([side, list]) => list.map(({ answer }) => [side, JSON.stringify(answer)]));
  const [[one, first]] = answers;
  const other = answers.find(([, answer]) => answer !== first);
  if (other) throw new Error(`${label(wanted)}: ${one} answers ${first}, ${other[0]} answers ${other[1]}`);
}
