// Our module's side, as far as the package has the functions.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { NOW, place } from "./inputs.mjs";
import { counted, hashed } from "./javascript.mjs";

export async function ourModule(dist, folder) {
  const module = await import(pathToFileURL(join(dist, "npm/index.js")));
  return {};
}
