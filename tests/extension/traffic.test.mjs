// The panel shows the runs of which the inspected page speaks with real Gateways, in real DevTools.
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, describe, test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { OPERATOR_TOKEN, startGateway } from "../gateway/gateway.mjs";
import { until } from "../support/browser.mjs";
import { openDevtools } from "../support/devtools.mjs";
import { readable } from "../support/incident.mjs";
import { header, install } from "../support/panel.mjs";
import { root } from "../support/paths.mjs";
import { CREDENTIAL, choose, filledIn, keptEntries, press, search, see, startFramesAndWorkers, stored } from "../support/traffic.mjs";

const folder = join(root, "tests/extension/page");
// The Gateway that serves the page, and another one.
const [near, far] = await Promise.all([startGateway({ page: folder }), startGateway()]);
after(() => Promise.all([near.stop(), far.stop()]));
const address = (gateway) => `127.0.0.1:${gateway.port}`;

describe("our own page", () => {
  let tools, page;
  before(async () => {
    tools = await openDevtools(`${near.http}/page/index.html`);
    page = tools.page;
  });
  after(() => tools?.close());
  afterEach(async () => {
    assert.deepEqual(tools.complaints.splice(0), [], "errors and policy violations of the panel");
  });

  test("it names no run before the page does", async () => {
    const { screen, counts } = await see(tools, "how much was read", ({ counts }) => /\d+ requests?/.test(counts));
    assert.equal(screen, "traffic");
    assert.match(counts, /none from a Gateway or Studio/);
  });

  test("runs of two Gateways, over HTTP and over a socket, are listed by Gateway and followed to their end", async () => {
    const input = { ms: 4000 };
    const [here, there] = await Promise.all([near.launch("approval", input), far.launch("approval", input)]);
    await Promise.all([near.waitForState(here, "running"), far.waitForState(there, "running")]);
    await page.evaluate(`poll(${JSON.stringify(here)}); follow(${JSON.stringify(far.url)}, ${JSON.stringify(there)})`);
    const listed = (state) => ({ [address(near)]: { [here]: state }, [address(far)]: { [there]: state } });
    await see(tools, "both Gateways, each with its run", ({ servers }) => isDeepStrictEqual(servers, listed("running")));

    await choose(tools, there);
    await see(
      tools,
      "the run of the socket",
      ({ header }) => header?.runId === there && header.freshness === "following" && header.state === "running",
    );
    const waiting = await see(tools, "its approval", ({ header }) => header?.state === "waiting-approval");
    assert.equal(waiting.header.freshness, "following");
    await see(tools, "its node", ({ nodes }) => nodes["release-gate"] === "waiting-approval");
    await far.approve(there, "release-gate");
    await see(tools, "its end", ({ header }) => header?.state === "succeeded");

    await press(tools, "runs");
    await choose(tools, here);
    await see(
      tools,
      "the run over HTTP",
      ({ header }) => header?.runId === here && header.state === "waiting-approval" && header.freshness === "seen",
    );
    await near.approve(here, "release-gate");
    const { header } = await see(tools, "its end", ({ header }) => header?.state === "succeeded");
    assert.match(header.freshnessText, /^seen \d+ s ago in this page’s traffic$/);
    assert.deepEqual(await filledIn(tools, '.snapshot [data-action="choose-source"]'), { url: near.url, token: "", run: here });
  });

  test("the list has groups, and what is searched for and filtered stays while the page goes on, and on the way back", async () => {
    const asks = await near.launch("approval");
    await near.waitForState(asks, "waiting-approval");
    await press(tools, "runs");
    const { servers } = await see(tools, "the list", ({ screen }) => screen === "runs");
    const [here] = Object.keys(servers[address(near)]);
    await search(tools, here);
    await see(tools, "the run that is searched for", ({ heading }) => heading === "1 of 2 runs");
    await page.evaluate(`rpc("getRun", { runId: "${asks}" })`);
    const found = await see(tools, "another run, which the search leaves out", ({ heading }) => heading === "1 of 3 runs");
    assert.deepEqual(found.groups, { [address(near)]: { ended: [here] }, [address(far)]: {} });
    await choose(tools, here);
    await see(tools, "the run", ({ header }) => header?.runId === here);
    await press(tools, "runs");
    await see(tools, "the search of before", ({ screen, heading }) => screen === "runs" && heading === "1 of 3 runs");

    await search(tools, "");
    const all = await see(tools, "all runs", ({ heading }) => heading === "3 runs");
    assert.deepEqual(all.groups[address(near)], { "needs-you": [asks], ended: [here] });
    await tools.inPanel(`document.querySelector('[data-state-filter="Waiting for approval"]').click()`);
    await see(tools, "the run in that state", ({ groups }) =>
      isDeepStrictEqual(groups, { [address(near)]: { "needs-you": [asks] }, [address(far)]: {} }),
    );
  });
});

