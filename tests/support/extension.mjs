// The scripts of the built extension, in Node.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { built } from "./paths.mjs";

/** Loads a script of the built extension; with another `instance`, once more. */
export const extension = (file, instance = 0) =>
  import(`${pathToFileURL(join(built("extension"), file))}${instance ? `?${instance}` : ""}`);

const module = await import(pathToFileURL(built("extension", "runstate-traffic.js")));
// Node does not fetch files.
module.initSync({ module: readFileSync(built("extension", "runstate-traffic_bg.wasm")) });
