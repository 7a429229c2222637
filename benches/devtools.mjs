// The extension's side: the collector's share of the time in real DevTools, while a socket of the page has many frames.
import { until } from "../tests/support/browser.mjs";
import { openDevtools } from "../tests/support/devtools.mjs";
import { socketServer } from "../tests/support/listener.mjs";
import { serve } from "../tests/support/server.mjs";

const MEASURED_MS = 10_000;
/** Frames that arrive during the measurement. */
const FRAMES_PER_SECOND = 40;

// About the length of a Gateway's frames.
const frame = (seq) =>
  JSON.stringify({ type: "event", apiVersion: "v1", event: "run.event", seq, payload: { runId: "r1", text: "x".repeat(280) } });

/** The cases in DevTools. */
export function ourDevtools() {
  return { polling: (frames) => () => polling(frames) };
}

/** The time per second that the collector works on the log, in milliseconds. */
async function polling(frames) {
  let timer;
  const sockets = await socketServer((socket) => {
    for (let seq = 1; seq <= frames; seq++) socket.send(frame(seq));
    let seq = frames;
    timer = setInterval(() => socket.send(frame(++seq)), 1000 / FRAMES_PER_SECOND);
  });
  const server = await serve(undefined, { extra: { "/": "<!doctype html><title>Inspected</title>" } });
  const tools = await openDevtools(`${server.origin}/`);
  try {
    await tools.page.evaluate((url) => void (globalThis.socket = new WebSocket(url)), sockets.url);
    await tools.inCollector(`(${timePolls})()`);
    await until("all frames in the log", () => tools.inCollector(`globalThis.polls.some(({ frames }) => frames >= ${frames})`), {
      timeout: 60_000,
    });
    return await tools.inCollector(`(${measure})(${MEASURED_MS})`);
  } finally {
    clearInterval(timer);
    await tools.close();
    await Promise.all([sockets.close(), server.close()]);
  }
}

// Runs in the collector's page: its work lasts from the answer of the developer tools, which write the log, until all work on it is done.
function timePolls() {
  const { network } = chrome.devtools;
  const getHAR = network.getHAR.bind(network);
  globalThis.polls = [];
  network.getHAR = (done) => {
    getHAR((log) => {
      const begin = performance.now();
      done(log);
      const frames = Math.max(0, ...log.entries.map((entry) => entry._webSocketMessages?.length ?? 0));
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        port1.close();
        globalThis.polls.push({ ms: performance.now() - begin, frames });
      };
      port2.postMessage(undefined);
    });
  };
}

// Runs in the collector's page. Measures a whole number of intervals, each from the end of a poll to the end of the next one.
async function measure(leastMs) {
  const next = async () => {
    const { length } = globalThis.polls;
    while (globalThis.polls.length === length) await new Promise((done) => setTimeout(done, 5));
  };
  // What the collector may do without a pause is used up first.
  for (let polls = 0; polls < 12; polls++) await next();
  const begin = performance.now();
  globalThis.polls.length = 0;
  while (performance.now() - begin < leastMs) await next();
  const busy = globalThis.polls.reduce((sum, { ms }) => sum + ms, 0);
  return { milliseconds: (1000 * busy) / (performance.now() - begin), answer: "polled" };
}
