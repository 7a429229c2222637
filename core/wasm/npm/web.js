// The entry for browsers and bundlers: call the default export once and await it, before any other call.
import { load } from "./load.js";

export * from "./api.js";
export { initSync } from "./load.js";
export default load;
