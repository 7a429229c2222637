// Hostile input: too large, too deep, broken, misleading. Each has one decided outcome, and a refusal keeps the last good run.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { deep, snapshot, task, view } from "../support/make.mjs";
import { answer, chooseFile, close, drop, header, paste } from "../support/panel.mjs";
import { connectScreen } from "../support/stage.mjs";

const folder = mkdtempSync(join(tmpdir(), "runstate-hostile-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const { page } = await connectScreen();
const good = JSON.stringify(
  view("the-good-run", "waiting-approval", { blocked: { kind: "approval", nodeId: "gate", requestedAt: "2026-11-21T21:10:30.000Z" } }),
);

before(async () => assert.equal((await paste(page, good)).header?.runId, "the-good-run"));

// The error has this code and place and is readable, and the header still shows the good run.
async function refuses(seen, code, { line, column, says } = {}) {
  assert.deepEqual([seen.error?.code, seen.error?.line, seen.error?.column], [code, line, column], seen.error?.text ?? "no error");
  assert.ok(seen.error.text.length > 10 && seen.error.text.length < 2000, `readable: ${seen.error.text.slice(0, 200)}`);
  if (says) assert.match(seen.error.text, says);
  await close(page);
  assert.equal((await header(page))?.runId, "the-good-run", "the last good view stays");
  assert.equal((await header(page))?.state, "waiting-approval");
}

// The next test begins with the good run again.
async function loads(seen, runId) {
  assert.equal(seen.error, undefined);
  assert.equal(seen.header?.runId, runId);
  assert.equal((await paste(page, good)).header?.runId, "the-good-run");
}

describe("broken JSON names the place", () => {
  const cases = [
    ["a comma too much", '{"runId":"r",\n  "state":"running",,}', 2, 21],
    ["the text ends", '{"runId":"r","state":"run', 1, 26],
    ["a stray word", '{\n"runId": oops\n}', 2, 10],
    ["a web page", "<!doctype html>\n<title>Sign in</title>", 1, 1],
    ["text after the end", '{"runId":"r","state":"running"} trailing', 1, 33],
    ["a raw line break in a string", '{"runId":"a\nb"}', 1, 12],
  ];
  for (const [name, text, line, column] of cases) {
    test(name, async () => refuses(await paste(page, text), "NOT_JSON", { line, column }));
  }
  for (const [name, text, code, line, column] of [
    ["nothing", "", "EMPTY_INPUT"],
    ["blanks", " \n\t ", "EMPTY_INPUT"],
    ["null", "null", "NOT_RECOGNISED", 1, 1],
    ["a number", "17", "NOT_RECOGNISED", 1, 1],
    ["a text", '"running"', "NOT_RECOGNISED", 1, 1],
    ["an empty object", "{}", "NOT_RECOGNISED", 1, 1],
    ["a foreign object", '{"hello":"world"}', "NOT_RECOGNISED", 1, 1],
  ]) {
    test(`${name} is not a document`, async () => refuses(await paste(page, text), code, { line, column }));
  }
});

describe("fields of the wrong type", () => {
  const cases = {
    "a run id that is a number": { document: { ...view("x", "running"), runId: 7 }, code: "INVALID_INPUT", line: 1, column: 10 },
    "a state that is an object": {
      document: { ...view("x", "running"), state: { word: "running" } },
      code: "INVALID_INPUT",
      line: 1,
      column: 62,
    },
    "an unknown version": { document: { ...snapshot("x", []), version: 2 }, code: "INVALID_INPUT", line: 1, column: 12 },
  };
  for (const [name, { document, ...error }] of Object.entries(cases)) {
    test(name, async () => refuses(await paste(page, JSON.stringify(document)), error.code, error));
  }
  test("a node whose children are a text loads without them, and says so", async () => {
    const document = { ...snapshot("x", []), root: { id: 1, type: "workflow", name: "w", props: {}, children: "none", depth: 0 } };
    const seen = await paste(page, JSON.stringify(document));
    assert.match(
      [...seen.header.notes, ...seen.header.problems].join("\n"),
      /`root\.children`: Expected a list of nodes, found text "none"\./,
    );
    await loads(seen, "x");
  });
});

test("an error of what is dropped on a run stands above the run", async () => {
  await drop(page, '{\n  "runId": oops\n}');
  await page.waitForSelector('[data-field="error"]');
  const seen = await answer(page);
  assert.equal(seen.header?.runId, "the-good-run", "both at once");
  await refuses(seen, "NOT_JSON", { line: 2, column: 12 });
  await page.click('[data-field="error"] button');
  await page.waitForFunction(() => !document.querySelector('[data-field="error"]'));
});

test("duplicate keys are refused", async () => {
  const seen = await paste(page, '{"runId":"twice","computedAt":"2026-11-21T21:10:39.456Z","state":"failed","state":"succeeded"}');
  await refuses(seen, "INVALID_INPUT", { line: 1, column: 75, says: /"state"/ });
});

describe("depth", () => {
  // A Gateway writes 256 levels below the root and a marker under the last one.
  for (const levels of [257, 258]) {
    test(`${levels - 1} levels below the root load`, async () => loads(await paste(page, JSON.stringify(deep("deep", levels))), "deep"));
  }
  test("258 levels below the root are refused", async () =>
    refuses(await paste(page, JSON.stringify(deep("deep", 259))), "TOO_DEEP", { line: 1, column: 17763, says: /257/ }));
  test("100 000 brackets are refused", async () => refuses(await paste(page, "[".repeat(100_000)), "TOO_DEEP", { line: 1, column: 1201 }));
  test("a prop nested 5 000 deep leaves the state, and is named", async () => {
    const props = `{"id":"p","x":${"[".repeat(5000)}${"]".repeat(5000)}}`;
    const text = JSON.stringify(snapshot("props", [task(2, "t", 1)])).replace('{"id":"t"}', props);
    const seen = await paste(page, text);
    const problem = /Line 1, column 1390: The JSON nests deeper than 1200 levels\./;
    assert.match(await page.$eval("body", (body) => body.textContent), problem);
    await loads(seen, "props");
  });
});

describe("size", () => {
  test("a paste of 50 MB loads, and the page answers a click meanwhile", async (t) => {
    const one = JSON.stringify(task(2, "t", 1));
    const children = new Array(Math.ceil(50_000_000 / (one.length + 1))).fill(one).join(",");
    const text = JSON.stringify(snapshot("fifty", [])).replace('"children":[]', `"children":[${children}]`);
    assert.ok(text.length >= 50_000_000);
    // In the page, because a test may ask too late: what is on screen in the frame after the click.
    await page.evaluate(() => {
      const theme = () => document.documentElement.dataset.theme;
      new MutationObserver(async (_, observer) => {
        if (!document.querySelector("[role=toolbar]").textContent.includes("Reading")) return;
        observer.disconnect();
        const before = theme();
        document.querySelector('[data-action="theme"]').click();
        await window.runstateTest.painted();
        window.meanwhile = { before, after: theme(), shown: window.runstateTest.header()?.runId };
      }).observe(document.body, { subtree: true, childList: true, characterData: true });
    });
    const seen = await paste(page, text);
    const { before, after, shown } = await page.evaluate(() => window.meanwhile);
    assert.notEqual(after, before, "the theme changed");
    assert.notEqual(shown, "fifty", "while it was being read");
    t.diagnostic(`50 MB: ${Math.round(seen.ms)} ms`);
    await loads(seen, "fifty");
  });
  test("50 MB of one character are refused", async () =>
    refuses(await paste(page, "x".repeat(50_000_000)), "NOT_JSON", { line: 1, column: 1 }));
  test("a label of 1 MB does not break the page", async () => {
    const label = "long ".repeat(200_000);
    const seen = await paste(page, JSON.stringify(snapshot("megabyte", [task(2, "t", 1, { label })])));
    assert.equal(seen.header?.runId, "megabyte");
    const sideways = await page.evaluate(() => document.scrollingElement.scrollWidth - innerWidth);
    assert.ok(sideways <= 0, `the page scrolls ${sideways} px sideways`);
    await loads(seen, "megabyte");
  });
});

/** What `read` returns while the page has the printout. */
async function printing(read) {
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  assert.ok(await page.$(".printout"), "the printout is drawn");
  const result = await read();
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
  return result;
}

/** The texts of the page in which no element can isolate the direction of a part, each with its place. */
const plainTexts = () =>
  page.evaluate(() => {
    const texts = [["page title", document.title]];
    for (const name of ["title", "aria-label", "aria-description", "aria-valuetext", "alt", "placeholder"])
      for (const element of document.querySelectorAll(`[${name}]`)) texts.push([name, element.getAttribute(name)]);
    for (const region of document.querySelectorAll("[role=status], [role=alert], [aria-live]"))
      texts.push(["announcement", region.textContent]);
    return texts;
  });

/** The texts of the page with right-to-left words, and those in which other words or numbers could be reordered. */
const rightToLeft = () =>
  page.evaluate(() => {
    const walker = document.createTreeWalker(document.querySelector("[data-view]"), NodeFilter.SHOW_TEXT);
    const [found, mixed] = [[], []];
    // A block is a paragraph of its own.
    const isIsolated = (element, data) => {
      const { display, unicodeBidi } = getComputedStyle(element);
      if (element.localName === "bdi" || /isolate/.test(unicodeBidi)) return true;
      return display === "inline" ? isIsolated(element.parentElement, data) : element.textContent === data;
    };
    while (walker.nextNode()) {
      const { data, parentElement } = walker.currentNode;
      if (!/[\u0590-\u05ff]/.test(data)) continue;
      found.push(data);
      if (/[\da-z]/i.test(data) || !isIsolated(parentElement, data)) mixed.push(parentElement.outerHTML.slice(0, 200));
    }
    return { found, mixed };
  });

/** Shows the events of a run, and the detail of the node of the last one, in which every text of others is `word`. */
async function showEvents(word) {
  const event = (seq, type, more) =>
    JSON.stringify({ runId: word, seq, payload: { type, runId: word, timestampMs: 1_795_295_400_000 + seq * 1000, ...more } });
  const of = { nodeId: word, iteration: 0, attempt: 1 };
  const log = [
    event(0, "RunStarted", { [word]: word }),
    event(1, "NodeStarted", { ...of, agent: word, label: word }),
    event(2, "NodeOutput", { ...of, text: `${word}\n${word}`, stream: word }),
    event(3, word, { ...of, why: word }),
    event(4, "AgentEvent", { ...of, event: { name: word, input: { [word]: word } } }),
    event(5, "NodeFailed", { ...of, error: { name: word, message: word, code: word } }),
    event(6, "NodeRetrying", { ...of, attempt: 2, reason: word }),
    event(7, "NodeStarted", { ...of, attempt: 2 }),
    event(8, "NodeFailed", { ...of, attempt: 2, error: word }),
  ].join("\n");
  const seen = await paste(page, log);
  assert.equal(seen.header?.runId, word);
  await page.click("[data-view-switch=events]");
  await page.waitForSelector("[data-pane=log] [role=row][data-event=NodeFailed]");
  const rows = await page.$$("[data-pane=log] [role=row][data-event=NodeFailed]");
  await rows.at(-1).click({ count: 2 });
  await page.waitForSelector("[data-pane=node]:not([hidden])");
}

describe("hostile strings are text", () => {
  const strings = {
    markup: '<img src=x onerror="window.hurt=1"><script>window.hurt=1</script>',
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
      const runState = view(hostile, "waiting-approval", {
        blocked: { kind: "approval", nodeId: hostile, requestedAt: "2026-11-21T21:10:30.000Z" },
      });
      const seen = await paste(
        page,
        JSON.stringify(snapshot(hostile, [task(2, hostile, 1, { label: hostile })], { runState, name: hostile })),
      );
      assert.equal(seen.header?.runId, hostile, "the id is kept to the letter");
      assert.equal(seen.header.blocked.nodes[0], hostile);
      assert.equal(await page.evaluate(() => window.hurt), undefined);
      assert.equal(await page.evaluate(() => document.querySelectorAll(":is([data-view]) :is(img, script, style, iframe)").length), 0);
      assert.equal(await page.evaluate(() => ({}).polluted), undefined);
      await loads(seen, hostile);
    });
  }
  test("text of the other direction cannot reorder the text around it", async () => {
    const seen = await paste(page, JSON.stringify(snapshot("run-\u202Etxet", [task(2, "node-\u202Etxet", 1)])));
    const open = await page.evaluate(() => {
      const walker = document.createTreeWalker(document.querySelector("[data-view]"), NodeFilter.SHOW_TEXT);
      const bare = [];
      while (walker.nextNode()) {
        if (!/[\u202A-\u202E]/.test(walker.currentNode.data)) continue;
        const isolated = (element) =>
          element &&
          (element.localName === "bdi" ||
            /isolate|plaintext/.test(getComputedStyle(element).unicodeBidi) ||
            isolated(element.parentElement?.closest("[data-view] *")));
        const around = walker.currentNode.parentElement;
        if (!isolated(around) && getComputedStyle(around).display === "inline") bare.push(around.outerHTML.slice(0, 120));
      }
      return bare;
    });
    assert.deepEqual(open, []);
    await loads(seen, "run-\u202Etxet");
  });
  test("words from right to left do not reorder the words and numbers around them", async () => {
    const name = "שער ירוק";
    const runState = view(name, name, { blocked: { kind: "approval", nodeId: name, requestedAt: "2026-11-21T21:10:30.000Z" } });
    const document = snapshot(name, [task(2, name, 1, { label: name, state: name })], { runState, name });
    const seen = await paste(page, JSON.stringify({ ...document, root: { ...document.root, [name]: 1 } }));
    const { found, mixed } = await printing(rightToLeft);
    assert.ok(found.length > 5, `${found}`);
    assert.deepEqual(mixed, []);
    const plain = (await plainTexts()).filter(([, text]) => /[\u0590-\u05ff]/.test(text));
    for (const place of ["page title", "title"])
      assert.ok(
        plain.some(([name]) => name === place),
        `${place} in ${JSON.stringify(plain)}`,
      );
    assert.deepEqual(
      plain.filter(([, text]) => /[\u0590-\u05ff]/.test(text.replaceAll(/\u2068[^\u2068\u2069a-z\d]*\u2069/gi, ""))),
      [],
      "isolated where no element can do it",
    );
    await loads(seen, name);
  });
  test("nor in the events and in the detail of a node", async () => {
    const name = "שער ירוק";
    await showEvents(name);
    const { found, mixed } = await rightToLeft();
    assert.ok(found.length > 10, `${found}`);
    assert.deepEqual(mixed, []);
    await page.click('[data-action="close-node"]');
    await loads({ header: { runId: name } }, name);
  });
});

