// Defines the elements under their names.
import { RunstatePill } from "./index.js";

if (globalThis.customElements && !customElements.get("runstate-pill")) customElements.define("runstate-pill", RunstatePill);
