// `applyDelta` and `diffSnapshots` of objects that are ordinary in every way: to take whole trees to WebAssembly and back costs more
// than to change them where they are. Whatever is out of the ordinary here (a delta that does not fit, an id that is there twice, a
// value that JSON cannot hold) is WebAssembly's, which decides and says why. Where both answer, they answer the same:
// `tests/conformance/node/shortcut.test.mjs` compares them.

/** Far above what workflows have and far below what a stack takes. */
const DEEPEST = 200;

const SNAPSHOT = new Set(["version", "runId", "frameNo", "seq", "root", "runState"]);
const DELTA = new Set(["version", "baseSeq", "seq", "ops"]);

/** Ends the attempt. */
const odd = () => {
  throw new Error("not ordinary");
};

/** The answer of an attempt; `null` where WebAssembly must decide. */
function attempt(call) {
  try {
    return call();
  } catch {
    return null;
  }
}

const isNumber = (value) => Number.isFinite(value) && !Object.is(value, -0);
const isCount = (value) => Number.isInteger(value) && isNumber(value) && value >= 0 && value < 2 ** 32;
const isId = (value) => Number.isSafeInteger(value) && isNumber(value);
const isTextOrNothing = (value) => value == null || typeof value === "string";
const isCountOrNothing = (value) => value == null || isCount(value);

/** An object as JSON makes them, with these keys alone where they are given. */
function record(value, keys) {
  if (value === null || typeof value !== "object") odd();
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) odd();
  if (keys) for (const key in value) if (!keys.has(key)) odd();
  return value;
}

/** An array as JSON makes them. */
function list(value) {
  return Array.isArray(value) && Object.getPrototypeOf(value) === Array.prototype && !("toJSON" in value) ? value : odd();
}

/** Whether a value is neither a list nor an object; a value that JSON lacks ends the attempt. */
function isSimple(value, level) {
  if (value === null || typeof value === "string" || typeof value === "boolean") return true;
  if (typeof value === "number") return isNumber(value) || odd();
  return typeof value === "object" && level <= DEEPEST ? false : odd();
}

function copy(value, level) {
  if (isSimple(value, level)) return value;
  if (Array.isArray(value)) return Array.from(list(value), (item) => copy(item, level + 1));
  const made = {};
  for (const key of Object.keys(record(value))) {
    if (key === "__proto__") odd();
    made[key] = copy(value[key], level + 1);
  }
  return made;
}

/** Looks through a value without copying it. */
function plain(value, level) {
  if (isSimple(value, level)) return;
  if (Array.isArray(value)) {
    for (let place = 0; place < list(value).length; place += 1) plain(value[place], level + 1);
  } else {
    for (const key in record(value)) plain(key === "__proto__" ? odd() : value[key], level + 1);
  }
}

/** Deep equality of what JSON can hold; the order of keys does not count. */
function same(a, b) {
  if (a === b) return true;
  if (!a || !b || typeof a !== "object" || typeof b !== "object" || Array.isArray(a) !== Array.isArray(b)) return false;
  let count = 0;
  for (const key in a) {
    if (!Object.hasOwn(b, key) || !same(a[key], b[key])) return false;
    count += 1;
  }
  for (const _ in b) count -= 1;
  return count === 0;
}

function checkTask(task) {
  const { nodeId, kind, agent, label, state, iteration, attempt: tried, maxAttempts } = record(task);
  const texts = isTextOrNothing(kind) && isTextOrNothing(agent) && isTextOrNothing(label) && isTextOrNothing(state);
  const counts = isCountOrNothing(iteration) && isCountOrNothing(tried) && isCountOrNothing(maxAttempts);
  if (typeof nodeId !== "string" || !texts || !counts) odd();
}

/** A node by itself, without looking into its properties. */
function checkNode(node, level) {
  const { id, type, name, props, task, children, depth } = record(node);
  if (!isId(id) || typeof type !== "string" || typeof name !== "string" || !isCount(depth) || level > DEEPEST) odd();
  if (Array.isArray(props)) odd();
  record(props);
  list(children);
  if (task !== undefined) checkTask(task);
}

/** A copy of a node and all below it, whatever it holds; each is noted in `places`, where none of their ids may be yet. */
function graft(node, level, parent, places) {
  checkNode(node, level);
  if (places.has(node.id)) odd();
  const made = {};
  places.set(node.id, { node: made, parent, level });
  for (const key of Object.keys(node)) {
    const value = node[key];
    if (key === "children") made.children = value.map((child) => graft(child, level + 1, made, places));
    else if (key === "__proto__") odd();
    else if (key !== "task" || value !== undefined) made[key] = copy(value, 0);
  }
  return made;
}

function prune(node, places) {
  places.delete(node.id);
  for (const child of node.children) prune(child, places);
}

/** Why a run waits or ails has many forms: `reads` says whether WebAssembly reads such a state. */
function checkSnapshot(snapshot, reads) {
  const { version, runId, frameNo, seq, runState } = record(snapshot);
  if (version !== 1 || typeof runId !== "string" || !isNumber(frameNo) || !isNumber(seq)) odd();
  for (const key of Object.keys(snapshot)) if (!SNAPSHOT.has(key)) plain(snapshot[key], 0);
  if (runState === undefined) return;
  plain(record(runState), 0);
  const words = [runState.runId, runState.computedAt, runState.state].every((word) => typeof word === "string");
  if (!words || ((runState.blocked ?? runState.unhealthy) != null && !reads(runState))) odd();
}

