/**
 * What the program does in a unit of time with Heddle, over what it does without: a decision from pairs of stretches.
 *
 * Whether a difference is there is the wrong question, for with enough pairs any is. So the size decides: an interval
 * that holds the true ratio must lie wholly on one side of a threshold. The logarithms of the ratios are independent
 * (each pair has stretches of its own) and about normal, so the interval is Student's. It is looked at after each pair,
 * so it is a wide one.
 */
import { exp, log, min, sqrt } from "../../arithmetic.js";

/** What was done in a stretch of time; all in milliseconds. */
export interface Stretch {
  /** By the clock. */
  time: number;
  /** Of it, how long the main thread waited for events. */
  idle: number;
  /** Calls of hot sites, each counted with what the main thread takes for one of that site. */
  work: number;
}

export type Verdict = "gains" | "gains nothing" | "loses";

/** A ratio, and where it lies almost surely. */
export interface Estimate {
  readonly ratio: number;
  readonly low: number;
  readonly high: number;
}

/** A program that does so much of what it did without gains, or loses; what lies between makes no difference. */
const thresholds = { gain: 1.03, loss: 0.97 };
/** Pairs from which a gain or a loss may be told; and more, if the quantities disagree, or nothing is gained. */
const fewest = { clear: 6, unclear: 16 };
/** Of the normal distribution: 0.5 % lie beyond. */
const z = 2.576;

/** What Student's distribution with so many degrees of freedom has in the place of `z` (Cornish and Fisher 1938). */
function student(freedom: number): number {
  return z + (z ** 3 + z) / (4 * freedom) + (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * freedom ** 2);
}

/** Sums of the logarithms of ratios. */
class Ratios {
  count = 0;
  private sum = 0;
  private squares = 0;

  add(ratio: number): void {
    const one = log(ratio);
    this.count++;
    this.sum += one;
    this.squares += one * one;
  }

  get estimate(): Estimate {
    const { count } = this;
    const middle = this.sum / count;
    if (count < 2) return { ratio: exp(middle), low: 0, high: Infinity };
    const variance = (this.squares - count * middle * middle) / (count - 1);
    // The sum of squares may come out a little below 0.
    const reach = student(count - 1) * sqrt(variance > 0 ? variance / count : 0);
    return { ratio: exp(middle), low: exp(middle - reach), high: exp(middle + reach) };
  }
}

/**
 * Two quantities are looked at. Work by the clock is what a program that always has something to do gets done. A
 * service that could do more than it is asked for does as much either way; then work by the time for which its main
 * thread was busy says how much more it could do. A loss by the clock outweighs a gain of the main thread: with
 * workers on all cores clients may get less although the main thread has nothing to do.
 */
export class Comparison {
  private readonly byClock = new Ratios();
  private readonly byThread = new Ratios();

  /** @returns whether the stretches say anything */
  add(on: Stretch, off: Stretch): boolean {
    const busy = (one: Stretch): number => one.time - one.idle;
    if (!(on.work > 0 && off.work > 0 && busy(on) > 0 && busy(off) > 0)) return false;
    this.byClock.add(on.work / on.time / (off.work / off.time));
    this.byThread.add(on.work / busy(on) / (off.work / busy(off)));
    return true;
  }

  get pairs(): number {
    return this.byClock.count;
  }

  get estimate(): Estimate {
    return this.byClock.estimate;
  }

  /** Whether it looks as if the program did more without, so that to find out costs nothing. */
  get seemsLost(): boolean {
    return this.pairs >= 1 && min(this.byClock.estimate.ratio, this.byThread.estimate.ratio) < thresholds.loss;
  }

  /** Undefined: not known yet. */
  get verdict(): Verdict | undefined {
    const { pairs } = this;
    if (pairs < fewest.clear) return undefined;
    const many = pairs >= fewest.unclear;
    const [clock, thread] = [this.byClock.estimate, this.byThread.estimate];
    if (clock.high < thresholds.loss && (many || thread.ratio < thresholds.gain)) return "loses";
    if (clock.low > thresholds.gain) return "gains";
    if (thread.low > thresholds.gain && (many || clock.ratio > thresholds.loss)) return "gains";
    if (thread.high < thresholds.loss && (many || clock.ratio < thresholds.gain)) return "loses";
    if (many && clock.high < thresholds.gain && thread.high < thresholds.gain) return "gains nothing";
    return undefined;
  }
}
