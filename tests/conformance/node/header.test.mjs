// The panel's header for every valid document of the three systems.
import assert from "node:assert/strict";
import { test } from "node:test";
import { readBytes, readJson, runstate } from "./support.mjs";

const { header, inspect } = runstate;
const documents = readJson("vectors/documents/valid/index.json");
const filesOf = ({ files }) => files.map((name) => ({ name, bytes: readBytes(`vectors/documents/valid/${name}`) }));

test(`${documents.length} documents have the header of their inspection`, () => {
  const seen = new Set();
  for (const document of documents) {
    const [files, now] = [filesOf(document), Date.parse(document.now)];
    const inspection = inspect(files, { now });
    const found = header(files, { now });
    assert.deepEqual(header(inspection), found, document.id);
    assert.deepEqual(header(inspection, { now }), found, document.id);
    if (document.run) assert.ok(found, document.id);
    if (!found) continue;
    seen.add(inspection.system);
    const inspected = inspection.session ?? inspection.run;
    if (inspected && "state" in inspected) assert.equal(found.state ?? null, inspected.state, document.id);
    assert.equal(typeof found.answer.sentence, "string", document.id);
    assert.equal(Object.getPrototypeOf(found), Object.prototype, document.id);
    if (inspection.system === "smithers" && inspection.run) {
      const { answer, verdict, runId } = inspection.run;
      assert.deepEqual([found.answer, found.state], [answer, verdict.view?.state], document.id);
      assert.equal(found.fields.find(({ field }) => field === "runId")?.text, runId, document.id);
    }
  }
  assert.deepEqual([...seen].sort(), ["lionagi", "smithers", "tnh-conductor"]);
});

test("a misspelt field is a problem of the header, too, and changes nothing else", () => {
  const run = { runId: "r", status: "finished", startedAtMs: 1_795_296_000_000 };
  const { problems, ...plain } = header(run, { now: 0 });
  assert.deepEqual(problems, []);
  const { problems: found, ...other } = header({ ...run, finishedAtMS: 1_795_296_600_000 }, { now: 0 });
  assert.deepEqual(found, ["Line 1, column 62: `finishedAtMS` is not a field of a run; did you mean `finishedAtMs`?"]);
  assert.deepEqual(other, plain);
});

test("the header of an inspection is that of the bytes that were inspected", () => {
  const bytes = new TextEncoder().encode('{"runId":"r1","status":"failed"}');
  const inspection = inspect(bytes, { now: 0 });
  const before = header(inspection);
  bytes.fill(0);
  assert.deepEqual(header(inspection), before);
  const files = [{ bytes: '{"runId":"r1","status":"failed"}' }];
  const list = inspect(files, { now: 0 });
  files[0].bytes = "{";
  files.length = 0;
  assert.deepEqual(header(list), before);
  const options = { now: 0, live: true };
  const live = inspect('{"runId":"r1","status":"paused"}', options);
  options.live = false;
  assert.equal(header(live).answer.sentence, "Paused. Nothing runs until it is resumed.");
  assert.equal(header(live, { live: false }).answer.sentence, "Was paused.");
});

test("the headers of 10 000 rows take one reading of the list", () => {
  const rows = Array.from({ length: 10_000 }, (_, index) => ({ runId: `run-${index}`, status: "failed" }));
  const list = inspect(JSON.stringify(rows), { now: 0 });
  const begin = performance.now();
  for (let index = 0; index < 100; index += 1) assert.equal(header(list, { run: `run-${index * 100}` }).state, "failed");
  const took = performance.now() - begin;
  const reading = performance.now();
  inspect(JSON.stringify(rows), { now: 0 });
  assert.ok(took < 10 * (performance.now() - reading), `${took} ms`);
});

test("a run of a list is named by its id", () => {
  const rows = [
    { runId: "a", status: "failed" },
    { runId: "b", status: "paused" },
  ];
  const list = inspect(JSON.stringify(rows), { now: 0, live: true });
  assert.equal(header(list), undefined);
  assert.equal(header(list, { run: "b" }).answer.sentence, list.runs[1].answer.sentence);
  assert.equal(header(list, { run: "b", live: false }).answer.sentence, "Was paused.");
  assert.equal(header(JSON.stringify(rows[0]), { run: "a" }).state, "failed");
  for (const document of [list, JSON.stringify(rows[0])]) {
    assert.throws(() => header(document, { run: "c" }), { code: "RUN_NOT_FOUND", message: "Run not found: c" });
  }
  const sessions = '[{"session_id":"s1","status":"running"},{"session_id":"s2","status":"failed"}]';
  assert.equal(header(sessions, { run: "s2" }).state, "failed");
});

test("a run of each system has state, sentence, evidence and fields", () => {
  for (const [document, state, id] of [
    ['{"runId":"r1","status":"failed"}', "failed", "runId"],
    ['{"session_id":"s1","status":"failed"}', "failed", "sessionId"],
    ['{"run_id":"20261121T204038Z","lifecycle_state":"completed"}', undefined, "runId"],
  ]) {
    const found = header(document, { now: Date.parse("2026-11-21T20:40:42Z") });
    if (state) assert.equal(found.state, state);
    assert.ok(found.answer.sentence.endsWith("."), found.answer.sentence);
    assert.ok(found.answer.pill.label && found.evidence.length > 0 && found.freshness.label, document);
    assert.ok(
      found.fields.some(({ field }) => field === id),
      JSON.stringify(found.fields),
    );
  }
});

test("arguments that are not what their types say are refused with their place", () => {
  for (const [document, options, path] of [
    [undefined, {}, "document"],
    [Promise.resolve("{}"), {}, "document"],
    ["{}", { run: 7 }, "options.run"],
    ["{}", { now: "x" }, "options.now"],
    ["{}", [], "options"],
  ]) {
    assert.throws(
      () => header(document, options),
      ({ code, position }) => code === "INVALID_INPUT" && position.path === path,
    );
  }
});
