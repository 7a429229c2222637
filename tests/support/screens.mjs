// Every screen of the panel, each from a fresh page, so that no screen depends on another.
import assert from "node:assert/strict";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { focusPage } from "./browser.mjs";
import { text } from "./captures.mjs";
import { group, snapshot, task, view } from "./make.mjs";
import { drop, install, open, paste } from "./panel.mjs";
import { built, vector } from "./paths.mjs";

export const gate = snapshot(
  "run-with-gate",
  [
    group(2, "sequence", 1, [
      task(3, "prepare", 2),
      task(4, "gate", 2, { kind: "approval", state: "waiting-approval", label: "Ship it?" }),
      task(5, "publish", 2, { state: "pending" }),
    ]),
  ],
  {
    runState: view("run-with-gate", "waiting-approval", {
      blocked: { kind: "approval", nodeId: "gate", requestedAt: "2026-11-21T21:10:30.000Z" },
    }),
  },
);

/** Entries of a page's traffic, as the collector delivers them: `runs` of Gateways on two ports, `sessions` of Studio, and a poll with every note. */
function traffic(runs, sessions = []) {
  const at = Date.now();
  const answer = (port, payload) => ({
    kind: "answer",
    at,
    started: at,
    url: `http://127.0.0.1:${port}/rpc`,
    method: "POST",
    request: '{"method":"listRuns"}',
    body: JSON.stringify({ ok: true, apiVersion: "v1", payload }),
  });
  return [
    ...(runs.length > 0 ? [answer(7331, runs.slice(0, 2)), answer(7332, runs.slice(2))] : []),
    ...(sessions.length > 0
      ? [{ kind: "answer", at, started: at, url: "http://127.0.0.1:8765/api/sessions", method: "GET", body: JSON.stringify({ sessions }) }]
      : []),
    { kind: "too-large", at, url: "http://127.0.0.1:7331/rpc", limitMb: 20 },
    { kind: "dropped", count: 3 },
    {
      kind: "poll",
      at,
      nextMs: 2000,
      startedAt: at,
      requests: 214,
      sockets: 1,
      sawPageLoad: false,
      recording: true,
      openStreams: [],
      hiddenSockets: ["ws://127.0.0.1:9000/live"],
    },
  ];
}

/** Opens a document with two attempts at the node `flaky`, and shows the node. */
export async function retried(page) {
  const at = Date.UTC(2026, 10, 21, 21);
  const attempt = (number, more) => ({
    runId: "retried",
    nodeId: "flaky",
    iteration: 0,
    attempt: number,
    startedAtMs: at + 2000 * number,
    finishedAtMs: at + 2000 * number + 500,
    metaJson: "{}",
    ...more,
  });
  const stack = `Error: locked\n    at run (file:///srv/app/retry.tsx:7:112)\n\u001b[31m✖\u001b[0m <img src=x onerror=alert(1)>`;
  const attempts = [
    attempt(2, {
      state: "finished",
      responseText: "It works.",
      metaJson: JSON.stringify({ prompt: "Try again.", agentId: "scripted", agentModel: "scripted-1" }),
    }),
    attempt(1, { state: "cancelled", errorJson: JSON.stringify({ name: "Error", message: "locked", stack }) }),
  ];
  const props = { id: "flaky", env: { API_TOKEN: "sesame-open-4711" }, list: Array.from({ length: 1200 }, (_, n) => n), half: "\ud800" };
  const node = { ...task(3, "flaky", 2), props };
  await drop(page, [
    { name: "snapshot.json", text: JSON.stringify(snapshot("retried", [group(2, "sequence", 1, [node, task(4, "other", 2)])])) },
    { name: "attempts.json", text: JSON.stringify(attempts) },
  ]);
  await page.waitForSelector('[role="treeitem"][data-node="flaky"]');
  await page.click('[role="treeitem"][data-node="flaky"]');
  await page.waitForSelector('[data-pane="node"][data-node="flaky"]:not([hidden])');
}

/** Opens a run with an agent that has called two tools, and shows its calls. */
export async function calls(page) {
  const of = { runId: "calls", nodeId: "write", iteration: 0, attempt: 1 };
  const event = (type, second, more) => JSON.stringify({ type, ...of, ...more, timestampMs: Date.UTC(2026, 10, 21, 21, 0, second) });
  const log = [
    event("NodeStarted", 1),
    event("ToolCallStarted", 2, { toolName: "bash", seq: 1 }),
    event("ToolCallFinished", 3, { toolName: "bash", seq: 1, status: "success" }),
    event("ToolCallStarted", 4, { toolName: "read_file", seq: 2 }),
  ];
  const agent = task(2, "write", 1, { kind: "agent", state: "in-progress" });
  await drop(page, [
    { name: "snapshot.json", text: JSON.stringify(snapshot("calls", [agent])) },
    { name: "stream.ndjson", text: log.join("\n") },
  ]);
  await page.waitForSelector('[role="treeitem"][data-node="write"]');
  await page.click('[role="treeitem"][data-node="write"]');
  await page.waitForSelector('[data-pane="node"] [data-tab="calls"]');
  await page.click('[data-pane="node"] [data-tab="calls"]');
  await page.waitForSelector('[data-pane="node"] [data-call="read_file"]');
}

