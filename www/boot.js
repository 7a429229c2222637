// Loads the panel. A file of its own, because an extension page allows no inline script.
import "./worker-host.js";
import init from "./runstate-panel.js";

try {
  await init({ module_or_path: "./runstate-panel_bg.wasm" });
} catch (error) {
  // A blank page would say nothing; the panel cannot speak for itself yet.
  const message = document.createElement("p");
  message.setAttribute("role", "alert");
  message.textContent = `Runstate could not start: ${error.message ?? error}`;
  document.body.append(message);
  throw error;
}
