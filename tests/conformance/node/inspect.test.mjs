// Recorded documents through the built package, compared with their own content; and documents to refuse.
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { readBytes, readText, runstate, testsFolder } from "./support.mjs";

const { inspect } = runstate;
const now = 1_795_296_600_000;
const folder = "vectors/smithers/captures";

const captures = readdirSync(`${testsFolder}/${folder}`, { recursive: true })
  .map((name) => name.replaceAll("\\", "/"))
  .filter((name) => name.endsWith(".json"))
  .sort();

/** The payload inside the recorded exchange and the envelope. */
function unwrapped(document) {
  const body = document.response?.body ?? document;
  return body.payload ?? body.data ?? body;
}

const nodesIn = (node) => 1 + node.children.reduce((sum, child) => sum + nodesIn(child), 0);

function checkTree(found, said) {
  assert.equal(found.id, said.id);
  assert.equal(found.type, said.type);
  assert.equal(found.name, said.name);
  assert.deepEqual(found.props, said.props ?? {});
  assert.equal(found.state, said.task?.state);
  assert.equal(found.children.length, said.children.length);
  said.children.forEach((child, index) => checkTree(found.children[index], child));
}

test("every recorded snapshot, run and list reads as what it says", () => {
  const counts = {};
  for (const name of captures) {
    let found;
    try {
      found = inspect(readBytes(`${folder}/${name}`), { name, now });
    } catch (error) {
      assert.equal(error.code, "NOT_RECOGNISED", name);
      continue;
    }
    const payload = unwrapped(JSON.parse(readText(`${folder}/${name}`)));
    counts[found.recognised] = (counts[found.recognised] ?? 0) + 1;
    assert.deepEqual(found.problems, [], name);
    if (payload.runState) {
      assert.equal(found.run.verdict.source, "said", name);
      assert.equal(JSON.stringify(found.run.verdict.view), JSON.stringify(payload.runState), name);
      assert.ok(found.run.verdict.evidence.inputs.length > 0, name);
    }
    if (found.recognised === "snapshot") {
      assert.equal(found.run.runId, payload.runId, name);
      assert.deepEqual([found.run.frameNo, found.run.seq], [payload.frameNo, payload.seq], name);
      assert.ok(nodesIn(found.run.tree) >= 1);
      checkTree(found.run.tree, payload.root);
    }
    if (found.recognised === "run") {
      assert.equal(found.run.startedAtMs, payload.startedAtMs ?? undefined, name);
      assert.deepEqual(found.run.summary, payload.summary ?? {}, name);
    }
    if (found.recognised === "run-list") {
      assert.deepEqual(
        found.runs.map((run) => run.runId),
        payload.map((row) => row.runId),
        name,
      );
      assert.ok(
        found.runs.every((run) => run.verdict.source === "derived" && run.verdict.view.state),
        name,
      );
    }
    if (found.recognised === "error-response") assert.ok(found.refusal.code && !("run" in found), name);
  }
  for (const recognised of ["snapshot", "run", "run-list", "inspect-output", "error-response"]) {
    assert.ok(counts[recognised] > 0, `no capture was a ${recognised}: ${JSON.stringify(counts)}`);
  }
});

test("text, bytes, a view into bytes and a buffer read the same", () => {
  const text = readText(`${folder}/cli/inspect-timer-a.json`);
  const bytes = new TextEncoder().encode(text);
  const wider = new Uint8Array(bytes.length + 10).fill(0x21);
  wider.set(bytes, 5);
  const expected = inspect(text, { now });
  assert.equal(expected.recognised, "inspect-output");
  for (const same of [bytes, Buffer.from(text), wider.subarray(5, 5 + bytes.length), bytes.buffer, `\ufeff${text}`]) {
    assert.deepEqual(inspect(same, { now }), expected);
  }
});

test("a row is derived at the moment that is given, else at the clock's", () => {
  const row = (heartbeatAtMs) => JSON.stringify({ runId: "r", status: "running", heartbeatAtMs, runtimeOwnerId: null });
  assert.equal(inspect(row(now - 30_000), { now }).run.verdict.view.state, "running");
  const late = inspect(row(now - 30_001), { now }).run.verdict;
  assert.equal(late.view.state, "orphaned");
  assert.equal(late.evidence.readAtMs, now);
  assert.deepEqual(
    late.evidence.inputs.find((input) => input.name === "engine heartbeat"),
    {
      name: "engine heartbeat",
      kind: "time",
      value: now - 30_001,
      atMs: now - 30_001,
      limitMs: 30_000,
      decisive: true,
    },
  );
  assert.equal(inspect(row(Date.now())).run.verdict.view.state, "running");
});

