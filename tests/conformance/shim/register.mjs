// `node --import ./register.mjs --test FILE…` runs test files that were written for upstream's functions against ours.
import { register } from "node:module";

register("./hooks.mjs", import.meta.url);
