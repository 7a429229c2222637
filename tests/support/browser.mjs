// One browser for one test file: Chromium, or Firefox if RUNSTATE_BROWSER is set to it.
import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import puppeteer from "puppeteer-core";
import { collectGarbageInFirefox, inWindow } from "./firefox.mjs";
import { browserProgram } from "./paths.mjs";
import { TIMEOUT } from "./timeout.mjs";

/** The browser that the tests drive. */
export const driven = process.env.RUNSTATE_BROWSER || "chromium";

/** The options of a test that needs Chromium's own protocol; other browsers skip it for this reason. */
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
  // A test reads and writes the clipboard without a person's click.
  "dom.events.testing.asyncClipboard": true,
  // After failures, Firefox itself waits, ever longer, before it connects to the same address again.
  "network.websocket.delay-failed-reconnects": false,
};

// The test runner stops a file after its timeout. Puppeteer would then close the browser and keep waiting.
process.once("SIGTERM", () => process.exit(1));

/**
 * Starts a browser with a fresh profile, in English and in UTC. The caller closes it in an `after` hook. `args` are Chromium's,
 * `preferences` Firefox's. For Chromium it is the headless shell, which has no developer tools and no extensions, unless
 * `enableExtensions` is set.
 */
export function launch({ browser = driven, args = [], preferences = {}, ...options } = {}) {
  const own = {
    // Extensions can be installed only over a pipe.
    chromium: { pipe: true, args: [...chromiumArguments, ...args] },
    // Tests use Firefox's own windows for features without a command in its protocol; see firefox.mjs.
    firefox: { args: ["--remote-allow-system-access"], extraPrefsFirefox: { ...firefoxPreferences, ...preferences } },
  };
  const isShell = browser === "chromium" && !options.enableExtensions;
  return puppeteer.launch({
    browser: browser === "firefox" ? "firefox" : "chrome",
    executablePath: browserProgram(isShell ? "headless_shell" : browser),
    headless: true,
    handleSIGTERM: false,
    protocolTimeout: 120_000 + TIMEOUT,
    env: { ...process.env, TZ: "UTC" },
    ...own[browser],
    ...options,
  });
}

/** The browsers' messages for a failed connection to this machine or to an unknown host. */
export const failedConnection =
  /(WebSocket connection to '|can’t establish a connection to the server at )(ws:\/\/(127\.0\.0\.1|localhost|\[::1\])|wss?:\/\/gateway\.invalid)[:/]|net::ERR_NAME_NOT_RESOLVED/;

// Turns every violation of the content policy into a console error.
const reportViolations = () =>
  addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) =>
    console.error(`policy: ${effectiveDirective} blocked ${blockedURI}`),
  );

/** Makes every later document of the page report violations of its content policy on its console. */
export const reportPolicy = (page) => page.evaluateOnNewDocument(reportViolations);

/**
 * Records a page's and its workers' console messages, exceptions and requests.
 * `errors` are errors and warnings. `take` removes those that match and returns them; `allow` removes them too, and ignores those
 * that arrive later, until `allowed` is emptied after the test.
 */
export function listen(page) {
  const log = { console: [], errors: [], requests: [], allowed: [] };
  log.take = (pattern) => take(log.errors, pattern);
  log.allow = (pattern) => {
    log.allowed.push(pattern);
    take(log.errors, pattern);
  };
  const complain = (text) => {
    const line = text.slice(0, 400);
    if (log.allowed.some((pattern) => pattern.test(line))) return;
    // Each once, and at most 20, because a broken page repeats itself.
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

/** Gives the page the keyboard focus: in Firefox, Tab leads from a page's last stop to the browser's buttons. */
export async function focusPage(page) {
  await page.bringToFront();
  if (driven === "firefox") await inWindow(page.browser(), () => gBrowser.selectedBrowser.focus());
}

/** Makes the browser free all unreferenced objects of a page. */
export async function collectGarbage(page) {
  if (driven === "firefox") return collectGarbageInFirefox(page);
  const client = await page.createCDPSession();
  await client.send("HeapProfiler.collectGarbage");
  return client.detach();
}

/** Repeats `probe` until its result is truthy, for at most `timeout` ms. */
export async function until(what, probe, { timeout = TIMEOUT, pause = 50 } = {}) {
  const end = Date.now() + timeout;
  for (;;) {
    const answer = await probe();
    if (answer) return answer;
    if (Date.now() > end) throw new Error(`Timed out after ${timeout} ms: ${what}`);
    await new Promise((next) => setTimeout(next, pause));
  }
}

/** Waits until `read` returns `expected`. The error after `timeout` ms compares it with what `read` returned last. */
export async function becomes(read, expected, { timeout = TIMEOUT, pause = 50 } = {}) {
  for (const end = Date.now() + timeout; ;) {
    const found = await read();
    if (isDeepStrictEqual(found, expected)) return;
    if (Date.now() > end) assert.deepEqual(found, expected, `not within ${timeout} ms`);
    await new Promise((next) => setTimeout(next, pause));
  }
}
