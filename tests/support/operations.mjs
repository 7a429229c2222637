// A page that asks two servers, which answer like Gateways, for their runs every second.
import { view } from "./make.mjs";
import { serve } from "./server.mjs";

const minute = 60_000;
const start = Date.now();

const row = (runId, workflowName, state, minutes, more = {}) => ({
  runId,
  workflowName,
  status: state === "succeeded" ? "finished" : state,
  runtimeOwnerId: "pid:4711:engine",
  heartbeatAtMs: Date.now(),
  startedAtMs: start - minutes * minute,
  runState: view(runId, state, { computedAt: new Date().toISOString(), ...more }),
});
const approval = (nodeId, minutes) => ({
  blocked: { kind: "approval", nodeId, requestedAt: new Date(start - minutes * minute).toISOString() },
});
const timer = (nodeId, minutes) => ({ blocked: { kind: "timer", nodeId, wakeAt: new Date(start + minutes * minute).toISOString() } });
const runsOf = {
  release: () => [
    row("release-41", "release-train", "waiting-approval", 26, approval("ship-it", 9)),
    row("release-40", "release-train", "succeeded", 190),
    row("hotfix-7", "release-train", "failed", 75),
  ],
  research: () => [
    row("survey-12", "literature-survey", "running", 14),
    row("digest-88", "daily-digest", "waiting-timer", 32, timer("next-morning", 41)),
  ],
};

const gateway = (name) =>
  serve(undefined, {
    extra: { "/": page },
    handle: (request, response) => {
      const headers = {
        "access-control-allow-origin": "*",
        "access-control-allow-headers": "content-type",
        "content-type": "application/json",
      };
      if (request.url !== "/rpc") return false;
      response
        .writeHead(200, headers)
        .end(request.method === "POST" ? JSON.stringify({ ok: true, apiVersion: "v1", payload: runsOf[name]() }) : "");
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

/** Starts both servers and the page: the page's address, and `close`. */
export async function operations() {
  const [near, far] = await Promise.all([gateway("release"), gateway("research")]);
  return {
    address: `${near.origin}/#${encodeURIComponent(far.origin)}`,
    close: () => Promise.all([near.close(), far.close()]),
  };
}
