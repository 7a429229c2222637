// A random life: runs are launched, decided, cancelled, rewound and reopened, partly by a second process, while servers end and freeze and the network
// fails. What each host shows is compared with the Gateway all the time.
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { OPERATOR_TOKEN, startGateway } from "../gateway/gateway.mjs";
import { launch } from "../support/browser.mjs";
import { openDevtools } from "../support/devtools.mjs";
import { connect } from "../support/live.mjs";
import { built } from "../support/paths.mjs";
import { serve } from "../support/server.mjs";
import { FAULTS } from "./faults.mjs";
import { faultProxy } from "./proxy.mjs";
import { LIST_PERIOD_MS } from "./world.mjs";
import { Truth, Watch, pause, randomOf } from "./watch.mjs";

const MAX_RUNS = 12;
/** How long a row of traffic may be without its age: six seconds after the page has read it, and the collector is behind by a pause of its own. */
const PAGE_DELAY_MS = 6500;
/** Chromium's options with which a page measures its memory exactly, after a collection of garbage. */
const MEMORY = ["--js-flags=--expose-gc", "--enable-precise-memory-info"];

/** Returns whether nothing false was shown; prints one line. */
export async function life({ host, seconds, seed }) {
  if (!(host in HOSTS)) throw new Error(`Expected a host of ${Object.keys(HOSTS).join(", ")}, found "${host}".`);
  const random = randomOf(seed);
  const folder = await mkdtemp(join(tmpdir(), "runstate-life-"));
  await writeFile(join(folder, "index.html"), inspectedPage);
  const [db, otherDb] = ["smithers.db", "other.db"].map((name) => join(folder, name));
  const gateway = await startGateway({ db, page: folder });
  const second = await startGateway({ db });
  const proxy = await faultProxy(gateway.port, random);
  const runIds = [await gateway.launch("approval", {})];
  await gateway.waitForState(runIds[0], "waiting-approval");
  const world = { gateway, second, proxy, random, runIds, runId: runIds[0], otherDb };
  const truth = new Truth([gateway, second], runIds);
  const surface = await HOSTS[host]({ proxy, runId: runIds[0] });
  const watch = new Watch(surface.evaluate, truth, { root: surface.root, label: host });
  watch.delay = surface.delay;
  Object.assign(world, { truth, watch, page: surface.page, faults: FAULTS.filter(surface.suffers) });
  const first = await surface.evaluate(size, surface.root);
  const end = performance.now() + 1000 * seconds;
  while (performance.now() < end) {
    const step = random.pick([...EVENTS, ...EVENTS, fault]);
    // The Gateway refuses what the run's state does not allow, and a Gateway that has just ended answers nothing.
    await step(world).catch((error) => (error.code || error.cause ? undefined : Promise.reject(error)));
    watch.delay = surface.delay;
    watch.fault = "none";
    watch.isSkewed = false;
    await pause(500 + 1500 * random());
  }
  const last = await surface.evaluate(size, surface.root);
  await watch.stop();
  await truth.stop();
  for (const example of watch.examples) console.error(example);
  const megabytes = ((last.heap - first.heap) / 1e6).toFixed(1);
  console.log(
    `${host}: ${watch.false} false of ${watch.compared} compared in ${seconds} s, memory ${megabytes} MB, elements ${last.elements - first.elements}, ` +
      `${runIds.length} runs, seed ${seed}`,
  );
  await surface.close();
  await proxy.close();
  await second.stop();
  await gateway.stop();
  await rm(folder, { recursive: true, force: true });
  return watch.false === 0 && watch.compared > 0;
}

const EVENTS = [
  async function launchRun({ gateway, runIds, random }) {
    if (runIds.length < MAX_RUNS)
      runIds.push(await gateway.launch(random.pick(["approval", "event", "finish", "fail", "slow", "timer"]), { ms: 2000 }));
  },
  ({ gateway, runIds, random }) => gateway.approve(random.pick(runIds), "release-gate", random() < 0.7),
  ({ second, runIds, random }) => second.rpc("cancelRun", { runId: random.pick(runIds) }),
  ({ second, runIds, random }) => second.rpc("retryTask", { runId: random.pick(runIds), nodeId: "release-gate", iteration: 0 }),
  ({ second, runIds, random }) => second.rpc("rewindRun", { runId: random.pick(runIds), frameNo: 1, confirm: true }),
  ({ gateway, runIds, random }) => gateway.rpc("submitSignal", { runId: random.pick(runIds), signalName: "order-7", payload: {} }),
  ({ gateway, runIds, random }) => gateway.rpc("pauseRun", { runId: random.pick(runIds) }),
  ({ gateway, runIds, random }) => gateway.rpc("resumeRun", { runId: random.pick(runIds) }),
];

