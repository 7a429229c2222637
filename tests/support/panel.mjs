// What the tests know of the panel's document: the public `data-` attributes, and nothing of its inside.

// Runs in the page before its own code: reading helpers and `paste`, which resolves when the panel has answered.
function helpers() {
  const one = (selector, from = document) => from.querySelector(selector);
  const field = (name) => one(`section.snapshot [data-field="${name}"]`);
  const valueOf = (name) => {
    const element = field(name);
    if (!element) return undefined;
    const holder = element.matches("[data-value]") ? element : one("[data-value]", element);
    return holder?.dataset.value ?? element.textContent.trim();
  };
  const number = (name) => {
    const text = one(`section.snapshot [data-field="${name}"] dd`)?.textContent ?? field(name)?.textContent;
    return text === undefined ? undefined : Number(text.replace(/[^0-9.-]/g, ""));
  };
  const said = (name) => {
    const element = field(name);
    if (!element) return undefined;
    return {
      sentence: one(".sentence", element)?.textContent.trim(),
      meta: one(".meta", element)?.textContent.trim(),
      nodes: [...element.querySelectorAll(".nodelink")].map((link) => link.dataset.node),
      times: [...element.querySelectorAll("time")].map((time) => time.dateTime),
    };
  };
  const header = () => {
    const section = one("section.snapshot");
    if (!section) return undefined;
    const pill = one('[data-field="runState"] .pill', section);
    const freshness = one('[data-field="freshness"] .pill', section);
    return {
      state: section.dataset.state,
      pill: pill ? { ...pill.dataset, text: pill.textContent.trim() } : undefined,
      absent: one('[data-field="runState"] .absent', section) !== null,
      blockedKind: section.dataset.blocked,
      unhealthyKind: section.dataset.unhealthy,
      blocked: said("blocked"),
      unhealthy: said("unhealthy"),
      reason: said("reason"),
      freshness: freshness?.dataset.value,
      freshnessText: freshness?.textContent.trim(),
      runId: valueOf("runId"),
      workflow: one('[data-field="workflow"] dd', section)?.textContent.trim(),
      frameNo: number("frameNo"),
      seq: number("seq"),
      computedAt: one('[data-field="computedAt"] time', section)?.dateTime,
      startedAt: one('[data-field="startedAt"] time', section)?.dateTime,
      text: section.innerText,
    };
  };
  const answer = () => {
    const error = one('[data-field="error"]');
    const refusal = one('section.screen[data-screen="refusal"]');
    const runs = one('section[data-screen="runs"]');
    return {
      connect: one('section.screen[data-screen="connect"]') !== null,
      header: header(),
      error: error
        ? {
            code: error.dataset.code,
            line: error.dataset.line === undefined ? undefined : Number(error.dataset.line),
            column: error.dataset.column === undefined ? undefined : Number(error.dataset.column),
            text: error.innerText.trim(),
          }
        : undefined,
      refusal: refusal ? { code: refusal.dataset.code, text: refusal.innerText.trim() } : undefined,
      runs: runs
        ? [...runs.querySelectorAll("[data-run]")].map((row) => ({
            id: row.dataset.run,
            state: one('.pill[data-taxonomy="run"]', row)?.dataset.value,
          }))
        : undefined,
    };
  };
  const painted = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)));
  // The panel has answered when it left the connect screen, or when it says what is wrong there.
  const answered = async (limit) => {
    const end = performance.now() + limit;
    for (;;) {
      await painted();
      const now = answer();
      if (now.error || (!now.connect && (now.header || now.refusal || now.runs))) return now;
      if (performance.now() > end) throw new Error(`no answer within ${limit} ms; on screen: ${document.body.innerText.slice(0, 400)}`);
    }
  };
  const openConnect = async () => {
    if (!one('section.screen[data-screen="connect"]')) {
      one('button[data-action="open"]').click();
      for (let i = 0; i < 200 && !one('section.screen[data-screen="connect"]'); i++) await painted();
    }
    if (!one('textarea[name="paste"]')) throw new Error("the connect screen did not open");
    // An error of before would look like the answer to what comes now.
    one('[data-field="error"] button')?.click();
    for (let i = 0; i < 200 && one('[data-field="error"]'); i++) await painted();
  };
  const paste = async (text, limit = 20000) => {
    await openConnect();
    const area = one('textarea[name="paste"]');
    const data = new DataTransfer();
    data.setData("text/plain", text);
    const start = performance.now();
    // As a browser does: the page may take the paste itself, else the text lands in the field.
    const taken = !area.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
    if (!taken) {
      area.value = text;
      area.dispatchEvent(new Event("input", { bubbles: true }));
      one('button[data-action="read"]').click();
    }
    const end = await answered(limit);
    return { ...end, ms: performance.now() - start };
  };
  const close = async () => {
    if (!one('section.screen[data-screen="connect"]')) return;
    one('button[data-action="close"]').click();
    for (let i = 0; i < 200 && one('section.screen[data-screen="connect"]'); i++) await painted();
  };
  const drop = async (text) => {
    const data = new DataTransfer();
    data.setData("text/plain", text);
    for (const type of ["dragenter", "dragover", "drop"]) {
      one(".panel").dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
    }
    await painted();
    return answer();
  };
  window.runstateTest = { header, answer, paste, drop, openConnect, close, painted };
}

/** Installs the reading helpers in every document of the page from now on. */
export function install(page) {
  return page.evaluateOnNewDocument(helpers);
}

/** The helpers as an expression, for a target that Puppeteer does not wrap in a page. */
export const helperSource = `(${helpers})()`;

/** Opens the panel at `url` and waits until it shows a header or the connect screen. */
export async function open(page, url) {
  await install(page);
  await page.goto(url);
  await page.waitForSelector('section.snapshot, section.screen[data-screen="connect"]', { timeout: 15_000 });
}

/** Pastes `text` and gives what the panel answers; `ms` is the time from the paste to the answer being painted. */
export function paste(page, text, limit) {
  return page.evaluate((pasted, wait) => window.runstateTest.paste(pasted, wait), text, limit);
}

/** Drops `text` on whatever is on screen and gives what the panel shows then. */
export function drop(page, text) {
  return page.evaluate((dropped) => window.runstateTest.drop(dropped), text);
}

/** Leaves the connect screen for what was on screen before it. */
export function close(page) {
  return page.evaluate(() => window.runstateTest.close());
}

/** What the header says now; `undefined` where no run is on screen. */
export function header(page) {
  return page.evaluate(() => window.runstateTest.header());
}

/** What is on screen now: header, error, refusal or list of runs. */
export function answer(page) {
  return page.evaluate(() => window.runstateTest.answer());
}

/** Chooses files, which are one document, in the connect screen's file field and waits until the panel has answered. */
export async function chooseFile(page, ...paths) {
  await page.evaluate(() => window.runstateTest.openConnect());
  const field = await page.waitForSelector('input[type="file"][name="file"]');
  await field.uploadFile(...paths);
  await page.waitForFunction(
    () => {
      const now = window.runstateTest.answer();
      return now.error || (!now.connect && (now.header || now.refusal || now.runs));
    },
    { timeout: 20_000 },
  );
  return answer(page);
}
