// The page's side of the panel's two working parts, each in a worker: starts the one that a wish needs, hands the wish over,
// and tells the panel what the part that holds what is on screen says.
globalThis.runstateWorker = (() => {
  let listener = () => {};
  let last = 0;
  // The part that holds what is on screen, and the wish that brought that there.
  let holder;
  let since = 0;

  const working = (files) => {
    let started;
    let ticking;
    const open = new Map();

    const part = {
      async ask(ask, given) {
        const id = ++last;
        const worker = await (started ??= start());
        return new Promise((resolve, reject) => {
          open.set(id, { resolve, reject });
          worker.postMessage({ id, ask, given });
        });
      },
      // Time goes on once for a part that is busy: it tells the time when it comes to that.
      tick: () => (ticking ??= part.ask("tick", []).finally(() => (ticking = undefined))),
      // What another part tells is on screen from now on: what the wish `id` brought.
      leave: (id) => started?.then((worker) => worker.postMessage({ id, ask: "leave" })),
    };

    const start = async () => {
      const { script, type, wasm } = await files();
      const worker = new Worker(script, { type });
      worker.onmessage = ({ data }) => receive(data);
      worker.onerror = (event) => stop(event.message || "the browser did not start it");
      worker.postMessage({ wasm });
      return worker;
    };

    const receive = ({ id, kind, value, answer, refused, broken }) => {
      if (kind === "held") hold(part, id);
      else if (kind) part === holder && listener(kind, value);
      else {
        const asked = open.get(id);
        open.delete(id);
        if (broken !== undefined) stop(broken, asked);
        else if (refused === undefined) asked?.resolve(answer);
        else asked?.reject(refused);
      }
    };

    const stop = (why, ...more) => {
      started?.then((worker) => worker.terminate());
      started = undefined;
      for (const asked of [...more, ...open.values()]) asked?.reject(new Error(why));
      open.clear();
      if (part !== holder) return;
      holder = undefined;
      listener("broken", why);
    };

    return part;
  };

  const live = working(() => runstateParts.live());
  const documents = working(() => runstateParts.documents());

  const hold = (part, id) => {
    // A document that took long does not push away what was asked for after it.
    if (part !== holder && id < since) return part.leave(since);
    if (part !== holder) holder?.leave(id);
    holder = part;
    since = id;
    if (part === live) opened = undefined;
  };

  // The files of the document on screen, as handles, and when they were opened: an export reads them again.
  let opened;
  // Answers whether the document is on screen, or what was asked for after it.
  const open = async (given) => {
    const at = await documents.ask("open", given);
    if (holder === documents) opened = { files: given[0], at };
    return holder === documents;
  };

  const held = async () => {
    if (opened) return [opened.files, opened.at];
    // Where nothing is held any more, the live part refuses.
    return [[{ name: null, content: await live.ask("draft", []) }], undefined];
  };

  // Saves what is held, without secrets; answers with what became of it, in words.
  const save = async (keys) => {
    const [name, bytes, left] = await documents.ask("save", [...(await held()), keys]);
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([bytes], { type: "application/json" }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    return `Saved ${name}. ${left}`;
  };

  return {
    listen(heard) {
      listener = heard;
    },
    // A wish like `open` or `watch` with what is given along, in the order in which the part's exports take it.
    async ask(ask, given) {
      // Time goes on for what is held, and only a connection wakes.
      if (ask === "tick") return holder?.tick();
      if (ask === "woke") return holder === live ? live.ask(ask, given) : undefined;
      if (ask === "open") return open(given);
      if (ask === "export") return save(...given);
      return (ask === "choose" ? documents : live).ask(ask, given);
    },
  };
})();
