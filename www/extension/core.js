// Loads the module of the core that recognises servers, and removes secrets from their responses with the rules of exports.
import init, { redactMessage } from "./runstate-traffic.js";

let loading;

/** Loads the module once. Must have ended before anything of it is used. */
export function loadCore() {
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
