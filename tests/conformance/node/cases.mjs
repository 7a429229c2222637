// Helpers of the tests of `smithers/why`, `smithers/witness` and `smithers/clock`: their cases, and opened documents.
import assert from "node:assert/strict";
import { readJson, readLines, runstate } from "./support.mjs";

export const smithers = "vectors/smithers";

/** The cases of a file, each with its name, reason and source. */
export function cases(file) {
  const found = readLines(`${smithers}/${file}`);
  for (const each of found) for (const key of ["name", "reason", "source"]) assert.equal(typeof each[key], "string", key);
  return found;
}

/** Compares every case; all differences are reported. */
export async function compareAll(found, compare) {
  const wrong = [];
  for (const each of found) {
    try {
      await compare(each);
    } catch (error) {
      wrong.push(`${each.name}: ${error.message}`);
    }
  }
  assert.deepEqual(wrong, []);
}

/** Asserts that every case fails when it is falsified; `change` returns `undefined` if it does not apply. */
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

/** A number; JSON has no infinity, so it is written as a word. */
export const number = (value) => (value === "Infinity" ? Infinity : value);

/** A document that was just received. */
export const openText = (document, now, options = {}) =>
  runstate.inspect(typeof document === "string" ? document : JSON.stringify(document), { now, live: true, ...options });

/** A payload: that of a case, or that in a captured exchange. */
function payload(part) {
  if (typeof part !== "string") return part ?? undefined;
  const exchange = readJson(`${smithers}/${part}`);
  return (exchange.response?.body ?? exchange).payload;
}

/** The parts of a case opened together, and the run of the case. */
export function openParts({ run, nodes, snapshot, attempts, approvals, log }, now) {
  const texts = [run, nodes, snapshot, attempts, approvals].map(payload).filter((part) => part !== undefined);
  const files = texts.map((part) => ({ bytes: JSON.stringify(part) }));
  if (log) files.push({ bytes: log.map((event) => `${JSON.stringify(event)}\n`).join("") });
  const found = runstate.inspect(files, { now, live: true });
  const { runId } = payload(run);
  return [found.run, ...found.runs].find((each) => each?.runId === runId);
}
