// <runstate-panel>: the panel in a shadow root, or in a frame of its own. The panel's files are loaded from `src`.
import { Base, emit, failure, make, reflect, rootOf, setStates, sharedSheet, upgrade } from "./element.js";
import { frameStart } from "./frame.js";
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
const slowAfter = 5000;
const defaultSource = () => new URL("./panel/", import.meta.url).href;

/** The Gateway's refusal, or the reason why it was not reached. */
const refusalOf = (shown) => shown?.refusal ?? shown?.openFailure;
const codeOf = (error) => error?.code ?? "NOT_STARTED";

/** The panel. */
export class RunstatePanel extends Base {
  static observedAttributes = [...attributes, ...flags].filter((name) => name !== "loading");

  #internals;
  #base;
  #driver;
  /** The current start, in progress or done: an `AbortController` with `ready`, a promise of the driver. */
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
      this.#base.addEventListener("transitionrun", ({ target }) => target === this.#base && this.#followScheme());
      this.#setLabel();
      rootOf(this, this.#internals, sheet).replaceChildren(this.#base);
    }
    // Moving the element only reloads a frame.
    if (this.#start && this.frame) this.#restart();
    if (this.#start || this.#observer) return;
    this.#showMessage("fallback", {}, make("slot"));
    if (this.loading === "lazy" && globalThis.IntersectionObserver) {
      this.#observer = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && this.#begin());
      this.#observer.observe(this);
    } else this.#begin();
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

  /** The document shown without a connection: text, bytes, a file, a list of files, or an object as a Gateway answers it. */
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
    await (await this.#ready()).open(files, name);
  }

  /** Connects to a Gateway, by default that of the attributes. Resolves when it shows runs, rejects with the code of a refusal. */
  async connect({ url = this.gateway, token, run } = {}) {
    if (!url) throw failure("INVALID_ADDRESS", "Expected the address of a Gateway as `url` or as the attribute gateway, found none.");
    // The token of one Gateway is never sent to another.
    const own = url === this.gateway ? { token: this.#ownToken(), run: this.run } : {};
    await (await this.#ready()).connect({ url: String(url), token: token ?? own.token, run: run ?? own.run ?? undefined });
  }

  /** Ends the session and clears its content. */
  disconnect() {
    this.#driver?.disconnect();
  }

  /** The content of the screen as a redacted file; the values of `keys` are redacted too. */
  async export({ keys = [] } = {}) {
    return (await this.#ready()).export(keys.map(String));
  }

  /** Moves the focus to the heading of the panel. */
  focus(options) {
    if (this.#driver) this.#driver.focus(options);
    else super.focus(options);
  }

  /** The driver; starts the panel if `loading` deferred it. */
  async #ready() {
    if (!this.isConnected) throw failure("NOT_CONNECTED", "Expected an element in a page, found one that is in none.");
    if (!this.#start) this.#begin();
    return this.#start.ready;
  }

  #begin() {
    this.#observer?.disconnect();
    this.#observer = undefined;
    const start = new AbortController();
    this.#start = start;
    start.ready = this.#load(start);
    // A failure is shown and dispatched as an event; the methods reject with it as well.
    start.ready.catch(() => {});
  }

  async #load(start) {
    const { signal } = start;
    const root = make("div", { class: "root", hidden: "" });
    let bytes = 0;
    const status = make("p", { class: "status", role: "status" });
    this.#showMessage("fallback", {}, status, make("slot"));
    status.textContent = "Loading the panel.";
    this.#base.append(root);
    const slow = setInterval(() => this.#showSlow(status, start, bytes), slowAfter);
    try {
      const options = {
        root,
        source: new URL(this.src ?? defaultSource(), this.baseURI).href.replace(/\/?$/, "/"),
        view: this.view ?? "full",
        theme: (this.#shownTheme = this.#theme()),
        title: this.label ?? "Runstate",
        signal,
        onReport: (kind, value) => signal.aborted || this.#report(kind, value),
        onBytes: (count) => (bytes = count),
      };
      // Already aborted: the signal is passed along.
      const driver = await Promise.race([this.frame ? frameStart(options) : inlineStart(options), aborted(signal)]);
      signal.throwIfAborted();
      root.hidden = false;
      this.#driver = driver;
      this.#setView();
      this.#setLabel();
      this.#followScheme();
      emit(this, "ready");
      this.#follow();
      return driver;
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
    this.#start?.abort(failure("CANCELLED", "The panel was removed from the page."));
    this.#start = this.#driver = this.#shown = this.#view = this.#opened = undefined;
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
      if (this.#driver) this.#openNamed(token);
    });
  }

  #openNamed(token) {
    const named = [this.#document, ...(this.#document === undefined ? [this.gateway, this.run, token] : [])];
    if (this.#opened?.length === named.length && named.every((value, index) => value === this.#opened[index])) return;
    const had = this.#opened?.some((value) => value !== undefined && value !== null);
    this.#opened = named;
    // The panel reports refusals itself.
    if (this.#document !== undefined) this.open(this.#document).catch((error) => error instanceof TypeError && this.#refuse(error));
    else if (this.gateway) this.connect().catch(() => {});
    else if (had) this.disconnect();
  }

  /** The shown colour scheme; `undefined` for the system's. A frame does not inherit one. */
  #theme() {
    const scheme = getComputedStyle(this).colorScheme;
    const [light, dark] = ["light", "dark"].map((name) => scheme.includes(name));
    return light && dark ? undefined : dark ? "dark" : "light";
  }

  #setTheme() {
    this.#shownTheme = this.#theme();
    this.#driver?.setTheme(this.#shownTheme);
  }

  /** What a person chose in the panel gives way only where the colour scheme of the place is another one. */
  #followScheme() {
    if (this.frame && this.#driver && this.#theme() !== this.#shownTheme) this.#setTheme();
  }

  #setLabel() {
    const label = this.label ?? "Runstate";
    this.#base.setAttribute("aria-label", label);
    this.#driver?.setTitle?.(label);
  }

  #setView() {
    this.#driver?.setView(this.view ?? "full");
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
    const [before, had, refusal, selected] = [this.#view, freshnessOf(this.#shown?.header), refusalOf(this.#shown)?.code, this.#shown?.selected];
    this.#shown = shown;
    const view = (this.#view = viewOf(shown.header));
    const freshness = freshnessOf(shown.header);
    const isRefused = shown.screen === "refusal";
    const isOld = ["late", "lost", "resyncing", "stale"].includes(freshness);
    setStates(this.#internals, [shown.live && freshness === "live" && "live", isOld && "stale", isRefused && "refused"].filter(Boolean));
    this.#showFallback();
    const key = (of) => JSON.stringify([of?.runId, of?.state, of?.blocked, of?.unhealthy]);
    if (key(before) !== key(view)) {
      const { state, runId, blocked, unhealthy } = view ?? {};
      emit(this, "change", { state, previous: before?.state, runId, reason: reasonOf(shown.header), blocked: blocked?.kind, unhealthy: unhealthy?.kind, freshness });
    }
    if (had !== freshness) emit(this, "freshness", { freshness, previous: had });
    if (selected !== shown.selected && shown.selected) emit(this, "select", { nodeId: shown.selected });
    const refused = refusalOf(shown);
    if (refused && refused.code !== refusal) this.#refuse(refused);
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
    if (!this.#driver) return;
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

  #showSlow(status, start, bytes) {
    status.textContent = `Still loading the panel, ${Math.round(bytes / 1000)} kB so far.`;
    if (status.parentElement?.querySelector("button")) return;
    const stop = make("button", { type: "button" }, "Stop");
    stop.addEventListener("click", () => {
      const stopped = failure("STOPPED", "Loading was stopped.");
      start.abort(stopped);
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

reflect(RunstatePanel, attributes, flags);

/** Rejects with the reason when the signal is aborted. */
const aborted = (signal) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));

async function inlineStart({ source, ...options }) {
  const address = new URL("mount.js", source).href;
  const { start } = await import(/* @vite-ignore */ /* webpackIgnore: true */ address).catch((error) => {
    const hint = "Copy the folder with the panel's files to where the attribute src points.";
    throw Object.assign(failure("NOT_LOADED", `The browser did not load ${address}.`, hint), { cause: error });
  });
  return start(options);
}
