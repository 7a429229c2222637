// The form that connects to a Gateway: what it refuses, what it warns of, and what stays of it.
import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import { failedConnection, onlyChromium } from "../support/browser.mjs";
import { freePort } from "../support/listener.mjs";
import { fill } from "../support/live.mjs";
import { answer, error, open } from "../support/panel.mjs";
import { stage } from "../support/stage.mjs";

const TOKEN = "sesame-open-4711";
const { server, newPage } = await stage({ ignore: failedConnection });
let page, log;
beforeEach(async () => {
  ({ page, log } = await newPage());
  await open(page, `${server.origin}/#connect`);
});
const value = (name) => page.$eval(`form[data-form="connect"] input[name="${name}"]`, (input) => input.value);
const everything = () => page.evaluate(() => `${document.title} ${location.href} ${document.documentElement.outerHTML}`);

describe("an address that is none is refused, and the form stays as it is", () => {
  for (const [name, url] of [
    ["nothing", ""],
    ["a name without a port", "gateway"],
    ["another scheme", "ftp://127.0.0.1"],
    ["a scheme without a host", "ws://"],
  ]) {
    test(name, async () => {
      await fill(page, { url, token: TOKEN, run: "run-7" });
      await error(page, "INVALID_ADDRESS");
      assert.match((await answer(page)).error.text, /ws:\/\/127\.0\.0\.1:7331/);
      assert.deepEqual([await value("url"), await value("token"), await value("run")], [url, TOKEN, "run-7"]);
      assert.equal((await answer(page)).connect, true);
    });
  }
});

describe("what people type is completed, and shown before it is connected to", () => {
  for (const [entered, address, token] of [
    ["127.0.0.1:PORT", "ws://127.0.0.1:PORT", ""],
    ["localhost:PORT", "ws://localhost:PORT", ""],
    ["http://127.0.0.1:PORT/console", "ws://127.0.0.1:PORT", ""],
    ["http://127.0.0.1:PORT/console?token=from-console-4711", "ws://127.0.0.1:PORT", "from-console-4711"],
  ]) {
    test(entered, async () => {
      const port = await freePort();
      const [typed, completed] = [entered, address].map((text) => text.replace("PORT", port));
      await page.$eval('form[data-form="connect"] input[name="url"]', (input) => (input.value = ""));
      await page.type('form[data-form="connect"] input[name="url"]', typed);
      await page.keyboard.press("Tab");
      assert.deepEqual([await value("url"), await value("token")], [completed, token]);
      await page.click('form[data-form="connect"] [type="submit"]');
      await page.waitForSelector('[data-screen="connecting"]');
      assert.match(
        await page.$eval('[data-screen="connecting"]', (screen) => screen.innerText),
        new RegExp(`Connecting to ${completed}\\.`),
      );
      assert.ok(!(await everything()).includes("4711"));
    });
  }
  test("with Enter, too", async () => {
    const port = await freePort();
    await fill(page, { url: `localhost:${port}` });
    await page.waitForSelector('[data-screen="connecting"]');
    await page.click('[data-action="change"]');
    await page.waitForSelector('form[data-form="connect"]');
    assert.equal(await value("url"), `ws://localhost:${port}`);
  });
});

describe("an address over HTTP of another origin", () => {
  test("offers the WebSocket of the same server, and no other button is as prominent", async () => {
    const port = await freePort();
    await fill(page, { url: `http://127.0.0.1:${port}`, run: "run-7" });
    await page.waitForSelector('[data-screen="connecting"]');
    const prominent = () => page.$$eval(".btn-primary", (buttons) => buttons.map((button) => button.innerText.trim()));
    assert.deepEqual(await prominent(), [`Connect to ws://127.0.0.1:${port}`]);
    await page.click('[data-action="use-socket"]');
    await page.waitForFunction(
      (address) => document.querySelector('[data-screen="connecting"] .code')?.textContent === address,
      {},
      `ws://127.0.0.1:${port}`,
    );
    assert.deepEqual(await prominent(), []);
    await page.click('[data-action="change"]');
    await page.waitForSelector('form[data-form="connect"]');
    assert.deepEqual([await value("url"), await value("run")], [`ws://127.0.0.1:${port}`, "run-7"]);
    assert.deepEqual(await prominent(), ["Connect"]);
  });
});

