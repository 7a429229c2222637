// The messages between `<runstate-panel frame>` (frame.js) and the panel in its frame (www/frame.js, whose folder gets a copy of this
// file). Each is an object with one of these `type`s and the fields that are listed with it; both sides ignore everything else.

const isText = (value) => typeof value === "string";
const isError = (value) => isText(value?.message);

/** From the page to the frame. */
export const fromPage = {
  /** To the window of the frame, with the port for all other messages. Optional: `view` and `theme`, as `setView` and `setTheme` take them. */
  "runstate-port": {},
  /** Calls a method of the panel (`start` in www/mount.js) or `setTheme`. */
  request: { id: Number.isSafeInteger, method: isText, values: Array.isArray },
};

/** From the frame to the page. */
export const fromFrame = {
  /** The frame has received the port. */
  hello: {},
  /** The number of bytes of the panel that have been loaded. */
  loading: { bytes: Number.isFinite },
  /** The panel has started. */
  ready: {},
  /** The panel cannot start: `{code, message, hint}`. */
  failed: { error: isError },
  /** The result of a request: `value`, or `error` as above. */
  response: { id: Number.isSafeInteger },
  /** An event of the panel (`HostEvent` in devtools-panel/src/store/host_page.rs) with its `value`. */
  report: { kind: isText },
};

/** Whether `data` is a message of one of these types. */
export function isMessage(data, types) {
  if (typeof data !== "object" || data === null || !Object.hasOwn(types, data.type)) return false;
  return Object.entries(types[data.type]).every(([field, is]) => is(data[field]));
}
