// `runstate/gateway` in a real Gateway, in Firefox: each way to be let in or refused over HTTP and the WebSocket. All of
// them are in routes.test.mjs.
import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { NOTHING_STORED, connect, failure, fill, freshness, refusal, state, stored } from "../support/live.mjs";
import { operates, pagePanel } from "../support/operator.mjs";
import { built } from "../support/paths.mjs";
import { stage } from "../support/stage.mjs";
import { OPERATOR_TOKEN, startGateway } from "./gateway.mjs";

const { server, newPage } = await stage({
  program: "firefox",
  ignore: /can’t establish a connection to the server at ws:\/\/(127\.0\.0\.1|localhost)/,
});
const dashboard = built("dashboard");
const [gateway, tokenless, listed] = await Promise.all([
  startGateway({ dashboard }),
  startGateway({ dashboard, tokens: false }),
  startGateway({ dashboard, origins: ["http://127.0.0.1:PORT"] }),
]);
after(() => Promise.all([gateway.stop(), tokenless.stop(), listed.stop()]));

let page, close;
beforeEach(async () => ({ page, close } = await newPage()));
afterEach(() => close());

const waiting = new Map();
before(async () => {
  for (const each of [gateway, tokenless, listed]) {
    waiting.set(each, await each.launch("approval"));
    await each.waitForState(waiting.get(each), "waiting-approval");
  }
});
const asLocalhost = (address) => address.replace("127.0.0.1", "localhost");
const panelOf = ({ http }) => `${http}/runstate/`;
const form = (at, values) => connect(page, `${panelOf(at)}#connect`, { run: waiting.get(at), ...values });
const isLive = async () => {
  await state(page, "waiting-approval");
  await freshness(page, "live");
};
const transports = { HTTP: ({ http }) => http, WebSocket: ({ url }) => url };

for (const [transport, url] of Object.entries(transports)) {
  describe(`over ${transport}`, () => {
    test("with a typed token, until the run ends", async () => {
      const runId = await gateway.launch("approval");
      await form(gateway, { url: url(gateway), token: OPERATOR_TOKEN, run: runId });
      await isLive();
      await gateway.approve(runId, "release-gate");
      await state(page, "succeeded");
      assert.equal(await stored(page), NOTHING_STORED);
      assert.ok(!(await page.content()).includes(OPERATOR_TOKEN));
    });

    test("with the session cookie, which no script can read", async () => {
      await page.goto(`${gateway.http}/v1/auth/session?token=${OPERATOR_TOKEN}&next=/runstate/%23connect`);
      await page.waitForFunction((address) => location.href === address, {}, `${panelOf(gateway)}#connect`);
      await form(gateway, { url: url(gateway) });
      await isLive();
      assert.equal(await stored(page), NOTHING_STORED);
    });

    for (const token of ["viewer-token", "runs-token"]) {
      test(`with the ${token}`, async () => {
        await form(gateway, { url: url(gateway), token });
        await isLive();
        if (token === "viewer-token") return page.waitForSelector("[role=treeitem]");
        const note = await page.waitForSelector("[data-field=no-tree]");
        await page.waitForFunction(
          (found) => found.innerText.includes("The tree needs a token with the scope observability:read."),
          {},
          note,
        );
      });
    }

    test("by a Gateway without tokens", async () => {
      await form(tokenless, { url: url(tokenless) });
      await isLive();
    });

    test("where allowedOrigins has the own origin", async () => {
      await form(listed, { url: url(listed), token: OPERATOR_TOKEN });
      await isLive();
    });

    test("without a token or with a bad one: the Gateway's sentence, and a field for another one", async () => {
      await form(gateway, { url: url(gateway) });
      const tokenForm = '[data-screen="refusal"] form[data-form="token"]';
      for (const [sentence, next] of [
        ["A bearer token is required", "expired-token"],
        ["Token expired; issue a refreshed token", "revoked-token"],
        ["Token has been revoked", "no-such-token"],
        ["Invalid token", OPERATOR_TOKEN],
      ]) {
        await page.waitForFunction((text) => document.querySelector('[data-screen="refusal"]')?.innerText.includes(text), {}, sentence);
        const { code, text } = await refusal(page);
        assert.equal(code, "UNAUTHORIZED");
        assert.match(text, sentence.includes("required") ? /This Gateway needs a token/ : /The token was refused/);
        await page.type(`${tokenForm} input[name="token"]`, next);
        await page.click(`${tokenForm} [type="submit"]`);
      }
      await isLive();
      assert.equal(await stored(page), NOTHING_STORED);
    });

    test("where allowedOrigins lacks the own origin: the origin is named, and not the token", async () => {
      await connect(page, `${asLocalhost(panelOf(listed))}#connect`, { url: asLocalhost(url(listed)), token: OPERATOR_TOKEN });
      const { text } = await refusal(page);
      assert.match(text, /Origin is not allowed/);
      assert.ok(text.includes(`http://localhost:${listed.port}`) && text.includes("allowedOrigins"), text);
      assert.doesNotMatch(text, /token may be|Is the Gateway running/);
      assert.equal(await page.$("section[data-tone]"), null, "no state is invented");
    });

    test("to 127.0.0.1 from a page on localhost: the page's policy is named", async () => {
      await connect(page, `${asLocalhost(panelOf(gateway))}#connect`, { url: url(gateway), token: OPERATOR_TOKEN });
      const text = await failure(page, "content-policy");
      assert.ok(text.includes(`http://localhost:${gateway.port}`), text);
      assert.doesNotMatch(text, /Is the Gateway running|[Nn]ext try|CORS/);
      await page.click('[data-action="change"]');
      await fill(page, { url: asLocalhost(url(gateway)), token: OPERATOR_TOKEN, run: waiting.get(gateway) });
      await isLive();
    });
  });
}

test("a node is found, the tree is filtered, and the attempts at a node are read", async () => {
  const runId = await gateway.launch("detail", { megabytes: 0 });
  await gateway.waitForState(runId, "waiting-approval");
  await form(gateway, { url: gateway.url, token: OPERATOR_TOKEN, run: runId });
  await isLive();
  await operates(pagePanel(page));
});

test("a page of another origin that allowedOrigins lacks", async () => {
  await connect(page, `${server.origin}/#connect`, { url: listed.url, token: OPERATOR_TOKEN });
  const text = await failure(page, "socket-refused");
  assert.ok(text.includes(server.origin) && text.includes("allowedOrigins"), text);
});

test("a page of another origin cannot read the answers over HTTP, because they have no CORS header", async () => {
  await connect(page, `${server.origin}/#connect`, { url: gateway.http, token: OPERATOR_TOKEN, run: waiting.get(gateway) });
  await page.waitForFunction(() =>
    /The Gateway sends no CORS headers, so only pages from its own origin can read its HTTP responses/.test(
      document.querySelector('[data-screen="connecting"]')?.innerText,
    ),
  );
  assert.equal(await page.$("section[data-tone]"), null, "no state is invented");
});
