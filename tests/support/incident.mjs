// The contents of an exported page, and the secrets of its files, which must not be in it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { gunzipSync, inflateSync } from "node:zlib";

/** The data of an exported page: its text, its export, and the chosen row. */
export function inside(html) {
  const [, data] = html.match(/<script type="application\/json" id="document" data-part>(.*?)<\/script>/s);
  const { runstatePage, exportedAt, document, run } = JSON.parse(data);
  assert.equal(runstatePage, 1);
  assert.ok(Number.isFinite(exportedAt));
  return { data, document, run };
}

// Without `-` and `_`. The values of path keys belong to the machine.
const pathKeys = new Set(["artifactspath", "cwd", "stateroot"]);
const secretKeys = new Set([
  "apikey",
  "artifactsroot",
  "authorization",
  "clientsecret",
  "configjson",
  "cookie",
  "password",
  "reporoot",
  "rootdir",
  "secret",
  "setcookie",
  "token",
  "tokenid",
  "userid",
  "vcsroot",
  "workflowpath",
  "workspaceroot",
  "worktreepath",
  "xsmitherskey",
]);

function parsed(text) {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Calls `handle` with every string of a value and its key, including strings inside strings that are JSON. */
function visit(value, handle, key = "") {
  if (typeof value === "string") {
    handle(value, key);
    visit(parsed(value), handle, key);
  } else if (value && typeof value === "object") {
    for (const [name, each] of Object.entries(value)) visit(each, handle, Array.isArray(value) ? key : name);
    // The headers of recorded traffic.
    if (typeof value.name === "string" && typeof value.value === "string") handle(value.value, value.name);
  }
}

/** The values under keys of secrets, and the home directories, in files of JSON or JSON lines. */
export function secretsOf(paths) {
  const found = new Set();
  const collect = (text, key) => {
    const word = key.toLowerCase().replaceAll(/[-_]/g, "");
    if ((secretKeys.has(word) && text.length >= 6) || (pathKeys.has(word) && text.startsWith("/"))) found.add(text);
    for (const [home] of text.matchAll(/\/(?:home|Users)\/\w+/g)) found.add(home);
  };
  for (const path of paths) {
    const text = readFileSync(path, "utf8");
    const whole = parsed(text);
    for (const document of whole ? [whole] : text.split("\n").filter(Boolean).map(JSON.parse)) visit(document, collect);
  }
  return [...found];
}

/** All readable content of a page's document: its text, its strings, and content packed as base64 or compressed. */
export function readable(html) {
  const { data, document } = inside(html);
  const texts = [data, document];
  visit(JSON.parse(document), (text) => texts.push(text));
  for (const [packed] of texts.flatMap((text) => [...text.matchAll(/[A-Za-z0-9+/]{24,}={0,2}/g)])) {
    const bytes = Buffer.from(packed, "base64");
    texts.push(bytes.toString("latin1"), unpacked(bytes));
  }
  return texts.join("\n");
}

function unpacked(bytes) {
  const unpack = bytes.readUInt16BE() === 0x1f8b ? gunzipSync : bytes[0] === 0x78 ? inflateSync : undefined;
  try {
    return unpack ? unpack(bytes).toString("latin1") : "";
  } catch {
    // An id that begins like compressed bytes.
    return "";
  }
}
