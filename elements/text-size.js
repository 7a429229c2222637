// Sizes in the unit `rem` of the elements: the text size that the reader has chosen. The browser's own `rem` is the font size of the
// host page's root, which many pages set to another value. www/mount.js has a copy of this file next to it.

const property = "--runstate-rem";
const length = /(?<![\w.-])(-?\d*\.?\d+)rem\b/g;

/** Declarations for an element around everything that has a style sheet of `ownSizes`. The font, because `medium` depends on it. */
export const ownSize = `font: initial; ${property}: 1em;`;

// A registered property is inherited as a length; any other one would be inherited as text, and `1em` be another length in each element.
try {
  globalThis.CSS?.registerProperty?.({ name: property, syntax: "<length>", inherits: true, initialValue: "16px" });
} catch {
  // Another copy of this module has registered it.
}

/**
 * A style sheet whose `rem` is the reader's text size. `medium` is that size in px, for the conditions of container queries, which
 * accept no variables. Browsers that cannot register a property keep the root's font size.
 * @param {string} css
 */
export function ownSizes(css, medium = 16) {
  if (!globalThis.CSS?.registerProperty) return css;
  const rules = css.replace(/@container[^{]*/g, (condition) => condition.replace(length, (_, number) => `${number * medium}px`));
  return rules.replace(length, `calc($1 * var(${property}))`);
}
