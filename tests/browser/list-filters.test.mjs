// The groups and filters of a list of runs, its look in any size, and what a live list keeps while it changes.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { LISTS, listOf } from "../support/list.mjs";
import { connect } from "../support/live.mjs";
import { view } from "../support/make.mjs";
import { header, paste, shows } from "../support/panel.mjs";
import { built } from "../support/paths.mjs";
import { screensOf } from "../support/screens.mjs";
import { serve } from "../support/server.mjs";
import { connectScreen } from "../support/stage.mjs";

const { page, newPage, server } = await connectScreen();
const { focused, press, goTo, waitForRows, heading, headingIs, type } = listOf(page);
before(() => page.setViewport({ width: 1280, height: 800 }));

describe("groups and filters", () => {
  const states = ["failed", "waiting-approval", "running", "hibernating", "stale", "succeeded", "failed"];
  const blocked = { blocked: { kind: "approval", nodeId: "gate", requestedAt: "2026-11-21T14:00:00.000Z" } };
  const list = states.map((state, index) => ({
    runId: `r${index}`,
    workflowName: `flow-${states.length - 1 - index}`,
    status: "running",
    runState: view(`r${index}`, state, state === "waiting-approval" ? blocked : {}),
  }));
  const groups = () =>
    page.$$eval("[data-group]", (found) =>
      found.map((group) => [group.dataset.group, [...group.querySelectorAll("[data-run]")].map((row) => row.dataset.run).join(" ")]),
    );
  const chips = () =>
    page.$$eval("[data-state-filter]", (found) =>
      found.map((chip) => `${chip.textContent.trim()}${chip.ariaPressed === "true" ? " pressed" : ""}`),
    );
  before(() => paste(page, JSON.stringify(list)));
  after(() => page.setViewport({ width: 1280, height: 800 }));

  test("rows stand in the group of the attention they need, with a reason", async () => {
    await waitForRows(["r1", "r4", "r2", "r0", "r5", "r6", "r3"]);
    assert.deepEqual(await groups(), [
      ["needs-you", "r1 r4"],
      ["active", "r2"],
      ["ended", "r0 r5 r6"],
      ["unknown", "r3"],
    ]);
    assert.match(await page.$eval('[data-run="r1"]', (row) => row.textContent), /waiting for a decision at gate/i);
  });
  test("a chip filters, several chips add up, and none shows all", async () => {
    assert.deepEqual(await chips(), ["Stale 1", "Waiting for approval 1", "Failed 2", "Running 1", "“hibernating” 1", "Succeeded 1"]);
    await page.click('[data-state-filter="Failed"]');
    await waitForRows(["r0", "r6"]);
    assert.equal(await heading(), "2 of 7 runs");
    await page.click('[data-state-filter="Running"]');
    await waitForRows(["r2", "r0", "r6"]);
    assert.deepEqual(await chips(), [
      "Stale 1",
      "Waiting for approval 1",
      "Failed 2 pressed",
      "Running 1 pressed",
      "“hibernating” 1",
      "Succeeded 1",
    ]);
    await page.click('[data-state-filter="Failed"]');
    await page.click('[data-state-filter="Running"]');
    await headingIs("7 runs");
  });
  test("a filter that leaves nothing of a search offers the way back", async () => {
    await page.click('[data-state-filter="Stale"]');
    await type("flow-0");
    await page.waitForSelector("[data-field=no-match]");
    assert.match(
      await page.$eval("[data-field=no-match] p", (element) => element.textContent),
      /“flow-0” with state Stale: 0 of 7 runs\. The same words without the filter: 1 run\./,
    );
    assert.deepEqual(await chips(), ["Stale 0 pressed", "Failed 1"]);
    await page.click("[data-action=clear-filters]");
    await waitForRows(["r6"]);
    await page.$eval("input[name=search]", (field) => field.select());
    await page.keyboard.press("Backspace");
    await headingIs("7 runs");
  });
  test("a group folds and unfolds, and keys pass over what is folded", async () => {
    const fold = '[data-group="needs-you"] button[aria-expanded]';
    await page.click(fold);
    await waitForRows(["r2", "r0", "r5", "r6", "r3"]);
    assert.equal(await page.$eval(fold, (button) => button.ariaExpanded), "false");
    await goTo("r2");
    assert.equal(await press("ArrowDown"), "r0", "from group to group");
    assert.equal(await press("End"), "r3");
    assert.equal(await press("Home"), "r2");
    await page.click(fold);
    await waitForRows(["r1", "r4", "r2", "r0", "r5", "r6", "r3"]);
  });
  test("folding a long group brings the rows of the next one into sight", async () => {
    const long = Array.from({ length: 200 }, (_, index) => ({
      runId: `long-${index}`,
      status: "running",
      runState: view(`long-${index}`, index % 2 ? "stale" : "running"),
    }));
    await paste(page, JSON.stringify(long));
    await page.waitForSelector('[data-group="needs-you"] [data-run]');
    await page.click('[data-group="needs-you"] button[aria-expanded]');
    await page.waitForFunction(() => !document.querySelector('[data-group="needs-you"] [data-run]'));
    // The rows fill the list to its lower edge.
    await page.waitForFunction(() => {
      const { bottom } = document.querySelector("[data-pane=runs] .scroll").getBoundingClientRect();
      const rows = [...document.querySelectorAll('[data-group="active"] [data-run]')];
      return rows.length > 0 && rows.at(-1).getBoundingClientRect().bottom >= bottom;
    });
    await paste(page, JSON.stringify(list));
    await waitForRows(["r1", "r4", "r2", "r0", "r5", "r6", "r3"]);
  });
  test("the order is chosen inside the groups", async () => {
    await page.select("select[name=sort]", "name");
    await waitForRows(["r4", "r1", "r2", "r6", "r5", "r0", "r3"]);
    await page.select("select[name=sort]", "attention");
    await waitForRows(["r1", "r4", "r2", "r0", "r5", "r6", "r3"]);
  });
  test("the list stays next to a run, keeps the focus and marks the run", async () => {
    await goTo("r4");
    await page.keyboard.press("Enter");
    await shows(page, "r4");
    assert.equal(await page.$("[data-screen=runs]"), null, "the run is the screen");
    await page.waitForSelector('[data-pane=runs] [data-run="r4"][aria-current="true"]', { visible: true });
    await goTo("r2");
    await page.keyboard.press("Enter");
    await shows(page, "r2");
    await page.waitForSelector('[data-run="r2"][aria-current="true"]');
    assert.equal(await focused(), "r2");
    assert.equal((await page.$$("[aria-current]")).length, 1);
  });
  test("where there is no space the run stands alone, with a way back", async () => {
    await page.setViewport({ width: 480, height: 800 });
    await page.waitForSelector("[data-pane=runs]", { hidden: true });
    assert.equal((await header(page)).runId, "r2");
    await page.click('[data-action="runs"]');
    await page.waitForSelector("[data-screen=runs] [data-run]", { visible: true });
  });
});

