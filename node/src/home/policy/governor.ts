/**
 * Decides, above all sites, whether the program is better off with Heddle. What a site costs and brings its ledger
 * knows; what it does not see is what workers cost others on the same cores, and what V8 makes of a text whose guards
 * are on.
 *
 *   on       sites do as they like
 *   off      nothing is shipped or put off, and all guards are off but those of hot sites, which only count: while
 *            others leave no core to workers, and to compare
 *   asleep   all guards that were ever passed are off, until a nap is over: the program gains nothing, or loses
 *
 * Two things send it to sleep. Home was spared less than 3 % of the time for which it was busy: then there is nothing
 * to gain, and nothing need be measured. Or a comparison says so (comparison.ts): blocks of on, off, on or off, on,
 * off, the first kind before and behind, so that a steady drift is no difference. Each block has stretches of its own;
 * before each a while does not count, in which workers get ahead again or end what they are at. A block counts once it
 * is known that the cores were not crowded meanwhile.
 *
 * It has no timer: it is asked where Heddle's code runs anyway. All times are in milliseconds.
 */
import { max, min } from "../../arithmetic.js";
import { now } from "../../shared/job-table.js";
import { Comparison, type Estimate, type Stretch, type Verdict } from "./comparison.js";

export type Mode = "on" | "off" | "asleep";

/** What it asks, and what it tells. */
interface Surroundings {
  /** How long the main thread has waited for events, since it began. */
  idle(): number;
  /** How much home was spared, less what it waited for workers, since it began. */
  spared(): number;
  /** True or false, by chance. */
  toss(): boolean;
  changed(mode: Mode): void;
}

interface Block {
  /** How it begins and ends. */
  readonly first: Mode;
  readonly length: number;
  /** 0, 2 and 4 do not count, 1, 3 and 5 do; in 2 and 3 it is the other way round. */
  stage: number;
  begun: number;
  planned: number;
  idle: number;
  work: number;
  readonly on: Stretch;
  readonly off: Stretch;
}

/** What it does, for the report. */
export interface Governed {
  readonly mode: Mode;
  readonly verdict: Verdict | undefined;
  readonly estimate: Estimate | undefined;
  readonly pairs: number;
  readonly away: number;
  readonly asleep: number;
  readonly competed: number;
}

const lookEvery = 100;
/** Less than this share of the time that home was busy is nothing. It must have been busy for so long. */
const worthHaving = { share: 0.03, observed: 1500, again: 500 };
/** Calls of hot sites in a stretch, and its shortest and longest length; the middle of a block is twice as long. */
const stretch = { calls: 12, shortest: 10, longest: 1000 };
/** Blocks after which it is left undecided for now. */
const most = 40;
/** When the first block may begin after a site was hot, and pauses between series of them. */
const pauses = { first: 500, shortest: 10_000, longest: 320_000 };
const enoughAgreeing = 2;
/** The next nap is longer by a factor; after a comparison one is also so many times as long as it was awake. */
const naps = { shortest: 2500, longest: 160_000, factor: 3, ofAwake: 10 };
/** Who waits longer than this between two looks waits for its users, not for workers. */
const longestWait = 200;
/**
 * Of the time for which something goes on, this share may be spent other than as it seems best, to compare. A
 * block begins when what it will spend has been earned: at most so many of its shorter stretches. The first of a series
 * may owe so much, for it tells whether there is a loss to be found.
 */
const away = { share: 0.03, first: 40, most: 100, stretches: 3, owed: 200 };

const newStretch = (): Stretch => ({ time: 0, idle: 0, work: 0 });

export class Governor {
  mode: Mode = "on";
  verdict: Verdict | undefined;
  /** Of the last comparison that has come to an end. */
  private decided: { readonly estimate: Estimate; readonly pairs: number } | undefined;
  /** How it is while nothing is compared. */
  private base: "on" | "off" = "on";
  private comparison = new Comparison();
  private block: Block | undefined;
  /** Blocks of which it is not known yet whether others left the workers enough. */
  private pending: Block[] = [];
  private disturbance = false;
  private readonly weights = new Map<object, number>();
  private calls = 0;
  private work = 0;

  private due = 0;
  private at: number;
  private idle = 0;
  private pace: { at: number; calls: number };
  private seriesAt = Infinity;
  private pause = pauses.shortest;
  private credit = away.first;
  private wakeAt = 0;
  private awakeSince: number;
  private nap = naps.shortest;
  /** How often in a row it was found that nothing is gained. */
  private agreeing = 0;
  private observed = { busy: 0, spared: 0, enough: worthHaving.observed };
  private readonly spent = { away: 0, asleep: 0, competed: 0 };

