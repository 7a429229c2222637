// What the collector of a page's traffic keeps, what it leaves out, and how often it polls; with traffic of our own.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { Session } from "node:inspector";
import { join } from "node:path";
import { describe, mock, test } from "node:test";
import { parseEventStream } from "../../www/extension/har.js";
import { redactResponse } from "../../www/extension/redact-response.js";
import { redactRequest, redactUrl } from "../../www/extension/redact.js";
import { endings, keys } from "../../www/extension/secrets.js";
import { Servers } from "../../www/extension/servers.js";
import { Collector } from "../../www/extension/traffic.js";

const studioFolder = join(import.meta.dirname, "../vectors/lionagi/captures/studio");
const token = "secret-token";
const start = Date.parse("2026-01-02T03:04:05.000Z");
const gateway = "http://127.0.0.1:7331/rpc";
const answer = JSON.stringify({ type: "res", id: "1", ok: true, apiVersion: "v1", payload: { runId: "r1", status: "failed" } });

describe("what a page sends", () => {
  const kept = {
    "a question": [{ type: "req", id: "1", method: "getRun", params: { runId: "r1" } }, { type: "req", id: "1", method: "getRun", params: { runId: "r1" } }],
    "the token of a connect frame": [{ type: "req", id: "1", method: "connect", params: { auth: { token }, client: { id: token } } }, { type: "req", id: "1", method: "connect", params: {} }],
    "a token besides": [{ method: "getRun", token, params: { runId: "r1", token } }, { method: "getRun", params: { runId: "r1" } }],
    "the input of a run": [{ method: "launchRun", params: { workflow: "w", input: { key: token } } }, { method: "launchRun", params: {} }],
    "a note of a decision": [{ method: "submitApproval", params: { runId: "r1", nodeId: "n", iteration: 0, decision: { note: token } } }, { method: "submitApproval", params: { runId: "r1", nodeId: "n", iteration: 0 } }],
    "an object in the place of an id": [{ method: "getRun", params: { runId: { token } } }, { method: "getRun", params: {} }],
  };
  for (const [name, [sent, expected]] of Object.entries(kept)) {
    test(name, () => assert.deepEqual(JSON.parse(redactRequest(JSON.stringify(sent))), expected));
  }
  for (const sent of ["", token, "null", "3", `"${token}"`, `["${token}"]`, `{"token":"${token}"`]) {
    test(`is left out: ${sent || "nothing"}`, () => assert.equal(redactRequest(sent), undefined));
  }
});

test("addresses lose credentials, fragments and parameters that are not known", () => {
  const cases = [
    ["http://127.0.0.1:1/rpc", "http://127.0.0.1:1/rpc"],
    [`http://me:${token}@127.0.0.1:1/rpc#${token}`, "http://127.0.0.1:1/rpc"],
    [`http://127.0.0.1:1/v1/auth/session?token=${token}&next=/console`, "http://127.0.0.1:1/v1/auth/session"],
    [`http://127.0.0.1:1/api/runs?limit=20&key=${token}&offset=40`, "http://127.0.0.1:1/api/runs?limit=20&offset=40"],
    [`wss://gateway.example/?access_token=${token}`, "wss://gateway.example/"],
  ];
  for (const [url, expected] of cases) assert.equal(redactUrl(url), expected);
});

test("an answer loses the texts under the keys of secrets, and nothing else", () => {
  const text = `a "${token}" \\\n\u00e9`;
  const answer = (value, end = value) => ({
    login: { sessionToken: value, role: "operator" },
    headers: [{ Authorization: value, "set-cookie": value, "x-client-secret": end, accept: "*/*" }],
    payload: { db_password: value, tokenUsage: 3, inputTokens: [1, 2], error: 'Unexpected token: "<"', list: ["token", "kept"] },
    // JSON in a text, as events have it.
    configJson: JSON.stringify({ token: value, path: "C:\\", cookie: end, runId: "r1" }, null, 1),
  });
  for (const indent of [0, 2]) {
    assert.equal(redactResponse(JSON.stringify(answer(text, `${text}\\`), null, indent)), JSON.stringify(answer(""), null, indent));
  }
  const long = JSON.stringify({ text: "token ".repeat(2 ** 18), token: "\\\"".repeat(2 ** 20), nested: JSON.stringify({ token: "\\\"".repeat(2 ** 20) }) });
  assert.equal(redactResponse(long), JSON.stringify({ text: "token ".repeat(2 ** 18), token: "", nested: '{"token":""}' }));
});

