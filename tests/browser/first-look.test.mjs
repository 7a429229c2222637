// The heights and places of what a person looks at first: header, tree and list.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { text } from "../support/captures.mjs";
import { group, snapshot, task, view } from "../support/make.mjs";
import { open, paste } from "../support/panel.mjs";
import { connectScreen } from "../support/stage.mjs";

const { page, server } = await connectScreen();
const documents = {
  "a run that waits": text("runs/approval-a/rpc-getDevToolsSnapshot-waiting.json"),
  "a failed run": text("runs/fail-a/rpc-getDevToolsSnapshot.json"),
  "a run that succeeded": text("runs/quick-a/rpc-getDevToolsSnapshot.json"),
};
// In one step: a list that still moves replaces its elements.
const height = (selector) => page.evaluate((wanted) => document.querySelector(wanted).getBoundingClientRect().height, selector);
const show = async (document, width, height) => {
  await page.setViewport({ width, height });
  const seen = await paste(page, document);
  assert.equal(seen.error, undefined, seen.error?.text);
};

describe("the header", () => {
  // Sizes of the window, and how high the header may be, CSS pixels.
  for (const [width, windowHeight, most] of [
    [1280, 800, 118],
    [900, 360, 92],
    [320, 720, 240],
  ]) {
    for (const [name, document] of Object.entries(documents)) {
      test(`${name}: at most ${most} of ${width} × ${windowHeight} px`, async () => {
        await show(document, width, windowHeight);
        const found = await height("section[data-tone]");
        assert.ok(found <= most, `${found} px`);
      });
    }
  }
  test("the built-in recording too: at most 118 px at 1280, 92 px in the bottom dock", async () => {
    await page.goto("about:blank");
    await open(page, `${server.origin}/#example`);
    for (const [width, windowHeight, most] of [
      [1280, 800, 118],
      [900, 360, 92],
    ]) {
      await page.setViewport({ width, height: windowHeight });
      const found = await height("section[data-tone]");
      assert.ok(found <= most, `${found} px`);
    }
    await page.goto("about:blank");
    await open(page, `${server.origin}/#connect`);
  });
  test("the toolbar below it takes one line with the buttons of a list, also at 480 and 320 px", async () => {
    await show(
      JSON.stringify([
        { runId: "one", status: "paused" },
        { runId: "two", status: "paused" },
      ]),
      480,
      800,
    );
    await (await page.waitForSelector('[data-run="two"]')).click();
    await page.waitForSelector('.toolbar [data-action="runs"]');
    for (const width of [480, 320]) {
      await page.setViewport({ width, height: 800 });
      const found = await height(".toolbar");
      assert.ok(found <= 40, `${found} px at ${width} px`);
    }
  });
  test("the question of an approval stands beside the sentence", async () => {
    await show(documents["a run that waits"], 1280, 800);
    assert.match(await page.$eval("section[data-tone] .meta", (meta) => meta.textContent), /^“Ship release 1\.2\.3\?” Asked /);
  });
  test("the details are folded, and stay unfolded for the next run", async () => {
    await show(documents["a failed run"], 1280, 800);
    const isShown = (field) => page.$eval(`section[data-tone] [data-field="${field}"]`, (element) => element.checkVisibility());
    assert.deepEqual([await isShown("runId"), await isShown("frameNo"), await isShown("computedAt")], [true, false, false]);
    await page.click('[data-action="fields"]');
    assert.deepEqual([await isShown("frameNo"), await isShown("computedAt")], [true, true]);
    await show(documents["a run that waits"], 1280, 800);
    assert.equal(await isShown("frameNo"), true);
    await page.reload();
    await page.waitForSelector('[data-screen="connect"]');
    await show(documents["a run that waits"], 1280, 800);
    assert.equal(await isShown("frameNo"), true, "also on the next visit");
    await page.click('[data-action="fields"]');
  });
  test("the whole error is there to read and to copy if the sentence has only a part of it", async () => {
    const message = `${"a long explanation of what went wrong ".repeat(8)}at https://example.org/very/long/link`;
    const failed = (error) => JSON.stringify({ runId: "failed", status: "failed", errorJson: JSON.stringify(error) });
    await show(failed({ message: `Task failed: boom See https://smithers.sh/reference/errors`, cause: { message } }), 1280, 800);
    const sentence = await page.$eval("section[data-tone] .sentence", (element) => element.textContent);
    assert.match(sentence, /^Failed at boom: a long explanation .* …$/);
    const [shown] = sentence.slice("Failed at boom: ".length).split(" …");
    assert.ok(message.startsWith(`${shown} `), "it is cut between two words");
    await page.click('[data-field="error-text"] summary');
    assert.equal(await page.$eval('[data-field="error-text"] pre', (element) => element.textContent), `Task failed: boom: ${message}`);
    await show(failed({ message: "disk is full" }), 1280, 800);
    assert.equal(await page.$('[data-field="error-text"]'), null, "the sentence has all of it");
  });
});

