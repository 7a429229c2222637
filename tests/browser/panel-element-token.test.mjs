// Whom the token of <runstate-panel> is sent to, and which connections are refused before anything is sent.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { until } from "../support/browser.mjs";
import { socketServer } from "../support/listener.mjs";
import { call, events, happens, matches, panelPages, property, set, state } from "../support/panel-element.mjs";

const { gateway, host, plain, started } = await panelPages();

describe("the token", () => {
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
});

describe("connect() refuses", () => {
  const bad = [
    [{}, "INVALID_ADDRESS"],
    [{ url: "ftp://gateway.example" }, "INVALID_ADDRESS"],
    [{ url: "ws://user:pass-9981@127.0.0.1" }, "CREDENTIALS_IN_ADDRESS"],
    [{ url: "ws://127.0.0.1/?token=pass-9981" }, "CREDENTIALS_IN_ADDRESS"],
    [{ url: "ws://127.0.0.1:1", token: "line\nbreak" }, "INVALID_TOKEN"],
    [{ url: "ws://gateway.example", token: "t" }, "INSECURE_ADDRESS"],
  ];
  let page, close;
  before(async () => ({ page, close } = await started()));
  after(() => close());
  for (const [options, expected] of bad) {
    test(`${JSON.stringify(options)}: ${expected}`, async () => {
      const { code, message } = await call(page, "connect", options);
      assert.equal(code, expected);
      assert.ok(!message.includes("9981") && !message.includes("break"), message);
      assert.equal(gateway.authorizations.length, 0);
    });
  }
});
