// The package as a user installs it: the packed tarball in Node, a plain page, bundles of esbuild, Vite and webpack, and TypeScript.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { build } from "esbuild";
import webpack from "webpack";
import { launch, listen } from "../../support/browser.mjs";
import { packageFolder, runstate, testsFolder } from "./support.mjs";

const exported = [
  "EventLog",
  "History",
  "InvalidDeltaError",
  "RUN_STATE_HEARTBEAT_STALE_MS",
  "ServerClock",
  "Tree",
  "adminTransitionTargets",
  "applyDelta",
  "canTransition",
  "classifyHealth",
  "compareWitnesses",
  "computeRunState",
  "computeRunStateFromRow",
  "deriveRunState",
  "deriveRunStates",
  "deriveSeverity",
  "diffSnapshots",
  "effectiveState",
  "exitCode",
  "explainRunState",
  "exportRun",
  "header",
  "inspect",
  "normalizeState",
  "pill",
  "readConductorRun",
  "worstHealth",
];

let folder;
const installed = (name) => join(folder, "node_modules/runstate", name);
const run = (command, ...args) => execFileSync(command, args, { cwd: folder, encoding: "utf8" });
const node = (...args) => run(process.execPath, ...args);
const evaluate = (...args) => node("--input-type=module", ...args).trim();
const tool = (path) => join(testsFolder, "node_modules", path);

