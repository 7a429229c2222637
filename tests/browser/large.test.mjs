// Logs that are too large to be read at once: the panel says how much was read, and a state when all of it was.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, beforeEach, describe, test } from "node:test";
import { snapshot, task, view } from "../support/make.mjs";
import { answer, chooseFile, close, drop, header, paste } from "../support/panel.mjs";
import { connectScreen } from "../support/stage.mjs";

const folder = mkdtempSync(join(tmpdir(), "runstate-large-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const { page, heard } = await connectScreen();
const good = JSON.stringify(view("the-good-run", "failed"));

// A run that goes on and on, and ends. Its first megabytes alone would say that it is running.
const EVENTS = 120_000;
const event = (type, at, more) => `${JSON.stringify({ type, runId: "large", ...more, timestampMs: 1_795_295_400_000 + at, correlation: { runId: "large", workflowName: "nightly" } })}\n`;
const lines = [event("RunStarted", 0)];
for (let index = 0; lines.length < EVENTS; index++) {
  const of = { nodeId: `task-${index % 500}`, iteration: Math.floor(index / 500), attempt: 1 };
  lines.push(event("NodeStarted", 10 * index + 1, of), event("NodeFinished", 10 * index + 9, of));
}
const ending = event("RunFinished", 10 * EVENTS);
const broken = lines.with(40_000, "oops\n");
const write = (name, ...parts) => {
  const path = join(folder, name);
  writeFileSync(path, parts.join(""));
  return path;
};
const log = write("large.ndjson", ...lines, ending);
const sentence = async () => {
  const now = await header(page);
  return now && (now.reason ?? now.blocked)?.sentence;
};
const state = (wanted) => page.waitForSelector(`section.snapshot[data-state="${wanted}"]`, { timeout: 60_000 });

// The reader's worker is there once something was read; in it, what lies behind the first five megabytes comes when it is let through.
const letThrough = (how) => worker().evaluate((how) => globalThis.through(how), how);
const worker = () => page.workers().find((one) => one.url().includes("worker-documents"));
before(async () => {
  await paste(page, good);
  await worker().evaluate(() => {
    const slice = Blob.prototype.slice;
    globalThis.wait = () => {
      globalThis.gate = new Promise((resolve, reject) => {
        globalThis.through = (how) => (how === "fails" ? reject(new DOMException("gone", "NotReadableError")) : resolve());
      });
      globalThis.gate.catch(() => {});
    };
    globalThis.wait();
    Blob.prototype.slice = function (from, to) {
      const part = slice.call(this, from, to);
      const gate = globalThis.gate;
      return from < 5e6 ? part : { size: part.size, arrayBuffer: () => gate.then(() => part.arrayBuffer()) };
    };
  });
});
beforeEach(async () => {
  await worker().evaluate(() => globalThis.wait());
  assert.equal((await paste(page, good)).header?.runId, "the-good-run");
});

describe("a log of which a part was read", () => {
  test("says how much that is, and no state", async () => {
    const seen = await chooseFile(page, log);
    assert.equal(seen.header?.runId, "large");
    await page.waitForFunction(() => document.querySelector(".sentence")?.textContent.startsWith("Read 5 of "));
    const now = await header(page);
    assert.deepEqual([now.state, now.pill.value, now.workflow], ["unknown", "unknown", "nightly"]);
    assert.match(now.text, /Read 5 of 2\d MB\. What the run is doing is told when the whole log is read\./);
    assert.doesNotMatch(now.text, /running|succeeded/i, "nothing that looks like a verdict");
    assert.match(await page.title(), /unknown/i);
    await letThrough();
    await state("succeeded");
  });

  test("ends as what the whole is", async () => {
    await letThrough();
    await chooseFile(page, log);
    await state("succeeded");
    const said = await page.waitForFunction(() => {
      const said = document.querySelector("[role=status].vh")?.textContent;
      return said?.includes("large.ndjson is read to its end. Run state: succeeded.") && said;
    });
    assert.ok(said);
    const piecewise = await header(page);
    const whole = (await paste(page, [...lines, ending].join(""), 60_000)).header;
    for (const field of ["state", "pill", "reason", "startedAt", "computedAt", "runId", "workflow", "freshness"]) {
      assert.deepEqual(piecewise[field], whole[field], field);
    }
  });

  test("names the lines that could not be read, by their number in the file", async () => {
    await letThrough();
    await chooseFile(page, write("broken.ndjson", ...broken, ending));
    await state("succeeded");
    const problems = await page.$$eval('section.snapshot [data-field="problem"]', (all) => all.map((one) => one.textContent));
    assert.equal(problems.length, 1, problems.join("\n"));
    assert.match(problems[0], /broken\.ndjson, line 40001, column 1/);
  });

  test("and whose end is missing is told as such", async () => {
    await letThrough();
    await chooseFile(page, write("cut.ndjson", ...lines));
    await state("running");
    assert.match((await header(page)).text, /The end may be missing/);
  });
});

describe("while a log is read", () => {
  test("another document takes its place for good", async () => {
    await chooseFile(page, log);
    assert.equal((await header(page)).state, "unknown");
    assert.equal((await paste(page, JSON.stringify(view("another", "cancelled")))).header?.runId, "another");
    await page.evaluate(() => {
      window.names = new Set();
      new MutationObserver(() => window.names.add(window.runstateTest.header()?.runId)).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
    });
    await letThrough();
    // What is asked for now is met after what was let through.
    assert.equal((await paste(page, JSON.stringify(view("third", "failed")))).header?.runId, "third");
    const names = await page.evaluate(() => [...window.names]);
    assert.ok(!names.includes("large"), names.join());
  });

  test("another log takes its place for good", async () => {
    await chooseFile(page, log);
    const other = write("other.ndjson", ...lines.map((line) => line.replaceAll('"large"', '"other"')), ending.replaceAll('"large"', '"other"').replace("Finished", "Failed"));
    await chooseFile(page, other);
    await page.waitForFunction(() => window.runstateTest.header()?.runId === "other");
    await letThrough();
    await state("failed");
    assert.equal((await header(page)).runId, "other");
  });

  test("what cannot be read takes nothing from it", async () => {
    await chooseFile(page, log);
    await drop(page, '{\n  "runId": oops\n}');
    await page.waitForSelector('[data-field="error"]');
    assert.equal((await header(page)).runId, "large");
    assert.match(await sentence(), /^Read \d of/);
    await letThrough();
    await state("succeeded");
    assert.equal((await answer(page)).error?.line, 2, "and the reason stays until it is put away");
    await page.click('[data-field="error"] button');
  });

  test("the browser may fail to read the rest: that is said, and no state", async () => {
    await chooseFile(page, log);
    await letThrough("fails");
    await page.waitForFunction(() => document.querySelector(".sentence")?.textContent.startsWith("Only the first 5 of "));
    const now = await header(page);
    assert.equal(now.state, "unknown");
    assert.match(now.text, /could not read large\.ndjson beyond 5 of 2\d MB\. It may have been moved or changed; choose it again\./);
    await worker().evaluate(() => globalThis.wait());
    await letThrough();
    await chooseFile(page, log);
    await state("succeeded");
  });

  test("going back to it shows how far it came", async () => {
    await chooseFile(page, log);
    await page.evaluate(() => window.runstateTest.openConnect());
    await letThrough();
    await close(page);
    await state("succeeded");
  });
});

test("a large file that is no log is read as a whole", async () => {
  await letThrough();
  const tasks = Array.from({ length: 120_000 }, (_, index) => task(index + 2, `t-${index}`, 1));
  const path = write("tree.json", JSON.stringify(snapshot("tree", tasks)));
  const seen = await chooseFile(page, path);
  assert.equal(seen.header?.runId, "tree");
  assert.equal(seen.error, undefined);
});

test("a large file of nothing is refused, and what was on screen stays", async () => {
  await letThrough();
  const seen = await chooseFile(page, write("nothing.ndjson", "oops\n".repeat(4_000_000)));
  assert.ok(seen.error?.code, JSON.stringify(seen).slice(0, 300));
  await close(page);
  assert.equal((await header(page)).runId, "the-good-run");
});

test("nothing was thrown", () => assert.deepEqual(heard.errors.filter((line) => line.startsWith("thrown")), []));
