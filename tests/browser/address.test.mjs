// The address of the dashboard: it says what is on screen, and a reload, a link, back and forward show it again.
import assert from "node:assert/strict";
import { after, beforeEach, describe, test } from "node:test";
import { until } from "../support/browser.mjs";
import { connect } from "../support/live.mjs";
import { answer, install, open, paste, runs, shows } from "../support/panel.mjs";
import { built } from "../support/paths.mjs";
import { recordedGateway } from "../support/recorded.mjs";
import { serve } from "../support/server.mjs";
import { stage } from "../support/stage.mjs";

const { server, newPage } = await stage({ viewport: { width: 1280, height: 900 } });
// A page that its own Gateway serves.
const gateway = recordedGateway("approval-a", { moment: "waiting", token: "operator-token" });
let needsToken = false;
const stored = ["RunStarted", "NodeStarted", "NodeFailed", "ApprovalRequested"].map((type, seq) => {
  const payload = { type, runId: "approval-a", nodeId: "ship-gate", iteration: 0, attempt: 1, timestampMs: 1_795_295_400_000 + seq };
  return { runId: "approval-a", seq, event: type, payload, timestampMs: payload.timestampMs };
});
const answers = (request, response) => {
  if (request.url.startsWith("/v1/api/runs/approval-a/events")) {
    const after = Number(new URL(request.url, own.origin).searchParams.get("afterSeq") ?? -1);
    response.setHeader("content-type", "application/json");
    return response.end(JSON.stringify({ ok: true, data: stored.filter(({ seq }) => seq > after) })) !== undefined;
  }
  if (!needsToken) request.headers.authorization ??= "Bearer operator-token";
  return gateway.handle(request, response);
};
const own = await serve(built("dashboard"), { handle: answers });
// A Gateway of another origin, which lets every page in.
const foreign = await serve(undefined, {
  handle(request, response) {
    response.setHeader("access-control-allow-origin", "*");
    response.setHeader("access-control-allow-headers", "authorization, content-type");
    if (request.method === "OPTIONS") return response.writeHead(204).end() !== undefined;
    return answers(request, response);
  },
});
after(() => Promise.all([own.close(), foreign.close()]));
beforeEach(() => (needsToken = false));

/** Opens an address that shows neither a run nor the connect screen. */
async function visit(page, url) {
  await install(page);
  await page.goto(url);
}
const hash = (page) => page.evaluate(() => location.hash);
const says = (page, text) => page.waitForFunction((wanted) => location.hash === wanted, {}, text);
const selected = (page) => page.evaluate(() => document.querySelector("[role=treeitem][aria-selected=true]")?.dataset.node);
const selects = (page, node) =>
  page.waitForFunction((wanted) => document.querySelector("[role=treeitem][aria-selected=true]")?.dataset.node === wanted, {}, node);
const entries = (page) => page.evaluate(() => history.length);
const list = JSON.stringify(["a", "b", "a&b #1"].map((runId) => ({ runId, status: "failed", workflowName: "release" })));

