// Leaves what a failed test saw in target/failures/: for each of its pages a picture, the HTML, and the messages of page and workers.
import { mkdirSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { afterEach } from "node:test";
import { root } from "./paths.mjs";

const folder = join(
  resolve(process.env.RUNSTATE_FAILURES ?? join(root, "target/failures")),
  [basename(process.argv[1] ?? "", ".test.mjs"), process.env.RUNSTATE_BROWSER].filter(Boolean).join("-"),
);
// A page that no longer answers must not cost more than this, in ms.
const PATIENCE = 10_000;

const panels = new Set();

/** The markup of a document with its open shadow trees, as an expression. */
export const markup = `(() => {
  const roots = (from) => [...from.querySelectorAll("*")].flatMap(({ shadowRoot }) => (shadowRoot ? [shadowRoot, ...roots(shadowRoot)] : []));
  return document.documentElement.getHTML({ shadowRoots: roots(document) });
})()`;

/**
 * Leaves pages in the folder: each has `picture()`, `html()` and `messages()`, of which each may fail. `t` is the context of the
 * failed test.
 */
export async function leave(t, pages) {
  mkdirSync(folder, { recursive: true });
  const test = (t.fullName ?? t.name).replace(/[^a-z0-9]+/gi, "-").slice(0, 100);
  for (const [index, page] of [...pages].entries()) {
    const path = join(folder, `${test}-${index + 1}`);
    const [picture, html, messages] = await Promise.all([page.picture, page.html, page.messages].map(attempt));
    if (picture) writeFileSync(`${path}.png`, picture);
    writeFileSync(`${path}.html`, html ?? "The page did not answer.");
    writeFileSync(`${path}.txt`, [t.error?.cause?.stack ?? t.error, ...(messages ?? [])].join("\n"));
    t.diagnostic(`what was on screen: ${path}.html`);
  }
}

async function attempt(read) {
  let timer;
  const late = new Promise((done) => (timer = setTimeout(done, PATIENCE)));
  try {
    return await Promise.race([read(), late]);
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Leaves a panel in developer tools if the current test fails, also after the test has closed it: `close` is called by the returned
 * function, after the panel was read.
 */
export function leaving(panel, close) {
  panels.add(panel);
  return async () => {
    const [picture, html, messages] = await Promise.all([panel.picture, panel.html, panel.messages].map(attempt));
    Object.assign(panel, { picture: () => picture, html: () => html, messages: () => messages, isClosed: true });
    await close();
  };
}

// Pictures for the documents are drawn by scripts that are no tests.
if (process.argv[1]?.endsWith(".test.mjs")) {
  afterEach(async (t) => {
    if (t.passed === false) await leave(t, panels);
    for (const panel of panels) if (panel.isClosed) panels.delete(panel);
  });
}
