// <runstate-pill>: a state word as a pill. Plain DOM, no WebAssembly; the tables are the core's.
import { elementWithAttributes, emit, make, rootOf, setStates, sharedSheet, upgrade } from "./element.js";
import { ownSize } from "./text-size.js";
import { appearances, fields, invisible, lookAlikes, outlines, staleMs, styles } from "./pill-data.js";

const sheet = sharedSheet(`
  :host { display: inline-flex; flex-wrap: wrap; align-items: center; gap: 0 .375em; max-width: 100%; vertical-align: middle; }
  :host([hidden]) { display: none; }
  :host([theme="light" i]) { color-scheme: light; }
  :host([theme="dark" i]) { color-scheme: dark; }
  :host([theme="system" i]) { color-scheme: light dark; }
  .own-size { display: contents; ${ownSize} }
  .base { all: initial; color-scheme: inherit; letter-spacing: inherit; word-spacing: inherit; }
  ${styles}
  .pill { font-family: var(--runstate-pill-font, var(--font)); font-variant-numeric: tabular-nums; }
  .pill { min-height: var(--runstate-pill-height, var(--pill)); }
  .pill-dense { min-height: var(--runstate-pill-height, var(--pill-dense)); }
  .absent { font: var(--w-normal) var(--fs-2)/var(--lh) var(--runstate-pill-font, var(--font)); }
  .reason { font-weight: var(--w-medium); overflow-wrap: anywhere; }
  @media (forced-colors: active) { :host([theme]) { color-scheme: light dark; } }
`);

/** UTC time, with the date if more than 12 h away. */
function moment(at, now) {
  const text = new Date(at).toISOString();
  const clock = `${text.slice(11, 19)}Z`;
  return Math.abs(now - at) < 43_200_000 ? clock : `${text.slice(0, 10)} ${clock}`;
}

