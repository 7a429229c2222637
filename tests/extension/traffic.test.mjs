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
import { choose, filledIn, keptEntries, press, search, see, shown, startFramesAndWorkers, stored } from "../support/traffic.mjs";

const folder = join(root, "tests/extension/page");
// The Gateway that serves the page, and another one.
const [near, far] = await Promise.all([startGateway({ page: folder }), startGateway()]);
after(() => Promise.all([near.stop(), far.stop()]));
const address = (gateway) => `127.0.0.1:${gateway.port}`;

/** The field that counts the messages of a Gateway's sockets. */
const socketMessages = (header) => {
  const text = /Messages\n+([^\n]*)/.exec(header?.text)?.[1] ?? "";
  return { text, received: Number(/^([\d\s]+) in/.exec(text)?.[1].replace(/\s/g, "")) };
};
const settle = (ms) => new Promise((done) => setTimeout(done, ms));

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

describe("a socket", () => {
  let tools, runId;
  before(async () => {
    runId = await far.launch("approval");
    await far.waitForState(runId, "waiting-approval");
    tools = await openDevtools(`${near.http}/page/index.html#follow=${runId}&at=${far.url}`);
    await choose(tools, runId);
    await see(tools, "the run", ({ header }) => header?.freshness === "following");
  });
  after(() => tools?.close());

  test("that DevTools does not show any more after its log was cleared, is explained, and followed again after a reload", async () => {
    await tools.inFront(`(async () => {
      const { NetworkLog } = await import("./models/logs/logs.js");
      NetworkLog.NetworkLog.instance().reset(true);
    })()`);
    const { header, notes } = await see(
      tools,
      "the end of the socket",
      ({ header, notes }) => notes.cleared && header?.freshness === "seen",
    );
    assert.equal(header.state, "waiting-approval");
    assert.match(notes.cleared, /no longer shows messages of WebSockets that were open before\. Reload the page/);
    await press(tools, "reload-page");
    await see(tools, "the run again", ({ header, notes }) => header?.freshness === "following" && !notes.cleared);
  });

  test("whose Gateway is killed is not followed any more, and what was said stays as it was", async () => {
    await far.kill();
    const { header } = await see(tools, "the end of the socket", ({ header }) => header?.freshness === "seen");
    assert.equal(header.state, "waiting-approval");
    await press(tools, "runs");
    const { lines } = await see(tools, "the list", ({ screen }) => screen === "runs");
    assert.match(lines.join(), /Socket · closed/);
    await far.restart();
    assert.deepEqual(tools.complaints.splice(0), []);
  });
});

test("a run whose Gateway hangs is not followed any more, though its socket is open, and is never live", async () => {
  const silent = await startGateway();
  const runId = await silent.launch("approval");
  await silent.waitForState(runId, "waiting-approval");
  const tools = await openDevtools(`${near.http}/page/index.html#follow=${runId}&at=${silent.url}`);
  try {
    await choose(tools, runId);
    await see(tools, "the run", ({ header }) => header?.freshness === "following");
    await tools.inPanel(`(() => {
      window.freshnessValues = new Set();
      const note = () => document.querySelectorAll('[data-field="freshness"] [data-value]').forEach(({ dataset }) => window.freshnessValues.add(dataset.value));
      note();
      new MutationObserver(note).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
    })()`);
    process.kill(silent.pid, "SIGSTOP");
    try {
      const { header } = await see(tools, "silence", ({ header }) => header?.freshness === "seen", 40_000);
      assert.equal(header.state, "waiting-approval");
      await press(tools, "runs");
      const { lines } = await see(tools, "the list", ({ screen }) => screen === "runs");
      assert.match(lines.join(), /Socket · silent for \d+ s/);
    } finally {
      process.kill(silent.pid, "SIGCONT");
    }
    assert.deepEqual(await tools.inPanel("[...window.freshnessValues]"), ["following", "seen"]);
    assert.deepEqual(tools.complaints, []);
  } finally {
    await tools.close();
    await silent.stop();
  }
});

