// Arguments as plain values, read before WebAssembly holds anything: what a getter does is done by then. Whatever cannot be read
// is refused with a code; what the caller's own functions throw comes out as it was thrown.

const BYTES = "a text, a Uint8Array or an ArrayBuffer";

/** The last millisecond that a `Date` can hold. */
const LAST = 8.64e15;

const isObject = (value) => value !== null && ["object", "function"].includes(typeof value);

/** A value as a refusal calls it. */
function found(value) {
  if (value === undefined) return "nothing";
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "number") return `the number ${value}`;
  if (typeof value === "string") return `the text ${JSON.stringify(value.slice(0, 40))}${value.length > 40 ? "…" : ""}`;
  if (typeof value !== "object") return "a value of another type";
  try {
    return Array.isArray(value) ? "a list" : "an object";
  } catch {
    return "a proxy that was revoked";
  }
}

const invalid = (message, path, cause) =>
  Object.assign(new TypeError(message, cause && { cause }), { code: "INVALID_INPUT", position: { path } });

/** Throws that an argument is not what its type says. */
export function refuse(path, expected, value, what = found(value)) {
  throw invalid(`expected ${expected} for ${path}, found ${what}`, path);
}

/** What the engine says of a value that cannot be read (a revoked proxy, a text that is too long) has no code of its own. */
function coded(error, path) {
  if (error?.thrownByCaller) return error.thrownByCaller[0];
  const foreign = (error instanceof TypeError || error instanceof RangeError) && error.code === undefined;
  return foreign ? invalid(`${path} cannot be read: ${error.message}`, path, error) : error;
}

/** A call whose every error has a code. */
export function guarded(call, path = "arguments") {
  try {
    return call();
  } catch (error) {
    throw coded(error, path);
  }
}

/** The bytes of a document; a text stays one. */
export function bytesOf(value, path) {
  if (typeof value === "string") return value;
  const memory = guarded(() => (value instanceof Uint8Array ? value.buffer : value instanceof ArrayBuffer && value), path);
  if (!memory) refuse(path, BYTES, value);
  try {
    return value === memory ? new Uint8Array(memory) : new Uint8Array(memory, value.byteOffset, value.byteLength);
  } catch {
    return refuse(path, BYTES, value, "memory that was handed on (a detached ArrayBuffer)");
  }
}

/** A list as it is now, with items of its own; anything else as it is. */
export const listOf = (value) => (Array.isArray(value) ? Array.from(value) : value);

/** The options with these names, each read once. */
export function optionsOf(value, names, path = "options") {
  if (value === undefined) return undefined;
  if (!isObject(value) || Array.isArray(value)) refuse(path, "an object or nothing", value);
  return Object.fromEntries(names.map((name) => [name, value[name]]));
}

/** The same where no other name may be given: one that is misspelled would let everything through. */
export function strictOptionsOf(value, names, path) {
  const options = optionsOf(value, names, path);
  const other = options && Object.keys(value).find((name) => !names.includes(name));
  if (other !== undefined) refuse(`${path}.${other}`, `one of ${names.join(", ")} instead`, value[other]);
  return options;
}

/** A moment, milliseconds since 1970, or nothing for the clock's. */
export function momentOf(value, path) {
  if (value !== undefined && typeof value !== "number") refuse(path, "milliseconds since 1970", value);
  if (value === undefined || Math.abs(value) <= LAST) return value;
  const message = `expected milliseconds between -8.64e15 and 8.64e15, found ${value}`;
  throw Object.assign(new RangeError(message), { code: "INVALID_TIME" });
}

/** The number of a row. */
export const rowOf = (value, path) =>
  typeof value === "number" && value >= 0 ? value : refuse(path, "a number of a row, from 0", value);

/** A value that holds others: what is none would only be written out to be refused. */
export const objectOf = (value, path) => (isObject(value) ? value : refuse(path, "an object", value));

/** A document: its bytes, or those of each of its files. */
export function documentOf(value) {
  if (!Array.isArray(value)) return bytesOf(value, "document");
  if (value.length === 0) refuse("document", `${BYTES}, or a list of files`, value, "an empty list");
  return Array.from(value, (file, place) => {
    const path = `document[${place}]`;
    const { bytes, name } = isObject(file) ? file : {};
    return { bytes: bytesOf(bytes, `${path}.bytes`), name };
  });
}

/** Files by their relative paths. */
export function filesOf(value) {
  if (!isObject(value) || Array.isArray(value)) refuse("files", "an object of files by relative path", value);
  const entries = Object.entries(value);
  return Object.fromEntries(entries.map(([name, bytes]) => [name, bytesOf(bytes, `files["${name}"]`)]));
}

/** A method of an adapter, called as one. */
export function callOf(adapter, method, given) {
  const own = guarded(() => (isObject(adapter) ? adapter[method] : refuse("adapter", "an object", adapter)), "adapter");
  if (typeof own !== "function") refuse(`adapter.${method}`, "a function", own);
  const answer = own.apply(adapter, given);
  // What it throws is the caller's; that its answer cannot even be awaited is ours to say.
  if (isObject(answer)) guarded(() => answer.then, method);
  return answer;
}
