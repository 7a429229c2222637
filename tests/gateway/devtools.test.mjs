// The panel in Chromium's DevTools with a real Gateway.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { openDevtools } from "../support/devtools.mjs";
import { connects, filtersEvents, operates } from "../support/operator.mjs";
import { serve } from "../support/server.mjs";
import { OPERATOR_TOKEN, startGateway } from "./gateway.mjs";

const server = await serve(undefined, { extra: { "/": "<!doctype html><html lang=en><title>Inspected</title>" } });
after(() => server.close());
const gateway = await startGateway({ heartbeatMs: 1000 });
after(() => gateway.stop());
const panel = await openDevtools(`${server.origin}/`);
after(() => panel.close());

const state = (word) => panel.until(`document.querySelector('section[data-tone]')?.dataset.state === ${JSON.stringify(word)}`);
/** Connects to the Gateway, to a new run of a workflow that waits for a decision. */
const waiting = async (workflow, input) => {
  const runId = await gateway.launch(workflow, input);
  await gateway.waitForState(runId, "waiting-approval");
  await connects(panel, { url: gateway.url, token: OPERATOR_TOKEN, run: runId });
  await state("waiting-approval");
  return runId;
};

test("a node is found, the tree is filtered, and the attempts at a node are read", async () => {
  await waiting("detail", { megabytes: 0 });
  await operates(panel);
  assert.deepEqual(panel.complaints, []);
});
test("the events of a run are filtered", async () => {
  await panel.reload();
  const runId = await waiting("approval");
  await gateway.approve(runId, "release-gate");
  await state("succeeded");
  await filtersEvents(panel, "node");
  assert.deepEqual(panel.complaints, []);
});
