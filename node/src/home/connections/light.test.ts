/** Which kinds of events need no look. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Kinds, Run, type Kind } from "./light.js";

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

/** After how many light packets the connection is left to node. */
const leftAfter = (run: Run): number => {
  for (let packets = 1; packets <= 10_000; packets++) if (run.saw(true)) return packets;
  return Infinity;
};

test("a connection is left after 64 light packets in a row", () => {
  const run = new Run();
  for (let at = 0; at < 63; at++) assert.equal(run.saw(true), false);
  assert.equal(run.saw(false), false);
  assert.equal(leftAfter(run), 64);
  assert.equal(leftAfter(run), 64, "and again, if nothing else came meanwhile");
});

test("one that was left too soon has to bring more of them, up to a number", () => {
  const run = new Run();
  const needed = [64, 256, 1024, 4096, 4096].map(() => {
    const packets = leftAfter(run);
    run.saw(false);
    run.saw(false);
    return packets;
  });
  assert.deepEqual(needed, [64, 256, 1024, 4096, 4096]);
});
