import assert from "node:assert/strict";
import { test } from "node:test";
import { Competition } from "./competition.js";

/** A machine of two cores whose processes have worked for so many milliseconds, and this one. */
function machine(wanted = { threads: 2, cores: 2 }) {
  const worked = { all: 1000, own: 400 };
  let text: (() => string) | undefined;
  const line = (): string => {
    const ticks = worked.all / 10;
    // user nice system idle iowait irq softirq steal guest guest_nice
    return `cpu  ${ticks - 40} 5 20 77777 888 5 5 5 13 0\ncpu0 1 2 3\n`;
  };
  const competition = new Competition(
    () => wanted,
    () => Buffer.from((text ?? line)()),
    () => worked.own,
    0,
  );
  return { worked, competition, say: (other: () => string) => void (text = other) };
}

test("nobody competes until somebody was seen to, in half a second or more", () => {
  const { worked, competition } = machine();
  assert.equal(competition.others, "quiet");
  worked.all += 490;
  assert.equal(competition.look(499), false);
  assert.equal(competition.others, "quiet");
  assert.equal(competition.look(500), true);
  assert.equal(competition.others, "compete");
});

test("what the program itself works is no competition", () => {
  const { worked, competition } = machine();
  worked.all += 2 * 600;
  worked.own += 2 * 600 - 100;
  assert.equal(competition.look(600), true);
  assert.equal(competition.others, "quiet");
  assert.ok(Math.abs(competition.used - 100 / 600) < 1e-9);
});

test("a fifth of a core is tolerated, and who has gone does not compete any more", () => {
  const { worked, competition } = machine();
  worked.all += 130;
  competition.look(500);
  assert.equal(competition.others, "compete");
  worked.all += 90;
  competition.look(1000);
  assert.equal(competition.others, "quiet");
});

test("others may have the cores that nobody here wants", () => {
  const { worked, competition } = machine({ threads: 3, cores: 16 });
  worked.all += 12 * 500;
  competition.look(500);
  assert.equal(competition.others, "quiet");
  worked.all += 14 * 500;
  competition.look(1000);
  assert.equal(competition.others, "compete");
});

test("what cannot be read is unknown, and nobody is taken to be absent", () => {
  const { competition, say } = machine();
  say(() => {
    throw new Error("ENOENT");
  });
  assert.equal(competition.look(500), true);
  assert.equal(competition.others, "unknown");
  for (const text of ["", "cpu\n", "intr 5\n", "cpu  1 2 3 4 5 6 7\n"]) {
    const read = new Competition(
      () => ({ threads: 2, cores: 2 }),
      () => Buffer.from(text),
      () => 0,
      0,
    );
    assert.equal(read.others, "unknown", text);
  }
});
