// Lets each fault of the table happen once, prints a line for each, and fails if something false was shown or the panel was live again too late.
import { launch } from "../support/browser.mjs";
import { built } from "../support/paths.mjs";
import { serve } from "../support/server.mjs";
import { FAULTS } from "./faults.mjs";
import { randomOf } from "./watch.mjs";
import { RECOVERY_MS, startWorld, suffer } from "./world.mjs";

/** Runs the table. Returns whether nothing false was shown, and the panel was live again in time after each fault. */
export async function table(seed) {
  const [browser, server] = await Promise.all([launch(), serve(built("dashboard"))]);
  const page = await browser.newPage();
  const world = await startWorld(page, `${server.origin}/#connect`, randomOf(seed));
  let failures = 0;
  try {
    for (const fault of FAULTS) {
      const { compared, false: found, examples, recoveryMs } = await suffer(world, fault, fault);
      const isLate = recoveryMs > RECOVERY_MS;
      failures += found + Number(isLate);
      console.log([fault.name, `${found} false of ${compared}`, `live again after ${recoveryMs} ms`, ...examples].join(" | "));
    }
  } finally {
    await world.stop();
    await browser.close();
    await server.close();
  }
  return failures === 0;
}
