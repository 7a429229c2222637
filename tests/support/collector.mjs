// Developer tools with traffic of our own, for tests of the collector.
import assert from "node:assert/strict";
import { Session } from "node:inspector";
import { extension } from "./extension.mjs";

const { Collector } = await extension("traffic.js");

export const token = "secret-token";
export const start = Date.parse("2026-01-02T03:04:05.000Z");
export const gateway = "http://127.0.0.1:7331/rpc";
export const answer = JSON.stringify({ type: "res", id: "1", ok: true, apiVersion: "v1", payload: { runId: "r1", status: "failed" } });

/** All texts that an object holds, also in private fields, except those in the fields `exceptions`. */
export function heldTexts(object, exceptions) {
  const session = new Session();
  session.connect();
  let answer;
  const ask = (method, params) => (
    session.post(method, params, (error, result) => (answer = error ? assert.fail(error.message) : result)),
    answer
  );
  globalThis.heldObject = object;
  const texts = [];
  const walk = ({ type, subtype, value, objectId }) => {
    if (type === "string") texts.push(value);
    if (type !== "object" || subtype === "null") return;
    const isKnown = ask("Runtime.callFunctionOn", {
      objectId,
      functionDeclaration: "function () { return (globalThis.heldSeen ??= new WeakSet()).has(this) || !heldSeen.add(this); }",
      returnByValue: true,
    });
    if (isKnown.result.value) return;
    const { result, privateProperties = [], internalProperties = [] } = ask("Runtime.getProperties", { objectId, ownProperties: true });
    const entries = internalProperties.filter(({ name }) => name === "[[Entries]]");
    for (const { name, value } of [...result, ...privateProperties, ...entries]) {
      texts.push(name);
      if (value && !exceptions.includes(name)) walk(value);
    }
  };
  walk(ask("Runtime.evaluate", { expression: "heldObject" }).result);
  delete globalThis.heldObject;
  delete globalThis.heldSeen;
  session.disconnect();
  return texts.join("\n");
}

/** A row and a signal of Studio's. */
export const session = { id: "s1", session_id: "s1", status: "failed", invocation_kind: "agent" };
export const signal = (seq, rest) =>
  JSON.stringify({ id: `x${seq}`, session_id: "s1", seq, kind: "RunStart", op_id: "", ts: 1_795_292_151, payload: {}, ...rest });

/** Waits until the bodies that are there have been read. */
export const bodies = () => new Promise(setImmediate);

/** Developer tools with a collector, whose panel is on screen unless `isShown` is `false`. */
export function developerTools({ isShown = true } = {}) {
  const tools = inspectedPage();
  tools.collector = new Collector(tools.network, () => tools.now);
  tools.got = [];
  if (isShown) tools.collector.subscribe((entries) => tools.got.push(...entries));
  tools.poll = async () => {
    tools.now += 1000;
    await bodies();
    await tools.collector.poll();
    return tools.got.splice(0);
  };
  return tools;
}

