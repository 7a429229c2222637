// Secrets that people leak, in the traffic of a page in real DevTools: none is in what is kept, shown and copied to the panel.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openDevtools } from "../support/devtools.mjs";
import { forms, surviving } from "../support/secrets.mjs";
import { startStudio } from "../support/studio.mjs";
import { choose, keptEntries, see, stored } from "../support/traffic.mjs";

const cases = forms.filter((_, at) => at % 3 === 0);
const runs = cases.map(({ text }, at) => ({
  id: `leak-${at}`,
  session_id: `leak-${at}`,
  status: "failed",
  invocation_kind: "agent",
  started_at: 1_795_292_150 + at,
  status_reason_summary: text,
}));
/** The newest session, which is in sight in the list. */
const last = runs.at(-1);
let studio, tools;
before(async () => {
  studio = await startStudio({ "/api/runs/": JSON.stringify({ runs }), [`/api/runs/${last.id}`]: JSON.stringify(last) });
  tools = await openDevtools(`${studio.origin}/`);
});
after(async () => {
  await tools?.close();
  await studio?.close();
});

test("no secret of the known forms is kept, stored or shown", async () => {
  for (const path of ["/api/runs/", `/api/runs/${last.id}`])
    await tools.page.evaluate(async (path) => void (await (await fetch(path)).text()), path);
  await choose(tools, last.id);
  await see(tools, "the session", ({ header }) => header?.state === "failed");
  const kept = await keptEntries(tools, ["answer"]);
  assert.ok(kept.includes(runs[0].id) && kept.includes(last.id), "what the collector keeps has the sessions");
  const shown = await tools.inPanel("document.body.innerText");
  for (const [place, text] of Object.entries({ kept, shown, stored: await stored(tools) })) {
    // Texts of JSON in JSON have further escapes.
    const plain = text.replaceAll("\\", "");
    for (const { name, secrets } of cases) assert.equal(surviving(secrets, plain), undefined, `${name} in ${place}`);
  }
  assert.deepEqual(tools.complaints, []);
});
