/**
 * What a hot site costs home and what it brings, in terms: a term ends when the fate of enough jobs is known, when home
 * has come by often enough for values that nobody had foreseen, or when much has been spent. Every call of a guard is
 * billed. A result that was taken is worth what *home* would have taken for it, not what the worker took: a worker
 * computes a thing for the first time that home has compiled long ago, and other threads hold it up. So home computes a
 * call itself now and then, although the result is there, to know what it spares.
 */
import { max } from "../../arithmetic.js";

/** Jobs of a term. */
const term = 32;
/** Calls that nobody had foreseen, of a term in which there are not enough jobs. */
const longTerm = 128;
/** Milliseconds that may be spent before anybody looks. */
const mostUnjudged = 50;
/**
 * After each term that did not pay, the next is over after half as many such calls and milliseconds, down to this
 * share. Not less, for what a call follows from may have to be seen for each of many URLs before it is foreseen.
 */
const shortest = 1 / 4;
/** Of so many results in a row that were there, home does without the last. */
const sampledEvery = 64;
/** What is gained must be more than what is spent, by so much. */
const margin = 1.2;

/** The figures of a site that a term is judged by, since it was hot for the first time. */
export interface Fate {
  /** Jobs whose fate is known, but for those that home took back before a worker began: they cost next to nothing. */
  readonly decided: number;
  readonly matched: number;
  readonly unforeseen: number;
  /** Milliseconds that home waited for workers. */
  readonly waited: number;
}

export class Ledger {
  /** Milliseconds that guards took while the site was hot: comparing values, learning, looking ahead. */
  overhead = 0;
  /** Milliseconds that home would have computed. */
  saved = 0;
  /** Moving average of a call's time at home, in milliseconds. */
  ownCost = 0;
  private ownCalls = 0;
  /** Results taken since home computed a call itself. */
  private inRow = 0;
  private terms = 0;
  /** Share of `longTerm` and `mostUnjudged`: a site that did not pay before is given up sooner. */
  private patience = 1;
  private since = { decided: 0, matched: 0, unforeseen: 0, waited: 0, overhead: 0, saved: 0 };

  /** Home has computed a call. */
  computed(milliseconds: number): void {
    this.inRow = 0;
    this.ownCalls++;
    const weight = this.ownCalls < 8 ? 1 / this.ownCalls : 1 / 8;
    this.ownCost += (milliseconds - this.ownCost) * weight;
  }

  /** A worker's result was taken. @returns milliseconds that home was spared */
  took(): number {
    this.inRow++;
    this.saved += this.ownCost;
    return this.ownCost;
  }

  /** Whether home is to compute the next call itself. */
  get wantsSample(): boolean {
    return this.inRow >= sampledEvery;
  }

  isDue(fate: Fate): boolean {
    return (
      fate.decided - this.since.decided >= term ||
      fate.unforeseen - this.since.unforeseen >= longTerm * this.patience ||
      this.overhead - this.since.overhead >= mostUnjudged * this.patience
    );
  }

  /** Ends the term. @returns whether the site is worth what it costs */
  judge(fate: Fate): boolean {
    const { since } = this;
    const { decided, matched, unforeseen, waited } = fate;
    const gained = this.saved - since.saved - (waited - since.waited);
    const spent = this.overhead - since.overhead;
    const foreseen = (matched - since.matched) * 4 >= decided - since.decided;
    this.since = { decided, matched, unforeseen, waited, overhead: this.overhead, saved: this.saved };
    // While workers compile the region for the first time, they are slow.
    if (this.terms++ === 0 && spent < mostUnjudged) return true;
    const pays = foreseen && gained > margin * spent;
    this.patience = pays ? 1 : max(shortest, this.patience / 2);
    return pays;
  }
}
