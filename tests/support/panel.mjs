// Reads and drives the panel through its public interface: `data-` attributes, roles and names.
import { TIMEOUT } from "./timeout.mjs";

// Runs in the page before its own code. `patience` is the time that it waits for an answer of the panel, in ms.
function helpers(patience) {
  const one = (selector, from = document) => from.querySelector(selector);
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const section = () => one("section[data-tone]");
  const field = (name) => section() && one(`[data-field="${name}"]`, section());
  const valueOf = (name) => {
    const element = field(name);
    if (!element) return undefined;
    const carrier = element.matches("[data-value]") ? element : one("[data-value]", element);
    return carrier?.dataset.value ?? element.textContent.trim();
  };
  const number = (name) => {
    const text = field(name) && (one("dd", field(name)) ?? field(name)).textContent;
    return text === undefined || text === null ? undefined : Number(text.replace(/[^0-9.-]/g, ""));
  };
  const reason = (name) => {
    const element = field(name);
    if (!element) return undefined;
    const [sentence, meta] = all("p", element).map((paragraph) => paragraph.textContent.trim());
    return {
      sentence,
      meta,
      nodes: all("[data-node]", element).map((link) => link.dataset.node),
      times: all("time", element).map((time) => time.dateTime),
    };
  };
  const header = () => {
    const shown = section();
    if (!shown) return undefined;
    const pill = one('[data-field="runState"] [data-taxonomy]', shown);
    const freshness = one('[data-field="freshness"] [data-taxonomy]', shown);
    return {
      state: shown.dataset.state,
      tone: shown.dataset.tone,
      pill: pill ? { ...pill.dataset, text: pill.textContent.trim() } : undefined,
      absent: field("runState") !== null && !pill,
      blockedKind: shown.dataset.blocked,
      unhealthyKind: shown.dataset.unhealthy,
      blocked: reason("blocked"),
      unhealthy: reason("unhealthy"),
      reason: reason("reason"),
      freshness: freshness?.dataset.value,
      freshnessText: freshness?.textContent.trim(),
      runId: valueOf("runId"),
      workflow: field("workflow") ? one("dd", field("workflow")).textContent.trim() : undefined,
      frameNo: number("frameNo"),
      seq: number("seq"),
      computedAt: field("computedAt") ? one("time", field("computedAt"))?.dateTime : undefined,
      startedAt: field("startedAt") ? one("time", field("startedAt"))?.dateTime : undefined,
      notes: all('[data-field="note"]', shown).map((note) => note.textContent.trim()),
      problems: all('[data-field="problem"]', shown).map((problem) => problem.textContent.trim()),
      text: shown.innerText,
    };
  };
  const answer = () => {
    const error = one('[data-field="error"]');
    const refusal = one('[data-screen="refusal"]');
    const runs = one('[data-screen="runs"]');
    const place = (name) => (error.dataset[name] === undefined ? undefined : Number(error.dataset[name]));
    return {
      connect: one('[data-screen="connect"]') !== null,
      header: header(),
      error: error ? { code: error.dataset.code, line: place("line"), column: place("column"), text: error.innerText.trim() } : undefined,
      refusal: refusal ? { code: refusal.dataset.code, text: refusal.innerText.trim() } : undefined,
      runs: runs
        ? all("[data-run]", runs).map((row) => ({ id: row.dataset.run, state: one('[data-taxonomy="run"]', row)?.dataset.value }))
        : undefined,
    };
  };
  const painted = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)));
  const settled = (now) => now.error || (!now.connect && (now.header || now.refusal || now.runs));
  // The panel has answered when it has left the connect screen, or shows an error on it.
  const answered = async () => {
    const end = performance.now() + patience;
    for (;;) {
      await painted();
      const now = answer();
      if (settled(now)) return now;
      if (performance.now() > end) throw new Error(`no answer within ${patience} ms; on screen: ${document.body.innerText.slice(0, 400)}`);
    }
  };
  const soon = async (what, probe) => {
    for (const end = performance.now() + patience; performance.now() < end; await painted()) {
      if (probe()) return;
    }
    throw new Error(`${what}; on screen: ${document.body.innerText.slice(0, 400)}`);
  };
  const openConnect = async () => {
    if (!one('[data-screen="connect"]')) {
      one('button[data-action="open"]').click();
      await soon("the connect screen did not open", () => one('[data-screen="connect"] textarea[name="paste"]'));
    }
    // An earlier error would be mistaken for the answer.
    one('[data-field="error"] button')?.click();
    await soon("the error was not dismissed", () => !one('[data-field="error"]'));
  };
  const paste = async (text) => {
    await openConnect();
    const area = one('textarea[name="paste"]');
    const data = new DataTransfer();
    data.setData("text/plain", text);
    const start = performance.now();
    // As in a browser: the page may handle the paste itself, otherwise the text is inserted into the field.
    const taken = !area.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
    if (!taken) {
      area.value = text;
      area.dispatchEvent(new Event("input", { bubbles: true }));
      one('button[data-action="read"]').click();
    }
    const end = await answered();
    return { ...end, ms: performance.now() - start };
  };
  const close = async () => {
    if (!one('[data-screen="connect"]')) return;
    one('button[data-action="close"]').click();
    await soon("the connect screen did not close", () => !one('[data-screen="connect"]'));
  };
  const drop = async (items) => {
    const data = new DataTransfer();
    for (const { text, name, size } of items) {
      if (name === undefined) data.setData("text/plain", text);
      else {
        const file = new File([text], name);
        // A file of any size without its bytes.
        if (size !== undefined) Object.defineProperty(file, "size", { value: size });
        data.items.add(file);
      }
    }
    for (const type of ["dragenter", "dragover", "drop"]) {
      one("[role=toolbar]").dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
    }
    await painted();
    return answer();
  };
  /** Milliseconds from an action to the paint of another value of `read`, which is `undefined` until there is one. */
  const changeTime = async (act, read) => {
    const [old, start] = [read(), performance.now()];
    act();
    for (let now = old; now === old || now === undefined; now = read()) {
      if (performance.now() - start > patience) throw new Error(`The value stayed ${old}`);
      await painted();
    }
    await painted();
    return performance.now() - start;
  };
  window.runstateTest = { header, answer, settled, paste, drop, openConnect, close, painted, changeTime };
}

