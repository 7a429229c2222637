// The panel in Firefox's developer tools with a real Gateway.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { openPanel } from "../support/firefox-panel.mjs";
import { connects, filtersEvents, operates } from "../support/operator.mjs";
import { serve } from "../support/server.mjs";
import { OPERATOR_TOKEN, startGateway } from "./gateway.mjs";

const server = await serve(undefined, { extra: { "/": "<!doctype html><html lang=en><title>Inspected</title>" } });
after(() => server.close());
const gateway = await startGateway({ heartbeatMs: 1000 });
after(() => gateway.stop());
const panel = await openPanel(`${server.origin}/`);
after(() => panel.close());

const state = (word) => panel.until(`document.querySelector('section[data-tone]')?.dataset.state === ${JSON.stringify(word)}`);

const connect = (runId) => connects(panel, { url: gateway.url, token: OPERATOR_TOKEN, run: runId });

test("with its token it follows a run from its start over the approval to its end", async () => {
  const { runId, go } = await gateway.launchHeld("approval");
  await connect(runId);
  await state("running");
  await panel.until(`runstateTest.header()?.freshness === "live"`);
  await go();
  await state("waiting-approval");
  const { header } = await panel.inPanel("runstateTest.answer()");
  assert.deepEqual([header.runId, header.blockedKind, header.blocked.nodes], [runId, "approval", ["release-gate"]]);
  await gateway.approve(runId, "release-gate");
  await state("succeeded");
  await filtersEvents(panel, "node");
  assert.deepEqual(await panel.complaints(), []);
});
test("the token is in nothing that the browser keeps or shows", async () => {
  const kept = await panel.inPanel(
    "JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.documentElement.outerHTML, location.href, document.title])",
  );
  assert.ok(!kept.includes(OPERATOR_TOKEN));
});
test("a node is found, the tree is filtered, and the attempts at a node are read", async () => {
  const runId = await gateway.launch("detail", { megabytes: 0 });
  await gateway.waitForState(runId, "waiting-approval");
  await panel.reload();
  await connect(runId);
  await state("waiting-approval");
  await operates(panel);
  assert.deepEqual(await panel.complaints(), []);
});
