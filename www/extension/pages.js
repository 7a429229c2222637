// Tracks the page in the inspected tab: when it is reloaded, and when the tab navigates. A `log` has `entries`, and `pages` as
// `pagesOf` returns them.
import { addressHash, firstByteAt, hasType, keyOf } from "./har.js";
import { redactUrl } from "./redact.js";

/** The time within which Chromium empties its log once it contains the new page, in milliseconds. */
const MAX_CHANGE_MS = 500;

export class Pages {
  /** The page's key and the hash of its address, and the hash of the previous page's address, whose last responses may still arrive. */
  #page;
  #previousHash;
  #firstEntry;
  /** Since when the log has contained a new page together with the previous one. */
  #changingSince;
  /** Whether the page was loaded while the developer tools were open. */
  sawLoad = false;

  /** Whether a request with this `Referer` is from the previous page. */
  isPrevious(referrer) {
    return this.#previousHash !== undefined && referrer === this.#previousHash;
  }

  /** Whether the log does not contain the announced page yet: Firefox announces a page before logging it. */
  lacks(log, event) {
    const page = announcedPage(log, event);
    return !page || (!hasType(page.entry) && page.key === this.#page?.key);
  }

  /** Whether the log contains a new page and may still be emptied: only later do older entries mean that it is preserved. */
  isChanging(log, now) {
    const page = log.pages.at(-1);
    const isNew = page && hasType(page.entry) && page.key !== this.#page?.key;
    this.#changingSince = isNew && this.#isKept(log, page) ? (this.#changingSince ?? now) : undefined;
    return this.#changingSince !== undefined && now - this.#changingSince < MAX_CHANGE_MS;
  }

  /**
   * Returns the navigation since the last call: announced by `event`, or found as another page in the log, which a poll may read
   * before the event arrives. `isRecording`: whether the log contains the page's requests.
   */
  next(log, event, isRecording) {
    const navigation = event ? this.#announced(log, event, isRecording) : this.#found(log);
    this.#firstEntry = log.entries[0] && keyOf(log.entries[0]);
    this.sawLoad ||= this.#page !== undefined;
    return navigation;
  }

  #announced(log, event, isRecording) {
    let page = announcedPage(log, event);
    if (page && hasType(page.entry) && page.key === this.#page?.key) {
      // It was found in the log before the event arrived.
      if (isRecording) return undefined;
      // It is the previous page, which had the same address.
      page = undefined;
    }
    const isKept = page ? this.#isKept(log, page) : isRecording && this.#findFirstEntry(log) !== undefined;
    return this.#goTo(page, event, isKept);
  }

  #found(log) {
    const page = log.pages.at(-1);
    // An entry without a type can be any HTML that the page has requested.
    if (!page || !hasType(page.entry) || page.key === this.#page?.key) return undefined;
    const isFirst = this.#firstEntry === undefined;
    const navigation = this.#goTo(page, undefined, this.#isKept(log, page));
    return isFirst ? undefined : navigation;
  }

  /**
   * The developer tools empty their log when the page navigates, unless it is preserved. The page's own request is in the log before
   * the page.
   */
  #isKept(log, page) {
    const [first] = log.pages;
    if (first.key !== page.key) return true;
    const firstEntry = this.#findFirstEntry(log);
    return hasType(page.entry) && firstEntry !== undefined && firstEntry.pageref !== page.entry.pageref;
  }

  /** The first entry of the log before, if it is still there. */
  #findFirstEntry({ entries }) {
    return this.#firstEntry === undefined ? undefined : entries.find((entry) => keyOf(entry) === this.#firstEntry);
  }

  #goTo(page, event, isKept) {
    const previous = this.#page;
    // A log without the page may still contain the previous one.
    this.#page = { key: page ? page.key : previous?.key, hash: page ? addressHash(page.entry.request.url) : event.hash };
    this.#previousHash = previous?.hash !== this.#page.hash ? previous?.hash : undefined;
    // The previous page sends nothing after the first byte of the new one; the event arrives later.
    const at = Math.min(event?.at ?? Infinity, page ? firstByteAt(page.entry) : Infinity);
    return { kind: "navigated", at, url: event?.url ?? redactUrl(page.entry.request.url), kept: isKept };
  }
}

const announcedPage = ({ pages }, { url }) => pages.findLast(({ entry }) => redactUrl(entry.request.url) === url);

/** Detects whether the network log is recorded: recording can be switched off. Firefox does not report it. */
export class Recording {
  #newest;
  #missing = 0;
  #missingBefore = 0;

  /** Records a finished request. */
  finish(request) {
    if (hasType(request)) this.#newest = { key: keyOf(request), startedDateTime: request.startedDateTime };
  }

  /** Looks for the newest finished request in the log. */
  check({ entries }) {
    if (!this.#newest) return;
    const { key, startedDateTime } = this.#newest;
    const isThere = entries.some((entry) => entry.startedDateTime === startedDateTime && keyOf(entry) === key);
    this.#missingBefore = this.#missing;
    this.#missing = isThere ? 0 : this.#missing + 1;
    this.#newest = undefined;
  }

  /** The page has navigated, which clears the log: requests of several pages that are reloaded quickly are missing one after another. */
  navigate() {
    if (this.#missingBefore < 2) this.#missing = Math.min(this.#missing, 1);
  }

  /** Whether the log contains the last finished request. */
  get hasLast() {
    return this.#missing === 0;
  }

  /** Whether the log is recorded. One missing request may have been cleared; then the next one is in the log. */
  get isOn() {
    return this.#missing < 2;
  }
}