describe("a secret in an answer", () => {
  const spellings = (key) => [key, key.toUpperCase(), `${key[0]}_${key.slice(1)}`, `${key.slice(0, -1)}-${key.at(-1)}`];
  const values = [token, 5_550_123, true, [token], [5_550_123], { value: token }, [[{ deep: [token] }]], ""];
  test("is left out under each key, whatever its type", () => {
    for (const key of keys.flatMap(spellings)) {
      for (const value of values) {
        const text = JSON.stringify({ runId: "r1", [key]: value, list: [{ [key]: value }, 1], end: "kept" }, null, 1);
        const left = JSON.parse(redactResponse(text));
        assert.deepEqual(Object.keys(left), ["runId", key, "list", "end"]);
        assert.doesNotMatch(JSON.stringify(left), /secret-token|5550123|true/, text);
        assert.deepEqual([left.runId, left.list[1], left.end], ["r1", 1, "kept"]);
      }
    }
  });
  test("is left out under each key that ends like one", () => {
    for (const key of endings.map((ending) => `my_${ending}`)) {
      for (const value of values.filter((value) => value !== true)) assert.doesNotMatch(redactResponse(JSON.stringify({ [key]: value })), /secret-token|5550123/, key);
    }
    for (const value of [token, [token], { value: token }]) assert.doesNotMatch(redactResponse(JSON.stringify({ accessToken: value, access_token: value })), /secret-/);
    assert.doesNotMatch(redactResponse(JSON.stringify({ tokens: [token], myTokens: token })), /secret-/);
  });
  const running = [
    `Bearer ${token}`,
    `authorization: bearer ${token}, and more`,
    "Basic c2VjcmV0LXRva2Vu==",
    `https://h/?access_token=${token}&limit=3`,
    `api-key=${token}`,
    `a "quoted" text, {"api_key": "${token}"} cut of`,
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV",
    "ghp_0123456789abcdefghijABCDEFGHIJ",
  ];
  test("is left out of running text, and of JSON in it", () => {
    for (const text of running) {
      for (const value of [text, JSON.stringify({ text }), JSON.stringify({ text: JSON.stringify([text, token.slice(99)]) })]) {
        const left = redactResponse(JSON.stringify({ note: value, runId: "r1" }));
        assert.equal(JSON.parse(left).runId, "r1", left);
        assert.doesNotMatch(left, /secret-token|c2VjcmV0|SflKxw|56789abc/, text);
      }
    }
  });
  test("is nothing else", () => {
    const kept = JSON.stringify({ tokens: 5, inputTokens: [1, 2], totalTokens: { input: 3 }, author: "mira", authority: true, key: "k", idempotencyKey: "i", publicKey: 4, passwordless: true, basic: "basic training", text: "the bearer is missing; token: unset", path: "C:\\\"", list: ["Bearer", "secret", "token"], big: "x" }).replace('"x"', "12345678901234567890.10");
    assert.equal(redactResponse(kept), kept);
  });
});

test("the messages in the text of an event stream", () => {
  const messages = (text) => parseEventStream(text).map(({ eventName, data }) => [eventName, data]);
  const cases = [
    ["", []],
    ["data: a\n\n", [["", "a"]]],
    ["data:a\n\ndata: b\n", [["", "a"]], "the last one has not come whole"],
    ["\uFEFFevent: x\r\nid: 7\r\ndata:  a\r\ndata\r\ndata: b\r\n\r\n", [["x", " a\n\nb"]]],
    [": comment\n\nretry: 3\n\nevent: x\n\n\n\ndata: {\"a\": 1}\n\n", [["", '{"a": 1}']], "a message has data"],
  ];
  for (const [text, expected, why] of cases) assert.deepEqual(messages(text), expected, why);
});

