// The panel in a frame of `<runstate-panel frame>`. It serves only the one port that its host page sends, if that page and those
// around it may show the panel.
import { ancestors, isEmbedder } from "./embedders.js";
import { fromPage, isMessage } from "./frame-messages.js"; // From `elements/`.
import { start } from "./mount.js";

/** Whether a message hands over the port, and is from the host page. */
function isHandover({ source, origin, data, ports }) {
  const isFromParent = parent !== window && source === parent;
  // The browser names the origin of a message; the parent's is taken from there.
  const isAllowed = isEmbedder(origin) && ancestors().slice(1).every(isEmbedder);
  return isFromParent && isAllowed && isMessage(data, fromPage) && data.type === "runstate-port" && ports.length === 1;
}

addEventListener("message", function receive(event) {
  if (!isHandover(event)) return;
  removeEventListener("message", receive);
  serve(event.ports[0], event.data);
});

/** An error as a value that can be posted. */
const toMessage = (error) => ({ code: error?.code, message: String(error?.message ?? error), hint: error?.hint });

async function serve(port, { view, theme }) {
  const root = document.createElement("div");
  root.style.height = "100%";
  document.body.append(root);
  setTheme(theme);
  port.postMessage({ type: "hello" });
  const onReport = (kind, value) => {
    port.postMessage({ type: "report", kind, value });
    // The host page decides whether an action is performed.
    return kind !== "action";
  };
  const onBytes = (bytes) => port.postMessage({ type: "loading", bytes });
  let panel;
  try {
    panel = await start({ root, view: typeof view === "string" ? view : "full", onReport, onBytes });
  } catch (error) {
    port.postMessage({ type: "failed", error: toMessage(error) });
    return;
  }
  const requests = { ...panel, setTheme };
  port.onmessage = async ({ data }) => {
    if (!isRequest(data, requests)) return;
    const { id, method, values } = data;
    try {
      port.postMessage({ type: "response", id, value: await requests[method](...values) });
    } catch (error) {
      port.postMessage({ type: "response", id, error: toMessage(error) });
    }
  };
  port.postMessage({ type: "ready" });
}

const isRequest = (data, requests) => isMessage(data, fromPage) && data.type === "request" && Object.hasOwn(requests, data.method);

/** The colour scheme at the frame's position; by default the system's. */
function setTheme(theme) {
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
}
