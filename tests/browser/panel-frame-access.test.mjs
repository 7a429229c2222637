// <runstate-panel frame>: where the panel cannot start, and whom its frame answers.
import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { built } from "../support/paths.mjs";
import { call, events, happens, waiting } from "../support/panel-element.mjs";
import { framePages } from "../support/panel-frame.mjs";
import { serve } from "../support/server.mjs";

const { runstate } = await import(built("npm", "gateway", "index.js"));
// The routes of a Gateway, which know the origin of the page.
let routes;
const { files, host, trusting, allow, hideOrigins, newPage, show, inside } = await framePages({
  route: (request, response) => Boolean(routes(request, response, { url: new URL(request.url, "http://127.0.0.1") })),
});

// Nobody will answer in this page: what it waits for may be over soon.
const hurry = () => {
  const { setTimeout } = window;
  window.setTimeout = (callback, ms, ...values) => setTimeout(callback, ms / 20, ...values);
};

test("a Gateway's routes show it in the pages of the origins that they name, and in no others", async () => {
  routes = runstate({ frameAncestors: [host.origin] });
  const { page: opened, close } = await show("/routed.html");
  await happens(opened, "ready");
  assert.deepEqual(await call(opened, "open", waiting), {});
  await close();

  routes = runstate({ frameAncestors: ["https://fleet.example"] });
  const other = await show("/routed.html", host.origin, hurry);
  await happens(other.page, "error");
  assert.equal((await events(other.page, "error"))[0].code, "FRAME_NOT_ANSWERED");
  other.log.allow(/frame-ancestors|target origin provided/);
  await other.close();
});

describe("where it cannot start", () => {
  test("without the attribute, trusted types and a refused WebAssembly are named", async () => {
    const cases = [
      [trusting.origin, "TRUSTED_TYPES", /TrustedHTML|require-trusted-types-for/],
      [host.origin, "WASM_REFUSED", /wasm-eval|blocked WebAssembly/],
    ];
    for (const [origin, code, violation] of cases) {
      const { page: opened, log, close } = await show("/plain.html", origin);
      await happens(opened, "error");
      const [error] = await events(opened, "error");
      assert.equal(error.code, code);
      assert.match(error.hint, /frame/);
      log.allow(violation);
      await close();
    }
  });

  for (const [path, reported] of [
    ["/missing.html", /404/],
    ["/refused.html", /frame-ancestors|target origin provided/],
  ]) {
    test(`a frame that does not answer is named (${path})`, async () => {
      const { page: opened, log, close } = await show(path, host.origin, hurry);
      await happens(opened, "error");
      const [{ code, hint }] = await events(opened, "error");
      assert.equal(code, "FRAME_NOT_ANSWERED");
      assert.match(hint, /frame-src.*frame-ancestors/);
      assert.equal((await call(opened, "open", waiting)).code, "FRAME_NOT_ANSWERED");
      assert.equal(opened.frames().length, 1, "the frame is gone");
      log.allow(reported);
      await close();
    });
  }
});

