/** Whether putting packets off pays, judged of programs that are simulated: no clock is asked. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Trials, type Done, type Memory } from "./trials.js";

/** A program that gets a packet, which calls the region, again and again. Times in milliseconds. */
class Program {
  at = 0;
  private idle = 0;
  private calls = 0;
  private computed = 0;
  private took = 0;
  private taken = 0;
  /** How often a guard went on or off. */
  turns = 0;
  readonly trials: Trials;

  /** @param put a packet's time if it is put off; home has nothing to do for some of it */
  constructor(
    private readonly call: number,
    private readonly rest: number,
    public put: { time: number; idle: number },
    /** Whether `rest` is time in which home has nothing to do. */
    private readonly waits = false,
    private readonly looksEvery = 500,
    memory?: Memory,
  ) {
    const done = (): Done => ({
      regions: [{ calls: this.calls, computed: this.computed, took: this.took }],
      turns: this.turns,
      taken: this.taken,
      idle: this.idle,
    });
    this.trials = new Trials(done, memory);
  }

  private packet(): void {
    const { trials } = this;
    trials.came(this.at, false);
    this.calls++;
    if (trials.on) {
      trials.waited(this.at);
      this.taken++;
      this.at += this.put.time;
      this.idle += this.put.idle;
    } else {
      this.computed++;
      this.took += this.call;
      this.at += this.call + this.rest;
      if (this.waits) this.idle += this.rest;
    }
  }

  run(milliseconds: number): void {
    const end = this.at + milliseconds;
    for (let look = this.at; this.at < end;) {
      this.packet();
      if (this.at < look) continue;
      look = this.at + this.looksEvery;
      this.trials.look(this.at, true);
    }
  }
}

/** Of its time, the share for which packets are put off. */
function shareOn(program: Program, seconds: number): number {
  let on = 0;
  for (let at = 0; at < seconds * 100; at++) {
    program.run(10);
    if (program.trials.on) on++;
  }
  return on / (seconds * 100);
}

test("nothing is compared before packets were put off", () => {
  const trials = new Trials(() => ({ regions: [], turns: 0, taken: 0, idle: 0 }));
  for (let at = 0; at < 10_000; at += 10) {
    trials.came(at, false);
    assert.equal(trials.look(at, true), false);
  }
});

test("a program that gets more done goes on, and is seldom compared", () => {
  const program = new Program(2, 0.1, { time: 1.1, idle: 0 });
  program.run(3000);
  assert.equal(program.trials.state, "on");
  assert.ok((program.trials.ratio as number) > 1.5);
  assert.ok(shareOn(program, 100) > 0.98);
  assert.ok(program.trials.count <= 8);
});

test("a program that gets less done is left to node, and asked again later and later", () => {
  const program = new Program(0.5, 0.1, { time: 1, idle: 0.7 });
  program.run(3000);
  assert.equal(program.trials.state, "off");
  assert.ok((program.trials.ratio as number) < 0.8);
  assert.ok(shareOn(program, 100) < 0.02);
  assert.ok(program.trials.count < 8);
});

test("a program that has something to do all the time must gain: else it is left to node", () => {
  const even = new Program(0.5, 0.1, { time: 0.6, idle: 0 });
  even.run(60_000);
  assert.equal(even.trials.state, "off");
  assert.ok(shareOn(even, 100) < 0.03);
  const better = new Program(0.5, 0.1, { time: 0.56, idle: 0 });
  better.run(60_000);
  assert.equal(better.trials.state, "on");
});

test("nothing is put off for more than half a second before a program that loses is left to node", () => {
  const program = new Program(0.5, 0.1, { time: 1, idle: 0.7 }, false, 100);
  let on = 0;
  for (; program.trials.count === 0; program.run(1)) if (program.trials.on) on++;
  assert.equal(program.trials.state, "off");
  assert.ok(on <= 600, `${on} ms`);
});

test("what the last run found holds for some seconds, then it is tried again", () => {
  const memory = { lost: true };
  const program = new Program(0.5, 0.1, { time: 0.3, idle: 0 }, false, 500, memory);
  program.run(2900);
  assert.deepEqual([program.trials.state, program.trials.count, memory.lost], ["off", 0, true]);
  program.run(2000);
  assert.deepEqual([program.trials.state, program.trials.count, memory.lost], ["on", 1, false]);
});

test("a site is not to blame for what nobody foresees while nothing is put off only to compare", () => {
  const program = new Program(0.5, 0.1, { time: 1, idle: 0.7 });
  const seen = new Set<string>();
  for (let at = 0; at < 30_000; at += 10) {
    program.run(10);
    seen.add(`${program.trials.state} ${program.trials.excuses(program.at)}`);
  }
  assert.ok(seen.has("off-trial true") && seen.has("off false"));
  assert.ok(!seen.has("off-trial false") && !seen.has("on-trial true") && !seen.has("on true"));
});

