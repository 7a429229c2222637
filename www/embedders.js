// Which pages may show a page of Runstate in a frame: those of its own origin, and of the origins that the deployment lists in its
// `<meta name="runstate-embedders" content="https://a.example https://b.example">`.

/** The origins that the deployment lists. */
const listed = () =>
  (document.querySelector('meta[name="runstate-embedders"]')?.getAttribute("content") ?? "").split(/\s+/).filter(Boolean);

/**
 * Whether a page of this origin may show this page. `null` is the origin of every sandboxed page.
 * @param {string | undefined} origin
 */
export const isEmbedder = (origin) => origin !== "null" && (origin === location.origin || listed().includes(origin));

/**
 * The origins of the pages around this one, the parent first; `undefined` for one that the browser does not tell. Without
 * `ancestorOrigins`, as in Firefox 140, it tells only those with the origin of this page, whose location can be read. The referrer is no
 * evidence: a stranger can show a listed page in its frame, and let it lead here.
 * @returns {(string | undefined)[]}
 */
export function ancestors() {
  if (location.ancestorOrigins) return [...location.ancestorOrigins];
  const origins = [];
  for (let page = /** @type {Window} */ (window); page !== page.parent; page = page.parent) origins.push(originOf(page.parent));
  return origins;
}

/**
 * The origin of a page around this one, if that is the origin of this page.
 * @param {Window} page
 */
function originOf(page) {
  try {
    return page.location.origin;
  } catch {
    return undefined;
  }
}
