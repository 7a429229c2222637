// The panel in a frame of `<runstate-panel frame>`. It serves only the one port that its host page sends. The address
// contains that page's origin, and never a token.
import { start } from "./mount.js";

const allowedOrigin = new URLSearchParams(location.search).get("embed");

/** Whether a message hands over the port, and is from the host page. */
function isHandover({ source, origin, data, ports }) {
  const isFromParent = parent !== window && source === parent;
  // `null` is the origin of every sandboxed page.
  const isAllowed = origin === allowedOrigin && origin !== "null";
  return isFromParent && isAllowed && data?.runstate === "port" && ports.length === 1;
}

addEventListener("message", function receive(event) {
  if (!isHandover(event)) return;
  removeEventListener("message", receive);
  serve(event.ports[0], event.data);
});

/** An error as a value that can be posted. */
const toMessage = ({ code, message, hint }) => ({ code, message, hint });

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
  const onBytes = (bytes) => port.postMessage({ bytes });
  let panel;
  try {
    panel = await start({ root, view: typeof view === "string" ? view : "full", onReport, onBytes });
  } catch (error) {
    port.postMessage({ failed: toMessage(error) });
    return;
  }
  const requests = { ...panel, setTheme };
  port.onmessage = async ({ data }) => {
    if (!isRequest(data, requests)) return;
    const { id, method, values } = data;
    try {
      port.postMessage({ id, value: await requests[method](...values) });
    } catch (error) {
      port.postMessage({ id, error: toMessage(error) });
    }
  };
  port.postMessage({ ready: true });
}

function isRequest(data, requests) {
  const hasMethod = typeof data?.method === "string" && Object.hasOwn(requests, data.method);
  return hasMethod && Number.isSafeInteger(data.id) && Array.isArray(data.values);
}

/** The colour scheme at the frame's position; by default the system's. */
function setTheme(theme) {
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
}
