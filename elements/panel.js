// <runstate-panel>: the panel in a shadow root, or in a frame of its own.
import { assetsAddress } from "./assets.js";
import { elementWithAttributes, emit, failure, make, rootOf, setStates, upgrade } from "./element.js";
import { startInFrame } from "./frame.js";
import { loadDocument } from "./panel-document.js";
import { startInline } from "./panel-inline.js";
import { codeOf, hideMessage, messageOf, showContent, showFailure, showLoading, showSlow } from "./panel-message.js";
import { changeScreen, emitError, emitRefusal } from "./panel-screen.js";
import { Source } from "./panel-source.js";
import { panelSheet } from "./panel-style.js";
import { toFiles, viewOf } from "./view.js";

const texts = ["src", "assets", "gateway", "run", "label"];
const words = { theme: [null, "light", "dark", "system"], view: ["full", "header", "tree", "node", "log"], loading: ["eager", "lazy"] };
const flags = ["frame"];
const TOKEN_IGNORED =
  "<runstate-panel> ignores the attribute token, which every script and style sheet of the page could read. Set the property: panel.token = …";
const attributes = [...texts, "place", ...Object.keys(words), ...flags];
/** The time after which a loading panel can be stopped, ms. */
const SLOW_AFTER_MS = 5000;

const Base = /** @type {new () => HTMLElement & Required<import("./index.js").RunstatePanelAttributes>} */ (
  elementWithAttributes({ texts, words, flags })
);

/** The panel. */
export class RunstatePanel extends Base {
  static observedAttributes = attributes.filter((name) => name !== "loading");

  #internals;
  #base;
  #handle;
  /** The current start, in progress or done: its `AbortController`, and `ready`, a promise of the panel's handle. */
  #start;
  #observer;
  #source = new Source(this);
  /** Loads the document of `src`: its `AbortController`. */
  #loading;
  /** The last screen that the panel has reported. */
  #shown;
  #runState;
  /** The place that the panel has reported, and the one to show of the next source. */
  #place;
  #nextPlace;
  /** The colour scheme that the panel was given. */
  #shownTheme;

  constructor() {
    super();
    this.#internals = this.attachInternals?.();
  }

