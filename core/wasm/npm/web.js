// The entry for browsers: call and await the default export once, before anything else.
import { refuse } from "./arguments.js";
import { parts, setCore, setLoaded } from "./parts.js";
import * as core from "./runstate.js";

export * from "./api.js";

const names = Object.keys(parts);

/** A file that cannot be fetched or compiled leaves its part unloaded, and that is what the code says. */
const notLoaded = (name, cause) =>
  Object.assign(new Error(`${name} could not be loaded: ${cause?.message ?? cause}`, { cause }), { code: "NOT_LOADED" });

export default async function init(options) {
  // Who names parts gets those; who says where the core lies has the others somewhere else than we do as well.
  const named = names.some((name) => options?.[name] !== undefined);
  const otherwise = !named && options?.module_or_path === undefined;
  const wanted = names.filter((name) => options?.[name] ?? otherwise);
  const [loaded] = await Promise.all([
    fetched("the core", core, options?.module_or_path),
    ...wanted.map((name) => load(name, options?.[name])),
  ]);
  setCore(core);
  return loaded;
}

async function load(name, source) {
  await fetched(name, parts[name], source === true ? undefined : source);
  setLoaded(name);
}

async function fetched(name, module, source) {
  try {
    return await module.default(source === undefined ? undefined : { module_or_path: source });
  } catch (error) {
    throw notLoaded(name, error);
  }
}

export function initSync(options) {
  if (!options?.module) refuse("options.module", "the bytes of runstate_bg.wasm, or them compiled", options?.module);
  const loaded = compiled("the core", core, options.module);
  setCore(core);
  for (const name of names.filter((name) => options[name])) {
    compiled(name, parts[name], options[name]);
    setLoaded(name);
  }
  return loaded;
}

function compiled(name, module, bytes) {
  try {
    return module.initSync({ module: bytes });
  } catch (error) {
    throw notLoaded(name, error);
  }
}