  /** @param competition undefined: nobody else is looked for */
  constructor(
    private readonly around: Surroundings,
    private readonly competition?: {
      readonly crowded: boolean;
      readonly competing: boolean;
      look(at: number): boolean;
    },
    at = now(),
  ) {
    this.at = this.awakeSince = at;
    this.pace = { at, calls: 0 };
    this.rebase();
  }

  /** A hot site was reached. @param cost what home takes for one of its calls */
  reached(site: object, cost: number, at: number): void {
    if (at >= this.due) this.step(at);
    if (this.seriesAt === Infinity) this.seriesAt = at + pauses.first;
    this.calls++;
    if (this.block === undefined) return;
    let weight = this.weights.get(site);
    if (weight === undefined) this.weights.set(site, (weight = cost));
    this.work += weight;
  }

  /** A chance to look. What ends a stretch is a call, as what began it. */
  look(at: number): void {
    if (at >= (this.block === undefined ? this.due : overdue(this.block))) this.step(at);
  }

  /** Another site is hot, or one not any more: work from now on is not what it was. */
  disturbed(): void {
    this.disturbance = true;
    this.due = 0;
  }

  /**
   * Whether later starts may rely on it that nothing is gained: a comparison said so, or two times home was spared
   * nothing, with a nap between. The first time may have been a start, before there was any work.
   */
  get isSure(): boolean {
    return this.agreeing >= enoughAgreeing;
  }

  /** Whether something might have been shipped but for others: this run tells nothing of what others will gain. */
  get wasHeldBack(): boolean {
    return this.calls > 0 && (this.base === "off" || this.spent.competed > 0);
  }

  get governed(): Governed {
    const { mode, verdict, spent } = this;
    const { estimate, pairs } = this.comparison.pairs >= 2 ? this.comparison : (this.decided ?? { pairs: 0 });
    return { mode, verdict, estimate, pairs, ...spent } as Governed;
  }

  private step(at: number): void {
    const idle = this.around.idle();
    this.account(at - this.at, idle - this.idle);
    this.at = at;
    this.idle = idle;
    this.due = at + lookEvery;
    const known = this.competition?.look(at) ?? true;
    if (this.disturbance) this.overturned();
    if (known) this.learn();
    if (this.mode === "asleep") {
      if (at >= this.wakeAt) this.wake();
    } else if (this.block !== undefined) this.advance(this.block);
    else if (!(known && this.gainsNothing()) && this.mayCompare()) this.begin();
  }

  /** Every step begins with this, so that no time goes uncounted, however a block ends. */
  private account(time: number, idle: number): void {
    const busy = max(0, time - idle);
    const active = busy + min(idle, longestWait);
    if (this.mode === "asleep") this.spent.asleep += busy;
    else if (this.mode !== this.base) {
      this.spent.away += active;
      if (this.base === "off" || !this.comparison.seemsLost) this.credit -= active;
    } else {
      this.credit = min(max(away.most, away.stretches * this.length), this.credit + active * away.share);
      if (this.competition?.competing) this.spent.competed += busy;
      if (this.mode === "on") this.observed.busy += busy;
    }
  }

  private turn(mode: Mode): void {
    if (mode === this.mode) return;
    this.mode = mode;
    this.around.changed(mode);
  }

  private overturned(): void {
    this.disturbance = false;
    this.abandon();
    if (this.mode === "asleep") this.wakeAt = 0;
  }

  /** It is known now who else used the cores. What was measured while they left too little tells nothing. */
  private learn(): void {
    if (this.competition?.crowded) this.abandon();
    else {
      for (let at = 0; at < this.pending.length; at++) {
        const { on, off } = this.pending[at] as Block;
        this.comparison.add(on, off);
      }
      if (this.pending.length > 0) this.decide();
    }
    this.pending = [];
    this.rebase();
  }

  private rebase(): void {
    const base = this.competition?.competing ? "off" : "on";
    if (base === this.base) return;
    this.base = base;
    this.observe(worthHaving.observed);
    if (this.mode !== "asleep" && this.block === undefined) this.turn(base);
  }

