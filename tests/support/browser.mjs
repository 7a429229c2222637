// One browser for one test file: Chromium, or Firefox where RUNSTATE_BROWSER says so.
import puppeteer from "puppeteer-core";
import { collectGarbageInFirefox, inWindow } from "./firefox.mjs";
import { browserProgram } from "./paths.mjs";
import { TIMEOUT } from "./timeout.mjs";

/** The browser that the tests drive. */
export const driven = process.env.RUNSTATE_BROWSER || "chromium";

/** The options of a test that needs what only Chromium's protocol has: elsewhere it is skipped for this reason. */
export const onlyChromium = (reason) => ({ skip: driven === "chromium" ? false : `Chromium only: ${reason}` });

const chromiumArguments = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--lang=en-US",
];

const firefoxPreferences = {
  "intl.accept_languages": "en-US",
  // A test reads the clipboard, and writes it, without a click of a person.
  "dom.events.testing.asyncClipboard": true,
  // Firefox itself waits, ever longer, before it connects again to an address that has failed.
  "network.websocket.delay-failed-reconnects": false,
};

// The test runner ends a file that takes too long. Puppeteer would close the browser then, and wait on.
process.once("SIGTERM", () => process.exit(1));

/**
 * Starts a browser with a fresh profile, in English and in UTC. The caller closes it in an `after` hook. `args` are Chromium's,
 * `preferences` Firefox's.
 */
export function launch({ browser = driven, args = [], preferences = {}, ...options } = {}) {
  const own = {
    chromium: { args: [...chromiumArguments, ...args] },
    // Tests set in Firefox's own windows what its protocol has no command for; see firefox.mjs.
    firefox: { args: ["--remote-allow-system-access"], extraPrefsFirefox: { ...firefoxPreferences, ...preferences } },
  };
  return puppeteer.launch({
    browser: browser === "firefox" ? "firefox" : "chrome",
    executablePath: browserProgram(browser),
    headless: true,
    handleSIGTERM: false,
    protocolTimeout: 120_000 + TIMEOUT,
    env: { ...process.env, TZ: "UTC" },
    ...own[browser],
    ...options,
  });
}

/** What the browsers report of a connection to this machine, or to a name that exists nowhere, that fails. */
export const failedConnection =
  /(WebSocket connection to '|can’t establish a connection to the server at )(ws:\/\/(127\.0\.0\.1|localhost|\[::1\])|wss?:\/\/gateway\.invalid)[:/]|net::ERR_NAME_NOT_RESOLVED/;

// A violation of the content policy becomes a console error, whichever directive it is.
const reportViolations = () =>
  addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) => console.error(`policy: ${effectiveDirective} blocked ${blockedURI}`));

/** Makes every later document of the page report violations of its content policy on its console. */
export const reportPolicy = (page) => page.evaluateOnNewDocument(reportViolations);

/**
 * Records what a page and its workers write to the console, throw and request.
 * `errors` are errors and warnings; `take` removes those that match and returns them.
 */
export function listen(page) {
  const log = { console: [], errors: [], requests: [], take: (pattern) => take(log.errors, pattern) };
  const complain = (text) => {
    const line = text.slice(0, 400);
    // Once each and at most 20: a broken page repeats itself.
    if (!log.errors.includes(line) && log.errors.length < 20) log.errors.push(line);
  };
  page.on("console", (message) => {
    log.console.push(`${message.type()}: ${message.text()}`);
    if (["error", "warn"].includes(message.type())) complain(`${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => complain(`thrown: ${error.message ?? error}`));
  page.on("request", (request) => log.requests.push(request.url()));
  return log;
}

function take(errors, pattern) {
  const matching = errors.filter((line) => pattern.test(line));
  for (const line of matching) errors.splice(errors.indexOf(line), 1);
  return matching;
}

/** Gives the page the keyboard: in Firefox, Tab leads from the last stop of a page to the buttons of the browser. */
export async function focusPage(page) {
  await page.bringToFront();
  if (driven === "firefox") await inWindow(page.browser(), () => gBrowser.selectedBrowser.focus());
}

/** Lets the browser free everything in a page that nothing holds. */
export async function collectGarbage(page) {
  if (driven === "firefox") return collectGarbageInFirefox(page);
  const client = await page.createCDPSession();
  await client.send("HeapProfiler.collectGarbage");
  return client.detach();
}

/** Repeats `probe` until its result is truthy, at most for `timeout` ms. */
export async function until(what, probe, { timeout = TIMEOUT, pause = 50 } = {}) {
  const end = Date.now() + timeout;
  for (;;) {
    const answer = await probe();
    if (answer) return answer;
    if (Date.now() > end) throw new Error(`Timed out after ${timeout} ms: ${what}`);
    await new Promise((next) => setTimeout(next, pause));
  }
}
