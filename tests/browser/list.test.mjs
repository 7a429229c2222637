// A list of ten thousand runs: only the rows in sight exist, and the keyboard reaches every one.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { until } from "../support/browser.mjs";
import { connect } from "../support/live.mjs";
import { view } from "../support/make.mjs";
import { header, paste, shows } from "../support/panel.mjs";
import { built } from "../support/paths.mjs";
import { screensOf } from "../support/screens.mjs";
import { serve } from "../support/server.mjs";
import { connectScreen } from "../support/stage.mjs";

const COUNT = 10_000;
const rows = Array.from({ length: COUNT }, (_, index) => ({
  runId: `run-${index}`,
  workflowName: "w",
  status: "finished",
  startedAtMs: 1.7e12 - index,
}));
const { page, newPage, server } = await connectScreen();
const show = () => paste(page, JSON.stringify(rows));
before(async () => {
  await page.setViewport({ width: 1280, height: 800 });
  await show();
});

const focused = () =>
  page.evaluate(
    () =>
      document.activeElement.dataset.run ??
      document.getElementById(document.activeElement.getAttribute("aria-activedescendant"))?.dataset.run,
  );
const press = async (key) => {
  const old = await focused();
  await page.keyboard.press(key);
  const next = await page.waitForFunction(
    (previous) => {
      const active = document.activeElement;
      const run = active.dataset.run ?? document.getElementById(active.getAttribute("aria-activedescendant"))?.dataset.run;
      return run !== previous && run;
    },
    {},
    old,
  );
  return next.jsonValue();
};
const enter = async () => {
  await page.focus('[data-action="open"]');
  await page.evaluate(() => document.querySelector("[data-run]").scrollIntoView());
  for (let i = 0; i < 16 && (await focused()) === undefined; i++) await page.keyboard.press("Tab");
  assert.ok(await focused(), "Tab reaches the list");
};
const inSight = () =>
  page.evaluate(() => {
    const active = document.activeElement;
    const row = active.dataset.run ? active : document.getElementById(active.getAttribute("aria-activedescendant"));
    const box = row.getBoundingClientRect();
    return box.top >= 0 && box.bottom <= innerHeight + 1;
  });

