// The worker that reads documents.
import init, * as documents from "./documents.js";
import { refusal, serve, stop } from "./worker.js";

// A larger file is looked at before it is read: an event log is then read part by part, and told while it is.
const LARGE = 1 << 24;
const FIRST = 1 << 20;
const PART = 1 << 22;

async function open(files, origin) {
  const [{ name, content }] = files;
  if (files.length === 1 && content.size > LARGE) {
    const first = await bytesOf(name, content.slice(0, FIRST));
    const began = documents.begin(name, first, content.size, origin);
    if (began !== undefined) {
      goOn(content, began).catch(stop);
      return began;
    }
  }
  return documents.open(await pairs(files), origin);
}

// Reads the rest, each part while the one before it is worked on. Between two of them other wishes are met.
async function goOn(content, began) {
  const part = (from) => content.slice(from, from + PART).arrayBuffer().then((buffer) => new Uint8Array(buffer), () => undefined);
  let next = part(FIRST);
  for (let from = FIRST + PART; ; from += PART) {
    const now = await next;
    if (from < content.size) next = part(from);
    if (!documents.go_on(began, now)) return;
  }
}

const save = async (files, ...how) => documents.save(await pairs(files), ...how);

// Each file becomes a pair of its name and its bytes.
const pairs = (files) => Promise.all(files.map(async ({ name, content }) => [name, await bytesOf(name, content)]));

async function bytesOf(name, content) {
  if (typeof content === "string") return new TextEncoder().encode(content);
  try {
    return new Uint8Array(await content.arrayBuffer());
  } catch {
    throw refusal(`The browser could not read ${name}.`, "It may have been moved or changed; choose it again.");
  }
}

serve(init, { ...documents, open, save }, "documents_bg.wasm");
