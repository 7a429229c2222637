// What the tests share whose cases the package answers in part: how much of each case is compared is counted,
// so that none is left out unseen.
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { readJson, readLines, runstate, testsFolder } from "./support.mjs";

export const smithers = "vectors/smithers";
const runKeys = new Set();

/** Everything that `inspect` tells of a run. When it learns to tell more, a plan is no longer true. */
const known = new Set([
  "runId",
  "workflow",
  "frameNo",
  "seq",
  "createdAtMs",
  "startedAtMs",
  "finishedAtMs",
  "parentRunId",
  "verdict",
  "summary",
  "nodes",
  "tree",
  "error",
  "failedChildren",
  "continued",
]);

/** The cases of a file, each with its name, reason and source. */
export function cases(file) {
  const found = readLines(`${smithers}/${file}`);
  for (const each of found) for (const key of ["name", "reason", "source"]) assert.equal(typeof each[key], "string", key);
  return found;
}

/** Each case must be noticed when it is changed so that it is false; `change` answers `undefined` where it does not apply. */
export function noticeAll(found, compare, change, times) {
  let applied = 0;
  for (const each of found) {
    const changed = change(structuredClone(each));
    if (changed === undefined) continue;
    applied += 1;
    assert.throws(() => compare(changed), assert.AssertionError, `not noticed: ${each.name}`);
  }
  assert.equal(applied, times);
}

/**
 * Counts the cases of folders by a plan: for each file how many are compared whole, in part and not at all, and what the
 * package does not say.
 */
export function tally(folders, plan) {
  const counted = Object.fromEntries(Object.keys(plan).map((file) => [file, { whole: 0, part: 0, none: 0 }]));

  return {
    /** Compares every case of a file; `compare` says how much of the case it compared. */
    async compareAll(file, found, compare) {
      const wrong = [];
      for (const each of found) {
        try {
          counted[file][await compare(each)] += 1;
        } catch (error) {
          wrong.push(`${each.name}: ${error.message}`);
        }
      }
      assert.deepEqual(wrong, []);
      assert.deepEqual(counted[file], plan[file].counts);
    },

    /** The last tests of a file: nothing was left out, and the package has not learned to say more. */
    finish() {
      test("every case is counted once", () => {
        const files = folders.flatMap((folder) => {
          const names = readdirSync(`${testsFolder}/${smithers}/${folder}`);
          return names.map((name) => `${folder}/${name.replace(/^(why|rows)-.*\.json$/, "$1-*.json")}`);
        });
        const planned = files.filter((file) => !file.endsWith("README.md"));
        assert.deepEqual([...new Set(planned)].sort(), Object.keys(plan).sort());
        for (const [file, { counts, untold }] of Object.entries(plan)) {
          const there = file.endsWith(".ndjson") ? cases(file).length : planned.filter((each) => each === file).length;
          assert.equal(counts.whole + counts.part + counts.none, there, file);
          assert.ok(untold.length > 20, file);
          assert.deepEqual(counted[file], counts, file);
        }
      });

      test("a run tells nothing more than what is compared", () => {
        assert.deepEqual([...runKeys].filter((key) => !known.has(key)), []);
        assert.ok(runKeys.size > 5, [...runKeys].join(" "));
      });
    },
  };
}

export function open(parts, now) {
  const found = runstate.inspect(parts, { now });
  for (const run of [found.run, ...found.runs]) for (const key of Object.keys(run ?? {})) runKeys.add(key);
  return found;
}

export const openText = (document, now) => open(typeof document === "string" ? document : JSON.stringify(document), now);

/** A payload: what a case holds, or the one in a captured exchange. */
function payload(part) {
  if (typeof part !== "string") return part ?? undefined;
  const exchange = readJson(`${smithers}/${part}`);
  return (exchange.response?.body ?? exchange).payload;
}

/** The parts of a case opened together, and the run that the case is about. */
export function openParts({ run, nodes, snapshot, attempts, log }, now) {
  const texts = [run, nodes, snapshot, attempts].map(payload).filter((part) => part !== undefined);
  const files = texts.map((part) => ({ bytes: JSON.stringify(part) }));
  if (log) files.push({ bytes: log.map((event) => `${JSON.stringify(event)}\n`).join("") });
  const found = open(files, now);
  const { runId } = payload(run);
  return { found, run: [found.run, ...found.runs].find((each) => each?.runId === runId) };
}
