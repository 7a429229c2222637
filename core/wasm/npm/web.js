// The entry for browsers: call and await the default export once, before anything else.
import initCore, { initSync as initCoreSync } from "./runstate.js";
import initInspect, { initSync as initInspectSync, inspect as read } from "./runstate_inspect.js";

export * from "./api.js";

let loaded = false;

export default async function init(options) {
  // Who says where the core lies has it somewhere else than we do, and where `inspect` lies is not ours to guess.
  const part = options?.inspect ?? options?.module_or_path === undefined;
  const [core] = await Promise.all([initCore(options), part !== false && loadInspect(part)]);
  return core;
}

async function loadInspect(part) {
  await initInspect(part === true ? undefined : { module_or_path: part });
  loaded = true;
}

export function initSync(options) {
  const core = initCoreSync(options);
  if (options.inspect) {
    initInspectSync({ module: options.inspect });
    loaded = true;
  }
  return core;
}

export function inspect(document, options) {
  if (!loaded) {
    const message = "inspect is not loaded: call and await init({ inspect: true }), or give its bytes to initSync";
    throw Object.assign(new Error(message), { code: "NOT_LOADED" });
  }
  return read(document, options);
}
