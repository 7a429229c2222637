// The worker of the live part: the panel's own WebAssembly module once more, compiled by the page and handed over.
import init, * as live from "./runstate-panel.js";
import { refusal, serve } from "./worker.js";

// The built-in recording is loaded by who looks at it.
const recording = async () => live.recording(...(await answers()));

async function answers() {
  try {
    return (await import("./recording.js")).default;
  } catch {
    throw refusal("The browser could not load the built-in recording.", "Try again; if that does not help, reload the page.");
  }
}

serve(init, { ...live, recording }, "runstate-panel_bg.wasm");