test("words and reasons that are not known come back as they were", () => {
  const view = {
    runId: "r",
    computedAt: "2023-11-14T22:13:20.000Z",
    state: "hibernating",
    blocked: { kind: "moon", phase: [1, { a: null }] },
    unhealthy: { kind: "fog", __proto__x: 1 },
  };
  const found = inspect(JSON.stringify(view));
  assert.equal(JSON.stringify(found.run.verdict.view), JSON.stringify(view));
});

test("what cannot be read is an Error with a code, a sentence and a place", () => {
  const deep = `${"[".repeat(5000)}${"]".repeat(5000)}`;
  const refusals = [
    ["", "EMPTY_INPUT"],
    [" \n\t", "EMPTY_INPUT"],
    ["\ufeff", "EMPTY_INPUT"],
    ['{"runId": oops}', "NOT_JSON", { line: 1, column: 11, path: "runId" }],
    ['{\n "runId": "r",\n "state" "x"\n}', "NOT_JSON", { line: 3 }],
    ['{"runId":"r","computedAt":"t"', "NOT_JSON", { line: 1 }],
    ["hello", "NOT_JSON"],
    ["PK\u0003\u0004", "NOT_JSON"],
    [new Uint8Array([0x7b, 0xff, 0x7d]), "INVALID_UTF8", { line: 1, column: 2 }],
    ["7", "NOT_RECOGNISED"],
    ["{}", "NOT_RECOGNISED"],
    ["[1]", "NOT_RECOGNISED"],
    ['{"hello":"world"}', "NOT_RECOGNISED"],
    [`{"runId":"r","x":${deep}}`, "TOO_DEEP", { line: 1 }],
    ['{"runId":7,"computedAt":"t","state":"running"}', "INVALID_INPUT", { path: "runId" }],
    ['{"runId":"r","computedAt":"t","state":5}', "INVALID_INPUT", { path: "state" }],
    ['{"runId":"r","computedAt":"t","state":"x","state":"y"}', "INVALID_INPUT", { path: "state" }],
  ];
  for (const [document, code, position] of refusals) {
    let error = null;
    try {
      inspect(document, { now });
    } catch (thrown) {
      error = thrown;
    }
    assert.ok(error instanceof Error, `${String(document).slice(0, 40)} was read`);
    assert.equal(error.code, code, `${String(document).slice(0, 40)}: ${error.message}`);
    assert.ok(error.message.length > 10);
    for (const [key, value] of Object.entries(position ?? {})) {
      assert.deepEqual(error.position?.[key], value, `${String(document).slice(0, 40)}: ${JSON.stringify(error.position)}`);
    }
  }
});

test("a tree 256 levels deep is read, a deeper one refused", () => {
  const snapshot = (levels) => {
    const open = '{"id":1,"type":"sequence","name":"s","children":['.repeat(levels);
    const root = `${open}{"id":2,"type":"task","name":"t"}${"]}".repeat(levels)}`;
    return `{"version":1,"runId":"r","frameNo":1,"seq":1,"root":${root}}`;
  };
  assert.equal(nodesIn(inspect(snapshot(256)).run.tree), 257);
  assert.throws(
    () => inspect(snapshot(300)),
    (error) => error.code === "TOO_DEEP" || error.code === "INVALID_INPUT",
  );
});

test("arguments that are not what their types say are refused", () => {
  for (const document of [undefined, null, 7, new Map(), [], new Date(0), Symbol("x")]) {
    assert.throws(
      () => inspect(document),
      (error) => error.code === "INVALID_INPUT" && error.position.path === "document",
    );
  }
  for (const [options, path] of [
    [{ now: "x" }, "options.now"],
    [{ now: null }, "options.now"],
    [{ name: 7 }, "options.name"],
  ]) {
    assert.throws(
      () => inspect("{}", options),
      (error) => error.code === "INVALID_INPUT" && error.position.path === path,
    );
  }
});
