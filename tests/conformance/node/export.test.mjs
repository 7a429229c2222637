// The export through the built package: the same bytes, no secret, and the same content as its files.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { readBytes, readJson, runstate } from "./support.mjs";

const { exportRun, inspect } = runstate;
const cases = readJson("vectors/documents/valid/index.json");
const refused = readJson("vectors/documents/invalid/index.json");
const filesOf = (kind, { files }) => files.map((name) => ({ name, bytes: readBytes(`vectors/documents/${kind}/${name}`) }));

test(`${cases.length} documents are exported, and exporting an export changes nothing`, () => {
  for (const vector of cases) {
    const files = filesOf("valid", vector);
    const now = Date.parse(vector.now);
    const exported = exportRun(files, { now });
    assert.equal(exportRun(files, { now }), exported, vector.id);
    assert.equal(exportRun(exported, { now: now + 86_400_000 }), exported, vector.id);
    assert.equal(exportRun([{ bytes: new TextEncoder().encode(exported) }], { now: 0 }), exported, vector.id);
  }
});

test("an export says what its files say", () => {
  for (const vector of cases) {
    const now = Date.parse(vector.now);
    const files = filesOf("valid", vector);
    const [before, after] = [inspect(files, { now }), inspect(exportRun(files, { now }), { now })];
    assert.equal(after.system, before.system, vector.id);
    const states = ({ run, runs, session, sessions }) => ({
      run: run && [run.runId, run.state, run.verdict?.view?.state, run.verdict?.view?.blocked],
      runs: runs?.map(({ runId, state, verdict }) => [runId, state, verdict?.view?.state]),
      session: session && [session.sessionId, session.state, session.health],
      sessions: sessions?.map(({ sessionId, state }) => [sessionId, state]),
    });
    assert.deepEqual(states(after), states(before), vector.id);
  }
});

test("the header holds the version and the hash of the content as it is written", () => {
  const text = exportRun('{"runId":"r1","status":"running"}', { now: 1_700_000_000_000 });
  const header = /^\{"runstateExport":1,"hash":"sha256:([0-9a-f]{64})","content":(.*)\}\n$/s.exec(text);
  assert.ok(header, text);
  assert.equal(createHash("sha256").update(header[2]).digest("hex"), header[1]);
  assert.deepEqual(Object.keys(JSON.parse(header[2])), ["redacted", "thinned", "unread", "entries"]);
  assert.equal(JSON.parse(header[2]).entries[0].readAt, 1_700_000_000_000);
});

test("a content that was changed by hand is told when it is opened", () => {
  const text = exportRun('{"runId":"r1","status":"running"}', { now: 0 });
  assert.deepEqual(inspect(text, { now: 0 }).problems, []);
  assert.notDeepEqual(inspect(text.replace('"running"', '"finished"'), { now: 0 }).problems, []);
});

test("no token, no auth header, no path of the server and no named key is in it", () => {
  const secret = "s3cr3t-value";
  const row = {
    runId: "r1",
    status: "running",
    configJson: JSON.stringify({ token: secret, roles: [secret] }),
    workflowPath: `/${secret}`,
    auth: { scopes: [secret] },
    headers: { Authorization: `Bearer ${secret}`, "x-smithers-key": secret },
    note: `call with Bearer ${secret}, or ?token=${secret}&more`,
    errorJson: JSON.stringify({ message: "no", apiKey: secret }),
    output: `cannot open /srv/${secret}/run.db, C:\\${secret}\\run.db\nlogin: {"password": "${secret}"} secret="a ${secret}"`,
    Team_Name: secret,
  };
  const redact = ["team-name"];
  const text = exportRun(JSON.stringify(row), { now: 0, redact });
  assert.ok(!text.includes(secret), text);
  const { Team_Name, output } = JSON.parse(text).content.entries[0].json;
  assert.equal(Team_Name, "[redacted]");
  assert.match(output, /^cannot open \/srv\/\[redacted\]\/run\.db, C:\\\[redacted\]\\run\.db\nlogin: /);
  assert.ok(exportRun(JSON.stringify(row), { now: 0 }).includes(secret), "the team is a secret only when it is named");
  // Redacted values stay redacted without the list.
  assert.equal(exportRun(text, { now: 0 }), text);
});

test("heartbeats between the first and the last are left out, and those with a number stay", () => {
  const beat = (at, seq) => ({ type: "TaskHeartbeat", runId: "r", nodeId: "n", iteration: 0, attempt: 1, timestampMs: at, ...seq });
  const log = (...events) => events.map((event) => JSON.stringify(event)).join("\n");
  const start = { type: "RunStarted", runId: "r", timestampMs: 1 };
  const thin = JSON.parse(exportRun(log(start, beat(2), beat(3), beat(4)), { now: 9 })).content;
  assert.deepEqual([thin.thinned, thin.entries[0].lines.map(({ timestampMs }) => timestampMs)], [1, [1, 2, 4]]);
  const whole = JSON.parse(exportRun(log({ ...start, seq: 0 }, beat(2, { seq: 1 }), beat(3, { seq: 2 }), beat(4, { seq: 3 })), { now: 9 }));
  assert.deepEqual([whole.content.thinned, whole.content.entries[0].lines.length], [0, 4]);
});

test("what cannot be read is refused as inspect refuses it", () => {
  const refusal = (call) => {
    try {
      call();
    } catch ({ code, message, position, hint }) {
      return { code, message, position, hint };
    }
    return null;
  };
  for (const vector of refused) {
    const files = filesOf("invalid", vector);
    const now = Date.parse(vector.now);
    const found = refusal(() => exportRun(files, { now }));
    assert.equal(found?.code, vector.error.code, vector.id);
    assert.deepEqual(
      found,
      refusal(() => inspect(files, { now })),
      vector.id,
    );
  }
});

test("arguments that are not what their types say are refused with their place", () => {
  const run = '{"runId":"r1","status":"running"}';
  for (const [call, path] of [
    [() => exportRun(run), "options"],
    [() => exportRun(run, null), "options"],
    [() => exportRun(run, 7), "options"],
    [() => exportRun(run, {}), "options.now"],
    [() => exportRun(run, { now: "0" }), "options.now"],
    [() => exportRun(run, { now: NaN }), "options.now"],
    [() => exportRun(run, { now: Infinity }), "options.now"],
    [() => exportRun(run, { now: 0, name: 7 }), "options.name"],
    [() => exportRun(run, { now: 0, redact: "team" }), "options.redact"],
    [() => exportRun(run, { now: 0, redact: [7] }), "options.redact[0]"],
    [() => exportRun(run, { now: 0, redact: null }), "options.redact"],
    [() => exportRun(undefined, { now: 0 }), "document"],
    [() => exportRun(new Map(), { now: 0 }), "document"],
    [() => exportRun([{ bytes: 7 }], { now: 0 }), "document[0].bytes"],
    [() => exportRun([{ name: 7, bytes: run }], { now: 0 }), "document[0].name"],
  ]) {
    assert.throws(call, (error) => {
      assert.ok(error instanceof TypeError, `${path}: ${error}`);
      assert.deepEqual([error.code, error.position.path], ["INVALID_INPUT", path], error.message);
      return true;
    });
  }
});
