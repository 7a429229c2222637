// Connections of <runstate-panel> that fail: each is an event and a rejection with its reason.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { axe } from "../support/a11y.mjs";
import { failedConnection, until } from "../support/browser.mjs";
import { recordWorkers } from "../support/resources.mjs";
import { serve } from "../support/server.mjs";
import { call, events, happens, panelPages, property, recordEvents, state, waiting } from "../support/panel-element.mjs";

const { host, plain, silentPort, newPage, started } = await panelPages();

describe("connections", () => {
  const unreached = [
    ["NO_ANSWER", `ws://127.0.0.1:${silentPort}`],
    ["SOCKET_REFUSED", host.origin.replace("http", "ws")],
    ["ANSWER_UNREADABLE", host.origin],
  ];
  for (const [expected, url] of unreached) {
    test(`${expected} is an event; connect() goes on, and ends with disconnect()`, async () => {
      const { page, log, close } = await started("/one.html", plain);
      const result = await page.$eval(
        "runstate-panel",
        async (panel, address) => {
          const refused = new Promise((done) => panel.addEventListener("runstate-refusal", ({ detail }) => done(detail), { once: true }));
          const connecting = panel.connect({ url: address }).then(
            () => "shown",
            (error) => error.code,
          );
          const { code, message, hint } = await refused;
          panel.disconnect();
          return { code, message, hint, ended: await connecting };
        },
        url,
      );
      assert.deepEqual([result.code, result.ended], [expected, "CANCELLED"]);
      assert.ok(result.message.includes(url) && result.hint.length > 20, JSON.stringify(result));
      assert.deepEqual(
        (await events(page, "refusal")).map(({ code }) => code),
        [expected],
        "said once",
      );
      await until("no worker", () => page.workers().length === 0);
      log.allow(failedConnection);
      log.allow(/CORS|Access-Control|ERR_FAILED|404|Cross-Origin/);
      await close();
    });
  }

  test("REDIRECTED is an event, and connect() rejects with it: neither request nor token goes to the other address", async () => {
    const other = await serve(undefined);
    const cors = { "access-control-allow-origin": "*", "access-control-allow-headers": "*" };
    const redirecting = await serve(undefined, {
      handle: ({ method }, response) => {
        response.writeHead(method === "OPTIONS" ? 204 : 307, { ...cors, location: `${other.origin}/rpc` }).end();
        return true;
      },
    });
    const { page, log, close } = await started("/one.html", plain);
    const { code, message } = await call(page, "connect", { url: redirecting.origin, token: "pass-9981" });
    assert.equal(code, "REDIRECTED");
    assert.ok(message.includes(redirecting.origin) && /redirects requests/.test(message), message);
    assert.deepEqual(other.requests, []);
    log.allow(failedConnection);
    await close();
    await Promise.all([other, redirecting].map((server) => server.close()));
  });

  test("CONTENT_POLICY is an event, and connect() rejects with it: there are no further attempts", async () => {
    const { page, log, close } = await started();
    const { code, message } = await call(page, "connect", { url: "ws://127.0.0.1:1" });
    assert.equal(code, "CONTENT_POLICY");
    assert.match(message, /ws:\/\/127\.0\.0\.1:1/);
    const refusals = await events(page, "refusal");
    assert.deepEqual(
      refusals.map((refusal) => refusal.code),
      ["CONTENT_POLICY"],
    );
    assert.match(refusals[0].hint, /connect-src/);
    log.allow(/WebSocket|connect-src|policy/i);
    await close();
  });
});

test("a worker that stops is an error, and the document stays on screen", async () => {
  const { page, log, close } = await newPage();
  await page.evaluateOnNewDocument(recordEvents);
  await page.evaluateOnNewDocument(recordWorkers);
  await page.goto(`${host.origin}/one.html`);
  await happens(page, "ready");
  await call(page, "open", waiting);
  await state(page, "waiting-approval");
  // High enough for all of its text to be in sight.
  await page.setViewport({ width: 1280, height: 1400 });
  await page.$eval("runstate-panel", (panel) => panel.style.setProperty("--runstate-height", "60rem"));
  await page.evaluate(() => window.startedWorkers.at(-1).dispatchEvent(new ErrorEvent("error", { message: "out of memory" })));
  await happens(page, "error");
  const [{ code, message }] = await events(page, "error");
  assert.equal(code, "WORKER_FAILED");
  assert.match(message, /out of memory/);
  assert.equal((await property(page, "runState")).state, "waiting-approval");
  assert.deepEqual((await axe(page)).problems, []);
  assert.equal((await call(page, "open", waiting)).code, undefined, "the next document opens");
  log.allow(/out of memory/);
  await close();
});
