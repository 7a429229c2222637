// The frames of a recorded run in the built package, and its refusals.
import assert from "node:assert/strict";
import { test } from "node:test";
import { runstate } from "./support.mjs";

const { History } = runstate;
const task = (state, attempt = 1) => ({ nodeId: "build", kind: "agent", state, attempt });
const snapshot = (number, state) =>
  JSON.stringify({
    version: 1,
    runId: "r",
    frameNo: number,
    seq: number,
    root: { id: 1, type: "task", name: "task", task: task(state), children: [], depth: 0 },
  });
const delta = (base, state) =>
  JSON.stringify({ version: 1, baseSeq: base, seq: base + 1, ops: [{ op: "updateTask", id: 1, task: task(state) }] });

test("frames of the stream keep the states of their time", () => {
  const history = new History();
  assert.deepEqual(history.pushSnapshot(snapshot(1, "in-progress"), 1000), { kind: "forward" });
  assert.deepEqual(history.pushDelta(delta(1, "finished"), 2000), { kind: "forward" });
  assert.deepEqual(history.pushDelta(delta(0, "failed"), 3000), { kind: "old" });
  assert.deepEqual([...history.frames()], [1, 2]);
  assert.deepEqual(history.frame(1), {
    number: 1,
    atMs: 1000,
    streamed: true,
    statesNotKnown: 0,
    nodes: [{ id: 1, title: "build", depth: 0, state: "in-progress", attempt: 1, saidBy: "stream", known: true }],
  });
  assert.deepEqual(history.diff(1, 2), { from: 1, to: 2, changes: [{ id: 1, title: "build", sentence: '"build" finished.' }] });
  assert.deepEqual(history.pushSnapshot(snapshot(1, "pending"), 4000), { kind: "rewound", from: 2 });
  assert.ok(
    history.milestones().some(({ frame, atMs, sentence }) => frame === 1 && atMs === 4000 && /taken back from frame 2/.test(sentence)),
  );
  history.free();
});

test("the states of a frame that was asked for later are those that events said at its time", () => {
  const history = new History();
  history.pushFrame(snapshot(3, "finished"));
  const [node] = history.frame(3).nodes;
  assert.deepEqual(node, { id: 1, title: "build", depth: 0, known: false });
  assert.equal(history.frame(3).statesNotKnown, 1);
  history.pushSnapshot(snapshot(4, "finished"), 9000);
  assert.match(history.diff(3, 4).caveat, /^The state of 1 node is not known/);
});

test("what is no frame, delta or event is refused, and changes nothing", () => {
  const history = new History();
  history.pushSnapshot(snapshot(1, "pending"), 0);
  for (const [call, code] of [
    [() => history.frame(7), "NO_FRAME"],
    [() => history.diff(1, 7), "NO_FRAME"],
    [() => history.pushSnapshot("{", 0), "INVALID_INPUT"],
    [() => history.pushSnapshot(snapshot(2, "pending")), "INVALID_INPUT"],
    [() => history.pushDelta(delta(5, "failed"), 0), "InvalidDelta"],
    [() => history.pushFrame(7), "INVALID_INPUT"],
    [() => history.pushEvent("{}"), "INVALID_INPUT"],
    [() => history.frame("1"), "INVALID_INPUT"],
  ]) {
    assert.throws(call, (error) => error.code === code && error.message.length > 10, `${call}`);
  }
  assert.deepEqual([...history.frames()], [1]);
});
