/** Whether putting packets off pays, judged of programs that are simulated: no clock is asked. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Trials } from "./trials.js";

/** A program that gets a packet, which calls the region, again and again. Times in milliseconds. */
class Program {
  at = 0;
  private idle = 0;
  private calls = 0;
  private computed = 0;
  private took = 0;
  readonly trials = new Trials(() => ({
    regions: [{ calls: this.calls, computed: this.computed, took: this.took }],
    idle: this.idle,
  }));

  /** @param put a packet's time if it is put off; home has nothing to do for some of it */
  constructor(
    private readonly call: number,
    private readonly rest: number,
    public put: { time: number; idle: number },
  ) {}

  private packet(): void {
    const { trials } = this;
    trials.came(this.at, false);
    this.calls++;
    if (trials.on) {
      trials.waited(this.at);
      this.at += this.put.time;
      this.idle += this.put.idle;
    } else {
      this.computed++;
      this.took += this.call;
      this.at += this.call + this.rest;
    }
  }

  run(milliseconds: number): void {
    const end = this.at + milliseconds;
    for (let look = this.at; this.at < end;) {
      this.packet();
      if (this.at < look) continue;
      look = this.at + 500;
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
  const trials = new Trials(() => ({ regions: [], idle: 0 }));
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

test("when it pays again, that is found", () => {
  const program = new Program(0.5, 0.1, { time: 1, idle: 0.7 });
  program.run(10_000);
  assert.equal(program.trials.state, "off");
  program.put = { time: 0.3, idle: 0 };
  program.run(30_000);
  assert.equal(program.trials.state, "on");
});

test("packets that come whatever is done go on being put off, be they late or not", () => {
  const program = new Program(1, 19, { time: 20, idle: 19.5 });
  program.run(60_000);
  assert.ok(program.trials.count > 0);
  assert.equal(program.trials.state, "on");
});

test("few packets more or less are chance", () => {
  const program = new Program(1, 24, { time: 27, idle: 26 });
  program.run(60_000);
  assert.ok((program.trials.ratio as number) < 0.95);
  assert.equal(program.trials.state, "on");
});

test("light packets beside hot ones count by what they take", () => {
  const done = { calls: 0, computed: 0, took: 0, idle: 0 };
  const trials = new Trials(() => ({ regions: [{ ...done }], idle: done.idle }));
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
  const verdict = (passes: boolean): string => {
    const trials = new Trials(() => ({ regions: [], idle: 0 }));
    for (let at = 0, look = 0; at < 5000; at += 0.028) {
      trials.came(at, passes);
      if (trials.on) trials.waited(at);
      if (at < look) continue;
      look = at + 500;
      trials.look(at, true);
    }
    return trials.state;
  };
  assert.deepEqual([verdict(false), verdict(true)], ["on", "off"]);
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
