// Every recorded vector of applyDelta and diffSnapshots through the built package, as objects and as text.
import assert from "node:assert/strict";
import { test } from "node:test";
import { readJson, readLines, runstate } from "./support.mjs";

const { InvalidDeltaError, Tree, applyDelta, diffSnapshots } = runstate;
const read = (kind, ...files) => files.flatMap((file) => readLines(`vectors/smithers/delta/${kind}/${file}.ndjson`));
const pairs = read("valid", "diffs", "pairs");
const fitting = read("valid", "cases", "random");
const refused = read("invalid", "cases", "random");
const apart = read("invalid", "diffs");

function thrownBy(call) {
  try {
    return { result: call() };
  } catch (error) {
    return { error };
  }
}

test(`${pairs.length} pairs have upstream's delta, and it makes one of the other`, () => {
  for (const { case: name, a, b, delta, header } of pairs) {
    const before = structuredClone(a);
    assert.equal(JSON.stringify(diffSnapshots(a, b)), JSON.stringify(delta), name);
    const { root, ...found } = applyDelta(a, delta);
    // With a duplicate id, upstream's steps produce another tree.
    if (name !== "id-twice") assert.deepEqual(root, b.root, name);
    if (header) assert.deepEqual(found, header, name);
    assert.deepEqual(a, before, `${name} changed its argument`);
  }
});

test(`${pairs.length} live trees end as the other snapshot`, () => {
  const encoder = new TextEncoder();
  for (const [place, { case: name, a, b, delta }] of pairs.entries()) {
    if (name === "id-twice") continue;
    const tree = new Tree(place % 2 ? JSON.stringify(a) : encoder.encode(JSON.stringify(a)));
    tree.apply(place % 3 ? JSON.stringify(delta) : encoder.encode(JSON.stringify(delta)).buffer);
    const { root, seq } = tree.snapshot();
    assert.deepEqual(root, b.root, name);
    assert.deepEqual(seq, b.seq, name);
    tree.free();
  }
});

/** The delta of a case as a value: some are not JSON, and some cannot be a value, such as those with a duplicate key. */
function value(delta) {
  try {
    const given = JSON.parse(delta);
    return JSON.stringify(given) === delta ? { delta: given } : null;
  } catch {
    return null;
  }
}

test(`${fitting.length} deltas that fit are applied, as objects and in a live tree`, () => {
  for (const { case: name, snapshot, delta, after } of fitting) {
    const before = structuredClone(snapshot);
    // The order of keys must match as well.
    assert.equal(JSON.stringify(applyDelta(snapshot, JSON.parse(delta))), JSON.stringify(after), name);
    assert.deepEqual(snapshot, before, `${name} changed its argument`);
    const tree = new Tree(JSON.stringify(snapshot));
    tree.apply(delta);
    assert.equal(JSON.stringify(tree.snapshot()), JSON.stringify(after), name);
    tree.free();
  }
});

test(`${refused.length} deltas are refused in upstream's words, and change nothing`, () => {
  let asObjects = 0;
  for (const { case: name, snapshot, delta, error: expected } of refused) {
    const before = structuredClone(snapshot);
    const tree = new Tree(JSON.stringify(snapshot));
    const calls = [() => tree.apply(delta)];
    const given = value(delta);
    if (given) calls.push(() => applyDelta(snapshot, given.delta));
    asObjects += given ? 1 : 0;
    for (const call of calls) {
      const { error } = thrownBy(call);
      assert.ok(error instanceof InvalidDeltaError, `${name}: ${error}`);
      assert.deepEqual([error.code, error.message], [expected.code, expected.message], name);
    }
    assert.deepEqual(snapshot, before, `${name} changed its argument`);
    assert.deepEqual(tree.snapshot().root, before.root, `${name} changed the tree`);
    tree.free();
  }
  assert.ok(asObjects > refused.length * 0.9, `${asObjects} as objects`);
});

test(`${apart.length} pairs without a difference are refused`, () => {
  for (const { case: name, a, b, error: expected } of apart) {
    const { error } = thrownBy(() => diffSnapshots(a, b));
    assert.ok(["DIFFERENT_RUNS", "INVALID_INPUT"].includes(error?.code), `${name}: ${error}`);
    assert.ok(error.message.endsWith(expected.message), `${name}: ${error.message}`);
  }
});

