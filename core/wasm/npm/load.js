// Loads the WebAssembly file. Errors of the generated glue code have no code; `guarded` and `guardedClass` throw `NOT_LOADED` for a call
// before the file is loaded, and `FREED` for the use of an object after `free()`.
import init, { initSync as start } from "./runstate.js";

let loaded = false;

const coded = (code, message, cause) => Object.assign(new Error(message, { cause }), { code });

const unloadable = (cause) => coded("NOT_LOADED", `runstate_bg.wasm could not be loaded: ${cause?.message ?? cause}`, cause);

/**
 * Loads the module; `source` is the argument of the generated `init`, by default the address of `runstate_bg.wasm`. Resolves to the exports
 * of the WebAssembly module; rejects with `NOT_LOADED`.
 */
export async function load(source) {
  try {
    const exports = await init(source);
    loaded = true;
    return exports;
  } catch (cause) {
    throw unloadable(cause);
  }
}

/** Loads the module from bytes or a compiled module, without a promise. Throws `NOT_LOADED`. */
export function initSync(source) {
  try {
    const exports = start(source);
    loaded = true;
    return exports;
  } catch (cause) {
    throw unloadable(cause);
  }
}

function check() {
  if (!loaded) throw coded("NOT_LOADED", "runstate is not loaded: call and await init(), the default export, first");
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

/** Returns a function or class that throws `NOT_LOADED` until the module is loaded. */
export const guarded = (target) => new Proxy(target, handler);

/** Copies an argument before the object is borrowed, so that its getters may throw or use the object. */
function plain(value) {
  if (Array.isArray(value)) return Array.from(value, plain);
  if (value === null || typeof value !== "object" || ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, plain(part)]));
}

/** Like `guarded`, for a class with `free()`: its methods throw `FREED` after it. */
export function guardedClass(type) {
  const freed = new WeakSet();
  const checked = (method) =>
    method &&
    function (...given) {
      const read = given.map(plain);
      if (freed.has(this)) throw coded("FREED", `this ${type.name} was freed`);
      return method.apply(this, read);
    };
  const { prototype } = type;
  for (const [name, property] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
    if (name === "constructor" || name.startsWith("__")) continue;
    const key = property.get ? "get" : "value";
    Object.defineProperty(prototype, name, { ...property, [key]: checked(property[key]) });
  }
  const { free } = prototype;
  prototype.free = function () {
    if (freed.has(this)) return;
    free.call(this);
    freed.add(this);
  };
  return guarded(type);
}
