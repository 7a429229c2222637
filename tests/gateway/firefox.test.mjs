// The panel in Firefox's developer tools with a real Gateway.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { openPanel } from "../support/firefox-panel.mjs";
import { serve } from "../support/server.mjs";
import { OPERATOR_TOKEN, startGateway } from "./gateway.mjs";

const server = await serve(undefined, { extra: { "/": "<!doctype html><html lang=en><title>Inspected</title>" } });
after(() => server.close());
const gateway = await startGateway({ heartbeatMs: 1000 });
after(() => gateway.stop());
const panel = await openPanel(`${server.origin}/`);
after(() => panel.close());

const state = (word) => panel.until(`document.querySelector('section[data-tone]')?.dataset.state === ${JSON.stringify(word)}`);

test("with its token it follows a run from its start over the approval to its end", async () => {
  const { runId, go } = await gateway.launchHeld("approval");
  await panel.inPanel(`((values) => {
    const form = document.querySelector('form[data-form="connect"]');
    for (const [name, value] of Object.entries(values)) {
      form.elements[name].value = value;
      form.elements[name].dispatchEvent(new Event("input", { bubbles: true }));
    }
    form.requestSubmit();
  })(${JSON.stringify({ url: gateway.url, token: OPERATOR_TOKEN, run: runId })})`);
  await state("running");
  await panel.until(`runstateTest.header()?.freshness === "live"`);
  await go();
  await state("waiting-approval");
  const { header } = await panel.inPanel("runstateTest.answer()");
  assert.deepEqual([header.runId, header.blockedKind, header.blocked.nodes], [runId, "approval", ["release-gate"]]);
  await gateway.approve(runId, "release-gate");
  await state("succeeded");
  assert.deepEqual(await panel.complaints(), []);
});
test("the token is in nothing that the browser keeps or shows", async () => {
  const kept = await panel.inPanel(
    "JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.documentElement.outerHTML, location.href, document.title])",
  );
  assert.ok(!kept.includes(OPERATOR_TOKEN));
});
