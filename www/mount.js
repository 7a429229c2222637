// The panel for host pages: `<runstate-panel>` imports this file, and so does frame.html.
import init, { mount } from "./runstate-panel.js";
import { startWorker } from "./start-worker.js";
import { ownSize, ownSizes } from "./text-size.js"; // From `elements/`.

const styleFile = "css/panel.css";
const moduleFile = "runstate-panel_bg.wasm";
const fileAddress = (path) => new URL(path, import.meta.url);

/**
 * An error with a code that programs can match.
 * @type {(code: string, message: string, hint?: string) => Error & { code: string, hint?: string }}
 */
const failure = (code, message, hint) => Object.assign(new Error(message), { code, hint });

async function fetchFile(path, options) {
  const response = await fetch(fileAddress(path), options).catch((error) => {
    throw failure("NOT_LOADED", `The browser did not load ${path}: ${error.message}.`);
  });
  if (!response.ok) {
    const hint = "Copy the folder with the panel's files to where the attribute assets or setAssets() points.";
    throw failure("NOT_FOUND", `The server responded with ${response.status} for ${path}.`, hint);
  }
  return response;
}

/** Checks the page's policy before downloading. */
async function checkPolicy() {
  try {
    await WebAssembly.compile(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0));
  } catch {
    const hint = "Add 'wasm-unsafe-eval' to script-src, or the attribute frame to the element.";
    throw failure("WASM_REFUSED", "The policy of this page refuses WebAssembly.", hint);
  }
  try {
    document.createElement("template").innerHTML = "";
  } catch {
    throw failure("TRUSTED_TYPES", "The policy of this page requires trusted types.", "Add the attribute frame to the element.");
  }
}

/** The style sheets of a file: while the panel is developed those that it imports, which a build writes into the file. */
async function loadSheets(path, textSize) {
  const text = await (await fetchFile(path)).text();
  const imports = [...text.matchAll(/^@import "(.+)";$/gm)].map(([, name]) => loadSheets(`css/${name}`, textSize));
  if (imports.length > 0) return (await Promise.all(imports)).flat();
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(ownSizes(text, textSize));
  return [sheet];
}

/** Downloads and compiles the module. */
async function loadModule(onBytes, options) {
  let bytes = 0;
  const counter = new TransformStream({
    transform(chunk, stream) {
      bytes += chunk.length;
      onBytes?.(bytes);
      stream.enqueue(chunk);
    },
  });
  const { body } = await fetchFile(moduleFile, options);
  // A server may not send the type of the file.
  const response = new Response(body.pipeThrough(counter), { headers: { "content-type": "application/wasm" } });
  return WebAssembly.compileStreaming(response).catch((error) => {
    const verb = error instanceof WebAssembly.CompileError ? "compile" : "load all of";
    throw failure("NOT_LOADED", `The browser did not ${verb} ${moduleFile}: ${error.message}.`, "Try again.");
  });
}

async function load(textSize, onBytes) {
  await checkPolicy();
  const sheets = loadSheets(styleFile, textSize);
  const module = loadModule(onBytes).catch((error) => {
    if (error.code === "NOT_FOUND") throw error;
    // Chromium ends the downloads of a file that two documents load at once if it cannot keep the file in its cache.
    return loadModule(onBytes, { cache: "no-store" });
  });
  await init({ module_or_path: module });
  return sheets;
}

// Non-strings would abort the shared module.
function checkText(name, value) {
  if (typeof value === "string") return value;
  throw failure("INVALID_ARGUMENT", `Expected ${name} as text, found ${value === null ? "null" : typeof value}.`);
}
const checkOptionalText = (name, value) => (value === undefined ? undefined : checkText(name, value));

// Compiled once for all panels of the page; after a failure the next panel tries again.
let loading;

