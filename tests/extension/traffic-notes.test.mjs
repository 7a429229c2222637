// The panel explains what is missing of the traffic of the inspected page, in real DevTools.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, test } from "node:test";
import { startGateway } from "../gateway/gateway.mjs";
import { openDevtools } from "../support/devtools.mjs";
import { root } from "../support/paths.mjs";
import { serve } from "../support/server.mjs";
import { filledIn, press, see } from "../support/traffic.mjs";

const folder = join(root, "tests/extension/page");
const near = await startGateway({ page: folder });
after(() => near.stop());
const address = (gateway) => `127.0.0.1:${gateway.port}`;

test("a Gateway without runs, and one that refuses the page, is named with what to do", async () => {
  const empty = await startGateway({ page: folder });
  const tools = await openDevtools(`${empty.http}/page/index.html`);
  try {
    await tools.page.evaluate(`rpc("listRuns")`);
    const { screen, notes } = await see(tools, "the note", ({ notes }) => notes["no-runs"]);
    assert.equal(screen, "traffic");
    assert.match(
      notes["no-runs"],
      new RegExp(`The Gateway ${address(empty)} has not sent any run to this page\\. .*connect to the Gateway`),
    );
    await tools.page.evaluate(
      `fetch("/rpc", { method: "POST", headers: { authorization: "Bearer wrong", "content-type": "application/json" }, body: JSON.stringify({ id: "1", method: "listRuns", params: {} }) }).then((response) => response.text())`,
    );
    await see(tools, "the refusal", ({ notes }) => /refused the last request of this page: UNAUTHORIZED\. Sign in/.test(notes["no-runs"]));
    assert.deepEqual(await filledIn(tools, '[data-value="no-runs"] [data-action="choose-source"]'), { url: empty.url, token: "", run: "" });
    assert.deepEqual(tools.complaints, []);
  } finally {
    await tools.close();
    await empty.stop();
  }
});

test("a log that is not recorded is explained, and a navigation meanwhile discards what was seen", async () => {
  const runId = await near.launch("approval");
  await near.waitForState(runId, "waiting-approval");
  const tools = await openDevtools(`${near.http}/page/index.html#poll=${runId}`);
  const record = (isOn) =>
    tools.inFront(
      `import("./models/logs/logs.js").then(({ NetworkLog }) => void NetworkLog.NetworkLog.instance().setIsRecording(${isOn}))`,
    );
  try {
    await see(tools, "the run", ({ servers }) => servers[address(near)]?.[runId]);
    await record(false);
    const { notes } = await see(tools, "the note", ({ notes }) => notes["not-recorded"]);
    assert.match(notes["not-recorded"], /Start the recording in the Network panel/);
    await tools.page.goto(`${near.http}/page/index.html?unrecorded`);
    await see(tools, "no run", ({ screen, notes }) => screen === "traffic" && !notes.navigated);
    assert.doesNotMatch(await tools.inPanel("document.body.innerText"), /Preserve log is on/);
    await record(true);
    await tools.page.goto(`${near.http}/page/index.html?recorded#poll=${runId}`);
    await see(tools, "the run again", ({ servers, notes }) => servers[address(near)]?.[runId] && !notes["not-recorded"]);
    assert.deepEqual(tools.complaints, []);
  } finally {
    await tools.close();
  }
});

test("a socket from before DevTools is explained, and seen after a reload", async () => {
  const runId = await near.launch("approval");
  await near.waitForState(runId, "waiting-approval");
  const url = `${near.http}/page/index.html#follow=${runId}&at=${near.url}`;
  const tools = await openDevtools(url, { late: (page) => page.waitForFunction("sockets[0]?.frames > 3") });
  try {
    const { screen, notes } = await see(tools, "the note", ({ notes }) => notes.late);
    assert.equal(screen, "traffic");
    assert.match(notes.late, /messages of a WebSocket that was opened before DevTools/);
    // A page that the page loads into itself has a request for a document, too.
    await tools.page.evaluate(
      () =>
        new Promise((loaded) =>
          document.body.append(Object.assign(document.createElement("iframe"), { src: "/page/index.html?inside", onload: loaded })),
        ),
    );
    const { notes: later } = await see(tools, "the request of the page inside the page", ({ counts }) =>
      /^[1-9]\d* requests? /.test(counts),
    );
    assert.equal(later.late, notes.late);
    await press(tools, "reload-page");
    await see(tools, "the run", ({ servers, notes }) => servers[address(near)]?.[runId] === "waiting-approval" && !notes.late);
    assert.deepEqual(tools.complaints, []);
  } finally {
    await tools.close();
  }
});

test("a response that is too large is explained though its server is unknown, which is not said to be a Gateway", async () => {
  const server = await serve(undefined, {
    extra: { "/": "<!doctype html><title>Page</title>" },
    handle: ({ url }, response) => {
      if (url === "/favicon.ico" || url === "/") return false;
      response.writeHead(200, { "content-type": "application/json" }).end(`{"text":"${"x".repeat(21e6)}"}`);
      return true;
    },
  });
  const tools = await openDevtools(`${server.origin}/`);
  const request = (path, method) =>
    tools.page.evaluate(async (path, method) => void (await (await fetch(path, { method })).text()), path, method);
  try {
    await request("/download", "GET");
    const before = await see(tools, "the request", ({ counts }) => /^[1-9]\d* requests? /.test(counts));
    assert.deepEqual(before.notes, {});
    assert.match(before.counts, /none from a Gateway or Studio/);
    await request("/v1/rpc/listRuns", "POST");
    const { notes, servers, counts } = await see(tools, "the note", ({ notes }) => notes["too-large"]);
    assert.match(
      notes["too-large"],
      /The response from \/v1\/rpc\/listRuns at .* If the server is a Gateway, connect to it to see its runs\./,
    );
    assert.deepEqual(servers, {});
    assert.doesNotMatch(counts, /none from/);
    const { url } = await filledIn(tools, '[data-value="too-large"] [data-action="choose-source"]');
    assert.equal(url, server.origin.replace("http", "ws"));
    assert.deepEqual(tools.complaints, []);
  } finally {
    await tools.close();
    await server.close();
  }
});