  connectedCallback() {
    upgrade(this, [...attributes, "token", "content"]);
    if (!this.#base) {
      if (this.hasAttribute("token")) console.warn(TOKEN_IGNORED);
      warnOfUnknownWord(this, "view", words.view);
      this.#base = make("div", { class: "base", part: "base", role: "group" });
      this.#base.addEventListener("transitionrun", ({ target }) => {
        if (target === this.#base) this.#followScheme();
      });
      this.#setLabel();
      rootOf(this, this.#internals, panelSheet).replaceChildren(this.#base);
    }
    // Moving the element only reloads a frame.
    if (this.#start && this.frame) this.#restart();
    if (this.#start || this.#observer) return;
    showContent(this.#base);
    if (this.loading === "lazy" && globalThis.IntersectionObserver) {
      this.#observer = new IntersectionObserver((entries) => {
        if (entries.some((entry) => entry.isIntersecting)) this.#begin();
      });
      this.#observer.observe(this);
    } else {
      this.#begin();
    }
  }

  disconnectedCallback() {
    queueMicrotask(() => {
      if (!this.isConnected) this.#stop();
    });
  }

  attributeChangedCallback(name, before, after) {
    if (before === after) return;
    if (["src", "gateway", "run"].includes(name)) this.#follow();
    if (name === "place") this.#go(after ?? "");
    if (!this.#base) return;
    if (name === "label") this.#setLabel();
    else if (name === "view") {
      warnOfUnknownWord(this, "view", words.view);
      this.#setView();
    } else if (name === "theme") this.#setTheme();
    else if (name === "assets" || name === "frame") this.#restart();
  }

  /** Write-only, and never an attribute: kept only in memory, and dropped when `gateway` changes without a new token. */
  set token(token) {
    this.#source.setToken(token);
    this.#follow();
  }

  get token() {
    return undefined;
  }

  /** The document to show: text, bytes, a file, a list of files, or an object such as a Gateway's response. It precedes `src`. */
  get content() {
    return this.#source.content;
  }

  set content(content) {
    this.#source.content = content ?? undefined;
    this.#follow();
  }

  /**
   * What is on screen: run, selected node, search and filters, without a token and an address. The attribute is the place to show of
   * the source of the attributes; setting the property shows another place and leaves the attribute as it is.
   */
  get place() {
    return this.#place ?? this.#nextPlace ?? this.getAttribute("place");
  }

  set place(place) {
    this.#go(place === null || place === undefined ? "" : String(place));
  }

  /** The state of the run on screen as a `RunStateView`; `undefined` without one. */
  get runState() {
    return this.#runState;
  }

  /** The header of the run on screen, as the package's `header` returns it. */
  get header() {
    return this.#shown?.header ?? undefined;
  }

  /** Opens text, bytes, files or an object. Rejects with a code if it is unreadable; the screen then stays unchanged. */
  async open(content) {
    const { files, name } = toFiles(content);
    this.#loading?.abort();
    const handle = await this.#ready();
    await handle.open(files, name, content === this.content ? this.#wantedPlace() : "");
  }

  /**
   * Connects to a Gateway, by default that of the attributes. Resolves when it shows runs, rejects with the code of a refusal.
   * @param {{ url?: string, token?: string, run?: string }} gateway
   */
  async connect({ url = this.gateway, token, run } = {}) {
    if (!url) {
      throw failure("INVALID_ADDRESS", "Expected the address of a Gateway as `url` or as the attribute gateway, found none.");
    }
    this.#loading?.abort();
    // The token of one Gateway is never sent to another.
    const isOwn = url === this.gateway;
    const handle = await this.#ready();
    await handle.connect({
      url: String(url),
      token: token ?? (isOwn ? this.#source.ownToken() : undefined),
      run: run ?? (isOwn ? this.run : undefined) ?? undefined,
      place: isOwn && run === undefined ? this.#wantedPlace() : "",
    });
  }

  /** Ends the session and clears its content. */
  disconnect() {
    this.#loading?.abort();
    this.#handle?.disconnect();
  }

  /**
   * The content of the screen as a redacted file; the values of `keys` are redacted too.
   * @param {{ keys?: string[] }} options
   */
  async export({ keys = [] } = {}) {
    const handle = await this.#ready();
    return handle.export(keys.map(String));
  }

  /** Moves the focus to the heading of the panel. */
  focus(options) {
    if (this.#handle) this.#handle.focus(options);
    else super.focus(options);
  }

  /** The panel's handle; starts the panel if `loading` deferred it. */
  async #ready() {
    if (!this.isConnected) throw failure("NOT_CONNECTED", "Expected an element that is in a page, found one that is not.");
    if (!this.#start) this.#begin();
    return this.#start.ready;
  }

  #begin() {
    this.#observer?.disconnect();
    this.#observer = undefined;
    const controller = new AbortController();
    const ready = this.#load(controller);
    this.#start = { controller, ready };
    // A failure is shown and dispatched as an event; the methods reject with it as well.
    ready.catch(() => {});
  }

  /** @param {AbortController} controller */
  async #load(controller) {
    const { signal } = controller;
    const root = make("div", { class: "root", hidden: "" });
    let bytes = 0;
    const status = showLoading(this.#base);
    this.#base.append(root);
    const stop = () => {
      const stopped = failure("STOPPED", "Loading was stopped.");
      controller.abort(stopped);
      this.#fail(stopped);
    };
    const slow = setInterval(() => showSlow(status, bytes, stop), SLOW_AFTER_MS);
    this.#shownTheme = this.#theme();
    try {
      const options = {
        root,
        assets: assetsAddress(this.assets, this.baseURI),
        view: this.view,
        theme: this.#shownTheme,
        title: this.label ?? "Runstate",
        signal,
        onReport: (kind, value) => signal.aborted || this.#report(kind, value),
        onBytes: (count) => {
          bytes = count;
        },
      };
      // Already aborted: the signal is passed along.
      const started = this.frame ? startInFrame(options) : startInline(options);
      const handle = await Promise.race([started, rejectOnAbort(signal)]);
      signal.throwIfAborted();
      root.hidden = false;
      this.#handle = handle;
      this.#setView();
      this.#setLabel();
      this.#followScheme();
      emit(this, "ready");
      this.#follow();
      return handle;
    } catch (error) {
      if (!signal.aborted) this.#fail(error);
      throw error;
    } finally {
      clearInterval(slow);
    }
  }

  /** Stops the element's panel, whose start used the signal. */
  #stop() {
    this.#observer?.disconnect();
    this.#observer = undefined;
    this.#start?.controller.abort(failure("CANCELLED", "The panel was removed from the page."));
    this.#loading?.abort();
    this.#start = undefined;
    this.#handle = undefined;
    this.#shown = undefined;
    this.#place = undefined;
    this.#runState = undefined;
    this.#source.reset();
    setStates(this.#internals, []);
    this.#base?.replaceChildren();
  }

  #restart() {
    if (!this.#start) return;
    this.#stop();
    if (this.isConnected) this.#begin();
  }

  /** Opens the source of the attributes and properties, once for all that are set together. */
  #follow() {
    this.#source.schedule(() => {
      if (this.#handle) this.#openSource();
    });
  }

  #openSource() {
    const { hasChanged, hadSource } = this.#source.takeChange();
    if (!hasChanged) return;
    this.#loading?.abort();
    if (this.content !== undefined) {
      this.open(this.content).catch((error) => {
        // The panel reports other refusals itself.
        if (error instanceof TypeError) emitRefusal(this, /** @type {any} */ (error));
      });
    } else if (this.src) {
      this.#openAddress();
    } else if (this.gateway) {
      this.connect().catch(() => {});
    } else if (hadSource) {
      this.disconnect();
    }
  }

  /** Opens the document of `src`. The panel shows why it cannot be loaded; what is on screen stays. */
  async #openAddress() {
    const { signal } = (this.#loading = new AbortController());
    try {
      const { files, name } = toFiles(await loadDocument(this.src, this.baseURI, signal));
      // The panel reports refusals itself.
      if (!signal.aborted) this.#handle?.open(files, name, this.#wantedPlace()).catch(() => {});
    } catch (error) {
      if (!signal.aborted) this.#handle?.refuse({ code: codeOf(error), message: messageOf(error), hint: error.hint });
    }
  }

  /** Shows a place, now or as soon as there is a source. */
  #go(place) {
    this.#nextPlace = place;
    this.#handle?.go(place);
  }