describe("credentials in an address are refused, and never shown or kept", () => {
  const addresses = {
    "a password in ws": "ws://user:pass-9981@127.0.0.1:7331",
    "a name in wss": "wss://only-user-9981@gateway.example",
    "a password in http": "http://user:pass-9981@127.0.0.1:7331/",
    "a query in ws": "ws://127.0.0.1:7331/?token=pass-9981",
    "a query in https": "https://gateway.example/rpc?access_token=pass-9981",
    "a fragment": "http://127.0.0.1:7331/#token=pass-9981",
    "a query after a host without a scheme": "localhost?token=pass-9981",
  };
  for (const [name, url] of Object.entries(addresses)) {
    test(name, async () => {
      await fill(page, { url, token: TOKEN });
      await error(page, "CREDENTIALS_IN_ADDRESS");
      assert.equal((await answer(page)).connect, true);
      assert.ok(!(await everything()).includes("9981"));
      assert.ok(!(await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))).includes("9981"));
      assert.ok(!log.console.join("\n").includes("9981"));
      assert.deepEqual(
        log.requests.filter((address) => address.includes("9981")),
        [],
      );
    });
  }
});

describe("a token over an unencrypted connection", () => {
  const warning = '[data-field="insecure"]';
  const anyway = '[data-action="connect-anyway"]';
  for (const scheme of ["ws", "http"]) {
    test(
      `${scheme}: to another machine is warned of, and nothing is sent before it is confirmed`,
      onlyChromium("requests of workers are seen"),
      async () => {
        const requests = [];
        const session = await page.createCDPSession();
        await session.send("Network.enable");
        session.on("Network.requestWillBeSent", ({ request }) => requests.push(request.url));
        session.on("Network.webSocketCreated", ({ url }) => requests.push(url));
        const workers = page.workers().length;
        await fill(page, { url: `${scheme}://gateway.invalid:7331`, token: TOKEN });
        await page.waitForSelector(warning);
        assert.ok(await page.$(anyway));
        assert.equal((await answer(page)).connect, true);
        assert.deepEqual(
          requests.filter((url) => url.includes("gateway.invalid")),
          [],
        );
        assert.equal(page.workers().length, workers, "no worker was started");
        assert.deepEqual([await value("url"), await value("token")], [`${scheme}://gateway.invalid:7331`, TOKEN]);
        await page.click(anyway);
        await page.waitForSelector('[data-screen="connecting"]');
        await page.waitForFunction(() => /next try/.test(document.querySelector('[data-screen="connecting"]')?.textContent));
      },
    );
  }
  test("another address takes the warning away", async () => {
    await fill(page, { url: "ws://gateway.invalid:7331", token: TOKEN });
    await page.waitForSelector(warning);
    await fill(page, { url: `ws://127.0.0.1:${await freePort()}`, token: TOKEN });
    await page.waitForSelector('[data-screen="connecting"]');
    assert.equal(await page.$(warning), null);
  });
  for (const host of ["127.0.0.1", "localhost", "[::1]"]) {
    test(`to ${host} needs no confirmation`, async () => {
      await fill(page, { url: `ws://${host}:${await freePort()}`, token: TOKEN });
      await page.waitForSelector('[data-screen="connecting"]');
      assert.equal(await page.$(warning), null);
    });
  }
  test("without a token needs no confirmation", async () => {
    await fill(page, { url: "ws://gateway.invalid:7331" });
    await page.waitForSelector('[data-screen="connecting"]');
  });
  test("over wss: needs no confirmation", async () => {
    await fill(page, { url: "wss://gateway.invalid:7331", token: TOKEN });
    await page.waitForSelector('[data-screen="connecting"]');
  });
});
