// The entry for browsers: call and await the default export once, before anything else.
export { default, initSync } from "./runstate.js";
export * from "./api.js";
