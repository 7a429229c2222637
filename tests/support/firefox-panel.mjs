// The built extension in Firefox's developer tools.
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launch, until } from "./browser.mjs";
import { inWindow, send } from "./firefox.mjs";
import { built } from "./paths.mjs";
import { TIMEOUT } from "./timeout.mjs";
import { toolPanel } from "./tool-panel.mjs";

/**
 * Starts Firefox with the extension, a folder or an archive, and further preferences, opens `address`, and beside it the
 * developer tools on the panel; see `toolPanel`.
 *
 * `clipboard` is the text in the clipboard, `complaints` are the errors and policy violations of the panel and its workers so far,
 * `saved` is the file that it saves.
 */
export async function openPanel(address, { extension = built("extension"), preferences: more } = {}) {
  // A download of the developer tools causes no event of a tab, so the folder is watched.
  const folder = mkdtempSync(join(tmpdir(), "runstate-panel-"));
  const preferences = { "browser.download.folderList": 2, "browser.download.dir": folder, ...more };
  const browser = await launch({ browser: "firefox", preferences });
  const evaluate = async (expression) => parse(await inWindow(browser, evaluateInPanel, expression, 2 * TIMEOUT));
  const panel = toolPanel({
    evaluate,
    press: (x, y) => inWindow(browser, clickPanel, x, y),
    picture: async () => Buffer.from(await inWindow(browser, drawPanel), "base64"),
    messages: async () => [
      ...(await evaluate("messagesOfPanel()")).split("\n"),
      ...(await inWindow(browser, () => Services.console.getMessageArray().map(({ message }) => message))),
    ],
    close: async () => {
      await browser.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
    },
  });
  try {
    const type = extension.endsWith(".zip") ? "archivePath" : "path";
    await send(browser, "webExtension.install", { extensionData: { type, path: extension } });
    const [page] = await browser.pages();
    await page.goto(address);
    await page.bringToFront();
    const origin = await inWindow(browser, showPanel, "Runstate", TIMEOUT);
    await panel.start();
    return {
      ...panel,
      browser,
      page,
      clipboard: () => inWindow(browser, readClipboard),
      complaints: () => inWindow(browser, complaintsOf, origin),
      saved: () => until("a saved file", () => whole(folder)),
    };
  } catch (error) {
    await panel.close();
    throw error;
  }
}

// While a file is written, its content is in another file with the extension `.part`. A file is returned once.
function whole(folder) {
  const names = readdirSync(folder);
  const text = names.length === 1 && readFileSync(join(folder, names[0]), "utf8");
  if (!text) return undefined;
  rmSync(join(folder, names[0]));
  return { name: names[0], text };
}

const parse = (text) => (text === undefined ? undefined : JSON.parse(text));

// The functions below run in the browser's window.

async function showPanel(title, timeout) {
  const { require } = ChromeUtils.importESModule("resource://devtools/shared/loader/Loader.sys.mjs");
  const { gDevTools } = require("devtools/client/framework/devtools");
  const toolbox = await gDevTools.showToolboxForTab(gBrowser.selectedTab, { toolId: "webconsole" });
  const until = async (what, probe) => {
    for (const end = Date.now() + timeout; Date.now() < end;) {
      const found = probe();
      if (found) return found;
      await new Promise((next) => setTimeout(next, 50));
    }
    throw new Error(`not within ${timeout} ms: ${what}`);
  };
  const tool = await until(`the tool ${title}`, () => toolbox.getAdditionalTools().find(({ label }) => label === title));
  await toolbox.selectTool(tool.id);
  const frames = () =>
    [...toolbox.doc.querySelectorAll("iframe")].filter(({ src, clientWidth }) => src.endsWith("webext-panels.xhtml") && clientWidth > 0);
  const browsers = () => frames().map((frame) => frame.contentDocument.querySelector("browser"));
  window.panelOfTest = await until("the panel's page", () =>
    browsers().find((browser) => browser?.currentURI.spec.startsWith("moz-extension:")),
  );
  return new URL(window.panelOfTest.currentURI.spec).origin;
}

// A sandbox over the page evaluates with the page's globals without changing the page's policy.
function evaluateInPanel(expression, timeout) {
  const { messageManager } = window.panelOfTest;
  const message = `panel-of-test:${Math.random()}`;
  const script = async (source, name) => {
    const answer = {};
    try {
      const sandbox = new Components.utils.Sandbox(content, { sandboxPrototype: content, wantXrays: false, sameZoneAs: content });
      // What the page and its workers have written to their consoles.
      const messages = () => {
        const calls = Cc["@mozilla.org/consoleAPI-storage;1"].getService(Ci.nsIConsoleAPIStorage).getEvents();
        return calls.map((call) => `${call.level}: ${call.arguments.join(" ")}`).join("\n");
      };
      Components.utils.exportFunction(messages, sandbox, { defineAs: "messagesOfPanel" });
      answer.value = await Components.utils.evalInSandbox(source, sandbox);
    } catch (error) {
      answer.error = `${error}\n${error?.stack ?? ""}`;
    }
    sendAsyncMessage(name, answer);
  };
  const source = `(async () => JSON.stringify(await (${expression})))()`;
  // Firefox cuts long addresses, so the name by which errors are recognised is at the beginning.
  const code = `/* panel-of-test */(${script})(${JSON.stringify(source)}, ${JSON.stringify(message)})`;
  return new Promise((done, refuse) => {
    setTimeout(() => refuse(new Error(`no answer within ${timeout} ms: ${expression.slice(0, 200)}`)), timeout);
    messageManager.addMessageListener(message, function listener({ data }) {
      messageManager.removeMessageListener(message, listener);
      if (data.error) refuse(new Error(data.error));
      else done(data.value);
    });
    messageManager.loadFrameScript(`data:application/javascript;charset=utf-8,${encodeURIComponent(code)}`, false);
  });
}

function clickPanel(x, y) {
  const panel = window.panelOfTest;
  panel.focus();
  const box = panel.getBoundingClientRect();
  const view = panel.ownerDocument.defaultView;
  for (const type of ["mousemove", "mousedown", "mouseup"]) {
    view.synthesizeMouseEvent(type, box.x + x, box.y + y, { button: 0, clickCount: 1 }, {});
  }
}

function readClipboard() {
  const content = Cc["@mozilla.org/widget/transferable;1"].createInstance(Ci.nsITransferable);
  content.init(null);
  content.addDataFlavor("text/plain");
  Services.clipboard.getData(content, Services.clipboard.kGlobalClipboard);
  const text = {};
  content.getTransferData("text/plain", text);
  return text.value.QueryInterface(Ci.nsISupportsString).data;
}

// Errors of a test's own expressions have the address of the frame script.
function complaintsOf(origin) {
  const errors = Services.console.getMessageArray().filter((message) => message instanceof Ci.nsIScriptError);
  const own = errors.filter(({ sourceName }) => sourceName.startsWith(origin) || sourceName.includes("panel-of-test"));
  return own.map(({ errorMessage }) => errorMessage);
}

async function drawPanel() {
  const bitmap = await window.panelOfTest.browsingContext.currentWindowGlobal.drawSnapshot(null, 1, "white");
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  canvas.getContext("2d").drawImage(bitmap, 0, 0);
  const bytes = new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer());
  return bytes.toBase64();
}
