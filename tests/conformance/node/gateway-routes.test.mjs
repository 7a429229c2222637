// `runstate/gateway`: the files below its path, its refusals, and the paths that it leaves to `next`.
import assert from "node:assert/strict";
import { readFileSync, readdirSync, statSync } from "node:fs";
import { createServer, request as httpRequest } from "node:http";
import { join, sep } from "node:path";
import { after, afterEach, test } from "node:test";
import { pathToFileURL } from "node:url";
import { packageFolder } from "./support.mjs";

const manifest = JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8"));
const { runstate, CONTENT_POLICY } = await import(pathToFileURL(join(packageFolder, manifest.exports["./gateway"].default)));

const dashboard = join(packageFolder, "elements", "panel");
const files = readdirSync(dashboard, { recursive: true })
  .filter((path) => statSync(join(dashboard, path)).isFile())
  .map((path) => path.split(sep).join("/"));

// A server that calls its routes as the Gateway does, without catching their errors.
async function serve(routes) {
  const rejections = [];
  const server = createServer(async (incoming, response) => {
    try {
      const url = new URL(incoming.url, "http://127.0.0.1");
      if (!(await routes(incoming, response, { gateway: "the gateway", url }))) response.writeHead(404, { "x-by": "gateway" }).end();
    } catch (error) {
      rejections.push(error);
      response.destroy();
    }
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  servers.push(server);
  // The path is sent unchanged: `fetch` would resolve `..` first.
  const get = (path, { method = "GET", headers = {} } = {}) =>
    new Promise((resolve, reject) => {
      const outgoing = httpRequest({ port: server.address().port, host: "127.0.0.1", path, method, headers }, (response) => {
        const chunks = [];
        response.on("data", (chunk) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () => resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) }));
      });
      outgoing.on("error", reject).end();
    });
  return { get, rejections };
}

const servers = [];
after(() => servers.forEach((server) => server.close()));

// The helper's log is part of the answer to a failure; any other log fails the test.
const logged = [];
const { error: consoleError } = console;
console.error = (...parts) => logged.push(parts);
after(() => (console.error = consoleError));
afterEach(() => assert.deepEqual(logged.splice(0), []));

const { get } = await serve(runstate());

const isGuarded = ({ headers }) => {
  assert.equal(headers["content-security-policy"], CONTENT_POLICY);
  assert.equal(headers["x-content-type-options"], "nosniff");
  assert.equal(headers["referrer-policy"], "no-referrer");
  assert.equal(headers["cross-origin-resource-policy"], "same-origin");
};

const types = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  wasm: "application/wasm",
  svg: "image/svg+xml",
  png: "image/png",
};

test("every file of the dashboard is served with its type, its headers and its bytes", async () => {
  assert.ok(files.length >= 10 && files.includes("css/page.css"), files.join());
  for (const file of files) {
    const answer = await get(`/runstate/${file}`);
    assert.equal(answer.status, 200, file);
    assert.equal(answer.headers["content-type"], types[file.split(".")[1]] ?? "text/plain; charset=utf-8", file);
    assert.equal(Number(answer.headers["content-length"]), answer.body.length, file);
    isGuarded(answer);
    if (!["index.html", "frame.html"].includes(file)) assert.ok(answer.body.equals(readFileSync(join(dashboard, file))), file);
  }
});

test("the policy allows connections to the own origin only, and no inline code", () => {
  const policy = Object.fromEntries(CONTENT_POLICY.split("; ").map((directive) => directive.split(/ (.*)/)));
  assert.equal(policy["default-src"], "'none'");
  assert.equal(policy["connect-src"], "'self'");
  assert.equal(policy["frame-ancestors"], "'self'");
  assert.doesNotMatch(CONTENT_POLICY, /unsafe-inline|'unsafe-eval'|\*|https?:|wss?:/);
});

test("the page is marked for the panel, once and only here", async () => {
  const page = (await get("/runstate/")).body.toString();
  assert.equal(page.split('<meta name="runstate-gateway" content="/" />').length, 2);
  assert.equal(page, (await get("/runstate/index.html")).body.toString());
  assert.ok(!readFileSync(join(dashboard, "index.html"), "utf8").includes("runstate-gateway"));
});

test("accepted: queries, HEAD, other entity tags", async () => {
  const {
    headers: { etag },
    body,
  } = await get("/runstate/boot.js");
  assert.match(etag, /^"[\w-]{22}"$/);
  assert.equal((await get("/runstate/boot.js?v=1")).headers.etag, etag, "a version in the address");
  assert.equal((await get("/runstate/?a=/../..")).status, 200);
  for (const condition of ['"other"', `"x", W/"y"`, etag.slice(1, -1), ""]) {
    const answer = await get("/runstate/boot.js", { headers: { "if-none-match": condition } });
    assert.equal(answer.status, 200, condition);
    assert.ok(answer.body.equals(body));
  }
  const head = await get("/runstate/boot.js", { method: "HEAD" });
  assert.deepEqual([head.status, head.body.length, Number(head.headers["content-length"])], [200, 0, body.length]);
  isGuarded(head);
});