test("a case that upstream answers otherwise is of one class that says why, and no other case is", () => {
  const { classes } = readJson("vectors/smithers/delta/divergences.json");
  for (const file of ["cases", "random", "diffs"]) {
    const otherwise = read("invalid", file).filter(({ upstream }) => upstream !== "same");
    const listed = classes.flatMap(({ cases }) => cases[file] ?? []);
    assert.deepEqual(listed.toSorted(), otherwise.map(({ case: name }) => name).toSorted(), file);
  }
  for (const { class: name, reason } of classes) assert.ok(name && reason.length > 60, name);
});

const leaf = (id, nodeId, state) => ({
  id,
  type: "task",
  name: "task",
  props: { label: `the ${nodeId}` },
  task: { nodeId, kind: "agent", state, iteration: 0 },
  children: [],
  depth: 1,
});
const small = () => ({
  version: 1,
  runId: "r",
  frameNo: 3,
  seq: 3,
  root: {
    id: 1,
    type: "workflow",
    name: "workflow",
    props: {},
    children: [leaf(2, "build", "finished"), leaf(3, "test", "in-progress")],
    depth: 0,
  },
});
const delta = (ops, baseSeq = 3) => ({ version: 1, baseSeq, seq: 4, ops });

test("a snapshot keeps what else is in it", () => {
  const snapshot = { ...small(), runState: { runId: "r", computedAt: "t", state: "running" }, ours: 1 };
  const after = applyDelta(snapshot, delta([{ op: "removeNode", id: 2 }]));
  assert.deepEqual([after.ours, after.runState, after.frameNo], [1, snapshot.runState, 4]);
  assert.equal(after.root.children.length, 1);
});

test("what the contract does not name survives every step, in small and large trees", () => {
  const ops = [
    [{ op: "updateProps", id: 2, props: { label: "new" } }],
    [{ op: "updateTask", id: 3, task: { nodeId: "test" } }],
    [{ op: "addNode", parentId: 1, index: 0, node: { ...leaf(9000, "new", "pending"), extra: [1] } }],
    [{ op: "removeNode", id: 3 }],
  ];
  for (const siblings of [1, 50, 2000]) {
    const before = { ...small(), ours: { a: 1 }, runState: { runId: "r", computedAt: "t", state: "running", since: 7 } };
    before.root.children[0].extra = { a: 1 };
    for (let place = 0; place < siblings; place += 1) {
      before.root.children.push({ ...leaf(100 + place, `n${place}`, "pending"), extra: { place } });
    }
    for (const steps of ops) {
      const found = applyDelta(before, delta(steps));
      const tree = new Tree(JSON.stringify(before));
      tree.apply(JSON.stringify(delta(steps)));
      assert.equal(JSON.stringify(tree.snapshot()), JSON.stringify(found), steps[0].op);
      assert.deepEqual([found.ours, found.runState], [before.ours, before.runState]);
      const kept = found.root.children.filter(({ extra }) => extra !== undefined);
      assert.equal(kept.length, siblings + (steps[0].op === "addNode" ? 2 : 1), steps[0].op);
      tree.free();
    }
  }
});

test("an undefined task takes the task away", () => {
  const after = applyDelta(small(), delta([{ op: "updateTask", id: 2, task: undefined }]));
  assert.equal("task" in after.root.children[0], false);
});

test("an InvalidDeltaError is upstream's class", () => {
  const error = new InvalidDeltaError("no");
  assert.ok(error instanceof Error);
  assert.deepEqual([error.name, error.code, error.message], ["InvalidDeltaError", "InvalidDelta", "no"]);
});

