// <runstate-panel>: the panel in a shadow root, or in a frame of its own. The panel's files are loaded from `src`.
import { elementWithAttributes, emit, failure, make, rootOf, setStates, sharedSheet, upgrade } from "./element.js";
import { startInFrame } from "./frame.js";
import { freshnessOf, reasonOf, toFiles, viewOf } from "./view.js";

const sheet = sharedSheet(`
  :host { display: block; block-size: var(--runstate-height, 24rem); min-inline-size: 0; }
  :host([view="header"]) { block-size: auto; min-block-size: 9rem; }
  :host([view="header"][frame]) { block-size: var(--runstate-height, 16rem); }
  :host([hidden]), [hidden] { display: none !important; }
  :host([theme="light"]) { color-scheme: light; }
  :host([theme="dark"]) { color-scheme: dark; }
  :host([theme="system"]) { color-scheme: light dark; }
  /* A transition of a colour that is never drawn reports a change of the colour scheme around the element. */
  .base { block-size: 100%; outline: 0 none light-dark(#000, #fff); transition: outline-color 1ms; }
  /* Styles of the page's own text do not apply inside, except for the spacing that a reader chose. */
  .root { all: initial; display: block; block-size: 100%; color-scheme: inherit; letter-spacing: inherit; word-spacing: inherit; }
  iframe { display: block; border: 0; inline-size: 100%; block-size: 100%; color-scheme: inherit; }
  .message { box-sizing: border-box; block-size: 100%; overflow: auto; padding: .75rem; }
  .message p { margin: 0 0 .5rem; font: .8125rem/1.4 system-ui, sans-serif; overflow-wrap: anywhere; }
  .message slot { display: block; }
  .message .title { font-weight: 600; }
  .message code { font: .75rem/1.4 ui-monospace, monospace; }
  .message button { margin: .5rem .5rem 0 0; min-block-size: 1.75rem; font: .8125rem system-ui, sans-serif; }
  @media (forced-colors: active) { :host([theme]) { color-scheme: light dark; } }
`);

const attributes = ["src", "gateway", "run", "theme", "view", "label", "loading"];
const flags = ["frame"];
/** The time after which a loading panel can be stopped, ms. */
const SLOW_AFTER_MS = 5000;
const defaultSource = () => new URL("./panel/", import.meta.url).href;

/** The Gateway's refusal, or the reason why it was not reached. */
const refusalOf = (shown) => shown?.refusal ?? shown?.openFailure;
const codeOf = (error) => error?.code ?? "NOT_STARTED";

const Base = /** @type {new () => HTMLElement & Required<import("./index.js").RunstatePanelAttributes>} */ (
  elementWithAttributes(attributes, flags)
);

/** The panel. */
export class RunstatePanel extends Base {
  static observedAttributes = [...attributes, ...flags].filter((name) => name !== "loading");

  #internals;
  #base;
  #handle;
  /** The current start, in progress or done: its `AbortController`, and `ready`, a promise of the panel's handle. */
  #start;
  #observer;
  /** The token with its Gateway: the one named when the token was set, else the next one. `{value, gateway}` */
  #token;
  #document;
  #shown;
  #view;
  /** The source that the attributes have opened, so that it is opened only once. */
  #opened;
  #following = false;
  /** The colour scheme that the panel was given. */
  #shownTheme;

  constructor() {
    super();
    this.#internals = this.attachInternals?.();
  }

