// Recognises the messages of Gateways and Studios by their shape, because an address proves nothing. The core checks them in full.
// Only of responses that cannot be read, the address has to be enough.

/** The maximum number of servers of each kind that a page can have. */
const MAX_SERVERS = 100;
/** The maximum number of values in which a run is searched. */
const MAX_VALUES = 10_000;

const STUDIO_PATH = /^\/api\/(runs|sessions|invocations|shows|admin|stats)(\/|$)/;
const RPC_PATH = /^\/v1\/rpc\/[A-Za-z]+$/;

const has = (object, ...keys) => keys.every((key) => Object.hasOwn(object, key));
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const isObjectWith = (value, ...keys) => isObject(value) && has(value, ...keys);

/** The value of a JSON text; `undefined` if it is not JSON. */
function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether a message has the envelope of a Gateway. */
function hasEnvelope(message) {
  const hasContent = "payload" in message || "error" in message;
  return message.apiVersion === "v1" && hasContent && (typeof message.ok === "boolean" || message.type === "event");
}

/** Columns of a session that only lionagi has. */
const SESSION_COLUMNS = ["invocation_kind", "status_reason_code", "last_message_at", "effective_health"];

/** Whether a value is a row of Studio: it has columns that only lionagi has. */
function isRow(value) {
  if (!isObject(value) || has(value, "runId")) return false;
  const isSession = has(value, "status") && SESSION_COLUMNS.some((key) => has(value, key));
  return isSession || has(value, "id", "skill", "session_count") || has(value, "topic", "plays") || has(value, "topic", "play_count");
}

/** Whether a value is a signal or a message of a session. */
const isSignal = (value) =>
  isObjectWith(value, "session_id", "seq", "kind", "op_id", "ts") || isObjectWith(value, "role", "content", "lion_class");

/** Whether a value is a response of Studio, by the keys that the core requires. */
function isResponseOfStudio(value) {
  if (Array.isArray(value)) return value.some(isRow);
  if (!isObject(value)) return false;
  const lists = [value.runs, value.sessions, value.invocations, value.shows].filter(Array.isArray);
  const isHealth = Array.isArray(value.phantom_sessions) || isObjectWith(value.sessions, "unhealthy");
  const isReport = isHealth || isObjectWith(value.db, "sessions_by_status");
  return isReport || isRow(value) || lists.some((list) => list.some(isRow));
}

export class Servers {
  /** The origins that have been recognised as a Gateway or Studio. */
  #gateways = new Set();
  #studios = new Set();
  /** The origins of further ones, whose messages are not read. */
  #unread = new Set();
  #reportUnread;

  /** @param {(url: string) => void} reportUnread Receives an address of each server whose messages are not read, once. */
  constructor(reportUnread = () => {}) {
    this.#reportUnread = reportUnread;
  }

  /** Forgets the servers of the previous page if they leave no place for others. */
  navigate() {
    this.#unread.clear();
    for (const known of [this.#gateways, this.#studios]) if (known.size >= MAX_SERVERS) known.clear();
  }

  /** Whether a response is from a Gateway or Studio. */
  hasSentResponse({ method, url }, status, text) {
    const value = /^\s*[[{]/.test(text) ? parse(text) : undefined;
    return this.#isGateway(url, value) || (status < 400 && this.#isStudio({ method, url }, value, isResponseOfStudio));
  }

  /** Whether a received frame is from a Gateway. */
  hasSentFrame(url, text) {
    return /"apiVersion"/.test(text) && this.#isGateway(url, parse(text));
  }

  /** Whether a message of an event stream is from Studio. */
  hasSentMessage(request, text) {
    return this.#isStudio(request, parse(text), isSignal);
  }

  /** Whether a response that cannot be read may be from a Gateway or Studio: by its server if that is known, else by its address. */
  mayHaveSentResponse({ method, url }) {
    const isRpc = method === "POST" && RPC_PATH.test(new URL(url).pathname);
    return isRpc || this.#gateways.has(originOf(url)) || this.mayBeStudio({ method, url });
  }

  /** Whether a request may be one to Studio, which is only ever read. */
  mayBeStudio({ method, url }) {
    return method === "GET" && STUDIO_PATH.test(new URL(url).pathname);
  }

  #isGateway(url, value) {
    if (!isObject(value)) return false;
    // The REST interface has no version in its envelope. What it says of runs decides, until the Gateway is known.
    const isRest = typeof value.ok === "boolean" && value.data !== undefined;
    const isKnown = this.#gateways.has(originOf(url)) && new URL(url).pathname.startsWith("/v1/api/");
    const isGateway = hasEnvelope(value) || (value.apiVersion !== "v1" && isRest && (isKnown || namesRun(value.data)));
    return isGateway && this.#isKnownOrAdded(this.#gateways, url);
  }

  #isStudio(request, value, isOwn) {
    if (value === undefined || !this.mayBeStudio(request)) return false;
    return isOwn(value) ? this.#isKnownOrAdded(this.#studios, request.url) : this.#studios.has(originOf(request.url));
  }

  /** Adds the server of an address to the known ones, unless these are too many: then it is reported. */
  #isKnownOrAdded(known, url) {
    const origin = originOf(url);
    if (known.size < MAX_SERVERS) known.add(origin);
    if (known.has(origin)) return true;
    if (!this.#unread.has(origin) && this.#unread.size < MAX_SERVERS) {
      this.#unread.add(origin);
      this.#reportUnread(url);
    }
    return false;
  }
}

/** Scheme, host and port; a socket has those of its page. */
const originOf = (url) => new URL(url.replace(/^ws/, "http")).origin;

/** Whether an object is, or has somewhere, a run of a Gateway's. JSON can be nested as deeply as it is long, so this is no recursion. */
function namesRun(value) {
  const values = [value];
  for (let at = 0; at < values.length; at++) {
    if (!isNested(values[at])) continue;
    if (Object.hasOwn(values[at], "runId")) return true;
    for (const key in values[at]) {
      if (values.length >= MAX_VALUES) break;
      if (isNested(values[at][key])) values.push(values[at][key]);
    }
  }
  return false;
}

const isNested = (value) => typeof value === "object" && value !== null;
