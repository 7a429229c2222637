// Our module's side: the cases whose functions the package has.
import { join } from "node:path";
import { pathToFileURL } from "node:url";

export async function ourModule(dist) {
  await import(pathToFileURL(join(dist, "npm/index.js")));
  return {};
}
