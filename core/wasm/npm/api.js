// What both entries export. What is to be decided is decided in WebAssembly; here calls are passed on and awaited.
import { bytesOf, callOf, documentOf, filesOf, guarded, listOf, momentOf, objectOf, optionsOf, refuse, rowOf, strictOptionsOf } from "./arguments.js";
import { applyHere, diffHere } from "./delta.js";
import { isThere, needs, part, ready } from "./parts.js";

export const RUN_STATE_HEARTBEAT_STALE_MS = 30_000;

export const adminTransitionTargets = Object.freeze(["failed", "aborted", "cancelled"]);

export const deriveRunState = (input) => guarded(() => ready().deriveRunState(input), "input");

export const explainRunState = (input) => guarded(() => ready().explainRunState(input), "input");

export const pill = (taxonomy, word) => guarded(() => ready().pill(taxonomy, word));

export async function computeRunState(adapter, runId, options = {}) {
  const { runNotFound } = ready();
  const run = await callOf(adapter, "getRun", [runId]);
  if (!run) throw runNotFound(runId);
  return computeRunStateFromRow(adapter, run, options);
}

export async function computeRunStateFromRow(adapter, run, options = {}) {
  const { RunStateReading } = ready();
  objectOf(adapter, "adapter");
  const reading = guarded(() => new RunStateReading(adapter, run, options));
  try {
    const next = () => guarded(() => reading.next(), "adapter");
    for (let call = next(); call; call = next()) {
      const rows = await callOf(adapter, call.method, call.arguments);
      guarded(() => reading.give(rows), call.method);
    }
    return guarded(() => reading.view());
  } finally {
    reading.free();
  }
}

/** How to derive. */
const DERIVE = ["now", "errorMs", "staleThresholdMs", "timerOverdueGraceMs", "isOwnerPidAlive"];

export const deriveRunStates = (rows, options) =>
  guarded(() => part("rows").deriveRunStates(bytesOf(rows, "rows"), optionsOf(options, DERIVE)));

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
    return guarded(call);
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
  objectOf(snapshot, "snapshot");
  objectOf(change, "delta");
  const changed = applyHere(snapshot, change, reads) ?? delta(() => part("tree").applyDelta(snapshot, change));
  return guarded(() => ({ ...snapshot, ...changed }), "snapshot");
}

export function diffSnapshots(a, b) {
  needs("tree");
  objectOf(a, "a");
  objectOf(b, "b");
  return diffHere(a, b, reads) ?? guarded(() => part("tree").diffSnapshots(a, b));
}

const held = Symbol("held");

/** What lives in WebAssembly until it is freed. No argument is read while it is held. */
class Held {
  #held;

  constructor(make) {
    this.#held = guarded(make);
  }

  /** Calls it. */
  [held](call) {
    const inside = this.#held;
    if (inside) return guarded(() => call(inside));
    throw Object.assign(new Error(`this ${this.constructor.name} was freed`), { code: "FREED" });
  }

  free() {
    this.#held?.free();
    this.#held = null;
  }
}

const numberOf = (value, path) => (typeof value === "number" ? value : refuse(path, "a number", value));

export class ServerClock extends Held {
  constructor() {
    super(() => new (ready().ServerClock)());
  }

  observePush(serverMs, localMs) {
    const [server, local] = [numberOf(serverMs, "serverMs"), numberOf(localMs, "localMs")];
    this[held]((clock) => clock.observePush(server, local));
  }

  observeReply(serverMs, sentMs, receivedMs) {
    const [sent, received] = [numberOf(sentMs, "sentMs"), numberOf(receivedMs, "receivedMs")];
    const server = numberOf(serverMs, "serverMs");
    this[held]((clock) => clock.observeReply(server, sent, received));
  }

  read(localMs) {
    const local = numberOf(localMs, "localMs");
    return this[held]((clock) => clock.read(local));
  }
}

export class Tree extends Held {
  constructor(bytes) {
    super(() => new (part("tree").Tree)(bytesOf(bytes, "snapshot")));
  }

  get size() {
    return this[held]((tree) => tree.size);
  }

  apply(bytes) {
    const text = bytesOf(bytes, "delta");
    delta(() => this[held]((tree) => tree.apply(text)));
  }

  rows(start, end, collapsed) {
    const [from, to] = [rowOf(start, "start"), rowOf(end, "end")];
    const ids = guarded(() => listOf(collapsed), "collapsed");
    return this[held]((tree) => tree.rows(from, to, ids));
  }

  node(id) {
    if (typeof id !== "number") refuse("id", "a node's id as a number", id);
    return this[held]((tree) => tree.node(id));
  }

  snapshot() {
    return this[held]((tree) => tree.snapshot());
  }
}

