// Makes the entries of a finished HTTP request whose response is from a Gateway or Studio.
import { redactResponse } from "./core.js";
import { MAX_IN_FIREFOX_MB, isEventStream, isServiceWorkers } from "./har.js";
import { redactRequest, redactUrl } from "./redact.js";

/** A response of at least this size without a body was larger than Chromium's limit. */
const MIN_TOO_LARGE = 15 * 2 ** 20;
/** The maximum size of the responses that extensions receive in Chromium, in MB. */
const MAX_IN_CHROMIUM_MB = 20;

/** The entries of a response with this text: that it is too large to be read whole, and its content. */
export async function responseEntries(request, text, servers) {
  try {
    await servers.load();
    const entries = [tooLargeEntry(request, text, servers), answerEntry(request, text, servers)];
    return entries.filter((entry) => entry !== undefined);
  } catch (error) {
    console.error("Runstate cannot read a response:", error);
    return [{ kind: "unreadable", at: endOf(request) }];
  }
}

/** The time at which a response was complete. */
const endOf = ({ startedDateTime, time }) => Date.parse(startedDateTime) + Math.max(time, 0);

/**
 * The limit in MB that a response exceeds, so that its text is absent or not whole. Chromium has no text of it, Firefox only its
 * beginning, and NUL, which no JSON contains, in place of the rest.
 */
export function exceededLimit({ content, bodySize }, text) {
  if (text?.endsWith?.("\0")) return MAX_IN_FIREFOX_MB;
  return typeof text !== "string" && Math.max(content.size, bodySize) > MIN_TOO_LARGE ? MAX_IN_CHROMIUM_MB : undefined;
}

function tooLargeEntry(entry, text, servers) {
  const { request, response } = entry;
  const limitMb = exceededLimit(response, text);
  if (limitMb === undefined || !servers.mayHaveSentResponse(request)) return undefined;
  return { kind: "too-large", at: endOf(entry), url: redactUrl(request.url), limitMb };
}

function answerEntry(entry, text, servers) {
  const { request, response, startedDateTime } = entry;
  const { url, method, postData } = request;
  const { status } = response;
  if (typeof text !== "string" || isEventStream(entry) || !servers.hasSentResponse(request, status, text)) return undefined;
  const [started, at] = [Date.parse(startedDateTime), endOf(entry)];
  const sent = postData?.text && redactRequest(postData.text);
  const answer = { kind: "answer", at, started, url: redactUrl(url), method, request: sent, status, body: redactResponse(text) };
  return isServiceWorkers(entry) ? { ...answer, serviceWorker: true } : answer;
}
