// Faults of the network, of the server and of clocks: during each the screen is compared with the Gateway, asked directly.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { FAULTS } from "../faults/faults.mjs";
import { randomOf } from "../faults/watch.mjs";
import { RECOVERY_MS, startWorld, suffer } from "../faults/world.mjs";
import { stage } from "../support/stage.mjs";
import { TIMEOUT } from "../support/timeout.mjs";

const caused = /WebSocket connection to|Failed to load resource|ERR_/;
const { server, newPage } = await stage({ ignore: caused });
const { page } = await newPage();
const world = await startWorld(page, `${server.origin}/#connect`, randomOf(7));
after(() => world.stop());

const patience = Math.max(1, TIMEOUT / 30_000);
for (const fault of FAULTS.filter(({ selection }) => selection)) {
  test(`nothing false is live: ${fault.name}`, async () => {
    const result = await suffer(world, fault, { seconds: 4 });
    assert.deepEqual({ false: result.false, examples: result.examples }, { false: 0, examples: [] });
    assert.ok(result.compared > 0 || fault.silent, "nothing was compared");
    assert.ok(result.recoveryMs < RECOVERY_MS * patience, `live again after ${result.recoveryMs} ms`);
  });
}

test("a watched run with its list costs at most four requests a second", async () => {
  const from = world.proxy.requests.length;
  const seconds = 10;
  await new Promise((next) => setTimeout(next, 1000 * seconds));
  const rate = (world.proxy.requests.length - from) / seconds;
  assert.ok(rate <= 4, `${rate} requests a second`);
});
