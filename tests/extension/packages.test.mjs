// What `cargo xtask package` writes: whole, of one version, and each archive runs in its browser.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, describe, test } from "node:test";
import linter from "addons-linter";
import { text } from "../support/captures.mjs";
import { openDevtools } from "../support/devtools.mjs";
import { openPanel } from "../support/firefox-panel.mjs";
import { built, root } from "../support/paths.mjs";
import { serve } from "../support/server.mjs";
import { filesOf } from "../support/zip.mjs";

const [, version] = readFileSync(join(root, "Cargo.toml"), "utf8").match(/^version = "(.+)"$/m);
const npm = `runstate-${version}.tgz`;
const zips = ["extension-chrome.zip", "extension-firefox.zip"];
const names = [...zips, npm, "runstate.html", "runstate.cdx.json"];
const bytes = (name) => readFileSync(built("release", name));
const folder = mkdtempSync(join(tmpdir(), "runstate-packages-"));
const inspected = await serve(undefined, {
  extra: { "/": "<!doctype html><html lang=en><title>Inspected</title><p>A page of somebody else.</p>" },
});
after(async () => {
  await inspected.close();
  rmSync(folder, { recursive: true });
});

test("five files and their checksums, nothing else", () => {
  assert.deepEqual(readdirSync(built("release")).sort(), ["SHA256SUMS", ...names].sort());
  const sums = names.sort().map((name) => `${createHash("sha256").update(bytes(name)).digest("hex")}  ${name}\n`);
  assert.equal(bytes("SHA256SUMS").toString(), sums.join(""));
});

test("each has the version of the workspace, and the files that were built", () => {
  for (const name of zips) {
    const files = filesOf(bytes(name));
    const manifest = JSON.parse(files.get("manifest.json"));
    assert.deepEqual([manifest.version, manifest.browser_specific_settings !== undefined], [version, name.includes("firefox")], name);
    const expected = readdirSync(built("extension"), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    assert.equal(files.size, expected.length, name);
    for (const [path, content] of files)
      if (path !== "manifest.json") assert.ok(content.equals(readFileSync(built("extension", path))), path);
  }
  const packed = JSON.parse(execFileSync("tar", ["-xzOf", built("release", npm), "package/package.json"], { encoding: "utf8" }));
  assert.deepEqual([packed.name, packed.version], ["runstate", version]);
  assert.ok(bytes("runstate.html").equals(readFileSync(built("runstate.html"))));
});

test("the stores' texts name what the packages are, and pictures that exist", () => {
  const limits = { chrome: 132, firefox: 250 };
  for (const [store, limit] of Object.entries(limits)) {
    const words = readFileSync(join(root, `docs/store/${store}.md`), "utf8");
    const [, summary] = words.match(/^\*\*Summary\*\* \(at most \d+ characters\)\. (.+)$/m);
    assert.ok(summary.length <= limit, `${store}: ${summary.length} characters`);
    const pictures = [...words.matchAll(/`(docs\/[^`]+\.png)`/g)].map(([, path]) => readFileSync(join(root, path)));
    assert.ok(pictures.length > 0, store);
    // The sizes that Chrome's store accepts; Mozilla's takes any.
    for (const picture of pictures) assert.deepEqual([picture.readUInt32BE(16), picture.readUInt32BE(20)], [1280, 800], store);
  }
});

test("Mozilla's linter finds no error in the archive for Firefox", async () => {
  const config = { _: [built("release", "extension-firefox.zip")], logLevel: "fatal", output: "none" };
  const { errors, notices, warnings } = await linter.createInstance({ config, runAsBinary: false }).run();
  // See lint.test.mjs.
  assert.deepEqual(
    [...errors, ...notices, ...warnings].map(({ code, file }) => `${code} ${file}`),
    ["UNSAFE_VAR_ASSIGNMENT runstate-panel.js"],
  );
});

describe("the panel runs from its archive", () => {
  const capture = text("runs/approval-a/rpc-getDevToolsSnapshot-waiting.json");

  test("unpacked, in Chromium's developer tools", async () => {
    const extension = join(folder, "chrome");
    for (const [path, content] of filesOf(bytes("extension-chrome.zip"))) {
      mkdirSync(dirname(join(extension, path)), { recursive: true });
      writeFileSync(join(extension, path), content);
    }
    const tools = await openDevtools(`${inspected.origin}/`, { extension });
    try {
      const { header } = await tools.inPanel(`runstateTest.paste(${JSON.stringify(capture)})`);
      assert.equal(header.state, "waiting-approval");
      assert.deepEqual(tools.complaints, []);
    } finally {
      await tools.close();
    }
  });

  test("installed, in Firefox's developer tools", async () => {
    const panel = await openPanel(`${inspected.origin}/`, { extension: built("release", "extension-firefox.zip") });
    try {
      const { header } = await panel.paste(capture);
      assert.equal(header.state, "waiting-approval");
      assert.deepEqual(await panel.complaints(), []);
    } finally {
      await panel.close();
    }
  });
});
