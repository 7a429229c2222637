// What the collector of a page's traffic keeps, and what it discards.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, mock, test } from "node:test";
import {
  answer,
  bodies,
  developerTools,
  firefoxTools,
  gateway,
  heldTexts,
  kinds,
  receive,
  send,
  session,
  signal,
  start,
  token,
} from "../support/collector.mjs";
import { extension } from "../support/extension.mjs";

const { Servers } = await extension("servers.js");
const servers = async () => {
  const all = new Servers();
  await all.load();
  return all;
};

const studioFolder = join(import.meta.dirname, "../vectors/lionagi/captures/studio");
mock.timers.enable({ apis: ["setTimeout"] });

describe("a poll", () => {
  test("hands over answers of Gateways and Studio, and nothing of others", async () => {
    const tools = developerTools();
    tools.answer(gateway, answer, { sent: JSON.stringify({ method: "getRun", params: { runId: "r1" }, token }) });
    tools.answer(gateway, answer, { status: 404 });
    tools.answer("http://127.0.0.1:8765/api/runs?limit=5", JSON.stringify({ runs: [session] }));
    tools.answer("http://127.0.0.1:8765/api/runs/none", '{"detail":"not found"}', { status: 404 });
    tools.answer("http://127.0.0.1/page.html", answer, { mimeType: "text/html" });
    const entries = await tools.poll();
    assert.deepEqual(
      entries.map(({ kind, status }) => status ?? kind),
      [200, 404, 200, "poll"],
    );
    assert.equal(entries[0].request, '{"method":"getRun","params":{"runId":"r1"}}');
    assert.doesNotMatch(JSON.stringify(entries), /secret/);
  });

  const foreign = {
    "an answer of somebody else": ["http://127.0.0.1/other", '{"secret":"of somebody else"}'],
    "an object of Kubernetes": ["http://127.0.0.1/api/v1/secrets", { apiVersion: "v1", kind: "Secret", data: { key: "s" } }],
    "a list of Kubernetes": ["http://127.0.0.1/api/v1/secrets", { apiVersion: "v1", kind: "SecretList", items: [] }],
    "the envelope of another version": ["http://127.0.0.1/rpc", { apiVersion: "v2", ok: true, payload: {} }],
    "an envelope without payload": ["http://127.0.0.1/rpc", { apiVersion: "v1", ok: true, jwt: "s" }],
    "an envelope that is neither answer nor event": ["http://127.0.0.1/rpc", { apiVersion: "v1", type: "manifest", payload: {} }],
    "an envelope that is no JSON": ["http://127.0.0.1/rpc", '{"apiVersion":"v1","ok":true,"payload":{'],
    "another interface that says ok": ["http://127.0.0.1/v1/api/session", { ok: true, data: { jwt: "s" } }],
    "a text that names a run": ["http://127.0.0.1/rpc", { ok: true, data: 'the key "runId"' }],
    "what a page sends to an address like Studio's": ["http://127.0.0.1/api/sessions", { jwt: "s" }, { method: "POST" }],
    "what a page removes there": ["http://127.0.0.1/api/sessions/s1", { jwt: "s" }, { method: "DELETE" }],
    "a list of sessions of a bank": ["https://bank.example/api/sessions", [{ id: "s", user: "mira", status: "active" }]],
    "users of somebody else": ["https://bank.example/api/admin/users", { users: [{ name: "mira" }], sessions: 3 }],
    "statistics of somebody else": ["https://bank.example/api/stats", { db: { rows: 3 }, runs: 4 }],
    "runs of a gymnasium": ["https://bank.example/api/runs", { runs: [{ id: "r", status: "finished", km: 3 }] }],
    "an error at an address like Studio's": ["https://bank.example/api/runs/1", { detail: "of somebody else" }],
    "a text at an address like Studio's": ["https://bank.example/api/runs/1", "of somebody else"],
    "a list of envelopes": ["http://127.0.0.1/rpc", [{ apiVersion: "v1", ok: true, payload: {} }]],
  };

  for (const [name, [url, body, options]] of Object.entries(foreign)) {
    test(`leaves out ${name}`, async () => {
      const tools = developerTools();
      const text = typeof body === "string" ? body : JSON.stringify(body);
      tools.answer(url, text, options);
      tools.socket("ws://127.0.0.1:9/", [receive(text)]);
      assert.deepEqual(kinds(await tools.poll()), ["poll"]);
    });
  }

  test("keeps nothing of an event stream at an address like Studio's", async () => {
    const tools = firefoxTools();
    const text = (count) =>
      Array.from({ length: count }, (_, index) => `data: {"role":"user","content":"of somebody else ${index}"}\n\n`).join("");
    const stream = tools.eventStream("https://bank.example/api/sessions/s1/stream", text(1));
    for (const count of [2, 100]) {
      assert.deepEqual(kinds(await tools.poll()), ["poll"]);
      stream.response.content.text = text(count);
    }
    tools.end(stream);
    assert.deepEqual(kinds(await tools.poll()), ["poll"]);
    assert.doesNotMatch(heldTexts(tools.collector, ["#network", "#now", "#listeners"]), /somebody|bank/);
  });

  test("reads an event stream from its beginning once a signal shows that it is Studio's", async () => {
    const tools = firefoxTools();
    const stream = tools.eventStream("http://127.0.0.1:8765/api/sessions/s1/signals", 'data: {"type":"heartbeat"}\n\n');
    assert.deepEqual(kinds(await tools.poll()), ["poll"]);
    stream.response.content.text += `data: ${signal(1)}\n\n`;
    assert.deepEqual(kinds(await tools.poll()), ["message", "message", "poll"]);
  });

  test("hands over what a Studio that is known answers, in whatever shape", async () => {
    const tools = developerTools();
    const studio = "http://127.0.0.1:8765/api";
    const answers = [
      [`${studio}/runs/s1/plan`, { steps: [] }],
      [`${studio}/runs`, { runs: [session] }],
      [`${studio}/runs/s1/plan`, { steps: [] }],
      [`${studio}/users`, { users: [] }],
      ["http://127.0.0.1:8766/api/runs/s1/plan", { steps: [] }],
    ];
    for (const [url, body] of answers) tools.answer(url, JSON.stringify(body));
    assert.deepEqual(
      (await tools.poll()).map(({ url }) => url),
      [`${studio}/runs`, `${studio}/runs/s1/plan`, undefined],
    );
  });

  const studioCaptures = readdirSync(studioFolder).filter(
    (name) => !readFileSync(join(studioFolder, name), "utf8").startsWith('{"detail"'),
  );
  test(`knows Studio by each of ${studioCaptures.length} captured answers`, async () => {
    assert.ok(studioCaptures.length > 30);
    for (const name of studioCaptures) {
      const request = { method: "GET", url: "http://127.0.0.1:8765/api/runs/x" };
      assert.ok((await servers()).hasSentResponse(request, 200, readFileSync(join(studioFolder, name), "utf8")), name);
    }
  });

  test("hands over what the REST interface of a Gateway answers without a run, once the Gateway is known", async () => {
    const tools = developerTools();
    const [known, other] = ["http://127.0.0.1:7331/v1/api", "http://127.0.0.1:7332/v1/api"];
    tools.answer(`${known}/approvals`, '{"ok":true,"data":[]}');
    tools.answer(`${known}/runs`, '{"ok":true,"data":[{"runId":"r1"}]}');
    await bodies();
    for (const url of [`${known}/approvals`, `${other}/approvals`, "http://127.0.0.1:7331/login"])
      tools.answer(url, '{"ok":true,"data":[]}');
    assert.deepEqual(
      (await tools.poll()).map(({ url }) => url),
      [`${known}/runs`, `${known}/approvals`, undefined],
    );
  });

  test("delivers what sockets have carried without waiting for a body, which follows with its own moment", async () => {
    const tools = firefoxTools();
    let giveBody;
    tools.answer(gateway, answer, { getContent: (done) => void (giveBody = done) });
    tools.socket("ws://127.0.0.1:7331/", [receive(answer, (tools.now + 500) / 1000)]);
    tools.wait = 70;
    const asked = tools.now + 1000;
    const [frame, poll] = await tools.poll();
    assert.deepEqual([frame.kind, poll.kind, poll.at], ["frame", "poll", asked]);
    giveBody([answer, "application/json"]);
    assert.deepEqual(
      (await tools.poll()).map(({ kind, at }) => [kind, at]),
      [
        ["answer", start + 5],
        ["poll", asked + tools.wait + 1000],
      ],
    );
  });

  test("holds no secret, however the page is addressed", async () => {
    const tools = firefoxTools();
    const secret = (path) => `http://me:${token}@127.0.0.1:7331${path}?token=${token}#${token}`;
    const visit = (path) => {
      tools.now += 1000;
      tools.entries = [];
      tools.page(secret(path));
      tools.announce(secret(path));
      tools.now += 30;
      tools.answer(secret("/rpc"), answer, {
        referrer: secret("/page"),
        sent: JSON.stringify({ method: "getRun", params: { runId: "r1" }, token }),
      });
      tools.eventStream(secret("/api/sessions/s1/signals"), `data: ${signal(1, { token })}\n\n`);
      tools.socket(secret("/socket").replace("http", "ws"), [
        send(JSON.stringify({ method: "connect", params: { auth: { token } } })),
        receive(answer),
      ]);
      tools.hiddenSocket(secret("/hidden").replace("http", "ws"));
    };
    const held = () => heldTexts(tools.collector, ["#network", "#now", "#listeners"]);
    for (const path of ["/page", "/next"]) {
      visit(path);
      await bodies();
      assert.doesNotMatch(held(), /secret/, "before a poll");
      await tools.poll();
      assert.match(held(), /getRun/, "what is kept is searched");
      assert.doesNotMatch(held(), /secret/, "after a poll");
    }
  });

  test("reads each frame of a socket once, and tells when it ends", async () => {
    const tools = developerTools();
    const socket = tools.socket("ws://127.0.0.1:7331/", [
      send(JSON.stringify({ type: "req", id: "1", method: "connect", params: { auth: { token } } })),
      receive(answer),
    ]);
    const first = await tools.poll();
    assert.deepEqual(kinds(first), ["frame", "frame", "poll"]);
    assert.deepEqual(first.at(-1).openStreams, [first[0].socket]);
    assert.doesNotMatch(JSON.stringify(first), /secret/);
    socket._webSocketMessages.push(receive(answer));
    assert.deepEqual(kinds(await tools.poll()), ["frame", "poll"]);
    assert.deepEqual(kinds(await tools.poll()), ["poll"]);
    tools.entries = [];
    assert.deepEqual(
      (await tools.poll()).map(({ kind, cause }) => cause ?? kind),
      ["cleared", "cleared", "poll"],
    );
  });

  test("counts sockets and event streams separately, and no longer knows those that have left the log", async () => {
    const tools = developerTools();
    const before = heldTexts(tools.collector, ["#network", "#now", "#listeners", "#buffer"]).length;
    for (let round = 0; round < 20; round++) {
      tools.now += 5000;
      const socket = tools.socket("ws://127.0.0.1:7331/", [receive(answer, tools.now / 1000)]);
      await tools.poll();
      tools.finish(socket);
      await tools.poll();
      tools.clear();
      await tools.poll();
      tools.collector.clear();
    }
    tools.socket("ws://127.0.0.1:9/", []);
    tools.entries.push({
      startedDateTime: new Date(tools.now).toISOString(),
      time: 5,
      request: { url: "http://127.0.0.1/events", method: "GET" },
      _resourceType: "eventsource",
      _eventSourceMessages: [],
    });
    const { sockets, eventStreams, hiddenSocketCount } = (await tools.poll()).at(-1);
    assert.deepEqual([sockets, eventStreams, hiddenSocketCount], [1, 1, 0]);
    const after = heldTexts(tools.collector, ["#network", "#now", "#listeners", "#buffer"]).length;
    assert.ok(after < before + 400, `${after} characters of names after ${before}`);
  });

  test("keeps nothing of a socket on which no Gateway speaks", async () => {
    const tools = developerTools();
    tools.socket(
      "ws://127.0.0.1:9/",
      Array.from({ length: 50 }, () => receive('{"price":3}')),
    );
    tools.socket("ws://127.0.0.1:10/", [{ type: "receive", opcode: 2, time: start / 1000, data: "AAAA" }]);
    assert.deepEqual(kinds(await tools.poll()), ["poll"]);
  });

  test("reads each message of an event stream in Firefox once, and what came last when it ends", async () => {
    const tools = firefoxTools();
    const stream = tools.eventStream(
      "http://127.0.0.1:8765/api/sessions/s1/signals",
      `data: ${signal(1)}\n\ndata: ${signal(2).slice(0, 9)}`,
    );
    const [first, poll] = await tools.poll();
    assert.deepEqual([first.kind, first.data, first.event, first.at], ["message", signal(1), "", tools.now]);
    assert.deepEqual(poll.openStreams, [first.stream]);
    assert.deepEqual(kinds(await tools.poll()), ["poll"]);
    stream.response.content.text += `${signal(2).slice(9)}\n\n`;
    assert.deepEqual(
      (await tools.poll()).map(({ data }) => data),
      [signal(2), undefined],
    );
    stream.response.content.text += `data: ${signal(3)}\n\n`;
    tools.end(stream);
    const last = await tools.poll();
    assert.deepEqual(
      last.map(({ kind, cause }) => cause ?? kind),
      ["message", "closed", "poll"],
    );
    assert.deepEqual(last.at(-1).openStreams, []);
    assert.deepEqual(kinds(await tools.poll()), ["poll"]);
  });

  test("reports once that Firefox has truncated an event stream, which delivers nothing more", async () => {
    const tools = firefoxTools();
    const url = "http://127.0.0.1:8765/api/sessions/s1/signals";
    // In UTF-8, the last character has three bytes.
    const filler = (bytes) => `: ${"x".repeat(bytes - 3)}€\n\n`;
    const text = `data: ${signal(1)}\n\n`;
    const rest = 2 ** 20 - text.length;
    const stream = tools.eventStream(url, text + filler(rest - 5));
    const [, poll] = await tools.poll();
    assert.equal(poll.openStreams.length, 1);
    stream.response.content.text = text + filler(rest - 4);
    const [truncated, end, next] = await tools.poll();
    assert.deepEqual([truncated.kind, truncated.url, truncated.limitMb], ["too-large", url, 1]);
    assert.deepEqual([end.kind, end.cause, next.openStreams], ["end", "truncated", []]);
    assert.deepEqual(kinds(await tools.poll()), ["poll"]);
    stream.response.content.text += "\0";
    tools.end(stream);
    assert.deepEqual(kinds(await tools.poll()), ["end", "poll"]);
  });

  test("goes on with an event stream where Firefox has a higher limit", async () => {
    const tools = firefoxTools();
    const large = (name) => `data: ${signal(1)}\n\n: ${name.repeat(2 ** 20)}\n\n`;
    const stream = tools.eventStream("http://127.0.0.1:8765/api/sessions/s1/signals", large("x"));
    assert.deepEqual(kinds(await tools.poll()), ["message", "too-large", "end", "poll"]);
    stream.response.content.text += `data: ${signal(2)}\n\n`;
    const [message, poll] = await tools.poll();
    assert.deepEqual([message.data, poll.openStreams], [signal(2), [message.stream]]);
    assert.deepEqual(kinds(await tools.poll()), ["poll"]);
    tools.eventStream("http://127.0.0.1:8765/api/sessions/s2/signals", large("y"));
    assert.deepEqual(kinds(await tools.poll()), ["message", "poll"]);
  });

  test("names the sockets whose messages Firefox hides, as long as the page has them", async () => {
    const tools = firefoxTools();
    tools.hiddenSocket(`ws://me:${token}@127.0.0.1:7331/?token=${token}`);
    tools.hiddenSocket("ws://127.0.0.1:7331/");
    const [poll] = await tools.poll();
    assert.deepEqual([poll.hiddenSockets, poll.hiddenSocketCount, poll.sockets, poll.requests], [["ws://127.0.0.1:7331/"], 2, 0, 0]);
    tools.navigate();
    assert.deepEqual((await tools.poll()).at(-1).hiddenSockets, []);
    const chromium = developerTools();
    chromium.socket("ws://127.0.0.1:7331/", []);
    assert.deepEqual((await chromium.poll()).at(-1).hiddenSockets, []);
  });

  test("says that an answer of a Gateway was too large, and only then", async () => {
    const tools = developerTools();
    tools.answer("http://127.0.0.1/assets/big.json", null, { size: 21e6 });
    tools.answer(gateway, answer);
    assert.deepEqual(kinds(await tools.poll()), ["answer", "poll"]);
    tools.answer(gateway, null, { size: 21e6 });
    tools.answer(gateway, null, { size: 200 });
    const [large] = await tools.poll();
    assert.deepEqual([large.kind, large.limitMb], ["too-large", 20]);
    // Firefox gives the beginning, and NUL in place of the rest.
    tools.answer(gateway, answer + "\0".repeat(20));
    tools.answer("http://127.0.0.1/assets/big.json", answer + "\0");
    const [cut, poll] = await tools.poll();
    assert.deepEqual([cut.kind, cut.limitMb, poll.kind], ["too-large", 1, "poll"]);
  });

  const largeResponses = {
    "a method of a Gateway": ["http://127.0.0.1:7331/v1/rpc/getDevToolsSnapshot", "POST", true],
    "a list of Studio": ["http://127.0.0.1:8765/api/runs/?page=1", "GET", true],
    "a session of Studio": ["http://127.0.0.1:8765/api/sessions/s1/messages", "GET", true],
    "a download": ["https://example.org/assets/big.json", "GET", false],
    "the export of another interface": ["https://example.org/api/v1/runs", "GET", false],
    "a route like that of Studio": ["https://example.org/api/runsheets", "GET", false],
    "what a page sends to an address like Studio's": ["https://example.org/api/sessions", "POST", false],
    "what a page reads at an address like a Gateway's": ["https://example.org/v1/rpc/getRun", "GET", false],
    "a file at an address like a Gateway's": ["https://example.org/v1/rpc/runs.json", "POST", false],
    "another version": ["https://example.org/v2/rpc/getRun", "POST", false],
    "a Gateway's address in a parameter": ["https://example.org/proxy?to=/v1/rpc/getRun", "POST", false],
  };

  for (const [name, [url, method, isExplained]] of Object.entries(largeResponses)) {
    test(`${isExplained ? "explains" : "does not mention"} a response that is too large from a server that is not known: ${name}`, async () => {
      const tools = developerTools();
      tools.answer(url, null, { size: 21e6, method });
      tools.answer(url, `{"text":"x\0`, { method });
      const entries = await tools.poll();
      assert.deepEqual(
        entries.map(({ kind, limitMb }) => limitMb ?? kind),
        isExplained ? [20, 1, "poll"] : ["poll"],
      );
    });
  }

  test("the privacy policy has the limits of what is kept", () => {
    const read = (path) => readFileSync(join(import.meta.dirname, "../..", path), "utf8");
    const policy = read("docs/store/privacy.md").replace(/\s+/g, " ");
    const [, megacharacters] = /MAX_BUFFER = (\d+) \* 2 \*\* 20/.exec(read("www/extension/buffer.js"));
    const limit = (path) => /MAX_KEPT: usize = (\d+) << 20/.exec(read(path))[1];
    assert.ok(policy.includes(`at most ${megacharacters} million characters (${2 * megacharacters} MB)`));
    assert.ok(
      policy.includes(
        `at most ${limit("core/src/ingest/traffic/mod.rs")} MB of stream messages, ${limit("core/src/ingest/traffic/studio.rs")} MB of responses for each server`,
      ),
    );
  });

  test("what is too much is dropped, the oldest first, and counted", async () => {
    const tools = developerTools();
    const large = JSON.stringify({ ok: true, apiVersion: "v1", payload: { runId: "r1", text: "x".repeat(2 ** 22) } });
    for (let i = 0; i < 10; i++) tools.answer(gateway, large);
    await tools.poll();
    const later = [];
    tools.collector.subscribe((entries) => later.push(...entries));
    assert.equal(later[0].kind, "dropped");
    assert.equal(later.filter(({ kind }) => kind === "answer").length + later[0].count, 10);
    tools.collector.clear();
    later.length = 0;
    tools.collector.subscribe((entries) => later.push(...entries));
    assert.deepEqual(kinds(later), ["poll"]);
  });
});

