// The entry for Node: the module is ready when the import is.
import { readFileSync } from "node:fs";
import { initSync } from "./runstate.js";

initSync({ module: readFileSync(new URL("./runstate_bg.wasm", import.meta.url)) });

export * from "./api.js";
