// Secrets that people leak, in the messages of servers: the extension keeps none. What explains a failure is kept.
import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { answer, developerTools, gateway, receive, session, signal } from "../support/collector.mjs";
import { extension } from "../support/extension.mjs";
import { forms, kept, ruleForms, samples, surviving } from "../support/secrets.mjs";

const { redactResponse } = await extension("core.js");
mock.timers.enable({ apis: ["setTimeout"] });

/** The messages in which a text can be: an answer, a frame, a row, with escapes, and in JSON inside JSON. */
const carriers = (text) => [
  answer.replace('"failed"', () => `"failed","error":${JSON.stringify(text)}`),
  JSON.stringify({ type: "event", apiVersion: "v1", event: "run.failed", payload: { runId: "r1", lines: [text] } }),
  JSON.stringify({ runs: [{ ...session, status_reason_summary: text }] }, null, 2),
  `{"error":"${Array.from({ length: text.length }, (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, "0")}`).join("")}"}`,
  JSON.stringify({ metaJson: JSON.stringify({ output: JSON.stringify({ stderr: text }) }) }),
];

/** Every text in a value, with the texts of JSON inside texts. */
function texts(value) {
  if (typeof value === "object" && value !== null) return Object.entries(value).flatMap(([key, inner]) => [key, ...texts(inner)]);
  if (typeof value !== "string" || !/^[[{]/.test(value)) return [String(value)];
  try {
    return texts(JSON.parse(value));
  } catch {
    return [value];
  }
}

const left = (message) => texts(JSON.parse(redactResponse(message))).join("\n");

/** The names of those whose secret is left in one of their messages. */
const missed = (cases) =>
  cases.flatMap(({ name, text, secrets }) => {
    assert.ok(secrets.length > 0, name);
    const found = carriers(text).find((message) => surviving(secrets, left(message)) !== undefined);
    return found ? [`${name}: ${left(found)}`] : [];
  });

for (const [name, cases, least] of [
  ["of a known form", forms, 380],
  ["of a rule with a form of its own", ruleForms, 342],
  ["of a rule, after a name", samples, 5000],
]) {
  test(`no secret ${name} is kept`, () => {
    assert.ok(cases.length > least, `${cases.length}`);
    assert.deepEqual(missed(cases), []);
  });
}

test("what explains a failure is kept", () => {
  for (const text of kept) for (const message of carriers(text)) assert.equal(redactResponse(message), message, text);
});

test("no entry of the collector has a secret", async () => {
  const cases = forms.filter((_, at) => at % 3 === 0);
  const tools = developerTools();
  for (const { text } of cases) {
    for (const message of carriers(text).slice(0, 2)) tools.answer(gateway, message);
    tools.answer("http://127.0.0.1:8765/api/runs", carriers(text)[2]);
  }
  tools.socket(
    "ws://127.0.0.1:7331/",
    cases.map(({ text }) => receive(carriers(text)[1])),
  );
  tools.messages(
    "http://127.0.0.1:8765/api/sessions/s1/signals",
    cases.map(({ text }, at) => signal(at, { payload: { error: text } })),
  );
  const entries = await tools.poll();
  assert.equal(entries.length, 5 * cases.length + 1);
  const held = entries.map((entry) => texts(entry).join("\n"));
  for (const { name, secrets } of cases) assert.equal(surviving(secrets, held.join("\n")), undefined, name);
});

test("a secret in several messages of a stream is not kept", async () => {
  const lines = ["MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcw", "Zk4tQ9sesame7Xw2Zk4tQ9sesame7Xw2"];
  const texts = ["-----BEGIN PRIVATE KEY-----", ...lines, "-----END PRIVATE KEY-----", "Password:", "hunter2", "done"];
  const tools = developerTools();
  const message = (text) => receive(JSON.stringify({ type: "event", apiVersion: "v1", event: "run.log", payload: { runId: "r1", text } }));
  const signals = (of) => of.map((text, at) => signal(at, { payload: { text } }));
  const socket = tools.socket("ws://127.0.0.1:7331/", []);
  // What another socket says in between ends nothing.
  const other = tools.socket("ws://127.0.0.1:7332/", []);
  const kept = [];
  for (const text of texts) {
    socket._webSocketMessages.push(message(text));
    other._webSocketMessages.push(message("step 2 of 3"));
    kept.push(...(await tools.poll()));
  }
  tools.messages("http://127.0.0.1:8765/api/sessions/s1/signals", signals(texts));
  kept.push(...(await tools.poll()));
  const held = JSON.stringify(kept);
  for (const secret of [...lines, "hunter2"]) assert.ok(!held.includes(secret), secret);
  assert.equal(held.match(/\[redacted\]/g).length, 6);
  assert.equal(held.match(/step 2 of 3/g).length, texts.length);
});
