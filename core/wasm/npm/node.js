// The entry for Node: the import loads the module.
import { readFileSync } from "node:fs";
import { initSync } from "./load.js";

const exports = initSync({ module: readFileSync(new URL("runstate_bg.wasm", import.meta.url)) });

export * from "./api.js";
export { initSync };
/** Has no effect in Node; it exists so that code for browsers also runs in Node. */
export default async () => exports;
