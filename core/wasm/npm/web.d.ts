/** Where the WebAssembly file comes from: an address, a response, its bytes, or the compiled module. */
export type ModuleSource = RequestInfo | URL | Response | BufferSource | WebAssembly.Module;

/**
 * Loads the module, once; everything else may be called afterwards. Without an argument the file beside the
 * package's own script is fetched.
 */
export default function init(options?: {
  module_or_path: ModuleSource | Promise<ModuleSource>;
}): Promise<WebAssembly.Exports>;

/** Loads the module from bytes that are already there. */
export function initSync(options: { module: BufferSource | WebAssembly.Module }): WebAssembly.Exports;

export * from "./index.js";
