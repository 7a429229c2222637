// The package where people use it: under `tsc --strict`, in a bundle, and in a page without any tool.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { launch, listen } from "../../support/browser.mjs";
import { packageFolder, testsFolder } from "./support.mjs";

let folder;

before(() => {
  folder = mkdtempSync(join(tmpdir(), "runstate-host-"));
  cpSync(join(testsFolder, "module"), folder, { recursive: true });
  mkdirSync(join(folder, "node_modules"));
  cpSync(packageFolder, join(folder, "node_modules/runstate"), { recursive: true });
});

after(() => rmSync(folder, { recursive: true, force: true }));

const tsc = (...args) =>
  execFileSync(process.execPath, [join(testsFolder, "node_modules/typescript/bin/tsc"), ...args], {
    cwd: folder,
    encoding: "utf8",
  });

for (const resolution of ["NodeNext", "Bundler"]) {
  test(`tsc --strict accepts every export, and refuses what is wrong (${resolution})`, () => {
    const module = resolution === "Bundler" ? "ESNext" : resolution;
    try {
      tsc("-p", "tsconfig.json", "--strict", "--module", module, "--moduleResolution", resolution);
    } catch (error) {
      assert.fail(error.stdout);
    }
  });
}

test("the browser's entry has types of its own: none of a browser's are needed", () => {
  try {
    tsc("-p", "web.tsconfig.json");
  } catch (error) {
    assert.fail(error.stdout);
  }
});

test("a bundle for Node reads the installed package, and says what to do without one", () => {
  const [out, alone] = [join(folder, "node-bundle.mjs"), mkdtempSync(join(tmpdir(), "runstate-alone-"))];
  const options = ["node.js", "--bundle", "--format=esm", "--platform=node", `--outfile=${out}`, "--log-level=warning"];
  execFileSync(process.execPath, [process.env.RUNSTATE_ESBUILD, ...options], { cwd: folder, encoding: "utf8" });
  const run = (place) => spawnSync(process.execPath, [place], { encoding: "utf8" });
  try {
    assert.equal(run(out).stdout, "succeeded 124\n");
    const copy = join(alone, "bundle.mjs");
    cpSync(out, copy);
    const refused = run(copy);
    assert.match(refused.stderr, /copy the \.wasm files of the package beside the bundle/);
    assert.match(refused.stderr, /NOT_LOADED/);
    for (const name of ["runstate_bg.wasm", "runstate_lionagi_bg.wasm"]) cpSync(join(packageFolder, name), join(alone, name));
    assert.equal(run(copy).stdout, "succeeded 124\n");
  } finally {
    rmSync(alone, { recursive: true });
  }
});

test("a bundle works, and finds nothing of Node's in it", async () => {
  const out = join(folder, "bundle.js");
  const options = ["bundled.js", "--bundle", "--format=esm", "--platform=browser", `--outfile=${out}`, "--log-level=warning"];
  execFileSync(process.execPath, [process.env.RUNSTATE_ESBUILD, ...options], { cwd: folder, encoding: "utf8" });
  assert.doesNotMatch(readFileSync(out, "utf8"), /from "node:/);
  const { answer } = await import(pathToFileURL(out));
  const bytes = (name) => readFileSync(join(packageFolder, name));
  assert.deepEqual(await answer(bytes("runstate_bg.wasm"), bytes("runstate_lionagi_bg.wasm")), ["running", 124]);
});

const types = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm" };

test("a plain script in a page works, and asks for nothing but the package's files", async () => {
  const server = createServer(({ url }, response) => {
    const file = url === "/" ? join(folder, "page.html") : join(packageFolder, url.replace("/runstate/", ""));
    response.setHeader("content-type", types[extname(file)] ?? "text/plain");
    response.end(readFileSync(file));
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  const browser = await launch();
  try {
    const page = await browser.newPage();
    const heard = listen(page);
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    await page.waitForFunction(() => document.querySelector("#answer").textContent !== "");
    const answer = await page.$eval("#answer", (element) => element.textContent);
    assert.equal(answer, "succeeded, 1, stale running, absent");
    assert.deepEqual(heard.errors, []);
    const asked = heard.requests.filter((url) => !url.startsWith("data:")).map((url) => new URL(url).pathname);
    assert.ok(asked.every((path) => path === "/" || path.startsWith("/runstate/")), asked.join(" "));
  } finally {
    await browser.close();
    server.close();
  }
});
