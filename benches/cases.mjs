// The cases with their budgets.

/**
 * `target` is the aim and `limit` the failure, in milliseconds, or in bytes if a case measures bytes. `least` is the minimum
 * ratio of JavaScript's time to the module's.
 */
export const CASES = [
  // First, before other cases enlarge the module's memory.
  { name: "memory", size: 100_000, what: "bytes held per event, beside the text of the log", rounds: 1, target: 48, limit: 64 },
  { name: "memory-with-text", size: 100_000, what: "the same with the text, which JavaScript does not keep", rounds: 1 },
  { name: "rows", what: "10 000 run rows as bytes → views", rounds: 15 },
  { name: "list", what: "`inspect` of the same 10 000 rows", rounds: 5 },
  {
    name: "continued",
    what: "100 000 `continued` rows, each the parent of the next → runs with their continuations",
    rounds: 3,
    limit: 4_000,
  },
  { name: "artifacts", what: "100 000 artifacts of one session → the session", rounds: 5, limit: 500 },
  { name: "stream", what: "tree of 10 000 nodes and 1 000 deltas as text → tree", rounds: 1, least: 150 },
  { name: "delta", size: 100, what: "one delta as text on 100 nodes", rounds: 15 },
  { name: "delta", size: 1_000, what: "one delta as text on 1 000 nodes", rounds: 11 },
  { name: "delta", size: 10_000, what: "one delta as text on 10 000 nodes", rounds: 7, target: 0.2, limit: 1, least: 1_000 },
  { name: "delta", size: 50_000, what: "one delta as text on 50 000 nodes", rounds: 5 },
  { name: "large-delta", size: 10_000, what: "one delta of 100 operations on 10 000 nodes", rounds: 5, target: 0.2, limit: 1 },
  { name: "apply", size: 10_000, what: "`applyDelta` on 10 000 nodes, objects in and out", rounds: 7 },
  { name: "diff", size: 10_000, what: "two trees of 10 000 nodes → delta", rounds: 15 },
  { name: "diff-slow", size: 500, what: "two trees of 500 nodes → delta, 95 of 100 times at most", rounds: 5, limit: 10 },
  { name: "frames", size: 10_000, what: "any of 10 000 frames of 10 000 nodes, the slowest of 400", rounds: 3, target: 16, limit: 50 },
  { name: "watched-list", size: 10_000, what: "a second of a watched run beside a list of 10 000 runs", rounds: 5, target: 1, limit: 2 },
  { name: "watched-list", size: 50_000, what: "the same beside 50 000 runs", rounds: 5, target: 1, limit: 2 },
  { name: "first", size: 1_000_000, what: "the first 256 KiB of 1 000 000 events → state", rounds: 15, limit: 200 },
  { name: "events", size: 100_000, what: "100 000 events as bytes → node states", rounds: 9, target: 150, limit: 400 },
  { name: "events", size: 1_000_000, what: "1 000 000 events as bytes → node states", rounds: 5, target: 1_200, limit: 3_000, least: 2.4 },
  { name: "paste", size: 10_000, what: "pasted snapshot of 10 000 nodes → header painted", rounds: 7, target: 150, limit: 400 },
  {
    name: "paste-failed",
    size: 40_000,
    what: "pasted snapshot of 40 000 failed nodes → header painted",
    rounds: 5,
    target: 400,
    limit: 800,
  },
  {
    name: "key",
    size: 10_000,
    what: "key in a tree of 10 000 nodes → next paint, 95 of 100 times at most",
    rounds: 3,
    target: 50,
    limit: 100,
  },
  {
    name: "node-search",
    size: 10_000,
    what: "letter of a search in a tree of 10 000 nodes → hits painted, the slowest of four",
    rounds: 3,
    target: 50,
    limit: 100,
  },
  { name: "node-search", size: 100_000, what: "the same in a tree of 100 000 nodes", rounds: 3, target: 100, limit: 200 },
  {
    name: "node-detail",
    size: 10_000,
    what: "click on a node of 10 000 → its detail painted, the slowest of 19",
    rounds: 3,
    target: 50,
    limit: 100,
  },
  {
    name: "event-key",
    size: 1_000_000,
    what: "key in 1 000 000 events → next paint, 95 of 100 times at most",
    rounds: 3,
    target: 50,
    limit: 100,
  },
  { name: "event-filter", size: 1_000_000, what: "family chosen above them → rows painted", rounds: 5, target: 150, limit: 400 },
  { name: "event-search", size: 1_000_000, what: "text searched in them → all rows found", rounds: 5, target: 1_000, limit: 2_500 },
  {
    name: "polling",
    size: 10_000,
    what: "collecting a page’s traffic in DevTools, a socket of 10 000 frames in it, per second",
    rounds: 3,
    target: 39,
    limit: 40,
  },
  { name: "idle-run", what: "watching a live run that waits, per second of the processor", rounds: 3, target: 20, limit: 50 },
  {
    name: "follow",
    what: "memory of page and worker per event that is followed, over five minutes",
    rounds: 1,
    limit: 4_000,
  },
  { name: "search", size: 10_000, what: "word typed above a list of 10 000 runs → rows painted", rounds: 7, target: 50, limit: 100 },
  { name: "filter", size: 10_000, what: "state chosen above a list of 10 000 runs → rows painted", rounds: 7, target: 50, limit: 100 },
];

export const label = ({ name, size }) => (size === undefined ? name : `${name} ${size}`);

/** The maximum ratio of a delta's times on the largest and the smallest tree. */
const GROWTH = 3;

/** The exceeded limits and the ratios that were not reached, one sentence each. */
export function failures(figures) {
  const found = figures.flatMap((figure) => {
    const { limit, least } = figure;
    const { milliseconds, bytes, ratio } = budgeted(figure);
    const amount = bytes ?? milliseconds;
    return [
      limit < amount && `${figure.case}: ${amount} is above the limit of ${limit}`,
      ratio < least && `${figure.case}: ${ratio} times as fast as JavaScript is less than ${least}`,
    ].filter(Boolean);
  });
  const deltas = figures.filter((figure) => figure.case.startsWith("delta ")).map((figure) => figure.module.milliseconds);
  const growth = Math.max(...deltas) / Math.min(...deltas);
  return growth > GROWTH ? [...found, `delta: ${growth.toFixed(1)} times as long on a larger tree`] : found;
}

/** The side to which a budget applies: the one that people use. */
export function budgeted({ page, module, native }) {
  return page ?? module ?? native;
}