/** All texts that an object holds, also in private fields, except those in the fields `exceptions`. */
function heldTexts(object, exceptions) {
  const session = new Session();
  session.connect();
  let answer;
  const ask = (method, params) => (session.post(method, params, (error, result) => (answer = error ? assert.fail(error.message) : result)), answer);
  globalThis.heldObject = object;
  const texts = [];
  const walk = ({ type, subtype, value, objectId }) => {
    if (type === "string") texts.push(value);
    if (type !== "object" || subtype === "null") return;
    const isKnown = ask("Runtime.callFunctionOn", { objectId, functionDeclaration: "function () { return (globalThis.heldSeen ??= new WeakSet()).has(this) || !heldSeen.add(this); }", returnByValue: true });
    if (isKnown.result.value) return;
    const { result, privateProperties = [], internalProperties = [] } = ask("Runtime.getProperties", { objectId, ownProperties: true });
    const entries = internalProperties.filter(({ name }) => name === "[[Entries]]");
    for (const { name, value } of [...result, ...privateProperties, ...entries]) {
      texts.push(name);
      if (value && !exceptions.includes(name)) walk(value);
    }
  };
  walk(ask("Runtime.evaluate", { expression: "heldObject" }).result);
  delete globalThis.heldObject;
  delete globalThis.heldSeen;
  session.disconnect();
  return texts.join("\n");
}

/** A row and a signal of Studio's. */
const session = { id: "s1", session_id: "s1", status: "failed", invocation_kind: "agent" };
const signal = (seq, rest) => JSON.stringify({ id: `x${seq}`, session_id: "s1", seq, kind: "RunStart", op_id: "", ts: 1_795_292_151, payload: {}, ...rest });

/** Waits until the bodies that are there have been read. */
const bodies = () => new Promise(setImmediate);

/** Developer tools whose traffic is `entries`; `cost` is how long a poll takes. */
function developerTools() {
  const listeners = {};
  const event = (name) => ({ addListener: (listener) => (listeners[name] = listener) });
  const tools = { pages: [], entries: [], cost: 0, now: start };
  tools.network = {
    onRequestFinished: event("finished"),
    onNavigated: event("navigated"),
    getHAR(done) {
      tools.now += tools.cost;
      done({ pages: tools.pages, entries: tools.entries });
    },
  };
  const request = (url, rest, method = "GET") => ({ startedDateTime: new Date(tools.now).toISOString(), time: 5, request: { url, method, headers: [{ name: "authorization", value: `Bearer ${token}` }] }, ...rest });
  let pageCount = 0;
  const pageref = () => tools.pages.at(-1)?.id;
  tools.document = (url = "http://127.0.0.1/page") => {
    tools.pages.push({ id: `page_${++pageCount}`, title: url, startedDateTime: new Date(tools.now).toISOString() });
    tools.entries.push(request(url, { pageref: pageref(), _resourceType: "document" }));
  };
  /** A page inside the page. */
  tools.frame = (url = "http://127.0.0.1/frame") => tools.entries.push(request(url, { pageref: pageref(), _resourceType: "document" }));
  tools.answer = (url, body, { mimeType = "application/json", size = body?.length ?? 0, status = 200, sent, method = sent ? "POST" : "GET", referrer, getContent = (done) => done(body) } = {}) => {
    const entry = request(url, { pageref: pageref(), _resourceType: "fetch", response: { status, bodySize: size, content: { mimeType, size } }, getContent }, method);
    if (sent) entry.request.postData = { text: sent };
    if (referrer) entry.request.headers.push({ name: "Referer", value: referrer });
    if (tools.isRecording) tools.entries.push(entry);
    listeners.finished(entry);
  };
  tools.isRecording = true;
  /** An answer that takes `ms` to read. */
  tools.slowAnswer = (ms) => {
    const entry = request(gateway, { response: { status: 200, content: { mimeType: "application/json", size: answer.length } }, getContent: (done) => done(answer) });
    Object.defineProperty(entry.request, "postData", { get: () => void (tools.now += ms) });
    listeners.finished(entry);
  };
  tools.socket = (url, messages) => {
    const entry = request(url, { _webSocketMessages: messages });
    tools.entries.push(entry);
    return entry;
  };
  tools.clear = () => (tools.entries = []);
  tools.navigate = () => {
    [tools.pages, tools.entries] = [[], []];
    tools.document();
    tools.announce();
  };
  tools.finish = (entry) => listeners.finished(entry);
  tools.announce = (url = "http://127.0.0.1/page") => listeners.navigated(url);
  tools.collector = new Collector(tools.network, () => tools.now);
  tools.got = [];
  tools.collector.subscribe((entries) => tools.got.push(...entries));
  tools.poll = async () => {
    tools.now += 1000;
    await bodies();
    await tools.collector.poll();
    return tools.got.splice(0);
  };
  return tools;
}
/** Chromium names the type of an entry and lists messages; Firefox does neither. */
function firefoxTools() {
  const tools = developerTools();
  const entry = (url, mimeType, text) => ({ startedDateTime: new Date(tools.now).toISOString(), time: 5, request: { url, method: "GET" }, response: { status: 200, content: { mimeType, text } } });
  tools.page = (url = "http://127.0.0.1/page") => tools.entries.push(entry(url, "text/html"));
  tools.eventStream = (url, text) => {
    const stream = entry(url, "text/event-stream", text);
    tools.entries.push(stream);
    return stream;
  };
  tools.end = (stream) => {
    const { text, ...content } = stream.response.content;
    const ended = { ...stream, response: { ...stream.response, content }, getContent: () => Promise.resolve([text, "text/event-stream"]) };
    tools.finish(ended);
  };
  tools.hiddenSocket = (url) => {
    const socket = { ...entry(url, "text/plain"), getContent: () => Promise.resolve([null, "text/plain"]) };
    tools.entries.push(socket);
    tools.finish(socket);
  };
  return tools;
}
const receive = (data, time = start / 1000) => ({ type: "receive", opcode: 1, time, data });
const send = (data, time = start / 1000) => ({ type: "send", opcode: 1, time, data });
const kinds = (entries) => entries.map(({ kind }) => kind);

