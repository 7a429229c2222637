// Regenerates the committed pictures: `node tests/browser/screenshots.mjs [FOLDER]`, by default docs/screenshots.
//
// The header of every state in light and dark, and the whole panel in the sizes and looks that its layout knows.
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { prefer } from "../support/a11y.mjs";
import { launch } from "../support/browser.mjs";
import { text } from "../support/captures.mjs";
import { snapshot, task, view } from "../support/make.mjs";
import { open, paste } from "../support/panel.mjs";
import { built, root, vector as path } from "../support/paths.mjs";
import { smaller } from "../support/png.mjs";
import { serve } from "../support/server.mjs";

const folder = resolve(process.argv[2] ?? join(root, "docs/screenshots"));
// Some days after the captures were recorded: "recorded 3 days ago" is the same picture tomorrow.
const day = Date.parse("2026-11-24T23:30:00.000Z");

const edited = (kind, line) => text(`derived/${kind}-edited-rows.ndjson:${line}`);
const vector = (name) => readFileSync(path(name), "utf8");
const made = (state, more) => JSON.stringify(snapshot(`made-${state}`, [task(2, "review", 1), task(3, "publish", 1, { state: "pending" })], { runState: view(`made-${state}`, state, more) }));
const { runState: _, ...stateless } = JSON.parse(made("none"));

/** One document for every state and reason that a header can show. */
const headers = {
  running: text("crash/rpc-getDevToolsSnapshot-killed-a-1-before-kill.json"),
  "waiting-approval": text("runs/approval-a/rpc-getDevToolsSnapshot-waiting.json"),
  "waiting-event": text("crash/rpc-getDevToolsSnapshot-parked-event-after-restart.json"),
  "waiting-event-decided": text("cli/inspect-ed-event-decided-resume.json"),
  "waiting-event-external": edited("snapshots", 5),
  "waiting-timer": text("runs/timer-a/rpc-getDevToolsSnapshot-waiting.json"),
  "waiting-timer-overdue": text("cli/inspect-ed-timer-overdue.json"),
  "waiting-quota": edited("runs.get", 12),
  paused: edited("snapshots", 11),
  recovering: made("recovering", { unhealthy: { kind: "supervisor-backoff", attempt: 3, nextAt: "2026-11-21T21:19:20.000Z" } }),
  stale: edited("snapshots", 8),
  orphaned: text("crash/rpc-getDevToolsSnapshot-killed-a-3-orphaned.json"),
  "sandbox-unreachable": edited("snapshots", 14),
  "provider-auth": made("waiting-event", { blocked: { kind: "provider", nodeId: "review", code: "auth" } }),
  tool: made("waiting-event", { blocked: { kind: "tool", nodeId: "review", toolName: "bash", code: "EACCES" } }),
  failed: text("runs/fail-a/rpc-getDevToolsSnapshot.json"),
  cancelled: text("runs/cancel-a/rpc-getDevToolsSnapshot.json"),
  succeeded: text("runs/quick-a/rpc-getDevToolsSnapshot.json"),
  "succeeded-with-failures": text("runs/degraded-a/rpc-runs.get.json"),
  unknown: text("cli/inspect-ed-no-signals.json"),
  foreign: JSON.stringify(view("made-foreign", "hibernating")),
  absent: JSON.stringify(stateless),
  "lionagi-stale-running": vector("lionagi/captures/studio/run-dead-stale-fresh.json"),
  "lionagi-completed": vector("lionagi/captures/studio/run-completed-ok.json"),
  "lionagi-timed-out": vector("lionagi/captures/studio/session-timed-out-with-metadata.json"),
  "lionagi-failed": vector("documents/valid/lionagi-failed.json"),
  "lionagi-legacy": vector("documents/valid/lionagi-legacy.json"),
  "conductor-gate": vector("conductor/runs/gate-orphaned/run/status.json"),
  "conductor-completed": vector("conductor/runs/custom-stop-id/run/status.json"),
  "conductor-failed": vector("conductor/runs/missing-route-exception/run/status.json"),
};

const sizes = { wide: [1280, 800], bottom: [900, 360], side: [480, 800], narrow: [320, 720] };

const keep = (name, png) => writeFileSync(join(folder, `${name}.png`), smaller(png));

const standstill = (at) => {
  Object.defineProperty(performance, "timeOrigin", { get: () => at });
  performance.now = () => 0;
  Date.now = () => at;
};

/** The dashboard with workers whose clocks stand still. */
function dashboardThatStands(ms) {
  const copy = mkdtempSync(join(tmpdir(), "runstate-pictures-"));
  cpSync(built("dashboard"), copy, { recursive: true });
  for (const name of ["worker-live.js", "worker-documents.js"]) {
    const worker = join(copy, name);
    writeFileSync(worker, `(${standstill})(${ms});\n${readFileSync(worker, "utf8")}`);
  }
  return copy;
}

async function headerPictures(page) {
  await page.setViewport({ width: 760, height: 600 });
  for (const [name, document] of Object.entries(headers)) {
    const seen = await paste(page, document);
    if (!seen.header) throw new Error(`${name} shows no header: ${JSON.stringify(seen).slice(0, 300)}`);
    // The pointer and the focus are not part of the picture.
    await page.mouse.move(0, 599);
    await page.evaluate(() => document.activeElement?.blur());
    for (const scheme of ["light", "dark"]) {
      const session = await prefer(page, { scheme });
      const element = await page.$("section.snapshot");
      keep(`header-${name}-${scheme}`, await element.screenshot());
      await session.detach();
    }
  }
}

async function panelPictures(page, origin) {
  const take = async (name, media = {}) => {
    const session = await prefer(page, media);
    await page.evaluate(() => window.runstateTest.painted());
    keep(name, await page.screenshot());
    await session.detach();
  };
  for (const [name, [width, height]] of Object.entries(sizes)) {
    await page.setViewport({ width, height });
    await page.goto("about:blank");
    await open(page, `${origin}/`);
    await page.waitForSelector("section.snapshot");
    await take(`panel-${name}`);
    if (name === "wide") await take("panel-wide-dark", { scheme: "dark" });
  }
  await page.setViewport({ width: 1280, height: 800 });
  await page.goto("about:blank");
  await open(page, `${origin}/#connect`);
  await take("connect");
  await paste(page, text("derived/listRuns-edited-rows.json"));
  await take("runs");
  await take("runs-forced-colours", { scheme: "dark", forced: true });
  await paste(page, text("runs/structure-a/rpc-getDevToolsSnapshot.json"));
  await take("panel-forced-colours", { scheme: "light", forced: true });
  await paste(page, text("protocol/error-unknown-run-getRun.json"));
  await take("refusal");
}

mkdirSync(folder, { recursive: true });
for (const name of readdirSync(folder)) if (name.endsWith(".png")) rmSync(join(folder, name));
const dashboard = dashboardThatStands(day);
const server = await serve(dashboard);
const browser = await launch();
try {
  const page = await browser.newPage();
  await page.evaluateOnNewDocument(standstill, day);
  await open(page, `${server.origin}/#connect`);
  await headerPictures(page);
  await panelPictures(page, server.origin);
} finally {
  await browser.close();
  await server.close();
  rmSync(dashboard, { recursive: true });
}
const files = readdirSync(folder).filter((name) => name.endsWith(".png"));
const bytes = files.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
console.log(`${files.length} pictures, ${Math.round(bytes / 1000)} kB, in ${folder}`);
