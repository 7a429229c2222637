// Loads the panel. A file of its own, because an extension page allows no inline script.
import "./worker-host.js";
import init from "./runstate-panel.js";

const fetched = fetch("runstate-panel_bg.wasm");
// A server that does not know the type of the file still serves the panel.
const compiled = WebAssembly.compileStreaming(fetched).catch(async () => WebAssembly.compile(await (await fetch("runstate-panel_bg.wasm")).arrayBuffer()));

// Where the working parts come from. The live part is the same module as the page, so it is loaded and compiled once.
globalThis.runstateParts = {
  live: async () => ({ script: "worker-live.js", type: "module", wasm: await compiled }),
  documents: () => ({ script: "worker-documents.js" }),
};

try {
  await init({ module_or_path: compiled });
} catch (error) {
  // A blank page would say nothing; the panel cannot speak for itself yet.
  const message = document.createElement("p");
  message.setAttribute("role", "alert");
  message.textContent = `Runstate could not start: ${error.message ?? error}`;
  document.body.append(message);
  throw error;
}
