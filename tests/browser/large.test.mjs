// Logs that are too large to be read at once: the panel says how much was read, and a state only when all of it was.
import assert from "node:assert/strict";
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, beforeEach, describe, test } from "node:test";
import { snapshot, task, view } from "../support/make.mjs";
import { answer, chooseFile, close, drop, error, header, openConnect, paste, shows } from "../support/panel.mjs";
import { built } from "../support/paths.mjs";
import { connectScreen } from "../support/stage.mjs";

const folder = mkdtempSync(join(tmpdir(), "runstate-large-"));
after(() => rmSync(folder, { recursive: true, force: true }));

// The worker asks the server before it reads a part of a file, and goes on when the test lets it: so a log is still being read
// for as long as the test needs.
const reading = { asked: 0, allowed: Infinity, waiting: [] };
const letRead = (parts) => {
  reading.allowed = parts;
  while (reading.waiting.length > 0 && reading.asked < parts) answerPart(reading.waiting.shift());
};
const answerPart = (response) => {
  reading.asked++;
  response.writeHead(204).end();
};
const handle = ({ url }, response) => {
  if (url !== "/part") return false;
  if (reading.asked < reading.allowed) answerPart(response);
  else reading.waiting.push(response);
  return true;
};
const asking = `
const { arrayBuffer } = Blob.prototype;
Blob.prototype.arrayBuffer = async function () {
  await fetch("/part");
  return arrayBuffer.call(this);
};`;
const { page } = await connectScreen({ handle, extra: { "/worker.js": readFileSync(built("dashboard", "worker.js"), "utf8") + asking } });
const good = JSON.stringify(view("the-good-run", "failed"));

// A run of which all megabytes but the last say that it is running. Files of more than 16 MB are read in parts.
const EVENTS = 140_000;
const event = (type, at, more, runId) =>
  `${JSON.stringify({ type, runId, ...more, timestampMs: 1_795_295_400_000 + at, correlation: { runId, workflowName: "nightly" } })}\n`;
function events(runId, count) {
  const lines = [event("RunStarted", 0, {}, runId)];
  for (let index = 0; lines.length < count; index++) {
    const of = { nodeId: `task-${index % 500}`, iteration: Math.floor(index / 500), attempt: 1 };
    lines.push(event("NodeStarted", 10 * index + 1, of, runId), event("NodeFinished", 10 * index + 9, of, runId));
  }
  return lines;
}
const write = (name, ...parts) => {
  const path = join(folder, name);
  writeFileSync(path, parts.flat().join(""));
  return path;
};
const lines = events("large", EVENTS);
const ending = event("RunFinished", 10 * EVENTS, {}, "large");
const log = write("large.ndjson", lines, ending);
const other = write("other.ndjson", events("other", EVENTS), event("RunFailed", 1e7, {}, "other"));
const state = (wanted) => page.waitForSelector(`section[data-tone][data-state="${wanted}"]`);

beforeEach(async () => {
  letRead(Infinity);
  assert.equal((await paste(page, good)).header?.runId, "the-good-run");
});

// Records what the header shows from now on, at every change.
const record = () =>
  page.evaluate(() => {
    window.observer?.disconnect();
    window.steps = [];
    const note = () => {
      const now = window.runstateTest.header();
      const step = now && {
        runId: now.runId,
        state: now.state,
        pill: now.pill?.value,
        title: document.title,
        workflow: now.workflow,
        sentence: (now.reason ?? now.blocked)?.sentence,
        text: now.text,
      };
      if (step && JSON.stringify(step) !== JSON.stringify(window.steps.at(-1))) window.steps.push(step);
    };
    window.observer = new MutationObserver(note);
    window.observer.observe(document.documentElement, { subtree: true, childList: true, characterData: true, attributes: true });
  });
const steps = () => page.evaluate(() => window.steps);
const progress = /^Read (\d+) of (\d+) MB\./;
// Chooses a file and returns once its first progress is on screen; the rest is read when `letRead` says so.
const begin = async (path) => {
  Object.assign(reading, { asked: 0, allowed: 1, waiting: [] });
  await chooseFile(page, path);
  const { sentence } = (await header(page)).reason;
  assert.match(sentence, progress, "it is still being read");
};

