// The page's side of the worker: starts it, hands wishes over and tells the panel what the worker says.
globalThis.runstateWorker = (() => {
  let started;
  let last = 0;
  let listener = () => {};
  const open = new Map();

  const receive = ({ id, kind, value, refused, broken }) => {
    if (kind) return listener(kind, value);
    const asked = open.get(id);
    open.delete(id);
    if (broken !== undefined) stop(broken, asked);
    else if (refused === undefined) asked?.resolve();
    else asked?.reject(refused);
  };

  const stop = (why, ...more) => {
    started?.then((worker) => worker.terminate());
    started = undefined;
    for (const asked of [...more, ...open.values()]) asked?.reject(new Error(why));
    open.clear();
    listener("broken", why);
  };

  const start = async () => {
    // A page from disk carries the worker's script and wasm inside, and names both here.
    const { script = "worker.js", wasm } = (await globalThis.runstateWorkerFiles?.()) ?? {};
    const worker = new Worker(script);
    worker.onmessage = ({ data }) => receive(data);
    worker.onerror = (event) => stop(event.message || "the browser did not start it");
    if (wasm) worker.postMessage({ wasm }, [wasm]);
    return worker;
  };

  return {
    listen(heard) {
      listener = heard;
    },
    // A wish like `open` or `watch` with what is given along, in the order in which the worker's exports take it.
    async ask(ask, given) {
      // Time goes on for what a worker holds. A new one holds nothing, and saying so would empty the screen.
      if (!started && (ask === "tick" || ask === "woke")) return;
      const worker = await (started ??= start());
      return new Promise((resolve, reject) => {
        const id = ++last;
        open.set(id, { resolve, reject });
        worker.postMessage({ id, ask, given });
      });
    },
  };
})();
