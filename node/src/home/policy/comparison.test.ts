import assert from "node:assert/strict";
import { test } from "node:test";
import { Comparison, type Stretch } from "./comparison.js";

/** So much work in 100 ms, of which the main thread was idle for so long. */
const stretch = (work: number, idle = 0): Stretch => ({ time: 100, idle, work });

/** Pairs of these ratios, by turns a little more and less. */
function compared(pairs: number, ratio: number, noise: number, idle: readonly [number, number] = [0, 0]): Comparison {
  const comparison = new Comparison();
  for (let at = 0; at < pairs; at++) {
    const one = ratio * (at % 2 ? 1 + noise : 1 / (1 + noise));
    assert.ok(comparison.add(stretch(50 * one, idle[0]), stretch(50, idle[1])));
  }
  return comparison;
}

test("the size of a difference decides, not how often there is one", () => {
  assert.equal(compared(40, 0.985, 0).verdict, "gains nothing");
  assert.equal(compared(8, 0.98, 0.0001).verdict, undefined);
  assert.equal(compared(8, 0.95, 0.0001).verdict, "loses");
  assert.equal(compared(8, 0.95, 0.1).verdict, undefined);
  assert.equal(compared(8, 1.05, 0.001).verdict, "gains");
});

test("a few pairs are never enough", () => {
  for (let pairs = 0; pairs < 6; pairs++) {
    assert.equal(compared(pairs, 0.5, 0.01).verdict, undefined);
    assert.equal(compared(pairs, 2, 0.01).verdict, undefined);
  }
  assert.equal(compared(6, 0.5, 0.01).verdict, "loses");
  assert.equal(compared(6, 2, 0.01).verdict, "gains");
});

test("one stretch that something else slowed down makes the interval wider, and no loss", () => {
  const comparison = compared(9, 1.2, 0.05);
  comparison.add(stretch(5), stretch(50));
  assert.equal(comparison.verdict, undefined);
});

test("a stretch without work or without time says nothing", () => {
  const comparison = new Comparison();
  assert.equal(comparison.add(stretch(0), stretch(50)), false);
  assert.equal(comparison.add(stretch(50), stretch(50, 100)), false);
  assert.equal(comparison.pairs, 0);
});

test("where the clock tells nothing, the main thread's time does", () => {
  assert.equal(compared(8, 1, 0.1, [85, 70]).verdict, "gains");
  assert.equal(compared(8, 1, 0.1, [60, 70]).verdict, "loses");
});

test("who gets less done by the clock loses, although the main thread has less to do", () => {
  assert.equal(compared(8, 0.8, 0.01, [80, 20]).verdict, undefined, "the two disagree: not yet");
  assert.equal(compared(16, 0.8, 0.01, [80, 20]).verdict, "loses");
});

test("the interval is Student's", () => {
  const { ratio, low, high } = compared(6, 1, 0.1).estimate;
  // Of 6 values, by turns log 1.1 and less: their deviation is log 1.1 * sqrt(6 / 5); of 5 degrees 4.032 is exact.
  const reach = (4.032 * Math.log(1.1) * Math.sqrt(6 / 5)) / Math.sqrt(6);
  assert.ok(Math.abs(ratio - 1) < 1e-9);
  assert.ok(Math.abs(Math.log(high) / reach - 1) < 0.04 && Math.abs(Math.log(low) / -reach - 1) < 0.04);
});
