import init from "./runstate-panel.js";

// The first message is the compiled module; the module then installs its own handler.
onmessage = ({ data }) => init({ module_or_path: data });
