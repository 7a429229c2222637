// Makes the entries of a finished HTTP request whose response is from a Gateway or Studio.
import { MAX_IN_FIREFOX_MB, isEventStream, isServiceWorkers } from "./har.js";
import { loadRedaction, redactResponse } from "./redact-response.js";
import { redactRequest, redactUrl } from "./redact.js";

/** A response of at least this size without a body was larger than Chromium's limit. */
const MIN_TOO_LARGE = 15 * 2 ** 20;
/** The maximum size of the responses that extensions receive in Chromium, in MB. */
const MAX_IN_CHROMIUM_MB = 20;

/** The entries of a response with this text: that it is too large to be read whole, and its content. */
export async function responseEntries(request, text, servers) {
  const tooLarge = tooLargeEntry(request, text, servers);
  const answer = await answerEntry(request, text, servers);
  return [tooLarge, answer].filter((entry) => entry !== undefined);
}

/**
 * The limit in MB that a response exceeds, so that its text is absent or not whole. Chromium has no text of it, Firefox only its
 * beginning, and NUL, which no JSON contains, in place of the rest.
 */
export function exceededLimit({ content, bodySize }, text) {
  if (text?.endsWith?.("\0")) return MAX_IN_FIREFOX_MB;
  return typeof text !== "string" && Math.max(content.size, bodySize) > MIN_TOO_LARGE ? MAX_IN_CHROMIUM_MB : undefined;
}

function tooLargeEntry({ request, response, startedDateTime, time }, text, servers) {
  const limitMb = exceededLimit(response, text);
  if (limitMb === undefined || !servers.mayHaveSentResponse(request)) return undefined;
  return { kind: "too-large", at: Date.parse(startedDateTime) + Math.max(time, 0), url: redactUrl(request.url), limitMb };
}

async function answerEntry(entry, text, servers) {
  const { request, response, startedDateTime, time } = entry;
  const { url, method, postData } = request;
  const { status } = response;
  if (typeof text !== "string" || isEventStream(entry) || !servers.hasSentResponse(request, status, text)) return undefined;
  const started = Date.parse(startedDateTime);
  const at = started + Math.max(time, 0);
  try {
    await loadRedaction();
    const sent = postData?.text && redactRequest(postData.text);
    const answer = { kind: "answer", at, started, url: redactUrl(url), method, request: sent, status, body: redactResponse(text) };
    return isServiceWorkers(entry) ? { ...answer, serviceWorker: true } : answer;
  } catch (error) {
    console.error("Runstate cannot read a response:", error);
    return { kind: "unreadable", at };
  }
}
