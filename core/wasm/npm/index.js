// The entry for Node: the module is ready when the import is; the reader of documents is read from disk when it is used.
import { readFileSync } from "node:fs";
import { initSync } from "./runstate.js";
import { initSync as initInspect, inspect as read } from "./runstate_inspect.js";

const bytes = (name) => readFileSync(new URL(name, import.meta.url));

initSync({ module: bytes("./runstate_bg.wasm") });

export * from "./api.js";

let loaded = false;

export function inspect(document, options) {
  if (!loaded) {
    initInspect({ module: bytes("./runstate_inspect_bg.wasm") });
    loaded = true;
  }
  return read(document, options);
}
