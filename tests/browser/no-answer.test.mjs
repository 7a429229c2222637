// A Gateway that does not answer: the attempts to connect, and the way back to the form.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { failedConnection, until } from "../support/browser.mjs";
import { freePort, refuser } from "../support/listener.mjs";
import { clickLongBeforeNextTry, fill } from "../support/live.mjs";
import { answer, button, open } from "../support/panel.mjs";
import { stage } from "../support/stage.mjs";

const TOKEN = "sesame-open-4711";
const { server, newPage } = await stage({ ignore: failedConnection });
let page;
beforeEach(async () => {
  ({ page } = await newPage());
  await open(page, `${server.origin}/#connect`);
});

test("Try now tries at once", async () => {
  const listener = await refuser();
  await fill(page, { url: `ws://127.0.0.1:${listener.port}`, token: TOKEN });
  await page.waitForSelector('[data-screen="connecting"]');
  const { at, ms } = await clickLongBeforeNextTry(page, '[data-screen="connecting"] [data-action="retry"]');
  await until("a connection", () => listener.times.some((time) => time > at));
  const waited = listener.times.find((time) => time > at) - at;
  assert.ok(waited < ms, `a connection after ${waited} ms, the next try was due after ${ms} ms`);
  assert.ok(!listener.requests.join().includes(TOKEN), "the token is not in the request");
  await listener.close();
});

test("Change Gateway leads back to the form, as it was filled in", async () => {
  const url = `ws://127.0.0.1:${await freePort()}`;
  await fill(page, { url, token: TOKEN, run: "run-7" });
  await page.waitForSelector('[data-screen="connecting"]');
  // The button moves when an attempt ends, and a click with the pointer can miss it.
  await (await button(page, "Change Gateway", '[data-screen="connecting"]')).evaluate((element) => element.click());
  await page.waitForSelector('form[data-form="connect"]');
  const value = (name) => page.$eval(`form[data-form="connect"] input[name="${name}"]`, (input) => input.value);
  assert.deepEqual([await value("url"), await value("run")], [url, "run-7"]);
  assert.equal((await answer(page)).header, undefined, "no state is invented");
  assert.ok(!(await page.evaluate(() => `${document.title} ${location.href} ${document.documentElement.outerHTML}`)).includes(TOKEN));
});
