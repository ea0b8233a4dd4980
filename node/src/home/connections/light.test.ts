/** Which kinds of events need no look. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Kinds, type Kind } from "./light.js";

/** How many of the next 2560 are skipped. */
const skipped = (kind: Kind): number => Array.from({ length: 2560 }, () => kind.skips()).filter(Boolean).length;
const vain = (kind: Kind, times: number): void => {
  for (let at = 0; at < times; at++) kind.saw(false);
};

test("a kind is skipped once 32 of its events in a row have led to nothing, but for one in 256", () => {
  const kind = new Kinds().of("GET /");
  assert.equal(skipped(kind), 0);
  vain(kind, 31);
  assert.equal(skipped(kind), 0);
  vain(kind, 1);
  assert.equal(skipped(kind), 2550);
});

test("an event that leads to something ends that", () => {
  const kind = new Kinds().of("GET /");
  vain(kind, 100);
  kind.saw(true);
  vain(kind, 31);
  assert.equal(skipped(kind), 0);
});

test("kinds are told apart, and do not grow beyond a number", () => {
  const kinds = new Kinds();
  assert.equal(kinds.of("a"), kinds.of("a"));
  assert.notEqual(kinds.of(1), kinds.of("1"));
  const first = kinds.of("a");
  for (let at = 0; at < 1000; at++) kinds.of(at);
  assert.notEqual(kinds.of("a"), first);
});
