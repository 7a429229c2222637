// Every captured life and damaged directory of tnh-conductor through the built package.
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { test } from "node:test";
import { readLines, runstate, testsFolder } from "./support.mjs";

const { inspect, readConductorRun } = runstate;
const folder = join(testsFolder, "vectors/conductor");
const keys = ["state", "phase", "blocked", "unhealthy", "terminal", "decision", "why"];

const camel = (key) => key.replace(/_(.)/g, (_, letter) => letter.toUpperCase());
const inCamel = (value) =>
  value === null || typeof value !== "object"
    ? value
    : Object.fromEntries(Object.entries(value).map(([key, inner]) => [camel(key), inCamel(inner)]));

/** Python writes six digits of a second. */
const moment = (text) => (text === "NaN" ? NaN : Date.parse(text.replace(/(\.\d{3})\d+/, "$1")));

/** The directory after a number of writes. */
function fold(writes, until) {
  const files = {};
  for (const { seq, op, file, content } of writes) {
    if (seq <= until) files[file] = op === "append" ? (files[file] ?? "") + content : content;
  }
  return files;
}

function filesUnder(directory) {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const path = (entry) => join(entry.parentPath ?? entry.path, entry.name);
  return Object.fromEntries(
    entries.map((entry) => [relative(directory, path(entry)).replaceAll(sep, "/"), new Uint8Array(readFileSync(path(entry)))]),
  );
}

function assertView(run, view, name) {
  for (const key of keys) assert.deepEqual(run[key] ?? null, inCamel(view[key] ?? null), `${name}: ${key}`);
}

/** Problems of a run directory that concern its dates. */
const dates = ["clock-ahead", "clock-back", "no-zone"];

function assertCase(run, { case: name, run_id, view, source = {}, problems = [], notes = [] }) {
  assertView(run, view, name);
  if (run_id !== undefined) assert.equal(run.runId, run_id, name);
  for (const [key, word] of Object.entries(source)) assert.equal(run.source[camel(key)], word, `${name}: ${key}`);
  const found = run.problems ?? [];
  assert.equal(found.length, problems.length + notes.filter((note) => dates.includes(note)).length, `${name}: ${found}`);
  problems.forEach((problem, place) => assert.ok(found[place].startsWith(problem), `${name}: ${found[place]}`));
}

test("every status write of every captured life is seen as expected", () => {
  let seen = 0;
  for (const name of readdirSync(join(folder, "runs"))) {
    const writes = readLines(`vectors/conductor/runs/${name}/writes.ndjson`);
    for (const { after_seq, now, view } of readLines(`vectors/conductor/runs/${name}/expected.ndjson`)) {
      const files = fold(writes, after_seq ?? Infinity);
      const run = readConductorRun(files, { now: now ? moment(now) : 0 });
      assertView(run, view, `${name} after ${after_seq}`);
      seen += 1;
      if (seen % 5 || Object.keys(files).length < 2) continue;
      // The same files, recognised only by content.
      const list = Object.entries(files).map(([path, bytes]) => ({ name: path, bytes }));
      const found = inspect(list, { now: now ? moment(now) : 0 });
      assert.deepEqual([found.system, found.run], ["tnh-conductor", run], name);
    }
  }
  assert.equal(seen, 279);
});

test("the last route has the number of the next step's visit, and the first step has none", () => {
  const lastRoute = (name) =>
    readConductorRun(fold(readLines(`vectors/conductor/runs/${name}/writes.ndjson`), Infinity), { now: 0 }).lastRoute;
  assert.deepEqual(lastRoute("evaluate-partial-revision-loop"), { stepId: "assess", status: "success", nextStepId: "STOP", attempt: 1 });
  assert.equal(lastRoute("gate-orphaned"), null, "it stayed in its first step");
});

test("every damaged directory is read as a robust reader does", () => {
  for (const row of readLines("vectors/conductor/malformed/expected.ndjson")) {
    const place = join(folder, "malformed", row.case);
    const files = existsSync(place) ? filesUnder(place) : {};
    assertCase(readConductorRun(files, { now: moment(row.now), directory: row.directory }), row);
  }
});

for (const kind of ["valid", "invalid"]) {
  const rows = readLines(`vectors/conductor/${kind}/cases.ndjson`).filter(({ pasted = [] }) => pasted.length === 0);
  test(`${rows.length} own cases, ${kind}`, () => {
    for (const row of rows) {
      const read = () => readConductorRun(row.files ?? {}, { now: moment(row.now), directory: row.directory });
      if (row.error) {
        assert.throws(read, (error) => error instanceof Error && error.code === row.error, row.case);
      } else {
        assertCase(read(), row);
      }
    }
  });
}

test("one file is recognised by what it holds", () => {
  const status = '{"run_id":"20261121T204038Z","lifecycle_state":"running","updated_at":"2026-11-21T20:40:41Z"}';
  const found = inspect(status, { now: Date.parse("2026-11-21T20:40:42Z") });
  assert.deepEqual([found.system, found.recognised, found.run.runId], ["tnh-conductor", "conductor-run", "20261121T204038Z"]);
});

test("arguments that are not what their types say are refused with their place", () => {
  for (const [files, options, path] of [
    [undefined, { now: 0 }, "files"],
    [null, { now: 0 }, "files"],
    ["status.json", { now: 0 }, "files"],
    [[], { now: 0 }, "files"],
    [{ "status.json": 7 }, { now: 0 }, 'files["status.json"]'],
    [{ "status.json": new Date(0) }, { now: 0 }, 'files["status.json"]'],
    [{}, {}, "options.now"],
    [{}, undefined, "options"],
    [{}, 7, "options"],
    [{}, { now: "0" }, "options.now"],
    [{}, { now: 0, directory: 7 }, "options.directory"],
  ]) {
    assert.throws(
      () => readConductorRun(files, options),
      (error) => {
        assert.ok(error instanceof TypeError, `${path}: ${error}`);
        assert.deepEqual([error.code, error.position.path], ["INVALID_INPUT", path], error.message);
        return true;
      },
    );
  }
});
