// The panel for host pages: `<runstate-panel>` imports this file, and so does frame.html.
import init, { mount } from "./runstate-panel.js";

// The styles of www/index.html without those of exported pages and printouts.
const styles = [
  "css/tokens.css",
  "css/base.css",
  "css/pill.css",
  "css/header.css",
  "css/toolbar.css",
  "css/runs.css",
  "css/tree.css",
  "css/screens.css",
  "css/layout.css",
];
const module = "runstate-panel_bg.wasm";
const here = (path) => new URL(path, import.meta.url);
const startWorker = () => new Worker(new URL("./worker.js", import.meta.url), { type: "module" });

/** An error with a code that programs can match. */
const failure = (code, message, hint) => Object.assign(new Error(message), { code, hint });

async function fetched(path) {
  const response = await fetch(here(path)).catch((error) => {
    throw failure("NOT_LOADED", `The browser did not load ${path}: ${error.message}.`);
  });
  if (!response.ok) throw failure("NOT_FOUND", `The server responded with ${response.status} for ${path}.`, "Copy the folder with the panel's files to where the attribute src points.");
  return response;
}

/** Checks the page's policy before downloading. */
async function checkPolicy() {
  try {
    await WebAssembly.compile(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0));
  } catch {
    throw failure("WASM_REFUSED", "The policy of this page refuses WebAssembly.", "Add 'wasm-unsafe-eval' to script-src, or the attribute frame to the element.");
  }
  try {
    document.createElement("template").innerHTML = "";
  } catch {
    throw failure("TRUSTED_TYPES", "The policy of this page requires trusted types.", "Add the attribute frame to the element.");
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
  // A server may not send the type of the file.
  const response = new Response(body.pipeThrough(counter), { headers: { "content-type": "application/wasm" } });
  await init({ module_or_path: WebAssembly.compileStreaming(response) });
  return sheets;
}

// Non-strings would abort the shared module.
function text(what, value) {
  if (typeof value === "string") return value;
  throw failure("INVALID_ARGUMENT", `Expected ${what} as text, found ${value === null ? "null" : typeof value}.`);
}
const optional = (what, value) => (value === undefined ? undefined : text(what, value));

// Compiled once for all panels of the page; after a failure the next panel tries again.
let loading;
const loaded = (onBytes) =>
  (loading ??= load(onBytes).catch((error) => {
    loading = undefined;
    throw error;
  }));

const failureOf = ({ code, message, hint }) => failure(code, message, hint);

/** The pending promises of the page: one for the source being opened, and those of exports. Reports of the panel settle them. */
function pendingResults() {
  let opening;
  const exports = [];
  const settle = (error) => {
    const { resolve, reject } = opening ?? {};
    opening = undefined;
    if (error) reject?.(error);
    else resolve?.();
  };
  const received = {
    opening: () => settle(failure("SUPERSEDED", "Something else was opened before this was on screen.")),
    accepted: () => {
      if (opening?.live) opening.accepted = true;
      else settle();
    },
    refused: (value) => settle(failureOf(value)),
    failed: (value) => settle(failureOf(value)),
    shown: ({ screen, refusal, openFailure }) => {
      if (!opening?.accepted) return;
      if (refusal && screen === "refusal") settle(failureOf(refusal));
      // Only this failure ends the attempts.
      else if (openFailure?.code === "CONTENT_POLICY") settle(failureOf(openFailure));
      else if (["run", "runs"].includes(screen)) settle();
    },
    export: (value) => exports.shift()?.resolve(value),
    "export-failed": (value) => exports.shift()?.reject(failureOf(value)),
  };
  return {
    receive: (kind, value) => received[kind]?.(value),
    /** Resolves when the source that `request` opens is on screen. */
    opened: (live, request) =>
      new Promise((resolve, reject) => {
        request();
        opening = { live, resolve, reject };
      }),
    exported: () => new Promise((resolve, reject) => exports.push({ resolve, reject })),
    cancel(reason) {
      settle(reason);
      for (const { reject } of exports.splice(0)) reject(reason);
    },
  };
}

/**
 * Mounts a panel in `root`, until `signal` is aborted. `onReport(kind, value)` receives its reports, and returns `false`
 * for an action that the page performs itself.
 */
export async function start({ root, view, signal, onReport, onBytes }) {
  const sheets = await loaded(onBytes);
  signal?.throwIfAborted();
  const scope = root.getRootNode();
  scope.adoptedStyleSheets = [...scope.adoptedStyleSheets.filter((known) => !sheets.includes(known)), ...sheets];

  const results = pendingResults();
  const mounted = mount(root, {
    startWorker,
    view,
    onReport: ({ kind, value }) => {
      results.receive(kind, value);
      return onReport(kind, value);
    },
  });
  const end = () => {
    results.cancel(signal.reason);
    mounted.unmount();
  };
  signal?.addEventListener("abort", end, { once: true });
  const open = (live, request) =>
    results.opened(live, () => {
      try {
        request();
      } catch (error) {
        onReport("refused", error);
        throw error instanceof Error ? error : failureOf(error);
      }
    });
  return {
    open: (files, name) => open(false, () => mounted.open(files, text("a name", name))),
    connect: ({ url, token, run }) => open(true, () => mounted.connect(text("an address", url), optional("a token", token), optional("a run", run))),
    disconnect() {
      results.cancel(failure("CANCELLED", "The panel was disconnected."));
      mounted.disconnect();
    },
    async export(keys) {
      if (!mounted.export(keys.map((key) => text("a key", key)))) throw failure("NOTHING_TO_EXPORT", "Expected a run, a list of runs or a document on screen, found none.");
      const { name, bytes } = await results.exported();
      return new File([bytes], name, { type: "application/json" });
    },
    copy: (words) => mounted.copy(text("a text", words)),
    setView: (word) => mounted.setView(optional("a view", word)),
    // The colour scheme is inherited; the host's theme overrides the person's choice.
    setTheme: () => root.querySelector(".panel").removeAttribute("data-theme"),
    focus: (options) => root.querySelector(":is(h1, h2)[tabindex]")?.focus(options),
  };
}