test("rows are those that are visible", () => {
  const tree = new Tree(JSON.stringify(small()));
  assert.equal(tree.size, 3);
  const { total, rows } = tree.rows(1, 9);
  assert.equal(total, 3);
  assert.deepEqual(rows, [
    {
      id: 2,
      type: "task",
      name: "task",
      title: "build",
      nodeId: "build",
      label: "the build",
      state: "finished",
      iteration: 0,
      depth: 1,
      position: 1,
      setSize: 2,
      expandable: false,
      expanded: false,
    },
    {
      id: 3,
      type: "task",
      name: "task",
      title: "test",
      nodeId: "test",
      label: "the test",
      state: "in-progress",
      iteration: 0,
      depth: 1,
      position: 2,
      setSize: 2,
      expandable: false,
      expanded: false,
    },
  ]);
  const folded = tree.rows(0, 9, [1, 77]);
  for (const id of [0.5, 1.5, -0.5, NaN, Infinity]) {
    assert.deepEqual(tree.rows(0, 9, [id]), tree.rows(0, 9), `${id} is no node`);
    assert.equal(tree.node(id), undefined, String(id));
  }
  assert.deepEqual([folded.total, folded.rows.length, folded.rows[0].expanded], [1, 1, false]);
  assert.deepEqual(tree.rows(5, 2), { total: 3, rows: [] });
});

test("a node is found by its id, and knows what is around it", () => {
  const tree = new Tree(JSON.stringify(small()));
  const root = tree.node(1);
  assert.deepEqual([root.childIds, root.weight, root.parentId, root.rollup], [[2, 3], 3, undefined, "in-progress"]);
  assert.deepEqual([tree.node(3).parentId, tree.node(3).task.kind], [1, "agent"]);
  assert.equal(tree.node(99), undefined);
  assert.equal(tree.node(1.5), undefined);
});

test("a delta that is refused leaves the tree as it was", () => {
  const tree = new Tree(JSON.stringify(small()));
  const before = tree.snapshot();
  for (const [text, message] of [
    [
      delta([
        { op: "removeNode", id: 2 },
        { op: "removeNode", id: 77 },
      ]),
      "Unknown node id: 77",
    ],
    [delta([{ op: "removeNode", id: 2 }], 9), "Delta base seq 9 does not match snapshot seq 3."],
    [delta([{ op: "removeNode", id: 1 }]), "Cannot remove the root node."],
    [{ ...delta([]), version: 2 }, "Unsupported delta version: 2"],
  ]) {
    const { error } = thrownBy(() => tree.apply(JSON.stringify(text)));
    assert.ok(error instanceof InvalidDeltaError, message);
    assert.equal(error.message, message);
  }
  assert.ok(thrownBy(() => tree.apply("{oops")).error instanceof InvalidDeltaError);
  assert.deepEqual(tree.snapshot(), before);
});

test("arguments that are not what their types say are refused with their place", () => {
  const ring = small();
  ring.self = ring;
  const tree = new Tree(JSON.stringify(small()));
  for (const [call, path] of [
    [() => applyDelta(undefined, delta([])), "snapshot"],
    [() => applyDelta(null, delta([])), "snapshot"],
    [() => applyDelta({}, delta([])), "snapshot"],
    [() => applyDelta(ring, delta([])), "snapshot"],
    [() => applyDelta({ ...small(), version: 2 }, delta([])), "snapshot"],
    [() => applyDelta({ ...small(), seq: 1n }, delta([])), "snapshot"],
    [() => applyDelta(small(), undefined), "delta"],
    [() => applyDelta(small(), () => 1), "delta"],
    [() => diffSnapshots(small(), {}), "b"],
    [() => diffSnapshots([], small()), "a"],
    [() => new Tree(), "snapshot"],
    [() => new Tree({}), "snapshot"],
    [() => new Tree("{"), "snapshot"],
    [() => new Tree(new Uint8Array([0xff])), "snapshot"],
    [() => tree.apply(7), "delta"],
    [() => tree.rows("0", 1), "start"],
    [() => tree.rows(-1, 1), "start"],
    [() => tree.rows(0), "end"],
    [() => tree.rows(0, 1, 7), "collapsed"],
    [() => tree.rows(0, 1, ["1"]), "collapsed[0]"],
    [() => tree.node("1"), "id"],
  ]) {
    const { error } = thrownBy(call);
    assert.ok(error instanceof TypeError, `${path}: ${error}`);
    assert.deepEqual([error.code, error.position.path], ["INVALID_INPUT", path], error.message);
  }
  const { error } = thrownBy(() => new Tree('{"version":1,\n "runId" 7}'));
  assert.deepEqual(error.position, { line: 2, column: 10, path: "snapshot" });
  const other = thrownBy(() => diffSnapshots(small(), { ...small(), runId: "q" })).error;
  assert.deepEqual([other.code, other.message], ["DIFFERENT_RUNS", "Cannot diff snapshots from different runs."]);
});
