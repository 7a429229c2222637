// A proxy on loopback between a panel and a real Gateway, which understands WebSocket messages and fails as it is told to.
import { createServer } from "node:http";
import { WebSocket, WebSocketServer } from "ws";

/**
 * Passes every WebSocket and every HTTP request on to the Gateway at `port`. While `proxy.fault` is set, it fails; `random` returns numbers from 0 to 1.
 *
 * Of messages to the panel: `delay` and `jitter` in ms (of messages to the Gateway, too), `rate` in bytes a second, and the probabilities `drop`,
 * `reorder`, `duplicate`, `truncate` and `corrupt`; `dropMethod` loses the answers to one method, `shift` returns the ms that are
 * added to each time of the server. Of the connection: `silent` passes nothing on, `refuse` ends new connections, and `status` refuses
 * them with this HTTP status.
 */
export async function faultProxy(port, random) {
  const links = new Set();
  const proxy = { fault: {}, opened: 0, requests: [], port: 0 };
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  const server = createServer((request, response) => forward(request, response).catch(() => response.destroy()));

  /** Passes an HTTP request on, and its response back. */
  async function forward(request, response) {
    const { fault } = proxy;
    if (fault.refuse) return request.socket.destroy();
    if (fault.silent) return;
    if (fault.status) return response.writeHead(fault.status, { "retry-after": "1" }).end("fault");
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = chunks.length > 0 ? Buffer.concat(chunks) : undefined;
    const { host, connection, "content-length": length, ...headers } = request.headers;
    const answer = await fetch(`http://127.0.0.1:${port}${request.url}`, { method: request.method, headers, body, redirect: "manual" });
    const text = await answer.text();
    const method = body && JSON.parse(String(body)).method;
    // Like a message of a socket, a lost response never arrives.
    const [sent] = changed(text, fault, () => method, random);
    if (sent === undefined) return;
    const slow = fault.rate ? (1000 * text.length) / fault.rate : 0;
    await new Promise((next) => setTimeout(next, lateness(fault, random) + slow));
    response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "text/plain" }).end(sent);
  }

  server.on("upgrade", (request, socket, head) => {
    if (proxy.fault.refuse) return socket.destroy();
    if (proxy.fault.status) return socket.end(`HTTP/1.1 ${proxy.fault.status} Fault\r\ncontent-length: 0\r\nretry-after: 1\r\n\r\n`);
    sockets.handleUpgrade(request, socket, head, (panel) => {
      proxy.opened += 1;
      const link = connect(panel, `ws://127.0.0.1:${port}`, request.headers.origin);
      links.add(link);
      panel.on("close", () => links.delete(link));
    });
  });

  function connect(panel, address, origin) {
    const gateway = new WebSocket(address, { origin, perMessageDeflate: false });
    const methods = new Map();
    const early = [];
    const toGateway = inOrder(() => lateness(proxy.fault, random));
    const toPanel = inOrder((text) => lateness(proxy.fault, random) + (proxy.fault.rate ? (1000 * text.length) / proxy.fault.rate : 0));
    const send = (socket) => (text) => !proxy.fault.silent && socket.readyState === WebSocket.OPEN && socket.send(text);
    const ask = (text) => toGateway(text, send(gateway));
    panel.on("message", (data) => {
      const text = String(data);
      const { id, method } = JSON.parse(text);
      methods.set(id, method);
      proxy.requests.push({ at: performance.now(), method });
      if (gateway.readyState === WebSocket.OPEN) ask(text);
      else early.push(text);
    });
    gateway.on("open", () => early.splice(0).forEach(ask));
    let held;
    gateway.on("message", (data) => {
      for (const text of changed(String(data), proxy.fault, (id) => methods.get(id), random)) {
        if (held === undefined && random() < (proxy.fault.reorder ?? 0)) {
          held = text;
          continue;
        }
        toPanel(text, send(panel));
        if (held !== undefined) toPanel(held, send(panel));
        held = undefined;
      }
    });
    const close = () => (gateway.terminate(), panel.terminate());
    panel.on("close", close);
    panel.on("error", close);
    gateway.on("close", close);
    gateway.on("error", close);
    return { panel, gateway };
  }

  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  proxy.port = server.address().port;
  proxy.url = `ws://127.0.0.1:${proxy.port}`;
  /** Sends a text to all panels as if it came from the Gateway. */
  proxy.inject = (text) => links.forEach(({ panel }) => panel.readyState === WebSocket.OPEN && panel.send(text));
  /** Ends all connections: with a close code, or without a word. */
  proxy.cut = (code) => links.forEach(({ panel }) => (code ? panel.close(code, "fault") : panel.terminate()));
  proxy.close = async () => {
    proxy.cut();
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  };
  return proxy;
}

const lateness = ({ delay = 0, jitter = 0 }, random) => delay + jitter * random();

/** Passes texts on in their order, each after its own time. */
function inOrder(msOf) {
  let last = Promise.resolve();
  return (text, pass) => {
    const due = performance.now() + msOf(text);
    last = last.then(async () => {
      const wait = due - performance.now();
      if (wait > 0) await new Promise((next) => setTimeout(next, wait));
      pass(text);
    });
  };
}

/** The texts that reach the panel in place of a text of the Gateway; `methodOf` returns the method of the request with an id. */
function changed(text, fault, methodOf, random) {
  const happens = (chance = 0) => random() < chance;
  if (fault.dropMethod && methodOf(JSON.parse(text).id) === fault.dropMethod) return [];
  if (happens(fault.drop)) return [];
  if (happens(fault.truncate)) return [text.slice(0, Math.floor(text.length * random()))];
  if (happens(fault.corrupt)) return [text.replace(/[{}":,]/g, (sign) => (random() < 0.1 ? "#" : sign))];
  const shifted = fault.shift ? shiftTimes(text, fault.shift()) : text;
  return happens(fault.duplicate) ? [shifted, shifted] : [shifted];
}

/** Moves the times that the Gateway writes itself: of its ticks and of its answers. */
function shiftTimes(text, ms) {
  return text
    .replace(/"ts":(\d{13})/g, (_, ts) => `"ts":${Number(ts) + ms}`)
    .replace(/"(computedAt|requestedAt)":"([^"]+)"/g, (_, name, time) => `"${name}":"${new Date(Date.parse(time) + ms).toISOString()}"`);
}
