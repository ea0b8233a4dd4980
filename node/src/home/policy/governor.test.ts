/** Simulated programs: what they get done in a millisecond follows from whether Heddle is on, noise, and others. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Competition } from "./competition.js";
import { Governor, type Governed, type Mode } from "./governor.js";

/** Random numbers that are the same in every run (Lehmer 1951). */
function lehmer(seed: number): () => number {
  let state = (seed * 7919) % 2147483647 || 1;
  return () => (state = (state * 48271) % 2147483647) / 2147483647;
}

interface Program {
  /** How fast it is while Heddle is on; 1: as fast as without. */
  readonly gain: number | ((at: number) => number);
  /** Milliseconds of a call without. */
  readonly call?: number;
  /** Standard deviation of a call's time, as a share of it; 10 % of what some ten calls take is 0.35 of one. */
  readonly noise?: number;
  /** Of the time for which home is busy, while Heddle is on: how much it is spared. */
  readonly spared?: number;
  /** How fast it is apart from Heddle. */
  readonly speed?: (at: number) => number;
  /** Calls that come by themselves, per millisecond; undefined: there is always one more. */
  readonly arrivals?: number;
  /** Of two processors, how many others use. */
  readonly others?: (at: number) => number;
}

interface Run {
  readonly governed: Governed;
  /** When each mode began. */
  readonly modes: readonly (readonly [number, Mode])[];
  /** Calls done in all. */
  readonly calls: number;
  readonly firstSleep: number;
  readonly heldBack: boolean;
  /** Whether later starts are told. */
  readonly sure: boolean;
  /** The largest share of any ten seconds on that was spent to compare. */
  readonly away: number;
}

function simulate(program: Program, milliseconds: number, seed = 1): Run {
  const { call = 1, noise = 0.35, speed = () => 1, arrivals, others } = program;
  const gain = (at: number): number => (typeof program.gain === "number" ? program.gain : program.gain(at));
  const random = lehmer(seed);
  const normal = (): number => random() + random() + random() + random() - 2; // of variance 1/3
  let at = 0;
  let idle = 0;
  let spared = 0;
  let used = 0;
  const stat = (): Uint8Array => Buffer.from(`cpu ${Math.round(used / 10)} 0 0 0 0 0 0 0\n`);
  const competition = new Competition(2, stat, () => 0);
  const modes: [number, Mode][] = [[0, "on"]];
  const around = {
    idle: () => idle,
    spared: () => spared,
    toss: () => random() < 0.5,
    changed: (mode: Mode) => void modes.push([at, mode]),
  };
  const governor = new Governor(around, others === undefined ? undefined : competition, 0);
  const site = {};
  let calls = 0;
  let firstSleep = Infinity;
  let away = 0;
  let mark = { at: 0, away: 0 };
  let next = 0;
  while (at < milliseconds) {
    if (arrivals !== undefined) {
      next += -Math.log(random()) / arrivals;
      if (next > at) [idle, at] = [idle + next - at, next];
    }
    if (governor.mode === "asleep") governor.look(at);
    else governor.reached(site, call, at);
    if (governor.mode === "asleep") firstSleep = Math.min(firstSleep, at);
    const on = governor.mode === "on";
    const took = (call * Math.max(0.05, 1 + noise * 1.732 * normal())) / (speed(at) * (on ? gain(at) : 1));
    if (on) spared += took * (program.spared ?? 0.5);
    if (others !== undefined) used += others(at) * took;
    at += took;
    calls++;
    if (at > mark.at + 10_000) {
      away = Math.max(away, (governor.governed.away - mark.away) / (at - mark.at));
      mark = { at, away: governor.governed.away };
    }
  }
  return {
    sure: governor.isSure,
    heldBack: governor.wasHeldBack,
    governed: governor.governed,
    modes,
    calls,
    firstSleep,
    away,
  };
}

