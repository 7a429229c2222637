// The paths of the built panel, the browser and the test data. Each can be set by an environment variable.
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** The repository's root. */
export const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");

/** The folder with `dashboard/`, `extension/`, `npm/` and `runstate.html`. */
export const dist = resolve(process.env.RUNSTATE_DIST ?? join(root, "target/dist"));

/** The recorded answers of a real Gateway. */
export const captures = resolve(process.env.RUNSTATE_CAPTURES ?? join(root, "tests/vectors/smithers/captures"));

/** A file of the vectors. */
export const vector = (path) => join(root, "tests/vectors", path);

const chromium = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

// The usual paths of the browsers; the first existing one is used.
const browsers = {
  chromium,
  headless_shell: ["/usr/bin/chromium-headless-shell", ...chromium],
  firefox: ["/usr/bin/firefox-esr", "/usr/bin/firefox", "/Applications/Firefox.app/Contents/MacOS/firefox"],
};

/** The program of `chromium`, `headless_shell` or `firefox`. Throws an error with a remedy if there is none. */
export function browserProgram(name) {
  const variable = `RUNSTATE_${name.toUpperCase()}`;
  const places = process.env[variable] ? [process.env[variable]] : browsers[name];
  if (!places) throw new Error(`RUNSTATE_BROWSER is “${name}”: expected chromium or firefox.`);
  const found = places.find(existsSync);
  if (!found) throw new Error(`No ${name} at ${places.join(", ")}: install it, or name it in ${variable}.`);
  return found;
}

/** A built file; throws if the build is missing, so that a test never passes without it. */
export function built(...parts) {
  const path = join(dist, ...parts);
  if (!existsSync(path)) throw new Error(`${path} is missing: run \`cargo xtask build --quick\`, or name the build in RUNSTATE_DIST.`);
  return path;
}
