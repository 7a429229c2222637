// Test files written for upstream's functions run against the built package.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { packageFolder, testsFolder } from "./support.mjs";

const folder = join(testsFolder, "conformance/shim");

function run(name) {
  // Inside a run of Node's test runner, a nested one would report to the outer one instead of printing its results.
  const { NODE_TEST_CONTEXT, ...environment } = process.env;
  const register = pathToFileURL(join(folder, "register.mjs")).href;
  const args = ["--import", register, "--test-reporter=tap", "--test", join(folder, "samples", name)];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: folder,
    env: { ...environment, RUNSTATE_NPM: packageFolder },
    encoding: "utf8",
  });
  return { status, text: stdout + stderr, passed: Number(/^# pass (\d+)/m.exec(stdout)?.[1]) };
}

for (const name of ["devtools.test.ts", "runState.test.ts"]) {
  test(`${name} passes`, () => {
    const { status, text, passed } = run(name);
    assert.equal(status, 0, text);
    assert.ok(passed > 0, text);
  });
}

test("a wrong expectation fails", () => {
  const { status, text } = run("wrong.test.ts");
  assert.equal(status, 1, text);
  assert.match(text, /toBe: "succeeded"/);
  assert.match(text, /^# fail 2$/m);
});
