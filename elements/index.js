// The classes of the elements, without defining them.
export { RunstatePanel } from "./panel.js";
export { RunstatePill } from "./pill.js";