// At this age, a row shows days, which do not change during a test.
const hours = (count) => count * 3_600_000;

/** Installs the extension's interface to the panel in developer tools. */
function installTraffic() {
  const receiver = Promise.withResolvers();
  const subscribe = (receive) => receive && receiver.resolve(receive);
  globalThis.runstateTraffic = { subscribe, preserves: () => false, preserve() {}, onEnd() {}, clear() {}, reload() {} };
  globalThis.observe = async (entries) => void (await receiver.promise)(entries);
}

/** Opens the panel on the traffic of a page with lists of these runs and sessions. */
export async function watchTraffic(page, origin, runs, sessions) {
  const { identifier } = await page.evaluateOnNewDocument(installTraffic);
  await page.goto("about:blank");
  await focusPage(page);
  await open(page, `${origin}/#connect`);
  await page.removeScriptToEvaluateOnNewDocument(identifier);
  await page.click('[data-action="traffic"]');
  await observe(page, traffic(runs, sessions));
}

/** Delivers entries of the traffic, as the collector does. */
export const observe = (page, entries) => page.evaluate((list) => globalThis.observe(list), entries);

let exportedPath;

/** The path of a single file with a recorded run, which is removed after the tests. */
function exportedRun() {
  if (exportedPath) return exportedPath;
  const document = readFileSync(vector("documents/valid/killed-a.runstate.json"), "utf8");
  const data = JSON.stringify({ runstatePage: 1, exportedAt: Date.UTC(2026, 10, 22), document }).replaceAll("<", "\\u003c");
  const place = '<script type="application/json" id="document" data-part>';
  exportedPath = join(tmpdir(), `runstate-exported-${process.pid}.html`);
  writeFileSync(
    exportedPath,
    readFileSync(built("runstate.html"), "utf8").replace(place, () => place + data),
  );
  process.once("exit", () => rmSync(exportedPath, { force: true }));
  return exportedPath;
}

