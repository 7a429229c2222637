// Reads the entries of the developer tools' HAR. Chromium adds the messages of sockets and event streams in fields of its own.
// Firefox has the text of an event stream so far, and no messages of sockets.

/**
 * The size, in MB, from which Firefox gives extensions only the beginning of a response, unless its preference
 * `devtools.netmonitor.responseBodyLimit` is higher.
 */
export const MAX_IN_FIREFOX_MB = 1;
const MAX_STREAM_BYTES = MAX_IN_FIREFOX_MB * 2 ** 20;

/** Whether the entry is a socket. */
export const isSocket = (entry) => /^wss?:/.test(entry.request.url);

/** Whether the entry is an event stream. */
export const isEventStream = (entry) =>
  entry._eventSourceMessages !== undefined || /event-stream/i.test(entry.response?.content?.mimeType ?? "");

/** Whether the entry is a socket whose messages are not available to extensions. */
export const isHiddenSocket = (entry) => isSocket(entry) && entry._webSocketMessages === undefined;

/**
 * The messages of a socket or an event stream; `undefined` while there are none, and for all other entries. `time` is in
 * seconds; Firefox has no times of event stream messages.
 */
export function messagesOf(entry) {
  const messages = entry._webSocketMessages ?? entry._eventSourceMessages ?? eventStreamMessages(entry);
  return messages.length > 0 ? messages : undefined;
}

/** The messages in the text of an event stream; none for other entries. */
const eventStreamMessages = (entry) => (isEventStream(entry) ? parseEventStream(entry.response.content.text ?? "") : []);

/** Whether the text of an event stream in Firefox has reached the limit, so that later messages are lost. */
export function isTruncatedStream(entry) {
  if (entry._eventSourceMessages || !isEventStream(entry)) return false;
  const text = entry.response.content.text ?? "";
  // A unit of the text has at most three bytes.
  return text.length * 3 >= MAX_STREAM_BYTES && new TextEncoder().encode(text).length >= MAX_STREAM_BYTES;
}

/** The messages in the text of an event stream; a message without the empty line at its end is incomplete. */
export function parseEventStream(text) {
  const blocks = text
    .replace(/^\uFEFF/, "")
    .replace(/\r\n?/g, "\n")
    .split("\n\n")
    .slice(0, -1);
  return blocks.flatMap((block) => {
    const fields = block.split("\n").map((line) => /^(\w+)(?:: ?(.*))?$/.exec(line) ?? []);
    const values = (wanted) => fields.filter(([, name]) => name === wanted).map(([, , value = ""]) => value);
    const data = values("data");
    return data.length > 0 ? [{ eventName: values("event").at(-1) ?? "", data: data.join("\n") }] : [];
  });
}

/** The cyrb53 hash of a text. Entry keys are hashed because they may contain secrets. */
export function hashOf(text) {
  let low = 0xdeadbeef;
  let high = 0x41c6ce57;
  for (let i = 0; i < text.length; i++) {
    low = Math.imul(low ^ text.charCodeAt(i), 2654435761);
    high = Math.imul(high ^ text.charCodeAt(i), 1597334677);
  }
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  return 2 ** 32 * (high & 0x1fffff) + (low >>> 0);
}

/** Whether a service worker of the page gave the response in place of the server at its address. Firefox does not say it. */
export const isServiceWorkers = ({ response }) => response?._fetchedViaServiceWorker === true;

/** Identifies an entry. */
export const keyOf = (entry) => hashOf(`${entry.request.url} ${entry.startedDateTime}`);

/** Identifies a stream. Two sockets may be opened in the same millisecond, but their first messages have different times. */
export const streamKey = (entry, messages) => hashOf(`${entry.request.url} ${entry.startedDateTime} ${messages[0].time}`);

/** Whether the entry has its type; Firefox's entries have none. */
export const hasType = (entry) => entry._resourceType !== undefined;
const isHtml = (entry) => !hasType(entry) && /html/i.test(entry.response?.content?.mimeType ?? "");
const withoutFragment = (url) => url.replace(/#.*/, "");

/**
 * The pages that the tab has shown, oldest first, each with the entry that loaded it, if the log contains that entry. Frames are
 * excluded. In Firefox a page can be any HTML, because the log does not distinguish pages.
 */
export function pagesOf({ pages = [], entries }) {
  const isDocument = (entry) => entry._resourceType === "document" && !entry.response?.redirectURL;
  const loads = (entry, { id, title }) =>
    entry.pageref === id && isDocument(entry) && withoutFragment(entry.request.url) === withoutFragment(title);
  const inOrder = pages.toSorted((a, b) => Date.parse(a.startedDateTime) - Date.parse(b.startedDateTime));
  const typed = inOrder
    .map((page) => ({ key: hashOf(`${page.id} ${page.title}`), entry: entries.find((entry) => loads(entry, page)) }))
    .filter(({ entry }) => entry);
  const html = entries.filter((entry) => isHtml(entry) && !entry.response?.redirectURL);
  return [...typed, ...html.map((entry) => ({ key: keyOf(entry), entry }))];
}

/** The time of a response's first byte, in milliseconds. */
export const firstByteAt = ({ startedDateTime, time, timings }) =>
  Date.parse(startedDateTime) + Math.max(time, 0) - Math.max(timings?.receive ?? 0, 0);

/** The hash of a page's address. */
export const addressHash = (url) => hashOf(withoutFragment(url));

/** The hash of the address in an entry's `Referer` header: the page that requested it. */
export function referrerHash({ request }) {
  const referrer = request.headers?.find(({ name }) => /^referer$/i.test(name))?.value;
  return referrer && hashOf(referrer);
}