test("a known entity tag is answered with 304 and no body", async () => {
  const {
    headers: { etag },
  } = await get("/runstate/");
  for (const condition of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
    for (const method of ["GET", "HEAD"]) {
      const answer = await get("/runstate/", { method, headers: { "if-none-match": condition } });
      assert.deepEqual([answer.status, answer.body.length, answer.headers.etag], [304, 0, etag], condition);
      isGuarded(answer);
    }
  }
});

test("without the slash: a permanent redirect that keeps the query and stays on the origin", async () => {
  for (const [path, location] of [
    ["/runstate", "/runstate/"],
    ["/runstate?a=1&b=%2F", "/runstate/?a=1&b=%2F"],
    ["//elsewhere.example/runstate", "/runstate/"],
  ]) {
    const answer = await get(path);
    assert.deepEqual([answer.status, answer.headers.location], [308, location], path);
    isGuarded(answer);
  }
});

test("other methods are refused, and what they may be is said", async () => {
  for (const method of ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "PROPFIND"]) {
    for (const path of ["/runstate/", "/runstate/boot.js", "/runstate/missing"]) {
      const answer = await get(path, { method });
      assert.deepEqual([answer.status, answer.headers.allow, answer.body.length], [405, "GET, HEAD", 0], `${method} ${path}`);
      isGuarded(answer);
    }
  }
});

test("a path that leaves the folder, in any spelling, is served nothing", async () => {
  const secrets = ["package.json", "gateway/index.js", "node.js", "etc/passwd"];
  const ups = [
    "../",
    "%2e%2e/",
    ".%2e/",
    "%2E%2E/",
    "..%2f",
    "..%2F",
    "%2e%2e%2f",
    "..%5c",
    "..\\",
    "%252e%252e/",
    "..%252f",
    "....//",
    "..;/",
    "%c0%ae%c0%ae/",
    "%00../",
    "./../",
    "css/../../",
    "css/..%2f..%2f",
    "/",
    "//",
    "%2f",
    "\\",
  ];
  for (const up of ups) {
    for (const secret of secrets) {
      const answer = await get(`/runstate/${up}${secret}`);
      assert.deepEqual([answer.status, answer.body.length], [404, 0], `${up}${secret}`);
    }
  }
});

test("names that are no file's are not found", async () => {
  const names = [
    "missing.js",
    "css",
    "css/",
    "css/missing.css",
    "embed.html",
    "embed.css",
    "INDEX.HTML",
    "index.html/",
    "index.html%00",
    "index.html%00.js",
    "boot.js.",
    "boot.js%20",
    "boot%2ejs",
    "%",
    "%zz",
    "boot.js~",
    "__proto__",
    "constructor",
    "toString",
    "C:/boot.js",
    "file:///boot.js",
  ];
  for (const name of names) {
    const answer = await get(`/runstate/${name}`);
    assert.deepEqual([answer.status, answer.body.length], [404, 0], name);
    isGuarded(answer);
  }
});

test("other paths are the Gateway's, or go to `next` with all that came", async () => {
  const others = ["/", "/console", "/runstate2/", "/runstat", "/Runstate/", "/x/runstate/", "/runstate%2f", "/rpc"];
  for (const path of others) assert.equal((await get(path)).headers["x-by"], "gateway", path);
  const calls = [];
  const next = (incoming, response, context) => {
    calls.push([incoming.url, context.gateway, context.url.pathname]);
    if (context.url.pathname !== "/mine") return undefined;
    response.writeHead(202).end("mine");
    return true;
  };
  const delegating = await serve(runstate({ next }));
  assert.equal((await delegating.get("/mine?q")).body.toString(), "mine");
  assert.equal((await delegating.get("/other")).headers["x-by"], "gateway");
  assert.equal((await delegating.get("/mine", { method: "POST" })).status, 202);
  assert.equal((await delegating.get("/runstate/")).status, 200);
  assert.equal((await delegating.get("/runstate/missing")).status, 404);
  assert.deepEqual(calls, [
    ["/mine?q", "the gateway", "/mine"],
    ["/other", "the gateway", "/other"],
    ["/mine", "the gateway", "/mine"],
  ]);
});