/** Installs the helpers in every document of the page from now on. */
export function install(page) {
  return page.evaluateOnNewDocument(helpers, TIMEOUT);
}

/** The helpers as an expression, for a target that Puppeteer does not wrap in a page. */
export const helperSource = `(${helpers})(${TIMEOUT})`;

/** Waits until the panel shows a header or the connect screen. */
export function ready(page) {
  return page.waitForSelector('section[data-tone], [data-screen="connect"]', { timeout: TIMEOUT });
}

/** Opens the panel at `url` and waits until it shows a header or the connect screen. */
export async function open(page, url) {
  await install(page);
  await page.goto(url);
  await ready(page);
}

/** Pastes `text` and returns the panel's answer; `ms` is the time from the paste to the painted answer. */
export function paste(page, text) {
  return page.evaluate((pasted) => window.runstateTest.paste(pasted), text);
}

/** Drops a text, or files `{name, text}`, on the screen and returns the panel's content a frame later. */
export function drop(page, dropped) {
  const items = typeof dropped === "string" ? [{ text: dropped }] : dropped;
  return page.evaluate((list) => window.runstateTest.drop(list), items);
}

/** Leaves the connect screen for the previous screen. */
export function close(page) {
  return page.evaluate(() => window.runstateTest.close());
}

/** Opens the connect screen and dismisses an error. */
export function openConnect(page) {
  return page.evaluate(() => window.runstateTest.openConnect());
}

/** The present header; `undefined` without a run on screen. */
export function header(page) {
  return page.evaluate(() => window.runstateTest.header());
}

/** The present screen: header, error, refusal or list of runs. */
export function answer(page) {
  return page.evaluate(() => window.runstateTest.answer());
}

/** Waits until the run in the header is `runId`. */
export function shows(page, runId) {
  return page.waitForFunction((id) => window.runstateTest.header()?.runId === id, { timeout: TIMEOUT }, runId);
}

/** Waits until a list shows `count` rows, and returns them. The viewport must be high enough for all of them. */
export async function runs(page, count) {
  await page
    .waitForFunction((wanted) => document.querySelectorAll("[data-screen=runs] [data-run]").length === wanted, { timeout: TIMEOUT }, count)
    .catch(async () => {
      throw new Error(`expected ${count} runs, found ${(await answer(page)).runs?.length}`);
    });
  return (await answer(page)).runs;
}

/** Waits for an error with this code. */
export function error(page, code) {
  return page.waitForSelector(`[data-field="error"][data-code="${code}"]`, { timeout: TIMEOUT });
}

/** The button with this text inside `scope`. */
export async function button(page, text, scope = "body") {
  const found = await page.waitForSelector(`${scope} ::-p-aria([name="${text}"][role="button"])`);
  return found;
}

/** Chooses files, which are one document, in the connect screen's file field and waits until the panel has answered. */
export async function chooseFile(page, ...paths) {
  await openConnect(page);
  const input = await page.waitForSelector('input[type="file"][name="file"]');
  await input.uploadFile(...paths);
  await page.waitForFunction(() => window.runstateTest.settled(window.runstateTest.answer()), { timeout: TIMEOUT });
  return answer(page);
}
