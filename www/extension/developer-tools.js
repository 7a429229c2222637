// Calls the functions of `chrome.devtools`.

/** The maximum wait for a reply, in milliseconds. */
const MAX_REPLY_WAIT_MS = 5000;

/** Calls a function of the developer tools, which takes a callback in Chromium and may return a promise in Firefox. */
export function callDevTools(call) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("the developer tools do not respond")), MAX_REPLY_WAIT_MS);
    const onReply = (value) => {
      clearTimeout(timer);
      // Firefox logs errors that were not read, such as that of a body whose page is gone.
      resolve(globalThis.chrome?.runtime?.lastError ? undefined : value);
    };
    call(onReply)?.then?.(onReply, reject);
  });
}
