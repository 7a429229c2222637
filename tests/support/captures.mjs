// The recorded answers, one entry per document that a person could paste, with the run data that the answer itself
// contains.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { captures, vector } from "./paths.mjs";

function* files(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* files(path);
    else if (/\.(json|ndjson)$/.test(entry.name)) yield path;
  }
}

// An HTTP capture contains request and response; a person pastes the response's body.
function pasted(document) {
  if (document?.response && document.request) {
    const { body, bodyText } = document.response;
    return body === undefined ? bodyText : JSON.stringify(body);
  }
  return JSON.stringify(document);
}

// A line of a socket capture is `{t, dir, data | raw}`. A `devtools.event` is pasted as the snapshot inside it.
function frame(line) {
  if (line.dir === undefined) return line;
  if (line.dir !== "in" || line.data === undefined) return undefined;
  return line.data.payload?.event?.snapshot ?? line.data;
}

function* documents(path, name) {
  const text = readFileSync(path, "utf8");
  if (!path.endsWith(".ndjson")) {
    yield { name, text: pasted(JSON.parse(text)) };
    return;
  }
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const document = frame(JSON.parse(line));
    if (document !== undefined) yield { name: `${name}:${index + 1}`, text: pasted(document) };
  }
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The run data of a document: the view and the frame, as on the wire. */
export function said(text) {
  const document = parsed(text);
  const body = document?.payload ?? document?.data ?? document;
  if (body?.runState === undefined || body.runState === null) return undefined;
  return { view: body.runState, frameNo: body.frameNo, seq: body.seq };
}

/** The error in a document, in any of the forms of a Gateway or its command line. */
export function refused(text) {
  const document = parsed(text);
  if (document === undefined || Array.isArray(document) || document === null) return undefined;
  if (document.type === "res" && document.ok === false) return document.error;
  if (document.ok === false && document.error) return document.error;
  if (typeof document.code === "string" && typeof document.message === "string" && !("ok" in document)) return document;
  return undefined;
}

let read;

/** Every document of every capture: `{name, text}`. Vectors and database dumps are not documents that a person pastes. */
export function all() {
  read ??= documentsOfAll();
  return read;
}

function documentsOfAll() {
  const found = [];
  for (const path of files(captures)) {
    const name = relative(captures, path).split(sep).join("/");
    if (name.includes("vectors")) continue;
    for (const document of documents(path, name)) if (document.text !== undefined) found.push(document);
  }
  return found;
}

/** One capture's text by its name, as `all` names it. */
export function text(name) {
  const found = all().find((document) => document.name === name);
  if (!found) throw new Error(`No capture is named ${name}`);
  return found.text;
}

/** The files of a captured run of tnh-conductor after its last write. */
export function runFiles(run) {
  const files = new Map();
  for (const line of readFileSync(vector(`conductor/runs/${run}/writes.ndjson`), "utf8")
    .trim()
    .split("\n")) {
    const { op, file, content } = JSON.parse(line);
    files.set(file, op === "replace" ? content : (files.get(file) ?? "") + content);
  }
  return [...files].map(([name, text]) => ({ name, text }));
}
