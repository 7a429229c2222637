// A static file server on an ephemeral loopback port.
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
 * Serves `folder` without the paths in `missing`; `headers` go with every answer. `asked` lists every path that was asked for.
 * @returns {Promise<{origin: string, asked: string[], close: () => Promise<void>}>}
 */
export async function serve(folder, headers = {}, missing = []) {
  const asked = [];
  const server = createServer((request, response) => {
    asked.push(request.url);
    const file = fileFor(folder, request.url);
    if (!file || missing.includes(request.url)) {
      response.writeHead(404, { "content-type": "text/plain" }).end("not here");
      return;
    }
    response.writeHead(200, { "content-type": types[extname(file)] ?? "application/octet-stream", ...headers });
    createReadStream(file).pipe(response);
  });
  await new Promise((ready, refuse) => server.once("error", refuse).listen(0, "127.0.0.1", ready));
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    asked,
    close: () => {
      server.closeAllConnections();
      return new Promise((done) => server.close(done));
    },
  };
}
