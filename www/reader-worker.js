// The worker that reads documents. wasm-bindgen's glue stands above this in the built file and defines `wasm_bindgen`.
let ready;
let opened = null;

onmessage = async ({ data }) => {
  const { id, ask, wasm } = data;
  ready ??= wasm_bindgen({ module_or_path: wasm ?? new URL("reader_bg.wasm", self.location.href) });
  if (ask === undefined) return;
  try {
    await ready;
    postMessage({ id, answer: await asked[ask](data) });
  } catch (error) {
    // A refusal of the core is text; anything else is a defect or a lack of memory, after which nothing here is sound.
    if (typeof error === "string") postMessage({ id, refused: error });
    else postMessage({ id, broken: String(error?.message ?? error) });
  }
};

const asked = {
  async open({ files, now }) {
    return replace(new wasm_bindgen.Opened(await Promise.all(files.map(pair)), now), now);
  },
  recording: ({ now }) => replace(wasm_bindgen.Opened.recording(now), now),
  show,
  header: ({ row, now }) => ({ header: opened?.header(row, now) }),
};

function replace(next, now) {
  opened?.free();
  opened = next;
  return { summary: opened.summary(), ...show({ now }) };
}

function show({ row, now }) {
  return { header: opened?.header(row, now), tree: opened?.tree(row) };
}

async function pair({ name, content }) {
  const text = typeof content === "string";
  return [name, text ? new TextEncoder().encode(content) : new Uint8Array(await content.arrayBuffer())];
}