async function fault(world) {
  const { name, start, delay = 0, isSkewed = false } = world.random.pick(world.faults);
  world.watch.delay += delay;
  world.watch.fault = name;
  world.watch.isSkewed = isSkewed;
  const end = await start(world);
  await pause(1000 + 3000 * world.random());
  await end();
  // Late messages are still on their way, and rows are derived again with the next list.
  await pause(delay + LIST_PERIOD_MS);
}

/** The surfaces by their hosts. */
const HOSTS = {
  async dashboard({ proxy, runId }) {
    const [browser, server] = await Promise.all([launch({ args: MEMORY }), serve(built("dashboard"))]);
    const page = await browser.newPage();
    await page.setViewport({ width: 1600, height: 1000 });
    await connect(page, `${server.origin}/#connect`, { url: proxy.url, token: OPERATOR_TOKEN, run: runId });
    await page.waitForSelector("section[data-tone]");
    const close = () => Promise.all([browser.close(), server.close()]);
    return { page, evaluate: (look, root) => page.evaluate(look, root), delay: 0, suffers: ({ needsPerson }) => !needsPerson, close };
  },
  async element({ proxy, runId }) {
    const [browser, server] = await Promise.all([launch({ args: MEMORY }), serve(built("npm"), { extra: { "/page.html": elementPage } })]);
    const page = await browser.newPage();
    await page.setViewport({ width: 1600, height: 1000 });
    await page.goto(`${server.origin}/page.html`);
    await page.waitForFunction(() => customElements.get("runstate-panel"));
    await page.evaluate((options) => document.querySelector("runstate-panel").connect(options), {
      url: proxy.url,
      token: OPERATOR_TOKEN,
      run: runId,
    });
    const close = () => Promise.all([browser.close(), server.close()]);
    const suffers = ({ needsPerson }) => !needsPerson;
    return { page, root: "runstate-panel", evaluate: (look, root) => page.evaluate(look, root), delay: 0, suffers, close };
  },
  // The requests of the inspected page suffer from the faults of the network and of the server.
  async devtools({ proxy }) {
    const tools = await openDevtools(`http://127.0.0.1:${proxy.port}/page/index.html`, { args: MEMORY });
    const evaluate = (look, root) => tools.inPanel(`(${look})(${JSON.stringify(root)})`);
    const suffers = ({ needsPerson, ofViewer, isInvented }) => !needsPerson && !ofViewer && !isInvented;
    return { page: tools.page, evaluate, delay: PAGE_DELAY_MS, suffers, close: () => tools.close() };
  },
};

const elementPage = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Fleet</title><link rel="icon" href="data:,">
  <script type="module" src="/elements/define.js"></script><style>runstate-panel { height: 900px; }</style><runstate-panel>Run</runstate-panel></html>`;

/** A page that requests all runs of its Gateway once a second, and follows the newest one on a socket. */
const inspectedPage = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Runs</title><link rel="icon" href="data:,"><script type="module">
  const rpc = async (method, params) => {
    const body = JSON.stringify({ id: method, method, params });
    const headers = { "content-type": "application/json", authorization: "Bearer ${OPERATOR_TOKEN}" };
    const signal = AbortSignal.timeout(2000);
    return (await (await fetch("/rpc", { method: "POST", headers, body, signal })).json()).payload;
  };
  const follow = (runId) => {
    const socket = new WebSocket(location.origin.replace("http", "ws"));
    const ask = (id, method, params) => socket.send(JSON.stringify({ type: "req", id, method, params }));
    const client = { id: "page", version: "1", platform: "browser" };
    socket.onopen = () => ask("1", "connect", { minProtocol: 1, maxProtocol: 1, client, auth: { token: "${OPERATOR_TOKEN}" } });
    socket.onmessage = ({ data }) => {
      if (!data.includes('"id":"1"')) return;
      ask("2", "streamRunEvents", { runId, afterSeq: 0 });
      ask("3", "streamDevTools", { runId });
    };
    socket.onclose = () => setTimeout(() => (followed = undefined), 1000);
  };
  let followed;
  for (;;) {
    const runs = await rpc("listRuns", { filter: { limit: 50 } }).catch(() => undefined);
    if (runs?.length && followed === undefined) follow((followed = runs[0].runId));
    for (const { runId } of runs ?? []) await rpc("getRun", { runId }).catch(() => undefined);
    await new Promise((next) => setTimeout(next, 1000));
  }
</script></html>`;

/** The memory of the page in bytes, without garbage, and the number of its elements. */
function size(root) {
  globalThis.gc?.();
  const from = root ? document.querySelector(root).shadowRoot : document;
  return { heap: performance.memory?.usedJSHeapSize ?? 0, elements: from.querySelectorAll("*").length };
}
