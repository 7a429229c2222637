// Features without a command in WebDriver BiDi, implemented in Firefox's own windows.

/** Calls a function with these JSON values in the window of the browser, and returns its JSON value. */
export async function inWindow(browser, call, ...values) {
  const { contexts } = await send(browser, "browsingContext.getTree", { "moz:scope": "chrome", maxDepth: 0 });
  const expression = `(async () => JSON.stringify(await (${call})(...${JSON.stringify(values)})))()`;
  const answer = await send(browser, "script.evaluate", { expression, target: { context: contexts[0].context }, awaitPromise: true });
  if (answer.type === "exception") throw new Error(`in the browser's window: ${answer.exceptionDetails.text}`);
  return answer.result.type === "string" ? JSON.parse(answer.result.value) : undefined;
}

/** Sends a command of BiDi, and returns its result. */
export async function send(browser, method, parameters) {
  return (await browser.connection.send(method, parameters)).result;
}

/** Calls `handle` with every event of this name. */
export async function on(browser, event, handle) {
  browser.connection.on(event, handle);
  await send(browser, "session.subscribe", { events: [event] });
}

/** The id of the page's tab in BiDi. */
export const tabOf = (page) => page.mainFrame()._id;

// Runs in the browser's window; `none` is the system's preference, and the empty medium the screen.
function override(tab, { scheme = "none", forced = false, motion = "none", medium = "" }) {
  const { NavigableManager } = ChromeUtils.importESModule("chrome://remote/content/shared/NavigableManager.sys.mjs");
  const context = NavigableManager.getBrowsingContextById(tab);
  context.prefersColorSchemeOverride = scheme;
  context.forcedColorsOverride = forced ? "active" : "none";
  context.prefersReducedMotionOverride = motion;
  context.mediumOverride = medium;
}

/** Sets the system preferences of a page until the returned function is called. */
export async function preferInFirefox(page, preference) {
  const set = (values) => inWindow(page.browser(), override, tabOf(page), values);
  await set(preference);
  return () => set({});
}

// Runs in the browser's window; the frame script runs in the page's process. Weak references live until their task ends.
async function collect(tab) {
  const { NavigableManager } = ChromeUtils.importESModule("chrome://remote/content/shared/NavigableManager.sys.mjs");
  const { messageManager } = NavigableManager.getBrowsingContextById(tab).top.embedderElement;
  const script = () => {
    for (let time = 0; time < 3; time++) {
      Components.utils.forceGC();
      Components.utils.forceCC();
    }
    sendAsyncMessage("collected-of-test");
  };
  const collected = new Promise((done) => messageManager.addMessageListener("collected-of-test", done));
  messageManager.loadFrameScript(`data:application/javascript,${encodeURIComponent(`(${script})()`)}`, false);
  await collected;
}

/** Frees all unreferenced objects of the page. */
export const collectGarbageInFirefox = (page) => inWindow(page.browser(), collect, tabOf(page));
