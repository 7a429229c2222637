// Every screen of the panel, each from a fresh page, so that no screen depends on another.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { focusPage } from "./browser.mjs";
import { text } from "./captures.mjs";
import { group, snapshot, task, view } from "./make.mjs";
import { drop, open, paste } from "./panel.mjs";
import { vector } from "./paths.mjs";

export const gate = snapshot("run-with-gate", [group(2, "sequence", 1, [task(3, "prepare", 2), task(4, "gate", 2, { kind: "approval", state: "waiting-approval", label: "Ship it?" }), task(5, "publish", 2, { state: "pending" })])], {
  runState: view("run-with-gate", "waiting-approval", { blocked: { kind: "approval", nodeId: "gate", requestedAt: "2026-11-21T21:10:30.000Z" } }),
});

/** The screens by their names, each a function that shows it; `visit` opens an address, `pasted` a document. */
export function screensOf(page, origin) {
  const visit = async (hash = "") => {
    await page.goto("about:blank");
    await focusPage(page);
    await open(page, `${origin}/${hash}`);
  };
  const pasted = async (document) => {
    await visit("#connect");
    const seen = await paste(page, document);
    assert.equal(seen.connect, false, seen.error?.text);
  };
  // The rows of a list come after its screen.
  const rows = () => page.waitForSelector("[data-run] [data-taxonomy]");
  const screens = {
    "the connect screen": () => visit("#connect"),
    "the example run": () => visit(),
    "a failed run": () => pasted(text("runs/fail-a/rpc-getDevToolsSnapshot.json")),
    "a run that waits": () => pasted(JSON.stringify(gate)),
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
    // Few enough for every row to be in sight.
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
      await pasted(JSON.stringify({ sessions: sessions.slice(0, 4).map((session, index) => (index > 1 ? { ...session, status: null } : session)) }));
      await rows();
      await page.click("[data-field=legacy] summary");
    },
    "an export": async () => {
      await pasted(JSON.stringify(gate));
      await page.click('[data-action="export"]');
      await page.waitForSelector('form[data-form="export"]');
    },
    "evidence open": async () => {
      await pasted(text("crash/rpc-runs.get-killed-a-3-orphaned.json"));
      await page.click('[data-field="evidence"] summary');
    },
  };
  return { screens, visit, pasted };
}
