// The entry for Node: the module is ready when the import is; a part beside it is read from disk when it is used.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import * as core from "./runstate.js";
import { loadWith, parts, setCore } from "./parts.js";

/** A bundle has this script without the files beside it: then those of the installed package are read, where it is in reach. */
function bytes(name) {
  const { url } = import.meta;
  try {
    return readFileSync(new URL(`./${name}`, url));
  } catch {
    return installed(name, url ?? process.argv[1]);
  }
}

function installed(name, from) {
  try {
    return readFileSync(createRequire(from).resolve(`runstate/${name}`));
  } catch (cause) {
    const message = `${name} is not there: copy the .wasm files of the package beside the bundle, or keep runstate out of it (external)`;
    throw Object.assign(new Error(message, { cause }), { code: "NOT_LOADED" });
  }
}

core.initSync({ module: bytes("runstate_bg.wasm") });
setCore(core);
loadWith((name) => parts[name].initSync({ module: bytes(`runstate_${name}_bg.wasm`) }));

export * from "./api.js";