describe("a poll", () => {
  mock.timers.enable({ apis: ["setTimeout"] });

  test("hands over answers of Gateways and Studio, and nothing of others", async () => {
    const tools = developerTools();
    tools.answer(gateway, answer, { sent: JSON.stringify({ method: "getRun", params: { runId: "r1" }, token }) });
    tools.answer(gateway, answer, { status: 404 });
    tools.answer("http://127.0.0.1:8765/api/runs?limit=5", JSON.stringify({ runs: [session] }));
    tools.answer("http://127.0.0.1:8765/api/runs/none", '{"detail":"not found"}', { status: 404 });
    tools.answer("http://127.0.0.1/page.html", answer, { mimeType: "text/html" });
    const entries = await tools.poll();
    assert.deepEqual(entries.map(({ kind, status }) => status ?? kind), [200, 404, 200, "poll"]);
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
    const text = (count) => Array.from({ length: count }, (_, index) => `data: {"role":"user","content":"of somebody else ${index}"}\n\n`).join("");
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
    const answers = [[`${studio}/runs/s1/plan`, { steps: [] }], [`${studio}/runs`, { runs: [session] }], [`${studio}/runs/s1/plan`, { steps: [] }], [`${studio}/users`, { users: [] }], ["http://127.0.0.1:8766/api/runs/s1/plan", { steps: [] }]];
    for (const [url, body] of answers) tools.answer(url, JSON.stringify(body));
    assert.deepEqual((await tools.poll()).map(({ url }) => url), [`${studio}/runs`, `${studio}/runs/s1/plan`, undefined]);
  });

  const studioCaptures = readdirSync(studioFolder).filter((name) => !readFileSync(join(studioFolder, name), "utf8").startsWith('{"detail"'));
  test(`knows Studio by each of ${studioCaptures.length} captured answers`, () => {
    assert.ok(studioCaptures.length > 30);
    for (const name of studioCaptures) {
      const request = { method: "GET", url: "http://127.0.0.1:8765/api/runs/x" };
      assert.ok(new Servers().hasAnswered(request, 200, readFileSync(join(studioFolder, name), "utf8")), name);
    }
  });

  test("hands over what the REST interface of a Gateway answers without a run, once the Gateway is known", async () => {
    const tools = developerTools();
    const [known, other] = ["http://127.0.0.1:7331/v1/api", "http://127.0.0.1:7332/v1/api"];
    tools.answer(`${known}/approvals`, '{"ok":true,"data":[]}');
    tools.answer(`${known}/runs`, '{"ok":true,"data":[{"runId":"r1"}]}');
    await bodies();
    for (const url of [`${known}/approvals`, `${other}/approvals`, "http://127.0.0.1:7331/login"]) tools.answer(url, '{"ok":true,"data":[]}');
    assert.deepEqual((await tools.poll()).map(({ url }) => url), [`${known}/runs`, `${known}/approvals`, undefined]);
  });

  test("delivers what sockets have carried without waiting for a body, which follows with its own moment", async () => {
    const tools = firefoxTools();
    let giveBody;
    tools.answer(gateway, answer, { getContent: (done) => void (giveBody = done) });
    tools.socket("ws://127.0.0.1:7331/", [receive(answer, (tools.now + 500) / 1000)]);
    tools.cost = 70;
    const read = tools.now + 1000 + tools.cost;
    const [frame, poll] = await tools.poll();
    assert.deepEqual([frame.kind, poll.kind, poll.at], ["frame", "poll", read]);
    giveBody([answer, "application/json"]);
    assert.deepEqual((await tools.poll()).map(({ kind, at }) => [kind, at]), [["answer", start + 5], ["poll", read + 1000 + tools.cost]]);
  });

  test("drops an answer to the previous page whose body comes late, unless that is preserved", async () => {
    for (const preserve of [false, true]) {
      const tools = developerTools();
      tools.collector.preserve = preserve;
      tools.document();
      await tools.poll();
      const bodies = [];
      tools.answer(gateway, answer, { getContent: (done) => bodies.push(done) });
      tools.now += 1000;
      tools.navigate();
      tools.now += 10;
      tools.answer(gateway, answer, { getContent: (done) => bodies.push(done) });
      assert.deepEqual(kinds(await tools.poll()), ["navigated", "poll"]);
      for (const give of bodies) give(answer);
      assert.equal((await tools.poll()).filter(({ kind }) => kind === "answer").length, preserve ? 2 : 1);
    }
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
      tools.answer(secret("/rpc"), answer, { referrer: secret("/page"), sent: JSON.stringify({ method: "getRun", params: { runId: "r1" }, token }) });
      tools.eventStream(secret("/api/sessions/s1/signals"), `data: ${signal(1, { token })}\n\n`);
      tools.socket(secret("/socket").replace("http", "ws"), [send(JSON.stringify({ method: "connect", params: { auth: { token } } })), receive(answer)]);
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
    const socket = tools.socket("ws://127.0.0.1:7331/", [send(JSON.stringify({ type: "req", id: "1", method: "connect", params: { auth: { token } } })), receive(answer)]);
    const first = await tools.poll();
    assert.deepEqual(kinds(first), ["frame", "frame", "poll"]);
    assert.deepEqual(first.at(-1).openStreams, [first[0].socket]);
    assert.doesNotMatch(JSON.stringify(first), /secret/);
    socket._webSocketMessages.push(receive(answer));
    assert.deepEqual(kinds(await tools.poll()), ["frame", "poll"]);
    assert.deepEqual(kinds(await tools.poll()), ["poll"]);
    tools.entries = [];
    assert.deepEqual((await tools.poll()).map(({ kind, cause }) => cause ?? kind), ["cleared", "cleared", "poll"]);
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
    tools.entries.push({ startedDateTime: new Date(tools.now).toISOString(), time: 5, request: { url: "http://127.0.0.1/events", method: "GET" }, _resourceType: "eventsource", _eventSourceMessages: [] });
    const { sockets, eventStreams, hiddenSocketCount } = (await tools.poll()).at(-1);
    assert.deepEqual([sockets, eventStreams, hiddenSocketCount], [1, 1, 0]);
    const after = heldTexts(tools.collector, ["#network", "#now", "#listeners", "#buffer"]).length;
    assert.ok(after < before + 400, `${after} characters of names after ${before}`);
  });

  test("keeps nothing of a socket on which no Gateway speaks", async () => {
    const tools = developerTools();
    tools.socket("ws://127.0.0.1:9/", Array.from({ length: 50 }, () => receive('{"price":3}')));
    tools.socket("ws://127.0.0.1:10/", [{ type: "receive", opcode: 2, time: start / 1000, data: "AAAA" }]);
    assert.deepEqual(kinds(await tools.poll()), ["poll"]);
  });

  test("reads each message of an event stream in Firefox once, and what came last when it ends", async () => {
    const tools = firefoxTools();
    const stream = tools.eventStream("http://127.0.0.1:8765/api/sessions/s1/signals", `data: ${signal(1)}\n\ndata: ${signal(2).slice(0, 9)}`);
    const [first, poll] = await tools.poll();
    assert.deepEqual([first.kind, first.data, first.event, first.at], ["message", signal(1), "", tools.now]);
    assert.deepEqual(poll.openStreams, [first.stream]);
    assert.deepEqual(kinds(await tools.poll()), ["poll"]);
    stream.response.content.text += `${signal(2).slice(9)}\n\n`;
    assert.deepEqual((await tools.poll()).map(({ data }) => data), [signal(2), undefined]);
    stream.response.content.text += `data: ${signal(3)}\n\n`;
    tools.end(stream);
    const last = await tools.poll();
    assert.deepEqual(last.map(({ kind, cause }) => cause ?? kind), ["message", "closed", "poll"]);
    assert.deepEqual(last.at(-1).openStreams, []);
    assert.deepEqual(kinds(await tools.poll()), ["poll"]);
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

  test("keeps what a page in Firefox was answered before it was announced", async () => {
    const tools = firefoxTools();
    tools.page();
    tools.announce();
    await tools.poll();
    tools.now += 1000;
    const log = tools.entries;
    tools.entries = [];
    tools.page();
    tools.now += 30;
    tools.answer(gateway, answer);
    await bodies();
    tools.now += 100;
    tools.announce();
    // The log of before is there for another moment.
    const newLog = tools.entries;
    tools.entries = log;
    await tools.collector.poll();
    assert.deepEqual(tools.got, []);
    tools.entries = newLog;
    assert.deepEqual((await tools.poll()).map(({ kind, kept }) => kept ?? kind), [false, "answer", "poll"]);
  });

  test("takes a page in Firefox that was announced for a new one, although the log of before stays", async () => {
    const tools = firefoxTools();
    tools.page();
    tools.announce();
    await tools.poll();
    tools.announce();
    assert.deepEqual(await tools.poll(), []);
    assert.deepEqual(kinds(await tools.poll()), ["navigated", "poll"]);
  });

  test("drops what the previous page was answered while the next one was loading", async () => {
    const [previous, next] = ["http://127.0.0.1/page?1", "http://127.0.0.1/page?2"];
    for (const preserve of [false, true]) {
      const tools = firefoxTools();
      tools.collector.preserve = preserve;
      tools.page(`${previous}#run`);
      tools.announce();
      await tools.poll();
      tools.now += 1000;
      tools.entries = [];
      tools.page(`${next}#run`);
      tools.now += 30;
      tools.answer(gateway, answer, { referrer: previous });
      tools.answer(gateway, answer, { referrer: next });
      tools.answer(gateway, answer);
      tools.announce();
      assert.equal((await tools.poll()).filter(({ kind }) => kind === "answer").length, preserve ? 3 : 2);
      tools.answer(gateway, answer, { referrer: previous });
      assert.deepEqual(kinds(await tools.poll()), preserve ? ["answer", "poll"] : ["poll"]);
    }
  });

  test("says that an answer of a Gateway was too large, and only then", async () => {
    const tools = developerTools();
    tools.answer("http://127.0.0.1/assets/big.json", null, { size: 21e6 });
    tools.answer(gateway, answer);
    assert.deepEqual(kinds(await tools.poll()), ["answer", "poll"]);
    tools.answer(gateway, null, { size: 21e6 });
    tools.answer(gateway, null, { size: 200 });
    assert.deepEqual(kinds(await tools.poll()), ["too-large", "poll"]);
  });

  test("drops what was before a navigation, unless that is preserved", async () => {
    for (const preserve of [false, true]) {
      const tools = developerTools();
      tools.collector.preserve = preserve;
      tools.document();
      tools.answer(gateway, answer);
      await tools.poll();
      tools.now += 1000;
      tools.navigate();
      const [navigated] = await tools.poll();
      assert.deepEqual([navigated.kind, navigated.kept], ["navigated", preserve]);
      const later = [];
      tools.collector.subscribe((entries) => later.push(...entries));
      assert.deepEqual(kinds(later), preserve ? ["answer", "navigated", "poll"] : ["navigated", "poll"]);
    }
  });

  test("sees a new page before it is announced, and then says so once", async () => {
    const tools = developerTools();
    tools.document();
    tools.answer(gateway, answer);
    await tools.poll();
    [tools.pages, tools.entries] = [[], []];
    tools.document();
    tools.socket("ws://127.0.0.1:7331/", [receive(answer, tools.now / 1000 + 1)]);
    assert.deepEqual(kinds(await tools.poll()), ["navigated", "frame", "poll"]);
    tools.announce();
    const [{ kind, openStreams }] = await tools.poll();
    assert.deepEqual([kind, openStreams.length], ["poll", 1]);
  });

  test("keeps what was before where DevTools preserves its log", async () => {
    const tools = developerTools();
    tools.document();
    tools.answer(gateway, answer);
    await tools.poll();
    tools.document();
    assert.deepEqual((await tools.poll()).map(({ kind, kept }) => kept ?? kind), [true, "poll"]);
    tools.announce();
    assert.deepEqual(kinds(await tools.poll()), ["poll"], "it has said so before");
  });

  test("keeps what was before where DevTools preserves its log, also if that begins after the page was loaded", async () => {
    const tools = developerTools();
    tools.answer(gateway, answer);
    await tools.poll();
    tools.document();
    assert.deepEqual((await tools.poll()).map(({ kind, kept }) => kept ?? kind), [true, "poll"]);
  });

  test("knows whether the page was loaded before", async () => {
    const tools = developerTools();
    tools.answer(gateway, answer);
    assert.equal((await tools.poll()).at(-1).sawPageLoad, false);
    tools.navigate();
    assert.equal((await tools.poll()).at(-1).sawPageLoad, true);
  });

  test("does not take a page inside the page for the page", async () => {
    const late = developerTools();
    late.frame();
    assert.equal((await late.poll()).at(-1).sawPageLoad, false, "loaded before DevTools was opened");
    late.answer(gateway, answer);
    late.frame();
    assert.deepEqual((await late.poll()).map(({ kind, sawPageLoad }) => sawPageLoad ?? kind), ["answer", false]);
    const cleared = developerTools();
    cleared.document();
    cleared.answer(gateway, answer);
    await cleared.poll();
    cleared.clear();
    cleared.frame();
    assert.deepEqual(kinds(await cleared.poll()), ["poll"], "the log was cleared, and the page has loaded another page into itself");
  });

  test("says that the log is not recorded, and does not take it for a preserved one", async () => {
    for (const isEmpty of [true, false]) {
      const tools = developerTools();
      if (!isEmpty) tools.document();
      if (!isEmpty) tools.answer(gateway, answer);
      assert.equal((await tools.poll()).at(-1).recording, true);
      tools.isRecording = false;
      for (const expected of [true, false, false]) {
        tools.answer(gateway, answer);
        assert.equal((await tools.poll()).at(-1).recording, expected);
      }
      // The log stays as it is.
      tools.announce("http://127.0.0.1/next");
      assert.deepEqual(await tools.poll(), []);
      tools.answer(gateway, answer);
      const entries = [...(await tools.poll()), ...(await tools.poll())];
      assert.equal(entries.find(({ kind }) => kind === "navigated").kept, false);
      assert.equal(entries.at(-1).recording, false);
      tools.isRecording = true;
      tools.answer(gateway, answer);
      assert.equal((await tools.poll()).at(-1).recording, true);
    }
  });

  test("of an empty log does not say that it was preserved", async () => {
    const tools = developerTools();
    await tools.poll();
    tools.announce("about:blank");
    await tools.poll();
    await tools.poll();
    const later = [];
    tools.collector.subscribe((entries) => later.push(...entries));
    assert.deepEqual(later.map(({ kind, kept }) => kept ?? kind), [false, "poll"]);
  });

  test("is taken every 250 ms, seldom while nothing is open, and less often the more it costs", async () => {
    const tools = developerTools();
    const next = async (cost) => {
      tools.cost = cost;
      let nextMs = 0;
      // What it may take without a pause is used up after some polls.
      for (let i = 0; i < 300; i++) {
        tools.now += nextMs;
        await tools.collector.poll();
        ({ nextMs } = tools.got.splice(0).at(-1));
      }
      return Math.round(nextMs / 50) * 50;
    };
    assert.equal(await next(1), 1500);
    tools.socket("ws://127.0.0.1:7331/", [receive(answer)]);
    const table = [[1, 250], [10, 300], [20, 650], [100, 3250], [500, 16_150], [2000, 64_650], [4000, 129_350]];
    for (const [cost, expected] of table) assert.equal(await next(cost), expected, `after polls of ${cost} ms`);
    await next(1);
    tools.now += 10_000;
    tools.cost = 250;
    assert.equal((await tools.poll()).at(-1).nextMs, 250, "one poll that takes long says nothing of the log");
  });

  const random = (seed) => () => (seed = (seed * 48271) % 2147483647) / 2147483647;
  const costs = {
    "always 5 ms": () => 5,
    "always 3 s": () => 3000,
    "5 and 300 ms by turns": (index) => (index % 2 ? 300 : 5),
    "0 ms, and 2 s each tenth time": (index) => (index % 10 ? 0 : 2000),
    "bursts of 100 polls of 400 ms": (index) => (Math.floor(index / 100) % 2 ? 400 : 1),
    "at random up to 600 ms": (index, next) => 600 * next(),
    "ever longer": (index) => index,
  };
  for (const [name, costOf] of Object.entries(costs)) {
    for (const body of [0, 20]) {
      test(`takes less than 4 % of the time: ${name}${body ? `, and ${body} ms for an answer each time` : ""}`, async () => {
        const tools = developerTools();
        const next = random(7);
        tools.socket("ws://127.0.0.1:7331/", [receive(answer)]);
        let work = 0;
        for (let index = 0; index < 1000; index++) {
          tools.cost = costOf(index, next);
          work += tools.cost + body;
          if (body) tools.slowAnswer(body);
          await bodies();
          await tools.collector.poll();
          tools.now += tools.got.splice(0).at(-1).nextMs;
        }
        const share = (100 * work) / (tools.now - start);
        assert.ok(share < 4, `it takes ${share} %`);
      });
    }
  }

  test("comes after 10 s at the latest, however much work the answers are", async () => {
    const tools = developerTools();
    tools.socket("ws://127.0.0.1:7331/", [receive(answer)]);
    for (let index = 0; index < 20; index++) {
      tools.slowAnswer(2000);
      await bodies();
      const [{ nextMs }] = (await tools.poll()).splice(-1);
      assert.ok(nextMs <= 10_100, `${nextMs} ms`);
      tools.now += nextMs;
    }
  });

  test("that gets no answer costs, and the next one waits", async () => {
    const tools = developerTools();
    const { getHAR } = tools.network;
    tools.socket("ws://127.0.0.1:7331/", [receive(answer)]);
    await tools.poll();
    tools.network.getHAR = () => {
      tools.now += 4000;
      throw new Error("the developer tools are gone");
    };
    const error = mock.method(console, "error", () => {});
    for (let i = 0; i < 2; i++) {
      const [{ kind, at, nextMs }] = await tools.poll();
      assert.deepEqual([kind, at], ["failed-poll", tools.now]);
      assert.ok(nextMs > 10_000, `${nextMs} ms`);
    }
    assert.equal(error.mock.callCount(), 2);
    error.mock.restore();
    tools.network.getHAR = () => assert.fail("it polls too early");
    mock.timers.tick(110_000);
    let isPolled = false;
    tools.network.getHAR = (done) => {
      isPolled = true;
      getHAR(done);
    };
    mock.timers.tick(15_000);
    await bodies();
    assert.ok(isPolled, "after about a minute for each it polls");
  });

  test("the privacy policy has the limits of what is kept", () => {
    const read = (path) => readFileSync(join(import.meta.dirname, "../..", path), "utf8");
    const policy = read("docs/store/privacy.md").replace(/\s+/g, " ");
    const [, megacharacters] = /MAX_BUFFER = (\d+) \* 2 \*\* 20/.exec(read("www/extension/traffic.js"));
    const limit = (path) => /MAX_KEPT: usize = (\d+) << 20/.exec(read(path))[1];
    assert.ok(policy.includes(`at most ${megacharacters} million characters (${2 * megacharacters} MB)`));
    assert.ok(policy.includes(`at most ${limit("core/src/ingest/traffic/mod.rs")} MB of stream messages, ${limit("core/src/ingest/traffic/studio.rs")} MB of responses for each server`));
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

test("the collector has the Preserve log of the panel that subscribed last", async () => {
  const channels = [];
  globalThis.BroadcastChannel = class {
    constructor() {
      channels.push(this);
    }
    postMessage(message) {
      const data = structuredClone(message);
      for (const channel of channels) if (channel !== this) channel.onmessage?.({ data });
    }
  };
  const tools = developerTools();
  globalThis.chrome = { devtools: { inspectedWindow: { tabId: 1 }, network: tools.network, panels: { create() {} } } };
  await import("../../www/extension/devtools.js");
  await import("../../www/extension/page.js");
  const panel = globalThis.runstateTraffic;
  /** Whether a navigation keeps what was before. */
  const isKept = async () => {
    const got = [];
    channels.at(-1).onmessage = ({ data }) => got.push(...(data.entries ?? []));
    tools.now += 1000;
    tools.navigate();
    mock.timers.tick(5000);
    await bodies();
    return got.find(({ kind }) => kind === "navigated").kept;
  };
  panel.subscribe(() => {}, false);
  assert.equal(await isKept(), false);
  panel.preserve(true);
  assert.equal(await isKept(), true);
  panel.subscribe(() => {}, false);
  assert.equal(await isKept(), false, "a new page of the panel shows it off");
  panel.subscribe(() => {}, true);
  assert.equal(await isKept(), true);
});
