// Hands documents to the worker that reads them, so that the page goes on meanwhile. The first one starts the worker.
{
  let started;
  let last = 0;
  const open = new Map();

  const settle = ({ id, answer, refused, broken }) => {
    const asked = open.get(id);
    open.delete(id);
    if (answer) asked?.resolve(answer);
    else asked?.reject(refused ?? new Error(broken));
    if (broken !== undefined) stop(broken);
  };

  const stop = (why) => {
    started?.then((worker) => worker.terminate());
    started = undefined;
    for (const asked of open.values()) asked.reject(new Error(why));
    open.clear();
  };

  const start = async () => {
    // A page from disk carries the worker's script and wasm inside, and names both here.
    const { script = "reader-worker.js", wasm } = (await globalThis.runstateReaderFiles?.()) ?? {};
    const worker = new Worker(script);
    worker.onmessage = ({ data }) => settle(data);
    worker.onerror = (event) => stop(event.message || "the browser did not start the reader");
    if (wasm) worker.postMessage({ wasm }, [wasm]);
    return worker;
  };

  globalThis.runstateReader = async (ask) => {
    const worker = await (started ??= start());
    return new Promise((resolve, reject) => {
      const id = ++last;
      open.set(id, { resolve, reject });
      worker.postMessage({ ...ask, id });
    });
  };
}