function loadOnce(textSize, onBytes) {
  loading ??= load(textSize, onBytes).catch((error) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

const toError = ({ code, message, hint }) => failure(code, message, hint);

/** The pending promises of the page: one for the source being opened, and those of exports. Events of the panel settle them. */
function pendingResults() {
  let opening;
  const exports = [];
  const settle = (error) => {
    const { resolve, reject } = opening ?? {};
    opening = undefined;
    if (error) reject?.(error);
    else resolve?.();
  };
  const handlers = {
    opening: () => settle(failure("SUPERSEDED", "Something else was opened before this was on screen.")),
    accepted: () => {
      if (opening?.live) opening.accepted = true;
      else settle();
    },
    refused: (value) => settle(toError(value)),
    failed: (value) => settle(toError(value)),
    shown: ({ screen, refusal, openFailure }) => {
      if (!opening?.accepted) return;
      if (refusal && screen === "refusal") settle(toError(refusal));
      // Only these failures end the attempts.
      else if (["CONTENT_POLICY", "REDIRECTED"].includes(openFailure?.code)) settle(toError(openFailure));
      else if (["run", "runs"].includes(screen)) settle();
    },
    export: (value) => exports.shift()?.resolve(value),
    "export-failed": (value) => exports.shift()?.reject(toError(value)),
  };
  return {
    receive: (kind, value) => handlers[kind]?.(value),
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
 * Mounts a panel in `root`, until `signal` is aborted.
 * @param {object} options
 * @param {HTMLElement} options.root
 * @param {string} options.view `full`, `header`, `tree`, `node` or `log`.
 * @param {AbortSignal} [options.signal]
 * @param {(kind: string, value: any) => boolean} options.onReport Receives the panel's events. Returns `false` for an action
 *   that the page performs itself.
 * @param {(bytes: number) => void} [options.onBytes] Receives the number of loaded bytes.
 */
export async function start({ root, view, signal, onReport, onBytes }) {
  root.style.cssText += ownSize;
  // Firefox computes no styles in a frame that is not drawn yet.
  const textSize = parseFloat(getComputedStyle(root).fontSize) || undefined;
  const sheets = await loadOnce(textSize, onBytes);
  signal?.throwIfAborted();
  const scope = /** @type {Document | ShadowRoot} */ (root.getRootNode());
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
        throw error instanceof Error ? error : toError(error);
      }
    });
  return {
    open: (files, name, place) => open(false, () => mounted.open(files, checkText("a name", name), checkText("a place", place))),
    connect({ url, token, run, place }) {
      return open(true, () => {
        const address = checkText("an address", url);
        const [checkedToken, checkedRun] = [checkOptionalText("a token", token), checkOptionalText("a run", run)];
        mounted.connect(address, checkedToken, checkedRun, checkText("a place", place));
      });
    },
    go: (place) => mounted.go(checkText("a place", place)),
    // Shows a problem of the page as the panel's own: a document that cannot be loaded.
    refuse: ({ code, message, hint }) =>
      mounted.refuse(checkText("a code", code), checkText("a message", message), checkOptionalText("a hint", hint)),
    disconnect() {
      results.cancel(failure("CANCELLED", "The panel was disconnected."));
      mounted.disconnect();
    },
    async export(keys) {
      if (!mounted.export(keys.map((key) => checkText("a key", key)))) {
        throw failure("NOTHING_TO_EXPORT", "Expected a run, a list of runs or a document on screen, found none.");
      }
      const { name, bytes } = await results.exported();
      return new File([bytes], name, { type: "application/json" });
    },
    copy: (words) => mounted.copy(checkText("a text", words)),
    setView: (word) => mounted.setView(checkOptionalText("a view", word)),
    // The colour scheme is inherited; the host's theme overrides the person's choice.
    setTheme: () => root.querySelector(".panel").removeAttribute("data-theme"),
    focus(options) {
      const heading = /** @type {HTMLElement | null} */ (root.querySelector(":is(h1, h2)[tabindex]"));
      heading?.focus(options);
    },
  };
}
