import assert from "node:assert/strict";
import { test } from "node:test";
import { Contention, readings, type Readings } from "./contention.js";

/** Two cores of which others have a share, and a main thread that waits for a share of the time that it needs. */
class Machine {
  at = 0;
  private found: Readings = { ran: 0, waited: 0, others: 0, all: 0 };
  readonly contention = new Contention(() => this.found);

  pass(milliseconds: number, others: number, waiting: number, needed = 0.8): number {
    this.at += milliseconds;
    const { ran, waited, others: had, all } = this.found;
    this.found = {
      ran: ran + milliseconds * needed * (1 - waiting),
      waited: waited + milliseconds * needed * waiting,
      others: had + 2 * milliseconds * others,
      all: all + 2 * milliseconds,
    };
    return this.at;
  }
}

test("who waited for a core before there were workers gives way at once", () => {
  const busy = new Machine();
  assert.equal(busy.contention.begins(busy.pass(300, 0.9, 0.5)), true);
  assert.equal(busy.contention.count, 1);
  const free = new Machine();
  assert.equal(free.contention.begins(free.pass(300, 0.9, 0.05)), false);
  assert.equal(free.contention.left(free.at), 0);
});

test("who waits for its own workers does not give way", () => {
  const machine = new Machine();
  machine.contention.begins(machine.pass(300, 0, 0));
  assert.equal(machine.contention.look(machine.pass(600, 0.3, 0.6)), false);
  assert.equal(machine.contention.look(machine.pass(600, 0.8, 0.6)), true);
  assert.equal(machine.contention.look(machine.pass(600, 0.8, 0.6)), true);
  assert.equal(machine.contention.count, 1);
});

test("it lasts for twice as long each time in a row, and not longer once the cores are free", () => {
  const machine = new Machine();
  const { contention } = machine;
  assert.equal(contention.begins(machine.pass(300, 0.9, 0.5)), true);
  assert.equal(contention.left(machine.at), 2000);
  assert.equal(contention.begins(machine.pass(1999, 0.9, 0.5)), true);
  assert.equal(contention.begins(machine.pass(600, 0.9, 0.5)), true);
  assert.equal(contention.left(machine.at), 4000);
  assert.equal(contention.begins(machine.pass(4001, 0, 0)), false);
  assert.equal(contention.begins(machine.pass(600, 0.9, 0.5)), true);
  assert.equal(contention.left(machine.at), 2000);
});

test("a main thread that needs next to nothing tells nothing, nor does a system without these files", () => {
  const machine = new Machine();
  assert.equal(machine.contention.begins(machine.pass(1000, 1, 1, 0.02)), false);
  assert.equal(new Contention(() => undefined).begins(0), false);
});

test("Linux has these figures, and they grow", { skip: process.platform !== "linux" }, () => {
  const before = readings();
  assert.ok(before !== undefined);
  for (const begun = performance.now(); performance.now() < begun + 60;);
  const after = readings();
  assert.ok(after !== undefined && after.ran > before.ran && after.all > before.all);
});
