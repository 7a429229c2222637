// The package as a user installs it.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { packageFolder, runstate } from "./support.mjs";

const functions = [
  "applyDelta",
  "canTransition",
  "classifyHealth",
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
  "inspect",
  "normalizeState",
  "pill",
  "readConductorRun",
  "readRecord",
  "weigh",
  "worstHealth",
];
const classes = ["EventLog", "InvalidDeltaError", "ServerClock", "Tree"];
const exported = [...functions, ...classes, "RUN_STATE_HEARTBEAT_STALE_MS", "adminTransitionTargets"].sort();
const parts = ["account", "conductor", "documents", "inspect", "lionagi", "log", "records", "rows", "tree"];
const wasm = (names) => names.map((name) => (name ? `runstate_${name}_bg.wasm` : "runstate_bg.wasm")).sort().join(" ");

let folder;
const inFolder = (command, ...args) => execFileSync(command, args, { cwd: folder, encoding: "utf8" });
const inNode = (code) => inFolder(process.execPath, "--input-type=module", "-e", code);

before(() => {
  folder = mkdtempSync(join(tmpdir(), "runstate-user-"));
  writeFileSync(join(folder, "package.json"), '{"name":"user","private":true}');
  inFolder("npm", "pack", packageFolder, "--silent");
  const [tarball] = readdirSync(folder).filter((name) => name.endsWith(".tgz"));
  inFolder("npm", "install", "--offline", "--no-audit", "--no-fund", "--silent", `./${tarball}`);
});

after(() => rmSync(folder, { recursive: true, force: true }));

test("an installed package answers without any init call", () => {
  const answer = inNode(`
    import { deriveRunState } from "runstate";
    console.log(JSON.stringify(deriveRunState({ run: { runId: "r1", status: "finished" }, now: 0 })));
  `);
  assert.equal(answer.trim(), '{"runId":"r1","computedAt":"1970-01-01T00:00:00.000Z","state":"succeeded"}');
});

test("the entry for browsers answers after init, and says so before", () => {
  const answer = inNode(`
    import { readFileSync } from "node:fs";
    import init, { deriveRunState } from "runstate/web";
    const input = { run: { runId: "r1", status: "finished" }, now: 0 };
    let refused = false;
    try { deriveRunState(input); } catch { refused = true; }
    const url = new URL(import.meta.resolve("runstate/runstate_bg.wasm"));
    await init({ module_or_path: readFileSync(url) });
    console.log(refused, deriveRunState(input).state);
  `);
  assert.equal(answer.trim(), "true succeeded");
});

test("the entry for browsers loads without inspect, says so, and loads it later", () => {
  const answer = inNode(`
    import { readFileSync } from "node:fs";
    import init, { deriveRunState, inspect } from "runstate/web";
    const bytes = (name) => readFileSync(new URL(import.meta.resolve("runstate/" + name)));
    const code = (text) => { try { return inspect(text).recognised; } catch (error) { return error.code; } };
    await init({ module_or_path: bytes("runstate_bg.wasm"), inspect: false });
    const state = deriveRunState({ run: { runId: "r1", status: "finished" }, now: 0 }).state;
    const before = code("{");
    const refusal = '{"ok":false,"error":{"code":"UNAUTHORIZED","message":"no"}}';
    const told = () => {
      const { run } = inspect('{"runId":"r1","status":"paused"}', { now: 0, live: true });
      return [run.answer?.sentence.split(".")[0], inspect(refusal).refusal.actions?.length].join();
    };
    await init({ inspect: bytes("runstate_inspect_bg.wasm") });
    const view = '{"runId":"r1","computedAt":"1970-01-01T00:00:00.000Z","state":"stale"}';
    const session = '[{"session_id":"s1","status":"running"}]';
    const small = [code("{"), code(view), code(session)];
    const untold = told();
    await init({ account: bytes("runstate_account_bg.wasm") });
    small.push(untold, told());
    await init({ documents: bytes("runstate_documents_bg.wasm") });
    console.log(state, before, ...small, code("{"), code(view), code(session));
  `);
  assert.equal(
    answer.trim(),
    "succeeded NOT_LOADED NOT_JSON run-state NOT_LOADED , Paused,1 NOT_JSON run-state session-list",
  );
});

test("every part says so before it is loaded", () => {
  const answer = inNode(`
    import { readFileSync } from "node:fs";
    import init, * as runstate from "runstate/web";
    await init({ module_or_path: readFileSync(new URL(import.meta.resolve("runstate/runstate_bg.wasm"))) });
    const codes = [
      () => runstate.deriveRunStates("[]"),
      () => runstate.applyDelta({}, {}),
      () => new runstate.Tree("{}"),
      () => new runstate.EventLog(),
      () => runstate.exitCode("failed"),
      () => runstate.readConductorRun({}, { now: 0 }),
      () => runstate.inspect("{}"),
      () => runstate.exportRun("{}", { now: 0 }),
      () => runstate.readRecord("Event", "{}"),
    ].map((call) => { try { call(); return "none"; } catch (error) { return error.code; } });
    console.log([...new Set(codes)].join(" "), codes.length);
  `);
  assert.equal(answer.trim(), "NOT_LOADED 9");
});

test("init fetches all files, those that are named, or the core alone", () => {
  const fetched = (options) => inNode(`
    import { readFileSync } from "node:fs";
    import init from "runstate/web";
    const names = [];
    globalThis.fetch = async (url) => {
      names.push(url.pathname.split("/").at(-1));
      return new Response(readFileSync(url), { headers: { "content-type": "application/wasm" } });
    };
    await init(${options});
    console.log(names.sort().join(" "));
  `).trim();
  assert.equal(fetched(""), wasm(["", ...parts]));
  assert.equal(fetched("{ inspect: false }"), wasm([""]));
  assert.equal(fetched("{ tree: true, log: true, inspect: false }"), wasm(["", "tree", "log"]));
});

test("both entries export the same names, and each has a type", () => {
  assert.deepEqual(Object.keys(runstate).sort(), exported);
  const web = JSON.parse(inNode('import * as web from "runstate/web"; console.log(JSON.stringify(Object.keys(web)));'));
  assert.deepEqual(web.sort(), [...exported, "default", "initSync"].sort());
  const types = readFileSync(join(folder, "node_modules/runstate/index.d.ts"), "utf8");
  for (const name of exported) {
    assert.match(types, new RegExp(`^export (declare )?(const|function|class) ${name}\\b`, "m"), name);
  }
  assert.match(readFileSync(join(folder, "node_modules/runstate/web.d.ts"), "utf8"), /^export \* from "\.\/index\.js"/m);
});

test("the package holds a WebAssembly file for each part and nothing that is not listed", () => {
  const files = readdirSync(join(folder, "node_modules/runstate")).sort();
  const listed = JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8")).files;
  assert.deepEqual(files, [...listed, "README.md", "package.json"].sort());
  assert.equal(files.filter((name) => name.endsWith(".wasm")).join(" "), wasm(["", ...parts]));
});

test("what is not exported cannot be imported", () => {
  for (const inner of ["runstate/api.js", "runstate/parts.js", "runstate/runstate.js", "runstate/runstate_inspect.js"]) {
    const code = `await import("${inner}").then(() => console.log("in"), (error) => console.log(error.code));`;
    assert.equal(inNode(code).trim(), "ERR_PACKAGE_PATH_NOT_EXPORTED");
  }
});