describe("one bad message", () => {
  const nested = `{"ok":true,"data":${"[".repeat(200_000)}${"]".repeat(200_000)}}`;
  const versioned = `{"apiVersion":"v1","ok":true,"payload":${"[".repeat(200_000)}${"]".repeat(200_000)}}`;
  const bad = {
    "is nested deeply": receive(nested),
    "is nested deeply in an envelope": receive(versioned.replace('"v1"', '"x"')),
    "has half a letter": receive('{"apiVersion":"v1","ok":true,"payload":"\ud800"}'),
    "is none": null,
    "has a text that is none": { ...receive(""), data: { apiVersion: 1 } },
  };
  for (const [name, message] of Object.entries(bad)) {
    test(`that ${name} hides no other stream`, async () => {
      const tools = developerTools();
      tools.socket("ws://127.0.0.1:7332/", [message]);
      tools.socket("ws://127.0.0.1:7331/", [receive(answer)]);
      const polls = [await tools.poll(), await tools.poll()];
      const frames = polls[0].filter(({ url }) => url?.includes("7331"));
      assert.equal(frames.length, 1, JSON.stringify(kinds(polls[0])));
      assert.deepEqual(
        polls.map((entries) => kinds(entries).at(-1)),
        ["poll", "poll"],
      );
    });
  }

  test("hides no other message of its stream, and is counted if it is a server's", async () => {
    const tools = developerTools();
    tools.socket("ws://127.0.0.1:7331/", [receive(answer), { ...receive(""), data: Symbol("no text") }, receive(answer)]);
    assert.deepEqual(kinds(await tools.poll()), ["frame", "frame", "unreadable", "poll"]);
  });

  test("hides no other answer", async () => {
    const tools = developerTools();
    tools.answer(gateway, nested);
    tools.answer(gateway, answer);
    tools.answer(gateway, versioned);
    assert.deepEqual(kinds(await tools.poll()), ["answer", "answer", "poll"]);
  });
});

