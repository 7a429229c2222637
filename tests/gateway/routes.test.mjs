// `runstate/gateway` in a real Gateway: the panel on the Gateway's own origin, with every way to be let in or refused.
import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { NOTHING_STORED, connect, failure, fill, freshness, refusal, state, stored, workerSockets } from "../support/live.mjs";
import { open } from "../support/panel.mjs";
import { built } from "../support/paths.mjs";
import { stage } from "../support/stage.mjs";
import { OPERATOR_TOKEN, startGateway } from "./gateway.mjs";

// A name that is not of this machine, as an extension's origin is not; it leads here all the same.
const STRANGER = "panel.example";
const { server, newPage } = await stage({
  args: [`--host-resolver-rules=MAP ${STRANGER} 127.0.0.1`],
  // Chromium logs every connection that fails, which is what several tests are about.
  ignore:
    /WebSocket connection to 'ws:\/\/(127\.0\.0\.1|localhost)|status of 401|net::ERR_(FAILED|CONNECTION_REFUSED)|blocked by CORS policy/,
});
const dashboard = built("dashboard");
const own = "http://127.0.0.1:PORT";
const [gateway, tokenless, listed] = await Promise.all([
  startGateway({ dashboard }),
  startGateway({ dashboard, tokens: false }),
  startGateway({ dashboard, origins: [own] }),
]);
after(() => Promise.all([gateway.stop(), tokenless.stop(), listed.stop()]));

const asLocalhost = (address) => address.replace("127.0.0.1", "localhost");
const panelOf = ({ http }) => `${http}/runstate/`;
const transports = { HTTP: ({ http }) => http, WebSocket: ({ url }) => url };

let page, log, close;
beforeEach(async () => ({ page, log, close } = await newPage()));
afterEach(() => close());

const waiting = {};
before(async () => {
  for (const each of [gateway, tokenless, listed]) {
    waiting[each.port] = await each.launch("approval");
    await each.waitForState(waiting[each.port], "waiting-approval");
  }
});
const runOf = ({ port }) => waiting[port];
const form = (at, values) => connect(page, `${panelOf(at)}#connect`, values);
const isLive = async () => {
  await state(page, "waiting-approval");
  await freshness(page, "live");
};

