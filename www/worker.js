// What runs one of the panel's working parts in its worker: hands wishes to it, and what it tells to the page.
export function serve(init, part, file) {
  let ready;
  let asked;
  globalThis.runstateTell = (kind, value) => postMessage({ id: asked, kind, value });

  onmessage = async ({ data: { id, ask, given = [], wasm } }) => {
    ready ??= init({ module_or_path: wasm ?? new URL(file, self.location.href) });
    try {
      await ready;
      if (ask === undefined) return;
      const taken = await Promise.all(given.map(take));
      asked = id;
      postMessage({ id, answer: part[ask](...taken) });
    } catch (error) {
      // A refusal of the core is text; anything else is a defect or a lack of memory, after which nothing here is sound.
      if (typeof error === "string") postMessage({ id, refused: error });
      else postMessage({ id, broken: String(error?.message ?? error) });
    }
  };
}

// A list is one of files: each becomes a pair of its name and its bytes.
const take = (given) => (Array.isArray(given) ? Promise.all(given.map(pair)) : given);

async function pair({ name, content }) {
  if (typeof content === "string") return [name, new TextEncoder().encode(content)];
  try {
    return [name, new Uint8Array(await content.arrayBuffer())];
  } catch {
    // A refusal as the core writes it: code, message, hint, no place.
    throw JSON.stringify(["UNREADABLE", `The browser could not read ${name}.`, "It may have been moved or changed; choose it again.", false]);
  }
}
