// The benchmarks: each case done in turns by the core (a native program), by our module and by JavaScript, in one run.
//
// `cargo xtask bench` builds both sides and sets the variables. With names of cases as arguments it
// does those alone and writes nothing.
import { mkdirSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import * as upstream from "../tests/support/upstream.mjs";
import { writeInputs } from "./inputs.mjs";
import { javascript } from "./javascript.mjs";
import { median, rounds } from "./rounds.mjs";
import { native } from "./native.mjs";
import { ourModule } from "./module.mjs";
import { writeTable } from "./table.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const { RUNSTATE_NATIVE, RUNSTATE_DIST, RUNSTATE_INPUTS } = process.env;
const only = process.argv.slice(2);

/** A case, its size, how often it is done, and what it should reach: so many times as fast as JavaScript, so many milliseconds. */
const CASES = [
  // First, while the module has needed no memory yet.
  { name: "memory", size: 100_000, what: "bytes held per event, beside the text of the log", rounds: 1, target: 4 },
  { name: "memory-with-text", size: 100_000, what: "the same with the text, which JavaScript does not keep", rounds: 1 },
  { name: "rows", what: "10 000 run rows as bytes → views", rounds: 15, target: 1.5 },
  { name: "stream", what: "tree of 10 000 nodes and 1 000 deltas as text → tree", rounds: 1, target: 100 },
  ...[[100, 15], [1_000, 11], [10_000, 7], [50_000, 5]].map(([size, times]) => ({
    name: "delta", size, what: `one delta as text on ${size} nodes`, rounds: times, ...(size === 10_000 && { target: 100 }),
  })),
  { name: "apply", size: 10_000, what: "`applyDelta` on 10 000 nodes, objects in and out", rounds: 7, objects: true },
  { name: "diff", size: 10_000, what: "two trees of 10 000 nodes → delta", rounds: 15 },
  { name: "diff-slow", size: 500, what: "two trees of 500 nodes → delta, 95 of 100 times at most", rounds: 5, limit: 10 },
  { name: "frames", size: 10_000, what: "any of 10 000 frames of 10 000 nodes, the slowest of 400", rounds: 3, limit: 16 },
  { name: "first", size: 1_000_000, what: "the first 256 KiB of 1 000 000 events → state", rounds: 15, limit: 200 },
  { name: "events", size: 100_000, what: "100 000 events as bytes → node states", rounds: 9, target: 1.2 },
  { name: "events", size: 1_000_000, what: "1 000 000 events as bytes → node states", rounds: 5, target: 1.2 },
];

const label = ({ name, size }) => (size === undefined ? name : `${name} ${size}`);

mkdirSync(RUNSTATE_INPUTS, { recursive: true });
writeInputs(RUNSTATE_INPUTS);

const program = native(RUNSTATE_NATIVE, RUNSTATE_INPUTS);
const sides = {
  javascript: javascript(upstream, RUNSTATE_INPUTS),
  module: await ourModule(RUNSTATE_DIST, RUNSTATE_INPUTS),
};

const figures = [];
for (const wanted of CASES) {
  if (only.length > 0 && !only.includes(wanted.name)) continue;
  const figure = await measure(wanted);
  figures.push(figure);
  console.log(line(figure));
}
program.end();
if (only.length === 0) {
  const machine = { node: process.version, processor: cpus()[0].model, cores: cpus().length, memoryGiB: Math.round(totalmem() / 2 ** 30) };
  const text = JSON.stringify({ measured: new Date().toISOString().slice(0, 10), machine, figures }, null, 1);
  writeFileSync(join(here, "figures.json"), `${text}\n`);
  writeTable(join(here, "README.md"), { machine, figures });
}

async function measure(wanted) {
  const doers = wanted.objects ? {} : { native: () => program.round(label(wanted)) };
  for (const [side, cases] of Object.entries(sides)) {
    const prepare = cases[wanted.name];
    if (prepare) doers[side] = timed(prepare(wanted.size));
  }
  const taken = await rounds(doers, wanted.rounds);
  agree(wanted, taken);
  const { javascript: theirs, ...ours } = taken;
  const sidesTaken = Object.entries(ours).map(([side, list]) => [side, theirs ? against(list, theirs) : each(list)]);
  const { what, target, limit } = wanted;
  const all = { ...(theirs && { javascript: each(theirs) }), ...Object.fromEntries(sidesTaken) };
  return { case: label(wanted), what, rounds: wanted.rounds, target, limit, ...all };
}

/** The figures of one side, and the median of its rounds' ratios: each round stands beside the other side's next to it. */
function against(list, theirs) {
  const ratios = list.map((round, index) => value(theirs[index]) / value(round));
  return { ...each(list), ratio: Number(median(ratios).toPrecision(3)) };
}

function each(list) {
  const rounded = (number) => Number(number.toPrecision(4));
  if (list[0].bytes === undefined) return { milliseconds: rounded(median(list.map(value))) };
  return { bytes: rounded(list[0].bytes) };
}

/** Less is better: bytes where they are measured, else the time for doing the case once. */
function value({ bytes, milliseconds, times }) {
  return bytes ?? milliseconds / times;
}

function timed(doing) {
  return async () => {
    const begun = doing.before?.();
    const start = performance.now();
    const taken = (doing.work ?? doing)(begun);
    const milliseconds = performance.now() - start;
    // What is only for comparing is not measured.
    const { times = 1, answer, ...more } = await taken;
    return { milliseconds, times, answer: typeof answer === "function" ? answer() : answer, ...more };
  };
}

/** A side that answers something else is not faster, it is wrong. */
function agree(wanted, taken) {
  const answers = Object.entries(taken).flatMap(([side, list]) => list.map(({ answer }) => [side, JSON.stringify(answer)]));
  const [[one, first]] = answers;
  const other = answers.find(([, answer]) => answer !== first);
  if (other) throw new Error(`${label(wanted)}: ${one} answers ${first}, ${other[0]} answers ${other[1]}`);
}

function line(figure) {
  const side = (name) => {
    const { milliseconds, bytes, ratio } = figure[name] ?? {};
    const shown = milliseconds === undefined ? bytes && `${bytes} B` : `${milliseconds} ms`;
    return shown && `${name} ${shown}${ratio === undefined ? "" : ` (${ratio}x)`}`;
  };
  return `${figure.case}: ${["javascript", "native", "module"].map(side).filter(Boolean).join(", ")}`;
}
