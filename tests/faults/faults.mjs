// The table of faults. `docs/faults.md` describes what the panel shows during each.

const MINUTES = 60_000;
/** A hidden page reads its list every 15 s, a visible one every two seconds. */
const HIDDEN_MS = 13_000;

/**
 * Each fault: its `name`, whether it is in the `selection` of the tests, the `delay` in milliseconds by which it makes true words late, whether
 * nothing is shown as the present meanwhile (`silent`), whether the server's times disagree with each other (`isSkewed`), how many seconds it
 * lasts in the whole table (5 by default), and what it does. `start` returns a function that ends it. A world has `proxy`, `gateway`, `second`
 * (another process on the same database), `page`, `runId`, `random` and `otherDb`, the path of another database. A random life does not have the
 * faults that a person ends (`needsPerson`), and developer tools neither those of the viewer (`ofViewer`) nor events that no server has sent
 * (`isInvented`): nothing contradicts these in the traffic of a page.
 */
export const FAULTS = [
  ...onWire("delay 300 ms", { delay: 300 }, { delay: 1200 }),
  ...onWire("delay 2 s", { delay: 2000 }, { delay: 8000 }),
  ...onWire("jitter up to 1 s", { jitter: 1000 }, { delay: 4000, selection: true }),
  ...onWire("20 kB/s", { rate: 20_000 }, { delay: 6000 }),
  ...onWire("30 % of the messages lost", { drop: 0.3 }, { selection: true }),
  ...onWire("answers to getRun lost", { dropMethod: "getRun" }, { selection: true }),
  ...onWire("answers to listRuns lost", { dropMethod: "listRuns" }),
  ...onWire("answers to listNodeStates lost", { dropMethod: "listNodeStates" }),
  ...onWire("messages reordered", { reorder: 0.3 }, { selection: true }),
  ...onWire("messages duplicated", { duplicate: 0.5 }),
  ...onWire("messages truncated", { truncate: 0.3 }, { selection: true }),
  ...onWire("messages corrupted", { corrupt: 0.3 }),
  ...onWire("all messages corrupted", { corrupt: 1 }),
  ...onWire("half-open", { silent: true }, { selection: true, silent: true }),
  ...onWire("server's clock 10 min ahead", { shift: () => 10 * MINUTES }, { isSkewed: true }),
  ...onWire("server's clock 10 min behind", { shift: () => -10 * MINUTES }, { isSkewed: true }),
  ...onWire(
    "server's clock jumps",
    { shift: () => (Math.floor(Date.now() / 3000) % 2) * 10 * MINUTES },
    { selection: true, isSkewed: true },
  ),
  ...[1000, 1006, 1012, 1013].map((code) => ({
    name: `closed with ${code}`,
    start: ({ proxy }) => (proxy.cut(code === 1006 ? undefined : code), () => {}),
  })),
  { ...refusal("connections refused", { refuse: true }), selection: true, seconds: 60 },
  ...[200, 401, 403, 429, 502, 503].map((status) => refusal(`upgrade answered with ${status}`, { status })),
  {
    name: "message of 20 MB",
    start: ({ proxy }) => (
      proxy.inject(JSON.stringify({ type: "event", event: "unknown", payload: { text: "x".repeat(20e6) } })),
      () => {}
    ),
  },
  {
    name: "200 events a second",
    isInvented: true,
    selection: true,
    seconds: 60,
    start: ({ proxy, runId }) => {
      const event = JSON.stringify({ type: "event", event: "node.started", payload: { runId, nodeId: "build", state: "in-progress" } });
      const timer = setInterval(() => proxy.inject(event), 5);
      return () => clearInterval(timer);
    },
  },
  {
    name: "false end of the run",
    isInvented: true,
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
    name: "server restarted with another database",
    selection: true,
    silent: true,
    start: async (world) => {
      const { RUNSTATE_DB } = world.gateway.settings;
      await world.gateway.restart({ RUNSTATE_DB: world.otherDb });
      return () => world.gateway.restart({ RUNSTATE_DB });
    },
  },
  {
    name: "token expired",
    silent: true,
    needsPerson: true,
    start: async ({ gateway, page }) => {
      await gateway.restart({ TOKEN_EXPIRES_AT: "1" });
      return async () => {
        await gateway.restart({ TOKEN_EXPIRES_AT: "" });
        await page.locator('[data-action="reconnect"]').click();
      };
    },
  },
  {
    name: "server frozen",
    silent: true,
    start: ({ gateway }) => {
      process.kill(gateway.pid, "SIGSTOP");
      return () => process.kill(gateway.pid, "SIGCONT");
    },
  },
  {
    name: "page offline, then online",
    ofViewer: true,
    silent: true,
    start: async ({ page }) => {
      await page.setOfflineMode(true);
      return () => page.setOfflineMode(false);
    },
  },
  {
    name: "tab hidden",
    ofViewer: true,
    delay: HIDDEN_MS,
    start: async ({ page }) => {
      const session = await page.createCDPSession();
      await setWindow(session, "minimized");
      return () => setWindow(session, "normal");
    },
  },
  {
    name: "viewer's clock jumps",
    ofViewer: true,
    start: async ({ page }) => {
      // The clock of the day jumps back and forth, and the other one ahead, as after sleep.
      const jump = () => {
        const { now } = Date;
        Date.now = () => now() + (Math.floor(now() / 3000) % 2) * 600_000;
        const since = performance.now.bind(performance);
        performance.now = () => since() + 600_000;
        self.stopJumping = () => (Date.now = now);
      };
      await Promise.all(page.workers().map((worker) => worker.evaluate(jump)));
      return () => Promise.all(page.workers().map((worker) => worker.evaluate(() => self.stopJumping())));
    },
  },
  {
    name: "tab frozen",
    ofViewer: true,
    // Nothing is drawn meanwhile, and nobody sees it.
    delay: 5000,
    silent: true,
    start: async ({ page }) => {
      const session = await page.createCDPSession();
      await session.send("Page.setWebLifecycleState", { state: "frozen" });
      return async () => {
        await session.send("Page.setWebLifecycleState", { state: "active" });
        // Chromium hides a page that it freezes, and only a window that is restored shows it again.
        await setWindow(session, "minimized");
        await setWindow(session, "normal");
      };
    },
  },
  {
    name: "processor six times as slow",
    ofViewer: true,
    delay: 1000,
    start: async ({ page }) => {
      await page.emulateCPUThrottling(6);
      return () => page.emulateCPUThrottling(null);
    },
  },
];

/** Sets the state of the window of a page: `minimized` hides the page, `normal` shows it again. */
async function setWindow(session, windowState) {
  const { windowId } = await session.send("Browser.getWindowForTarget");
  await session.send("Browser.setWindowBounds", { windowId, bounds: { windowState } });
}

function onWire(name, fault, { delay = 0, selection = false, silent = false, isSkewed = false } = {}) {
  const start = ({ proxy }) => {
    proxy.fault = fault;
    return () => (proxy.fault = {});
  };
  return [{ name, delay, selection, silent, isSkewed, start }];
}

/** A refusal only concerns new connections, so the present one ends. */
function refusal(name, fault) {
  const start = ({ proxy }) => {
    proxy.fault = fault;
    proxy.cut();
    return () => (proxy.fault = {});
  };
  return { name, silent: true, start };
}