  connectedCallback() {
    upgrade(this, [...attributes, ...flags, "token", "document"]);
    if (!this.#base) {
      this.#base = make("div", { class: "base", part: "base", role: "group" });
      this.#base.addEventListener("transitionrun", ({ target }) => {
        if (target === this.#base) this.#followScheme();
      });
      this.#setLabel();
      rootOf(this, this.#internals, sheet).replaceChildren(this.#base);
    }
    // Moving the element only reloads a frame.
    if (this.#start && this.frame) this.#restart();
    if (this.#start || this.#observer) return;
    this.#showMessage("fallback", {}, make("slot"));
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
    if (name === "gateway" || name === "run") this.#follow();
    if (!this.#base) return;
    if (name === "label") this.#setLabel();
    else if (name === "view") this.#setView();
    else if (name === "theme") this.#setTheme();
    else if (name === "src" || name === "frame") this.#restart();
  }

  /** Write-only, and never an attribute: kept only in memory, and dropped when `gateway` changes without a new token. */
  set token(token) {
    this.#token = token === undefined || token === null ? undefined : { value: token };
    this.#follow();
  }

  get token() {
    return undefined;
  }

  /** The document shown without a connection: text, bytes, a file, a list of files, or an object such as a Gateway's response. */
  get document() {
    return this.#document;
  }

  set document(content) {
    this.#document = content ?? undefined;
    this.#follow();
  }

  /** The state of the run on screen as a `RunStateView`; `undefined` without one. */
  get runState() {
    return this.#view;
  }

  /** The header of the run on screen, as the package's `header` returns it. */
  get header() {
    return this.#shown?.header ?? undefined;
  }

  /** Opens text, bytes, files or an object. Rejects with a code if it is unreadable; the screen then stays unchanged. */
  async open(content) {
    const { files, name } = toFiles(content);
    const handle = await this.#ready();
    await handle.open(files, name);
  }

  /**
   * Connects to a Gateway, by default that of the attributes. Resolves when it shows runs, rejects with the code of a refusal.
   * @param {{ url?: string, token?: string, run?: string }} gateway
   */
  async connect({ url = this.gateway, token, run } = {}) {
    if (!url) {
      throw failure("INVALID_ADDRESS", "Expected the address of a Gateway as `url` or as the attribute gateway, found none.");
    }
    // The token of one Gateway is never sent to another.
    const isOwn = url === this.gateway;
    const handle = await this.#ready();
    await handle.connect({
      url: String(url),
      token: token ?? (isOwn ? this.#ownToken() : undefined),
      run: run ?? (isOwn ? this.run : undefined) ?? undefined,
    });
  }

  /** Ends the session and clears its content. */
  disconnect() {
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
    if (!this.isConnected) throw failure("NOT_CONNECTED", "Expected an element in a page, found one that is in none.");
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
    const status = make("p", { class: "status", role: "status" });
    this.#showMessage("fallback", {}, status, make("slot"));
    status.textContent = "Loading the panel.";
    this.#base.append(root);
    const slow = setInterval(() => this.#showSlow(status, controller, bytes), SLOW_AFTER_MS);
    this.#shownTheme = this.#theme();
    try {
      const options = {
        root,
        source: new URL(this.src ?? defaultSource(), this.baseURI).href.replace(/\/?$/, "/"),
        view: this.view ?? "full",
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
    this.#start = undefined;
    this.#handle = undefined;
    this.#shown = undefined;
    this.#view = undefined;
    this.#opened = undefined;
    setStates(this.#internals, []);
    this.#base?.replaceChildren();
  }

  #restart() {
    if (!this.#start) return;
    this.#stop();
    if (this.isConnected) this.#begin();
  }

  /** The token, if it belongs to the Gateway of the attribute; otherwise it is dropped. */
  #ownToken() {
    if (!this.#token || !this.gateway) return undefined;
    this.#token.gateway ??= this.gateway;
    if (this.#token.gateway !== this.gateway) this.#token = undefined;
    return this.#token?.value;
  }

  /** Opens the source of the attributes and properties, once for all that are set together. */
  #follow() {
    if (this.#following) return;
    this.#following = true;
    queueMicrotask(() => {
      this.#following = false;
      // Also before the panel has started: a token of one Gateway is never sent to the next.
      const token = this.#ownToken();
      if (this.#handle) this.#openNamed(token);
    });
  }

  #openNamed(token) {
    const source = [this.#document, ...(this.#document === undefined ? [this.gateway, this.run, token] : [])];
    const isUnchanged = this.#opened?.length === source.length && source.every((value, index) => value === this.#opened[index]);
    if (isUnchanged) return;
    const hadSource = this.#opened?.some((value) => value !== undefined && value !== null);
    this.#opened = source;
    if (this.#document !== undefined) {
      this.open(this.#document).catch((error) => {
        // The panel reports other refusals itself.
        if (error instanceof TypeError) this.#refuse(/** @type {any} */ (error));
      });
    } else if (this.gateway) {
      this.connect().catch(() => {});
    } else if (hadSource) {
      this.disconnect();
    }
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
    this.#handle?.setView(this.view ?? "full");
    this.#showFallback();
  }

  #report(kind, value) {
    if (kind === "shown") this.#show(value);
    else if (kind === "refused") this.#refuse(value);
    else if (kind === "failed") this.#error(value);
    else if (kind === "action") return emit(this, "action", value, true);
    return true;
  }

  #show(shown) {
    const previous = this.#shown;
    const previousView = this.#view;
    const view = viewOf(shown.header);
    this.#shown = shown;
    this.#view = view;
    const freshness = freshnessOf(shown.header);
    const previousFreshness = freshnessOf(previous?.header);
    const isRefused = shown.screen === "refusal";
    const isOld = ["late", "lost", "resyncing", "stale"].includes(freshness);
    const states = { live: shown.live && freshness === "live", stale: isOld, refused: isRefused };
    setStates(
      this.#internals,
      Object.keys(states).filter((name) => states[name]),
    );
    this.#showFallback();
    const viewKey = (view) => JSON.stringify([view?.runId, view?.state, view?.blocked, view?.unhealthy]);
    if (viewKey(previousView) !== viewKey(view)) {
      emit(this, "change", {
        state: view?.state,
        previous: previousView?.state,
        runId: view?.runId,
        reason: reasonOf(shown.header),
        blocked: view?.blocked?.kind,
        unhealthy: view?.unhealthy?.kind,
        freshness,
      });
    }
    if (previousFreshness !== freshness) emit(this, "freshness", { freshness, previous: previousFreshness });
    if (previous?.selected !== shown.selected && shown.selected) emit(this, "select", { nodeId: shown.selected });
    const refusal = refusalOf(shown);
    if (refusal && refusal.code !== refusalOf(previous)?.code) this.#refuse(refusal);
  }

  #refuse({ code, message, hint }) {
    // Superseded and cancelled requests are not refusals.
    if (["SUPERSEDED", "CANCELLED"].includes(code)) return;
    emit(this, "refusal", { code, message, hint });
  }

  #error({ code, message, hint }) {
    emit(this, "error", { code, message, hint });
  }

  /** Without a run, a partial view shows the element's own content. */
  #showFallback() {
    if (!this.#handle) return;
    const isEmpty = ["header", "tree"].includes(this.view) && ["nothing", undefined].includes(this.#shown?.screen);
    if (isEmpty) this.#showMessage("fallback", {}, make("slot"));
    else this.#base.querySelector(".message")?.remove();
    this.#base.querySelector(".root").hidden = isEmpty;
  }

  #fail(error) {
    const message = error?.message ?? String(error);
    const again = make("button", { type: "button" }, "Try again");
    again.addEventListener("click", () => this.#restart());
    this.#base.querySelector(".root")?.remove();
    this.#showMessage(
      "error",
      { role: "alert" },
      make("p", { class: "title" }, "The panel could not start"),
      make("p", {}, [message, error?.hint].filter(Boolean).join(" ")),
      make("p", {}, make("code", {}, codeOf(error))),
      make("slot", { name: "error" }),
      make("slot"),
      again,
    );
    this.#error({ code: codeOf(error), message, hint: error?.hint });
  }

  #showSlow(status, controller, bytes) {
    status.textContent = `Still loading the panel, ${Math.round(bytes / 1000)} kB so far.`;
    if (status.parentElement?.querySelector("button")) return;
    const stop = make("button", { type: "button" }, "Stop");
    stop.addEventListener("click", () => {
      const stopped = failure("STOPPED", "Loading was stopped.");
      controller.abort(stopped);
      this.#fail(stopped);
    });
    status.parentElement?.append(stop);
  }

  /** Shows a message in place of the panel. The role is added before the text, because only then is the text announced. */
  #showMessage(name, attributes, ...children) {
    this.#base.querySelector(".message")?.remove();
    const message = make("div", { class: "message", part: name, ...attributes });
    this.#base.prepend(message);
    message.append(...children);
  }
}

/** Rejects with the reason when the signal is aborted. */
function rejectOnAbort(signal) {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

async function startInline({ source, ...options }) {
  const address = new URL("mount.js", source).href;
  const { start } = await import(/* @vite-ignore */ /* webpackIgnore: true */ address).catch((error) => {
    const hint = "Copy the folder with the panel's files to where the attribute src points.";
    throw Object.assign(failure("NOT_LOADED", `The browser did not load ${address}.`, hint), { cause: error });
  });
  return start(options);
}
