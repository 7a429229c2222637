// What Mozilla checks before it signs an extension; `web-ext lint` runs the same linter.
import assert from "node:assert/strict";
import { test } from "node:test";
import linter from "addons-linter";
import { built } from "../support/paths.mjs";

test("addons-linter finds no error, and one warning that is known", async () => {
  const config = { _: [built("extension")], logLevel: "fatal", output: "none" };
  const { errors, warnings, notices } = await linter.createInstance({ config, runAsBinary: false }).run();
  const found = [...errors, ...notices, ...warnings].map(({ code, file }) => `${code} ${file}`);
  // Leptos writes the parts of a template that never change, and the outlines of the icons, as markup: constants of the program.
  assert.deepEqual(found, ["UNSAFE_VAR_ASSIGNMENT runstate-panel.js"]);
});
