// Reads the sockets and event streams in the log, and makes entries of their new messages and of their ends.
import { streamRedactor } from "./core.js";
import {
  MAX_IN_FIREFOX_MB,
  isEventStream,
  isHiddenSocket,
  isServiceWorkers,
  isSocket,
  isTruncatedStream,
  messagesOf,
  streamKey,
} from "./har.js";
import { redactRequest, redactUrl } from "./redact.js";

/** A stream is ignored if this many first messages are not from a Gateway or Studio. */
const MAX_UNKNOWN_MESSAGES = 20;

const none = () => ({ sockets: 0, eventStreams: 0, hiddenSocketCount: 0 });

export class Streams {
  #servers;
  #now;
  #add;
  /** Sockets and event streams by their keys. */
  #streams = new Map();
  #streamCount = 0;
  /** Whether Firefox has a higher limit for the text of a response than by default. */
  #isLimitHigher = false;
  /** The numbers of sockets and event streams of the page. */
  counts = none();

  /**
   * @param {import("./servers.js").Servers} servers
   * @param {() => number} now Returns the time in milliseconds.
   * @param {(...entries: object[]) => void} add Receives the entries.
   */
  constructor(servers, now, add) {
    this.#servers = servers;
    this.#now = now;
    this.#add = add;
  }

  /** The streams that have not ended and may be from a Gateway or Studio. */
  get open() {
    return [...this.#streams.values()].filter((stream) => !stream.ended && stream.isRelevant !== false);
  }

  /** Reads all streams in the log. */
  async read(entries) {
    const hidden = entries.filter(isHiddenSocket);
    const sockets = entries.filter((entry) => isSocket(entry) && !isHiddenSocket(entry));
    const eventStreams = entries.filter((entry) => !isSocket(entry) && isEventStream(entry));
    this.#count({ sockets: sockets.length, eventStreams: eventStreams.length, hiddenSocketCount: hidden.length });
    const all = [...sockets, ...eventStreams];
    if (all.length > 0) await this.#servers.load();
    const found = all.map((entry) => this.#find(entry, () => messagesOf(entry))).filter(Boolean);
    for (const { entry, stream, messages } of found) if (stream.isRelevant) this.#readStream(entry, stream, messages);
    const present = new Set(found.map(({ stream }) => stream));
    for (const [key, stream] of this.#streams) {
      if (present.has(stream)) continue;
      if (stream.ended) this.#streams.delete(key);
      else this.#endCleared(stream);
    }
  }

  /** Reads a stream that has ended. */
  async end(entry, messages, isTruncated = false) {
    await this.#servers.load();
    const found = this.#find(entry, () => messages);
    if (!found) return;
    const { stream } = found;
    if (stream.isRelevant) this.#readStream(entry, stream, messages, isTruncated);
    stream.ended = true;
    if (stream.isRelevant) this.#add({ kind: "end", at: this.#now(), stream: stream.name, cause: "closed" });
  }

  /** Starts to count anew when the page has navigated, which ends earlier streams. */
  navigate(at) {
    for (const stream of this.#streams.values()) stream.ended ||= stream.started < at;
    this.counts = none();
  }

  /** The counts are those of all streams since the page was loaded: a log that was cleared has fewer. */
  #count(counts) {
    for (const [name, count] of Object.entries(counts)) this.counts[name] = Math.max(this.counts[name], count);
  }

  /** The stream of an entry, with its messages; `undefined` if it has none, or cannot be read: it must not hide the others. */
  #find(entry, read) {
    try {
      const messages = read();
      if (!messages) return undefined;
      const stream = this.#streamOf(entry, messages);
      stream.isRelevant ??= this.#isRelevant(entry, messages);
      return { entry, stream, messages };
    } catch (error) {
      console.error("Runstate cannot read a stream:", error);
      return undefined;
    }
  }

  /** Adds the new messages of a stream. */
  #readStream(entry, stream, messages, isTruncated = false) {
    const url = redactUrl(entry.request.url);
    stream.redact ??= streamRedactor();
    const sender = { name: stream.name, url, isServiceWorker: isServiceWorkers(entry), redact: stream.redact };
    const toEntry = isSocket(entry) ? frameEntry : messageEntry;
    const added = messages.slice(stream.count);
    for (const message of added) this.#add(...readable(() => toEntry(sender, message, this.#now()), this.#now()));
    stream.count = messages.length;
    if (!stream.isTruncated) {
      if (isTruncated || (!this.#isLimitHigher && isTruncatedStream(entry))) this.#truncate(stream, url);
    } else if (added.length > 0) {
      // The person has raised the limit: the stream goes on.
      this.#isLimitHigher = true;
      stream.isTruncated = false;
    }
  }

  #streamOf(entry, messages) {
    const key = streamKey(entry, messages);
    let stream = this.#streams.get(key);
    if (!stream) {
      this.#streamCount += 1;
      stream = { name: `stream-${this.#streamCount}`, count: 0, started: Date.parse(entry.startedDateTime) };
      this.#streams.set(key, stream);
    }
    return stream;
  }

  /** Reports once that a stream delivers nothing more, although it may be open. */
  #truncate(stream, url) {
    stream.isTruncated = true;
    const at = this.#now();
    this.#add({ kind: "too-large", at, url, limitMb: MAX_IN_FIREFOX_MB }, { kind: "end", at, stream: stream.name, cause: "truncated" });
  }

  /** Whether a stream is from a Gateway or Studio; `undefined` while unknown. */
  #isRelevant(entry, messages) {
    const { request } = entry;
    if (!isSocket(entry)) {
      if (!this.#servers.mayBeStudio(request)) return false;
      const first = messages.slice(0, MAX_UNKNOWN_MESSAGES);
      if (first.some(({ data }) => this.#servers.hasSentMessage(request, data))) return true;
      return messages.length > MAX_UNKNOWN_MESSAGES ? false : undefined;
    }
    const received = messages.filter(({ type }) => type === "receive");
    if (received.some(({ data, opcode }) => opcode === 1 && this.#servers.hasSentFrame(request, data))) return true;
    return received.length > MAX_UNKNOWN_MESSAGES ? false : undefined;
  }

  /** Ends a stream that the log no longer contains, although it had not ended. */
  #endCleared(stream) {
    stream.ended = true;
    if (!stream.isRelevant) return;
    const at = this.#now();
    this.#add({ kind: "end", at, stream: stream.name, cause: "cleared" }, { kind: "cleared", at });
  }
}

/** The entries of a message, or one that counts it if it cannot be read. */
function readable(read, at) {
  try {
    return read();
  } catch (error) {
    console.error("Runstate cannot read a message:", error);
    return [{ kind: "unreadable", at }];
  }
}

/** A text frame of a socket. */
function frameEntry({ name: socket, url, redact }, { type, time, opcode, data }) {
  if (opcode !== 1) return [];
  const sent = type === "send";
  const text = sent ? redactRequest(data) : redact(data);
  return text === undefined ? [] : [{ kind: "frame", at: time * 1000, socket, url, sent, text }];
}

/** A message of an event stream. */
function messageEntry({ name: stream, url, isServiceWorker, redact }, { time, eventName, data }, now) {
  const at = time === undefined ? now : time * 1000;
  const message = { kind: "message", at, stream, url, event: eventName ?? "", data: redact(data) };
  return [isServiceWorker ? { ...message, serviceWorker: true } : message];
}
