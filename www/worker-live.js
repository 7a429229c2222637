// The worker of the live part: the panel's own WebAssembly module once more, compiled by the page and handed over.
import init, * as live from "./runstate-panel.js";
import { serve } from "./worker.js";

serve(init, live, "runstate-panel_bg.wasm");
