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
      asked = id;
      postMessage({ id, answer: await part[ask](...given) });
    } catch (error) {
      // A refusal of the core is text; anything else is a defect or a lack of memory, after which nothing here is sound.
      if (typeof error === "string") postMessage({ id, refused: error });
      else stop(error, id);
    }
  };

  // One wish after the other: a file that takes long to read is not overtaken by what was asked for after it.
  let turn = Promise.resolve();
  onmessage = ({ data }) => {
    turn = turn.then(() => meet(data));
  };
}

/** Says that nothing here is sound any more, and to whom, where somebody waits for an answer. */
export const stop = (error, id) => postMessage({ id, broken: String(error?.message ?? error) });

/** That of a file that the browser does not read, as the core writes a refusal: code, message, hint, no place. */
export const refusal = (message, hint) => JSON.stringify(["UNREADABLE", message, hint, false]);
