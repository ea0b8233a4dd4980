/**
 * Whether it pays to put packets off, found by trials: for some tenths of a second nothing is put off, and what the
 * program gets done then is compared with what it got done before and after.
 *
 * Nothing else can tell. Who waits for an answer before asking again gets fewer of them where a result comes later than
 * home would have had it: because home had nothing else to do meanwhile, or because other processes have the cores, or
 * because the region is so short that to put off its packet takes as long. All of that is in what gets done in a
 * second: calls of hot regions, and packets, each of these worth what home takes for it while nothing is put off.
 */
import { abs, max, min, sqrt } from "../../arithmetic.js";

/** What was done so far, as the program's account has it. Times in milliseconds. */
export interface Done {
  /** Of each region: its calls, those that home computed, and what it took for these. */
  readonly regions: readonly { readonly calls: number; readonly computed: number; readonly took: number }[];
  /** How often calls of a region began to be counted, or were not any more: its guard went on or off. */
  readonly turns: number;
  /** Results of workers that home took. */
  readonly taken: number;
  /** For which home had nothing to do. */
  readonly idle: number;
}

/** Kept from run to run. */
export interface Memory {
  /** Whether putting packets off brought less than it cost. */
  lost: boolean;
}

/** A stretch of time with one way, or several. */
interface Stretch {
  time: number;
  packets: number;
  passing: number;
  idle: number;
  taken: number;
  regions: { calls: number; computed: number; took: number }[];
}

/** `off`: nothing is put off. `on-trial`, `off-trial`: the same, to compare. */
type State = "on" | "off" | "on-trial" | "off-trial";

/** In this order changes that go on have no part in the difference. */
const order = ["on-trial", "off-trial", "off-trial", "on-trial"] as const;
/** Milliseconds. What is measured begins after some time, when packets that waited are through. */
const length = { settle: 40, shortest: 100, longest: 400 };
/** A stretch has at least so many packets, if that does not take too long. */
const enough = 40;
/**
 * What has to get done with packets put off, in relation to what gets done without. A thread that has something to do
 * all the time, but for this share of it, must gain, or packets are put off for nothing. Where it has time to spare, as
 * much gets done either way, and what is gained is that other packets wait for less: there it must not lose.
 */
const spare = 0.25;
const least = { busy: 1.02, spare: 0.95 };
/** A verdict closer to its limit than this may be wrong; what may be chance beyond it counts for going on. */
const doubt = 0.1;
/**
 * Milliseconds that a packet for a parser of HTTP costs home because it passes through Heddle, which it does not where
 * nothing is put off: 28 us instead of 20, of which the memory for it is the largest part.
 */
const passage = 0.007;
/** Milliseconds from the first packet that was put off to a trial. */
export const first = 200;
/**
 * Until the next one, if the verdict was clear or not; each time in a row twice as long. Where packets are not put
 * off, a trial puts them off for 280 ms: a program that gets half as much done then loses 1.4 % of its time, and less
 * later.
 */
const pauses = { on: 30_000, off: 10_000, unclear: 3000, longest: 160_000 };
const putOffAtLeast = 30;

/**
 * So many trials in a row tell nothing because guards went on or off meanwhile, so that calls of regions were counted
 * in some stretches only. The next one counts packets alone.
 */
const mostUneven = 3;

const newStretch = (): Stretch => ({ time: 0, packets: 0, passing: 0, idle: 0, taken: 0, regions: [] });

/** What of it home would have taken while nothing is put off, per millisecond. */
function rate(one: Stretch, off: Stretch): number {
  const inRegions = ({ regions }: Stretch): number =>
    regions.reduce((sum, { calls }, at) => {
      const { computed = 0, took = 0 } = off.regions[at] ?? {};
      return computed === 0 ? sum : sum + (calls * took) / computed;
    }, 0);
  const perPacket = max(0, off.time - off.idle - inRegions(off)) / max(1, off.packets);
  return (inRegions(one) + perPacket * one.packets) / one.time;
}

export class Trials {
  state: State = "on";
  /** What the program got done with packets put off, in relation to what it did without; of the last trials. */
  ratio: number | undefined;
  /** How many trials there were. */
  count = 0;

  private packets = 0;
  private passing = 0;
  private putOff = 0;
  /** When the next trial begins, by the clock. */
  private next = Infinity;
  private verdict: "on" | "off" = "on";
  /** How many verdicts before it, in a row, were the same. */
  private agreed = 0;
  private sums = { on: newStretch(), off: newStretch() };
  private stage = 0;
  private settled = false;
  private begun = { at: 0, packets: 0, passing: 0, done: undefined as Done | undefined };
  /** `Done.turns` when the first stretch of the trial began, and how many trials in a row were uneven. */
  private turns = 0;
  private uneven = 0;
  private due = Infinity;
  private planned: number = length.shortest;
  private seen = { at: 0, packets: 0 };

  /** @param memory what the last run of the program found, and where it is kept for the next */
  constructor(
    private readonly done: () => Done,
    private readonly memory?: Memory,
  ) {
    if (memory?.lost === true) this.state = this.verdict = "off";
  }

