// Lets each fault of the table happen once, prints a line for each, and fails if one of them was shown as something that is not so.
import { launch } from "../support/browser.mjs";
import { built } from "../support/paths.mjs";
import { serve } from "../support/server.mjs";
import { FAULTS } from "./faults.mjs";
import { randomOf } from "./watch.mjs";
import { startWorld, suffer } from "./world.mjs";

/** Runs the table. Returns whether nothing false was shown. */
export async function table(seed) {
  const [browser, server] = await Promise.all([launch(), serve(built("dashboard"))]);
  const page = await browser.newPage();
  const world = await startWorld(page, `${server.origin}/#connect`, randomOf(seed));
  let falses = 0;
  try {
    for (const fault of FAULTS) {
      const { compared, false: found, examples, recoveryMs } = await suffer(world, fault);
      falses += found;
      console.log([fault.name, `${found} false of ${compared}`, `live again after ${recoveryMs} ms`, ...examples].join(" | "));
    }
  } finally {
    await world.stop();
    await browser.close();
    await server.close();
  }
  return falses === 0;
}
