import assert from "node:assert/strict";
import { test } from "node:test";
import { Budget } from "./budget.js";

/** Spends a millisecond at once, until that is too much. @returns how many it were */
function spendAll(budget: Budget, at: number): number {
  let spent = 1;
  while (!budget.spend(1, at)) spent++;
  return spent;
}

test("what brings nothing ends with the allowance, and later costs a small share of the time only", () => {
  const budget = new Budget();
  const first = spendAll(budget, 1000);
  let at = 1000;
  let later = 0;
  for (let pause = 0; pause < 20; pause++) {
    assert.ok(budget.pause(at) > 0);
    at += budget.pause(at);
    assert.equal(budget.pause(at), 0);
    later += spendAll(budget, at);
  }
  assert.ok(first < 100 && later < 0.006 * (at - 1000));
  assert.equal(budget.count, 21);
});

test("what brings more than it costs goes on for ever, what brings less does not", () => {
  const gaining = new Budget();
  const losing = new Budget();
  let over = false;
  for (let at = 0; at < 10_000; at++) {
    gaining.gain(2);
    assert.equal(gaining.spend(1, at), false);
    losing.gain(0.9);
    over ||= losing.spend(1, at);
  }
  assert.ok(over);
});

test("a single long time, which was another program's turn for the most part, does not use it up", () => {
  assert.equal(new Budget().spend(500, 0), false);
});

test("much that was gained does not pay for much that is lost after it", () => {
  const budget = new Budget();
  budget.gain(1_000_000);
  assert.ok(spendAll(budget, 0) < 300);
});
