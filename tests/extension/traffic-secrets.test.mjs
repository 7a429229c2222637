// Secrets that people leak, in the traffic of a page in real DevTools: none is in what is kept, posted to the panel, stored, shown,
// exported and copied.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { until } from "../support/browser.mjs";
import { openDevtools } from "../support/devtools.mjs";
import { assertNoSecret, lastSession, leakingSessions } from "../support/secrets.mjs";
import { startStudio } from "../support/studio.mjs";
import { choose, copies, keptEntries, press, see, stored } from "../support/traffic.mjs";

const folder = mkdtempSync(join(tmpdir(), "runstate-secrets-"));
const paths = ["/api/runs/", `/api/runs/${lastSession.id}`];
let studio, tools;
before(async () => {
  const [list, one] = [{ runs: leakingSessions }, lastSession].map((answer) => JSON.stringify(answer));
  studio = await startStudio({ [paths[0]]: list, [paths[1]]: one });
  tools = await openDevtools(`${studio.origin}/`);
});
after(async () => {
  await tools?.close();
  await studio?.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

test("no secret of the known forms is kept, stored or shown", async () => {
  for (const path of paths) await tools.page.evaluate(async (path) => void (await (await fetch(path)).text()), path);
  await choose(tools, lastSession.id);
  await see(tools, "the session", ({ header }) => header?.state === "failed");
  const kept = await keptEntries(tools, ["answer"]);
  assert.ok(kept.includes(leakingSessions[0].id) && kept.includes(lastSession.id), "what the collector keeps has the sessions");
  const shown = await tools.inPanel("document.body.innerText");
  assertNoSecret({ kept, shown, stored: await stored(tools) });
});

test("no secret of the known forms is exported or copied", async () => {
  const session = await tools.browser.target().createCDPSession();
  await session.send("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: folder, eventsEnabled: true });
  const saved = new Promise((done) => session.on("Browser.downloadProgress", ({ state }) => state === "completed" && done()));
  await press(tools, "export");
  const submit = `document.querySelector('form[data-form="export"] [type="submit"]')`;
  await until("the form", () => tools.inPanel(`${submit} !== null`));
  await tools.inPanel(`${submit}.click()`);
  await saved;
  const exported = readFileSync(join(folder, readdirSync(folder)[0]), "utf8");
  assert.ok(exported.includes('"notes":[') && exported.includes(lastSession.id), "the export has all the forms");
  const copied = await copies(tools);
  assert.ok(copied.includes(lastSession.id), copied.join());
  assertNoSecret({ exported, copied: copied.join("\n") });
  assert.deepEqual(tools.complaints, []);
});
