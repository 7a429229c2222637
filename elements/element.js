// Shared functions of the custom elements.
import { ownSizes } from "./text-size.js";

/** On a server, without a document, the classes of the elements can be imported but not constructed. */
const Base = /** @type {typeof HTMLElement} */ (globalThis.HTMLElement ?? class {});

/**
 * An error with a code that programs can match.
 * @param {string} code
 * @param {string} message
 * @param {string} [hint]
 */
export const failure = (code, message, hint) => Object.assign(new Error(message), { code, hint });

/** An error from its message; errors that cross a frame are plain objects. */
export const toError = ({ code, message, hint }) => failure(code, message, hint);

/**
 * Makes an element with attributes and children. It parses no markup, so a content policy needs no exception.
 * @param {string} name
 * @param {Record<string, string | undefined>} [attributes]
 * @param {(Node | string | undefined)[]} children
 */
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined) element.setAttribute(key, value);
  }
  element.append(...children.filter((child) => child !== undefined));
  return element;
}

/**
 * A style sheet that is parsed once for all elements of a page; its `rem` is the reader's text size.
 * @param {string} css
 */
export function sharedSheet(css) {
  let sheet;
  return () => {
    if (!sheet) {
      sheet = new CSSStyleSheet();
      sheet.replaceSync(ownSizes(css));
    }
    return sheet;
  };
}

/**
 * The shadow root of an element: the server-rendered one, or a new one.
 * @param {HTMLElement} element
 * @param {ElementInternals | undefined} internals
 * @param {() => CSSStyleSheet} sheet
 */
export function rootOf(element, internals, sheet) {
  const root = element.shadowRoot ?? internals?.shadowRoot ?? element.attachShadow({ mode: "open" });
  root.adoptedStyleSheets = [sheet()];
  return root;
}

/**
 * Sets the `:state()` names of an element to exactly `names`.
 * @param {ElementInternals | undefined} internals
 * @param {string[]} names
 */
export function setStates(internals, names) {
  const states = internals?.states;
  if (!states) return;
  states.clear();
  for (const name of names) {
    try {
      states.add(name);
    } catch {
      // Chromium before 125 accepts only names with two leading dashes, and does not support `:state()`.
    }
  }
}

/**
 * Dispatches `runstate-NAME`. The event bubbles and leaves shadow roots. Returns false if it was cancelled.
 * @param {HTMLElement} element
 * @param {string} name
 * @param {any} [detail]
 */
export function emit(element, name, detail, cancelable = false) {
  return element.dispatchEvent(new CustomEvent(`runstate-${name}`, { detail, bubbles: true, composed: true, cancelable }));
}

/**
 * A base class with a property for each attribute: `computed-at` is `computedAt`.
 * @param {object} attributes
 * @param {string[]} attributes.texts The property is the attribute's text, or `null`.
 * @param {Record<string, (string | null)[]>} attributes.words The property is one of these words whatever the case of the attribute, and
 *   the first one if the attribute is missing or another word.
 * @param {string[]} attributes.flags The property is true if the attribute is present.
 */
export function elementWithAttributes({ texts, words, flags }) {
  const type = class extends Base {};
  const define = (name, get, set) =>
    Object.defineProperty(type.prototype, camelCase(name), { configurable: true, enumerable: true, get, set });
  const setText = (name) =>
    function (value) {
      if (value === null || value === undefined) this.removeAttribute(name);
      else this.setAttribute(name, String(value));
    };
  for (const name of texts) {
    define(
      name,
      function () {
        return this.getAttribute(name);
      },
      setText(name),
    );
  }
  for (const [name, known] of Object.entries(words)) {
    define(
      name,
      function () {
        const word = this.getAttribute(name)?.toLowerCase();
        return known.includes(word) ? word : known[0];
      },
      setText(name),
    );
  }
  for (const name of flags) {
    define(
      name,
      function () {
        return this.hasAttribute(name);
      },
      function (value) {
        this.toggleAttribute(name, Boolean(value));
      },
    );
  }
  return type;
}

/** The property of an attribute. */
const camelCase = (name) => name.replace(/-(.)/g, (_, letter) => letter.toUpperCase());

/**
 * Applies properties that were set before the element was defined, as frameworks do.
 * @param {HTMLElement} element
 * @param {string[]} names
 */
export function upgrade(element, names) {
  for (const name of names) {
    if (!Object.hasOwn(element, name)) continue;
    const value = element[name];
    delete element[name];
    element[name] = value;
  }
}
