// Deltas of ordinary objects are made without WebAssembly: where that answers, WebAssembly answers the same.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { packageFolder, readLines, runstate } from "./support.mjs";

const file = (name) => join(packageFolder, name);
const { applyHere, diffHere } = await import(pathToFileURL(file("delta.js")));
const tree = await import(pathToFileURL(file("runstate_tree.js")));
tree.initSync({ module: readFileSync(file("runstate_tree_bg.wasm")) });

const read = (kind, ...files) => files.flatMap((name) => readLines(`vectors/smithers/delta/${kind}/${name}.ndjson`));
const text = JSON.stringify;

/** What WebAssembly says; nothing where it refuses. */
function there(call) {
  try {
    return call();
  } catch (error) {
    assert.ok(["InvalidDelta", "INVALID_INPUT", "DIFFERENT_RUNS"].includes(error.code), String(error));
    return null;
  }
}

/** Checks one call both ways; answers whether the shortcut took it. */
function check(name, here, call) {
  const found = here();
  if (found === null) return false;
  const answer = there(call);
  assert.deepEqual(found, answer, name);
  // The order of keys as well.
  assert.equal(text(found), text(answer), name);
  return true;
}

const applied = (name, snapshot, delta) =>
  check(name, () => applyHere(snapshot, delta), () => tree.applyDelta(snapshot, delta));
const compared = (name, a, b) => check(name, () => diffHere(a, b), () => tree.diffSnapshots(a, b));

test("the vectors that are read are answered the same, nearly all of them by the shortcut", () => {
  let taken = 0;
  const deltas = read("valid", "cases", "random").filter(({ delta }) => text(JSON.parse(delta)) === delta);
  for (const { case: name, snapshot, delta } of deltas) taken += applied(name, snapshot, JSON.parse(delta));
  assert.ok(taken > deltas.length * 0.6, `${taken} of ${deltas.length}`);
  taken = 0;
  const pairs = read("valid", "diffs", "pairs");
  for (const { case: name, a, b, delta } of pairs) taken += compared(name, a, b) + applied(name, a, delta);
  assert.ok(taken > pairs.length * 1.8, `${taken} of ${pairs.length * 2}`);
});

test("nothing that is refused is taken", () => {
  let checked = 0;
  for (const { case: name, snapshot, delta } of read("invalid", "cases", "random")) {
    let value;
    try {
      value = JSON.parse(delta);
    } catch {
      continue;
    }
    if (text(value) !== delta) continue;
    assert.equal(applyHere(snapshot, value), null, name);
    checked += 1;
  }
  for (const { case: name, a, b } of read("invalid", "diffs")) {
    assert.equal(diffHere(a, b), null, name);
    checked += 1;
  }
  assert.ok(checked > 440, `${checked} were checked`);
});

/** Random numbers that are the same each time. */
function randomFrom(seed) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (count) => Math.floor(next() * count);
  return { below, pick: (items) => items[below(items.length)] };
}

const values = ["", "ü", "\ud83d\ude80", 0, 1.5, -3, 1e21, true, false, null, [], {}, [1, [null]], { b: 1, a: { c: [] } }, { 2: 1, 1: 2 }];
const strange = [undefined, NaN, -0, Infinity, () => 1, 1n, Symbol("s"), new Date(0), [, 1], Object.create({ x: 1 }), JSON.parse('{"__proto__":1}'), new Map(), { toJSON: () => 7 }];

