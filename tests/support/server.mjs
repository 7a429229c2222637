// The static file server of all tests, on a free loopback port.
import { createReadStream, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize, sep } from "node:path";

const types = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".wasm": "application/wasm",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
};

function fileFor(folder, url) {
  const path = normalize(decodeURIComponent(new URL(url, "http://x").pathname));
  const file = join(folder, path.endsWith(sep) ? `${path}index.html` : path);
  if (!file.startsWith(folder)) return undefined;
  return statSync(file, { throwIfNoEntry: false })?.isFile() ? file : undefined;
}

/**
 * Serves `folder`. `headers` are sent with every response; `missing(path)` selects files that are answered with 404; `extra`
 * maps a
 * path to a body that is served in place of a file; `handle(request, response)` returns whether it answers itself.
 * `requests` lists the requested paths.
 * @returns {Promise<{origin: string, requests: string[], close: () => Promise<void>}>}
 */
export async function serve(folder, { headers = {}, missing = () => false, extra = {}, handle = () => false } = {}) {
  const requests = [];
  const server = createServer((request, response) => {
    requests.push(request.url);
    if (handle(request, response)) return;
    const path = request.url.split("?")[0];
    const type = types[extname(path) || ".html"] ?? "application/octet-stream";
    if (path in extra) {
      response.writeHead(200, { "content-type": type, ...headers }).end(extra[path]);
      return;
    }
    const file = folder && fileFor(folder, request.url);
    if (!file || missing(path)) {
      response.writeHead(404, { "content-type": "text/plain" }).end("not found");
      return;
    }
    // A browser keeps the compiled code of a module only together with a response that may be stored.
    const stored = extname(file) === ".wasm" ? { "cache-control": "max-age=3600" } : {};
    response.writeHead(200, { "content-type": types[extname(file)] ?? "application/octet-stream", ...stored, ...headers });
    createReadStream(file).pipe(response);
  });
  await new Promise((ready, refuse) => server.once("error", refuse).listen(0, "127.0.0.1", ready));
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    requests,
    close: () => {
      server.closeAllConnections();
      return new Promise((done) => server.close(done));
    },
  };
}
