// The classes of the elements, without defining them.
export { setAssets } from "./assets.js";
export { RunstatePanel } from "./panel.js";
export { RunstatePill } from "./pill.js";
