// Takes screenshots: `node tests/browser/screenshots.mjs` retakes those in docs/screenshots, `… FOLDER` takes all into FOLDER.
//
// All are the header of every state in light and dark, and the whole panel in the sizes and themes that its layout supports.
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { prefer } from "../support/a11y.mjs";
import { launch } from "../support/browser.mjs";
import { text } from "../support/captures.mjs";
import { snapshot, task, view } from "../support/make.mjs";
import { open, paste } from "../support/panel.mjs";
import { built, root, vector as path } from "../support/paths.mjs";
import { serve } from "../support/server.mjs";

const committed = join(root, "docs/screenshots");
const folder = resolve(process.argv[2] ?? committed);
const wanted = (name) => folder !== committed || existsSync(join(committed, `${name}.png`));
// Some days after the captures were recorded: "recorded 3 days ago" is the same picture tomorrow.
const day = Date.parse("2026-11-24T23:30:00.000Z");

const edited = (kind, line) => text(`derived/${kind}-edited-rows.ndjson:${line}`);
const vector = (name) => readFileSync(path(name), "utf8");
const made = (state, more) =>
  JSON.stringify(
    snapshot(`made-${state}`, [task(2, "review", 1), task(3, "publish", 1, { state: "pending" })], {
      runState: view(`made-${state}`, state, more),
    }),
  );
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

const taken = [];
async function take(name, target) {
  if (!wanted(name)) return;
  writeFileSync(join(folder, `${name}.png`), await target.screenshot());
  taken.push(name);
}

const stopClock = (at) => {
  Object.defineProperty(performance, "timeOrigin", { get: () => at });
  performance.now = () => 0;
  Date.now = () => at;
};

/** The dashboard with workers whose clock is stopped. */
function dashboardWithStoppedClock(ms) {
  const copy = mkdtempSync(join(tmpdir(), "runstate-pictures-"));
  cpSync(built("dashboard"), copy, { recursive: true });
  const worker = join(copy, "worker.js");
  writeFileSync(worker, `(${stopClock})(${ms});\n${readFileSync(worker, "utf8")}`);
  return copy;
}

async function headerPictures(page) {
  await page.setViewport({ width: 760, height: 600 });
  for (const [name, document] of Object.entries(headers)) {
    if (!wanted(`header-${name}-light`) && !wanted(`header-${name}-dark`)) continue;
    const seen = await paste(page, document);
    if (!seen.header) throw new Error(`${name} shows no header: ${JSON.stringify(seen).slice(0, 300)}`);
    // The pointer and the focus are not part of the picture.
    await page.mouse.move(0, 599);
    await page.evaluate(() => document.activeElement?.blur());
    for (const scheme of ["light", "dark"]) {
      const undo = await prefer(page, { scheme });
      await take(`header-${name}-${scheme}`, await page.$("section[data-tone]"));
      await undo();
    }
  }
}

async function panelPictures(page, origin) {
  const shoot = async (name, media = {}) => {
    const undo = await prefer(page, media);
    await page.evaluate(() => window.runstateTest.painted());
    await take(name, page);
    await undo();
  };
  for (const [name, [width, height]] of Object.entries(sizes)) {
    await page.setViewport({ width, height });
    await page.goto("about:blank");
    await open(page, `${origin}/#example`);
    await page.waitForFunction(() => document.querySelectorAll("[role=treeitem]").length > 1);
    await shoot(`panel-${name}`);
    if (name === "wide") await shoot("panel-wide-dark", { scheme: "dark" });
  }
  await page.setViewport({ width: 1280, height: 800 });
  await page.goto("about:blank");
  await open(page, `${origin}/#connect`);
  await shoot("connect");
  const { payload, ...answer } = JSON.parse(text("derived/listRuns-edited-rows.json"));
  // One row is from 1969.
  await paste(page, JSON.stringify({ ...answer, payload: payload.filter(({ runId }) => runId !== "ed-negative-heartbeat") }));
  await shoot("runs");
  await shoot("runs-forced-colours", { scheme: "dark", forced: true });
  await paste(page, text("runs/structure-a/rpc-getDevToolsSnapshot.json"));
  await shoot("panel-forced-colours", { scheme: "light", forced: true });
  await paste(page, text("protocol/error-unknown-run-getRun.json"));
  await shoot("refusal");
}

mkdirSync(folder, { recursive: true });
const dashboard = dashboardWithStoppedClock(day);
const server = await serve(dashboard);
const browser = await launch();
try {
  const page = await browser.newPage();
  await page.evaluateOnNewDocument(stopClock, day);
  await open(page, `${server.origin}/#connect`);
  await headerPictures(page);
  await panelPictures(page, server.origin);
} finally {
  await browser.close();
  await server.close();
  rmSync(dashboard, { recursive: true });
}
console.log(`${taken.length} screenshots in ${folder}`);
