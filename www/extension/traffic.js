// Collects the inspected page's traffic with Gateways and Studios. Sends no requests and does not modify the page; the collected
// traffic stays in the developer tools. Only separates this traffic from other traffic; the core derives the runs.
import { Buffer } from "./buffer.js";
import { callDevTools } from "./developer-tools.js";
import { addressHash, isEventStream, isHiddenSocket, messagesOf, pagesOf, parseEventStream, referrerHash } from "./har.js";
import { Pages, Recording } from "./pages.js";
import { redactUrl } from "./redact.js";
import { exceededLimit, responseEntries } from "./responses.js";
import { POLL_MS, Schedule } from "./schedule.js";
import { Servers } from "./servers.js";
import { Streams } from "./streams.js";

/** The pause after a poll while no socket or event stream is open, in milliseconds. The budget may lengthen it. */
const IDLE_POLL_MS = 1500;
/**
 * The pause after a poll while the panel is not on screen and the page has exchanged nothing with a Gateway or Studio, in milliseconds.
 * Nothing is lost: a finished response causes a poll, and the log keeps the messages of sockets and event streams.
 */
const UNUSED_POLL_MS = 15_000;
/** The longest pause that the budget demands while the panel is on screen, in milliseconds. */
const MAX_PAUSE_MS = 2000;
/** The pause after a failed poll, in milliseconds. */
const FAILURE_PAUSE_MS = 15_000;
/** The maximum wait for an announced page to appear in the log, in milliseconds. */
const MAX_PAGE_WAIT_MS = 2000;

const reportResponse = (error) => console.error("Runstate cannot read a response:", error);

/** Collects the traffic, and delivers it to its subscribers. */
export class Collector {
  #network;
  #now;
  #startedAt;
  #listeners = new Set();
  /** The entries collected since the last delivery. */
  #pending = [];
  /** The delivered entries, for a panel that is opened later. */
  #buffer = new Buffer();
  /** The entry of the last poll, unless nobody needed it. */
  #lastPoll;
  /** Whether the panel is on screen. */
  #isShown = false;
  #servers = new Servers((url) => this.#pending.push({ kind: "unread-server", at: this.#now(), url: redactUrl(url) }));
  #streams;
  #schedule;
  /** The number of finished requests since the page was loaded. */
  #requests = 0;
  #pages = new Pages();
  #recording = new Recording();
  /** The keys of the pages that requested the responses. */
  #referrers = new WeakMap();
  /** Earlier entries belong to the previous page and are discarded, as are its later requests. */
  #discardBefore = -Infinity;
  #discardsPrevious = false;
  /** The navigation announced by the developer tools. */
  #navigation;
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
    this.#streams = new Streams(this.#servers, now, (...entries) => this.#pending.push(...entries));
    this.#schedule = new Schedule(
      now,
      (begin) => this.#poll(begin),
      () => (this.#isShown ? MAX_PAUSE_MS : Infinity),
    );
    network.onRequestFinished.addListener((request) => this.#finishRequest(request));
    network.onNavigated.addListener((url) => {
      this.#navigation = { at: this.#now(), url: redactUrl(url), hash: addressHash(url) };
      // The log of the previous page may have been large; that of the new page is small.
      this.#schedule.restart();
    });
    this.#schedule.request();
  }

