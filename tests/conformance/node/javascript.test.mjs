// The types that the JSDoc comments and .d.ts files of the hand-written JavaScript state.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "../../support/paths.mjs";

test("tsc --checkJs finds no error", () => {
  const compiler = join(root, "tests/node_modules/typescript/bin/tsc");
  try {
    execFileSync(process.execPath, [compiler, "-p", join(root, "tests/javascript")], { encoding: "utf8" });
  } catch (error) {
    assert.fail(error.stdout);
  }
});
