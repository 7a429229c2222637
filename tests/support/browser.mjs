// One Chromium for one test file.
import puppeteer from "puppeteer-core";
import { chromium } from "./paths.mjs";

const defaults = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--lang=en-US",
];

// The test runner ends a file that takes too long. Puppeteer would close the browser then, and wait on.
process.once("SIGTERM", () => process.exit(1));

/** Starts Chromium with a fresh profile, in English and in UTC. The caller closes it in an `after` hook. */
export function launch({ args = [], ...options } = {}) {
  return puppeteer.launch({
    executablePath: chromium(),
    headless: true,
    handleSIGTERM: false,
    protocolTimeout: 120_000,
    env: { ...process.env, TZ: "UTC" },
    args: [...defaults, ...args],
    ...options,
  });
}

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

/** Repeats `probe` until its result is truthy, at most for `timeout` ms. */
export async function until(what, probe, { timeout = 15_000, pause = 50 } = {}) {
  const end = Date.now() + timeout;
  for (;;) {
    const answer = await probe();
    if (answer) return answer;
    if (Date.now() > end) throw new Error(`Timed out after ${timeout} ms: ${what}`);
    await new Promise((next) => setTimeout(next, pause));
  }
}
