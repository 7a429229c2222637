// Defines the elements under their names.
import { RunstatePanel, RunstatePill } from "./index.js";

export { setAssets } from "./assets.js";

const elements = { "runstate-panel": RunstatePanel, "runstate-pill": RunstatePill };

for (const [name, element] of Object.entries(elements)) {
  if (globalThis.customElements && !customElements.get(name)) customElements.define(name, element);
}