before(() => {
  folder = mkdtempSync(join(tmpdir(), "runstate-user-"));
  cpSync(join(testsFolder, "module"), folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{"name":"user","private":true,"type":"module"}');
  run("npm", "pack", packageFolder, "--silent");
  const [tarball] = readdirSync(folder).filter((name) => name.endsWith(".tgz"));
  run("npm", "install", "--offline", "--no-audit", "--no-fund", "--silent", `./${tarball}`);
});

after(() => rmSync(folder, { recursive: true, force: true }));

test("Node needs no init call, and an init call does no harm", () => {
  const answer = evaluate(
    "-e",
    `
    import init, { deriveRunState } from "runstate";
    await init();
    console.log(JSON.stringify(deriveRunState({ run: { runId: "r1", status: "finished" }, now: 0 })));
  `,
  );
  assert.equal(answer, '{"runId":"r1","computedAt":"1970-01-01T00:00:00.000Z","state":"succeeded"}');
});

test("both entries export the same names, and each has a type", () => {
  const names = (...conditions) =>
    evaluate(...conditions, "-e", 'console.log(Object.keys(await import("runstate")).sort().join())').split(",");
  const all = [...exported, "default", "initSync"].sort();
  assert.deepEqual(names(), all);
  assert.deepEqual(Object.keys(runstate).sort(), all);
  assert.deepEqual(
    evaluate("-e", `console.log(Object.keys(await import(${JSON.stringify(installed("web.js"))})).sort().join())`).split(","),
    all,
  );
  const types = readFileSync(installed("runstate.d.ts"), "utf8");
  for (const name of exported) assert.match(types, new RegExp(`^export (const|function|class) ${name}\\b`, "m"), name);
});

test("before init every export names what to await", () => {
  const answer = evaluate(
    "-e",
    `
    import { readFileSync } from "node:fs";
    const { default: init, ...runstate } = await import(${JSON.stringify(installed("web.js"))});
    const codes = () => Object.values(runstate).filter((value) => typeof value === "function").map((value) => {
      if (value === runstate.InvalidDeltaError || value === runstate.initSync) return "";
      const isClass = [runstate.Tree, runstate.EventLog, runstate.History, runstate.ServerClock].includes(value);
      try { isClass ? new value() : value(); } catch ({ code, message }) { return code + message.includes("await init()"); }
      return "none";
    });
    console.log([...new Set(codes())].join(" ").trim());
    const refused = await init({ module_or_path: new Uint8Array(8) }).catch((error) => error);
    console.log(refused.code, refused.cause instanceof Error);
    const bytes = readFileSync(${JSON.stringify("BYTES")});
    await init({ module_or_path: bytes });
    console.log(runstate.exitCode("timed_out"));
  `.replace('"BYTES"', JSON.stringify(installed("runstate_bg.wasm"))),
  );
  assert.equal(answer, "NOT_LOADEDtrue\nNOT_LOADED true\n124");
});

test("the tarball holds one WebAssembly file, the listed files, and complete metadata", () => {
  const manifest = JSON.parse(readFileSync(installed("package.json"), "utf8"));
  const files = readdirSync(installed("")).sort();
  assert.deepEqual(files, [...manifest.files, "README.md", "package.json"].sort());
  assert.deepEqual(
    files.filter((name) => name.endsWith(".wasm")),
    ["runstate_bg.wasm"],
  );
  for (const key of ["author", "bugs", "description", "engines", "homepage", "keywords", "license", "repository", "sideEffects", "types"]) {
    assert.ok(manifest[key], key);
  }
});

test("what is not exported cannot be imported", () => {
  for (const inner of ["runstate/api.js", "runstate/load.js", "runstate/runstate.js"]) {
    const code = `await import("${inner}").then(() => console.log("in"), (error) => console.log(error.code));`;
    assert.equal(evaluate("-e", code), "ERR_PACKAGE_PATH_NOT_EXPORTED");
  }
});

for (const project of ["browser", "node"]) {
  test(`tsc --strict accepts every export, and refuses what is wrong (${project})`, () => {
    try {
      node(tool("typescript/bin/tsc"), "-p", `tsconfig.${project}.json`);
    } catch (error) {
      assert.fail(error.stdout);
    }
  });
}

const types = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm" };

/** Opens a folder in the browser and returns the page's content and the loaded files. */
async function shown(root) {
  const server = createServer(({ url }, response) => {
    try {
      const content = readFileSync(join(root, url === "/" ? "index.html" : url));
      response.setHeader("content-type", types[extname(url === "/" ? ".html" : url)] ?? "text/html").end(content);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  const browser = await launch();
  try {
    const page = await browser.newPage();
    const heard = listen(page);
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    await page.waitForFunction(() => document.querySelector("#answer").textContent !== "");
    assert.deepEqual(heard.errors, []);
    return await page.$eval("#answer", (element) => element.textContent);
  } finally {
    await browser.close();
    server.close();
  }
}

const bundle = (entry, platform, outfile) =>
  build({ absWorkingDir: folder, entryPoints: [entry], bundle: true, format: "esm", platform, outfile, logLevel: "warning" });

/** The output of `app.js`. */
const answer = "not loaded, running, 1, stale running, absent, Waiting for a decision at gate.";

test("a plain page works without any tool", async () => {
  const root = join(folder, "plain");
  cpSync(installed(""), join(root, "runstate"), { recursive: true });
  const app = readFileSync(join(folder, "app.js"), "utf8").replace('"runstate"', '"./runstate/web.js"');
  writeFileSync(join(root, "app.js"), app);
  cpSync(join(folder, "index.html"), join(root, "index.html"));
  assert.equal(await shown(root), answer);
});

test("a bundle of esbuild works in a browser, with the .wasm file next to it", async () => {
  const root = join(folder, "esbuild");
  await bundle("app.js", "browser", join(root, "app.js"));
  cpSync(installed("runstate_bg.wasm"), join(root, "runstate_bg.wasm"));
  cpSync(join(folder, "index.html"), join(root, "index.html"));
  assert.equal(await shown(root), answer);
});

test("a build of Vite works in a browser as it is", async () => {
  node(tool("vite/bin/vite.js"), "build", "--logLevel", "warn");
  assert.equal(await shown(join(folder, "dist")), answer);
});

test("a build of webpack works in a browser as it is", async () => {
  const root = join(folder, "webpack");
  const output = { path: root, filename: "app.js", module: true, chunkFormat: "module" };
  const compiler = webpack({
    context: folder,
    mode: "production",
    entry: "./app.js",
    output,
    performance: { hints: false },
    experiments: { outputModule: true },
  });
  const stats = await promisify(compiler.run.bind(compiler))();
  assert.deepEqual(stats.toJson({ all: false, errors: true, warnings: true }), { errors: [], warnings: [] });
  cpSync(join(folder, "index.html"), join(root, "index.html"));
  assert.equal(await shown(root), answer);
});

test("a bundle for Node works with the .wasm file next to it", async () => {
  const root = join(folder, "bundle");
  await bundle("node.js", "node", join(root, "node.mjs"));
  cpSync(installed("runstate_bg.wasm"), join(root, "runstate_bg.wasm"));
  assert.equal(node(join(root, "node.mjs")), "succeeded 124\n");
});
