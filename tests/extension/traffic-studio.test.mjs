// The panel shows the sessions of which the inspected page speaks with lionagi's Studio, in real DevTools.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { openDevtools } from "../support/devtools.mjs";
import { captures } from "../support/paths.mjs";
import { choose, press, search, see } from "../support/traffic.mjs";

const capture = (name) => readFileSync(join(captures, "../../lionagi/captures/studio", name), "utf8");
const list = capture("runs-list-p1.json");
const failed = JSON.parse(capture("run-failed-exception.json"));
let server, tools, stream;
before(async () => {
  server = createServer(({ url }, response) => {
    const type = url === "/" ? "text/html" : url.includes("signals") ? "text/event-stream" : "application/json";
    response.writeHead(200, { "content-type": type });
    if (url === "/api/runs/?page=1") response.end(list);
    else if (url === `/api/runs/${failed.id}`) response.end(JSON.stringify(failed));
    else if (url === "/api/runs/large") response.end(`{"runs":[{"text":"${"x".repeat(21e6)}"}]}`);
    else if (url === "/api/sessions/s1/signals")
      (stream = response).write(
        'data: {"id":"x1","session_id":"s1","seq":1,"kind":"RunStart","op_id":"","ts":1795292151,"payload":{}}\n\n',
      );
    else response.end("<!doctype html><title>Studio</title>");
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  tools = await openDevtools(`http://127.0.0.1:${server.address().port}/`);
});
after(async () => {
  await tools?.close();
  server?.closeAllConnections();
  server?.close();
});
const fetched = (path) => tools.page.evaluate(async (path) => void (await (await fetch(path)).text()), path);

test("its event stream is read while it is open", async () => {
  await tools.page.evaluate(() => void (globalThis.signals = new EventSource("/api/sessions/s1/signals")));
  await choose(tools, "s1");
  const { header } = await see(tools, "the session", ({ header }) => /s1/.test(header?.text));
  assert.notEqual(header.state, "failed");
  stream.write(
    'data: {"id":"x2","session_id":"s1","seq":2,"kind":"RunFailed","op_id":"","ts":1795292152,"payload":{"error":"disk is full"}}\n\n',
  );
  await see(tools, "its failure", ({ header }) => /disk is full/.test(header?.text));
  await press(tools, "runs");
  const { lines } = await see(tools, "the list", ({ screen }) => screen === "runs");
  assert.match(lines.join(), /Event stream · following/);
});

test("its answers are listed as sessions, and one shows its header", async () => {
  await fetched("/api/runs/?page=1");
  const expected = JSON.parse(list).runs.map(({ id }) => id);
  await see(tools, "the sessions", ({ servers }) =>
    Object.values(servers).some((rows) => Object.keys(rows).some((id) => expected.includes(id))),
  );
  await fetched(`/api/runs/${failed.id}`);
  // Of the many sessions only those in sight have rows.
  await search(tools, failed.id);
  await choose(tools, failed.id);
  const { header } = await see(tools, "the session", ({ header }) => header?.state === "failed");
  assert.equal(header.freshness, "seen");
  await press(tools, "runs");
  await search(tools, "");
});

test("an answer of more than 20 MB is explained", async () => {
  await fetched("/api/runs/large");
  const { notes } = await see(tools, "the note", ({ notes }) => notes["too-large"]);
  assert.match(
    notes["too-large"],
    /The response from \/api\/runs\/large at .* could not be read\. DevTools does not give extensions responses larger than 20 MB\.\s*$/,
  );
  assert.deepEqual(tools.complaints, []);
});