describe("the recording", () => {
  test("the events are in the address; a reload and a link show them again, and the tree leaves it", async () => {
    const { page, close } = await newPage();
    await open(page, `${server.origin}/#example`);
    await page.waitForSelector("[role=treeitem]");
    await page.click("[data-view-switch=events]");
    await says(page, "#example&view=events");
    await page.reload();
    await page.waitForSelector("[data-pane=log]");
    const other = await newPage();
    await open(other.page, await page.evaluate(() => location.href));
    await other.page.waitForSelector("[data-pane=log]");
    await other.close();
    await page.click("[data-view-switch=tree]");
    await says(page, "#example");
    await close();
  });
  test("search and filters of the tree are in the address; a reload, a link, back and forward show them again", async () => {
    const { page, close } = await newPage();
    await open(page, `${server.origin}/#example`);
    await page.waitForSelector('[data-node-state="failed"]');
    const count = await entries(page);
    await page.type('input[name="search-nodes"]', "deploy eu", { delay: 30 });
    await says(page, "#example&find=deploy+eu");
    await page.click('[data-node-state="failed"]');
    const query = "#example&find=deploy+eu&filter=failed";
    await says(page, query);
    assert.equal(await entries(page), count, "neither makes an entry");
    const finds = (target) =>
      target.waitForFunction(
        () =>
          document.querySelector('input[name="search-nodes"]')?.value === "deploy eu" &&
          document.querySelector('[data-node-state="failed"]')?.getAttribute("aria-pressed") === "true" &&
          /found| of |none/.test(document.querySelector('[data-field="tree-hits"]').textContent),
      );
    await page.reload();
    await finds(page);
    assert.equal(await hash(page), query);
    const other = await newPage();
    await open(other.page, await page.evaluate(() => location.href));
    await finds(other.page);
    await other.close();
    await page.evaluate(() => (location.hash = "#example"));
    await page.waitForFunction(() => document.querySelector('input[name="search-nodes"]')?.value === "");
    await page.waitForSelector('[data-node-state="failed"][aria-pressed="false"]');
    await page.goBack();
    await finds(page);
    await page.goForward();
    await page.waitForSelector('[data-node-state="failed"][aria-pressed="false"]');
    await says(page, "#example");
    await close();
  });

  test("a selected node is in the address; a reload and a link select it again", async () => {
    const { page, close } = await newPage();
    await open(page, `${server.origin}/#example`);
    await page.waitForFunction(() => document.querySelectorAll("[role=treeitem]").length > 3);
    const count = await entries(page);
    const node = "deploy-eu-west-1";
    await page.click(`[role=treeitem][data-node="${node}"]`);
    await says(page, `#example&node=${node}`);
    assert.equal(await entries(page), count, "the node changes the entry");
    await page.reload();
    await selects(page, node);
    const link = await page.evaluate(() => location.href);
    const other = await newPage();
    await open(other.page, link);
    await selects(other.page, node);
    await other.close();
    await close();
  });

  test("an unknown run is refused by name, and a node that is not there changes nothing", async () => {
    const { page, close } = await newPage();
    await visit(page, `${server.origin}/#example&run=nowhere`);
    await page.waitForSelector('[data-screen="refusal"]');
    const { refusal } = await answer(page);
    assert.equal(refusal.code, "RUN_NOT_FOUND");
    assert.match(refusal.text, /No run with this id.*built-in recording.*Run not found: nowhere/s);
    assert.equal(await hash(page), "#example&run=nowhere");
    await page.click('[data-screen="refusal"] [data-action="runs"]');
    await page.waitForSelector("section[data-tone]");
    await says(page, "#example");
    await page.goBack();
    await page.waitForSelector('[data-screen="refusal"]');
    await says(page, "#example&run=nowhere");
    await close();

    const other = await newPage();
    await open(other.page, `${server.origin}/#example&node=nowhere&it=4`);
    await other.page.waitForFunction(() => document.querySelectorAll("[role=treeitem]").length > 3);
    assert.equal(await selected(other.page), undefined);
    await other.close();
  });

  test("what means nothing is ignored with a warning, and a token does not stay", async () => {
    const { page, log, close } = await newPage();
    await open(page, `${server.origin}/#token=t-4711&example&sort=newest`);
    await page.waitForSelector("section[data-tone]");
    await says(page, "#example");
    assert.match(log.take(/ignored/).join(), /token, sort/);
    await close();
  });

  test("a Gateway of another origin is not opened by a link", async () => {
    const { page, log, close } = await newPage();
    await open(page, `${server.origin}/#gateway=ws%3A%2F%2F127.0.0.1%3A1&run=a`);
    await page.waitForSelector('[data-code="OTHER_ORIGIN"]');
    assert.ok(await page.$('[data-screen="connect"]'));
    assert.ok(log.requests.every((url) => !url.includes("127.0.0.1:1/")));
    await close();
  });
});

