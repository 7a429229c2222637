// The hosts of the panel: the dashboard page, a page around it, and the file that opens from disk.
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { prefer } from "../support/a11y.mjs";
import { failedConnection, onlyChromium, until } from "../support/browser.mjs";
import { refuser } from "../support/listener.mjs";
import { view } from "../support/make.mjs";
import { answer, drop, error, header, install, open, paste, shows } from "../support/panel.mjs";
import { built, root, vector } from "../support/paths.mjs";
import { serve } from "../support/server.mjs";
import { stage } from "../support/stage.mjs";

const strict =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
  "connect-src 'self' ws://127.0.0.1:*; base-uri 'none'; form-action 'none'";

const { server, newPage } = await stage({ headers: { "content-security-policy": strict } });
const visible = (url, origin) => url.startsWith(origin) || url.startsWith("data:") || url.startsWith("blob:");

describe("the dashboard", () => {
  test("opens on the connect screen, and on the recording labelled as an example, under a strict policy, and asks no other server", async () => {
    const { page, log, close } = await newPage();
    await open(page, `${server.origin}/`);
    assert.equal((await answer(page)).connect, true);
    assert.equal(await page.$('[data-field="example"]'), null);
    await page.click('[data-action="example"]');
    await page.waitForSelector("section[data-tone]");
    const [strip, state] = await page.evaluate(() =>
      ['[data-field="example"]', "section[data-tone]"].map((selector) => {
        const element = document.querySelector(selector);
        return { top: element.getBoundingClientRect().top, text: element.innerText };
      }),
    );
    assert.match(strip.text, /Example\s+A recorded run, not one of yours\./);
    assert.ok(strip.top < state.top, "the label is above the answer");
    assert.equal(await page.evaluate(() => location.hash), "#example");
    const seen = await header(page);
    assert.equal(seen.freshness, "recorded");
    assert.ok(seen.state, "the built-in run has a state");
    await page.waitForFunction(() => document.querySelectorAll("[role=treeitem]").length > 1);
    assert.deepEqual(
      log.requests.filter((url) => !visible(url, server.origin)),
      [],
    );
    await close();
  });

  test("has a language, and a title that says the state", async () => {
    const { page, close } = await newPage();
    await open(page, `${server.origin}/#connect`);
    assert.equal(await page.evaluate(() => document.documentElement.lang), "en");
    assert.equal(await page.title(), "Runstate");
    await paste(page, JSON.stringify(view("titled", "failed")));
    assert.equal(await page.title(), "Failed · Runstate");
    await paste(page, JSON.stringify(view("titled", "succeeded")));
    assert.equal(await page.title(), "Succeeded · Runstate");
    await paste(
      page,
      JSON.stringify([
        { runId: "a", status: "failed" },
        { runId: "b", status: "failed" },
      ]),
    );
    assert.equal(await page.title(), "Runstate");
    await close();
  });

  test("#connect opens the connect screen; the example and Back lead to a run", async () => {
    const { page, close } = await newPage();
    await open(page, `${server.origin}/#connect`);
    await page.waitForSelector('[data-screen="connect"]');
    for (const part of [
      'form[data-form="connect"] input[name="url"]',
      'input[name="token"][type="password"]',
      'input[name="run"]',
      'textarea[name="paste"]',
      'input[type="file"][name="file"]',
    ]) {
      assert.ok(await page.$(part), part);
    }
    await page.click('button[data-action="example"]');
    await page.waitForSelector("section[data-tone]");
    const example = await header(page);
    await page.click('button[data-action="open"]');
    await page.waitForSelector('[data-screen="connect"]');
    assert.equal(await page.$('[data-field="example"]'), null, "the connect screen is no example");
    await page.click('button[data-action="close"]');
    await page.waitForFunction(() => !document.querySelector('[data-screen="connect"]'));
    assert.equal((await header(page)).runId, example.runId);
    await close();
  });

  test("#gateway without a gateway.json on the server is the connect screen", async () => {
    const { page, log, close } = await newPage();
    await open(page, `${server.origin}/#gateway`);
    await page.waitForSelector('[data-screen="connect"]');
    assert.ok(server.requests.includes("/gateway.json"));
    await until("the console says why", () => log.errors.some((line) => /gateway\.json/.test(line)));
    log.allow(/gateway\.json|404/);
    await close();
  });

  test("#gateway connects to the address in gateway.json", async () => {
    const listener = await refuser();
    const pointed = await serve(built("dashboard"), {
      extra: { "/gateway.json": JSON.stringify({ url: `ws://127.0.0.1:${listener.port}`, token: "from-the-file-4711", runId: "run-7" }) },
    });
    const { page, log, close } = await newPage();
    await install(page);
    await page.goto(`${pointed.origin}/#gateway`);
    await page.waitForSelector('[data-screen="connecting"]');
    await until("a connection", () => listener.requests.length > 0);
    assert.match(
      await page.$eval('[data-screen="connecting"]', (screen) => screen.textContent),
      new RegExp(`127\\.0\\.0\\.1:${listener.port}`),
    );
    assert.ok(
      !(await page.content()).includes("4711") && !listener.requests.join().includes("4711"),
      "the token is in no address and not on screen",
    );
    log.allow(failedConnection);
    await close();
    await pointed.close();
    await listener.close();
  });

  test("says what is wrong where its module cannot be loaded", async () => {
    const broken = await serve(built("dashboard"), { missing: (path) => path.endsWith(".wasm") });
    const { page, log, close } = await newPage();
    await page.goto(broken.origin);
    const alert = await page.waitForSelector("[role=alert]");
    assert.match(await alert.evaluate((paragraph) => paragraph.textContent), /^Runstate could not start: ./);
    log.allow(/404|WebAssembly|wasm|thrown/i);
    await close();
    await broken.close();
  });

  test("works inside another page, under the policy of docs/deploying.md", async () => {
    const [, policy] = /`(default-src 'none';[^`]+)`/.exec(readFileSync(join(root, "docs/deploying.md"), "utf8"));
    assert.match(policy, /frame-ancestors 'self'/);
    const plain = await serve(built("dashboard"), { headers: { "content-security-policy": policy } });
    const { page, close } = await newPage();
    await page.goto(`${plain.origin}/embed.html`);
    const element = await page.waitForSelector("iframe");
    assert.equal(await element.evaluate((frame) => frame.getBoundingClientRect().height), 482, "its style applies");
    assert.equal(await element.evaluate((frame) => frame.title), "Runstate");
    const frame = await element.contentFrame();
    await frame.waitForSelector("section[data-tone]");
    await frame.waitForFunction(() => document.querySelectorAll("[role=treeitem]").length > 1);
    const [inner, outer] = [await frame.evaluate(() => innerWidth), await page.evaluate(() => innerWidth)];
    assert.ok(inner < outer, "it follows the size of the frame");
    assert.equal(
      await frame.evaluate(() => document.querySelector("[data-view]").scrollWidth - document.querySelector("[data-view]").clientWidth),
      0,
    );
    await close();
    await plain.close();
  });

  test("the theme button switches between light and dark, starting from what is shown", async () => {
    for (const scheme of ["light", "dark"]) {
      const { page, close } = await newPage();
      await prefer(page, { scheme });
      await open(page, `${server.origin}/`);
      const dark = () =>
        page.evaluate(() => [
          document.documentElement.dataset.theme ?? null,
          Number(/\d+/.exec(getComputedStyle(document.body).backgroundColor)[0]) < 128,
        ]);
      assert.deepEqual(await dark(), [null, scheme === "dark"]);
      await page.click('button[data-action="theme"]');
      const other = scheme === "dark" ? "light" : "dark";
      await page.waitForFunction((theme) => document.documentElement.dataset.theme === theme, {}, other);
      assert.deepEqual(await dark(), [other, other === "dark"]);
      await page.click('button[data-action="theme"]');
      await page.waitForFunction((theme) => document.documentElement.dataset.theme === theme, {}, scheme);
      assert.deepEqual(await dark(), [scheme, scheme === "dark"]);
      await close();
    }
  });
});

describe("ways to a document", () => {
  test("text typed into the field and a click on Read", async () => {
    const { page, close } = await newPage();
    await open(page, `${server.origin}/#connect`);
    await page.type('textarea[name="paste"]', JSON.stringify(view("typed", "paused")));
    await page.click('button[data-action="read"]');
    await shows(page, "typed");
    assert.equal((await header(page)).state, "paused");
    await close();
  });

  test("a file dropped on the panel", async () => {
    const { page, close } = await newPage();
    await open(page, `${server.origin}/`);
    await drop(page, [{ name: "run.json", text: JSON.stringify(view("dropped", "cancelled")) }]);
    await shows(page, "dropped");
    assert.equal((await header(page)).state, "cancelled");
    await close();
  });

  test("several files dropped together are one document", async () => {
    const { page, close } = await newPage();
    await open(page, `${server.origin}/`);
    const files = ["runs.get.json", "getDevToolsSnapshot.json", "listNodeStates.json"].map((name) => ({
      name,
      text: readFileSync(vector(`documents/valid/killed-a/${name}`), "utf8"),
    }));
    await drop(page, files);
    await shows(page, "killed-a");
    await page.waitForFunction(() => document.querySelectorAll("[role=treeitem]").length === 5);
    await close();
  });

  test("a folder: its files are known by their paths inside it", onlyChromium("no other protocol chooses a folder"), async () => {
    const { page, close } = await newPage();
    await open(page, `${server.origin}/#connect`);
    const folder = mkdtempSync(join(tmpdir(), "runstate-folder-"));
    cpSync(vector("conductor/runs/gate-orphaned/run"), join(folder, "run"), { recursive: true });
    const input = await page.$('input[type="file"][name="file"]');
    // A person chooses a folder where the browser offers it; the panel's own field takes files.
    await input.evaluate((field) => (field.webkitdirectory = true));
    await input.uploadFile(join(folder, "run"));
    await page.waitForSelector("section[data-tone][data-blocked]");
    const seen = await header(page);
    assert.equal(seen.pill.taxonomy, "conductor");
    assert.deepEqual(seen.problems, []);
    rmSync(folder, { recursive: true });
    await close();
  });

  test("more than 512 MB are refused before they are read", async () => {
    const { page, close } = await newPage();
    await open(page, `${server.origin}/#connect`);
    await paste(page, JSON.stringify(view("kept", "failed")));
    await drop(page, [{ name: "huge.ndjson", text: "{}", size: 600e6 }]);
    await error(page, "TOO_LARGE");
    assert.match((await answer(page)).error.text, /at most 512 MB.*600 MB.*huge\.ndjson/s);
    assert.equal((await header(page)).runId, "kept");
    await close();
  });
});

