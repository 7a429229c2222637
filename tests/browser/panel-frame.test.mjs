// <runstate-panel frame>: the same panel from another origin, in pages whose policy refuses WebAssembly and markup; whom its frame answers.
import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { axe, prefer } from "../support/a11y.mjs";
import { collectGarbage, driven, until } from "../support/browser.mjs";
import { countResources, recordWorkers, resourcesOf } from "../support/resources.mjs";
import { snapshot, task, view } from "../support/make.mjs";
import { built } from "../support/paths.mjs";
import { recordedGateway } from "../support/recorded.mjs";
import { serve } from "../support/server.mjs";
import { stage } from "../support/stage.mjs";

const gateway = recordedGateway("approval-a", { moment: "waiting", token: "operator-token" });
const files = await serve(built("npm", "elements", "panel"), { handle: gateway.handle });
const closed = await serve(built("npm", "elements", "panel"), { headers: { "content-security-policy": "frame-ancestors 'none'" } });
const { runstate } = await import(built("npm", "gateway", "index.js"));
// A server with the routes of a Gateway, which know the origin of the page.
let routes;
const route = (request, response) => Boolean(routes(request, response, { url: new URL(request.url, "http://127.0.0.1") }));
const routed = await serve(undefined, { handle: route });
const strict = `default-src 'none'; script-src 'self'; img-src data:; frame-src 'self' ${files.origin} ${closed.origin} ${routed.origin}; require-trusted-types-for 'script'; trusted-types 'none'; base-uri 'none'; form-action 'none'`;
const page = (body) => `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Fleet</title><link rel="icon" href="data:,">
  <script type="module" src="/elements/define.js"></script></head><body><main><h1>Fleet</h1>${body}</main></body></html>`;