describe("a list of runs", () => {
  test("back and forward go between its runs, and to what was selected there", async () => {
    const { page, close } = await newPage();
    await open(page, `${server.origin}/#connect`);
    await paste(page, list);
    await runs(page, 3);
    const choose = (id) => page.click(`[data-run="${id}"]`);
    await choose("a");
    await shows(page, "a");
    await choose("a&b #1");
    await shows(page, "a&b #1");
    assert.equal(await hash(page), "#connect", "an address cannot name a pasted text");
    await page.goBack();
    await shows(page, "a");
    await page.goBack();
    await page.waitForSelector('[data-screen="runs"]');
    await page.goForward();
    await shows(page, "a");
    await page.goForward();
    await shows(page, "a&b #1");
    await close();
  });

  test("search and filters of the events of a document come back with its entry", async () => {
    const { page, close } = await newPage();
    await open(page, `${server.origin}/#connect`);
    const logs = ["a", "b"].flatMap((runId) =>
      ["RunStarted", "RunFailed"].map((type, seq) =>
        JSON.stringify({ runId, seq, payload: { type, runId, timestampMs: 1_795_295_400_000 + seq } }),
      ),
    );
    await paste(page, logs.join("\n"));
    await runs(page, 2);
    await page.click('[data-run="a"]');
    await shows(page, "a");
    await page.click("[data-view-switch=events]");
    await page.click('[data-pane=log] [data-filter="runs"]');
    await page.type('input[name="search-events"]', "failed");
    const finds = (count) =>
      page.waitForFunction((wanted) => document.querySelectorAll("[data-pane=log] [role=row][id]").length === wanted, {}, count);
    await finds(2);
    await page.click('[data-action="runs"]');
    await runs(page, 2);
    await page.click('[data-run="b"]');
    await shows(page, "b");
    await finds(2);
    assert.equal(await page.$eval('input[name="search-events"]', (input) => input.value), "", "of another run");
    await page.goBack();
    await page.goBack();
    await shows(page, "a");
    await page.waitForFunction(() => document.querySelector('input[name="search-events"]')?.value === "failed");
    await page.waitForSelector('[data-pane=log] [data-filter="runs"][aria-pressed="true"]');
    await finds(2);
    await close();
  });

  test("the tree of an event log comes back with its entry, though the log opens on its events", async () => {
    const { page, close } = await newPage();
    await open(page, `${server.origin}/#connect`);
    const started = (runId) => JSON.stringify({ type: "RunStarted", runId, timestampMs: 1_795_295_400_000 });
    await paste(page, [started("a"), started("b")].join("\n"));
    await runs(page, 2);
    await page.click('[data-run="a"]');
    await page.waitForSelector("[data-pane=log] [data-event]");
    await page.click("[data-view-switch=tree]");
    await page.waitForSelector("[data-field=no-tree]");
    await page.click('[data-action="runs"]');
    await runs(page, 2);
    await page.click('[data-run="b"]');
    await shows(page, "b");
    await page.click("[data-view-switch=events]");
    await page.waitForFunction(() => JSON.stringify(history.state).includes("events"));
    await page.goBack();
    await page.goBack();
    await shows(page, "a");
    await page.waitForSelector("[data-field=no-tree]");
    assert.equal(await page.$("[data-pane=log] [data-event]"), null);
    await page.goForward();
    await page.goForward();
    await shows(page, "b");
    await page.waitForSelector("[data-pane=log] [data-event]");
    await close();
  });

  test("what belongs to a text that is gone stays away", async () => {
    const { page, close } = await newPage();
    await open(page, `${server.origin}/#connect`);
    await paste(page, list);
    await runs(page, 3);
    await page.click('[data-run="b"]');
    await shows(page, "b");
    await paste(page, JSON.stringify({ runId: "other", status: "paused" }));
    await shows(page, "other");
    await page.goBack();
    await page.evaluate(() => new Promise((done) => setTimeout(done, 100)));
    await shows(page, "other");
    await close();
  });
});