describe("in any size", () => {
  const long = "2026-11-21T14-06-08Z-release-train-of-a-very-long-name";
  const blocked = { blocked: { kind: "approval", nodeId: "a-gate-with-a-long-name", requestedAt: "2026-11-21T14:00:00.000Z" } };
  const few = Array.from({ length: 12 }, (_, index) => ({
    runId: `${long}-${index}`,
    workflowName: index % 2 ? long : "flow",
    status: "running",
    runState: view(`${long}-${index}`, index % 3 ? "waiting-approval" : "stale", index % 3 ? blocked : {}),
  }));
  after(async () => {
    await page.setViewport({ width: 1280, height: 800 });
    await page.evaluate(() => (document.documentElement.style.fontSize = ""));
  });
  // What stands outside of its row, or over something else in it.
  const overlaps = () =>
    page.evaluate(() => {
      const found = [];
      const box = (element) => element.getBoundingClientRect();
      const meet = (a, b) =>
        Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
      const rows = [...document.querySelectorAll("[data-run]")].filter((row) => row.getClientRects().length > 0);
      for (const [index, row] of rows.entries()) {
        const parts = [...row.querySelectorAll(".run-name, .run-age, .pill, .run-id, .run-reason")];
        for (const part of parts) {
          const [inner, outer] = [box(part), box(row)];
          if (inner.left < outer.left - 1 || inner.right > outer.right + 1 || inner.top < outer.top - 1 || inner.bottom > outer.bottom + 1)
            found.push(`${part.className} leaves row ${index}`);
          for (const other of parts)
            if (part !== other && meet(inner, box(other))) found.push(`${part.className} over ${other.className} in row ${index}`);
        }
        if (index > 0 && meet(box(row), box(rows[index - 1]))) found.push(`row ${index} over the one before it`);
      }
      const wide = document.documentElement.scrollWidth - innerWidth;
      return { found, drawn: rows.length, wide: Math.max(0, wide) };
    });
  for (const [width, height] of [
    [1280, 800],
    [900, 360],
    [480, 800],
    [320, 720],
  ]) {
    for (const size of ["", "20px"]) {
      test(`nothing overlaps at ${width} × ${height}${size && `, with letters of ${size}`}`, async () => {
        await page.setViewport({ width, height });
        await page.evaluate((value) => (document.documentElement.style.fontSize = value), size);
        await paste(page, JSON.stringify(few));
        await page.waitForSelector("[data-run] .pill");
        const { found, drawn, wide } = await overlaps();
        assert.deepEqual(found, []);
        assert.ok(drawn >= 2, `${drawn} rows`);
        assert.equal(wide, 0, "no sideways scroll");
      });
    }
  }
});