describe("the tree", () => {
  const mixed = snapshot(
    "mixed",
    [
      group(2, "sequence", 1, [
        task(3, "done", 2, { state: "finished" }),
        task(4, "broken", 2, { state: "failed" }),
        task(5, "gate", 2, { kind: "approval", state: "waiting-approval" }),
        task(6, "later", 2, { state: "pending" }),
      ]),
    ],
    { runState: view("mixed", "running") },
  );
  const row = (node) => `[role=treeitem][data-node="${node}"]`;
  test("an icon before the name, a plain word in its column, and a colour only for what is not finished", async () => {
    await show(JSON.stringify(mixed), 1280, 800);
    const look = (node) =>
      page.$eval(row(node), (element) => {
        const [icon, name, word] = [".state-icon", ".node-name", ".state-word"].map((part) => element.querySelector(part));
        const { color } = getComputedStyle(icon);
        const probe = document.createElement("span");
        const quiet = (probe.style.color = "var(--text-3)") && element.appendChild(probe) && getComputedStyle(probe).color;
        probe.remove();
        return {
          isBefore: icon.getBoundingClientRect().right <= name.getBoundingClientRect().left,
          word: word.textContent,
          hasColour: color !== quiet,
          border: getComputedStyle(word).borderTopStyle,
        };
      });
    const plain = { isBefore: true, border: "none" };
    assert.deepEqual(await look("done"), { ...plain, word: "Finished", hasColour: false });
    assert.deepEqual(await look("later"), { ...plain, word: "Pending", hasColour: false });
    assert.deepEqual(await look("broken"), { ...plain, word: "Failed", hasColour: true });
    assert.deepEqual(await look("gate"), { ...plain, word: "Waiting for approval", hasColour: true });
  });
  test("on a wide screen, name and state are close enough to read across", async () => {
    await show(JSON.stringify(mixed), 1920, 1000);
    const distance = await page.$eval(row("done"), (element) => {
      const [name, word] = [".node-name", ".state-word"].map((part) => element.querySelector(part).getBoundingClientRect());
      return word.left - name.right;
    });
    assert.ok(distance < 640, `${distance} px`);
  });
});

describe("the list", () => {
  const rows = Array.from({ length: 200 }, (_, index) => ({
    runId: `run-${index}`,
    workflowName: "w",
    status: "finished",
    startedAtMs: 1.7e12,
  }));
  test("beside a run, a row is at most 47 px high, and the row of the run is in sight", async () => {
    await show(JSON.stringify(rows), 1280, 800);
    await page.$eval("[data-pane=runs] .scroll", (scroller) => (scroller.scrollTop = scroller.scrollHeight));
    const last = await page.waitForSelector('[data-run="run-199"]');
    await last.click();
    await page.waitForFunction(() => {
      const current = document.querySelector('[data-run="run-199"][aria-current="true"]')?.getBoundingClientRect();
      return current && current.top > 0 && current.bottom <= innerHeight;
    });
    const found = await height("[data-run]");
    assert.ok(found >= 24 && found <= 47.5, `${found} px`);
  });
  for (const [width, most] of [
    [1280, 33],
    [900, 33],
    [760, 47.5],
    [480, 66],
    [320, 66],
  ]) {
    test(`as a screen, a row is at most ${most} px high at ${width} px and has its whole reason`, async () => {
      const asked = { kind: "approval", nodeId: "release-gate", requestedAt: "2026-11-21T14:06:08.000Z" };
      const waits = { runId: "approval-1", workflowName: "approval", status: "waiting-approval", startedAtMs: 1.7e12 };
      waits.runState = { runId: waits.runId, computedAt: asked.requestedAt, state: "waiting-approval", blocked: asked };
      const error = JSON.stringify({ message: "disk is full: cannot write out.bin" });
      const failed = { runId: "fail-1", workflowName: "fail", status: "failed", startedAtMs: 1.7e12, errorJson: error };
      await show(JSON.stringify([waits, failed]), width, 800);
      const reasons = await page.$$eval("[data-run] .run-reason", (found) =>
        found.map((reason) => ({
          text: reason.textContent,
          isWhole: reason.scrollWidth <= reason.clientWidth && reason.scrollHeight <= reason.clientHeight + 1,
        })),
      );
      assert.deepEqual(
        reasons.map(({ isWhole }) => isWhole),
        [true, true],
        JSON.stringify(reasons),
      );
      assert.match(reasons[0].text, /release-gate/);
      const found = await height("[data-run]");
      assert.ok(found >= 24 && found <= most, `${found} px`);
    });
  }
  test("as a screen, its columns have heads", async () => {
    await show(JSON.stringify(rows), 1280, 800);
    const heads = await page.$$eval(".run-columns > span", (found) =>
      found.map((head) => [head.textContent, Math.round(head.getBoundingClientRect().left)]),
    );
    assert.deepEqual(
      heads.map(([head]) => head),
      ["Run", "State", "Reason", "Time", "Id"],
    );
    const name = await page.$eval("[data-run] .run-name", (element) => Math.round(element.getBoundingClientRect().left));
    assert.equal(heads[0][1], name);
  });
});
