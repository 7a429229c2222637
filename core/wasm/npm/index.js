// The entry for Node: the module is ready when the import is; a part beside it is read from disk when it is used.
import { readFileSync } from "node:fs";
import { loadWith, parts } from "./parts.js";
import { initSync } from "./runstate.js";

const bytes = (name) => readFileSync(new URL(name, import.meta.url));

initSync({ module: bytes("./runstate_bg.wasm") });
loadWith((name) => parts[name].initSync({ module: bytes(`./runstate_${name}_bg.wasm`) }));

export * from "./api.js";
