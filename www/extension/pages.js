// Which page the inspected tab shows, and when that page is reloaded or navigates.
import { addressHash, answeredAt, hasType, keyOf, pagesOf } from "./har.js";
import { redactUrl } from "./redact.js";

export class Pages {
  /** What identifies the page and its address, and the address of the page before it, whose last answers may still come. */
  #page;
  #previousHash;
  #firstEntry;
  /** Whether the page was loaded while the developer tools were open. */
  sawLoad = false;

  /** Whether a request with this `Referer` is from the page before. */
  isPrevious(referrer) {
    return this.#previousHash !== undefined && referrer === this.#previousHash;
  }

  /** Whether the log does not have the announced page yet: Firefox announces a page before that. */
  lacks(log, event) {
    const page = announcedPage(log, event);
    return !page || (!hasType(page.entry) && page.key === this.#page?.key);
  }

  /**
   * Where the page has navigated since the last call: by `event`, in which the developer tools announce it, or by a log with
   * another page, which a poll may find before the event comes. `isRecording` is whether the log has what the page requests.
   */
  next(log, event, isRecording) {
    const navigation = event ? this.#announced(log, event, isRecording) : this.#found(log);
    this.#firstEntry = log.entries[0] && keyOf(log.entries[0]);
    this.sawLoad ||= this.#page !== undefined;
    return navigation;
  }

  #announced(log, event, isRecording) {
    let page = announcedPage(log, event);
    // Firefox announces a page once, and may not have it in its log yet.
    if (page && hasType(page.entry) && page.key === this.#page?.key) {
      // The log has said so before.
      if (isRecording) return undefined;
      // It is the page before, which had this address, too.
      page = undefined;
    }
    const isKept = page ? this.#isKept(log, page) : isRecording && this.#hasFirstEntry(log);
    return this.#goTo(page, event, isKept);
  }

  #found(log) {
    const page = pagesOf(log).at(-1);
    // An entry without a type may be any HTML that the page has requested.
    if (!page || !hasType(page.entry) || page.key === this.#page?.key) return undefined;
    const isFirst = this.#firstEntry === undefined;
    const navigation = this.#goTo(page, undefined, this.#isKept(log, page));
    return isFirst ? undefined : navigation;
  }

  /** The developer tools empty their log when the page navigates, unless it is preserved. */
  #isKept(log, page) {
    const [first] = pagesOf(log);
    return first.key !== page.key || (hasType(page.entry) && this.#hasFirstEntry(log));
  }

  #hasFirstEntry({ entries }) {
    return this.#firstEntry !== undefined && entries.some((entry) => keyOf(entry) === this.#firstEntry);
  }

  #goTo(page, event, isKept) {
    const previous = this.#page;
    // A log without the page may still have the one before.
    this.#page = { key: page ? page.key : previous?.key, hash: page ? addressHash(page.entry.request.url) : event.hash };
    this.#previousHash = previous?.hash !== this.#page.hash ? previous?.hash : undefined;
    // Nothing of the previous page comes after the first byte of the new one; the event comes later.
    const at = Math.min(event?.at ?? Infinity, page ? answeredAt(page.entry) : Infinity);
    return { kind: "navigated", at, url: event?.url ?? redactUrl(page.entry.request.url), kept: isKept };
  }
}

const announcedPage = (log, { url }) => pagesOf(log).findLast(({ entry }) => redactUrl(entry.request.url) === url);

/** Whether the log has what the page requests: its recording can be switched off. Firefox does not tell. */
export class Recording {
  #newest;
  #missing = 0;

  /** A request has finished. */
  finish(request) {
    if (hasType(request)) this.#newest = { key: keyOf(request), startedDateTime: request.startedDateTime };
  }

  /** Looks for the newest finished request in the log. */
  check({ entries }) {
    if (!this.#newest) return;
    const { key, startedDateTime } = this.#newest;
    const isThere = entries.some((entry) => entry.startedDateTime === startedDateTime && keyOf(entry) === key);
    this.#missing = isThere ? 0 : this.#missing + 1;
    this.#newest = undefined;
  }

  /** Whether the last request that finished is in the log. */
  get hasLast() {
    return this.#missing === 0;
  }

  /** A request that is not there may have been cleared, but then the next one is there. */
  get isOn() {
    return this.#missing < 2;
  }
}
