// The built extension in the developer tools of a real Firefox.
import assert from "node:assert/strict";
import { after, afterEach, test } from "node:test";
import { until } from "../support/browser.mjs";
import { text } from "../support/captures.mjs";
import { inWindow } from "../support/firefox.mjs";
import { openPanel } from "../support/firefox-panel.mjs";
import { serve } from "../support/server.mjs";

const inspected = "<!doctype html><html lang=en><title>Inspected</title><p id=only>A page of somebody else.</p>";
const server = await serve(undefined, { extra: { "/": inspected } });
after(() => server.close());
// As for a person, only a click permits a page to write the clipboard.
const panel = await openPanel(`${server.origin}/`, { preferences: { "dom.events.testing.asyncClipboard": false } });
after(() => panel.close());
afterEach(async () => assert.deepEqual(await panel.complaints(), [], "errors and policy violations of the panel"));

test("the panel opens on the traffic of the page", async () => {
  assert.equal(await panel.inPanel("document.querySelector('[data-screen]').dataset.screen"), "traffic");
});
test("its theme is that of the developer tools, and changes with it", async () => {
  const shown = () =>
    panel.inPanel(
      "[document.documentElement.dataset.theme, Number(/\\d+/.exec(getComputedStyle(document.body).backgroundColor)[0]) < 128].join()",
    );
  const choose = (theme) => inWindow(panel.browser, (name) => Services.prefs.setCharPref("devtools.theme", name), theme);
  assert.equal(await shown(), (await panel.inPanel("chrome.devtools.panels.themeName")) === "dark" ? "dark,true" : "light,false");
  for (const [theme, expected] of [
    ["dark", "dark,true"],
    ["light", "light,false"],
  ]) {
    await choose(theme);
    await until(`the theme ${theme}`, async () => (await shown()) === expected);
  }
});
test("the theme and Preserve log that a person sets are those of later panels", async () => {
  const shows = (theme, preserve) =>
    panel.until(
      `document.documentElement.dataset.theme === "${theme}" && document.querySelector("[data-action=preserve]")?.getAttribute("aria-pressed") === "${preserve}"`,
    );
  await shows("light", false);
  await panel.click("[data-action=theme]");
  await panel.click("[data-action=preserve]");
  await shows("dark", true);
  await panel.reload();
  await shows("dark", true);
  await panel.click("[data-action=theme]");
  await panel.click("[data-action=preserve]");
  await shows("light", false);
});
test("a snapshot pasted inside it shows its header and its tree", async () => {
  const capture = text("runs/approval-a/rpc-getDevToolsSnapshot-waiting.json");
  const { runState, frameNo } = JSON.parse(capture).payload;
  const { header } = await panel.paste(capture);
  assert.deepEqual(
    [header.state, header.runId, header.blockedKind, header.frameNo],
    ["waiting-approval", runState.runId, "approval", frameNo],
  );
  assert.equal(header.blocked.nodes[0], runState.blocked.nodeId);
  assert.ok((await panel.until("document.querySelectorAll('[role=treeitem]').length")) > 1);
});
test("what its buttons copy is in the clipboard, and they confirm it", async () => {
  const blockedNode = JSON.parse(text("runs/approval-a/rpc-getDevToolsSnapshot-waiting.json")).payload.runState.blocked.nodeId;
  for (const [button, copied] of [
    ['[data-field="runId"] button', "approval-a"],
    ['[data-action="command-approve"]', `smithers approve approval-a --node ${blockedNode} --iteration 0`],
  ]) {
    await panel.click(button);
    await panel.until(
      `document.querySelector(${JSON.stringify(button)}).innerText.includes("Copied") && document.querySelector("[role=status]").textContent === "Copied."`,
    );
    assert.equal(await panel.clipboard(), copied);
  }
});
test("the developer tools print no panel: the panel offers the exported page for that", async () => {
  const refusal = await panel.inPanel("(() => { try { print(); } catch (error) { return error.name; } })()");
  assert.equal(refusal, "NotAllowedError");
  assert.equal(
    await panel.inPanel(
      `document.dispatchEvent(new KeyboardEvent("keydown", { key: "p", ctrlKey: true, bubbles: true, cancelable: true }))`,
    ),
    true,
    "the shortcut is left to the browser",
  );
  await panel.inPanel(`document.querySelector('[data-action="export"]').click()`);
  await panel.until(`document.querySelector('form[data-form="export"]') !== null`);
  assert.equal(await panel.inPanel(`document.querySelector('[data-action="print"]')`), null);
  assert.match(
    await panel.inPanel(`document.querySelector('form[data-form="export"]').innerText`),
    /To print, save a page, open it and print it there\./,
  );
  await panel.inPanel(`document.querySelector('[data-action="export"]').click()`);
});
test("what it exports opens again in it", async () => {
  const before = await panel.inPanel("runstateTest.header()");
  await panel.inPanel(`document.querySelector('[data-action="export"]').click()`);
  await panel.until(`document.querySelector('form[data-form="export"]') !== null`);
  await panel.inPanel(`document.querySelector('form[data-form="export"] [type="submit"]').click()`);
  const saved = await panel.saved();
  assert.match(saved.name, /^runstate-approval-a-.*\.json$/);
  const { header } = await panel.paste(saved.text);
  for (const field of ["state", "pill", "runId", "blockedKind", "blocked", "frameNo", "seq", "computedAt"])
    assert.deepEqual(header[field], before[field], field);
});
test("it is really on screen", async () => {
  assert.ok((await panel.picture()).length > 5_000);
  const box = await panel.inPanel(
    `(({ width, height }) => ({ width, height }))(document.querySelector('section[data-tone]').getBoundingClientRect())`,
  );
  assert.ok(box.width > 200 && box.height > 30, JSON.stringify(box));
  assert.equal(await panel.inPanel("document.visibilityState"), "visible");
});
test("the inspected page is as it was", async () => {
  const body = await panel.page.evaluate(() => document.documentElement.outerHTML);
  assert.equal(
    body.replace(/\s+/g, " "),
    '<html lang="en"><head><title>Inspected</title></head><body><p id="only">A page of somebody else.</p></body></html>',
  );
  assert.deepEqual(await panel.page.evaluate(() => Object.keys(window).filter((key) => /runstate/i.test(key))), []);
});
test("nothing of the paste is kept", async () => {
  const kept = await panel.inPanel("JSON.stringify([{ ...localStorage }, { ...sessionStorage }])");
  assert.doesNotMatch(kept, /approval-a/);
});
test("its policy allows no script of a page's text", async () => {
  await panel.inPanel("document.body.append(Object.assign(document.createElement('script'), { textContent: 'window.hurt = 1' }))");
  assert.equal(await panel.inPanel("window.hurt === undefined"), true);
  await until("the violation is reported", async () => (await panel.complaints()).some((line) => /blocked an inline script/.test(line)));
  await inWindow(panel.browser, () => Services.console.reset());
});
