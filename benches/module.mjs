// Our module's side, through the installed package.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { NOW, place } from "./inputs.mjs";
import { counted, hashed, slow } from "./javascript.mjs";

const CHUNK = 256 * 1024;

/** The cases with our module. A case with preparation has `before`, which is not measured, and the measured work. */
export async function ourModule(dist, folder) {
  const load = (file) => import(pathToFileURL(join(dist, "npm", file)));
  const module = await load("node.js");
  const bytes = (name) => readFileSync(place(folder, name));
  const text = (name) => readFileSync(place(folder, name), "utf8");
  return {
    rows: () => {
      const list = bytes("rows");
      return () => ({ answer: counted(module.deriveRunStates(list, { now: NOW, isOwnerPidAlive: () => true }).map((view) => view.state)) });
    },
    list: () => {
      const list = bytes("rows");
      return () => ({ answer: counted(module.inspect(list, { now: NOW }).runs.map((run) => run.verdict.view.state)) });
    },
    stream: () => {
      const [snapshot, lines] = [text("tree-10000"), text("deltas-10000").split("\n")];
      return () => {
        const tree = new module.Tree(snapshot);
        for (const line of lines) tree.apply(line);
        return { answer: () => freed(tree, hashed(JSON.stringify(tree.snapshot()))) };
      };
    },
    delta: (nodes) => applied(module, text(`tree-${nodes}`), text(`deltas-${nodes}`)),
    "large-delta": (nodes) => applied(module, text(`tree-${nodes}`), text(`large-deltas-${nodes}`)),
    apply: (nodes) => {
      const [snapshot, delta] = [JSON.parse(text(`tree-${nodes}`)), JSON.parse(text(`deltas-${nodes}`).split("\n")[0])];
      return () => ({ answer: module.applyDelta(snapshot, delta).seq });
    },
    diff: (nodes) => {
      const [before, after] = [`tree-${nodes}`, `changed-${nodes}`].map((name) => JSON.parse(text(name)));
      return () => ({ answer: module.diffSnapshots(before, after).ops.length });
    },
    "diff-slow": (nodes) => {
      const [before, after] = [`tree-${nodes}`, `changed-${nodes}`].map((name) => JSON.parse(text(name)));
      return () => slow(() => module.diffSnapshots(before, after).ops.length);
    },
    events: (count) => {
      const all = bytes(`log-${count}`);
      return () => {
        const log = readLog(module, all);
        const { nodes } = log.view(NOW);
        return { answer: () => freed(log, counted(Object.entries(nodes).flatMap(([state, times]) => Array(times).fill(state)))) };
      };
    },
    first: (count) => {
      const start = bytes(`log-${count}`).subarray(0, CHUNK);
      return () => {
        const log = new module.EventLog();
        log.push(start);
        const { state } = log.view(NOW);
        return { answer: () => freed(log, state) };
      };
    },
    memory: (count) => held(module, bytes(`log-${count}`), load, (size, text) => size - text),
    "memory-with-text": (count) => held(module, bytes(`log-${count}`), load, (size) => size),
  };
}

function applied(module, snapshot, deltas) {
  const lines = deltas.split("\n");
  const before = () => {
    const tree = new module.Tree(snapshot);
    // The first delta builds the index of ids, which is built once per tree.
    tree.apply(lines[0]);
    return tree;
  };
  const work = (tree) => {
    for (let number = 1; number < lines.length; number++) tree.apply(lines[number]);
    return { times: lines.length - 1, answer: () => freed(tree, true) };
  };
  return { before, work };
}

function readLog(module, bytes) {
  const log = new module.EventLog();
  for (let start = 0; start < bytes.length; start += CHUNK) log.push(bytes.subarray(start, start + CHUNK));
  log.finish();
  return log;
}

let atFirst;

/** The growth of the module's memory since it was loaded: its maximum use instead of its present content. */
function held(module, bytes, load, of) {
  return async () => {
    // An empty log warms up the reader.
    new module.EventLog().free();
    const { memory } = (await load("runstate.js")).initSync();
    // Memory never shrinks, so the initial size is kept.
    atFirst ??= memory.buffer.byteLength;
    const log = readLog(module, bytes);
    const events = log.view(NOW).counts.events;
    return { bytes: of(memory.buffer.byteLength - atFirst, bytes.length) / events, answer: freed(log, events) };
  };
}

function freed(object, answer) {
  object.free();
  return answer;
}
