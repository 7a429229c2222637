// A real Gateway, a second process on its database, the proxy, and a panel behind it: the world in which faults happen.
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mkdtemp, rm } from "node:fs/promises";
import { OPERATOR_TOKEN, startGateway } from "../gateway/gateway.mjs";
import { connect, state } from "../support/live.mjs";
import { faultProxy } from "./proxy.mjs";
import { Truth, Watch, pause } from "./watch.mjs";

/** The time within which the panel is live again after a fault, in milliseconds. */
export const RECOVERY_MS = 3000;
/** The time within which the rows of the list are read again, in milliseconds. */
export const LIST_PERIOD_MS = 2500;

/** Starts the world; `page` is the page of the panel, and `address` the address of its connect screen. */
export async function startWorld(page, address, random) {
  const folder = await mkdtemp(join(tmpdir(), "runstate-faults-"));
  const [db, otherDb] = ["smithers.db", "other.db"].map((name) => join(folder, name));
  const gateway = await startGateway({ db });
  const second = await startGateway({ db });
  const runIds = [await gateway.launch("approval", {}), await gateway.launch("approval", {})];
  for (const runId of runIds) await gateway.waitForState(runId, "waiting-approval");
  const proxy = await faultProxy(gateway.port, random);
  const [runId, other] = runIds;
  await page.setViewport({ width: 1600, height: 900 });
  await connect(page, address, { url: proxy.url, token: OPERATOR_TOKEN, run: runId });
  await state(page, "waiting-approval");
  const world = { gateway, second, proxy, page, random, runId, other, otherDb };
  const truth = new Truth([gateway, second], runIds);
  const watch = new Watch((look, root) => page.evaluate(look, root), truth);
  const stop = async () => {
    await watch.stop();
    await truth.stop();
    await proxy.close();
    await second.stop();
    await gateway.stop();
    await rm(folder, { recursive: true, force: true });
  };
  return Object.assign(world, { truth, watch, stop });
}

/** Lets one fault happen while a second process cancels and reopens the runs. Returns what was false, and how long the recovery took. */
export async function suffer(world, fault, { seconds = 5 } = {}) {
  const { watch, truth, second, runId, other } = world;
  const before = { compared: watch.compared, false: watch.false };
  watch.examples.length = 0;
  watch.delay = fault.delay ?? 0;
  watch.fault = fault.name;
  watch.isSkewed = fault.isSkewed ?? false;
  const end = await fault.start(world);
  for (const run of [runId, other]) {
    await pause((1000 * seconds) / 4);
    // A frozen process may hold the database.
    await toggle(second, truth, run).catch((error) => (error.code ? undefined : Promise.reject(error)));
  }
  await pause((1000 * seconds) / 2);
  await end();
  const ended = performance.now();
  const recovered = await recovery(watch, truth, runId, ended);
  // Rows are derived again with the next list.
  if (watch.isSkewed) await pause(LIST_PERIOD_MS);
  await watch.settle();
  watch.delay = 0;
  return {
    compared: watch.compared - before.compared,
    false: watch.false - before.false,
    examples: [...watch.examples],
    recoveryMs: recovered,
  };
}

/** Cancels a run that waits, and reopens one that was cancelled. */
async function toggle(second, truth, runId) {
  if (truth.last(runId)[1] === "cancelled") await second.rpc("retryTask", { runId, nodeId: "release-gate", iteration: 0 });
  else await second.rpc("cancelRun", { runId });
}

/** The time until the header is live with the Gateway's word, in milliseconds; `Infinity` after 20 s. */
async function recovery(watch, truth, runId, since) {
  while (performance.now() - since < 20_000) {
    const words = await watch.words().catch(() => []);
    const header = words.find(({ surface }) => surface === "header");
    if (header?.isPresent && header.word === truth.last(runId)[0]) return Math.round(performance.now() - since);
    await pause(50);
  }
  return Infinity;
}
