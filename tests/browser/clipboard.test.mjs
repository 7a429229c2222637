// The clipboard: what the copy buttons write, what the Paste button reads, and what happens where the browser refuses.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { beforeEach, describe, test } from "node:test";
import { driven, onlyChromium, until } from "../support/browser.mjs";
import { text } from "../support/captures.mjs";
import { view } from "../support/make.mjs";
import { answer, button, error, header, open, paste, shows } from "../support/panel.mjs";
import { vector } from "../support/paths.mjs";
import { stage } from "../support/stage.mjs";

const { server, newPage } = await stage();
let page;
const permit = async (setting) => {
  // Firefox permits all to a test, by a preference of its profile.
  if (driven === "firefox") return;
  const session = await page.createCDPSession();
  for (const name of ["clipboard-read", "clipboard-write"]) {
    await session.send("Browser.setPermission", {
      origin: server.origin,
      permission: { name },
      setting,
      browserContextId: page.browserContext().id,
    });
  }
};
beforeEach(async () => {
  ({ page } = await newPage());
  await open(page, `${server.origin}/#connect`);
  await page.bringToFront();
  await permit("granted");
  await page.evaluate(() => navigator.clipboard.writeText("nothing copied"));
});
const copied = () =>
  page
    .waitForFunction(async () => {
      const found = await navigator.clipboard.readText();
      return found === "nothing copied" ? undefined : { found };
    })
    .then(async (handle) => (await handle.jsonValue()).found);
const waiting = text("runs/approval-a/rpc-getDevToolsSnapshot-waiting.json");

describe("copying", () => {
  test("a run id", async () => {
    await paste(page, waiting);
    await page.click('[data-field="runId"] button');
    assert.equal(await copied(), "approval-a");
  });
  test("a session id", async () => {
    const session = readFileSync(vector("lionagi/captures/studio/run-completed-ok.json"), "utf8");
    await paste(page, session);
    await page.click('[data-field="sessionId"] button');
    assert.equal(await copied(), await page.$eval('[data-field="sessionId"]', (field) => field.dataset.value));
  });
  test("the command of an action", async () => {
    await paste(page, text("runs/approval-denied-a/rpc-runs.get-waiting.json"));
    await page.click('[data-action="command-approve"]');
    assert.equal(await copied(), "smithers approve approval-denied-a --node ship-gate --iteration 0");
  });
  test("the command of an action on Windows, quoted for PowerShell", onlyChromium("the platform is set by its protocol"), async () => {
    const document = (runId) =>
      JSON.stringify(
        view(runId, "waiting-approval", { blocked: { kind: "approval", nodeId: "gate", requestedAt: "2026-11-21T21:10:30.000Z" } }),
      );
    const shown = () => page.$eval('[data-field="actions"] [data-kind="approve"]', (action) => action.textContent);
    await paste(page, document("it's $HOME"));
    assert.ok((await shown()).includes(String.raw`smithers approve 'it'\''s $HOME' --node gate --iteration 0`), await shown());
    const session = await page.createCDPSession();
    const userAgent = await page.evaluate(() => navigator.userAgent);
    await session.send("Emulation.setUserAgentOverride", { userAgent, platform: "Win32" });
    await paste(page, document("it's $env:PATH"));
    const command = "smithers approve 'it''s $env:PATH' --node gate --iteration 0";
    assert.ok((await shown()).includes(command) && (await shown()).includes("PowerShell"), await shown());
    await page.click('[data-action="command-approve"]');
    assert.equal(await copied(), command);
    await paste(page, document('say "x"'));
    assert.match(await shown(), /Quoted for POSIX shells such as bash: PowerShell would change it\./);
  });
  test("the request of an action", async () => {
    await paste(page, text("runs/approval-denied-a/rpc-runs.get-waiting.json"));
    await page.click('[data-field="actions"] summary');
    await page.click('[data-action="request-deny"]');
    assert.equal(
      await copied(),
      'curl -sS "$SMITHERS_GATEWAY/v1/rpc/submitApproval" -H "Authorization: Bearer $SMITHERS_API_KEY" --data-raw ' +
        `'{"runId":"approval-denied-a","nodeId":"ship-gate","iteration":0,"decision":{"approved":false}}'`,
    );
  });
  test("an error of a server", async () => {
    await paste(page, text("protocol/error-unknown-run-getRun.json"));
    await (await button(page, "Copy error", '[data-screen="refusal"]')).click();
    const found = await copied();
    const { code, text: shown } = (await answer(page)).refusal;
    assert.ok(found.startsWith(code), found);
    assert.equal(found.split("\n").length, 3);
    assert.ok(shown.includes(found.split("\n")[1]), found);
  });
  test("is confirmed on the button, under the same name, and announced", async () => {
    await paste(page, waiting);
    const button = await page.$('[data-field="runId"] button');
    const seen = () =>
      button.evaluate((element) =>
        [element.getAttribute("aria-label"), element.innerText.trim(), document.querySelector("[role=status]").textContent].join("|"),
      );
    assert.equal(await seen(), "Copy run id||");
    await button.click();
    await until("a confirmation", async () => (await seen()) === "Copy run id|Copied|Copied.");
    await until("no confirmation any more", async () => (await seen()) === "Copy run id||");
  });
  const refuse = () =>
    page.evaluate(() => (navigator.clipboard.writeText = () => Promise.reject(new DOMException("not allowed", "NotAllowedError"))));
  test("works where a policy refuses the clipboard to scripts", async () => {
    await paste(page, waiting);
    await refuse();
    await page.click('[data-field="runId"] button');
    assert.equal(await copied(), "approval-a");
  });
  test("is refused by the browser: the text is shown, and what to do", async () => {
    await paste(page, text("runs/approval-denied-a/rpc-runs.get-waiting.json"));
    await refuse();
    await page.evaluate(() => (document.execCommand = () => false));
    await page.click('[data-field="actions"] summary');
    await page.click('[data-action="request-deny"]');
    await error(page, "NOT_COPIED");
    const seen = await answer(page);
    assert.ok(
      seen.error.text.includes('{"runId":"approval-denied-a"') && seen.error.text.includes("copy it with the keyboard"),
      seen.error.text,
    );
    assert.equal((await header(page)).runId, "approval-denied-a");
    assert.equal(
      await page.$eval("[role=status]", (status) => status.textContent),
      "The text was not copied. The error on screen contains it.",
    );
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), "nothing copied");
  });
});

