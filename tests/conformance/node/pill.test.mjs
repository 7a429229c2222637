// Every pill of the catalogue through the built package.
import assert from "node:assert/strict";
import { test } from "node:test";
import { readJson, runstate } from "./support.mjs";

const { pill } = runstate;
const catalogue = readJson("vectors/pills.json");

test(`${catalogue.length} pills are shown as the catalogue says`, () => {
  for (const { taxonomy, value, tone, icon, label, spoken } of catalogue) {
    const expected = { label, spoken, tone, icon, known: true, dotted: value === "legacy" };
    assert.deepEqual(pill(taxonomy, value), expected, `${taxonomy} ${value}`);
  }
});

test("a word that is not recognised is shown verbatim and marked", () => {
  for (const word of ["hibernating", "RUNNING", "", "\u0000", "__proto__", "“quoted”"]) {
    const found = pill("run", word);
    assert.equal(found.label, `“${word}”`);
    assert.equal(found.spoken, `Run state: “${word}” (word not recognised)`);
    assert.deepEqual([found.tone, found.known, found.dotted], ["neutral", false, false]);
  }
});

test("a word that only looks like a known one says so", () => {
  assert.equal(pill("run", "f\u0430iled").label, "“f\\u{430}iled”, not failed");
  assert.equal(pill("run", " running").label, "“ running”, not running");
  assert.equal(pill("session", "waiting\u2011approval").label, "“waiting\u2011approval”", "a word of another vocabulary");
});

test("a taxonomy that does not exist, or a word that is no text, is refused", () => {
  for (const [taxonomy, word, path] of [
    ["runs", "running", "taxonomy"],
    ["", "running", "taxonomy"],
    [undefined, "running", "taxonomy"],
    [null, "running", "taxonomy"],
    ["run", undefined, "word"],
    ["run", null, "word"],
    ["run", 7, "word"],
    ["run", {}, "word"],
  ]) {
    assert.throws(
      () => pill(taxonomy, word),
      (error) => error instanceof TypeError && error.code === "INVALID_INPUT" && error.position.path === path,
      `${taxonomy} ${word}`,
    );
  }
});
