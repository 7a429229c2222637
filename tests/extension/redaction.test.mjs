// What is left out of a page's traffic before anything is kept.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { token } from "../support/collector.mjs";
import { extension } from "../support/extension.mjs";

const { parseEventStream } = await extension("har.js");
const { redactResponse } = await extension("core.js");
const { redactRequest, redactUrl } = await extension("redact.js");

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
  const answer = (value) => ({
    login: { sessionToken: value, role: "operator" },
    headers: [{ Authorization: value, "set-cookie": value, "x-client-secret": value, accept: "*/*" }],
    payload: { db_password: value, tokenUsage: 3, inputTokens: [1, 2], error: 'Unexpected token: "<"', list: ["token", "kept"] },
    cwd: "/home/mira/app",
    // JSON in a text, as events have it.
    metaJson: JSON.stringify({ token: value, path: "C:\\", cookie: value, runId: "r1" }),
  });
  for (const indent of [0, 2])
    assert.equal(redactResponse(JSON.stringify(answer(text), null, indent)), JSON.stringify(answer("[redacted]")));
});

test("an answer without secrets stays as it is", () => {
  const kept = JSON.stringify({
    tokens: 5,
    inputTokens: [1, 2],
    totalTokens: { input: 3 },
    author: "mira",
    key: "k",
    text: "the bearer is missing; token: unset",
    path: 'C:\\"',
    workflow: "/srv/app/flows/deploy.tsx",
    big: "x",
  }).replace('"x"', "12345678901234567890.10");
  for (const text of [kept, kept.replaceAll(",", " , "), "no JSON", "", '{"cut":"of', "[".repeat(100_000)])
    assert.equal(redactResponse(text), text);
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
