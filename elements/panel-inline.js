// The panel in the page itself.
import { failure } from "./element.js";

/** Shows the panel in `root`. `assets` is the folder with the panel's files; the other options are those of `start` in `mount.js`. */
export async function startInline({ assets, ...options }) {
  const address = new URL("mount.js", assets).href;
  const { start } = await import(/* @vite-ignore */ /* webpackIgnore: true */ address).catch((error) => {
    const hint = "Copy the folder with the panel's files to where the attribute assets or setAssets() points.";
    throw Object.assign(failure("NOT_LOADED", `The browser did not load ${address}.`, hint), { cause: error });
  });
  return start(options);
}