describe("the Paste button", () => {
  test("opens what is in the clipboard", async () => {
    await page.evaluate((document) => navigator.clipboard.writeText(document), JSON.stringify(view("from-clipboard", "paused")));
    await page.click('button[data-action="paste"]');
    await shows(page, "from-clipboard");
    assert.equal((await header(page)).state, "paused");
  });
  test("says what is wrong with what is in the clipboard", async () => {
    await page.click('button[data-action="paste"]');
    await error(page, "NOT_JSON");
  });
  test("says so where the browser does not allow it", onlyChromium("permissions are denied"), async () => {
    await permit("denied");
    await page.click('button[data-action="paste"]');
    await error(page, "CLIPBOARD_REFUSED");
    const seen = await answer(page);
    assert.match(seen.error.text, /text field/);
    assert.equal(seen.connect, true);
    await permit("granted");
    await page.evaluate((document) => navigator.clipboard.writeText(document), JSON.stringify(view("then", "failed")));
    await page.click('button[data-action="paste"]');
    await shows(page, "then");
    assert.equal((await answer(page)).error, undefined);
  });
});

describe("a paste with the keyboard", () => {
  const pasteKeys = async () => {
    await page.keyboard.down("Control");
    await page.keyboard.press("v");
    await page.keyboard.up("Control");
  };
  test("into the text field puts a short text there", async () => {
    const document = JSON.stringify(view("short", "failed"));
    await page.evaluate((short) => navigator.clipboard.writeText(short), document);
    await page.focus('textarea[name="paste"]');
    await pasteKeys();
    await page.waitForFunction((short) => document.querySelector('textarea[name="paste"]').value === short, {}, document);
    await page.click('button[data-action="read"]');
    await shows(page, "short");
  });
  test("into the text field opens a text of more than 256 kB at once", async () => {
    const document = JSON.stringify({ ...view("long", "failed"), more: "x".repeat(300 * 1024) });
    await page.evaluate((long) => navigator.clipboard.writeText(long), document);
    await page.focus('textarea[name="paste"]');
    await pasteKeys();
    await shows(page, "long");
  });
  test("anywhere else opens the text", async () => {
    await paste(page, JSON.stringify(view("before", "failed")));
    await page.evaluate((document) => navigator.clipboard.writeText(document), JSON.stringify(view("anywhere", "failed")));
    await page.evaluate(() => document.activeElement.blur());
    await pasteKeys();
    await shows(page, "anywhere");
  });
});