  /**
   * Calls `listener` with all kept entries, then with new ones after each poll. Returns a function that unsubscribes. The developer
   * tools load the panel, which subscribes, when it is shown for the first time.
   */
  subscribe(listener) {
    this.show();
    listener([...this.#buffer.content, ...(this.#lastPoll ? [this.#lastPoll] : [])]);
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Polls often from now on, because the panel is on screen. */
  show() {
    this.#isShown = true;
    this.#schedule.request();
  }

  /** Polls less often, unless the page exchanges something with a Gateway or Studio. */
  hide() {
    this.#isShown = false;
  }

  /** Discards the kept entries. */
  clear() {
    this.#buffer.clear();
  }

  /** Reads the messages of open streams, and delivers them in order of time with the responses whose bodies have arrived. */
  poll() {
    return this.#schedule.run();
  }

  async #poll(begin) {
    try {
      const navigation = this.#navigation;
      const har = await callDevTools((done) => this.#network.getHAR(done));
      // The developer tools write the log. Waiting for it is no work of the collector, however busy the machine is.
      const received = this.#now();
      const nextMs = await this.#readLog(har, navigation, begin, received);
      return { nextMs, cost: this.#now() - received };
    } catch (error) {
      console.error("Runstate cannot read the traffic:", error);
      this.#reportFailure();
      return { nextMs: FAILURE_PAUSE_MS, cost: 0 };
    }
  }

  /** Reads the log that was requested at `begin` and received at `received`. Returns the time until the next poll. */
  async #readLog(har, navigation, begin, received) {
    const log = { entries: har.entries, pages: pagesOf(har) };
    if (navigation && begin - navigation.at < MAX_PAGE_WAIT_MS && this.#pages.lacks(log, navigation)) return POLL_MS;
    if (this.#pages.isChanging(log, begin)) return POLL_MS;
    // Entries since then may belong to the new page.
    if (this.#navigation !== navigation) return POLL_MS;
    this.#recording.check(log);
    const navigated = this.#pages.next(log, navigation, this.#recording.hasLast);
    this.#navigation = undefined;
    if (navigated) this.#recording.navigate();
    if (navigated) this.#navigate({ ...navigated, kept: navigated.kept || this.preserve });
    await this.#streams.read(log.entries);
    const entries = this.#keepPending();
    const nextMs = Math.max(this.#schedule.pause(this.#now() - received), this.#pause());
    // What the log shows is as old as the request for it.
    this.#lastPoll = this.#isUnused ? undefined : this.#pollEntry(log.entries, { at: begin, readMs: this.#now() - begin, nextMs });
    this.#deliver(this.#lastPoll ? [...entries, this.#lastPoll] : entries);
    return nextMs;
  }

  /** Whether the panel is not on screen, and has nothing to show of this page. */
  get #isUnused() {
    return !this.#isShown && !this.#buffer.hasMessages && !this.#streams.open.some(({ isRelevant }) => isRelevant);
  }

  /** The pause after a poll, in milliseconds. The budget may lengthen it. */
  #pause() {
    if (this.#isUnused) return UNUSED_POLL_MS;
    return this.#streams.open.length > 0 ? POLL_MS : IDLE_POLL_MS;
  }

  /** Holds collected entries until the next poll, which shows to which page they belong. */
  #reportFailure() {
    this.#lastPoll = { kind: "failed-poll", at: this.#now(), nextMs: FAILURE_PAUSE_MS };
    this.#deliver([this.#lastPoll]);
  }

  #pollEntry(entries, times) {
    const followed = this.#streams.open.filter(({ isRelevant, isTruncated }) => isRelevant && !isTruncated);
    return {
      kind: "poll",
      ...times,
      logEntries: entries.length,
      logBytes: entries.reduce((sum, { response }) => sum + Math.max(response?.content?.size ?? 0, 0), 0),
      startedAt: this.#startedAt,
      requests: this.#requests,
      ...this.#streams.counts,
      sawPageLoad: this.#pages.sawLoad,
      recording: this.#recording.isOn,
      openStreams: followed.map(({ name }) => name),
      hiddenSockets: [...new Set(entries.filter(isHiddenSocket).map(({ request }) => redactUrl(request.url)))],
    };
  }

  #finishRequest(request) {
    // Firefox reports a socket when it is opened.
    if (isHiddenSocket(request)) return;
    this.#requests += 1;
    this.#recording.finish(request);
    const messages = messagesOf(request);
    if (messages) return void this.#endStream(request, messages).catch(reportResponse);
    if (!/^https?:/.test(request.request.url) || !/json|event-stream/i.test(request.response?.content?.mimeType ?? "")) return;
    const body = callDevTools((done) => request.getContent(done)).catch(() => undefined);
    const read = body.then((content) =>
      this.#schedule.payFor(() => this.#readBody(request, Array.isArray(content) ? content[0] : content)),
    );
    read.catch(reportResponse);
  }

  async #readBody(request, text) {
    const messages = typeof text === "string" && isEventStream(request) ? parseEventStream(text) : [];
    const isTruncated = exceededLimit(request.response, text) !== undefined;
    if (messages.length > 0) return this.#endStream(request, messages, isTruncated);
    const entries = await responseEntries(request, text, this.#servers);
    if (entries.length === 0) return;
    for (const entry of entries) this.#referrers.set(entry, referrerHash(request));
    this.#pending.push(...entries);
    // Until the next poll, a response may belong to the page before the navigation.
    if (!this.#navigation) this.#deliver(this.#keepPending());
    this.#schedule.request();
  }

  async #endStream(entry, messages, isTruncated) {
    await this.#streams.end(entry, messages, isTruncated);
    this.#schedule.request();
  }

  #navigate(navigated) {
    this.#streams.navigate(navigated.at);
    this.#requests = 0;
    this.#discardsPrevious = !navigated.kept;
    this.#pending.push(navigated);
    if (navigated.kept) return;
    this.#servers.navigate();
    this.#discardBefore = navigated.at;
    // Entries of the new page may have been delivered before the page was known.
    this.#pending.push(...this.#buffer.since(navigated.at));
    this.#buffer.clear();
  }

  /** Moves the collected entries to the kept ones, without those of the previous page, and returns them. */
  #keepPending() {
    // A page continues to send requests until the next one runs.
    const isOfPrevious = (entry) => this.#discardsPrevious && this.#pages.isPrevious(this.#referrers.get(entry));
    const isDiscarded = (entry) => entry.at < this.#discardBefore || isOfPrevious(entry);
    const entries = this.#pending.filter((entry) => !isDiscarded(entry)).sort((a, b) => a.at - b.at);
    this.#pending = [];
    this.#buffer.add(entries);
    return entries;
  }

  #deliver(entries) {
    for (const listener of this.#listeners) listener(entries);
  }
}
