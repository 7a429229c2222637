// The dashboard on a Gateway's own origin: `new Gateway({ routes: runstate() })`.
//
// Every file is read once and found by its exact path: no request reaches the file system, so none can leave the folder.
import { createHash } from "node:crypto";
import { readFileSync, readdirSync, statSync } from "node:fs";
import { extname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";

const FOLDER = fileURLToPath(new URL("../elements/panel/", import.meta.url));

const TYPES = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};
/** Licences and notices. */
const PLAIN_TEXT = "text/plain; charset=utf-8";

/**
 * The content policy of every response. A worker has the policy of its own script, not of the page that starts it, so the
 * policy of the page alone would not limit the connections, which workers open.
 */
const contentPolicy = (frameAncestors) =>
  [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "worker-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    ["frame-ancestors 'self'", ...frameAncestors].join(" "),
  ].join("; ");

/** The policy without `frameAncestors`. */
export const CONTENT_POLICY = contentPolicy([]);

const HEADERS = {
  // The browser always revalidates, and gets 304 while the file is unchanged.
  "cache-control": "no-cache",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

/** The pages that can be shown in a frame, and the list of the origins whose pages may do that. */
const PAGES = ["index.html", "frame.html"];
const NO_EMBEDDERS = '<meta name="runstate-embedders" content="" />';

/** Marks the Gateway's root as the root of the page's own origin. */
const GATEWAY_MARK = '<meta name="runstate-gateway" content="/" />';

/**
 * Makes the function for a Gateway's `routes`; see index.d.ts.
 * @param {import("./index.js").RunstateOptions} options
 */
export function runstate({ at = "/runstate/", next = undefined, frameAncestors = [] } = {}) {
  if (typeof at !== "string" || !/^(\/[\w~-][\w.~-]*)+\/$/.test(at)) {
    throw new TypeError(`runstate: expected "at" to be a path such as "/runstate/", found ${JSON.stringify(at)}`);
  }
  if (next !== undefined && typeof next !== "function") {
    throw new TypeError(`runstate: expected "next" to be a function like a Gateway's "routes", found ${typeof next}`);
  }
  if (!Array.isArray(frameAncestors) || !frameAncestors.every(isOrigin)) {
    const found = JSON.stringify(frameAncestors);
    throw new TypeError(`runstate: expected "frameAncestors" to be a list of origins such as "https://fleet.example", found ${found}`);
  }
  const files = readFiles(frameAncestors);
  const respond = responder(contentPolicy(frameAncestors));
  return async (request, response, context) => {
    try {
      const { pathname, search } = context.url;
      if (`${pathname}/` === at) return respond(response, 308, { location: at + search });
      if (pathname.startsWith(at)) return serve(files, pathname.slice(at.length), request, response, respond);
      return next ? Boolean(await next(request, response, context)) : false;
    } catch (error) {
      return fail(response, error, respond);
    }
  };
}

/** Whether the text is only an origin. URL accepts `;`, `,` and `*` in hosts, which are special in a policy. */
function isOrigin(text) {
  return typeof text === "string" && /^https?:\/\/[\w.:[\]-]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}

/** Reads the dashboard: each file by its path in the folder, the page also under the empty path. */
function readFiles(embedders) {
  const files = new Map();
  for (const path of readdirSync(FOLDER, { encoding: "utf8", recursive: true })) {
    const file = join(FOLDER, path);
    if (!statSync(file).isFile()) continue;
    const name = path.split(sep).join("/");
    const body = PAGES.includes(name) ? Buffer.from(edit(name, readFileSync(file, "utf8"), embedders)) : readFileSync(file);
    const etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;
    files.set(name, { body, etag, type: TYPES[extname(name)] ?? PLAIN_TEXT });
  }
  files.set("", files.get("index.html"));
  return files;
}

/** A page that lists who may show it in a frame; the dashboard also knows its Gateway. */
function edit(name, page, embedders) {
  const edits = [[NO_EMBEDDERS, NO_EMBEDDERS.replace('""', `"${embedders.join(" ")}"`)]];
  if (name === "index.html") edits.push(["<head>", `<head>\n    ${GATEWAY_MARK}`]);
  return edits.reduce((text, [mark, replacement]) => {
    if (!text.includes(mark)) throw new Error(`runstate: ${join(FOLDER, name)} has no ${mark}: install the package again`);
    return text.replace(mark, () => replacement);
  }, page);
}

function serve(files, name, request, response, respond) {
  if (request.method !== "GET" && request.method !== "HEAD") return respond(response, 405, { allow: "GET, HEAD" });
  const file = files.get(name);
  if (!file) return respond(response, 404);
  if (isKnown(file.etag, request.headers["if-none-match"])) return respond(response, 304, { etag: file.etag });
  const headers = { etag: file.etag, "content-type": file.type, "content-length": file.body.length };
  return respond(response, 200, headers, request.method === "HEAD" ? undefined : file.body);
}

/** `If-None-Match` is `*` or a list; a proxy that compresses makes tags weak. */
function isKnown(etag, condition = "") {
  return condition.trim() === "*" || condition.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag);
}

const responder =
  (policy) =>
  (response, status, headers = {}, body = undefined) => {
    response.writeHead(status, { ...HEADERS, "content-security-policy": policy, ...headers });
    response.end(body);
    return true;
  };

/** Without this, the Gateway, which does not catch errors of its `routes`, would exit with an unhandled rejection. */
function fail(response, error, respond) {
  console.error("runstate: a request failed:", error);
  try {
    if (response.headersSent) response.destroy();
    else respond(response, 500);
  } catch {
    // The client has disconnected.
  }
  return true;
}
