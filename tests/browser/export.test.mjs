// What is on screen is saved as one file, without secrets, and opens again as it was.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { focusPage } from "../support/browser.mjs";
import { text } from "../support/captures.mjs";
import { downloads, exported } from "../support/download.mjs";
import { chooseFile, drop, open, paste, runs, shows } from "../support/panel.mjs";
import { built, vector } from "../support/paths.mjs";
import { connectScreen, tall } from "../support/stage.mjs";

const valid = (...names) => names.map((name) => vector(`documents/valid/${name}`));

const { server, newPage, page } = await connectScreen({ viewport: tall });
const saving = await downloads(page);
after(() => saving.close());

// What the header says, without the name of the source and what changes by itself.
const summary = async (of = page) => {
  const text = await of.evaluate(() => {
    const { header } = window.runstateTest.answer();
    const { text: _, freshnessText: __, ...rest } = header;
    const all = (selector, read) => [...document.querySelectorAll(selector)].map(read);
    // As text, in which an absent field is not there in any browser.
    return JSON.stringify({
      ...rest,
      fields: all("section[data-tone] dl [data-field]:not([data-field=source], [data-field=freshness])", (field) => [
        field.dataset.field,
        field.textContent,
      ]),
      because: document.querySelector("[data-field=evidence] summary").textContent,
      actions: all("[data-field=actions] code", (code) => code.textContent),
    });
  });
  return JSON.parse(text);
};

// The same without the directories of the server's path in the error of one run, and without the path of a worktree.
const withoutPaths = (seen) =>
  JSON.parse(
    JSON.stringify(seen)
      .replaceAll("/var/data/", "/var/[redacted]/")
      .replaceAll(/\/project\/\.tnh-conductor\/worktrees\/[0-9TZ]+/g, "[redacted]"),
  );

// The same bytes from the same file, and a hash that fits.
function sound(file) {
  const { runstateExport, hash, content } = JSON.parse(file.text);
  assert.equal(runstateExport, 1);
  const inside = file.text.slice(file.text.indexOf('"content":') + '"content":'.length, file.text.lastIndexOf("}"));
  assert.equal(hash, `sha256:${createHash("sha256").update(inside).digest("hex")}`);
  assert.deepEqual(JSON.parse(inside), content);
  assert.match(file.name, /^runstate-[\w.-]+\.json$/);
  return content;
}

describe("a document is the same after its export", () => {
  const documents = {
    "a snapshot with its tree": [vector("smithers/captures/runs/approval-a/rpc-getDevToolsSnapshot-waiting.json")],
    "an answer of the Gateway": [vector("smithers/captures/runs/fail-a/rpc-runs.get.json")],
    "recorded traffic": valid("killed-a.har"),
    "the frames of a socket": valid("approval-a.ws-life.ndjson"),
    "a session of lionagi": [vector("lionagi/captures/studio/run-dead-stale-fresh.json")],
    "a session from before the vocabulary": valid("lionagi-legacy.json"),
    "a gate of tnh-conductor": [vector("conductor/runs/gate-orphaned/run/status.json")],
  };
  for (const [name, files] of Object.entries(documents)) {
    test(name, async () => {
      const first = await chooseFile(page, ...files);
      assert.ok(first.header, JSON.stringify(first).slice(0, 300));
      const before = await summary();
      const file = await exported(page, saving);
      sound(file);
      const words = await page.$eval("[data-field=exported]", (found) => found.textContent);
      assert.ok(words.startsWith(`Saved ${file.name}. `), words);
      await chooseFile(page, file.path);
      assert.deepEqual(await summary(), withoutPaths(before));
      const again = await exported(page, saving);
      assert.equal(again.text, file.text, "exporting what was exported gives the same bytes");
    });
  }
});

test("the built-in recording is the same after its export", async () => {
  const { page: own, close } = await newPage();
  await open(own, `${server.origin}/#example`);
  await own.waitForFunction(() => document.querySelectorAll("[role=treeitem]").length >= 20);
  const before = await summary(own);
  const files = await downloads(own);
  const file = await exported(own, files);
  const content = sound(file);
  assert.deepEqual(
    content.entries.map(({ method }) => method),
    ["getRun", "getDevToolsSnapshot", "listNodeStates"],
  );
  const rows = await own.$$eval("[role=treeitem]", (found) => found.map((row) => row.textContent));
  await chooseFile(own, file.path);
  assert.deepEqual(await summary(own), before);
  await own.waitForFunction((count) => document.querySelectorAll("[role=treeitem]").length === count, {}, rows.length);
  assert.deepEqual(await own.$$eval("[role=treeitem]", (found) => found.map((row) => row.textContent)), rows);
  await close();
  files.close();
});

test("a list is saved whole", async () => {
  await paste(page, text("derived/listRuns-edited-rows.json"));
  const { payload } = JSON.parse(text("derived/listRuns-edited-rows.json"));
  const before = await runs(page, payload.length);
  const file = await exported(page, saving);
  assert.match(file.name, /^runstate-runs-\d{8}T\d{6}Z\.json$/);
  await chooseFile(page, file.path);
  assert.deepEqual(await runs(page, payload.length), before);
});