describe("whom the frame answers", () => {
  afterEach(() => allow(host.origin, trusting.origin));

  // A page that embeds the frame itself. `send` posts a message with a port; `answers` are what the ports received.
  async function embedding() {
    const { page: opened, close } = await newPage();
    await opened.goto(`${host.origin}/none.html`);
    await opened.evaluate(async (address) => {
      const frame = document.createElement("iframe");
      frame.src = address;
      await new Promise((loaded) => {
        frame.addEventListener("load", loaded);
        document.querySelector("main").append(frame);
      });
      window.answers = [];
      window.send = (name, data, ports = 1, target = frame.contentWindow) => {
        const channels = Array.from({ length: ports }, () => new MessageChannel());
        for (const { port1 } of channels) port1.onmessage = (event) => window.answers.push([name, event.data]);
        target.postMessage(
          data,
          "*",
          channels.map(({ port2 }) => port2),
        );
        return channels[0]?.port1;
      };
    }, `${files.origin}/frame.html`);
    const frame = inside(opened);
    /** The frame has handled everything that a page sent it before. */
    const settled = async (sender = opened) => {
      await frame.evaluate(() => {
        window.last = new Promise((done) => addEventListener("message", ({ data }) => data === "last" && done()));
      });
      await sender.evaluate(() => top.frames[0].postMessage("last", "*"));
      await frame.evaluate(() => window.last);
    };
    return { opened, frame, settled, close };
  }
  const names = (opened) => opened.evaluate(() => [...new Set(window.answers.map(([name]) => name))]);

  test("the page whose origin is listed, and its first port alone", async () => {
    const { opened, close } = await embedding();
    await opened.evaluate(() => {
      for (const [name, data, ports] of [
        ["null", null],
        ["text", "port"],
        ["number", 1],
        ["empty", {}],
        ["other word", { type: "hello" }],
        ["list", [{ type: "runstate-port" }]],
        ["no port", { type: "runstate-port" }, 0],
        ["two ports", { type: "runstate-port" }, 2],
      ])
        window.send(name, data, ports);
      window.port = window.send("right", { type: "runstate-port" });
      window.send("second", { type: "runstate-port" });
    });
    await opened.waitForFunction(() => window.answers.some(([, data]) => data.type === "ready"));
    assert.deepEqual(await names(opened), ["right"]);

    const answers = await opened.evaluate(async (content) => {
      window.answers.length = 0;
      const bad = [
        null,
        1,
        "open",
        [],
        {},
        { type: "request" },
        { id: 1, method: "disconnect", values: [] },
        { type: "response", id: 1, method: "disconnect", values: [] },
        { type: "toString", id: 1, method: "disconnect", values: [] },
        { type: "request", id: "1", method: "disconnect", values: [] },
        { type: "request", id: 2, method: "disconnect" },
        { type: "request", id: 3, method: "stop", values: [] },
        { type: "request", id: 4, method: "toString", values: [] },
        { type: "request", id: 5, method: "__proto__", values: [] },
        { type: "request", id: 6, method: 7, values: [] },
      ];
      for (const message of bad) window.port.postMessage(message);
      window.port.postMessage({ type: "request", id: 7, method: "open", values: ["no list", 4] });
      window.port.postMessage({ type: "request", id: 8, method: "connect", values: [{ url: 5 }] });
      window.port.postMessage({
        type: "request",
        id: 9,
        method: "open",
        values: [[{ name: undefined, content: JSON.stringify(content) }], "run", ""],
      });
      while (!window.answers.some(([, data]) => data.id === 9)) await new Promise((done) => setTimeout(done, 20));
      return window.answers
        .map(([, data]) => data)
        .filter(({ id }) => id !== undefined)
        .map(({ id, error }) => [id, Boolean(error)]);
    }, waiting);
    assert.deepEqual(
      answers.sort(([a], [b]) => a - b),
      [
        [7, true],
        [8, true],
        [9, false],
      ],
      "malformed requests are not answered, refused ones are, and it goes on",
    );
    await close();
  });

  for (const [title, ...origins] of [
    ["no origin"],
    ["another origin", "https://other.example"],
    ["the same host on another port", "http://127.0.0.1:1"],
    ["the same host and port with another scheme", host.origin.replace("http", "https")],
    ["the beginning of its origin", host.origin.slice(0, -1)],
    ["the origin of sandboxed pages", "null"],
    ["any origin", "*"],
  ]) {
    test(`nobody, where ${title} is listed`, async () => {
      allow(...origins);
      const { opened, frame, settled, close } = await embedding();
      await opened.evaluate(() => void window.send("parent", { type: "runstate-port" }));
      await settled();
      assert.deepEqual([await names(opened), await frame.evaluate(() => document.querySelector("body > div"))], [[], null]);
      await close();
    });
  }

  test("not a frame next to it, even of the right origin, and not a page without a parent", async () => {
    const { opened, frame, settled, close } = await embedding();
    await opened.evaluate(() =>
      document.querySelector("main").append(Object.assign(document.createElement("iframe"), { src: "/sibling.html" })),
    );
    await opened.waitForFunction(() => window.sent);
    await settled(opened.frames().find((other) => other.url().endsWith("/sibling.html")));
    assert.deepEqual([await names(opened), await frame.evaluate(() => document.querySelector("body > div"))], [[], null]);
    await opened.evaluate(() => void window.send("parent", { type: "runstate-port" }));
    await opened.waitForFunction(() => window.answers.some(([, data]) => data.type === "hello"));
    assert.deepEqual(await names(opened), ["parent"]);
    await close();

    const alone = await newPage();
    await alone.page.goto(`${files.origin}/frame.html`);
    const answered = await alone.page.evaluate(async () => {
      const { port1, port2 } = new MessageChannel();
      let answer;
      port1.onmessage = ({ data }) => (answer = data);
      // Messages of one page come in order, and the frame would show its panel at once.
      const last = new Promise((done) => addEventListener("message", ({ data }) => data === "last" && done()));
      postMessage({ type: "runstate-port" }, location.origin, [port2]);
      postMessage("last", location.origin);
      await last;
      return [answer ?? null, document.querySelector("body > div")];
    });
    assert.deepEqual(answered, [null, null]);
    await alone.close();
  });
});

