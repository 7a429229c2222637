// What such a page does: asks its own Gateway over HTTP, and another one over a socket. The tests call these functions. Its
// frames and workers run the same script.
const token = "operator-token";
const sockets = [];
/** The runs about which a frame or worker of this origin was answered. */
const answered = new Set();
const channel = new BroadcastChannel("answered");
channel.onmessage = ({ data }) => answered.add(data);

/** Asks the Gateway of this origin. */
async function rpc(method, params = {}) {
  const response = await fetch("/rpc", {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ id: "page", method, params }),
  });
  return (await response.json()).payload;
}

/** Asks for a run again and again. */
function poll(runId, every = 300) {
  const ask = () =>
    rpc("getRun", { runId })
      .then(() => channel.postMessage(runId))
      .catch(() => {});
  ask();
  setInterval(ask, every);
}

/** Opens a socket to a Gateway. */
async function open(url) {
  const socket = new WebSocket(url);
  sockets.push(socket);
  // How many frames it received and sent.
  [socket.frames, socket.sent] = [0, 0];
  let last = 0;
  const waiting = new Map();
  socket.ask = (method, params) =>
    new Promise((answer) => {
      const id = String(++last);
      waiting.set(id, answer);
      socket.sent += 1;
      socket.send(JSON.stringify({ type: "req", id, method, params }));
    });
  socket.addEventListener("message", ({ data }) => {
    socket.frames += 1;
    const frame = JSON.parse(data);
    if (frame.type === "res") waiting.get(frame.id)?.(frame);
    else socket.onevent?.(frame);
  });
  await new Promise((opened) => socket.addEventListener("open", opened, { once: true }));
  const client = { id: "operations", version: "1", platform: "browser" };
  const greeting = await socket.ask("connect", { minProtocol: 1, maxProtocol: 1, client, auth: { token } });
  if (!greeting.ok) throw new Error(JSON.stringify(greeting.error));
  socket.greeting = greeting.payload;
  return socket;
}

/** Follows a run over a socket: its tree, its events, and its state after each of them. */
async function follow(url, runId) {
  const socket = await open(url);
  let asking;
  const ask = () => (asking ??= socket.ask("getRun", { runId }).then(() => (asking = undefined)));
  socket.onevent = ({ event }) => /^(run|node|approval)\./.test(event) && ask();
  await socket.ask("streamDevTools", { runId });
  await socket.ask("streamRunEvents", { runId, afterSeq: 0 });
  await ask();
}

// What the address names is looked at from the start, also after a reload: `#poll=RUN&follow=RUN&at=URL`. The address of a
// service worker has no fragment; there it is `?poll=RUN&follow=RUN&at=URL`.
const asked = new URLSearchParams(location.hash.slice(1) || location.search);
if (asked.has("poll")) poll(asked.get("poll"));
if (asked.has("follow")) follow(asked.get("at"), asked.get("follow"));
