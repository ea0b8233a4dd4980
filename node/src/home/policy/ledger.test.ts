import assert from "node:assert/strict";
import { test } from "node:test";
import { Ledger, type Fate } from "./ledger.js";

const fate = (over: Partial<Fate> = {}): Fate => ({ decided: 0, matched: 0, unforeseen: 0, waited: 0, ...over });

/** A ledger whose first term, in which workers compile, is over. */
function pastItsFirstTerm(): Ledger {
  const ledger = new Ledger();
  ledger.computed(1);
  assert.equal(ledger.judge(fate()), true);
  return ledger;
}

test("a site that nobody foresees is judged, and costs more than it brings", () => {
  const ledger = pastItsFirstTerm();
  ledger.overhead += 3;
  assert.equal(ledger.isDue(fate({ unforeseen: 127 })), false);
  assert.equal(ledger.isDue(fate({ unforeseen: 128 })), true);
  assert.equal(ledger.judge(fate({ unforeseen: 128 })), false);
});

test("what was spent is looked at, however few calls there were, in the first term too", () => {
  const ledger = new Ledger();
  ledger.overhead += 60;
  assert.equal(ledger.isDue(fate({ unforeseen: 3 })), true);
  assert.equal(ledger.judge(fate({ unforeseen: 3 })), false);
});

test("a result is worth what home would have taken, not what the worker took", () => {
  const ledger = pastItsFirstTerm();
  ledger.computed(0.5);
  for (let at = 0; at < 32; at++) ledger.took();
  assert.equal(ledger.saved, 32 * 0.75);
  ledger.overhead += 21;
  assert.equal(ledger.judge(fate({ decided: 32, matched: 32 })), false);
  for (let at = 0; at < 32; at++) ledger.took();
  ledger.overhead += 19;
  assert.equal(ledger.judge(fate({ decided: 64, matched: 64 })), true);
});

test("time that home waited for workers is taken off", () => {
  const ledger = pastItsFirstTerm();
  for (let at = 0; at < 32; at++) ledger.took();
  ledger.overhead += 10;
  assert.equal(ledger.judge(fate({ decided: 32, matched: 32, waited: 21 })), false);
});

test("jobs for values that do not come count against it", () => {
  const ledger = pastItsFirstTerm();
  for (let at = 0; at < 7; at++) ledger.took();
  assert.equal(ledger.judge(fate({ decided: 32, matched: 7 })), false);
  for (let at = 0; at < 8; at++) ledger.took();
  assert.equal(ledger.judge(fate({ decided: 64, matched: 15 })), true);
});

test("a site that did not pay is given up sooner the next times, and gets its time back when it pays", () => {
  const ledger = pastItsFirstTerm();
  let unforeseen = 0;
  for (const calls of [128, 64, 32, 32]) {
    ledger.overhead += 3;
    assert.equal(ledger.isDue(fate({ unforeseen: unforeseen + calls - 1 })), false);
    unforeseen += calls;
    assert.equal(ledger.isDue(fate({ unforeseen })), true);
    assert.equal(ledger.judge(fate({ unforeseen })), false);
  }
  for (let at = 0; at < 32; at++) ledger.took();
  assert.equal(ledger.judge(fate({ unforeseen, decided: 32, matched: 32 })), true);
  ledger.overhead += 49;
  assert.equal(ledger.isDue(fate({ unforeseen: unforeseen + 127, decided: 32, matched: 32 })), false);
});

test("each term is judged by itself", () => {
  const ledger = pastItsFirstTerm();
  for (let at = 0; at < 1000; at++) ledger.took();
  assert.equal(ledger.judge(fate({ decided: 1000, matched: 1000 })), true);
  ledger.overhead += 2;
  assert.equal(ledger.judge(fate({ decided: 1032, matched: 1000 })), false);
});

test("home computes one of 64 calls itself, and then follows what its own calls take now", () => {
  const ledger = pastItsFirstTerm();
  for (let at = 0; at < 63; at++) ledger.took();
  assert.equal(ledger.wantsSample, false);
  ledger.took();
  assert.equal(ledger.wantsSample, true);
  ledger.computed(3);
  assert.equal(ledger.wantsSample, false);
  assert.equal(ledger.ownCost, 2);
});