test("a live list that changes keeps search, filter, scroll and focus", async (t) => {
  const run = (index, state) => ({
    runId: `live-${index}`,
    workflowName: "nightly",
    status: state === "failed" ? "failed" : "finished",
    startedAtMs: 1.79e12 - index,
    runState: view(`live-${index}`, state),
  });
  const runs = Array.from({ length: 300 }, (_, index) => run(index, index < 5 ? "failed" : "succeeded"));
  const handle = (request, response) => {
    if (request.method !== "POST") return false;
    let text = "";
    request.on("data", (part) => (text += part));
    request.on("end", () => {
      const { id, method } = JSON.parse(text);
      const answer =
        method === "listRuns"
          ? { ok: true, payload: runs }
          : { ok: false, error: { version: "v1", code: "METHOD_NOT_FOUND", message: `Unknown method: ${method}` } };
      response
        .writeHead(answer.ok ? 200 : 404, { "content-type": "application/json" })
        .end(JSON.stringify({ type: "res", apiVersion: "v1", id, ...answer }));
    });
    return true;
  };
  const server = await serve(built("dashboard"), { handle });
  t.after(() => server.close());
  const { page: own, log, close } = await newPage();
  await own.setViewport({ width: 1280, height: 800 });
  await connect(own, `${server.origin}/#connect`, { url: server.origin, token: "t" });
  await own.waitForSelector("[data-screen=runs] [data-run]");
  await own.type("input[name=search]", "nightly");
  const chip = await own.waitForSelector('[data-state-filter="Succeeded"]').catch(async (error) => {
    throw new Error(`${error.message}; on screen: ${await own.evaluate(() => document.body.innerText.slice(0, 400))}`);
  });
  await chip.click();
  const title = (words) =>
    own.waitForFunction((expected) => document.querySelector("[data-pane=runs] h2").textContent === expected, {}, words);
  await title("295 of 300 runs");
  await own.$eval("[data-pane=runs] .scroll", (scroller) => (scroller.scrollTop = 3_000));
  await own.waitForFunction(() => document.querySelector("[data-run]").ariaPosInSet > 50);
  const rows = listOf(own);
  await own.focus(LISTS);
  const chosen = await rows.press("ArrowDown");
  const kept = async () => [
    ...(await own.evaluate(() => [
      document.querySelector("input[name=search]").value,
      document.querySelector('[data-state-filter="Succeeded"]').ariaPressed,
      document.querySelector("[data-pane=runs] .scroll").scrollTop,
    ])),
    await rows.focused(),
  ];
  const before = await kept();
  assert.ok(Math.abs(before[2] - 3_000) < 60, `the first row in sight has the focus: ${before[2]}`);
  assert.deepEqual(before, ["nightly", "true", before[2], chosen]);
  runs.push(run(300, "succeeded"), run(301, "failed"));
  await title("296 of 302 runs");
  assert.deepEqual(await kept(), before);
  log.allow(/404/);
  await close();
});

test("a list of several systems shows one of them, or all", async () => {
  await page.setViewport({ width: 1280, height: 1600 });
  await screensOf(page, server.origin).screens["the runs of two systems"]();
  const systems = () =>
    page.$$eval('[role=group][aria-label="System"] button', (buttons) =>
      buttons.map((button) => [button.dataset.system ?? "all", button.textContent.trim(), button.ariaPressed]),
    );
  const shown = (count) =>
    page.waitForFunction((wanted) => document.querySelectorAll("[data-pane=runs] [data-run]").length === wanted, {}, count);
  await shown(7);
  assert.deepEqual(await systems(), [
    ["all", "All 7", "true"],
    ["smithers", "Smithers 3", "false"],
    ["lionagi", "lionagi 4", "false"],
  ]);
  await page.click('[data-system="smithers"]');
  await shown(3);
  assert.deepEqual((await page.$$eval("[data-run]", (rows) => rows.map((row) => row.dataset.run))).sort(), ["run-0", "run-1", "run-2"]);
  assert.deepEqual(
    (await systems()).map(([, , pressed]) => pressed),
    ["false", "true", "false"],
  );
  await page.click('[data-system="lionagi"]');
  await shown(4);
  assert.ok((await page.$$eval("[data-run]", (rows) => rows.map((row) => row.dataset.run))).every((run) => !run.startsWith("run-")));
  await page.click('[role=group][aria-label="System"] button');
  await shown(7);
});
