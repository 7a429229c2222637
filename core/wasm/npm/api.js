// What both entries export. What is to be decided is decided in WebAssembly; here calls are passed on and awaited.
import { applyHere, diffHere } from "./delta.js";
import { isThere, needs, part } from "./parts.js";
import { RunStateReading, runNotFound } from "./runstate.js";

export { ServerClock, deriveRunState, explainRunState, pill } from "./runstate.js";

export const RUN_STATE_HEARTBEAT_STALE_MS = 30_000;

export const adminTransitionTargets = Object.freeze(["failed", "aborted", "cancelled"]);

export async function computeRunState(adapter, runId, options = {}) {
  const run = await adapter.getRun(runId);
  if (!run) throw runNotFound(runId);
  return computeRunStateFromRow(adapter, run, options);
}

export async function computeRunStateFromRow(adapter, run, options = {}) {
  const reading = new RunStateReading(adapter, run, options);
  try {
    for (let call = reading.next(); call; call = reading.next()) {
      reading.give(await adapter[call.method](...call.arguments));
    }
    return reading.view();
  } finally {
    reading.free();
  }
}

export const deriveRunStates = (rows, options) => part("rows").deriveRunStates(rows, options);

export class InvalidDeltaError extends Error {
  code = "InvalidDelta";

  constructor(message) {
    super(message);
    this.name = "InvalidDeltaError";
  }
}

/** A refusal of a delta is upstream's class, which is JavaScript's to make. */
function delta(call) {
  try {
    return call();
  } catch (error) {
    throw error?.code === "InvalidDelta" ? new InvalidDeltaError(error.message) : error;
  }
}

/** Asked of a snapshot of one node: the state is all that there is to read. It throws where it does not read it. */
function reads(runState) {
  const root = { id: 1, type: "workflow", name: "", props: {}, children: [], depth: 0 };
  const snapshot = { version: 1, runId: "", frameNo: 0, seq: 0, root, runState };
  return part("tree").diffSnapshots(snapshot, snapshot).ops.length === 0;
}

export function applyDelta(snapshot, change) {
  needs("tree");
  const changed = applyHere(snapshot, change, reads) ?? delta(() => part("tree").applyDelta(snapshot, change));
  return { ...snapshot, ...changed };
}

export function diffSnapshots(a, b) {
  needs("tree");
  return diffHere(a, b, reads) ?? part("tree").diffSnapshots(a, b);
}

export class Tree {
  #tree;

  constructor(bytes) {
    this.#tree = new (part("tree").Tree)(bytes);
  }

  get size() {
    return this.#tree.size;
  }

  apply(bytes) {
    delta(() => this.#tree.apply(bytes));
  }

  rows(start, end, collapsed) {
    return this.#tree.rows(start, end, collapsed);
  }

  node(id) {
    return this.#tree.node(id);
  }

  snapshot() {
    return this.#tree.snapshot();
  }

  free() {
    this.#tree.free();
  }
}

export class EventLog {
  #log = new (part("log").EventLog)();

  push(chunk) {
    this.#log.push(chunk);
  }

  finish() {
    this.#log.finish();
  }

  view(now, runId) {
    return this.#log.view(now, runId);
  }

  rows(start, end, filter) {
    return this.#log.rows(start, end, filter);
  }

  event(row) {
    return this.#log.event(row);
  }

  nodes(runId) {
    return this.#log.nodes(runId);
  }

  problems() {
    return this.#log.problems();
  }

  free() {
    this.#log.free();
  }
}

export const classifyHealth = (session, probe) => part("lionagi").classifyHealth(session, probe);
export const worstHealth = (list) => part("lionagi").worstHealth(list);
export const canTransition = (from, to) => part("lionagi").canTransition(from, to);
export const exitCode = (status) => part("lionagi").exitCode(status);
export const effectiveState = (session, signals) => part("lionagi").effectiveState(session, signals);
export const deriveSeverity = (axes) => part("lionagi").deriveSeverity(axes);
export const normalizeState = (row, signals) => part("lionagi").normalizeState(row, signals);

export const readConductorRun = (files, options) => part("conductor").readConductorRun(files, options);

export const weigh = (witnesses) => part("account").weigh(witnesses);

/** What is known of runs, and what is told of them: sentences, witnesses, actions. A browser may do without these. */
export function inspect(document, options) {
  const { inspection, packed = [] } = read(document, options);
  if (isThere("account")) {
    const { accountOf, actionsForRefusal } = part("account");
    const { system, run, runs, refusal } = inspection;
    const told = run ? [run, ...(runs ?? [])] : runs;
    packed.forEach((text, place) => Object.assign(told[place], accountOf(text)));
    if (system === "smithers" && refusal) refusal.actions = actionsForRefusal(refusal.code);
  }
  return inspection;
}

/** One document of Smithers is the small part's; what that cannot read, and everything else, is the large one's. */
function read(document, options) {
  const all = isThere("documents");
  if (!all || isThere("inspect")) {
    try {
      const found = part("inspect").inspect(document, options);
      if (found) return found;
    } catch (error) {
      if (!all || error instanceof TypeError) throw error;
    }
  }
  return part("documents").open(document, options);
}

export const exportRun = (document, options) => part("documents").exportRun(document, options);

export const readRecord = (record, document) => part("records").readRecord(record, document);
