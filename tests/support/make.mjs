// Synthetic documents: snapshots of any shape, for cases that no recorded run contains.

/** A header as a Gateway writes it. */
export function view(runId, state, more = {}) {
  return { runId, computedAt: "2026-11-21T21:10:39.456Z", state, ...more };
}

/** A task node of a DevTools snapshot. */
export function task(id, nodeId, depth, more = {}) {
  return {
    id,
    type: "task",
    name: "task",
    props: { id: nodeId },
    task: { nodeId, kind: "static", iteration: 0, state: "finished", attempt: 1, ...more },
    children: [],
    depth,
  };
}

/** A structure node without a task. */
export function group(id, type, depth, children, props = {}) {
  return { id, type, name: type, props, children, depth };
}

/** A snapshot around `children` of the root. */
export function snapshot(runId, children, { state = "running", runState, name = "made", frameNo = 7 } = {}) {
  return {
    version: 1,
    runId,
    frameNo,
    seq: frameNo,
    root: group(1, "workflow", 0, children, { name }),
    runState: runState ?? view(runId, state),
  };
}

/** A snapshot whose tree is `levels` nodes deep, the root counted. */
export function deep(runId, levels) {
  let node = task(levels, "deepest", levels - 1);
  for (let level = levels - 1; level > 1; level--) node = group(level, "sequence", level - 1, [node]);
  return snapshot(runId, [node]);
}

/** A snapshot of about `count` nodes: groups of 100 tasks. */
export function wide(runId, count) {
  const groups = [];
  let id = 2;
  while (id <= count) {
    const tasks = [];
    const parent = id++;
    for (let i = 0; i < 99 && id <= count; i++) tasks.push(task(id, `task-${id++}`, 2));
    groups.push(group(parent, "parallel", 1, tasks));
  }
  return snapshot(runId, groups);
}

/** A snapshot of a run that failed, with `count` tasks that failed in groups of 100. */
export function allFailed(runId, count) {
  const groups = [];
  for (let start = 0; start < count; start += 100) {
    const tasks = Array.from({ length: Math.min(100, count - start) }, (_, index) =>
      task(100_000 + start + index, `task-${start + index}`, 2, { state: "failed" }),
    );
    groups.push(group(2 + start / 100, "parallel", 1, tasks));
  }
  return snapshot(runId, groups, { runState: view(runId, "failed") });
}

/** `count` rows of runs, the newest first: each tenth failed, and the others succeeded. */
export function manyRuns(count) {
  const row = (_, index) => ({
    runId: `run-${index}`,
    workflowName: "w",
    status: index % 10 === 0 ? "failed" : "finished",
    startedAtMs: 1.7e12 - index,
  });
  return Array.from({ length: count }, row);
}
