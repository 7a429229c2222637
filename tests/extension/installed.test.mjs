// The npm package as `cargo xtask package` packs it, installed in a folder of its own: a real Gateway mounts its `runstate/gateway`, and a
// page uses its elements.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { freshness, state } from "../support/live.mjs";
import { built } from "../support/paths.mjs";
import { serve } from "../support/server.mjs";
import { stage } from "../support/stage.mjs";
import { TIMEOUT } from "../support/timeout.mjs";
import { OPERATOR_TOKEN, startGateway } from "../gateway/gateway.mjs";

const folder = mkdtempSync(join(tmpdir(), "runstate-installed-"));
after(() => rmSync(folder, { recursive: true, force: true }));
writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }');
const [archive] = readdirSync(built("release")).filter((name) => name.endsWith(".tgz"));
// It depends on no other package.
execFileSync("npm", ["install", "--offline", "--no-audit", "--no-fund", built("release", archive)], { cwd: folder, timeout: 4 * TIMEOUT });
const { resolve } = createRequire(join(folder, "package.json"));
const installed = dirname(resolve("runstate/package.json"));

const body = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Fleet</title><link rel="icon" href="data:,">
  <script type="module" src="/elements/define.js"></script><main><h1>Fleet</h1><runstate-panel>Run</runstate-panel></main>`;
const [gateway, host] = await Promise.all([
  startGateway({ routes: resolve("runstate/gateway") }),
  serve(installed, { extra: { "/page.html": body } }),
]);
after(() => Promise.all([gateway.stop(), host.close()]));
const { newPage } = await stage();

test("its Gateway serves every file of the installed dashboard", async () => {
  const panel = join(installed, "elements/panel");
  const files = readdirSync(panel, { recursive: true }).filter((path) => statSync(join(panel, path)).isFile());
  assert.ok(files.length > 10, `${files.length} files`);
  for (const path of files) {
    const response = await fetch(`${gateway.http}/runstate/${path}`);
    assert.equal(response.status, 200, path);
    const text = Buffer.from(await response.arrayBuffer());
    // The page has a mark, and is otherwise the same.
    if (path !== "index.html") assert.ok(text.equals(readFileSync(join(panel, path))), path);
    else assert.equal(text.toString().replace(/\n *<meta name="runstate-gateway"[^>]*>/, ""), readFileSync(join(panel, path), "utf8"));
  }
});

test("a run is followed from its approval to its end: in the dashboard on the Gateway, and in an element of another page", async () => {
  const runId = await gateway.launch("approval");
  await gateway.waitForState(runId, "waiting-approval");
  const [dashboard, other] = [await newPage(), await newPage()];
  const row = `[data-screen="runs"] [data-run="${runId}"]`;
  await dashboard.page.goto(`${gateway.http}/v1/auth/session?token=${OPERATOR_TOKEN}&next=/runstate/`);
  await dashboard.page.waitForSelector(row);
  await dashboard.page.click(row);
  await state(dashboard.page, "waiting-approval");
  await freshness(dashboard.page, "live");

  await other.page.goto(`${host.origin}/page.html`);
  await other.page.evaluate((options) => document.querySelector("runstate-panel").connect(options), {
    url: gateway.url,
    token: OPERATOR_TOKEN,
    run: runId,
  });
  const shows = (word) =>
    other.page.waitForFunction((wanted) => document.querySelector("runstate-panel").runState?.state === wanted, {}, word);
  await shows("waiting-approval");

  await gateway.approve(runId, "release-gate");
  await Promise.all([state(dashboard.page, "succeeded"), shows("succeeded")]);
  await Promise.all([dashboard.close(), other.close()]);
});
