// The parts beside the core: each is a WebAssembly file of its own, loaded when it is used (Node) or asked for (web).
import * as account from "./runstate_account.js";
import * as conductor from "./runstate_conductor.js";
import * as documents from "./runstate_documents.js";
import * as inspect from "./runstate_inspect.js";
import * as lionagi from "./runstate_lionagi.js";
import * as log from "./runstate_log.js";
import * as records from "./runstate_records.js";
import * as rows from "./runstate_rows.js";
import * as tree from "./runstate_tree.js";

export const parts = { rows, tree, log, lionagi, conductor, inspect, account, documents, records };

const loaded = new Set();

/** How a part that is not there yet is loaded; a browser cannot do that while it waits. */
let load = (name) => {
  const message = `${name} is not loaded: call and await init({ ${name}: true }), or give its bytes to initSync`;
  throw Object.assign(new Error(message), { code: "NOT_LOADED" });
};

let loads = false;

export function loadWith(loader) {
  load = loader;
  loads = true;
}

let core = null;

/** The core is ready. */
export function setCore(functions) {
  core = functions;
}

/** The functions of the core. */
export function ready() {
  if (core) return core;
  throw Object.assign(new Error("the core is not loaded: call and await init() of runstate/web first"), { code: "NOT_LOADED" });
}

/** Whether a part can be used. */
export const isThere = (name) => loads || loaded.has(name);

/** Refuses a part that the caller would have to load, also where this call might do without it. */
export function needs(name) {
  if (!isThere(name)) part(name);
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
