// Where the panel's files are: the folder `panel` of the package, or a copy of it.

/** The page's folder, if the page has set one. */
let pageAssets;

/**
 * Sets the folder with the panel's files for every `<runstate-panel>` of the page that has no attribute `assets`. Panels that have
 * started keep theirs. Without an address, the folder is again `panel/` next to the module.
 * @param {string | URL | null | undefined} [folder]
 */
export function setAssets(folder) {
  pageAssets = folder === undefined || folder === null ? undefined : String(folder);
}

/**
 * The address of the folder, with a slash at its end.
 * @param {string | null} assets The attribute of the element.
 * @param {string} base The base of relative addresses.
 */
export function assetsAddress(assets, base) {
  const { href } = new URL(assets ?? pageAssets ?? new URL("./panel/", import.meta.url).href, base);
  return href.replace(/\/?$/, "/");
}