  private decide(): void {
    const { comparison } = this;
    const { verdict, pairs, estimate } = comparison;
    if (verdict === undefined && pairs < most) return;
    this.comparison = new Comparison();
    this.decided = { estimate, pairs };
    this.seriesAt = this.at + this.pause;
    this.pause = min(pauses.longest, this.pause * 2);
    if (verdict === undefined) return;
    this.verdict = verdict;
    if (verdict === "gains") this.gained();
    else {
      this.agreeing = enoughAgreeing;
      this.nap = min(naps.longest, max(this.nap, naps.ofAwake * (this.at - this.awakeSince)));
      this.sleep();
    }
  }

  // --- asleep

  private observe(enough: number): void {
    this.observed = { busy: 0, spared: this.around.spared(), enough };
  }

  /** Whether home was busy for long enough, and hardly spared anything: then it is asleep from now on. */
  private gainsNothing(): boolean {
    if (this.base !== "on" || this.observed.busy < this.observed.enough) return false;
    const { busy, spared } = this.observed;
    const share = (this.around.spared() - spared) / busy;
    this.observe(worthHaving.observed);
    if (share >= worthHaving.share) {
      if (this.verdict !== "loses") this.gained();
      return false;
    }
    this.verdict = "gains nothing";
    this.agreeing++;
    this.sleep();
    return true;
  }

  private gained(): void {
    this.nap = naps.shortest;
    this.agreeing = 0;
  }

  private sleep(): void {
    this.abandon();
    this.pending = [];
    this.wakeAt = this.at + this.nap;
    this.nap = min(naps.longest, this.nap * naps.factor);
    this.turn("asleep");
  }

  private wake(): void {
    this.awakeSince = this.at;
    this.comparison = new Comparison();
    this.seriesAt = Infinity;
    this.observe(worthHaving.again);
    this.pace = { at: this.at, calls: this.calls };
    this.turn(this.base);
  }

  // --- blocks

  private mayCompare(): boolean {
    const calls = this.calls - this.pace.calls;
    const time = this.at - this.pace.at;
    if (calls < stretch.calls && time < stretch.longest) return false;
    const { at } = this.pace;
    this.pace = { at: this.at, calls: this.calls };
    if (calls < stretch.calls || this.at < this.seriesAt) return false;
    this.length = max(stretch.shortest, (stretch.calls * (this.at - at)) / calls);
    const owed = this.comparison.pairs + this.pending.length === 0 ? away.owed : 0;
    if (this.credit + owed < away.stretches * this.length && !this.comparison.seemsLost) return false;
    return !this.competition?.crowded && !this.competition?.competing;
  }

  private length: number = stretch.shortest;

  private begin(): void {
    const { at, idle, work, length } = this;
    const first = this.around.toss() ? "on" : "off";
    this.weights.clear();
    this.block = {
      ...{ first, length, stage: 0, begun: at, planned: stretch.shortest, idle, work },
      ...{ on: newStretch(), off: newStretch() },
    };
    this.block.planned = lengthOf(this.block);
    this.due = at + this.block.planned;
    this.turn(first);
  }

  private advance(block: Block): void {
    const { at, idle, work } = this;
    if (at >= overdue(block)) return this.abandon();
    if (block.stage % 2 === 1) {
      const one = this.mode === "on" ? block.on : block.off;
      one.time += at - block.begun;
      one.idle += idle - block.idle;
      one.work += work - block.work;
    }
    block.stage++;
    if (block.stage === 6) {
      this.pending[this.pending.length] = block;
      this.abandon();
      if (this.comparison.seemsLost) this.due = at;
      return;
    }
    block.begun = at;
    block.idle = idle;
    block.work = work;
    block.planned = lengthOf(block);
    this.due = at + block.planned;
    const other = block.first === "on" ? "off" : "on";
    this.turn(block.stage === 2 || block.stage === 3 ? other : block.first);
  }

  /** Ends the block, if there is one. */
  private abandon(): void {
    if (this.block === undefined) return;
    this.block = undefined;
    this.pace = { at: this.at, calls: this.calls };
    this.turn(this.base);
  }
}

/** Of its present stage. In what does not count, workers get ahead again, or end what they are at. */
function lengthOf({ length, stage }: Block): number {
  if (stage % 2 === 0) return max(stretch.shortest, length / 2);
  return stage === 3 ? 2 * length : length;
}

/** A stretch that takes so long says nothing: the program had something else to do, or nothing. */
function overdue({ begun, planned }: Block): number {
  return begun + 4 * planned + 50;
}