test("10 000 frames of several sockets are read without a gap, and a run is followed among them", async () => {
  const busy = await startGateway({ heartbeatMs: 5 });
  const runId = await busy.launch("approval");
  await busy.waitForState(runId, "waiting-approval");
  const tools = await openDevtools(`${near.http}/page/index.html#follow=${runId}&at=${busy.url}`);
  try {
    await choose(tools, runId);
    await see(tools, "the run", ({ header }) => header?.runId === runId);
    await tools.page.evaluate(`Promise.all([1, 2, 3, 4, 5].map(() => open("${busy.url}")))`);
    await tools.page.waitForFunction("sockets.reduce((sum, { frames }) => sum + frames, 0) > 10000", { timeout: 60_000 });
    await busy.approve(runId, "release-gate");
    await see(tools, "its end", ({ header }) => header?.state === "succeeded", 30_000);
    await busy.kill();
    const received = await tools.page.evaluate("sockets.reduce((sum, { frames }) => sum + frames, 0)");
    assert.ok(received > 10_000, `${received} frames`);
    const { header } = await see(tools, "all frames", ({ header }) => socketMessages(header).received === received, 30_000);
    assert.match(socketMessages(header).text, /none missing/);
    assert.deepEqual(tools.complaints, []);
  } finally {
    await tools.close();
    await busy.stop();
  }
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
      for (const secret of [OPERATOR_TOKEN, sessionToken, "Bearer"]) assert.ok(!text.includes(secret), `${secret} in ${place}`);
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
    rmSync(folder, { recursive: true, force: true });
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

describe("the Gateway's own operator console", () => {
  // Each run's states of `getRun`, with the times at which it answered.
  const history = new Map();
  const launched = {};
  let gateway, tools, timer;
  const sample = async (runId) => {
    const { runState } = await gateway.rpc("getRun", { runId }).catch(() => ({}));
    if (runState) history.set(runId, [...(history.get(runId) ?? []), { at: Date.now(), state: runState.state }]);
  };
  // The console asks every five seconds, and says nothing in between of runs that it does not follow.
  const LISTED_AGE = 8_000;
  const FOLLOWED_AGE = 2_000;
  const wasTrue = (runId, state, now, age) =>
    state === "unknown" || history.get(runId)?.some((each) => each.at > now - age && each.state === state);
  const rows = () =>
    tools.inPanel(
      `Object.fromEntries([...document.querySelectorAll("[data-run]")].map((row) => [row.dataset.run, row.querySelector("[data-taxonomy]")?.dataset.value]))`,
    );

  before(async () => {
    gateway = await startGateway();
    for (const workflow of ["approval", "event", "fail", "finish", "silent", "slow", "timer", "wide"])
      launched[workflow] = await gateway.launch(workflow, { ms: 2000 });
    timer = setInterval(() => Object.values(launched).forEach(sample), 500);
    tools = await openDevtools(`${gateway.http}/v1/auth/session?token=${OPERATOR_TOKEN}&next=/console`);
  });
  after(async () => {
    clearInterval(timer);
    await tools?.close();
    await gateway?.stop();
  });

  test("every run in it is listed, with a state that getRun has said just now", async () => {
    await until("all runs", async () => Object.keys(await rows()).length === Object.keys(launched).length);
    const shown = await tools.page.$$eval(".run-id", (ids) => ids.map((id) => id.textContent));
    assert.deepEqual(Object.keys(await rows()).sort(), [...shown].sort());
    const states = new Set();
    for (let i = 0; i < 20; i++) {
      const now = Date.now();
      for (const [runId, state] of Object.entries(await rows())) {
        assert.ok(
          wasTrue(runId, state, now, LISTED_AGE),
          `${runId} is shown as ${state}; getRun said ${JSON.stringify(history.get(runId))}`,
        );
        states.add(state);
      }
      await settle(500);
    }
    for (const state of ["waiting-approval", "waiting-event", "failed", "succeeded", "running"])
      assert.ok(states.has(state), `${state} is among ${[...states]}`);
  });

  for (const [workflow, end] of [
    ["approval", "succeeded"],
    ["event", "waiting-event"],
    ["slow", "running"],
  ]) {
    test(`${workflow}: a run that is chosen in it is followed, and the running of its stream is not taken for its state`, async () => {
      const runId = launched[workflow];
      await tools.page.$$eval(".run-id", (ids, runId) => ids.find((id) => id.textContent === runId).click(), runId);
      await tools.inPanel(`document.querySelector('[data-action="runs"]')?.click()`);
      await choose(tools, runId);
      await see(
        tools,
        "its tree",
        ({ header, nodes }) => header?.runId === runId && header.freshness === "following" && Object.keys(nodes).length > 1,
      );
      // Between an approval and the end a run works for a moment only.
      const often = setInterval(() => sample(runId), 50);
      let known = 0;
      for (let i = 0; i < 12; i++) {
        const now = Date.now();
        const { header } = await shown(tools);
        known += header.state === "unknown" ? 0 : 1;
        assert.ok(
          wasTrue(runId, header.state, now, FOLLOWED_AGE),
          `shown as ${header.state}; getRun said ${JSON.stringify(history.get(runId))}`,
        );
        if (workflow === "approval" && i === 4) await gateway.approve(runId, "release-gate");
        await settle(400);
      }
      clearInterval(often);
      assert.ok(known >= 8, `the state is known in ${known} of 12 samples`);
      await see(tools, end, ({ header }) => header?.state === end);
    });
  }

  test("the panel complains of nothing", () => assert.deepEqual(tools.complaints, []));
});

test("a Gateway without runs, and one that refuses the page, is named with what to do", async () => {
  const empty = await startGateway({ page: folder });
  const tools = await openDevtools(`${empty.http}/page/index.html`);
  try {
    await tools.page.evaluate(`rpc("listRuns")`);
    const { screen, notes } = await see(tools, "the note", ({ notes }) => notes["no-runs"]);
    assert.equal(screen, "traffic");
    assert.match(
      notes["no-runs"],
      new RegExp(`The Gateway ${address(empty)} has not sent any run to this page\\. .*connect to the Gateway`),
    );
    await tools.page.evaluate(
      `fetch("/rpc", { method: "POST", headers: { authorization: "Bearer wrong", "content-type": "application/json" }, body: JSON.stringify({ id: "1", method: "listRuns", params: {} }) }).then((response) => response.text())`,
    );
    await see(tools, "the refusal", ({ notes }) => /refused the last request of this page: UNAUTHORIZED\. Sign in/.test(notes["no-runs"]));
    assert.deepEqual(await filledIn(tools, '[data-value="no-runs"] [data-action="choose-source"]'), { url: empty.url, token: "", run: "" });
    assert.deepEqual(tools.complaints, []);
  } finally {
    await tools.close();
    await empty.stop();
  }
});

test("a log that is not recorded is explained, and a navigation meanwhile discards what was seen", async () => {
  const runId = await near.launch("approval");
  await near.waitForState(runId, "waiting-approval");
  const tools = await openDevtools(`${near.http}/page/index.html#poll=${runId}`);
  const record = (isOn) =>
    tools.inFront(
      `import("./models/logs/logs.js").then(({ NetworkLog }) => void NetworkLog.NetworkLog.instance().setIsRecording(${isOn}))`,
    );
  try {
    await see(tools, "the run", ({ servers }) => servers[address(near)]?.[runId]);
    await record(false);
    const { notes } = await see(tools, "the note", ({ notes }) => notes["not-recorded"]);
    assert.match(notes["not-recorded"], /Start the recording in the Network panel/);
    await tools.page.goto(`${near.http}/page/index.html?unrecorded`);
    await see(tools, "no run", ({ screen, notes }) => screen === "traffic" && !notes.navigated);
    assert.doesNotMatch(await tools.inPanel("document.body.innerText"), /Preserve log is on/);
    await record(true);
    await tools.page.goto(`${near.http}/page/index.html?recorded#poll=${runId}`);
    await see(tools, "the run again", ({ servers, notes }) => servers[address(near)]?.[runId] && !notes["not-recorded"]);
    assert.deepEqual(tools.complaints, []);
  } finally {
    await tools.close();
  }
});

test("a socket from before DevTools is explained, and seen after a reload", async () => {
  const runId = await near.launch("approval");
  await near.waitForState(runId, "waiting-approval");
  const url = `${near.http}/page/index.html#follow=${runId}&at=${near.url}`;
  const tools = await openDevtools(url, { late: (page) => page.waitForFunction("sockets[0]?.frames > 3") });
  try {
    const { screen, notes } = await see(tools, "the note", ({ notes }) => notes.late);
    assert.equal(screen, "traffic");
    assert.match(notes.late, /messages of a WebSocket that was opened before DevTools/);
    // A page that the page loads into itself has a request for a document, too.
    await tools.page.evaluate(
      () =>
        new Promise((loaded) =>
          document.body.append(Object.assign(document.createElement("iframe"), { src: "/page/index.html?inside", onload: loaded })),
        ),
    );
    const { notes: later } = await see(tools, "the request of the page inside the page", ({ counts }) =>
      /^[1-9]\d* requests? /.test(counts),
    );
    assert.equal(later.late, notes.late);
    await press(tools, "reload-page");
    await see(tools, "the run", ({ servers, notes }) => servers[address(near)]?.[runId] === "waiting-approval" && !notes.late);
    assert.deepEqual(tools.complaints, []);
  } finally {
    await tools.close();
  }
});
