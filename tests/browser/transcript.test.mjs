// What assistive technology reads: Chromium's accessibility tree of each screen, compared with the committed transcripts.
//
// `RUNSTATE_TRANSCRIPTS=write node --test tests/browser/transcript.test.mjs` rewrites them.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { text } from "../support/captures.mjs";
import { drop, error, open, paste, runs } from "../support/panel.mjs";
import { vector } from "../support/paths.mjs";
import { calls, retried } from "../support/screens.mjs";
import { stage } from "../support/stage.mjs";
import { transcript } from "../support/transcript.mjs";

const folder = join(dirname(fileURLToPath(import.meta.url)), "transcripts");
const rewrite = process.env.RUNSTATE_TRANSCRIPTS === "write";
const unreachable = "ws://127.0.0.1:9";

// The connecting screen needs an address where nobody listens.
const { server, newPage } = await stage({ ignore: /ERR_UNSAFE_PORT|ERR_CONNECTION_REFUSED|WebSocket/ });
const file = (path) => readFileSync(vector(path), "utf8");
const rows = (page, count) => page.waitForFunction((wanted) => document.querySelectorAll("[role=treeitem]").length === wanted, {}, count);
const shown = async (page, document, nodes = 0) => {
  const seen = await paste(page, document);
  assert.equal(seen.connect, false, seen.error?.text);
  await rows(page, nodes);
};
// The rows of a list come after its screen.
const listed = async (page, document, count) => {
  await shown(page, document);
  await runs(page, count);
};
const press = (page, selector) => page.$eval(selector, (element) => element.click());

const legacySessions = () => {
  const { sessions } = JSON.parse(file("lionagi/captures/studio/sessions-list.json"));
  return JSON.stringify({ sessions: sessions.slice(0, 4).map((session, index) => (index > 1 ? { ...session, status: null } : session)) });
};

// Two rows were recorded with moments twelve days ahead of their clock. They must stay ahead of ours.
const listedRuns = () => text("derived/listRuns-edited-rows.json").replaceAll("1796294940238", String(Date.UTC(2100, 0, 1)));

const statuses = file("documents/valid/mixed-lists/statuses.json");

/** A log with a row of several heartbeats, missing events, a failure and an event of an unknown type. */
const eventLog = () => {
  const of = { nodeId: "build", iteration: 2, attempt: 1 };
  const beat = { ...of, hasData: false, dataSizeBytes: 0 };
  const events = [
    [0, "RunStarted"],
    [1, "NodeStarted", of],
    [2, "TaskHeartbeat", beat],
    [3, "TaskHeartbeat", beat],
    [9, "NodeFailed", { ...of, error: { message: "disk is full" } }],
    [10, "RunDreamed", { why: "it slept" }],
  ];
  const line = ([seq, type, more]) => ({ runId: "r", seq, payload: { type, runId: "r", timestampMs: 1_795_295_400_000 + seq, ...more } });
  return events.map((event) => JSON.stringify(line(event))).join("\n");
};
const showEvents = async (page, document) => {
  await paste(page, document);
  await press(page, "[data-view-switch=events]");
  await page.waitForSelector("[data-pane=log]");
};