  /** Whether a site that nobody foresees is not to blame: nothing is put off only to compare, or a trial is due. */
  excuses(at: number): boolean {
    return this.state === "off-trial" || (this.state === "off" && at >= this.next);
  }

  /** Whether packets may be put off now. */
  get on(): boolean {
    return this.state === "on" || this.state === "on-trial";
  }

  /** Whether all packets are counted. */
  get comparing(): boolean {
    return this.state === "on-trial" || this.state === "off-trial";
  }

  /**
   * A packet has come.
   * @param passes whether it is one for a parser, which node would read alone if nothing were put off
   */
  came(at: number, passes: boolean): void {
    this.packets++;
    if (passes) this.passing++;
    if (at >= this.due) this.step(at);
  }

  /** One was put off. @returns whether it is the first, so that a look is due `first` milliseconds later */
  waited(at: number): boolean {
    this.putOff++;
    if (this.next !== Infinity) return false;
    this.next = at + first;
    return true;
  }

  /**
   * To be called now and then, with nothing of a connection on the stack.
   * @param eager whether there is something to put packets off for
   * @returns whether a trial begins
   */
  look(at: number, eager: boolean): boolean {
    const { seen } = this;
    const between = (at - seen.at) / max(1, this.packets - seen.packets);
    this.seen = { at, packets: this.packets };
    if (this.comparing) {
      if (at > this.due + this.planned + length.longest) this.abandon(at);
      return false;
    }
    if (eager && this.state === "off" && this.next === Infinity) this.next = at + pauses.unclear;
    if (!eager || at < this.next || (this.state === "on" && this.putOff < putOffAtLeast)) return false;
    this.planned = this.state === "off" ? length.shortest : max(length.shortest, min(length.longest, enough * between));
    this.sums = { on: newStretch(), off: newStretch() };
    this.stage = 0;
    this.enter(at);
    return true;
  }

  private enter(at: number): void {
    this.state = order[this.stage] as State;
    this.settled = false;
    this.due = at + length.settle;
  }

  private step(at: number): void {
    if (at > this.due + this.planned + length.longest) return this.abandon(at);
    const done = this.done();
    if (!this.settled) {
      this.settled = true;
      if (this.stage === 0) this.turns = done.turns;
      this.begun = { at, packets: this.packets, passing: this.passing, done };
      this.due = at + this.planned;
      return;
    }
    this.add(this.state === "on-trial" ? this.sums.on : this.sums.off, at, done);
    this.stage++;
    if (this.stage < order.length) this.enter(at);
    else this.judge(at, done.turns !== this.turns);
  }

  private add(to: Stretch, at: number, { idle, regions, taken }: Done): void {
    const { begun } = this;
    to.time += at - begun.at;
    to.packets += this.packets - begun.packets;
    to.passing += this.passing - begun.passing;
    to.idle += idle - (begun.done?.idle ?? 0);
    to.taken += taken - (begun.done?.taken ?? 0);
    regions.forEach((now, index) => {
      const before = begun.done?.regions[index] ?? { calls: 0, computed: 0, took: 0 };
      const sum = (to.regions[index] ??= { calls: 0, computed: 0, took: 0 });
      sum.calls += now.calls - before.calls;
      sum.computed += now.computed - before.computed;
      sum.took += now.took - before.took;
    });
  }

  private judge(at: number, isUneven: boolean): void {
    const { on, off } = this.sums;
    // Where home took nothing, it computed all calls either way: what of them was counted tells nothing.
    if (on.taken === 0) on.regions = off.regions = [];
    else if (isUneven) {
      if (++this.uneven <= mostUneven) return this.abandon(at);
      on.regions = off.regions = [];
    }
    this.uneven = 0;
    const without = (rate(off, off) * off.time) / max(off.time - passage * off.passing, off.time / 2);
    if (without === 0) return this.abandon(at);
    this.count++;
    this.ratio = rate(on, off) / without;
    // Of how many packets come in some time the standard deviation is the root, if they come by chance.
    const chance = max(0, sqrt(1 / on.packets + 1 / off.packets) - doubt);
    const limit = (off.idle < spare * off.time ? least.busy : least.spare) - chance;
    // Packets that waited for nothing came later for nothing.
    if (on.taken === 0) return this.decide("off", at, true);
    this.decide(this.ratio < limit ? "off" : "on", at, abs(this.ratio - limit) > doubt);
  }

  private decide(verdict: "on" | "off", at: number, isClear: boolean): void {
    this.agreed = this.count > 1 && verdict === this.verdict ? this.agreed + 1 : 0;
    this.verdict = verdict;
    this.settle(at + min(pauses.longest, (isClear ? pauses[verdict] : pauses.unclear) * 2 ** this.agreed));
    const lost = verdict === "off";
    if (this.memory !== undefined && this.memory.lost !== lost) this.memory.lost = lost;
  }

  /** The program had something else to do, or nothing: that tells nothing. */
  private abandon(at: number): void {
    this.settle(at + pauses.unclear);
  }

  private settle(next: number): void {
    this.state = this.verdict;
    this.due = Infinity;
    this.putOff = 0;
    this.next = next;
  }
}