test("when it pays again, that is found", () => {
  const program = new Program(0.5, 0.1, { time: 1, idle: 0.7 });
  program.run(10_000);
  assert.equal(program.trials.state, "off");
  program.put = { time: 0.3, idle: 0 };
  program.run(30_000);
  assert.equal(program.trials.state, "on");
});

test("packets that come whatever is done go on being put off, be they late or not", () => {
  const program = new Program(1, 19, { time: 20, idle: 19.5 }, true);
  program.run(60_000);
  assert.ok(program.trials.count > 0);
  assert.equal(program.trials.state, "on");
});

test("few packets more or less are chance", () => {
  const program = new Program(1, 24, { time: 27, idle: 26 }, true);
  program.run(60_000);
  assert.ok((program.trials.ratio as number) < 0.95);
  assert.equal(program.trials.state, "on");
});

test("light packets beside hot ones count by what they take", () => {
  const done = { calls: 0, computed: 0, took: 0, idle: 0 };
  const trials = new Trials(() => {
    return { regions: [{ ...done }], turns: 0, taken: done.calls - done.computed, idle: done.idle };
  });
  let at = 0;
  for (let look = 0; at < 10_000;) {
    const { on } = trials;
    // For each hot one a light packet of 0.02 ms under node; while hot ones are put off, 60 of them.
    const light = on ? 60 : 1;
    for (let packet = 0; packet <= light; packet++) trials.came((at += 0.02), false);
    done.calls++;
    if (on) trials.waited(at);
    else {
      done.computed++;
      done.took += 0.6;
      at += 0.6;
    }
    if (at < look) continue;
    look = at + 500;
    trials.look(at, true);
  }
  assert.equal(trials.state, "on");
  assert.ok((trials.ratio as number) > 1.2);
});

test("what it costs that packets pass at all counts", () => {
  const goesOn = (passes: boolean): boolean => {
    // For a third of the time home has nothing to do.
    const trials = new Trials(() => ({ regions: [], turns: 0, taken: at, idle: at / 3 }));
    let at = 0;
    for (let look = 0; at < 5000; at += 0.028) {
      trials.came(at, passes);
      if (trials.on) trials.waited(at);
      if (at < look) continue;
      look = at + 500;
      trials.look(at, true);
    }
    return trials.on;
  };
  assert.deepEqual([goesOn(false), goesOn(true)], [true, false]);
});

/** A program that home computes all of, for 5 ms a packet; how many of its calls are counted changes with guards. */
function uncounted(shareOn: number, taken: number, turns: () => number): Trials {
  let [at, calls, computed, took, sum] = [0, 0, 0, 0, 0];
  const trials = new Trials(() => {
    return { regions: [{ calls, computed, took }], turns: turns(), taken: sum, idle: 0 };
  });
  for (let packet = 0, look = 0; at < 20_000 && trials.count === 0; packet++) {
    const { on } = trials;
    trials.came((at += 5), false);
    if (on) trials.waited(at);
    if (on) sum += taken;
    if (on ? packet % 10 < shareOn * 10 : packet % 10 < 5)
      [calls, computed, took] = [calls + 1, computed + 1, took + 4];
    if (at < look) continue;
    look = at + 500;
    trials.look(at, true);
  }
  return trials;
}

test("where no result of a worker is taken, nothing was gained, however many calls were counted", () => {
  const trials = uncounted(1, 0, () => 0);
  assert.equal(trials.state, "off");
  assert.ok(Math.abs((trials.ratio as number) - 1) < 0.05, String(trials.ratio));
});

test("a trial in which guards went on or off tells nothing; after three of them packets alone are counted", () => {
  let turns = 0;
  const trials = uncounted(1, 1, () => turns++);
  assert.equal(trials.count, 1);
  assert.ok(Math.abs((trials.ratio as number) - 1) < 0.05, String(trials.ratio));
});

test("a trial during which the program has something else to do tells nothing", () => {
  const program = new Program(0.5, 0.1, { time: 1, idle: 0.7 });
  while (!program.trials.comparing) program.run(10);
  program.at += 5000;
  program.trials.came(program.at, false);
  assert.equal(program.trials.state, "on");
  assert.equal(program.trials.count, 0);
});

test("a trial that nobody goes on with is over, also if nothing is hot any more", () => {
  const program = new Program(0.5, 0.1, { time: 1, idle: 0.7 });
  while (!program.trials.comparing) program.run(10);
  assert.equal(program.trials.look(program.at + 5000, false), false);
  assert.equal(program.trials.comparing, false);
});
