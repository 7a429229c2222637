// The entry for browsers: call and await the default export once, before anything else.
import { parts, setLoaded } from "./parts.js";
import initCore, { initSync as initCoreSync } from "./runstate.js";

export * from "./api.js";

const names = Object.keys(parts);

export default async function init(options) {
  // Who names parts gets those; who says where the core lies has the others somewhere else than we do as well.
  const named = names.some((name) => options?.[name] !== undefined);
  const otherwise = !named && options?.module_or_path === undefined;
  const wanted = names.filter((name) => options?.[name] ?? otherwise);
  const [core] = await Promise.all([initCore(options), ...wanted.map((name) => load(name, options?.[name]))]);
  return core;
}

async function load(name, source) {
  await parts[name].default(source === undefined || source === true ? undefined : { module_or_path: source });
  setLoaded(name);
}

export function initSync(options) {
  const core = initCoreSync(options);
  for (const name of names.filter((name) => options[name])) {
    parts[name].initSync({ module: options[name] });
    setLoaded(name);
  }
  return core;
}
