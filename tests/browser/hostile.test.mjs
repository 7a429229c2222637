// Input that must not hurt: too large, too deep, broken, dishonest. The last good header stays after every refusal.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { deep, snapshot, task, view, wide } from "../support/make.mjs";
import { answer, chooseFile, close, drop, header, paste } from "../support/panel.mjs";
import { connectScreen } from "../support/stage.mjs";

const folder = mkdtempSync(join(tmpdir(), "runstate-hostile-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const { page, heard } = await connectScreen();
const good = JSON.stringify(view("the-good-run", "waiting-approval", { blocked: { kind: "approval", nodeId: "gate", requestedAt: "2026-11-21T21:10:30.000Z" } }));

before(async () => assert.equal((await paste(page, good)).header?.runId, "the-good-run"));

// The error is readable, and the good run is what the header still shows.
async function refuses(seen, { code, line, column, says } = {}) {
  assert.ok(seen.error, `no error: ${JSON.stringify(seen).slice(0, 300)}`);
  assert.ok(seen.error.code, "an error has a code");
  assert.ok(seen.error.text.length > 10 && seen.error.text.length < 2000, `readable: ${seen.error.text.slice(0, 200)}`);
  if (code) assert.equal(seen.error.code, code);
  if (line) assert.deepEqual([seen.error.line, seen.error.column], [line, column]);
  if (says) assert.match(seen.error.text, says);
  await close(page);
  assert.equal((await header(page))?.runId, "the-good-run", "the last good view stays");
  assert.equal((await header(page))?.state, "waiting-approval");
}

// What loads is put back to the good run, so that the next test can see whether it stays.
async function loads(seen, runId) {
  assert.equal(seen.error, undefined);
  assert.equal(seen.header?.runId, runId);
  assert.equal((await paste(page, good)).header?.runId, "the-good-run");
}

describe("broken JSON names the place", () => {
  const cases = [
    ["a comma too much", '{"runId":"r",\n  "state":"running",,}', 2, 21],
    ["the text ends", '{"runId":"r","state":"run', 1],
    ["a stray word", '{\n"runId": oops\n}', 2],
    ["a web page", "<!doctype html>\n<title>Sign in</title>", 1, 1],
    ["text after the end", '{"runId":"r","state":"running"} trailing', 1],
    ["a raw line break in a string", '{"runId":"a\nb"}', 1],
  ];
  for (const [name, text, line, column] of cases) {
    test(name, async () => {
      const seen = await paste(page, text);
      await refuses(seen);
      assert.equal(seen.error.line, line);
      if (column) assert.equal(seen.error.column, column);
      else assert.ok(seen.error.column >= 1);
    });
  }
  for (const [name, text] of [["nothing", ""], ["blanks", " \n\t "], ["null", "null"], ["a number", "17"], ["a text", '"running"'], ["an empty object", "{}"], ["a foreign object", '{"hello":"world"}']]) {
    test(`${name} is not a document`, async () => refuses(await paste(page, text)));
  }
});

describe("fields of the wrong type", () => {
  const cases = {
    "a run id that is a number": { ...view("x", "running"), runId: 7 },
    "a state that is an object": { ...view("x", "running"), state: { word: "running" } },
    "a version nobody knows": { ...snapshot("x", []), version: 2 },
  };
  for (const [name, document] of Object.entries(cases)) {
    test(name, async () => refuses(await paste(page, JSON.stringify(document))));
  }
  test("a tree whose children are a text loads without them, and says so", async () => {
    const document = { ...snapshot("x", []), root: { id: 1, type: "workflow", name: "w", props: {}, children: "none", depth: 0 } };
    const seen = await paste(page, JSON.stringify(document));
    assert.match(await page.$$eval("section.snapshot .note", (notes) => notes.map((note) => note.textContent).join("\n")), /Expected a list of nodes, found text "none"\. The tree is left out/);
    await loads(seen, "x");
  });
});

test("what is dropped on a run and cannot be read stands above the run", async () => {
  await drop(page, '{\n  "runId": oops\n}');
  await page.waitForSelector('[data-field="error"]');
  const seen = await answer(page);
  assert.equal(seen.header?.runId, "the-good-run", "both at once");
  await refuses(seen, { line: 2, column: 12 });
  await page.click('[data-field="error"] button');
  await page.waitForFunction(() => !document.querySelector('[data-field="error"]'));
});

test("duplicate keys are refused or read one way, never mixed", async () => {
  const seen = await paste(page, '{"runId":"twice","computedAt":"2026-11-21T21:10:39.456Z","state":"failed","state":"succeeded"}');
  await refuses(seen, { says: /state/ });
});

describe("depth", () => {
  // A Gateway writes 256 levels below the root and a marker under the last one.
  for (const levels of [257, 258]) {
    test(`${levels - 1} levels below the root load`, async () => loads(await paste(page, JSON.stringify(deep("deep", levels))), "deep"));
  }
  test("258 levels below the root are refused", async () => refuses(await paste(page, JSON.stringify(deep("deep", 259))), { says: /257/ }));
  test("100 000 brackets are refused", async () => refuses(await paste(page, "[".repeat(100_000))));
  test("a prop nested 5 000 deep does not hurt", async () => {
    const props = `{"id":"p","x":${"[".repeat(5000)}${"]".repeat(5000)}}`;
    const text = JSON.stringify(snapshot("props", [task(2, "t", 1)])).replace('{"id":"t"}', props);
    const seen = await paste(page, text);
    if (seen.error) await refuses(seen);
    else await loads(seen, "props");
  });
});

describe("size", () => {
  test("a 50 MB paste gets an answer and the panel lives", async (t) => {
    const one = JSON.stringify(task(2, "t", 1));
    const children = new Array(Math.ceil(50_000_000 / (one.length + 1))).fill(one).join(",");
    const text = JSON.stringify(snapshot("fifty", [])).replace('"children":[]', `"children":[${children}]`);
    assert.ok(text.length >= 50_000_000);
    const reading = page
      .waitForFunction(() => document.querySelector(".toolbar")?.textContent.includes("Reading"), { timeout: 60_000 })
      .then(async () => {
        await page.evaluate(() => {
          window.gaps = { last: performance.now(), longest: 0 };
          window.watch = setInterval(() => {
            const now = performance.now();
            window.gaps.longest = Math.max(window.gaps.longest, now - window.gaps.last);
            window.gaps.last = now;
          }, 10);
        });
        const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
        const before = await theme();
        await page.click('[data-action="theme"]');
        return [before, await theme()];
      });
    const seen = await paste(page, text, 60_000);
    const [before, after] = await reading;
    assert.notEqual(after, before, "the page answers a click while it reads");
    const longest = await page.evaluate(() => (clearInterval(window.watch), window.gaps.longest));
    t.diagnostic(`the page stood still for ${Math.round(longest)} ms at most`);
    t.diagnostic(`50 MB: ${Math.round(seen.ms)} ms, ${seen.error ? seen.error.code : "loaded"}`);
    if (seen.error) await refuses(seen);
    else await loads(seen, "fifty");
  });
  test("50 MB of one character get an answer", async (t) => {
    const seen = await paste(page, "x".repeat(50_000_000), 60_000);
    t.diagnostic(`${Math.round(seen.ms)} ms`);
    await refuses(seen);
  });
  test("a label of 1 MB does not break the page", async () => {
    const label = "long ".repeat(200_000);
    const seen = await paste(page, JSON.stringify(snapshot("megabyte", [task(2, "t", 1, { label })])));
    assert.equal(seen.header?.runId, "megabyte");
    const sideways = await page.evaluate(() => document.scrollingElement.scrollWidth - innerWidth);
    assert.ok(sideways <= 0, `the page scrolls ${sideways} px sideways`);
    await loads(seen, "megabyte");
  });
});

describe("hostile strings are text", () => {
  const strings = {
    markup: "<img src=x onerror=\"window.hurt=1\"><script>window.hurt=1</script>",
    address: "javascript:window.hurt=1",
    template: "{{constructor.constructor('window.hurt=1')()}}",
    bidi: "abc\u202Efdp.exe\u2066x\u2069",
    control: "a\u0000b\u0007c\u001b[31m",
    combining: `z${"\u0301".repeat(500)}`,
    quotes: "\"'`</style></script>",
    prototype: "__proto__",
  };
  for (const [name, hostile] of Object.entries(strings)) {
    test(name, async () => {
      const runState = view(hostile, "waiting-approval", { blocked: { kind: "approval", nodeId: hostile, requestedAt: "2026-11-21T21:10:30.000Z" } });
      const seen = await paste(page, JSON.stringify(snapshot(hostile, [task(2, hostile, 1, { label: hostile })], { runState, name: hostile })));
      assert.equal(seen.header?.runId, hostile, "the id is kept to the letter");
      assert.equal(seen.header.blocked.nodes[0], hostile);
      assert.equal(await page.evaluate(() => window.hurt), undefined);
      assert.equal(await page.evaluate(() => document.querySelectorAll(".panel img, .panel script, .panel style, .panel iframe").length), 0);
      assert.equal((await page.evaluate(() => ({}).polluted)), undefined);
      await loads(seen, hostile);
    });
  }
  test("text of the other direction cannot reorder what stands beside it", async () => {
    const seen = await paste(page, JSON.stringify(snapshot("run-\u202Etxet", [task(2, "node-\u202Etxet", 1)])));
    const open = await page.evaluate(() => {
      const walker = document.createTreeWalker(document.querySelector(".panel"), NodeFilter.SHOW_TEXT);
      const bare = [];
      while (walker.nextNode()) {
        if (!/[\u202A-\u202E]/.test(walker.currentNode.data)) continue;
        const isolated = (element) => element && (element.localName === "bdi" || /isolate|plaintext/.test(getComputedStyle(element).unicodeBidi) || isolated(element.parentElement?.closest(".panel *")));
        const around = walker.currentNode.parentElement;
        if (!isolated(around) && getComputedStyle(around).display === "inline") bare.push(around.outerHTML.slice(0, 120));
      }
      return bare;
    });
    assert.deepEqual(open, []);
    await loads(seen, "run-\u202Etxet");
  });
});

describe("numbers", () => {
  for (const number of ["1e308", "9007199254740993", "-1", "1.5", "123456789012345678901234567890"]) {
    test(`frame ${number} gets an answer`, async () => {
      const text = JSON.stringify(snapshot("numbers", [])).replaceAll(/"(frameNo|seq)":7/g, `"$1":${number}`);
      const seen = await paste(page, text);
      if (seen.error) await refuses(seen);
      else await loads(seen, "numbers");
    });
  }
  test("1e999 is no number a run can have", async () => {
    const text = JSON.stringify(snapshot("numbers", [])).replace('"frameNo":7', '"frameNo":1e999');
    const seen = await paste(page, text);
    if (seen.error) await refuses(seen);
    else {
      assert.doesNotMatch(seen.header.text, /NaN|Infinity|\binf\b/);
      await loads(seen, "numbers");
    }
  });
  test("a time outside the calendar is shown as it came or refused", async () => {
    const text = JSON.stringify({ ...view("times", "running"), computedAt: "+275760-09-13T00:00:00.001Z" });
    const seen = await paste(page, text);
    if (seen.error) await refuses(seen);
    else {
      assert.equal(seen.header.computedAt, "+275760-09-13T00:00:00.001Z");
      assert.doesNotMatch(seen.header.text, /NaN|Invalid/);
      await loads(seen, "times");
    }
  });
});

describe("words nobody knows", () => {
  test("a foreign state is shown to the letter and marked", async () => {
    const seen = await paste(page, JSON.stringify(view("foreign", "hibernating")));
    assert.equal(seen.header.pill.value, "hibernating");
    assert.equal(seen.header.pill.known, "false");
    assert.equal(seen.header.pill.tone, "neutral");
    assert.match(seen.header.text, /hibernating/);
    await loads(seen, "foreign");
  });
  test("no runState is absent, which is not unknown", async () => {
    const { runState, ...bare } = snapshot("bare", [task(2, "t", 1)]);
    assert.ok(runState);
    const seen = await paste(page, JSON.stringify(bare));
    assert.equal(seen.header.absent, true);
    assert.equal(seen.header.pill, undefined);
    assert.equal(seen.header.state, undefined);
    await loads(seen, "bare");
  });
});

describe("files", () => {
  const file = (name, bytes) => {
    const path = join(folder, name);
    writeFileSync(path, bytes);
    return path;
  };
  test("a file that is not UTF-8 is refused", async () => {
    const bytes = Buffer.concat([Buffer.from('{"runId":"'), Buffer.from([0xff, 0xfe, 0xc3]), Buffer.from('","state":"running"}')]);
    await refuses(await chooseFile(page, file("latin.json", bytes)), { says: /UTF-8/i });
  });
  test("a picture is refused", async () => {
    const bytes = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");
    await refuses(await chooseFile(page, file("picture.png", bytes)));
  });
  test("a file with a byte order mark loads", async () => {
    const seen = await chooseFile(page, file("mark.json", `\uFEFF${JSON.stringify(view("marked", "running"))}`));
    await loads(seen, "marked");
  });
  test("a good file loads", async () => {
    const seen = await chooseFile(page, file("good.json", JSON.stringify(snapshot("from-file", [task(2, "t", 1)]))));
    await loads(seen, "from-file");
  });
});

test("10 000 nodes: header at once, only the rows in sight, keys work", async (t) => {
  const text = JSON.stringify(wide("ten-thousand", 10_000));
  const times = [];
  for (let i = 0; i < 3; i++) times.push((await paste(page, text)).ms);
  t.diagnostic(`10 000 nodes, ${(text.length / 1e6).toFixed(1)} MB: header painted ${times.map((ms) => Math.round(ms)).join(", ")} ms after the paste`);
  assert.equal((await header(page)).runId, "ten-thousand");
  assert.ok(Math.min(...times) < 4000, `took ${Math.min(...times)} ms`);
  const rows = () => page.evaluate(() => document.querySelectorAll("[role=treeitem]").length);
  const active = () => page.evaluate(() => document.getElementById(document.querySelector("[role=tree]").getAttribute("aria-activedescendant"))?.dataset.node);
  assert.ok((await rows()) > 5 && (await rows()) < 200, `${await rows()} rows`);
  await page.focus("[role=tree]");
  await page.keyboard.press("End");
  await page.waitForFunction(() => document.getElementById(document.querySelector("[role=tree]").getAttribute("aria-activedescendant")));
  const last = await active();
  await page.keyboard.press("ArrowUp");
  await page.waitForFunction((old) => document.getElementById(document.querySelector("[role=tree]").getAttribute("aria-activedescendant"))?.dataset.node !== old, {}, last);
  assert.ok((await rows()) < 200);
  const paints = await page.evaluate(async () => {
    const tree = document.querySelector("[role=tree]");
    const taken = [];
    for (let i = 0; i < 40; i++) {
      const start = performance.now();
      tree.dispatchEvent(new KeyboardEvent("keydown", { key: i % 2 ? "PageUp" : "Home", bubbles: true, cancelable: true }));
      await window.runstateTest.painted();
      taken.push(performance.now() - start);
    }
    return taken.sort((a, b) => a - b);
  });
  t.diagnostic(`key to paint: p50 ${paints[20].toFixed(1)} ms, p95 ${paints[38].toFixed(1)} ms`);
});

test("nothing was thrown", () => assert.deepEqual(heard.errors.filter((line) => line.startsWith("thrown")), []));
