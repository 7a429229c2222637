// The browser's entry where no types of browsers are: a project of Node's with `lib` ES2022 and declarations checked.
import init, { deriveRunState, initSync, type ModuleSource } from "runstate/web";

const source: ModuleSource = "https://example.org/runstate_bg.wasm";
export const loaded: Promise<Record<string, unknown>> = init({ module_or_path: source, tree: true, log: false });
initSync({ module: new Uint8Array(8), tree: new ArrayBuffer(8) });
// @ts-expect-error A number is no place.
void init({ module_or_path: 5 });
// @ts-expect-error The core is needed.
initSync({});
export const { state } = deriveRunState({ run: { runId: "r" } });
