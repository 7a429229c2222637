// Converts the panel's reports to the types that the package's functions return.

const text = (spans) => spans.map((span) => span.text).join("");

function field(header, ...names) {
  const found = header.fields.find(({ field }) => names.includes(field));
  if (!found) return undefined;
  const { value } = found.value;
  return value.iso ?? value.text ?? value;
}

/** The header's state as a `RunStateView` with the vocabulary of its word, `kind`; `undefined` if no run is shown. */
export function viewOf(header) {
  if (!header) return undefined;
  const { state, taxonomy: kind, blocked, unhealthy } = header;
  const view = { runId: field(header, "runId", "sessionId"), kind, state, computedAt: field(header, "computedAt", "updatedAt") };
  if (blocked !== undefined) view.blocked = { kind: blocked };
  if (unhealthy !== undefined) view.unhealthy = { kind: unhealthy };
  return view;
}

/** The reason as a sentence. */
export const reasonOf = (header) => (header ? text(header.answer.sentence) : undefined);

/** The word of the freshness: `live`, `recorded`, … */
export const freshnessOf = (header) => header?.freshness.value;

/** Converts files of any kind to the panel's form: `{files: {name, content}[], name}`. */
export function toFiles(input) {
  const list = isList(input) ? [...input] : [input];
  if (list.length === 0) throw invalid("an empty list");
  const files = list.map(toFile);
  const first = files[0].name ?? "the page's document";
  return { files, name: files.length === 1 ? first : `${first} and ${files.length - 1} more` };
}

// A list of rows is one document, a list of files is several.
const isBytes = (item) => ArrayBuffer.isView(item) || item instanceof ArrayBuffer;
const isFile = (item) => typeof item === "string" || item instanceof Blob || isBytes(item);
const isFileList = (input) => Object.prototype.toString.call(input) === "[object FileList]";
const isList = (input) => isFileList(input) || (Array.isArray(input) && (input.length === 0 || input.every(isFile)));

function toFile(item) {
  if (item instanceof File) return { name: item.webkitRelativePath || item.name, content: item };
  if (item instanceof Blob) return { name: undefined, content: item };
  if (typeof item === "string") return { content: item };
  if (isBytes(item)) return { content: new Blob([/** @type {BlobPart} */ (item)]) };
  if (item === null || typeof item !== "object") throw invalid(item === null ? "null" : typeof item);
  return { content: JSON.stringify(item) };
}

function invalid(found) {
  const error = new TypeError(`Expected text, bytes, a file, a list of them, or an object to open, found ${found}.`);
  return Object.assign(error, { code: "INVALID_DOCUMENT" });
}
