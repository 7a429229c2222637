// The panel in a frame of its own, for pages whose policy forbids WebAssembly or requires trusted types. It has the
// methods of `start` in `mount.js`, and talks to the frame over a private port.
import { failure, make, toError } from "./element.js";
import { fromFrame, isMessage } from "./frame-messages.js";

/** Maximum time for a loaded frame to respond, ms. */
const RESPONSE_TIMEOUT_MS = 5000;

const noResponse = (address) =>
  failure(
    "FRAME_NOT_ANSWERED",
    `The frame ${address} did not respond.`,
    "Check that the file is there, that frame-src of this page allows it, and that its server allows this page: in frame-ancestors, and in “runstate-embedders” of frame.html.",
  );

/**
 * Shows the panel in a frame inside `root`. If that fails, or when `signal` is aborted, the frame is removed.
 * @param {object} options
 * @param {HTMLElement} options.root
 * @param {string} options.assets The folder with the panel's files.
 * @param {string} options.view
 * @param {string | undefined} options.theme
 * @param {string} options.title
 * @param {AbortSignal} options.signal
 * @param {(kind: string, value: any) => boolean} options.onReport
 * @param {(bytes: number) => void} [options.onBytes]
 */
export async function startInFrame({ root, assets, view, theme, title, signal, onReport, onBytes }) {
  const address = new URL("frame.html", assets);
  const attributes = { part: "frame", title, src: address.href, allow: "clipboard-write", referrerpolicy: "no-referrer" };
  const frame = /** @type {HTMLIFrameElement} */ (make("iframe", attributes));
  const channel = new MessageChannel();
  const requests = requestsOver(channel.port1);
  const end = () => {
    requests.cancel(signal.reason);
    channel.port1.close();
    frame.remove();
  };
  try {
    await addFrame(frame, root, signal);
    await startPanel({ channel, frame, address, requests, start: { view, theme }, signal, onReport, onBytes });
    signal.throwIfAborted();
  } catch (error) {
    end();
    throw error;
  }
  signal.addEventListener("abort", end, { once: true });
  return panelHandle(frame, requests);
}

/** Adds the frame, and waits until it has loaded. */
function addFrame(frame, root, signal) {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    frame.addEventListener("load", resolve, { once: true });
    root.append(frame);
  });
}

/** Sends the port, and waits until the panel in the frame has started. */
function startPanel({ channel: { port1: port, port2 }, frame, address, requests, start, signal, onReport, onBytes }) {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const timer = setTimeout(() => reject(noResponse(address.href)), RESPONSE_TIMEOUT_MS);
    const abort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    signal.addEventListener("abort", abort, { once: true });
    const handlers = {
      hello: () => clearTimeout(timer),
      loading: ({ bytes }) => onBytes?.(bytes),
      ready: () => resolve(),
      failed: ({ error }) => reject(toError(error)),
      response: (response) => requests.settle(response),
      report: (report) => onFrameReport(report, requests, onReport),
    };
    port.onmessage = ({ data }) => {
      if (isMessage(data, fromFrame)) handlers[data.type](data);
    };
    frame.contentWindow.postMessage({ type: "runstate-port", ...start }, address.origin, [port2]);
  });
}

/** Forwards a report; the frame performs actions that the page does not cancel. */
function onFrameReport({ kind, value }, requests, onReport) {
  const isAllowed = onReport(kind, value);
  if (kind === "action" && isAllowed) requests.send("copy", value.text);
}

/** Requests over a port, and their responses. */
function requestsOver(port) {
  const pending = new Map();
  let last = 0;
  const request = (method, ...values) =>
    new Promise((resolve, reject) => {
      last += 1;
      pending.set(last, { resolve, reject });
      port.postMessage({ type: "request", id: last, method, values });
    });
  return {
    request,
    // The response is not needed.
    send: (method, ...values) => void request(method, ...values).catch(() => {}),
    settle({ id, value, error }) {
      const request = pending.get(id);
      pending.delete(id);
      if (error) request?.reject(toError(error));
      else request?.resolve(value);
    },
    cancel(reason) {
      for (const { reject } of pending.values()) reject(reason);
      pending.clear();
    },
  };
}

/** The panel in the frame, with the methods of `start` in `mount.js`. */
function panelHandle(frame, { request, send }) {
  return {
    open: (files, name, place) => request("open", files, name, place),
    go: (place) => send("go", place),
    refuse: (problem) => send("refuse", problem),
    connect: (gateway) => request("connect", gateway),
    disconnect: () => send("disconnect"),
    export: (keys) => request("export", keys),
    setView: (word) => send("setView", word),
    setTheme: (word) => send("setTheme", word),
    setTitle(words) {
      frame.title = words;
    },
    focus(options) {
      frame.focus(options);
      send("focus");
    },
  };
}