/** Developer tools whose traffic is `entries`; the log takes `wait` ms to arrive, and `work` ms to read. */
export function inspectedPage() {
  const listeners = {};
  const event = (name) => ({ addListener: (listener) => (listeners[name] = listener) });
  const tools = { pages: [], entries: [], wait: 0, work: 0, now: start };
  tools.network = {
    onRequestFinished: event("finished"),
    onNavigated: event("navigated"),
    getHAR(done) {
      tools.now += tools.wait;
      const { entries, pages, work } = tools;
      let isRead = false;
      const read = () => {
        if (!isRead) tools.now += work;
        isRead = true;
        return entries;
      };
      done({
        pages,
        get entries() {
          return read();
        },
      });
    },
  };
  const request = (url, rest, method = "GET") => ({
    startedDateTime: new Date(tools.now).toISOString(),
    time: 5,
    request: { url, method, headers: [{ name: "authorization", value: `Bearer ${token}` }] },
    ...rest,
  });
  let pageCount = 0;
  const pageref = () => tools.pages.at(-1)?.id;
  tools.typeOfAnswers = "fetch";
  tools.document = (url = "http://127.0.0.1/page") => {
    tools.pages.push({ id: `page_${++pageCount}`, title: url, startedDateTime: new Date(tools.now).toISOString() });
    tools.entries.push(request(url, { pageref: pageref(), _resourceType: "document" }));
  };
  /** A page inside the page. */
  tools.frame = (url = "http://127.0.0.1/frame") => tools.entries.push(request(url, { pageref: pageref(), _resourceType: "document" }));
  tools.answer = (
    url,
    body,
    {
      mimeType = "application/json",
      size = body?.length ?? 0,
      status = 200,
      sent,
      method = sent ? "POST" : "GET",
      referrer,
      isServiceWorkers,
      getContent = (done) => done(body),
    } = {},
  ) => {
    const entry = request(
      url,
      {
        pageref: pageref(),
        _resourceType: tools.typeOfAnswers,
        response: { status, bodySize: size, content: { mimeType, size }, _fetchedViaServiceWorker: isServiceWorkers },
        getContent,
      },
      method,
    );
    if (sent) entry.request.postData = { text: sent };
    if (referrer) entry.request.headers.push({ name: "Referer", value: referrer });
    if (tools.isRecording) tools.entries.push(entry);
    listeners.finished(entry);
  };
  tools.isRecording = true;
  /** An answer that takes `ms` to read. */
  tools.slowAnswer = (ms) => {
    const entry = request(gateway, {
      response: { status: 200, content: { mimeType: "application/json", size: answer.length } },
      getContent: (done) => done(answer),
    });
    Object.defineProperty(entry.request, "postData", { get: () => void (tools.now += ms) });
    listeners.finished(entry);
  };
  tools.socket = (url, messages) => {
    const entry = request(url, { _webSocketMessages: messages });
    tools.entries.push(entry);
    return entry;
  };
  /** An event stream of Chromium's. */
  tools.messages = (url, data) => {
    const messages = data.map((each) => ({ time: tools.now / 1000, eventName: "message", data: each }));
    const entry = request(url, { _eventSourceMessages: messages, response: { status: 200, content: { mimeType: "text/event-stream" } } });
    tools.entries.push(entry);
    return entry;
  };
  tools.clear = () => (tools.entries = []);
  tools.navigate = () => {
    [tools.pages, tools.entries] = [[], []];
    tools.document();
    tools.announce();
  };
  tools.finish = (entry) => listeners.finished(entry);
  tools.announce = (url = "http://127.0.0.1/page") => listeners.navigated(url);
  return tools;
}

/** Chromium names the type of an entry and lists messages; Firefox does neither. */
export function firefoxTools() {
  const tools = developerTools();
  tools.typeOfAnswers = undefined;
  const entry = (url, mimeType, text) => ({
    startedDateTime: new Date(tools.now).toISOString(),
    time: 5,
    request: { url, method: "GET" },
    response: { status: 200, content: { mimeType, text } },
  });
  tools.page = (url = "http://127.0.0.1/page") => tools.entries.push(entry(url, "text/html"));
  tools.eventStream = (url, text) => {
    const stream = entry(url, "text/event-stream", text);
    tools.entries.push(stream);
    return stream;
  };
  tools.end = (stream) => {
    const { text, ...content } = stream.response.content;
    const ended = { ...stream, response: { ...stream.response, content }, getContent: () => Promise.resolve([text, "text/event-stream"]) };
    tools.finish(ended);
  };
  tools.hiddenSocket = (url) => {
    const socket = { ...entry(url, "text/plain"), getContent: () => Promise.resolve([null, "text/plain"]) };
    tools.entries.push(socket);
    tools.finish(socket);
  };
  return tools;
}

export const receive = (data, time = start / 1000) => ({ type: "receive", opcode: 1, time, data });
export const send = (data, time = start / 1000) => ({ type: "send", opcode: 1, time, data });
export const kinds = (entries) => entries.map(({ kind }) => kind);
