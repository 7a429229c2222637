// Connections of <runstate-panel> to a Gateway, and whom its token is sent to.
import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { axe } from "../support/a11y.mjs";
import { failedConnection, until } from "../support/browser.mjs";
import { recordWorkers } from "../support/resources.mjs";
import { socketServer } from "../support/listener.mjs";
import { serve } from "../support/server.mjs";
import { call, events, happens, matches, panelPages, property, recordEvents, set, state, waiting } from "../support/panel-element.mjs";

const { gateway, host, plain, silentPort, newPage, started } = await panelPages();

describe("connections", () => {
  test("attributes and the token property connect; the events say what happened; the token is nowhere", async () => {
    const { page, log, close } = await started();
    await page.$eval(
      "runstate-panel",
      (panel, origin) => {
        panel.gateway = origin;
        panel.run = "approval-a";
        panel.token = "operator-token";
      },
      host.origin,
    );
    await state(page, "waiting-approval");
    assert.ok(
      gateway.authorizations.length > 0 && gateway.authorizations.every((header) => header === "Bearer operator-token"),
      "connected once, for all three",
    );
    await happens(page, "change");
    const [change] = await events(page, "change");
    assert.deepEqual(
      [change.state, change.previous, change.runId, change.blocked],
      ["waiting-approval", undefined, "approval-a", "approval"],
    );
    assert.match(change.reason, /^Waiting for a decision at /);
    await page.waitForFunction(() => document.querySelector("runstate-panel").matches(":state(live)"));
    assert.ok((await events(page, "freshness")).some(({ freshness }) => freshness === "live"));
    const [html, value] = await page.evaluate(() => [
      document.documentElement.outerHTML + document.querySelector("runstate-panel").shadowRoot.innerHTML + location.href,
      String(document.querySelector("runstate-panel").token),
    ]);
    assert.ok(!html.includes("operator-token") && value === "undefined");
    assert.ok(log.requests.every((url) => !url.includes("operator-token")));

    gateway.moment = "";
    await state(page, "succeeded");
    const last = (await events(page, "change")).at(-1);
    assert.deepEqual([last.state, last.previous], ["succeeded", "waiting-approval"]);
    await page.$eval("runstate-panel", (panel) => panel.removeAttribute("gateway"));
    await page.waitForFunction(() => document.querySelector("runstate-panel").runState === undefined);
    await until("no worker", () => page.workers().length === 0);
    log.allow(/404/);
    await close();
  });

  test("connect() resolves when runs are shown, and rejects with what the Gateway refuses", async () => {
    const { page, log, close } = await started();
    const refused = await call(page, "connect", { url: host.origin, token: "wrong", run: "approval-a" });
    assert.match(refused.code, /UNAUTHORIZED/i);
    assert.ok(await matches(page, ":state(refused)"));
    assert.match((await events(page, "refusal")).at(-1).code, /UNAUTHORIZED/i);
    const ok = await call(page, "connect", { url: host.origin, token: "operator-token", run: "approval-a" });
    assert.deepEqual([ok.code, ok.value], [undefined, undefined]);
    assert.equal((await property(page, "runState")).state, "waiting-approval");
    assert.equal((await property(page, "header")).state, "waiting-approval");
    log.allow(/401|404/);
    await close();
  });

  test("the token of the attribute's Gateway is not sent to another one", async () => {
    const { page, log, close } = await started();
    await page.$eval("runstate-panel", (panel) => Object.assign(panel, { token: "operator-token", run: "approval-a" }));
    assert.match((await call(page, "connect", { url: host.origin })).code, /UNAUTHORIZED/i);
    assert.ok(gateway.authorizations.length > 0 && gateway.authorizations.every((header) => header === undefined));
    log.allow(/401/);
    await close();
  });

  const others = [];
  after(() => Promise.all(others.map((close) => close())));
  // A Gateway of another origin that never answers: `tokens` are those that it was sent, again with every new try.
  async function other() {
    const tokens = [];
    const { url, close } = await socketServer((socket) => socket.on("message", (data) => tokens.push(JSON.parse(data).params.auth?.token)));
    others.push(close);
    const asked = (count) => until(`${count} connections`, () => tokens.length >= count);
    return { url, tokens, asked };
  }

  test("a token is dropped when the attribute names another Gateway without a new one", async () => {
    const { url, tokens, asked } = await other();
    const { page, log, close } = await started("/one.html", plain);
    await set(page, { gateway: plain.origin, run: "approval-a", token: "operator-token" });
    await state(page, "waiting-approval");
    await set(page, { gateway: url });
    await asked(1);
    assert.ok(
      tokens.every((token) => token === undefined),
      tokens.join(),
    );

    gateway.authorizations = [];
    await set(page, { gateway: plain.origin });
    await happens(page, "refusal");
    assert.ok(
      gateway.authorizations.every((header) => header === undefined),
      "nor is it sent to the first one again",
    );

    await set(page, { gateway: url, token: "other-token" });
    await until("the other token", () => tokens.includes("other-token"));
    await set(page, { gateway: plain.origin, token: "operator-token" });
    await state(page, "waiting-approval");
    await set(page, { token: "third-token", gateway: url });
    await until("the third token", () => tokens.includes("third-token"));
    assert.deepEqual(
      tokens.filter((token, index) => index === 0 || token !== tokens[index - 1]),
      [undefined, "other-token", "third-token"],
      "a new one goes to the Gateway that is set with it, in any order",
    );
    log.allow(/401|404/);
    await close();
  });

  test("nor is it sent by connect() at once, or by a panel that starts later", async () => {
    const { url, tokens, asked } = await other();
    const { page, log, close } = await started("/one.html", plain);
    await set(page, { gateway: plain.origin, run: "approval-a", token: "operator-token" });
    await state(page, "waiting-approval");
    await page.$eval(
      "runstate-panel",
      (panel, address) => {
        panel.gateway = address;
        panel.connect().catch(() => {});
        panel.connect({ url: address }).catch(() => {});
      },
      url,
    );
    await asked(1);

    const later = await other();
    await page.evaluate(
      async (first, second) => {
        const panel = Object.assign(document.createElement("runstate-panel"), { gateway: first, token: "early-token" });
        await null;
        panel.gateway = second;
        document.querySelector("main").append(panel);
      },
      plain.origin,
      later.url,
    );
    await later.asked(1);
    assert.ok(
      [...tokens, ...later.tokens].every((token) => token === undefined),
      tokens.join(),
    );

    await page.evaluate(async (address) => {
      const panel = Object.assign(document.createElement("runstate-panel"), { token: "first-token" });
      document.querySelector("main").append(panel);
      await new Promise((done) => panel.addEventListener("runstate-ready", done));
      panel.gateway = address;
    }, url);
    await until("the token of the first Gateway", () => tokens.includes("first-token"));
    log.allow(/401|404/);
    await close();
  });

  const bad = [
    [{}, "INVALID_ADDRESS"],
    [{ url: "ftp://gateway.example" }, "INVALID_ADDRESS"],
    [{ url: "ws://user:pass-9981@127.0.0.1" }, "CREDENTIALS_IN_ADDRESS"],
    [{ url: "ws://127.0.0.1/?token=pass-9981" }, "CREDENTIALS_IN_ADDRESS"],
    [{ url: "ws://127.0.0.1:1", token: "line\nbreak" }, "INVALID_TOKEN"],
    [{ url: "ws://gateway.example", token: "t" }, "INSECURE_ADDRESS"],
  ];
  for (const [options, expected] of bad) {
    test(`connect(${JSON.stringify(options)}) is refused: ${expected}`, async () => {
      const { page, close } = await started();
      const { code, message } = await call(page, "connect", options);
      assert.equal(code, expected);
      assert.ok(!message.includes("9981") && !message.includes("break"), message);
      assert.equal(gateway.authorizations.length, 0);
      await close();
    });
  }

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
