// Every recorded answer, pasted into the real panel: the header says what the answer says, or a refusal is a refusal.
//
// `RUNSTATE_OUTCOMES=write node --test tests/browser/captures.test.mjs` rewrites the outcomes of the other documents.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { after, test } from "node:test";
import { all, refused, said } from "../support/captures.mjs";
import { paste, runs } from "../support/panel.mjs";
import { connectScreen, tall } from "../support/stage.mjs";

const { page } = await connectScreen({ viewport: tall });
const documents = all();
const carriers = documents.filter(({ text }) => said(text));
const refusals = documents.filter(({ text }) => refused(text));

test("the captures are there", () => {
  assert.ok(carriers.length >= 150, `${carriers.length} captures carry a state`);
  assert.ok(refusals.length >= 40, `${refusals.length} captures are refusals`);
});

// What the document contains and the header must therefore show. `null` stands for an absent field.
function expected({ view, frameNo }) {
  return {
    state: view.state,
    pill: view.state,
    blocked: view.blocked?.kind ?? null,
    node: view.blocked?.nodeId ?? null,
    unhealthy: view.unhealthy?.kind ?? null,
    runId: view.runId,
    frameNo: frameNo ?? null,
    computedAt: view.computedAt,
  };
}

function shown(header) {
  return {
    state: header.state,
    pill: header.pill?.value,
    blocked: header.blockedKind ?? null,
    node: header.blocked?.nodes[0] ?? null,
    unhealthy: header.unhealthyKind ?? null,
    runId: header.runId,
    frameNo: header.frameNo ?? null,
    computedAt: header.computedAt,
  };
}

for (const { name, text } of carriers) {
  test(`the header says what ${name} says`, async () => {
    const seen = await paste(page, text);
    assert.equal(seen.error, undefined);
    assert.ok(seen.header, `no header: ${JSON.stringify(seen).slice(0, 300)}`);
    assert.deepEqual(shown(seen.header), expected(said(text)));
    assert.equal(seen.header.pill.taxonomy, "run");
    assert.equal(seen.header.freshness, "recorded");
  });
}

test("a container over a failure that the run caught counts it, and no row contradicts the header", async () => {
  const caught = documents.find(({ name }) => name.endsWith("structure-a/rpc-getDevToolsSnapshot.json"));
  const { header } = await paste(page, caught.text);
  assert.equal(header.state, "succeeded");
  const root = await page.waitForSelector('[role="treeitem"][aria-level="1"][data-below="failed"]');
  assert.match(await root.evaluate((row) => row.textContent), /1 failed/);
});

for (const { name, text } of refusals) {
  test(`${name} is a refusal and no state`, async () => {
    const seen = await paste(page, text);
    assert.equal(seen.header, undefined, "a refusal must not show a run");
    assert.ok(seen.refusal, `no refusal: ${JSON.stringify(seen).slice(0, 300)}`);
    assert.equal(seen.refusal.code, refused(text).code);
    assert.ok(seen.refusal.text.includes(refused(text).code), "the code is on screen");
  });
}

// One document of each shape that carries neither a state nor a refusal, and every document that stands in a file of its own.
function others() {
  const shapes = new Set();
  return documents.filter(({ name, text }) => {
    if (said(text) || refused(text)) return false;
    if (!/\.ndjson:\d+$/.test(name)) return true;
    const { type, event, ok } = JSON.parse(text);
    const shape = [name.split("/")[0], type, event, ok].join();
    return !shapes.has(shape) && shapes.add(shape);
  });
}

// What the panel shows for each of them: the state of a run, the number of runs, or the code of a refusal or an error.
const outcomesFile = new URL("captures.outcomes.json", import.meta.url);
const rewrite = process.env.RUNSTATE_OUTCOMES === "write";
const outcomes = rewrite ? {} : JSON.parse(readFileSync(outcomesFile, "utf8"));
after(() => rewrite && writeFileSync(outcomesFile, `${JSON.stringify(outcomes, null, 1)}\n`));

function outcome({ error, refusal, runs: rows, header }) {
  if (error) return { error: error.code };
  if (refusal) return { refusal: refusal.code };
  if (rows) return { runs: rows.length };
  return { state: header.state ?? null };
}

for (const { name, text } of others()) {
  test(`${name} is what it was decided to be`, async () => {
    const seen = await paste(page, text);
    // The rows follow the screen.
    if (seen.runs) seen.runs = await runs(page, rewrite ? seen.runs.length : outcomes[name].runs);
    const found = outcome(seen);
    if (rewrite) outcomes[name] = found;
    assert.deepEqual(found, outcomes[name]);
  });
}
test("every decided outcome belongs to a document", () => {
  assert.deepEqual(
    Object.keys(outcomes).sort(),
    others()
      .map(({ name }) => name)
      .sort(),
  );
});

test("a list of runs shows every run with its own verdict", async () => {
  const { text } = documents.find(({ name }) => name.endsWith("derived/listRuns-edited-rows.json"));
  const { payload } = JSON.parse(text);
  await paste(page, text);
  const rows = await runs(page, payload.length);
  assert.deepEqual(rows.map(({ id }) => id).sort(), payload.map(({ runId }) => runId).sort());
  for (const { id, state } of rows) assert.ok(state, `${id} has a pill`);
  assert.ok(new Set(rows.map(({ state }) => state)).size > 3, "the rows differ");
});
