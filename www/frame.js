// The panel in a frame of `<runstate-panel frame>`. It serves only the one port that its host page sends. The address
// contains that page's origin, and never a token.
import { start } from "./mount.js";

const allowed = new URLSearchParams(location.search).get("embed");
const methods = ["open", "connect", "disconnect", "export", "copy", "setView", "focus"];

const isHandover = ({ source, origin, data, ports }) =>
  // `null` is the origin of every sandboxed page.
  parent !== window && source === parent && origin === allowed && origin !== "null" && data?.runstate === "port" && ports.length === 1;

addEventListener("message", function receive(event) {
  if (!isHandover(event)) return;
  removeEventListener("message", receive);
  serve(event.ports[0], event.data);
});

const plain = ({ code, message, hint }) => ({ code, message, hint });

async function serve(port, { view, theme }) {
  const root = document.createElement("div");
  root.style.height = "100%";
  document.body.append(root);
  setTheme(theme);
  port.postMessage({ hello: true });
  const onReport = (kind, value) => {
    port.postMessage({ report: kind, value });
    // The host page decides whether an action is performed.
    return kind !== "action";
  };
  let panel;
  try {
    panel = await start({ root, view: typeof view === "string" ? view : "full", onReport, onBytes: (bytes) => port.postMessage({ bytes }) });
  } catch (error) {
    port.postMessage({ failed: plain(error) });
    return;
  }
  const requests = { setTheme };
  for (const name of methods) requests[name] = panel[name];
  port.onmessage = async ({ data }) => {
    if (!isRequest(data, requests)) return;
    const { id, method, values } = data;
    try {
      port.postMessage({ id, value: await requests[method](...values) });
    } catch (error) {
      port.postMessage({ id, error: plain(error) });
    }
  };
  port.postMessage({ ready: true });
}

const isRequest = (data, requests) =>
  Number.isSafeInteger(data?.id) && Array.isArray(data.values) && typeof data.method === "string" && Object.hasOwn(requests, data.method);

/** The colour scheme at the frame's position; by default the system's. */
function setTheme(theme) {
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
}
