// An exported page opens from disk without a network: on the same run, without its secrets, and it can be exported again.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { text } from "../support/captures.mjs";
import { downloads, exported, exportedPage } from "../support/download.mjs";
import { inside, readable, secretsOf } from "../support/incident.mjs";
import { chooseFile, close as closeScreen, header, install, open, paste, runs } from "../support/panel.mjs";
import { built, vector } from "../support/paths.mjs";
import { printed, withoutSpaces } from "../support/pdf.mjs";
import { connectScreen, tall } from "../support/stage.mjs";

const single = readFileSync(built("runstate.html"), "utf8");
const folder = mkdtempSync(join(tmpdir(), "runstate-incident-"));
const { newPage, page } = await connectScreen({ viewport: tall });
const saving = await downloads(page);
after(() => {
  saving.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Opens a file from disk in a browser context without a network. Returns its page; `opened.close()` ends it. */
async function fromDisk(path, { expects = "section[data-tone], [data-screen]" } = {}) {
  const opened = await newPage();
  await opened.page.setOfflineMode(true);
  await install(opened.page);
  await opened.page.goto(`file://${path}`);
  await opened.page.waitForSelector(expects);
  return opened;
}

function written(name, html) {
  const path = join(folder, name);
  writeFileSync(path, html);
  return path;
}

const count = (of) => of.evaluate(() => document.querySelector("[data-pane=tree]:not([hidden]) .pane-head .secondary-text")?.textContent);
const facts = (of) =>
  of.evaluate(() => {
    const field = (name) => document.querySelector(`[data-field=incident] [data-field=${name}]`);
    const rules = [...document.querySelectorAll("[data-field=incident] [data-field=leftOutRules] tbody tr")].map((row) => [
      row.querySelector("th").textContent,
      Number(row.dataset.count),
    ]);
    return {
      run: field("run")?.dataset.value,
      rules,
      sha256: field("sha256").dataset.value,
      matches: field("sha256").dataset.matches,
      leftOut: field("leftOut").textContent,
      exportedAt: field("exportedAt").querySelector("time").dateTime,
    };
  });

// What is the same wherever the document is read.
const lasting = ({ state, tone, blockedKind, unhealthyKind, runId, workflow, frameNo, seq, startedAt, computedAt }) => ({
  state,
  tone,
  blockedKind,
  unhealthyKind,
  runId,
  workflow,
  frameNo,
  seq,
  startedAt,
  computedAt,
});

/** What the header and the evidence say on screen, and the nodes in the tree. */
const screen = (of) =>
  of.evaluate(() => {
    const texts = (selector) => [...document.querySelectorAll(selector)].map((element) => element.textContent.trim());
    const said = [
      "section[data-tone] h2",
      "section[data-tone] .sentence",
      "section[data-tone] .meta",
      "[data-taxonomy]:not([role=tree] *)",
      ".fields dd .code",
      ".evidence-text",
      ".evidence-table tbody :is(th, td)",
    ].flatMap(texts);
    return { said: said.filter(Boolean), nodes: [...document.querySelectorAll("[role=treeitem]")].map((row) => row.dataset.node) };
  });

/** A captured session that ran in somebody's home directory. */
function sessionAtHome() {
  const session = JSON.parse(readFileSync(vector("lionagi/captures/studio/run-dead-stale-fresh.json"), "utf8"));
  const secrets = {
    cwd: "/home/maria/demo",
    artifacts_path: "/home/maria/demo/artifacts",
    task: "Summarise /home/maria/notes.txt",
    user_id: "maria.lopez@example.com",
  };
  return written("session.json", JSON.stringify({ ...session, ...secrets }));
}

const captured = {
  "a snapshot of Smithers with its tree": [vector("smithers/captures/runs/approval-a/rpc-getDevToolsSnapshot-waiting.json")],
  "an answer of Smithers' Gateway": [vector("smithers/captures/runs/fail-a/rpc-runs.get.json")],
  "recorded traffic of Smithers": [vector("documents/valid/killed-a.har")],
  "the frames of a socket of Smithers": [vector("documents/valid/approval-a.ws-life.ndjson")],
  "a session of lionagi": [sessionAtHome()],
  "a gate of tnh-conductor": [vector("conductor/runs/gate-orphaned/run/status.json")],
};

describe("a page of a run with a selection", () => {
  const saved = async (name) => fromDisk(written(name, (await exportedPage(page, saving)).text), { expects: "section[data-tone]" });
  test("opens on the detail of the node", async () => {
    await chooseFile(page, vector("smithers/captures/runs/approval-a/rpc-getDevToolsSnapshot-waiting.json"));
    await (await page.waitForSelector("[role=treeitem][data-node=ship-gate]")).click();
    await page.waitForSelector("[data-pane=node][data-node=ship-gate]:not([hidden])");
    const { page: own, close } = await saved("node.html");
    await own.waitForSelector("[data-pane=node][data-node=ship-gate]:not([hidden])");
    assert.equal(await own.$eval("[role=treeitem][aria-selected=true]", (row) => row.dataset.node), "ship-gate");
    await close();
    await page.click("[data-action=close-node]");
    const { page: closed, close: closeAgain } = await saved("no-node.html");
    await closed.waitForSelector("[role=treeitem]");
    assert.equal(await closed.$("[data-pane=node]:not([hidden])"), null, "the detail was not on screen");
    await closeAgain();
  });
  test("opens an event log on its events, though nobody has chosen them", async () => {
    await chooseFile(page, vector("documents/valid/killed-a.log.ndjson"));
    await page.waitForSelector("[data-pane=log] [data-event]");
    const { page: own, close } = await saved("log.html");
    await own.waitForSelector("[data-pane=log] [data-event]");
    assert.equal(await own.$("[data-field=no-tree]"), null);
    await close();
  });
  test("opens an event log on its tree, if that was chosen", async () => {
    await chooseFile(page, vector("documents/valid/killed-a.log.ndjson"));
    await page.click("[data-view-switch=tree]");
    await page.waitForSelector("[data-field=no-tree]");
    const { page: own, close } = await saved("no-tree.html");
    await own.waitForSelector("[data-field=no-tree]");
    assert.equal(await own.$("[data-pane=log] [data-event]"), null);
    await close();
    await page.click("[data-view-switch=events]");
  });
  test("opens on the selected event", async () => {
    await chooseFile(page, vector("documents/valid/killed-a.log.ndjson"));
    await page.click("[data-view-switch=events]");
    const events = (of) => of.$$eval("[data-pane=log] [role=row][aria-selected=true]", (rows) => rows.map((row) => row.innerText));
    await page.waitForSelector("[data-pane=log] [role=row][id]");
    await page.focus("[data-pane=log] [role=grid]");
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowDown");
    await page.waitForSelector('[data-pane=log] [role=row][aria-selected=true][aria-rowindex="3"]');
    const before = await events(page);
    const { page: own, close } = await saved("event.html");
    await own.waitForSelector('[data-pane=log] [role=row][aria-selected=true][aria-rowindex="3"]');
    assert.deepEqual(await events(own), before);
    await close();
    await page.click("[data-view-switch=tree]");
  });
});

describe("a captured run", () => {
  for (const [name, files] of Object.entries(captured)) {
    test(name, async () => {
      await chooseFile(page, ...files);
      const [before, nodes] = [await header(page), await count(page)];
      const document = (await exported(page, saving)).text;
      const file = await exportedPage(page, saving);
      assert.match(file.name, /^runstate-[\w.-]+\.html$/);
      assert.equal(inside(file.text).document, document, "the page has the same bytes as the file");

      const everything = readable(file.text);
      assert.equal(file.text.replace(inside(file.text).data, ""), single, "the rest is the single file");
      const secrets = secretsOf(files);
      for (const secret of secrets) assert.ok(!everything.includes(secret), secret);
      assert.ok(secrets.length > 0, "the capture has secrets");

      const { page: own, log, close } = await fromDisk(written("captured.html", file.text), { expects: "section[data-tone]" });
      assert.deepEqual(lasting(await header(own)), lasting(before));
      assert.equal(await count(own), nodes);
      const { sha256, matches, leftOut, rules, run } = await facts(own);
      const content = document.slice(document.indexOf('"content":') + '"content":'.length, document.lastIndexOf("}"));
      assert.equal(sha256, createHash("sha256").update(content).digest("hex"));
      assert.equal(matches, "true");
      const { redacted, thinned, unread } = JSON.parse(document).content;
      assert.match(leftOut, redacted === 0 ? /^(Nothing|Omitted)/ : new RegExp(`^Redacted: ${redacted} secrets? or path`));

      assert.equal(
        rules.reduce((sum, [, count]) => sum + count, 0),
        redacted + thinned + unread,
        JSON.stringify(rules),
      );
      assert.equal(
        run,
        before.runId ?? (await own.$eval('section[data-tone] :is([data-field="sessionId"], .field-id)', (field) => field.dataset.value)),
      );

      const again = await downloads(own);
      await (await own.waitForSelector('[data-action="export-again"]')).click();
      await own.waitForSelector('form[data-form="export"]');
      assert.equal((await exported(own, again)).text, document, "exported again to the same bytes");
      assert.equal(inside((await exportedPage(own, again)).text).document, document);
      again.close();

      const onScreen = await screen(own);
      const { words, rows } = await printed(own);
      for (const said of [...onScreen.said, leftOut, sha256, ...rules.map((rule) => rule.join(""))])
        assert.ok(words.includes(withoutSpaces(said)), `“${said}” in ${words}`);
      assert.deepEqual(rows, onScreen.nodes);
      for (const node of onScreen.nodes) assert.ok(words.includes(withoutSpaces(node)), node);
      assert.deepEqual(
        log.requests.filter((url) => !/^(file|blob|data):/.test(url)),
        [],
        "nothing is requested",
      );
      await close();
    });
  }
});

test("a chosen run of a list opens again, and its list is behind it", async () => {
  const { payload } = JSON.parse(text("derived/listRuns-edited-rows.json"));
  await paste(page, text("derived/listRuns-edited-rows.json"));
  await runs(page, payload.length);
  const third = await page.$$("[data-screen=runs] [data-run]").then((rows) => rows[2].evaluate((row) => row.dataset.run));
  await page.click(`[data-screen=runs] [data-run="${third}"]`);
  await page.waitForSelector("section[data-tone]");
  const before = await header(page);
  const file = await exportedPage(page, saving);
  const { page: own, close } = await fromDisk(written("chosen.html", file.text), { expects: "section[data-tone]" });
  assert.equal((await header(own)).runId, before.runId);
  await own.click('[data-action="runs"]');
  await runs(own, payload.length);
  await close();
});

test("a list opens as a list", async () => {
  const { payload } = JSON.parse(text("derived/listRuns-edited-rows.json"));
  await paste(page, text("derived/listRuns-edited-rows.json"));
  await runs(page, payload.length);
  const file = await exportedPage(page, saving);
  assert.equal(inside(file.text).run, undefined);
  const { page: own, close } = await fromDisk(written("list.html", file.text), { expects: "[data-screen=runs]" });
  await runs(own, payload.length);
  await close();
});

test("named keys are redacted in the page, in its name, and nowhere else in it", async () => {
  await paste(page, JSON.stringify({ runId: "acme-takeover", status: "failed", configJson: '{"token":"hunter2"}', prompt: "keep me out" }));
  const file = await exportedPage(page, saving, "runId, prompt");
  for (const secret of ["acme-takeover", "hunter2", "keep me out"])
    assert.ok(!file.text.includes(secret) && !file.name.includes(secret), secret);
});

test("the single file exports itself: the same bytes around the document", async () => {
  const { page: own, close } = await newPage();
  await open(own, `file://${built("runstate.html")}`);
  assert.equal(await own.evaluate(() => globalThis.runstatePage()), single);
  await paste(own, text("runs/approval-a/rpc-getDevToolsSnapshot-waiting.json"));
  await own.click('[data-action="theme"]');
  await own.evaluate(() => document.body.append(Object.assign(document.createElement("p"), { textContent: "of an extension" })));
  const files = await downloads(own);
  const file = await exportedPage(own, files);
  assert.equal(file.text.replace(inside(file.text).data, ""), single);
  files.close();
  await close();
});

describe("hostile documents", () => {
  const hostile = {
    "the end of a script": "</script><script>document.title = 'run'</script>",
    "the end of a script in capitals": "</SCRIPT ><img src=x onerror=alert(1)>",
    "a comment": "<!--",
    "a comment with a script": "<!-- <script> --><!--<script",
    "line separators": "a\u2028b\u2029c",
    entities: "&lt;/script&gt; &#60;",
    escapes: '\\u003c/script\\u003e \\\\ \\"',
    "control characters": "\u0000\u001b\u007f\ufeff\u202e",
  };
  for (const [name, value] of Object.entries(hostile)) {
    test(name, async () => {
      const row = JSON.stringify({
        runId: `r ${value}`,
        status: "failed",
        workflowName: value,
        errorJson: JSON.stringify({ message: value }),
      });
      await paste(page, row);
      const before = await header(page);
      const file = await exportedPage(page, saving);
      const { data, document } = inside(file.text);
      assert.doesNotMatch(data, /[<>&\u2028\u2029]/);
      const { page: own, close } = await fromDisk(written("hostile.html", file.text), { expects: "section[data-tone]" });
      assert.deepEqual(lasting(await header(own)), lasting(before));
      assert.equal(await own.title(), "Failed · Runstate");
      const again = await downloads(own);
      assert.equal((await exported(own, again)).text, document);
      again.close();
      await close();
    });
  }

  test("10 MB", async () => {
    const rows = Array.from({ length: 20_000 }, (_, index) => ({
      runId: `run-${index}`,
      status: "failed",
      errorJson: JSON.stringify({ message: `</script><!-- ${"x".repeat(470)}` }),
    }));
    const path = join(folder, "large.json");
    writeFileSync(path, JSON.stringify(rows));
    assert.ok(readFileSync(path).length > 10_000_000);
    await chooseFile(page, path);
    const file = await exportedPage(page, saving);
    const { page: own, close } = await fromDisk(written("large.html", file.text), { expects: "[data-screen=runs]" });
    await own.waitForSelector('[data-screen=runs] [data-run="run-0"]');
    assert.equal((await facts(own)).matches, "true");
    await close();
  });
});

describe("a page that a stranger has changed", () => {
  let whole;
  before(async () => {
    await paste(page, text("runs/approval-a/rpc-getDevToolsSnapshot-waiting.json"));
    whole = (await exportedPage(page, saving)).text;
  });

  /** The page with another content, and the hash of that. */
  function forged() {
    const { data } = inside(whole);
    const { document, ...rest } = JSON.parse(data);
    const { hash, content } = JSON.parse(document);
    const before = document.slice(document.indexOf('"content":') + '"content":'.length, document.lastIndexOf("}"));
    const other = before.replaceAll("approval-a", "approval-b");
    assert.ok(content && other !== before);
    const own = `sha256:${createHash("sha256").update(other).digest("hex")}`;
    const changed = document.replace(before, () => other).replace(hash, () => own);
    return whole.replace(data, () => JSON.stringify({ ...rest, document: changed }).replaceAll("<", "\\u003c"));
  }
  /** The page without its policy, with a script. */
  const scripted = () =>
    forged()
      .replace(/ *<meta http-equiv="Content-Security-Policy"[^>]*>\n/, "")
      .replace("  </body>\n</html>", "    <script data-part>window.strange = true</script>\n  </body>\n</html>");
  const told = (of) => of.$eval("[data-field=incident]", (strip) => strip.innerText.replace(/\s+/g, " "));

  test("says that it is undamaged at most, and how to check it", async () => {
    const { page: own, close } = await fromDisk(written("forged.html", forged()), { expects: "[data-field=incident]" });
    const said = await told(own);
    assert.match(said, /undamaged/);
    assert.match(said, /cannot vouch for itself.*in your own Runstate.*compare the SHA-256 there with the sender's/);
    assert.doesNotMatch(said, /matches/);
    await close();
  });

  test("shows in a trusted host the hash that is computed there, and runs no script", async () => {
    for (const [name, html] of Object.entries({ forged: forged(), scripted: scripted() })) {
      await chooseFile(page, written(`${name}.html`, html));
      await page.waitForSelector("[data-field=incident]");
      const { document } = inside(html);
      const content = document.slice(document.indexOf('"content":') + '"content":'.length, document.lastIndexOf("}"));
      assert.equal((await facts(page)).sha256, createHash("sha256").update(content).digest("hex"));
      assert.match(await told(page), /compare the SHA-256 with the sender's/);
      const again = (await exportedPage(page, saving)).text;
      assert.equal(again.replace(inside(again).data, ""), single, "the page is this build's own");
      assert.equal(await page.evaluate(() => window.strange), undefined);
    }
  });

  test("is not copied into another page", async () => {
    const { page: own, close } = await fromDisk(written("scripted.html", scripted()), { expects: "[data-field=incident]" });
    assert.equal(await own.evaluate(() => window.strange), true, "nothing prevents that without a policy");
    await (await own.waitForSelector('[data-action="export-again"]')).click();
    await own.waitForSelector('form[data-form="export"]');
    await own.click('form[data-form="export"] [data-action="export-page"]');
    await own.waitForFunction(() => /found one that was changed: it is not copied/.test(document.body.innerText));
    await close();
  });
});

describe("damaged files are refused with what to do", () => {
  let whole;
  let data;
  before(async () => {
    await paste(page, text("runs/approval-a/rpc-getDevToolsSnapshot-waiting.json"));
    whole = (await exportedPage(page, saving)).text;
    data = inside(whole).data;
  });
  const broken = {
    "no JSON": () => "not JSON",
    "half of the data": () => data.slice(0, data.length / 2),
    "another form": () => "[]",
    "another version": () => data.replace('"runstatePage":1', '"runstatePage":9'),
    "no document": () => '{"runstatePage":1,"exportedAt":0}',
    "a document that is none": () => '{"runstatePage":1,"exportedAt":0,"document":"oops"}',
    "an export of another version": () => data.replace('\\"runstateExport\\":1', '\\"runstateExport\\":7'),
  };
  for (const [name, change] of Object.entries(broken)) {
    test(name, async () => {
      const content = change();
      assert.notEqual(content, data);
      const { page: own, close } = await fromDisk(
        written(
          "broken.html",
          whole.replace(data, () => content),
        ),
        { expects: "[data-field=error]" },
      );
      const { connect, error } = await own.evaluate(() => window.runstateTest.answer());
      assert.ok(connect, "the connect screen is there to open something else");
      assert.match(error.text, /ask for another copy/, error.text);
      await paste(own, text("runs/fail-a/rpc-runs.get.json"));
      assert.equal((await header(own)).state, "failed", "another document opens");
      assert.equal(await own.$("[data-field=incident]"), null);
      await close();
    });
  }

  test("a changed document is shown, and said to be changed: from disk, on paper, and as a file", async () => {
    const changed = data.replaceAll("approval-a", "approval-b");
    assert.notEqual(changed, data);
    const path = written(
      "changed.html",
      whole.replace(data, () => changed),
    );
    const saysSo = (of) =>
      of.waitForFunction(() => window.runstateTest.header()?.problems.some((problem) => /hash does not match/.test(problem)));
    const { page: own, close } = await fromDisk(path, { expects: "[data-field=incident]" });
    assert.equal((await facts(own)).matches, "false");
    assert.match(await own.$eval("[data-field=sha256]", (field) => field.textContent), /damaged: it does not have the hash that it states/);
    await saysSo(own);
    assert.match((await printed(own)).words, /\(damaged:itdoesnothavethehashthatitstates\)/);
    await close();
    await chooseFile(page, path);
    await saysSo(page);
  });

  test("a page of somebody else is refused", async () => {
    await paste(page, text("runs/fail-a/rpc-runs.get.json"));
    const { error } = await chooseFile(page, written("foreign.html", "<!doctype html><html><title>Sign in</title><p>Sign in</p></html>"));
    assert.equal(error.code, "NOT_JSON");
    assert.match(error.text, /This is an HTML page/);
    await closeScreen(page);
    assert.equal((await header(page)).state, "failed", "the run stays on screen");
  });

  test("a file without its end says that it is incomplete", async () => {
    for (const end of [whole.indexOf(data) + 20, whole.indexOf('id="wasm"') + 5_000, whole.length - 900]) {
      const { page: own, close, log } = await fromDisk(written("cut.html", whole.slice(0, end)), { expects: "#starting" });
      // It appears after some seconds, which the test does not wait for.
      await own.$eval("#starting", (text) => text.getAnimations().forEach((appearing) => appearing.finish()));
      assert.equal(await own.$eval("#starting", (text) => getComputedStyle(text).visibility), "visible");
      assert.match(await own.evaluate(() => document.body.innerText), /damaged or incomplete/);
      log.allow(/policy: script-src/);
      log.allow(/Content Security Policy|Executing inline script/);
      await close();
    }
  });

  test("a damaged module says so", async () => {
    const at = whole.indexOf('id="wasm"') + 40_000;
    const damaged = `${whole.slice(0, at)}AAAAAAAAAAAAAAAA${whole.slice(at + 16)}`;
    const { page: own, close, log } = await fromDisk(written("module.html", damaged), { expects: "[role=alert]" });
    assert.match(await own.$eval("[role=alert]", (found) => found.textContent), /could not start.*ask for another copy/);
    log.allow(/thrown|Error/);
    await close();
  });
});

test("where the single file is missing, the other export still works", async () => {
  const { page: own, close, log } = await newPage();
  await open(own, `${page.url().split("#")[0]}#connect`);
  await paste(own, text("runs/approval-a/rpc-getDevToolsSnapshot-waiting.json"));
  // Only now: what a worker loads may get lost while interception begins.
  await own.setRequestInterception(true);
  own.on("request", (request) => (request.url().includes("single-file.txt") ? request.respond({ status: 404 }) : request.continue()));
  await own.click('[data-action="export"]');
  await own.click('[data-action="export-page"]');
  const found = await own.waitForSelector('[data-field=error][data-code="NO_SINGLE_FILE"]');
  assert.match(await found.evaluate((error) => error.textContent), /404.*Choose Save file instead/s);
  const files = await downloads(own);
  assert.match((await exported(own, files)).name, /\.json$/);
  log.allow(/404/);
  files.close();
  await close();
});
