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
 * The origins of the pages around this one, the parent first; `undefined` for one that the browser does not tell.
 * @returns {(string | undefined)[]}
 */
export function ancestors() {
  if (location.ancestorOrigins) return [...location.ancestorOrigins];
  const origins = [];
  for (let page = window.parent; page !== page.parent; page = page.parent) origins.push(originOf(page));
  return window === window.top ? [] : [...origins, originOf(window.top)];
}

/** The origin of a page around this one in Firefox: its own origin can be read, and of a parent the address that it has sent. */
function originOf(page) {
  try {
    return page.location.origin;
  } catch {
    return page === window.parent && URL.canParse(document.referrer) ? new URL(document.referrer).origin : undefined;
  }
}
