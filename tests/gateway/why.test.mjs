// Why a live run is blocked, derived from the attempts at its tasks, with a real Gateway.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { failedConnection } from "../support/browser.mjs";
import { connect, freshness, state } from "../support/live.mjs";
import { stage } from "../support/stage.mjs";
import { OPERATOR_TOKEN, startGateway } from "./gateway.mjs";

const [{ server, newPage }, gateway] = await Promise.all([stage({ ignore: failedConnection }), startGateway({ heartbeatMs: 1000 })]);
after(() => gateway.stop());

const watch = async (runId) => {
  const { page, close } = await newPage();
  await connect(page, `${server.origin}/#connect`, { url: gateway.url, token: OPERATOR_TOKEN, run: runId });
  return { page, close };
};
const actions = (page) => page.$$eval('[data-field="actions"] li', (rows) => rows.map((row) => row.textContent.trim()));
const named = (page, sentence) =>
  page.waitForFunction(
    (start) => [...document.querySelectorAll('[data-field="actions"] li')].some((row) => row.textContent.includes(start)),
    {},
    sentence,
  );

test("a task whose engine died is named as silent before its run is called stale", async () => {
  const runId = await gateway.launch("silent", { seconds: 120 });
  await gateway.waitForState(runId, "running");
  const { page, close } = await watch(runId);
  await state(page, "running");
  await freshness(page, "live");
  assert.deepEqual(await actions(page), [], "it is at work");
  await gateway.restart();
  const [attempt] = await gateway.rpc("attempts.list", { runId, nodeId: "ponder", iteration: 0 });
  assert.equal(attempt.state, "in-progress", "the Gateway does not know that it ended");

  await named(page, "Try ponder again: no heartbeat for ");
  assert.equal((await gateway.rpc("getRun", { runId })).runState.state, "running");
  const [line] = await actions(page);
  assert.match(line, /^Try ponder again: no heartbeat for \d+ s, it may be silent for 4 s\./);
  const command = await page.$eval('[data-action="command-retry"]', (button) => button.title);
  const { workflowPath } = await gateway.rpc("getRun", { runId });
  assert.equal(
    command,
    `smithers retry-task ${workflowPath ?? "WORKFLOW_FILE"} --run-id ${runId} --node-id ponder --iteration 0 --force true`,
  );
  await close();
});
