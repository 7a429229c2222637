// Shared functions of the custom elements.

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
 * A style sheet that is parsed once for all elements of a page.
 * @param {string} css
 */
export function sharedSheet(css) {
  let sheet;
  return () => {
    if (!sheet) {
      sheet = new CSSStyleSheet();
      sheet.replaceSync(css);
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
 * A base class with a property for each attribute: `computed-at` is `computedAt`. A flag is true if its attribute is present.
 * @param {string[]} names
 * @param {string[]} flags
 */
export function elementWithAttributes(names, flags) {
  const type = class extends Base {};
  const camel = (name) => name.replace(/-(.)/g, (_, letter) => letter.toUpperCase());
  for (const name of names) {
    Object.defineProperty(type.prototype, camel(name), {
      configurable: true,
      enumerable: true,
      get() {
        return this.getAttribute(name);
      },
      set(value) {
        if (value === null || value === undefined) this.removeAttribute(name);
        else this.setAttribute(name, String(value));
      },
    });
  }
  for (const name of flags) {
    Object.defineProperty(type.prototype, camel(name), {
      configurable: true,
      enumerable: true,
      get() {
        return this.hasAttribute(name);
      },
      set(value) {
        this.toggleAttribute(name, Boolean(value));
      },
    });
  }
  return type;
}

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
