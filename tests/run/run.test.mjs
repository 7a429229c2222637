// `cargo xtask run` builds the panel and serves it.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { root } from "../support/paths.mjs";

test("serves the page, its scripts and the module on loopback", { timeout: 600_000 }, async (t) => {
  // A process group, because Cargo starts xtask and xtask starts trunk.
  const child = spawn("cargo", ["xtask", "run", "--no-open", "--port", "0"], {
    cwd: root,
    detached: true,
    stdio: ["ignore", "pipe", "inherit"],
  });
  t.after(() => process.kill(-child.pid, "SIGTERM"));

  const origin = await new Promise((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`cargo xtask run ended with ${code}`)));
    createInterface({ input: child.stdout }).on("line", (line) => {
      const address = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
      if (address) resolve(address);
    });
  });
  const page = await served(`${origin}/`, child);
  assert.match(await page.text(), /<title>Runstate<\/title>/);
  assert.match(page.headers.get("content-security-policy"), /default-src 'none'.*frame-ancestors 'self'/, "no other site frames it");
  assert.equal(page.headers.get("x-content-type-options"), "nosniff");
  for (const [file, type] of [
    ["boot.js", /javascript/],
    ["worker.js", /javascript/],
    ["runstate-panel.js", /javascript/],
  ]) {
    const response = await fetch(`${origin}/${file}`);
    assert.equal(response.status, 200, file);
    assert.match(response.headers.get("content-type"), type, file);
  }
  const module = await fetch(`${origin}/runstate-panel_bg.wasm`);
  assert.equal(module.headers.get("content-type"), "application/wasm");
  assert.ok(WebAssembly.validate(await module.arrayBuffer()));
});

/** Requests an address until the server listens, which it does after the build. */
async function served(url, child) {
  while (child.exitCode === null) {
    try {
      return await fetch(url);
    } catch {
      await setTimeout(250);
    }
  }
  throw new Error("cargo xtask run ended before it served");
}
