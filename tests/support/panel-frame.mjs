// Pages of another site with <runstate-panel frame>, whose policy refuses WebAssembly and markup, for the tests of one file.
import { readFileSync } from "node:fs";
import { after } from "node:test";
import { recordEvents } from "./panel-element.mjs";
import { built } from "./paths.mjs";
import { recordedGateway } from "./recorded.mjs";
import { serve } from "./server.mjs";
import { stage } from "./stage.mjs";

const page = (body) => `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Fleet</title><link rel="icon" href="data:,">
  <script type="module" src="/elements/define.js"></script></head><body><main><h1>Fleet</h1>${body}</main></body></html>`;
const panel = (attributes) => page(`<runstate-panel ${attributes}>Run release</runstate-panel>`);

/**
 * Serves the pages (`host`), the same pages with a policy that allows WebAssembly (`trusting`), and the files of the panel in front of
 * a recorded Gateway (`files`). `route` handles the requests to one more server of the panel's files, as a Gateway does.
 *
 * `show(path)` opens a page and records its events, `inside(page)` is its frame.
 */
export async function framePages({ route = () => false } = {}) {
  const routed = await serve(undefined, { handle: route });
  const gateway = recordedGateway("approval-a", { moment: "waiting", token: "operator-token" });
  const pages = {
    "/own.html": '<!doctype html><title>Own</title><link rel="icon" href="data:,"><iframe src="/index.html"></iframe>',
  };
  const files = await serve(built("npm", "elements", "panel"), { handle: gateway.handle, extra: pages });
  /** Lists the origins whose pages may show the files in a frame. */
  const allow = (...origins) => {
    for (const name of ["frame.html", "index.html"]) {
      const page = readFileSync(built("npm", "elements", "panel", name), "utf8");
      pages[`/${name}`] = page.replace('name="runstate-embedders" content=""', `name="runstate-embedders" content="${origins.join(" ")}"`);
    }
  };
  /** Whether the files are shown as in a browser that does not name the origins of the pages around a page. */
  const hideOrigins = (hidden) => {
    if (!hidden) return void delete pages["/embedders.js"];
    const module = readFileSync(built("npm", "elements", "panel", "embedders.js"), "utf8");
    if (!module.includes("location.ancestorOrigins")) throw new Error("embedders.js does not ask for the origins");
    pages["/embedders.js"] = module.replaceAll("location.ancestorOrigins", "undefined");
  };
  const closed = await serve(built("npm", "elements", "panel"), { headers: { "content-security-policy": "frame-ancestors 'none'" } });
  const strict = `default-src 'none'; script-src 'self'; img-src data:; frame-src 'self' ${files.origin} ${closed.origin} ${routed.origin}; require-trusted-types-for 'script'; trusted-types 'none'; base-uri 'none'; form-action 'none'`;
  const extra = {
    "/framed.html": panel(`frame assets="${files.origin}"`),
    "/plain.html": panel(""),
    "/missing.html": panel(`frame assets="${files.origin}/nowhere/"`),
    "/refused.html": panel(`frame assets="${closed.origin}"`),
    "/routed.html": panel(`frame assets="${routed.origin}/runstate/"`),
    "/none.html": page(""),
    "/dashboard.html": page(`<iframe src="${files.origin}/index.html"></iframe>`),
    "/leading.html": `<!doctype html><title>Leading</title><link rel="icon" href="data:,"><meta http-equiv="refresh" content="0;url=${files.origin}/index.html">`,
    "/sibling.html":
      '<!doctype html><title>Sibling</title><link rel="icon" href="data:,"><script type="module" src="/sibling.js"></script>',
    "/sibling.js": `const { port1, port2 } = new MessageChannel();
      port1.onmessage = ({ data }) => parent.answers.push(["sibling", data]);
      parent.frames[0].postMessage({ type: "runstate-port" }, "*", [port2]);
      parent.sent = true;`,
  };
  const host = await serve(built("npm"), { headers: { "content-security-policy": strict }, extra });
  const trusting = await serve(built("npm"), {
    headers: {
      "content-security-policy": strict.replace(
        "script-src 'self'",
        "script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'",
      ),
    },
    extra,
  });
  allow(host.origin, trusting.origin);
  const { newPage } = await stage();
  after(() => Promise.all([host, files, closed, routed, trusting].map((server) => server.close())));

  async function show(path, origin = host.origin, prepare = () => {}) {
    const opened = await newPage();
    await opened.page.evaluateOnNewDocument(prepare);
    await opened.page.evaluateOnNewDocument(recordEvents);
    await opened.page.goto(`${origin}${path}`);
    return opened;
  }
  const inside = (opened) => opened.frames().find((frame) => frame.url().startsWith(files.origin));
  return { gateway, files, host, trusting, allow, hideOrigins, newPage, show, inside };
}