/** A random tree, and a change of it. */
function made(seed, odd) {
  const { below, pick } = randomFrom(seed);
  let last = 0;
  const value = () => (odd && below(40) === 0 ? pick(strange) : pick(values));
  const props = () => Object.fromEntries(Array.from({ length: below(3) }, () => [pick(["id", "label", "x", "7"]), value()]));
  const task = () => ({ nodeId: pick(["a", "b"]), kind: pick(["agent", "static"]), ...(below(2) ? { state: "pending" } : {}), ...(odd && below(20) === 0 ? { attempt: value() } : {}) });
  const node = (depth) => {
    last += odd && below(60) === 0 ? 0 : 1;
    const more = below(4) ? {} : { [pick(["x", "7", "y"])]: value(), y: 1 };
    return { id: last, ...more, type: pick(["task", "sequence"]), name: pick(["n", "m"]), props: props(), ...(below(2) ? { task: task() } : {}), children: [], depth };
  };
  const grow = (above, budget) => {
    for (let left = budget; left > 0 && above.depth < 6; left -= 1) {
      const child = node(above.depth + 1);
      above.children.splice(below(above.children.length + 1), 0, child);
      grow(child, below(left));
    }
    return above;
  };
  const snapshot = (root, seq) => ({ version: 1, runId: "r", frameNo: seq, seq, root });
  const a = snapshot(grow(node(0), below(8)), 4);
  const b = structuredCloneOf(a);
  b.seq = b.frameNo = 5;
  const all = (from) => [from, ...from.children.flatMap(all)];
  for (let step = below(5); step > 0; step -= 1) {
    const target = pick(all(b.root));
    const change = below(7);
    if (change === 0) target.props = props();
    else if (change === 1) target.task = task();
    else if (change === 2) delete target.task;
    else if (change === 3) target.children.splice(below(target.children.length + 1), 0, grow(node(target.depth + 1), below(3)));
    else if (change === 4) target.children.splice(below(target.children.length + 1), 1);
    else if (change === 5) target.children.reverse();
    else target.name = "moved";
  }
  return [a, b];
}

/** A copy that keeps what `structuredClone` cannot take. */
function structuredCloneOf(value) {
  if (Array.isArray(value)) return value.map(structuredCloneOf);
  if (value === null || typeof value !== "object" || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, structuredCloneOf(part)]));
}

for (const [what, odd] of [["ordinary", false], ["strange", true]]) {
  test(`1500 ${what} random trees: the same steps, and the same snapshot after them`, () => {
    let taken = 0;
    for (let seed = 1; seed <= 1500; seed += 1) {
      const [a, b] = made(seed * 7919, odd);
      const before = text(structuredCloneOf(odd ? null : a));
      taken += compared(`diff ${seed}`, a, b);
      let delta;
      try {
        delta = tree.diffSnapshots(a, b);
      } catch (error) {
        assert.equal(error.code, "INVALID_INPUT");
        continue;
      }
      applied(`apply ${seed}`, a, delta);
      const { ops } = delta;
      // Not every start of the steps fits, nor every step by itself.
      for (const some of [ops.slice(1), ops.toReversed(), [...ops, ...ops]]) applied(`some ${seed}`, a, { ...delta, ops: some });
      if (!odd) assert.equal(text(a), before, "its argument was changed");
    }
    assert.ok(odd ? taken > 100 && taken < 1400 : taken === 1500, `${taken} of 1500 were taken`);
  });
}

test("what an object is besides its data is looked at as WebAssembly does", () => {
  const root = () => ({ id: 1, type: "task", name: "n", props: {}, children: [], depth: 0 });
  const snapshot = (more) => ({ version: 1, runId: "r", frameNo: 1, seq: 1, root: root(), ...more });
  const delta = (...ops) => ({ version: 1, baseSeq: 1, seq: 2, ops });
  class Root {
    constructor() {
      Object.assign(this, root());
    }
  }
  const ring = {};
  ring.self = ring;
  const deep = (levels) => Array.from({ length: levels }).reduce((inside) => [inside], 0);
  for (const [name, before, change] of [
    ["a class", snapshot({ root: new Root() }), delta()],
    ["a ring beside the tree", snapshot({ ring }), delta()],
    ["a ring in properties", snapshot({ root: { ...root(), props: ring } }), delta()],
    ["deep properties", snapshot({ root: { ...root(), props: { deep: deep(400) } } }), delta()],
    ["a state", snapshot({ runState: { runId: "r", computedAt: "t", state: "stale", unhealthy: { kind: 7 } } }), delta()],
    ["a getter that throws", snapshot({ root: { ...root(), get props() { throw new Error("no"); } } }), delta()],
    ["no name", snapshot({ root: { ...root(), name: undefined } }), delta()],
    ["a list as properties", snapshot(), delta({ op: "updateProps", id: 1, props: [] })],
    ["an inherited step", snapshot(), delta({ op: "toString", id: 1 })],
    ["a step of a class", snapshot(), delta(Object.create({ op: "updateProps", id: 1, props: {} }))],
    ["a list for a step's name", snapshot({ root: { ...root(), children: [{ ...root(), id: 2, depth: 1 }] } }), delta({ op: ["removeNode"], id: 2 })],
    ["a ring in what a step does not read", snapshot({ root: { ...root(), children: [{ ...root(), id: 2, depth: 1 }] } }), delta({ op: "removeNode", id: 2, node: ring })],
    ["no JSON in what a step does not read", snapshot(), delta({ op: "updateTask", id: 1, props: 1n })],
    ["an id that is there", snapshot(), delta({ op: "addNode", parentId: 1, index: 0, node: root() })],
  ]) {
    assert.equal(applyHere(before, change), null, name);
  }
  assert.equal(runstate.applyDelta(snapshot({ ours: [1] }), delta()).ours.length, 1);
});

