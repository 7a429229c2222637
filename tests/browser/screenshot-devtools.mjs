// Takes the screenshot of the developer tools: `node tests/browser/screenshot-devtools.mjs` writes docs/screenshots/devtools.png.
//
// A page asks two Gateways for their runs; the extension shows them in real developer tools, docked under that page.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { openDevtools } from "../support/devtools.mjs";
import { view } from "../support/make.mjs";
import { root } from "../support/paths.mjs";
import { serve } from "../support/server.mjs";
import { see } from "../support/traffic.mjs";

const size = { width: 1280, height: 800 };
const pageHeight = 220;
const minute = 60_000;
const start = Date.now();

const row = (runId, workflowName, state, minutes, more = {}) => ({ runId, workflowName, status: "running", runtimeOwnerId: "pid:4711:engine", heartbeatAtMs: Date.now(), startedAtMs: start - minutes * minute, runState: view(runId, state, { computedAt: new Date().toISOString(), ...more }) });
const approval = (nodeId, minutes) => ({ blocked: { kind: "approval", nodeId, requestedAt: new Date(start - minutes * minute).toISOString() } });
const timer = (nodeId, minutes) => ({ blocked: { kind: "timer", nodeId, wakeAt: new Date(start + minutes * minute).toISOString() } });
const runsOf = {
  release: () => [row("release-41", "release-train", "waiting-approval", 26, approval("ship-it", 9)), row("release-40", "release-train", "succeeded", 190), row("hotfix-7", "release-train", "failed", 75)],
  research: () => [row("survey-12", "literature-survey", "running", 14), row("digest-88", "daily-digest", "waiting-timer", 32, timer("next-morning", 41))],
};

const gateway = (name) =>
  serve(undefined, {
    extra: { "/": page },
    handle: (request, response) => {
      const headers = { "access-control-allow-origin": "*", "access-control-allow-headers": "content-type", "content-type": "application/json" };
      if (request.url !== "/rpc") return false;
      response.writeHead(200, headers).end(request.method === "POST" ? JSON.stringify({ ok: true, apiVersion: "v1", payload: runsOf[name]() }) : "");
      return true;
    },
  });

const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Operations</title><link rel="icon" href="data:,">
<style>body { font: 15px system-ui, sans-serif; margin: 24px 32px; color: #15181d } td { padding: 4px 24px 4px 0 }</style>
<h1>Operations</h1><table></table>
<script>
  const table = document.querySelector("table");
  const poll = async () => {
    const ask = (at) => fetch(at + "/rpc", { method: "POST", headers: { "content-type": "application/json" }, body: '{"method":"listRuns"}' }).then((answer) => answer.json());
    const answers = await Promise.all(["", decodeURIComponent(location.hash.slice(1))].map(ask));
    table.replaceChildren(...answers.flatMap(({ payload }) => payload).map(({ runId, workflowName }) => {
      const cells = [workflowName, runId].map((text) => Object.assign(document.createElement("td"), { textContent: text }));
      const row = document.createElement("tr");
      row.append(...cells);
      return row;
    }));
  };
  poll();
  setInterval(poll, 1000);
</script></html>`;

/** Docks the developer tools under the page, at the size of the picture. */
async function dock({ front, inFront }) {
  await front.send("Emulation.setDeviceMetricsOverride", { ...size, deviceScaleFactor: 1, mobile: false });
  await inFront(`(async () => {
    const { DockController } = await import("./ui/legacy/legacy.js");
    DockController.DockController.instance().setDockSide("bottom");
    await new Promise((painted) => requestAnimationFrame(() => setTimeout(painted)));
  })()`);
  // The edge of the developer tools is dragged.
  const edge = await inFront(`[...document.querySelectorAll("*")].flatMap(({ shadowRoot }) => [...(shadowRoot?.querySelectorAll(".shadow-split-widget-resizer") ?? [])]).map((each) => each.getBoundingClientRect()).filter(({ width }) => width === innerWidth).map(({ y, height }) => y + height / 2)[0]`);
  for (const [type, y] of [["mousePressed", edge], ["mouseMoved", pageHeight], ["mouseReleased", pageHeight]]) {
    await front.send("Input.dispatchMouseEvent", { type, x: size.width / 2, y, button: "left", buttons: 1, clickCount: 1 });
  }
}

/** Draws the inspected page above the developer tools, which a screenshot of them lacks. */
async function drawPage({ page: inspected, inFront }) {
  await inspected.setViewport({ width: size.width, height: pageHeight });
  // For a moment the browser shows the new size.
  await new Promise((gone) => setTimeout(gone, 3000));
  const picture = await inspected.screenshot({ encoding: "base64" });
  await inFront(`(async () => {
    const image = Object.assign(new Image(), { src: "data:image/png;base64,${picture}" });
    Object.assign(image.style, { position: "fixed", top: 0, left: 0, zIndex: 1000 });
    await image.decode();
    document.body.append(image);
  })()`);
}

const [near, far] = await Promise.all([gateway("release"), gateway("research")]);
const tools = await openDevtools(`${near.origin}/#${encodeURIComponent(far.origin)}`);
try {
  await see(tools, "the runs of both Gateways", ({ servers, counts }) => Object.keys(servers).length === 2 && /^[1-9]/.test(counts));
  await dock(tools);
  await drawPage(tools);
  await tools.inPanel("runstateTest.painted()");
  const { data } = await tools.front.send("Page.captureScreenshot", { format: "png" });
  writeFileSync(process.argv[2] ?? join(root, "docs/screenshots/devtools.png"), Buffer.from(data, "base64"));
} finally {
  await tools.close();
  await Promise.all([near.close(), far.close()]);
}