const FILTER = ["types", "categories", "severity", "nodeId", "runId", "text", "gaps"];

/** A filter of its own. */
function filterOf(value) {
  const filter = strictOptionsOf(value, FILTER, "filter");
  return filter && { ...filter, types: listOf(filter.types), categories: listOf(filter.categories) };
}

const runOf = (value) => (typeof value === "string" ? value : refuse("runId", "a text", value));

export class EventLog extends Held {
  /** The first half of a character at the end of the last text: the second one may begin the next. */
  #half = "";

  constructor() {
    super(() => new (part("log").EventLog)());
  }

  push(chunk) {
    const bytes = bytesOf(chunk, "chunk");
    const text = typeof bytes === "string" ? this.#half + bytes : bytes;
    const ends = typeof text === "string" && /[\ud800-\udbff]$/.test(text);
    this[held]((log) => {
      if (typeof text !== "string" && this.#half !== "") log.push(this.#half);
      log.push(ends ? text.slice(0, -1) : text);
    });
    this.#half = ends ? text.slice(-1) : "";
  }

  finish() {
    this[held]((log) => log.finish());
  }

  view(now, runId) {
    const [at, run] = [momentOf(now, "now"), runId === undefined ? runId : runOf(runId)];
    return this[held]((log) => log.view(at, run));
  }

  rows(start, end, filter) {
    const [from, to] = [rowOf(start, "start"), rowOf(end, "end")];
    const only = guarded(() => filterOf(filter), "filter");
    return this[held]((log) => log.rows(from, to, only));
  }

  event(row) {
    const place = rowOf(row, "row");
    return this[held]((log) => log.event(place));
  }

  nodes(runId) {
    const run = runOf(runId);
    return this[held]((log) => log.nodes(run));
  }

  problems() {
    return this[held]((log) => log.problems());
  }
}

/** A function of a part that borrows nothing. */
const of = (name, method) => (...given) => guarded(() => part(name)[method](...given));

export const classifyHealth = of("lionagi", "classifyHealth");
export const worstHealth = of("lionagi", "worstHealth");
export const canTransition = of("lionagi", "canTransition");
export const exitCode = of("lionagi", "exitCode");
export const effectiveState = of("lionagi", "effectiveState");
export const deriveSeverity = of("lionagi", "deriveSeverity");
export const normalizeState = of("lionagi", "normalizeState");

export const readConductorRun = (files, options) =>
  guarded(() => part("conductor").readConductorRun(filesOf(files), optionsOf(options, ["now", "directory"])));

export const weigh = of("account", "weigh");

/** What is known of runs, and what is told of them: sentences, witnesses, actions. A browser may do without these. */
export function inspect(document, options) {
  const { inspection, packed = [] } = read(document, options);
  if (isThere("account")) {
    const { system, run, runs, refusal } = inspection;
    const told = run ? [run, ...(runs ?? [])] : runs;
    packed.forEach((text, place) => tellWhenAsked(told[place], text));
    if (system === "smithers" && refusal) refusal.actions = part("account").actionsForRefusal(refusal.code);
  }
  return inspection;
}

const ACCOUNT = ["answer", "toleratedFailures", "hidden", "testimony", "actions"];

/** What is told of a run is made when it is first looked at: of a list of thousands that is a few. */
function tellWhenAsked(run, packed) {
  const tell = () => {
    const account = part("account").accountOf(packed);
    for (const name of ACCOUNT) Object.defineProperty(run, name, { value: account[name], enumerable: true, writable: true, configurable: true });
    return account;
  };
  for (const name of ACCOUNT) Object.defineProperty(run, name, { get: () => tell()[name], enumerable: true, configurable: true });
}

/** One document of Smithers is the small part's; what that cannot read, and everything else, is the large one's. */
function read(document, options) {
  const all = isThere("documents");
  const files = guarded(() => documentOf(document), "document");
  const given = guarded(() => optionsOf(options, ["name", "now", "errorMs", "live"]), "options");
  if (given) momentOf(given.now, "options.now");
  if (!all || isThere("inspect")) {
    try {
      const found = guarded(() => part("inspect").inspect(files, given));
      if (found) return found;
    } catch (error) {
      if (!all || error instanceof TypeError) throw error;
    }
  }
  return guarded(() => part("documents").open(files, given));
}

export const exportRun = (document, options) =>
  guarded(() => {
    const given = optionsOf(options, ["now", "name", "redact"]);
    if (given) given.redact = listOf(given.redact);
    return part("documents").exportRun(documentOf(document), given);
  });

export function readRecord(record, document) {
  if (typeof record !== "string") refuse("record", "the name of a record", record);
  return guarded(() => part("records").readRecord(record, bytesOf(document, "document")));
}
