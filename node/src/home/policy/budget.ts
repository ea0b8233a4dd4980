/**
 * What the search for gains may cost the whole program. A ledger (ledger.ts) judges one site after it has spent; a
 * program has many, and what they share (packets that are looked at, events that are looked ahead for) is on none of
 * their accounts. So all that home does for hot sites is paid from one budget: an allowance for the start, then a
 * small share of the time that passes, and what results of workers have spared home. Where it is used up, all sites
 * rest with their guards off until time has filled it again. A program that gains fills it faster than it spends.
 */
import { max, min } from "../../arithmetic.js";

/** Milliseconds to begin with: workers start, and parts of Heddle are loaded and run for the first time. */
const allowance = 80;
/** Milliseconds: what takes longer was for the most part another program's turn. */
const longest = 5;
/** Of the time that passes. */
const share = 0.005;
/** Milliseconds: what time fills it up to after that, and what gains do. */
const full = { byTime: 40, byGain: 200 };
/** Of what was spared: a ledger's own margin, so that who just breaks even does not go on for ever. */
const worth = 1 / 1.2;

export class Budget {
  private left = allowance;
  private reckoned: number | undefined;
  private pausedUntil = 0;
  /** How often it was used up. */
  count = 0;

  /** @param milliseconds that home spent for hot sites, until `at` by the clock @returns whether it is used up */
  spend(milliseconds: number, at: number): boolean {
    this.fill(at);
    this.left -= min(milliseconds, longest);
    if (this.left > 0 || at < this.pausedUntil) return this.left <= 0;
    this.count++;
    this.pausedUntil = at + (full.byTime - this.left) / share;
    return true;
  }

  /** A worker's result spared home so many milliseconds. */
  gain(milliseconds: number): void {
    this.left = max(this.left, min(full.byGain, this.left + milliseconds * worth));
  }

  /** Milliseconds for which nothing is to be spent; 0: something may be. */
  pause(at: number): number {
    return max(0, this.pausedUntil - at);
  }

  private fill(at: number): void {
    const passed = at - (this.reckoned ?? at);
    this.reckoned = at;
    this.left = max(this.left, min(full.byTime, this.left + passed * share));
  }
}