describe("a page that is reloaded", () => {
  let tools, runId;
  before(async () => {
    runId = await near.launch("approval");
    await near.waitForState(runId, "waiting-approval");
    tools = await openDevtools(`${near.http}/page/index.html#poll=${runId}`);
  });
  after(() => tools?.close());
  const reload = () => Promise.all([tools.page.waitForNavigation(), press(tools, "reload")]);

  test("shows the run on screen again as soon as the new page speaks of it", async () => {
    await choose(tools, runId);
    await see(tools, "the run", ({ header }) => header?.runId === runId);
    await reload();
    await see(tools, "the run again", ({ header, counts }) => header?.runId === runId && /since the page navigated at/.test(counts));
    await press(tools, "runs");
  });

  test("starts anew: what was seen is dropped, and what the new page says is there", async () => {
    await see(tools, "the run", ({ servers }) => servers[address(near)]?.[runId] === "waiting-approval");
    await reload();
    const { notes } = await see(
      tools,
      "the run again",
      ({ servers, counts }) => servers[address(near)]?.[runId] && /since the page navigated at/.test(counts),
    );
    assert.deepEqual(notes, {}, "nothing is missing");
  });

  test("without runs says that the ones of before were dropped", async () => {
    await tools.page.evaluate("location.href = '/page/index.html?again'");
    const { counts } = await see(tools, "no run", ({ screen }) => screen === "traffic");
    assert.match(
      await tools.inPanel("document.body.innerText"),
      /Cleared when the page navigated[^]*The run from 127\.0\.0\.1:\d+ was discarded because Preserve log is off/,
    );
    assert.match(counts, /checked since the page navigated at .*, none from a Gateway or Studio/);
  });

  test("with Preserve log keeps what was seen, as old as it is", async () => {
    await tools.page.goto(`${near.http}/page/index.html?third#poll=${runId}`);
    await see(tools, "the run", ({ servers }) => servers[address(near)]?.[runId]);
    await press(tools, "preserve");
    await tools.page.goto(`${near.http}/page/index.html?fourth`);
    const { notes, servers } = await see(tools, "the navigation", ({ notes }) => notes.navigated);
    assert.match(notes.navigated, /navigated to \/page\/index\.html at .* Preserve log is on/);
    assert.deepEqual(servers, { [address(near)]: { [runId]: "waiting-approval" } });
    await press(tools, "preserve");
  });

  test("cleared by the person, shows nothing until the page speaks again", async () => {
    await press(tools, "clear");
    await see(tools, "no run", ({ screen }) => screen === "traffic");
    await tools.page.evaluate(`rpc("getRun", { runId: "${runId}" })`);
    await see(tools, "the run", ({ servers }) => servers[address(near)]?.[runId] === "waiting-approval");
    assert.deepEqual(tools.complaints.splice(0), []);
  });
});