test("of a thousand programs that gain, none is left alone, and comparing takes less than 5 % of each ten seconds", () => {
  for (let seed = 1; seed <= 1000; seed++) {
    const { firstSleep, away, governed, sure } = simulate(
      { gain: seed % 2 ? 1.2 : 1.8, call: 0.5 + (seed % 7) },
      30_000,
      seed,
    );
    assert.ok(firstSleep === Infinity && !sure, `seed ${seed}: ${JSON.stringify(governed)}`);
    assert.ok(away < 0.05, `seed ${seed}: ${away}`);
  }
});

test("a gain is found, and then hardly anything is compared", () => {
  const { governed, calls } = simulate({ gain: 1.8 }, 120_000);
  assert.equal(governed.verdict, "gains");
  assert.ok(governed.away < 0.03 * 120_000, `${governed.away}`);
  assert.ok(calls > 0.98 * 1.8 * 120_000, `${calls}`);
});

test("a loss is found within seconds of work, and the program is then left alone for nearly all of the time", () => {
  const found: number[] = [];
  for (let seed = 1; seed <= 100; seed++) {
    const { firstSleep, governed, calls, sure } = simulate({ gain: 0.85 }, 60_000, seed);
    found.push(firstSleep);
    assert.ok(sure);
    assert.ok(governed.verdict === "loses" || governed.verdict === "gains nothing", governed.verdict);
    assert.ok(calls > 0.96 * 60_000, `seed ${seed}: ${calls}`);
  }
  found.sort((a, b) => a - b);
  assert.ok((found[50] as number) < 4000 && (found[99] as number) < 15_000, `${found[50]} ${found[99]}`);
});

test("what makes no difference is hardly ever taken for a loss", () => {
  let losses = 0;
  for (let seed = 1; seed <= 200; seed++) {
    if (simulate({ gain: 1 }, 20_000, seed).governed.verdict === "loses") losses++;
  }
  assert.ok(losses <= 4, `${losses} of 200`);
});

test("neither drift nor bursts of the program's own are taken for a loss of a program that gains", () => {
  const slower = (at: number): number => 1 / (1 + at / 10_000);
  const bursts = (at: number): number => (at % 1700 < 300 ? 0.3 : 1);
  for (let seed = 1; seed <= 200; seed++) {
    for (const speed of [slower, bursts]) {
      assert.equal(simulate({ gain: 1.3, speed }, 20_000, seed).firstSleep, Infinity, `seed ${seed}`);
    }
  }
});

test("where home is spared next to nothing, nothing is compared, and the program is left alone", () => {
  const { firstSleep, governed } = simulate({ gain: 1, spared: 0.01 }, 60_000);
  assert.ok(firstSleep < 2500, `${firstSleep}`);
  assert.equal(governed.verdict, "gains nothing");
  assert.equal(simulate({ gain: 1, spared: 0.01 }, 3000).sure, false, "once is not enough for later starts");
  assert.equal(simulate({ gain: 1, spared: 0.01 }, 6000).sure, true);
  assert.ok(governed.asleep > 0.9 * 60_000, `${governed.asleep}`);
});

test("what is worth nothing at first is found when it is worth something", () => {
  const { governed } = simulate({ gain: 1.8, spared: 0.5 }, 60_000);
  assert.equal(governed.mode, "on");
  let woken = false;
  const later = simulate({ gain: (at) => (at < 5000 ? 0.8 : 1.8) }, 120_000);
  for (const [at, mode] of later.modes) woken ||= at > 5000 && mode !== "asleep";
  assert.ok(woken);
  assert.equal(later.governed.verdict, "gains");
});