describe("let in", () => {
  for (const [transport, url] of Object.entries(transports)) {
    test(`over ${transport} with a typed token, until the run ends`, async () => {
      const runId = await gateway.launch("approval");
      const sent = [];
      page.on("request", (request) => request.url().endsWith("/rpc") && sent.push(request.headers().authorization));
      await form(gateway, { url: url(gateway), token: OPERATOR_TOKEN, run: runId });
      await isLive();
      await gateway.approve(runId, "release-gate");
      await state(page, "succeeded");
      assert.equal(sent.length > 0, transport === "HTTP");
      assert.ok(sent.every((header) => header === `Bearer ${OPERATOR_TOKEN}`));
      assert.equal(await stored(page), NOTHING_STORED);
      const source = transport === "HTTP" ? "" : `gateway=${encodeURIComponent(url(gateway))}&`;
      assert.equal(page.url(), `${panelOf(gateway)}#${source}run=${runId}`);
      assert.ok(!(await page.content()).includes(OPERATOR_TOKEN));
    });

    test(`over ${transport} with the session cookie, which no script can read`, async () => {
      await page.goto(`${gateway.http}/v1/auth/session?token=${OPERATOR_TOKEN}&next=/runstate/%23connect`);
      await page.waitForFunction((address) => location.href === address, {}, `${panelOf(gateway)}#connect`);
      await form(gateway, { url: url(gateway), run: runOf(gateway) });
      await isLive();
      const [cookie] = await page.cookies();
      assert.deepEqual([cookie.value, cookie.httpOnly, cookie.sameSite], [OPERATOR_TOKEN, true, "Lax"]);
      assert.equal(await stored(page), NOTHING_STORED);
      assert.ok(!(await page.content()).includes(OPERATOR_TOKEN));
    });

    for (const token of ["viewer-token", "runs-token"]) {
      test(`over ${transport} with the ${token}`, async () => {
        await form(gateway, { url: url(gateway), token, run: runOf(gateway) });
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

    test(`over ${transport} by a Gateway without tokens`, async () => {
      await form(tokenless, { url: url(tokenless), run: runOf(tokenless) });
      await isLive();
    });

    test(`over ${transport} where allowedOrigins has the own origin`, async () => {
      await form(listed, { url: url(listed), token: OPERATOR_TOKEN, run: runOf(listed) });
      await isLive();
    });
  }

  test("a link with the session shows the runs at once: nothing is typed", async () => {
    const sockets = workerSockets(page);
    await page.goto(`${gateway.http}/v1/auth/session?token=${OPERATOR_TOKEN}&next=/runstate/`);
    const row = `[data-screen="runs"] [data-run="${runOf(gateway)}"]`;
    await page.waitForSelector(row);
    await page.click(row);
    await isLive();
    assert.equal(page.url(), `${panelOf(gateway)}#run=${runOf(gateway)}`);
    assert.deepEqual(sockets, [], "the address is the page's origin");
  });

  test("without a session the Gateway asks for a token, and takes it on the same screen", async () => {
    await page.goto(panelOf(gateway));
    const { code, text } = await refusal(page);
    assert.equal(code, "UNAUTHORIZED");
    assert.match(text, /A bearer token is required/);
    await page.type('form[data-form="token"] input[name="token"]', OPERATOR_TOKEN);
    await page.click('form[data-form="token"] [type="submit"]');
    await page.waitForSelector(`[data-screen="runs"] [data-run="${runOf(gateway)}"]`);
  });

  test("the form has the page's origin as its address; from elsewhere the usual one", async () => {
    const address = () => page.$eval('form[data-form="connect"] input[name="url"]', ({ value }) => value);
    for (const [at, expected] of [
      [panelOf(gateway), gateway.http],
      [asLocalhost(panelOf(gateway)), asLocalhost(gateway.http)],
      [`${server.origin}/`, "ws://127.0.0.1:7331"],
    ]) {
      await page.goto(`${at}#connect`);
      await page.waitForSelector('form[data-form="connect"]');
      assert.equal(await address(), expected, at);
    }
  });

  test("documents open there too, and nothing violates the policy", async () => {
    await open(page, `${panelOf(gateway)}#connect`);
    await page.click('[data-action="example"]');
    await page.waitForSelector("section[data-tone]");
    assert.deepEqual(log.errors, []);
  });
});

describe("refused", () => {
  for (const [transport, url] of Object.entries(transports)) {
    test(`over ${transport} without a token or with a bad one: the Gateway's sentence, and a field for another one`, async () => {
      await form(gateway, { url: url(gateway), run: runOf(gateway) });
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
        assert.doesNotMatch(text, /allowedOrigins/);
        await page.type(`${tokenForm} input[name="token"]`, next);
        await page.click(`${tokenForm} [type="submit"]`);
      }
      await isLive();
    });

    test(`over ${transport} where allowedOrigins lacks the own origin: the origin is named, and not the token`, async () => {
      const [at, address] = [panelOf(listed), url(listed)].map(asLocalhost);
      await connect(page, `${at}#connect`, { url: address, token: OPERATOR_TOKEN, run: runOf(listed) });
      const { code, text } = await refusal(page);
      assert.equal(code, "UNAUTHORIZED");
      assert.match(text, /Origin is not allowed/);
      assert.match(text, /allowedOrigins/);
      assert.ok(text.includes(`http://localhost:${listed.port}`), text);
      assert.doesNotMatch(text, /token may be|Is the Gateway running/);
      assert.equal(await page.$('form[data-form="token"]'), null);
      assert.equal(await page.$("section[data-tone]"), null, "no state is invented");
      await page.click('[data-screen="refusal"] [data-action="retry"]');
      assert.match((await refusal(page)).text, /Origin is not allowed/);
    });

    test(`over ${transport} to 127.0.0.1 from a page on localhost: the page's policy is named`, async () => {
      await connect(page, `${asLocalhost(panelOf(gateway))}#connect`, { url: url(gateway), token: OPERATOR_TOKEN });
      const text = await failure(page, "content-policy");
      assert.match(text, /content policy/);
      assert.ok(text.includes(`http://localhost:${gateway.port}`), text);
      assert.doesNotMatch(text, /Is the Gateway running|[Nn]ext try|CORS/);
      // The other spelling of the address is the page's origin.
      await page.click('[data-action="change"]');
      await fill(page, { url: asLocalhost(url(gateway)), token: OPERATOR_TOKEN, run: runOf(gateway) });
      await isLive();
    });
  }

  test("a page of another origin that allowedOrigins lacks", async () => {
    await connect(page, `${server.origin}/#connect`, { url: listed.url, token: OPERATOR_TOKEN });
    const text = await failure(page, "socket-refused");
    assert.ok(text.includes(server.origin) && text.includes("allowedOrigins"), text);
    assert.doesNotMatch(text, /Is the Gateway running/);
  });

  test("a page that is not of this machine, by a Gateway without tokens", async () => {
    const origin = server.origin.replace("127.0.0.1", STRANGER);
    await connect(page, `${origin}/#connect`, { url: tokenless.url });
    const text = await failure(page, "socket-refused");
    assert.ok(text.includes(origin), text);
    assert.match(text, /without tokens accepts only pages from its own machine/);
  });

  test("a cookie on a page of another origin", async () => {
    await page.goto(`${gateway.http}/v1/auth/session?token=${OPERATOR_TOKEN}&next=/runstate/`);
    await page.waitForSelector('[data-screen="runs"]');
    await connect(page, `${server.origin}/#connect`, { url: gateway.url });
    assert.ok((await failure(page, "socket-refused")).includes(server.origin));
  });

  // Last: nobody else asks this Gateway any more.
  test("on the page of a Gateway that was stopped: its server is named, and nothing else is blamed", async () => {
    await open(page, `${panelOf(tokenless)}#connect`);
    await tokenless.kill();
    await fill(page, { url: tokenless.http });
    const problem = await page.waitForSelector('[data-field="error"][data-code="WORKER_FAILED"]');
    const text = await problem.evaluate(({ innerText }) => innerText);
    assert.ok(text.includes(tokenless.http), text);
    assert.match(text, /running/);
    assert.doesNotMatch(text, /allowedOrigins|too large/);
    await tokenless.restart();
    await page.click('form[data-form="connect"] [type="submit"]');
    await page.waitForSelector('[data-screen="runs"]');
  });
});

describe("the Gateway's own responses stay as they are", () => {
  const get = (path, options) => fetch(`${gateway.http}${path}`, { redirect: "manual", ...options });

  test("no CORS header and no answer to a preflight", async () => {
    for (const [path, method] of [
      ["/rpc", "OPTIONS"],
      ["/runstate/", "GET"],
      ["/runstate/boot.js", "GET"],
      ["/health", "GET"],
    ]) {
      const { status, headers } = await get(path, { method, headers: { origin: "https://elsewhere.example" } });
      assert.equal(status, method === "OPTIONS" ? 404 : 200, path);
      assert.equal(headers.get("access-control-allow-origin"), null, path);
    }
  });

  test("its paths come first, and what nobody has is its own 404", async () => {
    assert.equal((await (await get("/health")).json()).ok, true);
    assert.notEqual((await get("/")).headers.get("x-content-type-options"), null);
    const missing = await get("/elsewhere");
    assert.deepEqual([missing.status, (await missing.json()).error.code], [404, "NOT_FOUND"]);
  });

  test("under Bun: types, policy, entity tags, redirect, methods, paths that leave the folder", async () => {
    const page = await get("/runstate/");
    assert.equal(page.headers.get("content-type"), "text/html; charset=utf-8");
    for (const file of ["", "boot.js", "worker.js", "runstate-panel.js", "runstate-panel_bg.wasm"]) {
      assert.match(
        (await get(`/runstate/${file}`, { method: "HEAD" })).headers.get("content-security-policy"),
        /connect-src 'self';/,
        file,
      );
    }
    assert.equal((await get("/runstate/", { headers: { "if-none-match": page.headers.get("etag") } })).status, 304);
    const redirect = await get("/runstate?a=1");
    assert.deepEqual([redirect.status, redirect.headers.get("location")], [308, "/runstate/?a=1"]);
    assert.equal((await get("/runstate/", { method: "POST" })).status, 405);
    for (const path of ["/runstate/..%2fgateway.ts", "/runstate/%2e%2e/gateway.ts", "/runstate/%00", "/runstate/..%5cgateway.ts"]) {
      assert.equal((await get(path)).status, 404, path);
    }
  });
});
