// The classes of the elements, without defining them.
export { RunstatePill } from "./pill.js";
