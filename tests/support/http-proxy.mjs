// A reverse proxy on loopback in front of a Gateway's HTTP, which can answer its RPC with something else.
import { createServer, request } from "node:http";

/**
 * Passes every request on to `target`, an address such as `http://127.0.0.1:1234`.
 *
 * While `proxy.fault` is set, requests to `/rpc` get that response instead: `{status, headers, body}`; with `endless`, the body
 * never ends. `proxy.requests` are the times of the requests to `/rpc`, in ms of `performance.now()`, and `proxy.endless` the
 * number of endless responses that the client has not aborted.
 */
export async function httpProxy(target) {
  const proxy = { fault: null, requests: [], endless: 0 };
  const server = createServer((incoming, response) => {
    if (incoming.url === "/rpc") {
      proxy.requests.push(performance.now());
      if (proxy.fault) {
        const { status, headers = {}, body = "", endless } = proxy.fault;
        incoming.resume();
        response.writeHead(status, headers);
        if (!endless) return void response.end(body);
        proxy.endless += 1;
        const more = setInterval(() => response.write(body), 100);
        response.on("close", () => {
          clearInterval(more);
          proxy.endless -= 1;
        });
        return;
      }
    }
    // The Gateway compares the origin with the host that it was addressed by.
    const { method, url, headers } = incoming;
    const passed = request(new URL(url, target), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    });
    passed.on("error", () => response.destroy());
    incoming.pipe(passed);
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  proxy.http = `http://127.0.0.1:${server.address().port}`;
  proxy.close = () => {
    server.closeAllConnections();
    return new Promise((done) => server.close(done));
  };
  return proxy;
}
