// Checks the examples of the package's README: `expression; // JSON` on each line.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { packageFolder, runstate } from "./support.mjs";

const text = readFileSync(join(packageFolder, "README.md"), "utf8");
const examples = [...text.matchAll(/## ([^\n]+)\n|```js\n([^]*?)```/g)];

/** The value after `// `, if it is JSON. */
function told(comment) {
  try {
    return { value: JSON.parse(comment) };
  } catch {
    return null;
  }
}

function instrumented(code) {
  const lines = code.split("\n").map((line) => {
    const [, expression, comment] = /^(.+); \/\/ (.+)$/.exec(line) ?? [];
    const answer = comment === undefined ? null : told(comment);
    return answer ? `check(${expression}, ${JSON.stringify(answer.value)}, ${JSON.stringify(line)});` : line;
  });
  return lines.join("\n").replace(/^import \{ ([^}]+) \} from "runstate";.*$/m, "const { $1 } = runstate;");
}

let title = "the beginning";
for (const [, heading, code] of examples) {
  if (heading) title = heading;
  if (!code || code.includes("await init()")) continue;
  test(`the example of ${title}`, () => {
    let checks = 0;
    const check = (found, expected, line) => {
      checks += 1;
      // Compared as JSON, in which absent fields are omitted.
      assert.deepEqual(JSON.parse(JSON.stringify(found)), expected, line);
    };
    new Function("runstate", "check", instrumented(code))(runstate, check);
    assert.ok(checks > 0);
  });
}

test("every export stands in the README", () => {
  for (const name of Object.keys(runstate).filter((name) => !["default", "initSync"].includes(name))) assert.ok(text.includes(name), name);
});

test("the README lists the taxonomies of `pill`, as its error does", () => {
  const words = (text) => [...text.matchAll(/["`]([a-z-]+)["`]/g)].map(([, word]) => word);
  const table = /\| taxonomy \| words \|\n[^\n]+\n((?:\|.*\n)+)/.exec(text)[1];
  const listed = table.split("\n").flatMap((line) => words(line.split("|")[1] ?? ""));
  let message;
  try {
    runstate.pill("no such taxonomy", "x");
  } catch (error) {
    ({ message } = error);
  }
  assert.deepEqual(listed.toSorted(), words(message.split(" for taxonomy")[0]).toSorted());
  for (const taxonomy of listed) assert.ok(runstate.pill(taxonomy, "x").label, taxonomy);
});