/** The screens by their names, each a function that shows it; `visit` opens an address, `pasted` a document. */
export function screensOf(page, origin) {
  const visit = async (hash = "#example") => {
    await page.goto("about:blank");
    await focusPage(page);
    await open(page, `${origin}/${hash}`);
  };
  const pasted = async (document) => {
    await visit("#connect");
    const seen = await paste(page, document);
    assert.equal(seen.connect, false, seen.error?.text);
  };
  const observed = async (runs, sessions) => {
    await watchTraffic(page, origin, runs, sessions);
    await page.waitForSelector('[data-field="traffic-note"]');
  };
  // The rows of a list follow its screen.
  const rows = () => page.waitForSelector("[data-run] [data-taxonomy]");
  const screens = {
    "the connect screen": () => visit("#connect"),
    "the example run": () => visit(),
    "a failed run": () => pasted(text("runs/fail-a/rpc-getDevToolsSnapshot.json")),
    "a run that waits": () => pasted(JSON.stringify(gate)),
    "a node of a failed run": async () => {
      const answers = ["runs.get", "getDevToolsSnapshot", "listNodeStates"].map((name) => `runs/fail-a/rpc-${name}.json`);
      await visit("#connect");
      await drop(
        page,
        answers.map((name) => ({ name, text: readFileSync(vector(`smithers/captures/${name}`), "utf8") })),
      );
      await page.waitForSelector('[role="treeitem"][data-node="boom"]');
      await page.click('[role="treeitem"][data-node="boom"]');
      await page.waitForSelector('[data-pane="node"][data-node="boom"]:not([hidden])');
      await page.click('[data-field="props"] summary');
    },
    "the attempts at a node": async () => {
      await visit("#connect");
      await retried(page);
      await page.click('[data-tab="attempts"]');
      await page.waitForSelector('[data-pane="node"] li[data-attempt="2"]');
    },
    "the calls of an agent": async () => {
      await visit("#connect");
      await calls(page);
    },
    "a search of the tree": async () => {
      await pasted(JSON.stringify(gate));
      await page.type("input[name=search-nodes]", "gate");
      await page.waitForSelector("[role=treeitem][data-dimmed]");
    },
    "a search that finds no node": async () => {
      await pasted(JSON.stringify(gate));
      await page.click("[data-node-state=waits-for-you]");
      await page.type("input[name=search-nodes]", "nowhere");
      await page.waitForFunction(() => document.querySelector("[data-field=tree-hits]").textContent === "none found");
    },
    "everything about a node": async () => {
      await visit("#connect");
      await retried(page);
      await page.click('[data-tab="raw"]');
      await page.waitForSelector('[data-pane="node"] [data-path="$.node"]');
    },
    "an orphaned run": () => pasted(text("crash/rpc-runs.get-killed-a-3-orphaned.json")),
    "a foreign state": () => pasted(JSON.stringify(view("foreign", "hibernating"))),
    "no state": () => pasted(JSON.stringify({ ...gate, runState: undefined })),
    "a refusal": () => pasted(text("protocol/error-unknown-run-getRun.json")),
    "an error on the connect screen": async () => {
      await visit("#connect");
      await paste(page, "{");
    },
    "an error above a run": async () => {
      await visit();
      await drop(page, '{"runId": oops}');
      await page.waitForSelector('[data-field="error"]');
    },
    "a list of runs": async () => {
      await pasted(text("derived/listRuns-edited-rows.json"));
      await rows();
    },
    // Few enough for every row to be visible.
    "a run of a list": async () => {
      await pasted(JSON.stringify(JSON.parse(text("derived/listRuns-edited-rows.json")).payload.slice(0, 8)));
      await rows();
      await page.click("[data-run]");
      await page.waitForSelector("section[data-tone]");
    },
    "a search that finds nothing": async () => {
      await pasted(text("derived/listRuns-edited-rows.json"));
      await rows();
      await page.click('[data-state-filter="Stale"]');
      await page.type("[data-pane=runs] input[name=search]", "parked");
      await page.waitForSelector("[data-field=no-match]");
    },
    "a list with sessions from before the vocabulary": async () => {
      const { sessions } = JSON.parse(readFileSync(vector("lionagi/captures/studio/sessions-list.json"), "utf8"));
      await pasted(
        JSON.stringify({ sessions: sessions.slice(0, 4).map((session, index) => (index > 1 ? { ...session, status: null } : session)) }),
      );
      await rows();
      await page.click("[data-field=legacy] summary");
    },
    "an export": async () => {
      await pasted(JSON.stringify(gate));
      await page.click('[data-action="export"]');
      await page.waitForSelector('form[data-form="export"]');
    },
    "traffic of a page without runs": () => observed([]),
    "the runs of a page's traffic": async () => {
      await observed(
        ["running", "failed", "waiting-timer"].map((status, index) => ({
          runId: `run-${index}`,
          workflowName: "release",
          status,
          startedAtMs: Date.now() - hours(75),
        })),
      );
      await rows();
    },
    "the runs of two systems": async () => {
      const { sessions } = JSON.parse(readFileSync(vector("lionagi/captures/studio/sessions-list.json"), "utf8"));
      const runs = ["running", "failed", "waiting-timer"].map((status, index) => ({
        runId: `run-${index}`,
        workflowName: "release",
        status,
        startedAtMs: Date.now() - hours(75),
      }));
      await observed(runs, sessions.slice(0, 4));
      await rows();
      await page.waitForSelector("[data-system]");
    },
    "an exported run from disk": async () => {
      await page.goto("about:blank");
      await focusPage(page);
      await install(page);
      await page.goto(`file://${exportedRun()}`);
      await page.waitForSelector("section[data-tone]");
      await page.waitForSelector('[data-field="incident"]');
    },
    "the events of a run": async () => {
      await pasted(readFileSync(vector("documents/valid/killed-a.log.ndjson"), "utf8"));
      await page.click("[data-view-switch=events]");
      await page.waitForSelector("[data-event]");
    },
    "a search that finds no event": async () => {
      await screens["the events of a run"]();
      await page.type("input[name=search-events]", "nowhere");
      await page.waitForFunction(() => document.querySelector("[data-field=log-searched]").textContent === "0 found");
    },
    "a run without events": async () => {
      await pasted(text("runs/fail-a/rpc-getDevToolsSnapshot.json"));
      await page.click("[data-view-switch=events]");
      await page.waitForSelector("[data-field=log-empty]:not([hidden])");
    },
    "evidence open": async () => {
      await pasted(text("crash/rpc-runs.get-killed-a-3-orphaned.json"));
      await page.click('[data-field="evidence"] summary');
    },
  };
  return { screens, visit, pasted };
}