const panel = (attributes) => page(`<runstate-panel ${attributes}>Run release</runstate-panel>`);
const extra = {
  "/framed.html": panel(`frame src="${files.origin}"`),
  "/plain.html": panel(""),
  "/missing.html": panel(`frame src="${files.origin}/nowhere/"`),
  "/refused.html": panel(`frame src="${closed.origin}"`),
  "/routed.html": panel(`frame src="${routed.origin}/runstate/"`),
  "/none.html": page(""),
  "/sibling.html": '<!doctype html><title>Sibling</title><link rel="icon" href="data:,"><script type="module" src="/sibling.js"></script>',
  "/sibling.js": `const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => parent.answers.push(["sibling", data]);
    parent.frames[0].postMessage({ runstate: "port" }, "*", [port2]);
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
const { newPage } = await stage();
after(() => Promise.all([host, files, closed, routed, trusting].map((server) => server.close())));

// Nobody will answer in this page: what it waits for may be over soon.
const hurry = () => {
  const { setTimeout } = window;
  window.setTimeout = (callback, ms, ...values) => setTimeout(callback, ms / 20, ...values);
};

async function show(path, origin = host.origin, prepare = () => {}) {
  const opened = await newPage();
  await opened.page.evaluateOnNewDocument(prepare);
  await opened.page.evaluateOnNewDocument(() => {
    window.events = [];
    for (const name of ["ready", "change", "freshness", "select", "refusal", "error", "action"])
      addEventListener(`runstate-${name}`, ({ detail }) => window.events.push({ name, detail }));
  });
  await opened.page.goto(`${origin}${path}`);
  return opened;
}
const happens = (opened, name, count = 1) =>
  opened.waitForFunction((wanted, least) => window.events?.filter((event) => event.name === wanted).length >= least, {}, name, count);
const events = (opened, name) =>
  opened.evaluate((wanted) => window.events.filter((event) => event.name === wanted).map(({ detail }) => detail), name);
const call = (opened, method, ...values) =>
  opened.$eval(
    "runstate-panel",
    (element, name, list) =>
      element[name](...list).then(
        (value) => (value === undefined ? {} : { value }),
        ({ code }) => ({ code }),
      ),
    method,
    values,
  );
const inside = (opened) => opened.frames().find((frame) => frame.url().startsWith(files.origin));
const waiting = view("r1", "waiting-approval", { blocked: { kind: "approval", nodeId: "gate", requestedAt: "2026-11-21T21:00:00.000Z" } });

describe("the same panel in a frame", () => {
  test("under a policy without WebAssembly and with trusted types: documents, views, actions, export", async () => {
    const { page: opened, close } = await show("/framed.html");
    await happens(opened, "ready");
    assert.deepEqual(await call(opened, "open", waiting), {});
    await happens(opened, "change");
    assert.equal(await opened.$eval("runstate-panel", (element) => element.runState.state), "waiting-approval");
    const frame = inside(opened);
    await frame.waitForSelector('section[data-tone][data-state="waiting-approval"]');
    assert.equal((await call(opened, "open", "{")).code !== undefined, true);
    assert.equal((await events(opened, "refusal")).length, 1);

    await frame.evaluate(() => {
      window.copied = [];
      navigator.clipboard.writeText = async (text) => void window.copied.push(text);
    });
    await opened.evaluate(() =>
      document.querySelector("runstate-panel").addEventListener("runstate-action", (event) => window.cancels && event.preventDefault()),
    );
    await frame.click('[data-action="command-approve"]');
    await frame.waitForFunction(() => document.querySelector('[data-action="command-approve"]').innerText.trim() === "Copied");
    await until("copied", () => frame.evaluate(() => window.copied.length === 1));
    await opened.evaluate(() => (window.cancels = true));
    await frame.click('[data-action="call-approve"]');
    await happens(opened, "action", 2);
    const [first, second] = await events(opened, "action");
    assert.deepEqual([first.kind, first.text, second.text === second.call], ["approve", first.command, true]);
    const text = await opened.$eval("runstate-panel", async (element) => (await element.export()).text());
    assert.ok(text.includes('"waiting-approval"') && text.includes('"r1"'), text);
    assert.deepEqual(await frame.evaluate(() => window.copied), [first.command], "what the page cancelled is not copied");

    await call(opened, "open", snapshot("r2", [task(2, "build", 1)], { state: "failed" }));
    await opened.$eval("runstate-panel", (element) => (element.view = "tree"));
    await frame.waitForFunction(() => document.querySelector("[role=treeitem]") && !document.querySelector("[part=header]"));
    await frame.click('[role=treeitem][data-node="build"]');
    await happens(opened, "select");
    await opened.$eval("runstate-panel", (element) => (element.theme = "dark"));
    await frame.waitForFunction(() => document.documentElement.dataset.theme === "dark");
    await close();
  });

  test("what a button copies is in the clipboard", async () => {
    const { page: opened, close } = await show("/framed.html");
    await happens(opened, "ready");
    await call(opened, "open", waiting);
    await opened.bringToFront();
    if (driven === "chromium") await opened.browserContext().overridePermissions(host.origin, ["clipboard-read"]);
    const frame = inside(opened);
    const button = await frame.waitForSelector('[data-field="runId"] button');
    await button.click();
    await frame.waitForFunction(() => document.querySelector('[data-field="runId"] button').innerText.trim() === "Copied");
    assert.equal(await opened.evaluate(() => navigator.clipboard.readText()), "r1");
    await close();
  });

  test("its title and its theme follow those of the place", async () => {
    const { page: opened, close } = await show("/framed.html");
    await happens(opened, "ready");
    const frame = inside(opened);
    const title = () => opened.$eval("runstate-panel", (element) => element.shadowRoot.querySelector("iframe").title);
    assert.equal(await title(), "Runstate");
    await opened.$eval("runstate-panel", (element) => (element.label = "Release"));
    assert.equal(await title(), "Release");
    await opened.$eval("runstate-panel", (element) => (element.label = null));
    assert.equal(await title(), "Runstate");

    const shows = (theme) => frame.waitForFunction((wanted) => document.documentElement.dataset.theme === wanted, {}, theme);
    const place = (scheme) => opened.evaluate((value) => void (document.documentElement.style.colorScheme = value), scheme);
    for (const scheme of ["dark", "light", "dark"]) {
      await place(scheme);
      await shows(scheme);
    }
    await place("light dark");
    const undo = await prefer(opened, { scheme: "light" });
    await shows(undefined);
    await undo();
    await close();
  });

  test("disconnect() ends what it shows, focus() leads into it, and a worker that stops is an error", async () => {
    const { page: opened, log, close } = await show("/framed.html", host.origin, recordWorkers);
    await happens(opened, "ready");
    const frame = inside(opened);
    await call(opened, "open", waiting);
    await frame.waitForSelector("section[data-tone]");
    await opened.bringToFront();
    await opened.$eval("runstate-panel", (element) => element.focus());
    await frame.waitForFunction(() => document.activeElement.localName === "h1");
    assert.equal(await opened.evaluate(() => document.activeElement.localName), "runstate-panel");

    await frame.evaluate(() => window.startedWorkers.at(-1).dispatchEvent(new ErrorEvent("error", { message: "out of memory" })));
    await happens(opened, "error");
    assert.equal((await events(opened, "error"))[0].code, "WORKER_FAILED");
    assert.equal(await opened.$eval("runstate-panel", (element) => element.runState.runId), "r1", "the document stays true");

    await opened.$eval("runstate-panel", (element) => element.disconnect());
    await frame.waitForSelector('[data-screen="connect"]');
    await opened.waitForFunction(() => document.querySelector("runstate-panel").runState === undefined);
    log.allow(/out of memory/);
    await close();
  });

  for (const preference of [{ scheme: "light" }, { scheme: "dark" }, { scheme: "dark", forced: true }]) {
    test(`passes axe inside the frame, ${JSON.stringify(preference)}`, async () => {
      const { page: opened, close } = await show("/framed.html");
      await happens(opened, "ready");
      await prefer(opened, preference);
      // High enough for all of its text to be in sight.
      await opened.setViewport({ width: 1280, height: 1400 });
      await opened.$eval("runstate-panel", (element) => element.style.setProperty("--runstate-height", "80rem"));
      const frame = inside(opened);
      // Landmarks are those of the page around the frame.
      const problems = async () => (await axe(frame)).problems.filter((line) => !/^(landmark-one-main|region):/.test(line));
      assert.deepEqual(await problems(), [], "the connect screen");
      await call(opened, "open", snapshot("r2", [task(2, "build", 1)], { state: "failed" }));
      await frame.waitForSelector("[role=treeitem]");
      assert.deepEqual(await problems(), [], "a run");
      await close();
    });
  }

  test("a connection: the token goes through the port, and is in no address and no document", async () => {
    const { page: opened, log, close } = await show("/framed.html");
    await happens(opened, "ready");
    const connected = await call(opened, "connect", { url: files.origin, token: "operator-token", run: "approval-a" });
    assert.deepEqual(connected, {});
    assert.equal(await opened.$eval("runstate-panel", (element) => element.runState.runId), "approval-a");
    assert.ok(gateway.authorizations.includes("Bearer operator-token"));
    const frame = inside(opened);
    const text = (await opened.content()) + (await frame.content()) + frame.url() + log.requests.join();
    assert.ok(!text.includes("operator-token"));
    assert.match(frame.url(), /\?embed=http%3A%2F%2F127\.0\.0\.1%3A\d+$/);
    assert.match((await call(opened, "connect", { url: files.origin, token: "wrong" })).code, /UNAUTHORIZED/i);
    log.allow(/401|404/);
    await close();
  });

  test("moved or removed, the frame and its worker go; put back, it starts again", async () => {
    const { page: opened, close } = await show("/framed.html");
    await opened.$eval("runstate-panel", (element, content) => (element.document = content), waiting);
    await happens(opened, "change");
    await opened.$eval("runstate-panel", (element) => {
      const box = document.createElement("div");
      document.querySelector("main").append(box);
      box.append(element);
    });
    await happens(opened, "ready", 2);
    await opened.waitForFunction(() => document.querySelector("runstate-panel").runState?.state === "waiting-approval");
    assert.equal(await opened.$eval("runstate-panel", (element) => element.shadowRoot.querySelectorAll("iframe").length), 1);
    await opened.$eval("runstate-panel", (element) => element.remove());
    await until("no frame", () => opened.frames().length === 1);
    await close();
  });
});

describe("what it leaves", () => {
  async function counting() {
    const { page: opened, log, close } = await newPage();
    await countResources(opened);
    await opened.goto(`${host.origin}/none.html`);
    await opened.waitForFunction(() => customElements.get("runstate-panel"));
    return { opened, log, close };
  }

  test("removed before its frame has loaded or has answered, it leaves no port, no timer and no frame", async () => {
    const { opened, log, close } = await counting();
    const results = await opened.evaluate(async (source) => {
      const remove = async (isLoaded) => {
        const panel = Object.assign(document.createElement("runstate-panel"), { frame: true, src: source });
        document.querySelector("main").append(panel);
        const opening = panel.open("{}").catch(({ code }) => code);
        if (isLoaded) await new Promise((done) => panel.shadowRoot.querySelector("iframe").addEventListener("load", done));
        const { timers, ports } = window.resources;
        const before = [timers.size, ports.size];
        panel.remove();
        return { before, code: await opening, after: [timers.size, ports.size] };
      };
      return [await remove(false), await remove(true)];
    }, `${files.origin}/nowhere/`);
    for (const {
      before: [timers, ports],
      ...left
    } of results) {
      assert.ok(timers > 0 && ports === 1, `${timers} timers, ${ports} ports`);
      assert.deepEqual(left, { code: "CANCELLED", after: [0, 0] });
    }
    assert.equal(opened.frames().length, 1);
    log.allow(/404/);
    await close();
  });

  test("20 panels in frames, one after another, leave nothing", async () => {
    const { opened, close } = await counting();
    const cycle = (times) =>
      opened.evaluate(
        async (source, content, count) => {
          window.gone = [];
          for (let turn = 0; turn < count; turn++) {
            const panel = Object.assign(document.createElement("runstate-panel"), { frame: true, src: source, document: content });
            const shown = new Promise((done) => panel.addEventListener("runstate-change", done, { once: true }));
            document.querySelector("main").append(panel);
            await shown;
            window.gone.push(new WeakRef(panel), new WeakRef(panel.shadowRoot.querySelector("iframe")));
            panel.remove();
            await new Promise((done) => setTimeout(done));
          }
        },
        files.origin,
        waiting,
        times,
      );
    await cycle(2);
    const before = await resourcesOf(opened);
    assert.deepEqual([before.timers, before.ports], [0, 0]);
    await cycle(20);
    assert.deepEqual(await resourcesOf(opened), before);
    await until("no frame", () => opened.frames().length === 1);
    await until("no panel is alive", async () => {
      await collectGarbage(opened);
      return opened.evaluate(() => window.gone.every((reference) => !reference.deref()));
    });
    await close();
  });
});

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
  // A page that embeds the frame itself. `send` posts a message with a port; `answers` are what the ports received.
  async function embedding(embed) {
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
    }, `${files.origin}/frame.html${embed}`);
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

  test("the page whose origin the address names, and its first port alone", async () => {
    const { opened, close } = await embedding(`?embed=${encodeURIComponent(host.origin)}`);
    await opened.evaluate(() => {
      for (const [name, data, ports] of [
        ["null", null],
        ["text", "port"],
        ["number", 1],
        ["empty", {}],
        ["other word", { runstate: "hello" }],
        ["list", [{ runstate: "port" }]],
        ["no port", { runstate: "port" }, 0],
        ["two ports", { runstate: "port" }, 2],
      ])
        window.send(name, data, ports);
      window.port = window.send("right", { runstate: "port" });
      window.send("second", { runstate: "port" });
    });
    await opened.waitForFunction(() => window.answers.some(([, data]) => data.ready));
    assert.deepEqual(await names(opened), ["right"]);

    const answers = await opened.evaluate(async (content) => {
      window.answers.length = 0;
      const bad = [
        null,
        1,
        "open",
        [],
        {},
        { id: 1 },
        { id: "1", method: "disconnect", values: [] },
        { id: 2, method: "disconnect" },
        { id: 3, method: "stop", values: [] },
        { id: 4, method: "toString", values: [] },
        { id: 5, method: "__proto__", values: [] },
        { id: 6, method: 7, values: [] },
      ];
      for (const message of bad) window.port.postMessage(message);
      window.port.postMessage({ id: 7, method: "open", values: ["no list", 4] });
      window.port.postMessage({ id: 8, method: "connect", values: [{ url: 5 }] });
      window.port.postMessage({ id: 9, method: "open", values: [[{ name: undefined, content: JSON.stringify(content) }], "run"] });
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

  for (const [title, embed] of [
    ["another origin", "?embed=https%3A%2F%2Fother.example"],
    ["the same host on another port", "?embed=http%3A%2F%2F127.0.0.1%3A1"],
    ["no origin", ""],
    ["the origin of sandboxed pages", "?embed=null"],
    ["an empty origin", "?embed="],
    ["any origin", "?embed=*"],
  ]) {
    test(`nobody, where the address names ${title}`, async () => {
      const { opened, frame, settled, close } = await embedding(embed);
      await opened.evaluate(() => void window.send("parent", { runstate: "port" }));
      await settled();
      assert.deepEqual([await names(opened), await frame.evaluate(() => document.querySelector("body > div"))], [[], null]);
      await close();
    });
  }

  test("not a frame next to it, even of the right origin, and not a page without a parent", async () => {
    const { opened, frame, settled, close } = await embedding(`?embed=${encodeURIComponent(host.origin)}`);
    await opened.evaluate(() =>
      document.querySelector("main").append(Object.assign(document.createElement("iframe"), { src: "/sibling.html" })),
    );
    await opened.waitForFunction(() => window.sent);
    await settled(opened.frames().find((other) => other.url().endsWith("/sibling.html")));
    assert.deepEqual([await names(opened), await frame.evaluate(() => document.querySelector("body > div"))], [[], null]);
    await opened.evaluate(() => void window.send("parent", { runstate: "port" }));
    await opened.waitForFunction(() => window.answers.some(([, data]) => data.hello));
    assert.deepEqual(await names(opened), ["parent"]);
    await close();

    const alone = await newPage();
    await alone.page.goto(`${files.origin}/frame.html?embed=${encodeURIComponent(files.origin)}`);
    const answered = await alone.page.evaluate(async () => {
      const { port1, port2 } = new MessageChannel();
      let answer;
      port1.onmessage = ({ data }) => (answer = data);
      // Messages of one page come in order, and the frame would show its panel at once.
      const last = new Promise((done) => addEventListener("message", ({ data }) => data === "last" && done()));
      postMessage({ runstate: "port" }, location.origin, [port2]);
      postMessage("last", location.origin);
      await last;
      return [answer ?? null, document.querySelector("body > div")];
    });
    assert.deepEqual(answered, [null, null]);
    await alone.close();
  });
});
