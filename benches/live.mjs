// The panel's side on a live run: what it costs to watch one, and whether its events can be followed for long.
import { launch } from "../tests/support/browser.mjs";
import { connect, freshness } from "../tests/support/live.mjs";
import { built } from "../tests/support/paths.mjs";
import { serve } from "../tests/support/server.mjs";
import { OPERATOR_TOKEN, startGateway } from "../tests/gateway/gateway.mjs";

const GRID = "[data-pane=log] [role=grid]";
const IDLE_MS = 20_000;
const FOLLOWED_MS = 300_000;
/** What the first events need is not counted. */
const BEFORE_MS = 30_000;
/** A step of a run has about five events, and eight steps of a second each run beside each other. */
const STEPS = 2_700;
/** More elements than the rows on screen need. */
const ELEMENTS = 2_500;

/** The cases on a live Gateway, each with a Gateway of its own. */
export function ourLive() {
  return {
    "idle-run": () => () => watched("approval", {}, idle),
    follow: () => () => watched("wide", { count: STEPS, ms: 1_000 }, follow),
  };
}

/** Watches a new run with its tree, a node and its events on screen. */
async function watched(workflow, input, measure) {
  const [browser, server, gateway] = await Promise.all([launch(), serve(built("dashboard")), startGateway()]);
  try {
    const page = await browser.newPage();
    await page.setViewport({ width: 1280, height: 900 });
    const run = await gateway.launch(workflow, input);
    await connect(page, `${server.origin}/#connect`, { url: gateway.url, token: OPERATOR_TOKEN, run });
    await freshness(page, "live");
    await page.waitForSelector("[data-pane=tree] [role=treeitem]");
    return await measure(browser, page);
  } finally {
    await browser.close();
    await Promise.all([server.close(), gateway.stop()]);
  }
}

/** The processor's time per second for the page and its worker, while the run waits for a person. */
async function idle(browser, page) {
  await page.waitForSelector('section[data-tone][data-state="waiting-approval"]');
  const client = await browser.target().createCDPSession();
  const used = async () => {
    const { processInfo } = await client.send("SystemInfo.getProcessInfo");
    return processInfo.filter(({ type }) => type === "renderer").reduce((sum, { cpuTime }) => sum + cpuTime, 0);
  };
  const before = await used();
  await new Promise((done) => setTimeout(done, IDLE_MS));
  return { milliseconds: (1000 * 1000 * ((await used()) - before)) / IDLE_MS, answer: "watched" };
}

/** The growth of the memory of the page and its worker while the last events stay on screen. */
async function follow(browser, page) {
  await page.click("[data-view-switch=events]");
  await page.waitForSelector(`${GRID} [role=row][data-event]`);
  await page.focus(GRID);
  await page.keyboard.press("End");
  await new Promise((done) => setTimeout(done, BEFORE_MS));
  const [memory, count, elements] = [await heldMemory(page), await rowCount(page), []];
  for (const end = Date.now() + FOLLOWED_MS; Date.now() < end;) {
    await new Promise((done) => setTimeout(done, 5_000));
    elements.push(await page.$$eval("*", ({ length }) => length));
    if (!(await page.$(`${GRID} [role=row][aria-rowindex="${await rowCount(page)}"]`)))
      throw new Error("follow: the last event is not shown");
  }
  const [bytes, events] = [(await heldMemory(page)) - memory, (await rowCount(page)) - count];
  const most = Math.max(...elements);
  console.log(`follow: ${events} events in ${FOLLOWED_MS / 1000} s, ${most} elements at most`);
  if (most > ELEMENTS) throw new Error(`follow: ${most} elements, expected ${ELEMENTS} at most`);
  return { bytes: bytes / events, answer: "followed" };
}

const rowCount = (page) => page.$eval(GRID, (grid) => Number(grid.ariaRowCount));

/** The bytes that the page and its workers hold after their garbage was collected: objects, and the memories of the modules. */
async function heldMemory(page) {
  const clients = [await page.createCDPSession(), ...page.workers().map(({ client }) => client)];
  const sizes = await Promise.all(
    clients.map(async (client) => {
      await client.send("HeapProfiler.collectGarbage");
      const { usedSize, backingStorageSize } = await client.send("Runtime.getHeapUsage");
      return usedSize + backingStorageSize + (await moduleMemory(client));
    }),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** The size of all WebAssembly memories of a page or a worker. */
async function moduleMemory(client) {
  const { result: prototype } = await client.send("Runtime.evaluate", { expression: "WebAssembly.Memory.prototype" });
  const { objects } = await client.send("Runtime.queryObjects", { prototypeObjectId: prototype.objectId });
  const { result } = await client.send("Runtime.callFunctionOn", {
    objectId: objects.objectId,
    functionDeclaration: "function () { return this.reduce((sum, { buffer }) => sum + buffer.byteLength, 0); }",
    returnByValue: true,
  });
  return result.value;
}
