// The panel shows the sessions of which the inspected page speaks with lionagi's Studio, in real DevTools.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { openDevtools } from "../support/devtools.mjs";
import { vector } from "../support/paths.mjs";
import { runList, runs, signal, startStudio } from "../support/studio.mjs";
import { choose, press, search, see } from "../support/traffic.mjs";

const failed = JSON.parse(readFileSync(vector("lionagi/captures/studio/run-failed-exception.json"), "utf8"));
let studio, tools;
before(async () => {
  studio = await startStudio({
    "/api/runs/": runList,
    [`/api/runs/${failed.id}`]: JSON.stringify(failed),
    "/api/runs/large": `{"runs":[{"text":"${"x".repeat(21e6)}"}]}`,
  });
  tools = await openDevtools(`${studio.origin}/`);
});
after(async () => {
  await tools?.close();
  await studio?.close();
});
const fetched = (path) => tools.page.evaluate(async (path) => void (await (await fetch(path)).text()), path);

test("its event stream is read while it is open", async () => {
  await tools.page.evaluate(() => void (globalThis.signals = new EventSource("/api/sessions/s1/signals")));
  await choose(tools, "s1");
  const { header } = await see(tools, "the session", ({ header }) => /s1/.test(header?.text));
  assert.notEqual(header.state, "failed");
  studio.send(signal(2, "RunFailed", { error: "disk is full" }));
  await see(tools, "its failure", ({ header }) => /disk is full/.test(header?.text));
  await press(tools, "runs");
  const { lines } = await see(tools, "the list", ({ screen }) => screen === "runs");
  assert.match(lines.join(), /Event stream · following/);
});

test("its answers are listed as sessions, and one shows its header", async () => {
  await fetched("/api/runs/");
  const expected = runs.map(({ id }) => id);
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
