// Keeps the delivered entries for a panel that is opened later.

/** The maximum size of the kept entries, in characters. */
const MAX_BUFFER = 32 * 2 ** 20;
/** The maximum size of the entries that are posted together, in characters: 1 MB of most texts. */
const MAX_SLICE = 2 ** 20;

export class Buffer {
  #entries = [];
  #size = 0;
  #dropped = 0;

  /** The kept entries, after one with the number of dropped messages, if there are any. */
  get content() {
    const dropped = this.#dropped > 0 ? [{ kind: "dropped", count: this.#dropped }] : [];
    return [...dropped, ...this.#entries];
  }

  /** Whether anything that a server or the page said is kept. */
  get hasMessages() {
    return this.#entries.some(isMessage);
  }

  /** The kept entries since a time. */
  since(time) {
    return this.#entries.filter(({ at }) => at >= time);
  }

  /** Adds entries; drops and counts the oldest ones over the limit. */
  add(entries) {
    for (const entry of entries) {
      this.#entries.push(entry);
      this.#size += sizeOf(entry);
    }
    if (this.#size > MAX_BUFFER) this.#dropOldest();
  }

  clear() {
    this.#entries = [];
    this.#size = 0;
    this.#dropped = 0;
  }

  #dropOldest() {
    let count = 0;
    while (this.#size > MAX_BUFFER * 0.9) {
      this.#size -= sizeOf(this.#entries[count]);
      count += 1;
    }
    this.#dropped += this.#entries.splice(0, count).filter(isMessage).length;
  }
}

/**
 * Divides entries into slices that are posted one by one, because a message is copied at once and its receiver does nothing else in the
 * meantime. A larger entry has a slice of its own; no entries are one empty slice.
 */
export function slicesOf(entries) {
  const slices = [[]];
  let size = 0;
  for (const entry of entries) {
    size += sizeOf(entry);
    if (size > MAX_SLICE && slices.at(-1).length > 0) {
      slices.push([]);
      size = sizeOf(entry);
    }
    slices.at(-1).push(entry);
  }
  return slices;
}

/** What a server or the page said in an entry; other entries are about the log or the page. */
const contentOf = ({ body, text, data }) => body ?? text ?? data;
const isMessage = (entry) => contentOf(entry) !== undefined;

/** The approximate size of an entry, in characters. */
const sizeOf = (entry) => 200 + (contentOf(entry) ?? "").length;
