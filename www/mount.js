// The panel for a page that is not made for it: `<runstate-panel>` imports this file, and so does frame.html.
import init, { mount } from "./runstate-panel.js";

const styles = ["css/tokens.css", "css/panel.css"];
const module = "runstate-panel_bg.wasm";
const here = (path) => new URL(path, import.meta.url);
const startWorker = () => new Worker(new URL("./worker.js", import.meta.url), { type: "module" });

/** An error with a code that programs can match. */
export const problem = (code, message, hint) => Object.assign(new Error(message), { code, hint });

async function fetched(path) {
  const response = await fetch(here(path)).catch((error) => {
    throw problem("NOT_LOADED", `The browser did not load ${path}: ${error.message}.`);
  });
  if (!response.ok) throw problem("NOT_FOUND", `The server answered ${response.status} for ${path}.`, "Copy the folder with the panel's files to where the attribute src points.");
  return response;
}

/** What the page's policy refuses, said before anything is downloaded. */
async function checkPolicy() {
  try {
    await WebAssembly.compile(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0));
  } catch {
    throw problem("WASM_REFUSED", "The policy of this page refuses WebAssembly.", "Add 'wasm-unsafe-eval' to script-src, or the attribute frame to the element.");
  }
  try {
    document.createElement("template").innerHTML = "";
  } catch {
    throw problem("TRUSTED_TYPES", "The policy of this page requires trusted types.", "Add the attribute frame to the element.");
  }
}

async function sheet(path) {
  const made = new CSSStyleSheet();
  made.replaceSync(await (await fetched(path)).text());
  return made;
}

async function load(onBytes) {
  await checkPolicy();
  const sheets = Promise.all(styles.map(sheet));
  let bytes = 0;
  const counter = new TransformStream({
    transform(chunk, stream) {
      bytes += chunk.length;
      onBytes?.(bytes);
      stream.enqueue(chunk);
    },
  });
  const { body } = await fetched(module);
  // A server may not know the type of the file.
  const response = new Response(body.pipeThrough(counter), { headers: { "content-type": "application/wasm" } });
  await init({ module_or_path: WebAssembly.compileStreaming(response) });
  return sheets;
}

// The module takes strings as they are: anything else would break it for all panels of the page.
function text(what, value) {
  if (typeof value === "string") return value;
  throw problem("INVALID_ARGUMENT", `Expected ${what} as text, found ${value === null ? "null" : typeof value}.`);
}
const optional = (what, value) => (value === undefined ? undefined : text(what, value));

// Compiled once for all panels of the page; after a failure the next panel tries again.
let loading;
const loaded = (onBytes) =>
  (loading ??= load(onBytes).catch((error) => {
    loading = undefined;
    throw error;
  }));

/**
 * Mounts a panel in `root`. `onReport(kind, value)` receives what it reports, and returns `false` for an action that the
 * page carries out itself.
 */
export async function start({ root, view, onReport, onBytes }) {
  const sheets = await loaded(onBytes);
  if (!root.isConnected) throw problem("CANCELLED", "The panel was removed from the page.");
  const scope = root.getRootNode();
  scope.adoptedStyleSheets = [...scope.adoptedStyleSheets.filter((known) => !sheets.includes(known)), ...sheets];

  let opening;
  const exports = [];
  const settle = (error) => {
    const { resolve, reject } = opening ?? {};
    opening = undefined;
    if (error) reject?.(error);
    else resolve?.();
  };
  const errorOf = ({ code, message, hint }) => problem(code, message, hint);
  const received = {
    opening: () => settle(problem("SUPERSEDED", "Something else was opened before this was on screen.")),
    accepted: () => {
      if (opening?.live) opening.accepted = true;
      else settle();
    },
    refused: (value) => settle(errorOf(value)),
    failed: (value) => settle(errorOf(value)),
    shown: ({ screen, refusal }) => {
      if (!opening?.accepted) return;
      if (refusal && screen === "refusal") settle(errorOf(refusal));
      else if (["run", "runs"].includes(screen)) settle();
    },
    export: (value) => exports.shift()?.resolve(value),
    "export-failed": (value) => exports.shift()?.reject(errorOf(value)),
  };
  const mounted = mount(root, {
    startWorker,
    view,
    onReport: ({ kind, value }) => {
      received[kind]?.(value);
      return onReport(kind, value);
    },
  });
  /** Opens something and waits until it is on screen. */
  const open = (live, request) =>
    new Promise((resolve, reject) => {
      try {
        request();
        opening = { live, resolve, reject };
      } catch (error) {
        onReport("refused", error);
        reject(error instanceof Error ? error : errorOf(error));
      }
    });
  const cancel = (message) => {
    settle(problem("CANCELLED", message));
    for (const { reject } of exports.splice(0)) reject(problem("CANCELLED", message));
  };
  return {
    open: (files, name) => open(false, () => mounted.open(files, text("a name", name))),
    connect: ({ url, token, run }) => open(true, () => mounted.connect(text("an address", url), optional("a token", token), optional("a run", run))),
    disconnect() {
      cancel("The panel was disconnected.");
      mounted.disconnect();
    },
    async export(keys) {
      if (!mounted.export(keys.map((key) => text("a key", key)))) throw problem("NOTHING_TO_EXPORT", "Expected a run, a list of runs or a document on screen, found none.");
      const { name, bytes } = await new Promise((resolve, reject) => exports.push({ resolve, reject }));
      return new File([bytes], name, { type: "application/json" });
    },
    setView: (word) => mounted.setView(optional("a view", word)),
    // The colour scheme is inherited; what a person chose in the panel gives way to what the page says.
    setTheme: () => root.querySelector(".panel").removeAttribute("data-theme"),
    focus: (options) => root.querySelector(":is(h1, h2)[tabindex]")?.focus(options),
    stop() {
      cancel("The panel was removed from the page.");
      mounted.unmount();
    },
  };
}
