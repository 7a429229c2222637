// Loads the panel. A separate file, because an extension page forbids inline scripts.
import init from "./runstate-panel.js";
import { startWorker } from "./start-worker.js";

globalThis.runstateWorker = startWorker;

// An exported page is the single file with a document inside.
globalThis.runstatePage = async () => {
  const response = await fetch(new URL("./single-file.txt", import.meta.url));
  if (!response.ok) throw new Error(`the server responded with ${response.status}`);
  return response.text();
};

try {
  await init();
} catch (error) {
  const message = document.createElement("p");
  message.setAttribute("role", "alert");
  message.textContent = `Runstate could not start: ${error.message ?? error}`;
  document.body.append(message);
  throw error;
}