describe("the Gateway that serves the page", () => {
  const ownPage = (page, fragment = "") => visit(page, `${own.origin}/${fragment}`);
  const address = () => `#gateway=${encodeURIComponent(own.origin)}`;

  test("run, node, search and filters are in the address without the token, and a reload shows them again", async () => {
    const { page, log, close } = await newPage();
    await ownPage(page, address());
    await page.waitForSelector('[data-screen="runs"] [data-run]');
    await page.type("input[type=search]", "appro val");
    await page.waitForFunction((start) => location.hash === `${start}&q=appro+val`, {}, address());
    await page.click('[data-run="approval-a"]');
    await shows(page, "approval-a");
    await page.waitForFunction((start) => location.hash === `${start}&run=approval-a&q=appro+val`, {}, address());
    const node = "ship-gate";
    await page.waitForSelector(`[role=treeitem][data-node="${node}"]`);
    await page.click(`[role=treeitem][data-node="${node}"]`);
    await says(page, `${address()}&run=approval-a&node=${node}&q=appro+val`);
    await page.reload();
    await shows(page, "approval-a");
    await selects(page, node);
    await page.click('[data-action="runs"]');
    await page.waitForSelector('[data-screen="runs"]');
    assert.equal(await page.$eval("input[type=search]", (input) => input.value), "appro val");
    await page.goBack();
    await shows(page, "approval-a");
    log.allow(/404/);
    await close();
  });

  test("search and filters of the events are in the address; a reload, a link, back and forward show them again", async () => {
    const { page, log, close } = await newPage();
    const start = `${address()}&run=approval-a`;
    await ownPage(page, `${start}&view=events`);
    await page.waitForSelector('[data-pane=log] [data-family="node"]');
    await says(page, `${start}&view=events`);
    const count = await entries(page);
    await page.type('input[name="search-events"]', "ship fail", { delay: 30 });
    await says(page, `${start}&view=events&text=ship+fail`);
    await page.click('[data-pane=log] [data-family="node"]');
    await page.click('[data-pane=log] [data-filter="error"]');
    await page.click("[data-pane=log] [role=row][data-event=NodeFailed]");
    await page.waitForSelector("[data-pane=log] [data-node-filter]");
    await page.click("[data-pane=log] [data-node-filter]");
    await page.click('[data-pane=log] [data-filter="attempt"]');
    const query = `${start}&node=ship-gate&view=events&text=ship+fail&family=node&severity=error&only-node=ship-gate&only-attempt=1`;
    await says(page, query);
    assert.equal(await entries(page), count, "none makes an entry");
    const finds = (target) =>
      target.waitForFunction(
        (pressed) =>
          document.querySelector('input[name="search-events"]')?.value === "ship fail" &&
          pressed.every((chip) => document.querySelector(`[data-pane=log] ${chip}`)?.getAttribute("aria-pressed") === "true") &&
          [...document.querySelectorAll("[data-pane=log] [role=row][id]")].map(({ dataset }) => dataset.event).join() === "NodeFailed",
        {},
        ["[data-family=node]", "[data-filter=error]", "[data-node-filter]", "[data-filter=attempt]"],
      );
    await finds(page);
    await page.reload();
    await finds(page);
    assert.equal(await hash(page), query);
    const other = await newPage();
    await visit(other.page, await page.evaluate(() => location.href));
    await finds(other.page);
    other.log.allow(/404/);
    await other.close();
    await page.evaluate((fragment) => (location.hash = fragment), `${start}&view=events&family=approval`);
    await page.waitForSelector('[data-pane=log] [data-family="approval"][aria-pressed="true"]');
    await page.waitForFunction(() => document.querySelector('input[name="search-events"]').value === "");
    await page.waitForSelector('[data-pane=log] [data-filter="error"][aria-pressed="false"]');
    await page.goBack();
    await finds(page);
    await page.click('[data-action="runs"]');
    await says(page, address());
    await page.goBack();
    await finds(page);
    log.allow(/404/);
    await close();
  });

  test("what the events cannot be filtered by is ignored with a warning", async () => {
    const { page, log, close } = await newPage();
    const start = `${address()}&run=approval-a&view=events`;
    await ownPage(page, `${start}&family=Node&severity=info&only-attempt=x&runs=2&text=ship`);
    await says(page, `${start}&text=ship`);
    assert.match(log.take(/ignored/).join(), /family, severity, only-attempt, runs/);
    log.allow(/404/);
    await close();
  });

  test("back from a run goes to the list, and a run that does not exist is refused by name", async () => {
    const { page, log, close } = await newPage();
    await ownPage(page, address());
    await page.waitForSelector('[data-screen="runs"] [data-run]');
    const count = await entries(page);
    await page.click('[data-run="approval-a"]');
    await shows(page, "approval-a");
    assert.equal(await entries(page), count + 1);
    await page.goBack();
    await page.waitForSelector('[data-screen="runs"]');
    await says(page, address());
    await page.goForward();
    await shows(page, "approval-a");
    await page.evaluate((start) => (location.hash = `${start}&run=missing-run`), address());
    await page.waitForSelector('[data-screen="refusal"]');
    assert.match((await answer(page)).refusal.text, /No run with this id/);
    assert.equal(await hash(page), `${address()}&run=missing-run`);
    await page.goBack();
    await shows(page, "approval-a");
    log.allow(/404/);
    await close();
  });

  test("the link of a run contains neither the search text nor a token", async () => {
    needsToken = true;
    const { page, log, close } = await newPage();
    await page.evaluateOnNewDocument(() => {
      Object.defineProperty(navigator, "clipboard", { value: { writeText: async (text) => void (window.copied = text) } });
    });
    await ownPage(page, `${address()}&run=approval-a&q=secret&text=secret&find=secret`);
    await page.waitForSelector('[data-screen="refusal"]');
    await page.type('[data-screen="refusal"] input[type=password]', "operator-token");
    await page.keyboard.press("Enter");
    await shows(page, "approval-a");
    await page.click('[data-action="copy-link"]');
    await page.waitForFunction(() => window.copied);
    const link = await page.evaluate(() => window.copied);
    assert.equal(link, `${own.origin}/${address()}&run=approval-a`);
    await page.waitForSelector('[data-action="copy-link"][data-copied]');
    log.allow(/401|404/);
    await close();
    needsToken = false;
    const other = await newPage();
    await visit(other.page, link);
    await shows(other.page, "approval-a");
    other.log.allow(/404/);
    await other.close();
  });

  test("a token is never in it", async () => {
    needsToken = true;
    const { page, log, close } = await newPage();
    await ownPage(page, `${address()}&run=approval-a`);
    await page.waitForSelector('[data-screen="refusal"]');
    await page.type('[data-screen="refusal"] input[type=password]', "operator-token");
    await page.keyboard.press("Enter");
    await shows(page, "approval-a");
    assert.equal(await hash(page), `${address()}&run=approval-a`);
    assert.ok(!JSON.stringify(await page.evaluate(() => [location.href, history.state])).includes("operator-token"));
    log.allow(/401|404/);
    await close();
  });

  test("the address changes at most once a second while a person types", async () => {
    const { page, log, close } = await newPage();
    await page.evaluateOnNewDocument(() => {
      window.written = [];
      for (const name of ["pushState", "replaceState"]) {
        const write = history[name];
        history[name] = function (...values) {
          window.written.push([name, performance.now()]);
          return write.apply(this, values);
        };
      }
    });
    await ownPage(page, address());
    await page.waitForSelector('[data-screen="runs"] [data-run]');
    await page.type("input[type=search]", "approval-approval", { delay: 60 });
    await until("the whole text", async () => (await hash(page)).endsWith("&q=approval-approval"));
    const written = await page.evaluate(() => window.written);
    const gaps = written.slice(1).map(([, at], index) => at - written[index][1]);
    assert.ok(written.length >= 2 && written.every(([name]) => name === "replaceState"), JSON.stringify(written));
    assert.ok(
      gaps.every((gap) => gap >= 950),
      gaps.join(),
    );
    log.allow(/404/);
    await close();
  });
});

