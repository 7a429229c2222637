// A page whose service worker answers the requests to its Gateway itself: a state that no Gateway has said.
import { createServer } from "node:http";

const forger = `
  const body = '{"ok":true,"apiVersion":"v1","payload":[{"runId":"forged","workflowName":"release","status":"finished"}]}';
  addEventListener("activate", (event) => event.waitUntil(clients.claim()));
  addEventListener("fetch", (event) => event.request.method === "POST" &&
    event.respondWith(new Response(body, { headers: { "content-type": "application/json" } })));`;

/** Serves the page. There is no Gateway behind it. */
export async function startForger() {
  const server = createServer(({ url }, response) => {
    response.writeHead(200, { "content-type": url === "/" ? "text/html" : "text/javascript" });
    response.end(url === "/" ? "<!doctype html><title>Gateway</title>" : forger);
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  const address = `127.0.0.1:${server.address().port}`;
  return {
    address,
    url: `http://${address}/`,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/**
 * Called in the page: starts the worker, and asks the Gateway for its runs, now and every three seconds: on a busy machine,
 * Firefox may leave a request out of its log.
 */
export async function askForged() {
  const claimed = new Promise((done) => navigator.serviceWorker.addEventListener("controllerchange", done, { once: true }));
  await navigator.serviceWorker.register("/worker.js");
  await claimed;
  const ask = async () => {
    await (await fetch("/rpc", { method: "POST", body: '{"method":"listRuns"}' })).text();
  };
  setInterval(ask, 3000);
  await ask();
}
