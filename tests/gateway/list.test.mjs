// The rows of the list of runs, with a real Gateway.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { failedConnection } from "../support/browser.mjs";
import { connect, state } from "../support/live.mjs";
import { stage } from "../support/stage.mjs";
import { OPERATOR_TOKEN, startGateway } from "./gateway.mjs";

const [{ server, newPage }, gateway] = await Promise.all([stage({ ignore: failedConnection }), startGateway({ heartbeatMs: 1000 })]);
after(() => gateway.stop());

const reasonIs = (page, runId, reason) =>
  page.waitForFunction(
    (id, expected) => document.querySelector(`[data-run="${id}"] .run-reason`)?.textContent.trim() === expected,
    { polling: "mutation" },
    runId,
    reason,
  );

test("running rows name the node in progress, and no longer once it has ended", async () => {
  const [{ runId: first, go }, { runId: second }] = [await gateway.launchHeld("slow"), await gateway.launchHeld("slow")];
  const { page, close } = await newPage();
  await connect(page, `${server.origin}/#connect`, { url: gateway.url, token: OPERATOR_TOKEN });
  for (const runId of [first, second]) await reasonIs(page, runId, "Running grind.");
  // Every reason of the first row from now on.
  await page.evaluate((runId) => {
    const note = () => {
      const reason = document.querySelector(`[data-run="${runId}"] .run-reason`)?.textContent.trim();
      if (reason && reason !== window.reasons.at(-1)) window.reasons.push(reason);
    };
    window.reasons = [];
    note();
    new MutationObserver(note).observe(document.body, { subtree: true, childList: true, characterData: true });
  }, first);
  await go();
  await page.waitForFunction(() => window.reasons.at(-1).startsWith("Finished"));
  const [before, ...after] = await page.evaluate(() => window.reasons);
  assert.equal(before, "Running grind.");
  assert.ok(
    after.every((reason) => /^(Running|Running finish|Finished .*)\.$/.test(reason)),
    after.join(" "),
  );

  // The rows beside a run that is read name their nodes, too.
  await page.click(`[data-run="${second}"]`);
  await state(page, "running");
  const { runId: third } = await gateway.launchHeld("slow");
  await reasonIs(page, third, "Running grind.");
  await close();
});
