// The source that the attributes and properties of <runstate-panel> name: content, the address of a document, or a Gateway with a run
// and a token.

export class Source {
  #element;
  /** The token with its Gateway: the one named when the token was set, else the next one. `{value, gateway}` */
  #token;
  /** The last source that `takeChange` returned, as a list. */
  #taken;
  #isScheduled = false;
  /** The content, which precedes the address and the Gateway. */
  content;

  /** @param {HTMLElement & { src: string | null, gateway: string | null, run: string | null }} element */
  constructor(element) {
    this.#element = element;
  }

  /** Sets the token; it is kept only in memory. */
  setToken(token) {
    this.#token = token === undefined || token === null ? undefined : { value: token };
  }

  /** The token, if it belongs to the Gateway of the attribute; otherwise it is dropped. */
  ownToken() {
    const { gateway } = this.#element;
    if (!this.#token || !gateway) return undefined;
    this.#token.gateway ??= gateway;
    if (this.#token.gateway !== gateway) this.#token = undefined;
    return this.#token?.value;
  }

  /** Calls `handle` once for all attributes and properties that are set together. */
  schedule(handle) {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    queueMicrotask(() => {
      this.#isScheduled = false;
      // Also before the panel has started: a token of one Gateway is never sent to the next.
      this.ownToken();
      handle();
    });
  }

  /** Whether the source has changed since the last call, and whether there was one before. */
  takeChange() {
    const source = this.#current();
    const previous = this.#taken;
    this.#taken = source;
    const hasChanged = previous?.length !== source.length || source.some((value, index) => value !== previous[index]);
    return { hasChanged, hadSource: previous?.some((value) => value !== undefined && value !== null) ?? false };
  }

  #current() {
    const { src, gateway, run } = this.#element;
    if (this.content !== undefined) return [this.content];
    if (src) return ["src", src];
    return [undefined, gateway, run, this.ownToken()];
  }

  /** Forgets what was taken, so that the next panel opens the source again. */
  reset() {
    this.#taken = undefined;
  }
}
