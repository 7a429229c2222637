/** Where the WebAssembly file comes from: an address, a response, its bytes, or the compiled module. */
export type ModuleSource = RequestInfo | URL | Response | BufferSource | WebAssembly.Module;

/**
 * Loads the module, each of its two files once; everything else may be called afterwards. Without an argument the
 * files beside the package's own script are fetched.
 */
export default function init(options?: {
  /** Where `runstate_bg.wasm` comes from. */
  module_or_path?: ModuleSource | Promise<ModuleSource>;
  /**
   * Whether to load `inspect`, or where `runstate_inspect_bg.wasm` comes from. `false` leaves the file out, until
   * another call asks for it. When left out: `true` without `module_or_path`, `false` with it.
   */
  inspect?: boolean | ModuleSource | Promise<ModuleSource>;
}): Promise<WebAssembly.Exports>;

/** Loads the module from bytes that are already there; without those of `inspect`, all but `inspect`. */
export function initSync(options: {
  /** `runstate_bg.wasm`. */
  module: BufferSource | WebAssembly.Module;
  /** `runstate_inspect_bg.wasm`. */
  inspect?: false | BufferSource | WebAssembly.Module;
}): WebAssembly.Exports;

export * from "./index.js";
