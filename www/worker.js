// What runs one of the panel's working parts in its worker: hands wishes to it, and what it tells to the page.
export function serve(init, part, file) {
  let ready;
  // The wish that is being met, and the one that brought what is held.
  let asked;
  let held;
  globalThis.runstateTell = (kind, value) => {
    if (kind === "held") held = asked;
    postMessage({ id: asked, kind, value });
  };

  const meet = async ({ id, ask, given = [], wasm }) => {
    try {
      await (ready ??= init({ module_or_path: wasm ?? new URL(file, self.location.href) }));
      // What was asked for after the wish that pushed this part away stays.
      if (ask === undefined || (ask === "leave" && held > id)) return;
      const taken = await Promise.all(given.map(take));
      asked = id;
      postMessage({ id, answer: await part[ask](...taken) });
    } catch (error) {
      // A refusal of the core is text; anything else is a defect or a lack of memory, after which nothing here is sound.
      if (typeof error === "string") postMessage({ id, refused: error });
      else postMessage({ id, broken: String(error?.message ?? error) });
    }
  };

  // One wish after the other: a file that takes long to read is not overtaken by what was asked for after it.
  let turn = Promise.resolve();
  onmessage = ({ data }) => {
    turn = turn.then(() => meet(data));
  };
}

// A list is one of files: each becomes a pair of its name and its bytes.
const take = (given) => (Array.isArray(given) ? Promise.all(given.map(pair)) : given);

async function pair({ name, content }) {
  if (typeof content === "string") return [name, new TextEncoder().encode(content)];
  try {
    return [name, new Uint8Array(await content.arrayBuffer())];
  } catch {
    throw refusal(`The browser could not read ${name}.`, "It may have been moved or changed; choose it again.");
  }
}

/** That of a file that the browser does not read, as the core writes a refusal: code, message, hint, no place. */
export const refusal = (message, hint) => JSON.stringify(["UNREADABLE", message, hint, false]);
