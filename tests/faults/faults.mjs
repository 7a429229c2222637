// The table of faults. `docs/faults.md` describes what the panel shows during each.

const MINUTES = 60_000;
/** A request whose answer is lost is waited for up to 5 s, then the connection is replaced. */
const LOST_ANSWER_MS = 9000;

/**
 * Each fault: its `name`, whether it is in the `selection` of the tests, the `delay` in milliseconds by which it makes true words late, within how
 * many milliseconds the panel is live again (`recoveryMs`, 3 s by default), and what it does. `start` returns a function that ends it. A world has `proxy`, `gateway`, `second` (another process on the same database), `page`,
 * `runId` and `random`.
 */
export const FAULTS = [
  ...onWire("delay 300 ms", { delay: 300 }, { delay: 1200 }),
  ...onWire("delay 2 s", { delay: 2000 }, { delay: 8000 }),
  ...onWire("jitter up to 1 s", { jitter: 1000 }, { delay: 4000, selection: true }),
  ...onWire("20 kB/s", { rate: 20_000 }, { delay: 6000 }),
  ...onWire("30 % of the messages lost", { drop: 0.3 }, { selection: true }),
  ...onWire("answers to getRun lost", { dropMethod: "getRun" }, { selection: true, recoveryMs: LOST_ANSWER_MS }),
  ...onWire("answers to listRuns lost", { dropMethod: "listRuns" }),
  ...onWire("answers to listNodeStates lost", { dropMethod: "listNodeStates" }),
  ...onWire("messages reordered", { reorder: 0.3 }, { selection: true }),
  ...onWire("messages duplicated", { duplicate: 0.5 }),
  ...onWire("messages truncated", { truncate: 0.3 }, { selection: true }),
  ...onWire("messages corrupted", { corrupt: 0.3 }),
  ...onWire("all messages corrupted", { corrupt: 1 }),
  ...onWire("half-open", { silent: true }, { selection: true, recoveryMs: LOST_ANSWER_MS }),
  ...onWire("server's clock 10 min ahead", { shift: () => 10 * MINUTES }),
  ...onWire("server's clock 10 min behind", { shift: () => -10 * MINUTES }),
  ...onWire("server's clock jumps", { shift: () => (Math.floor(Date.now() / 3000) % 2) * 10 * MINUTES }, { selection: true }),
  ...[1000, 1006, 1012, 1013].map((code) => ({
    name: `closed with ${code}`,
    start: ({ proxy }) => (proxy.cut(code === 1006 ? undefined : code), () => {}),
  })),
  { ...refusal("connections refused", { refuse: true }), selection: true },
  ...[429, 502, 503].map((status) => refusal(`upgrade answered with ${status}`, { status })),
  {
    name: "message of 20 MB",
    start: ({ proxy }) => (
      proxy.inject(JSON.stringify({ type: "event", event: "unknown", payload: { text: "x".repeat(20e6) } })),
      () => {}
    ),
  },
  {
    name: "200 events a second",
    selection: true,
    start: ({ proxy, runId }) => {
      const event = JSON.stringify({ type: "event", event: "node.started", payload: { runId, nodeId: "build", state: "in-progress" } });
      const timer = setInterval(() => proxy.inject(event), 5);
      return () => clearInterval(timer);
    },
  },
  {
    name: "false end of the run",
    start: ({ proxy, runId }) => {
      const timer = setInterval(
        () => proxy.inject(JSON.stringify({ type: "event", event: "run.completed", payload: { runId, status: "finished" } })),
        500,
      );
      return () => clearInterval(timer);
    },
  },
  { name: "server restarted", selection: true, start: async ({ gateway }) => (await gateway.restart(), () => {}) },
  {
    name: "server frozen",
    start: ({ gateway }) => {
      process.kill(gateway.pid, "SIGSTOP");
      return () => process.kill(gateway.pid, "SIGCONT");
    },
  },
  {
    name: "page offline, then online",
    start: async ({ page }) => {
      await page.setOfflineMode(true);
      return () => page.setOfflineMode(false);
    },
  },
  {
    name: "tab frozen",
    start: async ({ page }) => {
      const session = await page.createCDPSession();
      await session.send("Page.setWebLifecycleState", { state: "frozen" });
      return () => session.send("Page.setWebLifecycleState", { state: "active" });
    },
  },
  {
    name: "processor six times as slow",
    delay: 1000,
    start: async ({ page }) => {
      await page.emulateCPUThrottling(6);
      return () => page.emulateCPUThrottling(null);
    },
  },
];

function onWire(name, fault, { delay = 0, selection = false, recoveryMs } = {}) {
  const start = ({ proxy }) => {
    proxy.fault = fault;
    return () => (proxy.fault = {});
  };
  return [{ name, delay, selection, recoveryMs, start }];
}

/** A refusal only concerns new connections, so the present one ends. */
function refusal(name, fault) {
  const start = ({ proxy }) => {
    proxy.fault = fault;
    proxy.cut();
    return () => (proxy.fault = {});
  };
  return { name, start };
}
