// The document vectors through the built package: valid ones match their index, and refusals have positions.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { packageFolder, readBytes, readJson, runstate } from "./support.mjs";

const { inspect } = runstate;
const cases = (kind) => readJson(`vectors/documents/${kind}/index.json`);
const open = (kind, { files, now }) =>
  inspect(
    files.map((name) => ({ name, bytes: readBytes(`vectors/documents/${kind}/${name}`) })),
    { now: Date.parse(now) },
  );

const nodes = (tree) => (tree ? [tree, ...tree.children.flatMap(nodes)] : []);

/** The run in view, in the terms of the index. */
function inView({ system, run, session }) {
  if (system === "lionagi") return session && { sessionId: session.sessionId, state: session.state };
  if (system === "tnh-conductor") return run && { runId: run.runId, state: run.state };
  if (!run) return undefined;
  const { view } = run.verdict;
  const all = nodes(run.tree);
  return {
    runId: run.runId,
    state: view?.state,
    blocked: view?.blocked?.kind,
    frameNo: run.frameNo,
    nodes: all.length,
    nodeStates: Object.fromEntries(all.map(({ nodeId, state }) => [nodeId, state])),
  };
}

test("every valid case opens as its index says", () => {
  const wrong = [];
  for (const vector of cases("valid")) {
    try {
      const found = open("valid", vector);
      assert.equal(found.recognised, vector.recognised);
      assert.equal(found.refusal?.code, vector.refusal);
      assert.equal(found.problems.length, vector.problems.length, found.problems.join("\n"));
      vector.problems.forEach((begin, place) => assert.ok(found.problems[place].startsWith(begin), found.problems[place]));
      const seen = inView(found);
      assert.equal(seen !== undefined, vector.run !== undefined, "a run in view");
      const { nodeStates = {}, ...run } = vector.run ?? {};
      for (const [key, value] of Object.entries(run)) assert.equal(seen[key], value, key);
      for (const [id, state] of Object.entries(nodeStates)) assert.equal(seen.nodeStates[id], state, id);
    } catch (error) {
      wrong.push(`${vector.id}: ${error.message}`);
    }
  }
  assert.deepEqual(wrong, []);
});

test("every invalid case is refused with its code and its place", () => {
  for (const vector of cases("invalid")) {
    assert.throws(
      () => open("invalid", vector),
      ({ code, position }) => {
        assert.deepEqual([code, position?.line, position?.column], [vector.error.code, vector.error.line, vector.error.column], vector.id);
        return true;
      },
    );
  }
});

test("the types name everything that a document can turn out to be", () => {
  const types = readFileSync(join(packageFolder, "runstate.d.ts"), "utf8");
  for (const { recognised } of cases("valid")) assert.ok(types.includes(`"${recognised}"`), recognised);
});

test("the plays and shows of lionagi are there", () => {
  const plays = inspect('[{"id":"play:demo:api","topic":"demo","play_name":"api","status":"gated","feedback":"look","started_at":1.5}]');
  assert.deepEqual([plays.recognised, plays.sessions, plays.plays.length], ["play-list", [], 1]);
  const { topic, name, status, feedback, startedAtMs, sessionId } = plays.plays[0];
  assert.deepEqual([topic, name, status, feedback, startedAtMs, sessionId], ["demo", "api", "gated", "look", 1500, undefined]);
});