const steps = {
  addNode({ parentId, index, node }, tree) {
    const { node: parent, level } = tree.places.get(parentId) ?? odd();
    if (!isNumber(index)) odd();
    const { children } = parent;
    const place = Math.min(Math.max(Math.trunc(index), 0), children.length);
    children.splice(place, 0, graft(node, level + 1, parent, tree.places));
  },
  removeNode({ id }, tree) {
    const { node, parent } = tree.places.get(id) ?? odd();
    if (!parent) odd();
    parent.children.splice(parent.children.indexOf(node), 1);
    prune(node, tree.places);
  },
  updateProps({ id, props }, tree) {
    const { node } = tree.places.get(id) ?? odd();
    if (Array.isArray(props)) odd();
    node.props = copy(record(props), 0);
  },
  updateTask({ id, task }, tree) {
    const { node } = tree.places.get(id) ?? odd();
    if (task === undefined) {
      delete node.task;
    } else {
      checkTask(task);
      node.task = copy(task, 0);
    }
  },
  replaceRoot({ node }, tree) {
    tree.places = new Map();
    tree.root = graft(node, 0, null, tree.places);
  },
};

/** The keys of each step: what one does not read, WebAssembly looks at. */
const STEPS = {
  addNode: new Set(["op", "parentId", "index", "node"]),
  removeNode: new Set(["op", "id"]),
  updateProps: new Set(["op", "id", "props"]),
  updateTask: new Set(["op", "id", "task"]),
  replaceRoot: new Set(["op", "node"]),
};

/** What is new in the snapshot with the delta applied; `null` where WebAssembly must decide. */
export const applyHere = (snapshot, delta, reads) =>
  attempt(() => {
    checkSnapshot(snapshot, reads);
    const { version, baseSeq, seq, ops } = record(delta, DELTA);
    if (version !== 1 || baseSeq !== snapshot.seq || !isNumber(seq)) odd();
    const tree = { places: new Map() };
    tree.root = graft(snapshot.root, 0, null, tree.places);
    for (const step of list(ops)) {
      const { op } = record(step);
      if (typeof op !== "string" || !Object.hasOwn(steps, op)) odd();
      steps[op](record(step, STEPS[op]), tree);
    }
    return { frameNo: seq, seq, root: tree.root };
  });

/** A node as `compare` reads it. */
function checkWhole(node, level) {
  checkNode(node, level);
  plain(node.props, 0);
  if (node.task !== undefined) plain(node.task, 0);
}

const sameShape = (a, b) => a.type === b.type && a.name === b.name && a.depth === b.depth;

/** What became of a node that stayed where it is. */
function update({ id, props: before, task: had }, { props, task }, updates) {
  if (!same(before, props)) updates.push({ op: "updateProps", id, props: copy(props, 0) });
  if (!same(had, task)) updates.push({ op: "updateTask", id, ...(task && { task: copy(task, 0) }) });
}

/** Whether nothing came, left or moved at and below two nodes, which is what most deltas say; then their updates are complete. */
function stays(old, now, level, ids, updates) {
  checkWhole(old, level);
  checkWhole(now, level);
  const count = old.children.length;
  if (old.id !== now.id || count !== now.children.length || !sameShape(old, now)) return false;
  if (ids.size === ids.add(old.id).size) odd();
  update(old, now, updates);
  for (let place = 0; place < count; place += 1) {
    if (!stays(old.children[place], now.children[place], level + 1, ids, updates)) return false;
  }
  return true;
}

/** The nodes at and below one, by id, in reading order. */
function survey(node, level, parent, position, places) {
  checkWhole(node, level);
  if (places.has(node.id)) odd();
  places.set(node.id, { node, parent, position });
  node.children.forEach((child, place) => survey(child, level + 1, node.id, place, places));
  return places;
}

/** A copy of a node and all below it. */
const alone = (node) => graft(node, 0, null, new Map());

/** The steps in upstream's order: removed deepest first, added shallowest and leftmost first, then updates in reading order. */
function compare(from, to) {
  const [removed, added, updates] = [[], [], []];
  for (const [id, old] of from) {
    const now = to.get(id);
    if (now && old.parent === now.parent && old.position === now.position && sameShape(old.node, now.node)) {
      update(old.node, now.node, updates);
    } else {
      removed.push(old.node);
      if (now) added.push(now);
    }
  }
  for (const [id, now] of to) if (!from.has(id)) added.push(now);
  const comes = new Set(added.map(({ node }) => node.id));
  const isAlone = ({ parent }) => {
    for (let above = parent; above !== null; above = to.get(above).parent) if (comes.has(above)) return false;
    return true;
  };
  removed.sort((a, b) => b.depth - a.depth);
  const adds = added.filter(isAlone).sort((a, b) => a.node.depth - b.node.depth || a.position - b.position);
  return [
    ...removed.map(({ id }) => ({ op: "removeNode", id })),
    ...adds.map(({ node, parent, position }) => ({ op: "addNode", parentId: parent, index: position, node: alone(node) })),
    ...updates,
  ];
}

function stepsBetween(a, b) {
  const updates = [];
  if (stays(a, b, 0, new Set(), updates)) return updates;
  const [from, to] = [a, b].map((root) => survey(root, 0, null, 0, new Map()));
  return a.id === b.id && sameShape(a, b) ? compare(from, to) : [{ op: "replaceRoot", node: alone(b) }];
}

/** The delta from one snapshot to another; `null` where WebAssembly must decide. */
export const diffHere = (a, b, reads) =>
  attempt(() => {
    checkSnapshot(a, reads);
    checkSnapshot(b, reads);
    if (a.runId !== b.runId) odd();
    return { version: 1, baseSeq: a.seq, seq: b.seq, ops: stepsBetween(a.root, b.root) };
  });
