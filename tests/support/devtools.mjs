// The built extension in the real DevTools of a real browser.
import { launch, until } from "./browser.mjs";
import { built } from "./paths.mjs";
import { toolPanel } from "./tool-panel.mjs";

const title = "Runstate";

/**
 * Starts a browser with the extension, which is a folder, and DevTools, goes to `url`, and opens the panel; see `toolPanel`.
 *
 * `inCollector` and `inFront` evaluate an expression in the collector of traffic and in DevTools itself. `clipboard` is the text in
 * the clipboard, as the page reads it.
 * `complaints` are errors, warnings and policy violations of the panel. With `late`, DevTools is opened after the promise that it
 * returns for the page; else it is there before the page is loaded. The panel is opened after the promise of `beforePanel`. `args` are
 * further options of Chromium.
 */
export async function openDevtools(url, { late, beforePanel, extension = built("extension"), args = [] } = {}) {
  const opening = late ? [] : ["--auto-open-devtools-for-tabs"];
  const browser = await launch({ browser: "chromium", devtools: !late, enableExtensions: [extension], args: [...opening, ...args] });
  const page = (await browser.pages())[0];
  const tools = { browser, page, complaints: [], messages: [] };
  const panel = toolPanel({
    evaluate: (expression) => evaluator(tools.panel)(expression),
    press: (x, y) => press(tools, x, y),
    picture: async () => Buffer.from((await tools.front.send("Page.captureScreenshot")).data, "base64"),
    messages: () => tools.messages,
    close: () => browser.close(),
  });
  Object.assign(tools, panel, { clipboard: () => clipboard(tools, new URL(url).origin) });
  try {
    if (late) {
      await page.goto(url);
      await late(page);
      await page.openDevTools();
    }
    await openTools(tools);
    if (!late) await page.goto(url);
    await beforePanel?.(tools);
    await openPanel(tools);
  } catch (error) {
    await tools.close();
    throw error;
  }
  return tools;
}

async function openTools(tools) {
  const { browser } = tools;
  const devtools = await until("the DevTools window", () => browser.targets().find((target) => target.url().startsWith("devtools://")));
  tools.front = await devtools.createCDPSession();
  await tools.front.send("Runtime.enable");
  tools.inFront = evaluator(tools.front);
  tools.collector = await (await browser.waitForTarget((target) => target.url().endsWith("/devtools.html"))).createCDPSession();
  tools.inCollector = evaluator(tools.collector);
  await until("the extension in DevTools", () => tools.inCollector("document.readyState === 'complete'"));
}

const evaluator = (session) => async (expression) => {
  const { result, exceptionDetails } = await session.send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  return result.value;
};

/** The share of the time, from 0 to 1, in which the collector's own code runs during `work`; waiting for the developer tools is none. */
export async function collectorShare({ collector }, work) {
  await collector.send("Profiler.enable");
  await collector.send("Profiler.start");
  await work();
  const { profile } = await collector.send("Profiler.stop");
  const isOwn = ({ callFrame: { url, functionName } }) => /^(chrome-extension|wasm):/.test(url) || functionName === "(garbage collector)";
  const own = new Set(profile.nodes.filter(isOwn).map(({ id }) => id));
  const micros = profile.samples.reduce((sum, id, index) => sum + (own.has(id) ? profile.timeDeltas[index] : 0), 0);
  return micros / (profile.endTime - profile.startTime);
}

// DevTools shows the panel in a frame, in the shadow trees of its own elements.
const findFrame = `(function find(root) {
  for (const element of root.querySelectorAll("*")) {
    if (element.localName === "iframe" && element.src.endsWith("/panel.html")) return element;
    const found = element.shadowRoot && find(element.shadowRoot);
    if (found) return found;
  }
})(document)`;

async function press({ inFront, front }, x, y) {
  const frame = await inFront(`(({ x, y }) => ({ x, y }))(${findFrame}.getBoundingClientRect())`);
  const button = { x: frame.x + x, y: frame.y + y, button: "left", clickCount: 1 };
  for (const type of ["mousePressed", "mouseReleased"]) await front.send("Input.dispatchMouseEvent", { type, ...button });
}

async function clipboard({ browser, page }, origin) {
  await browser.defaultBrowserContext().overridePermissions(origin, ["clipboard-read"]);
  await page.emulateFocusedPage(true);
  const text = await page.evaluate(() => navigator.clipboard.readText());
  await page.emulateFocusedPage(false);
  return text;
}

async function openPanel(tools) {
  tools.panel = await (await panelTarget(tools)).createCDPSession();
  await record(tools.panel, tools, tools.complaints);
  // Messages of the panel's workers are left for a failed test.
  tools.panel.on("sessionattached", (worker) => record(worker, tools, []).catch(() => undefined));
  await tools.panel.send("Target.setAutoAttach", { autoAttach: true, waitForDebuggerOnStart: false, flatten: true });
  await tools.start();
}

/** Records the messages of a page or worker; `complaints` are errors and warnings among them. */
async function record(session, { messages }, complaints) {
  const note = (type, text) => {
    messages.push(`${type}: ${text}`);
    if (["error", "warning"].includes(type)) complaints.push(text);
  };
  session.on("Log.entryAdded", ({ entry }) => note(entry.level, entry.text));
  session.on("Runtime.consoleAPICalled", ({ type, args }) =>
    note(type, args.map(({ value, description }) => value ?? description).join(" ")),
  );
  session.on("Runtime.exceptionThrown", ({ exceptionDetails: { exception, text } }) => note("error", exception?.description ?? text));
  await session.send("Runtime.enable");
  await session.send("Log.enable");
}

// A panel that is shown while DevTools is still starting never loads its page: leave it and return until it is loaded.
// Each attempt waits longer, because the page may take longer on a slow machine.
const panelTarget = (tools) => {
  let tries = 0;
  return until("the panel's page", async () => {
    await select(tools, `id.endsWith(${JSON.stringify(title)})`);
    const target = await tools.browser
      .waitForTarget((each) => each.url().endsWith("/panel.html"), { timeout: 700 * ++tries })
      .catch(() => undefined);
    if (!target) await select(tools, 'id === "console"');
    return target;
  });
};

// The id of an extension's panel ends with its title without spaces.
const select = (tools, matches) =>
  tools
    .inFront(
      `(async () => {
    const { InspectorView } = await import("./ui/legacy/legacy.js");
    const view = InspectorView.InspectorView.instance();
    const id = (view.tabbedPane?.tabIds() ?? []).find((id) => ${matches});
    if (id) await view.showPanel(id);
    return id;
  })()`,
    )
    .catch(() => undefined);