test("the heading counts all of them, and few exist as elements", async () => {
  assert.equal(await page.$eval("[data-screen=runs] h2", (heading) => heading.textContent), "10\u202f000 runs");
  const { elements, drawn } = await page.evaluate(() => ({
    elements: document.querySelectorAll("*").length,
    drawn: document.querySelectorAll("[data-run]").length,
  }));
  assert.ok(drawn >= 10 && drawn < 200, `${drawn} rows`);
  assert.ok(elements < 1500, `${elements} elements`);
  assert.equal(await page.$('[data-action="more"]'), null);
});
test("scrolling shows the rows there", async () => {
  await page.evaluate(() => {
    const scroller = [...document.querySelectorAll("*")].find(
      (element) => element.scrollHeight > 100_000 && element.clientHeight < 2000 && getComputedStyle(element).overflowY !== "visible",
    );
    scroller.scrollTop = scroller.scrollHeight;
  });
  await page.waitForSelector('[data-run="run-9999"]');
  assert.equal(await page.$('[data-run="run-0"]'), null);
  assert.ok((await page.$$("[data-run]")).length < 200);
});
test("the line under the list says which rows are in sight", async () => {
  const line = "[data-pane=runs] [data-field=rows]";
  // What the page draws there: rows whose middle is between the edges of what scrolls.
  const expected = () =>
    page.evaluate(() => {
      const { top, bottom } = document.querySelector("[data-pane=runs] .scroll").getBoundingClientRect();
      const rows = [...document.querySelectorAll("[data-run]")].filter((row) => {
        const box = row.getBoundingClientRect();
        const middle = (box.top + box.bottom) / 2;
        return middle > top && middle < bottom;
      });
      const number = (row) => (Number(row.dataset.run.slice(4)) + 1).toLocaleString("en").replace(",", "\u202f");
      return rows.length > 1 && `Rows ${number(rows[0])} to ${number(rows.at(-1))} of 10\u202f000.`;
    });
  const agrees = () =>
    until("the rows in sight", async () => (await page.$eval(line, (element) => element.textContent)) === (await expected()));
  await show();
  await agrees();
  assert.match(await expected(), /^Rows 1 to \d+ /);
  await page.$eval("[data-pane=runs] .scroll", (scroller) => (scroller.scrollTop = 100_000));
  await agrees();
  assert.match(await expected(), /^Rows \d\u202f\d+ to /);
  assert.equal(await page.$(`:is([aria-live], [role=status], [role=alert]) ${line}`), null, "scrolling announces nothing");
  await type("run-777");
  await page.waitForSelector(line, { hidden: true });
  assert.equal(
    await page.$eval("[data-field=list-foot]", (foot) => foot.textContent.trim()),
    "Search, filters and counts cover all 10\u202f000 runs.",
  );
});
test("arrow keys, Home and End reach every row and keep it in sight", async () => {
  await show();
  await enter();
  assert.equal(await press("End"), "run-9999");
  assert.ok(await inSight());
  assert.equal(await press("ArrowUp"), "run-9998");
  assert.equal(await press("Home"), "run-0");
  assert.ok(await inSight());
  for (let i = 1; i <= 60; i++) assert.equal(await press("ArrowDown"), `run-${i}`);
  assert.ok(await inSight());
  assert.ok((await page.$$("[data-run]")).length < 200);
});
test("a page down goes by more than one row, and up again", async () => {
  await enter();
  await page.keyboard.press("Home");
  await page.waitForSelector('[data-run="run-0"]');
  const far = Number((await press("PageDown")).slice(4));
  assert.ok(far > 2 && far < 200, `run-${far}`);
  assert.equal(await press("PageUp"), "run-0");
});
test("Enter opens the row that has the focus, and the way back shows the list", async () => {
  await enter();
  await page.keyboard.press("Home");
  await page.waitForSelector('[data-run="run-0"]');
  await press("End");
  await page.keyboard.press("Enter");
  await shows(page, "run-9999");
  assert.equal((await header(page)).state, "succeeded");
  await page.click('[data-action="runs"]');
  await page.waitForSelector("[data-run]");
});
test("each row says its place to assistive technology", async () => {
  await show();
  const places = await page.$$eval("[data-run]", (found) =>
    found.slice(0, 3).map((row) => {
      const item = row.closest("[aria-posinset]");
      return [row.dataset.run, item?.getAttribute("aria-posinset"), item?.getAttribute("aria-setsize")];
    }),
  );
  assert.deepEqual(places, [
    ["run-0", "1", "10000"],
    ["run-1", "2", "10000"],
    ["run-2", "3", "10000"],
  ]);
});

const rowsShown = () => page.$$eval("[data-pane=runs] [data-run]", (found) => found.map((row) => row.dataset.run));
const waitForRows = (expected) =>
  page
    .waitForFunction(
      (ids) => [...document.querySelectorAll("[data-pane=runs] [data-run]")].map((row) => row.dataset.run).join() === ids,
      {},
      expected.join(),
    )
    .catch(async () => assert.deepEqual(await rowsShown(), expected));
const heading = () => page.$eval("[data-pane=runs] h2", (element) => element.textContent);
const headingIs = (text) =>
  page
    .waitForFunction((expected) => document.querySelector("[data-pane=runs] h2").textContent === expected, {}, text)
    .catch(async () => assert.equal(await heading(), text));
const type = async (text) => {
  await page.focus("[data-pane=runs] input[name=search]");
  await page.keyboard.type(text);
};