describe("a log that is being read", () => {
  test("shows how much was read, and no state before all of it was", async (t) => {
    await record();
    await begin(log);
    letRead(2);
    await page.waitForFunction(() => /^Read 5 of /.test(window.runstateTest.header().reason.sentence));
    letRead(Infinity);
    await state("succeeded");
    const parts = (await steps()).filter(({ sentence }) => progress.test(sentence));
    const read = parts.map(({ sentence }) => Number(progress.exec(sentence)[1]));
    t.diagnostic(`read ${read.join(", ")} MB`);
    assert.ok(new Set(read).size >= 2, `${read} MB`);
    assert.deepEqual(
      read,
      read.toSorted((one, two) => one - two),
    );
    for (const part of parts) {
      assert.deepEqual([part.runId, part.state, part.pill, part.workflow], ["large", "unknown", "unknown", "nightly"]);
      assert.match(part.title, /unknown/i);
      assert.doesNotMatch(part.text, /running|succeeded/i, "nothing that resembles a verdict");
    }
    const verdicts = (await steps())
      .filter(({ runId }) => runId === "large")
      .map((step) => step.state)
      .filter((word) => word !== "unknown");
    assert.deepEqual([...new Set(verdicts)], ["succeeded"]);
    await page.waitForFunction(() =>
      /large\.ndjson has been read to its end\. .*succeeded/i.test(document.querySelector("[role=status]").textContent),
    );
  });

  test("ends with what the same log says when it is read at once", async () => {
    const short = [...events("short", 3000), event("RunFinished", 1e6, {}, "short")];
    // A large file of the same events: the text after them makes it large, and is no event.
    const piecewise = write("padded.ndjson", short, `${JSON.stringify({ note: "x".repeat(1000) })}\n`.repeat(20_000));
    await chooseFile(page, piecewise);
    await state("succeeded");
    const read = await header(page);
    const whole = (await paste(page, short.join(""))).header;
    for (const field of ["state", "pill", "reason", "startedAt", "computedAt", "runId", "workflow", "freshness"])
      assert.deepEqual(read[field], whole[field], field);
  });

  test("names the lines that could not be read, by their number in the file", async () => {
    await chooseFile(
      page,
      write("broken.ndjson", events("broken", 120_000).with(40_000, "oops\n"), event("RunFinished", 1e7, {}, "broken")),
    );
    await state("succeeded");
    const { problems } = await header(page);
    assert.equal(problems.length, 1, problems.join("\n"));
    assert.match(problems[0], /broken\.ndjson, line 40001, column 1/);
  });

  test("says so when its end is missing", async () => {
    await chooseFile(page, write("cut.ndjson", events("cut", 120_000)));
    await state("running");
    assert.match((await header(page)).text, /The end may be missing/);
  });
});

describe("while a log is read", () => {
  test("another document takes its place for good", async () => {
    await begin(log);
    assert.equal((await paste(page, JSON.stringify(view("another", "cancelled")))).header?.runId, "another");
    await record();
    letRead(Infinity);
    assert.equal((await paste(page, JSON.stringify(view("third", "failed")))).header?.runId, "third");
    const names = (await steps()).map(({ runId }) => runId);
    assert.ok(!names.includes("large"), names.join());
  });

  test("another log takes its place for good", async () => {
    await begin(log);
    letRead(Infinity);
    await chooseFile(page, other);
    await shows(page, "other");
    await record();
    await state("failed");
    const names = (await steps()).map(({ runId }) => runId);
    assert.ok(!names.includes("large"), names.join());
  });

  test("a refused document changes nothing", async () => {
    await begin(log);
    await drop(page, '{\n  "runId": oops\n}');
    await error(page, "NOT_JSON");
    assert.equal((await header(page)).runId, "large");
    letRead(Infinity);
    await state("succeeded");
    assert.equal((await answer(page)).error?.line, 2, "the error stays until it is dismissed");
    await page.click('[data-field="error"] button');
  });

  test("the file may change: that is said, and no state", async () => {
    const changing = write("changing.ndjson", lines, ending);
    await begin(changing);
    appendFileSync(changing, "\n");
    letRead(Infinity);
    await page.waitForFunction(() => window.runstateTest.header().reason?.sentence.startsWith("Only the first "));
    const now = await header(page);
    assert.equal(now.state, "unknown");
    assert.match(now.text, /could not read changing\.ndjson beyond \d+ of \d+ MB\. It may have been moved or changed; choose it again\./);
    await chooseFile(page, changing);
    await state("succeeded");
  });

  test("the way back from the connect screen shows how far it is", async () => {
    await begin(log);
    await openConnect(page);
    await close(page);
    assert.equal((await header(page)).runId, "large");
    letRead(Infinity);
    await state("succeeded");
  });
});

test("a large file that is no log is read as a whole", async () => {
  const tasks = Array.from({ length: 120_000 }, (_, index) => task(index + 2, `t-${index}`, 1));
  const seen = await chooseFile(page, write("tree.json", JSON.stringify(snapshot("tree", tasks))));
  assert.equal(seen.error, undefined);
  assert.equal(seen.header?.runId, "tree");
  assert.equal(seen.header.state, "running");
});

test("a large file of nothing is refused, and the run on screen stays", async () => {
  const seen = await chooseFile(page, write("nothing.ndjson", "oops\n".repeat(4_000_000)));
  assert.equal(seen.error?.code, "NOT_JSON");
  await close(page);
  assert.equal((await header(page)).runId, "the-good-run");
});