describe("text that is not seen", () => {
  const bare = /[\u202e\u2066\u200b\u061c\u00ad\u3164\ufe0f\u001b]|\u{e0041}/u;
  const unseen = "\u202e\u2066\u200b\u061c\u00ad\u3164\ufe0f\u{e0041}";
  /** Everything that a person sees, hears or prints of the page, whatever characters it contains. */
  const perceived = async () => {
    const texts = await printing(() =>
      page.evaluate(() => {
        const texts = [];
        const walker = document.createTreeWalker(document.querySelector("[data-view]"), NodeFilter.SHOW_TEXT);
        while (walker.nextNode()) texts.push(walker.currentNode.data);
        return texts;
      }),
    );
    return [...texts, ...(await plainTexts()).map(([, text]) => text)];
  };
  test("is shown by signs wherever it stands, and kept in what tools read", async () => {
    const hostile = (name) => `${name}-${unseen}\u001b[31m`;
    const runState = view(hostile("run"), hostile("state"), {
      blocked: { kind: "approval", nodeId: hostile("node"), requestedAt: "2026-11-21T21:10:30.000Z" },
    });
    const nodes = [task(2, hostile("node"), 1, { label: hostile("label"), state: hostile("failed") })];
    const seen = await paste(page, JSON.stringify(snapshot(hostile("run"), nodes, { runState, name: hostile("name") })));
    assert.equal(seen.header.runId, hostile("run"), "tools read the id as it is");
    assert.equal(seen.header.pill.value, hostile("state"));
    const texts = await perceived();
    assert.deepEqual(
      texts.filter((text) => bare.test(text)),
      [],
    );
    for (const name of ["run", "state", "node", "label", "name"]) {
      assert.ok(
        texts.some((text) => text.includes(`${name}-\\u{202e}\\u{2066}\\u{200b}`)),
        name,
      );
    }
    await loads(seen, hostile("run"));
  });
  test("is shown by signs in the events and in the detail of a node", async () => {
    const hostile = `word-${unseen}\u001b[31m`;
    await showEvents(hostile);
    const texts = await perceived();
    assert.deepEqual(
      texts.filter((text) => bare.test(text)),
      [],
    );
    assert.ok(texts.filter((text) => text.includes("word-\\u{202e}\\u{2066}\\u{200b}")).length > 10, texts.join("\n"));
    await page.click('[data-action="close-node"]');
    await loads({ header: { runId: hostile } }, hostile);
  });
  for (const [name, word, label] of [
    ["a look-alike", "f\u0430iled", "“f\\u{430}iled”, not failed"],
    ["an invisible character", "failed\u200b", "“failed\\u{200b}”, not failed"],
  ]) {
    test(`a word that differs from a known one only by ${name} says so`, async () => {
      const seen = await paste(page, JSON.stringify(snapshot("alike", [task(2, "t", 1, { state: word })], { state: word })));
      assert.deepEqual([seen.header.pill.value, seen.header.pill.known, seen.header.pill.tone], [word, "false", "neutral"]);
      const texts = (await perceived()).filter((text) => text.includes(label));
      assert.ok(texts.length >= 2, `in the header and in the tree: ${texts}`);
      await loads(seen, "alike");
    });
  }
  test("a blank id is told from another by its code points", async () => {
    const seen = await paste(page, JSON.stringify(view(" \u2003", "running")));
    assert.match(seen.header.text, /\(blank: U\+0020 U\+2003\)/);
    await loads(seen, " \u2003");
  });
});

