// The entry for browsers and bundlers: call and await the default export once, before anything else.
import { load } from "./load.js";

export * from "./api.js";
export { initSync } from "./load.js";
export default load;
