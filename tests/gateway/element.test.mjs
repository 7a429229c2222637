// <runstate-panel> on a real Gateway: two elements, one of them in a frame, follow a run from its approval to its end.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { TIMEOUT } from "../support/timeout.mjs";
import { built } from "../support/paths.mjs";
import { serve } from "../support/server.mjs";
import { stage } from "../support/stage.mjs";
import { OPERATOR_TOKEN, startGateway } from "./gateway.mjs";

const body = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Fleet</title><link rel="icon" href="data:,">
  <script type="module" src="/elements/define.js"></script>
  <main><h1>Fleet</h1><runstate-panel view="header">Run</runstate-panel><runstate-panel frame>Run</runstate-panel></main>`;
const host = await serve(built("npm"), { extra: { "/page.html": body } });
const { newPage } = await stage({ ignore: /WebSocket connection to 'ws:\/\/127\.0\.0\.1/ });
const gateway = await startGateway();
after(() => Promise.all([gateway.stop(), host.close()]));

const seen = (page, name) => page.evaluate((wanted) => window.seen.filter((event) => event.name === wanted), name);
const both = (page, word) =>
  page.waitForFunction(
    (wanted) => [...document.querySelectorAll("runstate-panel")].every((panel) => panel.runState?.state === wanted),
    {},
    word,
  );

test("state changes are events, in both; a lost Gateway is a state of the element; a token that is refused is a refusal", async () => {
  const { page, log, close } = await newPage();
  await page.evaluateOnNewDocument(() => {
    window.seen = [];
    for (const name of ["change", "freshness", "refusal"])
      addEventListener(`runstate-${name}`, ({ target, detail }) => window.seen.push({ name, frame: target.frame, ...detail }));
  });
  await page.goto(`${host.origin}/page.html`);
  const runId = await gateway.launch("approval");
  await gateway.waitForState(runId, "waiting-approval");
  const connect = (options) =>
    page.evaluate(
      (gatewayOf) =>
        Promise.all(
          [...document.querySelectorAll("runstate-panel")].map((panel) =>
            panel.connect(gatewayOf).then(
              () => "shown",
              ({ code }) => code,
            ),
          ),
        ),
      options,
    );
  assert.deepEqual(await connect({ url: gateway.url, token: OPERATOR_TOKEN, run: runId }), ["shown", "shown"]);
  await both(page, "waiting-approval");
  await page.waitForFunction(() => [...document.querySelectorAll("runstate-panel")].every((panel) => panel.matches(":state(live)")));
  const [{ blocked, reason }] = await seen(page, "change");
  assert.equal(blocked, "approval");
  assert.match(reason, /release-gate/);

  await gateway.approve(runId, "release-gate");
  await both(page, "succeeded");
  for (const frame of [false, true]) {
    const states = (await seen(page, "change")).filter((change) => change.frame === frame).map(({ state }) => state);
    assert.deepEqual([states[0], states.at(-1)], ["waiting-approval", "succeeded"]);
  }

  await gateway.kill();
  await page.waitForFunction(() => [...document.querySelectorAll("runstate-panel")].every((panel) => panel.matches(":state(stale)")), {
    timeout: 2 * TIMEOUT,
  });
  assert.ok((await seen(page, "freshness")).some(({ freshness }) => freshness === "lost"));
  await gateway.restart();
  await page.waitForFunction(() => [...document.querySelectorAll("runstate-panel")].every((panel) => panel.matches(":state(live)")), {
    timeout: 2 * TIMEOUT,
  });

  assert.deepEqual(await connect({ url: gateway.url, token: "wrong", run: runId }), ["UNAUTHORIZED", "UNAUTHORIZED"]);
  log.allow(/401/);
  await close();
});