test("secrets, home directories and named keys are redacted", async () => {
  const row = {
    runId: "run/../1",
    status: "failed",
    teamName: "blue",
    prompt: "keep me out",
    configJson: '{"auth":{"token":"hunter2"}}',
    workflowPath: "/srv/flows/a.tsx",
    errorJson: JSON.stringify({ message: "no route", stack: "at /home/mira/flow.ts:3\n Bearer abc.def" }),
  };
  await paste(page, JSON.stringify(row));
  const before = await summary();
  const file = await exported(page, saving, "team-name, prompt");
  for (const secret of ["hunter2", "blue", "keep me out", "/srv", "mira", "abc.def"]) assert.ok(!file.text.includes(secret), secret);
  assert.match(file.name, /^runstate-run-\.\.-1-\d{8}T\d{6}Z\.json$/);
  assert.equal(sound(file).redacted, 6);
  assert.match(await page.$eval("[data-field=exported]", (found) => found.textContent), /Redacted: 6 secrets or paths of the server\./);
  await chooseFile(page, file.path);
  assert.equal((await summary()).state, before.state);
});

test("a redacted run id is not in the file's name either", async () => {
  await paste(page, '{"runId":"acme-takeover","status":"failed"}');
  const file = await exported(page, saving, "runId");
  assert.ok(!file.text.includes("acme"));
  assert.match(file.name, /^runstate-redacted-\d{8}T\d{6}Z\.json$/);
});

test("a document of which almost everything is redacted is saved all the same", async () => {
  await paste(page, text("runs/approval-a/rpc-getDevToolsSnapshot-waiting.json"));
  const file = await exported(page, saving, "root, payload, snapshot, runId");
  assert.match(file.name, /^runstate-[\w.-]+\.json$/);
  assert.ok(!file.name.includes("approval-a"), file.name);
});

test("the result of an export disappears when another document is opened", async () => {
  await paste(page, '{"runId":"first","status":"failed"}');
  await exported(page, saving);
  await page.waitForFunction(() => document.querySelector("[data-field=exported]")?.textContent.startsWith("Saved runstate-first-"));
  await drop(page, '{"runId":"second","status":"failed"}');
  await shows(page, "second");
  assert.doesNotMatch(await page.evaluate(() => document.body.textContent), /Saved runstate/);
});

test("what is saved is what was opened, even if it is no secret", async () => {
  const odd = JSON.stringify({ runId: 'ü\u202e"', status: "hibernating", extra: [1.5, null, { a: "b" }] });
  await paste(page, odd);
  const { entries } = sound(await exported(page, saving));
  assert.deepEqual(
    entries.map(({ json }) => json),
    [JSON.parse(odd)],
  );
});

test("a file that is gone cannot be saved again, and what is on screen stays", async () => {
  const folder = mkdtempSync(join(tmpdir(), "runstate-gone-"));
  const path = join(folder, "run.json");
  copyFileSync(vector("smithers/captures/runs/fail-a/rpc-runs.get.json"), path);
  await chooseFile(page, path);
  const before = await summary();
  writeFileSync(path, readFileSync(path, "utf8").replace("fail-a", "fail-b"));
  rmSync(folder, { recursive: true });
  if (!(await page.$('form[data-form="export"]'))) await page.click('[data-action="export"]');
  await page.click('form[data-form="export"] [type="submit"]');
  await page.waitForSelector('[data-field=error][data-code="UNREADABLE"]');
  assert.deepEqual(await summary(), before);
  await page.click('[data-field=error] [aria-label="Dismiss"]');
});

test("the button opens and closes, says so, and the result is spoken once", async () => {
  await focusPage(page);
  await paste(page, text("runs/approval-a/rpc-getDevToolsSnapshot-waiting.json"));
  const button = '[data-action="export"]';
  const expanded = () => page.$eval(button, (found) => found.getAttribute("aria-expanded"));
  if ((await expanded()) === "true") await page.click(button);
  assert.equal(await expanded(), "false");
  assert.equal(await page.$('form[data-form="export"]'), null);
  await page.focus(button);
  await page.keyboard.press("Enter");
  await page.waitForSelector('form[data-form="export"]');
  assert.equal(await expanded(), "true");
  // The toolbar is one stop; Enter in the field saves.
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.name), "keys");
  await page.keyboard.press("Enter");
  const file = await saving.next();
  await page.waitForFunction((name) => document.querySelector("[role=status]").textContent.includes(name), {}, file.name);
  await page.click(button);
  await page.waitForFunction(() => !document.querySelector('form[data-form="export"]'));
});

test("without a document there is nothing to export", async () => {
  const { page: own, close } = await newPage();
  await open(own, `${server.origin}/#connect`);
  assert.equal(await own.$('[data-action="export"]'), null);
  await close();
});

test("the single file saves too, without a network", async () => {
  const { page: own, close } = await newPage();
  await open(own, `file://${built("runstate.html")}`);
  const files = await downloads(own);
  await paste(own, text("runs/approval-a/rpc-getDevToolsSnapshot-waiting.json"));
  const before = await summary(own);
  const file = await exported(own, files);
  sound(file);
  await chooseFile(own, file.path);
  assert.deepEqual(await summary(own), before);
  await close();
  files.close();
});
