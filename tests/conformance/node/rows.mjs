// The rows of a `compute` vector as a database.

/** An adapter whose methods answer at once, or later. A vector without sandboxes is a database without their table. */
export function adapterOf({ run, nodes, attempts, approvals, sandboxes }, later) {
  const answer = (rows) => (later ? Promise.resolve(rows) : rows);
  const adapter = {
    getRun: () => answer(run),
    listPendingApprovals: () => answer(approvals),
    listNodes: () => answer(nodes),
    listAttempts: (_, nodeId, iteration) => answer(attempts.filter((row) => row.nodeId === nodeId && (row.iteration ?? 0) === iteration)),
  };
  return sandboxes === undefined ? adapter : { ...adapter, listSandboxes: () => answer(sandboxes) };
}