describe("numbers", () => {
  const frames = [
    ["1e308", "1e+308"],
    ["9007199254740993", "9\u202f007\u202f199\u202f254\u202f740\u202f992"],
    ["-1", "−1"],
    ["1.5", "1.5"],
    ["123456789012345678901234567890", "1.2345678901234568e+29"],
  ];
  const document = (number) => JSON.stringify(snapshot("numbers", [])).replace('"frameNo":7', `"frameNo":${number}`);
  for (const [number, shown] of frames) {
    test(`frame ${number} is shown as ${shown}`, async () => {
      const seen = await paste(page, document(number));
      assert.equal(await page.$eval('section[data-tone] [data-field="frameNo"] dd', (frame) => frame.textContent), shown);
      await loads(seen, "numbers");
    });
  }
  test("frame 1e999 is refused", async () =>
    refuses(await paste(page, document("1e999")), "INVALID_INPUT", {
      line: 1,
      column: 42,
      says: /Expected a number, found the number 1e999/,
    }));
  test("a time outside the calendar is kept, and said to be unknown", async () => {
    const seen = await paste(page, JSON.stringify({ ...view("times", "running"), computedAt: "+275760-09-13T00:00:00.001Z" }));
    assert.equal(seen.header.computedAt, "+275760-09-13T00:00:00.001Z");
    assert.deepEqual(seen.header.problems, [
      'Line 1, column 31: `computedAt` is "+275760-09-13T00:00:00.001Z", which is no time: how old this state is, is not known.',
    ]);
    assert.doesNotMatch(seen.header.text, /NaN|Invalid/);
    await loads(seen, "times");
  });
});

describe("unknown words", () => {
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
    await refuses(await chooseFile(page, file("latin.json", bytes)), "INVALID_UTF8", { line: 1, column: 11, says: /UTF-8/ });
  });
  test("a picture is refused", async () => {
    const bytes = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");
    await refuses(await chooseFile(page, file("picture.png", bytes)), "NOT_JSON");
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
