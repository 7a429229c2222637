// The inputs of the benchmarks, the same on each machine: run rows, trees with their deltas, and event logs.
import { closeSync, existsSync, openSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";

export const NOW = 1_795_300_000_000;
export const TREES = [100, 1_000, 10_000, 50_000];
const CHANGED = [500, 10_000];
export const LOGS = [100_000, 1_000_000];
const DELTAS = 1_000;
/** The expected maximum number of operations of a delta. */
const MANY = 100;
/** The number of related rows in a long list. */
const MANY_ROWS = 100_000;
/** Part of the file names: another version of this file writes new ones. */
const VERSION = 2;

/** Writes the missing inputs; `trees` and `logs` are the sizes of those that are wanted. */
export function writeInputs(folder, { trees = TREES, logs = LOGS } = {}) {
  const write = (name, make) => {
    const file = place(folder, name);
    if (!existsSync(file)) make(file);
  };
  write("rows", (file) => writeFileSync(file, rows(10_000)));
  for (const nodes of trees) {
    write(`tree-${nodes}`, (file) => writeFileSync(file, JSON.stringify(tree(nodes))));
    write(`deltas-${nodes}`, (file) => writeFileSync(file, deltas(nodes, DELTAS, 1)));
  }
  write("large-deltas-10000", (file) => writeFileSync(file, deltas(10_000, MANY, MANY)));
  write("tree-500", (file) => writeFileSync(file, JSON.stringify(tree(500))));
  for (const nodes of CHANGED) write(`changed-${nodes}`, (file) => writeFileSync(file, JSON.stringify(changed(tree(nodes)))));
  write("continued", (file) => writeFileSync(file, continued(MANY_ROWS)));
  write("artifacts", (file) => writeFileSync(file, artifacts(MANY_ROWS)));
  for (const events of logs) write(`log-${events}`, (file) => writeLog(file, events));
}

/** The path of an input. */
export const place = (folder, name) => join(folder, `${name}.v${VERSION}.txt`);

const STATUSES = ["running", "running", "running", "finished", "finished", "failed", "cancelled", "waiting-timer"];

/** `listRuns` as the Gateway answers it: rows including fields that do not affect the state. */
function rows(count) {
  const list = Array.from({ length: count }, (_, index) => {
    const status = STATUSES[index % STATUSES.length];
    const started = NOW - 60_000 - index;
    const ended = ["finished", "failed", "cancelled"].includes(status) ? started + 5_000 : null;
    return {
      runId: `run-${index}`,
      parentRunId: null,
      workflowName: "release-train",
      workflowPath: "./workflows/release-train.tsx",
      workflowHash: "9f1c2d3e4b5a69788796a5b4c3d2e1f0",
      status,
      createdAtMs: started - 40,
      startedAtMs: started,
      finishedAtMs: ended,
      heartbeatAtMs: ended ?? NOW - (index % 60) * 1_000,
      runtimeOwnerId: `pid:${4_000 + (index % 7)}:6b1f0d1e-aaaa-4bbb-8ccc-0123456789ab`,
      cancelRequestedAtMs: null,
      hijackRequestedAtMs: null,
      hijackTarget: null,
      vcsType: "git",
      vcsRoot: "/project",
      vcsRevision: "0f3a9c",
      errorJson: status === "failed" ? '{"message":"disk is full"}' : null,
      configJson: '{"rootDir":"/project","maxConcurrency":4}',
      workflowKey: "release-train",
    };
  });
  return JSON.stringify(list);
}

/** A chain of continued runs, a row per line: each run is the parent of the next one. */
function continued(count) {
  const lines = Array.from({ length: count }, (_, index) => {
    const created = NOW - (count - index) * 1_000;
    const row = { runId: `run-${index}`, parentRunId: index > 0 ? `run-${index - 1}` : null, workflowName: "watch", status: "continued" };
    return JSON.stringify({ ...row, createdAtMs: created, startedAtMs: created + 40, finishedAtMs: created + 900 });
  });
  return lines.join("\n");
}

/** The artifacts of one session of lionagi. */
function artifacts(count) {
  const list = Array.from({ length: count }, (_, index) => ({ session_id: "s-1", kind: "report", name: `report ${index}` }));
  return JSON.stringify({ artifacts: list });
}

/** A run with about √n groups of tasks. */
function tree(count) {
  let id = 1;
  const node = (type, depth, props, task) => ({ id: id++, type, name: type, props, ...(task && { task }), children: [], depth });
  const root = node("workflow", 0, { name: "wide" });
  const groups = Math.max(1, Math.round(Math.sqrt(count)));
  for (let group = 0; id <= count; group++) {
    const parallel = node("parallel", 1, { id: `g${group}`, label: `Group ${group}` });
    root.children.push(parallel);
    for (let index = 0; index < Math.ceil((count - 1) / groups) - 1 && id <= count; index++) {
      const [nodeId, label] = [`t-${group}-${index}`, `Task ${group}.${index}`];
      const task = { nodeId, kind: "compute", label, iteration: 0, state: "pending", attempt: 0 };
      parallel.children.push(node("task", 2, { id: nodeId, label, waitAsync: false }, task));
    }
  }
  return { version: 1, runId: "run-a", frameNo: 10, seq: 10, root };
}

const tasksOf = (snapshot) => snapshot.root.children.flatMap((group) => group.children);

/** `count` deltas of `size` operations. Of twenty operations 16 change a task, two its props, one adds a node and one removes that again. */
function deltas(nodes, count, size) {
  const change = changes(tree(nodes));
  const lines = Array.from({ length: count }, (_, line) => {
    const ops = Array.from({ length: size }, (_, op) => change(line * size + op));
    return JSON.stringify({ version: 1, baseSeq: 10 + line, seq: 11 + line, ops });
  });
  return lines.join("\n");
}

function changes(snapshot) {
  const tasks = tasksOf(snapshot);
  const parent = snapshot.root.children.at(-1);
  return (number) => {
    const at = tasks[(number * 7919) % tasks.length];
    const added = 10_000_000 + number - (number % 20 === 19 ? 1 : 0);
    switch (number % 20) {
      case 16:
        return { op: "updateProps", id: at.id, props: { ...at.props, label: `Round ${number}` } };
      case 17:
        return { op: "updateProps", id: at.id, props: { ...at.props, until: [number, null, true] } };
      case 18:
        return { op: "addNode", parentId: parent.id, index: 0, node: { ...at, id: added, children: [] } };
      case 19:
        return { op: "removeNode", id: added };
      default:
        return {
          op: "updateTask",
          id: at.id,
          task: { ...at.task, state: number % 3 ? "in-progress" : "finished", attempt: 1 + (number % 4) },
        };
    }
  };
}

/** The same tree a little later: one task in a hundred has another state, one group is removed, one node is new. */
function changed(snapshot) {
  snapshot.frameNo = snapshot.seq = 11;
  tasksOf(snapshot).forEach((task, index) => {
    if (index % 100 === 99) Object.assign(task.task, { state: "finished", attempt: 1 });
  });
  snapshot.root.children.splice(3, 1);
  const first = snapshot.root.children[0];
  first.children.push({ ...first.children[0], id: 10_000_000, children: [] });
  return snapshot;
}

/** A run whose nodes start, send heartbeats, call a tool, write output, use tokens and end; one in fifty fails and is retried. */
function* events() {
  let at = NOW - 3_600_000;
  let frame = 0;
  const about = (type, more, correlation) => ({
    type,
    runId: "run-a",
    ...more,
    timestampMs: (at += 3),
    correlation: { runId: "run-a", workflowName: "approval", ...correlation },
  });
  yield about("RunStarted");
  for (let index = 0; ; index++) {
    const node = { nodeId: `task-${index % 5_000}`, iteration: Math.floor(index / 5_000) };
    const of = (type, attempt, more) => about(type, { ...node, attempt, ...more }, { ...node, attempt });
    const attempts = index % 50 === 0 ? 2 : 1;
    yield about("NodePending", node, node);
    for (let attempt = 1; attempt <= attempts; attempt++) {
      yield of("NodeStarted", attempt);
      for (let beat = 0; beat < 3; beat++) yield of("TaskHeartbeat", attempt, { hasData: false, dataSizeBytes: 0 });
      yield of("ToolCallStarted", attempt, { toolName: "bash", seq: 1 });
      yield of("ToolCallFinished", attempt, { toolName: "bash", seq: 1, status: "success" });
      yield of("NodeOutput", attempt, { text: `line ${index} of an agent\n`, stream: "stdout" });
      yield of("TokenUsageReported", attempt, { model: "m-1", agent: "writer", inputTokens: 900 + (index % 90), outputTokens: 120 });
      if (attempt < attempts) {
        yield of("NodeFailed", attempt, { error: { message: "disk is full" } });
        yield of("NodeRetrying", attempt + 1);
      } else {
        yield of("NodeFinished", attempt);
      }
    }
    yield about("FrameCommitted", { frameNo: ++frame, xmlHash: `bf9d66fc4f5ed56fa2b179a82167e8e6d4110f71d48993770e2756e1${frame}` });
    yield about("SnapshotCaptured", { frameNo: frame, contentHash: `94d5f6469656f61bb21489eb2176af2261f9822e6a96a1bc0db2b818${frame}` });
  }
}

function writeLog(name, count) {
  const file = openSync(name, "w");
  let lines = [];
  let written = 0;
  for (const event of events()) {
    lines.push(JSON.stringify(event), "\n");
    written += 1;
    if (written % 10_000 === 0 || written === count) {
      writeSync(file, lines.join(""));
      lines = [];
    }
    if (written === count) break;
  }
  closeSync(file);
}