/** Each screen: the address it starts at, and what leads to it. */
const screens = {
  connect: { at: "#connect" },
  recording: {
    at: "#example",
    show: (page) =>
      page.waitForFunction(
        () =>
          document.querySelectorAll("[role=treeitem]").length ===
          Number(document.querySelector("[data-pane=tree]").textContent.match(/(\d+) nodes/)?.[1]),
      ),
  },
  "waiting-approval": { show: (page) => shown(page, text("runs/approval-a/rpc-getDevToolsSnapshot-waiting.json"), 5) },
  failed: { show: (page) => shown(page, text("runs/fail-a/rpc-getDevToolsSnapshot.json"), 5) },
  stale: { show: (page) => shown(page, text("derived/snapshots-edited-rows.ndjson:8"), 5) },
  orphaned: {
    show: async (page) => {
      await shown(page, text("crash/rpc-getDevToolsSnapshot-killed-a-3-orphaned.json"), 5);
      await press(page, '[data-field="evidence"] summary');
    },
  },
  "lionagi-session": { show: (page) => shown(page, file("lionagi/captures/studio/run-dead-stale-fresh.json"), 2) },
  "conductor-gate": { show: (page) => shown(page, file("conductor/runs/gate-orphaned/run/status.json")) },
  "conductor-failed": { show: (page) => shown(page, file("conductor/runs/missing-route-exception/run/status.json")) },
  "runs-smithers": { show: (page) => listed(page, listedRuns(), JSON.parse(listedRuns()).payload.length) },
  "runs-lionagi-legacy-open": {
    show: async (page) => {
      await shown(page, legacySessions());
      await page.waitForSelector("[data-field=legacy] summary");
      await press(page, "[data-field=legacy] summary");
      await runs(page, 4);
    },
  },
  "runs-conductor": { show: (page) => listed(page, statuses, JSON.parse(statuses).length) },
  refusal: { show: (page) => shown(page, text("protocol/error-unknown-run-getRun.json")) },
  "error-above-document": {
    show: async (page) => {
      await shown(page, text("runs/fail-a/rpc-getDevToolsSnapshot.json"), 5);
      await drop(page, '{\n  "runId": oops\n}');
      await error(page, "NOT_JSON");
    },
  },
  "error-on-connect": {
    show: async (page) => {
      await paste(page, "{");
      await error(page, "NOT_JSON");
    },
  },
  export: {
    show: async (page) => {
      await shown(page, text("runs/approval-a/rpc-getDevToolsSnapshot-waiting.json"), 5);
      await press(page, '[data-action="export"]');
      await page.waitForSelector('form[data-form="export"]');
    },
  },
  "tree-folded": {
    show: async (page) => {
      await shown(page, text("runs/structure-a/rpc-getDevToolsSnapshot.json"), structureNodes);
      await page.focus("[role=tree]");
      await page.keyboard.press("Home");
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("ArrowLeft");
      await page.waitForSelector('[role=treeitem][aria-expanded="false"]');
    },
  },
  node: {
    show: async (page) => {
      await shown(page, text("runs/approval-a/rpc-getDevToolsSnapshot-waiting.json"), 5);
      await press(page, '[role=treeitem][data-node="ship-gate"]');
      await page.waitForSelector('[data-pane=node][data-node="ship-gate"]:not([hidden])');
      await press(page, "[data-field=props] summary");
    },
  },
  events: {
    show: async (page) => {
      await showEvents(page, eventLog());
      await page.waitForSelector("[data-event=RunDreamed]");
      await press(page, "[data-event=NodeFailed]");
      await page.waitForSelector("[data-filter=attempt]:not([hidden])");
      await press(page, "[data-action=fold]");
      await page.waitForSelector("[data-action=fold][aria-expanded=true]");
    },
  },
  "events-searched": {
    show: async (page) => {
      await showEvents(page, eventLog());
      await page.waitForSelector("[data-event=RunStarted]");
      await press(page, "[data-event=RunStarted]");
      await page.waitForSelector("[data-event=RunStarted][aria-selected=true]");
      await page.type("input[name=search-events]", "disk nothing");
      await page.waitForSelector("[data-field=log-empty]:not([hidden])");
      await page.waitForSelector("[data-field=log-selected]:not([hidden])");
    },
  },
  "events-missing": {
    show: async (page) => {
      await showEvents(page, text("runs/fail-a/rpc-getDevToolsSnapshot.json"));
      await page.waitForSelector("[data-field=log-empty]:not([hidden])");
    },
  },
  "node-attempts": {
    show: async (page) => {
      await retried(page);
      await press(page, '[data-tab="attempts"]');
      await page.waitForSelector('[data-pane=node] li[data-attempt="2"]');
    },
  },
  "node-calls": { show: calls },
  "tree-searched": {
    show: async (page) => {
      await shown(page, text("runs/approval-a/rpc-getDevToolsSnapshot-waiting.json"), 5);
      await page.type("input[name=search-nodes]", "gate");
      await page.waitForSelector("[role=treeitem][data-dimmed]");
    },
  },
  "tree-filtered": {
    show: async (page) => {
      await shown(page, text("runs/approval-a/rpc-getDevToolsSnapshot-waiting.json"), 5);
      await press(page, "[data-node-state=waits-for-you]");
      await page.waitForSelector("[data-node-state=waits-for-you][aria-pressed=true]");
      await rows(page, 3);
    },
  },
  "node-output-missing": {
    show: async (page) => {
      await retried(page);
      await press(page, '[data-tab="output"]');
      await page.waitForSelector("[data-pane=node] [data-tab=output][aria-selected=true]");
    },
  },
  "node-raw": {
    show: async (page) => {
      await retried(page);
      await press(page, '[data-tab="raw"]');
      await page.waitForSelector('[data-pane=node] [data-path="$.node"]');
      await press(page, '[data-pane=node] [data-path="$.node"]');
      await page.waitForSelector('[data-pane=node] [data-path="$.node.props"]');
    },
  },
  connecting: {
    show: async (page) => {
      await page.$eval('form[data-form="connect"] input[name="url"]', (input, address) => (input.value = address), unreachable);
      await press(page, 'form[data-form="connect"] [type="submit"]');
      await page.waitForFunction(() =>
        /next try.*Nothing responds/.test(document.querySelector('[data-screen="connecting"]')?.textContent),
      );
    },
  },
};
const structureNodes = JSON.stringify(JSON.parse(text("runs/structure-a/rpc-getDevToolsSnapshot.json"))).match(/"depth":/g).length;

// The lines that only one of the two transcripts has, and equal lines in another order.
function differences(found, committed) {
  const [now, before] = [found.split("\n"), committed.split("\n")];
  const lines = [
    ...now.filter((line) => !before.includes(line)).map((line) => `+${line}`),
    ...before.filter((line) => !now.includes(line)).map((line) => `-${line}`),
  ];
  return lines.length === 0 && found !== committed ? ["the same lines in another order or number"] : lines;
}

describe("the accessibility tree is the committed one", () => {
  for (const [name, { at = "#connect", show }] of Object.entries(screens)) {
    test(name, async () => {
      const { page, close } = await newPage();
      // High enough for every row of a tree to be in sight.
      await page.setViewport({ width: 1280, height: 1800 });
      await open(page, `${server.origin}/${at}`);
      await show?.(page);
      await page.evaluate(() => window.runstateTest.painted());
      const found = await transcript(page);
      const path = join(folder, `${name}.txt`);
      if (rewrite) {
        mkdirSync(folder, { recursive: true });
        writeFileSync(path, found);
      }
      assert.deepEqual(differences(found, readFileSync(path, "utf8")), []);
      await close();
    });
  }
});
