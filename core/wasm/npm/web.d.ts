/** A `WebAssembly.Module`; not every project has the types that declare it. */
export type CompiledModule = object;

/** What a WebAssembly file exports. */
export type ModuleExports = Record<string, unknown>;

/** The bytes of a WebAssembly file. */
export type ModuleBytes = ArrayBuffer | ArrayBufferView;

/** Where a WebAssembly file comes from: an address (text, `URL`, `Request`), a `Response`, its bytes, or the compiled module. */
export type ModuleSource =
  | string
  | { readonly href: string }
  | { readonly url: string }
  | ModuleBytes
  | CompiledModule;

/** A part: `true` for the file beside the package's own script, `false` to leave it out, or where it comes from. */
export type Part = boolean | ModuleSource | Promise<ModuleSource>;

/** The parts beside the core, each a WebAssembly file of its own. */
export type Parts<P> = {
  /** `deriveRunStates`: `runstate_rows_bg.wasm`. */
  rows?: P;
  /** `applyDelta`, `diffSnapshots`, `Tree`: `runstate_tree_bg.wasm`. */
  tree?: P;
  /** `EventLog`: `runstate_log_bg.wasm`. */
  log?: P;
  /** The functions of lionagi: `runstate_lionagi_bg.wasm`. */
  lionagi?: P;
  /** `readConductorRun`: `runstate_conductor_bg.wasm`. */
  conductor?: P;
  /** `inspect` of one document of Smithers: `runstate_inspect_bg.wasm`. */
  inspect?: P;
  /** What `inspect` tells of runs in words, and `weigh`: `runstate_account_bg.wasm`. Without it, a run has facts alone. */
  account?: P;
  /** `inspect` of everything, `exportRun`: `runstate_documents_bg.wasm`. */
  documents?: P;
  /** `readRecord`: `runstate_records_bg.wasm`. */
  records?: P;
};

/**
 * Loads the core and the parts that are named; each is loaded once, however often this is called. Without an argument
 * the core and all parts are fetched; with `module_or_path` alone, the core.
 */
export default function init(options?: Parts<Part> & {
  /** Where `runstate_bg.wasm` comes from. */
  module_or_path?: ModuleSource | Promise<ModuleSource>;
}): Promise<ModuleExports>;

/** Loads from bytes that are already there: the core, and the parts that are named. */
export function initSync(options: Parts<false | ModuleBytes | CompiledModule> & {
  /** `runstate_bg.wasm`. */
  module: ModuleBytes | CompiledModule;
}): ModuleExports;

export * from "./index.js";
