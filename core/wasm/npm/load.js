// Loads the WebAssembly file. Before that, every call throws an error that says what to await.
import init, { initSync as start } from "./runstate.js";

let loaded = false;

const notLoaded = (message, cause) => Object.assign(new Error(message, { cause }), { code: "NOT_LOADED" });

/** Loads the module; `source` as wasm-bindgen takes it. */
export async function load(source) {
  try {
    const exports = await init(source);
    loaded = true;
    return exports;
  } catch (cause) {
    throw notLoaded(`runstate_bg.wasm could not be loaded: ${cause?.message ?? cause}`, cause);
  }
}

/** The same from bytes or a compiled module that are already there. */
export function initSync(source) {
  try {
    const exports = start(source);
    loaded = true;
    return exports;
  } catch (cause) {
    throw notLoaded(`runstate_bg.wasm could not be loaded: ${cause?.message ?? cause}`, cause);
  }
}

function check() {
  if (!loaded) throw notLoaded("runstate is not loaded: call and await init(), the default export, first");
}

const handler = {
  apply(target, self, given) {
    check();
    return Reflect.apply(target, self, given);
  },
  construct(target, given, type) {
    check();
    return Reflect.construct(target, given, type);
  },
};

/** A function or class of the module that can only be used once it is loaded. */
export const guarded = (target) => new Proxy(target, handler);
