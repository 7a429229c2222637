// Redacts requests before anything is stored: headers and cookies, credentials and other parameters of addresses, and everything
// in a request except the method, run, node and frame. core.js redacts responses.

/** The parameters of addresses and requests that are kept. */
const PARAMETERS = new Set([
  ...["limit", "offset", "status", "runId", "nodeId", "iteration", "frameNo", "afterSeq"],
  ...["page", "per_page", "kind", "sort", "window", "after_seq", "message_limit", "message_cursor"],
]);

/**
 * An address without user, password, fragment and unknown parameters.
 * @param {string} text
 */
export function redactUrl(text) {
  const url = new URL(text);
  url.username = "";
  url.password = "";
  url.hash = "";
  for (const name of new Set(url.searchParams.keys())) {
    if (!PARAMETERS.has(name)) url.searchParams.delete(name);
  }
  return url.href;
}

/**
 * The redacted request of a page, as JSON; `undefined` if it is not a JSON object.
 * @param {string} text
 */
export function redactRequest(text) {
  let request;
  try {
    request = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof request !== "object" || request === null || Array.isArray(request)) return undefined;
  const { type, id, method, params } = request;
  const envelope = Object.fromEntries(Object.entries({ type, id, method }).filter(([, value]) => typeof value === "string"));
  return JSON.stringify({ ...knownParameters(request), ...envelope, ...(envelope.method && { params: knownParameters(params) }) });
}

function knownParameters(object) {
  const isKept = ([name, value]) => PARAMETERS.has(name) && ["string", "number"].includes(typeof value);
  return Object.fromEntries(Object.entries(object ?? {}).filter(isKept));
}
