// Helpers of the tests of the built package: the package itself, the vectors, and values that JSON lacks.
import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { dist } from "../../support/paths.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const root = resolve(here, "../../..");

/** The folder of the built package: `RUNSTATE_NPM`, or the one in the folder of the build. */
export const packageFolder = resolve(process.env.RUNSTATE_NPM ?? join(dist, "npm"));

export const runstate = await import(pathToFileURL(join(packageFolder, "node.js")));

export const testsFolder = join(root, "tests");
export const readText = (path) => readFileSync(join(root, "tests", path), "utf8");
export const readBytes = (path) => new Uint8Array(readFileSync(join(root, "tests", path)));
export const readJson = (path) => JSON.parse(readText(path));
export const readLines = (path) =>
  readText(path)
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));

const lacking = { NaN, Infinity, "-Infinity": -Infinity, "-0": -0, undefined };

/** Restores the values that JSON lacks, written as `{"$": "NaN"}`. */
export function revive(value) {
  if (Array.isArray(value)) return value.map(revive);
  if (value === null || typeof value !== "object") return value;
  const keys = Object.keys(value);
  if (keys.length === 1 && keys[0] === "$") {
    if (!(value.$ in lacking)) throw new Error(`no such value: ${value.$}`);
    return lacking[value.$];
  }
  return Object.fromEntries(keys.map((key) => [key, revive(value[key])]));
}

/** The outcome of a call: the JSON text of its result, or the error's name, code and position. */
export function outcome(call) {
  try {
    return { output: JSON.stringify(call()) };
  } catch (error) {
    return refusal(error);
  }
}

/** Like `outcome`, for a call that returns a promise. */
export async function laterOutcome(call) {
  try {
    return { output: JSON.stringify(await call()) };
  } catch (error) {
    return refusal(error);
  }
}

function refusal(error) {
  if (!(error instanceof Error)) throw new Error(`not an Error: ${String(error)}`);
  const { name, code, position } = error;
  return { error: { name, ...(code === undefined ? {} : { code }), ...(position?.path ? { path: position.path } : {}) } };
}
