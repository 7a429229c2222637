// The parts beside the core: each is a WebAssembly file of its own, loaded when it is used (Node) or asked for (web).
import * as conductor from "./runstate_conductor.js";
import * as inspect from "./runstate_inspect.js";
import * as lionagi from "./runstate_lionagi.js";
import * as log from "./runstate_log.js";
import * as tree from "./runstate_tree.js";

export const parts = { tree, log, lionagi, conductor, inspect };

const loaded = new Set();

/** How a part that is not there yet is loaded; a browser cannot do that while it waits. */
let load = (name) => {
  const message = `${name} is not loaded: call and await init({ ${name}: true }), or give its bytes to initSync`;
  throw Object.assign(new Error(message), { code: "NOT_LOADED" });
};

export function loadWith(loader) {
  load = loader;
}

export function setLoaded(name) {
  loaded.add(name);
}

/** The functions of a part that is loaded. */
export function part(name) {
  if (!loaded.has(name)) {
    load(name);
    loaded.add(name);
  }
  return parts[name];
}
