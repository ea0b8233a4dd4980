import assert from "node:assert/strict";
import { test } from "node:test";
import { Competition } from "./competition.js";

/** A machine whose processes use so many processors, and this one. */
function machine(cores = 2) {
  const worked = { all: 1000, own: 400 };
  let at = 0;
  // user nice system idle iowait irq softirq steal guest guest_nice
  const line = (): string => `cpu  ${worked.all / 10 - 40} 5 20 77777 888 5 5 5 13 0\ncpu0 1 2 3\n`;
  const competition = new Competition(
    cores,
    () => Buffer.from(line()),
    () => worked.own,
  );
  competition.look(at);
  /** @returns whether others compete after so many milliseconds in which they use so many processors */
  const pass = (milliseconds: number, others: number, own = 1): boolean => {
    for (const end = at + milliseconds; at < end;) {
      at += 500;
      worked.all += 500 * (others + own);
      worked.own += 500 * own;
      competition.look(at);
    }
    return competition.competing;
  };
  return { worked, competition, pass };
}

test("nothing is known before half a second is over", () => {
  const { worked, competition } = machine();
  worked.all += 2 * 490;
  assert.equal(competition.look(499), false);
  assert.equal(competition.crowded, false);
  assert.equal(competition.look(500), true);
  assert.equal(competition.crowded, true);
});

test("others compete once they have left less than half a core for seconds", () => {
  const { competition, pass } = machine();
  assert.equal(pass(2500, 0.8), false);
  assert.equal(competition.crowded, true);
  assert.equal(pass(500, 0.8), true);
});

test("who leaves enough now and then does not compete", () => {
  const { pass } = machine();
  for (let turn = 0; turn < 5; turn++) {
    assert.equal(pass(2500, 1), false);
    assert.equal(pass(500, 0.3), false);
  }
});

test("a client, a proxy or a database that leaves half a core does not compete, however long", () => {
  const { competition, pass } = machine();
  assert.equal(pass(60_000, 0.45), false);
  assert.equal(competition.crowded, false);
});

test("others have gone once they have left more than that for as long", () => {
  const { competition, pass } = machine();
  assert.equal(pass(3000, 1), true);
  assert.equal(pass(10_000, 0.4), true, "between the thresholds it stays as it is");
  assert.equal(pass(2500, 0.1), true);
  assert.equal(competition.crowded, false);
  assert.equal(pass(500, 0.1), false);
});

test("what the program itself works is no competition", () => {
  const { pass } = machine();
  assert.equal(pass(10_000, 0.1, 1.9), false);
});

test("others may have the cores that nobody here wants", () => {
  const { pass } = machine(16);
  assert.equal(pass(10_000, 12), false);
  assert.equal(pass(10_000, 14.8), true);
});

test("where the system does not tell, or not any more, nobody competes", () => {
  for (const text of ["", "cpu\n", "intr 5\n", "cpu  1 2 3 4 5 6 7\n", undefined]) {
    const competition = new Competition(2, () => (text === undefined ? undefined : Buffer.from(text)));
    for (let at = 0; at < 10_000; at += 500) assert.equal(competition.look(at), true, text);
    assert.deepEqual([competition.crowded, competition.competing], [false, false]);
  }
  const { competition, pass } = machine();
  pass(5000, 1);
  Object.assign(competition, {
    read: () => {
      throw new Error("ENOENT");
    },
  });
  assert.equal(pass(500, 1), false);
});
