// Documents of each kind, of all systems, open in the panel's header; each kind of fault is refused with a place. The package's tests open
// every one of these documents in Node, tests/conformance natively.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { onlyChromium } from "../support/browser.mjs";
import { chooseFile, paste, runs } from "../support/panel.mjs";
import { vector } from "../support/paths.mjs";
import { connectScreen, tall } from "../support/stage.mjs";

const folder = (kind) => new URL(`../vectors/documents/${kind}/`, import.meta.url);
const all = (kind) => JSON.parse(readFileSync(new URL("index.json", folder(kind)), "utf8"));
/** Valid documents whose state depends on the time at which they are opened, which is not that of the browser. */
const OF_THEIR_TIME = new Set(["reported-status-degraded", "reported-pause-requested"]);
/** The first document of each kind. RUNSTATE_DOCUMENTS=all tests every one. */
const cases = (kind, kindOf) => {
  const kinds = new Set();
  const documents = all(kind).filter(({ id }) => !OF_THEIR_TIME.has(id));
  return documents.filter((each) => {
    const key = JSON.stringify(kindOf(each));
    return process.env.RUNSTATE_DOCUMENTS === "all" || (!kinds.has(key) && kinds.add(key));
  });
};
const paths = (kind, files) => files.map((file) => fileURLToPath(new URL(file, folder(kind))));

const { page } = await connectScreen({ viewport: tall });

const field = (name) =>
  page.evaluate(
    (named) =>
      document.querySelector(
        `section[data-tone] [data-field="${named}"] [data-value], section[data-tone] [data-field="${named}"][data-value]`,
      )?.dataset.value,
    name,
  );
// The tree follows the header.
const nodes = (count) =>
  page.waitForFunction(
    (wanted) => document.querySelector("[data-pane=tree]")?.innerText.includes(wanted),
    {},
    count === 1 ? "1 node" : `${count} nodes`,
  );

/** Valid documents of which no state can be read. */
const WITHOUT_STATE = new Set([
  "lionagi-messages",
  "lionagi-messages-live",
  "lionagi-stream-of-done",
  "lionagi-signals-end-without-status",
  "snapshot-cut-off",
  "smithers-status-cut",
  "smithers-status-quota-cut",
  "cut-running-session",
  "cut-legacy-session",
  "lionagi-stream-cut-at-a-cursor",
  "snapshot-state-number",
  "lionagi-artifacts",
  "lionagi-resumable",
  "lionagi-lifecycle-running-cut-off",
]);
const shape = ({ id, files, recognised, run, rows, refusal, problems }) => [
  ...[recognised, run?.state, refusal, files.length > 1, WITHOUT_STATE.has(id)],
  ...[run, rows, problems[0]].map((part) => part !== undefined),
];