test("what fails is answered with 500, logged, and never rejects", async () => {
  const failures = [
    () => {
      throw new Error("thrown");
    },
    () => Promise.reject(new Error("rejected")),
    () => {
      throw undefined;
    },
    async (_request, response) => {
      response.foo.bar();
    },
  ];
  for (const next of failures) {
    const { get: failing, rejections } = await serve(runstate({ next }));
    const answer = await failing("/mine");
    assert.deepEqual([answer.status, answer.body.length, rejections], [500, 0, []]);
    assert.equal(logged.splice(0).length, 1);
  }
});

test("what fails in the middle of an answer ends the connection, and never rejects", async () => {
  const next = (_request, response) => {
    response.writeHead(200, { "content-length": 10 });
    response.write("half");
    throw new Error("half way");
  };
  const { get: failing, rejections } = await serve(runstate({ next }));
  await assert.rejects(failing("/mine"));
  assert.deepEqual(rejections, []);
  assert.equal(logged.splice(0).length, 1);
});

test("what the Gateway passes on may be anything: the call never rejects", async () => {
  for (const context of [undefined, {}, { url: "/runstate/" }]) {
    const written = [];
    const response = { headersSent: false, writeHead: (status) => written.push(status), end: () => {} };
    assert.equal(await runstate()({ method: "GET", headers: {} }, response, context), true);
    assert.deepEqual(written, [500]);
    assert.equal(logged.splice(0).length, 1);
  }
  const gone = {
    get headersSent() {
      throw new Error("gone");
    },
  };
  assert.equal(await runstate()({ method: "GET", headers: {} }, gone, undefined), true);
  assert.equal(logged.splice(0).length, 1);
});

test("another place", async () => {
  for (const at of ["/panel/", "/tools/runstate/", "/a.b/~c-d_e/"]) {
    const elsewhere = await serve(runstate({ at }));
    assert.equal((await elsewhere.get(`${at}boot.js`)).status, 200, at);
    assert.equal((await elsewhere.get(at.slice(0, -1))).headers.location, at);
    assert.equal((await elsewhere.get("/runstate/")).headers["x-by"], "gateway");
  }
});

test("pages of the named origins may show it in a frame, in every answer and with the rest of the policy", async () => {
  const framed = await serve(runstate({ frameAncestors: ["https://fleet.example", "http://127.0.0.1:8080"] }));
  for (const path of ["/runstate/", "/runstate/boot.js", "/runstate/missing", "/runstate"]) {
    const { "content-security-policy": policy } = (await framed.get(path)).headers;
    assert.equal(
      policy,
      CONTENT_POLICY.replace("frame-ancestors 'self'", "frame-ancestors 'self' https://fleet.example http://127.0.0.1:8080"),
      path,
    );
  }
  assert.equal((await get("/runstate/")).headers["content-security-policy"], CONTENT_POLICY, "others keep theirs");
});

test("options that are not what they should be are refused at once", () => {
  const origins = [
    "*",
    "https:",
    "https://",
    "fleet.example",
    "https://fleet.example/",
    "https://fleet.example/path",
    "https://*.fleet.example",
    "https://user@fleet.example",
    "https://fleet.example; script-src *",
    "https://fleet.example;sandbox",
    "https://fleet.example,sandbox",
    "https://'none'",
    "https://fleet.example:443",
    "https://fleet.example https://other.example",
    "'none'",
    "data:",
    "ftp://fleet.example",
    "HTTPS://FLEET.EXAMPLE",
    "",
    null,
    7,
  ];
  for (const frameAncestors of [...origins.map((origin) => [origin]), "https://fleet.example", null, {}, 7]) {
    assert.throws(
      () => runstate({ frameAncestors }),
      { name: "TypeError", message: /expected "frameAncestors" to be a list of origins/ },
      JSON.stringify(frameAncestors),
    );
  }
  for (const origin of ["https://fleet.example", "http://127.0.0.1:8080", "http://[::1]:8080", "https://xn--bcher-kva.example"])
    assert.doesNotThrow(() => runstate({ frameAncestors: [origin] }), origin);
  for (const at of [
    "",
    "/",
    "runstate",
    "runstate/",
    "/runstate",
    "//",
    "/a//",
    "/../",
    "/a b/",
    "/a?b/",
    "/a%2f/",
    "https://x.example/a/",
    null,
    7,
    [],
  ]) {
    assert.throws(() => runstate({ at }), { name: "TypeError", message: /expected "at" to be a path/ }, String(at));
  }
  for (const next of [null, "next", {}, [], 7]) {
    assert.throws(() => runstate({ next }), { name: "TypeError", message: /expected "next" to be a function/ }, String(next));
  }
  for (const options of [undefined, {}, { next: () => false }, { at: undefined, next: undefined }])
    assert.doesNotThrow(() => runstate(options));
});