  /** The place to show of the source of the attributes and properties. */
  #wantedPlace() {
    return this.#nextPlace ?? this.getAttribute("place") ?? "";
  }

  /** The shown colour scheme; `undefined` for the system's. A frame does not inherit one. */
  #theme() {
    const scheme = getComputedStyle(this).colorScheme;
    const isDark = scheme.includes("dark");
    if (isDark && scheme.includes("light")) return undefined;
    return isDark ? "dark" : "light";
  }

  #setTheme() {
    this.#shownTheme = this.#theme();
    this.#handle?.setTheme(this.#shownTheme);
  }

  /** Overrides a person's choice in the panel only if the colour scheme at the element's position has changed. */
  #followScheme() {
    if (this.frame && this.#handle && this.#theme() !== this.#shownTheme) this.#setTheme();
  }

  #setLabel() {
    const label = this.label ?? "Runstate";
    this.#base.setAttribute("aria-label", label);
    this.#handle?.setTitle?.(label);
  }

  #setView() {
    this.#handle?.setView(this.view);
    this.#showFallback();
  }

  /** Handles a report of the panel. Returns whether the panel performs an action. */
  #report(kind, value) {
    if (kind === "shown") this.#show(value);
    else if (kind === "refused") emitRefusal(this, value);
    else if (kind === "failed") emitError(this, value);
    else if (kind === "place") this.#changePlace(value);
    else if (kind === "run") emit(this, "run", { runId: value ?? undefined });
    else if (kind === "action") return emit(this, "action", value, true);
    return true;
  }

  #changePlace(place) {
    this.#nextPlace = undefined;
    if (place === this.#place) return;
    this.#place = place;
    emit(this, "place", { place });
  }

  #show(shown) {
    if (shown.screen === "nothing") this.#place = undefined;
    const previous = this.#shown;
    this.#shown = shown;
    this.#runState = viewOf(shown.header);
    this.#showFallback();
    changeScreen(this, this.#internals, previous, shown);
  }

  /** Without a run and without a problem, a partial view shows the element's own content. */
  #showFallback() {
    if (!this.#handle) return;
    const isEmpty = this.view !== "full" && ["nothing", undefined].includes(this.#shown?.screen) && !this.#shown?.problem;
    if (isEmpty) showContent(this.#base);
    else hideMessage(this.#base);
    this.#base.querySelector(".root").hidden = isEmpty;
  }

  #fail(error) {
    this.#base.querySelector(".root")?.remove();
    showFailure(this.#base, error, () => this.#restart());
    emitError(this, { code: codeOf(error), message: messageOf(error), hint: error?.hint });
  }
}

/** Warns on the console of an attribute whose word is unknown and therefore has no effect. */
function warnOfUnknownWord(element, name, known) {
  const word = element.getAttribute(name);
  if (word === null || known.includes(word.toLowerCase())) return;
  console.warn(
    `<runstate-panel> expects ${known.join(", ")} for the attribute ${name}, found ${JSON.stringify(word)}: shown as ${known[0]}.`,
  );
}

/** Rejects with the reason when the signal is aborted. */
function rejectOnAbort(signal) {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
