// Defines the elements under their names.
import { RunstatePill } from "./index.js";

for (const [name, type] of Object.entries({ "runstate-pill": RunstatePill })) {
  if (globalThis.customElements && !customElements.get(name)) customElements.define(name, type);
}
