// The records of seed 002 and the events, one by one, through the built package.
import assert from "node:assert/strict";
import { test } from "node:test";
import { readLines, runstate } from "./support.mjs";

const { readRecord } = runstate;
const types = (kind) => readLines(`vectors/smithers/types/${kind}/cases.ndjson`);
const events = (kind) => readLines(`vectors/smithers/events/${kind}/cases.ndjson`);

function refused(record, { case: name, text, error: expected }) {
  assert.throws(
    () => readRecord(record, text),
    (error) => {
      const { line, column } = error.position;
      const before = text.split("\n").slice(0, line - 1);
      // The vectors count from the beginning of the text.
      const place = [...before.join("\n")].length + (line > 1 ? 1 : 0) + column;
      assert.deepEqual([error.name, error.code, place], ["Error", expected.code, expected.column], name);
      assert.ok(error.message.includes(expected.message), `${name}: ${error.message}`);
      return true;
    },
  );
}

test("every valid record is read whole, and as the same again", () => {
  for (const { case: name, type, text, expected } of types("valid")) {
    const found = readRecord(type, text);
    assert.deepEqual(found, expected, name);
    assert.deepEqual(readRecord(type, new TextEncoder().encode(JSON.stringify(found))), found, name);
  }
});

test("every invalid record is refused with its place", () => {
  for (const vector of types("invalid")) refused(vector.type, vector);
});

test("every valid event is read whole", () => {
  for (const { case: name, text, expected } of events("valid")) {
    const { at, known, ...rest } = expected;
    const { atMs, event, ...found } = readRecord("Event", text);
    assert.equal(atMs, at, name);
    assert.equal(found.known, known, name);
    if (known) {
      assert.deepEqual(found, { ...rest, known }, name);
      assert.equal(event, undefined, name);
    } else {
      assert.deepEqual([found.type, found.runId, found.fields], [rest.type, rest.runId, undefined], name);
      assert.deepEqual(event, JSON.parse(text), name);
    }
  }
});

test("every invalid event is refused with its place", () => {
  for (const vector of events("invalid")) refused("Event", vector);
});

test("arguments that are not what their types say are refused with their place", () => {
  for (const [call, path] of [
    [() => readRecord(), "record"],
    [() => readRecord(7, "{}"), "record"],
    [() => readRecord("event", "{}"), "record"],
    [() => readRecord("Weather", "{}"), "record"],
    [() => readRecord("toString", "{}"), "record"],
    [() => readRecord("Event"), "document"],
    [() => readRecord("Event", {}), "document"],
    [() => readRecord("Event", new Uint8Array([0x7b, 0xff])), "document"],
  ]) {
    assert.throws(call, (error) => {
      assert.ok(error instanceof TypeError, `${path}: ${error}`);
      assert.deepEqual([error.code, error.position.path], ["INVALID_INPUT", path], error.message);
      return true;
    });
  }
});
