// Connects the panel to a Gateway and records its header over time.
import { TIMEOUT } from "./timeout.mjs";
import { open } from "./panel.mjs";

// Runs in the page: every change of state and freshness with the wall-clock time of its paint.
function record() {
  window.runstateSeen = { states: [], freshness: [], spoken: [] };
  const note = (list, value) => {
    if (value !== undefined && value !== list.at(-1)?.value) list.push({ value, at: performance.timeOrigin + performance.now() });
  };
  const read = () => {
    note(window.runstateSeen.states, document.querySelector("section[data-tone]")?.dataset.state);
    note(window.runstateSeen.freshness, document.querySelector('[data-field="freshness"] [data-taxonomy]')?.dataset.value);
    note(window.runstateSeen.spoken, document.querySelector("[role=status]")?.textContent.trim() || undefined);
  };
  const start = () => {
    new MutationObserver(read).observe(document.documentElement, { subtree: true, childList: true, attributes: true, characterData: true });
    read();
  };
  if (document.documentElement) start();
  else document.addEventListener("readystatechange", start, { once: true });
}

/** Records the addresses of the sockets that the workers of the page open from now on. */
export function workerSockets(page) {
  const sockets = [];
  page.on("workercreated", ({ client }) => {
    client.on("Network.webSocketCreated", ({ url }) => sockets.push(url));
    // A worker that ends in the meantime opens no socket.
    client.send("Network.enable").catch(() => {});
  });
  return sockets;
}

/** Opens the connect screen at `address` and sends its form. */
export async function connect(page, address, { url, token = "", run = "" }) {
  await page.evaluateOnNewDocument(record);
  await open(page, address);
  await page.waitForSelector('form[data-form="connect"]');
  await fill(page, { url, token, run });
}

/** Fills and sends the connect form that is on screen. */
export async function fill(page, values) {
  for (const [name, value] of Object.entries(values)) {
    const field = `form[data-form="connect"] input[name="${name}"]`;
    await page.$eval(field, (input) => {
      input.value = "";
      input.dispatchEvent(new Event("input", { bubbles: true }));
    });
    if (value) await page.type(field, value);
  }
  await page.click('form[data-form="connect"] [type="submit"]');
}

// Waits for an element; the error contains the present screen.
function shown(page, selector, timeout = TIMEOUT) {
  return page.waitForSelector(selector, { timeout }).catch(async (error) => {
    throw new Error(`${error.message}; on screen: ${(await page.evaluate(() => document.body.innerText)).slice(0, 500)}`);
  });
}

/**
 * Clicks `button` when the announced next attempt is far away, so that the next attempt is the click's; without a button, the
 * network comes back instead. Returns the time of the click and the minimum number of ms until the announced attempt.
 */
export async function clickLongBeforeNextTry(page, button) {
  const click = (selector) => {
    const { textContent } = document.querySelector('[data-screen="connecting"], section[data-tone]');
    const [announced, seconds] = /try (?:\d+ )?in (\d+) s/.exec(textContent) ?? [];
    // A text that is older than the last frame may announce an attempt that is due by now.
    const isOld = self.announced === undefined || self.announced === announced;
    self.announced = announced ?? "none";
    if (isOld || !(Number(seconds) >= 1)) return undefined;
    if (selector) document.querySelector(selector).click();
    else dispatchEvent(new Event("online"));
    return { at: performance.timeOrigin + performance.now(), ms: 1000 * Number(seconds) - 100 };
  };
  // The pauses grow to at most 2 s, with a random part, so several may pass.
  return (await page.waitForFunction(click, { timeout: 4 * TIMEOUT }, button)).jsonValue();
}

/** Waits until the header's state is `word`. */
export function state(page, word, timeout = TIMEOUT) {
  return shown(page, `section[data-tone][data-state="${word}"]`, timeout);
}

/** Waits until the freshness pill is one of `words`. */
export function freshness(page, words, timeout = TIMEOUT) {
  const selector = [words]
    .flat()
    .map((word) => `[data-field="freshness"] [data-taxonomy][data-value="${word}"]`)
    .join(", ");
  return shown(page, selector, timeout);
}

/** The code and the text of the present or next refusal. */
export async function refusal(page) {
  const screen = await shown(page, '[data-screen="refusal"]');
  return screen.evaluate(({ dataset, innerText }) => ({ code: dataset.code, text: innerText }));
}

/** The text of the connecting screen once it shows that opening failed for the reason `word`. */
export async function failure(page, word) {
  await shown(page, `[data-screen="connecting"] [data-field="failure"][data-value="${word}"]`);
  return page.$eval('[data-screen="connecting"]', ({ innerText }) => innerText);
}

/** The stored data of the page, as JSON; `NOTHING_STORED` if empty. */
export const stored = (page) =>
  page.evaluate(async () => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, await indexedDB.databases(), document.cookie]));
export const NOTHING_STORED = '[{},{},[],""]';

/** The recordings since the page opened: `{states, freshness, spoken}`, each a list of `{value, at}`. */
export function seen(page) {
  return page.evaluate(() => window.runstateSeen);
}