test("a page has at most 100 Gateways", async () => {
  const tools = developerTools();
  for (let port = 1; port <= 150; port++) tools.answer(`http://127.0.0.1:${port}/rpc`, answer);
  const entries = await tools.poll();
  assert.equal(kinds(entries).filter((kind) => kind === "answer").length, 100);
  const unread = entries.filter(({ kind }) => kind === "unread-server").map(({ url }) => url);
  assert.deepEqual(
    unread,
    Array.from({ length: 50 }, (_, at) => `http://127.0.0.1:${at + 101}/rpc`),
    "each of the others is reported",
  );
  tools.answer("http://127.0.0.1:150/rpc", answer);
  assert.deepEqual(kinds(await tools.poll()), ["poll"], "and once");
  tools.now += 1000;
  tools.navigate();
  await tools.poll();
  tools.now += 10;
  tools.answer("http://127.0.0.1:150/rpc", answer);
  assert.deepEqual(kinds(await tools.poll()), ["answer", "poll"], "another page has servers of its own");
});

test("what a service worker answered is marked as such", async () => {
  const tools = developerTools();
  tools.answer(gateway, answer);
  tools.answer(gateway, answer, { isServiceWorkers: true });
  const stream = tools.messages("http://127.0.0.1:8765/api/sessions/s1/signals", [signal(1, {})]);
  stream.response._fetchedViaServiceWorker = true;
  const entries = (await tools.poll()).filter(({ kind }) => kind !== "poll");
  assert.deepEqual(entries.map(({ kind, serviceWorker }) => [kind, serviceWorker]).sort(), [
    ["answer", undefined],
    ["answer", true],
    ["message", true],
  ]);
});
