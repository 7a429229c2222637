// What is left out of a page's traffic before anything is kept.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { parseEventStream } from "../../www/extension/har.js";
import { redactResponse } from "../../www/extension/redact-response.js";
import { redactRequest, redactUrl } from "../../www/extension/redact.js";
import { endings, keys } from "../../www/extension/secrets.js";
import { answer, gateway, session, token } from "../support/collector.mjs";

describe("what a page sends", () => {
  const kept = {
    "a question": [
      { type: "req", id: "1", method: "getRun", params: { runId: "r1" } },
      { type: "req", id: "1", method: "getRun", params: { runId: "r1" } },
    ],
    "the token of a connect frame": [
      { type: "req", id: "1", method: "connect", params: { auth: { token }, client: { id: token } } },
      { type: "req", id: "1", method: "connect", params: {} },
    ],
    "a token besides": [
      { method: "getRun", token, params: { runId: "r1", token } },
      { method: "getRun", params: { runId: "r1" } },
    ],
    "the input of a run": [
      { method: "launchRun", params: { workflow: "w", input: { key: token } } },
      { method: "launchRun", params: {} },
    ],
    "a note of a decision": [
      { method: "submitApproval", params: { runId: "r1", nodeId: "n", iteration: 0, decision: { note: token } } },
      { method: "submitApproval", params: { runId: "r1", nodeId: "n", iteration: 0 } },
    ],
    "an object in the place of an id": [
      { method: "getRun", params: { runId: { token } } },
      { method: "getRun", params: {} },
    ],
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
  const long = JSON.stringify({
    text: "token ".repeat(2 ** 18),
    token: '\\"'.repeat(2 ** 20),
    nested: JSON.stringify({ token: '\\"'.repeat(2 ** 20) }),
  });
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
      for (const value of values.filter((value) => value !== true))
        assert.doesNotMatch(redactResponse(JSON.stringify({ [key]: value })), /secret-token|5550123/, key);
    }
    for (const value of [token, [token], { value: token }])
      assert.doesNotMatch(redactResponse(JSON.stringify({ accessToken: value, access_token: value })), /secret-/);
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
    const kept = JSON.stringify({
      tokens: 5,
      inputTokens: [1, 2],
      totalTokens: { input: 3 },
      author: "mira",
      authority: true,
      key: "k",
      idempotencyKey: "i",
      publicKey: 4,
      passwordless: true,
      basic: "basic training",
      text: "the bearer is missing; token: unset",
      path: 'C:\\"',
      list: ["Bearer", "secret", "token"],
      big: "x",
    }).replace('"x"', "12345678901234567890.10");
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
    [': comment\n\nretry: 3\n\nevent: x\n\n\n\ndata: {"a": 1}\n\n', [["", '{"a": 1}']], "a message has data"],
  ];
  for (const [text, expected, why] of cases) assert.deepEqual(messages(text), expected, why);
});
