// The TypeScript declarations of the package, compared with `declarations.d.ts`.
//
// `RUNSTATE_DECLARATIONS=write node --test tests/conformance/node/declarations.test.mjs` rewrites it.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { format, resolveConfig } from "prettier";
import ts from "typescript";
import { packageFolder, testsFolder } from "./support.mjs";

const committed = join(testsFolder, "conformance/node/declarations.d.ts");
const notice = "// Written by `RUNSTATE_DECLARATIONS=write node --test tests/conformance/node/declarations.test.mjs`.\n\n";

/** The declarations in the order of their names: the linker orders those of the built file. */
async function declarations() {
  const text = readFileSync(join(packageFolder, "runstate.d.ts"), "utf8");
  const { statements } = ts.createSourceFile("runstate.d.ts", text, ts.ScriptTarget.Latest);
  // The functions of the WebAssembly module itself are not for callers.
  const isPublic = (statement) => statement.name?.text !== "InitOutput";
  const declared = statements
    .filter(isPublic)
    .map((statement) => ({ name: name(statement), text: text.slice(statement.pos, statement.end).trim() }));
  declared.sort((a, b) => compare(a.name, b.name) || compare(a.text, b.text));
  return format(notice + declared.map(({ text }) => text).join("\n\n"), { ...(await resolveConfig(committed)), parser: "typescript" });
}

const name = ({ name, kind }) => name?.text ?? ts.SyntaxKind[kind];
const compare = (a, b) => (a < b ? -1 : Number(a > b));

test("the declarations are those of the snapshot", async () => {
  const found = await declarations();
  if (process.env.RUNSTATE_DECLARATIONS === "write") writeFileSync(committed, found);
  assert.equal(found, readFileSync(committed, "utf8"));
});
