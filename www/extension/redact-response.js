// Redacts the responses of servers with the core's own rules. Its module is loaded with the first message that is kept: most pages
// have no Gateway and no Studio.
import init, { redactMessage } from "./runstate-traffic.js";

let loading;

/** Loads the module once. Must have ended before the first call of `redactResponse`. */
export function loadRedaction() {
  loading ??= init().catch((error) => {
    // The next message tries again.
    loading = undefined;
    throw error;
  });
  return loading;
}

/**
 * A response, JSON or not, without secrets: neither values of secret keys nor secrets in text. A response without secrets stays unchanged.
 * @param {string} text
 * @returns {string}
 */
export function redactResponse(text) {
  // The module takes any value for a text, and would read memory that is none.
  if (typeof text !== "string") throw new TypeError(`expected a text, found ${typeof text}`);
  return redactMessage(text) ?? text;
}
