// The servers that a page uses, as the core recognises them by their messages. Its module is loaded with the first message that could be
// one of theirs: most pages have no Gateway and no Studio.
import { loadCore } from "./core.js";
import { redactUrl } from "./redact.js";
import { KnownServers } from "./runstate-traffic.js";

export class Servers {
  #known;
  #reportUnread;

  /** @param {(url: string) => void} reportUnread Receives an address of each server whose messages are not read, once. */
  constructor(reportUnread = () => {}) {
    this.#reportUnread = reportUnread;
  }

  /** Loads the module once. Must have ended before the first question. */
  async load() {
    await loadCore();
    this.#known ??= new KnownServers();
  }

  /** Forgets the servers of the previous page if they leave no place for others. */
  navigate() {
    this.#known?.navigate();
  }

  /** Whether a response is from a Gateway or Studio. */
  hasSentResponse({ method, url }, status, text) {
    return this.#report(isText(text) && this.#known.hasSentResponse(method, redactUrl(url), status, text));
  }

  /** Whether a received frame is from a Gateway. */
  hasSentFrame({ url }, text) {
    return this.#report(isText(text) && this.#known.hasSentFrame(redactUrl(url), text));
  }

  /** Whether a message of an event stream is from Studio. */
  hasSentMessage({ method, url }, text) {
    return this.#report(isText(text) && this.#known.hasSentMessage(method, redactUrl(url), text));
  }

  /** Whether a response that cannot be read may be from a Gateway or Studio: by its server if that is known, else by its address. */
  mayHaveSentResponse({ method, url }) {
    return this.#known.mayHaveSentResponse(method, redactUrl(url));
  }

  /** Whether a request may be one to Studio, by its address. */
  mayBeStudio({ method, url }) {
    return this.#known.mayBeStudio(method, redactUrl(url));
  }

  #report(isRead) {
    for (const url of this.#known.takeUnread()) this.#reportUnread(url);
    return isRead;
  }
}

/** The module takes any value for a text, and would read memory that is none. */
const isText = (value) => typeof value === "string";
