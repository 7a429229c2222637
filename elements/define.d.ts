// Importing this module defines the elements.
import type { RunstatePanel, RunstatePill } from "./index.js";

declare global {
  interface HTMLElementTagNameMap {
    "runstate-panel": RunstatePanel;
    "runstate-pill": RunstatePill;
  }
}

export { setAssets } from "./index.js";
