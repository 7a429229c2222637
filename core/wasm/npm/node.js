// The entry for Node: the module is ready when the import is.
import { readFileSync } from "node:fs";
import { initSync } from "./load.js";

const exports = initSync({ module: readFileSync(new URL("runstate_bg.wasm", import.meta.url)) });

export * from "./api.js";
export { initSync };
/** Nothing is left to load: the same code runs in a browser. */
export default async () => exports;
