// Starts a real Gateway with demo runs, which serves the panel too: `cargo xtask run --gateway`.
//
//   node tests/gateway/demo.mjs DASHBOARD PORT [--open]
import { spawn } from "node:child_process";
import { OPERATOR_TOKEN, startGateway } from "./gateway.mjs";

/** Workflow and input of each run; the panel opens on the first. */
const RUNS = {
  approval: { ms: 8000 },
  timer: { seconds: 600 },
  event: {},
  slow: { seconds: 900 },
  loop: { times: 60, ms: 2000 },
  wide: { count: 200, ms: 400 },
  fail: {},
  finish: {},
};

const [dashboard, port, open] = process.argv.slice(2);
const [first] = Object.keys(RUNS);
// What the panel requests for `#gateway`. The token is in a file of the same origin, because an address would be kept in the
// browser's history.
const suggested = { url: `ws://127.0.0.1:${port}`, token: OPERATOR_TOKEN, runId: `${first}-1` };
const gateway = await startGateway({ port: Number(port), dashboard, files: { "gateway.json": JSON.stringify(suggested) } });
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => gateway.stop().then(() => process.exit()));
for (const [workflow, input] of Object.entries(RUNS)) await gateway.launch(workflow, input, `${workflow}-1`);

const address = `${gateway.http}/runstate/#gateway`;
console.log(`Gateway:  ${gateway.url}\nToken:    ${OPERATOR_TOKEN}\nRunstate: ${address}\nCtrl-C ends both.`);
if (open) {
  const opener = { darwin: "open", win32: "explorer" }[process.platform] ?? "xdg-open";
  spawn(opener, [address], { stdio: "ignore" }).on("error", () => console.log("No browser was found: open the address yourself."));
}