describe("the single file", () => {
  test("opens from disk, offline, and asks the network for nothing", async () => {
    const file = built("runstate.html");
    assert.ok(statSync(file).size > 10_000);
    const { page, log, close } = await newPage();
    await page.setOfflineMode(true);
    const address = pathToFileURL(file).href;
    await open(page, address);
    await page.waitForSelector('[data-screen="connect"]');
    const seen = await paste(page, JSON.stringify(view("on-disk", "failed")));
    assert.equal(seen.header?.state, "failed");
    await page.click('button[data-action="open"]');
    await page.waitForSelector('button[data-action="example"]');
    await page.click('button[data-action="example"]');
    await page.waitForFunction(() => document.querySelectorAll("[role=treeitem]").length > 1);
    assert.deepEqual(
      log.requests.filter((url) => url !== address && !url.startsWith("data:") && !url.startsWith("blob:")),
      [],
    );
    await close();
  });
});

describe("the content policy", () => {
  const policies = () => {
    const page = (path) =>
      /http-equiv="Content-Security-Policy"\s+content="([^"]*)"/.exec(readFileSync(built(...path.split("/")), "utf8"))?.[1];
    const manifest = JSON.parse(readFileSync(built("extension", "manifest.json"), "utf8"));
    return {
      dashboard: page("dashboard/index.html"),
      "frame of the element": page("dashboard/frame.html"),
      "single file": page("runstate.html"),
      extension: manifest.content_security_policy?.extension_pages,
    };
  };
  for (const host of ["dashboard", "frame of the element", "single file", "extension"]) {
    test(`of the ${host} allows only what is its own`, () => {
      const policy = policies()[host];
      assert.ok(policy, "a policy");
      const directives = Object.fromEntries(
        policy
          .split(";")
          .map((directive) => directive.trim().split(/\s+/))
          .map(([name, ...values]) => [name, values]),
      );
      assert.deepEqual(directives["default-src"], ["'none'"]);
      for (const [name, values] of Object.entries(directives)) {
        for (const word of ["'unsafe-inline'", "'unsafe-eval'", "*"]) assert.ok(!values.includes(word), `${name} ${word}`);
      }
      for (const name of ["base-uri", "form-action"]) assert.deepEqual(directives[name], ["'none'"], name);
      assert.ok(
        directives["script-src"].every((source) => /^'(self|wasm-unsafe-eval|sha(256|384|512)-.+)'$/.test(source)),
        directives["script-src"].join(" "),
      );
    });
  }
});