describe("a Gateway of another origin", () => {
  test("the address does not name it, and a reload, back and forward show its run again", async () => {
    const { page, log, close } = await newPage();
    await connect(page, `${server.origin}/#connect`, { url: foreign.origin });
    await page.waitForSelector('[data-screen="runs"] [data-run]');
    await page.click('[data-run="approval-a"]');
    await shows(page, "approval-a");
    assert.equal(await hash(page), "#connect");
    assert.equal(await page.$('[data-action="copy-link"]'), null, "no address names it");
    await page.reload();
    await shows(page, "approval-a");
    await page.goBack();
    await page.waitForSelector('[data-screen="runs"]');
    await page.goBack();
    await page.waitForSelector('[data-screen="connect"]');
    await page.goForward();
    await page.waitForSelector('[data-screen="runs"]');
    await page.goForward();
    await shows(page, "approval-a");
    log.allow(/404/);
    await close();
  });
});

test("inside another page the panel leaves the history alone", async () => {
  const { page, close } = await newPage();
  await page.goto(`${server.origin}/embed.html`);
  const frame = await page.waitForFrame((candidate) => candidate.url().endsWith("/index.html#example"));
  await frame.waitForFunction(() => document.querySelectorAll("[role=treeitem]").length > 3);
  await frame.click("[role=treeitem][data-node]");
  await frame.evaluate(() => new Promise((done) => setTimeout(done, 100)));
  assert.equal(await frame.evaluate(() => location.hash), "#example");
  await close();
});
