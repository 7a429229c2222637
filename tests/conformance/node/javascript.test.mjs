// The hand-written JavaScript: the types that its JSDoc comments and .d.ts files state, and the length of its lines.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "../../support/paths.mjs";

const MAX_COLUMNS = 140;
const generated = ["elements/pill-data.js", "www/extension/secrets.js"];

test("tsc --checkJs finds no error", () => {
  const compiler = join(root, "tests/node_modules/typescript/bin/tsc");
  try {
    execFileSync(process.execPath, [compiler, "-p", join(root, "tests/javascript")], { encoding: "utf8" });
  } catch (error) {
    assert.fail(error.stdout);
  }
});

test(`no line is longer than ${MAX_COLUMNS} columns`, () => {
  const list = (folder) => readdirSync(join(root, folder), { recursive: true }).map((file) => `${folder}/${file}`);
  const scripts = ["www", "elements", "gateway-routes"].flatMap(list).filter((file) => file.endsWith(".js"));
  const files = scripts.filter((file) => !generated.includes(file));
  assert.ok(files.length > 15, files.join());
  const isLong = (file) => readFileSync(join(root, file), "utf8").split("\n").some((line) => line.length > MAX_COLUMNS);
  assert.deepEqual(files.filter(isLong), []);
});
