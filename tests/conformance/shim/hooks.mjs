// Where an import of upstream's leads, and TypeScript without its types.
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const here = (name) => new URL(name, import.meta.url).href;

/** Whole packages, and the single files that upstream's own tests import by a relative path. */
const places = [
  [/^@(?:smithers-orchestrator|smthrs)\/db\/runState(?:\/\w+)?$/, "runState.mjs"],
  [/(?:^|\/)(?:runState|deriveRunState|computeRunState|computeRunStateFromRow)\.[jt]s$/, "runState.mjs"],
  [/(?:^|\/)RUN_STATE_HEARTBEAT_STALE_MS\.[jt]s$/, "runState.mjs"],
  [/^@(?:smithers-orchestrator|smthrs)\/devtools(?:\/(?:applyDelta|diffSnapshots|InvalidDeltaError))?$/, "devtools.mjs"],
  [/(?:^|\/)(?:applyDelta|diffSnapshots|InvalidDeltaError)\.[jt]s$/, "devtools.mjs"],
  [/^bun:test$/, "bun-test.mjs"],
];

export async function resolve(specifier, context, next) {
  const place = places.find(([pattern]) => pattern.test(specifier));
  return place ? { url: here(place[1]), shortCircuit: true } : next(specifier, context);
}

export async function load(url, context, next) {
  if (!/\.tsx?$/.test(url)) return next(url, context);
  const text = await readFile(fileURLToPath(url), "utf8");
  const { outputText } = ts.transpileModule(text, {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
  });
  return { format: "module", source: outputText, shortCircuit: true };
}
