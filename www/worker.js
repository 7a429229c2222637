// The worker: reads documents, speaks with the Gateway, derives. wasm-bindgen's glue stands above this in the built file and
// defines `wasm_bindgen`.
let ready;

onmessage = async ({ data: { id, ask, given = [], wasm } }) => {
  ready ??= begin(wasm);
  if (ask === undefined) return;
  try {
    await ready;
    const answer = wasm_bindgen[ask](...(ask === "open" ? [await Promise.all(given[0].map(pair)), given[1]] : given));
    postMessage({ id, answer });
  } catch (error) {
    // A refusal of the core is text; anything else is a defect or a lack of memory, after which nothing here is sound.
    if (typeof error === "string") postMessage({ id, refused: error });
    else postMessage({ id, broken: String(error?.message ?? error) });
  }
};

async function begin(wasm) {
  await wasm_bindgen({ module_or_path: wasm ?? new URL("worker_bg.wasm", self.location.href) });
  wasm_bindgen.start((kind, value) => postMessage({ kind, value }));
}

async function pair({ name, content }) {
  if (typeof content === "string") return [name, new TextEncoder().encode(content)];
  try {
    return [name, new Uint8Array(await content.arrayBuffer())];
  } catch {
    // A refusal as the core writes it: code, message, hint, no place.
    throw JSON.stringify(["UNREADABLE", `The browser could not read ${name}.`, "It may have been moved or changed; choose it again.", false]);
  }
}