test("the page's token and the session's are nowhere in what is kept, shown and exported", async () => {
  const runId = await near.launch("approval");
  await near.waitForState(runId, "waiting-approval");
  const tools = await openDevtools(`${near.http}/page/index.html?token=${OPERATOR_TOKEN}#poll=${runId}&follow=${runId}&at=${near.url}`);
  const folder = mkdtempSync(join(tmpdir(), "runstate-traffic-"));
  try {
    await choose(tools, runId);
    await see(tools, "the run", ({ header }) => header?.state === "waiting-approval" && header.freshness === "following");
    const { sessionToken } = await tools.page.evaluate("sockets[0].greeting.auth");
    assert.ok(sessionToken.length > 8, sessionToken);

    const session = await tools.browser.target().createCDPSession();
    await session.send("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: folder, eventsEnabled: true });
    const saved = new Promise((done) => session.on("Browser.downloadProgress", ({ state }) => state === "completed" && done()));
    await press(tools, "export");
    const submit = `document.querySelector('form[data-form="export"] [type="submit"]')`;
    await until("the form", () => tools.inPanel(`${submit} !== null`));
    await tools.inPanel(`${submit}.click()`);
    await saved;
    const [name] = readdirSync(folder);
    const exported = readFileSync(join(folder, name), "utf8");
    assert.ok(exported.includes(runId) && exported.includes("release-gate"), "the export has the run");

    const savedPage = new Promise((done) => session.on("Browser.downloadProgress", ({ state }) => state === "completed" && done()));
    await tools.inPanel(`document.querySelector('[data-action="export-page"]').click()`);
    await savedPage;
    const pageName = readdirSync(folder).find((file) => file.endsWith(".html"));
    const pageText = readable(readFileSync(join(folder, pageName), "utf8"));
    assert.ok(pageText.includes(runId) && pageText.includes("release-gate"), "the page has the run");

    const kept = await keptEntries(tools, ["frame", "answer"]);
    assert.ok(
      kept.includes(runId) && kept.includes('"frame"') && kept.includes('"answer"'),
      "what the collector keeps has answers and frames",
    );
    const page = await stored(tools);
    for (const [place, text] of Object.entries({ exported, pageText, kept, page })) {
      for (const secret of [OPERATOR_TOKEN, sessionToken]) assert.ok(!text.includes(secret), `${secret} in ${place}`);
      assert.doesNotMatch(text, CREDENTIAL, place);
    }

    const again = await tools.inPanel(`runstateTest.paste(${JSON.stringify(exported)})`);
    const found = again.header ?? again.runs?.find(({ id }) => id === runId);
    assert.equal(found?.state, "waiting-approval", JSON.stringify(again));

    const own = await tools.browser.newPage();
    await own.setOfflineMode(true);
    await install(own);
    await own.goto(`file://${join(folder, pageName)}`);
    await own.waitForSelector('section[data-tone][data-state="waiting-approval"]');
    assert.equal((await header(own)).runId, runId, "it opens on the run that was on screen");
    assert.equal(await own.$eval('[data-field="incident"] [data-field="sha256"]', (field) => field.dataset.matches), "true");
    await own.close();
    assert.deepEqual(tools.complaints, []);
  } finally {
    await tools.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  }
});

test("frames, frames of another site, workers and service workers are read; shared workers are not", async () => {
  const kinds = ["frame", "outside", "worker", "shared", "service"];
  const [front, back] = await Promise.all([startGateway({ page: folder }), startGateway({ page: folder })]);
  const launch = async (kind) => [
    kind,
    {
      poll: await (kind === "outside" ? back : front).launch("approval"),
      follow: await (kind === "outside" ? front : back).launch("approval"),
    },
  ];
  const runs = Object.fromEntries(await Promise.all(kinds.map(launch)));
  const tools = await openDevtools(`${front.http}/page/index.html`);
  try {
    delete runs.outside.follow;
    await startFramesAndWorkers(tools.page, runs, { at: back.url, outside: `http://localhost:${back.port}` });
    const polled = (server) => Object.keys(server ?? {}).sort();
    const expected = ["frame", "worker", "service"].map((kind) => runs[kind].poll).sort();
    await see(
      tools,
      "all that is read over HTTP",
      ({ servers }) =>
        isDeepStrictEqual(polled(servers[address(front)]), expected) && servers[`localhost:${back.port}`]?.[runs.outside.poll],
    );
    for (const kind of ["frame", "worker", "service"]) {
      await choose(tools, runs[kind].follow);
      await see(
        tools,
        `the tree that the ${kind} reads`,
        ({ header, nodes }) => header?.freshness === "following" && nodes["release-gate"],
      );
      await press(tools, "runs");
    }
    // The greeting of the others' sockets names the run that the shared worker follows; nothing more is known of it.
    await choose(tools, runs.shared.follow);
    const { nodes } = await see(tools, "the run", ({ header }) => header?.runId === runs.shared.follow);
    assert.deepEqual(nodes, {});
    await press(tools, "runs");
    const { servers, notes } = await see(tools, "the list", ({ screen }) => screen === "runs");
    assert.deepEqual(polled(servers[address(front)]), expected);
    assert.deepEqual(notes, {});
    assert.deepEqual(tools.complaints, []);
  } finally {
    await Promise.all([tools.close(), front.stop(), back.stop()]);
  }
});
