// Keeps the delivered entries for a panel that is opened later.

/** The maximum size of the kept entries, in characters. */
const MAX_BUFFER = 32 * 2 ** 20;

export class Buffer {
  #entries = [];
  #size = 0;
  #dropped = 0;

  /** The kept entries, after one with the number of dropped messages, if there are any. */
  get content() {
    const dropped = this.#dropped > 0 ? [{ kind: "dropped", count: this.#dropped }] : [];
    return [...dropped, ...this.#entries];
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

/** What a server or the page said in an entry; other entries are about the log or the page. */
const contentOf = ({ body, text, data }) => body ?? text ?? data;
const isMessage = (entry) => contentOf(entry) !== undefined;

/** The approximate size of an entry, in characters. */
const sizeOf = (entry) => 200 + (contentOf(entry) ?? "").length;