test("a state that waits or ails is left to WebAssembly, the trees are not", () => {
  const root = { id: 1, type: "task", name: "n", props: {}, children: [], depth: 0 };
  const snapshot = (runState, seq) => ({ version: 1, runId: "r", frameNo: seq, seq, root: { ...root, props: { seq } }, runState });
  const state = (more) => ({ runId: "r", state: "waiting-approval", computedAt: "2026-01-01T00:00:00.000Z", ...more });
  const asked = [];
  const reads = (runState) => asked.push(runState) > 0;
  const blocked = state({ blocked: { kind: "approval", nodeId: "gate", requestedAt: "2026-01-01T00:00:00.000Z" } });
  const [a, b] = [snapshot(blocked, 1), snapshot(state(), 2)];
  assert.equal(text(diffHere(a, b, reads)), text(tree.diffSnapshots(a, b)));
  assert.deepEqual(asked, [blocked]);
  assert.equal(text(runstate.diffSnapshots(a, b)), text(tree.diffSnapshots(a, b)));
  const delta = runstate.diffSnapshots(a, b);
  assert.equal(text(applyHere(a, delta, reads)), text(tree.applyDelta(a, delta)));
  for (const refused of [state({ blocked: {} }), state({ unhealthy: { kind: 7 } }), state({ blocked: [] })]) {
    const before = snapshot(refused, 1);
    assert.equal(diffHere(before, b, () => { throw new Error("not read"); }), null);
    assert.throws(() => runstate.diffSnapshots(before, b), { code: "INVALID_INPUT" }, text(refused));
    assert.throws(() => runstate.diffSnapshots(b, before), { code: "INVALID_INPUT" }, text(refused));
    assert.throws(() => runstate.applyDelta(before, delta), { code: "INVALID_INPUT" }, text(refused));
  }
});

test("nothing of an argument is in the result", () => {
  const props = { list: [1] };
  const root = { id: 1, type: "task", name: "n", props, task: { nodeId: "a" }, children: [], depth: 0 };
  const snapshot = { version: 1, runId: "r", frameNo: 1, seq: 1, root };
  const change = { version: 1, baseSeq: 1, seq: 2, ops: [{ op: "updateTask", id: 1, task: { nodeId: "b" } }] };
  const after = runstate.applyDelta(snapshot, change);
  after.root.props.list.push(2);
  after.root.task.nodeId = "c";
  assert.deepEqual([props.list, root.task.nodeId, change.ops[0].task.nodeId], [[1], "a", "b"]);
  const delta = runstate.diffSnapshots(snapshot, { ...snapshot, seq: 2, root: { ...root, props: { list: [2] } } });
  delta.ops[0].props.list.push(3);
  assert.deepEqual(runstate.diffSnapshots(snapshot, { ...snapshot, root: { ...root, props } }).ops, []);
});

test("a difference of 500 nodes takes less than upstream's own test allows", () => {
  const leaf = (id) => ({ id, type: "task", name: `n${id}`, props: {}, task: { nodeId: `t${id}`, kind: "static", iteration: 0 }, children: [], depth: 1 });
  const wide = (value) => ({ ...leaf(1), depth: 0, children: Array.from({ length: 500 }, (_, place) => ({ ...leaf(place + 2), props: place < 10 ? { value } : {} })) });
  const [a, b] = ["old", "new"].map((value, seq) => ({ version: 1, runId: "r", frameNo: seq, seq, root: wide(value) }));
  const times = Array.from({ length: 60 }, () => {
    const begin = performance.now();
    assert.equal(runstate.diffSnapshots(a, b).ops.length, 10);
    return performance.now() - begin;
  }).sort((first, second) => first - second);
  // The middle one: a busy machine may hold up some of them. `cargo xtask bench diff` measures the slow ones.
  assert.ok(times[30] < 10, `${times[30]} ms`);
});