describe("10 000 rows, searched", () => {
  test("a search covers all rows, marks its hits and says how many there are", async () => {
    await show();
    await type("run-777");
    await headingIs("11 of 10\u202f000 runs");
    await waitForRows(["run-777", ...Array.from({ length: 10 }, (_, index) => `run-777${index}`)]);
    assert.deepEqual(await page.$$eval("[data-run] mark", (marks) => [...new Set(marks.map((mark) => mark.textContent))]), ["run-777"]);
    await page.keyboard.press("ArrowDown");
    assert.equal(await focused(), "run-777", "the arrow key leads from the field to the rows");
  });
  test("the search survives a run and the way back", async () => {
    await page.keyboard.press("Enter");
    await shows(page, "run-777");
    await page.click('[data-action="runs"]');
    await page.waitForSelector("[data-screen=runs]");
    assert.equal(await heading(), "11 of 10\u202f000 runs");
    assert.equal(await page.$eval("input[name=search]", (field) => field.value), "run-777");
  });
  test("a search that finds nothing says so, and the way back shows all", async () => {
    await type("zzz");
    // The first letter finds nothing already.
    await page.waitForFunction(() =>
      document.querySelector("[data-field=no-match]")?.textContent.includes("“run-777zzz”: 0 of 10\u202f000 runs."),
    );
    await page.click("[data-action=clear-search]");
    await headingIs("10\u202f000 runs");
    assert.equal(await page.$("[data-field=no-match]"), null);
  });
  test("a letter typed on a row begins a search, a slash goes to the field", async () => {
    await enter();
    await page.keyboard.press("x");
    await page.waitForFunction(() => document.activeElement.name === "search" && document.activeElement.value === "x");
    await page.keyboard.press("Backspace");
    await headingIs("10\u202f000 runs");
    await page.focus("[data-group] button");
    await page.keyboard.press("/");
    assert.deepEqual(await page.evaluate(() => [document.activeElement.name, document.activeElement.value]), ["search", ""]);
  });
  test("how far the list was scrolled is kept while a run is on screen", async () => {
    await show();
    const top = () => page.$eval("[data-pane=runs] .scroll", (scroller) => scroller.scrollTop);
    await page.$eval("[data-pane=runs] .scroll", (scroller) => (scroller.scrollTop = 100_000));
    const row = await page.waitForFunction(() => {
      const seen = [...document.querySelectorAll("[data-run]")].filter(
        (found) => found.getBoundingClientRect().top > innerHeight / 2 && found.getBoundingClientRect().bottom < innerHeight - 60,
      );
      return seen.length > 0 && seen[0];
    });
    const id = await row.evaluate((element) => element.dataset.run);
    await row.click();
    await shows(page, id);
    await page.waitForFunction(
      (run) => document.querySelector(`[data-run="${run}"][aria-current="true"]`)?.getBoundingClientRect().top > 0,
      {},
      id,
    );
    await page.click('[data-action="runs"]');
    await page.waitForSelector("[data-screen=runs]");
    await page
      .waitForFunction(() => Math.abs(document.querySelector("[data-pane=runs] .scroll").scrollTop - 100_000) < 2)
      .catch(async () => assert.equal(await top(), 100_000));
  });
});

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
    await page.focus('[data-run="r2"]');
    assert.equal(await press("ArrowDown"), "r0", "from group to group");
    assert.equal(await press("End"), "r3");
    assert.equal(await press("Home"), "r2");
    await page.click(fold);
    await waitForRows(["r1", "r4", "r2", "r0", "r5", "r6", "r3"]);
  });
  test("the order is chosen inside the groups", async () => {
    await page.select("select[name=sort]", "name");
    await waitForRows(["r4", "r1", "r2", "r6", "r5", "r0", "r3"]);
    await page.select("select[name=sort]", "attention");
    await waitForRows(["r1", "r4", "r2", "r0", "r5", "r6", "r3"]);
  });
  test("the list stays next to a run, keeps the focus and marks the run", async () => {
    await page.focus('[data-run="r4"]');
    await page.keyboard.press("Enter");
    await shows(page, "r4");
    assert.equal(await page.$("[data-screen=runs]"), null, "the run is the screen");
    await page.waitForSelector('[data-pane=runs] [data-run="r4"][aria-current="true"]', { visible: true });
    await page.focus('[data-run="r2"]');
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
  const chosen = await own
    .waitForFunction(
      () => [...document.querySelectorAll("[data-run]")].find((row) => row.getBoundingClientRect().top > innerHeight / 2)?.dataset.run,
    )
    .then((found) => found.jsonValue());
  await own.focus(`[data-run="${chosen}"]`);
  const kept = () =>
    own.evaluate(() => [
      document.querySelector("input[name=search]").value,
      document.querySelector('[data-state-filter="Succeeded"]').ariaPressed,
      document.querySelector("[data-pane=runs] .scroll").scrollTop,
      document.activeElement.dataset.run,
    ]);
  const before = await kept();
  assert.deepEqual(before, ["nightly", "true", 3_000, chosen]);
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
