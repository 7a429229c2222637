// Servers that count connections.
import { createServer } from "node:net";
import { WebSocket, WebSocketServer } from "ws";
import { until } from "./browser.mjs";

/** A free port. */
export async function freePort() {
  const probe = createServer();
  await new Promise((ready) => probe.listen(0, "127.0.0.1", ready));
  const { port } = probe.address();
  await new Promise((done) => probe.close(done));
  return port;
}

/** Accepts connections and closes them at once; `times` are their times on a page's clock, `requests` their first data. */
export async function refuser(port = 0) {
  const times = [];
  const requests = [];
  const server = createServer((socket) => {
    times.push(performance.timeOrigin + performance.now());
    socket.on("error", () => {});
    socket.once("data", (data) => {
      requests.push(data.toString("latin1"));
      socket.destroy();
    });
  });
  await new Promise((ready, refuse) => server.once("error", refuse).listen(port, "127.0.0.1", ready));
  return { port: server.address().port, times, requests, close: () => new Promise((done) => server.close(done)) };
}

/** Accepts WebSockets; `accept` is called with each. */
export async function socketServer(accept) {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  await new Promise((ready) => server.once("listening", ready));
  server.on("connection", accept);
  return { url: `ws://127.0.0.1:${server.address().port}/`, close: () => new Promise((done) => server.close(done)) };
}

/**
 * A WebSocket proxy before a Gateway: `sent` are the requests of the panel as `{at, method, params}`, `events` the names
 * of the Gateway's events. `lose` makes it swallow as many of the next events.
 */
export async function proxy(url) {
  const sent = [];
  const events = [];
  let toLose = 0;
  let replaced = {};
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  await new Promise((ready) => server.once("listening", ready));
  server.on("connection", (client, request) => {
    const upstream = new WebSocket(url + request.url);
    const waiting = [];
    const methods = new Map();
    client.on("message", (data) => {
      const { id, method, params } = JSON.parse(data.toString());
      methods.set(id, method);
      sent.push({ at: performance.now(), method, params });
      if (upstream.readyState === WebSocket.OPEN) upstream.send(data.toString());
      else waiting.push(data.toString());
    });
    upstream.on("open", () => waiting.splice(0).forEach((text) => upstream.send(text)));
    upstream.on("message", (data) => {
      const message = JSON.parse(data.toString());
      const { type, event } = message;
      const method = methods.get(message.id);
      if (type === "event") events.push(event);
      if (type === "event" && toLose > 0) toLose -= 1;
      else if (type === "res" && method in replaced) client.send(JSON.stringify({ ...message, payload: replaced[method] }));
      else client.send(data.toString());
    });
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ]) {
      one.on("close", () => other.close());
      one.on("error", () => other.terminate());
    }
  });
  return {
    url: `ws://127.0.0.1:${server.address().port}`,
    sent,
    events,
    lose: (count) => (toLose = count),
    /** From now on, answers have these payloads, by method. */
    replace: (payloads) => (replaced = payloads),
    /** Waits for `count` more heartbeats of the Gateway, each of which sends pending changes. */
    heartbeats: (count) => {
      const ticks = () => events.filter((event) => event === "tick").length;
      const end = ticks() + count;
      return until(`${count} heartbeats`, () => ticks() >= end);
    },
    close: () => {
      for (const client of server.clients) client.terminate();
      return new Promise((done) => server.close(done));
    },
  };
}
