// The panel in a frame of its own, for pages whose policy refuses WebAssembly or requires trusted types. It has the
// methods of `start` in `mount.js`, and speaks to the frame over a port that nobody else has.
import { make } from "./element.js";

/** How long a frame that has loaded may take to answer, ms. */
const patience = 5000;

const problem = ({ code, message, hint }) => Object.assign(new Error(message), { code, hint });
const silent = (address) =>
  problem({
    code: "FRAME_NOT_ANSWERED",
    message: `The frame ${address} did not answer.`,
    hint: "Check that the file is there, that frame-src of this page allows it, and that frame-ancestors of its server allows this page.",
  });

/** Shows the panel in a frame inside `root`. */
export async function frameStart({ root, source, view, theme, title, onReport, onBytes }) {
  const address = new URL("frame.html", source);
  address.searchParams.set("embed", location.origin);
  const frame = make("iframe", { part: "frame", title, src: address.href, allow: "clipboard-write", referrerpolicy: "no-referrer" });
  await new Promise((loaded) => {
    frame.addEventListener("load", loaded, { once: true });
    root.append(frame);
  });

  const { port1: port, port2 } = new MessageChannel();
  const waiting = new Map();
  let last = 0;
  const ask = (method, ...values) =>
    new Promise((resolve, reject) => {
      waiting.set(++last, { resolve, reject });
      port.postMessage({ id: last, method, values });
    });
  // Nobody waits for the answer.
  const send = (method, ...values) => void ask(method, ...values).catch(() => {});
  const answered = ({ id, value, error }) => {
    const request = waiting.get(id);
    waiting.delete(id);
    if (error) request?.reject(problem(error));
    else request?.resolve(value);
  };
  const reported = ({ report, value }) => {
    const goesOn = onReport(report, value);
    if (report === "action" && goesOn) send("copy", value.text);
  };
  await new Promise((ready, failed) => {
    const timer = setTimeout(() => failed(silent(address.href)), patience);
    port.onmessage = ({ data }) => {
      if (data.hello) clearTimeout(timer);
      else if (data.ready) ready();
      else if (data.failed) failed(problem(data.failed));
      else if (data.bytes !== undefined) onBytes?.(data.bytes);
      else if (data.report) reported(data);
      else answered(data);
    };
    frame.contentWindow.postMessage({ runstate: "port", view, theme }, address.origin, [port2]);
  });
  return {
    open: (files, name) => ask("open", files, name),
    connect: (gateway) => ask("connect", gateway),
    disconnect: () => send("disconnect"),
    export: (keys) => ask("export", keys),
    setView: (word) => send("setView", word),
    setTheme: (word) => send("setTheme", word),
    focus(options) {
      frame.focus(options);
      send("focus");
    },
    stop() {
      for (const { reject } of waiting.values()) reject(problem({ code: "CANCELLED", message: "The panel was removed from the page." }));
      port.close();
      frame.remove();
    },
  };
}
