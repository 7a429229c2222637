// Collects the inspected page's traffic with Gateways and Studios. Sends no requests and does not modify the page; the collected
// traffic stays in the developer tools. Only separates this traffic from other traffic; the core derives the runs.
import { Budget } from "./budget.js";
import {
  MAX_IN_FIREFOX_MB,
  addressHash,
  isEventStream,
  isHiddenSocket,
  isSocket,
  isTruncatedStream,
  messagesOf,
  pagesOf,
  parseEventStream,
  referrerHash,
  streamKey,
} from "./har.js";
import { Pages, Recording } from "./pages.js";
import { redactResponse } from "./redact-response.js";
import { redactRequest, redactUrl } from "./redact.js";
import { Servers } from "./servers.js";

/** The maximum size of the entries kept for a panel that is opened later, in characters. */
const MAX_BUFFER = 32 * 2 ** 20;
/** A response of at least this size without a body was larger than Chromium's limit. */
const MIN_TOO_LARGE = 15 * 2 ** 20;
/** The maximum size of the responses that extensions receive in Chromium, in MB. */
const MAX_IN_CHROMIUM_MB = 20;
/** The pause after a poll, in milliseconds: while a socket or event stream is open, and while none is. The budget may lengthen it. */
const POLL_MS = 250;
const IDLE_POLL_MS = 1500;
/** The maximum cost of a failed poll, in milliseconds, because it has mostly waited. The next one follows after about a minute. */
const MAX_FAILURE_COST_MS = 2000;
/** The maximum wait for an announced page to appear in the log, and for a reply of the developer tools, in milliseconds. */
const MAX_PAGE_WAIT_MS = 2000;
const MAX_REPLY_WAIT_MS = 5000;
/** A socket is ignored if this many first messages are not from a Gateway. */
const MAX_UNKNOWN_MESSAGES = 20;

/** Collects the traffic, and delivers it to its subscribers. */
export class Collector {
  #network;
  #now;
  #startedAt;
  #listeners = new Set();
  /** The entries collected since the last poll. */
  #pending = [];
  /** The delivered entries, for a panel that is opened later. */
  #buffer = [];
  #bufferSize = 0;
  #dropped = 0;
  #lastPoll;
  #servers = new Servers();
  /** Sockets and event streams by their keys. */
  #streams = new Map();
  #streamCount = 0;
  /** Whether Firefox has a higher limit for the text of a response than by default. */
  #isLimitHigher = false;
  // The page's activity since it was loaded.
  #requests = 0;
  #counts = { sockets: 0, eventStreams: 0, hiddenSocketCount: 0 };
  #pages = new Pages();
  #recording = new Recording();
  /** The keys of the pages that requested the responses. */
  #referrers = new WeakMap();
  /** Earlier entries belong to the previous page and are discarded, as are its later requests. */
  #discardBefore = -Infinity;
  #discardsPrevious = false;
  /** The navigation announced by the developer tools. */
  #navigation;
  // The schedule of polls.
  #timer;
  #pausedUntil = -Infinity;
  #budget;
  #isPolling = false;
  #isUrgent = false;
  /** Whether collected entries are kept when the page is reloaded or navigates. */
  preserve = false;

