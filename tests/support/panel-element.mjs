// Pages of another site with <runstate-panel>, for the tests of one file.
import { after, beforeEach } from "node:test";
import { installMeasure } from "./a11y.mjs";
import { freePort } from "./listener.mjs";
import { view } from "./make.mjs";
import { built } from "./paths.mjs";
import { recordedGateway } from "./recorded.mjs";
import { serve } from "./server.mjs";
import { stage } from "./stage.mjs";

const policy =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'";
const document = (body, script = "define.js") => `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Fleet</title>
  <link rel="icon" href="data:,"><script type="module" src="/elements/${script}"></script></head>
  <body><main><h1>Fleet</h1>${body}</main></body></html>`;
const one = (attributes = "") => document(`<runstate-panel ${attributes}>Run release: <a href="/runs">all runs</a></runstate-panel>`);

/** The pages by their paths. */
export const pages = {
  "/none.html": document(""),
  "/one.html": one(),
  "/lost.html": one('assets="/nowhere"'),
  "/slotted.html": document('<runstate-panel assets="/nowhere/"><b slot="error">Ask the platform team.</b>Run release</runstate-panel>'),
  "/single.html": document("<runstate-panel>Run release</runstate-panel>", "runstate-elements.js"),
};

// Records every event of the elements, from before they are defined.
export function recordEvents() {
  window.events = [];
  for (const name of ["ready", "change", "freshness", "run", "place", "select", "refusal", "error", "action"]) {
    addEventListener(`runstate-${name}`, ({ detail, target }) => window.events.push({ name, detail, target: target.localName }));
  }
}

/**
 * Serves the pages with a strict content policy (`host`) and without one (`plain`), in front of a recorded Gateway.
 *
 * `show(path)` opens a page once its elements are defined, `started(path)` once its panel is ready; `silentPort` answers nothing.
 */
export async function panelPages() {
  const gateway = recordedGateway("approval-a", { moment: "waiting", token: "operator-token" });
  const host = await serve(built("npm"), { headers: { "content-security-policy": policy }, extra: pages, handle: gateway.handle });
  const plain = await serve(built("npm"), { extra: pages, handle: gateway.handle });
  const silentPort = await freePort();
  const { newPage } = await stage();
  after(() => Promise.all([host.close(), plain.close()]));
  beforeEach(() => Object.assign(gateway, { moment: "waiting", token: "operator-token", authorizations: [] }));

  async function show(path, { origin = host.origin } = {}) {
    const opened = await newPage();
    await installMeasure(opened.page);
    await opened.page.evaluateOnNewDocument(recordEvents);
    await opened.page.goto(`${origin}${path}`);
    await opened.page.waitForFunction(() => customElements.get("runstate-panel"));
    return opened;
  }
  /** A page with one panel that has started. */
  async function started(path = "/one.html", options) {
    const opened = await show(path, options);
    await happens(opened.page, "ready");
    return opened;
  }
  return { gateway, host, plain, silentPort, newPage, show, started };
}

/** The details of all events of this name. */
export const events = (page, name) =>
  page.evaluate((wanted) => window.events.filter((event) => event.name === wanted).map(({ detail }) => detail), name);
/** Waits for `count` events of this name. */
export const happens = (page, name, count = 1) =>
  page.waitForFunction((wanted, least) => window.events.filter((event) => event.name === wanted).length >= least, {}, name, count);

/** Calls a method of the panel: `{value}`, `{}` without a value, or `{code, message}` of its error. */
export const call = (page, method, ...values) =>
  page.$eval(
    "runstate-panel",
    async (panel, name, list) => {
      try {
        const value = await panel[name](...list);
        return value === undefined ? {} : { value };
      } catch ({ code, message }) {
        return { code, message };
      }
    },
    method,
    values,
  );
export const shadow = (page, selector, read) =>
  page.evaluate(
    (query, source) => {
      const found = document.querySelector("runstate-panel").shadowRoot.querySelector(query);
      return found && new Function("element", `return ${source}`)(found);
    },
    selector,
    read,
  );
export const set = (page, values) => page.$eval("runstate-panel", (panel, entries) => Object.assign(panel, entries), values);
export const state = (page, word) =>
  page.waitForFunction(
    (wanted) => document.querySelector("runstate-panel").shadowRoot.querySelector("section[data-tone]")?.dataset.state === wanted,
    {},
    word,
  );
export const property = (page, name) => page.$eval("runstate-panel", (panel, key) => panel[key], name);
export const matches = (page, selector) => page.$eval("runstate-panel", (panel, text) => panel.matches(text), selector);
/** A document of a run that waits. */
export const waiting = view("r1", "waiting-approval", {
  blocked: { kind: "approval", nodeId: "gate", requestedAt: "2026-11-21T21:00:00.000Z" },
});