describe("documents that open", () => {
  for (const { id, files, run, rows, refusal, problems = [] } of cases("valid", shape)) {
    test(id, async () => {
      const seen = await chooseFile(page, ...paths("valid", files));
      assert.equal(seen.error, undefined, seen.error?.text);
      assert.equal(seen.refusal?.code, refusal);
      const list = run ? undefined : rows;
      assert.equal(seen.runs !== undefined, list !== undefined, "a list where there is one");
      if (list) await runs(page, Array.isArray(list) ? list.length : list);
      assert.equal(seen.header !== undefined, run !== undefined, "a header where there is a run");
      if (run) {
        // A case names the facts that it is about.
        if (run.runId ?? run.sessionId) assert.equal((await field("runId")) ?? (await field("sessionId")), run.runId ?? run.sessionId);
        if (run.state) assert.equal(seen.header.state, run.state);
        if (run.frameNo !== undefined) assert.equal(seen.header.frameNo, run.frameNo);
        if (run.nodes) await nodes(run.nodes);
        const isAbsent = WITHOUT_STATE.has(id);
        assert.deepEqual([seen.header.pill === undefined, seen.header.absent], [isAbsent, isAbsent], "no pill, and that there is none");
        const notes = [...seen.header.notes, ...seen.header.problems].join("\n");
        // A file that is chosen has no folder.
        const bare = (problem) => files.reduce((text, file) => text.replaceAll(file, file.replace(/.*\//, "")), problem);
        // What a log lacks is a note beside its run, which needs no names.
        const unnamed = (problem) => problem.replace(/^.*: (?=Events are missing|The times? of )/, "");
        for (const problem of problems)
          assert.ok(notes.includes(unnamed(bare(problem).replace(/(^| )[^ ]*\//, "$1"))), `${problem} in ${notes}`);
      }
    });
  }
});

describe("documents that are refused", () => {
  const fault = ({ files, error: { code, line, column } }) => [code, files.length > 1, line !== undefined, column !== undefined];
  for (const { id, files, error } of cases("invalid", fault)) {
    test(id, async () => {
      const seen = await chooseFile(page, ...paths("invalid", files));
      assert.deepEqual([seen.error?.code, seen.error?.line, seen.error?.column], [error.code, error.line, error.column]);
    });
  }
});

test("a plan shows no progress, a snapshot does", async () => {
  const progress = () => page.$$eval("[role=treeitem]", (rows) => rows.filter((row) => /\d+\/\d+ done/.test(row.textContent)).length);
  await chooseFile(page, ...paths("valid", ["part/graph.json"]));
  await nodes(5);
  assert.equal(await progress(), 0);
  await chooseFile(page, ...paths("valid", ["killed-a.runstate.json"]));
  await page.waitForFunction(() => /\d+\/\d+ done/.test(document.querySelector("[role=treeitem]")?.textContent));
});

describe("a run without a tree says why, and what would bring one", () => {
  const without = {
    "an answer about a run": ["smithers/captures/runs/fail-a/rpc-runs.get.json", /the state of the run, not its tree/, true],
    "a run of tnh-conductor": ["conductor/runs/gate-orphaned/run/status.json", /no visit of a step/, true],
  };
  for (const [name, [file, reason, hasHint]] of Object.entries(without)) {
    test(name, async () => {
      await chooseFile(page, vector(file));
      const note = await page.waitForSelector("[data-field=no-tree]");
      assert.match(await note.evaluate((found) => found.innerText), reason);
      assert.equal((await note.$$("button")).length, hasHint ? 1 : 0);
    });
  }

  test("an event log, in place of its events", async () => {
    await chooseFile(page, vector("documents/valid/killed-a.log.ndjson"));
    await page.waitForSelector("[data-pane=log] [data-event]");
    assert.equal(await page.$("[data-field=no-tree]"), null, "the events are what there is to see");
    await page.click("[data-view-switch=tree]");
    const note = await page.waitForSelector("[data-field=no-tree]");
    assert.match(await note.evaluate((found) => found.innerText), /An event log has no tree/);
    await chooseFile(page, vector("smithers/captures/runs/fail-a/rpc-getDevToolsSnapshot.json"));
    await page.waitForSelector("[role=treeitem]");
    await paste(page, readFileSync(vector("documents/valid/killed-a.log.ndjson"), "utf8"));
    await page.waitForSelector("[data-pane=log] [data-event]");
    assert.equal(await page.$eval("[data-view-switch=events]", (button) => button.getAttribute("aria-pressed")), "true");
  });

  test("a row of a list, next to the list", async () => {
    await chooseFile(page, vector("smithers/captures/derived/listRuns-edited-rows.json"));
    await page.waitForSelector("[data-screen=runs] [data-run]");
    assert.equal(await page.$("[data-field=no-tree]"), null, "a list is no run");
    await page.click("[data-screen=runs] [data-run]");
    const note = await page.waitForSelector("[data-field=no-tree]");
    assert.match(await note.evaluate((found) => found.innerText), /A list of runs does not contain their trees/);
    await note.$("button").then((button) => button.click());
    await page.waitForSelector('form[data-form="connect"]');
  });

  test("nothing is said of a run with a tree", async () => {
    await chooseFile(page, vector("smithers/captures/runs/fail-a/rpc-getDevToolsSnapshot.json"));
    await page.waitForSelector("[role=treeitem]");
    assert.equal(await page.$("[data-field=no-tree]"), null);
    assert.equal(await page.$("[data-pane=log]"), null, "its events are hidden until a person chooses them");
  });
});

// What the pills of each system say, and that colour never claims more than they do.
const specimens = [
  [
    "a stale session is no blue running",
    ["lionagi/captures/studio/run-dead-stale-fresh.json"],
    { taxonomy: "effective", value: "stale running", tone: "stale", axes: ["health", "delivery"] },
  ],
  [
    "a timeout with its configuration",
    ["lionagi/captures/studio/session-timed-out-with-metadata.json"],
    { taxonomy: "session", value: "timed_out", sentence: "Timed out after 900s (configured timeout: 900s)." },
  ],
  [
    "a session that ended well",
    ["lionagi/captures/studio/run-completed-ok.json"],
    { taxonomy: "session", value: "completed", tone: "success" },
  ],
  [
    "a gate",
    ["conductor/runs/gate-orphaned/run/status.json"],
    { taxonomy: "conductor", tone: "review", blocked: true, sentence: "Was waiting for a decision at gate final_review." },
  ],
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
      if (wanted.tone) assert.deepEqual([seen.header.tone, pill.tone], [wanted.tone, pill.asOf === undefined ? wanted.tone : "neutral"]);
      for (const axis of wanted.axes ?? []) assert.ok(await field(axis), axis);
      if (wanted.blocked) assert.ok(seen.header.blockedKind);
      const { sentence } = seen.header.blocked ?? seen.header.unhealthy ?? seen.header.reason;
      if (wanted.sentence) assert.equal(sentence, wanted.sentence);
    });
  }
});

test("what can be done is offered with its command", async () => {
  await chooseFile(page, vector("smithers/captures/runs/approval-denied-a/rpc-runs.get-waiting.json"));
  const commands = await page.$$eval("[data-field=actions] code", (found) => found.map((code) => code.textContent));
  assert.deepEqual(commands, [
    "smithers approve approval-denied-a --node ship-gate --iteration 0",
    "smithers deny approval-denied-a --node ship-gate --iteration 0",
  ]);
});

test("a run that has ended well offers nothing", async () => {
  await chooseFile(page, ...paths("valid", ["approval-a.ws-life.ndjson"]));
  assert.equal(await page.$("[data-field=actions]"), null);
});

describe("sessions from before the status vocabulary", () => {
  const list = JSON.parse(readFileSync(vector("lionagi/captures/studio/sessions-list.json"), "utf8"));
  const chip = () =>
    page.$eval("[data-field=legacy] [data-taxonomy]", (pill) => ({
      ...pill.dataset,
      words: pill.textContent,
      border: getComputedStyle(pill).borderTopStyle,
    }));
  const shown = () =>
    page.$$eval("section[data-screen=runs] [data-run]", (rows) =>
      rows.filter((row) => row.checkVisibility()).map((row) => row.dataset.run),
    );
  const heading = () => page.$eval("[data-screen=runs] h2", (found) => found.textContent);

  test("are one muted chip that opens, and in no count", async () => {
    const legacy = list.sessions.slice(3, 6).map(({ id }) => id);
    const sessions = list.sessions.map((session) => (legacy.includes(session.id) ? { ...session, status: null } : session));
    await paste(page, JSON.stringify({ ...list, sessions }));
    assert.equal(await heading(), `${sessions.length - 3} runs`);
    const { words, ...attributes } = await chip();
    assert.deepEqual(attributes, { taxonomy: "session", value: "legacy", tone: "neutral", dotted: "", border: "dotted" });
    assert.equal(words, "Status: 3 legacy sessions");
    assert.equal(
      await page.$eval("[data-field=legacy] summary", (summary) => summary.title),
      "Sessions created before the current status vocabulary. Excluded from live operational metrics.",
    );
    await runs(page, sessions.length - 3);
    const rows = await shown();
    for (const id of legacy) assert.ok(!rows.includes(id), id);
    await page.focus("[data-field=legacy] summary");
    await page.keyboard.press("Enter");
    await page.waitForFunction(
      (count) => [...document.querySelectorAll("[data-run]")].filter((row) => row.checkVisibility()).length === count,
      {},
      sessions.length,
    );
    assert.deepEqual((await shown()).slice(-3), legacy);
    await page.click(`[data-run="${legacy[1]}"]`);
    await page.waitForSelector("section[data-tone]");
    assert.equal(await field("sessionId"), legacy[1]);
    assert.equal(await field("runState"), "legacy");
  });

  test("are counted by the server where only it knows them", async () => {
    const stats = readFileSync(vector("lionagi/captures/studio/stats.json"), "utf8");
    await paste(page, stats.replace(/"\(null\)":\d+/, '"(null)":376'));
    const { legacy, sentence } = await page.evaluate(() => ({
      legacy: [...document.querySelectorAll("section[data-tone] dl > *")]
        .find((field) => field.querySelector("dt")?.textContent === "legacy")
        ?.querySelector("dd").textContent,
      sentence: window.runstateTest.header().reason.sentence,
    }));
    assert.equal(legacy, "376");
    assert.match(sentence, /^The server counts \d+ sessions by their status\.$/);
  });

  test("have no chip where there are none", async () => {
    await paste(page, JSON.stringify(list));
    await runs(page, list.sessions.length);
    assert.equal(await page.$("[data-field=legacy]"), null);
  });

  test("are no row that only calls itself so: nothing is behind a chip that is not there", async () => {
    await paste(page, JSON.stringify({ sessions: [{ id: "stored-word", status: "legacy" }], total: 1, per_page: 20 }));
    await runs(page, 1);
    assert.equal(await page.$("[data-field=legacy]"), null);
    assert.deepEqual([await heading(), await shown()], ["1 run", ["stored-word"]]);
  });
});

test("a file that is gone is refused, and what was on screen stays", onlyChromium("a file that does not exist is chosen"), async () => {
  await chooseFile(page, ...paths("valid", ["approval-a.ws-life.ndjson"]));
  const seen = await chooseFile(page, vector("no-such-file.json"));
  assert.equal(seen.error?.code, "UNREADABLE");
  await page.click("[data-action=close]");
  await page.waitForFunction(() => !document.querySelector("[data-screen=connect]"));
  assert.equal(await field("runId"), "approval-a");
});