describe("whose pages show the dashboard", () => {
  const around = (address) => `<!doctype html><title>Outer</title><link rel="icon" href="data:,"><iframe src="${address}"></iframe>`;
  afterEach(() => allow(host.origin, trusting.origin));

  /** What the dashboard says in a frame of a page: its panel, or why it does not start. */
  async function shown(path, origin) {
    const { page: opened, close } = await newPage();
    await opened.goto(`${origin}${path}`);
    const dashboard = await opened.waitForFrame((frame) => frame.url() === `${files.origin}/index.html`);
    await dashboard.waitForSelector(".panel, p[role=alert]");
    const said = await dashboard.evaluate(() => document.querySelector("p[role=alert]")?.textContent ?? "the panel");
    namesOrigins = await dashboard.evaluate(() => location.ancestorOrigins !== undefined);
    await close();
    return said;
  }
  // Not every browser tells the origins of the pages around a page.
  let namesOrigins;
  const unnamed = /^Runstate does not start inside a page of another origin, because this browser does not say/;

  test("those of its own origin", async () => {
    allow();
    assert.equal(await shown("/own.html", files.origin), "the panel");
  });

  test("those of the listed origins, if the browser names them", async () => {
    const said = await shown("/dashboard.html", host.origin);
    if (namesOrigins) assert.equal(said, "the panel");
    else assert.match(said, unnamed);
  });

  test("no others: it says why, and does not start", async () => {
    allow("https://other.example");
    const said = await shown("/dashboard.html", host.origin);
    assert.match(said, namesOrigins ? new RegExp(`inside a page of ${host.origin}\\..*runstate-embedders`) : unnamed);
  });

  describe("in a browser that does not name them", () => {
    before(() => hideOrigins(true));
    after(() => hideOrigins(false));

    test("those of its own origin alone", async () => {
      assert.equal(await shown("/own.html", files.origin), "the panel");
      assert.match(await shown("/dashboard.html", host.origin), unnamed);
    });

    test("not one of its own that is itself inside another", async () => {
      allow(host.origin);
      const outer = await serve(undefined, { extra: { "/outer.html": around(`${files.origin}/own.html`) } });
      assert.match(await shown("/outer.html", outer.origin), unnamed);
      await outer.close();
    });

    test("the frame answers a listed page as before", async () => {
      const { page: opened, close } = await show("/framed.html");
      await happens(opened, "ready");
      await close();
    });
  });

  // `/dashboard.html` of the listed origin shows the dashboard, `/leading.html` becomes the dashboard: then the referrer is a listed one.
  for (const [title, path] of [
    ["no listed one that is itself inside another", "/dashboard.html"],
    ["no other one that lets a listed one lead to the dashboard", "/leading.html"],
  ]) {
    test(title, async () => {
      allow(host.origin);
      const outer = await serve(undefined, { extra: { "/outer.html": around(`${host.origin}${path}`) } });
      const said = await shown("/outer.html", outer.origin);
      assert.match(said, namesOrigins ? new RegExp(`does not start inside a page of ${outer.origin}\\.`) : unnamed);
      await outer.close();
    });
  }
});
