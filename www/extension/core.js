// Loads the module of the core that recognises servers, and removes secrets from their responses with the rules of exports.
import init, { StreamRedactor, redactMessage } from "./runstate-traffic.js";

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
  return redactMessage(checked(text)) ?? text;
}

/**
 * The function that does the same with the messages of one stream, in their order: a secret can be in several of them.
 * @returns {(text: string) => string}
 */
export function streamRedactor() {
  const redactor = new StreamRedactor();
  return (text) => redactor.redact(checked(text)) ?? text;
}

function checked(text) {
  // The module takes any value for a text, and would read memory that is none.
  if (typeof text !== "string") throw new TypeError(`expected a text, found ${typeof text}`);
  return text;
}