test("while others compete nothing is shipped, and what was measured then leads to no verdict", () => {
  const others = (at: number): number => (at > 3000 && at < 30_000 ? 0.9 : 0);
  // With others on the cores it would seem to lose half.
  const { governed, modes, sure, heldBack } = simulate({ gain: (at) => (others(at) > 0 ? 0.5 : 1.2), others }, 30_000);
  assert.ok(!sure && !modes.some(([, mode]) => mode === "asleep"));
  const off = modes.findLast(([, mode]) => mode === "off");
  assert.ok(off !== undefined && off[0] < 8000 && governed.mode === "off", JSON.stringify(modes));
  assert.notEqual(governed.verdict, "loses");
  const back = simulate({ gain: 1.2, others }, 40_000).governed;
  assert.equal(back.mode, "on", "others have gone");
  assert.ok(back.competed > 20_000);
  assert.ok(heldBack && !simulate({ gain: 1.2, others: () => 0 }, 5000).heldBack);
});

test("who others are for less than half a second at a time cannot be told from who uses little", () => {
  const { governed } = simulate({ gain: 1.8, others: (at) => (at % 5000 < 200 ? 0.4 : 0.05) }, 60_000);
  assert.equal(governed.verdict, "gains");
  assert.equal(governed.mode, "on");
});

test("a service with little to do is judged by what its main thread takes", () => {
  for (let seed = 1; seed <= 20; seed++) {
    const gains = simulate({ gain: 1.8, call: 3, arrivals: 0.1 }, 300_000, seed);
    assert.equal(gains.firstSleep, Infinity);
    assert.equal(gains.governed.verdict, "gains");
    const loses = simulate({ gain: 0.7, call: 3, arrivals: 0.1 }, 120_000, seed);
    assert.ok(loses.firstSleep < 120_000, `${loses.firstSleep}`);
  }
});

test("a block that another kind of work interrupts does not count, and its time does", () => {
  const around = { idle: () => 0, spared: () => 1e9, toss: () => true, changed: () => undefined };
  const governor = new Governor(around, undefined, 0);
  const site = {};
  let at = 0;
  while (governor.mode === "on") governor.reached(site, 1, at++);
  const spent = governor.governed.away;
  governor.look(at + 10);
  assert.equal(governor.mode, "off", "only a call ends a stretch");
  governor.look(at + 2000);
  assert.equal(governor.mode, "on");
  assert.ok(governor.governed.away >= spent + 1999, `${governor.governed.away}`);
  assert.equal(governor.governed.pairs, 0);
  const paid = at;
  for (at += 2000; at < paid + 40_000; at++) governor.reached(site, 1, at);
  assert.ok(governor.governed.away < spent + 2000 + 0.05 * 40_000, "that time has to be earned first");
});

test("others who come and go are no loss of a program that gains", () => {
  const others = (at: number): number => (at % 2000 < 900 ? 1 : 0);
  for (let seed = 1; seed <= 20; seed++) {
    const { firstSleep } = simulate({ gain: (at) => (others(at) > 0 ? 0.4 : 1.2), others }, 60_000, seed);
    assert.equal(firstSleep, Infinity, `seed ${seed}`);
  }
});

const quiet = { idle: () => 0, toss: () => true, changed: () => undefined };

test("when another site gets hot, a block does not count, and who sleeps wakes", () => {
  const governor = new Governor({ ...quiet, spared: () => 1e9 }, undefined, 0);
  const site = {};
  let at = 0;
  while (governor.mode === "on") governor.reached(site, 1, at++);
  governor.disturbed();
  governor.reached(site, 1, at++);
  assert.equal(governor.mode, "on");
  const idle = new Governor({ ...quiet, spared: () => 0 }, undefined, 0);
  for (at = 0; idle.mode === "on"; at += 50) idle.look(at);
  assert.equal(idle.mode, "asleep");
  idle.look(at + 200);
  assert.equal(idle.mode, "asleep");
  idle.disturbed();
  idle.look(at + 250);
  assert.equal(idle.mode, "on");
});

test("others hold nothing back that was never hot", () => {
  const governor = new Governor({ ...quiet, spared: () => 0 }, { crowded: true, competing: true, look: () => true }, 0);
  for (let at = 0; at < 5000; at += 50) governor.look(at);
  assert.equal(governor.mode, "off");
  assert.equal(governor.wasHeldBack, false);
});
