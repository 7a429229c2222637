// Event streams that a service worker of the inspected page opens, and answers that it gives, in real Chromium DevTools.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, describe, test } from "node:test";
import { openDevtools } from "../support/devtools.mjs";
import { askForged, startForger } from "../support/forger.mjs";
import { choose, see } from "../support/traffic.mjs";

const signal = (seq, kind, payload) =>
  `data: ${JSON.stringify({ id: `x${seq}`, session_id: "s1", seq, kind, op_id: "", ts: 1795292150 + seq, payload })}\n\n`;
// The address of the worker names how it reads the stream.
const worker = `
  const address = "/api/sessions/s1/signals";
  const ways = {
    EventSource: () => new EventSource(address),
    fetch: async () => { const reader = (await fetch(address)).body.getReader(); while (!(await reader.read()).done); },
  };
  ways[location.search.slice(1)]();`;

test("what it answers is listed as its own, not as the Gateway's", async () => {
  const forger = await startForger();
  const tools = await openDevtools(forger.url);
  try {
    await tools.page.evaluate(askForged);
    const { servers } = await see(tools, "the run", ({ servers }) => Object.values(servers).some((runs) => runs.forged));
    assert.deepEqual(Object.keys(servers), [`service worker of this page, in place of ${forger.address}`]);
    assert.deepEqual(tools.complaints, []);
  } finally {
    await tools.close();
    forger.stop();
  }
});

for (const way of ["EventSource", "fetch"]) {
  describe(`read by ${way}`, () => {
    let server, stream, tools;
    before(async () => {
      server = createServer(({ url }, response) => {
        const type = { "/": "text/html", "/api/sessions/s1/signals": "text/event-stream" }[url] ?? "text/javascript";
        response.writeHead(200, { "content-type": type });
        if (type === "text/event-stream") (stream = response).write(signal(1, "RunStart", {}));
        else response.end(url === "/" ? "<!doctype html><title>Studio</title>" : worker);
      });
      await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
      tools = await openDevtools(`http://127.0.0.1:${server.address().port}/`);
    });
    after(async () => {
      await tools?.close();
      server?.closeAllConnections();
      server?.close();
    });

    test("its messages are read while it is open", async () => {
      await tools.page.evaluate((way) => navigator.serviceWorker.register(`/worker.js?${way}`).then(() => undefined), way);
      await choose(tools, "s1");
      const { header } = await see(tools, "the session", ({ header }) => /s1/.test(header?.text));
      assert.notEqual(header.state, "failed");
      stream.write(signal(2, "RunFailed", { error: "disk is full" }));
      await see(tools, "its failure", ({ header }) => /disk is full/.test(header?.text));
      assert.deepEqual(tools.complaints, []);
    });
  });
}
