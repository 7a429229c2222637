// Every document that can be opened, of all systems, opens in the panel's header; every other one is refused with a place.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { answer, chooseFile, paste } from "../support/panel.mjs";
import { vector } from "../support/paths.mjs";
import { connectScreen } from "../support/stage.mjs";

const folder = (kind) => new URL(`../vectors/documents/${kind}/`, import.meta.url);
const cases = (kind) => JSON.parse(readFileSync(new URL("index.json", folder(kind)), "utf8"));
const paths = (kind, files) => files.map((file) => fileURLToPath(new URL(file, folder(kind))));

const { page, heard } = await connectScreen();

const field = (name) => page.evaluate((named) => document.querySelector(`section.snapshot [data-field="${named}"] [data-value], section.snapshot [data-field="${named}"][data-value]`)?.dataset.value, name);
// The tree comes in after the header.
const nodes = async (count) => {
  const text = `${count === 1 ? "1 node" : `${count} nodes`}`;
  await page.waitForFunction((wanted) => document.querySelector("[data-pane=tree] .pane-head .sub")?.textContent === wanted, { timeout: 10_000 }, text);
};

describe("documents that open", () => {
  for (const { id, files, run, rows, refusal, problems = [] } of cases("valid")) {
    test(id, async () => {
      const seen = await chooseFile(page, ...paths("valid", files));
      assert.equal(seen.error, undefined, seen.error?.text);
      if (refusal) assert.equal(seen.refusal?.code, refusal);
      if (rows !== undefined && !run) assert.equal(seen.runs?.length, Array.isArray(rows) ? rows.length : rows);
      if (run) {
        assert.ok(seen.header, "a header");
        const shownId = (await field("runId")) ?? (await field("sessionId"));
        if (run.runId ?? run.sessionId) assert.equal(shownId, run.runId ?? run.sessionId);
        if (run.state) assert.equal(seen.header.state, run.state);
        if (run.frameNo !== undefined) assert.equal(seen.header.frameNo, run.frameNo);
        if (run.nodes) await nodes(run.nodes);
        assert.ok(seen.header.pill || seen.header.absent, "a pill, or that there is none");
        const notes = await page.$$eval("section.snapshot .note", (found) => found.map((note) => note.textContent).join("\n"));
        // A file that is chosen has no folder.
        const bare = (problem) => files.reduce((text, file) => text.replaceAll(file, file.replace(/.*\//, "")), problem);
        for (const problem of problems) assert.ok(notes.includes(bare(problem).replace(/(^| )[^ ]*\//, "$1")), `${problem} in ${notes}`);
      }
    });
  }
});

describe("documents that are refused", () => {
  for (const { id, files, error } of cases("invalid")) {
    test(id, async () => {
      const seen = await chooseFile(page, ...paths("invalid", files));
      assert.deepEqual([seen.error?.code, seen.error?.line, seen.error?.column], [error.code, error.line, error.column]);
    });
  }
});

test("a plan says nothing of how far it is, a snapshot does", async () => {
  const counts = () => page.$$eval("[role=treeitem] .count", (found) => found.map((count) => count.textContent));
  await chooseFile(page, ...paths("valid", ["part/graph.json"]));
  await page.waitForSelector("[role=treeitem]");
  assert.deepEqual(await counts(), []);
  await chooseFile(page, ...paths("valid", ["killed-a.runstate.json"]));
  await page.waitForFunction(() => document.querySelector("[role=treeitem] .count")?.textContent.includes("/"));
});

// The mock's specimens: what the pills of each system say, and that colour never stands for more than they do.
const specimens = [
  ["a stale session is no blue running", ["lionagi/captures/studio/run-dead-stale-fresh.json"], { taxonomy: "effective", value: "stale running", tone: "stale", axes: ["health", "delivery"] }],
  ["a timeout with its configuration", ["lionagi/captures/studio/session-timed-out-with-metadata.json"], { taxonomy: "session", value: "timed_out", sentence: "Timed out after 900s (configured timeout: 900s)." }],
  ["a session that ended well", ["lionagi/captures/studio/run-completed-ok.json"], { taxonomy: "session", value: "completed", tone: "success" }],
  ["a gate", ["conductor/runs/gate-orphaned/run/status.json"], { taxonomy: "conductor", tone: "neutral", blocked: true, sentence: "Was waiting for a decision at gate final_review." }],
];

describe("specimens", () => {
  for (const [name, files, wanted] of specimens) {
    test(name, async () => {
      const seen = await chooseFile(page, ...files.map(vector));
      assert.equal(seen.error, undefined, seen.error?.text);
      const { pill } = seen.header;
      assert.equal(pill.taxonomy, wanted.taxonomy);
      if (wanted.value) assert.equal(pill.value, wanted.value);
      // Over old data the pill has no colour; the answer keeps its tone.
      const tone = await page.$eval("section.snapshot", (section) => section.dataset.tone);
      if (wanted.tone) assert.ok([tone, pill.tone].includes(wanted.tone), `${tone}, ${pill.tone}`);
      for (const axis of wanted.axes ?? []) assert.ok(await field(axis), axis);
      if (wanted.blocked) assert.ok(seen.header.blockedKind);
      const sentence = await page.$eval("section.snapshot .sentence", (found) => found.textContent);
      if (wanted.sentence) assert.equal(sentence, wanted.sentence);
    });
  }
});

test("what can be done is offered with its command", async () => {
  await chooseFile(page, vector("smithers/captures/runs/approval-denied-a/rpc-runs.get-waiting.json"));
  const commands = await page.$$eval("[data-field=actions] code", (found) => found.map((code) => code.textContent));
  assert.deepEqual(commands, ["smithers approve approval-denied-a --node ship-gate --iteration 0", "smithers deny approval-denied-a --node ship-gate --iteration 0"]);
});

test("a run that has ended well offers nothing", async () => {
  await chooseFile(page, ...paths("valid", ["approval-a.ws-life.ndjson"]));
  assert.equal(await page.$("[data-field=actions]"), null);
});

describe("sessions from before the status vocabulary", () => {
  const list = JSON.parse(readFileSync(vector("lionagi/captures/studio/sessions-list.json"), "utf8"));
  const chip = () => page.$eval("[data-field=legacy] .pill", (pill) => ({ ...pill.dataset, words: pill.textContent, border: getComputedStyle(pill).borderTopStyle }));
  const shown = () => page.$$eval("section[data-screen=runs] [data-run]", (rows) => rows.filter((row) => row.checkVisibility()).map((row) => row.dataset.run));
  const heading = () => page.$eval("#runs-name", (found) => found.textContent);

  test("are one muted chip that opens, and in no count", async () => {
    const legacy = list.sessions.slice(3, 6).map(({ id }) => id);
    const sessions = list.sessions.map((session) => (legacy.includes(session.id) ? { ...session, status: null } : session));
    await paste(page, JSON.stringify({ ...list, sessions }));
    assert.equal(await heading(), `${sessions.length - 3} runs`);
    const { words, ...look } = await chip();
    assert.deepEqual(look, { taxonomy: "session", value: "legacy", tone: "neutral", dotted: "", border: "dotted" });
    assert.equal(words, "Status: 3 legacy sessions");
    assert.equal(await page.$eval("[data-field=legacy] summary", (summary) => summary.title), "Sessions created before the current status vocabulary. Excluded from live operational metrics.");
    const rows = await shown();
    assert.equal(rows.length, sessions.length - 3);
    for (const id of legacy) assert.ok(!rows.includes(id), id);
    await page.focus("[data-field=legacy] summary");
    await page.keyboard.press("Enter");
    await page.waitForFunction((count) => [...document.querySelectorAll("[data-run]")].filter((row) => row.checkVisibility()).length === count, {}, sessions.length);
    assert.deepEqual((await shown()).slice(-3), legacy);
    await page.click(`[data-run="${legacy[1]}"]`);
    await page.waitForSelector("section.snapshot");
    assert.equal(await field("sessionId"), legacy[1]);
    assert.equal(await field("runState"), "legacy");
  });

  test("are counted by the server where only it knows them", async () => {
    const stats = readFileSync(vector("lionagi/captures/studio/stats.json"), "utf8");
    await paste(page, stats.replace(/"\(null\)":\d+/, '"(null)":376'));
    const { legacy, sentence } = await page.evaluate(() => ({
      legacy: [...document.querySelectorAll("section.snapshot .fields .f")].find((field) => field.textContent.startsWith("legacy"))?.textContent,
      sentence: document.querySelector("section.snapshot .sentence").textContent,
    }));
    assert.equal(legacy, "legacy376");
    assert.match(sentence, /^The server counts \d+ sessions by their status\.$/);
  });

  test("have no chip where there are none", async () => {
    await paste(page, JSON.stringify(list));
    assert.equal(await page.$("[data-field=legacy]"), null);
    assert.equal((await shown()).length, list.sessions.length);
  });

  test("are no row that only calls itself so: nothing is behind a chip that is not there", async () => {
    await paste(page, JSON.stringify({ sessions: [{ id: "stored-word", status: "legacy" }], total: 1, per_page: 20 }));
    assert.equal(await page.$("[data-field=legacy]"), null);
    assert.deepEqual([await heading(), await shown()], ["1 run", ["stored-word"]]);
  });
});

test("a list of ten thousand runs is drawn bit by bit and stays quick", async () => {
  const rows = Array.from({ length: 10_000 }, (_, index) => ({ runId: `run-${index}`, workflowName: "w", status: "finished", startedAtMs: 1.7e12 + index }));
  await paste(page, JSON.stringify(rows));
  assert.equal(await page.$eval("#runs-name", (found) => found.textContent), "10\u202f000 runs");
  const drawn = () => page.$$eval("[data-run]", (found) => found.length);
  assert.equal(await drawn(), 200);
  await page.click('[data-action="more"]');
  await page.waitForFunction(() => document.querySelectorAll("[data-run]").length === 400);
  assert.match(await page.$eval('[data-action="more"]', (found) => found.textContent), /^Show 200 more of 9\u202f600$/);
  // Ages tick for all of them; no tick may hold up the page.
  const longest = await page.evaluate(() => new Promise((done) => {
    let longest = 0;
    new PerformanceObserver((seen) => (longest = Math.max(longest, ...seen.getEntries().map(({ duration }) => duration)))).observe({ entryTypes: ["longtask"] });
    setTimeout(() => done(longest), 1500);
  }));
  assert.ok(longest < 100, `a task of ${longest} ms`);
  await page.click('[data-run="run-399"]');
  await page.waitForSelector("section.snapshot");
  assert.equal(await field("runId"), "run-399");
});

test("a file that is gone is refused, and what was on screen stays", async () => {
  await chooseFile(page, ...paths("valid", ["approval-a.ws-life.ndjson"]));
  const seen = await chooseFile(page, vector("no-such-file.json"));
  assert.equal(seen.error?.code, "UNREADABLE");
  await page.click("[data-action=close]");
  assert.equal(await field("runId"), "approval-a");
});

test("a worker that breaks takes no document from the screen", async () => {
  await chooseFile(page, ...paths("valid", ["approval-a.ws-life.ndjson"]));
  await page.evaluate(() => {
    const ask = window.runstateWorker.ask;
    window.ticks = 0;
    window.runstateWorker.ask = (wish, given) => {
      if (wish === "tick") window.ticks += 1;
      return ask(wish, given);
    };
    // No file at all: what a panic looks like from outside.
    return ask("open", [[null]]).catch(() => {});
  });
  await page.waitForSelector('[data-field=error][data-code="WORKER_FAILED"]');
  await page.waitForFunction(() => window.ticks > 3);
  assert.equal(await field("runId"), "approval-a");
  const seen = await chooseFile(page, ...paths("valid", ["killed-a.har"]));
  assert.equal(seen.header?.runId, "killed-a", "the next document has a worker again");
});

test("a list whose worker broke says so when a row is chosen, and stays", async () => {
  const seen = await chooseFile(page, vector("smithers/rpc/listRuns-failed.json"));
  assert.ok(seen.runs?.length > 0);
  await page.evaluate(() => window.runstateWorker.ask("open", [[null]]).catch(() => {}));
  await page.waitForSelector('[data-field=error][data-code="WORKER_FAILED"]');
  await page.click("[data-run]");
  await page.waitForSelector('[data-field=error][data-code="NOT_HELD"]');
  assert.deepEqual((await answer(page)).runs, seen.runs);
});

test("the example after a document, and a document after the example", async () => {
  await chooseFile(page, ...paths("valid", ["approval-a.ws-life.ndjson"]));
  await page.click('button[data-action="open"]');
  await page.waitForSelector('button[data-action="example"]');
  await page.click('button[data-action="example"]');
  await page.waitForFunction(() => document.querySelector('section.snapshot [data-field="source"]')?.textContent.includes("built-in recording"));
  const seen = await chooseFile(page, ...paths("valid", ["killed-a.har"]));
  assert.equal(seen.header?.runId, "killed-a");
});

test("a document that took long does not push away what was asked for after it", async () => {
  await chooseFile(page, ...paths("valid", ["approval-a.ws-life.ndjson"]));
  const slow = readFileSync(paths("valid", ["killed-a.har"])[0], "utf8");
  await page.evaluate(async (text) => {
    const { ask } = window.runstateWorker;
    // Both are asked for at once: the reader has more to do.
    await Promise.all([ask("open", [[{ name: "killed-a.har", content: text }], "killed-a.har"]), ask("recording", [])]);
  }, slow);
  await page.waitForFunction(() => document.querySelector('section.snapshot [data-field="source"]')?.textContent.includes("built-in recording"));
});

// Takes the reader longer than the recording takes the live part.
const manyRuns = (count) => JSON.stringify(Array.from({ length: count }, (_, index) => ({ runId: `run-${index}`, status: "finished" })));

test("a document that was pushed away leaves what is on screen as it was folded", async () => {
  await page.evaluate(async (text) => {
    const { paste, openConnect } = window.runstateTest;
    await paste('{"runId":"before","status":"failed"}');
    await openConnect();
    // Its answer comes once the user has begun to work.
    const ask = window.runstateWorker.ask;
    const going = new Promise((go) => (window.letGo = go));
    window.runstateWorker.ask = async (wish, given) => {
      const answer = await ask(wish, given);
      if (wish !== "open") return answer;
      await going;
      window.runstateWorker.ask = ask;
      setTimeout(() => (window.answered = true), 100);
      return answer;
    };
    const data = new DataTransfer();
    data.setData("text/plain", text);
    document.querySelector(".panel").dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
    document.querySelector('button[data-action="example"]').click();
  }, manyRuns(30_000));
  await page.waitForFunction(() => document.querySelector('section.snapshot [data-field="source"]')?.textContent.includes("built-in recording"));
  await page.waitForSelector("[role=treeitem]");
  await page.focus("[role=tree]");
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowLeft");
  const folded = () => page.$$eval("[role=treeitem]", (rows) => [rows.length, rows[0].ariaExpanded, document.activeElement.role]);
  await page.waitForFunction(() => document.querySelectorAll("[role=treeitem]").length === 1);
  await page.evaluate(() => window.letGo());
  await page.waitForFunction(() => window.answered);
  assert.deepEqual(await folded(), [1, "false", "tree"]);
});

test("of two documents the last one stays, however long the first one takes to read", async () => {
  await page.evaluate(async (text) => {
    const { ask } = window.runstateWorker;
    const slow = { name: "slow.json", content: new Blob([text]) };
    await Promise.all([ask("open", [[slow], "slow.json"]), ask("open", [[{ name: null, content: '{"runId":"last","status":"failed"}' }], "last"])]);
    await window.runstateTest.painted();
  }, manyRuns(30_000));
  assert.equal(await field("runId"), "last");
});

test("a document that was asked for after the example stays in memory", async () => {
  await page.evaluate(async (text) => {
    const { ask } = window.runstateWorker;
    await ask("recording", []);
    await ask("open", [[{ name: null, content: '{"runId":"before","status":"failed"}' }], "before"]);
    // The live part answers first and pushes the reader away, which holds the list by the time it hears of that.
    await Promise.all([ask("recording", []), ask("open", [[{ name: null, content: text }], "list"])]);
  }, manyRuns(10_000));
  await page.click('[data-run="run-7"]');
  await page.waitForSelector("section.snapshot");
  assert.equal(await field("runId"), "run-7");
});

test("time goes on once for a part that is busy, and again after that", async () => {
  const [whileBusy, after] = await page.evaluate(async (text) => {
    const { ask } = window.runstateWorker;
    const post = Worker.prototype.postMessage;
    let ticks = 0;
    Worker.prototype.postMessage = function (...given) {
      ticks += given[0].ask === "tick" ? 1 : 0;
      return post.apply(this, given);
    };
    await ask("tick", []);
    ticks = 0;
    const read = ask("open", [[{ name: null, content: text }], "list"]);
    await Promise.all(Array.from({ length: 50 }, () => ask("tick", [])));
    await read;
    const sent = ticks;
    await ask("tick", []);
    Worker.prototype.postMessage = post;
    return [sent, ticks - sent];
  }, manyRuns(1000));
  assert.ok(whileBusy >= 1 && whileBusy <= 5, `${whileBusy} ticks were sent`);
  assert.ok(after >= 1, "and then no more");
});

test("the page said nothing of errors", () => {
  assert.deepEqual(heard.errors, []);
});
