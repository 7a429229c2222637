// The other side: the released functions, and for events, which no released function folds, plain code with JSON.parse.
import { readFileSync } from "node:fs";

import { NOW, place } from "./inputs.mjs";

/** The cases in JavaScript. Each returns a function that prepares a round; the function that it returns is measured. */
export function javascript(upstream, folder) {
  const text = (name) => readFileSync(place(folder, name), "utf8");
  return {
    rows: () => {
      const list = readFileSync(place(folder, "rows"));
      // The default asks the operating system about each process, which is impossible in a browser and not done by
      // Runstate.
      const isOwnerPidAlive = () => true;
      return () => {
        const views = JSON.parse(list.toString()).map((run) => upstream.deriveRunState({ run, now: NOW, isOwnerPidAlive }));
        return { answer: counted(views.map((view) => view.state)) };
      };
    },
    stream: () => {
      const [snapshot, lines] = [text("tree-10000"), text("deltas-10000").split("\n")];
      return () => {
        let tree = JSON.parse(snapshot);
        for (const line of lines) tree = upstream.applyDelta(tree, JSON.parse(line));
        return { answer: () => hashed(JSON.stringify(tree)) };
      };
    },
    // Few, because at 50 000 nodes each takes a tenth of a second.
    delta: (nodes) => applied(text(`tree-${nodes}`), text(`deltas-${nodes}`), 20),
    "large-delta": (nodes) => applied(text(`tree-${nodes}`), text(`large-deltas-${nodes}`), 5),
    apply: (nodes) => {
      const [snapshot, delta] = [JSON.parse(text(`tree-${nodes}`)), JSON.parse(text(`deltas-${nodes}`).split("\n")[0])];
      return () => ({ answer: upstream.applyDelta(snapshot, delta).seq });
    },
    diff: (nodes) => {
      const [before, after] = [`tree-${nodes}`, `changed-${nodes}`].map((name) => JSON.parse(text(name)));
      return () => ({ answer: upstream.diffSnapshots(before, after).ops.length });
    },
    "diff-slow": (nodes) => {
      const [before, after] = [`tree-${nodes}`, `changed-${nodes}`].map((name) => JSON.parse(text(name)));
      return () => slow(() => upstream.diffSnapshots(before, after).ops.length);
    },
    events: (count) => {
      const bytes = readFileSync(place(folder, `log-${count}`));
      return () => {
        const log = readLog(bytes);
        return { answer: () => counted([...log.nodes.values()].map((node) => node.state)) };
      };
    },
    first: (count) => {
      const bytes = readFileSync(place(folder, `log-${count}`)).subarray(0, 256 * 1024);
      const lines = bytes.subarray(0, bytes.lastIndexOf("\n"));
      return () => ({ answer: readLog(lines).run });
    },
    memory: (count) => held(readFileSync(place(folder, `log-${count}`))),
    "memory-with-text": (count) => held(readFileSync(place(folder, `log-${count}`))),
  };

  function applied(snapshot, deltas, count) {
    const [start, lines] = [JSON.parse(snapshot), deltas.split("\n").slice(0, count)];
    return () => {
      let tree = start;
      for (const line of lines) tree = upstream.applyDelta(tree, JSON.parse(line));
      return { times: lines.length, answer: tree.seq > start.seq };
    };
  }
}

/** The bytes of the events and the folded data; the text is not kept. */
function held(bytes) {
  return () => {
    globalThis.gc();
    const before = process.memoryUsage();
    const log = readLog(bytes);
    globalThis.gc();
    const after = process.memoryUsage();
    const more = after.heapUsed + after.external - before.heapUsed - before.external;
    return { bytes: more / log.events.length, answer: log.events.length };
  };
}

/** The 95th percentile of the calls' times, and the last result. */
export function slow(call) {
  let answer;
  const times = Array.from({ length: 300 }, () => {
    const begin = performance.now();
    answer = call();
    return performance.now() - begin;
  });
  return { milliseconds: times.sort((a, b) => a - b)[Math.floor(times.length * 0.95)], answer };
}

/** The number of occurrences of each word, in alphabetical order. */
export function counted(words) {
  const counts = new Map();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([word, count]) => `${word} ${count}`)
    .join(", ");
}

/** FNV-1a of a text's bytes, as the native side computes it. */
export function hashed(text) {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash;
}

/** Plain code: parses every line, keeps the events for the list on screen, folds the nodes. */
function readLog(bytes) {
  const log = { events: [], nodes: new Map(), run: "unknown", beats: 0, tokens: 0, calls: new Map() };
  const decoder = new TextDecoder();
  let rest = "";
  for (let start = 0; start < bytes.length; start += 256 * 1024) {
    const lines = (rest + decoder.decode(bytes.subarray(start, start + 256 * 1024), { stream: true })).split("\n");
    rest = lines.pop();
    for (const line of lines) take(log, JSON.parse(line));
  }
  if (rest) take(log, JSON.parse(rest));
  return log;
}

const RUN = { RunStarted: "running", RunFinished: "succeeded", RunFailed: "failed", RunCancelled: "cancelled" };
const NODE = {
  NodePending: "pending",
  NodeStarted: "in-progress",
  NodeFinished: "finished",
  NodeFailed: "failed",
  NodeRetrying: "pending",
  NodeCancelled: "cancelled",
  NodeSkipped: "skipped",
  NodeWaitingApproval: "waiting-approval",
  NodeWaitingTimer: "waiting-timer",
};

function take(log, event) {
  log.events.push(event);
  log.run = RUN[event.type] ?? log.run;
  if (event.nodeId === undefined) return;
  const key = `${event.nodeId}::${event.iteration}`;
  let node = log.nodes.get(key);
  if (!node) log.nodes.set(key, (node = { state: "pending", attempt: 0, starts: 0, beats: 0, calls: 0, tokens: 0 }));
  const state = NODE[event.type];
  if (state !== undefined) {
    Object.assign(node, { state, attempt: event.attempt ?? node.attempt, changedAt: event.timestampMs });
    if (event.type === "NodeStarted") node.starts += 1;
  } else if (event.type === "TaskHeartbeat") {
    node.beats += 1;
    node.beatAt = event.timestampMs;
  } else if (event.type === "ToolCallStarted") {
    node.calls += 1;
    log.calls.set(`${key}::${event.attempt}::${event.seq}`, event);
  } else if (event.type === "ToolCallFinished") {
    log.calls.delete(`${key}::${event.attempt}::${event.seq}`);
  } else if (event.type === "TokenUsageReported") {
    node.tokens += event.inputTokens + event.outputTokens;
  }
}
