// The part of `bun:test` that such test files use, on Node's own runner.
import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";

export { after as afterAll, afterEach, before as beforeAll, beforeEach, describe, it, test } from "node:test";

/** Without properties that are undefined: `toEqual` does not tell them from absent ones. */
function plain(value) {
  if (Array.isArray(value)) return value.map(plain);
  if (value === null || typeof value !== "object" || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const there = Object.entries(value).filter(([, part]) => part !== undefined);
  return Object.fromEntries(there.map(([key, part]) => [key, plain(part)]));
}

function holds(value, part) {
  if (part === null || typeof part !== "object") return Object.is(value, part);
  if (value === null || typeof value !== "object") return false;
  if (Array.isArray(part) && part.length !== value.length) return false;
  return Object.keys(part).every((key) => holds(value[key], part[key]));
}

/** Whether a call throws the expected error; the reason of a rejected promise has already been thrown. */
function thrown(call, expected) {
  if (typeof call !== "function") return call instanceof Error && fits(call, expected);
  try {
    call();
  } catch (error) {
    return fits(error, expected);
  }
  return false;
}

function fits(error, expected) {
  if (expected === undefined) return true;
  if (typeof expected === "function") return error instanceof expected;
  if (expected instanceof RegExp) return expected.test(error.message);
  return error.message.includes(expected instanceof Error ? expected.message : expected);
}

const matchers = {
  toBe: Object.is,
  toEqual: (value, other) => isDeepStrictEqual(plain(value), plain(other)),
  toStrictEqual: isDeepStrictEqual,
  toMatchObject: holds,
  toMatch: (value, pattern) => (pattern instanceof RegExp ? pattern.test(value) : value.includes(pattern)),
  toThrow: thrown,
  toThrowError: thrown,
  toBeInstanceOf: (value, type) => value instanceof type,
  toBeUndefined: (value) => value === undefined,
  toBeDefined: (value) => value !== undefined,
  toBeNull: (value) => value === null,
  toBeTruthy: Boolean,
  toBeFalsy: (value) => !value,
  toBeLessThan: (value, limit) => value < limit,
  toBeLessThanOrEqual: (value, limit) => value <= limit,
  toBeGreaterThan: (value, limit) => value > limit,
  toBeGreaterThanOrEqual: (value, limit) => value >= limit,
  toHaveLength: (value, length) => value.length === length,
  toHaveProperty: (value, key) => key in value,
  toContain: (value, part) => value.includes(part),
  toContainEqual: (value, part) => value.some((item) => isDeepStrictEqual(plain(item), plain(part))),
};

/** What is expected of a value; a matcher that is not here is an error of the test, not a pass. */
export function expect(value) {
  const show = (part) => JSON.stringify(part)?.slice(0, 300);
  const asked = (wanted) => {
    const asks = ([name, matches]) => [
      name,
      (...args) => assert.equal(Boolean(matches(value, ...args)), wanted, `${name}: ${show(value)}, ${show(args)}`),
    ];
    return Object.fromEntries(Object.entries(matchers).map(asks));
  };
  const later = (take) =>
    new Proxy(
      {},
      {
        get:
          (_, name) =>
          async (...args) =>
            expect(await take())[name](...args),
      },
    );
  return {
    ...asked(true),
    not: asked(false),
    resolves: later(() => value),
    rejects: later(async () => {
      try {
        await value;
      } catch (error) {
        return error;
      }
      throw new Error("nothing was rejected");
    }),
  };
}