/** What a terminal takes for a colour. */
const colours = /\u{1b}\[[\x20-\x3f]*[\x40-\x7e]?/gu;
const unseen = new RegExp(`[${invisible}]`, "gu");
const unseenBetweenLines = new RegExp(`(?![\\n\\t])[${invisible}]`, "gu");
const escaped = (letter) => `\\u{${letter.codePointAt(0).toString(16)}}`;

/** A text of others as it is shown: without colours, with signs for characters that are not seen or that change its direction. */
const visible = (text) => text.replace(colours, "").replace(unseenBetweenLines, escaped);

const letterOf = (found) => Object.keys(lookAlikes).find((letter) => lookAlikes[letter].includes(found)) ?? found;

/** The word of a vocabulary that a word only looks like; `undefined` if there is none. */
function lookAlike(kind, word) {
  if (word.length > 100 || !Object.hasOwn(appearances, kind)) return undefined;
  const plain = [...word.replace(unseen, "")].map(letterOf).join("").trim();
  return [plain, plain.replaceAll("rn", "m")].find((known) => Object.hasOwn(appearances[kind], known));
}

/** An unknown word in quotes; one that only looks like a known one says so. */
function quoted(kind, word) {
  const known = lookAlike(kind, word);
  if (known === undefined) return `“${visible(word)}”`;
  const isAlike = (letter) => letter > "\x7f" && letterOf(letter) !== letter;
  const shown = [...visible(word)].map((letter) => (isAlike(letter) ? escaped(letter) : letter)).join("");
  return `“${shown}”, not ${known}`;
}

/**
 * The appearance of a word of a vocabulary; an unknown word is quoted and neutral.
 * @param {string} kind
 * @param {string} word
 */
export function appearance(kind, word) {
  const isKnown = Object.hasOwn(appearances, kind) && Object.hasOwn(appearances[kind], word);
  const found = isKnown ? appearances[kind][word].split("|") : undefined;
  const [label, tone, icon, ...flags] = found ?? [quoted(kind, word), "neutral", "minus"];
  return { label, tone, icon, known: found !== undefined, ended: flags.includes("ended"), dotted: flags.includes("dotted") };
}

const svg = "http://www.w3.org/2000/svg";

function icon(name) {
  const picture = document.createElementNS(svg, "svg");
  const attributes = { class: "icon", part: "icon", viewBox: "0 0 24 24", "aria-hidden": "true", focusable: "false" };
  for (const [key, value] of Object.entries(attributes)) picture.setAttribute(key, value);
  for (const [shape, places] of outlines[name]) {
    const drawn = document.createElementNS(svg, shape);
    for (const [key, value] of Object.entries(places)) drawn.setAttribute(key, value);
    picture.append(drawn);
  }
  return picture;
}

/** The time of an attribute; text that is not a time is shown unchanged. */
function time(words, text, now) {
  const at = Date.parse(text);
  const stamp = make("time", Number.isNaN(at) ? {} : { datetime: text }, Number.isNaN(at) ? visible(text) : moment(at, now));
  return make("span", { class: "pill-as-of", part: "age" }, `· ${words} `, stamp);
}

const texts = ["state", "kind", "reason", "since", "computed-at"];
const words = { size: [null, "dense"], theme: [null, "light", "dark", "system"] };
const flags = ["icon-only"];

const Base = /** @type {new () => HTMLElement & Required<import("./index.js").RunstatePillAttributes>} */ (
  elementWithAttributes({ texts, words, flags })
);

/** A state word as a pill. */
export class RunstatePill extends Base {
  static observedAttributes = [...texts, "size", ...flags];

  #internals;
  #root;
  #value;
  #hasKindOfValue = false;
  #timer;
  #drawing = false;

  constructor() {
    super();
    this.#internals = this.attachInternals?.();
  }

  connectedCallback() {
    upgrade(this, ["value", "state", "kind", "reason", "since", "computedAt", "size", "theme", "iconOnly"]);
    this.#root ??= rootOf(this, this.#internals, sheet);
    this.#draw();
  }

  disconnectedCallback() {
    clearTimeout(this.#timer);
  }

  attributeChangedCallback(_name, before, after) {
    if (before === after || !this.#root || this.#drawing) return;
    // Several attributes that change together cause one drawing.
    this.#drawing = true;
    queueMicrotask(() => {
      this.#drawing = false;
      if (this.isConnected) this.#draw();
    });
  }

  /** The state in the form of a Gateway's `runState`, of the package's `deriveRunState`, or of a panel's `runState`. */
  get value() {
    return this.#value;
  }

  set value(view) {
    const previous = this.state;
    this.#value = view;
    const waits = view?.blocked ?? view?.unhealthy;
    // The health of a session has words of its own.
    const health = ["session", "effective"].includes(view?.kind) ? "health" : "unhealthy";
    const reasons = view?.blocked ? "blocked" : health;
    // A Gateway's response has no vocabulary: it is that of the attribute.
    if (view?.kind !== undefined || this.#hasKindOfValue) this.kind = view?.kind;
    this.#hasKindOfValue = view?.kind !== undefined;
    this.state = view?.state;
    this.computedAt = view?.computedAt;
    // Such a state contains the reason: `stale running`.
    const hasReason = waits?.kind && view.kind !== "effective";
    this.reason = hasReason ? appearance(reasons, waits.kind).label : undefined;
    this.since = waits?.requestedAt ?? waits?.lastHeartbeatAt ?? waits?.lastSeenAt;
    if (previous !== this.state) emit(this, "change", { state: this.state ?? undefined, previous: previous ?? undefined });
  }

  #draw() {
    clearTimeout(this.#timer);
    const { state, reason, since } = this;
    setStates(this.#internals, state === null ? [] : [state.replace(/[^\p{L}\p{N}_-]+/gu, "-")]);
    if (state === null) {
      this.#show(make("span", { class: "base absent", part: "base" }, make("slot", {}, "not given")));
      return;
    }
    const kind = this.kind ?? "run";
    const { label, tone, icon: name, known, ended, dotted } = appearance(kind, state);
    const now = Date.now();
    const old = this.#isOld(ended, now);
    const dense = this.size === "dense";
    const pill = make(
      "span",
      {
        class: `base pill${dense ? " pill-dense" : ""}`,
        part: "base",
        "data-taxonomy": kind,
        "data-value": state,
        "data-tone": old ? "neutral" : tone,
        "data-known": known ? undefined : "false",
        "data-dotted": dotted ? "" : undefined,
        "data-as-of": old ? "" : undefined,
      },
      icon(name),
      make(
        "span",
        { class: this.iconOnly ? "pill-label visually-hidden" : "pill-label", part: "label" },
        make("span", { class: "visually-hidden" }, `${fields[kind] ?? "State"}: `),
        known ? label : make("bdi", {}, label),
        reason
          ? make("span", { class: dense ? "reason visually-hidden" : "reason", part: "reason" }, " · ", make("bdi", {}, visible(reason)))
          : undefined,
        since ? " " : undefined,
        since ? time("since", since, now) : undefined,
        old ? " " : undefined,
        old ? time("as of", this.computedAt, now) : undefined,
      ),
    );
    this.#show(pill);
  }

  /** Shows an element in the reader's text size. */
  #show(element) {
    this.#root.replaceChildren(make("span", { class: "own-size" }, element));
  }

  /** Whether the state is outdated; schedules a redraw for when it will be. */
  #isOld(ended, now) {
    if (ended || !this.computedAt) return false;
    const left = Date.parse(this.computedAt) + staleMs - now;
    // Text that is not a time has no age.
    if (!(left > 0)) return true;
    this.#timer = setTimeout(() => this.#draw(), Math.min(left + 1, 2 ** 31 - 1));
    return false;
  }
}