  /**
   * @param {any} network `chrome.devtools.network`
   * @param {() => number} [now] The wall clock in milliseconds.
   */
  constructor(network, now = () => performance.timeOrigin + performance.now()) {
    this.#network = network;
    this.#now = now;
    this.#startedAt = now();
    this.#budget = new Budget(now);
    network.onRequestFinished.addListener((request) => this.#finishRequest(request));
    network.onNavigated.addListener((url) => {
      this.#navigation = { at: this.#now(), url: redactUrl(url), hash: addressHash(url) };
      this.#schedule(0);
    });
    this.#schedule(0);
  }

  /** Calls `listener` with all kept entries, then with the entries of each poll. Returns a function that unsubscribes. */
  subscribe(listener) {
    const dropped = this.#dropped > 0 ? [{ kind: "dropped", count: this.#dropped }] : [];
    listener([...dropped, ...this.#buffer, ...(this.#lastPoll ? [this.#lastPoll] : [])]);
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Discards the kept entries. */
  clear() {
    this.#buffer = [];
    this.#bufferSize = 0;
    this.#dropped = 0;
  }

  /** Reads the messages of open streams, and delivers them in order of time with the responses whose bodies have arrived. */
  async poll() {
    if (this.#isPolling) return;
    clearTimeout(this.#timer?.id);
    this.#timer = undefined;
    this.#isPolling = true;
    this.#isUrgent = false;
    const begin = this.#now();
    let next = IDLE_POLL_MS;
    let maxCost = Infinity;
    try {
      next = await this.#pollOnce(begin);
    } catch (error) {
      console.error("Runstate cannot read the traffic:", error);
      maxCost = MAX_FAILURE_COST_MS;
    }
    this.#budget.pay(Math.min(this.#now() - begin, maxCost));
    if (maxCost < Infinity) this.#reportFailure();
    this.#pausedUntil = this.#now() + this.#pause();
    this.#isPolling = false;
    this.#schedule(this.#isUrgent ? 0 : next);
  }

  async #pollOnce(begin) {
    const navigation = this.#navigation;
    const har = await callDevTools((done) => this.#network.getHAR(done));
    const log = { entries: har.entries, pages: pagesOf(har) };
    if (navigation && begin - navigation.at < MAX_PAGE_WAIT_MS && this.#pages.lacks(log, navigation)) return POLL_MS;
    if (this.#pages.isChanging(log, begin)) return POLL_MS;
    // Entries since then may belong to the new page.
    if (this.#navigation !== navigation) return POLL_MS;
    const at = this.#now();
    this.#recording.check(log);
    const navigated = this.#pages.next(log, navigation, this.#recording.hasLast);
    this.#navigation = undefined;
    if (navigated) this.#navigate({ ...navigated, kept: navigated.kept || this.preserve });
    this.#readStreams(log.entries);
    const open = [...this.#streams.values()].filter((stream) => !stream.ended && stream.isRelevant !== false);
    const pause = this.#pause(this.#now() - begin);
    const nextMs = open.length > 0 ? pause : Math.max(pause, IDLE_POLL_MS);
    this.#deliver(this.#pollEntry(log.entries, open, at, nextMs));
    return nextMs;
  }

  /** Holds collected entries until the next poll, which shows to which page they belong. */
  #reportFailure() {
    this.#lastPoll = { kind: "failed-poll", at: this.#now(), nextMs: Math.max(this.#pause(), IDLE_POLL_MS) };
    for (const listener of this.#listeners) listener([this.#lastPoll]);
  }

  #pollEntry(entries, open, at, nextMs) {
    return {
      kind: "poll",
      at,
      nextMs,
      startedAt: this.#startedAt,
      requests: this.#requests,
      ...this.#counts,
      sawPageLoad: this.#pages.sawLoad,
      recording: this.#recording.isOn,
      openStreams: open.filter(({ isRelevant, isTruncated }) => isRelevant && !isTruncated).map(({ name }) => name),
      hiddenSockets: [...new Set(entries.filter(isHiddenSocket).map(({ request }) => redactUrl(request.url)))],
    };
  }

  /** The pause after a poll, of which `unpaid` milliseconds are not deducted yet. */
  #pause(unpaid = 0) {
    return Math.max(this.#budget.pauseAfter(unpaid), POLL_MS);
  }

  /** Schedules a poll after `delay`, unless an earlier one is scheduled, and never before the pause is over. */
  #schedule(delay) {
    this.#isUrgent ||= this.#isPolling && delay === 0;
    if (this.#isPolling) return;
    const at = Math.max(this.#now() + delay, this.#pausedUntil);
    if (this.#timer !== undefined && this.#timer.at <= at) return;
    clearTimeout(this.#timer?.id);
    this.#timer = { at, id: setTimeout(() => this.poll(), at - this.#now()) };
  }

  #finishRequest(request) {
    // Firefox reports a socket when it is opened.
    if (isHiddenSocket(request)) return;
    this.#requests += 1;
    this.#recording.finish(request);
    const { url } = request.request;
    const messages = messagesOf(request);
    if (messages) return this.#endStream(request, messages);
    if (!/^https?:/.test(url) || !/json|event-stream/i.test(request.response?.content?.mimeType ?? "")) return;
    const body = callDevTools((done) => request.getContent(done)).catch(() => undefined);
    const read = body.then((content) => this.#payFor(() => this.#readBody(request, Array.isArray(content) ? content[0] : content)));
    read.catch((error) => console.error("Runstate cannot read a response:", error));
  }

  /** Does work that cannot be postponed, and deducts it from the budget. */
  #payFor(work) {
    const begin = this.#now();
    work();
    this.#budget.payUrgent(this.#now() - begin);
  }

  #readBody(request, text) {
    const { response, startedDateTime, time } = request;
    const { url, method, postData } = request.request;
    const started = Date.parse(startedDateTime);
    const at = started + Math.max(time, 0);
    const limitMb = exceededLimit(response, text);
    const isStream = typeof text === "string" && isEventStream(request);
    const messages = isStream ? parseEventStream(text) : [];
    if (messages.length > 0) return this.#endStream(request, messages, limitMb !== undefined);
    if (limitMb !== undefined && this.#servers.mayHaveSentResponse(request.request)) {
      this.#pending.push({ kind: "too-large", at, url: redactUrl(url), limitMb });
    }
    if (typeof text === "string" && !isStream && this.#servers.hasSentResponse(request.request, response.status, text)) {
      const sent = postData?.text && redactRequest(postData.text);
      const { status } = response;
      const body = redactResponse(text);
      const entry = { kind: "answer", at, started, url: redactUrl(url), method, request: sent, status, body };
      this.#referrers.set(entry, referrerHash(request));
      this.#pending.push(entry);
    } else if (limitMb === undefined) {
      return;
    }
    this.#schedule(0);
  }

  #endStream(entry, messages, isTruncated = false) {
    const stream = this.#readStream(entry, messages, isTruncated);
    stream.ended = true;
    if (stream.isRelevant) this.#pending.push({ kind: "end", at: this.#now(), stream: stream.name, cause: "closed" });
    this.#schedule(0);
  }

  #readStreams(entries) {
    const hidden = entries.filter(isHiddenSocket);
    const sockets = entries.filter((entry) => isSocket(entry) && !isHiddenSocket(entry));
    const eventStreams = entries.filter((entry) => !isSocket(entry) && isEventStream(entry));
    this.#count({ sockets: sockets.length, eventStreams: eventStreams.length, hiddenSocketCount: hidden.length });
    const present = new Set();
    for (const entry of [...sockets, ...eventStreams]) {
      const messages = messagesOf(entry);
      if (messages) present.add(this.#readStream(entry, messages));
    }
    for (const [key, stream] of this.#streams) {
      if (present.has(stream)) continue;
      if (stream.ended) this.#streams.delete(key);
      else this.#endCleared(stream);
    }
  }

  /** Detects a cleared log: it has fewer messages than before. */
  #count(counts) {
    for (const [name, count] of Object.entries(counts)) this.#counts[name] = Math.max(this.#counts[name], count);
  }

  /** Adds the new messages of a stream, and reports once that the text of the stream is truncated. */
  #readStream(entry, messages, isTruncated = false) {
    const key = streamKey(entry, messages);
    let stream = this.#streams.get(key);
    if (!stream) {
      this.#streamCount += 1;
      stream = { name: `stream-${this.#streamCount}`, count: 0, started: Date.parse(entry.startedDateTime) };
      this.#streams.set(key, stream);
    }
    stream.isRelevant ??= this.#isRelevant(entry, messages);
    if (!stream.isRelevant) return stream;
    const url = redactUrl(entry.request.url);
    const toEntry = isSocket(entry) ? frameEntry : messageEntry;
    const added = messages.slice(stream.count);
    for (const message of added) this.#pending.push(...toEntry(stream.name, url, message, this.#now()));
    stream.count = messages.length;
    if (!stream.isTruncated) {
      if (isTruncated || (!this.#isLimitHigher && isTruncatedStream(entry))) this.#truncate(stream, url);
    } else if (added.length > 0) {
      // The person has raised the limit: the stream goes on.
      this.#isLimitHigher = true;
      stream.isTruncated = false;
    }
    return stream;
  }

  /** Reports that a stream delivers nothing more, although it may be open. */
  #truncate(stream, url) {
    stream.isTruncated = true;
    const at = this.#now();
    this.#pending.push(
      { kind: "too-large", at, url, limitMb: MAX_IN_FIREFOX_MB },
      { kind: "end", at, stream: stream.name, cause: "truncated" },
    );
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
    if (received.some(({ data, opcode }) => opcode === 1 && this.#servers.hasSentFrame(request.url, data))) return true;
    return received.length > MAX_UNKNOWN_MESSAGES ? false : undefined;
  }

  /** Ends a stream that the log no longer contains, although it had not ended. */
  #endCleared(stream) {
    stream.ended = true;
    if (!stream.isRelevant) return;
    const at = this.#now();
    this.#pending.push({ kind: "end", at, stream: stream.name, cause: "cleared" }, { kind: "cleared", at });
  }

  #navigate(navigated) {
    for (const stream of this.#streams.values()) stream.ended ||= stream.started < navigated.at;
    this.#requests = 0;
    this.#counts = { sockets: 0, eventStreams: 0, hiddenSocketCount: 0 };
    this.#discardsPrevious = !navigated.kept;
    if (!navigated.kept) {
      this.#discardBefore = navigated.at;
      this.clear();
    }
    this.#pending.push(navigated);
  }

  /** Delivers new entries and keeps them; drops and counts the oldest ones over the limit. */
  #deliver(poll) {
    // A page continues to send requests until the next one runs.
    const isOfPrevious = (entry) => this.#discardsPrevious && this.#pages.isPrevious(this.#referrers.get(entry));
    const isDiscarded = (entry) => entry.at < this.#discardBefore || isOfPrevious(entry);
    const entries = this.#pending.filter((entry) => !isDiscarded(entry)).sort((a, b) => a.at - b.at);
    this.#pending = [];
    this.#lastPoll = poll;
    for (const entry of entries) {
      this.#buffer.push(entry);
      this.#bufferSize += sizeOf(entry);
    }
    if (this.#bufferSize > MAX_BUFFER) this.#dropOldest();
    for (const listener of this.#listeners) listener([...entries, poll]);
  }

  #dropOldest() {
    let count = 0;
    while (this.#bufferSize > MAX_BUFFER * 0.9) {
      this.#bufferSize -= sizeOf(this.#buffer[count]);
      count += 1;
    }
    this.#dropped += this.#buffer.splice(0, count).filter(isMessage).length;
  }
}

/** Calls a function of the developer tools, which takes a callback in Chromium and may return a promise in Firefox. */
function callDevTools(call) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("the developer tools do not respond")), MAX_REPLY_WAIT_MS);
    const onReply = (value) => {
      clearTimeout(timer);
      // Firefox logs errors that were not read, such as that of a body whose page is gone.
      resolve(globalThis.chrome?.runtime?.lastError ? undefined : value);
    };
    call(onReply)?.then?.(onReply, reject);
  });
}

/**
 * The limit in MB that a response exceeds, so that its text is absent or not whole. Chromium has no text of it, Firefox only its
 * beginning, and NUL, which no JSON contains, in place of the rest.
 */
function exceededLimit({ content, bodySize }, text) {
  if (text?.endsWith?.("\0")) return MAX_IN_FIREFOX_MB;
  return typeof text !== "string" && Math.max(content.size, bodySize) > MIN_TOO_LARGE ? MAX_IN_CHROMIUM_MB : undefined;
}

/** What a server or the page said in an entry; other entries are about the log or the page. */
const contentOf = ({ body, text, data }) => body ?? text ?? data;
const isMessage = (entry) => contentOf(entry) !== undefined;

/** The approximate size of an entry, in characters. */
const sizeOf = (entry) => 200 + (contentOf(entry) ?? "").length;

/** A text frame of a socket. */
function frameEntry(socket, url, { type, time, opcode, data }) {
  if (opcode !== 1) return [];
  const sent = type === "send";
  const text = sent ? redactRequest(data) : redactResponse(data);
  return text === undefined ? [] : [{ kind: "frame", at: time * 1000, socket, url, sent, text }];
}

/** A message of an event stream. */
function messageEntry(stream, url, { time, eventName, data }, now) {
  const at = time === undefined ? now : time * 1000;
  return [{ kind: "message", at, stream, url, event: eventName ?? "", data: redactResponse(data) }];
}
