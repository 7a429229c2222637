// One Chromium for one test file.
import puppeteer from "puppeteer-core";
import { chromium } from "./paths.mjs";

const quiet = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

// A file that takes too long is ended by the runner. Puppeteer would close the browser then, and wait on.
process.once("SIGTERM", () => process.exit(1));

/** Starts Chromium with a fresh profile. The caller closes it in an `after` hook. */
export function launch({ args = [], ...options } = {}) {
  return puppeteer.launch({
    executablePath: chromium(),
    headless: true,
    handleSIGTERM: false,
    protocolTimeout: 120_000,
    args: [...quiet, ...args],
    ...options,
  });
}

/** Collects what a page says on its console, throws and asks the network for. */
export function listen(page) {
  const heard = { console: [], errors: [], requests: [] };
  // Once each and short: a broken page repeats itself.
  const complain = (text) => {
    const line = text.slice(0, 400);
    if (!heard.errors.includes(line) && heard.errors.length < 20) heard.errors.push(line);
  };
  page.on("console", (message) => {
    heard.console.push(`${message.type()}: ${message.text()}`);
    if (message.type() === "error" || message.type() === "warn") complain(`${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => complain(`thrown: ${error.message ?? error}`));
  page.on("request", (request) => heard.requests.push(request.url()));
  return heard;
}

/** Waits for `probe` to give something true; asks again until the time is over. */
export async function until(what, probe, { timeout = 15_000, pause = 50 } = {}) {
  const end = Date.now() + timeout;
  for (;;) {
    const answer = await probe();
    if (answer) return answer;
    if (Date.now() > end) throw new Error(`Timed out after ${timeout} ms: ${what}`);
    await new Promise((next) => setTimeout(next, pause));
  }
}
