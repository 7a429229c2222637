/**
 * Starts a worker, which runs the same module as the page; the panel starts one for each session.
 * @returns {Worker}
 */
export const startWorker = () => new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
